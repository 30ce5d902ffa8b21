"""Draws the parts of a table of cards: a Location card, and the line with what a side has besides."""

from collections.abc import Iterator
from typing import NamedTuple

from core.narration.card_table import CardTrack, Desk, PlaceCard
from core.svg.counter_svg import Counters
from core.svg.label_room import Box
from core.svg.palette import RANKS
from core.svg.silhouettes import HEIGHT, SILHOUETTES, WIDTH
from core.svg.svg_text import element, short, text_at
from core.svg.text_measure import broken, fitted, measured

CARD_PAD = 10
"""Pixels between the edge of a Location card and its text."""
TITLE, TITLE_LINE, TITLE_ROOM = 17.5, 19, 40
"""The size of its name and how high a line of it is, and how high the name is that takes two lines, in pixels."""
TITLE_SIZES, TITLE_LINES, TITLE_WIDER = (TITLE, 16.0, 14.5), 2, 0.96
"""The sizes of names that take more lines than there is room for, and how much wider the letters of titles are than those of text."""
STATE, SMALL, TEXT = 12.5, 12, 13
"""The sizes of its other text in pixels: holder, track, effect."""
LINE, TEXT_LINE = 18, 16.5
"""How high lines are, in pixels."""
TRACK, SQUARE, SQUARE_GAP = 58, 13, 1.5
"""Where the squares of a track begin, how high they are, and the room between them, in pixels."""
SCORES, SCORE_HIGH = 50, 30
"""How high the scores are with what they count, and how high their boxes are, in pixels."""
FIGURE, LONG_FIGURE, SCORE_NAME = 24, 19, 11
"""The sizes of a score of one figure, of a longer one, and of the name beside it, in pixels."""
SILHOUETTE_MIN = 30
"""With less room, in pixels, no silhouette is drawn."""
BACK_WIDE, BACK_HIGH = 15, 20
PIP = 11
"""The squares of what counts for victory, in pixels."""
APART = 18
"""Pixels between the facts of a desk."""


def card_height(card: PlaceCard, width: float) -> float:
    """Return how high a Location card is at least, in pixels."""
    lines = len(broken(card.effect, width - 2 * CARD_PAD, TEXT))
    track = 2 * LINE - 2 if card.track is not None else 0
    return CARD_PAD + TITLE_ROOM + LINE + track + (SCORES if card.scores else 0) + lines * TEXT_LINE + CARD_PAD


def card_parts(
    card: PlaceCard, holder: str, box: Box, counters: Counters, *, is_at_stake: bool, is_changed: bool
) -> Iterator[str]:
    """Draw a Location card.

    Args:
        card: The card.
        holder: The tone of the side that holds it, empty for none.
        box: Where it lies, in pixels.
        counters: Know the tones of the sides.
        is_at_stake: Whether what goes on is about it.
        is_changed: Whether it changed just now.
    """
    left, top, right, low = box
    inside = (left + CARD_PAD, right - CARD_PAD)
    yield from _edges(holder, box, is_at_stake=is_at_stake, is_changed=is_changed)
    y = top + CARD_PAD - 2
    yield from _title(card.name, left + CARD_PAD, y, right - left - 2 * CARD_PAD)
    y += TITLE_ROOM
    yield text_at((inside[0], y + 13), card.holder, STATE, f"f-{holder or 'ink'} bold", "start")
    yield text_at((inside[1], y + 13), card.gives, STATE, "f-ink", "end")
    y += LINE
    if card.track is not None:
        yield from _track(card.track, *inside, y)
        y += 2 * LINE - 2
    if card.scores:
        yield from _scores(card, counters, *inside, y)
        y += SCORES
    for line in broken(card.effect, inside[1] - inside[0], TEXT):
        yield text_at((inside[0], y + 14), line, TEXT, "f-ink", "start")
        y += TEXT_LINE
    yield from _silhouette(card.silhouette, inside, y + 6, low - 6)


