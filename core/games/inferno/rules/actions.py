"""The German actions: Long and Short Movement, Hasty and Deliberate Attack, and the question which one is taken."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Protocol

from core.command import Command
from core.decision import Decision
from core.draft import Draft
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN, HEADQUARTERS, SOVIET
from core.games.inferno.memory import DELIBERATE_ATTACK, INVITED, JOINING, MOVED, MOVES_MADE
from core.games.inferno.options import SHORT_MOVE_TWICE, is_on
from core.games.inferno.rules.commands import (
    DeliberateAttack,
    HastyAttack,
    JoinAttack,
    LongMove,
    Reinforce,
    ShortMove,
)
from core.games.inferno.rules.entering import enter
from core.games.inferno.rules.queries import (
    has_partners,
    has_room,
    is_next_to,
    mixes,
    partner,
    side_in,
    stack,
    stack_seat,
    stacks,
)
from core.games.inferno.rules.refusals import refused
from core.games.inferno.rules.reinforcement import Reinforcement
from core.games.inferno.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.selection import Done
from core.sequence import Step, StepSequence
from events.codec import replace
from events.ids import NO_SIDE, TABLE, PieceId, PlaceId, RuleId, Seat, Side
from events.vocabulary import Value
from projections.table import Open, Table

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
LONG_STEPS = 2


class Fight(Protocol):
    """Begins a combat; what lies below on the stack goes on when it is over."""

    def __call__(
        self,
        draft: Draft,
        board: Board,
        *,
        target: PlaceId,
        attackers: tuple[PlaceId, ...],
        side: Side,
        is_deliberate: bool,
        seat: Seat,
    ) -> None:
        """Begin a combat.

        Args:
            draft: The draft.
            board: The board.
            target: The attacked hex.
            attackers: The hexes from which it is attacked; the first one started the attack.
            side: The attacking side.
            is_deliberate: Whether it is a Deliberate Attack.
            seat: The German seat that decides in it.
        """


class Movement:
    """What German units may do, bound to the board."""

    def __init__(self, board: Board) -> None:
        self.board = board

    # What every order has in common

    def refuse_units(self, table: Table, seat: Seat, units: Sequence[PieceId]) -> Refusal | None:
        """Return why a seat may not order units, or None if it may.

        Source: RuleId("stack.definition"), RuleId("mode.co-op.own-stacks-only"), RuleId("mode.co-op.white-stacks"),
        RuleId("designer.chuikov.immobile"), ruling.co-op-white-part.
        """
        if any(str(unit) == str(HEADQUARTERS) for unit in units):
            return refused("headquarters_must_stay_put")
        if not all(unit in table.pieces and self.is_on_map(table, unit, GERMAN) for unit in units):
            return refused("unit_must_be_own")
        owners = {stack_seat(table, self.board, table.pieces[unit].place) for unit in units}
        if owners - {seat, None}:
            return refused("stack_must_be_of_seats_colour")
        return refused("white_stack_must_be_joined") if None in owners else None

    def is_on_map(self, table: Table, unit: PieceId, side: Side) -> bool:
        """Return whether a piece is a unit of a side on the map."""
        there = table.pieces[unit]
        return there.side == side and there.place in self.board.hexes

    def origin(self, table: Table, units: Sequence[PieceId]) -> PlaceId | None:
        """Return the hex of units of one Stack; None if there are several or none."""
        places = {table.pieces[unit].place for unit in units}
        return next(iter(places)) if len(places) == 1 and len(set(units)) == len(units) else None

    def is_safe(self, table: Table, place: PlaceId) -> bool:
        """Return whether no Soviet Stack is in a hex or next to it."""
        return side_in(table, place) != SOVIET and not is_next_to(table, self.board, place, SOVIET)

    def commanded(self, table: Table, seat: Seat) -> list[PlaceId]:
        """Return the hexes with Stacks that a seat commands."""
        return [place for place in stacks(table, self.board, GERMAN) if stack_seat(table, self.board, place) == seat]

    # Long Movement

    def long_moves(self, table: Table, seat: Seat) -> Iterator[LongMove]:
        """Yield the Long Movements of a seat."""
        board = self.board
        for origin in self.commanded(table, seat):
            if not board.terrain_of(origin).long_move or not self.is_safe(table, origin):
                continue
            units = tuple(sorted(stack(table, origin)))
            steps = {near: self._is_long_step(table, near) for near in board.hexes[origin].near}
            for first in (near for near in steps if steps[near]):
                if side_in(table, first) == NO_SIDE:
                    yield LongMove(units, (first,))
                for second in board.hexes[first].near:
                    if second != origin and side_in(table, second) == NO_SIDE and self._is_long_step(table, second):
                        yield LongMove(units, (first, second))

    def _is_long_step(self, table: Table, place: PlaceId) -> bool:
        return self.board.terrain_of(place).long_move and self.is_safe(table, place)

    def refuse_long_move(self, table: Table, seat: Seat, move: LongMove) -> Refusal | None:
        """Return why a Long Movement is not legal, or None if it is.

        Source: RuleId("german.long-move.one-stack"), RuleId("german.long-move.no-breakdown"), RuleId("german.long-move.start-clear"),
        RuleId("german.long-move.start-not-adjacent"), RuleId("german.long-move.distance"), RuleId("german.long-move.path-clear"),
        RuleId("german.long-move.path-not-adjacent"), RuleId("german.long-move.pass-through"), RuleId("german.long-move.no-join-up"),
        ruling.long-move-second-hex, ruling.long-move-return, ruling.co-op-pass-through.
        """
        board = self.board
        if not all(place in board.hexes for place in move.path):
            return refused("hex_must_be_playable")
        refusal = self.refuse_units(table, seat, move.units)
        if refusal is not None:
            return refusal
        if any(side_in(table, place) == SOVIET for place in move.path):
            return refused("hex_must_be_free_of_enemies")
        origin = self.origin(table, move.units)
        if origin is None:
            return refused("long_move_must_be_one_stack")
        if len(move.units) < len(stack(table, origin)):
            return refused("long_move_must_take_whole_stack")
        if not board.terrain_of(origin).long_move:
            return refused("long_move_must_start_in_clear_hex")
        if not self.is_safe(table, origin):
            return refused("long_move_must_start_away_from_soviets")
        ways = zip((origin, *move.path), move.path, strict=False)
        if not 1 <= len(move.path) <= LONG_STEPS or not all(to in board.hexes[here].near for here, to in ways):
            return refused("long_move_must_be_one_or_two_steps")
        if not all(board.terrain_of(place).long_move for place in move.path):
            return refused("long_move_must_keep_to_clear_hexes")
        if not all(self.is_safe(table, place) for place in move.path):
            return refused("long_move_must_keep_away_from_soviets")
        return refused("long_move_must_end_without_join_up") if stack(table, move.path[-1]) else None

    # Short Movement

    def short_moves(self, table: Table, seat: Seat) -> Iterator[ShortMove]:
        """Yield the Short Moves of a seat."""
        for origin in self.commanded(table, seat):
            free = [unit for unit in stack(table, origin) if not self.has_moved(table, unit)]
            for to in self.board.hexes[origin].near:
                if self.is_safe(table, to):
                    yield from [ShortMove(units, to) for units in self._parts(table, free, to)]

    def _parts(self, table: Table, free: Sequence[PieceId], to: PlaceId) -> list[tuple[PieceId, ...]]:
        """Return the parts of a Stack that may enter a hex: within the stacking limit, without mixing Yellow and Blue."""
        free = sorted(free)
        room = self.board.limits.stack - len(stack(table, to))
        parts = [part for number in range(1, room + 1) for part in combinations(free, number)]
        return [part for part in parts if not mixes(table, self.board, part, to)]

    def has_moved(self, table: Table, unit: PieceId) -> bool:
        """Return whether a unit has made a Short Move and may not make another. Source: ruling.short-move-same-units."""
        return bool(MOVED.of(table, unit)) and not is_on(table, SHORT_MOVE_TWICE)

    def refuse_short_move(self, table: Table, seat: Seat, move: ShortMove) -> Refusal | None:
        """Return why a Short Move is not legal, or None if it is.

        Source: RuleId("german.short-move.up-to-two"), RuleId("german.short-move.one-hex"), RuleId("german.short-move.destination-safe"),
        RuleId("german.short-move.start-anywhere"), RuleId("german.short-move.any-terrain"), RuleId("german.short-move.breakdown"),
        RuleId("german.short-move.join-up"), RuleId("german.short-move.joint-stack-limit"), ruling.short-move-order,
        ruling.short-move-two-sources.
        """
        board = self.board
        if move.to not in board.hexes:
            return refused("hex_must_be_playable")
        refusal = self.refuse_units(table, seat, move.units)
        if refusal is not None:
            return refusal
        if side_in(table, move.to) == SOVIET:
            return refused("hex_must_be_free_of_enemies")
        if any(self.has_moved(table, unit) for unit in move.units):
            return refused("short_moves_must_be_two_at_most")
        origins = {table.pieces[unit].place for unit in move.units}
        if not all(move.to in board.hexes[origin].near for origin in origins):
            return refused("short_move_must_be_one_hex")
        if not self.is_safe(table, move.to):
            return refused("short_move_must_keep_away_from_soviets")
        return self._refuse_join(table, move.units, move.to)

    def _refuse_join(self, table: Table, units: tuple[PieceId, ...], to: PlaceId) -> Refusal | None:
        """Return why units cannot form one Stack in a hex, or None if they can."""
        if self.origin(table, units) is None:
            return refused("units_must_form_one_stack")
        if mixes(table, self.board, units, to):
            return refused("yellow_and_blue_must_not_mix")
        return None if has_room(table, self.board, to, len(units)) else refused("stacking_limit_must_hold")

    # Hasty Attack

    def hasty_attacks(self, table: Table, seat: Seat) -> Iterator[HastyAttack]:
        """Yield the Hasty Attacks of a seat."""
        board = self.board
        for origin in self.commanded(table, seat):
            if not self.is_safe(table, origin):
                continue
            for to in board.hexes[origin].near:
                targets = [near for near in board.hexes[to].near if side_in(table, near) == SOVIET]
                if side_in(table, to) != SOVIET and targets:
                    for units in self._parts(table, stack(table, origin), to):
                        yield from [HastyAttack(units, to, (target,)) for target in targets]

    def refuse_hasty_attack(self, table: Table, seat: Seat, attack: HastyAttack) -> Refusal | None:
        """Return why a Hasty Attack is not legal, or None if it is.

        Source: RuleId("german.hasty-attack.one-stack"), RuleId("german.hasty-attack.start-not-adjacent"),
        RuleId("german.hasty-attack.one-hex"), RuleId("german.hasty-attack.end-adjacent"), RuleId("german.hasty-attack.must-attack"),
        RuleId("german.hasty-attack.one-target"), RuleId("german.hasty-attack.breakdown"), RuleId("german.hasty-attack.join-up"),
        RuleId("german.hasty-attack.all-units"), RuleId("german.hasty-attack.includes-mover"), RuleId("mode.co-op.no-joint-hasty"),
        ruling.hasty-distance, ruling.hasty-join-part.
        """
        board = self.board
        if not all(place in board.hexes for place in (attack.to, *attack.targets)):
            return refused("hex_must_be_playable")
        named = [unit for unit in (*attack.units, *attack.attackers) if unit in table.pieces]
        owners = {
            stack_seat(table, board, table.pieces[unit].place) for unit in named if self.is_on_map(table, unit, GERMAN)
        }
        if has_partners(table) and {seat, partner(table, seat)} <= owners:
            return refused("partner_must_not_join_hasty_attack")
        refusal = self.refuse_units(table, seat, attack.units)
        if refusal is not None:
            return refusal
        if side_in(table, attack.to) == SOVIET:
            return refused("hex_must_be_free_of_enemies")
        origins = {table.pieces[unit].place for unit in attack.units}
        if len(origins) > 1:
            return refused("hasty_attack_must_be_one_stack")
        if not origins:
            return refused("hasty_attack_must_include_a_mover")
        (origin,) = origins
        if not self.is_safe(table, origin):
            return refused("hasty_attack_must_start_away_from_soviets")
        if attack.to not in board.hexes[origin].near:
            return refused("hasty_attack_must_move_one_hex")
        return self._refuse_target(table, attack) or self._refuse_join(table, attack.units, attack.to)

    def _refuse_target(self, table: Table, attack: HastyAttack) -> Refusal | None:
        if not attack.targets:
            return refused("hasty_move_must_end_in_attack")
        if len(attack.targets) > 1 or side_in(table, attack.targets[0]) != SOVIET:
            return refused("hasty_attack_must_have_one_target")
        if attack.targets[0] not in self.board.hexes[attack.to].near:
            return refused("hasty_attack_must_end_beside_target")
        everyone = {*attack.units, *stack(table, attack.to)}
        return refused("all_units_in_hex_must_attack") if attack.attackers and {*attack.attackers} != everyone else None

    # Deliberate Attack

    def deliberate_attacks(self, table: Table, seat: Seat) -> Iterator[DeliberateAttack]:
        """Yield the Deliberate Attacks of a seat."""
        board = self.board
        for target in stacks(table, board, SOVIET):
            near = sorted(place for place in board.hexes[target].near if side_in(table, place) == GERMAN)
            own = {place for place in near if stack_seat(table, board, place) == seat}
            if own:
                for number in range(1, len(near) + 1):
                    yield from [DeliberateAttack((target,), one) for one in combinations(near, number) if own & {*one}]

    def refuse_deliberate_attack(self, table: Table, seat: Seat, attack: DeliberateAttack) -> Refusal | None:
        """Return why a Deliberate Attack is not legal, or None if it is.

        Source: RuleId("german.deliberate-attack.no-movement"), RuleId("german.deliberate-attack.one-target"),
        RuleId("german.deliberate-attack.adjacent-stacks"), RuleId("german.deliberate-attack.all-units-of-stack"),
        RuleId("mode.co-op.active-stack-needed"), RuleId("mode.co-op.white-support").
        """
        board = self.board
        if not all(place in board.hexes for place in (*attack.targets, *attack.hexes)):
            return refused("hex_must_be_playable")
        if not all(unit in table.pieces and self.is_on_map(table, unit, GERMAN) for unit in attack.units):
            return refused("unit_must_be_own")
        if attack.to:
            return refused("deliberate_attack_must_be_without_movement")
        if len(attack.targets) != 1 or side_in(table, attack.targets[0]) != SOVIET:
            return refused("deliberate_attack_must_have_one_target")
        near = board.hexes[attack.targets[0]].near
        if not all(place in near and side_in(table, place) == GERMAN for place in attack.hexes):
            return refused("attackers_must_be_adjacent_to_target")
        everyone = {unit for place in attack.hexes for unit in stack(table, place)}
        if attack.units and {*attack.units} != everyone:
            return refused("all_units_of_stack_must_attack")
        is_active = any(stack_seat(table, board, place) == seat for place in attack.hexes)
        return None if is_active else refused("active_seat_must_attack")


class Actions:
    """How a German turn is played, bound to the board.

    Args:
        board: The board.
        fight: Begins a combat.
    """

    def __init__(self, board: Board, fight: Fight) -> None:
        self.board = board
        self.fight = fight
        self.movement = Movement(board)
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
        """Ask the seat on turn for its action. Source: RuleId("turn.one-action"), RuleId("mode.co-op.free-action")."""
        draft.ask("action", draft.table.turn_seat, ACTION)

    def options(self, table: Table, seat: Seat) -> Iterator[Command]:
        """Yield every order of every action. Source: RuleId("german.short-move.pass"), ruling.reinforce-empty-track."""
        yield Reinforce()
        yield from self.movement.long_moves(table, seat)
        yield from self.movement.short_moves(table, seat)
        yield from self.movement.hasty_attacks(table, seat)
        yield from self.movement.deliberate_attacks(table, seat)
        yield Done()

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Return why an order is not legal, or None if it is."""
        match command:
            case Reinforce() | Done():
                return None
            case LongMove() | ShortMove() if command.target:
                return refused("turn_must_have_one_action", rule=NO_COMBAT[type(command)])
            case LongMove():
                return self.movement.refuse_long_move(table, asked.seat, command)
            case ShortMove():
                return self.movement.refuse_short_move(table, asked.seat, command)
            case HastyAttack():
                return self.movement.refuse_hasty_attack(table, asked.seat, command)
            case DeliberateAttack():
                return self.movement.refuse_deliberate_attack(table, asked.seat, command)
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
                for place in path:
                    enter(draft, self.board, units, place, LONG_MOVE)
            case ShortMove():
                self.take_short_move(draft, asked, command)
            case HastyAttack():
                self._take_hasty_attack(draft, asked, command)
            case DeliberateAttack():
                self._take_deliberate_attack(draft, asked, command)
            case _:
                draft.answered(PASS)

    def take_short_move(self, draft: Draft, asked: Open, move: ShortMove) -> None:
        """Make a Short Move, and ask for the second one.

        Source: RuleId("german.short-move.up-to-two"), RuleId("german.short-move.control").
        """
        draft.answered(SHORT_MOVE)
        made = (MOVES_MADE.of(draft.table) or 0) + 1
        MOVES_MADE.set(draft, TABLE, made, SHORT_MOVE)
        for unit in move.units:
            MOVED.set(draft, unit, value=True, rule=SHORT_MOVE)
        enter(draft, self.board, move.units, move.to, SHORT_STEP)
        if made < SHORT_MOVES:
            draft.ask("short_move", asked.seat, SHORT_MOVE)

    def _take_hasty_attack(self, draft: Draft, asked: Open, attack: HastyAttack) -> None:
        """Move and attack. Source: RuleId("german.hasty-attack.control-first"), RuleId("turn.attack-uses-combat-sequence")."""
        draft.answered(HASTY)
        enter(draft, self.board, attack.units, attack.to, HASTY_STEP)
        self._fight(draft, attack.targets[0], (attack.to,), asked.seat, is_deliberate=False)

    def _take_deliberate_attack(self, draft: Draft, asked: Open, attack: DeliberateAttack) -> None:
        """Attack, once the partner has said which of his Stacks join. Source: RuleId("mode.co-op.joint-deliberate-attack")."""
        draft.answered(DELIBERATE)
        table, board = draft.table, self.board
        invited = [place for place in attack.hexes if stack_seat(table, board, place) not in (asked.seat, None)]
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
        self.fight(
            draft, self.board, target=target, attackers=attackers, side=GERMAN, is_deliberate=is_deliberate, seat=seat
        )


