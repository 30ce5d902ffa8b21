"""Handing out Rations: by choice, all of them; a single recipient is served by the rules."""

from collections import Counter
from collections.abc import Callable

from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import RATION, area
from core.games.battle.rules.queries import forces_of, is_on_map, rations
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.selection import Pick, Picks, Selection
from events.ids import PieceId, RuleId, Side
from events.vocabulary import Value
from projections.table import Open, Table

ALL_PLACED = RuleId("supply.all-placed")


def give_rations(draft: Draft, force: PieceId, count: int, rule: RuleId) -> None:
    """Put Rations on a Force. Source: RuleId("force.rations-stay")."""
    if count:
        draft.mark(force, RATION, rule, rations(draft.table, force) + count)


def take_rations(draft: Draft, force: PieceId, count: int, rule: RuleId) -> int:
    """Take up to `count` Rations off a Force and return how many there were. Source: card.remove-missing-rations."""
    there = rations(draft.table, force)
    taken = min(there, count)
    if taken == 0:
        return 0
    if taken == there:
        draft.unmark(force, RATION, rule)
    else:
        draft.mark(force, RATION, rule, there - taken)
    return taken


def hand_out(
    draft: Draft, cards: Cards, side: Side, count: int, rule: RuleId, *, location: str = "", source: str = ""
) -> bool:
    """Hand out Rations among a side's Forces, at one Location or anywhere, and return whether the side is asked.

    Asks (the decision `distribute`) unless there is but one recipient; without any Force nothing is handed out. `source` is the
    Location that gives them, if one does.

    Source: supply.split-choice, supply.all-placed, ruling.supply-compulsory.
    """
    forces = recipients(cards, draft.table, side, location)
    if count <= 0 or not forces:
        return False
    if len(forces) == 1:
        give_rations(draft, forces[0], count, rule)
        return False
    arguments: dict[str, Value] = {"count": count, "location": location, "rule": rule}
    if source:
        arguments["source"] = source
    draft.ask("distribute", draft.table.seat_of(side), rule, arguments)
    return True


def recipients(cards: Cards, table: Table, side: Side, location: str) -> list[PieceId]:
    """Return the Forces that may get the Rations being handed out."""
    if not location:
        return forces_of(cards, table, side)
    return [
        *table.pieces_at(area(location, side, "control")),
        *table.pieces_at(area(location, side, "perimeter")),
    ]


class Distribute:
    """Which Forces get how many of the Rations.

    Args:
        cards: The cards of the match.
        then: What follows.

    Source: RuleId("supply.split-choice"), RuleId("supply.all-placed").
    """

    def __init__(self, cards: Cards, then: Callable[[Draft, Open], None]) -> None:
        self.cards = cards
        self.then = then

    def question(self) -> Selection:
        """Return the question."""
        return Selection(
            lambda asked: RuleId(asked.text("rule")),
            lambda table, asked: recipients(self.cards, table, table.side_of(asked.seat), asked.text("location")),
            lambda _, asked: (asked.number("count"), asked.number("count")),
            self.place,
            refuse_pick=self.refuse_pick,
            refuse_count=lambda *_: refused("all_rations_must_be_placed"),
            refuse_other=lambda table, asked, command: misplaced(
                table, asked, command, "Rations are being handed out: name a Force."
            ),
            may_repeat=True,
        )

    def refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Accept a recipient."""
        card = self.cards.forces.get(PieceId(pick.item))
        if card is not None and card.side != table.side_of(asked.seat):
            return refused("force_must_be_own")
        if card is None or not is_on_map(table, PieceId(pick.item)) or pick.to:
            return refused("target_must_exist", f"There is no Force {pick.item!r} on the table.")
        location = asked.text("location")
        if location and self.cards.location_of(table.pieces[PieceId(pick.item)].place) != location:
            return refused("force_must_be_at_location")
        return None

    def place(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Put the Rations there, and go on."""
        for force, count in Counter(item for item, _ in picks).items():
            give_rations(draft, PieceId(force), count, RuleId(asked.text("rule")))
        self.then(draft, asked)


def decisions(cards: Cards, then: Callable[[Draft, Open], None]) -> dict[str, Decision]:
    """Return the question of this chapter."""
    return {"distribute": Distribute(cards, then).question()}
