"""A store with a damaged match: the server lists it with its problem, serves the others, and sends nothing of it."""

import sqlite3
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pytest

from core.history.match_reader import summaries
from core.match.bound_games import _shipped_game
from core.registry.games import GAMES
from events.codec import Raw, decode_plain, encode
from events.errors import StoreDamaged, StoreUnavailable
from events.ids import ARBITER, PUBLIC, GameKey, MatchId, Seat
from server.client.bots import sit_down
from server.client.local import local_client
from server.desk.desk import Desk
from server.protocol.identity import SystemIdentity
from server.protocol.replies import FailedReply, LegalReply, MatchesReply
from server.protocol.wire import (
    BeginRequest,
    BoardRequest,
    CommitsRequest,
    ForkRequest,
    LeaveRequest,
    LegalRequest,
    LogRequest,
    MatchesRequest,
    PlayRequest,
    Request,
    StateRequest,
    TakeRequest,
)
from server.store.sqlite_log import SqliteLog
from server.store.sqlite_schema import unavailable
from tests.support.sitting import CountedIdentity, StillClock
from tests.support.tampering import opened_by_force, rewrite, tamper

RED = Seat("red")


class Store:
    """A store with three matches, of which the second was damaged before the server started.

    Args:
        path: Its file.
    """

    def __init__(self, path: Path) -> None:
        with SqliteLog(path) as log:
            client = local_client(log, StillClock(), CountedIdentity())
            self.matches = [client.open("skirmish").match for _ in range(3)]
            client.take_seat(self.matches[1], RED, "Ada")
            # Their summaries are kept, so that a list reads no commits.
            deque(summaries(log), maxlen=0)
        tamper(path, '"name":"Ada"', '"name":"Ava"')
        self.log = SqliteLog(path)
        self.desk = Desk(self.log, StillClock(), SystemIdentity(), trusted=True)
        self.damaged = self.matches[1]

    def find_damage(self) -> None:
        """Request the damaged match, so that its chain is checked."""
        assert isinstance(self.desk.handle(LegalRequest(match=self.damaged)), FailedReply)

    def listed(self) -> MatchesReply:
        """Request the list of matches."""
        reply = self.desk.handle(MatchesRequest())
        assert isinstance(reply, MatchesReply)
        return reply


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store.db")


def test_a_list_shows_sound_matches_and_the_problem_of_the_damaged_one(store: Store) -> None:
    store.find_damage()
    found = {known.match: known.problem for known in store.listed().matches}

    assert list(found) == store.matches
    assert [match for match, problem in found.items() if problem] == [store.damaged]
    assert found[store.damaged].startswith("event 2: the bytes of this commit are not those")


def test_a_list_checks_no_chain_but_shows_damage_found_by_a_request(store: Store) -> None:
    before = [known.problem for known in store.listed().matches]
    store.find_damage()
    after = [known.problem for known in store.listed().matches]

    assert before == ["", "", ""]
    assert after[1] != ""


def test_an_older_client_can_read_the_list(store: Store) -> None:
    """All old fields are present, and the entry of a sound match has no new ones."""
    store.find_damage()
    listed = decode_plain(encode(store.listed()))
    assert isinstance(listed, dict)
    sound, damaged, _ = listed["matches"]

    assert "problem" not in sound
    assert set(sound) - {"began"} <= {
        "match",
        "game",
        "scenario",
        "seq",
        "seats",
        "players",
        "mode",
        "to_move",
        "plays",
        "edition",
        "dice",
        "turn",
        "phase",
        "opened_at",
    }
    assert {key: damaged[key] for key in ("match", "game", "scenario", "seq", "seats")} == {
        "match": store.damaged,
        "game": "",
        "scenario": "",
        "seq": 0,
        "seats": [],
    }


def about(match: MatchId) -> list[Request]:
    """Return every kind of request about a match."""
    return [
        LegalRequest(match=match),
        StateRequest(match=match),
        LogRequest(match=match),
        BoardRequest(match=match),
        ForkRequest(match=match, seat=RED, key="f"),
        BeginRequest(match=match, seat=RED, key="b"),
        LeaveRequest(match=match, seat=RED, key="l"),
        TakeRequest(match=match, seat=Seat("blue"), key="t", secret="s" * 32),
        PlayRequest(match=match, seat=RED, key="p", command=Raw(b'{"do":"roll"}')),
    ]


def test_no_request_about_a_damaged_match_succeeds(store: Store) -> None:
    for request in about(store.damaged):
        reply = store.desk.handle(request)

        assert isinstance(reply, FailedReply), request
        assert reply.code == "evidence_broken", reply
        assert reply.message.startswith(f"match {store.damaged}, event 2: "), reply


def missing(path: Path) -> None:
    """Remove the commit with event 2."""
    with opened_by_force(path) as database:
        database.execute("DELETE FROM commits WHERE first = 2")


