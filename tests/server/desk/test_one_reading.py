"""The reply to a query is of one moment, also if another process appends between any two reads of the log."""

from collections.abc import Callable

from events.codec import encode
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.log import NewCommit
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.desk.desk import Desk
from server.protocol.wire import LegalRequest, LogRequest, SeatRequest, StateRequest
from tests.support.racing import Race
from tests.support.rows import each_row
from tests.support.sitting import Sitting
from tests.support.skirmish import BLUE, RED


class ServersLog(MemoryLog):
    """The log as the desk reads it, while others read and append without a race."""


def until(log: MemoryLog, match: MatchId, seq: int) -> Desk:
    """Return a desk whose log ends with an event."""
    copy = MemoryLog()
    copy.append(
        [
            NewCommit(one.match, one.first, one.last, one.key, one.hash, one.body)
            for one in log.read(match)
            if one.last <= seq
        ]
    )
    return Desk(copy, trusted=True)


REQUESTS: tuple[Callable[[MatchId, Seat], SeatRequest], ...] = (
    lambda match, seat: StateRequest(match=match, seat=seat),
    lambda match, seat: StateRequest(match=match, seat=seat, at=9),
    lambda match, seat: LogRequest(match=match, seat=seat, since=3),
    lambda match, seat: LegalRequest(match=match, seat=seat),
    lambda match, seat: LegalRequest(match=match, seat=seat, table=True),
)


@each_row("seat", [PUBLIC, RED, BLUE, ARBITER])
@each_row("make", REQUESTS)
def test_a_reply_is_that_of_the_log_as_it_was_at_one_moment(
    make: Callable[[MatchId, Seat], SeatRequest], seat: Seat
) -> None:
    log = ServersLog()
    match = Sitting(log).match
    request = make(match, seat)
    desk = Desk(log, trusted=True, shared=True)
    stranger = local_client(log)
    note = '{"do":"match:note","text":"meanwhile"}'
    with Race(lambda: stranger.play(match, ARBITER, note)).on(ServersLog) as race:
        replies = [desk.handle(request) for _ in range(3)]

    assert race.reads > 3
    assert all(isinstance(reply, request.reply) for reply in replies)
    moments = [encode(until(log, match, one.last).handle(request)) for one in log.read(match)]
    assert all(encode(reply) in moments for reply in replies)
