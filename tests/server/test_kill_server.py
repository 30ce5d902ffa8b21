"""The server is killed without warning while commands, replies and publications are in flight.

Everything acknowledged or published is in the log, nothing is partly written, and a command that is sent again takes effect
once.
"""

from collections import Counter
from pathlib import Path
from random import Random
from threading import Event, Lock, Thread

import pytest
import zmq

from core.audit.match_audit import audit_match
from events.chain import check_chain
from events.codec import Raw as RawJson
from events.codec import encode, replace
from events.commit import decode_commit
from events.ids import PUBLIC, MatchId, Seat
from events.log import Log
from events.vocabulary import Event as GameEvent
from projections.state.view import EventSlice, see
from server.client.client import Client
from server.client.retry import RetryPolicy
from server.client.sockets import SocketTransport
from server.protocol.clock import SystemClock
from server.protocol.errors import TimedOut
from server.protocol.identity import SystemIdentity
from server.protocol.messages import decode_reply
from server.protocol.publications import EventsPublication, decode_publication, subscription_text
from server.protocol.replies import PlayedReply
from server.protocol.wire import PROTOCOL, PlayRequest
from server.store.sqlite_log import SqliteLog
from tests.support.desk import SEED
from tests.support.served import SOON_MS, Process, Raw, seated
from tests.support.sitting import Sitting
from tests.support.skirmish import BLUE, RED

PLAYERS = 3
WINDOW = 20
NOTE = RawJson(b'{"do":"match:note","text":"still here"}')
BRIEF = RetryPolicy(timeout_s=1.0, tries=1)