def _edges(holder: str, box: Box, *, is_at_stake: bool, is_changed: bool) -> Iterator[str]:
    """Draw the ground of a card with the edge of its holder: solid for the first side, dashed for others."""
    left, top, right, low = box
    shape = {"x": short(left), "y": short(top), "width": short(right - left), "height": short(low - top), "rx": 8}
    yield element("rect", {**shape, "class": "f-panel s-frame", "stroke_width": 1})
    if is_at_stake or is_changed:
        dashes = None if is_at_stake else "9 6"
        yield element("rect", {**shape, "class": "bare s-bad", "stroke_width": 3, "stroke_dasharray": dashes})
    if holder:
        dashes = None if holder == RANKS[0] else "7 5"
        step = 3.5 if is_at_stake or is_changed else 1.5
        size = {"width": short(right - left - 2 * step), "height": short(low - top - 2 * step), "rx": 7}
        at = {"x": short(left + step), "y": short(top + step), **size}
        yield element("rect", {**at, "class": f"bare s-{holder}", "stroke_width": 3, "stroke_dasharray": dashes})


def _title(name: str, left: float, top: float, room: float) -> Iterator[str]:
    wide = room / TITLE_WIDER
    tried = [(size, broken(name, wide, size, is_bold=True)) for size in TITLE_SIZES]
    size, lines = next(((size, lines) for size, lines in tried if len(lines) <= TITLE_LINES), tried[-1])
    size = min([size, *[fitted(line, wide, size, is_bold=True) for line in lines]])
    base = top + (TITLE_ROOM - len(lines) * TITLE_LINE) / 2 + 15
    for number, line in enumerate(lines):
        yield text_at((left, base + number * TITLE_LINE), line, size, "f-ink titled", "start")


def _track(track: CardTrack, left: float, right: float, top: float) -> Iterator[str]:
    """Draw the squares of a track, the last of which ends the card, and below them what they give."""
    yield text_at((left, top + 12), f"{track.title} {track.filled}", SMALL, "f-ink", "start")
    yield text_at((left, top + LINE + 11), track.gives, SMALL, "f-ink", "start")
    begun = left + TRACK
    step = (right - begun + SQUARE_GAP) / max(track.squares, 1)
    wide = step - SQUARE_GAP
    for number in range(track.squares):
        is_last = number == track.squares - 1
        at = {"x": short(begun + number * step), "y": short(top + 2), "width": short(wide), "height": SQUARE}
        tone = "f-mut s-ink" if number < track.filled else "f-paper s-loss" if is_last else "f-paper s-mut"
        yield element("rect", {**at, "class": tone, "stroke_width": 1, "stroke_dasharray": "3 2" if is_last else None})
    now = 0
    for span in track.spans:
        start, end = begun + now * step, begun + (now + span.squares) * step - SQUARE_GAP
        # A track has a square for each token after none; as long as none lies there the first span counts.
        is_now = now <= max(track.filled - 1, 0) < now + span.squares
        line = {"d": f"M{short(start)} {LINE + top:.1f}H{short(end)}", "class": f"line s-{'ink' if is_now else 'mut'}"}
        yield element("path", {**line, "stroke_width": 2 if is_now else 1})
        tone = "f-ink bold" if is_now else "f-mut"
        yield text_at(((start + end) / 2, top + LINE + 13), span.words, SMALL, tone)
        now += span.squares


def _scores(card: PlaceCard, counters: Counters, left: float, right: float, top: float) -> Iterator[str]:
    """Draw what both sides have scored so far, side by side."""
    yield text_at((left, top + 11), card.scored, SMALL, "f-ink bold", "start")
    wide = (right - left - 4) / len(card.scores)
    for number, score in enumerate(card.scores):
        rank = counters.rank(score.side)
        x = left + number * (wide + 4)
        shape = {"x": short(x), "y": short(top + 16), "width": short(wide), "height": SCORE_HIGH, "rx": 5}
        yield element("rect", {**shape, "class": f"f-counter-{rank} s-ink", "stroke_width": 1.2})
        figure = str(score.figure).replace("-", "−")
        size = FIGURE if len(figure) == 1 else LONG_FIGURE
        yield text_at((x + 4, top + 35), score.name, SCORE_NAME, f"f-print-{rank}", "start")
        yield text_at((x + wide - 4, top + 31 + size * 0.36), figure, size, f"f-print-{rank} bold", "end")


