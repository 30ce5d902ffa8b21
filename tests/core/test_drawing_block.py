"""What stands in a place as one block: its text and its counters."""

from xml.etree import ElementTree

import pytest

from core.drawing.block import NAME, WORDS, Content, Drawn, drawn_in_cell
from core.drawing.lit import ASIDE, KNOB, RING
from core.drawing.sheet import Counter
from events.ids import Side

RED = Side("red")
CELL = ((0, 0), (240, 0), (240, 280), (0, 280))
CHART = ("0-3 Rubble: 2 Rations", "While you Control it, draw 1 more card")


def block(inside: Content) -> Drawn:
    return drawn_in_cell(inside, (RED,), (200.0,), CELL, ())


def lines(drawn: Drawn) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(f"<g>{drawn.svg}</g>").iter("text"))


@pytest.mark.parametrize(
    ("is_read", "size", "look"), [(False, WORDS, "f-mut halo s-paper"), (True, NAME, "f-ink halo")]
)
def test_the_text_of_a_card_is_as_large_and_dark_as_its_name(is_read: bool, size: int, look: str) -> None:
    """A halo would blur it on a tinted ground."""
    _, name, *words = lines(block(Content("2", "The Docks", words=CHART, is_read=is_read)))

    assert (name.text, name.get("font-size")) == ("The Docks", str(NAME))
    assert " ".join(str(line.text) for line in words) == " ".join(CHART)
    assert {(line.get("font-size"), line.get("class")) for line in words} == {(str(size), look)}


def test_the_ring_and_the_knob_of_a_lit_card_lie_below_the_text_above_it() -> None:
    drawn = block(Content(name="German Control", stack=(Counter("14th Panzer", RED, top="14th Panzer", is_card=True),)))
    (name,) = lines(drawn)[:1]
    ((_, top, _, _), _) = drawn.counters[0]

    assert float(name.attrib["y"]) + NAME * 0.2 <= top - ASIDE - max(KNOB, RING)
