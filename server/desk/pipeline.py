"""The pipeline: requests are decided in order, their commits appended in groups, and each is answered when its group is durable.

While the log appends one group in a process of its own, the next requests are decided on top of it. Requests that are handled one
at a time get the same replies, but take one durable step each.
"""

from collections import deque
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from functools import partial
from typing import Generic, TypeVar

from core.registry.game_fault import game_fault
from core.registry.games import packages
from events.errors import LogError, OutcomeUnknown, StoreUnavailable
from events.ids import MatchId
from events.log import Appended, Receipt
from server.desk.automatic_answers import checked_key
from server.desk.desk_context import DeskContext
from server.desk.handlers import Handler, HandlerTable, KeyLookup, Query, Reads
from server.desk.match_cache import CommittedCommand
from server.desk.match_creator import Decided
from server.desk.pipeline_parts import (
    Answers,
    ConcurrentLog,
    Group,
    PendingCommand,
    Slot,
    internal,
    stalled,
    take_independent,
    undone,
)
from server.protocol.errors import EXPECTED, denied, failure
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import MatchRequest, Request

T = TypeVar("T")
"""What the caller recognises a request by."""

WAITING_MAX = 64
"""How many commands wait at most to be appended."""

ATTEMPTS = 3
"""How often a request is decided if another process writes to its match meanwhile."""