class ActionChoice:
    """Which action the seat on turn takes, with its first order. Source: RuleId("turn.one-action")."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List every order of every action."""
        return list(self.actions.options(table, asked.seat))

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


class SecondShortMove:
    """The second Short Move, or none. Source: RuleId("german.short-move.up-to-two"), RuleId("german.short-move.no-combat")."""

    def __init__(self, actions: Actions) -> None:
        self.actions = actions

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List the Short Moves that are left, and making none."""
        return [*self.actions.movement.short_moves(table, asked.seat), Done()]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept a Short Move, or none."""
        is_other = not isinstance(command, ShortMove | Done)
        return misplaced(table, asked, command) if is_other else self.actions.refuse(table, asked, command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Move, or end the turn."""
        self.actions.take(draft, asked, command)


class Joining:
    """Whether a Stack of the partner joins a Deliberate Attack.

    Source: RuleId("mode.co-op.joint-deliberate-attack"), ruling.co-op-partner-consent.
    """

    def options(self, table: Table, asked: Open) -> list[Command]:
        """List joining and staying out."""
        place = PlaceId(asked.text("hex"))
        return [JoinAttack(place, join=True), JoinAttack(place, join=False)]

    def refuse(self, table: Table, asked: Open, command: Command) -> Refusal | None:
        """Accept an answer about this Stack."""
        return None if command in self.options(table, asked) else misplaced(table, asked, command)

    def take(self, draft: Draft, asked: Open, command: Command) -> None:
        """Remember the answer."""
        assert isinstance(command, JoinAttack)
        draft.answered(JOINT)
        if command.join:
            JOINING.set(draft, TABLE, tuple(sorted({*(JOINING.of(draft.table) or ()), command.hex})), JOINT)
        rest = tuple(place for place in INVITED.of(draft.table) or () if place != command.hex)
        if rest:
            INVITED.set(draft, TABLE, rest, JOINT)
        else:
            INVITED.forget(draft, TABLE, JOINT)


def decisions(actions: Actions) -> dict[str, Decision]:
    """Return the questions of this chapter."""
    return {"action": ActionChoice(actions), "short_move": SecondShortMove(actions), "join_attack": Joining()}
