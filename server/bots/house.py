"""The process of a server's bots: it looks what they have to do, has workers take their decisions, and plays what these choose.

It alone has the secrets of the seats. One worker is a thread of this process, so that the bots play on where nobody else works for the server.
"""

import hmac
import signal
import time
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from threading import Event, Thread

import zmq

from core.bots.budget import parse_policy
from core.errors import KernelError
from core.registry.games import GAMES
from events.codec import DecodeError, Struct, encode
from events.ids import GameKey, MatchId, Seat
from server.bots.bot_turns import Turn, check_choice, look, settle
from server.bots.work_messages import (
    MESSAGE_BYTES_MAX,
    WORK,
    AnyFromWorker,
    AskStatus,
    Chosen,
    Events,
    Failed,
    Leaving,
    Question,
    Ready,
    Refused,
    Seen,
    Thinking,
    ToWorker,
    Welcome,
    decode_from_worker,
)
from server.bots.work_queue import BEAT_S, THOUGHT_MOST_S, THOUGHT_S, Decision, Route, WorkQueue
from server.bots.worker import ServerAway, Worker, policies_here
from server.client.client import Client
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.protocol.curve import CurveKey, secure_server
from server.protocol.errors import RequestFailed, ServerError
from server.protocol.identity import SystemIdentity

RETRY = RetryPolicy(timeout_s=10.0, tries=3)
SEATS_MAX = 512
"""Of how many seats the process keeps the chains; a chain is made anew in some milliseconds."""
PAUSE_S = 0.5
"""How long a bot waits for a server that is busy (seconds)."""
MESSAGES_MAX = 100
"""How many messages of workers are taken before the bots are looked after again."""
QUIET_MS, DEAD_MS = 10_000, 30_000
"""Silence after which a connection of a worker is pinged, and after which it counts as dead (milliseconds)."""
SHOWN_MAX = 40
NOT_LET_IN = "this is not the secret of the server's workers: WARDIARY_WORKERS_SECRET is the same on both sides"
OWN = "inproc://own-worker"
OWN_NAME = "the server"


class Connecting(Struct, frozen=True):
    """The way of the bots to their server, and of workers to the bots.

    Attributes:
        address: Where the server takes requests.
        server_key: The server's public key, if connections are encrypted.
        secret_key: The key of the bots, then.
        workers: Where workers connect; empty if there are none but the server's own.
        workers_key: The server's secret key, if their connections are encrypted.
        workers_secret: The secret that lets them work; not empty if there is an address.
    """

    address: str
    server_key: str = ""
    secret_key: bytes = b""
    workers: str = ""
    workers_key: bytes = b""
    workers_secret: str = ""


def play_turns(pipe: Connection, way: Connecting, games: Mapping[GameKey, str]) -> None:
    """Play the turns that come through a pipe until it is closed.

    Args:
        pipe: Brings turns; what goes wrong with one goes back as text.
        way: Leads to the server, and workers to the bots.
        games: The games that the server knows.
    """
    # Ctrl-C reaches both processes; the server decides when this one ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    GAMES.update(games)
    client_key = CurveKey(way.secret_key) if way.secret_key else None
    with connect(way.address, retry_policy=RETRY, server_key=way.server_key, client_key=client_key) as client:
        House(pipe, client, way).run()


