"""Strips beside the map on the printed table: tracks, boxes, decks and hands, as strips of cells.

A game fills the cells with what their viewer may know; where they lie and how wide they are belongs to the renderer.
"""

from collections.abc import Mapping, Sequence

from events.codec import Struct, replace
from events.ids import NO_SIDE, CardId, PieceId, Side
from projections.state.table import Pile

FACE, BACK, EMPTY, GONE = "face", "back", "empty", "gone"
"""How a cell looks: open, cards face down, a box in which nothing lies, or out of the game."""
BACKS_MAX = 10
"""How many backs of a pile are drawn; its number says how many there are."""


class Cell(Struct, frozen=True):
    """A space of a track, a box, a card, or several cards face down.

    Args:
        title: What is printed on it.
        notes: The small print, line by line.
        label: What is printed at the upper left, such as the number of a space.
        corner: What is printed at the upper right, such as the value of a card.
        side: Whose it is.
        pieces: What lies in it.
        number: How many cards lie there, if they are a pile.
        look: One of `FACE`, `BACK`, `EMPTY` and `GONE`.
        is_current: The marker of the track is there, or the card is in force.
        meter: How many of how many there are, drawn as filled and empty squares.
        id: The card or piece that it is, if one can be chosen there.
        limit: What holds from this space of a track on, and not before it, as `Strong`; a line before the space marks it.
    """

    title: str = ""
    notes: tuple[str, ...] = ()
    label: str = ""
    corner: str = ""
    side: Side = NO_SIDE
    pieces: tuple[PieceId, ...] = ()
    number: int = 0
    look: str = FACE
    is_current: bool = False
    meter: tuple[int, int] | None = None
    id: str = ""
    limit: str = ""


class Strip(Struct, frozen=True):
    """A track, a row of boxes or cards; it has a title, and each of its rows continues below where it is too long.

    With `is_above` it lies above the map, or beside it, with `is_narrow` beside a map of which a part is shown, else below it; `is_private`: only the viewer knows what it shows; `is_hand`: its cells are cards to be read,
    each with its value (`corner`), its name, the moment at which it can be played and its effect. One that `is_vital` says who is about to win or
    to lose, or how much is left of the game: it is always in sight. One that `is_stacks` shows again what lies on the map, and
    one that `is_phase` which turn or step of the sequence of play it is, as the heading of the match does. One that `is_line` says something in words, which stand beside its title. To its `owner` it is `Your` and `what` it is, to
    others its title.
    """

    title: str
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    is_above: bool = False
    is_narrow: bool = False
    is_private: bool = False
    is_hand: bool = False
    is_vital: bool = False
    is_stacks: bool = False
    is_phase: bool = False
    is_line: bool = False
    owner: Side = NO_SIDE
    what: str = ""

    def seen_by(self, side: Side) -> "Strip":
        """Return the strip with the title that it has for a side."""
        return replace(self, title=f"Your {self.what}") if self.what and side and self.owner == side else self


def owned(
    owner: Side,
    name: str,
    what: str,
    rows: tuple[tuple[Cell, ...], ...],
    note: str = "",
    *,
    is_private: bool = False,
    is_hand: bool = False,
) -> Strip:
    """Return a strip of a side's own things, such as its hand or its cards.

    Args:
        owner: The side.
        name: What the side is called.
        what: What the strip shows.
        rows: See `Strip`.
        note: Likewise.
        is_private: Likewise.
        is_hand: Likewise.
    """
    return Strip(f"{name} {what}", rows, note, is_private=is_private, is_hand=is_hand, owner=owner, what=what)


def row_of(cells: Sequence[Cell | None]) -> tuple[tuple[Cell, ...], ...]:
    """Return the rows of a strip that has one, without cells that are None; nothing if there is no cell."""
    row = tuple(cell for cell in cells if cell is not None)
    return (row,) if row else ()


def face_down(title: str, count: int, side: Side = NO_SIDE) -> Cell:
    """Return a pile of cards face down, or the place of one that is empty."""
    return Cell(title, side=side, number=count, look=BACK if count else EMPTY)


def numbered(last: int, current: int, first: int = 1) -> tuple[Cell, ...]:
    """Return the spaces of a track with a number each."""
    return tuple(Cell(label=str(number), is_current=number == current) for number in range(first, last + 1))


def hand_of(pile: Pile, face: Mapping[CardId, Cell], title: str, side: Side) -> tuple[Cell, ...]:
    """Return the cards of a pile that the viewer knows face up, and the others as backs."""
    known = [face[card] for card in pile.cards]
    return (*known, *([face_down(title, pile.hidden, side)] if pile.hidden else []))
