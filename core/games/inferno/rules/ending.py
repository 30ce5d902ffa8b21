"""The ends of the game: what is looked at when a turn ends, and who has won."""

from core.engine.draft import Draft
from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import DEATH_POOL, GERMAN, SOVIET, leaders
from core.games.inferno.memory import CAPTURED_BY
from core.games.inferno.options import COOP_WINNER, VICTORY_TIE
from core.games.inferno.rules.queries import block, has_partners, has_stack
from events.ids import PlaceId, RuleId, Seat
from projections.state.table import Table

SPAWN_HEXES = RuleId("victory.german-decisive.spawn-hexes")
NO_SOVIETS = RuleId("victory.german-decisive.no-soviets")
OKH_NO_SOVIETS = RuleId("victory.okh.no-soviets")
OKH_HEXES = RuleId("victory.okh.nineteen-hexes")
LOSSES = RuleId("victory.soviet-decisive.losses")
TIE = RuleId("victory.check-at-end-of-turn")
COMPETITION = RuleId("mode.co-op.winner")
GERMAN_VICTORY = "German Decisive Victory"
SOVIET_VICTORY = "Soviet Decisive Victory"
OKH = "okh"


def german_losses(table: Table, board: Board) -> int:
    """Return what the Death Pool is worth.

    Source: victory.soviet-decisive.losses, german.reinforce.removed-not-destroyed, ruling.removed-counts.
    """
    return sum(
        board.victory.r_unit_points if block(table, board, piece).is_r_unit else 1
        for piece in table.pieces_at(DEATH_POOL)
    )


def has_okh(table: Table, board: Board) -> bool:
    """Return whether OKH is in play. Source: leader.okh."""
    return any(board.cards[card].title.id == OKH for card in table.pile(leaders(GERMAN)).cards)


def objective_hexes(table: Table, board: Board) -> tuple[PlaceId, ...]:
    """Return the hexes all of which the Germans must control. Source: victory.okh.replaces, victory.okh.nineteen-hexes."""
    return board.victory.okh_hexes if has_okh(table, board) else board.soviet_spawn


def german_objective(table: Table, board: Board) -> RuleId | None:
    """Return the objective that the Germans meet, or None.

    Source: victory.german-decisive.spawn-hexes, victory.german-decisive.no-soviets, victory.okh.no-soviets,
    victory.okh.nineteen-hexes.
    """
    is_okh = has_okh(table, board)
    if not has_stack(table, board, SOVIET):
        return OKH_NO_SOVIETS if is_okh else NO_SOVIETS
    if all(table.control.get(place) == GERMAN for place in objective_hexes(table, board)):
        return OKH_HEXES if is_okh else SPAWN_HEXES
    return None


def check_victory(draft: Draft, board: Board) -> None:
    """End the match if a side meets its conditions at the end of a turn.

    Source: victory.check-at-end-of-turn, ruling.simultaneous-victory, ruling.solo-result-grades.
    """
    table = draft.table
    objective = german_objective(table, board)
    is_lost = german_losses(table, board) >= board.victory.german_losses
    if objective is not None and is_lost:
        tie = VICTORY_TIE.chosen(table)
        if tie == "draw":
            draft.end_match("Draw", (), TIE)
            return
        is_german = tie == "german" or (tie != "soviet" and table.turn == GERMAN)
        objective, is_lost = (objective, False) if is_german else (None, True)
    if objective is not None:
        german_victory(draft, board, objective)
    elif is_lost:
        soviet_victory(draft, board, LOSSES)


def german_victory(draft: Draft, board: Board, rule: RuleId) -> None:
    """End the match with a German victory. Source: mode.co-op.winner, ruling.co-op-winner."""
    compare(draft, board)
    draft.end_match(GERMAN_VICTORY, (GERMAN,), rule, seats=leading_seats(draft.table, board))


def soviet_victory(draft: Draft, board: Board, rule: RuleId) -> None:
    """End the match with a Soviet victory; by option the German seat with more Spawn Hexes wins as well.

    Source: mode.co-op.winner, ruling.co-op-winner.
    """
    table = draft.table
    also: tuple[Seat, ...] = ()
    if has_partners(table) and COOP_WINNER.chosen(table) == "always":
        compare(draft, board)
        also = leading_seats(table, board)
    draft.end_match(SOVIET_VICTORY, (SOVIET,), rule, seats=(*also, *table.seats_of(SOVIET)))


def compare(draft: Draft, board: Board) -> None:
    """Record with how many Soviet Spawn Hexes each of two German seats is credited.

    Source: mode.co-op.winner, mode.co-op.control-by-colour.
    """
    table = draft.table
    for seat in table.seats_of(GERMAN) if has_partners(table) else ():
        draft.apply(COMPETITION, f"Soviet Spawn Hexes credited: {credited(table, board, seat)}", seat)


def leading_seats(table: Table, board: Board) -> tuple[Seat, ...]:
    """Return the German seats that are credited with most Soviet Spawn Hexes: both if they are equal.

    Source: mode.co-op.winner, mode.co-op.control-by-colour.
    """
    held = {seat: credited(table, board, seat) for seat in table.seats_of(GERMAN)}
    return tuple(seat for seat in held if len(held) == 1 or held[seat] == max(held.values()))


def credited(table: Table, board: Board, seat: Seat) -> int:
    """Return how many German-controlled Soviet Spawn Hexes a seat is credited with."""
    hexes = [place for place in board.soviet_spawn if table.control.get(place) == GERMAN]
    return sum(CAPTURED_BY.of(table, place) == seat for place in hexes)
