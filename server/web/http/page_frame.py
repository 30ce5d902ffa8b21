"""Common frame of all pages, and pages that say what went wrong."""

from collections.abc import Mapping, Sequence
from urllib.parse import parse_qs

from events.ids import PUBLIC, Seat
from server.page_parts.html import Content, link, tag
from server.web.http.addresses import at_match, match_of
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


def message_page(title: str, what: str, advice: Content, ways: Content = None) -> str:
    """Return a page that says what happened, what to do, and where to go on."""
    told = [tag("h1", None, title), tag("p", None, what), tag("p", None, advice)]
    return page(title, *told, tag("p", None, ways) if ways else None, kind="message")


def ways_on(path: str, query: str, referrer: str = "", *, is_shown: bool = True, is_seated: bool = True) -> Content:
    """Return the links of a page that says what went wrong: to the match to which it belongs, as its visitor sees it, and to the list.

    Args:
        path: The path of the address that was asked for.
        query: Its query.
        referrer: The address of the page from which that was asked, if it is known.
        is_shown: Whether the match can be shown at all.
        is_seated: Whether the visitor can see it as the seat that the addresses name.
    """
    match, every = match_of(path), link("/matches", "All matches")
    if match is None or not is_shown:
        return every
    page_before, _, query_before = referrer.partition("://")[2].partition("?")
    queries = [query, query_before if match_of(f"/{page_before.partition('/')[2]}") == match else ""]
    seats = [seat for one in queries for seat in parse_qs(one).get("seat", [])] if is_seated else []
    to = at_match(match, seat=Seat(seats[0]) if seats else PUBLIC)
    return [link(to, "To the match"), " \N{MIDDLE DOT} ", every]
