"""The question which action the Germans take, and how its first order is carried out."""

from collections.abc import Iterable

from core.engine.command import Command
from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.question import Answer, Question
from core.engine.selection import Done
from core.engine.steps import Step, StepSequence
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN
from core.games.inferno.memory import DELIBERATE_ATTACK, INVITED, JOINING, MOVED, MOVES_MADE
from core.games.inferno.rules import combat
from core.games.inferno.rules.attacks import Attacks
from core.games.inferno.rules.commands import (
    DeliberateAttack,
    HastyAttack,
    JoinAttack,
    LongMove,
    Reinforce,
    ShortMove,
)
from core.games.inferno.rules.entering import enter, take_control
from core.games.inferno.rules.movement import Movement
from core.games.inferno.rules.queries import of_partner, partner, stack
from core.games.inferno.rules.refusals import refused
from core.games.inferno.rules.reinforcement import Reinforcement
from core.games.inferno.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.codec import replace
from events.ids import TABLE, PieceId, PlaceId, RuleId, Seat
from events.vocabulary import Value
from projections.state.table import Open, Table

ACTION = RuleId("turn.one-action")
LONG_MOVE = RuleId("german.long-move.distance")
SHORT_MOVE = RuleId("german.short-move.up-to-two")
SHORT_STEP = RuleId("german.short-move.one-hex")
PASS = RuleId("german.short-move.pass")
HASTY = RuleId("german.hasty-attack.must-attack")
HASTY_STEP = RuleId("german.hasty-attack.one-hex")
DELIBERATE = RuleId("german.deliberate-attack.adjacent-stacks")
JOINT = RuleId("mode.co-op.joint-deliberate-attack")
NO_COMBAT = {LongMove: RuleId("german.long-move.no-combat"), ShortMove: RuleId("german.short-move.no-combat")}
SHORT_MOVES = 2


class Actions:
    """Play of a German turn, bound to the board.

    Args:
        board: The board.
        combat_steps: The steps of a combat.
    """

    def __init__(self, board: Board, combat_steps: StepSequence) -> None:
        self.board = board
        self.combat_steps = combat_steps
        self.movement = Movement(board)
        self.attacks = Attacks(board, self.movement)
        self.reinforcement = Reinforcement(board)
        self.sequence = StepSequence(
            DELIBERATE_ATTACK,
            DELIBERATE,
            (
                Step("join", JOINT, self._invite, when=lambda table, _: bool(INVITED.of(table)), repeats=True),
                Step("combat", DELIBERATE, self._begin_combat),
            ),
        )

    def ask(self, draft: Draft, at: Open) -> None:
        """Ask the seat on turn for its action. Source: turn.one-action, mode.co-op.free-action."""
        draft.ask("action", draft.table.turn_seat, ACTION)

    def options(self, table: Table, seat: Seat) -> list[Command]:
        """Return every order of every action. Source: german.short-move.pass, ruling.reinforce-empty-track."""
        ground = self.movement.ground(table, seat)
        return [
            Reinforce(),
            *self.movement.long_moves(table, ground),
            *self.movement.short_moves(table, ground),
            *self.attacks.hasty_attacks(table, seat, ground),
            *self.attacks.deliberate_attacks(ground),
            Done(),
        ]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why an order is not legal, or None if it is."""
        match command:
            case Reinforce() | Done():
                return None
            case LongMove() | ShortMove() if command.target:
                return refused("turn_must_have_one_action", "A move names no target.", NO_COMBAT[type(command)])
            case LongMove():
                return self.movement.refuse_long_move(table, asked.seat, command)
            case ShortMove():
                return self.movement.refuse_short_move(table, asked.seat, command)
            case HastyAttack():
                return self.attacks.refuse_hasty_attack(table, asked.seat, command)
            case DeliberateAttack():
                return self.attacks.refuse_deliberate_attack(table, asked.seat, command)
            case _:
                return misplaced(table, asked, command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Execute the first order of an action."""
        match command:
            case Reinforce():
                draft.answered(ACTION)
                self.reinforcement.sequence.begin(draft)
            case LongMove(units=units, path=path):
                draft.answered(LONG_MOVE)
                self._go_along(draft, units, path)
            case ShortMove():
                self.take_short_move(draft, asked, command)
            case HastyAttack():
                self._take_hasty_attack(draft, asked, command)
            case DeliberateAttack():
                self._take_deliberate_attack(draft, asked, command)
            case _:
                draft.answered(SHORT_MOVE)
                if not MOVES_MADE.of(draft.table):
                    draft.apply(PASS, "no unit moves", GERMAN)

    def _go_along(self, draft: Draft, units: tuple[PieceId, ...], path: tuple[PlaceId, ...]) -> None:
        """Move a Stack along a path; a hex of own units, in which it may not stay, only changes hands in passing.

        Source: german.long-move.pass-through, ruling.co-op-pass-through.
        """
        for place in path:
            if stack(draft.table, place):
                take_control(draft, self.board, place, units, LONG_MOVE)
            else:
                enter(draft, self.board, units, place, LONG_MOVE)

    def take_short_move(self, draft: Draft, asked: Open, move: ShortMove) -> None:
        """Make a Short Move, and ask for the second one.

        Source: german.short-move.up-to-two, german.short-move.control.
        """
        draft.answered(SHORT_MOVE)
        MOVES_MADE.add(draft, TABLE, SHORT_MOVE)
        for unit in move.units:
            MOVED.set(draft, unit, value=True, rule=SHORT_MOVE)
        enter(draft, self.board, move.units, move.to, SHORT_STEP)
        if MOVES_MADE.of(draft.table) < SHORT_MOVES:
            draft.ask("short_move", asked.seat, SHORT_MOVE)

    def _take_hasty_attack(self, draft: Draft, asked: Open, attack: HastyAttack) -> None:
        """Move and attack. Source: german.hasty-attack.control-first, turn.attack-uses-combat-sequence."""
        draft.answered(HASTY)
        enter(draft, self.board, attack.units, attack.to, HASTY_STEP)
        self._fight(draft, attack.targets[0], (attack.to,), asked.seat, is_deliberate=False)

    def _take_deliberate_attack(self, draft: Draft, asked: Open, attack: DeliberateAttack) -> None:
        """Attack, once the partner has said which of his Stacks join. Source: mode.co-op.joint-deliberate-attack."""
        draft.answered(DELIBERATE)
        table, board = draft.table, self.board
        invited = of_partner(table, board, asked.seat, attack.hexes)
        if not invited:
            self._fight(draft, attack.targets[0], attack.hexes, asked.seat, is_deliberate=True)
            return
        at: dict[str, Value] = {"target": attack.targets[0], "invited": tuple(invited)}
        own = tuple(place for place in attack.hexes if place not in invited)
        draft.begin_sequence(DELIBERATE_ATTACK, "join", JOINT, at)
        JOINING.set(draft, TABLE, tuple(sorted(own)), DELIBERATE)
        INVITED.set(draft, TABLE, tuple(sorted(invited)), JOINT)
        self._invite(draft, draft.table.stack[-1])

    def _invite(self, draft: Draft, at: Open) -> None:
        """Ask the partner about the next of his Stacks."""
        invited = INVITED.of(draft.table)
        assert invited is not None
        seat = partner(draft.table, draft.table.turn_seat)
        draft.ask("join_attack", seat, JOINT, {"hex": invited[0], "target": at.text("target")})

    def _begin_combat(self, draft: Draft, at: Open) -> None:
        """Attack with the Stacks that join."""
        joining = tuple(PlaceId(place) for place in JOINING.of(draft.table) or ())
        self._fight(draft, PlaceId(at.text("target")), joining, draft.table.turn_seat, is_deliberate=True)

    def _fight(
        self, draft: Draft, target: PlaceId, attackers: tuple[PlaceId, ...], seat: Seat, *, is_deliberate: bool
    ) -> None:
        combat.begin(
            draft,
            self.combat_steps,
            target=target,
            attackers=attackers,
            side=GERMAN,
            is_deliberate=is_deliberate,
            seat=seat,
        )