DAMAGES: dict[str, Callable[[Path], None]] = {
    "not JSON": lambda path: tamper(path, '"name":"Ada"', '"name:"Ada"'),
    "not JSON, with its hash": lambda path: rewrite(path, 2, '"name":"Ada"', '"name:"Ada"'),
    "changed": lambda path: tamper(path, '"name":"Ada"', '"name":"Ava"'),
    "missing": missing,
}
"""What may become of the commit with event 2 while a server has its match in memory."""


def that_read(match: MatchId, last: int) -> list[Request]:
    """Return every kind of request about a match in memory that reads commits with event 2 of the log."""
    return [
        CommitsRequest(match=match, seat=ARBITER),
        CommitsRequest(match=match, seat=ARBITER, since=1),
        LogRequest(match=match, seat=PUBLIC),
        LogRequest(match=match, seat=ARBITER, since=1),
        StateRequest(match=match, seat=PUBLIC, at=2),
        StateRequest(match=match, seat=ARBITER, at=3),
        LegalRequest(match=match, seat=ARBITER, at=2),
        ForkRequest(match=match, seat=ARBITER, at=last, key="f", dice="fresh", hidden="truth"),
        ForkRequest(match=match, seat=PUBLIC, at=last, key="g", dice="fresh", hidden="resample"),
    ]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_that_comes_while_a_match_is_in_memory_is_reported_as_damage(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "store.db"
    with SqliteLog(path) as log:
        desk = Desk(log, StillClock(), CountedIdentity(), trusted=True)
        client = local_client(log, StillClock(), CountedIdentity())
        match = client.open("skirmish", dice="seeded", seed="1").match
        for seat in ("red", "blue"):
            client.take_seat(match, Seat(seat), "Ada")
        last = client.legal(match).seq
        assert not isinstance(desk.handle(LegalRequest(match=match)), FailedReply)
        DAMAGES[damage](path)
        replies = [(request, desk.handle(request)) for request in that_read(match, last)]
        again = desk.handle(TakeRequest(match=match, seat=RED, key="take-red", name="Ada"))

        wrong = [pair for pair in replies if not isinstance(pair[1], FailedReply) or pair[1].code != "evidence_broken"]

        assert wrong == []
        assert again is not None


def test_damage_that_comes_while_a_match_is_in_memory_does_not_hide_the_others_in_the_list(tmp_path: Path) -> None:
    """The summary of a match that has moved on is made again from its last commits."""
    path = tmp_path / "store.db"
    with SqliteLog(path) as log:
        desk = Desk(log, StillClock(), CountedIdentity(), trusted=True)
        client = local_client(log, StillClock(), CountedIdentity())
        sound, match = (client.open("skirmish", dice="seeded", seed="1").match for _ in range(2))
        assert isinstance(desk.handle(LegalRequest(match=match)), LegalReply)
        for seat, name in (("red", "Ada"), ("blue", "Bob")):
            assert not isinstance(
                desk.handle(TakeRequest(match=match, seat=Seat(seat), key=seat, name=name)), FailedReply
            )
        first = next(stored.first for stored in log.read(match) if b"Bob" in stored.body)
        rewrite(path, first, '"name":"Bob"', '"name:"Bob"')
        note = PlayRequest(match=match, seat=ARBITER, key="note", command=Raw(b'{"do":"match:note","text":"noted"}'))
        assert not isinstance(desk.handle(note), FailedReply)
        listed = desk.handle(MatchesRequest())

        assert isinstance(listed, MatchesReply)
        assert [one.match for one in listed.matches] == [sound, match]
        assert [bool(one.problem) for one in listed.matches] == [False, True]


def test_a_board_that_is_damaged_while_its_match_is_in_memory_is_reported_as_damage(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = store.matches[0]
    store.desk.handle(LegalRequest(match=match))
    monkeypatch.setattr(store.log, "attachment", lambda _: b"not a board, nor a text: \xff")
    reply = store.desk.handle(BoardRequest(match=match))

    assert isinstance(reply, FailedReply)
    assert reply.code == "evidence_broken"


def test_a_match_of_a_missing_game_does_not_hide_the_others(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    store.find_damage()
    monkeypatch.delitem(GAMES, GameKey("skirmish"))
    _shipped_game.cache_clear()
    problems = [known.problem for known in store.listed().matches]

    assert problems[0] == "the game 'skirmish' is not installed here"
    assert problems[1].startswith("event 2: ")


def test_a_bot_skips_a_damaged_match(store: Store) -> None:
    client = local_client(store.log, StillClock(), SystemIdentity())

    assert sit_down(client, "skirmish", RED) == store.matches[0]
    assert sit_down(client, "skirmish", RED) == store.matches[2]


def test_an_unreadable_page_is_damage_but_a_lock_is_not(tmp_path: Path) -> None:
    damaged, locked = sqlite3.DatabaseError("malformed"), sqlite3.OperationalError("locked")
    damaged.sqlite_errorcode, locked.sqlite_errorcode = sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_BUSY

    assert isinstance(unavailable(tmp_path, damaged), StoreDamaged)
    assert type(unavailable(tmp_path, locked)) is StoreUnavailable
