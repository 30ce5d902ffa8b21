"""The Soviet turn: the algorithm that counts and spawns or moves, and the choices of a Soviet seat."""

from collections.abc import Callable, Iterator

from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.steps import Step, StepSequence
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import GERMAN, SOVIET
from core.games.inferno.memory import DIE, MOVED, TO_ACT
from core.games.inferno.options import (
    BLOCKED_DRAWS_CARD,
    DUPLICATE_DICE_ATTACK,
    SOVIET_UNIT_TWICE,
    SPAWN_TABLE,
    ZERO_SPAWN_HUMAN,
)
from core.games.inferno.rules import combat
from core.games.inferno.rules.cards import CHUIKOV, draw_soviet, has_leader
from core.games.inferno.rules.commands import SovietAttack, SovietMove
from core.games.inferno.rules.entering import enter
from core.games.inferno.rules.queries import (
    defending_seat,
    has_room,
    is_soviet_played,
    side_in,
    soviet_spawn_hexes,
    stack,
    top_stacked,
)
from core.games.inferno.rules.spawn import deploy, due_at
from events.ids import TABLE, PieceId, PlaceId, RuleId
from projections.state.table import Open, Table

NO_SPAWN_HEX = RuleId("soviet.turn.no-spawn-hex")
SPAWN = RuleId("soviet.turn.spawn-if-greater")
POOL_EMPTY = RuleId("soviet.spawn.pool-empty")
MOVE = RuleId("soviet.turn.move-otherwise")
THROW = RuleId("soviet.move.roll-per-hex")
RESOLVE = RuleId("soviet.move.resolve-ascending")
DUPLICATES = RuleId("soviet.move.duplicate-dice-draw")
EMPTY = RuleId("soviet.move.blocked-empty")
OFF_MAP = RuleId("soviet.move.blocked-edge")
FULL = RuleId("soviet.move.blocked-full")
ONE = RuleId("soviet.move.one-draws")
RANDOM_UNIT = RuleId("ai.random-unit")
DIRECTION = RuleId("soviet.move.direction")
HASTY = RuleId("soviet.hasty-attack.trigger")
ONE_ATTACKS = RuleId("soviet.move.one-attacks")
ALL_JOIN = RuleId("soviet.deliberate-attack.all-adjacent")
CHOICE = RuleId("mode.1v1.choose-action")
FORCED = RuleId("mode.1v1.forced-spawn")
EVERY_STACK = RuleId("mode.1v1.move-every-top-stack")
FREE_MOVE = RuleId("mode.1v1.free-choice-of-move")
ATTACK = RuleId("mode.1v1.attack-instead")
MUST_JOIN = RuleId("mode.1v1.attack-chuikov")
BLOCKED = RuleId("ruling.human-blocked")
MOVED_AGAIN = RuleId("ruling.moved-unit-again")

DRAW_CARD, SPAWN_UNITS, ROLL, CHOOSE, MUST_SPAWN = "draw", "spawn", "roll", "choose", "must_spawn"
"""The plans of a Soviet turn."""


