"""The secrets of the seats that this user has taken, by server and match, in a file that only the user may read."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cli.shell.exit_codes import input_output
from events.codec import DecodeError, encode
from events.ids import MatchId, Seat
from server.protocol.errors import OUTCOME_UNKNOWN, RequestFailed
from server.protocol.identity import SystemIdentity
from server.store.file_locks import lock_file
from server.store.private_files import PRIVATE, SEAT_SECRETS, OfServer, open_private, open_to_others
from server.store.whole_file import SECRETS_MAX

SEATS_VARIABLE = "WARDIARY_SEATS"

EVERY_MATCH = MatchId("*")
"""Stands for all matches of a server: a capability is kept under it, as the arbiter's."""

BOTS_VARIABLE = "WARDIARY_BOTS"
"""Names where a bot's secrets are kept, if it is started for a server that has another address each time."""


def seats_file() -> Path:
    """Return the file: as the environment names it, or in the user's data folder."""
    named = os.environ.get(SEATS_VARIABLE, "")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("wardiary", appauthor=False) / "seats.json"


def bots_of(server: str) -> str:
    """Return under which name the secrets of the bots on a server are kept: apart from those of the user, whose commands do not mean the seats of bots."""
    return f"bots of {server}"


def players_of(store: str) -> str:
    """Return under which name the secrets of a player are kept whose seats are served from a store, at another address each time."""
    return f"players of {store}"


def read_secrets(server: str) -> OfServer:
    """Return the secrets of the seats on a server; none if there is no file.

    Args:
        server: The address of the server.

    Raises:
        UserError: The file holds something else, or other users can read it.
    """
    return _read().get(server, {})


def _read() -> dict[str, OfServer]:
    file = seats_file()
    try:
        with file.open("rb") as opened:
            content = opened.read(SECRETS_MAX + 1)
    except FileNotFoundError:
        return {}
    if open_to_others([file]):
        raise input_output(f"{file} holds the secrets of your seats and other users can read it: run chmod 600 {file}")
    try:
        return SEAT_SECRETS.decode(content)
    except DecodeError as error:
        raise input_output(f"{file} does not hold the secrets of seats ({error}); move it away to go on") from None


@contextmanager
def secret_kept(server: str, match: MatchId, seat: Seat) -> Iterator[str]:
    """Keep the secret of a seat while the seat is asked for, so that a seat that was given is not lost if this process ends.

    Other processes of this user that take or leave a seat wait. If the request is refused, the secret is removed again.

    Args:
        server: The address of the server.
        match: The match.
        seat: The seat.

    Yields:
        The secret that was kept already, or a new one.

    Raises:
        UserError: As `read_secrets`.
    """
    with alone():
        known = read_secrets(server).get(match, {}).get(seat, "")
        secret = known or SystemIdentity().token()
        if not known:
            _keep(server, match, seat, secret)
        try:
            yield secret
        except RequestFailed as error:
            if not known and error.code != OUTCOME_UNKNOWN:
                _keep(server, match, seat, "")
            raise


def keep_secret(server: str, match: MatchId, seat: Seat, secret: str) -> None:
    """Keep the secret of a seat in place of an earlier one; an empty one removes it.

    Raises:
        UserError: As `read_secrets`.
    """
    with alone():
        _keep(server, match, seat, secret)


@contextmanager
def alone() -> Iterator[None]:
    """Let no other process of this user change the files of its seats meanwhile."""
    file = seats_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file.with_name(f"{file.name}.lock"), os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        lock_file(descriptor, may_wait=True)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def played_here(match: MatchId, seat: Seat) -> Iterator[bool]:
    """Let no other process of this user go on with the bot of a seat meanwhile; yield whether none does already."""
    file = seats_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = file.with_name(f"{file.name}.{match}.{seat}.lock")
    descriptor, is_ours = os.open(lock, os.O_RDWR | os.O_CREAT, PRIVATE), False
    try:
        with suppress(OSError):
            lock_file(descriptor, may_wait=False)
            is_ours = True
        yield is_ours
    finally:
        os.close(descriptor)
        if is_ours:
            with suppress(OSError):
                lock.unlink()


def _keep(server: str, match: MatchId, seat: Seat, secret: str) -> None:
    """Add the secret of a seat to the file, or with an empty one remove the seat; the file is replaced as a whole."""
    secrets = _read()
    of_server = secrets.setdefault(server, {})
    of_match = of_server.setdefault(match, {})
    if secret:
        of_match[seat] = secret
    else:
        of_match.pop(seat, None)
    secrets[server] = {known: seats for known, seats in of_server.items() if seats}
    replace_private(seats_file(), encode({known: matches for known, matches in secrets.items() if matches}) + b"\n")


def replace_private(file: Path, content: bytes) -> None:
    """Replace a file that only the user may read, as a whole; the caller is `alone`. A link is followed."""
    file = Path(os.path.realpath(file))
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    with open_private(new) as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    new.replace(file)
