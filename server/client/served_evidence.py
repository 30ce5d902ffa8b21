"""The evidence of a match on a server: its commits, fetched page by page, for archives and audits."""

from base64 import b64decode
from collections.abc import Iterator

from events.archive import Attachment
from events.codec import DecodeError
from events.commit import Head, chain_hash, decode_commit
from events.ids import Digest, MatchId, Seat
from events.log import Stored
from server.client.client import Client
from server.protocol.errors import ProtocolBroken
from server.protocol.replies import CommitsReply


class ServedEvidence:
    """The commits of one match; see `events.archive.Evidence`. They are checked by whoever reads them.

    Args:
        client: Knows the secret of the seat.
        match: The match.
        seat: The arbiter's; or the public's, once the match is over, if nothing in it was ever hidden.

    Raises:
        RequestFailed: The commits are not for this seat.
    """

    def __init__(self, client: Client, match: MatchId, seat: Seat) -> None:
        self._client = client
        self._match = match
        self._seat = seat
        self._first = client.commits(match, seat)

    def head(self, match: MatchId) -> Head:
        """Return the head of the match when it was first asked about."""
        return Head(self._first.seq, self._first.head)

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Return the commits with events after one and up to another, in order.

        Raises:
            ProtocolBroken: The server sends something else.
        """
        last = self._first.seq if upto is None else upto
        page: CommitsReply | None = self._first if after == 0 else None
        while after < last:
            page = self._client.commits(self._match, self._seat, after) if page is None else page
            stored = [stored_commit(bytes(body)) for body in page.commits]
            if not stored or stored[-1].last <= after:
                raise ProtocolBroken(f"the server sends no commits of match {self._match} after event {after}")
            for one in stored:
                if one.first > last:
                    return
                yield one
            after, page = stored[-1].last, None

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a file that the match was opened with, or None."""
        return next((file_content(file) for file in self._first.files if file.attachment == digest), None)


def stored_commit(body: bytes) -> Stored:
    """Return a commit as a log holds it.

    Raises:
        ProtocolBroken: It is not one.
    """
    try:
        commit = decode_commit(body)
    except DecodeError as error:
        raise ProtocolBroken(f"the server sends something that is not a commit: {error}") from None
    return Stored(commit.match, commit.first, commit.last, commit.key, chain_hash(body), body)


def file_content(file: Attachment) -> bytes:
    """Return the bytes of a file that a match was opened with."""
    if file.text is not None:
        return file.text.encode()
    return b64decode(file.base64 or "")
