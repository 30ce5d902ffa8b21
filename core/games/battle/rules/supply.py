"""The Supply step: Rations of Controlled Locations, of Perimeter Areas, and the repair of Rubble."""

from core.command import Command
from core.decision import Decision, Procedure
from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import GERMAN, PERIMETER, RUBBLE, SUPPLY, area
from core.games.battle.rules.commands import RepairRubble
from core.games.battle.rules.distribution import give_rations, hand_out
from core.games.battle.rules.queries import (
    controlled,
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

STEP = RuleId("turn.steps")
REPAIR = RuleId("location.note.repair-rubble")
LOCATION = RuleId("supply.location-rations")
PER_FORCE = RuleId("supply.perimeter-ration")
FLANKS = RuleId("uranus.effect.no-perimeter-ration")
DEPOTS = RuleId("uranus.effect.location-rations")


def begin_supply(draft: Draft, cards: Cards, side: Side) -> None:
    """Begin the step; a repair is asked for first, since it counts for what the Locations give.

    Source: RuleId("location.note.repair-rubble"), RuleId("supply.order-free").
    """
    draft.begin_phase(SUPPLY, STEP)
    draft.set_aside(
        "supply", STEP, {"locations": tuple(location.id for location in controlled(cards, draft.table, side))}
    )
    if repairable(cards, draft.table, side):
        draft.ask("repair", draft.table.seat_of(side), REPAIR)


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

    def go_on(self, draft: Draft, waiting: Open) -> None:
        """Hand out what the next Location gives; after the last one the Perimeter Forces get theirs.

        Source: RuleId("supply.split-choice"), RuleId("location.note.rations-anywhere").
        """
        draft.take_up(LOCATION)
        side = draft.table.turn
        left = waiting.texts("locations")
        if not left:
            self.perimeter(draft, side)
            return
        draft.set_aside("supply", LOCATION, {"locations": left[1:]})
        location = left[0]
        count = location_rations(self.cards, draft.table, side, location)
        anywhere = any(
            holder.id == location for holder in note_holders(self.cards, draft.table, side, "rations_anywhere")
        )
        hand_out(draft, self.cards, side, count, LOCATION, location="" if anywhere else location)

    def perimeter(self, draft: Draft, side: Side) -> None:
        """Give each Perimeter Force its Ration.

        Source: RuleId("supply.perimeter-ration"), RuleId("uranus.effect.no-perimeter-ration").
        """
        if side == GERMAN and uranus_in_play(self.cards, draft.table, "enemy_no_perimeter_ration"):
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


def procedures(cards: Cards) -> dict[str, Procedure]:
    """Return the procedure of this chapter."""
    return {"supply": Supplies(cards).go_on}
