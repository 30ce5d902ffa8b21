"""Elements of SVG with all text escaped, and how wide text will be."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from textwrap import wrap
from xml.sax.saxutils import escape, quoteattr

WIDE, BOLD = 0.56, 0.64
"""The mean width of a character of the fonts in use, in parts of the size of the font."""
KEPT_MAX = 4_096
"""How many broken texts are kept: the same names are tried in several widths for every picture."""


def content(text: str) -> str:
    """Return text for an element, with characters that XML cannot contain replaced."""
    return escape(without_controls(text))


def attribute(text: object) -> str:
    """Return a quoted value for an attribute."""
    said = without_controls(str(text))
    # Most values are numbers and classes, for which looking is faster than escaping.
    if "&" in said or "<" in said or ">" in said or '"' in said:
        return quoteattr(said)
    return f'"{said}"'


def without_controls(text: str) -> str:
    """Replace the characters that XML cannot contain by spaces."""
    return text if text.isprintable() else "".join([char if char.isprintable() else " " for char in text])


def element(name: str, attributes: Mapping[str, object], *inside: str) -> str:
    """Return an element; an attribute that is None is left out, and an underscore in its name becomes a hyphen."""
    said = "".join(
        f" {key.replace('_', '-')}={attribute(value)}" for key, value in attributes.items() if value is not None
    )
    return f"<{name}{said}>{''.join(inside)}</{name}>" if inside else f"<{name}{said}/>"


def text_at(at: tuple[float, float], text: str, size: float, class_: str = "f-ink", anchor: str = "middle") -> str:
    """Return a line of text; `at` is on its base line, where it begins, ends or has its middle (`anchor`); with a halo the middle goes without saying."""
    attributes = {"x": short(at[0]), "y": short(at[1]), "font_size": short(size), "class": class_}
    is_said = anchor == "start" or (anchor == "middle" and "halo" in class_)
    return element("text", {**attributes, "text_anchor": None if is_said else anchor}, content(text))


def short(number: float) -> str:
    """Return a coordinate with one digit behind the point at most."""
    return f"{number:.1f}".removesuffix(".0")


def points(outline: Sequence[tuple[float, float]]) -> str:
    """Return the corners of a polygon."""
    return " ".join(f"{short(x)},{short(y)}" for x, y in outline)


def width_of(text: str, size: float, *, is_bold: bool = False) -> float:
    """Return about how wide a line of text is."""
    return len(text) * (BOLD if is_bold else WIDE) * size


def wrapped_to(text: str, width: float, size: float) -> list[str]:
    """Break text into lines of about a width; a single long word is not broken."""
    return list(_wrapped(text, max(1, int(width / (WIDE * size))))) if text else []


@lru_cache(maxsize=KEPT_MAX)
def _wrapped(text: str, most: int) -> tuple[str, ...]:
    return tuple(wrap(text, most, break_long_words=False))


def ended_at(text: str, width: float, size: float) -> str:
    """Return text that is not wider than a width, with an ellipsis in the place of what is left out."""
    most = int(width / (WIDE * size))
    return text if len(text) <= most else f"{text[: max(0, most - 1)].rstrip()}…"
