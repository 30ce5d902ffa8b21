"""HTML made of elements. Text is escaped unless it is `Html`, which only this module and the drawing layer make."""

from collections.abc import Iterable
from html import escape

VOID = frozenset(("br", "hr", "img", "input", "link", "meta"))
"""The elements without contents."""


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = str | int | None | Iterable["Content"]
"""What an element holds: text, a number, HTML, nothing, or several of these."""

Attribute = str | int | bool | None


def html(content: Content) -> Html:
    """Return contents as HTML; text that is not HTML yet is escaped."""
    if isinstance(content, Html):
        return content
    if content is None:
        return Html("")
    if isinstance(content, (str, int)):
        return Html(escape(_visible(str(content)), quote=False))
    return Html("".join([html(one) for one in content]))


def tag(name: str, attributes: dict[str, Attribute] | None = None, *contents: Content) -> Html:
    """Return an element.

    Args:
        name: The element.
        attributes: Its attributes; one that is None or False is left out, one that is True has no value.
        contents: What it holds.
    """
    said = "".join([_attribute(key, value) for key, value in attributes.items()]) if attributes else ""
    return Html(f"<{name}{said}>" if name in VOID else f"<{name}{said}>{html(contents)}</{name}>")


def _attribute(key: str, value: Attribute) -> str:
    if value is None or value is False:
        return ""
    return f" {key}" if value is True else f' {key}="{escape(_visible(str(value)))}"'


def _visible(text: str) -> str:
    """Return text without characters that HTML cannot contain."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text)


def link(to: str, *contents: Content, **attributes: Attribute) -> Html:
    """Return a link; attributes are written with underscores for hyphens, `class_` for `class`."""
    return tag("a", {"href": to, **{_named(key): value for key, value in attributes.items()}}, *contents)


def div(class_: str, *contents: Content) -> Html:
    """Return a division of a class."""
    return tag("div", {"class": class_}, *contents)


def span(class_: str, *contents: Content) -> Html:
    """Return a part of a line, of a class."""
    return tag("span", {"class": class_}, *contents)


def described(rows: list[tuple[Content, Content]], class_: str = "facts") -> Html:
    """Return terms with their descriptions; none without a description."""
    shown = [(term, text) for term, text in rows if html(text)]
    return tag(
        "dl", {"class": class_}, [div("fact", tag("dt", None, term), tag("dd", None, text)) for term, text in shown]
    )


def _named(key: str) -> str:
    return key.rstrip("_").replace("_", "-")
