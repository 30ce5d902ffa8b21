"""Hits and losses: each hit takes a Step from the strongest enemy unit in the combat, whatever caused it.

Where fewer hits than equally strong units are left, a seat chooses which units take them. Where there are as many hits as such units
or more, all of them lose a Step in any order, so that nothing is asked.
"""

from core.engine.draft import Draft
from core.engine.selection import Pick, Picks, Selection
from core.games.inferno.components.board_model import Block, Board
from core.games.inferno.components.board_records import INFANTRY
from core.games.inferno.ids import DEATH_POOL, EDGES, GERMAN, SIDE_NAMES, enemy
from core.games.inferno.memory import ATTACKING, COMBAT
from core.games.inferno.rules import spawn
from core.games.inferno.rules.queries import block, decider, side_in, stack
from core.games.inferno.rules.refusals import refused
from core.games.inferno.rules.wrong_command import misplaced
from core.refusal import Refusal
from core.wording import counted
from events.ids import PieceId, PlaceId, RuleId, Seat, Side
from projections.state.table import Open, Table

TIE = RuleId("hits.tie-german-chooses")
EXCESS = RuleId("hits.excess-lost")
HITS = "hits"
"""The kind of the question which of equally strong units take the last hits."""


# Who is in the combat


def attacker(at: Open) -> Side:
    """Return the side that attacks in a combat."""
    return Side(at.text("attacker"))


def defender(at: Open) -> Side:
    """Return the side that defends in a combat."""
    return enemy(attacker(at))


def target(at: Open) -> PlaceId:
    """Return the hex that is attacked; its terrain is that of the combat. Source: terrain.of-combat."""
    return PlaceId(at.text("target"))


def german_seat(at: Open) -> Seat:
    """Return the German seat of a combat: the attacking one, or the one that decides for the attacked Stack."""
    return Seat(at.text("seat"))


def combat(table: Table) -> Open:
    """Return the combat that is being fought."""
    at = table.topmost(COMBAT)
    assert at is not None, "no combat is being fought"
    return at


def combatants(table: Table, at: Open, side: Side) -> list[PieceId]:
    """Return the units of a side that are left in the combat; the attackers are one group. Source: hits.scope."""
    if side == attacker(at):
        return [unit for unit in ATTACKING.of(table) or () if table.pieces[unit].place != DEATH_POOL]
    return list(stack(table, target(at))) if side_in(table, target(at)) == side else []


def counts_as(unit: Block, arm: str) -> bool:
    """Return whether a card for Infantry or Tanks can hit a unit; any can if `arm` is empty. Source: units.two-types."""
    return not arm or (unit.is_infantry if arm == INFANTRY else unit.is_tank)


def strongest(table: Table, board: Board, side: Side, arm: str = "") -> list[PieceId]:
    """Return the units of a side that are strongest in the combat now.

    Source: hits.strongest-first, hits.reassess, ruling.strongest.

    Args:
        table: The table.
        board: The board.
        side: The side that is hit.
        arm: `infantry` or `tank` if only these can be hit.
    """
    units = [unit for unit in combatants(table, combat(table), side) if counts_as(block(table, board, unit), arm)]
    most = max((table.pieces[unit].steps for unit in units), default=0)
    return [unit for unit in units if table.pieces[unit].steps == most]


# Taking hits


def reduce(draft: Draft, board: Board, unit: PieceId, rule: RuleId) -> None:
    """Take one Step from a revealed unit, which is destroyed at its lowest Strength.

    Source: hits.reduce, hits.destroyed, firepower.per-edge.

    Args:
        draft: The draft.
        board: The board.
        unit: The unit.
        rule: The rule that caused the hit.
    """
    piece, printed = draft.table.pieces[unit], block(draft.table, board, unit)
    left = printed.edges[EDGES.index(piece.face) + 1 :]
    if left and left[0].strength:
        draft.turn(unit, EDGES[EDGES.index(piece.face) + 1], rule, steps=left[0].strength)
    else:
        destroy(draft, board, unit, rule)


def destroy(draft: Draft, board: Board, unit: PieceId, rule: RuleId) -> None:
    """Remove a destroyed unit: a German one to the Death Pool, a Soviet one to its own pool.

    Source: hits.german-to-death-pool, hits.soviet-to-pool, ruling.destroyed-soviet-known.
    """
    if draft.table.pieces[unit].side == GERMAN:
        draft.move(unit, DEATH_POOL, rule)
    else:
        spawn.return_to_pool(draft, board, unit, rule)


def inflict(draft: Draft, board: Board, side: Side, hits: int, rule: RuleId, *, arm: str = "") -> None:
    """Apply hits to a side, strongest first; ask where units are equally strong and not all of them are hit.

    The answer takes all hits that are left, so that nothing waits for it.

    Source: card.hits-immediate, hits.excess-lost.

    Args:
        draft: The draft.
        board: The board.
        side: The side that is hit.
        hits: How many effective hits there are.
        rule: The rule that causes them.
        arm: `infantry` or `tank` if only these can be hit.
    """
    while hits:
        among = strongest(draft.table, board, side, arm)
        if not among:
            it = "it" if hits == 1 else "them"
            draft.apply(EXCESS, f"{counted(hits, 'hit')} lost: no {SIDE_NAMES[side]} unit is left to take {it}", side)
            return
        if hits < len(among):
            seat = decider(draft.table, units_of=side, german=german_seat(combat(draft.table)))
            draft.ask(HITS, seat, TIE, {"side": side, "hits": hits, "arm": arm, "cause": rule})
            return
        for unit in among:
            reduce(draft, board, unit, rule)
        hits -= len(among)


def ties(board: Board) -> Selection:
    """Return the question which of equally strong units are hit."""

    def tied(table: Table, asked: Open) -> list[PieceId]:
        return strongest(table, board, Side(asked.text("side")), asked.text("arm"))

    def refuse_pick(table: Table, asked: Open, pick: Pick) -> Refusal | None:
        if pick.item in tied(table, asked) and not pick.to:
            return None
        is_in_combat = pick.item in combatants(table, combat(table), Side(asked.text("side")))
        return refused("hit_must_fall_on_strongest" if is_in_combat else "hit_must_fall_on_participant")

    def carry_out(draft: Draft, asked: Open, picks: Picks) -> None:
        for unit, _ in picks:
            reduce(draft, board, PieceId(unit), RuleId(asked.text("cause")))

    return Selection(
        lambda _asked: TIE,
        tied,
        lambda _table, asked: (asked.number("hits"), asked.number("hits")),
        carry_out,
        refuse_pick=refuse_pick,
        refuse_other=misplaced,
    )
