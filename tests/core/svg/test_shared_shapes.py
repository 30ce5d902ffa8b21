"""Shapes that are drawn several times are written once, and what is drawn stays the same."""

from xml.etree import ElementTree

from core.narration.sheet import Counter
from core.svg.counter_svg import Counters
from core.svg.shared_shapes import shared_elements, shared_faces, shared_parts, shared_shapes
from events.codec import replace
from events.ids import Side

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


LINES = [f'<path d="M0,0 L{number},40 80,40" class="line s-mut" stroke-width="1.2"/>' for number in range(4)]


def test_parts_that_follow_each_other_in_all_drawings_are_one_definition() -> None:
    made, drawn = shared_parts([LINES, [*LINES[:2], "<g/>", *LINES[2:]]], "s")

    assert made == f'<g id="s0">{LINES[0]}{LINES[1]}</g><g id="s1">{LINES[2]}{LINES[3]}</g>'
    assert drawn == ['<use href="#s0"/><use href="#s1"/>', '<use href="#s0"/><g/><use href="#s1"/>']


def test_counters_that_look_alike_keep_their_titles_and_numbers_and_are_defined_once() -> None:
    piece = Counter("One", Side("red"), "infantry", figures="1/2")
    pieces = [piece, replace(piece, title="Two"), replace(piece, number=2), replace(piece, figures="3/3", number=2)]
    drawn = "".join(Counters((Side("red"),)).stack(pieces, 0, 0, 400))
    shared = ElementTree.fromstring(f"<svg>{shared_faces(drawn, 'k')}</svg>")
    counters = [one for one in shared.iter("g") if one.get("class") == "counter"]

    assert [one.findtext("title") for one in counters] == ["One", "Two", "2 × One", "2 × One"]
    assert [[use.get("href") for use in one.iter("use")] for one in counters] == [
        ["#k0"],
        ["#k0"],
        ["#k0", "#k1"],
        ["#k1"],
    ]
    assert [one.text for one in shared.iter("text")] == ["1/2", "×2", "3/3"]
    assert shared_faces(ONCE, "k") == ONCE


def test_like_counters_and_like_elements_are_defined_once_and_used_where_they_lie() -> None:
    rect = '<rect width="56" height="40" rx="2" class="f-counter-first s-ink" stroke-width="1.2"/>'

    def counter(at: str, title: str) -> str:
        return f'<g transform="{at}" class="counter" role="img"><title>{title}</title>{rect}</g>'

    first, second = shared_elements([counter("a", "One"), counter("b", "One") + counter("c", "Two")], "o")

    assert first.endswith('<use href="#o0-0" transform="a"/>')
    assert second == (
        '<use href="#o0-0" transform="b"/>'
        '<g transform="c" class="counter" role="img"><title>Two</title><use href="#o1-0"/></g>'
    )
    assert first.count("<title>One</title>") == 1
    assert rect.replace(" class", ' id="o1-0" class') in first