class Pipeline(Generic[T]):
    """Decides requests, appends their commits and answers them.

    Args:
        context: The desk's dependencies.
        handlers: The desk's handlers.
    """

    def __init__(self, context: DeskContext, handlers: HandlerTable) -> None:
        self._context = context
        self._handlers = handlers
        self._log = context.log
        self._concurrent = self._log if isinstance(self._log, ConcurrentLog) else None
        self._is_distant = self._concurrent is not None and self._concurrent.is_distant
        self._slots: deque[Slot[T]] = deque()
        self._committed: list[CommittedCommand] = []
        self._next: Group[T] = Group()
        self._appending: Group[T] | None = None
        self._is_failing = False

    @property
    def waiting(self) -> int:
        """How many commands are decided that nothing has begun to append."""
        return len(self._next.commands)

    @property
    def is_appending(self) -> bool:
        """Whether a group is being appended."""
        return self._appending is not None

    @property
    def is_impeded(self) -> bool:
        """Return whether it is better to submit the next write than to wait for it: the last one failed, or the log lies on other machines."""
        return self._is_distant or (self._concurrent is not None and self._concurrent.is_impeded)

    @property
    def has_stalled(self) -> bool:
        """Return whether a group is being appended for longer than that may take."""
        return self._appending is not None and self._concurrent is not None and self._concurrent.has_stalled()

    def is_ahead(self, match: MatchId) -> bool:
        """Return whether commits of a match are not yet known to be in the log."""
        return match in self._next.keys or (self._appending is not None and match in self._appending.keys)

    def take(self, ticket: T, request: Request) -> None:
        """Decide a request on top of those before it; an expected error is its reply.

        Args:
            ticket: Names the request among the answers.
            request: The request.
        """
        slot = Slot(ticket)
        self._slots.append(slot)
        self._guarded(slot, request, lambda: self._answer(slot, request))

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when a group can be completed, or -1; it may change."""
        return -1 if self._concurrent is None else self._concurrent.fileno()

    def submit(self) -> None:
        """Begin to append the commands that wait, unless a group is being appended; if the log cannot do that, append them now."""
        if self._appending is None and not self._submitted():
            self._append_next()

    def _submitted(self) -> bool:
        """Begin to append the commands that wait; return False, having done nothing, if the log cannot do that now."""
        if self._concurrent is None or self._next.has_attachments():
            return False
        commits = self._next.commits()
        # What it refuses at once it refuses again when it is to append, which is told to each client.
        with suppress(LogError):
            if commits and self._concurrent.submit(commits):
                self._appending, self._next = self._next, Group()
                return True
        return False

    def complete(self, *, wait: bool = False) -> bool:
        """Answer the group that was being appended, if its outcome is known; return whether no group is being appended.

        Args:
            wait: Wait for it as long as a durable step may take.
        """
        log = self._concurrent
        if self._appending is None or log is None:
            return True
        if not (log.has_receipts() or (wait and log.await_receipts())):
            return False
        self._receive()
        return True

    def _receive(self) -> None:
        """Answer the group that is being appended when its outcome is known; the log says within a bound that it is not."""
        group, log = self._appending, self._concurrent
        if group is not None and log is not None:
            self._appending = None
            self._settle(group, log.receive)

    def finish(self, *, patient: bool = True) -> bool:
        """Append everything that waits, and answer it; return whether that is done.

        Args:
            patient: Wait for a log that has stalled, which it does within a bound; otherwise return False.
        """
        while self._appending is not None or self._next.commands:
            if patient:
                self._receive()
            elif not self.complete(wait=True):
                return False
            self._go_on()
        return True

    def answers(self) -> Answers[T]:
        """Return the answers since the last call: each reply behind those to the requests before it, and commits as soon as they are stored.

        While the log stalls, only the replies that are based on commits that are not stored have to wait.
        """
        replies: list[tuple[T, Reply]] = []
        while self._slots and (reply := self._slots[0].reply) is not None:
            replies.append((self._slots.popleft().ticket, reply))
        if self._slots and (self.has_stalled or (self.is_appending and self._is_distant)):
            replies += take_independent(self._slots, (self._next, self._appending))
        committed, self._committed = self._committed, []
        self._context.matches.shrink()
        return Answers(replies, committed)

    def abandon(self) -> list[T]:
        """Drop what waits after an interruption or a fault, and the matches in memory that may be ahead of the log.

        Returns:
            The tickets of the requests that have no answer.
        """
        with suppress(Exception):
            self._receive()
        for command in self._next.commands:
            command.slot.reply = None
        self._forget(set(self._next.keys), self._context.matches.drop)
        self._next = Group()
        left = [slot.ticket for slot in self._slots if slot.reply is None]
        self._slots = deque([slot for slot in self._slots if slot.reply is not None])
        return left

    def _guarded(self, slot: Slot[T], request: Request, answer: Callable[[], Reply | None]) -> None:
        """Fill the slot of a request with its reply, if there is one already, or with that of the error raised."""
        try:
            slot.reply = answer()
        except EXPECTED as error:
            slot.reply = self._context.failure(error, request)
        except Exception as error:
            fault = game_fault(error, packages())
            if self._context.raises_faults:
                if fault is None or fault is error:
                    raise
                raise fault from error
            where = {} if fault is None else {"fault": str(fault)}
            self._context.logger.exception("request failed", ask=type(request).__name__, id=request.id, **where)
            slot.reply = internal(request.id)

    def _answer(self, slot: Slot[T], request: Request) -> Reply | None:
        handler = self._handlers.of(request)
        if isinstance(handler, Query):
            self._flush_what_is_read(handler, request)
            try:
                return handler.answer(self._context, request)
            except EXPECTED:
                if not self._renewed(request):
                    raise
                return handler.answer(self._context, request)
        if self._appending is not None and self.waiting >= WAITING_MAX:
            self._flush()
        key = (own_key := checked_key(handler.key(request))) or self._context.identity.key()
        command = PendingCommand(
            slot=slot,
            request=request,
            handler=handler,
            key=key,
            target=handler.target(request, key),
            has_own_key=bool(own_key),
        )
        return self._prepare(command)

    def _prepare(self, command: PendingCommand[T]) -> Reply | None:
        self._flush_what_is_read(command.handler, command.request)
        return self._decide(command)

    def _renewed(self, request: Request) -> bool:
        """Return whether a request that was refused is to be answered again, since news of its match have not come yet."""
        return isinstance(request, MatchRequest) and self._context.news.renew(request.match)

    def _flush_what_is_read(self, handler: Handler, request: Request) -> None:
        if handler.reads is Reads.NOTHING:
            return
        if handler.reads is Reads.MATCH:
            assert isinstance(request, MatchRequest), "only requests about a match are answered from it"
            self._flush_if_ahead(request.match)
        else:
            while self._appending is not None or self._next.commands:
                self._flush()

    def _decide(self, command: PendingCommand[T]) -> Reply | None:
        """Decide a command; return its reply, or None if the reply has to wait for the log."""
        while self._uses_key(command.target, command.key):
            self._flush()
        lookup = KeyLookup.FIRST
        if command.attempt == 0:
            lookup = KeyLookup.LAST if command.has_own_key else KeyLookup.NEVER
        answer: Decided | Reply
        try:
            answer = command.handler.decide(self._context, command.request, command.key, lookup)
        except EXPECTED as error:
            answer = self._context.failure(error, command.request)
        if isinstance(answer, Decided):
            self._context.matches.put(answer.match)
            answer.match.wait()
            command.decided = answer
            self._next.add(command)
            return None
        if not self.is_ahead(command.target):
            return self._decide(command) if self._renewed(command.request) else answer
        if isinstance(answer, FailedReply):
            # The replies keep their order, so it is not sent before what it is based on is stored.
            self._last_group(command.target).add(command)
            return answer
        # The first outcome of a key is read from the stored match, not from one that is ahead of the log.
        self._flush_if_ahead(command.target)
        return self._decide(command)

    def _last_group(self, match: MatchId) -> Group[T]:
        """Return the group with the last commits of a match."""
        if match in self._next.keys or self._appending is None:
            return self._next
        return self._appending

    def _uses_key(self, match: MatchId, key: str) -> bool:
        """Return whether such a commit has this key."""
        return self._next.has_key(match, key) or (self._appending is not None and self._appending.has_key(match, key))

    def _flush_if_ahead(self, match: MatchId) -> None:
        while self.is_ahead(match):
            self._flush()

    def _flush(self) -> None:
        """Append what waits and answer it; commands that lost a race are decided again and may have to wait again.

        Raises:
            StoreUnavailable: The log has stalled; nothing was done.
        """
        if self.complete(wait=True):
            self._go_on()
        if not self.complete(wait=True):
            raise stalled()

    def _go_on(self) -> None:
        """Append what waits, or only begin to where the log lies on other machines; nothing is being appended."""
        if not (self._is_distant and self._submitted()):
            self._append_next()

    def _append_next(self) -> None:
        """Append what waits, and answer it."""
        group, self._next = self._next, Group()
        self._settle(group, lambda: group.append_to(self._log))

    def _settle(self, group: Group[T], receive: Callable[[], list[Receipt]]) -> None:
        """Answer a group by its receipts, or by the error of receiving them."""
        try:
            try:
                receipts = receive()
            except LogError as error:
                self._withdraw(group, error)
            else:
                self._confirm(group, receipts)
        except BaseException as error:
            again = self._forget(set(group.keys), self._context.matches.drop)
            if self._context.raises_faults or not isinstance(error, Exception):
                raise
            self._context.logger.exception("group failed", commands=len(group.commands))
            for command in group.commands:
                if command.slot.reply is None or command.decided is None:
                    command.slot.reply = internal(command.request.id)
            self._retry(again)

    def _confirm(self, group: Group[T], receipts: Sequence[Receipt]) -> None:
        """Reply to the commands that were stored; decide those again that lost a race, and those that were decided on top of them."""
        if self._is_failing and receipts:
            self._is_failing = False
            self._context.logger.warning("store written again")
        lost: set[MatchId] = set()
        start = 0
        for command in group.commands:
            if (decided := command.decided) is None:
                continue
            end = start + len(decided.commits)
            stored = sum([isinstance(receipt, Appended) for receipt in receipts[start:end]])
            if stored:
                is_next = stored == end - start and command.target not in lost
                decided.match.ahead.popleft() if is_next else decided.match.ahead.appendleft(None)
                self._reply(command, decided, stored)
            if stored < end - start:
                lost.add(command.target)
            start = end
        if lost:
            again = self._forget(lost, self._context.news.catch_up)
            self._retry([one for one in group.without(lost) if one.decided is None or one.slot.reply is None])
            self._retry(again)

    def _reply(self, command: PendingCommand[T], decided: Decided, stored: int) -> None:
        """Reply to a command whose first `stored` commits are durable, and make them visible to the seats of the match."""
        id_ = command.request.id
        committed = [
            CommittedCommand(command.target, done.commit, done.table, id_) for done in decided.commits[:stored]
        ]
        for one in committed:
            decided.match.stored(one)
        self._committed += committed
        if self._context.server_log is not None:
            self._context.server_log.heed([one.commit for one in committed])
        self._context.matches.note_snapshot(decided.match)
        command.slot.reply = command.handler.reply(command.request, decided, committed)

    def _retry(self, commands: Sequence[PendingCommand[T]]) -> None:
        """Decide commands again, because the match that they were decided on is not the stored one."""
        for command in commands:
            command.slot.reply = None
            if command.attempt + 1 < ATTEMPTS:
                command.attempt += 1
                command.decided = None
                self._guarded(command.slot, command.request, partial(self._prepare, command))
                continue
            error = denied(
                "lost_race", "another process writes to this match at the same time; nothing was done", retry=True
            )
            command.slot.reply = failure(error, command.request.id)

    def _withdraw(self, group: Group[T], error: LogError) -> None:
        """Fail the commands that could not be appended; if a single commit caused the failure, retry the others one by one."""
        if isinstance(error, StoreUnavailable) and not self._is_failing:
            self._is_failing = True
            self._context.logger.warning("store not written", problem=str(error))
        is_unknown = isinstance(error, OutcomeUnknown)
        again = self._forget(
            set(group.keys), self._context.news.catch_up if is_unknown else self._context.matches.withdraw
        )
        is_retried = not isinstance(error, StoreUnavailable) and len(group.commands) > 1
        for command in group.commands:
            if is_retried:
                self._retry([command])
                # Where the log stalls, its outcome comes later.
                with suppress(StoreUnavailable):
                    self._flush()
            else:
                command.slot.reply = undone(self._context, command, error)
        self._retry(again)

    def _forget(self, matches: AbstractSet[MatchId], forget: Callable[[MatchId], None]) -> list[PendingCommand[T]]:
        """Let matches that differ from the log do so no more; return the waiting commands that were decided on them."""
        for match in matches:
            forget(match)
        return self._next.without(matches)
