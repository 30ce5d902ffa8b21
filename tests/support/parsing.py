"""HTML read as browsers read it; anything that they would have to mend is an error.

A page is mostly pictures, and html5lib, which is written in Python, takes four fifths of its time for them. A picture that is read
alike as XML is therefore read so, and put into its place; any other is left to html5lib.
"""

import re
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


def parsed(text: str) -> Element:
    """Parse a page."""
    pictures: list[Element] = []

    def cut(found: re.Match[str]) -> str:
        picture = _as_xml(found[0])
        if picture is None:
            return found[0]
        pictures.append(picture)
        return f'<svg {CUT}="{len(pictures) - 1}"></svg>'

    page = by_html5lib(PICTURE.sub(cut, text))
    places = [one for one in page.iter(f"{SVG}svg") if CUT in one.attrib]
    assert [one.attrib[CUT] for one in places] == [str(number) for number, _ in enumerate(pictures)]
    for place, picture in zip(places, pictures, strict=True):
        place.attrib.clear()
        place.attrib.update(picture.attrib)
        place.text = picture.text
        place[:] = picture[:]
    return page


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
    known = adjustSVGAttributes.values()
    return all(name in known or re.fullmatch("[a-z0-9-]+", name) for name in one.attrib)
