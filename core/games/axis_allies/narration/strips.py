"""Strips beside the boards: the Order Cards, the Round Track, both sides' supplies, and the Operation Uranus cards."""

from collections.abc import Iterator

from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.view.map import RIVERS
from core.games.axis_allies.narration.forces import Speaker
from core.games.axis_allies.rules import queries
from core.games.axis_allies.rules.deployment import combat_markers_left
from core.games.axis_allies.rules.reinforcement import earning
from core.games.axis_allies.rules.uranus import DEPLOY_CARD, FRONT, PLACE_CARDS
from core.narration.strips import FACE, GONE, Cell, Strip, face_down, row_of
from events.ids import NO_SIDE, Side
from projections.state.table import Table

PILES = {
    ids.URANUS_DRAWN: "drawn",
    **{pile: front for front, pile in ids.URANUS_FRONT.items()},
    ids.URANUS_DEPLOYED: "carried out",
}
"""Where Operation Uranus cards lie besides their deck."""


def earned(table: Table, board: Board, side: Side) -> int:
    """Return how many RPCs a side would collect as things are."""
    return sum(earning(table, board, side).values())


def frozen(table: Table, board: Board) -> tuple[str, ...]:
    """Return the rivers that are frozen, by their names."""
    rivers = {"Don": queries.is_don_frozen(table), "Volga": queries.is_volga_frozen(table, board)}
    return tuple([river for river, is_frozen in rivers.items() if is_frozen])


def deadline(board: Board) -> str:
    """Return when Operation Uranus can begin, and when it must."""
    return f"possible from round {board.file.uranus.first_round} on, forced in round {board.file.uranus.last_round}"


def strips(speaker: Speaker, table: Table) -> tuple[Strip, ...]:
    """Return the tracks and cards as their viewer sees them; the cards among which is chosen come first."""
    board = speaker.board
    is_asked = table.top is not None and table.top.kind in (DEPLOY_CARD, FRONT, PLACE_CARDS)
    is_secret = is_asked and bool(table.pile(ids.URANUS_DRAWN).cards)
    uranus = Strip(
        "Operation Uranus",
        row_of(list(_uranus(speaker, table, is_asked=is_asked))),
        is_above=is_asked,
        is_private=is_secret,
    )
    return (
        *([uranus] if is_asked else []),
        Strip(
            "Round Track",
            row_of([_round(table, board, number) for number in range(1, board.file.limits.rounds + 1)]),
            is_vital=True,
        ),
        Strip("Order Cards", row_of(list(_orders(table, board))), is_vital=True, is_phase=True),
        Strip("RPCs", row_of(list(_rpcs(table))), is_vital=True),
        Strip("Supplies", row_of(list(_supplies(table, board)))),
        *([] if is_asked else [uranus]),
    )


def _orders(table: Table, board: Board) -> Iterator[Cell]:
    """Yield the Order Cards: the one in force, and those that are out of the game."""
    out = table.pile(ids.ORDER_BOX).cards
    for number, row in sorted(board.order_cards.items()):
        is_current = ids.PHASES[number] == table.phase
        # One that is taken out of the game is still carried out to its end.
        look = GONE if ids.order_card(number) in out and not is_current else FACE
        yield Cell(row.name, label=str(number), side=row.side or NO_SIDE, look=look, is_current=is_current)


def _round(table: Table, board: Board, number: int) -> Cell:
    """Return a space of the Round Track with the faces that bring bad weather, and its markers."""
    space, faces = ids.round_space(number), sorted(board.bad_faces.get(number, ()))
    roll = f"bad on {faces[0]}{f'–{faces[-1]}' if len(faces) > 1 else ''}" if faces else "no roll"
    weather = "bad weather" if table.marker(space, ids.FROZEN) else roll
    storm = ["Winter Storm"] if table.marker(space, ids.WINTER_STORM) else []
    return Cell(label=str(number), notes=(weather, *storm), is_current=number == table.round)


def _rpcs(table: Table) -> Iterator[Cell]:
    """Yield how many RPCs each side has to spend."""
    for side, name in ids.SIDE_NAMES.items():
        yield Cell(str(table.track(ids.RPC[side])), (name,), side=side)


def _supplies(table: Table, board: Board) -> Iterator[Cell]:
    """Yield what each side has to spend, the rivers, and the markers that are left."""
    is_locked = not queries.has_storm_begun(table)
    for side, name in ids.SIDE_NAMES.items():
        notes = [f"collects {earned(table, board, side)}"]
        notes += ["none to be spent before Winter Storm"] if side == ids.AXIS and is_locked else []
        yield Cell(str(table.track(ids.RPC[side])), tuple(notes), f"{name} RPCs", side=side)
        yield Cell(str(len(table.pieces_at(ids.POOL[side]))), ("supply tokens",), f"{name} pool", side=side)
    for river in RIVERS:
        yield Cell("frozen" if river in frozen(table, board) else "open", label=river)
    yield Cell(str(combat_markers_left(table, board)), ("Combat Markers left",))


def _uranus(speaker: Speaker, table: Table, *, is_asked: bool) -> Iterator[Cell]:
    """Yield the state of the operation, its deck, and its cards; where a question is about these they come first."""
    state, cards = _operation(speaker, table), _uranus_cards(speaker, table)
    yield from (*cards, *state) if is_asked else (*state, *cards)


def _operation(speaker: Speaker, table: Table) -> Iterator[Cell]:
    """Yield the state of the operation, and its deck."""
    board, storm = speaker.board, queries.storm_round(table, speaker.board)
    begun = "has begun" if queries.has_storm_begun(table) else f"begins in round {storm}"
    yield Cell("launched" if storm else "not launched", (f"Winter Storm {begun}" if storm else deadline(board),))
    yield face_down("Deck", table.pile(ids.URANUS_DECK).count, ids.ALLIES)


def _uranus_cards(speaker: Speaker, table: Table) -> Iterator[Cell]:
    """Yield the cards: open those that the viewer knows, the others as backs."""
    board = speaker.board
    for pile, where in PILES.items():
        there = table.pile(pile)
        for card in there.cards:
            notes = (speaker.forces.on_card(card),)
            yield Cell(f"Card {board.uranus_cards[card].number}", notes, where, side=ids.ALLIES, id=card)
        if there.hidden:
            yield face_down(where.capitalize(), there.hidden, ids.ALLIES)
