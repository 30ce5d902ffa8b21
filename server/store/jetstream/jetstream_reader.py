"""The reading half of the log port on JetStream; `server.store.jetstream.jetstream_log` adds writing.

Heads and keys are asked of the leader of the stream, whatever is remembered. Commits, which never change, are read from any replica.
"""

import json
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from events.commit import Head
from events.entry_store import StoredEntry, Written
from events.errors import StoreUnavailable, UnknownMatch
from events.ids import ARBITER, Digest, MatchId, Seat
from events.log import NEWS_MAX, Origin, Stored, StoredSummary, Wanted
from server.store.jetstream.cluster import Cluster
from server.store.jetstream.layout import (
    CACHED,
    Known,
    Row,
    begun_by,
    cache,
    entry_in,
    evidence,
    follow,
    stored_in,
    token,
)
from server.store.jetstream.link import Link
from server.store.jetstream.protocol import Malformed
from server.store.jetstream.streams import PART, Kept, Stream
from server.store.jetstream.wake_ups import WakeUps

SWEEP_S = 5.0
"""How often the leader is asked for the last number, in case that it was not told (seconds)."""

OFFICES_S = 2.0
"""How late the capabilities for all matches may be known (seconds)."""

KNOWN_MAX = 4_096
"""Of how many matches the keys are kept in memory."""


