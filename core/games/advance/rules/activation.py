"""Chapter 6.4.2, 6.4.3 and 8.1: Action Rounds one after the other, each with its Active Area.

Owns the questions `activate` and `act`. The former stays open below all Action Rounds of a turn, the latter for the whole
Action Round; an attack lies on top of it. A round ends by itself when nothing is left to do, the phase when no Area can be
activated.
"""

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.advance.components.board_model import Board
from core.games.advance.ids import FRESH, GERMAN_SEAT
from core.games.advance.memory import ACTIVATED, ACTIVE_UNITS, CONTESTED_AT_ACTIVATION, entry_area
from core.games.advance.options import AREA_ACTIVATIONS_PER_TURN, chosen
from core.games.advance.rules.action_round import ActionRound
from core.games.advance.rules.attack import Attacks
from core.games.advance.rules.changes import turn_spent
from core.games.advance.rules.commands import Activate, DeclareAttack, Move, Stop
from core.games.advance.rules.movement import Movement
from core.games.advance.rules.queries import contested_areas, fresh_at, germans_at
from core.games.advance.rules.refusals import not_asked, refused
from core.refusal import Refusal
from core.selection import Choose, Done
from events.ids import TABLE, PlaceId, RuleId
from projections.table import Open, Table

ACTION_ROUND = RuleId("6.4.2.action-round")
ACTIVATE = RuleId("8.1.activate")
UNTIL_DONE = RuleId("8.1.1.until-done")
PHASE_ENDS = RuleId("6.4.3.phase-ends")
REACTIVATION = RuleId("6.4.2.reactivation")
SPENT_AFTER_MOVE = RuleId("8.1.spent-after-move")


class ActionRounds:
    """The course of the Action Rounds, bound to a board."""

    def __init__(self, board: Board, movement: Movement, attacks: Attacks) -> None:
        self.board = board
        self.movement = movement
        self.attacks = attacks

    # Between two rounds

    def can_go_on(self, table: Table) -> bool:
        """Return whether any Area can be activated. Source: 6.4.3, ruling.phase-end-automatic."""
        return any(self.can_activate(table, area) for area in self.board.areas)

    def end_phase(self, draft: Draft) -> None:
        """End the Action Rounds of this turn. Source: 6.4.3, RuleId("6.4.3.phase-ends")."""
        draft.answered(PHASE_ENDS)
        draft.close()

    def can_activate(self, table: Table, area: PlaceId) -> bool:
        """Return whether an existing Area can be activated; see `refuse_area`, which says why not."""
        return bool(table.at.get(area)) and not self._is_used_up(table, area) and self._can_act(table, area)

    def _is_used_up(self, table: Table, area: PlaceId) -> bool:
        """Return whether an Area was activated in this turn and may not be again. Source: ruling.reactivation."""
        return ACTIVATED.of(table, area) is not None and chosen(table, AREA_ACTIVATIONS_PER_TURN) == "one"

    def refuse_area(self, table: Table, area: PlaceId) -> Refusal | None:
        """Return why an existing Area cannot be activated.

        Source: 8.1, 6.4.2, ruling.no-empty-activation; RuleId("8.1.needs-fresh"), RuleId("6.4.2.reactivation").
        """
        if not table.at.get(area) or not fresh_at(table, area):
            return refused("area_must_hold_fresh_units", f"There is no Fresh German unit in Area {area}.")
        if self._is_used_up(table, area):
            return refused("activation_must_be_possible", f"Area {area} has been activated in this turn.", REACTIVATION)
        if not self._can_act(table, area):
            return refused("activation_must_be_possible", f"No unit in Area {area} can do anything.")
        return None

    def _can_act(self, table: Table, area: PlaceId) -> bool:
        """Return whether some unit of an Area could attack there or step out of it."""
        is_held = self.movement.has_soviet(table, area)
        for unit in fresh_at(table, area):
            if not self.movement.may_act(table, unit):
                continue
            if is_held and not self.movement.is_barred(table, unit, area):
                return True
            if self.movement.can_leave(table, unit, area):
                return True
        return False

    def activate(self, draft: Draft, area: PlaceId) -> None:
        """Open an Action Round: note the Active Area, its units, and which Areas are Contested now.

        Source: 8.1; RuleId("8.1.activate"), RuleId("6.4.2.reactivation").
        """
        table = draft.table
        if chosen(table, AREA_ACTIVATIONS_PER_TURN) == "one":
            ACTIVATED.set(draft, area, value=True, rule=REACTIVATION)
        draft.ask("act", GERMAN_SEAT, ACTIVATE, {"area": area})
        ACTIVE_UNITS.set(draft, area, tuple(sorted(germans_at(table, area))), ACTIVATE)
        contested = contested_areas(table, self.board)
        if contested:
            CONTESTED_AT_ACTIVATION.set(draft, TABLE, tuple(sorted(contested)), ACTIVATE)

    # Within a round

    def options(self, table: Table) -> list[Command]:
        """List what can be done in the round that is being played."""
        now = ActionRound(table)
        found: list[Command] = []
        self.movement.add_moves(table, now, found)
        self.attacks.add_attacks(table, now, found)
        if self.refuse_end(now) is None:
            found.append(Done())
        return found

    def refuse_end(self, now: ActionRound) -> Refusal | None:
        """Return why the round cannot be ended now.

        Source: 8.1.1, 9.1, ruling.mandatory-over-may; RuleId("8.1.1.until-done"), RuleId("9.1.mandatory").
        """
        if now.mandatory:
            return refused(
                "mandatory_attack_must_be_resolved",
                f"A Mandatory Attack is still to be fought in Area {' and '.join(now.mandatory)}.",
            )
        return None if now.has_acted else refused("activation_must_do_something")

    def end_round(self, draft: Draft, now: ActionRound) -> None:
        """End the round: units that entered an Area and did not attack turn Spent.

        Source: 8.1, 8.1.1, 9.2; RuleId("8.1.spent-after-move"), RuleId("8.1.any-number").
        """
        table = draft.table
        self.movement.finish(draft, now.moving)
        for unit in now.units:
            if table.pieces[unit].face == FRESH and entry_area(table, unit):
                turn_spent(draft, unit, SPENT_AFTER_MOVE)
        draft.answered(UNTIL_DONE)


