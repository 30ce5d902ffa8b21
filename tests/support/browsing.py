"""A browser without a screen: pages in one process with their broker, cookies, and HTML read as browsers read it."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from copy import copy, deepcopy
from random import Random
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar
from xml.etree.ElementTree import Element

import httpx

from core.match.bound_games import bound_game
from core.registry.games import load_game
from events.codec import encode
from events.ids import Digest, GameKey, MatchId, Seat
from events.log import Log
from events.memory_log import MemoryLog
from server.broker.broker import Broker
from server.client.client import Client
from server.client.local import local_client
from server.client.retry import RetryPolicy
from server.protocol.replies import LegalOption, LegalReply
from server.web.backend.gateway import Gateway
from server.web.backend.lobby_games import OfferedBoards
from server.web.backend.services import NO_BOARDS
from server.web.http.guard import LOOPBACK
from server.web.http.session_file import SessionFile
from server.web.notices.notices import Notices
from server.web.web_server import application
from tests.support import parsing
from tests.support.served import SOON_MS, served

T = TypeVar("T")
HTML, SVG = parsing.HTML, parsing.SVG
HOST = "http://127.0.0.1:8042"


class Browser:
    """One browser with its own cookies.

    Args:
        loop: Where the pages live.
        app: The pages.
        address: The address of the browser.
        scheme: How it speaks to the pages.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, app: Any, address: str = "127.0.0.1", scheme: str = "http"
    ) -> None:
        self._loop = loop
        transport = httpx.ASGITransport(app=app, raise_app_exceptions=False, client=(address, 50_000))
        self._client = httpx.AsyncClient(transport=transport, base_url=HOST.replace("http", scheme))

    def _run(self, call: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(call, self._loop).result(SOON_MS / 1000 * 3)

    def ask(
        self, method: str, path: str, headers: dict[str, str] | None = None, body: bytes | AsyncIterator[bytes] = b""
    ) -> httpx.Response:
        """Send any request; a body in parts does not say how large it is."""
        return self._run(self._client.request(method, path, headers=headers, content=body or None))

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Ask for a page; an underscore in the name of a header is a hyphen."""
        return self.ask("GET", path, {name.replace("_", "-"): value for name, value in headers.items()})

    def post(
        self, path: str, fields: dict[str, str], *, site: str = "same-origin", accept: str = "*/*"
    ) -> httpx.Response:
        """Send a form."""
        return self._run(self._client.post(path, data=fields, headers={"sec-fetch-site": site, "accept": accept}))

    def token(self, path: str) -> str:
        """Return the proof of the form that a page has."""
        fields = [one for one in read(self.get(path)).iter(f"{HTML}input") if one.get("name") == "token"]
        return fields[0].attrib["value"]

    def sit(self, match: str, seat: str, secret: str) -> httpx.Response:
        """Prove a seat as a visitor does."""
        page = f"/m/{match}/sit"
        return self.post(page, {"token": self.token(page), "seat": seat, "secret": secret})

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies."""
        return dict(self._client.cookies)

    def become(self, cookies: dict[str, str]) -> None:
        """Have these cookies and no others."""
        self._client.cookies.clear()
        for name, value in cookies.items():
            self._client.cookies.set(name, value, domain="127.0.0.1")

    def close(self) -> None:
        """Close it."""
        self._run(self._client.aclose())


class Stream:
    """An open stream of server-sent events.

    Args:
        loop: Where the pages live.
        app: The pages.
        path: What is asked for, with its query.
        headers: Of the request.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, app: Any, path: str, headers: dict[str, str]) -> None:
        self._loop = loop
        self._left = asyncio.Event()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self._read = b""
        self.status = 0
        name, _, query = path.partition("?")
        named = {"host": "127.0.0.1:8042", **headers}
        scope = {
            "type": "http",
            "method": "GET",
            "scheme": "http",
            "path": name,
            "raw_path": name.encode(),
            "query_string": query.encode(),
            "headers": [(key.encode(), value.encode()) for key, value in named.items()],
            "client": ("127.0.0.1", 50_001),
            "http_version": "1.1",
        }
        self._task = asyncio.run_coroutine_threadsafe(app(scope, self._receive, self._send), loop)

    async def _receive(self) -> dict[str, object]:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self._chunks.put_nowait(message.get("body", b""))

    async def _chunk(self) -> bytes:
        return await self._chunks.get()

    def next(self) -> dict[str, str]:
        """Return the fields of the next event; what is no event is left out."""
        while True:
            while b"\n\n" not in self._read:
                self._read += asyncio.run_coroutine_threadsafe(self._chunk(), self._loop).result(SOON_MS / 1000)
            text, _, self._read = self._read.partition(b"\n\n")
            lines = [line.partition(": ") for line in text.decode().split("\n")]
            fields = {name: value for name, _, value in lines if name}
            if "event" in fields:
                return fields

    def close(self) -> None:
        """Leave, and wait until the pages have noticed."""
        self._loop.call_soon_threadsafe(self._left.set)
        self._task.result(SOON_MS / 1000)


class Pages:
    """Pages of a broker, in an event loop of their own.

    Args:
        address: Where the broker takes requests.
        is_operator_allowed: Whether the operator's key may be used.
        retry_policy: How long to wait for the broker.
        notices: Notices for players; None for none.
        playouts_s: How long bots play on from the points of a match that is over (seconds).
        boards: Boards that can be chosen for new matches.
        session_file: Keeps what browsers have proved.

    Attributes:
        address: Where the broker takes requests.
    """

    def __init__(
        self,
        address: str,
        *,
        is_operator_allowed: bool = False,
        retry_policy: RetryPolicy | None = None,
        notices: Notices | None = None,
        playouts_s: float = 0.0,
        boards: OfferedBoards = NO_BOARDS,
        session_file: SessionFile | None = None,
    ) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever)
        self._thread.start()
        self.address = address
        policy = RetryPolicy(timeout_s=10.0, tries=1) if retry_policy is None else retry_policy
        self.gateway = self._run(self._made(address, policy))
        self.app: Any = application(
            self.gateway,
            LOOPBACK,
            is_operator_allowed=is_operator_allowed,
            notices=notices,
            playouts_s=playouts_s,
            boards=boards,
            session_file=session_file,
        )
        self._browsers: list[Browser] = []

    async def _made(self, address: str, policy: RetryPolicy) -> Gateway:
        return Gateway(address, retry_policy=policy, links_key=lambda: b"the secret of these pages only..")

    async def _closed(self) -> None:
        # As the server of the pages does when it ends.
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)
        self.gateway.close()

    def _run(self, call: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(call, self._loop).result(SOON_MS / 1000)

    def browser(self, address: str = "127.0.0.1", scheme: str = "http") -> Browser:
        """Open another browser."""
        self._browsers.append(Browser(self._loop, self.app, address, scheme))
        return self._browsers[-1]

    def stream(self, path: str, **headers: str) -> Stream:
        """Open a stream of events; an underscore in the name of a header is a hyphen."""
        return Stream(self._loop, self.app, path, {name.replace("_", "-"): value for name, value in headers.items()})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for browser in self._browsers:
            browser.close()
        self._run(self._closed())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(SOON_MS / 1000)
        self._loop.close()


@contextmanager
def browsed(
    log: Log | None = None,
    *,
    is_operator_allowed: bool = False,
    bots: bool = False,
    notices: Notices | None = None,
    playouts_s: float = 0.0,
    boards: OfferedBoards = NO_BOARDS,
) -> Iterator[tuple[Pages, Broker]]:
    """Serve a log and its pages until the block ends; with `bots` the server plays bots."""
    with (
        served(MemoryLog() if log is None else log, bots=bots) as broker,
        Pages(
            broker.address,
            is_operator_allowed=is_operator_allowed,
            notices=notices,
            playouts_s=playouts_s,
            boards=boards,
        ) as pages,
    ):
        yield pages, broker


def read(response: httpx.Response) -> Element:
    """Parse a page as browsers do; anything that they would have to mend is an error."""
    return parsing.parsed(response.text)


def words(element: Element) -> str:
    """Return the text of an element and of all in it."""
    return " ".join("".join(element.itertext()).split())


def found(page: Element, name: str, class_: str) -> list[Element]:
    """Return the elements of a name that have a class."""
    return [one for one in page.iter(f"{HTML}{name}") if class_ in one.get("class", "").split()]


def fields_of(page: Element, what: str) -> dict[str, str]:
    """Return the fields of the form that is sent to an address ending like this, with what they hold before they are filled in."""
    forms = [one for one in page.iter(f"{HTML}form") if one.attrib["action"].endswith(f"/{what}")]
    (form,) = [one for one in forms if one.get("id") is None]
    inputs = [one for one in form.iter(f"{HTML}input") if "name" in one.attrib]
    chosen = {}
    for one in form.iter(f"{HTML}select"):
        choices = list(one.iter(f"{HTML}option"))
        chosen[one.attrib["name"]] = next((each for each in choices if "selected" in each.attrib), choices[0]).attrib[
            "value"
        ]
    return {**{one.attrib["name"]: one.get("value", "") for one in inputs}, **chosen}


def secret_of(seat: str) -> str:
    """Return the secret with which tests take a seat."""
    return f"the secret of {seat}, long enough to be one"


def without_proofs(page: str) -> str:
    """Return a page without the proofs and keys of its forms, which are other ones for every visitor and every page."""
    return re.sub(r'name="(token|key)" value="[\w-]+"', "", page)


def played(log: Log, game: str, commands: int, *, dice: str = "seeded", seed: str = "7") -> MatchId:
    """Open a match of a game, take its seats with their secrets, and play options chosen at random.

    Into an empty log in memory goes a copy of what was played before by the same seed under the same rules.
    """
    if type(log) is MemoryLog and not log.matches() and dice == "seeded":
        fill(log, _played_before(game, commands, seed, load_game(GameKey(game)).rules_digest))
        return log.matches()[0]
    return _played(log, game, commands, dice, seed)


_before: dict[tuple[str, str, Digest], dict[int, tuple[MemoryLog, Random]]] = {}
"""Matches that were played before, by game, seed and rules: after so many commands, with the source of what is chosen next."""


def _played_before(game: str, commands: int, seed: str, rules: Digest) -> MemoryLog:
    """Play a match once, and go on with what was played of it; a test that patches the rules has another digest of them."""
    known = _before.setdefault((game, seed, rules), {})
    if commands not in known:
        log, rng = MemoryLog(), Random(seed)
        done = max((number for number in known if number < commands), default=0)
        if done:
            fill(log, known[done][0])
            rng = copy(known[done][1])
            match = log.matches()[0]
        else:
            match = _seated(local_client(log), game, "seeded", seed)
        _play_by(rng, local_client(log), match, commands - done)
        known[commands] = log, rng
    return known[commands][0]


def fill(log: MemoryLog, other: MemoryLog) -> None:
    """Let a log hold what another one holds; afterwards neither depends on the other."""
    vars(log).update(deepcopy(vars(other)))


def _played(log: Log, game: str, commands: int, dice: str, seed: str) -> MatchId:
    client: Client = local_client(log)
    match = _seated(client, game, dice, seed)
    play_on(client, match, commands, seed)
    return match


def _seated(client: Client, game: str, dice: str, seed: str) -> MatchId:
    """Open a match and take its seats."""
    opened = client.open(game, dice=dice, seed=seed if dice == "seeded" else "")
    for seat in opened.seats:
        client.take_seat(opened.match, seat, f"Player of {seat}", share=dice == "sealed", secret=secret_of(seat))
    return opened.match


def play_on(
    client: Client,
    match: MatchId,
    commands: int,
    seed: str = "7",
    until: Callable[[LegalReply], bool] = lambda _: False,
) -> None:
    """Play options chosen at random until the match ends or a question is found, at most so many."""
    _play_by(Random(seed), client, match, commands, until)


def _play_by(
    rng: Random, client: Client, match: MatchId, commands: int, until: Callable[[LegalReply], bool] = lambda _: False
) -> None:
    for _ in range(commands):
        mover: Seat = client.legal(match, words=False).to_move
        if not mover:
            return
        legal = client.legal(match, mover, words=False)
        if until(legal):
            return
        client.play(
            match, mover, rng.choice(_in_order_of_rules(client, match, mover, legal)).number, expected=legal.seq
        )


def _in_order_of_rules(client: Client, match: MatchId, mover: Seat, legal: LegalReply) -> list[LegalOption]:
    """Return options in the order in which the rules list them, where what ends a step may come first."""
    table = client.state(match, mover).table
    if legal.count != len(legal.options):
        return list(legal.options)
    options = bound_game(table.game, None).rules.options(table)
    # The first of equal ones counts.
    order = {encode(one): number for number, one in reversed([*enumerate(options)])}
    return sorted(legal.options, key=lambda one: order[bytes(one.command)])


def resign(client: Client, match: MatchId) -> None:
    """Let the seat that is to move resign; a match that chance has ended already stays as it is."""
    if mover := client.legal(match, words=False).to_move:
        client.play(match, mover, {"do": "match:resign"})


def narrator_of(game: str) -> Any:
    """Return the narration of a game on its own board."""
    return bound_game(game, None).narration  # type: ignore[arg-type]
