"""The logs of servers as this user keeps them, in a file beside the secrets of the seats.

It is evidence, so a file that cannot be read is not replaced.
"""

from collections.abc import Callable
from pathlib import Path

from cli.shell.exit_codes import input_output
from cli.shell.seat_secrets import alone, replace_private, seats_file
from events.codec import DecodeError, Decoder, Struct, encode_in_order, replace
from events.errors import ProofInvalid
from events.ids import MatchId
from events.transparency.policy import Policy
from events.transparency.signed_note import Verifier, read_verifier
from server.client.kept_log import KeptLog

MATCHES_MAX = 500
"""Of how many matches of one log the proof is kept; those that were seen longest ago are forgotten."""

STAMPS_MAX = 1_000
"""How many timestamps of one log are kept, the newest."""

FILE_BYTES_MAX = 1 << 25

KEEP_S = 60.0
"""How long after a proof was kept the verbs about a match do not ask for another one (seconds)."""


NO_LOG = MatchId("")
"""Stands for all matches of a server that keeps no log."""


class KeptOfServer(Struct, frozen=True):
    """The logs of one server by name, and when the proof of each match was kept (seconds since 1970)."""

    logs: dict[str, KeptLog] = {}
    at: dict[MatchId, float] = {}


_KEPT: Decoder[dict[str, KeptOfServer]] = Decoder(dict[str, KeptOfServer])


def kept_file() -> Path:
    """Return the file, which lies beside the secrets of the seats."""
    secrets = seats_file()
    return secrets.with_name(f"{secrets.stem}-logs.json")


def read_kept(server: str) -> KeptOfServer:
    """Return what is kept of a server; nothing if there is no file.

    Raises:
        UserError: The file holds something else.
    """
    return _read().get(server, KeptOfServer())


def given_key(log: str, key: str, policy: Policy | None) -> Verifier | None:
    """Return the key of a log that is given, or that a policy names; None if neither is there.

    Args:
        log: The name of the log.
        key: The key that is given; empty for none.
        policy: The policy that is given.

    Raises:
        LogKeyUnusable: The key is not one.
        ProofInvalid: The policy does not believe this log, or another key of it.
    """
    verifier = read_verifier(key) if key else None
    if policy is None or not policy.logs:
        return verifier
    believed = policy.log(log)
    if believed is None or verifier not in (None, believed):
        raise ProofInvalid(f"the policy does not name {key or f'a key of the log {log}'}")
    return believed


def logs_named(name: str) -> dict[str, KeptLog]:
    """Return the logs with a name that are kept, by their servers: two servers may use one name; see `read_kept` for the errors."""
    return {server: of.logs[name] for server, of in _read().items() if name in of.logs}


def _read() -> dict[str, KeptOfServer]:
    file = kept_file()
    try:
        with file.open("rb") as opened:
            return _KEPT.decode(opened.read(FILE_BYTES_MAX))
    except FileNotFoundError:
        return {}
    except DecodeError as error:
        raise input_output(f"{file} does not hold what is kept of servers ({error}); move it away to go on") from None


def keep_log(server: str, name: str, log: KeptLog, at: dict[MatchId, float]) -> None:
    """Keep what is known of a log now, and when the proofs of matches were kept; a larger checkpoint and later lines that another process has kept meanwhile stay.

    Raises:
        UserError: As `read_kept`.
        OSError: The file cannot be written.
    """

    def change(of: KeptOfServer) -> KeptOfServer:
        there = of.logs.get(name, log)
        lines = {**there.lines, **log.lines}
        lines |= {match: one for match, one in there.lines.items() if one.number > lines[match].number}
        stamps = (*there.stamps, *[one for one in log.stamps if one not in there.stamps])
        kept = replace(
            log, lines={match: lines[match] for match in list(lines)[-MATCHES_MAX:]}, stamps=stamps[-STAMPS_MAX:]
        )
        if _size(there) > _size(log):
            kept = replace(kept, key=there.key, changes=there.changes, note=there.note)
        return KeptOfServer({**of.logs, name: kept}, {**of.at, **at})

    _change(server, change)


def _size(log: KeptLog) -> int:
    return 0 if log.checkpoint is None else log.checkpoint.size


def keep_silence(server: str, at_s: float) -> None:
    """Keep that a server keeps no log, so that it is not asked again for a while; see `keep_log` for the errors."""
    _change(server, lambda of: KeptOfServer(of.logs, {**of.at, NO_LOG: at_s}))


def _change(server: str, change: Callable[[KeptOfServer], KeptOfServer]) -> None:
    with alone():
        known = _read()
        changed = change(known.get(server, KeptOfServer()))
        times = dict(list(changed.at.items())[-MATCHES_MAX:])
        known[server] = KeptOfServer(changed.logs, times)
        replace_private(kept_file(), encode_in_order(known) + b"\n")


def is_due(server: str, match: MatchId, now_s: float) -> bool:
    """Return whether the proof of a match is to be kept again; see `read_kept` for the errors."""
    at = read_kept(server).at
    return not any(0 <= now_s - at[one] < KEEP_S for one in (match, NO_LOG) if one in at)
