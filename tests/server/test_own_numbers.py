"""No reply to a seat holds a number that is not the seat's own: twin matches that differ in what is hidden from it are answered alike."""

import pytest

from core.match_commands import AddNote
from events.codec import Raw, encode
from events.ids import PUBLIC, Seat
from server.desk.desk import Desk
from server.protocol.errors import EXPECTED
from server.protocol.replies import FailedReply, LogReply, Reply
from server.protocol.wire import Request, StateRequest
from tests.support.sitting import ROLL, STAND, Sitting
from tests.support.skirmish import BLUE, RED

FAR = (1, 2, 500, 900, 1_000, 2_000, 1 << 31, 1 << 63)
"""How far beyond the last event a client asks."""


def noted(text: str, *, private: bool) -> Raw:
    """Return the command that writes a note."""
    return Raw(encode(AddNote(text=text, private=private)))


def answer(desk: Desk, request: Request) -> Reply:
    """Answer a request as a server does: what takes long is prepared by a job first, and if that fails, the request does."""
    for _ in range(3):
        job = desk.missing(request)
        if job is None:
            break
        result: object = None
        failed: Exception | None = None
        try:
            result = job.run(desk.log)
        except EXPECTED as error:
            failed = error
        failed = desk.deliver(job, result, failed)
        if failed is not None:
            return desk.failure(failed, request)
    return desk.handle(request)


@pytest.fixture(scope="module")
def long() -> Sitting:
    """A long match in which red has written more private notes than a request is read for in the serving loop."""
    sitting = Sitting()
    for number in range(700):
        sitting.play(noted(f"{number}", private=True))
        sitting.play(noted(f"{number}", private=False), BLUE)
    return sitting


@pytest.mark.parametrize("seat", [PUBLIC, BLUE])
@pytest.mark.parametrize("beyond", FAR)
def test_a_number_beyond_the_end_is_told_in_the_seats_own(long: Sitting, seat: Seat, beyond: int) -> None:
    last = long.state(seat).seq
    reply = answer(
        long.desk, StateRequest(match=long.match, seat=seat, token=long.tokens.get(seat, ""), at=last + beyond)
    )

    assert last < long.state(RED).seq - 600
    assert reply == FailedReply(
        code="unknown_sequence",
        message=f"there is no event {last + beyond}; the last is {last}",
        expected=last + beyond,
        actual=last,
    )


def test_where_a_page_of_the_log_ends_does_not_depend_on_what_is_hidden() -> None:
    ends: list[list[int]] = []
    for secrets in (0, 80):
        sitting = Sitting()
        for _ in range(secrets):
            sitting.play(noted("s" * 4_000, private=True))
        for _ in range(100):
            sitting.play(noted("n" * 4_000, private=False))
        sitting.play(ROLL)
        sitting.play(STAND, BLUE)
        since, pages = 0, list[int]()
        while since < sitting.state().seq:
            reply = sitting.since(since=since)
            assert isinstance(reply, LogReply)
            since = reply.slices[-1].last
            pages.append(since)
        ends.append(pages)

    assert ends[0] == ends[1]
    assert len(ends[0]) == 2
