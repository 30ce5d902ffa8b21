"""Common frame of all pages, and pages that say what went wrong."""

from collections.abc import Mapping, Sequence

from server.page_parts.html import Content, link, tag
from server.web.http.static_files import VERSION

NAME = "War Diary"
VIEWPORT = "width=device-width, initial-scale=1"


def page(
    title: str,
    *contents: Content,
    kind: str,
    header: Content = None,
    scripts: Sequence[str] = (),
    data: Mapping[str, str | int] | None = None,
    styles: Sequence[str] = (),
    is_gold: bool = False,
) -> str:
    """Return a whole page.

    Args:
        title: For the window and for bookmarks.
        contents: What stands below the header.
        kind: The class of the page, which lays it out.
        header: What stands in the header beside the way home.
        scripts: The files of scripts that add to the page.
        data: What the script has to know, by the names of attributes.
        styles: Further style sheets.
        is_gold: Whether the icon is gold: the visitor is to decide.
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
        [tag("link", {"rel": "stylesheet", "href": static(name)}) for name in ("page.css", *styles)],
        [tag("script", {"src": static(name), "defer": True}) for name in scripts],
        tag(
            "link", {"rel": "icon", "href": static("icon-turn.svg" if is_gold else "icon.svg"), "type": "image/svg+xml"}
        ),
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
