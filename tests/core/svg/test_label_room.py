"""On the maps of whole matches no counter covers a name or what another one shows, and no name covers another one."""

import re
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from core.drawing.drawing import drawing_of, spread_of
from core.drawing.picture_svg import draw_maps
from core.match.bound_games import bound_game
from core.narration.sheet import Counter, Drawing, Spread
from core.svg.counter_svg import FAN, GAP, PALE, WIDE, Counters
from core.svg.svg_text import width_of
from core.svg.symbols import HEIGHT, WIDTH
from events.codec import replace
from events.ids import GameKey, Side
from projections.state.fold import fold
from projections.state.table import Table
from tests.support import golden
from tests.support.rows import each_row
from tests.support.soak import sampled

SVG = "{http://www.w3.org/2000/svg}"
MOMENTS = 6
LEAST = 1.0
"""How far boxes must lie over each other both ways to count, in pixels: widths of text are estimates."""
NAMES = ("advance/main", "axis_allies/race", "axis_allies/uranus", "battle/standard", "inferno/standard")

Box = tuple[float, float, float, float]


class Shown(NamedTuple):
    """A counter on a map: its box, and those of what it shows: of symbols and corners with what they are."""

    box: Box
    parts: list[tuple[str, Box]]


MADE = re.compile(r'(<g|<(?:polygon points|path d)="[^"]*") id="(k\d+-\d+|o\d+-\d+)"(?:/>|>(.*?)</g>)')
USED = re.compile(r'<use href="#([^"]*)"([^<>]*)/>')
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


def places_of(drawn: str) -> list[ElementTree.Element]:
    """Return the groups of the places of a drawing, with what it defines once in all its places."""
    made = {found[2]: found for found in MADE.finditer(drawn)}

    def written_out(found: re.Match[str]) -> str:
        shared = made[found[1]]
        return USED.sub(written_out, shared[3]) if shared[1] == "<g" else f"{shared[1]}{found[2]}/>"

    whole = USED.sub(written_out, MADE.sub("", drawn))
    root = ElementTree.fromstring(whole.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))
    return [one for one in root.iter(f"{SVG}g") if one.attrib.get("id", "").startswith("place-")]


def covered(drawn: str) -> list[str]:
    """Name the pairs of places of a map of which one covers a name of the other, or its own."""
    places = places_of(drawn)
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


def shown_in(group: ElementTree.Element, x: float = 0, y: float = 0, scale: float = 1) -> Iterator[Shown]:
    """Yield the counters in a group in the order in which they are drawn."""
    found = MOVED.fullmatch(group.attrib.get("transform", ""))
    if found is not None:
        x, y, scale = x + float(found[1]) * scale, y + float(found[2]) * scale, scale * float(found[3] or 1)
    if group.attrib.get("class") != "counter":
        for inside in group.findall(f"{SVG}g"):
            yield from shown_in(inside, x, y, scale)
        return

    def moved(left: float, top: float, wide: float, high: float) -> Box:
        return (x + left * scale, y + top * scale, x + (left + wide) * scale, y + (top + high) * scale)

    rects = [[float(one.get(key, 0)) for key in ("x", "y", "width", "height")] for one in group.iter(f"{SVG}rect")]
    parts = [("", moved(*one)) for one in rects if one[1]]
    for line in group.findall(f"{SVG}text"):
        size, at, low = (float(line.attrib[key]) for key in ("font-size", "x", "y"))
        wide, anchor = width_of(line.text or "", size, is_bold="bold" in line.attrib["class"]), line.get("text-anchor")
        left = at - wide * {"middle": 0.5, "end": 1.0}.get(anchor or "", 0.0)
        parts.append(
            (f"corner {line.text}" if anchor == "end" else "", moved(left, low - 0.75 * size, wide, 0.75 * size))
        )
    for path in group.findall(f"{SVG}path"):
        spot = MOVED.fullmatch(path.get("transform", ""))
        size = float(spot[3] or 1) if spot else 1
        parts += (
            [(path.attrib["d"], moved(float(spot[1]), float(spot[2]), WIDTH * size, HEIGHT * size))] if spot else []
        )
    yield Shown(moved(*rects[0]), parts)


