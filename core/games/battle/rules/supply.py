"""The Supply step: Rations of Controlled Locations, of Perimeter Areas, and the repair of Rubble."""

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.battle.components.card_model import Cards, Location
from core.games.battle.ids import GERMAN, PERIMETER, RUBBLE, area
from core.games.battle.rules.commands import RepairRubble
from core.games.battle.rules.distribution import give_rations, hand_out
from core.games.battle.rules.queries import (
    controlled,
    forces_of,
    is_destroyed,
    locations_in_play,
    note_amount,
    note_holders,
    rubble,
    uranus_amount,
    uranus_in_play,
)
from core.games.battle.rules.refusals import refused
from core.games.battle.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.selection import Done
from events.ids import RuleId, Side
from projections.table import Open, Table

REPAIR = RuleId("location.note.repair-rubble")
ANYWHERE = RuleId("location.note.rations-anywhere")
LOCATION = RuleId("supply.location-rations")
PER_FORCE = RuleId("supply.perimeter-ration")
FLANKS = RuleId("uranus.effect.no-perimeter-ration")
DEPOTS = RuleId("uranus.effect.location-rations")


def repairable(cards: Cards, table: Table, side: Side) -> list[str]:
    """Return the Locations whose Rubble a side may repair now; none without the note."""
    if not note_amount(cards, table, side, "repair_rubble"):
        return []
    return [
        location.id
        for location in controlled(cards, table, side)
        if not is_destroyed(table, location.id) and rubble(table, location.id)
    ]


def location_rations(cards: Cards, table: Table, side: Side, location: str) -> int:
    """Return what a Controlled Location gives a side now, 0 or more.

    Source: RuleId("supply.location-rations"), RuleId("location.destroyed.no-rations"), RuleId("uranus.effect.location-rations").
    """
    if is_destroyed(table, location):
        return 0
    fewer = uranus_amount(cards, table, "enemy_location_rations") if side == GERMAN else 0
    return max(0, cards.locations[location].rations(rubble(table, location)) + fewer)


class Supplies:
    """The course of the step, bound to the cards."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def may_repair(self, table: Table, at: Open) -> bool:
        """Return whether Rubble may be repaired; it counts for what the Locations give.

        Source: RuleId("location.note.repair-rubble"), RuleId("supply.order-free").
        """
        return bool(repairable(self.cards, table, table.turn))

    def ask_repair(self, draft: Draft, at: Open) -> None:
        """Ask which Location is repaired."""
        draft.ask("repair", draft.table.seat_of(draft.table.turn), REPAIR)

    def are_there_any(self, table: Table, at: Open) -> bool:
        """Return whether a Location gives Rations."""
        side = table.turn
        return any(location_rations(self.cards, table, side, one.id) for one in controlled(self.cards, table, side))

    def begin(self, draft: Draft, at: Open) -> None:
        """Hand out what the Locations give, in their order, up to the first question."""
        self._hand_out(draft, controlled(self.cards, draft.table, draft.table.turn))

    def go_on(self, draft: Draft, asked: Open) -> None:
        """Hand out what the Locations give that come after the one of an answered question, if it was about one."""
        if asked.text("source"):
            locations = controlled(self.cards, draft.table, draft.table.turn)
            self._hand_out(draft, locations[[one.id for one in locations].index(asked.text("source")) + 1 :])

    def _hand_out(self, draft: Draft, locations: list[Location]) -> None:
        """Source: RuleId("supply.split-choice"), RuleId("location.note.rations-anywhere")."""
        side = draft.table.turn
        anywhere = note_holders(self.cards, draft.table, side, "rations_anywhere")
        for location in locations:
            count = location_rations(self.cards, draft.table, side, location.id)
            printed = (
                0 if is_destroyed(draft.table, location.id) else location.rations(rubble(draft.table, location.id))
            )
            if count < printed:
                draft.apply(DEPOTS, f"Rations fewer: {printed - count}", location.id)
            rule, where = (ANYWHERE, "") if location in anywhere else (LOCATION, location.id)
            if hand_out(draft, self.cards, side, count, rule, location=where, source=location.id):
                return

    def has_perimeter_forces(self, table: Table, at: Open) -> bool:
        """Return whether a Force of the Acting Player is in a Perimeter Area."""
        return any(
            not self.cards.is_control(table.pieces[force].place) for force in forces_of(self.cards, table, table.turn)
        )

    def perimeter(self, draft: Draft, at: Open) -> None:
        """Give each Perimeter Force its Ration.

        Source: RuleId("supply.perimeter-ration"), RuleId("uranus.effect.no-perimeter-ration").
        """
        side = draft.table.turn
        if side == GERMAN and uranus_in_play(self.cards, draft.table, "enemy_no_perimeter_ration"):
            draft.apply(FLANKS, "Forces in Perimeter Areas get no Ration", side)
            return
        for location in locations_in_play(self.cards, draft.table):
            for force in draft.table.pieces_at(area(location.id, side, PERIMETER)):
                give_rations(draft, force, self.cards.figures.perimeter_ration, PER_FORCE)


class Repair:
    """Which Location is repaired, if any. Source: RuleId("location.note.repair-rubble")."""

    def __init__(self, cards: Cards) -> None:
        self.cards = cards

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every Location that can be repaired, and none."""
        return [
            Done(),
            *(RepairRubble(location) for location in repairable(self.cards, table, table.side_of(asked.seat))),
        ]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a Controlled Location with Rubble on it."""
        side = table.side_of(asked.seat)
        if isinstance(command, Done):
            return None
        if not isinstance(command, RepairRubble):
            return misplaced(table, asked, command, "The Supply step is on: name a Location to repair, or none.")
        if command.location in repairable(self.cards, table, side):
            return None
        is_own = any(location.id == command.location for location in controlled(self.cards, table, side))
        if is_own and is_destroyed(table, command.location):
            return refused("location_must_not_be_destroyed")
        return refused("target_must_exist", f"There is nothing to repair at {command.location!r}.")

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Take one Rubble off."""
        draft.answered(REPAIR)
        if isinstance(command, RepairRubble):
            there = rubble(draft.table, command.location)
            if there == 1:
                draft.unmark(command.location, RUBBLE, REPAIR)
            else:
                draft.mark(command.location, RUBBLE, REPAIR, there - 1)


def decisions(cards: Cards) -> dict[str, Decision]:
    """Return the question of this chapter."""
    return {"repair": Repair(cards)}
