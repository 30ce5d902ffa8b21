"""A batch of requests at work: decided in order, appended in one step, then told.

Whoever has the requests of a batch answered one at a time gets the same answers, but pays for as many durable steps.
"""

from collections.abc import Iterable, Sequence

from events.codec import Struct, replace
from events.errors import LogError, OutcomeUnknown, StoreUnavailable
from events.ids import MatchId
from events.log import Appended, Log
from server.desk.answers import Reader
from server.desk.decide import Decided
from server.desk.logger import Logger
from server.desk.match_cache import CommittedCommand, MatchCache, is_follow_up_key
from server.desk.writes import Writer, WriteRequest, outcome, target
from server.protocol.errors import EXPECTED, denied, failure, unknown_without_key
from server.protocol.identity import KEY_CHARACTERS_MAX, Identity
from server.protocol.wire import (
    AnyReply,
    AnyRequest,
    BeginRequest,
    BoardRequest,
    FailedReply,
    ForkRequest,
    HelloRequest,
    LeaveRequest,
    LegalRequest,
    LogRequest,
    MatchesRequest,
    OpenRequest,
    PlayRequest,
    StateRequest,
    TakeRequest,
)

INTERNAL = "the server failed to answer; it has noted why"
"""What the asker is told of a fault of the server's own."""

ATTEMPTS = 3
"""How often a request is decided when somebody else writes to its match meanwhile."""


class Office(Struct, frozen=True):
    """What a desk works with."""

    log: Log
    matches: MatchCache
    identity: Identity
    logger: Logger
    reader: Reader
    writer: Writer


class Batch(Struct, frozen=True):
    """What became of a batch: a reply to each request in order, and what lies in the log now, in order."""

    replies: tuple[AnyReply, ...]
    committed: tuple[CommittedCommand, ...]


class Entry(Struct, frozen=True):
    """A request whose answer stands or falls with what waits to be appended.

    `number` is its place in the batch, `match` what it appends to. Without `decided` it was refused, which holds only if
    what was decided before it comes to be.
    """

    number: int
    request: WriteRequest
    match: MatchId
    attempt: int
    decided: Decided | None