def hidden(drawn: str) -> list[str]:
    """Name what counters of a map show and others cover; in a fan the last one shows the corner and the symbol of all."""
    there = [(one.attrib["id"], shown) for one in places_of(drawn) for shown in shown_in(one)]
    return [
        f"counter of {other} on {what or 'a text'} of {place}"
        for number, (place, under) in enumerate(there)
        for other, over in there[number + 1 :]
        for what, part in under.parts
        if cover(over.box, part) and not (what and place == other and what in dict(over.parts))
    ]


def moments(name: str) -> Iterator[tuple[int, Drawing, Spread]]:
    """Yield what is drawn of a golden match at several moments, with the number of the event."""
    desk = golden.kept(name)
    narration = bound_game(GameKey(name.split("/", maxsplit=1)[0]), None).narration
    events = [event for commit in desk.commits for event in commit.events]
    table = Table()
    stops = {len(events) * number // MOMENTS for number in range(1, MOMENTS + 1)}
    for number, event in enumerate(events, start=1):
        fold([event], table)
        if number in stops:
            drawing = drawing_of(narration, table, "Title")
            yield number, drawing, spread_of(drawing, narration, table, None)


@pytest.mark.parametrize(
    "name",
    sampled(
        [name for name in NAMES if not name.startswith("battle")],
        lambda name: name in ("axis_allies/race", "inferno/standard"),
    ),
)
def test_no_counter_covers_a_name_or_what_another_shows_and_no_name_another(name: str) -> None:
    found = [
        f"{number}: {one}"
        for number, drawing, spread in moments(name)
        for _, drawn in draw_maps(drawing.sheet, spread)
        for one in (*covered(drawn), *hidden(drawn))
    ]

    assert found == []


def signs_on(counter: Counter) -> Iterator[str]:
    """Yield what a counter shows besides what is printed on one piece alone."""
    yield from [counter.symbol] if counter.symbol else []
    yield from ["×2"] if counter.number > 1 else []
    yield from [PALE if counter.is_pale else "///"] if counter.is_turned else []
    yield from ["?"] if counter.is_closed else []


@each_row("name", NAMES)
def test_the_legend_explains_all_signs_on_counters(name: str) -> None:
    shown, explained = set[str](), set[str]()
    for _, drawing, spread in moments(name):
        explained |= {*drawing.sheet.symbols, *drawing.sheet.prints}
        counters = [*spread.beside.values(), *[one for stack in spread.stacks.values() for one in stack]]
        shown |= {sign for counter in counters for sign in signs_on(counter)}

    assert shown <= explained


def test_a_covered_name_is_found() -> None:
    place = '<g id="place-a"><text x="50" y="20" font-size="15" class="f-ink bold halo">Name</text>{}</g>'
    on_it = '<g transform="translate(30 0)"><g transform="translate(4 4)" class="counter"><rect width="56" height="40"/></g></g>'
    below = on_it.replace("translate(30 0)", "translate(30 40) scale(0.5)")

    assert covered(f"<svg >{place.format(on_it)}</svg>") == ["counter of place-a on place-a"]
    assert covered(f"<svg >{place.format(below)}</svg>") == []
    twin = place.format("").replace("place-a", "place-b")
    assert covered(f"<svg >{place.format('')}{twin}</svg>") == ["place-a on place-b"]


def test_a_covered_number_is_found_and_a_fan_is_none() -> None:
    one, other = Counter("a", Side("r"), "armour", "1", "16", "5-6", number=2), Counter("b", Side("r"), figures="5-6")

    def drawn(second: Counter, across: float) -> str:
        both = [Counters((Side("r"),)).stack([it], at, 0, WIDE)[0] for it, at in ((one, 0.0), (second, across))]
        return f'<svg ><g id="place-a">{"".join(both)}</g></svg>'

    assert len(hidden(drawn(other, FAN))) == 4, "corner, symbol, and the number with its text"
    assert hidden(drawn(other, WIDE + GAP)) == []
    assert hidden(drawn(replace(one, number=1), FAN)) == ["counter of place-a on a text of place-a"] * 2
