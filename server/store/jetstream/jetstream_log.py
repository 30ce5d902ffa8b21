"""The log port on JetStream: a commit is durable when a majority of the servers has it, and is stored only behind the head that it names."""

import json
import time
from collections.abc import Collection, Sequence
from contextlib import suppress

from typing_extensions import override

from events.codec import Struct
from events.entry_store import NewEntry, check_entries, name_used
from events.errors import LogError, LogMisuse, LostRace, OutcomeUnknown, StoreUnavailable, UnknownMatch
from events.ids import ARBITER, Digest, MatchId, Seat, StudyId
from events.log import (
    BATCH_MAX,
    AlreadyThere,
    Appended,
    NewCommit,
    NewSummary,
    Origin,
    Receipt,
    Stored,
    appended,
    check_attachment,
    check_new,
    is_lost,
    no_origin,
    other_seed,
    too_late,
)
from server.store.jetstream.jetstream_reader import JetStreamReader
from server.store.jetstream.layout import META, Known, Row, meta, token
from server.store.jetstream.link import Lost
from server.store.jetstream.streams import Conflict, Kept
from server.store.remote import outage

ATTEMPTS = 8
"""How often commits are planned anew because others have appended meanwhile."""

AGAIN_S = 0.05
"""How long to wait before that, from the second time on (seconds): a new leader may count what it has not yet confirmed."""

PATIENCE_S = 0.25
"""How long a caller that does not wait for the outcome waits for it nevertheless (seconds)."""

CACHE_AGAIN_S = 5.0
"""After how many seconds a snapshot or a summary is tried again, once one could not be stored."""

HEADERS_BYTES = 2_048
"""How many bytes the headers of a message take at most."""

EXPECTED, EXPECTED_OF = "Nats-Expected-Last-Subject-Sequence", "Nats-Expected-Last-Subject-Sequence-Subject"


class Draft:
    """A match with the commits that are to be appended to it.

    Args:
        known: The match as it is, or None if there is none.
        origin: The origin that its first commit names.
    """

    def __init__(self, known: Known | None, origin: Origin | None) -> None:
        self.known = known
        self.origin = origin if known is None else known.origin
        self.seed = "" if known is None else known.seed
        self.new: list[NewCommit] = []

    @property
    def seq(self) -> int:
        """The number of its last event."""
        if self.new:
            return self.new[-1].last
        if self.known is not None:
            return self.known.head.seq
        return 0 if self.origin is None else self.origin.seq

    def ends_at(self, origin: Origin) -> bool:
        """Return whether one of its own commits ends where a fork is to leave it."""
        there: list[Row | NewCommit] = [*([] if self.known is None else self.known.rows), *self.new]
        return any((one.last, one.hash) == (origin.seq, origin.hash) for one in there)


class Plan(Struct):
    """A batch: what becomes of each commit if the heads are as they were planned, and the matches that it changes."""

    batch: Sequence[NewCommit]
    receipts: list[Receipt]
    drafts: dict[MatchId, Draft]

    def new(self) -> list[NewCommit]:
        """Return the commits to append, in order."""
        return [new for new, one in zip(self.batch, self.receipts, strict=True) if isinstance(one, Appended)]


