"""Of each match of a server what a signature needs: the digest of its opening, and what this user's programs were shown and sent for each seat.

It lies in a file beside the secrets of the seats, so that a program asks only for what is new. Whoever changes it makes signatures that the server refuses, or that are
for fewer events than were seen; so a file that is lost or damaged is made again.
"""

from contextlib import suppress
from pathlib import Path

from cli.shell.seat_secrets import alone, replace_private, seats_file
from events.codec import DecodeError, Decoder, Struct, encode_in_order
from events.ids import Digest, MatchId, Seat
from server.client.checked_events import Shown
from server.client.client import Client
from server.store.whole_file import SECRETS_MAX, kept_reason

MATCHES_MAX = 1_000
"""The most matches that are remembered; those that were signed for longest ago are forgotten."""


class SignedMatch(Struct, frozen=True):
    """A match: the digest of its opening, and what each seat was shown."""

    opening: Digest
    shown: dict[Seat, Shown] = {}

    def of(self, seat: Seat) -> Shown:
        """Return what a seat was shown."""
        return self.shown.get(seat, Shown())


_KEPT: Decoder[dict[str, dict[MatchId, SignedMatch]]] = Decoder(dict[str, dict[MatchId, SignedMatch]])


def recall(client: Client, server: str, match: MatchId) -> None:
    """Tell a client what programs of this user were shown of a match of a server."""
    known = _read().get(server, {}).get(match)
    if known is not None:
        client.recall(match, known.opening, known.shown)


def remember(client: Client, server: str, match: MatchId) -> None:
    """Remember what a client was shown of a match of a server, unless the file cannot be written; what others were shown meanwhile stays."""
    opening, shown = client.shown_of(match)
    known = _read().get(server, {}).get(match)
    if not opening or (known is not None and all(known.of(seat).number >= one.number for seat, one in shown.items())):
        return
    with suppress(OSError), alone():
        if kept_reason(_file()):
            return
        kept = _read()
        of_server = kept.setdefault(server, {})
        before = of_server.pop(match, SignedMatch(opening))
        newer = {seat: one for seat, one in shown.items() if one.number > before.of(seat).number}
        of_server[match] = SignedMatch(opening, {**before.shown, **newer})
        for forgotten in list(of_server)[:-MATCHES_MAX]:
            del of_server[forgotten]
        replace_private(_file(), encode_in_order(kept) + b"\n")


def _file() -> Path:
    secrets = seats_file()
    return secrets.with_name(f"{secrets.stem}-signed.json")


def _read() -> dict[str, dict[MatchId, SignedMatch]]:
    """Return all that is remembered; nothing if the file is missing or damaged."""
    try:
        with _file().open("rb") as opened:
            return _KEPT.decode(opened.read(SECRETS_MAX))
    except (OSError, DecodeError):
        return {}
