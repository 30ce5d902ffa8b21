"""Studies of matches."""

from cli.schemas.base import Shape
from core.telling.study_words import FirstDifference
from events.codec import Struct
from events.ids import Digest, MatchId, Seat, StudyId
from projections.study import Author, Study
from server.protocol.replies import ListedStudy


class StudiesShape(Shape, frozen=True, kw_only=True, tag="studies"):
    """The studies of a match that the seat may read."""

    match: MatchId
    seat: Seat
    studies: tuple[ListedStudy, ...]


class WrittenShape(Shape, frozen=True, kw_only=True, tag="study-written"):
    """An entry of a study that was written: its number, its hash, and the public key (hex) that signed it."""

    match: MatchId
    study: StudyId
    number: int
    hash: Digest
    key: str


class StudyFileShape(Shape, frozen=True, kw_only=True, tag="study-file"):
    """A study that was written to a file, with the hash of its last entry."""

    match: MatchId
    study: StudyId
    file: str
    entries: int
    head: Digest


class StudyWriter(Struct, frozen=True, kw_only=True):
    """Author of entries of a study: the name, the seat if one was proved, the key (hex) that signed them if there is one, and how many they are."""

    name: str
    seat: Seat
    key: str
    entries: int


class StudyCheckedShape(Shape, frozen=True, kw_only=True, tag="study-checked"):
    """Check of a study: its entries, how many of them are `signed`, by whom, and the hash of the last one; `problem` is its first defect, empty if it holds."""

    match: MatchId
    study: StudyId
    title: str = ""
    entries: int = 0
    signed: int = 0
    writers: tuple[StudyWriter, ...] = ()
    head: Digest = Digest("")
    problem: str = ""


class StudyLineShape(Struct, frozen=True, kw_only=True):
    """A line of a study: its match, where it leaves the studied one, and how it ended, empty if it goes on."""

    entry: int
    match: MatchId
    name: str
    author: Author
    seq: int
    first: FirstDifference | None
    result: str


class ToldEvent(Struct, frozen=True, kw_only=True):
    """An event that a study names as `at`: its number as the reading seat counts, and its sentence."""

    at: int
    seq: int
    sentence: str


class StudyShape(Shape, frozen=True, kw_only=True, tag="study"):
    """A study as it stands, its signatures checked.

    `study` counts events as the seat does whose view it is of, and `events` are those that it names. `lines` tell what the study's own do not.
    """

    match: MatchId
    seat: Seat
    study: Study
    events: tuple[ToldEvent, ...]
    lines: tuple[StudyLineShape, ...]
