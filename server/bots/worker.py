"""A worker: it takes decisions of bots, one at a time, with nothing but what their seats may see. It holds no secret of a seat."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache
from threading import Event, Lock, Thread

import zmq

from core.bots.seat_knowledge import SeatKnowledge
from core.errors import KernelError
from core.registry.bot_policies import policy_names, policy_version
from core.registry.games import game_keys, load_game
from core.secrets.knowledge import Hidden
from events.codec import DecodeError, Raw, encode
from events.ids import GameKey, MatchId, Seat
from projections.state.view import EventSlice
from server.bots.bot_turns import choose
from server.bots.work_messages import (
    WORK,
    AnyToWorker,
    AskStatus,
    Chosen,
    Events,
    Failed,
    FromWorker,
    Leaving,
    Question,
    Ready,
    Refused,
    Seen,
    Status,
    Thinking,
    decode_to_worker,
)
from server.bots.work_queue import BEAT_S
from server.protocol.errors import ServerError, TimedOut

SILENT_S = 10.0
"""After how long without a message the server counts as away (seconds)."""
PROBLEM_CHARACTERS_MAX = 500
SEATS_MAX = 32
"""Of how many seats a worker keeps what they know, so that it asks only for what is new."""


class WorkRefused(ServerError):
    """The server does not want a worker; the message says why."""


class ServerAway(TimedOut):
    """The server is silent."""


def status_of(socket: "zmq.Socket[bytes]", secret: str) -> Status:
    """Ask the bots of a server who works for them.

    Raises:
        WorkRefused: The secret is wrong.
        ServerAway: They are silent.
    """
    socket.send_multipart([WORK, encode(AskStatus(secret=secret))])
    while socket.poll(round(SILENT_S * 1_000)):
        message = _decoded(socket.recv_multipart())
        if isinstance(message, Status):
            return message
        if isinstance(message, Refused):
            raise WorkRefused(message.problem)
    raise ServerAway(f"nothing was heard of the server's bots for {SILENT_S:g} s")


def _decoded(frames: Sequence[bytes]) -> AnyToWorker | None:
    """Return a message; None for one that cannot be read."""
    try:
        return decode_to_worker.decode(frames[-1]) if frames[0] == WORK else None
    except DecodeError:
        return None


@cache
def policies_here() -> dict[GameKey, dict[str, str]]:
    """Return the versions of the installed policies by game; those that cannot be loaded are left out."""
    found: dict[GameKey, dict[str, str]] = {}
    for key in game_keys():
        game = load_game(key)
        versions = found.setdefault(game.key, {})
        for name in policy_names(game):
            try:
                versions[name] = policy_version(game, name)
            except KernelError:
                continue
    return found


class Worker:
    """A worker of a server.

    Args:
        socket: A DEALER, connected to the server.
        ready: Tells who it is.

    Attributes:
        decided: How many decisions it took.
    """

    def __init__(self, socket: "zmq.Socket[bytes]", ready: Ready) -> None:
        self._socket = socket
        self._ready = ready
        # While it thinks, another thread says so; both use the socket under the lock then.
        self._lock = Lock()
        self._lease = ""
        self.decided = 0
        self._known: OrderedDict[tuple[MatchId, Seat], SeatKnowledge] = OrderedDict()

    def work(self, is_stopped: Callable[[], bool] = lambda: False) -> None:
        """Take decisions until told to stop; `is_stopped` is asked every second, and after each decision.

        Raises:
            WorkRefused: The server does not want it.
            ServerAway: The server is silent.
        """
        is_over = Event()
        beating = Thread(target=self._beat, args=(is_over,), name="wardiary-beat", daemon=True)
        beating.start()
        silent_s, is_due = 0.0, True
        try:
            while not is_stopped():
                if is_due:
                    self._send(self._ready)
                is_due = not self._socket.poll(round(BEAT_S * 1_000))
                silent_s = silent_s + BEAT_S if is_due else 0.0
                if silent_s >= SILENT_S:
                    raise ServerAway(f"nothing was heard of the server for {SILENT_S:g} s")
                if not is_due:
                    self._take(self._receive())
        finally:
            is_over.set()
            beating.join()
            self._send(Leaving())

    def _beat(self, is_over: Event) -> None:
        while not is_over.wait(BEAT_S):
            with self._lock:
                if self._lease:
                    self._send(Thinking(lease=self._lease))

    def _take(self, message: AnyToWorker | None) -> None:
        if isinstance(message, Refused):
            raise WorkRefused(message.problem)
        if isinstance(message, Question):
            self._set_lease(message.lease)
            answer = self._answer(message)
            self._set_lease("")
            self._send(answer)
            self.decided += isinstance(answer, Chosen)

    def _set_lease(self, lease: str) -> None:
        with self._lock:
            self._lease = lease

    def _answer(self, question: Question) -> Chosen | Failed:
        try:
            command = choose(question, lambda: self._knowledge(question))
        except Exception as error:  # noqa: BLE001 - A fault in one game's policy must not end the worker of the others.
            return Failed(lease=question.lease, problem=f"{type(error).__name__}: {error}"[:PROBLEM_CHARACTERS_MAX])
        return Chosen(lease=question.lease, command=Raw(encode(command)))

    def _knowledge(self, question: Question) -> Hidden:
        """Return what the seat knows: the server is asked for what is new.

        Raises:
            ServerAway: It does not answer.
        """
        seat = question.match, question.seat
        known = self._known.pop(seat, None)
        if known is None or known.count > question.legal.seq:
            known = SeatKnowledge()
        with self._lock:
            slices = self._seen(Events(lease=question.lease, since=known.count))
        for slice_ in slices:
            known.follow(slice_.events)
        self._known[seat] = known
        if len(self._known) > SEATS_MAX:
            self._known.popitem(last=False)
        return known.now()

    def _seen(self, wanted: Events) -> Sequence[EventSlice]:
        self._send(wanted)
        while self._socket.poll(round(SILENT_S * 1_000)):
            message = self._receive()
            if isinstance(message, Seen) and message.lease == wanted.lease:
                return message.slices
        raise ServerAway("the server does not tell what the seat has seen")

    def _receive(self) -> AnyToWorker | None:
        return _decoded(self._socket.recv_multipart())

    def _send(self, message: FromWorker) -> None:
        self._socket.send_multipart([WORK, encode(message)])
