"""What can go wrong with a log. Exceptions are for the outside world; a seat's illegal wish is a value (`core.refusal`)."""

from events.codec import one_line
from events.ids import MatchId


class Portable(Exception):
    """An error that arrives in another process as what it is, whatever it was made of: by default only its message would."""

    def __reduce__(self) -> tuple[object, ...]:  # type: ignore[explicit-override]
        """Tell `pickle` to put it together again from its parts, and not to make it anew from its message."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[Portable], args: tuple[object, ...], parts: dict[str, object]) -> Portable:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(parts)
    return error


class LogError(Portable):
    """Base of all errors of a log; the message is one line for people, whatever foreign data it quotes."""

    def __init__(self, message: str) -> None:
        """Keep the message in a form that can be printed."""
        super().__init__(one_line(message, 1_000))


class UnknownMatch(LogError):
    """No match of that id is in the log."""

    def __init__(self, match: MatchId) -> None:
        """Say which match was asked for."""
        super().__init__(f"no match {match!r} in this store")
        self.match = match


class LostRace(LogError):
    """The match has moved on since the commit was made: its expected sequence is not the head's."""

    def __init__(self, match: MatchId, expected: int, actual: int) -> None:
        """Say what was expected and what is."""
        super().__init__(f"match {match}: expected to append after event {expected}, but the match is at {actual}")
        self.match = match
        self.expected = expected
        self.actual = actual


class BrokenEvidence(LogError):
    """Stored bytes are not what was written: the chain, the sequence or the encoding does not hold."""

    def __init__(self, match: MatchId, seq: int, problem: str) -> None:
        """Name the first bad event and what is wrong with it."""
        super().__init__(f"match {match}, event {seq}: {problem}")
        self.match = match
        self.seq = seq
        self.problem = problem


class LogMisuse(LogError):
    """What was to be kept contradicts what the log holds: a fork of nothing, a second seed, a wrong digest."""


class NoForkPoint(LogError):
    """A fork cannot leave the match there: no commit ends with that event."""


class OtherMatch(LogError):
    """A match of that id is in the store and is not the one that was to be imported."""

    def __init__(self, match: MatchId, seq: int) -> None:
        """Name the first event that differs."""
        super().__init__(f"match {match} is in this store already, with other events from event {seq} on")
        self.match = match
        self.seq = seq


class ArchiveError(LogError):
    """An archive is not what was exported: truncated, edited, foreign or out of order."""

    def __init__(self, line: int, problem: str, match: MatchId | None = None, seq: int = 0) -> None:
        """Name the line (1-based; 0 for the file as a whole), what is wrong and, where it is a commit's, its first event."""
        where = f"archive line {line}" if line else "archive"
        event = f", match {match}, event {seq}" if match else ""
        super().__init__(f"{where}{event}: {problem}")
        self.line = line
        self.problem = problem
        self.match = match
        self.seq = seq


class NoArchive(LogError):
    """What was given for an archive is what one seat saw of a match, which is sound but proves nothing."""


class StoreUnavailable(LogError):
    """The store or the file cannot be read or written: locked, read-only, full, missing, corrupt, of another version."""


class OutcomeUnknown(StoreUnavailable):
    """The store failed while it made a commit durable: it may be there after a restart, or may not."""


class StoreDamaged(StoreUnavailable):
    """The store's file is not as it was written where this is looked for; other matches may be sound."""
