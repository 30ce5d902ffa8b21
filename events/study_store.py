"""The part of a log's port that keeps studies: entries of text about a match, apart from its commits."""

from collections.abc import Sequence
from typing import Protocol

from events.ids import MatchId, StudyId


class StudyStore(Protocol):
    """Keeps the entries of studies, each study a stream of its own; nothing of it is ever changed or removed."""

    def append_study(self, match: MatchId, study: StudyId, number: int, body: bytes) -> bool:
        """Append entry `number`, from 1, of a study durably; return False, having done nothing, if it is not the next one.

        Raises:
            UnknownMatch: There is no such match.
            StoreUnavailable: It was not written; or `OutcomeUnknown`, if it may have been.
        """

    def study(self, match: MatchId, study: StudyId) -> Sequence[bytes]:
        """Return the entries of a study in order; none if there is no such study.

        Raises:
            UnknownMatch: There is no such match.
        """

    def studies(self, match: MatchId) -> Sequence[StudyId]:
        """Return the studies of a match in the order in which they were opened.

        Raises:
            UnknownMatch: There is no such match.
        """