class ActivateArea:
    """Which Area is activated next, if any. Source: 6.4.2, 6.4.3; RuleId("8.1.activate")."""

    def __init__(self, rounds: ActionRounds) -> None:
        self.rounds = rounds

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer every Area that can be activated, then the end of the phase."""
        found: list[Command] = [
            Activate(area) for area in self.rounds.board.areas if self.rounds.can_activate(table, area)
        ]
        found.append(Done())
        return found

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept an Area with a Fresh unit that can act, or the end of the phase."""
        if isinstance(command, Done):
            return None
        if not isinstance(command, Activate):
            return not_asked(asked.kind)
        if command.area not in self.rounds.board.areas:
            return refused("area_must_exist", f"There is no Area {command.area!r}.")
        return self.rounds.refuse_area(table, command.area)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Open the next round, or end the phase."""
        if isinstance(command, Activate):
            self.rounds.activate(draft, command.area)
        else:
            self.rounds.end_phase(draft)

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the phase where no Area can be activated any more. Source: 6.4.3, RuleId("6.4.3.phase-ends")."""
        if not self.rounds.can_go_on(draft.table):
            self.rounds.end_phase(draft)


class Act:
    """What the units of the Active Area do. Source: 8.1, 8.2, 9.0; RuleId("8.1.1.until-done")."""

    def __init__(self, rounds: ActionRounds) -> None:
        self.rounds = rounds

    def options(self, table: Table, asked: Open) -> list[Command]:
        """Offer steps, the end of the present move, attacks, and the end of the round."""
        return self.rounds.options(table)

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept legal steps and attacks, and the end of a move or of the round where there is one."""
        now = ActionRound(table)
        if isinstance(command, Move):
            return self.rounds.movement.refuse_move(table, now, command)
        if isinstance(command, DeclareAttack):
            return self.rounds.attacks.refuse_attack(table, now, command)
        if isinstance(command, Stop):
            return self.rounds.movement.refuse_stop(now)
        return self.rounds.refuse_end(now) if isinstance(command, Done) else not_asked(asked.kind)

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return for an attack with its units the small commands: where, and then who; see `core.decision.Expanding`."""
        if isinstance(command, DeclareAttack) and command not in self.rounds.options(table):
            return (DeclareAttack(command.area), Choose(command.units))
        return (command,)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Carry out a step, an attack or an end."""
        now = ActionRound(draft.table)
        if isinstance(command, DeclareAttack):
            self.rounds.attacks.declare(draft, now, command)
        elif isinstance(command, Move):
            self.rounds.movement.step(draft, now, command)
        elif isinstance(command, Stop):
            self.rounds.movement.finish(draft, now.moving)
        else:
            self.rounds.end_round(draft, now)

    def go_on(self, draft: Draft, asked: Open) -> None:
        """End the round where no unit has anything left to do. Source: 8.1.1, RuleId("8.1.1.until-done")."""
        now = ActionRound(draft.table)
        if not self.rounds.movement.has_moves(draft.table, now) and not self.rounds.attacks.groups(draft.table, now):
            self.rounds.end_round(draft, now)


def begin(draft: Draft) -> None:
    """Ask for the first Active Area. Source: 6.4.2, RuleId("6.4.2.action-round")."""
    draft.ask("activate", GERMAN_SEAT, ACTION_ROUND)


def decisions(rounds: ActionRounds) -> dict[str, Decision]:
    """Return the questions of the Action Rounds."""
    return {"activate": ActivateArea(rounds), "act": Act(rounds), "attackers": rounds.attacks.attackers()}
