"""Serves the store."""

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from cli.schemas.server import ServingShape
from cli.shell.context import Context
from cli.shell.exit_codes import INTERRUPTED, UserError, usage
from cli.shell.remote import check_address, host_and_port
from cli.shell.seat_secrets import EVERY_MATCH, bots_of, secret_kept
from cli.shell.settings import OWNER_VARIABLE, WORKERS_VARIABLE
from core.extras import require
from events.codec import replace
from events.errors import LogKeyUnusable
from events.ids import Seat
from events.log import Log
from server.bots.bot_pool import BotPool
from server.bots.house import Connecting
from server.broker.broker import Broker
from server.broker.json_logger import JsonLogger
from server.broker.limits import Limits
from server.broker.listening import free_address
from server.broker.serving import ADDRESS, EVENTS, Serving
from server.broker.serving import serve as run_server
from server.protocol.bot_seats import BotSeats
from server.protocol.clock import SystemClock
from server.protocol.curve import CurveKey
from server.protocol.identity import SystemIdentity
from server.store.key_files import read_allowed, read_key
from server.store.one_server import only_server
from server.store.opening import open_served
from server.store.sqlite_schema import sqlite_warning
from server.transparency.log_keys import KeyFolder
from server.transparency.witnesses import Witness, read_given

WITNESSES_MAX = 8

SECRET_CHARACTERS_MIN = 32
"""As many characters as a seat's secret has, because the arbiter sees everything."""


def serve(
    context: Context,
    *,
    listen: str,
    events: str,
    key: str,
    allow: str,
    pages: Sequence[str],
    owner: str,
    limits: Sequence[str],
    is_read_only: bool,
    witnesses: Sequence[str] = (),
    nodes: Sequence[str] = (),
    workers: str = "",
    workers_secret: str = "",
    metrics: str = "",
) -> None:
    """Serve until a signal; the server's own log goes to stderr as JSON lines.

    Raises:
        PortUnavailable: It cannot listen there.
        KeyUnusable: The key file or the list of allowed clients is malformed.
        StoreUnavailable: The store cannot be written, or not even read.
        UserError: It was ended by Ctrl-C, after finishing the requests at hand.
    """
    _check(listen, events, owner, nodes)
    _check_workers(workers, workers_secret, is_read_only=is_read_only)
    bounds, asked = parse_limits(limits), _witnesses(context, witnesses)
    clock = SystemClock()
    allowed = _allowed(key, allow, pages)
    curve = read_key(Path(key)) if key else None
    logger = JsonLogger(sys.stderr.buffer, clock, _level(context))
    context.advise = logger.warning
    interrupted = _Interrupted()

    def ready(broker: Broker) -> None:
        interrupted.listen()
        measure(broker, log)
        if context.is_store_a_file and (advice := sqlite_warning()):
            logger.warning(advice)
        _say_where(context, broker, "" if curve is None else curve.public.decode())

    workers_at = free_address(workers) if workers else ""
    with _metrics(metrics, logger) as measure, _served(context, is_read_only=is_read_only) as log:
        bots = None if is_read_only else BotSeats(_bots_key(context))
        run_server(
            log,
            Serving(
                address=listen or ADDRESS,
                events=events or EVENTS,
                owner=owner,
                limits=bounds,
                nodes=tuple(nodes),
                workers=workers_at,
            ),
            key=curve,
            allowed=allowed,
            pages=pages,
            bots=bots,
            bots_at=None if bots is None else _bots_at(bots, curve, workers_at, workers_secret, logger),
            log_keys=None if is_read_only or not context.is_store_a_file else KeyFolder(context.store),
            witnesses=asked,
            clock=clock,
            logger=logger,
            ready=ready,
        )
    if interrupted.was:
        raise UserError("stopped; whatever was acknowledged is in the log", INTERRUPTED, "interrupted")


@contextmanager
def _metrics(listen: str, logger: JsonLogger) -> Iterator[Callable[[Broker, Log], None]]:
    """Serve metrics where it was asked for; yield what adds those of a server.

    Raises:
        UserError: The address is malformed.
        ExtraMissing: The extra is not installed.
        PortUnavailable: It cannot listen there.
    """
    if not listen:
        yield lambda _, __: None
        return
    require("metrics", "metrics", "prometheus_client")
    from server.broker.metrics import BrokerMetrics, metrics_served

    place = host_and_port(listen, "metrics are served at HOST:PORT, such as 127.0.0.1:9142")
    with metrics_served(*place) as (port, registry):
        logger.info("metrics", host=place[0], port=port)
        yield lambda broker, log: registry.register(BrokerMetrics(broker, log))


def _allowed(key: str, allow: str, pages: Sequence[str]) -> frozenset[bytes] | None:
    """Return the clients that may connect, or None if all may.

    Raises:
        UserError: They are listed without a key of the server, or one that serves pages is not listed.
        KeyUnusable: The list is malformed.
    """
    if allow and not key:
        raise usage("--allow-client needs --curve-key: clients have keys only where connections are encrypted")
    allowed = read_allowed(Path(allow)) if allow else None
    if unlisted := [key for key in pages if allowed is None or key.encode() not in allowed]:
        raise usage(f"--pages names a client that --allow-client lists; {unlisted[0]!r} is not listed")
    return allowed