class JetStreamReader:
    """The reading half of a store on a cluster.

    Args:
        cluster: The cluster.
        read_only: A store must be there; else the streams that are missing are made.

    Attributes:
        locator: The address by which it is opened.

    Raises:
        StoreUnavailable: It cannot be reached, refuses the password, has fewer servers than replicas, or its streams are of another version.
    """

    def __init__(self, cluster: Cluster, *, read_only: bool = False) -> None:
        name = self._name = cluster.name
        self.locator, self.problem = cluster.locator, ""
        self._wake_ups = WakeUps()
        self._link = Link(
            cluster.servers, cluster.user, cluster.password, is_encrypted=cluster.is_encrypted, checked=self._check_same,
            woken=self._wake_ups.hear,
        )  # fmt: skip
        self._log, self._entries, self._side, self._cache = (
            Stream(self._link, f"{name}-{part}") for part in ("log", "entries", "side", "cache")
        )
        self._known: dict[MatchId, Known] = {}
        self._order: list[MatchId] = []
        self._origins: dict[MatchId, Origin | None] = {}
        self._ordered_to = 0
        self._offices: dict[str, str] = {}
        self._offices_to, self._offices_at = 0, -OFFICES_S
        self._created = ""
        try:
            self._open(cluster, read_only=read_only)
            self._created = self._log.created()
            self._link.listen(f"told.{name}.>")
            self._wake_ups.take(self._log.last_number())
        except BaseException:
            self.close()
            raise
        self._connections, self._swept = self._link.connections, time.monotonic()

    def _open(self, cluster: Cluster, *, read_only: bool) -> None:
        """Check the streams, and make those that are missing."""
        name, copies = cluster.name, cluster.replicas
        # Who listens learns that something was stored, and nothing of it.
        told = {"republish": {"src": f"{name}.>", "dest": f"told.{name}.>", "headers_only": True}}
        side = [f"{name}.a", f"{name}.k", f"{name}.l", f"{name}.f.*", f"{name}.n.*.*"]
        for stream, config in (
            (self._log, evidence([f"{name}.o.*", f"{name}.c.*"], copies) | told),
            (self._entries, evidence([f"{name}.e"], copies)),
            (self._side, evidence(side, copies)),
            (self._cache, cache([f"{name}.s.*.*", f"{name}.y.*"], copies)),
        ):
            if stream.is_made(config):
                continue
            if read_only:
                raise StoreUnavailable(f"the cluster has no store of the name {name}: there is no store to read")
            stream.make(config)

    def _check_same(self) -> None:
        """Check that a new connection leads to the store that was opened, and not to one of the same name on another cluster."""
        if self._created and self._log.created() != self._created:
            raise Malformed(
                f"another cluster has a store of the name {self._name}, too: name the servers of one cluster"
            )

    def check(self) -> list[str]:
        """Return no problems: the servers check their own files."""
        return []

    def lost_matches(self) -> Sequence[MatchId]:
        """Return no matches: each begins with its first commit."""
        return ()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._link.close()

    # News

    def news_fileno(self) -> int:
        """Return the descriptor that becomes readable when there may be news, or -1."""
        return self._link.fileno()

    def news(self, wanted: Wanted | None = None) -> Sequence[Stored]:
        """Return what others have appended; see `Log.news`. A wake-up that is lost is found within some seconds."""
        self._link.look()
        wake_ups, now = self._wake_ups, time.monotonic()
        if self._link.connections != self._connections or now - self._swept > SWEEP_S:
            wake_ups.seen = max(wake_ups.seen, self._log.last_number())
            self._connections, self._swept = self._link.connections, now
        last = min(wake_ups.seen, wake_ups.told + NEWS_MAX)
        if last <= wake_ups.told:
            return ()
        heard, awaited = wake_ups.heard(last), self._awaited()
        if heard is None:
            whole = [(one.number, stored_in(one)) for one in self._log.between(wake_ups.told + 1, last)]
            heard = [(number, one) for number, one in whole if not wake_ups.is_own(number)]
        elif needed := [
            number for number, one in heard if one.hash not in awaited and (wanted is None or wanted(one.match))
        ]:
            read = {one.number: stored_in(one) for one in self._log.between(needed[0], needed[-1])}
            heard = [(number, read.get(number, one)) for number, one in heard]
        wake_ups.take(last)
        return [one for _, one in heard if one.hash not in awaited]

    def _awaited(self) -> Collection[Digest]:
        """Return the hashes of commits that are being appended; a reader appends none."""
        return ()

    # Matches

    def _subject(self, kind: str, match: MatchId, *more: str) -> str:
        return ".".join((self._name, kind, token(match), *more))

    def _find(self, match: MatchId) -> Known | None:
        """Return a match as the leader has it now, or None if there is none."""
        last = self._log.last(self._subject("*", match))
        if last is None:
            return None
        known = self._known.get(match)
        if known is None:
            first = self._log.last(self._subject("o", match))
            assert first is not None, "a match begins with its first commit"
            known = self._keep(begun_by(first))
        if last.number > known.number:
            for kept in self._log.between(known.number + 1, last.number, self._subject("c", match)):
                follow(known, kept)
        return known

    def _keep(self, known: Known) -> Known:
        if len(self._known) >= KNOWN_MAX:
            del self._known[next(iter(self._known))]
        self._known[known.match] = known
        return known

    def _match(self, match: MatchId) -> Known:
        known = self._find(match)
        if known is None:
            raise UnknownMatch(match)
        return known

    def head(self, match: MatchId) -> Head:
        """Return the head of a match; see `Log.head`."""
        return self._match(match).head

    def origin(self, match: MatchId) -> Origin | None:
        """Return where a fork left its parent; see `Log.origin`."""
        return (self._known.get(match) or self._match(match)).origin

    def seed(self, match: MatchId) -> str:
        """Return the sealed seed; see `Log.seed`."""
        known = self._find(match)
        return "" if known is None else known.seed

    def find(self, match: MatchId, key: str) -> Stored | None:
        """Return the commit with this key; see `Log.find`."""
        known = self._known.get(match)
        if known is None or key not in known.keys:
            known = self._find(match)
        row = None if known is None else known.keys.get(key)
        return None if row is None or known is None else next(self._commits(known, [row]))

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Read commits in order; see `Log.read`."""
        known = self._match(match)
        stretches: list[tuple[Known, list[Row]]] = []
        while True:
            wanted = [row for row in known.rows if row.last > after and (upto is None or row.first <= upto)]
            stretches.append((known, wanted))
            origin = known.origin
            if origin is None or after >= origin.seq:
                break
            upto = origin.seq if upto is None else min(upto, origin.seq)
            known = self._match(origin.parent)
        return (stored for known, rows in reversed(stretches) for stored in self._commits(known, rows))

    def _commits(self, known: Known, rows: Sequence[Row]) -> Iterator[Stored]:
        """Read commits of a match's own stream, which follow each other."""
        for row in rows[:1]:
            kind = "o" if row is known.rows[0] else "c"
            yield from map(stored_in, self._log.between(row.number, row.number, self._subject(kind, known.match)))
        if len(rows) > 1:
            yield from map(
                stored_in, self._log.between(rows[1].number, rows[-1].number, self._subject("c", known.match))
            )

    # The catalogue

    def _openings(self, last: int) -> Iterator[Kept]:
        return self._log.between(self._ordered_to + 1, last, f"{self._name}.o.*")

    def _catalogue(self) -> list[MatchId]:
        """Return all matches in the order in which they were opened, as the leader has them."""
        last = self._log.last(f"{self._name}.o.*")
        if last is not None and last.number > self._ordered_to:
            for kept in self._openings(last.number):
                known = begun_by(kept)
                self._order.append(known.match)
                self._origins[known.match] = known.origin
                self._ordered_to = kept.number
        return self._order

    def matches(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[MatchId]:
        """Return ids of matches; see `Log.matches`."""
        order = self._catalogue()
        start = 0
        if after is not None:
            if after not in self._origins:
                raise UnknownMatch(after)
            start = order.index(after) + 1
        return tuple(order[start : None if limit is None else start + limit])

    def matches_like(self, prefix: str, limit: int) -> Sequence[MatchId]:
        """Return matches whose ids begin with a prefix; see `Log.matches_like`."""
        return tuple(sorted(match for match in self._catalogue() if match.startswith(prefix))[:limit])

    def forks(self, match: MatchId) -> Sequence[MatchId]:
        """Return the forks of a match; see `Log.forks`."""
        order = self._catalogue()
        if match not in self._origins:
            raise UnknownMatch(match)
        return tuple([one for one in order if (origin := self._origins[one]) is not None and origin.parent == match])

    # Files, capabilities and caches

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a stored file; see `Log.attachment`."""
        last = self._side.last(f"{self._name}.f.{token(digest)}")
        if last is None:
            return None
        parts = int(last.headers["Wardiary-Parts"])
        return b"".join([kept.data for kept in self._side.between(last.number - parts + 1, last.number)])

    def appointed(self) -> dict[str, str]:
        """Return the capabilities for all matches; see `Log.appointed`. Those that others changed are known some seconds later."""
        now = time.monotonic()
        if now - self._offices_at >= OFFICES_S:
            last = self._side.last(f"{self._name}.a")
            if last is not None and last.number > self._offices_to:
                for kept in self._side.between(self._offices_to + 1, last.number, f"{self._name}.a"):
                    name, credential = json.loads(kept.data)
                    self._offices[name] = credential
                self._offices_to = last.number
            self._offices_at = now
        return {name: credential for name, credential in self._offices.items() if credential}

    def snapshot(self, match: MatchId, upto: int, seat: Seat = ARBITER) -> tuple[int, bytes] | None:
        """Return the latest snapshot; see `Log.snapshot`."""
        known = self._known.get(match) or self._find(match)
        while known is not None:
            subject = self._subject("s", known.match, token(seat))
            found = self._cache.some({"seq": 1, "next_by_subj": subject, "batch": CACHED})
            kept = {int(one.headers["Wardiary-Seq"]): one.data for one in found}
            if reached := [seq for seq in kept if seq <= upto]:
                return max(reached), kept[max(reached)]
            if known.origin is None or seat != ARBITER:
                return None
            upto = min(upto, known.origin.seq)
            known = self._known.get(known.origin.parent) or self._find(known.origin.parent)
        return None

    def summary(self, match: MatchId) -> StoredSummary:
        """Return a match's head and its summary; see `Log.summary`."""
        self._match(match)
        return self._summaries([match])[0]

    def summaries(self, after: MatchId | None = None, limit: int | None = None) -> Sequence[StoredSummary]:
        """Return the heads and summaries of matches; see `Log.summaries`. Heads may be as late as a replica."""
        matches = self.matches(after, limit)
        return [one for start in range(0, len(matches), PART) for one in self._summaries(matches[start : start + PART])]

    def _summaries(self, matches: Sequence[MatchId]) -> list[StoredSummary]:
        heads: dict[MatchId, Head] = {match: known.head for match in matches if (known := self._known.get(match))}
        for kept in self._log.last_of([self._subject(kind, match) for match in matches for kind in ("o", "c")]):
            stored = stored_in(kept)
            if stored.last > heads.get(stored.match, Head()).seq:
                heads[stored.match] = Head(stored.last, stored.hash)
        found: dict[str, Kept] = {}
        for kept in self._cache.last_of([self._subject("y", match) for match in matches]):
            found[kept.subject] = kept
        return [self._summary(match, heads[match], found.get(self._subject("y", match))) for match in matches]

    def _summary(self, match: MatchId, head: Head, kept: Kept | None) -> StoredSummary:
        if kept is None:
            return StoredSummary(match, head)
        seq, digest = json.loads(kept.headers["Wardiary-Head"])
        return StoredSummary(match, head, Head(seq, Digest(digest)), kept.data)

    # The server's log

    def written(self, after: int, limit: int) -> Sequence[Written]:
        """Return commits in the order of writing; see `EntryStore.written`."""
        last = self._log.last_number()
        found = [(one.number, stored_in(one)) for one in self._log.between(after + 1, last, limit=limit)]
        return [Written(number, stored.match, stored.hash, stored.body) for number, stored in found]

    def number_of(self, match: MatchId, first: int) -> int:
        """Return the number of a commit; see `EntryStore.number_of`."""
        known = self._find(match)
        return next((row.number for row in (known.rows if known else ()) if row.first == first), 0)

    def entries(self, after: int, limit: int) -> Sequence[StoredEntry]:
        """Return entries; see `EntryStore.entries`."""
        found = self._entries.between(after + 1, self._entries.last_number(), limit=limit)
        return [entry_in(kept.data) for kept in found]

    def last_checkpoint(self) -> str:
        """Return the last checkpoint; see `EntryStore.last_checkpoint`."""
        last = self._side.last(f"{self._name}.k")
        return "" if last is None else last.data.decode()

    def logs(self) -> Mapping[str, bytes]:
        """Return the logs; see `EntryStore.logs`."""
        last = self._side.last(f"{self._name}.l")
        found = () if last is None else self._side.between(1, last.number, f"{self._name}.l")
        return {origin: bytes.fromhex(secret) for origin, secret in (json.loads(kept.data) for kept in found)}
