"""Dice that depend on links are played on pages without a script: the pages hold the chains of their visitors, and the log says so."""

from random import Random

from core.audit.match_audit import audit_match
from events.ids import MatchId
from events.memory_log import MemoryLog
from events.vocabulary import ChanceCalled, SeatSecured
from server.client.local import local_client
from tests.support.browsing import browsed, fields_of, found, read


def test_two_visitors_begin_and_play_a_match_whose_dice_depend_on_their_links() -> None:
    """Each page that a visitor loads opens what the seat owes; a form that rolls opens what it called for."""
    log, choose = MemoryLog(), Random(1)
    match = local_client(log).open("battle", dice="sealed").match
    with browsed(log) as (pages, _):
        visitors = {seat: pages.browser() for seat in ("german", "russian")}
        for seat, browser in visitors.items():
            form = {"token": browser.token(f"/m/{match}/sit"), "key": seat}
            assert browser.post(f"/m/{match}/take", {**form, "seat": seat, "name": seat}).status_code == 200
        owner = local_client(log)
        for _ in range(10):
            for seat, browser in visitors.items():
                page = read(browser.get(f"/m/{match}?seat={seat}"))
                buttons = found(page, "button", "option")
                if buttons:
                    form = fields_of(page, "play")
                    said = {**form, "option": choose.choice(buttons).attrib["value"]}
                    assert browser.post(f"/m/{match}/play", said).status_code == 303
        events = owner.log(match)
    kinds = [event for slice_ in events for event in slice_.events]

    assert [event.holder for event in kinds if isinstance(event, SeatSecured)] == ["pages", "pages"]
    assert any(isinstance(event, ChanceCalled) for event in kinds)
    assert audit_match(log, match).verdict == "clean"


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
                said = {**fields_of(page, "play"), "option": choose.choice(buttons).attrib["value"]}
                assert browser.post(f"/m/{match}/play", said).status_code == 303
            table, report = local_client(log).state(match).table, audit_match(log, match)

            assert table.links is not None
            assert (table.links.opened > 0, table.links.call) == (True, None)
            assert (report.verdict, report.secured) == ("clean", {"german": "pages"})
