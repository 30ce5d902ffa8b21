"""Draws a piece that is a card: its symbol and name, the number that counts now, its tokens, and its effect in a few words."""

from collections.abc import Iterator, Sequence

from core.narration.card_table import CardFace
from core.narration.sheet import Counter
from core.svg.palette import RANKS
from core.svg.svg_text import element, short, text_at
from core.svg.symbols import HEIGHT, SYMBOLS, WIDTH
from core.svg.text_measure import fitted, measured

WIDE, HIGH = 161, 52
"""The usual size of a card, in pixels."""
NUMBER, NAME, SMALL = 27, 13.5, 12
"""The sizes of text in pixels: the number that counts, the name, and all else."""
NAME_LINE, PIP_LINE, LINE = 17, 12, 14
"""How high the lines are, in pixels."""
INSIDE, BESIDE = 6, 8
"""Pixels between the left edge and the symbol, and between the right edge and the number."""
SYMBOL = 1.4
"""How much larger than usual its symbol is."""
TEXT = INSIDE + WIDTH * SYMBOL + INSIDE
"""Where its text begins."""
PIP, BETWEEN, PIPS_MAX, UNCOUNTED = 8, 2, 8, 5
"""The squares for tokens and the room between them, in pixels; how many are drawn at most, and how many need no number beside them."""
STAR, STARS_MAX = 0.62, 2
"""The size of a decoration, in parts of its symbol, and how many are drawn at most; more have a number."""
CORNERS = {RANKS[1]: 9}
"""The radius of the corners of a side's cards, where it is not 4."""
PIP_SIGN, STAR_SIGN = "pip", "star"
CARD_SIGNS = (PIP_SIGN, STAR_SIGN)
"""Stand in the prints of a sheet for the tokens and the decorations on cards."""


def card_height(counter: Counter) -> float:
    """Return how high a card is that is as low as its lines allow."""
    face = counter.card or CardFace()
    lines = sum(_line_heights(face)) + 4
    return max(lines, HIGH if face.printed else 40)


def face_of(counter: Counter, rank: str, wide: float, high: float) -> list[str]:
    """Draw what a card shows on its ground, in the print of its side.

    Args:
        counter: The card.
        rank: The tone of its side.
        wide: Its width in pixels.
        high: Its height in pixels.
    """
    face = counter.card or CardFace()
    ink, pen = f"f-print-{rank}", f"s-print-{rank}"
    return [
        *_symbol(counter, pen, high),
        *_number(counter, face, ink, wide, high),
        *_lines(counter, face, ink, wide, high),
    ]


def _line_heights(face: CardFace) -> list[float]:
    heights: list[float] = [NAME_LINE]
    if face.pips or face.without:
        heights.append(PIP_LINE if face.pips else LINE)
    heights += [LINE] if face.note else []
    return [*heights, *([LINE] if face.printed and not _is_beside(face) else [])]


def _is_beside(face: CardFace) -> bool:
    """Return whether what stands below the number has room beside the note; else it has a line of its own."""
    both = measured(face.note, SMALL, is_bold=face.is_acting) + measured(face.printed, SMALL) + 6
    return bool(face.note and face.printed) and both <= WIDE - TEXT - BESIDE


def _symbol(counter: Counter, pen: str, high: float) -> Iterator[str]:
    if counter.symbol:
        at = f"translate({INSIDE} {short((high - HEIGHT * SYMBOL) / 2)}) scale({SYMBOL})"
        yield element(
            "path", {"d": SYMBOLS[counter.symbol], "class": f"line {pen}", "stroke_width": 1.2, "transform": at}
        )


def _number(counter: Counter, face: CardFace, ink: str, wide: float, high: float) -> Iterator[str]:
    lines = sum(_line_heights(face))
    middle = high / 2 - (LINE / 2 if face.printed else 0)
    yield text_at((wide - BESIDE, middle + 9.5), counter.figures, NUMBER, f"{ink} bold", "end")
    if face.printed:
        yield text_at((wide - BESIDE, (high + lines) / 2 - 3), face.printed, SMALL, ink, "end")


def _lines(counter: Counter, face: CardFace, ink: str, wide: float, high: float) -> Iterator[str]:
    """Draw name, tokens and note, one below the other."""
    heights = _line_heights(face)
    top = (high - sum(heights)) / 2
    stars = min(face.stars, STARS_MAX)
    star_wide = WIDTH * STAR
    number = measured(counter.figures, NUMBER, is_bold=True)
    room = wide - TEXT - BESIDE - number - 3
    count = f"×{face.stars}" if face.stars > STARS_MAX else ""
    marks = stars * star_wide + measured(count, SMALL, is_bold=True)
    size = fitted(counter.top, room - marks, NAME, is_bold=True)
    yield text_at((TEXT, top + 13), counter.top, size, f"{ink} bold", "start")
    after = TEXT + measured(counter.top, size, is_bold=True) + 2
    for place in range(stars):
        at = f"translate({short(after + place * star_wide)} {short(top + 3)}) scale({STAR})"
        yield element("path", {"d": SYMBOLS["star"], "class": f"f-star {ink.replace('f-', 's-')}", "transform": at})
    if count:
        yield text_at((after + stars * star_wide, top + 13), count, SMALL, f"{ink} bold", "start")
    top += NAME_LINE
    if face.pips:
        yield from _pips(face.pips, ink, top + 1)
        top += PIP_LINE
    elif face.without:
        yield text_at((TEXT, top + 10), face.without, SMALL, f"{ink} bold", "start")
        top += LINE
    if face.note:
        low = measured(face.printed, SMALL) + 6 if _is_beside(face) else number + 3
        size = fitted(face.note, wide - TEXT - BESIDE - low, SMALL, is_bold=face.is_acting)
        class_ = f"{ink} bold" if face.is_acting else ink
        yield text_at((TEXT, top + 11), face.note, size, class_, "start")


def _pips(count: int, ink: str, top: float) -> Iterator[str]:
    """Draw tokens as squares, with their number where nobody would count them."""
    drawn = count if count <= PIPS_MAX else 1
    squares = "".join(
        f"M{short(TEXT + place * (PIP + BETWEEN))} {short(top)}h{PIP}v{PIP}h-{PIP}z" for place in range(drawn)
    )
    yield element("path", {"d": squares, "class": ink})
    if count > UNCOUNTED:
        said = str(count) if count <= PIPS_MAX else f"× {count}"
        yield text_at((TEXT + drawn * (PIP + BETWEEN) + 2, top + PIP + 0.5), said, SMALL, f"{ink} bold", "start")


def shape_of(rank: str, wide: float, high: float) -> dict[str, object]:
    """Return the shape of a card of a side."""
    return {"width": short(wide), "height": short(high), "rx": CORNERS.get(rank, 4)}


def card_legend(words: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Yield a sample of 28 by 16 pixels of each sign on cards (`CARD_SIGNS`), and what it means."""
    for sign, text in words:
        if sign == PIP_SIGN:
            yield f'<path d="M5 4h{PIP}v{PIP}h-{PIP}z M15 4h{PIP}v{PIP}h-{PIP}z" class="f-ink"/>', text
        else:
            at = "translate(6 1) scale(0.75)"
            yield element("path", {"d": SYMBOLS["star"], "class": "f-star s-ink", "transform": at}), text
