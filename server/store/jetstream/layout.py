"""The layout of a store in streams: their configuration, subjects, and the headers of a commit.

| stream | subjects | holds |
| --- | --- | --- |
| `NAME-log` | `NAME.o.MATCH`, `NAME.c.MATCH` | the first commit of a match, and all others; every message is a commit |
| `NAME-entries` | `NAME.e` | the entries of the server's log |
| `NAME-side` | `NAME.a`, `.k`, `.l`, `.f.DIGEST`, `.n.MATCH.STUDY` | capabilities, checkpoints, names of logs, files, studies |
| `NAME-cache` | `NAME.s.MATCH.SEAT`, `NAME.y.MATCH` | snapshots and summaries, which may be dropped |

A commit's bytes are the message, what belongs to it stands in one header. The seed of a match comes with its commit, so that neither is ever
stored without the other.
"""

import json
import re
from base64 import b32encode

from events.codec import Struct
from events.commit import GENESIS, Head
from events.entry_store import StoredEntry
from events.ids import Digest, MatchId
from events.log import NewCommit, Origin, Stored
from server.store.jetstream.streams import Kept

VERSION = "wardiary store 1"
"""In the description of each stream: another version is not opened."""

CACHED = 8
"""How many snapshots of a seat of a match are kept."""

META = "Wardiary-Commit"

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,64}")


def token(text: str) -> str:
    """Return a text as a part of a subject, which may hold no dots, blanks or wildcards."""
    return text if _PLAIN.fullmatch(text) else f"={b32encode(text.encode()).decode().rstrip('=')}"


def evidence(subjects: list[str], replicas: int) -> dict[str, object]:
    """Return the configuration of a stream from which nothing is ever removed."""
    return {
        "subjects": subjects, "description": VERSION, "retention": "limits", "storage": "file", "num_replicas": replicas,
        "deny_delete": True, "deny_purge": True, "discard": "new", "allow_direct": True, "allow_atomic": True,
    }  # fmt: skip


def cache(subjects: list[str], replicas: int) -> dict[str, object]:
    """Return the configuration of a stream that keeps the last messages of each subject."""
    return {
        "subjects": subjects, "description": VERSION, "retention": "limits", "storage": "file", "num_replicas": replicas,
        "max_msgs_per_subject": CACHED, "discard": "old", "allow_direct": True,
    }  # fmt: skip


class Row(Struct, frozen=True, gc=False):
    """A commit in the stream without its bytes."""

    number: int
    first: int
    last: int
    key: str
    hash: Digest


class Known:
    """A match as it is known here: its own commits, their keys, its origin and seed.

    Args:
        match: The match.
        origin: Where it left its parent, if it is a fork.
    """

    __slots__ = ("keys", "match", "origin", "rows", "seed")

    def __init__(self, match: MatchId, origin: Origin | None) -> None:
        self.match = match
        self.origin = origin
        self.seed = ""
        self.rows: list[Row] = []
        self.keys: dict[str, Row] = {}

    def add(self, row: Row, seed: str = "") -> None:
        """Add the next commit, and the seed that it brings along."""
        self.rows.append(row)
        self.keys[row.key] = row
        self.seed = self.seed or seed

    @property
    def number(self) -> int:
        """The number of its last commit in the stream; 0 if it has none."""
        return self.rows[-1].number if self.rows else 0

    @property
    def start(self) -> Head:
        """Where its own commits begin."""
        return Head(0, GENESIS) if self.origin is None else Head(self.origin.seq, self.origin.hash)

    @property
    def head(self) -> Head:
        """Its head."""
        return Head(self.rows[-1].last, self.rows[-1].hash) if self.rows else self.start


def meta(new: NewCommit) -> str:
    """Return the header of a commit."""
    fields: list[object] = [new.match, new.first, new.last, new.key, new.hash]
    if new.origin is not None or new.seed:
        origin = new.origin
        fields += [new.seed, None if origin is None else [origin.parent, origin.seq, origin.hash]]
    return json.dumps(fields)


def _fields(kept: Kept) -> tuple[MatchId, Row, str, Origin | None]:
    match, first, last, key, digest, *more = json.loads(kept.headers[META])
    seed, origin = more or ("", None)
    left = None if origin is None else Origin(MatchId(origin[0]), origin[1], Digest(origin[2]))
    return MatchId(match), Row(kept.number, first, last, key, Digest(digest)), seed, left


def begun_by(kept: Kept) -> Known:
    """Return the match that a first commit begins."""
    match, row, seed, origin = _fields(kept)
    known = Known(match, origin)
    known.add(row, seed)
    return known


def follow(known: Known, kept: Kept) -> None:
    """Add a commit to its match."""
    _, row, seed, _ = _fields(kept)
    known.add(row, seed)


def stored_in(kept: Kept) -> Stored:
    """Return a commit."""
    match, row, _, _ = _fields(kept)
    return Stored(match, row.first, row.last, row.key, row.hash, kept.data)


def entry_in(data: bytes) -> StoredEntry:
    """Return an entry of the server's log."""
    commit, key, match, digest = json.loads(data)
    return StoredEntry(commit, bytes.fromhex(key), MatchId(match), Digest(digest))
