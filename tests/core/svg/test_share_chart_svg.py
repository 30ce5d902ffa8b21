"""The chart of shares: a line with its strip, names where they have room, marks inside it, and escaped words."""

import xml.etree.ElementTree as ET

from core.svg.share_chart_svg import ChartPoint, ChartSide, ShareChart, draw_share_chart

POINTS = (ChartPoint(10, 0.3, 0.5, 0.7), ChartPoint(50, 0.0, 0.0, 0.1), ChartPoint(100, 1.0, 1.0, 1.0))
CHART = ShareChart(
    said="Share of wins as <A>",
    side=ChartSide("A & co wins", "first"),
    others=ChartSide("B wins", "second"),
    points=POINTS,
    last=100,
    rounds=((5, "Turn 1"), (6, "Turn 2"), (60, "Turn 3"), (99, "Turn 4")),
    marks=((POINTS[1], "A"),),
)
SVG = "{http://www.w3.org/2000/svg}"


def drawn(width: int = 360, height: int = 196) -> ET.Element:
    svg = draw_share_chart(CHART, width, height).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return ET.fromstring(svg)


def test_all_points_lie_on_one_line_between_the_edges_of_the_strip() -> None:
    svg = drawn()
    (line,) = svg.findall(f"{SVG}polyline")
    strip = svg.findall(f"{SVG}polygon")[1].attrib["points"].split()
    heights = [float(one.partition(",")[2]) for one in line.attrib["points"].split()]
    low = [float(one.partition(",")[2]) for one in strip[:3]]
    high = [float(one.partition(",")[2]) for one in reversed(strip[3:])]

    assert len(heights) == 3
    assert all(top <= here <= bottom for top, here, bottom in zip(high, heights, low, strict=True))
    assert svg.attrib["aria-label"] == "Share of wins as <A>"


def test_names_of_rounds_that_have_no_room_are_left_out_and_marks_stay_inside() -> None:
    svg = drawn()
    texts = ["".join(one.itertext()) for one in svg.findall(f"{SVG}text")]
    (mark,) = [one for one in svg.findall(f"{SVG}circle") if one.attrib["r"] == "11"]

    assert [one for one in texts if one.startswith("Turn")] == ["Turn 1", "Turn 3"]
    assert {"A & co wins", "B wins", "A", "0 %", "50 %", "100 %"} <= {*texts}
    assert 24 < float(mark.attrib["cy"]) < 196 - 10
