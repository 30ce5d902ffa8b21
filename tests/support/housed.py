"""A server with its bots in threads of this process, and raw workers."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread

import zmq

from events.codec import Raw, encode
from events.log import Log
from server.bots.bot_pool import BotPool
from server.bots.bot_turns import Turn
from server.bots.house import Connecting, House
from server.bots.work_messages import WORK, AnyToWorker, Chosen, FromWorker, Leaving, Question, Ready, decode_to_worker
from server.bots.worker import policies_here
from server.broker.broker import Broker
from server.client.sockets import connect, prepare
from server.desk.desk import Desk
from server.protocol.bot_seats import BotSeats
from server.protocol.curve import CurveKey
from tests.support.served import ANYWHERE, SOON_MS, served

SECRET = "the secret of the workers, 32 characters or more"
SEATS = BotSeats("the key of the bots")


class _InThread:
    """The process of the bots, as a thread."""

    def __init__(self, way: Connecting, problems: list[str]) -> None:
        self._way = way
        self._problems = problems
        self._thread: Thread | None = None
        self._pipe: Connection | None = None

    def is_running(self) -> bool:
        while self._pipe is not None and self._pipe.poll():
            self._problems.append(self._pipe.recv())
        return self._thread is not None

    def take(self, turns: Iterable[Turn]) -> bool:
        if not self.is_running() or self._pipe is None:
            return False
        for turn in turns:
            self._pipe.send(turn)
        return True

    def start(self) -> None:
        self._pipe, theirs = Pipe()

        def run() -> None:
            with connect(self._way.address) as client:
                House(theirs, client, self._way).run()

        self._thread = Thread(target=run)
        self._thread.start()

    def end(self) -> None:
        with suppress(EOFError, OSError):
            self.is_running()
        if self._pipe is not None and self._thread is not None:
            self._pipe.close()
            self._thread.join()


class Housed:
    """A broker whose bots take workers at an address; `problems` is what they have logged."""

    def __init__(self, broker: Broker, workers: str, problems: list[str]) -> None:
        self.broker = broker
        self.workers = workers
        self.problems = problems


@contextmanager
def housed(log: Log, workers_key: CurveKey | None = None) -> Iterator[Housed]:
    """Run a broker and its bots until the block ends; with a key the connections of workers are encrypted."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as probe:
        probe.bind(ANYWHERE)
        workers = probe.getsockopt_string(zmq.LAST_ENDPOINT)
    problems: list[str] = []

    def begin(broker: Broker) -> None:
        way = Connecting(
            address=broker.address,
            workers=workers,
            workers_key=b"" if workers_key is None else workers_key.secret,
            workers_secret=SECRET,
        )
        pool = BotPool(SEATS, way)
        pool._process = _InThread(way, problems)  # type: ignore[assignment]
        broker.bots = pool
        pool.take_up(())

    with served(log, desk=Desk(log, bots=SEATS, workers=workers), before=begin) as broker:
        try:
            yield Housed(broker, workers, problems)
        finally:
            assert broker.bots is not None
            # While the broker still answers them.
            broker.bots.close()


class RawWorker:
    """A worker that does what a test wants."""

    def __init__(self, address: str, ready: Ready | None = None, server_key: str = "") -> None:
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        prepare(self._socket, server_key, address)
        self._socket.linger = 500
        self.send(ready or Ready(secret=SECRET, name="raw", policies=policies_here()))
        self.welcome = self.heard()

    def send(self, message: FromWorker) -> None:
        self.send_bytes(encode(message))

    def send_bytes(self, body: bytes) -> None:
        self._socket.send_multipart([WORK, body])

    def answer(self, question: Question, command: bytes) -> None:
        self.send(Chosen(lease=question.lease, command=Raw(command)))

    def heard(self) -> AnyToWorker:
        assert self._socket.poll(SOON_MS), "the bots are silent"
        return decode_to_worker.decode(self._socket.recv_multipart()[-1])

    def question(self) -> Question:
        while not isinstance(message := self.heard(), Question):
            pass
        return message

    def close(self) -> None:
        self.send(Leaving())
        self._context.destroy()
