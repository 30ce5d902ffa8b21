"""Pages that a real browser can open: a broker, and the server of the pages on a port of this machine."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Thread
from typing import cast

from uvicorn import Server

from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick
from core.match.bound_games import bound_game
from core.registry.bot_policies import find_policy
from core.registry.games import load_game
from events.archive import export_match
from events.archive_reader import import_archive
from events.ids import ARBITER, MatchId, Seat
from events.log import Log
from events.memory_log import MemoryLog
from server.broker.broker import Broker
from server.client.bots import Bot, run_bot
from server.client.client import Client
from server.client.local import local_client
from server.protocol.replies import LegalOption, OpenedReply
from server.web.backend.gateway import Gateway
from server.web.http.guard import LOOPBACK, App, Message, Receive, Scope, Send
from server.web.web_server import Listening, address_of, bound, server_of
from tests.support.browsing import secret_of
from tests.support.sample_matches import play
from tests.support.served import SOON_MS, client_of, eventually, served
from tests.support.sitting import OWNER

POLICY, SEED = "greedy", "1"


class Recorder:
    """Passes requests on to the pages, and keeps what they send to each visitor, by the name that the visitor's browser gives itself.

    Args:
        app: The pages.
        sent: Where it is kept.
    """

    def __init__(self, app: App, sent: dict[str, list[bytes]]) -> None:
        self._app = app
        self._sent = sent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        headers = scope["headers"]
        assert isinstance(headers, list)
        kept = self._sent.setdefault(dict(headers).get(b"user-agent", b"").decode(), [])

        async def keep(message: Message) -> None:
            kept.append(str(message.get("headers", "")).encode())
            body = message.get("body", b"")
            assert isinstance(body, bytes)
            kept.append(body)
            await send(message)

        await self._app(scope, receive, keep)


class Site:
    """A broker with its pages.

    Args:
        broker: The broker.
        owner: A client of it with the owner's secret, which plays for those who are not in a browser.
        log: Where its matches lie.

    Attributes:
        sent: All that was sent to each visitor, by its name.
        playouts_s: How long bots play on from the points of a match that is over (seconds), once the pages are started again.
        links_key: Returns the secret from which chains and keys of visitors follow, once the pages are started again; without it they hold none.
    """

    def __init__(self, broker: Broker, owner: Client, log: Log) -> None:
        self._broker = broker
        self._log = log
        self._local = local_client(log)
        self.owner = owner
        self.sent: dict[str, list[bytes]] = {}
        self.playouts_s = 0.0
        self.links_key: Callable[[], bytes] | None = None
        self._port = 0
        self._server: Server | None = None
        self._thread: Thread | None = None

    @property
    def address(self) -> str:
        """The address of the pages, without a slash at its end."""
        return f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        """Serve the pages, where they were served before if they were."""

        def run() -> None:
            with bound(Listening("127.0.0.1", self._port)) as made:
                self._port = int(address_of(made).rstrip("/").rpartition(":")[2])
                gateway = Gateway(self._broker.address, links_key=self.links_key)
                server = server_of(gateway, LOOPBACK, playouts_s=self.playouts_s)
                server.config.app = Recorder(cast("App", server.config.app), self.sent)
                self._server = server
                try:
                    self._server.run(sockets=[made])
                finally:
                    gateway.close()

        self._thread = Thread(target=run)
        self._thread.start()
        eventually(lambda: self._server is not None and self._server.started, "the pages do not start")

    def stop(self) -> None:
        """Stop serving the pages, and cut all connections."""
        assert self._server is not None and self._thread is not None
        self._server.should_exit = True
        self._thread.join(SOON_MS / 1000)
        assert not self._thread.is_alive(), "the pages do not end"
        self._server = None

    # Matches

    def open(self, game: str, scenario: str = "", mode: str = "", *, seed: str = "1", dice: str = "seeded") -> MatchId:
        """Open a match and take its seats with their secrets."""
        opened = self.owner.open(game, scenario, mode=mode, dice=dice, seed=seed if dice == "seeded" else "")
        for seat in opened.seats:
            self.take(opened.match, seat)
        return opened.match

    def prepared(
        self,
        game: str,
        scenario: str = "",
        mode: str = "",
        *,
        commands: int = 3_000,
        seed: str = "1",
        dice: str = "seeded",
    ) -> MatchId:
        """Return a match after so many commands, by default one that is over; the broker first hears of it then, so that this is quick."""
        if dice == "seeded":
            match, archive = _archived(game, scenario, mode, commands, seed)
            if match not in self._log.matches():
                import_archive(archive, self._log)
                for seat in self._local.state(match).table.seats:
                    self.owner.add_token(match, seat, secret_of(seat))
                return match
        opened = self._local.open(game, scenario, mode=mode, dice=dice, seed=seed if dice == "seeded" else "")
        self._taken(opened)
        play(self._local, self._local.state(opened.match).table.game, opened.match, commands, SEED)
        return opened.match

    def before_the_end(self, match: MatchId, commands: int) -> MatchId:
        """Return a fork of a prepared match that is over, which bots would end with about so many commands."""
        at = self._local.log(match, ARBITER)[-commands].first - 1
        opened = self._local.fork(match, ARBITER, at, dice="same", hidden="truth")
        self._taken(opened)
        return opened.match

    def _taken(self, opened: OpenedReply) -> None:
        for seat in opened.seats:
            self._local.take_seat(opened.match, seat, f"Player of {seat}", share=False, secret=secret_of(seat))
            self.owner.add_token(opened.match, seat, secret_of(seat))

    def reserved(self, game: str, seat: Seat, name: str, credential: str) -> MatchId:
        """Open a match and reserve one of its seats for the holder of the invitation with this SHA-256; the broker first hears of it then."""
        match = self._local.open(game, dice="seeded", seed="1").match
        reserve = {"do": "match:reserve-seat", "seat": seat, "name": name, "credential": credential}
        self._local.play(match, ARBITER, reserve)
        return match

    def players(self, match: MatchId) -> dict[Seat, str]:
        """Return the seats that are taken, with the names of their players."""
        return dict(self._local.state(match).table.players)

    def take(self, match: MatchId, seat: Seat) -> None:
        """Take a seat with its secret."""
        self.owner.take_seat(match, seat, f"Player of {seat}", share=False, secret=secret_of(seat))

    def advance(self, match: MatchId, commands: int) -> int:
        """Let bots play all seats, at most so many commands; return how many were played."""
        return play(self.owner, self.owner.state(match).table.game, match, commands, SEED)

    def next_option(self, match: MatchId, seat: Seat, plan: list[Command]) -> LegalOption:
        """Return the option that a bot would choose, so that a match played by clicks ends as soon as one of bots.

        Args:
            match: The match.
            seat: Who is to decide.
            plan: The rest of a choice of several items, which is picked one by one; it is changed.
        """
        state, legal = self.owner.state(match, seat), self.owner.legal(match, seat)
        bound = bound_game(state.table.game, None)
        rules = bound.rules
        options = {rules.decode(bytes(one.command)): one for one in legal.options}
        while plan and plan[0] not in options:
            plan.pop(0)
        if not plan:
            record = load_game(state.table.game)
            wanted = Bot(bound, seat, find_policy(record, POLICY), SEED).choice(state.table, legal)
            # A stack that is moved, or an attack by chosen units, stands for several options, one after the other.
            for part in (wanted,) if wanted in options else rules.expand(state.table, wanted):
                chosen = [Pick(item, to) for item, to in part.picks] if isinstance(part, Choose) else [part]
                plan += [*chosen, Done()]
        return options[plan.pop(0)]

    def mover(self, match: MatchId) -> Seat:
        """Return who is to decide."""
        return self.owner.legal(match, words=False).to_move

    def last(self, match: MatchId, seat: Seat = ARBITER) -> int:
        """Return the number of the last event that a seat has seen."""
        return self.owner.state(match, seat).seq

    @contextmanager
    def bot(self, match: MatchId, seat: Seat) -> Iterator[None]:
        """Let a bot play a seat until the block ends."""
        stopped = [False]
        faults: list[BaseException] = []

        def run() -> None:
            try:
                with client_of(self._broker) as client:
                    client.add_token(match, seat, secret_of(seat))
                    run_bot(client, match, seat, POLICY, SEED, is_stopped=lambda: stopped[0])
            except BaseException as error:  # noqa: BLE001 - It is raised in the test's own thread below.
                faults.append(error)

        thread = Thread(target=run)
        thread.start()
        try:
            yield
        finally:
            stopped[0] = True
            thread.join(SOON_MS / 1000)
        assert faults == []


@cache
def _archived(game: str, scenario: str, mode: str, commands: int, seed: str) -> tuple[MatchId, tuple[bytes, ...]]:
    """Return a match after so many commands, as an archive, so that many sites can show it."""
    log = MemoryLog()
    client = local_client(log)
    opened = client.open(game, scenario, mode=mode, dice="seeded", seed=seed)
    for seat in opened.seats:
        client.take_seat(opened.match, seat, f"Player of {seat}", share=False, secret=secret_of(seat))
    play(client, client.state(opened.match).table.game, opened.match, commands, SEED)
    return opened.match, tuple(export_match(log, opened.match))


@contextmanager
def site(log: Log | None = None) -> Iterator[Site]:
    """Serve a log, by default an empty one, and its pages until the block ends."""
    log = MemoryLog() if log is None else log
    with served(log) as broker, client_of(broker, owner=OWNER) as owner:
        made = Site(broker, owner, log)
        made.start()
        try:
            yield made
        finally:
            made.stop()
