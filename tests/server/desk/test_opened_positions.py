"""A position file with secrets: opening a match from it, access to its text, and its public digest."""

from collections.abc import Iterator

import pytest

from core.match.live_match import load_match
from core.match.match_creation import text_digest
from core.registry.games import load_game
from events.archive import export_match
from events.archive_reader import read_archive, store_archive
from events.ids import ARBITER, PUBLIC, Digest, Seat, match_id
from events.log import Log
from events.memory_log import MemoryLog
from events.vocabulary import MatchOpened
from projections.state.view import EventSlice
from projections.view_archive import export_view
from server.desk.desk import Desk
from server.protocol.replies import BoardReply, LogReply, OpenedReply, TakenReply
from server.protocol.wire import (
    BoardRequest,
    ForkRequest,
    LogRequest,
    MatchesRequest,
    OpenRequest,
    Request,
    StateRequest,
    TakeRequest,
)
from tests.project.tree import ROOT
from tests.support.sitting import OWNER, CountedIdentity, StillClock

SECRET = (ROOT / "fixtures" / "positions" / "battle" / "sample-game.toml").read_text(encoding="utf-8")
OPENING = OpenRequest(game="battle", position=SECRET, key="the first")
MATCH = match_id("the first")
MARK = "Random, so that"


class Table:
    """A desk, and the seats' secrets."""

    def __init__(self) -> None:
        self.log: Log = MemoryLog()
        self.desk = Desk(self.log, StillClock(), CountedIdentity(), owner=OWNER)
        opened = self.desk.handle(OPENING)
        assert isinstance(opened, OpenedReply), opened
        self.tokens = {PUBLIC: "", ARBITER: OWNER}
        for seat in opened.seats:
            taken = self.desk.handle(TakeRequest(match=MATCH, seat=seat))
            assert isinstance(taken, TakenReply), taken
            self.tokens[seat] = taken.token

    def slices(self, seat: Seat) -> tuple[EventSlice, ...]:
        """Return all that a seat has seen."""
        reply = self.desk.handle(LogRequest(match=MATCH, seat=seat, token=self.tokens[seat]))
        assert isinstance(reply, LogReply), reply
        return reply.slices

    def digest(self, seat: Seat) -> Digest:
        """Return the digest of the position, as a seat sees it."""
        opened = self.slices(seat)[0].events[0]
        assert isinstance(opened, MatchOpened) and opened.position is not None
        return opened.position

    def requests(self) -> Iterator[Request]:
        """Yield every request of a seat that concerns the match's files."""
        for name in ("german", "russian", "public"):
            seat, token = Seat(name), self.tokens[Seat(name)]
            yield BoardRequest(match=MATCH, seat=seat, token=token)
            yield LogRequest(match=MATCH, seat=seat, token=token)
            yield StateRequest(match=MATCH, seat=seat, token=token)
            yield ForkRequest(match=MATCH, seat=seat, token=token, key=f"fork of {name}")
        yield MatchesRequest()
        yield OPENING


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.mark.parametrize("seat", ["german", "russian", "public", "arbiter"])
def test_no_client_can_confirm_a_guess_of_the_position_by_its_digest(table: Table, seat: str) -> None:
    """match.open: not even a correct guess."""
    assert table.digest(Seat(seat)) != text_digest(SECRET)
    assert table.log.attachment(text_digest(SECRET)) is None


def test_a_repeated_request_returns_the_first_match_with_its_random_bytes(table: Table) -> None:
    before = table.digest(PUBLIC)
    again = table.desk.handle(OPENING)

    assert isinstance(again, OpenedReply)
    assert (again.match, again.repeated) == (MATCH, True)
    assert table.digest(PUBLIC) == before
    assert list(table.log.matches()) == [MATCH]


def test_opening_twice_with_one_key_in_one_batch_gives_one_match() -> None:
    log = MemoryLog()
    desk = Desk(log, StillClock(), CountedIdentity())
    first, again = desk.handle_batch([OPENING, OPENING]).replies

    assert isinstance(first, OpenedReply) and isinstance(again, OpenedReply)
    assert (first.match, first.repeated, again.match, again.repeated) == (MATCH, False, MATCH, True)


def test_two_matches_from_one_position_have_different_digests(table: Table) -> None:
    other = table.desk.handle(OpenRequest(game="battle", position=SECRET, key="the second"))
    assert isinstance(other, OpenedReply)
    reply = table.desk.handle(LogRequest(match=other.match))
    assert isinstance(reply, LogReply)
    opened = reply.slices[0].events[0]

    assert isinstance(opened, MatchOpened)
    assert opened.position != table.digest(PUBLIC)


def test_no_request_returns_the_text_of_the_position(table: Table) -> None:
    """Neither the file nor its random bytes are sent, not even for a fork, which shares its parent's files."""
    for request in list(table.requests()):
        reply = table.desk.handle(request)

        assert MARK not in repr(reply), request
        if isinstance(reply, OpenedReply) and not reply.repeated:
            board = table.desk.handle(BoardRequest(match=reply.match))
            assert isinstance(board, BoardReply) and board.is_shipped
            assert board.text.encode() == load_game("battle").shipped_board()


@pytest.mark.parametrize("seat", ["german", "russian", "public"])
def test_an_export_for_a_seat_does_not_contain_the_position(table: Table, seat: str) -> None:
    lines = b"".join(export_view(table.log, MATCH, Seat(seat), load_match(table.log, MATCH).table))

    assert MARK.encode() not in lines
    assert table.digest(PUBLIC).encode() in lines


def test_the_archive_contains_the_stored_position_and_can_be_imported(table: Table) -> None:
    """Only the arbiter can export it, and check the digest with it."""
    archive = b"".join(export_match(table.log, MATCH))
    other = MemoryLog()
    store_archive(read_archive(archive.splitlines(keepends=True)), other)

    assert MARK.encode() in archive
    assert b"".join(export_match(other, MATCH)) == archive
    content = other.attachment(table.digest(PUBLIC))
    assert content is not None
    assert content.decode().startswith(SECRET)
