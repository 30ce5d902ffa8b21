"""On paper a page of a match shows the whole picture, and nothing that can only be clicked."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from events.ids import MatchId
from tests.support.site import Site, site
from tests.support.soak import few
from tests.support.visitors import Visitors

GAMES = ("advance", "axis_allies")
PLAYED = 20
PAPERS = {"A4 upright": (718, 1047), "A3 across": (1510, 1047)}
PICTURES = """
[...document.querySelectorAll(".sheet svg")].map((one) => {
  const { left, right, width, height } = one.getBoundingClientRect();
  return width > 300 && height > 250 && left >= 0 && right <= innerWidth;
})
"""
LEFT = """
[...document.querySelectorAll(".top > .home, .question > *, .log h2, .legend, .panel")].filter((one) => one.checkVisibility())
  .filter((one) => one.closest(".strips, .beside") === null || one.matches(":first-child"))
  .map((one) => Math.round(one.getBoundingClientRect().left))
"""
CHAPTERS = """
[...document.querySelectorAll(".log h2")].filter((one) => one.checkVisibility())
  .map((one) => [...one.nextElementSibling.children].filter((row) => row.checkVisibility()).length)
"""
CLICKED = (
    "[...document.querySelectorAll('.way, .zoom, .viewer, .verify')].filter((one) => one.checkVisibility()).length"
)


@pytest.fixture(scope="module")
def matches(browser: Browser) -> Iterator[tuple[Site, dict[str, MatchId]]]:
    with site() as made:
        yield made, {game: made.prepared(game, commands=PLAYED) for game in GAMES}


@pytest.mark.parametrize("paper", few(PAPERS))
@pytest.mark.parametrize("game", few(GAMES))
def test_the_picture_is_printed_whole(
    game: str, paper: str, matches: tuple[Site, dict[str, MatchId]], visitors: Visitors
) -> None:
    width, height = PAPERS[paper]
    made, known = matches
    visitor = visitors.new(made, width=width, height=height)
    visitor.look(known[game])
    visitor.page.emulate_media(media="print")
    pictures = visitor.page.evaluate(PICTURES)

    assert pictures
    assert all(pictures)
    assert visitor.page.evaluate(CLICKED) == 0
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_on_paper_all_begins_at_one_margin_and_no_heading_is_without_a_sentence(
    game: str, matches: tuple[Site, dict[str, MatchId]], visitors: Visitors
) -> None:
    width, height = PAPERS["A4 upright"]
    made, known = matches
    visitor = visitors.new(made, width=width, height=height)
    visitor.look(known[game], 30)
    visitor.page.emulate_media(media="print")

    assert len(set(visitor.page.evaluate(LEFT))) == 1
    assert all(visitor.page.evaluate(CHAPTERS))
    assert visitor.page.locator(".legend li").first.is_visible(), "the signs of the map are explained"


@pytest.mark.long
def test_the_ink_is_dark_on_paper_whatever_the_screen_is(
    matches: tuple[Site, dict[str, MatchId]], visitors: Visitors
) -> None:
    made, known = matches
    visitor = visitors.new(made, is_dark=True)
    visitor.look(known["advance"])
    ask = "getComputedStyle(document.querySelector('.sheet .f-ink')).fill"
    colours = [visitor.page.evaluate(ask)]
    visitor.page.emulate_media(media="print", color_scheme="dark")
    colours.append(visitor.page.evaluate(ask))

    on_screen, on_paper = (sum(map(int, colour[4:-1].split(","))) for colour in colours)
    assert on_screen > 384 > on_paper
