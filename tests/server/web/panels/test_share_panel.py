"""The share of wins on the page of a match that is over: with its interval, when it is found; else why it is not there."""

import re

import pytest

from core.match.bound_games import bound_game
from core.trials.comparison import share
from core.trials.win_shares import SharePoint, WinShares
from events.ids import PUBLIC, GameKey, MatchId, Seat, Side
from events.memory_log import MemoryLog
from events.vocabulary import WITHHELD
from server.client.client import Client
from server.client.local import local_client
from server.page_parts.story import Story
from server.web.backend.playouts import Playouts
from server.web.backend.processes.process_runs import Progress
from server.web.panels.page_model import PageModel
from server.web.panels.share_panel import share_panel
from tests.support.browsing import played, resign
from tests.support.rows import each_row
from tests.support.seen_story import seen_story

GERMAN, RUSSIAN = Side("german"), Side("russian")


@pytest.fixture(scope="module")
def over() -> tuple[Client, MatchId]:
    """A match of Battle that is over, in which a seat has kept a note for itself."""
    log = MemoryLog()
    match, client = played(log, "battle", 120), local_client(log)
    client.play(match, Seat("german"), {"do": "match:note", "text": "They are weak.", "private": True})
    resign(client, match)
    return client, match


def story_of(over: tuple[Client, MatchId], seat: Seat = PUBLIC) -> Story:
    client, match = over
    bound = bound_game(GameKey("battle"), None)
    return seen_story(client, match, seat, bound)


def shares(*numbers: int, german: tuple[int, ...]) -> WinShares:
    """Return shares of 40 playouts from each point."""
    points = [
        SharePoint(number, {RUSSIAN: share(40 - count, 40), GERMAN: share(count, 40)})
        for number, count in zip(numbers, german, strict=True)
    ]
    return WinShares(policy="greedy", seed="0", playouts=40, until=40, points=tuple(points))


def told(story: Story, playouts: Playouts) -> str:
    return str(share_panel(PageModel(story, story.last, playouts=playouts)) or "")


def test_no_share_stands_without_its_interval_and_the_number_of_games(over: tuple[Client, MatchId]) -> None:
    said = told(story_of(over), Playouts(Progress.DONE, shares(30, 60, german=(38, 2))))

    assert "German share of wins: 40 bot games from each of 2 points, with 95 % intervals" in said
    assert "95 % (83 to 99)" in said
    assert "5 % (1 to 17)" in said
    assert "Shares less than about 22 points apart may be the same: their strips overlap." in said
    assert "data-again" not in said


def test_a_turn_leads_to_its_last_event_and_says_what_happened(over: tuple[Client, MatchId]) -> None:
    story = story_of(over)
    said = told(story, Playouts(Progress.DONE, shares(30, 60, german=(38, 2))))

    assert f'href="/m/{story.match}@60"' in said
    assert "Set-Up: 95 % → 5 %" in said
    assert "No change within" not in said


def test_a_turn_over_several_rounds_names_those_of_both_points(over: tuple[Client, MatchId]) -> None:
    story = story_of(over)
    said = told(story, Playouts(Progress.DONE, shares(30, story.last - 3, german=(38, 2))))

    assert re.search(r"From Set-Up to Turn \d+: 95 % → 5 %", said)


def test_changes_that_may_be_luck_are_said_to_be(over: tuple[Client, MatchId]) -> None:
    said = told(story_of(over), Playouts(Progress.RUNNING, shares(30, 60, 90, german=(20, 24, 18))))

    assert "No change within a fifth of the match is larger than that." in said
    assert "More games are being played." in said
    assert "data-again" in said


def test_a_seat_that_has_seen_more_events_is_led_to_the_same_moments(over: tuple[Client, MatchId]) -> None:
    everybody, own = story_of(over), story_of(over, Seat("german"))
    number = everybody.last - 3
    said = told(own, Playouts(Progress.DONE, shares(30, number, german=(38, 2))))
    linked = next(n for n in range(1, own.last + 1) if f'href="/m/{own.match}@{n}?seat=german"' in said and n > 30)

    assert any(type(event) in WITHHELD for event in own.events)
    assert type(own.events[linked - 1]) is type(everybody.events[number - 1])
    assert linked > number


@each_row(
    ("playouts", "why"),
    [
        (Playouts(), "The share of wins is not computed: these pages let no bots play on."),
        (Playouts(Progress.REFUSED), "not computed yet: too many matches wait for it."),
        (Playouts(Progress.WAITING), "Bots are about to play on from points of this match."),
        (Playouts(Progress.RUNNING), "Bots are playing on from points of this match."),
        (Playouts(Progress.DONE, problem="nothing can be dealt"), "not computed: nothing can be dealt."),
    ],
)
def test_what_is_not_computed_says_why(over: tuple[Client, MatchId], playouts: Playouts, why: str) -> None:
    said = told(story_of(over), playouts)

    assert why in said
    assert " %" not in said


def test_a_moment_and_a_match_that_goes_on_have_no_shares(over: tuple[Client, MatchId]) -> None:
    story = story_of(over)
    log = MemoryLog()
    match = played(log, "battle", 20)
    running = story_of((local_client(log), match))

    assert share_panel(PageModel(story, 10, is_live=False)) is None
    assert told(running, Playouts()) == ""
