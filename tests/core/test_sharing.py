"""Shapes that are drawn several times are written once, and what is drawn stays the same."""

from xml.etree import ElementTree

from core.drawing.sharing import shared_shapes

CORNERS = "0,0 40,0 80,40 40,80 0,80"
WAY = "M0,0 L40,0 80,40 40,80 0,80 M100,100 L120,120"
TWICE = f'<polygon points="{CORNERS}" class="f-a"/><polygon points="{CORNERS}" class="s-b" stroke-width="2"/>'
PATHS = f'<path d="{WAY}" class="line s-paper"/><path d="{WAY}" class="line s-ink"/>'
ONCE = '<polygon points="1,1 2,2 3,1 4,1 5,1 6,1 7,1" class="f-c"/>'
SHORT = '<path d="M0 8 h28" class="a"/><path d="M0 8 h28" class="b"/>'


def test_corners_that_come_twice_are_defined_once_and_used_with_their_own_looks() -> None:
    drawn = ElementTree.fromstring(f"<svg>{shared_shapes(TWICE + ONCE + PATHS, 'o-')}</svg>")
    uses = list(drawn.iter("use"))

    assert [(one.get("href"), one.get("class"), one.get("stroke-width")) for one in uses] == [
        ("#o-0", "f-a", None),
        ("#o-0", "s-b", "2"),
        ("#o-1", "line s-paper", None),
        ("#o-1", "line s-ink", None),
    ]
    assert [(one.get("id"), one.get("points")) for one in drawn.iter("polygon")] == [
        ("o-0", CORNERS),
        (None, "1,1 2,2 3,1 4,1 5,1 6,1 7,1"),
    ]
    assert [(one.get("id"), one.get("d")) for one in drawn.iter("path")] == [("o-1", WAY)]


def test_a_drawing_without_repetition_stays_as_it_is() -> None:
    assert shared_shapes(ONCE, "o-") == ONCE


def test_a_shape_that_is_shorter_than_its_use_stays_where_it_is() -> None:
    assert shared_shapes(SHORT, "o-") == SHORT