def _bots_at(
    bots: BotSeats, curve: CurveKey | None, workers: str, workers_secret: str, logger: JsonLogger
) -> Callable[[str, CurveKey | None], BotPool]:
    """Return what makes the bots for an address of the server, with their key if connections are encrypted."""

    def made(address: str, client_key: CurveKey | None) -> BotPool:
        way = Connecting(
            address=address,
            server_key="" if curve is None else curve.public.decode(),
            secret_key=b"" if client_key is None else client_key.secret,
            workers=workers,
            workers_key=b"" if curve is None else curve.secret,
            workers_secret=workers_secret,
        )
        return BotPool(bots, way, logger)

    return made


def _level(context: Context) -> str:
    """Return how much of the server's own log is written."""
    return "warning" if context.settings.is_quiet else "debug" if context.is_verbose else "info"


def _say_where(context: Context, broker: Broker, public: str) -> None:
    """Print where the server listens, and its public key if connections are encrypted."""
    shape = ServingShape(requests=broker.address, events=broker.events, store=context.shown_store, key=public)
    lines = [f"Requests: {broker.address}", f"Events:   {broker.events}", f"Store:    {context.shown_store}"]
    context.print_result(shape, [*lines, f"Key:      {public}"] if public else lines)
    context.flush()


@contextmanager
def _served(context: Context, *, is_read_only: bool) -> Iterator[Log]:
    """Return the store as it is served; one that is only read may have another server, which writes."""
    if is_read_only:
        yield context.log
        return
    if not context.is_store_a_file:
        # Any number of servers may serve it.
        with open_served(context.locator) as log:
            if names := list(log.logs()):
                context.advise(
                    f"the log {names[-1]} of this store is not continued: only the server of a file keeps one"
                )
            yield log
        return
    with context.served_log as log, only_server(context.store):
        log.begin_serving()
        yield log


def _bots_key(context: Context) -> str:
    """Return the secret from which those of the store's bots follow, the same whenever this user serves the store.

    It is looked for once the store is open: for a store that cannot be served none is kept, and nothing is advised.
    """
    try:
        with secret_kept(bots_of(context.place), EVERY_MATCH, Seat("bots")) as key:
            return key
    except (UserError, OSError) as error:
        context.advise(f"the bots that are seated now will not play on when the store is served again: {error}")
        return SystemIdentity().token()


def _check(listen: str, events: str, owner: str, nodes: Sequence[str]) -> None:
    """Refuse a malformed address, and a secret that can be guessed."""
    for address in nodes:
        check_address(address)
    for address in (listen, events):
        if address:
            check_address(address, is_served=True)
    if 0 < len(owner) < SECRET_CHARACTERS_MIN:
        raise usage(f"the arbiter's secret, {OWNER_VARIABLE}, must have {SECRET_CHARACTERS_MIN} characters or more")


def _check_workers(address: str, secret: str, *, is_read_only: bool) -> None:
    """Refuse workers without a secret that cannot be guessed, or where nothing can be played."""
    if not address:
        return
    check_address(address, is_served=True)
    if is_read_only:
        raise usage("--workers needs a store that can be written: nothing is played with --read-only")
    if len(secret) < SECRET_CHARACTERS_MIN:
        raise usage(f"--workers needs a secret of {SECRET_CHARACTERS_MIN} characters or more in {WORKERS_VARIABLE}")


def parse_limits(typed: Sequence[str]) -> Limits:
    """Parse limits, each NAME=NUMBER.

    Raises:
        UserError: There is no such limit, or it is not a number of 1 or more.
    """
    changed: dict[str, int] = {}
    for text in typed:
        name, _, number = text.partition("=")
        if "=" not in text:
            raise usage(f"a limit is changed as NAME=NUMBER, such as opens=50, not {text!r}")
        if name not in Limits.__struct_fields__:
            raise usage(f"{name!r} is not a limit; there are: {', '.join(Limits.__struct_fields__)}")
        if not (number.isascii() and number.isdecimal() and len(number) <= 9 and int(number) > 0):
            raise usage(f"the limit {name} is a whole number from 1 to 999999999, not {number!r}")
        changed[name] = int(number)
    return replace(Limits(), **changed)


def _witnesses(context: Context, typed: Sequence[str]) -> list[Witness]:
    """Parse witnesses of a store that keeps a log; see `parse_witnesses` for the errors."""
    asked = parse_witnesses(typed)
    if asked and not context.is_store_a_file:
        raise usage("--witness needs a store that is a file: on other machines the log of the server is not kept")
    return asked


def parse_witnesses(typed: Sequence[str]) -> list[Witness]:
    """Parse witnesses, each `VKEY URL`.

    Raises:
        UserError: One is malformed, comes twice, or there are too many.
    """
    try:
        found = [read_given(one) for one in typed]
    except LogKeyUnusable as error:
        raise usage(str(error)) from None
    if len({one.key.key for one in found}) < len(found) or len(found) > WITNESSES_MAX:
        raise usage(f"--witness is given once for each of at most {WITNESSES_MAX} witnesses")
    return found


class _Interrupted:
    """Records that Ctrl-C ended the server, besides the server's own handling of it."""

    def __init__(self) -> None:
        self.was = False

    def listen(self) -> None:
        """Install itself before the server's own handler."""
        behind = signal.getsignal(signal.SIGINT)

        def noted(number: int, frame: FrameType | None) -> None:
            self.was = True
            if callable(behind):
                behind(number, frame)

        signal.signal(signal.SIGINT, noted)
