"""The errors of a log. Exceptions are for the outside world; a seat's illegal command is a value (`core.refusal`)."""

from events.codec import one_line
from events.ids import MatchId, StudyId


class Portable(Exception):
    """An error that can be pickled with all its fields, whatever the parameters of its constructor."""

    def __reduce__(self) -> tuple[object, ...]:  # type: ignore[explicit-override]
        """Have `pickle` restore the error from its fields, not call its constructor with the message."""
        return _again, (type(self), self.args, self.__dict__)


def _again(kind: type[Portable], args: tuple[object, ...], parts: dict[str, object]) -> Portable:
    error = kind.__new__(kind)
    error.args = args
    for name, part in parts.items():
        setattr(error, name, part)
    return error


class LogError(Portable):
    """Base of all errors of a log; the message is one printable line, whatever foreign data it quotes."""

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
    """The match has new events since the commit was built: its expected sequence is not the head's."""

    def __init__(self, match: MatchId, expected: int, actual: int) -> None:
        """Say what was expected and what is."""
        super().__init__(f"match {match}: expected to append after event {expected}, but the match is at {actual}")
        self.match = match
        self.expected = expected
        self.actual = actual


class BrokenEvidence(LogError):
    """Stored bytes are damaged or forged: the chain, the sequence or the encoding is wrong."""

    def __init__(self, match: MatchId, seq: int, problem: str) -> None:
        """Name the first bad event and what is wrong with it."""
        super().__init__(f"match {match}, event {seq}: {problem}")
        self.match = match
        self.seq = seq
        self.problem = problem


class BrokenStudy(BrokenEvidence):
    """The entries of a study are not those that were written; names the first bad one."""

    def __init__(self, match: MatchId, study: StudyId, number: int, problem: str) -> None:
        LogError.__init__(self, f"study {match}/{study}, entry {number}: {problem}")
        self.match = match
        self.seq = 0
        self.problem = problem
        self.study = study
        self.number = number


class LogMisuse(LogError):
    """Data to be stored contradicts the log: a fork without a parent, a second seed, a wrong digest."""


class NoForkPoint(LogError):
    """A match cannot be forked there: no commit ends with that event."""


class OtherMatch(LogError):
    """The store has another match with the id of the one to be imported."""

    def __init__(self, match: MatchId, seq: int) -> None:
        """Name the first event that differs."""
        super().__init__(f"match {match} is in this store already, with other events from event {seq} on: audit both")
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


class ProofInvalid(LogError):
    """A note, a checkpoint or a proof of a server's log is malformed, or does not prove what it should."""


class LogKeyUnusable(LogError):
    """A key of a server's log is missing, malformed, of the wrong kind, or not kept safely."""


class NoArchive(LogError):
    """The file is what one seat saw of a match, not an archive: it may be correct but proves nothing."""


class StoreUnavailable(LogError):
    """The store or the file cannot be read or written: locked, read-only, full, missing, corrupt, of another version."""


class OutputRefused(StoreUnavailable):
    """A file is not written, because of what is there or is meant by its name; nothing was changed."""


class OutcomeUnknown(StoreUnavailable):
    """The store failed while it made a commit durable: after a restart the commit may or may not be there."""


class NotAStore(StoreUnavailable):
    """The file is not a store, or one whose beginning was overwritten or cut off."""


REPAIR = "restore the file from a copy, or import its matches from archives into a new store"
"""What to do about a store of which nothing can be read."""


class StoreDamaged(StoreUnavailable):
    """The store's file is damaged at the requested data; other matches may be readable.

    Args:
        path: The file.
        problem: What is wrong with it.
        advice: What to do.
    """

    def __init__(
        self,
        path: object,
        problem: str,
        advice: str = "`wardiary audit --all` names the matches that are; import them from archives into a new store, or restore the file",
    ) -> None:
        super().__init__(f"{path} is damaged ({problem}): {advice}")
        self.problem = problem
