"""The quick way to read a page finds what html5lib alone finds, in the pages of every game and where something is wrong."""

from xml.etree.ElementTree import Element

import pytest
from html5lib.html5parser import ParseError

from core.registry.games import GAMES
from events.memory_log import MemoryLog
from tests.support.browsing import browsed, played
from tests.support.parsing import SVG, by_html5lib, parsed
from tests.support.rows import each_row
from tests.support.soak import sampled


def page(picture: str) -> str:
    return f"<!doctype html><html><head><title>A page</title></head><body><p>Seen: {picture}.</p></body></html>"


def written(one: Element) -> tuple[object, ...]:
    """Return all that is in an element, and the order of its attributes."""
    return one.tag, list(one.attrib.items()), one.text or "", one.tail or "", [written(part) for part in one]


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_a_page_is_read_as_html5lib_reads_it(game: str) -> None:
    log = MemoryLog()
    match = played(log, game, 40)
    with browsed(log) as (pages, _):
        text = pages.browser().get(f"/m/{match}").text

    # The second time nothing is new.
    assert [written(parsed(text)), written(parsed(text))] == [written(by_html5lib(text))] * 2
    assert sum(1 for _ in parsed(text).iter(f"{SVG}svg")) > 5


@each_row(
    ("right", "wrong"),
    [
        ("</h1>", ""),
        ('<a href="/" class="home">', '<a href="/" class="home"><a href="/">'),
        (' lang="en"', ' lang="en" lang="de"'),
        ("</form>", "<form></form></form>"),
        ("</title>", "</title><p>Early.</p>"),
        ("</body>", "</body>Late."),
    ],
)
def test_what_is_wrong_in_a_page_that_was_read_before_is_an_error(right: str, wrong: str) -> None:
    log = MemoryLog()
    match = played(log, "battle", 40)
    with browsed(log) as (pages, _):
        text = pages.browser().get(f"/m/{match}").text
    parsed(text)
    harmed = text.replace(right, wrong, 1)

    assert harmed != text
    for read in (by_html5lib, parsed):
        with pytest.raises(ParseError):
            read(harmed)


@each_row(
    "picture",
    [
        '<svg viewBox="0 0 1 1"><title>A &amp; b</title>then <g id="x"/> and<g/></svg>',
        "<svg VIEWBOX='0 0 1 1'></svg>",
        '<svg><g ID="x"></g></svg>',
        "<svg><clippath></clippath></svg>",
        "<svg><text>a\nb &nbsp; c</text><!-- not shown --></svg>",
        '<svg><g class="a\tb"></g></svg>',
        "<svg><title><b>bold</b></title></svg>",
        "<svg><svg></svg></svg>",
        "<svg><use xlink:href='#x'></use></svg>",
        '<svg xmlns="http://www.w3.org/2000/svg"></svg>',
    ],
)
def test_an_unusual_picture_is_read_as_html5lib_reads_it(picture: str) -> None:
    assert written(parsed(page(picture))) == written(by_html5lib(page(picture)))


@each_row(
    "picture",
    [
        '<svg><g id="x" id="y"></g></svg>',
        "<svg><p>beside</p></svg>",
        "<svg><g></svg>",
        "<svg></g></svg>",
        "<svg><g class=a b'></g></svg>",
        "<svg><text>a & b &x; c</text></svg>",
        "<svg><text>\x85</text></svg>",
        "<svg><g>",
    ],
)
def test_what_a_browser_would_have_to_mend_is_an_error(picture: str) -> None:
    with pytest.raises(ParseError):
        by_html5lib(page(picture))
    with pytest.raises(ParseError):
        parsed(page(picture))
