"""Running a server: the store, the desk, the broker, the signals that end it, and its log."""

import gc
import multiprocessing
import signal
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from types import FrameType
from typing import Protocol, runtime_checkable

from core.match.bound_games import bound_game
from core.registry.games import game_keys
from events.codec import Struct, replace
from events.errors import LogError
from events.log import Log
from projections.catalogue import Summary
from server.broker.background import Background
from server.broker.broker import Broker
from server.broker.limits import Limits, connections_possible
from server.desk.desk import Desk
from server.protocol.bot_seats import BotSeats, BotTurns
from server.protocol.clock import Clock, SystemClock
from server.protocol.curve import CurveKey
from server.protocol.identity import Identity, SystemIdentity
from server.protocol.logger import SILENT, Logger
from server.store.concurrent_log import ConcurrentSqliteLog
from server.store.opening import Located
from server.transparency.log_keys import ADVICE, KeyFolder, SigningKey, random_name
from server.transparency.server_log import ServerLog
from server.transparency.witnesses import Witness, Witnesses

ADDRESS = "tcp://127.0.0.1:5942"
EVENTS = "tcp://127.0.0.1:5943"


class Serving(Struct, frozen=True, kw_only=True):
    """Settings of a server; see `Broker` and `Desk` for their meaning."""

    address: str = ADDRESS
    events: str = EVENTS
    owner: str = ""
    limits: Limits = Limits()
    nodes: tuple[str, ...] = ()
    workers: str = ""


@runtime_checkable
class ClosableLog(Protocol):
    """A log that holds resources."""

    def close(self) -> None:
        """Release them."""


def serve(
    log: Log,
    serving: Serving | None = None,
    *,
    key: CurveKey | None = None,
    allowed: frozenset[bytes] | None = None,
    pages: Collection[str] = (),
    bots: BotSeats | None = None,
    bots_at: Callable[[str, CurveKey | None], BotTurns] | None = None,
    log_keys: KeyFolder | None = None,
    witnesses: Sequence[Witness] = (),
    clock: Clock | None = None,
    identity: Identity | None = None,
    logger: Logger = SILENT,
    ready: Callable[[Broker], None] | None = None,
) -> None:
    """Serve a store until SIGINT or SIGTERM; then finish the current batch and close everything, the log included.

    Args:
        log: The store; no other process should write to it meanwhile.
        serving: Addresses, the owner's secret, limits.
        key: The server's key if connections are to be encrypted.
        allowed: With a key, the public keys of the clients that may connect; by default all may.
        pages: The keys of those of them that serve pages, and are believed to say for which visitor they ask.
        bots: The seats of the bots that the server plays; by default it plays none.
        log_keys: The keys of the log of the server; by default it keeps none.
        witnesses: Who is asked to cosign its checkpoints.
        bots_at: With these, makes the bots for an address of the server; they have the key of their own if it encrypts connections.
        clock: Tells the time.
        identity: Generates ids, seeds and secrets.
        logger: The log for operators.
        ready: Called with the broker once the server listens.

    Raises:
        PortUnavailable: An address cannot be bound.
        TooFewFiles: The process may open too few files to serve anybody.
    """
    serving = Serving() if serving is None else serving
    if isinstance(log, ConcurrentSqliteLog):
        log.stall_s = serving.limits.stall_ms / 1000
    clock, identity = clock or SystemClock(), identity or SystemIdentity()
    try:
        signed = None if log_keys is None else _server_log(log, log_keys, clock, identity, logger, witnesses=witnesses)
        desk = Desk(
            log,
            clock,
            identity,
            owner=serving.owner,
            logger=logger,
            version=_version(),
            nodes=serving.nodes,
            workers=serving.workers,
            bots=bots,
            server_log=signed,
        )
        limits = replace(serving.limits, connections=connections_possible(serving.limits.connections, logger))
        desk.summaries.refresh()
        _load_games(logger)
        bots_key, allowed = _bots_key(key, allowed)
        broker = Broker(
            desk,
            serving.address,
            serving.events,
            key=key,
            allowed=allowed,
            pages=pages,
            limits=limits,
            logger=logger,
            background=_background(log, clock, logger),
            tidy=_tidy,
            is_shared=True,
        )
        broker.bots = None if bots_at is None else bots_at(_from_here(broker.address), bots_key)
        with _ended_by_signals(broker), _collected_by_hand():
            logger.info("listening", address=broker.address, events=broker.events, connections=limits.connections)
            _run(broker, desk.summaries.all(), logger, ready)
        desk.close()
        _log_end(broker, logger)
    finally:
        if isinstance(log, ClosableLog):
            log.close()