class SovietTurn:
    """The Soviet turn, bound to the board.

    Args:
        board: The board.
        combat_steps: The steps of a combat.
    """

    def __init__(self, board: Board, combat_steps: StepSequence) -> None:
        self.board = board
        self.combat_steps = combat_steps

    def steps(self) -> tuple[Step, ...]:
        """Return the steps of the turn, of which its plan selects some."""
        return (
            Step("draw", NO_SPAWN_HEX, self._draw, when=_has_plan(DRAW_CARD)),
            Step("forced_spawn", FORCED, self._ask, when=_has_plan(MUST_SPAWN)),
            Step("choose", CHOICE, self._ask, when=_has_plan(CHOOSE)),
            Step("spawn", SPAWN, self.spawn, when=_has_plan(SPAWN_UNITS)),
            Step("compass", MOVE, self._throw, when=_has_plan(ROLL)),
            Step("resolve", RESOLVE, self._resolve, when=self._has_dice, repeats=True),
            Step("act", EVERY_STACK, self._ask_to_act, when=self._can_act, repeats=True),
            Step("blocked", BLOCKED, self._draw_for_blocked, when=self._has_blocked),
        )

    def plan(self, table: Table) -> str:
        """Return what kind of turn the counts call for; they are taken once.

        Source: soviet.turn.once, soviet.turn.spawn-if-greater, soviet.turn.move-otherwise,
        soviet.turn.seven-or-more, soviet.turn.no-spawn-hex, turn.soviet-one-of-two,
        mode.1v1.compare, mode.1v1.forced-spawn, ruling.zero-spawn-human, ruling.top-stacked-none.
        """
        is_played = is_soviet_played(table)
        spawn_hexes, top = soviet_spawn_hexes(table, self.board), top_stacked(table, self.board)
        if not spawn_hexes:
            is_empty_spawn = is_played and ZERO_SPAWN_HUMAN.chosen(table) == "empty-spawn"
            return SPAWN_UNITS if is_empty_spawn else DRAW_CARD
        if len(top) > len(spawn_hexes):
            return MUST_SPAWN if is_played else SPAWN_UNITS
        return CHOOSE if is_played else ROLL

    def _draw(self, draft: Draft, at: Open) -> None:
        draw_soviet(draft, self.board, 1, NO_SPAWN_HEX)

    # Spawn Action

    def spawn(self, draft: Draft, at: Open) -> None:
        """Bring units into the controlled Soviet Spawn Hexes.

        Source: soviet.spawn.order, soviet.spawn.table, soviet.spawn.controlled-only,
        soviet.spawn.pool-empty, soviet.spawn.max-nine, soviet.spawn.may-be-adjacent, ruling.spawn-icons,
        ruling.marine-spawn-wording.
        """
        board = self.board
        for due in board.spawn_tables[SPAWN_TABLE.chosen(draft.table)]:
            if draft.table.control.get(due.hex) != SOVIET:
                continue
            arms, cards, rule = due_at(draft.table, board, due)
            if cards:
                draw_soviet(draft, board, cards, rule)
            for arm in arms:
                if deploy(draft, board, arm, due.hex, rule) is None:
                    draw_soviet(draft, board, board.spawn.empty_pool_cards, POOL_EMPTY)

    # Movement Action of the rules

    def _throw(self, draft: Draft, at: Open) -> None:
        """Throw a die for each Top Stacked Hex. Source: soviet.move.roll-per-hex, soviet.move.roll-order."""
        top = top_stacked(draft.table, self.board)
        for place in top:
            (face,) = draft.dice(1, f"compass of {place}", THROW, about=place)
            DIE.set(draft, place, face, THROW)
        if top:
            TO_ACT.set(draft, TABLE, tuple(top), THROW)

    def _has_dice(self, table: Table, at: Open) -> bool:
        return at.text("plan") == ROLL and bool(TO_ACT.of(table))

    def _resolve(self, draft: Draft, at: Open) -> None:
        """Resolve the lowest die that is left.

        Source: soviet.move.resolve-ascending, soviet.move.every-die, ruling.duplicate-moment,
        ruling.joined-stack-own-die.
        """
        table = draft.table
        left = [PlaceId(place) for place in TO_ACT.of(table) or ()]
        faces = {place: DIE.of(table, place) for place in left}
        place = min(left, key=lambda one: faces[one])
        self._has_acted(draft, place, RESOLVE)
        is_duplicate = len(DIE.all_with(table, faces[place])) > 1
        self._move_by_die(draft, place, faces[place], is_duplicate=is_duplicate)

    def _has_acted(self, draft: Draft, place: PlaceId, rule: RuleId) -> None:
        rest = tuple(other for other in TO_ACT.of(draft.table) or () if other != place)
        if rest:
            TO_ACT.set(draft, TABLE, rest, rule)
        else:
            TO_ACT.forget(draft, TABLE, rule)

    def _move_by_die(self, draft: Draft, place: PlaceId, face: int, *, is_duplicate: bool) -> None:
        """Resolve one die: a card, an attack or a move.

        Source: soviet.move.direction, soviet.move.one-unit, soviet.move.duplicate-dice-draw,
        soviet.move.blocked-edge, soviet.move.blocked-empty, soviet.move.blocked-full,
        soviet.move.lettered-hexes, soviet.move.one-draws, soviet.move.one-attacks,
        soviet.move.adjacency-free, soviet.hasty-attack.trigger, soviet.hasty-attack.at-once,
        ruling.duplicates-and-attacks, ruling.moved-unit-again.
        """
        table, board = draft.table, self.board
        target = board.hexes[place].next_hex(face)
        is_attack = bool(stack(table, place)) and target is not None and side_in(table, target) == GERMAN
        if is_duplicate and not (is_attack and DUPLICATE_DICE_ATTACK.is_on(table)):
            draw_soviet(draft, board, 1, DUPLICATES)
        elif not stack(table, place) or side_in(table, place) != SOVIET:
            draw_soviet(draft, board, 1, EMPTY)
        elif is_attack and target is not None:
            self.attack(draft, place, target, ONE_ATTACKS if face == 1 else HASTY)
        elif face == 1:
            draw_soviet(draft, board, 1, ONE)
        elif target is None:
            draw_soviet(draft, board, 1, OFF_MAP)
        elif not has_room(table, board, target):
            draw_soviet(draft, board, 1, FULL)
        elif not self.movers(table, place):
            draw_soviet(draft, board, 1, EMPTY)
        else:
            units = self.movers(table, place)
            unit = units[0]
            if len(units) > 1:
                unit = PieceId(draft.choose(units, f"unit of {place}", RANDOM_UNIT, about=place))
            self.move(draft, unit, target, DIRECTION)

    def movers(self, table: Table, place: PlaceId) -> list[PieceId]:
        """Return the units of a hex that may move in this turn. Source: ruling.moved-unit-again."""
        is_again = SOVIET_UNIT_TWICE.is_on(table)
        return [unit for unit in stack(table, place) if is_again or not MOVED.of(table, unit)]

    def move(self, draft: Draft, unit: PieceId, to: PlaceId, rule: RuleId) -> None:
        """Move a unit. Source: soviet.move.control."""
        if not SOVIET_UNIT_TWICE.is_on(draft.table):
            MOVED.set(draft, unit, value=True, rule=MOVED_AGAIN)
        enter(draft, self.board, (unit,), to, rule)

    def attack(self, draft: Draft, place: PlaceId, target: PlaceId, rule: RuleId) -> None:
        """Attack a German Stack.

        Source: soviet.hasty-attack.trigger, leader.chuikov.in-play, soviet.hasty-attack.max-six.

        Args:
            draft: The draft.
            place: The hex that starts the attack.
            target: The hex that is attacked.
            rule: The rule that makes it attack.
        """
        table, board = draft.table, self.board
        joining = attackers(table, board, place, target)
        draft.apply(rule, "the whole Stack attacks", place)
        for other in joining[1:]:
            draft.apply(MUST_JOIN if is_soviet_played(table) else ALL_JOIN, "its Stack joins the attack", other)
        combat.begin(
            draft,
            self.combat_steps,
            target=target,
            attackers=joining,
            side=SOVIET,
            is_deliberate=has_leader(table, board, CHUIKOV),
            seat=defending_seat(table, board, target),
        )

    # The turn of a Soviet seat

    def _ask(self, draft: Draft, at: Open) -> None:
        """Ask which action is taken; the Top Stacked Hexes are fixed now.

        Source: mode.1v1.choose-action, mode.1v1.forced-spawn, ruling.top-stacked-fixed.
        """
        top = top_stacked(draft.table, self.board)
        if at.text("plan") == CHOOSE and top:
            TO_ACT.set(draft, TABLE, tuple(top), EVERY_STACK)
        rule = CHOICE if at.text("plan") == CHOOSE else FORCED
        draft.ask("soviet_action", draft.table.seat_of(SOVIET), rule, {"plan": at.text("plan")})

    def _can_act(self, table: Table, at: Open) -> bool:
        return at.text("plan") == CHOOSE and any(True for _ in self.orders(table, self.to_act(table)))

    def _ask_to_act(self, draft: Draft, at: Open) -> None:
        draft.ask("soviet_move", draft.table.seat_of(SOVIET), EVERY_STACK)

    def _has_blocked(self, table: Table, at: Open) -> bool:
        return at.text("plan") == CHOOSE and bool(TO_ACT.of(table)) and BLOCKED_DRAWS_CARD.is_on(table)

    def _draw_for_blocked(self, draft: Draft, at: Open) -> None:
        """Draw a card for each Top Stacked Hex that could not act. Source: ruling.human-blocked."""
        draw_soviet(draft, self.board, len(TO_ACT.of(draft.table) or ()), BLOCKED)

    def to_act(self, table: Table) -> list[PlaceId]:
        """Return the Top Stacked Hexes that have not acted."""
        return [PlaceId(place) for place in TO_ACT.of(table) or ()]

    def orders(self, table: Table, places: list[PlaceId]) -> Iterator[Command]:
        """Yield every move and attack out of hexes.

        Source: mode.1v1.free-choice-of-move, mode.1v1.valid-hex, mode.1v1.attack-instead,
        ruling.human-attack-or-move.
        """
        for place in places:
            if side_in(table, place) != SOVIET:
                continue
            for near in self.board.hexes[place].near:
                if side_in(table, near) == GERMAN:
                    yield SovietAttack(place, near)
                elif has_room(table, self.board, near):
                    yield from [SovietMove((unit,), near) for unit in self.movers(table, place)]

    def execute(self, draft: Draft, command: Command) -> None:
        """Execute a move or an attack of a Soviet seat."""
        if isinstance(command, SovietMove):
            (unit,) = command.units
            self._has_acted(draft, draft.table.pieces[unit].place, EVERY_STACK)
            self.move(draft, unit, command.to, FREE_MOVE)
        elif isinstance(command, SovietAttack):
            self._has_acted(draft, command.hex, EVERY_STACK)
            self.attack(draft, command.hex, command.target, ATTACK)


def attackers(table: Table, board: Board, place: PlaceId, target: PlaceId) -> tuple[PlaceId, ...]:
    """Return the hexes from which an attack is made; the one that starts it comes first.

    Source: soviet.hasty-attack.whole-stack, soviet.deliberate-attack.all-adjacent,
    soviet.deliberate-attack.again, mode.1v1.attack-chuikov.
    """
    if not has_leader(table, board, CHUIKOV):
        return (place,)
    near = board.hexes[target].near
    return (place, *[other for other in near if other != place and side_in(table, other) == SOVIET])


def _has_plan(*plans: str) -> Callable[[Table, Open], bool]:
    return lambda _, at: at.text("plan") in plans
