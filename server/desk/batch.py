"""A batch of requests: decided in order, appended in one step, then answered.

Requests that are handled one at a time get the same replies, but take one durable step each.
"""

from collections.abc import Iterable, Sequence

from events.codec import Struct
from events.errors import LogError, OutcomeUnknown, StoreUnavailable
from events.ids import MatchId
from events.log import Appended
from server.desk.context import DeskContext
from server.desk.handlers import Command, Handler, HandlerTable, KeyLookup, Query, Reads
from server.desk.match_cache import CommittedCommand, Decided
from server.desk.standing_answers import is_follow_up_key
from server.protocol.errors import EXPECTED, denied, failure, unknown_without_key
from server.protocol.identity import KEY_CHARACTERS_MAX
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import MatchRequest, Request

INTERNAL = "the server failed to answer; it has logged why"
"""The message to a client about an internal fault."""

ATTEMPTS = 3
"""How often a request is decided if another process writes to its match meanwhile."""


class Batch(Struct, frozen=True):
    """The outcome of a batch: a reply to each request, and the commits that are now in the log, both in order."""

    replies: tuple[Reply, ...]
    committed: tuple[CommittedCommand, ...]


class PendingCommand(Struct, kw_only=True):
    """A command whose reply depends on commits that wait to be appended.

    `index` is its place in the batch, `target` the match it appends to, `has_own_key` whether the client chose the key.
    Without `decided` it was refused; the refusal is valid only if the commits decided before it are stored.
    """

    index: int
    request: Request
    handler: Command[Request]
    key: str
    target: MatchId
    has_own_key: bool
    attempt: int = 0
    decided: Decided | None = None


