"""After a won combat: the advance into the hex, and the German Blitz out of it."""

from collections.abc import Iterable

from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.engine.selection import Done, Pick, Picks, Selection, one_of
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.board_records import WHITE
from core.games.inferno.ids import GERMAN, SOVIET
from core.games.inferno.memory import TO_BLITZ
from core.games.inferno.options import SOVIET_ADVANCE_CHOICE
from core.games.inferno.rules.cards import HOTH, has_leader
from core.games.inferno.rules.commands import Blitz
from core.games.inferno.rules.entering import enter
from core.games.inferno.rules.losses import (
    attacker,
    combat,
    combatants,
    defender,
    german_seat,
    strongest,
    target,
)
from core.games.inferno.rules.queries import (
    COLOUR_SEATS,
    block,
    colours,
    decider,
    has_partners,
    has_room,
    is_soviet_played,
    mixes,
    partner,
    side_in,
)
from core.games.inferno.rules.refusals import refused
from core.games.inferno.rules.wrong_command import misplaced
from core.refusal import Refusal
from events.ids import TABLE, PieceId, PlaceId, RuleId, Seat
from projections.state.table import Open, Table

MUST = RuleId("advance.mandatory")
UP_TO_FOUR = RuleId("advance.german-up-to-four")
STRONGEST = RuleId("advance.soviet-strongest")
BLITZ_RULE = RuleId("blitz.optional")
SPLIT = RuleId("blitz.split")
CONSENT = RuleId("mode.co-op.joint-deliberate-attack")
ADVANCE = "advance"
SOVIET_ADVANCE = "soviet_advance"
BLITZ = "blitz"
"""The kinds of the questions of this chapter."""


def is_won(table: Table, at: Open) -> bool:
    """Return whether attackers are left and no defender is.

    Source: combat.repulsed, combat.both-wiped-out, advance.defender-never.
    """
    return bool(combatants(table, at, attacker(at))) and not combatants(table, at, defender(at))


# The Soviet advance


def soviets_advance(table: Table, board: Board, at: Open) -> bool:
    """Return whether a Soviet unit advances. Source: soviet.hasty-attack.advance, advance.soviet-one."""
    return attacker(at) == SOVIET and is_won(table, at)


def is_free(table: Table) -> bool:
    """Return whether a Soviet seat chooses any of its attackers. Source: ruling.soviet-1v1-advance."""
    return is_soviet_played(table) and SOVIET_ADVANCE_CHOICE.chosen(table) == "free"


def soviet_candidates(table: Table, board: Board) -> list[PieceId]:
    """Return the Soviet units one of which advances.

    Source: advance.soviet-strongest, soviet.deliberate-attack.still-one-card, ruling.joint-attack-advance.
    """
    return combatants(table, combat(table), SOVIET) if is_free(table) else strongest(table, board, SOVIET)


def advance_soviets(draft: Draft, board: Board, at: Open) -> None:
    """Advance the strongest attacker, or ask which of several.

    Source: advance.soviet-strongest, ruling.tie-chooser.
    """
    among = soviet_candidates(draft.table, board)
    if len(among) == 1:
        enter(draft, board, among, target(at), STRONGEST)
        return
    seat = decider(draft.table, units_of=SOVIET, german=german_seat(at))
    draft.ask(SOVIET_ADVANCE, draft.table.seat_of(SOVIET) if is_free(draft.table) else seat, STRONGEST)


def soviet_advance(board: Board) -> Selection:
    """Return the question which Soviet unit advances."""

    def refuse_pick(table: Table, asked: Open, pick: Pick) -> Refusal | None:
        if pick.item in soviet_candidates(table, board) and not pick.to:
            return None
        if pick.item in combatants(table, combat(table), SOVIET):
            return refused("advance_must_take_attackers", "The strongest attacker advances.", STRONGEST)
        return refused("advance_must_take_attackers")

    def refuse_count(table: Table, asked: Open) -> Refusal | None:
        return refused("soviet_advance_must_be_one_unit" if asked.picked else "advance_must_take_a_unit")

    def take(draft: Draft, asked: Open, unit: str, _: str) -> None:
        enter(draft, board, [PieceId(unit)], target(combat(draft.table)), STRONGEST)

    return one_of(
        STRONGEST,
        lambda table, _asked: soviet_candidates(table, board),
        take,
        refuse_pick=refuse_pick,
        refuse_count=refuse_count,
        refuse_other=misplaced,
    )


# The German advance


def germans_advance(table: Table, board: Board, at: Open) -> bool:
    """Return whether German units advance."""
    return attacker(at) == GERMAN and is_won(table, at)


