"""A stranger opens the home page, plays against a bot in one click, and gives the first own command with the next, or comes to the question before it that dice ask, in each game."""

from collections.abc import Iterator

import pytest

from core.registry.games import GAMES
from events.ids import GameKey
from tests.browser.test_own_server import own_pages
from tests.support.site import Site
from tests.support.soak import sampled
from tests.support.visitors import Visitors

CLICKS_MAX = 2
"""How many clicks the first own command takes at most, the one on the home page included."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Serve pages with a server and bots of their own, which take seconds to start."""
    with own_pages(tmp_path_factory.mktemp("first") / "own.db") as started:
        yield started


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_a_stranger_plays_at_once(game: GameKey, pages: Site, visitors: Visitors) -> None:
    visitor = visitors.new(pages)
    visitor.go("/")
    page = visitor.page
    page.locator(f'.card form:has(input[value="{game}"]) button.choose').click()
    visitor.wait_until(lambda: visitor.text(".who").startswith("You decide"), "the bot does not play")

    icon = page.locator("link[rel=icon]").get_attribute("href") or ""

    assert page.title().startswith("Your turn: ")
    assert icon.startswith("/static/icon-turn.svg")
    before, clicks = visitor.shown, 1
    page.locator("button.option:visible, a.option:not(.fold, .kind):visible").first.click()
    clicks += 1
    is_asked = page.locator("button.main[name=option]")
    visitor.wait_until(lambda: visitor.shown > before or is_asked.count() == 1, "the click on an option did nothing")

    assert clicks <= CLICKS_MAX
    visitor.go("/")

    assert page.locator(".of-mine li").count() == 1
    # What others play is in sight below the own matches and the games.
    page.set_viewport_size({"width": 1400, "height": 900})
    assert page.evaluate("document.querySelector('.lists h2').getBoundingClientRect().bottom") < 700
    assert visitor.problems == []
