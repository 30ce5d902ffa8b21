"""A study in a notation: its comments and marks at the orders, its chapters, and the names of its lines.

A notation with the tag `Study` tells a study, and the first signs of a comment say whether it belongs to it: `@"Ada": text` or `@"Ada" ?!: text` is
what Ada wrote, `#2 title` the beginning of the second chapter, `= name` the name of the variation that begins here. All else is a note of the match.
"""

import re
from collections.abc import Iterable, Sequence

from core.notation.notation import Move, NotationInvalid, Remark, Tag
from core.notation.order_text import OrderInvalid, in_quotes, unquoted
from events.codec import Struct, convert, encode
from events.ids import ARBITER, Digest, MatchId, StudyId, study_id
from events.studies.study_entry import (
    AnySaid,
    ChapterAdded,
    CommentWritten,
    LineAdded,
    StudyEntry,
    StudyOpened,
    entry_hash,
)
from projections.study import Study, TriedOptions

STUDY = "Study"
"""The tag with the title of a study, and the name of who opened it."""

OPTIONS_TOLD, WORDS_TOLD = 12, 200
"""How many options of a table are told, the best ones, and how many characters of their words."""

_COMMENT = re.compile(r'@("(?:[^"\\]|\\.)*")(?: ([!?]{1,2}))?: ?(.*)', re.DOTALL)
_CHAPTER = re.compile(r"#([0-9]{1,3}) (.+)", re.DOTALL)
_NAME = re.compile(r"= (.+)", re.DOTALL)


class Placed(Struct, frozen=True):
    """A comment for the order of an event, by the count of the reader; `mark` judges the order."""

    at: int
    text: str
    author: str = ""
    mark: str = ""


def tag_of_study(study: Study) -> Tag:
    """Return the tag that says that a notation tells a study."""
    return Tag(STUDY, (study.title, study.author.name))


def placed(study: Study, numbers: Iterable[tuple[int, int]]) -> list[Placed]:
    """Return what a study says, chapters first.

    Args:
        study: The study as it stands.
        numbers: The numbers of events as the study counts, and as the reader does.
    """
    seen = dict(numbers)
    chapters = [Placed(seen[one.at], f"#{number} {one.title}") for number, one in enumerate(study.chapters, start=1)]
    comments = [Placed(seen[one.at], one.text, one.author.name, one.mark) for one in study.comments]
    tables = [Placed(seen[one.at], _table(one), one.author.name) for one in study.trials]
    return chapters + comments + tables


def _table(tried: TriedOptions) -> str:
    """Return options that were tried as the text of a comment."""
    best = sorted(tried.options, key=lambda one: -one.won)
    rows = [f"{one.won:g} of {tried.times}: {one.words[:WORDS_TOLD]}" for one in best[:OPTIONS_TOLD]]
    more = len(best) - len(rows)
    head = f"Options tried, wins when {tried.policy} played on (seed {tried.seed}):"
    return "\n".join([head, *rows, *([f"and {more} more"] if more else [])])


def event_of(remark: Remark, numbers: Sequence[int]) -> int:
    """Return the event that a comment is about, of the numbers of the first event of its order that is no roll, and of its rolls."""
    return numbers[min(remark.roll, len(numbers) - 1)]


def place(found: Placed, move: Move, roll: int) -> None:
    """Add a comment to its order or to a roll of it. Its mark becomes that of the order if it is the first one there and the order has none."""
    if not found.author:
        move.remarks.append(Remark(found.text, roll=roll))
        return
    is_first = not roll and not any(remark.text.startswith("@") and not remark.roll for remark in move.remarks)
    has_notes = any(remark.seat for remark in move.remarks)
    if move.mark and is_first and not has_notes:
        # The mark is a note without words, which keeps it apart from the study.
        move.remarks.append(Remark("", move.seat))
        has_notes = True
    is_order_marked = bool(found.mark) and is_first and not has_notes
    if is_order_marked:
        move.mark = found.mark
    mark = f" {found.mark}" if found.mark and not is_order_marked else ""
    move.remarks.append(Remark(f"@{in_quotes(found.author)}{mark}: {found.text}", roll=roll))