def _silhouette(key: str, inside: tuple[float, float], top: float, low: float) -> Iterator[str]:
    room = min(low - top, HEIGHT)
    if key and room >= SILHOUETTE_MIN:
        scale = min((inside[1] - inside[0]) / WIDTH, room / HEIGHT)
        at = f"translate({short((inside[0] + inside[1] - WIDTH * scale) / 2)} {short(low - HEIGHT * scale)}) scale({scale:.2f})"
        yield element("path", {"d": SILHOUETTES[key], "class": "f-heavy", "transform": at})


class DeskLine(NamedTuple):
    """Place of the line of a desk: its top, its width, its height, and where the text in it ends, in pixels; whether its next piece is drawn behind."""

    top: float
    width: float
    height: float
    end: float
    is_drawn: bool = False


def desk_parts(desk: Desk, rank: str, line: DeskLine) -> Iterator[str]:
    """Draw what a side has besides, in one line from the left edge, in the tone of the side."""
    top, width, high, end, is_drawn = line
    shape = {"x": 0.5, "y": short(top + 0.5), "width": short(width - 1), "height": short(high - 1), "rx": 8}
    yield element("rect", {**shape, "class": "f-panel s-frame", "stroke_width": 1})
    base, x = top + high / 2 + 4.5, 10.0
    yield text_at((x, base), desk.name, TEXT, f"f-{rank or 'ink'} bold", "start")
    x += measured(desk.name, TEXT, is_bold=True) + APART
    if desk.goal is not None:
        words, now, of = desk.goal
        yield text_at((x, base), words, STATE, "f-ink", "start")
        x += measured(words, STATE) + 6
        for number in range(of):
            at = {"x": short(x), "y": short(top + high / 2 - PIP / 2), "width": PIP, "height": PIP, "rx": 2}
            tone = f"f-counter-{rank} s-ink" if number < now else "bare s-mut"
            yield element("rect", {**at, "class": tone, "stroke_width": 1.2})
            x += PIP + 3
        count = f"{now} of {of}"
        yield text_at((x + 3, base), count, STATE, "f-ink bold", "start")
        x += measured(count, STATE, is_bold=True) + APART
    if desk.backs:
        yield from _back(rank, x, top + (high - BACK_HIGH) / 2)
        x += BACK_WIDE + 6
    for words, figure in desk.facts:
        yield text_at((x, base), words, STATE, "f-ink", "start")
        x += measured(words, STATE) + 5
        yield text_at((x, base), figure, STATE, "f-ink bold", "start")
        x += measured(figure, STATE, is_bold=True) + APART
    if not desk.next_label:
        return
    if is_drawn:
        yield text_at((end, base - 8), desk.next_label, STATE, "f-ink", "end")
        yield text_at((end, base + 8), desk.next_cost, STATE, "f-ink bold", "end")
        return
    whole, named = (
        f"{desk.next_label} {words}, {desk.next_cost}" for words in (desk.next_words, desk.next_words.partition(":")[0])
    )
    said = whole if measured(whole, STATE) <= end - x else named
    yield text_at((end, base), said, STATE, "f-ink", "end")


def _back(rank: str, x: float, y: float) -> Iterator[str]:
    """Draw a card face down."""
    at = {"x": short(x), "y": short(y), "width": BACK_WIDE, "height": BACK_HIGH, "rx": 2}
    yield element("rect", {**at, "class": f"f-counter-{rank} s-ink", "stroke_width": 1})
    inner = {"x": short(x + 2.5), "y": short(y + 2.5), "width": BACK_WIDE - 5, "height": BACK_HIGH - 5, "rx": 1}
    yield element("rect", {**inner, "class": f"bare s-print-{rank}", "stroke_width": 0.8})