class ActionChoice:
    """Action of the seat on turn, with its first order. Source: turn.one-action."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List every order of every action."""
        return self.actions.options(table, asked.seat)

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why an order is not legal, or None if it is."""
        return self.actions.refuse(table, asked, command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Execute the order."""
        self.actions.take(draft, asked, command)

    def expand(self, table: Table, asked: Open, command: Command) -> tuple[Command, ...]:
        """Return an order without what need not be named."""
        match command:
            case HastyAttack():
                return (replace(command, attackers=()),)
            case DeliberateAttack():
                return (replace(command, units=()),)
            case _:
                return (command,)


class Joining(Question):
    """Choice of the partner to join a Deliberate Attack with a Stack.

    Source: mode.co-op.joint-deliberate-attack, ruling.co-op-partner-consent.
    """

    def __init__(self) -> None:
        super().__init__([Answer(JoinAttack, self._ways, self._refuse, self._remember, ends=JOINT)], misplaced)

    def _ways(self, table: Table, asked: Open) -> list[JoinAttack]:
        place = PlaceId(asked.text("hex"))
        return [JoinAttack(place, join=True), JoinAttack(place, join=False)]

    def _refuse(self, table: Table, asked: Open, command: JoinAttack) -> Refusal | None:
        return None if command.hex == asked.text("hex") else misplaced(table, asked, command)

    def _remember(self, draft: Draft, asked: Open, command: JoinAttack) -> None:
        if command.join:
            JOINING.set(draft, TABLE, tuple(sorted({*(JOINING.of(draft.table) or ()), command.hex})), JOINT)
        else:
            draft.apply(JOINT, "the Stack stays out of the attack", command.hex)
        rest = tuple(place for place in INVITED.of(draft.table) or () if place != command.hex)
        if rest:
            INVITED.set(draft, TABLE, rest, JOINT)
        else:
            INVITED.forget(draft, TABLE, JOINT)


def second_short_move(actions: Actions) -> Question:
    """Ask for a second Short Move, or none.

    Source: german.short-move.up-to-two, german.short-move.no-combat.
    """

    def moves(table: Table, asked: Open) -> Iterable[ShortMove]:
        return actions.movement.short_moves(table, actions.movement.ground(table, asked.seat))

    move = Answer(ShortMove, moves, actions.refuse, actions.take, are_legal=True)
    stay = Answer(Done, lambda *_: (Done(),), actions.refuse, actions.take, are_legal=True)
    return Question([move, stay], misplaced)


def decisions(actions: Actions) -> dict[str, Decision]:
    """Return the questions of this chapter."""
    return {"action": ActionChoice(actions), "short_move": second_short_move(actions), "join_attack": Joining()}
