"""Chapter 6.4.2, 6.4.3 and 8.1: Action Rounds one after the other, each with its Active Area.

The question `activate` stays open below all Action Rounds of a turn, `act` for one whole Action Round; an attack lies on top of it.
A round ends by itself when nothing is left to do, the phase when no Area can be activated.
"""

from collections.abc import Iterator

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.engine.selection import Choose, Done
from core.games.advance.components.board_model import Board
from core.games.advance.ids import FRESH, GERMAN_SEAT, SPENT
from core.games.advance.memory import (
    ACTIVATED,
    ACTIVE_UNITS,
    CONTESTED_AT_ACTIVATION,
    ActionRound,
    entry_area,
    has_acted,
    mandatory,
)
from core.games.advance.options import AREA_ACTIVATIONS_PER_TURN
from core.games.advance.rules.attack import Attacks
from core.games.advance.rules.commands import Activate, DeclareAttack, Move, Stop
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.queries import contested_areas, fresh_at, germans_at, is_paused, is_vacant
from core.games.advance.rules.random_event import event_rule
from core.games.advance.rules.refusals import not_asked, refused
from core.refusal import Refusal
from events.ids import TABLE, PlaceId, RuleId
from projections.state.table import Open, Table

ACTION_ROUND = RuleId("6.4.2.action-round")
ACTIVATE = RuleId("8.1.activate")
REACTIVATION = RuleId("6.4.2.reactivation")
UNTIL_DONE = RuleId("8.1.1.until-done")


def ask(draft: Draft, board: Board) -> None:
    """Ask for the first Active Area. Source: 6.4.2."""
    draft.ask("activate", GERMAN_SEAT, ACTION_ROUND)


