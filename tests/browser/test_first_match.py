"""A stranger opens the home page, plays against a bot in one click, and gives the first own command with the next, or comes to the question before it that dice ask, in each game."""

from pathlib import Path

import pytest

from core.registry.games import GAMES
from events.ids import GameKey
from tests.browser.test_own_server import own_pages
from tests.support.soak import sampled
from tests.support.visitors import Visitors

CLICKS_MAX = 2
"""How many clicks the first own command takes at most, the one on the home page included."""


@pytest.mark.parametrize("game", sampled(GAMES, "inferno".__eq__))
def test_a_stranger_plays_at_once(game: GameKey, tmp_path: Path, visitors: Visitors) -> None:
    """The server and its bots are processes, which take seconds to start; without a browser every game is tried."""
    with own_pages(tmp_path / "own.db") as pages:
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
        visitor.wait_until(
            lambda: visitor.shown > before or is_asked.count() == 1, "the click on an option did nothing"
        )

        assert clicks <= CLICKS_MAX
        visitor.go("/")

        assert page.locator(".of-mine li").count() == 1
    assert visitor.problems == []