def seat_of(table: Table, board: Board, at: Open, unit: PieceId) -> Seat:
    """Return the seat that decides for a German attacker after combat: its colour's, or the active one for White.

    Source: ruling.co-op-partner-consent.
    """
    colour = block(table, board, unit).colour
    return COLOUR_SEATS[colour] if has_partners(table) and colour != WHITE else german_seat(at)


def own_attackers(table: Table, board: Board, at: Open, seat: Seat) -> list[PieceId]:
    """Return the surviving attackers for which a seat decides. Source: advance.attackers-only."""
    units = combatants(table, at, GERMAN)
    if not has_partners(table):
        return units if seat == german_seat(at) else []
    return [unit for unit in units if seat_of(table, board, at, unit) == seat]


def advance_germans(draft: Draft, board: Board, at: Open) -> None:
    """Ask which units advance: the active seat first, then its partner for his own units. A single one must advance.

    Source: advance.german-up-to-four, advance.mandatory, ruling.co-op-partner-consent.
    """
    seat, left = german_seat(at), combatants(draft.table, at, GERMAN)
    if len(left) == 1:
        go(draft, board, left)
        return
    if not has_partners(draft.table):
        ask_to_advance(draft, seat, least=1)
        return
    other = partner(draft.table, seat)
    has_own = bool(own_attackers(draft.table, board, at, seat))
    has_other = bool(own_attackers(draft.table, board, at, other))
    if has_own:
        ask_to_advance(draft, seat, least=0 if has_other else 1)
    else:
        ask_to_advance(draft, other, least=1)


def ask_to_advance(draft: Draft, seat: Seat, *, least: int, along: tuple[str, ...] = ()) -> None:
    """Ask a seat which of its units advance, with those of the other seat that go along."""
    draft.ask(ADVANCE, seat, UP_TO_FOUR, {"least": least, "along": along} if along else {"least": least})


