"""Bots play on in a process beside the pages: one match at a time, within limits, and never where that is not wished for."""

from functools import partial

import pytest

from events.ids import MatchId
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.playouts.share_process import Wanted
from server.web.backend import playouts
from tests.support.browsing import Browser, browsed, played, read, resign, words
from tests.support.page_checks import check
from tests.support.served import eventually


@pytest.fixture(scope="module")
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture(scope="module")
def match(log: MemoryLog) -> MatchId:
    """A match of Battle that was given up after few decisions, so that bots play on from few points."""
    match = played(log, "battle", 3)
    resign(local_client(log), match)
    return match


def said(browser: Browser, match: MatchId) -> str:
    page = read(browser.get(f"/m/{match}"))
    check(page)
    (found,) = [one for one in page.iter() if one.get("id") == "swings"]
    return words(found)


def test_a_reload_shows_what_bots_have_found_meanwhile(
    log: MemoryLog, match: MatchId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A real process, which costs a second: it imports the program afresh, and plays four matches."""
    monkeypatch.setattr(playouts, "Wanted", partial(Wanted, playouts=2, points=2))
    with browsed(log, playouts_s=60) as (pages, _):
        browser = pages.browser()
        first = said(browser, match)
        eventually(lambda: "bot games from each of" in said(browser, match), "no share is found")

        assert "load the page again" in first
        assert "%" not in first.replace("95 %", "")


def test_pages_without_playouts_say_so_and_start_nothing(log: MemoryLog, match: MatchId) -> None:
    with browsed(log) as (pages, _):
        assert "these pages let no bots play on" in said(pages.browser(), match)


def test_an_address_asks_for_few_matches_and_few_wait(log: MemoryLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """No process has told anything before the others are asked for."""
    monkeypatch.setattr(playouts, "WAITING_MAX", 3)
    monkeypatch.setattr(playouts, "ASKED", 2.0)
    matches = []
    for seed in "12345":
        matches.append(played(log, "battle", 2, seed=seed))
        resign(local_client(log), matches[-1])
    with browsed(log, playouts_s=60) as (pages, _):
        one, other = pages.browser("10.0.0.1"), pages.browser("10.0.0.2")
        told = [said(one, match) for match in matches[:3]] + [said(other, match) for match in matches[3:]]
        again = said(other, matches[0])

        assert ["too many matches wait" in each for each in told] == [False, False, True, False, True]
        assert "too many matches wait" not in again


def test_what_takes_too_long_is_told(log: MemoryLog, match: MatchId) -> None:
    with browsed(log, playouts_s=0.01) as (pages, _):
        browser = pages.browser()
        eventually(lambda: "a first pass takes more than" in said(browser, match), "the process is not ended")
