"""The feed of a match (Atom, RFC 4287): an entry for each chapter of its log, the newest first."""

from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, tostring

from core.telling.chosen_options import title_of
from core.telling.phrases import printable
from server.page_parts.story import Story, Told
from server.page_parts.times import iso
from server.web.http.addresses import at_match, of_match
from server.web.http.page_frame import NAME

ATOM = "http://www.w3.org/2005/Atom"
ENTRIES_MAX = 30
"""How many chapters a feed has at most."""
LINES_MAX = 40
"""How many sentences of a chapter it has at most, the last ones."""


def feed(story: Story, url: str) -> bytes:
    """Return the feed of a match.

    Args:
        story: The match as everybody has seen it.
        url: The address of the pages, without a slash at the end.
    """
    made = Element("feed", {"xmlns": ATOM})
    here = f"{url}{at_match(story.match)}"
    title = f"{title_of(story.now.game)}, {story.match}"
    _head(made, here, title, story.at(story.last), here)
    SubElement(made, "link", {"rel": "self", "href": f"{url}{of_match(story.match, 'feed.atom')}"})
    SubElement(SubElement(made, "author"), "name").text = NAME
    chapters = [list(group) for _, group in groupby(story.told, lambda one: one.heading)][-ENTRIES_MAX:]
    for chapter in reversed(chapters):
        _entry(SubElement(made, "entry"), story, url, chapter)
    return tostring(made, encoding="utf-8", xml_declaration=True)


def _entry(made: Element, story: Story, url: str, chapter: list[Told]) -> None:
    # Its first event names an entry, so that a chapter that goes on stays the same one.
    first, last = chapter[0].line.first, chapter[-1].line.last
    heading = story.heading(chapter[0].heading)
    _head(made, f"{url}{at_match(story.match, first)}", heading, story.at(last), f"{url}{at_match(story.match, last)}")
    said = [printable(one.line.sentence) for one in chapter[-LINES_MAX:]]
    SubElement(made, "content", {"type": "text"}).text = "\n".join(said)


def _head(made: Element, id_: str, title: str, at_ms: int, to: str) -> None:
    SubElement(made, "id").text = id_
    SubElement(made, "title").text = printable(title)
    SubElement(made, "updated").text = iso(at_ms)
    SubElement(made, "link", {"rel": "alternate", "href": to})
