"""Outlines that are drawn several times are written once, and what is drawn stays the same."""

from xml.etree import ElementTree

from core.drawing.sharing import shared_outlines

TWICE = '<polygon points="0,0 4,0 4,4" class="f-a"/><polygon points="0,0 4,0 4,4" class="s-b" stroke-width="2"/>'
ONCE = '<polygon points="1,1 2,2 3,1" class="f-c"/>'


def test_corners_that_come_twice_are_defined_once_and_used_with_their_own_looks() -> None:
    drawn = ElementTree.fromstring(f"<svg>{shared_outlines(TWICE + ONCE, 'o-')}</svg>")
    uses = list(drawn.iter("use"))

    assert [(one.get("href"), one.get("class"), one.get("stroke-width")) for one in uses] == [
        ("#o-0", "f-a", None),
        ("#o-0", "s-b", "2"),
    ]
    assert [(one.get("id"), one.get("points")) for one in drawn.iter("polygon")] == [
        ("o-0", "0,0 4,0 4,4"),
        (None, "1,1 2,2 3,1"),
    ]


def test_a_drawing_without_repetition_stays_as_it_is() -> None:
    assert shared_outlines(ONCE, "o-") == ONCE
