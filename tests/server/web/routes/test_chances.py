"""Chances before a roll on the pages: asked for beside the options, and always where one is to be confirmed."""

from collections.abc import Iterator
from itertools import islice
from xml.etree.ElementTree import Element

import pytest

from core.engine.selection import Choose
from core.match.bound_games import bound_game
from events.ids import GameKey, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.errors import TimedOut
from server.web.backend.gateway import Caller
from tests.project.tree import ROOT
from tests.support.browsing import browsed, found, play_on, read, secret_of, words
from tests.support.page_checks import check
from tests.support.page_room import Room

ALLIES, AXIS = Seat("allies"), Seat("axis")
POSITION = ROOT / "fixtures" / "positions" / "axis_allies" / "t24-miss.toml"


@pytest.fixture
def room() -> Iterator[Room]:
    """A match in which the Allies decide about ambushes, each of which rolls a die."""
    log = MemoryLog()
    owner = local_client(log)
    position = POSITION.read_text(encoding="utf-8")
    match = owner.open("axis_allies", "race", dice="seeded", seed="3", position=position).match
    for seat in (AXIS, ALLIES):
        owner.take_seat(match, seat, f"Player of {seat}", secret=secret_of(seat))
    with browsed(log) as (pages, _):
        yield Room(pages, owner, match)


def test_chances_stand_beside_the_options_once_they_are_asked_for(room: Room) -> None:
    browser = room.seated(ALLIES)
    (asks,) = [
        link for link in room.page(browser, ALLIES).iter() if words(link) == "Show the chances" and link.get("href")
    ]
    page = room.page(browser, ALLIES, "&chances=1")
    check(page)

    assert asks.get("href") == f"/m/{room.match}?seat=allies&chances=1"
    assert [words(one) for one in found(page, "small", "chance")] == ["Hits of the Allies 0.3 on average"]


def test_an_option_that_is_to_be_confirmed_tells_all_its_chances(room: Room) -> None:
    browser = room.seated(ALLIES)
    shown = [link for link in room.page(browser, ALLIES).iter() if "choose=" in (link.get("href") or "")]
    mark = str(shown[0].get("href")).partition("choose=")[2]
    page = room.page(browser, ALLIES, f"&choose={mark}")
    check(page)
    (chances,) = found(page, "div", "chances")

    rows = [[words(cell) for cell in row] for row in chances.iter() if row.tag.endswith("tr")]
    assert rows == [["0", "", "67 %"], ["1", "", "33 %"]]
    assert words(found(page, "p", "other")[0]) == "Counted over all 6 equally likely ways."


