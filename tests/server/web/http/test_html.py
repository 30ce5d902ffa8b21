"""Text becomes HTML without meaning anything in it; what visitors send in cookies is taken for nothing more than it is."""

import re
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from events.ids import MatchId, Seat
from server.page_parts.html import Html, html, link, tag
from server.web.http.addresses import at_match
from server.web.http.last_seen import SEEN_MATCHES_MAX, LastSeen
from server.web.http.static_files import FILES
from tests.support.browsing import HTML
from tests.support.rows import each_row

MATCH, RED = MatchId("abc"), Seat("red")


@given(st.text())
def test_any_text_stays_text(text: str) -> None:
    import html5lib

    page = tag("p", {"title": text}, text)
    parsed = html5lib.HTMLParser(strict=True, namespaceHTMLElements=True).parseFragment(page)
    (element,) = list(parsed)
    shown = "".join(char if char.isprintable() or char == "\n" else "\N{REPLACEMENT CHARACTER}" for char in text)

    assert element.tag == f"{HTML}p"
    assert (element.text or "") == shown
    assert element.get("title") == shown


def test_html_is_not_escaped_twice() -> None:
    assert html(["a < b ", Html("<b>c</b>"), None, 3]) == "a &lt; b <b>c</b>3"
    assert link("/", "home", aria_label="Home", class_="x") == '<a href="/" aria-label="Home" class="x">home</a>'


def test_addresses_quote_what_they_name() -> None:
    assert (
        at_match(MatchId("a/b?"), 3, Seat("red&blue"), is_why=True, to="now")
        == "/m/a%2Fb%3F@3?seat=red%26blue&why=1#now"
    )


@given(st.text(max_size=300))
def test_a_cookie_of_any_kind_is_understood_or_left_out(text: str) -> None:
    seen = LastSeen(text).before(MATCH, RED, 5)

    assert seen is None or seen >= 0
    assert LastSeen(LastSeen(text).noted(MATCH, RED, 7)).before(MATCH, RED, 9) == 7


def test_what_was_seen_is_kept_until_something_happens() -> None:
    first = LastSeen("").noted(MATCH, RED, 5)
    again = LastSeen(first).noted(MATCH, RED, 5)
    later = LastSeen(again).noted(MATCH, RED, 9)

    assert LastSeen("").before(MATCH, RED, 5) is None
    assert LastSeen(again).before(MATCH, RED, 9) == 5
    assert LastSeen(later).before(MATCH, RED, 9) == 5
    assert LastSeen(later).before(MATCH, RED, 12) == 9
    assert LastSeen(later).before(MATCH, Seat("blue"), 9) is None


def test_only_the_latest_matches_are_kept() -> None:
    text = ""
    for number in range(SEEN_MATCHES_MAX + 5):
        text = LastSeen(text).noted(MatchId(f"m{number}"), RED, 1)

    assert LastSeen(text).before(MatchId("m0"), RED, 2) is None
    assert LastSeen(text).before(MatchId(f"m{SEEN_MATCHES_MAX + 4}"), RED, 2) == 1
    assert len(text) < 2_000


# Colours

CSS = FILES["page.css"].data.decode()
ON: list[tuple[str, str]] = [
    ("ink", "paper"), ("ink", "panel"), ("ink", "panel2"), ("mut", "paper"), ("mut", "panel"), ("mut", "panel2"),
    ("act", "panel2"), ("act", "panel"), ("bad", "panel"), ("bad", "paper"), ("on-lit", "lit"), ("panel", "first"),
    ("first", "paper"), ("first", "panel"), ("on-card1", "card1"), ("on-card2", "card2"),
]  # fmt: skip
"""Text, and the ground on which it stands."""


def tokens(block: str) -> dict[str, str]:
    return dict(re.findall(r"--([a-z0-9-]+): (#[0-9a-f]{3,6});", block))


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    parts = [int(digits[at:to], 16) / 255 for at, to in pairwise((0, 2, 4, 6))]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@each_row(("text", "ground"), ON)
@each_row("theme", ["light", "dark", "print"])
def test_text_is_readable_on_every_ground(theme: str, text: str, ground: str) -> None:
    light, dark, print_ = [tokens(block) for block in re.findall(r":root \{(.*?)\}", CSS, re.DOTALL)]
    colours = {"light": light, "dark": dark, "print": {**light, **print_}}[theme]

    assert contrast(colours[text], colours[ground]) >= 4.5
