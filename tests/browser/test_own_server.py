"""Pages that run the server and the bots themselves: a visitor takes a seat, lets a bot play the other one, and plays against it."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

import pytest

from cli.schemas.server import PagesShape
from events.codec import Decoder
from events.ids import MatchId, Seat
from server.web.http.addresses import at_match
from tests.cli.running import WARDIARY, Terminal
from tests.support.site import Site
from tests.support.visitors import Visitor, Visitors

SHAPE: Decoder[PagesShape] = Decoder(PagesShape)
END_S = 30
"""How long the process may take to end (seconds)."""
PLAYED = 3
"""How many options the visitor plays."""


class OwnPages(NamedTuple):
    """Pages of a process, at an address without a slash at its end."""

    address: str


@contextmanager
def own_pages(store: Path) -> Iterator[Site]:
    """Serve the pages of a store by the installed command until the block ends."""
    command = [str(WARDIARY), "web", "--json", "--store", str(store), "--listen", "127.0.0.1:0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        try:
            line = process.stdout.readline()
            if not line:
                pytest.fail(process.stderr.read().decode())
            # A visitor needs nothing of a site but its address.
            yield cast("Site", OwnPages(SHAPE.decode(line).pages.rstrip("/")))
        finally:
            process.terminate()
            try:
                process.communicate(timeout=END_S)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def play_an_option(visitor: Visitor) -> None:
    """Wait until the seat is asked, play its first option by a click, and wait for the page that answers."""
    visitor.page.wait_for_selector(".option")
    before = visitor.shown
    visitor.play_an_option()
    visitor.wait_until(lambda: visitor.page.locator(".where .no").count() == 1 and visitor.shown > before, "no answer")


@pytest.mark.long
def test_a_visitor_plays_against_a_bot_that_a_click_has_started(tmp_path: Path, visitors: Visitors) -> None:
    terminal = Terminal(tmp_path / "own.db")
    match = MatchId(terminal.line("new", "battle", "--dice", "seeded:1", "--free-seats"))
    with own_pages(terminal.store) as pages:
        visitor = visitors.new(pages)
        visitor.go(f"/m/{match}/sit")
        visitor.page.fill("#name", "Ada")
        visitor.follow("button:has-text('Take the Russian seat')")

        assert visitor.text(".who") == "One seat is free"
        visitor.follow("button:has-text('Let a bot play German')")
        visitor.go(at_match(match, None, Seat("russian")))
        # The German sets up first, so the Russian is asked only after the bot has played.
        for _ in range(PLAYED):
            visitor.wait_until(lambda: visitor.text(".who") == "You decide, Russian", "the bot does not play")
            play_an_option(visitor)

    assert visitor.problems == []
