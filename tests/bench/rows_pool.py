"""Rows about the workers of a server's bots: decisions a second beside the same policy in one process, and how soon the next question comes."""

import random
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Thread

import zmq

from core.bots.budget import parse_policy
from core.checking.simulated_match import Plan as MatchPlan
from core.checking.simulated_match import SimulatedMatch, WentWrong
from core.secrets.knowledge import Hidden
from events.codec import Raw, encode
from events.ids import Seat
from server.bots.bot_pool import BotPool
from server.bots.bot_turns import choose
from server.bots.house import Connecting
from server.bots.work_messages import WORK, Chosen, Question, Ready, decode_to_worker
from server.bots.worker import ServerAway, Worker, policies_here, status_of
from server.broker.broker import Broker
from server.broker.limits import Limits
from server.broker.serving import Serving, serve
from server.client.client import Client
from server.client.sockets import connect
from server.protocol.bot_seats import BotSeats
from server.store.concurrent_log import ConcurrentSqliteLog
from tests.bench import children, raw_store
from tests.bench.harness import Contestant, Figures, Line, Plan, Row, alternate, anchor, our_figure, percentile

GAME, SEATS = "battle", (Seat("german"), Seat("russian"))
SECRET = "the secret of the workers of the benchmark"
ANYWHERE = "tcp://127.0.0.1:*"
AT_ONCE = 6
"""How many matches go on at once, so that no worker waits for one."""
SETTLED = 4
"""How many slices workers play before they are counted."""
STUCK_S = 60.0
TURNS = 100
"""How many questions are timed in a round."""
QUICK, THINKING = "greedy", "search:20"


def run_server(pipe: Connection, path: Path, workers: str) -> None:
    """Serve an empty store, whose bots take workers at an address, until told to stop; its first message is its address."""

    def ready(broker: Broker) -> None:
        pipe.send(broker.address)

        def wait() -> None:
            pipe.recv()
            broker.stop()

        Thread(target=wait, daemon=True).start()

    serve(
        ConcurrentSqliteLog(path),
        Serving(address=ANYWHERE, events=ANYWHERE, limits=Limits(opens=1_000_000, bots=1_000_000), workers=workers),
        bots=BotSeats("the key of the bots"),
        bots_at=lambda address, _: BotPool(
            BotSeats("the key of the bots"),
            Connecting(address=address, workers=workers, workers_secret=SECRET),
        ),
        ready=ready,
    )


def run_worker(pipe: Connection, workers: str) -> None:
    """Be a worker until told to stop."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as socket:
        socket.linger = 0
        socket.connect(workers)
        Worker(socket, Ready(secret=SECRET, name="bench", policies=policies_here())).work(pipe.poll)


@contextmanager
def pool(plan: Plan, workers: int) -> Iterator[tuple[Client, str]]:
    """Run a server with so many workers; yield a client, and where workers connect."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as probe:
        probe.bind(ANYWHERE)
        address = probe.getsockopt_string(zmq.LAST_ENDPOINT)
    path = plan.scratch / f"pool-{workers}.db"
    raw_store.remove(path)
    with ExitStack() as closing:
        server = closing.enter_context(children.child(run_server, path, address))
        client = closing.enter_context(connect(server.pipe.recv()))
        for _ in range(workers):
            closing.enter_context(children.child(run_worker, address))
        yield client, address


class Playing:
    """Matches between bots that always go on.

    Args:
        client: Opens them.
        bot: Plays both sides.
    """

    def __init__(self, client: Client, bot: str) -> None:
        self._client = client
        self._bot = bot
        self._seeds = count()
        self._matches = [self._opened() for _ in range(AT_ONCE)]

    def _opened(self) -> str:
        match = self._client.open(GAME, dice="seeded", seed=str(next(self._seeds))).match
        for seat in SEATS:
            self._client.seat_bot(match, seat, self._bot)
        return match

    def keep_on(self) -> None:
        """Open another match for each that is over."""
        for summary in self._client.matches():
            if summary.match in self._matches and summary.ended is not None:
                self._matches[self._matches.index(summary.match)] = self._opened()


def by_workers(closing: ExitStack, plan: Plan, bot: str, workers: int) -> Contestant:
    """Let workers play matches of a bot, and count what they decide."""
    client, address = closing.enter_context(pool(plan, workers))
    playing: list[Playing] = []

    def decided() -> list[int]:
        # A connection of its own: an answer that came too late must not be taken for the next one.
        with zmq.Context() as context, context.socket(zmq.DEALER) as asking, suppress(ServerAway):
            asking.linger = 0
            asking.connect(address)
            return [one.decided for one in status_of(asking, SECRET).workers if one.name == "bench"]
        return []

    def play() -> Figures:
        while len(decided()) < workers:
            time.sleep(0.05)
        if not playing:
            playing.append(Playing(client, bot))
            time.sleep(SETTLED * plan.slice_s)
        playing[0].keep_on()
        before, began, done, spent = sum(decided()), time.perf_counter(), 0, 0.0
        while spent < plan.slice_s * 2 or not done:
            if spent > STUCK_S:
                raise RuntimeError(f"the workers have decided nothing for {STUCK_S:g} s")
            time.sleep(plan.slice_s / 4)
            playing[0].keep_on()
            done, spent = sum(decided()) - before, time.perf_counter() - began
        return {"rate": done / spent}

    return play


