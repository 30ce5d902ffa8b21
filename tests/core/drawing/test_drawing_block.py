"""What stands in a place as one block: its text and its counters."""

from math import sqrt
from xml.etree import ElementTree

from core.drawing.block import NAME, WORDS, Content, Drawn, drawn_in_cell
from core.drawing.map_svg import Map
from core.geometry.hexes import Hex
from core.narration.render_model import MapPlace
from core.narration.sheet import Badge, Counter, Land, Sheet, Spread
from core.shapes.outlines import HexLayout
from core.svg.counter_svg import WIDE
from events.ids import PlaceId, Side
from tests.support.rows import each_row

RED = Side("red")
CELL = ((0, 0), (240, 0), (240, 280), (0, 280))
CHART = ("0-3 Rubble: 2 Rations", "While you Control it, draw 1 more card")


SIDE = 75
HEX = HexLayout(SIDE).outline(Hex(0, 0))
RIM = 0.9 * SIDE - 2
"""The side of what lies inside the frame of a hex."""


OVAL = ((60, 0), (120, 0), (176, 17), (180, 80), (158, 112), (90, 106), (30, 98), (0, 60), (3, 40), (20, 16))
"""A small place."""


def large(label: str, badges: int, counters: int, *, is_closed: bool = False) -> Drawn:
    """Draw a hex in large print with so many badges and counters."""
    stack = tuple(Counter(f"{n}", RED, short=f"{n}", is_large=True, is_closed=is_closed) for n in range(counters))
    inside = Content(label, badges=(Badge("infantry"),) * badges, stack=stack, is_large=True)
    return drawn_in_cell(inside, (RED,), (125.0,), HEX, ())


def block(inside: Content) -> Drawn:
    return drawn_in_cell(inside, (RED,), (200.0,), CELL, ())


def lines(drawn: Drawn) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<g>{drawn.svg}</g>").iter("text"))


@each_row(("is_read", "size", "look"), [(False, WORDS, "f-mut halo s-paper"), (True, NAME, "f-ink halo")])
def test_the_text_of_a_card_is_as_large_and_dark_as_its_name(is_read: bool, size: int, look: str) -> None:
    """A halo would blur it on a tinted ground."""
    _, name, *words = lines(block(Content("2", "The Docks", words=CHART, is_read=is_read)))

    assert (name.text, name.get("font-size")) == ("The Docks", str(NAME))
    assert " ".join(str(line.text) for line in words) == " ".join(CHART)
    assert {(line.get("font-size"), line.get("class")) for line in words} == {(str(size), look)}


@each_row("is_closed", [True, False])
@each_row("counters", [0, 1, 3, 4])
@each_row(("label", "badges"), [("7", 0), ("7", 2), ("13", 3)])
def test_the_number_of_a_hex_and_its_badges_are_clear_of_the_frames(
    label: str, badges: int, counters: int, is_closed: bool
) -> None:
    drawn = large(label, badges, counters, is_closed=is_closed)
    (number,) = [line for line in lines(drawn) if line.text == label]
    left, _, right, _ = drawn.boxes[0]
    low = float(number.attrib["y"])
    high = low - 0.7 * float(number.attrib["font-size"])

    assert number.text == label
    for x, y in [(x, y) for x in (left, right) for y in (high, low)]:
        assert abs(y) <= RIM * sqrt(3) / 2
        assert abs(x) <= RIM - abs(y) / sqrt(3)


def test_a_short_row_of_counters_lies_in_the_middle_of_a_hex() -> None:
    *_, (last, _) = large("7", 0, 3).counters

    assert abs(last[0] + last[2]) <= 2


def four() -> tuple[Counter, ...]:
    return tuple(Counter(f"{n}", RED, figures=f"{n}/2", symbol="infantry") for n in range(4))


def width_in(drawn: Drawn) -> float:
    """Return how wide the first counter is."""
    (left, _, right, _), _ = drawn.counters[0]
    return right - left


def test_counters_do_not_shrink_for_a_wide_badge_above_them() -> None:
    """Each row needs only the width that it has."""
    badges = (Badge("burst", "A"), Badge("plate", "Ax no supply"))
    drawn = drawn_in_cell(Content(name="Tinguta", badges=badges, stack=four()), (RED,), (130.0, 110.0, 84.0), OVAL, ())

    assert width_in(drawn) > 0.8 * WIDE


def test_counters_lie_in_one_wide_row_before_they_shrink() -> None:
    long = PlaceId("long")
    place = MapPlace(long, "Long", "", 150, 30, outline=((0, 0), (300, 0), (300, 60), (0, 60)))
    sheet = Sheet("Title", (place,), {long: Land()}, sides=(RED,))
    counters = Map(sheet, "", Spread(stacks={long: four()})).counters_at(long)

    assert {right - left for (left, _, right, _), _ in counters} == {WIDE}
    assert len({top for (_, top, _, _), _ in counters}) == 1
