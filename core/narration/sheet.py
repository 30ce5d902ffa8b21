"""Contents of a picture of a table in any game: the printed map, and the counters that lie on it now.

A game says what there is, in its own terms; layout, colours and patterns belong to the renderer. Everything that a colour says is
said by a pattern, a sign or a word as well.
"""

from collections import Counter as Multiset
from collections.abc import Iterable, Mapping

from core.narration.card_table import CardFace, CardTable
from core.narration.render_model import MapPlace
from core.narration.strips import Strip
from core.shapes.outlines import Outline, Point
from events.codec import Struct, replace
from events.ids import NO_SIDE, MarkerId, PieceId, PlaceId, Side


class Ground(Struct, frozen=True):
    """A kind of land: its key, what the legend says of it, its tone (`palette.TONES`) and its pattern (`patterns.PATTERNS`)."""

    key: str
    text: str
    tone: str
    pattern: str = ""


class Feature(Struct, frozen=True):
    """A feature of borders, such as a river: its key, what the legend says of it, the tone, width in pixels and dashes of its line.

    The line has an edge in the tone `edge`, if there is one. With `is_across` it leads over the border, such as a road, and joins the
    middles of both places.
    """

    key: str
    text: str
    tone: str
    width: int = 5
    dashes: str = ""
    edge: str = ""
    is_across: bool = False


class Badge(Struct, frozen=True):
    """A small sign at a place: its shape (`badges.SHAPES`), a few characters in it or beside it, and what it says where a reader points at it."""

    shape: str
    text: str = ""
    title: str = ""


class Backdrop(Struct, frozen=True):
    """A shape of a map that is no place, such as a wide river: its corners, its tone and pattern, and the tone of its edge.

    `key` tells a river from others where it can freeze, and `text` is what the legend says of the shape, if it does.
    """

    outline: Outline
    tone: str
    pattern: str = ""
    edge: str = ""
    map: str = ""
    key: str = ""
    text: str = ""


class Course(Struct, frozen=True):
    """A line of a map in the look of a feature: a road through places, bent round its points, or with `is_straight` from point to point."""

    feature: Feature
    points: tuple[Point, ...]
    map: str = ""
    is_straight: bool = False


class Mark(Struct, frozen=True):
    """A sign on a map that belongs to no place: its shape (`scenery.MARKS`), its middle, its text and how far it is turned, in degrees.

    `wide` is its width, if its shape has no width of its own.
    """

    shape: str
    at: Point
    text: str = ""
    title: str = ""
    turn: int = 0
    tone: str = "ink"
    wide: int = 0
    map: str = ""


class Land(Struct, frozen=True):
    """Print at a place: its ground, badges and a few words below its name, and its description.

    `points` are the places to which the points of a star lead, if the place is drawn as one. `rim` is the tone of an inner frame; `title` is shown where a reader points at the place, and read to those who cannot see it.
    With `is_coast` there is water beyond the edge of the map; a place that `is_small` has no room for its name; the words of one that
    `is_read` are the text of a card, larger and darker than small print.
    """

    ground: str = ""
    words: tuple[str, ...] = ()
    badges: tuple[Badge, ...] = ()
    points: tuple[PlaceId, ...] = ()
    rim: str = ""
    title: str = ""
    is_coast: bool = False
    is_small: bool = False
    is_read: bool = False


class Sheet(Struct, frozen=True, eq=False):
    """A game's printed map, or several of them; made once for a board, because what is drawn of it is kept with it.

    `maps` are the titles of several maps by their ids, `rims` what the frames of places mean by their tones. `sides` lists the sides
    in the order of their colours. `remark` says how far the map can be trusted. `markers` are the markers that are drawn as badges,
    `holders` are the signs of the places that a side holds, and `badges` says what each shape of a badge or of a mark means. `symbols` and
    `prints` say what the symbols (`symbols.SYMBOLS`) and the print of counters mean, the latter by examples. With `is_large_print`
    the places are small on a screen: labels, names and counters are drawn as large as they allow, and counters show short names.
    `cell` is how wide a place of middling size is drawn, in pixels, 0 for the usual width; `near_cell` how wide it is where a screen shows
    a part of the map (`core.drawing.window_svg`), 0 for a map of which it always shows the whole. `own_stacks` is the title of a strip of the
    viewer's stacks on the map in which something can be chosen; without one there is none. `over` names for a place
    another one that is not on the map, such as the sky above a crossing, of which the pieces are drawn with its own.
    """

    title: str
    places: tuple[MapPlace, ...]
    land: Mapping[PlaceId, Land]
    grounds: tuple[Ground, ...] = ()
    features: tuple[Feature, ...] = ()
    maps: Mapping[str, str] = {}
    rims: Mapping[str, str] = {}
    sides: tuple[Side, ...] = ()
    remark: str = ""
    backdrops: tuple[Backdrop, ...] = ()
    courses: tuple[Course, ...] = ()
    marks: tuple[Mark, ...] = ()
    markers: Mapping[MarkerId, Badge] = {}
    holders: Mapping[Side, Badge] = {}
    badges: Mapping[str, str] = {}
    symbols: Mapping[str, str] = {}
    prints: Mapping[str, str] = {}
    is_large_print: bool = False
    cell: int = 0
    near_cell: int = 200
    own_stacks: str = ""
    over: Mapping[PlaceId, PlaceId] = {}


