"""The pool of a server's bots, as the server's process sees it: it learns whose turn it is, and passes the turns of bots to their process.

A bot costs nothing while others decide, so that a match that is given up costs nothing either.
"""

import multiprocessing
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from itertools import chain
from multiprocessing.connection import Connection
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from core.registry.games import GAMES
from events.errors import LogError
from events.ids import MatchId, Seat
from projections.catalogue import Summary
from projections.state.seating import part_of
from projections.state.table import Table
from server.bots.bot_turns import Turn
from server.bots.house import Connecting, play_turns
from server.protocol.bot_seats import BotSeats, policy_of
from server.protocol.logger import SILENT, Logger

LOOK_S = 1.0
"""How often the process is looked after while a bot is to decide (seconds)."""
STARTS_MAX = 5
"""How often in a row the process is started while no new turn comes; it may end again and again for what one turn needs."""
END_S = 5.0
"""How long the process may take to end (seconds)."""


class BotPool:
    """Bots of a server.

    Args:
        seats: Knows their seats.
        way: Leads to the server.
        logger: The log for operators.
    """

    def __init__(self, seats: BotSeats, way: Connecting, logger: Logger = SILENT) -> None:
        self._seats = seats
        self._logger = logger
        self._matches: dict[MatchId, None] = {}
        self._turns: dict[MatchId, list[Turn]] = {}
        self._lock = Lock()
        self._queue: SimpleQueue[Turn | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._process = _BotProcess(way, logger)
        # Workers need it to connect to, whether or not a bot is to decide.
        self._is_kept = bool(way.workers)

    def heed(self, match: MatchId, table: Table) -> None:
        """Take note of where a match stands after a command."""
        due = [seat for seat in table.players if part_of(table, seat)]
        asked = [] if table.top is None or table.paused is not None else [table.top.seat]
        awaited = () if table.asked_back is None else table.asked_back.awaited
        self._note(match, table.players, table.credentials, {*due, *asked, *awaited}, is_over=table.ended is not None)

    def take_up(self, summaries: Iterable[Summary]) -> None:
        """Take note of where matches stand by their summaries.

        These do not tell which links are due, so that every bot of a match with links looks.
        """
        for summary in summaries:
            shown = summary.shown
            may_owe = shown.players if shown.dice == "sealed" else ()
            asked = {shown.to_move, *may_owe, *shown.asked} if shown.paused is None else set[Seat]()
            self._note(shown.match, shown.players, summary.credentials, asked, is_over=shown.ended is not None)
        if self._is_kept:
            self._begin()

    def look(self, matches: Iterable[MatchId], summary_of: Callable[[MatchId], Summary]) -> None:
        """Take note of where those of some matches stand that have bots, after another process has written to them."""
        for match in [one for one in matches if one in self._matches]:
            with suppress(LogError):
                self.take_up((summary_of(match),))

    def _note(
        self,
        match: MatchId,
        players: Mapping[Seat, str],
        credentials: Mapping[Seat, str],
        asked: set[Seat],
        *,
        is_over: bool,
    ) -> None:
        if is_over or not any(map(policy_of, players.values())):
            self._matches.pop(match, None)
        else:
            self._matches[match] = None
        turns = [
            Turn(match, seat, policy, self._seats.secret(match, seat), self._seats.links_secret(match, seat))
            for seat in asked
            if (policy := policy_of(players.get(seat, "")))
            and self._seats.is_ours(match, seat, credentials.get(seat, ""))
        ]
        with self._lock:
            self._turns.pop(match, None)
            if is_over or not turns:
                return
            self._turns[match] = turns
        for turn in turns:
            self._queue.put(turn)
        self._begin()

    def _begin(self) -> None:
        """Start the thread that passes turns on, unless it runs."""
        if self._thread is None:
            self._thread = Thread(target=self._run, name="wardiary-bots", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the bots."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()

    def _run(self) -> None:
        """Pass turns on, and look after the process; only this thread uses it, because starting it and writing to it may take a while."""
        starts = 0
        if self._is_kept:
            self._process.start()
        try:
            while True:
                with suppress(Empty):
                    turn = self._queue.get(timeout=LOOK_S if self._turns or self._is_kept else None)
                    if turn is None:
                        return
                    if self._process.take((turn,)):
                        continue
                    starts = 0
                if not self._process.is_running() and (self._turns or self._is_kept) and starts < STARTS_MAX:
                    starts += 1
                    self._process.start()
                    with self._lock:
                        turns = list(chain.from_iterable(self._turns.values()))
                    self._process.take(turns)
        finally:
            self._process.end()


class _BotProcess:
    """The process that plays the turns of bots, started when it is needed.

    Args:
        way: Leads to the server.
        logger: Is told what goes wrong.
    """

    def __init__(self, way: Connecting, logger: Logger) -> None:
        self._way = way
        self._logger = logger
        self._process: multiprocessing.process.BaseProcess | None = None
        self._pipe: Connection | None = None

    def is_running(self) -> bool:
        """Return whether it runs; one that has ended by itself is logged, and so are the bots that it could not play."""
        with suppress(EOFError, OSError):
            while self._pipe is not None and self._pipe.poll():
                self._logger.warning("a bot does not play on", problem=self._pipe.recv())
        if self._process is not None and not self._process.is_alive():
            self._logger.warning("the process of the bots ended", exit_code=self._process.exitcode or 0)
            self.end()
        return self._process is not None

    def take(self, turns: Iterable[Turn]) -> bool:
        """Pass turns on, and return whether there is a process that takes them."""
        if not self.is_running() or self._pipe is None:
            return False
        try:
            for turn in turns:
                self._pipe.send(turn)
        except OSError:
            return False
        return True

    def start(self) -> None:
        """Start it."""
        # A fresh interpreter: copying one that has threads and an open database is not safe.
        context = multiprocessing.get_context("spawn")
        try:
            ours, theirs = context.Pipe()
            process = context.Process(
                target=play_turns, args=(theirs, self._way, dict(GAMES)), name="wardiary-bots", daemon=True
            )
            with theirs:
                process.start()
        except OSError as error:
            self._logger.warning("the process of the bots does not start", problem=str(error))
            return
        self._pipe, self._process = ours, process

    def end(self) -> None:
        """End it."""
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None
        if self._process is not None:
            self._process.terminate()
            self._process.join(END_S)
            self._process = None
