"""Dice that depend on links are played on pages without a script: the pages hold the chains of their visitors, and the log says so."""

from random import Random
from time import monotonic, sleep

import pytest

from core.audit.match_audit import audit_match
from events.ids import MatchId
from events.memory_log import MemoryLog
from events.vocabulary import ChanceCalled, SeatSecured
from server.client.local import local_client
from server.web.backend.actions import ASKED
from server.web.backend.fork_wishes import EVERY
from tests.support.browsing import HTML, browsed, fields_of, found, read


def test_two_visitors_begin_and_play_a_match_whose_dice_depend_on_their_links() -> None:
    """Each page that a visitor loads opens what the seat owes; a form that rolls opens what it called for."""
    log, choose = MemoryLog(), Random(1)
    match = local_client(log).open("skirmish", dice="sealed").match
    with browsed(log) as (pages, _):
        visitors = {seat: pages.browser() for seat in ("red", "blue")}
        for seat, browser in visitors.items():
            form = {"token": browser.token(f"/m/{match}/sit"), "key": seat}
            assert browser.post(f"/m/{match}/take", {**form, "seat": seat, "name": seat}).status_code == 303
        owner = local_client(log)
        for _ in range(10):
            for seat, browser in visitors.items():
                page = read(browser.get(f"/m/{match}?seat={seat}"))
                buttons = found(page, "button", "option")
                if buttons:
                    form = fields_of(page, "play")
                    said = {**form, ASKED: "1", "option": choose.choice(buttons).attrib["value"]}
                    assert browser.post(f"/m/{match}/play", said).status_code == 303
        events = owner.log(match)
    kinds = [event for slice_ in events for event in slice_.events]

    assert [event.holder for event in kinds if isinstance(event, SeatSecured)] == ["pages", "pages"]
    assert any(isinstance(event, ChanceCalled) for event in kinds)
    assert audit_match(log, match).verdict == "clean"


@pytest.mark.long
def test_a_visitor_opens_and_plays_solitaire_whose_dice_depend_on_links() -> None:
    """The match begins by itself. Takes two seconds: Inferno has large pages."""
    log, choose = MemoryLog(), Random(1)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        for game, mode in (("advance", ""), ("inferno", "solo")):
            form = {
                "token": browser.token("/"),
                "key": game,
                "game": game,
                "mode": mode,
                "against": "self",
                "dice": "sealed",
            }
            opened = browser.post("/new", form)
            assert opened.status_code == 303
            match = MatchId(opened.headers["location"].removeprefix("/m/").partition("?")[0])
            for _ in range(8):
                page = read(browser.get(f"/m/{match}?seat=german"))
                kinds = found(page, "a", "option")
                if kinds:
                    # Many options are kinds first, each with a page of its own.
                    page = read(browser.get(choose.choice(kinds).attrib["href"]))
                buttons = found(page, "button", "option")
                if not buttons:
                    continue
                said = {**fields_of(page, "play"), ASKED: "1", "option": choose.choice(buttons).attrib["value"]}
                assert browser.post(f"/m/{match}/play", said).status_code == 303
            table, report = local_client(log).state(match).table, audit_match(log, match)

            assert table.links is not None
            assert (table.links.opened > 0, table.links.call) == (True, None)
            assert (report.verdict, report.secured) == ("clean", {"german": "pages"})


def test_a_visitor_plays_a_bot_then_a_rematch_and_a_fork() -> None:
    """Without a script, each page that is read opens what the visitor owes. Takes some seconds: the bot plays in a process of its own."""
    log, choose = MemoryLog(), Random(1)
    client = local_client(log)
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()

        def opened_at(location: str) -> MatchId:
            return MatchId(location.removeprefix("/m/").partition("?")[0])

        def play(at: str, most: int) -> None:
            """Play options at random, whenever the page asks."""
            until, played = monotonic() + 15, 0
            while client.state(opened_at(at)).table.ended is None and played < most:
                assert monotonic() < until, "the match does not go on"
                page, buttons = read(browser.get(at)), []
                for _ in range(4):
                    # Many options are kinds first, each with a page of its own.
                    buttons = [one for one in page.iter(f"{HTML}button") if one.get("name") == "option"]
                    kinds = found(page, "a", "option")
                    if buttons or not kinds:
                        break
                    page = read(browser.get(choose.choice(kinds).attrib["href"]))
                if not buttons:
                    sleep(0.02)
                    continue
                said = {**fields_of(page, "play"), ASKED: "1", "option": choose.choice(buttons).attrib["value"]}
                assert browser.post(f"/m/{opened_at(at)}/play", said).status_code in (303, 409)
                played += 1

        form = {"token": browser.token("/"), "key": "k", "game": "inferno", "mode": "one_vs_one", "against": "bot"}
        at = browser.post("/new", form).headers["location"]
        play(at, 5)
        match = opened_at(at)
        while client.state(match).table.ended is None:
            # The bot may have been quicker.
            browser.post(f"/m/{match}/resign", fields_of(read(browser.get(at)), "resign"))
        page = read(browser.get(at))
        again = browser.post(f"/m/{match}/rematch", fields_of(page, "rematch")).headers["location"]
        play(again, 1)
        fork = fields_of(read(browser.get(again)), "try")
        forked = browser.post(f"/m/{opened_at(again)}/try", {**fork, "sit": EVERY}).headers["location"]
        play(forked, 1)
        reports = [audit_match(log, opened_at(one)) for one in (at, again, forked)]

    assert client.state(match).table.ended is not None
    assert [one.verdict for one in reports] == ["clean"] * 3
    assert [dict(one.secured) for one in reports[:2]] == [
        {"german": "bot", "soviet": "pages"},
        {"german": "pages", "soviet": "bot"},
    ]
