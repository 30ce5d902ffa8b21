"""The secrets of the seats that this user has taken, in a file that only the user may read."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.exit_codes import input_output
from events.codec import DecodeError, Decoder, encode
from events.ids import MatchId, Seat
from server.protocol.errors import OUTCOME_UNKNOWN, RequestFailed
from server.protocol.identity import SystemIdentity
from server.store.private_files import PRIVATE, open_private, open_to_others

SEATS_VARIABLE = "WARDIARY_SEATS"

FILE_BYTES_MAX = 1 << 22
"""The largest file that is read."""

_SECRETS: Decoder[dict[MatchId, dict[Seat, str]]] = Decoder(dict[MatchId, dict[Seat, str]])


def seats_file() -> Path:
    """Return the file: as the environment names it, or in the user's data folder."""
    named = os.environ.get(SEATS_VARIABLE, "")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_data_path

    return user_data_path("wardiary", appauthor=False) / "seats.json"


def read_secrets() -> dict[MatchId, dict[Seat, str]]:
    """Return the secrets of all seats, by match; none if there is no file.

    Raises:
        UserError: The file holds something else, or other users can read it.
    """
    file = seats_file()
    try:
        with file.open("rb") as opened:
            content = opened.read(FILE_BYTES_MAX + 1)
    except FileNotFoundError:
        return {}
    if open_to_others([file]):
        raise input_output(f"{file} holds the secrets of your seats and other users can read it: run chmod 600 {file}")
    try:
        return _SECRETS.decode(content)
    except DecodeError as error:
        raise input_output(f"{file} does not hold the secrets of seats ({error}); move it away to go on") from None


@contextmanager
def secret_kept(match: MatchId, seat: Seat) -> Iterator[str]:
    """Keep the secret of a seat while the seat is asked for, so that a seat that was given is not lost if this process ends.

    Other processes of this user that take or leave a seat wait. If the request is refused, the secret is removed again.

    Yields:
        The secret that was kept already, or a new one.

    Raises:
        UserError: As `read_secrets`.
    """
    with alone():
        known = read_secrets().get(match, {}).get(seat, "")
        secret = known or SystemIdentity().token()
        if not known:
            _keep(match, seat, secret)
        try:
            yield secret
        except RequestFailed as error:
            if not known and error.code != OUTCOME_UNKNOWN:
                _keep(match, seat, "")
            raise


def forget_secret(match: MatchId, seat: Seat) -> None:
    """Remove the secret of a seat.

    Raises:
        UserError: As `read_secrets`.
    """
    with alone():
        _keep(match, seat, "")


@contextmanager
def alone() -> Iterator[None]:
    """Let no other process of this user change the files of its seats meanwhile, where the system has such locks."""
    file = seats_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    descriptor = os.open(file.with_name(f"{file.name}.lock"), os.O_RDWR | os.O_CREAT, PRIVATE)
    try:
        if sys.platform != "win32":
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _keep(match: MatchId, seat: Seat, secret: str) -> None:
    """Add the secret of a seat to the file, or with an empty one remove the seat; the file is replaced as a whole."""
    secrets = read_secrets()
    of_match = secrets.setdefault(match, {})
    if secret:
        of_match[seat] = secret
    else:
        of_match.pop(seat, None)
    replace_private(seats_file(), encode({known: seats for known, seats in secrets.items() if seats}) + b"\n")


def replace_private(file: Path, content: bytes) -> None:
    """Replace a file that only the user may read, as a whole; the caller is `alone`."""
    new = file.with_name(f"{file.name}.new")
    new.unlink(missing_ok=True)
    with open_private(new) as opened:
        opened.write(content)
        opened.flush()
        os.fsync(opened.fileno())
    new.replace(file)