def in_process(plan: Plan, bot: str) -> Contestant:
    """Let the same policy play the same matches in this process, without a server."""
    policy, budget = parse_policy(bot)
    seeds = count()
    playing: list[SimulatedMatch] = []

    def begun() -> SimulatedMatch:
        bots = dict.fromkeys(SEATS, policy)
        match = SimulatedMatch(
            MatchPlan(1, GAME, "standard", "", {}, bots, str(next(seeds)), 0, False, ""), random.Random
        )
        match.budgets = dict.fromkeys(SEATS, budget)
        return match

    def play() -> Figures:
        steps, began = 0, time.perf_counter()
        while time.perf_counter() < began + plan.slice_s * 2:
            if not playing or playing[-1].match.table.ended is not None:
                playing[:] = [begun()]
            match = playing[-1]
            before = match.steps
            match.plan = match.plan._replace(steps_max=before + AT_ONCE)
            with suppress(WentWrong):
                match.play()
            steps += match.steps - before
        return {"rate": steps / (time.perf_counter() - began)}

    return play


def decisions(plan: Plan) -> list[Line]:
    """Measure the decisions of a quick bot by one worker, and of one that thinks by one and by two."""
    lines = []
    for bot, workers in ((QUICK, 1), (THINKING, 1), (THINKING, 2)):
        with ExitStack() as closing:
            contestants: dict[str, Contestant | None] = {
                "ours": by_workers(closing, plan, bot, workers),
                "limit": in_process(plan, bot),
            }
            samples = alternate(contestants, plan.runs)
        figure, spread = our_figure(samples, "rate")
        lines.append(
            Line(
                f"pool.{bot.partition(':')[0]}-{workers}",
                f"decisions of {bot} in Battle for Stalingrad by {workers} worker{'s' if workers > 1 else ''}",
                "decisions/s",
                more_is_better=True,
                ours=figure,
                spread=spread,
                limit=anchor("the same policy in one process, no server", samples, "limit", "rate"),
            )
        )
    return lines


def known_nothing() -> Hidden:
    """Return what the seat of a policy knows that imagines nothing."""
    raise AssertionError(f"{QUICK} imagines nothing")


class RawWorker:
    """A worker that answers at once, and times how long the next question takes.

    Args:
        socket: Connected to the bots of a server.
    """

    def __init__(self, socket: "zmq.Socket[bytes]") -> None:
        self._socket = socket
        self._waits: list[float] = []

    def turns(self) -> list[float]:
        """Answer questions, and return how long each next one took (seconds)."""
        self._send(Ready(secret=SECRET, name="raw", policies=policies_here()))
        waits: list[float] = []
        question = self._question()
        while len(waits) < TURNS:
            answer = Chosen(lease=question.lease, command=Raw(encode(choose(question, known_nothing))))
            began = time.perf_counter()
            self._send(answer)
            question = self._question()
            waits.append(time.perf_counter() - began)
        self._send(Chosen(lease=question.lease, command=Raw(encode(choose(question, known_nothing)))))
        return waits

    def _send(self, message: Ready | Chosen) -> None:
        self._socket.send_multipart([WORK, encode(message)])

    def _question(self) -> Question:
        while True:
            message = decode_to_worker.decode(self._socket.recv_multipart()[-1])
            if isinstance(message, Question):
                return message


def by_client(client: Client) -> list[float]:
    """Play a match as a client that decides for both seats, and return how long a command and the next options took (seconds)."""
    match = client.open(GAME, dice="seeded", seed="1").match
    for seat in SEATS:
        client.take_seat(match, seat, sign=False)
    waits: list[float] = []
    legal = client.legal(match, SEATS[1], words=False, table=True)
    while len(waits) < TURNS and legal.to_move:
        if not legal.options:
            legal = client.legal(match, legal.to_move, words=False, table=True)
        question = Question(match=match, seat=legal.to_move, bot=QUICK, version="", seed="1", legal=legal)
        chosen = encode(choose(question, known_nothing))
        began = time.perf_counter()
        client.play(match, legal.to_move, chosen, expected=legal.seq)
        legal = client.legal(match, legal.to_move, words=False, table=True)
        waits.append(time.perf_counter() - began)
    return waits


def questions(plan: Plan) -> list[Line]:
    """Measure how long an idle worker waits from its answer to the next question: the command is played, and the next options are asked for."""

    def figures(waits: list[float]) -> Figures:
        return {"p50": percentile(waits, 0.5) * 1e3, "p99": percentile(waits, 0.99) * 1e3}

    with ExitStack() as closing:
        client, address = closing.enter_context(pool(plan, 0))
        socket = closing.enter_context(zmq.Context()).socket(zmq.DEALER)
        closing.callback(socket.close, linger=0)
        socket.connect(address)
        worker, seeds = RawWorker(socket), count()

        def ours() -> Figures:
            match = client.open(GAME, dice="seeded", seed=f"{next(seeds)}").match
            for seat in SEATS:
                client.seat_bot(match, seat, QUICK)
            return figures(worker.turns())

        contestants: dict[str, Contestant | None] = {"ours": ours, "limit": lambda: figures(by_client(client))}
        samples = alternate(contestants, plan.runs)
    lines = []
    for metric in ("p50", "p99"):
        figure, spread = our_figure(samples, metric)
        lines.append(
            Line(
                f"pool.{metric}",
                f"from a worker's answer to the next question, nothing else to do, {metric}",
                "ms",
                more_is_better=False,
                ours=figure,
                spread=spread,
                limit=anchor("a command and `legal` of one client", samples, "limit", metric),
            )
        )
    return lines


ROWS = (Row("pool", "decisions of bots by workers", lambda plan: [*decisions(plan), *questions(plan)]),)