class ActivateArea(Question):
    """Choice of the Area that is activated next, if any; the phase can always be ended. Source: 6.4.2, 6.4.3."""

    def __init__(self, board: Board, movement: Movement) -> None:
        areas = Answer(Activate, lambda table, _: self._able(table), self._refuse, self._open_round, are_legal=True)
        super().__init__([areas, always(Done(), lambda draft, *_: self._end_phase(draft))], not_asked)
        self.board = board
        self.movement = movement

    def can_go_on(self, table: Table) -> bool:
        """Return whether any Area can be activated. Source: 6.4.3, ruling.phase-end-automatic."""
        return any(self._able(table))

    def _able(self, table: Table) -> Iterator[Activate]:
        """Yield every Area that can be activated."""
        for area in self.board.areas:
            if table.at.get(area) and not self._is_used_up(table, area) and self._can_act(table, area):
                yield Activate(area)

    def _refuse(self, table: Table, asked: Open, command: Activate) -> Refusal | None:
        """Return why an Area cannot be activated.

        Source: 6.4.2, ruling.no-empty-activation, RuleId("8.1.needs-fresh").
        """
        area = command.area
        if area not in self.board.areas:
            return refused("area_must_exist", f"There is no Area {area!r}.")
        if not fresh_at(table, area):
            return refused("area_must_hold_fresh_units", f"There is no Fresh German unit in Area {area}.")
        if self._is_used_up(table, area):
            return refused("activation_must_be_possible", f"Area {area} has been activated in this turn.", REACTIVATION)
        if not self._can_act(table, area):
            if all(is_paused(table, self.board, unit) for unit in fresh_at(table, area)):
                row = event_rule(table, RuleId("6.2.chart.7-8"))
                return refused(
                    "activation_must_be_possible", f"The divisions in Area {area} are paused this turn.", row
                )
            return refused("activation_must_be_possible", f"No unit in Area {area} can do anything.")
        return None

    def _is_used_up(self, table: Table, area: PlaceId) -> bool:
        """Return whether an Area was activated in this turn and may not be again. Source: ruling.reactivation."""
        return ACTIVATED.of(table, area) is not None and AREA_ACTIVATIONS_PER_TURN.chosen(table) == "one"

    def _can_act(self, table: Table, area: PlaceId) -> bool:
        """Return whether some unit of an Area could attack there or step out of it."""
        is_held = not is_vacant(table, area)
        for unit in fresh_at(table, area):
            if not self.movement.may_act(table, unit):
                continue
            if (is_held and not self.movement.is_barred(table, unit, area)) or self.movement.can_leave(
                table, unit, area
            ):
                return True
        return False

    def _open_round(self, draft: Draft, asked: Open, command: Activate) -> None:
        """Open an Action Round, and remember its units and the Areas that are Contested now. Source: 8.1."""
        table, area = draft.table, command.area
        if AREA_ACTIVATIONS_PER_TURN.chosen(table) == "one":
            ACTIVATED.set(draft, area, value=True, rule=REACTIVATION)
        draft.ask("act", GERMAN_SEAT, ACTIVATE, {"area": area})
        ACTIVE_UNITS.set(draft, area, tuple(sorted(germans_at(table, area))), ACTIVATE)
        contested = contested_areas(table, self.board)
        if contested:
            CONTESTED_AT_ACTIVATION.set(draft, TABLE, tuple(sorted(contested)), ACTIVATE)

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the phase if no Area can be activated any more. Source: RuleId("6.4.3.phase-ends")."""
        if not self.can_go_on(draft.table):
            self._end_phase(draft)

    def _end_phase(self, draft: Draft) -> None:
        draft.answered(RuleId("6.4.3.phase-ends"))
        draft.close()


class Act:
    """Action of the units of the Active Area. Source: 8.1, 8.2, 9.0."""

    def __init__(self, movement: Movement, attacks: Attacks) -> None:
        self.movement = movement
        self.attacks = attacks

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List steps, the end of the present move, attacks, and the end of the round."""
        # Takes 9 µs for four units; asking `refuse` about each unit and Area takes 55 µs.
        now = ActionRound(table)
        found: list[Command] = list(self.movement.moves(table, now))
        if now.moving:
            found.append(Stop())
        self.attacks.add_attacks(table, now, found)
        if self._refuse_end(table, now) is None:
            found.append(Done())
        return found

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why a step, an attack, or the end of a move or of the round is not legal, or None if it is."""
        now = ActionRound(table)
        match command:
            case Move():
                return self.movement.refuse_move(table, now, command)
            case DeclareAttack():
                return self.attacks.refuse_attack(table, now, command)
            case Stop():
                return None if now.moving else refused("unit_must_still_be_moving", "No unit is moving.")
            case Done():
                return self._refuse_end(table, now)
            case Activate():
                is_open = bool(mandatory(table))
                return self._refuse_end(table, now) if is_open else not_asked(table, asked, command, UNTIL_DONE)
            case _:
                return not_asked(table, asked, command)

    def _refuse_end(self, table: Table, now: ActionRound) -> Refusal | None:
        """Return why the round cannot be ended now.

        Source: ruling.mandatory-over-may, RuleId("8.1.1.until-done"), RuleId("9.1.mandatory").
        """
        if areas := mandatory(table):
            sentence = f"A Mandatory Attack is still to be fought in Area {' and '.join(areas)}."
            return refused("mandatory_attack_must_be_resolved", sentence)
        return None if has_acted(table, now) else refused("activation_must_do_something")

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return for an attack with its units where it is made, and then by which units; see `core.engine.decision.Expanding`."""
        if isinstance(command, DeclareAttack) and command not in self.options(table, asked):
            return (DeclareAttack(command.area), Choose(command.units))
        return (command,)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Carry out a step, an attack or an end."""
        now = ActionRound(draft.table)
        match command:
            case DeclareAttack():
                self.attacks.declare(draft, now, command)
            case Move():
                self.movement.step(draft, now, command)
            case Stop():
                self.movement.finish(draft, now.moving)
            case _:
                self._end_round(draft, now)

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the round if no unit has anything left to do. Source: RuleId("8.1.1.until-done")."""
        now = ActionRound(draft.table)
        if not self.movement.can_go_on(draft.table, now) and not self.attacks.groups(draft.table, now):
            self._end_round(draft, now)

    def _end_round(self, draft: Draft, now: ActionRound) -> None:
        """End the round: units that entered an Area and did not attack turn Spent.

        Source: 8.1.1, 9.2, RuleId("8.1.any-number").
        """
        table = draft.table
        self.movement.finish(draft, now.moving)
        for unit in now.units:
            if table.pieces[unit].face == FRESH and entry_area(table, unit):
                draft.turn(unit, SPENT, RuleId("8.1.spent-after-move"))
        draft.answered(UNTIL_DONE)
