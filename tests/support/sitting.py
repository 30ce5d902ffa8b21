"""A desk of the server with the test game, and secrets and times that are the same in every run."""

from collections.abc import Mapping, Sequence
from itertools import count
from random import Random
from typing import TypeVar

from typing_extensions import override

from events.codec import Raw, encode
from events.errors import StoreUnavailable
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.log import Appended, Log, NewCommit, Receipt
from events.memory_log import MemoryLog
from events.vocabulary import Value
from projections.state.view import EventSlice
from server.desk.desk import Desk
from server.protocol.replies import FailedReply, LegalReply, LogReply, OpenedReply, PlayedReply, StateReply, TakenReply
from server.protocol.wire import LegalRequest, LogRequest, OpenRequest, PlayRequest, Request, StateRequest, TakeRequest
from tests.support.skirmish import RED

R = TypeVar("R")

NOON = 1_700_000_000_000
OWNER = "the owner's secret, long enough to be one"
ROLL = Raw(b'{"do":"roll"}')
STAND = Raw(b'{"do":"reply","contest":false}')
CONTEST = Raw(b'{"do":"reply","contest":true}')


class StillClock:
    """A clock that advances only when it is set."""

    def __init__(self) -> None:
        self.ms = NOON
        self.seconds = 0.0

    def now_ms(self) -> int:
        """Return the time that was set."""
        return self.ms

    def monotonic(self) -> float:
        """Return the time that was set."""
        return self.seconds

    def sleep(self, seconds: float) -> None:
        """Move on at once."""
        self.seconds += seconds


class CountedIdentity:
    """Keys, secrets and seeds that are numbered."""

    def __init__(self) -> None:
        self._number = count(1)

    def key(self) -> str:
        """Return the next key."""
        return f"key-{next(self._number)}"

    def token(self) -> str:
        """Return the next secret."""
        return f"secret-{next(self._number):026}"

    def seed(self) -> str:
        """Return the next seed."""
        return f"{next(self._number):064x}"


class FaultyLog(MemoryLog):
    """A memory log whose next transactions fail as set, before or after the batch is stored; it counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.failures: list[Exception] = []
        self.late_failures: list[Exception] = []
        self.steps = 0
        self.kept: list[NewCommit] = []

    @override
    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Fail, or append."""
        self.steps += 1
        if self.failures:
            raise self.failures.pop(0)
        receipts = super().append(batch)
        self.kept += [new for new, receipt in zip(batch, receipts, strict=True) if isinstance(receipt, Appended)]
        if self.late_failures:
            raise self.late_failures.pop(0)
        return receipts


class LaterLog(FaultyLog):
    """A memory log that appends what is submitted when its receipts are received; `is_done` tells whether they are there.

    If it `stalls`, they do not come.
    """

    is_impeded = is_distant = False

    def __init__(self) -> None:
        super().__init__()
        self.is_done = False
        self.stalls = False
        self.submitted: Sequence[NewCommit] = ()

    def submit(self, batch: Sequence[NewCommit]) -> bool:
        """Keep a batch for later."""
        assert not self.submitted, "one batch at a time"
        self.submitted = batch
        return True

    def has_receipts(self) -> bool:
        """Return what was set."""
        return self.is_done

    def has_stalled(self) -> bool:
        """Return what was set."""
        return self.stalls

    def await_receipts(self) -> bool:
        """Return whether they come."""
        return not self.stalls

    def receive(self) -> list[Receipt]:
        """Append the batch now."""
        batch, self.submitted = self.submitted, ()
        return self.append(batch)

    def fileno(self) -> int:
        """Return that nothing is to be watched."""
        return -1


class FullLog(MemoryLog):
    """A memory log that keeps no snapshots."""

    @override
    def save_snapshot(self, match: MatchId, seq: int, content: bytes, seat: Seat = ARBITER) -> None:
        """Fail."""
        raise StoreUnavailable("the disk is full")


class Sitting:
    """A desk with one match of the test game, or of another, with both seats taken.

    Args:
        log: Where the match lies.
        desk: The desk; by default one with a still clock and counted secrets.
        seed: The seed of its dice; 3 lets red begin, 1 lets blue begin.
        names: The names of the players, where they have some.
    """

    def __init__(
        self,
        log: Log | None = None,
        desk: Desk | None = None,
        *,
        seed: str = "3",
        dice: str = "seeded",
        game: str = "skirmish",
        options: dict[str, Value] | None = None,
        names: Mapping[Seat, str] | None = None,
    ) -> None:
        self.log: Log = MemoryLog() if log is None else log
        self.clock = StillClock()
        self.desk = Desk(self.log, self.clock, CountedIdentity(), owner=OWNER) if desk is None else desk
        self.tokens: dict[Seat, str] = {ARBITER: OWNER}
        opening = OpenRequest(game=game, dice=dice, seed=seed if dice == "seeded" else "", options=options or {})
        opened = self.ask(opening, OpenedReply)
        self.match = opened.match
        for seat in opened.seats:
            taken = TakeRequest(match=self.match, seat=seat, name=(names or {}).get(seat, ""))
            self.tokens[seat] = self.ask(taken, TakenReply).token

    def ask(self, request: Request, kind: type[R]) -> R:
        """Send a request and return the reply, which must have this type."""
        reply = self.desk.handle(request)
        assert isinstance(reply, kind), reply
        return reply

    def fail(self, request: Request) -> str:
        """Send a request that must fail, and return the code."""
        return self.ask(request, FailedReply).code

    def command(
        self, command: Raw = ROLL, seat: Seat = RED, key: str = "", expected: int | None = None, id_: str = ""
    ) -> PlayRequest:
        """Return the request that plays a command."""
        return PlayRequest(
            id=id_, match=self.match, seat=seat, token=self.tokens[seat], command=command, key=key, expected=expected
        )

    def play(self, command: Raw = ROLL, seat: Seat = RED, key: str = "", expected: int | None = None) -> PlayedReply:
        """Play a command, which must be accepted."""
        return self.ask(self.command(command, seat, key, expected), PlayedReply)

    def legal(self, seat: Seat) -> LegalReply:
        """Ask for the legal commands."""
        return self.ask(LegalRequest(match=self.match, seat=seat, token=self.tokens.get(seat, "")), LegalReply)

    def state(self, seat: Seat = PUBLIC, at: int | None = None) -> StateReply:
        """Ask for the table."""
        request = StateRequest(match=self.match, seat=seat, token=self.tokens.get(seat, ""), at=at)
        return self.ask(request, StateReply)

    def since(self, seat: Seat = PUBLIC, since: int = 0, limit: int = 2_000) -> LogReply:
        """Ask for the log."""
        token = self.tokens.get(seat, "")
        return self.ask(LogRequest(match=self.match, seat=seat, token=token, since=since, limit=limit), LogReply)

    def random_match(self, seed: int = 1) -> int:
        """Play random legal commands until the match ends; return how many."""
        choose, commands = Random(seed), 0
        while (to_move := self.legal(PUBLIC).to_move) != "":
            legal = self.legal(to_move)
            self.play(choose.choice(legal.options).command, to_move, expected=legal.seq)
            commands += 1
        return commands


def flat(slices: Sequence[EventSlice]) -> list[tuple[int, bytes]]:
    """Return events with their numbers, as bytes."""
    return [(slice_.first + place, encode(event)) for slice_ in slices for place, event in enumerate(slice_.events)]
