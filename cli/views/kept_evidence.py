"""Keeps what a server has signed of the matches that are looked at, and checks that it is one history."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from queue import Full, Queue
from threading import Thread

from cli.shell.context import Context
from cli.shell.exit_codes import BROKEN, UserError
from cli.shell.kept_logs import is_due, keep_log, keep_silence, read_kept
from events.codec import replace
from events.errors import LogError, ProofInvalid
from events.ids import PUBLIC, MatchId
from server.client.client import Client
from server.client.kept_log import KeptLog, LogSilent, TwoHistories, followed, with_line
from server.protocol.clock import Clock, SystemClock
from server.protocol.errors import RequestFailed, ServerError

WAIT_S, WAITS_MAX = 0.5, 8
"""How long is waited for a checkpoint that covers a match (seconds), and how often."""

SHOWN_MAX = 100
"""How many matches wait at most until their proofs are kept."""

Learn = Callable[[Client, dict[str, KeptLog]], KeptLog]
"""Asks a server, and returns what is to be kept of its log; it is given what is kept, by the names of logs."""


def keep_afterwards(context: Context, match: MatchId) -> None:
    """Keep the proof of a match's last entry when the verb has done its work, at most once in a while."""
    context.afterwards.append(partial(_keep, context, match))


class Keeper:
    """Keeps the proofs of the matches that pages show, in a thread of its own, so that no page waits for it.

    Args:
        context: The run of the verb; its client is used by the thread alone.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._shown: Queue[MatchId] = Queue(SHOWN_MAX)
        Thread(target=self._run, name="kept evidence", daemon=True).start()

    def shown(self, match: MatchId) -> None:
        """Note that a match is shown; what is too much at once is left out."""
        with suppress(Full):
            self._shown.put_nowait(match)

    def _run(self) -> None:
        while True:
            _keep(self._context, self._shown.get())


def _keep(context: Context, match: MatchId) -> None:
    now_s = SystemClock().now_ms() / 1000
    known: list[str] = []
    try:
        known += read_kept(context.address).logs
        if is_due(context.address, match, now_s):
            log = learned_of(context, match, now_s)
            if known and log.verifier.name not in known:
                context.advise(f"the server signs another log, {log.verifier.name}, and no longer {known[-1]}: ask why")
    except LogSilent:
        keep_silence(context.address, now_s)
        if known:
            context.advise(f"the server no longer signs its log {known[-1]}: ask why")
    except TwoHistories as error:
        context.advise(f"{error}; `wardiary evidence {match}` prints both signed texts")
    except (ProofInvalid, UserError) as error:
        context.advise(f"what the server has signed is not kept: {error}")
    except (ServerError, LogError, OSError):
        # There will be another time; the verb itself has done its work.
        return


def await_checkpoint(client: Client, match: MatchId, clock: Clock) -> None:
    """Wait until a checkpoint covers the last command of a match.

    Raises:
        RequestFailed: None does within some seconds.
    """
    last = client.state(match, PUBLIC).seq
    for left in range(WAITS_MAX, -1, -1):
        try:
            client.proof(match, PUBLIC, last)
        except RequestFailed as error:
            if not (error.reply.retry and left):
                raise
            clock.sleep(WAIT_S)
        else:
            return


def learned_of(context: Context, match: MatchId, now_s: float) -> KeptLog:
    """Learn of a server's log by the last entry of a match, and keep that; see `learned` for the errors."""
    return learned(context, lambda client, logs: with_line(client, followed(client, logs), match), {match: now_s})


def learned_aloud(context: Context, learn: Learn, at: dict[MatchId, float]) -> KeptLog:
    """Learn of a server's log as `learned` does, and print the signed texts that prove two histories.

    Raises:
        UserError: They do; the evidence is broken.
    """
    try:
        return learned(context, learn, at)
    except TwoHistories as error:
        context.echo_lines(error.proof.splitlines())
        raise UserError(f"{error}; both signed texts are above, and are kept", BROKEN, "two_histories") from None


def learned(context: Context, learn: Learn, at: dict[MatchId, float]) -> KeptLog:
    """Learn of a server's log, and keep what was learned, also if it is that the server has signed two histories.

    Raises:
        TwoHistories: It has.
        LogError: As `learn`.
        UserError: The file of what is kept cannot be read.
    """
    logs = read_kept(context.address).logs
    try:
        log = learn(context.client, logs)
    except TwoHistories as error:
        for name, known in logs.items():
            if name == error.origin and error.proof not in known.contradictions:
                keep_log(context.address, name, replace(known, contradictions=(*known.contradictions, error.proof)), {})
        raise
    keep_log(context.address, log.verifier.name, log, at)
    return log
