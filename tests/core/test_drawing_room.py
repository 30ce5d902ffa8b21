"""On the maps of whole matches no counter covers a name, and no name covers another one."""

import re
from collections.abc import Iterator
from itertools import combinations
from xml.etree import ElementTree

import pytest

from core.bound_games import bound_game
from core.drawing.drawing import drawing_of, spread_of
from core.drawing.picture_svg import draw_maps
from core.drawing.svg_text import width_of
from events.ids import GameKey
from projections.fold import fold
from projections.table import Table
from tests.support import golden

SVG = "{http://www.w3.org/2000/svg}"
MOMENTS = 6
LEAST = 1.0
"""How far boxes must lie over each other both ways to count, in pixels: widths of text are estimates."""
NAMES = ("advance/main", "axis_allies/race", "axis_allies/uranus", "battle/standard", "inferno/standard")

Box = tuple[float, float, float, float]
MOVED = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)(?: scale\(([-\d.]+)\))?")


def cover(one: Box, other: Box) -> bool:
    across, along = min(one[2], other[2]) - max(one[0], other[0]), min(one[3], other[3]) - max(one[1], other[1])
    return across > LEAST and along > LEAST


def counters_in(group: ElementTree.Element, x: float = 0, y: float = 0, scale: float = 1) -> Iterator[Box]:
    """Yield the boxes of the counters in a group."""
    found = MOVED.fullmatch(group.attrib.get("transform", ""))
    if found is not None:
        x, y, scale = x + float(found[1]) * scale, y + float(found[2]) * scale, scale * float(found[3] or 1)
    if group.attrib.get("class") == "counter":
        shape = group.find(f"{SVG}rect")
        assert shape is not None
        yield (x, y, x + float(shape.attrib["width"]) * scale, y + float(shape.attrib["height"]) * scale)
        return
    for inside in group.findall(f"{SVG}g"):
        yield from counters_in(inside, x, y, scale)


def names_in(group: ElementTree.Element) -> Iterator[Box]:
    """Yield the boxes of the lines of a place's label and name, from the middle of a capital's height."""
    for line in group.findall(f"{SVG}text"):
        if "f-ink" in line.attrib["class"]:
            size, x, y = (float(line.attrib[key]) for key in ("font-size", "x", "y"))
            wide = width_of(line.text or "", size, is_bold="bold" in line.attrib["class"])
            yield (x - wide / 2, y - 0.75 * size, x + wide / 2, y + 0.2 * size)


def covered(drawn: str) -> list[str]:
    """Name the pairs of places of a map of which one covers a name of the other, or its own."""
    root = ElementTree.fromstring(drawn.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
    places = [one for one in root.iter(f"{SVG}g") if one.attrib.get("id", "").startswith("place-")]
    names = {one.attrib["id"]: list(names_in(one)) for one in places}
    counters = {one.attrib["id"]: list(counters_in(one)) for one in places}
    found = [
        f"counter of {one} on {other}"
        for one in names
        for other in names
        if any(cover(box, name) for box in counters[one] for name in names[other])
    ]
    found += [
        f"{one} on {other}"
        for one, other in combinations(names, 2)
        if any(cover(name, another) for name in names[one] for another in names[other])
    ]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_no_counter_covers_a_name_and_no_name_another(name: str) -> None:
    desk = golden.replayed(name, golden.stored(name))
    narration = bound_game(GameKey(name.split("/", maxsplit=1)[0]), None).narration
    events = [event for commit in desk.commits for event in commit.events]
    table, found = Table(), list[str]()
    stops = {len(events) * number // MOMENTS for number in range(1, MOMENTS + 1)}
    for number, event in enumerate(events, start=1):
        fold([event], table)
        if number in stops:
            drawing = drawing_of(narration, table, "Title")
            spread = spread_of(drawing, narration, table, None)
            found += [f"{number}: {one}" for _, drawn in draw_maps(drawing.sheet, spread) for one in covered(drawn)]

    assert found == []


def test_a_covered_name_is_found() -> None:
    place = '<g id="place-a"><text x="50" y="20" font-size="15" class="f-ink bold halo">Name</text>{}</g>'
    on_it = '<g transform="translate(30 0)"><g transform="translate(4 4)" class="counter"><rect width="56" height="40"/></g></g>'
    below = on_it.replace("translate(30 0)", "translate(30 40) scale(0.5)")

    assert covered(f"<svg >{place.format(on_it)}</svg>") == ["counter of place-a on place-a"]
    assert covered(f"<svg >{place.format(below)}</svg>") == []
    twin = place.format("").replace("place-a", "place-b")
    assert covered(f"<svg >{place.format('')}{twin}</svg>") == ["place-a on place-b"]