def test_chances_that_are_not_counted_in_time_are_said_to_be_counted_with_the_way_to_them(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One attack was asked about without its chance, and nothing said why."""
    browser = room.seated(ALLIES)
    shown = [link for link in room.page(browser, ALLIES).iter() if "choose=" in (link.get("href") or "")]
    mark = str(shown[0].get("href")).partition("choose=")[2]
    with monkeypatch.context() as late:
        late.setattr(Caller, "odds", too_late)
        pages = [room.page(browser, ALLIES, rest) for rest in (f"&choose={mark}", "&chances=1")]
    links = [next(iter(found(page, "p", "late")[0])) for page in pages]

    assert [words(found(page, "p", "late")[0]) for page in pages] == [
        "The chances are still being counted. Show them"
    ] * 2
    assert found(read(browser.get(links[0].attrib["href"])), "div", "chances")
    assert found(read(browser.get(links[1].attrib["href"])), "small", "chance")


async def too_late(*_: object, **__: object) -> None:
    raise TimedOut


@pytest.mark.long
def test_each_card_that_can_be_laid_has_its_chance() -> None:
    """One request tells the chances of three options whose ways are taken at random: those of the fourth card, and of none, were missing. To count six takes seconds."""
    log = MemoryLog()
    owner = local_client(log)
    opened = owner.open("inferno", mode="one_vs_one", dice="seeded", seed="1")
    for seat in opened.seats:
        owner.take_seat(opened.match, seat, secret=secret_of(seat), share=False)
    play_on(owner, opened.match, 400, "1", lambda legal: legal.decision == "soviet_card" and legal.count > 5)
    seat = owner.legal(opened.match).to_move
    with browsed(log) as (pages, _):
        room = Room(pages, owner, opened.match)
        page = room.page(room.seated(seat), seat, "&chances=1")
        options = [one for one in page.iter() if "option" in one.get("class", "").split() and one.get("data-option")]

        assert len(options) > 4
        assert [one for one in options if not found(one, "small", "chance")] == []


LOADED_MAX = 5
"""How often a page is loaded until what is counted beside it is there."""


def asked_pages(room: Room, seat: Seat) -> Iterator[Element]:
    """Yield the pages with chances: of the kinds with one option, and of each other kind, if need be of what is left once its first thing is chosen."""
    browser = room.seated(seat)
    kinds = room.page(browser, seat)
    yield room.page(browser, seat, "&chances=1")
    for kind in found(kinds, "a", "kind"):
        page = read(browser.get(kind.attrib["href"]))
        folds = found(page, "a", "fold")
        page = read(browser.get(folds[0].attrib["href"])) if folds and not found(page, "p", "weigh") else page
        for asks in found(page, "p", "weigh"):
            pages = (read(browser.get(asks[0].attrib["href"])) for _ in range(LOADED_MAX))
            yield next((one for one in pages if found(one, "small", "chance")), page)


@pytest.mark.long
def test_chances_are_those_of_the_options_that_the_page_shows() -> None:
    """It counts many attacks of Inferno, which takes seconds; the first dozen of all options is behind a link there."""
    log = MemoryLog()
    owner = local_client(log)
    match = owner.open("inferno", dice="seeded", seed="4").match
    seat = owner.state(match).table.seats[0]
    owner.take_seat(match, seat, "Ada", secret=secret_of(seat))
    with browsed(log) as (pages, _):
        room = Room(pages, owner, match)
        told = [found(page, "small", "chance") for page in islice(asked_pages(room, seat), 3)]

        assert len(told) > 1
        assert all(told)


def test_a_page_whose_options_lead_to_no_roll_says_so() -> None:
    log = MemoryLog()
    owner = local_client(log)
    match = owner.open("advance", dice="seeded", seed="4").match
    for seat in owner.state(match).table.seats:
        owner.take_seat(match, seat, f"Player of {seat}", secret=secret_of(seat))
    seat = owner.legal(match).to_move
    with browsed(log) as (pages, _):
        room = Room(pages, owner, match)
        (said,) = found(room.page(room.seated(seat), seat, "&chances=1"), "p", "weigh")

        assert words(said) == (
            "None of the options that are shown here leads to dice, flips or draws that decide anything before the next decision."
        )


def test_only_the_seat_that_decides_is_told(room: Room) -> None:
    page = room.page(room.seated(AXIS), AXIS, "&chances=1")

    assert found(page, "small", "chance") == []
    assert room.owner.odds(room.match, AXIS).options == ()


def test_a_whole_choice_that_is_not_listed_has_chances_and_one_that_is_not_legal_says_why(room: Room) -> None:
    (refused,) = room.owner.odds(room.match, ALLIES, command=Choose(("nothing",))).options
    (one,) = room.owner.odds(room.match, ALLIES, [1]).options
    command = bound_game(GameKey("axis_allies"), None).rules.decode(
        bytes(room.owner.legal(room.match, ALLIES).options[0].command)
    )
    (same,) = room.owner.odds(room.match, ALLIES, command=command).options

    assert (refused.number, refused.odds, bool(refused.problem)) == (0, None, True)
    assert (same.number, same.odds) == (0, one.odds)
