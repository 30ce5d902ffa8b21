"""Memory that a position sets: Advantages, extra turns, and who is credited with a hex."""

from collections.abc import Iterator

from core.games.inferno.components.board_model import Board
from core.games.inferno.ids import SIDES, SOVIET, advantages, deck
from core.games.inferno.memory import ADVANTAGES, CAPTURED_BY, EXTRA_TURNS
from core.games.inferno.options import DESIGNERS_WAY, OFF
from core.games.inferno.positions.position_set_up import controlled
from core.games.inferno.rules.cards import deck_parts
from core.positions.position import Defect, Position
from core.suggestions import unknown
from core.toml.toml_lines import Path
from events.ids import TABLE, PlaceId


def is_designers_way(position: Position) -> bool:
    """Return whether a position is played by the Designer's Way. Source: designer.optional."""
    return position.options.get(DESIGNERS_WAY.key, OFF) != OFF


def memory_defects(board: Board, position: Position) -> Iterator[Defect]:
    """Yield what is remembered though it cannot be, or is not though it must be."""
    yield from _advantages(board, position)
    yield from _extra_turns(board, position)
    control = controlled(board, position)
    for place, values in position.attributes.items():
        if CAPTURED_BY.key in values and control.get(PlaceId(place)) == SOVIET:
            yield Defect(("attributes", place, CAPTURED_BY.key), f"no German seat took {place}: {SOVIET} controls it")


def _advantages(board: Board, position: Position) -> Iterator[Defect]:
    """Source: designer.advantage.list, designer.difficulty.random."""
    listed = dict(
        zip(SIDES, (board.designers_way.german_advantages, board.designers_way.soviet_advantages), strict=True)
    )
    for side, names in listed.items():
        stated = position.attributes.get(side, {}).get(ADVANTAGES.key)
        path: Path = ("attributes", side, ADVANTAGES.key)
        if not isinstance(stated, tuple | list):
            continue
        if not is_designers_way(position):
            yield Defect(path, f"Advantages belong to the Designer's Way (option {DESIGNERS_WAY})")
        for name in stated:
            if name not in names:
                yield Defect(path, unknown(f"Advantage of the {side} side", str(name), list(names)))
            elif name in position.piles.get(advantages(side), ()):
                yield Defect(path, f"{name} is among those that the {side} side does not have, too")


def _extra_turns(board: Board, position: Position) -> Iterator[Defect]:
    """Source: victory.soviet-decisive.deck, victory.okh.extra-turns."""
    named = {card for cards in position.piles.values() for card in cards}
    rest = tuple(card for card in board.deck(SOVIET) if card not in named)
    parts = {part: position.piles.get(part, ()) for part in deck_parts(SOVIET)}
    left = sum(map(len, {**parts, deck(SOVIET): position.piles.get(deck(SOVIET), rest)}.values()))
    path: Path = ("attributes", TABLE, EXTRA_TURNS.key)
    granted = position.attributes.get(TABLE, {}).get(EXTRA_TURNS.key)
    if granted is not None and left:
        yield Defect(path, f"extra turns begin when the Soviet deck is empty; it holds {left} cards")
    if granted is None and not left:
        yield Defect(path, "the Soviet deck is empty, which ends the game unless there are extra turns under OKH")