class Witness:
    """The replies and publications that clients received from a server before it was killed.

    Attributes:
        acknowledged: Replies by match, seat and key.
        published: Publications received, by match and seat.
        pending: Requests without a reply.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.enough = Event()
        self.acknowledged: dict[tuple[MatchId, Seat, str], tuple[EventSlice, ...]] = {}
        self.published: dict[tuple[MatchId, Seat], list[EventSlice]] = {}
        self.pending: dict[str, PlayRequest] = {}
        self.tokens: dict[tuple[MatchId, Seat], str] = {}
        self.kill_after = 0

    def ask(self, request: PlayRequest) -> None:
        """Remember a request that is being sent."""
        with self.lock:
            self.pending[request.key] = request

    def hear(self, key: str, reply: PlayedReply | None) -> None:
        """Remember a reply; None means a refusal."""
        with self.lock:
            request = self.pending.pop(key)
            if reply is not None:
                self.acknowledged[request.match, request.seat, key] = reply.slices
            if len(self.acknowledged) >= self.kill_after:
                self.enough.set()


def check(log: Log, witness: Witness) -> None:
    """Compare the messages that clients received with the store."""
    views: dict[tuple[MatchId, Seat], list[GameEvent]] = {}
    keys: dict[MatchId, Counter[str]] = {}
    for match in log.matches():
        assert check_chain(log.read(match), match) is None
        commits = [decode_commit(stored.body) for stored in log.read(match)]
        keys[match] = Counter(commit.key for commit in commits)
        for seat in (RED, BLUE, PUBLIC):
            events = [event for commit in commits for event in commit.events]
            views[match, seat] = [seen for event in events if (seen := see(event, seat)) is not None]
    for (match, seat, key), slices in witness.acknowledged.items():
        assert keys[match][key] == 1, f"the acknowledged command {key} is in the log {keys[match][key]} times"
        for slice_ in slices:
            assert_stored(views[match, seat], slice_, f"acknowledged to {seat}")
    for (match, seat), heard in witness.published.items():
        for slice_ in heard:
            assert_stored(views[match, seat], slice_, f"published to {seat}")
    assert all(count == 1 for counted in keys.values() for count in counted.values())


def assert_stored(view: list[GameEvent], slice_: EventSlice, what: str) -> None:
    """Assert that events are stored under the numbers that were sent."""
    stored = view[slice_.first - 1 : slice_.last]

    assert encode(stored) == encode(slice_.events), f"{what} from number {slice_.first}, but not stored so"


def client(process: Process, witness: Witness) -> Client:
    """Make a client that knows all seats."""
    clock, identity = SystemClock(), SystemIdentity()
    made = Client(SocketTransport(process.address, clock, identity, BRIEF), identity, clock)
    for (match, seat), token in witness.tokens.items():
        made.add_token(match, seat, token)
    return made


def open_matches(process: Process, witness: Witness) -> list[MatchId]:
    """Open a match for every player."""
    with client(process, witness) as opener:
        found = [seated(opener, seed=f"{SEED}{number}") for number in range(PLAYERS)]
        for match in found:
            for seat in (RED, BLUE):
                witness.tokens[match, seat] = opener.token(match, seat)
    return found


def play(process: Process, witness: Witness, match: MatchId, seed: int) -> None:
    """Play random commands, opening no new match, until the server dies."""
    choose, identity = Random(seed), SystemIdentity()
    with client(process, witness) as player:
        try:
            while to_move := player.legal(match).to_move:
                legal = player.legal(match, to_move)
                request = PlayRequest(
                    match=match,
                    seat=to_move,
                    token=witness.tokens[match, to_move],
                    command=choose.choice(legal.options).command,
                    expected=None if choose.random() < 0.5 else legal.seq,
                    key=identity.key(),
                )
                witness.ask(request)
                reply = player.ask(request)
                witness.hear(request.key, reply if isinstance(reply, PlayedReply) else None)
        except TimedOut:
            return
    write_notes(process, witness, match)


def write_notes(process: Process, witness: Witness, match: MatchId) -> None:
    """Write notes, many at a time, until the server dies."""
    identity, version = SystemIdentity(), PROTOCOL.encode()
    with Raw(process.address) as raw:
        waiting = 0
        while True:
            while waiting < WINDOW:
                key = identity.key()
                token = witness.tokens[match, RED]
                request = PlayRequest(id=key, match=match, seat=RED, token=token, command=NOTE, key=key)
                witness.ask(request)
                raw.send(version, encode(request))
                waiting += 1
            if not raw.socket.poll(round(BRIEF.timeout_s * 1000)):
                return
            reply = decode_reply(raw.socket.recv_multipart()[-1])
            assert isinstance(reply, PlayedReply), reply
            witness.hear(reply.id, reply)
            waiting -= 1


def listen(process: Process, witness: Witness, matches: list[MatchId], over: Event) -> None:
    """Follow every seat of every match until the server is dead."""
    with Raw(process.events, zmq.XSUB) as raw:
        for match in matches:
            for seat in (RED, BLUE, PUBLIC):
                raw.send(b"\1" + subscription_text(match, seat, witness.tokens.get((match, seat), "")))
        while raw.socket.poll(50) or not over.is_set():
            while raw.socket.poll(0):
                heard = decode_publication(raw.socket.recv())
                if isinstance(heard, EventsPublication):
                    slice_ = EventSlice(heard.first, heard.at, heard.events)
                    witness.published.setdefault((heard.match, heard.seat), []).append(slice_)


def kill_under_load(process: Process, witness: Witness, choose: Random) -> None:
    """Let all players play, and kill the server after a random number of acknowledgements."""
    matches, over = open_matches(process, witness), Event()
    witness.kill_after = len(witness.acknowledged) + choose.randrange(1, 200)
    witness.enough.clear()
    listener = Thread(target=listen, args=(process, witness, matches, over))
    players = [
        *[Thread(target=play, args=(process, witness, match, choose.random())) for match in matches],
        Thread(target=write_notes, args=(process, witness, matches[0])),
    ]
    for thread in (listener, *players):
        thread.start()
    assert witness.enough.wait(SOON_MS / 1000), "nothing is acknowledged"
    process.kill()
    over.set()
    for thread in (listener, *players):
        thread.join(SOON_MS / 1000)
        assert not thread.is_alive()


def ask_again(process: Process, witness: Witness) -> None:
    """Send every request without a reply again, with the same keys."""
    with client(process, witness) as asker:
        for request in list(witness.pending.values()):
            reply = asker.ask(replace(request, expected=None))
            witness.hear(request.key, reply if isinstance(reply, PlayedReply) else None)


def test_acknowledged_and_published_events_survive_every_kill(budget: float, tmp_path: Path) -> None:
    choose, store = Random(1942), tmp_path / "store.db"
    witness, process = Witness(), Process(store)
    try:
        for _ in range(max(1, round(2 * budget))):
            kill_under_load(process, witness, choose)
            with SqliteLog(store, read_only=True) as log:
                check(log, witness)
            process = Process(store)
            ask_again(process, witness)
    finally:
        process.close()

    assert witness.pending == {}
    assert len(witness.published) > PLAYERS
    with SqliteLog(store, read_only=True) as log:
        check(log, witness)
        findings = [finding for match in log.matches() for finding in audit_match(log, match).findings]
    assert findings == []


def witnessed() -> tuple[Sitting, Witness]:
    """A match in memory and a witness with the correct record of it."""
    sitting, witness = Sitting(), Witness()
    played = sitting.play(NOTE, RED, key="note")
    witness.acknowledged[sitting.match, RED, "note"] = played.slices
    witness.published[sitting.match, PUBLIC] = list(sitting.since(PUBLIC).slices)
    check(sitting.log, witness)
    return sitting, witness


def test_the_check_finds_a_lost_acknowledgement() -> None:
    sitting, witness = witnessed()
    witness.acknowledged[sitting.match, RED, "lost"] = ()
    with pytest.raises(AssertionError, match="the acknowledged command lost is in the log 0 times"):
        check(sitting.log, witness)


def test_the_check_finds_a_publication_that_was_not_stored() -> None:
    sitting, witness = witnessed()
    last = witness.published[sitting.match, PUBLIC][-1]
    witness.published[sitting.match, PUBLIC].append(EventSlice(last.last + 1, last.at, last.events))
    with pytest.raises(AssertionError, match="published to public"):
        check(sitting.log, witness)