class BatchRunner:
    """Processes one batch.

    Args:
        context: The desk's dependencies.
        handlers: The desk's handlers.
        requests: The requests, in order.
    """

    def __init__(self, context: DeskContext, handlers: HandlerTable, requests: Iterable[Request]) -> None:
        self._context = context
        self._handlers = handlers
        self._requests = requests
        self._replies: dict[int, Reply] = {}
        self._committed: list[CommittedCommand] = []
        self._pending: list[PendingCommand] = []
        self._keys: dict[MatchId, set[str]] = {}

    def run(self) -> Batch:
        """Answer every request."""
        try:
            for index, request in enumerate(self._requests):
                self._take(index, request)
            while self._pending:
                self._flush()
        finally:
            # After an interruption these matches may be ahead of the log in memory.
            for match in self._keys:
                self._context.matches.drop(match)
        self._context.matches.shrink()
        return Batch(tuple([self._replies[index] for index in range(len(self._replies))]), tuple(self._committed))

    def _take(self, index: int, request: Request, again: PendingCommand | None = None) -> None:
        """Reply to a request, or queue its command for the log; `again` is a command that is decided again."""
        try:
            reply = self._answer(index, request) if again is None else self._submit(again)
        except EXPECTED as error:
            reply = failure(error, request.id)
        except Exception:
            self._context.logger.exception("request failed", ask=type(request).__name__, id=request.id)
            reply = FailedReply(id=request.id, code="internal", message=INTERNAL)
        if reply is not None:
            self._replies[index] = reply

    def _answer(self, index: int, request: Request) -> Reply | None:
        handler = self._handlers.of(request)
        if isinstance(handler, Query):
            self._flush_what_is_read(handler, request)
            return handler.answer(self._context, request)
        own_key = _checked_key(handler.key(request))
        key = own_key or self._context.identity.key()
        command = PendingCommand(
            index=index,
            request=request,
            handler=handler,
            key=key,
            target=handler.target(request, key),
            has_own_key=bool(own_key),
        )
        return self._submit(command)

    def _submit(self, command: PendingCommand) -> Reply | None:
        if command.handler.reads is not Reads.NOTHING:
            self._flush_what_is_read(command.handler, command.request)
        return self._decide(command)

    def _flush_what_is_read(self, handler: Handler, request: Request) -> None:
        if handler.reads is Reads.NOTHING:
            return
        if handler.reads is Reads.MATCH:
            assert isinstance(request, MatchRequest), "only requests about a match are answered from it"
            self._flush_if_ahead(request.match)
        else:
            self._flush()

    def _decide(self, command: PendingCommand) -> Reply | None:
        """Decide a command; return its reply, or None if the reply has to wait for the log."""
        while command.key in self._keys.get(command.target, ()):
            self._flush()
        lookup = KeyLookup.FIRST
        if command.attempt == 0:
            lookup = KeyLookup.LAST if command.has_own_key else KeyLookup.NEVER
        answer: Decided | Reply
        try:
            answer = command.handler.decide(self._context, command.request, command.key, lookup)
        except EXPECTED as error:
            answer = failure(error, command.request.id)
        if isinstance(answer, Decided):
            self._context.matches.put(answer.match)
            self._keys.setdefault(command.target, set()).add(command.key)
            command.decided = answer
            self._pending.append(command)
            return None
        if command.target not in self._keys:
            return answer
        if isinstance(answer, FailedReply):
            self._pending.append(command)
            return answer
        # The first outcome of a key is read from the stored match, not from one that is ahead of the log.
        self._flush_if_ahead(command.target)
        return self._decide(command)

    def _flush_if_ahead(self, match: MatchId) -> None:
        while match in self._keys:
            self._flush()

    def _flush(self) -> None:
        """Append the waiting commits and reply; commands that lost a race are decided again and may have to wait again."""
        pending, self._pending = self._pending, []
        waiting = [(command, command.decided) for command in pending if command.decided is not None]
        try:
            for _, decided in waiting:
                for digest, content in decided.attachments.items():
                    self._context.log.attach(digest, content)
            receipts = self._context.log.append([done.new for _, decided in waiting for done in decided.commits])
        except LogError as error:
            self._forget(set(self._keys))
            self._take_back(pending, error)
            return
        self._keys.clear()
        lost: set[MatchId] = set()
        answered: set[int] = set()
        start = 0
        for command, decided in waiting:
            end = start + len(decided.commits)
            stored = sum(isinstance(receipt, Appended) for receipt in receipts[start:end])
            if stored:
                self._reply(command, decided, stored)
                answered.add(command.index)
            if stored < end - start:
                lost.add(command.target)
            start = end
        self._forget(lost)
        for command in pending:
            if command.target in lost and command.index not in answered:
                self._retry(command)

    def _reply(self, command: PendingCommand, decided: Decided, stored: int) -> None:
        """Reply to a command whose first `stored` commits are durable, and make them visible to the seats of the match."""
        committed = [
            CommittedCommand(command.target, done.commit, done.table, command.index)
            for done in decided.commits[:stored]
        ]
        for one in committed:
            decided.match.stored(one)
        self._committed += committed
        self._context.matches.note_snapshot(decided.match)
        self._replies[command.index] = command.handler.reply(command.request, decided, committed)

    def _retry(self, command: PendingCommand) -> None:
        """Decide a command again after another process has written to its match."""
        if command.attempt + 1 < ATTEMPTS:
            command.attempt += 1
            command.decided = None
            self._take(command.index, command.request, command)
            return
        error = denied(
            "lost_race", "another process writes to this match at the same time; nothing was done", retry=True
        )
        self._replies[command.index] = failure(error, command.request.id)

    def _take_back(self, pending: Sequence[PendingCommand], error: LogError) -> None:
        """Fail the commands that could not be appended; if a single commit caused the failure, retry the others one by one."""
        is_one_to_blame = not isinstance(error, StoreUnavailable)
        is_retried = is_one_to_blame and sum(command.decided is not None for command in pending) > 1
        for command in pending:
            if is_retried:
                self._retry(command)
                self._flush()
            else:
                self._replies[command.index] = self._undone(command, error)

    def _undone(self, command: PendingCommand, error: LogError) -> FailedReply:
        """Return the failure of a command: nothing was done, or the outcome is unknown."""
        id_ = command.request.id
        if not isinstance(error, OutcomeUnknown):
            return failure(error, id_)
        if command.decided is None:
            # It was refused on the basis of commits whose outcome is unknown; it had nothing to store itself.
            message = "the store failed before this could be answered; nothing was done"
            return failure(StoreUnavailable(message), id_)
        return failure(error, id_) if command.has_own_key else unknown_without_key(error, id_)

    def _forget(self, matches: set[MatchId]) -> None:
        """Drop matches from memory that differ from the log."""
        for match in matches:
            self._context.matches.drop(match)
            self._keys.pop(match, None)


def _checked_key(key: str) -> str:
    """Return the key if a client may use it.

    Raises:
        RequestFailed: It is too long, or has the form of a standing answer's key.
    """
    if len(key) > KEY_CHARACTERS_MAX:
        raise denied("malformed", f"a key has at most {KEY_CHARACTERS_MAX} characters")
    if is_follow_up_key(key):
        raise denied("malformed", "a key must not end with a slash and a number; only keys of the server's own do")
    return key