def _server_log(
    log: Log, keys: KeyFolder, clock: Clock, identity: Identity, logger: Logger, *, witnesses: Sequence[Witness]
) -> ServerLog | None:
    """Return the log of the server, which begins if there never was one; None if it cannot go on, which the operator is told."""

    def tell(problem: str) -> None:
        logger.warning("checkpoints are not signed", problem=problem)

    try:
        if not keys.has_key:
            if earlier := list(log.logs()):
                tell(f"the log {earlier[-1]} has no key, {keys.path / 'log.key'}: {ADVICE}")
                return None
            keys.create(random_name())
        asked = Witnesses(witnesses, clock, lambda said: logger.warning("witness", said=said)) if witnesses else None
        server_log = ServerLog(log, SigningKey(keys), clock, identity, tell, witnesses=asked)
    except LogError as error:
        tell(str(error))
        return None
    return server_log


def _run(broker: Broker, summaries: Iterable[Summary], logger: Logger, ready: Callable[[Broker], None] | None) -> None:
    """Let the bots take up their matches, say that the server listens, and serve until told to stop; then end the bots."""
    if broker.bots is not None:
        broker.bots.take_up(summaries)
    if ready is not None:
        ready(broker)
    try:
        broker.run()
    except Exception:
        logger.exception("stopped by a fault")
        raise
    finally:
        if broker.bots is not None:
            broker.bots.close()


def _bots_key(
    key: CurveKey | None, allowed: frozenset[bytes] | None
) -> tuple[CurveKey | None, frozenset[bytes] | None]:
    """Return the key of the server's bots if connections are encrypted, and the clients that may connect, with it."""
    own = None if key is None else CurveKey.new()
    return own, allowed if allowed is None or own is None else allowed | {own.public}


def _log_end(broker: Broker, logger: Logger) -> None:
    counts = broker.counts
    logger.info("stopped", requests=counts.requests, commits=counts.commits, undelivered=counts.undelivered)


def _from_here(address: str) -> str:
    """Return an address for a client on this machine."""
    return address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:")


@contextmanager
def _collected_by_hand() -> Iterator[None]:
    """Disable automatic garbage collection, which would scan every object of every match at unpredictable times."""
    gc.collect()
    gc.freeze()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
        gc.unfreeze()


def _tidy() -> None:
    """Collect young garbage, and exempt what survives from later collections.

    Hardly any garbage has cycles, and all else is freed by itself.
    """
    gc.collect(1)
    gc.freeze()


def _load_games(logger: Logger) -> None:
    """Load the rules of every game now, so that the first match of a game does not delay other requests."""
    for key in game_keys():
        try:
            bound = bound_game(key, None)
            _ = bound.rules, bound.narration
        except Exception:
            logger.exception("game not loaded", game=key)


def _background(log: Log, clock: Clock, logger: Logger) -> Background | None:
    """Start the background process if it can open the store, too; otherwise return None."""
    if not isinstance(log, Located):
        return None
    if multiprocessing.current_process().daemon:
        logger.warning(
            "long matches are loaded in the serving loop: a daemonic process cannot have another one beside it"
        )
        return None
    return Background(log.locator, clock, logger)


def _version() -> str:
    try:
        return version("wardiary")
    except PackageNotFoundError:
        return ""


@contextmanager
def _ended_by_signals(broker: Broker) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        broker.stop()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
