"""The secrets of the seats that this user has taken, in a file that only the user may read."""

import os
from pathlib import Path

from cli.exit_codes import input_output
from events.codec import DecodeError, Decoder, encode
from events.ids import MatchId, Seat
from server.store.private_files import open_private, open_to_others

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


def keep_secret(match: MatchId, seat: Seat, secret: str) -> None:
    """Add the secret of a seat to the file, or with an empty one remove the seat; the file is replaced as a whole.

    Raises:
        UserError: As `read_secrets`.
    """
    secrets = read_secrets()
    of_match = secrets.setdefault(match, {})
    if secret:
        of_match[seat] = secret
    else:
        of_match.pop(seat, None)
    file = seats_file()
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    with open_private(new) as opened:
        opened.write(encode({known: seats for known, seats in secrets.items() if seats}) + b"\n")
    new.replace(file)
