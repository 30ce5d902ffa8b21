"""A match whose rules have changed, through a server: no option, no bot and no standing answer goes on; a person adopts the rules by a request or a form."""

from xml.etree.ElementTree import Element

import pytest

from core.history.match_reader import events_of
from core.registry.games import load_game
from events.codec import replace
from events.ids import ARBITER, PUBLIC, Digest, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import RulesAdopted
from projections.catalogue import InstalledRules
from server.client.bots import run_bot
from server.client.client import Client
from server.client.library import Match
from server.client.local import local_client
from server.protocol.errors import RequestFailed
from tests.support.browsing import browsed, fields_of, found, played, read, words
from tests.support.mended import EDITION, mend
from tests.support.page_checks import check
from tests.support.page_room import Room
from tests.support.served import client_of, seated, served
from tests.support.skirmish import BLUE, RED


@pytest.fixture
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture
def mended(log: MemoryLog, monkeypatch: pytest.MonkeyPatch) -> tuple[Client, MatchId]:
    """A running match whose rules have changed since, and a client with all seats."""
    match = seated(local_client(log))
    mend(monkeypatch)
    return local_client(log), match


@pytest.mark.parametrize("asker", [RED, BLUE, PUBLIC, ARBITER])
def test_a_match_under_other_rules_has_no_options_and_names_the_installed_ones(
    asker: Seat, mended: tuple[Client, MatchId]
) -> None:
    client, match = mended
    legal = client.legal(match, asker)

    assert legal.installed == InstalledRules(EDITION, load_game("skirmish").rules_digest)
    assert (legal.options, legal.count, legal.undo_to) == ((), 0, None)
    assert legal.to_move in (RED, BLUE)


def test_every_reply_about_the_present_of_the_match_names_the_installed_rules(mended: tuple[Client, MatchId]) -> None:
    client, match = mended
    expected = InstalledRules(EDITION, load_game("skirmish").rules_digest)
    now = client.state(match, PUBLIC)

    assert [one.installed for one in client.matches()] == [now.installed] == [expected]
    assert client.state(match, PUBLIC, at=now.seq - 1).installed is None
    client.adopt_rules(match, RED, expected.rules)
    assert [one.installed for one in client.matches()] == [client.state(match, PUBLIC).installed] == [None]


@pytest.mark.parametrize("command", [1, {"do": "roll"}])
def test_no_command_is_played_under_other_rules(command: object, mended: tuple[Client, MatchId]) -> None:
    client, match = mended
    legal = client.legal(match)
    with pytest.raises(RequestFailed) as failed:
        client.play(match, legal.to_move, command, expected=legal.seq)  # type: ignore[arg-type]

    assert (failed.value.code, failed.value.reply.refusal) == ("refused", "rules_must_be_adopted")


def test_what_was_answered_in_advance_is_not_played_under_other_rules(
    log: MemoryLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A note once played the standing answers that its desk found."""
    client = local_client(log)
    match = seated(client)
    mover = client.legal(match).to_move
    other = BLUE if mover == RED else RED
    client.play(match, mover, {"do": "roll"})
    mend(monkeypatch)
    later = local_client(log)

    def fails(*_: object) -> None:
        raise AssertionError("the rules were asked")

    monkeypatch.setattr("server.desk.automatic_answers.standing_answer", fails)
    later.play(match, other, {"do": "match:note", "text": "What now?"})

    assert later.legal(match).to_move == other


def test_a_bot_adopts_nothing_by_itself(mended: tuple[Client, MatchId], log: MemoryLog) -> None:
    client, match = mended
    seat = client.legal(match).to_move
    before = client.state(match, seat).seq
    asked = iter([False, False, True])
    told: list[str] = []
    report = run_bot(client, match, seat, is_stopped=lambda: next(asked), notice=told.append)

    assert report.commands == 0
    assert [one.partition(":")[2] for one in told] == [" nothing is decided here until these are adopted."]
    assert client.state(match, seat).seq == before
    assert not any(isinstance(event, RulesAdopted) for event in events_of(log, match))


def test_a_request_adopts_the_rules_that_the_reply_names(mended: tuple[Client, MatchId]) -> None:
    client, match = mended
    legal = client.legal(match, RED)
    assert legal.installed is not None
    with pytest.raises(RequestFailed, match="not the installed ones"):
        client.adopt_rules(match, RED, Digest("0" * 64))
    reply = client.adopt_rules(match, RED, legal.installed.rules, expected=legal.seq, key="adopt")

    assert [type(event) for slice_ in reply.slices for event in slice_.events] == [RulesAdopted]
    assert client.adopt_rules(match, RED, legal.installed.rules, expected=legal.seq, key="adopt").repeated
    assert client.legal(match, ARBITER).installed is None
    assert client.legal(match, ARBITER).options


def test_the_library_adopts_rules(log: MemoryLog, mended: tuple[Client, MatchId]) -> None:
    _, id_ = mended
    match = Match(log, id_)
    assert match.legal() == []
    match.adopt_rules()

    assert match.legal() != []
    assert match.audit().verdict == "other-rules"


def test_a_server_refuses_a_seat_that_is_not_proved(log: MemoryLog, monkeypatch: pytest.MonkeyPatch) -> None:
    match = seated(local_client(log))
    mend(monkeypatch)
    with served(log=log) as broker, client_of(broker) as client:
        installed = client.legal(match, PUBLIC).installed
        assert installed is not None
        for seat in (RED, PUBLIC):
            with pytest.raises(RequestFailed) as failed:
                client.adopt_rules(match, seat, installed.rules)

            assert failed.value.code == "not_your_seat"


# Pages


def all_options(page: Element) -> list[str]:
    """Return the numbers of the options of a page, also of those that end a step."""
    return [number for one in page.iter() if (number := one.get("data-option"))]


def test_the_pages_say_so_and_that_of_a_seat_has_a_form_that_adopts_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    with monkeypatch.context() as patch:
        now = load_game("battle")
        patch.setattr("core.games.battle.GAME", replace(now, edition="0.9", deciding=now.deciding[1:]))
        match = played(log, "battle", 20)
    with browsed(log) as (pages, _):
        room = Room(pages, local_client(log), match)
        seat = room.mover
        browser = room.seated(seat)
        page = room.page(browser, seat)
        check(page)
        visitor = pages.browser()
        onlooker, moment, listed = (
            words(read(visitor.get(path))) for path in (f"/m/{match}", f"/m/{match}@8", "/matches")
        )
        said = words(page)
        before = all_options(page)
        sent = browser.post(f"/m/{match}/adopt-rules", fields_of(page, "adopt-rules"))
        after = room.page(browser, seat)
        told = words(after)
        later = words(read(visitor.get(f"/m/{match}")))

    standstill = "The match is played under edition 0.9 (rules "
    assert [said.count(standstill), onlooker.count(standstill)] == [1, 1]
    assert "The match stands still" in onlooker
    assert "Back at 8" in moment
    assert "Stands still: other rules are installed, edition 1.0" in listed
    assert [standstill in moment, standstill in later] == [False, False]
    assert (before, found(page, "button", "passing")) == ([], [])
    assert sent.status_code == 303
    assert all_options(after) != []
    assert "adopts other rules: edition 1.0 (rules " in told
    assert isinstance(events_of(log, match)[-1], RulesAdopted)