class GermanAdvance:
    """German units that advance, one to four of one colour and White."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def selection(self) -> Selection:
        """Return the question."""
        return Selection(
            lambda _asked: UP_TO_FOUR,
            self.items,
            self.bounds,
            self.carry_out,
            refuse_pick=self.refuse_pick,
            refuse_count=refuse_number,
            refuse_other=misplaced,
        )

    def items(self, table: Table, asked: Open) -> list[PieceId]:
        """Return the units of the seat that may go with those of the other one."""
        own = own_attackers(table, self.board, combat(table), asked.seat)
        if not has_partners(table):
            return own
        along = tuple([PieceId(unit) for unit in asked.texts("along")])
        return [unit for unit in own if len(colours(table, self.board, (*along, unit))) < 2]

    def room(self, asked: Open) -> int:
        """Return how many more units fit into the hex."""
        return self.board.limits.stack - len(asked.texts("along"))

    def bounds(self, table: Table, asked: Open) -> tuple[int, int]:
        """Return how many units may be chosen."""
        return asked.number("least"), min(len(self.items(table, asked)), self.room(asked))

    def refuse_pick(self, table: Table, asked: Open, pick: Pick) -> Refusal | None:
        """Return why a unit may not be chosen. Source: advance.attackers-only, mode.co-op.no-mixed-stack."""
        if pick.item in self.items(table, asked) and not pick.to:
            return None
        if pick.item not in combatants(table, combat(table), GERMAN):
            return refused("advance_must_take_attackers")
        is_own = pick.item in own_attackers(table, self.board, combat(table), asked.seat)
        return refused("yellow_and_blue_must_not_mix" if is_own else "stack_must_be_of_seats_colour")

    def carry_out(self, draft: Draft, asked: Open, picks: Picks) -> None:
        """Ask the partner next if units of his may go along, and then advance; at least one unit must."""
        table, at = draft.table, combat(draft.table)
        going = tuple(sorted([*asked.texts("along"), *[unit for unit, _ in picks]]))
        if has_partners(table) and asked.seat == german_seat(at) and not asked.number("least"):
            other = partner(table, asked.seat)
            ahead = Open(ADVANCE, other, {"along": going})
            if self.items(table, ahead) and self.room(ahead):
                ask_to_advance(draft, other, least=0, along=going)
                return
        if going:
            go(draft, self.board, [PieceId(unit) for unit in going])
        else:
            ask_to_advance(draft, german_seat(at), least=1)


def refuse_number(_table: Table, asked: Open) -> Refusal | None:
    """Return why this number of units may not advance. Source: advance.mandatory, advance.german-up-to-four."""
    if len(asked.picked) < asked.number("least"):
        return refused("advance_must_take_a_unit")
    return refused("stacking_limit_must_hold", rule=UP_TO_FOUR)


def go(draft: Draft, board: Board, units: list[PieceId]) -> None:
    """Advance units together, and remember those that may Blitz.

    Source: advance.control, blitz.condition, units.blitz-kinds, ruling.blitz-order.
    """
    at = combat(draft.table)
    enter(draft, board, units, target(at), UP_TO_FOUR)
    if board.terrain_of(target(at)).blitz and has_leader(draft.table, board, HOTH):
        may = [unit for unit in units if block(draft.table, board, unit).has_blitz]
        if may:
            TO_BLITZ.set(draft, TABLE, tuple(sorted(may)), RuleId("blitz.condition"))


# Blitz


def destinations(table: Table, board: Board, unit: PieceId) -> list[PlaceId]:
    """Return the hexes to which a unit may Blitz.

    Source: blitz.destination, blitz.stack-limit, mode.co-op.no-mixed-stack, ruling.blitz-into-friends.
    """
    near = board.hexes[table.pieces[unit].place].near
    return [place for place in near if refuse_blitz(table, board, unit, place) is None]


def refuse_blitz(table: Table, board: Board, unit: PieceId, to: PlaceId) -> Refusal | None:
    """Return why a unit that has advanced may not Blitz to a hex."""
    is_next = to in board.hexes[table.pieces[unit].place].near
    if not is_next or not board.terrain_of(to).blitz or side_in(table, to) == SOVIET:
        return refused("blitz_must_enter_clear_hex_without_enemies")
    if mixes(table, board, (unit,), to):
        return refused("yellow_and_blue_must_not_mix")
    return None if has_room(table, board, to) else refused("stacking_limit_must_hold", rule=RuleId("blitz.stack-limit"))


def to_ask(table: Table, board: Board, at: Open) -> list[PieceId]:
    """Return the units that can still Blitz."""
    return [unit for unit in TO_BLITZ.of(table) or () if destinations(table, board, unit)]


def is_blitz(table: Table, board: Board, at: Open) -> bool:
    """Return whether a unit can still Blitz. Source: blitz.german-only, mode.co-op.leaders-shared."""
    return bool(to_ask(table, board, at))


def ask_to_blitz(draft: Draft, board: Board, at: Open) -> None:
    """Ask the seat of the units that can Blitz; the active one first."""
    seats = {seat_of(draft.table, board, at, unit) for unit in to_ask(draft.table, board, at)}
    active = german_seat(at)
    draft.ask(BLITZ, active if active in seats else next(iter(seats)), BLITZ_RULE)


class BlitzMoves(Question):
    """Blitz moves, one unit at a time, until the seat is done."""

    def __init__(self, board: Board) -> None:
        move = Answer(Blitz, self._moves, self._refuse, self._move, ends=BLITZ_RULE)
        super().__init__([move, always(Done(), self._stay, ends=BLITZ_RULE)], misplaced)
        self.board = board

    def _moves(self, table: Table, asked: Open) -> Iterable[Blitz]:
        """Return every move of every unit of the seat."""
        at = combat(table)
        for unit in to_ask(table, self.board, at):
            if seat_of(table, self.board, at, unit) == asked.seat:
                for place in destinations(table, self.board, unit):
                    yield Blitz(unit, place)

    def _refuse(self, table: Table, asked: Open, command: Blitz) -> Refusal | None:
        """Return why a move is not legal. Source: blitz.destination, blitz.condition, blitz.no-attack."""
        if command.to not in self.board.hexes:
            return refused("hex_must_be_playable")
        piece = table.pieces.get(command.unit)
        if piece is None or piece.side != GERMAN:
            return refused("unit_must_be_own")
        if command.unit not in (TO_BLITZ.of(table) or ()):
            sentence = "Only a Panzer, Panzer Grenadier or Motorized Infantry unit that has just advanced may Blitz."
            return refused("decision_must_be_open", sentence, RuleId("blitz.condition"))
        if seat_of(table, self.board, combat(table), command.unit) != asked.seat:
            return refused("stack_must_be_of_seats_colour")
        return refuse_blitz(table, self.board, command.unit, command.to)

    def _move(self, draft: Draft, asked: Open, command: Blitz) -> None:
        """Move the unit; the step asks again while a unit can Blitz. Source: blitz.split, blitz.control."""
        left = TO_BLITZ.of(draft.table) or ()
        self._remember(draft, [unit for unit in left if unit != command.unit])
        enter(draft, self.board, (command.unit,), command.to, SPLIT)

    def _stay(self, draft: Draft, asked: Open, command: Done) -> None:
        """Let all other units of the seat stay. Source: blitz.optional."""
        table, left = draft.table, TO_BLITZ.of(draft.table) or ()
        at = combat(table)
        self._remember(draft, [unit for unit in left if seat_of(table, self.board, at, unit) != asked.seat])

    def _remember(self, draft: Draft, left: list[PieceId]) -> None:
        if left:
            TO_BLITZ.set(draft, TABLE, tuple(left), BLITZ_RULE)
        else:
            TO_BLITZ.forget(draft, TABLE, BLITZ_RULE)