class JetStreamLog(JetStreamReader):
    """A store on a cluster of NATS servers; see `events.log.Log`, and `server.desk.pipeline_parts.ConcurrentLog`.

    Durable is what a majority of its replicas has stored: it survives the loss of any one server; the loss of power of all at once only if
    they sync always. A batch has at most `BATCH_MAX` commits. What other writers appended is read late by a message, except by `head`,
    `find` and `append`, which ask the leader.
    """

    is_impeded, is_distant = False, True
    _plan: Plan | None = None
    _reply = ""
    _due = 0.0
    _cache_at = 0.0

    @property
    def connections(self) -> int:
        """How often a server of the cluster was connected."""
        return self._link.connections

    @property
    def outage(self) -> outage.Outage:
        """When the servers do not answer."""
        return self._link.outage

    # Appending

    def append(self, batch: Sequence[NewCommit]) -> list[Receipt]:
        """Append several commits; see `Log.append`."""
        for attempt in range(ATTEMPTS):
            plan = self._planned(batch)
            try:
                if plan.new():
                    self._finish(plan, self._begin(plan))
            except Conflict:
                self._reread(plan)
                if attempt:
                    time.sleep(AGAIN_S)
                continue
            return plan.receipts
        raise StoreUnavailable("others append to the same matches all the time; nothing was done")

    def submit(self, batch: Sequence[NewCommit]) -> bool:
        """Begin to append commits; return False, having done nothing, if none of them can be."""
        plan = self._planned(batch)
        if not plan.new():
            return False
        try:
            self._reply = self._begin(plan)
        except OutcomeUnknown:
            # It is told when the receipts are asked for.
            self._reply = ""
        self._plan, self._due = plan, time.monotonic() + outage.DEADLINE_S
        return True

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when receipts are there, or -1 if nothing is submitted."""
        return -1 if self._plan is None else self._link.fileno()

    def has_receipts(self) -> bool:
        """Return whether `receive` can return without waiting."""
        return self._link.has(self._reply) or time.monotonic() >= self._due

    def has_stalled(self) -> bool:
        """Return whether receipts have been due for longer than a durable step may take."""
        return self._plan is not None and self._patience_s == 0.0

    @property
    def _patience_s(self) -> float:
        """How long it takes until receipts are due for longer than that (seconds)."""
        return max(0.0, self._due - outage.DEADLINE_S + PATIENCE_S - time.monotonic())

    def await_receipts(self) -> bool:
        """Wait for receipts, but only as long as a durable step may take; return whether there are any."""
        return bool(self._link.await_any([self._reply], self._patience_s)) or self.has_receipts()

    def receive(self) -> list[Receipt]:
        """Return the receipts of the submitted commits; see `Log.append`."""
        plan, reply = self._plan, self._reply
        assert plan is not None, "receipts are only received for what was submitted"
        self._plan = None
        try:
            self._finish(plan, reply, 0.0 if time.monotonic() >= self._due else None)
        except Conflict:
            self._reread(plan)
            return self.append(plan.batch)
        return plan.receipts

    @override
    def _awaited(self) -> Collection[Digest]:
        return () if self._plan is None else {new.hash for new in self._plan.batch}

    def _begin(self, plan: Plan) -> str:
        """Send the commits of a plan; return the name of the reply.

        Raises:
            StoreUnavailable: No server can be reached; nothing was done.
            OutcomeUnknown: The connection was lost while they were sent.
        """
        messages = [self._message(plan, new) for new in plan.new()]
        if len(messages) > BATCH_MAX:
            raise LogMisuse(f"{len(messages)} commits cannot be appended in one step, {BATCH_MAX} at most")
        if max([len(data) for _, data, _ in messages]) + HEADERS_BYTES > self._link.message_max:
            raise StoreUnavailable("a commit is larger than a message of the cluster may be (max_payload)")
        try:
            return self._log.begin(messages)
        except Lost as error:
            raise _unknown(error) from None

    def _message(self, plan: Plan, new: NewCommit) -> tuple[str, bytes, dict[str, str]]:
        draft, headers = plan.drafts[new.match], {META: meta(new)}
        is_first = new is draft.new[0]
        if is_first:
            headers[EXPECTED] = str(0 if draft.known is None else draft.known.number)
            headers[EXPECTED_OF] = self._subject("*", new.match)
        return self._subject("o" if is_first and draft.known is None else "c", new.match), new.body, headers

    def _finish(self, plan: Plan, reply: str, due: float | None = None) -> None:
        """Wait until the commits of a plan are stored, and remember them; see `Link.finish`.

        Raises:
            Conflict: Others have appended to one of the matches; nothing was stored.
            StoreUnavailable: The cluster refused them; nothing was stored.
            OutcomeUnknown: No reply came.
        """
        try:
            last = self._log.acknowledged(self._link.finish(reply, due))
        except Lost as error:
            raise _unknown(error) from None
        new = plan.new()
        for number, one in enumerate(new, start=last - len(new) + 1):
            draft = plan.drafts[one.match]
            known = self._known.get(one.match) or self._keep(draft.known or Known(one.match, draft.origin))
            # Meanwhile it may have been read from the stream.
            if known.number < number:
                known.add(Row(number, one.first, one.last, one.key, one.hash), one.seed)
        self._wake_ups.own(range(last - len(new) + 1, last + 1))

    def _reread(self, plan: Plan) -> None:
        for match in plan.drafts:
            self._find(match)

    def _planned(self, batch: Sequence[NewCommit]) -> Plan:
        """Plan a batch on the heads as they are known; what would be lost is first compared with the leader."""
        plan = Plan(batch, [], {})
        lost: set[MatchId] = set()
        for new in batch:
            plan.receipts.append(self._decided(plan, new, lost))
            if is_lost(new, plan.receipts[-1]):
                lost.add(new.match)
        return plan

    def _decided(self, plan: Plan, new: NewCommit, lost: set[MatchId]) -> Receipt:
        check_new(new)
        draft = plan.drafts.get(new.match)
        if draft is None:
            known = self._known.get(new.match)
            if known is None or (new.key not in known.keys and known.head.seq != new.first - 1):
                known = self._find(new.match)
            draft = plan.drafts[new.match] = Draft(known, new.origin)
        if draft.known is None and not draft.new and new.origin is not None:
            self._check_origin(plan, new, new.origin)
        if (there := self._there(draft, new.key)) is not None:
            return AlreadyThere(there)
        if draft.seq != new.first - 1 or new.match in lost:
            return LostRace(new.match, new.first - 1, draft.seq)
        if new.origin is not None and draft.origin != new.origin:
            raise too_late(new)
        if new.seed and draft.seed not in ("", new.seed):
            raise other_seed(new)
        draft.seed = draft.seed or new.seed
        draft.new.append(new)
        return appended(new)

    def _there(self, draft: Draft, key: str) -> Stored | None:
        for new in draft.new:
            if new.key == key:
                return appended(new).stored
        row = None if draft.known is None else draft.known.keys.get(key)
        return None if row is None or draft.known is None else next(self._commits(draft.known, [row]))

    def _check_origin(self, plan: Plan, new: NewCommit, origin: Origin) -> None:
        parent = plan.drafts.get(origin.parent) or Draft(self._find(origin.parent), None)
        if parent.known is None and not parent.new:
            raise UnknownMatch(origin.parent)
        if not parent.ends_at(origin):
            raise no_origin(new, origin)

    # Everything else

    def attach(self, digest: Digest, content: bytes) -> None:
        """Store a file; see `Log.attach`."""
        check_attachment(digest, content)
        subject, size = f"{self._name}.f.{token(digest)}", self._link.message_max - HEADERS_BYTES
        if self._side.last(subject) is None:
            parts = [content[start : start + size] for start in range(0, max(1, len(content)), size)]
            with suppress(Conflict):
                self._side.publish([(subject, part, {"Wardiary-Parts": str(len(parts))}) for part in parts])

    def appoint(self, name: str, credential: str) -> None:
        """Give or end a capability for all matches; see `Log.appoint`."""
        self._side.publish([(f"{self._name}.a", json.dumps([name, credential]).encode(), {})])
        self._offices_at = 0.0

    def study(self, match: MatchId, study: StudyId) -> Sequence[bytes]:
        """Return the entries of a study; see `StudyStore.study`."""
        return [kept.data for kept in self._said(match, self._subject("n", match, token(study)))]

    def studies(self, match: MatchId) -> Sequence[StudyId]:
        """Return the studies of a match; see `StudyStore.studies`."""
        said = self._said(match, self._subject("n", match, "*"))
        return [StudyId(one) for one in dict.fromkeys([kept.subject.rpartition(".")[2] for kept in said])]

    def _said(self, match: MatchId, subject: str) -> list[Kept]:
        """Return the entries of the studies of a match."""
        self._match(match)
        last = self._side.last(subject)
        return [] if last is None else list(self._side.between(1, last.number, subject))

    def append_study(self, match: MatchId, study: StudyId, number: int, body: bytes) -> bool:
        """Append an entry of a study; see `StudyStore.append_study`."""
        subject = self._subject("n", match, token(study))
        said = self._said(match, subject)
        if number != len(said) + 1:
            return False
        last = str(said[-1].number if said else 0)
        try:
            self._side.publish([(subject, body, {EXPECTED: last})])
        except Conflict:
            return False
        except Lost as error:
            raise OutcomeUnknown(f"{error}: it is not known whether it was stored") from None
        return True

    def save_snapshot(self, match: MatchId, seq: int, content: bytes, seat: Seat = ARBITER) -> None:
        """Store a snapshot if possible; see `Log.save_snapshot`."""
        with suppress(LogError, Conflict):
            if self._may_cache() and seq <= (self._known.get(match) or self._match(match)).head.seq:
                self._cache.publish_soon(
                    [(self._subject("s", match, token(seat)), content, {"Wardiary-Seq": str(seq)})]
                )
            self._cache_at = 0.0

    def _may_cache(self) -> bool:
        """Return whether the last cache was stored, or that is some time ago; until then none is tried again."""
        now = time.monotonic()
        if now < self._cache_at:
            return False
        # Put back by success.
        self._cache_at = now + CACHE_AGAIN_S
        return True

    def save_summaries(self, batch: Sequence[NewSummary]) -> None:
        """Store summaries if possible; see `Log.save_summaries`."""
        with suppress(StoreUnavailable, Conflict):
            for new in batch if self._may_cache() else ():
                known = self._known.get(new.match) or self._find(new.match)
                if known is not None and new.head.seq <= known.head.seq:
                    headers = {"Wardiary-Head": json.dumps([new.head.seq, new.head.hash])}
                    self._cache.publish_soon([(self._subject("y", new.match), new.content, headers)])
            self._cache_at = 0.0

    def append_entries(self, after: int, entries: Sequence[NewEntry]) -> None:
        """Append entries; see `EntryStore.append_entries`."""
        count = self._entries.last_number()
        last = max([one.commit for one in self.entries(max(0, count - 1), 1)], default=0)
        check_entries(after, count, entries, last)
        messages: list[tuple[str, bytes, dict[str, str]]] = []
        for new in entries:
            of = next(iter(self.written(new.commit - 1, 1))) if new.commit else None
            fields = [new.commit, new.key.hex(), *(("", "") if of is None else (of.match, of.hash))]
            messages.append((f"{self._name}.e", json.dumps(fields).encode(), {}))
        if messages:
            messages[0][2]["Nats-Expected-Last-Sequence"] = str(after)
            try:
                self._entries.publish(messages)
            except Conflict:
                raise LogMisuse(f"the log of the server has other entries than {after}: these do not follow") from None

    def save_checkpoint(self, size: int, note: str) -> None:
        """Store a checkpoint; see `EntryStore.save_checkpoint`."""
        self._side.publish([(f"{self._name}.k", note.encode(), {})])

    def begin_log(self, origin: str, secret: bytes) -> None:
        """Keep the name of a log; see `EntryStore.begin_log`."""
        if origin in self.logs():
            raise name_used(origin)
        self._side.publish([(f"{self._name}.l", json.dumps([origin, secret.hex()]).encode(), {})])


def _unknown(error: Exception) -> OutcomeUnknown:
    return OutcomeUnknown(f"{error}: it is not known whether it was stored")
