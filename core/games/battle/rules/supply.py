"""Rations: the Supply step, the repair of Rubble in it, and the choice of who gets Rations that are handed out."""

from collections import Counter

from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.engine.selection import Done, Pick, Picks, Selection
from core.games.battle.components.card_model import Cards, Location
from core.games.battle.ids import CONTROL, GERMAN, PERIMETER, RUBBLE, area
from core.games.battle.rules import queries
from core.games.battle.rules.changes import Chapter, give_rations
from core.games.battle.rules.commands import RepairRubble
from core.games.battle.rules.refusals import misplaced, refused
from core.refusal import Refusal
from core.wording import counted
from events.ids import PieceId, RuleId, Side
from events.vocabulary import Value
from projections.state.table import Open, Table

REPAIR = RuleId("location.note.repair-rubble")
ANYWHERE = RuleId("location.note.rations-anywhere")
LOCATION = RuleId("supply.location-rations")
PER_FORCE = RuleId("supply.perimeter-ration")
FLANKS = RuleId("uranus.effect.no-perimeter-ration")
DEPOTS = RuleId("uranus.effect.location-rations")


def location_rations(cards: Cards, table: Table, side: Side, location: str) -> int:
    """Return what a Controlled Location gives a side now, 0 or more.

    Source: supply.location-rations, location.destroyed.no-rations, uranus.effect.location-rations.
    """
    fewer = queries.uranus_amount(cards, table, "enemy_location_rations") if side == GERMAN else 0
    return max(0, printed_rations(table, cards.locations[location]) + fewer)


def printed_rations(table: Table, location: Location) -> int:
    """Return what a Location's chart gives now, 0 or more."""
    return 0 if queries.is_destroyed(table, location.id) else location.rations(queries.rubble(table, location.id))


