"""Places become one well-formed drawing, whatever characters their names contain."""

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from core.board_svg import INK, BorderLook, LegendEntry, MapStyle, PlaceLook, draw_svg
from core.ports import MapBorder, MapPlace
from events.ids import PlaceId

SPACE = "{http://www.w3.org/2000/svg}"


def place(name: str, *neighbours: str, x: int = 0, y: int = 0) -> MapPlace:
    return MapPlace(
        id=PlaceId(name), name=name, label=name, x=x, y=y, neighbours=tuple(PlaceId(other) for other in neighbours)
    )


def parsed(*places: MapPlace, looks: dict[PlaceId, PlaceLook] | None = None) -> ElementTree.Element:
    return ElementTree.fromstring(draw_svg("Title", places, looks or {}))


def texts(drawing: ElementTree.Element) -> list[str | None]:
    return [text.text for text in drawing.iter(f"{SPACE}text")]


def test_neighbours_are_joined_by_one_line() -> None:
    drawing = parsed(place("a", "b", "c"), place("b", "a", x=9), place("c", y=9))
    lines = [
        (line.attrib["x1"], line.attrib["y1"], line.attrib["x2"], line.attrib["y2"])
        for line in drawing.iter(f"{SPACE}line")
    ]

    assert lines == [("0", "0", "9", "0"), ("0", "0", "0", "9")]


def test_a_neighbour_off_the_map_is_not_joined() -> None:
    assert list(parsed(place("a", "box")).iter(f"{SPACE}line")) == []


def test_a_place_is_drawn_in_its_style() -> None:
    look = PlaceLook(fill="#123456", ring="#654321", lines=("2 armor", "Fresh"), title="Hill a")
    drawing = parsed(place("a"), looks={PlaceId("a"): look})
    circle = next(drawing.iter(f"{SPACE}circle"))

    assert (circle.attrib["fill"], circle.attrib["stroke"]) == ("#123456", "#654321")
    assert texts(drawing) == ["Title", "a", "a", "2 armor", "Fresh"]
    assert [title.text for title in drawing.iter(f"{SPACE}title")] == ["Title", "Hill a"]


def test_the_legend_stands_below_every_place() -> None:
    drawing = ElementTree.fromstring(draw_svg("Title", [place("a", y=500)], {}, [LegendEntry("#111111", "Clear")]))
    heights = [int(text.attrib["y"]) for text in drawing.iter(f"{SPACE}text") if text.text == "Clear"]

    assert len(heights) == 1
    assert heights[0] > 500


def test_a_remark_stands_below_the_title() -> None:
    drawing = ElementTree.fromstring(draw_svg("Title", [], {}, (), "Reconstructed."))

    assert texts(drawing) == ["Title", "Reconstructed."]


def test_a_drawing_without_places_is_well_formed() -> None:
    assert texts(parsed()) == ["Title"]


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4, unique=True), st.text(max_size=8))
def test_names_of_any_characters_keep_the_drawing_well_formed(names: list[str], line: str) -> None:
    places = [place(name, *names, x=number) for number, name in enumerate(names)]
    drawing = draw_svg(line, places, {PlaceId(names[0]): PlaceLook(fill=line, lines=(line,), title=line)})

    assert len(list(ElementTree.fromstring(drawing).iter(f"{SPACE}circle"))) == len(names)
    assert drawing.endswith("</svg>\n")


def test_a_border_between_spots_is_drawn_across_their_line() -> None:
    places = [
        MapPlace(PlaceId("a"), "a", "a", 0, 0, (PlaceId("b"),), borders=(MapBorder(PlaceId("b"), ("river", "mist")),)),
        place("b", "a", x=100),
    ]
    style = MapStyle(borders={"river": BorderLook("#0000ff", 4, "2 2")})
    joined, river = ElementTree.fromstring(draw_svg("Title", places, {}, style=style)).iter(f"{SPACE}line")

    assert joined.attrib["stroke"] == INK
    assert (river.attrib["stroke"], river.attrib["stroke-width"], river.attrib["stroke-dasharray"]) == (
        "#0000ff",
        "4",
        "2 2",
    )
    assert (river.attrib["x1"], river.attrib["x2"]) == ("50", "50")


def test_neighbours_with_a_common_border_are_not_joined_by_a_line() -> None:
    left = MapPlace(PlaceId("a"), "a", "a", 5, 5, (PlaceId("b"),), outline=((0, 0), (10, 0), (10, 10), (0, 10)))
    right = MapPlace(PlaceId("b"), "b", "b", 15, 5, (), outline=((10, 0), (20, 0), (20, 10), (10, 10)))
    drawing = parsed(left, right, looks={PlaceId("a"): PlaceLook(fill="#123456")})

    assert list(drawing.iter(f"{SPACE}line")) == []
    assert [cell.attrib["fill"] for cell in drawing.iter(f"{SPACE}polygon")] == ["#123456", "#ffffff"]
    assert list(drawing.iter(f"{SPACE}circle")) == []
