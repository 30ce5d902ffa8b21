"""Draws counters, one by one and as the stack of a place."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from math import ceil, inf

from core.narration.sheet import Counter, Sheet
from core.svg.card_svg import CARD_SIGNS, card_legend, face_of, shape_of
from core.svg.card_svg import HIGH as CARD_HIGH
from core.svg.card_svg import WIDE as CARD
from core.svg.label_room import Box
from core.svg.palette import RANKS
from core.svg.svg_text import content, element, ended_at, short, text_at, width_of
from core.svg.symbols import HEIGHT, SYMBOLS, WIDTH
from events.ids import Side

WIDE, HIGH = 56, 40
"""The width and height of a counter, in pixels; a card has its own (`card_svg`)."""
LOW = 30
"""The height of counters that show nothing above their figures, in pixels."""
TOP, CORNER, FIGURES, SIGNS = 12, 11, 14, 11
"""The sizes of text in pixels."""
SMALLEST = 11.0
"""How small a name at the top is set before it is cut off, in pixels."""
LARGE_WIDE, LARGE_HIGH, LARGE_CLOSED = 54, 46, 44
"""The width and height of a counter in large print, and the width of a closed one, in pixels."""
LARGE_TOP, LARGE_FIGURES, LARGE_SIGN, LARGE_SYMBOL = 22, 20, 12, 0.55
"""The sizes of its text in pixels, and that of its symbol in parts of the usual one."""
GAP = 4
NUMBER_OVER = 6
"""How far the number of like counters reaches above them, in pixels."""
BADGE_BEYOND = 5
"""How far it reaches beyond the right edge, in pixels."""
FAN = 33
"""How much of a counter is visible where the next one belongs to the same formation."""
TURNED = "///"
"""Stands in the prints of a sheet for the hatching of counters that are turned."""
PALE = "[ ]"
"""Stands there for counters whose turned side is white."""
KEPT_MAX = 4_096
"""How many drawn counters are kept, about half a kilobyte each."""


class Counters:
    """Draws counters in the colours of their sides.

    Args:
        sides: The sides in the order of their colours; others have none.
    """

    def __init__(self, sides: Sequence[Side]) -> None:
        self._ranks = dict(zip(sides, RANKS, strict=False))

    def rank(self, side: Side) -> str:
        """Return the tone of a side, or an empty text for one without."""
        return self._ranks.get(side, "")

    def stack_size(self, counters: Sequence[Counter], width: float) -> tuple[float, float]:
        """Return how wide and high the counters of a place are within a width."""
        rows = self.row_sizes(counters, width)
        return max([0.0, *[wide for wide, _ in rows]]), sum([high for _, high in rows])

    def row_sizes(self, counters: Sequence[Counter], width: float) -> list[tuple[float, float]]:
        """Return how wide each row of the counters of a place is within a width, and how high down to the next."""
        rows, high = _rows(counters, width), _height(counters)
        tops = _tops(rows, high)
        pitches = [below - above for above, below in pairwise([*tops, tops[-1] + high + GAP])] if tops else []
        return [(_across(row, width), pitch) for row, pitch in zip(rows, pitches, strict=True)]

    def stack(self, counters: Sequence[Counter], left: float, top: float, width: float) -> list[str]:
        """Draw the counters of a place from the upper left corner of their room, at most so wide."""
        high = _height(counters)
        laid = zip(counters, self.visible(counters, width), strict=True)
        return [self._one(counter, left + across, top + down, high) for counter, (across, down, _, _) in laid]

    def visible(self, counters: Sequence[Counter], width: float) -> list[Box]:
        """Return what is visible of each counter of a place from the upper left corner of their room: its left, top, right and bottom edge."""
        rows, high = _rows(counters, width), _height(counters)
        widest = max([0.0, *[_across(row, width) for row in rows]])
        # A short row lies in the middle, since its place is narrower there as a rule, such as a hex.
        begun = [(widest - _across(row, width)) / 2 for row in rows]
        return [
            (start + across, down, start + across + min(step, _wide(counter)), down + high)
            for row, start, down in zip(rows, begun, _tops(rows, high), strict=True)
            for counter, across, step in _laid(row, width)
        ]

    def numbers(self, counters: Sequence[Counter]) -> list[str]:
        """Draw the number on each counter of a place as it lies on the counter; empty on a single one."""
        high = _height(counters)
        return ["".join(_numbered(counter, high)) for counter in counters]

    def _one(self, counter: Counter, left: float, top: float, high: int) -> str:
        """Draw a counter; what does not fit onto it is shortened, and its description is whole."""
        return element("g", _group(counter, left, top), _looks(counter, self.rank(counter.side), _wide(counter), high))

    def alone(self, counter: Counter, left: float, top: float, wide: float, high: float) -> str:
        """Draw a counter in a size of its own."""
        return element("g", _group(counter, left, top), _looks(counter, self.rank(counter.side), wide, high))


def _group(counter: Counter, left: float, top: float) -> dict[str, object]:
    """Return where the group of a counter lies; one that is changed says so, because pages show how it came there."""
    new = 1 if counter.is_changed else None
    return {"transform": f"translate({short(left)} {short(top)})", "class": "counter", "role": "img", "data_new": new}


def counter_legend(sheet: Sheet) -> Iterable[tuple[str, str]]:
    """Yield a sample of 28 by 16 pixels of what counters show, and what it means."""
    for symbol, words in sheet.symbols.items():
        yield f'<path d="{SYMBOLS[symbol]}" class="line s-ink" stroke-width="1.3" transform="translate(3 1)"/>', words
    yield from card_legend([(sign, words) for sign, words in sheet.prints.items() if sign in CARD_SIGNS])
    for text, words in sheet.prints.items():
        if text in CARD_SIGNS:
            continue
        if text == TURNED:
            box = '<rect width="28" height="16" '
            yield f'{box}class="f-counter- s-frame"/>{box}fill="url(#p-turned)"/>', words
            continue
        if text == PALE:
            yield '<rect x="4" width="20" height="16" class="f-panel s-ink" stroke-width="1.2"/>', words
            continue
        size = min(float(TOP), TOP * 28 / width_of(text, TOP, is_bold=True))
        yield text_at((14, 12), text, size, "f-ink bold"), words


@lru_cache(maxsize=KEPT_MAX)
def _looks(counter: Counter, rank: str, wide: float, high: float) -> str:
    """Return what a counter looks like, whatever its place."""
    said = counter.title if counter.number == 1 else f"{counter.number} × {counter.title}"
    is_card = counter.card is not None
    shape = (
        shape_of(rank, wide, high) if is_card else {"width": wide, "height": high, "rx": 8 if rank == RANKS[1] else 2}
    )
    parts = [
        f"<title>{content(f'{said}: {counter.meaning}' if counter.meaning else said)}</title>",
        element(
            "rect",
            {**shape, "class": f"f-{'panel' if counter.is_pale else f'counter-{rank}'} s-ink", "stroke_width": 1.2},
        ),
        *([element("rect", {**shape, "fill": "url(#p-turned)"})] if counter.is_turned and not counter.is_pale else []),
        *(_edged(shape) if counter.is_changed or counter.is_at_stake else ()),
        *_shown(counter, rank, wide, high),
    ]
    parts += _numbered(counter, high)
    return "".join(parts)


def _edged(shape: Mapping[str, object]) -> list[str]:
    """Draw an edge in two colours, which shows on every ground."""
    edge = {**shape, "class": "bare s-paper", "stroke_width": 5}
    return [element("rect", edge), element("rect", {**edge, "class": "bare s-bad", "stroke_width": 3})]


def _numbered(counter: Counter, high: float) -> list[str]:
    """Draw how many of the same kind a counter so high stands for."""
    if counter.number == 1:
        return []
    # Beside the figures where it would lie on the name.
    is_low = bool(counter.top) and not counter.symbol and not counter.corner
    return _number(f"×{counter.number}", _wide(counter), high - 15 if is_low else -NUMBER_OVER)


def _number(label: str, wide: float, top: float) -> list[str]:
    across, right = _badge_width(label), wide + BADGE_BEYOND
    badge = {"x": short(right - across), "y": short(top), "width": short(across), "height": 16, "rx": 8}
    shape = element("rect", {**badge, "class": "f-panel s-ink", "stroke_width": 1})
    return [shape, text_at((right - across / 2, top + 12.5), label, TOP, "f-ink bold")]


def _badge_width(label: str) -> float:
    return width_of(label, TOP) + 8


def _shown(counter: Counter, rank: str, wide: float, high: float) -> list[str]:
    """Return what a counter shows: its face, or that it is closed."""
    if counter.card is not None:
        return face_of(counter, rank, wide, high)
    if counter.is_closed:
        return [text_at((wide / 2, high / 2 + 9), "?", 25, f"f-print-{rank} bold")]
    ink, pen = ("f-ink", "s-ink") if counter.is_pale else (f"f-print-{rank}", f"s-print-{rank}")
    face = _large_face if counter.is_large else _face
    return face(counter, ink, pen, wide, high)


def _large_face(counter: Counter, ink: str, pen: str, wide: float, high: float) -> list[str]:
    """Return name and figures in large print; letters one below the other and the symbol, which are smaller, are at their right."""
    name = counter.short or counter.top
    room = wide - 5 - LARGE_SIGN * bool(counter.signs)
    # Beside small letters there is a little room left.
    size = min(float(LARGE_TOP), LARGE_TOP * room / max(width_of(name, LARGE_TOP, is_bold=not counter.signs), 1))
    parts = [text_at((3, 20), name, size, f"{ink} bold", "start")] if name else []
    parts += [
        text_at((wide - 2, 11 + LARGE_SIGN * row), sign, LARGE_SIGN, f"{ink} bold", "end")
        for row, sign in enumerate(counter.signs)
    ]
    if counter.figures:
        parts.append(text_at((3, high - 5), counter.figures.replace(" ", ""), LARGE_FIGURES, f"{ink} bold", "start"))
    if counter.symbol:
        picture = {"d": SYMBOLS[counter.symbol], "class": f"line {pen}", "stroke_width": 2}
        x, y = wide - 2 - WIDTH * LARGE_SYMBOL, high - 6 - HEIGHT * LARGE_SYMBOL
        parts.append(
            element("path", {**picture, "transform": f"translate({short(x)} {short(y)}) scale({LARGE_SYMBOL})"})
        )
    return parts


def _face(counter: Counter, ink: str, pen: str, wide: float, high: float) -> list[str]:
    parts = []
    corner = ended_at(counter.corner, wide / 2 - 2, CORNER)
    room = wide - 9 - width_of(corner or counter.signs, CORNER)
    size = max(SMALLEST, min(float(TOP), TOP * room / max(width_of(counter.top, TOP, is_bold=True), 1)))
    top = ended_at(counter.top, room + 5, size)
    if top:
        parts.append(text_at((3, 12), top, size, f"{ink} bold", "start"))
    if corner or counter.signs:
        # A number reaches into the upper right corner.
        end = wide - (3 if counter.number == 1 else _badge_width(f"×{counter.number}") - BADGE_BEYOND + 2)
        # On a line with the name, or else above the symbol of a low counter.
        at, size = ((end, 11), CORNER) if corner else ((end, 11 if top else 8), SIGNS)
        parts.append(text_at(at, corner or counter.signs, size, ink, "end"))
    low = high - 8 if top or corner or high == LOW else high / 2 + 5
    if counter.symbol:
        x = wide - WIDTH - 4 if counter.figures else (wide - WIDTH) / 2
        picture = {"d": SYMBOLS[counter.symbol], "class": f"line {pen}", "stroke_width": 1.3}
        parts.append(element("path", {**picture, "transform": f"translate({short(x)} {short(low - 12)})"}))
    if counter.figures:
        # On the left, where they are visible in a fan.
        room = wide - (WIDTH + 6 if counter.symbol else 2)
        size = _figures_size(figures := counter.figures, room)
        if size < FIGURES:
            size = _figures_size(figures := figures.replace(" ", ""), room)
        parts.append(text_at((room / 2 + 1, low), figures, size, f"{ink} bold"))
    return parts


def _figures_size(figures: str, room: float) -> float:
    return min(float(FIGURES), FIGURES * (room - 3) / width_of(figures, FIGURES, is_bold=True))


def _wide(counter: Counter) -> float:
    if counter.is_large:
        return LARGE_CLOSED if counter.is_closed else LARGE_WIDE
    return CARD if counter.card is not None else WIDE


def _rows(counters: Sequence[Counter], width: float) -> list[Sequence[Counter]]:
    """Return the counters of a place in as few rows as fit into a width, all about as long; a counter that is too wide has a row of its own."""
    for number in range(1, len(counters)):
        rows = _shared_out(counters, number)
        if all(_natural(row) <= width for row in rows):
            return rows
    return _shared_out(counters, len(counters))


def _shared_out(counters: Sequence[Counter], number: int) -> list[Sequence[Counter]]:
    ends = [ceil(len(counters) * row / number) for row in range(number + 1)] if number else []
    return [counters[start:end] for start, end in pairwise(ends)]


def _height(counters: Sequence[Counter]) -> int:
    """Return how high the counters of a place are, all alike."""
    if any(one.is_large and not one.is_closed for one in counters):
        return LARGE_HIGH
    if any(one.card is not None for one in counters):
        return CARD_HIGH
    return HIGH if any(one.top or one.corner or one.is_closed for one in counters) else LOW


def _tops(rows: Sequence[Sequence[Counter]], high: int) -> list[float]:
    """Return how far each row of counters so high lies below the first; the numbers of a row lie below the row above it."""
    pitches = [high + GAP + (NUMBER_OVER if any(one.number > 1 for one in row) else 0) for row in rows[1:]]
    return list(accumulate(pitches, initial=0.0)) if rows else []


def _natural(row: Sequence[Counter]) -> float:
    """Return how wide a row is at least."""
    return sum(_steps(row)) + _wide(row[-1])


def _across(row: Sequence[Counter], width: float) -> float:
    """Return how wide a row is within a width."""
    return sum(_spaced(row, width)) + _wide(row[-1])


def _laid(row: Sequence[Counter], width: float) -> Iterable[tuple[Counter, float, float]]:
    """Return the counters of a row with how far each lies from its beginning, and how far the next one lies from it."""
    steps = _spaced(row, width)
    return zip(row, accumulate(steps, initial=0.0), (*steps, inf), strict=True)


def _spaced(row: Sequence[Counter], width: float) -> list[float]:
    """Return how far each counter lies from the next: side by side if there is room, else as a fan."""
    apart = [_wide(one) + GAP for one in row[:-1]]
    return apart if sum(apart) + _wide(row[-1]) <= width else _steps(row)


def _steps(row: Sequence[Counter]) -> list[float]:
    """Return how far each counter lies at least from the next: those alike but for name and figures are a fan that shows corner and symbol of the last."""
    return [
        FAN if one.corner and not one.is_large and _formation(one) == _formation(other) else _wide(one) + GAP
        for one, other in pairwise(row)
    ]


def _formation(counter: Counter) -> tuple[str, Side, str]:
    return (counter.corner, counter.side, counter.symbol)
