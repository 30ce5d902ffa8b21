"""HTML read as browsers read it; anything that they would have to mend is an error.

A page is mostly pictures, and html5lib, which is written in Python, takes four fifths of its time for them. A picture that is read
alike as XML is therefore read so, and put into its place; any other is left to html5lib.

What is left of a page is read as XML, too, once html5lib has read alike whatever lies in whatever there: how HTML is read depends on
the elements around a place and on what came before it there.
"""

import re
from collections.abc import Iterator
from functools import cache
from xml.etree.ElementTree import XML, Element, ParseError

import html5lib
from html5lib.constants import adjustSVGAttributes

HTML = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
PICTURE = re.compile(r"<svg\b.*?</svg>", re.DOTALL)
UNLIKE = re.compile(r"<[!?]|[^\x20-\x7e\xa0-\ufdcf\ufdf0-\ufffd]")
"""What XML reads differently, or without an error where HTML has one: comments, declarations, line ends, and unusual characters."""

NAMES = frozenset(
    f"{SVG}{name}"
    for name in (
        *("a", "circle", "clipPath", "defs", "ellipse", "g", "line", "path", "pattern", "polygon", "polyline"),
        *("rect", "svg", "symbol", "text", "title", "tspan", "use"),
    )
)
"""Elements that HTML knows in a picture only; some others end the picture."""

CUT = "data-cut"

DOCTYPE, END = "<!DOCTYPE html>\n", "</body></html>\n"
TAG = re.compile(r'<([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<]*")?)*)>')
ATTRIBUTE = re.compile(r' ([a-z-]+)(?:="([^"]*)")?')
VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))

_met: set[tuple[str, ...]] = set()
"""Places of elements that were read alike in both ways: the names of the elements around each, its own, and that of the one before it."""


def parsed(text: str) -> Element:
    """Parse a page."""
    pictures: list[Element] = []

    def cut(found: re.Match[str]) -> str:
        picture = _as_xml(found[0])
        if picture is None:
            return found[0]
        pictures.append(picture)
        return f'<svg {CUT}="{len(pictures) - 1}"></svg>'

    page = _page(PICTURE.sub(cut, text))
    places = [one for one in page.iter(f"{SVG}svg") if CUT in one.attrib]
    assert [one.attrib[CUT] for one in places] == [str(number) for number, _ in enumerate(pictures)]
    for place, picture in zip(places, pictures, strict=True):
        place.attrib.clear()
        place.attrib.update(picture.attrib)
        place.text = picture.text
        place[:] = picture[:]
    return page


def _page(text: str) -> Element:
    """Parse a page without its pictures."""
    page = _page_as_xml(text)
    places = set() if page is None else set(_places(page, (), ""))
    if page is not None and places <= _met:
        return page
    read = by_html5lib(text)
    if page is not None and _are_alike(page, read):
        _met.update(places)
    return read


def _page_as_xml(text: str) -> Element | None:
    """Return a page, or None if it cannot be written as XML."""
    page = text.removeprefix(DOCTYPE).removesuffix(END)
    if len(page) != len(text) - len(DOCTYPE + END) or UNLIKE.search(page):
        return None
    try:
        # The line end after a page belongs to its body.
        return XML(TAG.sub(_closed, f"{page}\n</body></html>").replace("<html", f'<html xmlns="{HTML[1:-1]}"', 1))
    except ParseError:
        return None


def _closed(found: re.Match[str]) -> str:
    """Write a tag as in XML: each attribute has a value, and an element without an end has none."""
    name, attributes = found.groups()
    said = ATTRIBUTE.sub(lambda one: f' {one[1]}="{one[2] or ""}"', attributes)
    namespace = f' xmlns="{SVG[1:-1]}"' if name == "svg" else ""
    return f"<{name}{namespace}{said}{'/' if name in VOID else ''}>"


def _places(one: Element, around: tuple[str, ...], before: str) -> Iterator[tuple[str, ...]]:
    """Yield the place of an element and of all in it."""
    around = (*around, one.tag)
    yield (*around, before)
    before = "text" if one.text else ""
    for part in one:
        yield from _places(part, around, before)
        before = f"{part.tag} text" if part.tail else part.tag


def _are_alike(one: Element, other: Element) -> bool:
    return (
        (one.tag, one.attrib, one.text or "", one.tail or "")
        == (other.tag, other.attrib, other.text or "", other.tail or "")
        and len(one) == len(other)
        and all(map(_are_alike, one, other))
    )


def by_html5lib(text: str) -> Element:
    """Parse a page by html5lib alone."""
    page: Element = html5lib.HTMLParser(strict=True).parse(text)
    return page


def _as_xml(text: str) -> Element | None:
    """Return a picture, or None unless XML and HTML read it alike."""
    if UNLIKE.search(text):
        return None
    try:
        picture = XML(text.replace("<svg", f'<svg xmlns="{SVG[1:-1]}"', 1))
    except ParseError:
        return None
    return picture if all(_is_alike(one) for one in picture.iter()) else None


def _is_alike(one: Element) -> bool:
    if one.tag not in NAMES or (one.tag == f"{SVG}title" and len(one)):
        return False
    return all(map(_is_named_alike, one.attrib))


@cache
def _is_named_alike(name: str) -> bool:
    """Return whether XML and HTML read an attribute's name alike."""
    return name in adjustSVGAttributes.values() or re.fullmatch("[a-z0-9-]+", name) is not None