class Counter(Struct, frozen=True):
    """A counter, a block or a card, as its viewer sees it.

    Args:
        title: What it is, in words.
        side: Whose it is.
        symbol: What it shows (`symbols.SYMBOLS`), empty for nothing.
        top: What is printed at the upper left, such as a regiment.
        corner: What is printed at the upper right, such as a division.
        figures: What is printed below, such as its strength.
        meaning: What these say, in words.
        short: What stands for `top` in large print, such as a number.
        signs: Letters that large print has beside it, small; else they stand at the upper right, and make the counter no higher.
        number: How many of the same kind lie there.
        is_turned: It is spent, or shows its weaker side.
        is_pale: That side is white.
        card: It is a card, with its name in full (`top`), its number (`figures`) and what stands around them.
        is_closed: The viewer does not see what it is.
        is_large: It is drawn in large print.
        is_changed: It moved, turned or came just now.
        is_at_stake: What goes on now is about it, such as the target of an attack.
    """

    title: str
    side: Side = NO_SIDE
    symbol: str = ""
    top: str = ""
    corner: str = ""
    figures: str = ""
    meaning: str = ""
    short: str = ""
    signs: str = ""
    number: int = 1
    is_turned: bool = False
    is_pale: bool = False
    card: CardFace | None = None
    is_closed: bool = False
    is_large: bool = False
    is_changed: bool = False
    is_at_stake: bool = False


class Changes(Struct, frozen=True):
    """Changes on the map between two tables.

    `pieces` moved, turned or came, `moves` leads from place to place, and `places` lost a piece or have another holder or other
    markers. A piece that came from outside the map or left it is no move.
    """

    pieces: frozenset[PieceId] = frozenset()
    moves: tuple[tuple[PlaceId, PlaceId], ...] = ()
    places: frozenset[PlaceId] = frozenset()


class Spread(Struct, frozen=True):
    """Contents of the map now: the holder of each place, the places with both sides, and the counters from left to right.

    `pieces` are those that each counter of a stack stands for. `signs` are short words at places, such as `rubble 2`, and `badges` the
    markers that have a shape. `changes` are what the latest events did, `at_stake` are the places that what goes on now is about, and
    `attacks` lead from place to place. `strips` lie beside the map, and `beside` are the looks of the pieces in them. In a game of
    cards on a table, `cards` is what is drawn in the place of a map, with the side `near` at the bottom, by default the first one.
    """

    held: Mapping[PlaceId, Side] = {}
    contested: frozenset[PlaceId] = frozenset()
    stacks: Mapping[PlaceId, tuple[Counter, ...]] = {}
    pieces: Mapping[PlaceId, tuple[tuple[PieceId, ...], ...]] = {}
    signs: Mapping[PlaceId, tuple[str, ...]] = {}
    badges: Mapping[PlaceId, tuple[Badge, ...]] = {}
    changes: Changes = Changes()
    at_stake: frozenset[PlaceId] = frozenset()
    attacks: tuple[tuple[PlaceId, PlaceId], ...] = ()
    strips: tuple[Strip, ...] = ()
    beside: Mapping[PieceId, Counter] = {}
    cards: CardTable | None = None
    near: Side = NO_SIDE

    @property
    def is_divided(self) -> bool:
        """Whether more than one side holds places."""
        return len(set(self.held.values()) - {NO_SIDE}) > 1


class Drawing(Struct, frozen=True):
    """The printed map of a game as it is in play, and what its counters look like.

    `counters` has every piece whose look the game describes; others are drawn with their names. `held` says who holds each place
    if that is not control. `strips` are the tracks,
    boxes and cards beside the map; what they show, no panel beside the map says again (`core.narration.render_model.Panel.is_map`). `at_stake` are
    the places and pieces that what goes on now is about, from its beginning to its end (`at_stake.named_on`), and `attacks` lead from the
    places of those who attack to the place that is attacked (`at_stake.attacks_on`). `contested` says which places are, if those are not the ones
    where counters of several sides lie. `cards` is the table of a game of cards, which is drawn instead of the places of the sheet as they lie on it.
    """

    sheet: Sheet
    counters: Mapping[PieceId, Counter] = {}
    held: Mapping[PlaceId, Side] | None = None
    strips: tuple[Strip, ...] = ()
    at_stake: frozenset[str] = frozenset()
    attacks: tuple[tuple[PlaceId, PlaceId], ...] = ()
    contested: frozenset[PlaceId] | None = None
    cards: CardTable | None = None


def counted_alike(counters: Iterable[Counter]) -> tuple[Counter, ...]:
    """Return counters with those that look alike as one, in the order in which each first comes.

    One of which some are changed is changed: a counter of its own for them would take the room of all.
    """
    numbers: Multiset[Counter] = Multiset()
    changed: set[Counter] = set()
    for counter in counters:
        one = _unmarked(counter)
        numbers[one] += counter.number
        changed |= {one} if counter.is_changed else set()
    return tuple(replace(one, number=number, is_changed=one in changed) for one, number in numbers.items())


def _unmarked(counter: Counter) -> Counter:
    """Return what a single counter looks like that is not changed."""
    return replace(counter, number=1, is_changed=False)


def pieces_of(stack: Iterable[Counter], looks: Mapping[PieceId, Counter]) -> tuple[tuple[PieceId, ...], ...]:
    """Return the pieces that each counter of a stack stands for, as `counted_alike` makes it of their looks."""
    alike: dict[Counter, list[PieceId]] = {}
    for piece, look in looks.items():
        alike.setdefault(_unmarked(look), []).append(piece)
    return tuple([tuple(alike[_unmarked(one)]) for one in stack])