def name_line(moves: Sequence[Move], name: str) -> None:
    """Write the name of a variation at its first order."""
    moves[0].remarks.insert(0, Remark(f"= {name}"))


class ToldEntry(Struct, frozen=True):
    """An entry that a notation tells, with its author and its line in the text."""

    line: int
    author: str
    said: AnySaid


class ToldStudy:
    """The study that a notation tells, as it is played.

    Args:
        tag: The tag of the study.
    """

    def __init__(self, tag: Tag) -> None:
        self._title, self._author = (*tag.values, "", "")[:2]
        self._line = tag.line
        self._comments: list[ToldEntry] = []
        self._lines: list[ToldEntry] = []
        self._chapters: list[tuple[int, ToldEntry]] = []

    def take(self, move: Move, numbers: Sequence[int], *, is_match: bool) -> None:
        """Take from an order what belongs to the study; notes stay.

        Args:
            move: The order.
            numbers: Those of its first event that is no roll, and of its rolls.
            is_match: Whether it is one of the match, and not of a variation.

        Raises:
            NotationInvalid: It is not written as a study is, or stands in a variation.
        """
        kept: list[Remark] = []
        has_notes = any(one.seat or not one.text.startswith(("@", "#", "= ")) for one in move.remarks)
        for remark in move.remarks:
            # The name of a line was taken before it was played.
            if _NAME.fullmatch(remark.text) and not remark.seat and not is_match:
                continue
            if remark.seat or not remark.text.startswith(("@", "#")):
                kept.append(remark)
                continue
            if not is_match:
                raise NotationInvalid(
                    remark.line, "what the study says stands at the orders of the match, not of a variation"
                )
            self._take(move, remark, event_of(remark, numbers), has_notes=has_notes)
        move.remarks = kept

    def _take(self, move: Move, remark: Remark, at: int, *, has_notes: bool) -> None:
        chapter, comment = _CHAPTER.fullmatch(remark.text), _COMMENT.fullmatch(remark.text)
        if chapter is not None:
            said = ChapterAdded(at=at, title=chapter[2])
            self._chapters.append((int(chapter[1]), ToldEntry(remark.line, self._author, said)))
            return
        if comment is None:
            raise NotationInvalid(remark.line, 'a study says {@"NAME": text}, {@"NAME" !?: text} or {#1 title}')
        mark = comment[2] or ""
        if not mark and not has_notes and not remark.roll:
            mark, move.mark = move.mark, ""
        try:
            author = unquoted(comment[1])
            said_ = convert({"said": "comment-written/1", "at": at, "text": comment[3], "mark": mark}, CommentWritten)
        except (OrderInvalid, ValueError) as error:
            raise NotationInvalid(remark.line, str(error)) from None
        self._comments.append(ToldEntry(remark.line, author, said_))

    def add_line(self, moves: Sequence[Move], at: int, match: MatchId) -> None:
        """Add a variation of the match as a line."""
        names = [found[1] for one in moves[0].remarks if not one.seat and (found := _NAME.fullmatch(one.text))]
        name = names[0] if names else f"Line {len(self._lines) + 1}"
        self._lines.append(ToldEntry(moves[0].line, self._author, LineAdded(at=at, match=match, name=name)))

    def entries(self) -> list[ToldEntry]:
        """Return all entries; the study is of what the arbiter sees, who counts as the log does."""
        opened = ToldEntry(self._line, self._author, StudyOpened(title=self._title, view=ARBITER))
        chapters = [entry for _, entry in sorted(self._chapters, key=lambda one: one[0])]
        return [opened, *chapters, *self._comments, *self._lines]


def written(match: MatchId, entries: Sequence[ToldEntry], at: int) -> tuple[StudyId, list[bytes]]:
    """Return the id of a study that was told, and its entries to be stored; nobody has signed them.

    Args:
        match: The match that was played.
        entries: What was told.
        at: When they are written, in milliseconds since 1970 (UTC).
    """
    study, previous, bodies = study_id(f"notation {match}"), Digest(""), list[bytes]()
    for number, one in enumerate(entries, start=1):
        entry = StudyEntry(
            match=match, study=study, number=number, previous=previous, at=at, author=one.author, said=one.said
        )
        bodies.append(encode(entry))
        previous = entry_hash(bodies[-1])
    return study, bodies
