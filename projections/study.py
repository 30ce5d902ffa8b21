"""A study as it stands: its comments, lines and chapters, made from its entries."""

from collections.abc import Iterable, Sequence

from events.codec import Struct
from events.ids import PUBLIC, MatchId, Seat, StudyId
from events.studies.study_entry import (
    ChapterAdded,
    ChaptersOrdered,
    CommentWritten,
    EntryWithdrawn,
    LineAdded,
    OptionsTried,
    OptionWins,
    StudyEntry,
    StudyOpened,
)


class Author(Struct, frozen=True, omit_defaults=True):
    """Author of an entry: the name, the seat that was proved, the key (hex) that signed it, and when (milliseconds since 1970, UTC)."""

    name: str
    seat: Seat
    key: str
    at: int


class Comment(Struct, frozen=True, omit_defaults=True):
    """Remark on an event of the match; `entry` is the number of the entry."""

    entry: int
    at: int
    text: str
    mark: str
    author: Author


class Line(Struct, frozen=True, omit_defaults=True):
    """A fork of the match, which leaves it after event `at`."""

    entry: int
    at: int
    match: MatchId
    name: str
    author: Author


class TriedOptions(Struct, frozen=True, omit_defaults=True):
    """Options of the decision after event `at` that were tried; see `OptionsTried`."""

    entry: int
    at: int
    policy: str
    seed: str
    times: int
    options: tuple[OptionWins, ...]
    author: Author


class StudyChapter(Struct, frozen=True, omit_defaults=True):
    """A chapter, which begins at an event of the match."""

    entry: int
    at: int
    title: str
    author: Author


Part = Comment | Line | TriedOptions
"""What is said of an event."""


class Study(Struct):
    """A study: its parts in the order in which they were written, chapters in their own order. Of a withdrawn study nothing is left but this."""

    match: MatchId
    study: StudyId
    title: str = ""
    view: Seat = PUBLIC
    author: Author = Author("", PUBLIC, "", 0)
    count: int = 0
    comments: list[Comment] = []
    lines: list[Line] = []
    trials: list[TriedOptions] = []
    chapters: list[StudyChapter] = []
    is_withdrawn: bool = False


def study_of(match: MatchId, study: StudyId, entries: Iterable[StudyEntry]) -> Study:
    """Return a study from its entries, which were checked."""
    found = Study(match, study)
    for entry in entries:
        _add(found, entry)
    return found


def _add(study: Study, entry: StudyEntry) -> None:
    author, said = Author(entry.author, entry.seat, entry.key, entry.at), entry.said
    study.count = entry.number
    match said:
        case StudyOpened():
            study.title, study.view, study.author = said.title, said.view, author
        case CommentWritten():
            study.comments.append(Comment(entry.number, said.at, said.text, said.mark, author))
        case LineAdded():
            study.lines.append(Line(entry.number, said.at, said.match, said.name, author))
        case OptionsTried():
            study.trials.append(
                TriedOptions(entry.number, said.at, said.policy, said.seed, said.times, said.options, author)
            )
        case ChapterAdded():
            study.chapters.append(StudyChapter(entry.number, said.at, said.title, author))
        case ChaptersOrdered():
            study.chapters = in_order(study.chapters, said.chapters)
        case EntryWithdrawn():
            _withdraw(study, said.entry)


def parts_of(study: Study) -> list[Part]:
    """Return all that is said of events, in the order of the events."""
    found: list[Part] = [*study.comments, *study.trials, *study.lines]
    return sorted(found, key=lambda one: (one.at, one.entry))


def in_order(chapters: Sequence[StudyChapter], order: Sequence[int]) -> list[StudyChapter]:
    """Return chapters in an order of their entries; those that it does not name follow."""
    places = {entry: place for place, entry in enumerate(order)}
    return sorted(chapters, key=lambda chapter: places.get(chapter.entry, len(places)))


def _withdraw(study: Study, entry: int) -> None:
    study.is_withdrawn = study.is_withdrawn or entry == 1
    study.comments = [one for one in study.comments if one.entry != entry and not study.is_withdrawn]
    study.trials = [one for one in study.trials if one.entry != entry and not study.is_withdrawn]
    study.lines = [one for one in study.lines if one.entry != entry and not study.is_withdrawn]
    study.chapters = [one for one in study.chapters if one.entry != entry and not study.is_withdrawn]