class Supplies(Chapter):
    """The course of the Supply step, and its questions."""

    # Repair of Rubble

    def may_repair(self, table: Table, at: Open) -> bool:
        """Return whether Rubble may be repaired; it counts for what the Locations give.

        Source: location.note.repair-rubble, supply.order-free.
        """
        return bool(self._repairable(table, at))

    def ask_repair(self, draft: Draft, at: Open) -> None:
        """Ask which Location is repaired."""
        draft.ask("repair", draft.table.seat_of(draft.table.turn), REPAIR)

    def repair_question(self) -> Question:
        """Return which Location is repaired, if any."""
        repair = Answer(RepairRubble, self._repairable, self._refuse_repair, self._repair, ends=REPAIR)
        return Question((always(Done(), ends=REPAIR), repair), misplaced)

    def _repairable(self, table: Table, asked: Open) -> list[RepairRubble]:
        """Return the Controlled Locations with Rubble; none without the note."""
        if not queries.note_amount(self.cards, table, table.turn, "repair_rubble"):
            return []
        locations = [location.id for location in queries.controlled(self.cards, table, table.turn)]
        return [
            RepairRubble(one)
            for one in locations
            if not queries.is_destroyed(table, one) and queries.rubble(table, one)
        ]

    def _refuse_repair(self, table: Table, asked: Open, command: RepairRubble) -> Refusal | None:
        if command in self._repairable(table, asked):
            return None
        is_own = any(location.id == command.location for location in queries.controlled(self.cards, table, table.turn))
        if is_own and queries.is_destroyed(table, command.location):
            return refused("location_must_not_be_destroyed")
        return refused("target_must_exist", f"There is nothing to repair at {command.location!r}.", REPAIR)

    def _repair(self, draft: Draft, asked: Open, command: RepairRubble) -> None:
        there = queries.rubble(draft.table, command.location)
        if there == 1:
            draft.unmark(command.location, RUBBLE, REPAIR)
        else:
            draft.mark(command.location, RUBBLE, REPAIR, there - 1)

    # Rations of Locations and of Perimeter Areas

    def are_there_any(self, table: Table, at: Open) -> bool:
        """Return whether a Location gives Rations, be it that a card takes all of them."""
        return any(printed_rations(table, one) for one in queries.controlled(self.cards, table, table.turn))

    def begin(self, draft: Draft, at: Open) -> None:
        """Hand out what the Locations give, in their order, up to the first question."""
        self._give_locations(draft, queries.controlled(self.cards, draft.table, draft.table.turn))

    def _give_locations(self, draft: Draft, locations: list[Location]) -> None:
        """Source: supply.split-choice, location.note.rations-anywhere."""
        side = draft.table.turn
        anywhere = queries.note_holders(self.cards, draft.table, side, "rations_anywhere")
        for location in locations:
            count = location_rations(self.cards, draft.table, side, location.id)
            printed = printed_rations(draft.table, location)
            if fewer := printed - count:
                draft.apply(DEPOTS, f"{counted(fewer, 'Ration')} less by Operation: Uranus", location.id)
            rule, where = (ANYWHERE, "") if location in anywhere else (LOCATION, location.id)
            if hand_out(draft, self.cards, side, count, rule, location=where, source=location.id):
                return

    def has_perimeter_forces(self, table: Table, at: Open) -> bool:
        """Return whether a Force of the Acting Player is in a Perimeter Area."""
        return bool(queries.perimeter_forces(self.cards, table, table.turn))

    def perimeter(self, draft: Draft, at: Open) -> None:
        """Give each Perimeter Force its Ration. Source: supply.perimeter-ration, uranus.effect.no-perimeter-ration."""
        side = draft.table.turn
        if side == GERMAN and queries.uranus_in_play(self.cards, draft.table, "enemy_no_perimeter_ration"):
            draft.apply(FLANKS, "Forces in Perimeter Areas get no Ration", side)
            return
        give_to_perimeter(draft, self.cards, side, self.cards.figures.perimeter_ration, PER_FORCE)

    # Who gets Rations

    def distribute_question(self) -> Selection:
        """Return which Forces get how many of the Rations. Source: supply.split-choice, supply.all-placed."""
        return Selection(
            lambda asked: RuleId(asked.text("rule")),
            lambda table, asked: recipients(self.cards, table, table.side_of(asked.seat), asked.text("location")),
            lambda _, asked: (asked.number("count"), asked.number("count")),
            self._distribute,
            refuse_pick=self._refuse_recipient,
            refuse_count=self._refuse_count,
            refuse_other=misplaced,
            may_repeat=True,
        )

    def _refuse_count(self, table: Table, asked: Open) -> Refusal:
        """Return how many Rations are to be placed, and how many are. Source: supply.all-placed."""
        wanted = counted(asked.number("count"), "Ration")
        sentence = f"Exactly {wanted} {'is' if asked.number('count') == 1 else 'are'} placed, not {len(asked.picked)}."
        return refused("all_rations_must_be_placed", sentence)

    def _refuse_recipient(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        force, location = PieceId(pick.item), asked.text("location")
        if self.cards.is_enemy_force(force, table.side_of(asked.seat)):
            return refused("force_must_be_own")
        if not queries.is_on_map(table, force) or pick.to:
            return refused(
                "target_must_exist", f"There is no Force {pick.item!r} on the table.", RuleId(asked.text("rule"))
            )
        if location and self.cards.location_of(table.pieces[force].place) != location:
            return refused("force_must_be_at_location")
        return None

    def _distribute(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Put the Rations there, and hand out what the Locations give that come after the one in question, if there is one."""
        for force, count in Counter([item for item, _ in picks]).items():
            rule = _rule_for(self.cards, draft.table, PieceId(force), asked.text("source"), RuleId(asked.text("rule")))
            give_rations(draft, PieceId(force), count, rule)
        if asked.text("source"):
            locations = queries.controlled(self.cards, draft.table, draft.table.turn)
            self._give_locations(draft, locations[[one.id for one in locations].index(asked.text("source")) + 1 :])


def hand_out(
    draft: Draft, cards: Cards, side: Side, count: int, rule: RuleId, *, location: str = "", source: str = ""
) -> bool:
    """Hand out Rations among a side's Forces, at one Location or anywhere, and return whether the side is asked.

    Asks (`distribute`) if there are several recipients; without any Force nothing is handed out. `source` is the Location
    that gives them, if one does.

    Source: supply.split-choice, supply.all-placed, ruling.supply-compulsory.
    """
    forces = recipients(cards, draft.table, side, location)
    if count <= 0 or not forces:
        return False
    if len(forces) == 1:
        give_rations(draft, forces[0], count, _rule_for(cards, draft.table, forces[0], source, rule))
        return False
    arguments: dict[str, Value] = {"count": count, "location": location, "rule": rule}
    draft.ask("distribute", draft.table.seat_of(side), rule, {**arguments, "source": source} if source else arguments)
    return True


def _rule_for(cards: Cards, table: Table, force: PieceId, source: str, rule: RuleId) -> RuleId:
    """Return the rule under which a Force gets Rations: those that a Location gives to its own Forces need no note."""
    return LOCATION if source and cards.location_of(table.pieces[force].place) == source else rule


def recipients(cards: Cards, table: Table, side: Side, location: str) -> list[PieceId]:
    """Return the Forces that may get the Rations being handed out, the Control Area's first."""
    if not location:
        return queries.forces_of(cards, table, side)
    return [force for which in (CONTROL, PERIMETER) for force in table.pieces_at(area(location, side, which))]


def give_to_perimeter(draft: Draft, cards: Cards, side: Side, count: int, rule: RuleId) -> None:
    """Give Rations to each of a side's Forces in Perimeter Areas."""
    for force in queries.perimeter_forces(cards, draft.table, side):
        give_rations(draft, force, count, rule)
