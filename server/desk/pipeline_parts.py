"""Parts of a pipeline: the requests in their order, the commands that wait, their groups, and a log that appends meanwhile."""

from collections import deque
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Generic, Protocol, TypeVar, runtime_checkable

from events.codec import Struct
from events.errors import LogError, OutcomeUnknown, StoreUnavailable
from events.ids import MatchId
from events.log import Log, NewCommit, Receipt
from server.desk.desk_context import DeskContext
from server.desk.handlers import Command
from server.desk.match_cache import CommittedCommand
from server.desk.match_creator import Decided
from server.protocol.errors import failure, unknown_without_key
from server.protocol.replies import FailedReply, Reply
from server.protocol.wire import Request

T = TypeVar("T")
"""What the caller recognises a request by."""


@runtime_checkable
class ConcurrentLog(Protocol):
    """A log that can append while its caller does something else; meanwhile nothing else may be written.

    Attributes:
        is_impeded: The last write failed, such as by a lock of another process; it is better to submit the next one than to wait for it.
        is_distant: It lies on other machines, which may be slow or away: everything is submitted.
    """

    is_impeded: bool
    is_distant: bool

    def submit(self, batch: Sequence[NewCommit]) -> bool:
        """Begin to append commits, as `Log.append` does; return False, having done nothing, if only `append` can do so now."""

    def has_receipts(self) -> bool:
        """Return whether `receive` can return without waiting."""

    def has_stalled(self) -> bool:
        """Return whether receipts have been due for longer than a durable step may take."""

    def await_receipts(self) -> bool:
        """Wait for receipts, but only as long as a durable step may take; return whether there are any."""

    def receive(self) -> list[Receipt]:
        """Return the receipts of the submitted commits, waiting for them within a bound; raise what `Log.append` raises."""

    def fileno(self) -> int:
        """Return a descriptor that becomes readable when receipts are there, or -1; it may change."""


class Slot(Struct, Generic[T]):
    """A request's place in the order of the replies."""

    ticket: T
    reply: Reply | None = None


class PendingCommand(Struct, Generic[T], kw_only=True):
    """A command whose reply depends on commits that wait to be appended.

    `target` is the match it appends to, `has_own_key` tells whether the client chose the key. Without `decided` it was refused; the
    refusal is valid only if the commits decided before it are stored.
    """

    slot: Slot[T]
    request: Request
    handler: Command[Request]
    key: str
    target: MatchId
    has_own_key: bool
    attempt: int = 0
    decided: Decided | None = None


class Group(Struct, Generic[T]):
    """The commands whose commits are appended in one durable step, and the keys that they use in each match."""

    commands: list[PendingCommand[T]] = []
    keys: dict[MatchId, set[str]] = {}

    def add(self, command: PendingCommand[T]) -> None:
        """Add a command."""
        self.commands.append(command)
        if command.decided is not None:
            self.keys.setdefault(command.target, set()).add(command.key)

    def has_key(self, match: MatchId, key: str) -> bool:
        """Return whether a command of the group uses a key in a match."""
        return key in self.keys.get(match, ())

    def has_attachments(self) -> bool:
        """Return whether files come with the commits."""
        return any(one.decided is not None and one.decided.attachments for one in self.commands)

    def commits(self) -> list[NewCommit]:
        """Return the commits in order."""
        return [done.new for one in self.commands if one.decided is not None for done in one.decided.commits]

    def append_to(self, log: Log) -> list[Receipt]:
        """Append the commits, and the files that come with them; see `Log.append`."""
        for command in self.commands:
            for digest, content in () if command.decided is None else command.decided.attachments.items():
                log.attach(digest, content)
        return log.append(self.commits())

    def without(self, matches: AbstractSet[MatchId]) -> "list[PendingCommand[T]]":
        """Remove the commands on some matches, and return them."""
        for match in matches:
            self.keys.pop(match, None)
        removed = [command for command in self.commands if command.target in matches]
        if removed:
            self.commands = [command for command in self.commands if command.target not in matches]
        return removed


class Answers(Struct, Generic[T], frozen=True):
    """The replies to requests in their order, and the commits that are now in the log, in theirs."""

    replies: list[tuple[T, Reply]]
    committed: list[CommittedCommand]


def take_independent(slots: deque[Slot[T]], groups: Sequence[Group[T] | None]) -> list[tuple[T, Reply]]:
    """Take the slots whose reply is known out of a queue, except those of commands in groups, which depend on the log; return the replies."""
    held = {id(command.slot) for group in groups if group is not None for command in group.commands}
    left: list[Slot[T]] = []
    found: list[tuple[T, Reply]] = []
    for slot in slots:
        if slot.reply is None or id(slot) in held:
            left.append(slot)
        else:
            found.append((slot.ticket, slot.reply))
    slots.clear()
    slots.extend(left)
    return found


def undone(context: DeskContext, command: PendingCommand[T], error: LogError) -> FailedReply:
    """Return the failure of a command: nothing was done, or the outcome is unknown."""
    id_ = command.request.id
    if not isinstance(error, OutcomeUnknown):
        return context.failure(error, command.request)
    if command.decided is None:
        # It was refused on the basis of commits whose outcome is unknown; it had nothing to store itself.
        message = "the store failed before this could be answered; nothing was done"
        return failure(StoreUnavailable(message), id_)
    return failure(error, id_) if command.has_own_key else unknown_without_key(error, id_)


def stalled() -> StoreUnavailable:
    """Return the error of a request that would have to wait for commits that are not stored in time."""
    return StoreUnavailable("the store does not answer at the moment; nothing was done")


def internal(id_: str) -> FailedReply:
    """Return the reply to a request, by its id, that met an internal fault."""
    return FailedReply(id=id_, code="internal", message="the server failed to answer; it has logged why")
