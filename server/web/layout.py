"""What all pages have in common: the frame, and pages that say what went wrong."""

from collections.abc import Mapping, Sequence

from core.telling.sorts import sort_of_command
from server.pages.html import Attribute, Content, Html, link, tag
from server.protocol.replies import LegalOption
from server.web.static_files import VERSION

NAME = "War Diary"
VIEWPORT = "width=device-width, initial-scale=1"
WORDS_MAX = 90
"""How many characters the words of an option have that all stand out alike, two lines of a narrow page."""


def page(
    title: str,
    *contents: Content,
    kind: str,
    header: Content = None,
    scripts: Sequence[str] = (),
    data: Mapping[str, str | int] | None = None,
) -> str:
    """Return a whole page.

    Args:
        title: For the window and for bookmarks.
        contents: What stands below the header.
        kind: The class of the page, which lays it out.
        header: What stands in the header beside the way home.
        scripts: The files of scripts that add to the page.
        data: What the script has to know, by the names of attributes.
    """
    head = tag(
        "head",
        None,
        tag("meta", {"charset": "utf-8"}),
        tag("meta", {"name": "viewport", "content": VIEWPORT}),
        tag("meta", {"name": "color-scheme", "content": "light dark"}),
        tag("meta", {"name": "referrer", "content": "same-origin"}),
        tag("title", None, f"{title} · {NAME}"),
        tag("link", {"rel": "stylesheet", "href": static("drawing.css")}),
        tag("link", {"rel": "stylesheet", "href": static("page.css")}),
        [tag("script", {"src": static(name), "defer": True}) for name in scripts],
        tag("link", {"rel": "icon", "href": static("icon.svg"), "type": "image/svg+xml"}),
    )
    skip = link("#main", "Skip to the contents", class_="skip")
    top = tag("header", {"class": "top"}, link("/", NAME, class_="home"), header)
    known = {f"data-{name}": value for name, value in (data or {}).items()}
    main = tag("main", {"id": "main", "class": kind, **known}, *contents)
    return f"<!DOCTYPE html>\n{tag('html', {'lang': 'en'}, head, tag('body', None, skip, top, main))}\n"


def static(name: str) -> str:
    """Return the address of a file that pages load."""
    return f"/static/{name}?v={VERSION}"


def message_page(title: str, what: str, advice: Content) -> str:
    """Return a page that says what happened and what to do."""
    return page(title, tag("h1", None, title), tag("p", None, f"{what}"), tag("p", None, advice), kind="message")


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
