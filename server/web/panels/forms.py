"""Forms of the pages, and the words of an option."""

from collections.abc import Mapping

from core.telling.option_headings import sort_of_command
from server.page_parts.html import Attribute, Content, Html, tag
from server.protocol.replies import LegalOption

WORDS_MAX = 90
"""How many characters the words of an option have that all stand out alike, two lines of a narrow page."""


def hidden_fields(values: Mapping[str, str]) -> list[Html]:
    """Return fields that a form sends besides what the visitor fills in."""
    return [tag("input", {"type": "hidden", "name": name, "value": value}) for name, value in values.items()]


def form(to: str, token: str, *contents: Content, class_: str = "", is_single: bool = False) -> Html:
    """Return a form that is sent to this server only, with the proof that it was made for this visitor.

    Args:
        to: Where it is sent.
        token: The proof.
        contents: What it holds.
        class_: Its class, or nothing.
        is_single: Whether it has a single button, which a script may press for a visitor who wishes so.
    """
    attributes: dict[str, Attribute] = {"method": "post", "action": to, "class": class_ or None}
    return tag("form", {**attributes, "data-single": is_single}, hidden_fields({"token": token}), *contents)


def option_words(option: LegalOption) -> Content:
    """Return the words of an option: those of a long one after what it is called each on a line of their own, not as prominent.

    What only names the sort of the option, such as a Long Move, does not tell it from others.
    """
    words, sort = option.words, sort_of_command(bytes(option.command))
    called, _, rest = words.partition(": ")
    is_sort = called.casefold() == sort.casefold()
    if len(words) <= WORDS_MAX or not rest or is_sort or called.count("(") > called.count(")"):
        return words
    parts = [rest] if any(one.count("(") != one.count(")") for one in rest.split("; ")) else rest.split("; ")
    return [f"{called}: ", [tag("small", None, part) for part in (*[f"{one}; " for one in parts[:-1]], parts[-1])]]