class House:
    """The bots of a server, and their workers.

    Args:
        pipe: Brings turns.
        client: Plays their commands.
        way: Says where workers connect.
    """

    def __init__(self, pipe: Connection, client: Client, way: Connecting) -> None:
        self._pipe = pipe
        self._client = client
        self._way = way
        self._turns: OrderedDict[tuple[MatchId, Seat], Turn] = OrderedDict()
        self._known: OrderedDict[tuple[MatchId, Seat], None] = OrderedDict()
        self._queue = WorkQueue()
        self._own_secret = SystemIdentity().token()
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._router = self._listening()
        self._is_over = Event()
        self._own = Thread(target=self._work, name="wardiary-own-worker", daemon=True)

    def _listening(self) -> "zmq.Socket[bytes]":
        router = self._context.socket(zmq.ROUTER)
        router.linger = 0
        router.setsockopt(zmq.MAXMSGSIZE, MESSAGE_BYTES_MAX)
        router.setsockopt(zmq.HEARTBEAT_IVL, QUIET_MS)
        router.setsockopt(zmq.HEARTBEAT_TIMEOUT, DEAD_MS)
        router.bind(OWN)
        if self._way.workers:
            secure_server(router, CurveKey(self._way.workers_key) if self._way.workers_key else None)
            try:
                router.bind(self._way.workers)
            except zmq.ZMQError as error:
                self._tell(f"workers cannot connect at {self._way.workers}: {str(error).lower()}")
        return router

    def _work(self) -> None:
        """Be the server's own worker."""
        socket = self._context.socket(zmq.DEALER)
        socket.linger = 0
        socket.connect(OWN)
        worker = Worker(socket, Ready(secret=self._own_secret, name=OWN_NAME, policies={}))
        while not self._is_over.is_set():
            # The server itself may be away for long.
            with suppress(ServerAway):
                worker.work(self._is_over.is_set)
        socket.close()

    def _tell(self, problem: str) -> None:
        """Log what goes wrong."""
        self._pipe.send(problem)

    def run(self) -> None:
        """Play until the pipe is closed."""
        self._own.start()
        poller = zmq.Poller()
        poller.register(self._pipe.fileno(), zmq.POLLIN)
        poller.register(self._router, zmq.POLLIN)
        try:
            # The policy of a game may end its thread, but not this process with a lease that nobody has.
            while self._own.is_alive():
                poller.poll(0 if self._turns else round(BEAT_S * 1_000))
                while self._pipe.poll():
                    turn = self._pipe.recv()
                    self._turns[turn.match, turn.seat] = turn
                for _ in range(MESSAGES_MAX):
                    if not self._router.poll(0):
                        break
                    self._hear()
                if self._turns:
                    self._look(self._turns.popitem(last=False)[1])
                self._share_out()
        except (EOFError, OSError):
            return
        finally:
            self._is_over.set()
            self._own.join()
            self._context.destroy(linger=0)

    def _share_out(self) -> None:
        """End leases, and give out what nobody thinks about."""
        now = time.monotonic()
        for worker, decision in self._queue.expire(now):
            question = decision.question
            self._tell(f"{question.match} {question.seat}: the worker {worker.status.name} does not answer")
        for route, question in self._queue.assign(now):
            self._send(route, question)

    def _look(self, turn: Turn) -> None:
        """Do what a bot has to do, or let its decision wait for a worker."""
        seat = turn.match, turn.seat
        self._known[seat] = None
        self._known.move_to_end(seat)
        if len(self._known) > SEATS_MAX:
            self._client.forget(*self._known.popitem(last=False)[0])
        try:
            found = look(self._client, turn)
        except Exception as error:  # noqa: BLE001 - A fault in one game must not end the bots of the others.
            self._failed(turn, error)
            return
        if isinstance(found, Question):
            policy, budget = parse_policy(found.bot)
            limit_s = THOUGHT_S + budget.ms / 1_000 if budget.ms else THOUGHT_MOST_S
            self._queue.put(Decision(turn, found, policy, limit_s))
            return
        self._queue.drop(*seat)
        if found:
            self._turns.setdefault(seat, turn)

    def _failed(self, turn: Turn, error: Exception) -> None:
        """Come back to a bot later if the server is busy, is being ended or is started again; log everything else."""
        if isinstance(error, ServerError) and (not isinstance(error, RequestFailed) or error.reply.retry):
            time.sleep(PAUSE_S)
            self._turns.setdefault((turn.match, turn.seat), turn)
            return
        self._queue.drop(turn.match, turn.seat)
        is_fault = not isinstance(error, ServerError | KernelError)
        self._tell(f"{turn.match} {turn.seat}: {repr(error) if is_fault else error}")

    def _hear(self) -> None:
        """Take a message of a worker."""
        route, *frames = self._router.recv_multipart()
        if len(frames) != 2 or frames[0] != WORK:
            return
        try:
            message = decode_from_worker.decode(frames[1])
        except DecodeError as error:
            self._send(route, Refused(problem=f"this is no message of a worker: {error}"))
            self._queue.leave(route)
            return
        self._take(route, message, time.monotonic())

    def _take(self, route: Route, message: AnyFromWorker, now: float) -> None:
        if isinstance(message, Ready):
            self._send(route, self._welcome(route, message, now))
        elif isinstance(message, Thinking):
            self._queue.thinks(route, message.lease, now)
        elif isinstance(message, Events):
            self._tell_seen(route, message)
        elif isinstance(message, Chosen):
            self._settle(route, message, now)
        elif isinstance(message, Failed):
            self._worker_failed(route, message.lease, message.problem, now)
        elif isinstance(message, Leaving):
            self._queue.leave(route)
        elif isinstance(message, AskStatus):
            is_let = self._lets_in(message.secret)
            self._send(route, self._queue.status() if is_let else Refused(problem=NOT_LET_IN))

    def _lets_in(self, secret: str) -> bool:
        """Return whether a secret is that of workers."""
        known = self._way.workers_secret
        return bool(known) and hmac.compare_digest(secret.encode(), known.encode())

    def _welcome(self, route: Route, ready: Ready, now: float) -> ToWorker:
        is_own = hmac.compare_digest(ready.secret.encode(), self._own_secret.encode())
        problem = ""
        if not is_own and not self._lets_in(ready.secret):
            problem = NOT_LET_IN
        elif not is_own:
            problem = self._other_version(ready)
        if not problem and not self._queue.welcome(route, ready, now, is_own=is_own):
            problem = "too many workers are connected"
        return Refused(problem=problem) if problem else Welcome()

    def _other_version(self, ready: Ready) -> str:
        """Return which policy a worker has in another version; empty if none."""
        for game, policies in policies_here().items():
            for name, version in policies.items():
                its = ready.policies.get(game, {}).get(name, version)
                if its != version:
                    return (
                        f"this worker plays {name} of {game} in version {its[:SHOWN_MAX]}, and the server in {version}: "
                        "install the same release of War Diary on both"
                    )
        return ""

    def _tell_seen(self, route: Route, wanted: Events) -> None:
        decision = self._queue.asked(route, wanted.lease)
        if decision is None:
            return
        try:
            slices = tuple(self._client.log(*decision.seat, max(0, wanted.since)))
        except ServerError as error:
            self._failed(decision.turn, error)
            return
        self._send(route, Seen(lease=wanted.lease, slices=slices))

    def _settle(self, route: Route, chosen: Chosen, now: float) -> None:
        """Play what a worker has chosen, unless that is late or no choice."""
        decision = self._queue.asked(route, chosen.lease)
        if decision is None:
            self._queue.answered(route, chosen.lease, now)
            return
        try:
            check_choice(decision.question, chosen.command)
            is_due = settle(self._client, decision.turn, decision.question, chosen.command)
        except (ServerError, KernelError) as error:
            if isinstance(error, KernelError) or (isinstance(error, RequestFailed) and error.code == "refused"):
                self._worker_failed(route, chosen.lease, str(error), now)
                return
            self._queue.answered(route, chosen.lease, now)
            self._failed(decision.turn, error)
            return
        self._queue.answered(route, chosen.lease, now)
        if is_due:
            self._turns.setdefault(decision.seat, decision.turn)

    def _worker_failed(self, route: Route, lease: str, problem: str, now: float) -> None:
        """Ask another worker; if the server's own has failed there is none left, and the bot does not play on."""
        failed = self._queue.failed(route, lease, now)
        if failed is None:
            return
        decision, worker = failed
        question = decision.question
        if worker.is_own:
            self._queue.drop(*decision.seat)
        self._tell(
            f"{question.match} {question.seat}: the worker {worker.status.name} fails with {question.bot}: {problem}"
        )

    def _send(self, route: Route, message: ToWorker) -> None:
        self._router.send_multipart([route, WORK, encode(message)])
