"""Two desks over one log: news that are late, lost or repeated, appends of unknown outcome, desks that die, and desks that are cut off.

A desk may be cut off from the store, so that nothing is read or written there, or from the clients, so that what they send or are sent is lost; the
other one is not, or is as well.

Each schedule follows from its seed, so that a failure can be reproduced: `Schedule(SEED).run().check()`.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from random import Random
from typing import Self

import pytest
from typing_extensions import override

from core.audit.match_audit import audit_match
from events.chain import check_chain
from events.codec import Raw, encode, replace
from events.commit import Head
from events.errors import OutcomeUnknown, StoreUnavailable
from events.ids import PUBLIC, MatchId, Seat
from events.log import NewCommit, Receipt, Stored, Wanted
from events.memory_log import MemoryLog
from server.client.retry import Outcome
from server.client.subscription import Subscription
from server.desk.desk import Desk
from server.desk.match_cache import CommittedCommand
from server.desk.pipeline import Pipeline
from server.protocol.publications import heartbeat
from server.protocol.replies import FailedReply, LegalReply, LogReply, PlayedReply, Reply, StateReply
from server.protocol.wire import LegalRequest, LogRequest, PlayRequest, Request, StateRequest
from tests.support.late_receipts import LateReceipts
from tests.support.sitting import CountedIdentity, Sitting, StillClock
from tests.support.skirmish import BLUE, RED

STEPS = 90
TRIES_MAX = 200
MATCHES = 2
HOUR_MS = 3_600_000
NOTE = Raw(b'{"do":"match:note","text":"note"}')


class SharedLog(LateReceipts):
    """A log that two desks use, each through a log of its own with faults of its own.

    Args:
        choose: The source of all faults.
    """

    not_taken = 0.2

    def __init__(self, choose: Random) -> None:
        super().__init__(choose)
        self.is_calm = True
        self.is_cut_off = False
        self.late: list[Stored] = []

    @override
    def beside(self) -> Self:
        other = super().beside()
        other.submitted, other.late = (), []
        other.is_distant = self.is_distant = self.choose.random() < 0.5
        return other

    def reach(self) -> None:
        """Fail if the store cannot be reached."""
        if self.is_cut_off:
            raise StoreUnavailable("no route to the store")

    @override
    def head(self, match: MatchId) -> Head:
        self.reach()
        return super().head(match)

    @override
    def find(self, match: MatchId, key: str) -> Stored | None:
        self.reach()
        return super().find(match, key)

    @override
    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        self.reach()
        return super().read(match, after, upto)

    @override
    def news(self, wanted: Wanted | None = None) -> Sequence[Stored]:
        """Return what has come by now; a part may be lost, and a part may come twice, and what is not wanted comes without its bytes."""
        self.reach()
        self.late += [
            one if wanted is None or wanted(one.match) or not self.is_distant else replace(one, body=b"")
            for one in super().news()
        ]
        if self.is_calm:
            found, self.late = self.late, []
            return found
        count = self.choose.randint(0, len(self.late))
        found, self.late = self.late[:count], self.late[count:]
        fate = self.choose.random()
        if found and fate < 0.3:
            del found[self.choose.randrange(len(found)) :]
        elif found and fate < 0.5:
            found += found[self.choose.randrange(len(found)) :]
        return found

    def has_stalled(self) -> bool:
        return False

    def await_receipts(self) -> bool:
        return True

    @override
    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        fate = 1.0 if self.is_calm else self.choose.random()
        if fate < 0.01:
            raise StoreUnavailable("no leader")
        if fate < 0.03 or (self.is_cut_off and fate < 0.4):
            raise OutcomeUnknown("the connection was lost before it was stored")
        self.reach()
        receipts = super().append(batch)
        if fate < 0.05:
            raise OutcomeUnknown("the connection was lost after it was stored")
        return receipts


class Node:
    """A desk, and who follows the matches there.

    Args:
        log: The desk's own log.
        matches: The matches that are followed.
    """

    def __init__(self, log: SharedLog, matches: Sequence[MatchId]) -> None:
        self.log = log
        self.is_unheard = False
        self.start()
        self.followers = {match: Subscription(self.state(match)) for match in matches}

    def start(self) -> None:
        """Start a desk that knows nothing but the store, on a machine whose clock may be an hour off."""
        clock = StillClock()
        clock.ms += self.log.choose.choice((-HOUR_MS, 0, HOUR_MS))
        self.desk = Desk(self.log, clock, CountedIdentity(), trusted=True)
        self.pipeline: Pipeline[Sent] = self.desk.pipeline()

    def ask(self, request: Request) -> Reply:
        """Ask the desk when nothing waits."""
        self.finish()
        return self.desk.handle(request)

    def state(self, match: MatchId) -> StateReply:
        """Return the table that this desk knows."""
        reply = self.ask(StateRequest(match=match, seat=PUBLIC))
        assert isinstance(reply, StateReply)
        return reply

    def finish(self) -> None:
        """Append and answer what waits."""
        self.pipeline.finish()
        self.answer()

    def answer(self) -> None:
        """Hand over the replies and publications that are due."""
        answers = self.pipeline.answers()
        for sent, reply in answers.replies:
            if self.is_unheard:
                sent.at = None
            else:
                sent.take(reply)
        self.publish(answers.committed)

    def publish(self, committed: Sequence[CommittedCommand]) -> None:
        """Give commits to the followers."""
        for one in committed:
            slice_ = one.slice_for(PUBLIC)
            if slice_ is not None:
                self.followers[one.match].take(slice_)
            self.repair(one.match)

    def heed_news(self) -> None:
        """Heed news as the broker does."""
        matches = self.desk.look()
        if any(map(self.pipeline.is_ahead, matches)):
            self.finish()
        heard = self.desk.take_news()
        self.publish(heard.committed)
        for match in heard.unread:
            self.hear_of(match)

    def hear_of(self, match: MatchId) -> None:
        """Give a follower a heartbeat."""
        with suppress(StoreUnavailable):
            self.followers[match].take_message(heartbeat(match, PUBLIC, "", self.desk.number(match, PUBLIC)))
        self.repair(match)

    def repair(self, match: MatchId) -> None:
        """Ask for what a follower missed, and take out what it has in order."""
        follower = self.followers[match]
        if follower.behind:
            self.pipeline.finish()
            reply = self.desk.handle(LogRequest(match=match, seat=PUBLIC, since=follower.seq))
            assert isinstance(reply, LogReply) or self.log.is_cut_off
            for missed in reply.slices if isinstance(reply, LogReply) else ():
                follower.take(missed)
        while follower.pop() is not None:
            pass


class Sent:
    """A command that a client sends until its outcome is known: the same bytes, to either node."""

    def __init__(self, request: PlayRequest) -> None:
        self.request = request
        self.reply: Reply | None = None
        self.outcome = Outcome()
        self.at: Node | None = None
        self.tries = 0

    def take(self, reply: Reply) -> None:
        """Take a reply; one that says to try again is not the last."""
        self.at = None
        if isinstance(reply, FailedReply) and reply.retry and self.tries < TRIES_MAX:
            self.outcome.seen(reply)
        else:
            self.reply = self.outcome.final(reply)


class Schedule:
    """One run of two nodes.

    Args:
        seed: The source of all that happens.
    """

    def __init__(self, seed: int) -> None:
        self.choose = Random(seed)
        log = SharedLog(self.choose)
        log.append(opened())
        self.matches = tuple(log.matches())
        self.log = log
        self.nodes = [Node(one, self.matches) for one in (log, log.beside())]
        self.sent: list[Sent] = []
        self.affinity = self.choose.choice((0.5, 0.8, 0.95))

    def run(self) -> "Schedule":
        """Play, and let everything come to an end."""
        self.calm(is_calm=False)
        for number in range(STEPS):
            self.step(number)
        self.calm(is_calm=True)
        while waiting := [sent for sent in self.sent if sent.reply is None]:
            for sent in waiting:
                if sent.at is None:
                    self.send(sent)
            for node in self.nodes:
                node.finish()
        return self

    def calm(self, *, is_calm: bool) -> None:
        """Let the log have faults, or none, and join again what is cut off."""
        for node in self.nodes:
            node.log.is_calm = is_calm
            node.log.is_cut_off = node.is_unheard = False

    def step(self, number: int) -> None:
        """Do one thing."""
        node = self.choose.choice(self.nodes)
        fate = self.choose.random()
        if fate < 0.3:
            self.sent.append(Sent(self.command(node, number)))
            self.send(self.sent[-1])
        elif fate < 0.5:
            waiting = [sent for sent in self.sent if sent.reply is None and sent.at is None]
            if waiting:
                self.send(self.choose.choice(waiting))
        elif fate < 0.75:
            node.heed_news()
        elif fate < 0.85:
            node.pipeline.complete()
            node.pipeline.submit()
            node.answer()
        elif fate < 0.95:
            node.finish()
        elif fate < 0.97:
            node.log.is_cut_off = not node.log.is_cut_off
        elif fate < 0.985:
            node.is_unheard = not node.is_unheard
        else:
            self.kill(node)

    def command(self, node: Node, number: int) -> PlayRequest:
        """Return a note of a seat, or an option of the seat to move, as a node knows it, which may be late."""
        match, key = self.choose.choice(self.matches), f"command {number}"
        seat: Seat = self.choose.choice((RED, BLUE))
        legal = self.choose.random() < 0.5 and node.ask(LegalRequest(match=match, seat=seat))
        if isinstance(legal, LegalReply) and legal.options:
            option = bytes(self.choose.choice(legal.options).command)
            return PlayRequest(match=match, seat=seat, command=Raw(option), expected=legal.seq, key=key)
        return PlayRequest(match=match, seat=seat, command=NOTE, key=key)

    def send(self, sent: Sent) -> None:
        """Send a command to either node; what was sent to one that has died is sent again."""
        node = self.nodes[self.choose.random() < self.affinity]
        sent.tries += 1
        if not node.is_unheard:
            sent.at = node
            node.pipeline.take(sent, sent.request)

    def kill(self, node: Node) -> None:
        """Let a desk die; what it is appending may be stored or not."""
        if node.log.submitted and self.choose.random() < 0.5:
            MemoryLog.append(node.log, node.log.submitted)
        node.log.submitted = ()
        node.start()
        for sent in self.sent:
            if sent.at is node:
                sent.at = None
        for match in self.matches:
            node.hear_of(match)

    def check(self) -> None:
        """Compare what the clients and the followers were told with the log."""
        for number, node in enumerate(self.nodes):
            # What it remembers is now its last word: no lost race lets it load the match again.
            node.heed_news()
            for match in self.matches:
                last = Sent(PlayRequest(match=match, seat=RED, command=NOTE, key=f"last {number}"))
                node.pipeline.take(last, last.request)
                node.finish()
                assert isinstance(last.reply, PlayedReply), last.reply
        for node in self.nodes:
            node.heed_news()
        for match in self.matches:
            assert check_chain(self.log.read(match), match) is None
            assert audit_match(self.log, match).findings == ()
            keys = [stored.key for stored in self.log.read(match)]
            assert len(keys) == len(set(keys))
            for sent in [sent for sent in self.sent if sent.request.match == match]:
                assert (sent.request.key in keys) == isinstance(sent.reply, PlayedReply), (sent.request, sent.reply)
            truth = Desk(self.log, trusted=True)
            table = truth.handle(StateRequest(match=match, seat=PUBLIC))
            assert isinstance(table, StateReply)
            for node in self.nodes:
                assert encode(node.state(match).table) == encode(table.table)
                assert encode(node.followers[match].table) == encode(table.table)


@cache
def opened() -> tuple[NewCommit, ...]:
    """Return the commits of the matches, with all seats taken."""
    log = MemoryLog()
    desk = Desk(log, StillClock(), CountedIdentity(), trusted=True)
    for seed in range(MATCHES):
        Sitting(log, desk, seed=f"{seed}")
    return tuple(
        NewCommit(one.match, one.first, one.last, one.key, one.hash, one.body)
        for match in log.matches()
        for one in log.read(match)
    )


def test_two_desks_store_each_command_once_and_tell_all_of_it_whatever_happens_to_news(budget: float) -> None:
    """A schedule takes about 30 ms; the long run tries ten thousand."""
    for seed in range(max(1, round(budget * (100 if budget > 1 else 25)))):
        try:
            Schedule(seed).run().check()
        except BaseException as error:
            error.add_note(f"seed {seed}")
            raise


def test_a_desk_that_follows_what_does_not_follow_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The canary: after lost news the next ones are folded nevertheless."""
    monkeypatch.setattr("server.desk.news._follows", lambda *_: True)

    def many() -> None:
        for seed in range(25):
            Schedule(seed).run().check()

    with pytest.raises(AssertionError):
        many()
