"""Handing out Rations: one by one, by choice, all of them; a single recipient is served by the rules."""

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import RATION, area
from core.games.battle.rules.commands import GiveRation
from core.games.battle.rules.queries import forces_of, is_on_map, rations
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import PieceId, RuleId, Side
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


def hand_out(draft: Draft, cards: Cards, side: Side, count: int, rule: RuleId, *, location: str = "") -> None:
    """Hand out Rations among a side's Forces, at one Location or anywhere.

    Asks Ration by Ration (the decision `distribute`) unless there is but one recipient; without any Force nothing is
    handed out.

    Source: supply.split-choice, supply.all-placed, ruling.supply-compulsory.
    """
    forces = recipients(cards, draft.table, side, location)
    if count <= 0 or not forces:
        return
    if len(forces) == 1:
        give_rations(draft, forces[0], count, rule)
        return
    draft.ask("distribute", draft.table.seat_of(side), rule, {"left": count, "location": location, "rule": rule})


def recipients(cards: Cards, table: Table, side: Side, location: str) -> list[PieceId]:
    """Return the Forces that may get the Rations being handed out."""
    if not location:
        return forces_of(cards, table, side)
    return [
        *table.pieces_at(area(location, side, "control")),
        *table.pieces_at(area(location, side, "perimeter")),
    ]


class Distribute:
    """Which Force gets the next Ration. Source: RuleId("supply.split-choice"), RuleId("supply.all-placed")."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every recipient."""
        return [
            GiveRation(force)
            for force in recipients(self.cards, table, table.side_of(asked.seat), asked.text("location"))
        ]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a recipient; the choice cannot be declined."""
        if not isinstance(command, GiveRation):
            return misplaced(table, asked, command, "Rations are being handed out: name a Force.")
        card = self.cards.forces.get(command.force)
        if card is not None and card.side != table.side_of(asked.seat):
            return refused("force_must_be_own")
        if card is None or not is_on_map(table, command.force):
            return refused("target_must_exist", f"There is no Force {command.force!r} on the table.")
        location = asked.text("location")
        if location and self.cards.location_of(table.pieces[command.force].place) != location:
            return refused("force_must_be_at_location")
        return None

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Put the Ration there and ask for the next one."""
        assert isinstance(command, GiveRation)
        rule = RuleId(asked.text("rule"))
        draft.answered(rule)
        give_rations(draft, command.force, 1, rule)
        left = asked.number("left") - 1
        if left:
            draft.ask("distribute", asked.seat, rule, {**asked.arguments, "left": left})


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the question of this chapter."""
    return {"distribute": Distribute(cards)}
