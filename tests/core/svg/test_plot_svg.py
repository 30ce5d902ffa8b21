"""Plots have round ticks, all points within their axes, and a name at the end of each line."""

import re
from xml.etree import ElementTree

import pytest

from core.svg.plot_svg import HEIGHT, LINE, WIDTH, Plot, Series, draw_plot, ticks
from core.svg.shared_shapes import shared_parts
from tests.support.rows import each_row


@each_row(
    ("low", "high", "expected"),
    [
        (0, 9, [0, 2, 4, 6, 8, 10]),
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1]),
        (-13, 16, [-20, -10, 0, 10, 20]),
        (3, 3, [3, 3.2, 3.4, 3.6, 3.8, 4]),
        (0, 700, [0, 200, 400, 600, 800]),
    ],
)
def test_ticks_are_round_and_enclose_the_range(low: float, high: float, expected: list[float]) -> None:
    found = ticks(low, high)

    assert found[0] == pytest.approx(expected[0])
    assert found == pytest.approx(expected) or (found[0] <= low <= high <= found[-1] and len(found) <= 8)


def test_whole_numbers_have_whole_ticks() -> None:
    assert ticks(0, 2, are_whole=True) == [0, 1, 2]
    assert ticks(0, 2)[1] == 0.5
    texts = [text.text for text in drawn(Series("Reds", "first", ((1, 0), (2, 2)))).iter("text")]
    assert [text for text in texts if text and "." in text] == []


def drawn(*series: Series, **more: object) -> ElementTree.Element:
    return ElementTree.fromstring(draw_plot(Plot("Luck & more", "round", "points", series, **more)))  # type: ignore[arg-type]


RED = Series("Reds", "first", ((1, 3), (2, -7), (9, 12.5)))
BLUE = Series("Blues", "second", ((1, 3), (2, 4), (9, 12.4)))


def test_every_point_lies_on_the_plot() -> None:
    root = drawn(RED, BLUE, band=((0, -1, 1), (9, -30, 30)))
    numbers = [
        [float(one) for one in re.findall(r"-?[\d.]+", path.get("d", ""))]
        for path in root.iter("path")
        if "H" not in path.get("d", "")
    ]

    assert len(numbers) == 2
    assert all(0 <= x <= WIDTH for line in numbers for x in line[::2])
    assert all(0 <= y <= HEIGHT for line in numbers for y in line[1::2])
    assert len(list(root.iter("polygon"))) == 1


def test_lines_that_end_together_have_names_apart() -> None:
    heights = [float(text.get("y", 0)) for text in drawn(RED, BLUE).iter("text") if text.text in ("Reds", "Blues")]

    assert len(heights) == 2
    assert abs(heights[0] - heights[1]) >= LINE


def test_lines_are_told_apart_without_colour() -> None:
    dashes = [path.get("stroke-dasharray") for path in drawn(RED, BLUE).iter("path") if "H" not in path.get("d", "")]

    assert len(set(dashes)) == 2


def test_steps_keep_a_value_until_the_next_one() -> None:
    (path,) = [
        one.get("d", "")
        for one in drawn(Series("Reds", "first", ((0, 1), (5, 3)), is_steps=True)).iter("path")
        if "H" not in one.get("d", "")
    ]
    (_, first), (_, middle), (_, last) = [point.split(",") for point in path.split()[1:]]

    assert first == middle != last


def test_a_single_point_can_be_drawn() -> None:
    assert len(list(drawn(Series("Reds", "first", ((1, 0),))).iter("circle"))) == 1


# Drawings of one page


def test_what_drawings_have_in_common_is_written_once_and_used() -> None:
    land, first, second = (f'<path d="{letter * 80}"/>' for letter in "abc")
    short = "<g/>"
    made, pages = shared_parts([[land, short, first], [land, short, second]], "s")

    assert made == f'<g id="s0">{land}</g>'
    assert pages == [f'<use href="#s0"/>{short}{first}', f'<use href="#s0"/>{short}{second}']


def test_clips_are_kept_and_places_lose_their_ids() -> None:
    clip = f'<clipPath id="c-{"a" * 80}"><rect/></clipPath>'
    place = '<g id="place-1"><title>One</title></g>'
    made, pages = shared_parts([[clip, place], [clip]], "s")

    assert made == clip
    assert pages == ["<g><title>One</title></g>", ""]