class Work:
    """One batch.

    Args:
        office: What the desk works with.
        requests: What is asked, in order.
    """

    def __init__(self, office: Office, requests: Iterable[AnyRequest]) -> None:
        """Start with nothing done."""
        self._office = office
        self._requests = requests
        self._replies: dict[int, AnyReply] = {}
        self._happened: list[CommittedCommand] = []
        self._entries: list[Entry] = []
        self._keys: dict[MatchId, set[str]] = {}
        self._without_key: set[int] = set()

    def run(self) -> Batch:
        """Answer every request."""
        try:
            for number, request in enumerate(self._requests):
                self._take(number, request, 0)
            while self._entries:
                self._flush()
        finally:
            # After an interruption, what is in memory of these matches may be ahead of the log.
            for match in self._keys:
                self._office.matches.drop(match)
        self._office.matches.shrink()
        return Batch(tuple([self._replies[number] for number in range(len(self._replies))]), tuple(self._happened))

    def _take(self, number: int, request: AnyRequest, attempt: int) -> None:
        """Answer a request, or let its answer wait for the log."""
        try:
            reply = self._answer(number, request, attempt)
        except EXPECTED as error:
            reply = failure(error, request.id)
        except Exception:
            self._office.logger.exception("request failed", ask=type(request).__name__, id=request.id)
            reply = FailedReply(id=request.id, code="internal", message=INTERNAL)
        if reply is not None:
            self._replies[number] = reply

    def _answer(self, number: int, request: AnyRequest, attempt: int) -> AnyReply | None:
        match request:
            case PlayRequest() | LeaveRequest() | BeginRequest() | TakeRequest() | OpenRequest():
                return self._write(number, request, attempt)
            case ForkRequest():
                self._flush_if_ahead(request.match)
                return self._write(number, request, attempt)
            case LegalRequest() | StateRequest() | LogRequest() | BoardRequest():
                self._flush_if_ahead(request.match)
            case MatchesRequest():
                self._flush()
            case HelloRequest():
                pass
        return self._office.reader.answer(request)

    def _write(self, number: int, request: WriteRequest, attempt: int) -> AnyReply | None:
        """Decide a request; nothing is returned if its answer has to wait."""
        if len(request.key) > KEY_CHARACTERS_MAX:
            raise denied("malformed", f"a key has at most {KEY_CHARACTERS_MAX} characters")
        if is_follow_up_key(request.key):
            raise denied(
                "malformed", "a key does not end with a slash and a number: such are those of standing answers"
            )
        unseen = not request.key
        if unseen:
            self._without_key.add(number)
            request = replace(request, key=self._office.identity.key())
        match = target(request)
        while request.key in self._keys.get(match, ()):
            self._flush()
        answer = self._decide(request, first_try=attempt == 0, unseen=unseen)
        if isinstance(answer, Decided):
            self._office.matches.put(answer.live)
            self._keys.setdefault(match, set()).add(request.key)
            self._entries.append(Entry(number, request, match, attempt, answer))
            return None
        if match not in self._keys:
            return answer
        if isinstance(answer, FailedReply):
            self._entries.append(Entry(number, request, match, attempt, None))
            return answer
        # A first outcome is told from the match as the log has it, not as it will be.
        self._flush_if_ahead(match)
        return self._write(number, request, attempt)

    def _decide(self, request: WriteRequest, *, first_try: bool, unseen: bool) -> Decided | AnyReply:
        try:
            return self._office.writer.decide(request, first_try=first_try, unseen=unseen)
        except EXPECTED as error:
            return failure(error, request.id)

    def _flush_if_ahead(self, match: MatchId) -> None:
        while match in self._keys:
            self._flush()

    def _flush(self) -> None:
        """Append what waits and tell what came of it; what lost a race is decided again and may wait then."""
        entries, self._entries = self._entries, []
        waiting = [(entry, entry.decided) for entry in entries if entry.decided is not None]
        try:
            for _, decided in waiting:
                for digest, content in decided.attachments.items():
                    self._office.log.attach(digest, content)
            receipts = self._office.log.append([done.new for _, decided in waiting for done in decided.commits])
        except LogError as error:
            self._forget(set(self._keys))
            self._take_back(entries, error)
            return
        self._keys.clear()
        lost: set[MatchId] = set()
        told: set[int] = set()
        start = 0
        for entry, decided in waiting:
            end = start + len(decided.commits)
            stored = sum(isinstance(receipt, Appended) for receipt in receipts[start:end])
            if stored:
                self._tell(entry, decided, stored)
                told.add(entry.number)
            if stored < end - start:
                lost.add(entry.match)
            start = end
        self._forget(lost)
        for entry in entries:
            if entry.match in lost and entry.number not in told:
                self._again(entry)

    def _tell(self, entry: Entry, decided: Decided, stored: int) -> None:
        """Let the asker and the match's seats know of the commits that lie in the log now: the first so many."""
        happened = [
            CommittedCommand(entry.match, done.commit, done.table, entry.number) for done in decided.commits[:stored]
        ]
        for one in happened:
            decided.live.stored(one)
        self._happened += happened
        self._office.matches.note_snapshot(decided.live)
        self._replies[entry.number] = outcome(entry.request, decided, happened)

    def _again(self, entry: Entry) -> None:
        """Decide a request again on what others have written meanwhile."""
        if entry.attempt + 1 < ATTEMPTS:
            self._take(entry.number, entry.request, entry.attempt + 1)
            return
        error = denied("lost_race", "others write to this match at the same time; nothing was done", retry=True)
        self._replies[entry.number] = failure(error, entry.request.id)

    def _take_back(self, entries: Sequence[Entry], error: LogError) -> None:
        """Answer what could not be appended; where one commit is to blame, the others get another try, each alone."""
        blameless = sum(entry.decided is not None for entry in entries) > 1 and not isinstance(error, StoreUnavailable)
        for entry in entries:
            if blameless:
                self._again(entry)
                self._flush()
            else:
                self._replies[entry.number] = self._undone(entry, error)

    def _undone(self, entry: Entry, error: LogError) -> FailedReply:
        """Tell why there is no outcome: nothing was done, or that is not known."""
        if not isinstance(error, OutcomeUnknown):
            return failure(error, entry.request.id)
        if entry.decided is None:
            # It was refused on the strength of what may be stored or not; nothing of its own was to be stored.
            message = "the store failed before this could be answered; nothing was done"
            return failure(StoreUnavailable(message), entry.request.id)
        if entry.number in self._without_key:
            return unknown_without_key(error, entry.request.id)
        return failure(error, entry.request.id)

    def _forget(self, matches: set[MatchId]) -> None:
        """Drop matches from memory that are not as the log has them."""
        for match in matches:
            self._office.matches.drop(match)
            self._keys.pop(match, None)
