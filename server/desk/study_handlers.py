"""The handlers of requests about studies of a match.

A study is read by who may see what the seat sees whose view it is of, and by everybody once the match is over, with every match that it was forked from.
"""

from collections.abc import Sequence

from events.codec import Raw, encode, replace
from events.errors import BrokenStudy
from events.ids import ARBITER, NO_SEAT, PUBLIC, Digest, MatchId, StudyId
from events.studies.study_entry import (
    ChapterAdded,
    ChaptersOrdered,
    CommentWritten,
    EntryWithdrawn,
    LineAdded,
    OptionsTried,
    StudyEntry,
    StudyOpened,
    checked_entries,
    entry_hash,
    is_signed,
)
from projections.state.view import log_number, seat_number
from projections.study import Study, parts_of, study_of
from server.desk.desk_context import DeskContext
from server.desk.handlers import Reads, seat_query
from server.desk.match_cache import PAGE_BYTES_MAX, CachedMatch
from server.protocol.errors import DAMAGED, RequestFailed, checked_number, denied
from server.protocol.replies import FailedReply, ListedStudy, StudiesReply, StudyReply, WrittenReply
from server.protocol.study_texts import ENTRIES_MAX, STUDIES_MAX, STUDY_ID, author_problem, said_problem
from server.protocol.wire import SeatRequest, StudiesRequest, StudyRequest, WriteStudyRequest

FORKS_MAX = 1_000
"""How many matches back a line is followed to the match of its study."""


def answer_studies(context: DeskContext, match: CachedMatch, request: StudiesRequest) -> StudiesReply:
    """List the studies of a match that the seat may read, without those that were withdrawn."""
    found: list[ListedStudy] = []
    for study in context.log.studies(match.id):
        try:
            _, known = _read(context, match.id, study)
        except BrokenStudy as error:
            found.append(ListedStudy(study=study, problem=str(error) if context.access.trusted else DAMAGED))
            continue
        if _may_read(context, match, request, known) and not known.is_withdrawn:
            found.append(
                ListedStudy(
                    study=study,
                    title=known.title,
                    view=known.view,
                    author=known.author.name,
                    at=known.author.at,
                    comments=len(known.comments),
                    lines=len(known.lines),
                    chapters=len(known.chapters),
                )
            )
    return StudiesReply(id=request.id, match=match.id, studies=tuple(found))


def answer_study(context: DeskContext, match: CachedMatch, request: StudyRequest) -> StudyReply:
    """Return entries of a study, and the numbers of the events that they name as the reading seat counts them.

    Raises:
        RequestFailed: There is no such study that the seat may read, or it has fewer entries.
    """
    bodies, study = _known(context, match, request, request.study)
    sent, size = list[Raw](), 0
    for body in bodies[checked_number(request.after, len(bodies)) :]:
        sent.append(Raw(body))
        size += len(body)
        if size >= PAGE_BYTES_MAX:
            break
    named = {one.at for one in (*parts_of(study), *study.chapters)}
    if request.at is not None:
        named.add(checked_number(request.at, match.number(study.view), first=1))
    numbers = tuple([(at, _number_for(match, study, request, at)) for at in sorted(named)])
    return StudyReply(
        id=request.id, match=match.id, study=request.study, count=len(bodies), entries=tuple(sent), numbers=numbers
    )


def _number_for(match: CachedMatch, study: Study, request: SeatRequest, at: int) -> int:
    """Return the number of an event by the count of the reading seat, which need not have seen it: then that of the last one before it."""
    if request.seat == study.view:
        return at
    return seat_number(match.table, request.seat, log_number(match.table, study.view, at))


def answer_write(context: DeskContext, match: CachedMatch, request: WriteStudyRequest) -> WrittenReply:
    """Append an entry to a study, or open it with the first one.

    Raises:
        RequestFailed: The entry is not valid, is not the next one, or this client may not write it.
    """
    entry = _entry(context, request)
    bodies, study = _to_write(context, match, request, entry)
    if len(bodies) >= entry.number:
        body = bodies[entry.number - 1]
        (known,) = checked_entries(match.id, request.study, bodies)[entry.number - 1 : entry.number]
        if replace(known, at=0) == replace(entry, at=0):
            return _written(request, body, is_repeated=True)
    previous = entry_hash(bodies[-1]) if bodies else Digest("")
    if (entry.number, entry.previous) != (len(bodies) + 1, previous):
        raise _lost(request, len(bodies))
    _check_said(context, match, study, entry)
    body = encode(entry)
    if not context.log.append_study(match.id, request.study, entry.number, body):
        raise _lost(request, entry.number)
    return _written(request, body, is_repeated=False)


def _entry(context: DeskContext, request: WriteStudyRequest) -> StudyEntry:
    """Return the entry of a request, whose words and signature are in order.

    Raises:
        RequestFailed: They are not.
    """
    entry = StudyEntry(
        match=request.match,
        study=request.study,
        number=request.number,
        previous=request.previous,
        at=context.clock.now_ms(),
        author=request.author,
        seat=NO_SEAT if request.seat == PUBLIC else request.seat,
        key=request.public_key,
        signature=request.signature,
        said=request.said,
    )
    problem = said_problem(entry.said) or author_problem(entry.author)
    if not STUDY_ID.fullmatch(entry.study):
        problem = "the id of a study has 8 letters a to z or digits 2 to 7"
    if isinstance(entry.said, StudyOpened) != (entry.number == 1):
        problem = "a study is opened by its first entry, and by no other"
    if not problem and (entry.key or entry.signature):
        problem = _signature_problem(entry)
    if problem:
        raise denied("malformed", problem)
    return entry


def _signature_problem(entry: StudyEntry) -> str:
    try:
        is_sound = len(entry.key) == len(bytes.fromhex(entry.key)) * 2 == 64 and is_signed(entry)
    except ValueError:
        is_sound = False
    return "" if is_sound else "the signature of the entry is not that of its key"


def _to_write(
    context: DeskContext, match: CachedMatch, request: WriteStudyRequest, entry: StudyEntry
) -> tuple[Sequence[bytes], Study]:
    """Return the entries of the study to which a client may write, and how it stands; none for one that is opened.

    Raises:
        RequestFailed: This client may not write there.
    """
    if isinstance(entry.said, StudyOpened):
        if entry.said.view not in (PUBLIC, request.seat):
            raise denied("not_your_seat", "a study is of what the seat sees that opens it, or of what everybody sees")
        if not entry.key and request.seat == PUBLIC:
            raise denied("not_your_seat", "who opens a study without a seat of the match signs it with a key")
        bodies, study = _read(context, match.id, request.study)
        if not bodies and len(context.log.studies(match.id)) >= STUDIES_MAX:
            raise denied("not_possible", f"a match has {STUDIES_MAX} studies at most")
        return bodies, study
    bodies, study = _known(context, match, request, request.study)
    is_opener = bool(entry.key) and entry.key == study.author.key
    if request.seat == PUBLIC and not is_opener and not context.access.trusted:
        raise denied(
            "not_your_seat", "a study is written by who opened it, with the same key, and by the seats of the match"
        )
    if len(bodies) >= ENTRIES_MAX:
        raise denied("not_possible", f"a study has {ENTRIES_MAX} entries at most: open another one")
    return bodies, study


def _check_said(context: DeskContext, match: CachedMatch, study: Study, entry: StudyEntry) -> None:
    """Check that what an entry names is there.

    Raises:
        RequestFailed: It is not, or this client may not withdraw it.
    """
    said = entry.said
    if study.is_withdrawn:
        raise denied("not_possible", "the study was withdrawn; open another one")
    match said:
        case CommentWritten() | OptionsTried() | ChapterAdded():
            checked_number(said.at, match.number(study.view), first=1)
        case LineAdded():
            checked_number(said.at, match.number(study.view), first=1)
            _check_line(context, match, said)
        case ChaptersOrdered():
            there = [chapter.entry for chapter in study.chapters]
            if sorted(there) != sorted(said.chapters):
                listed = ", ".join(map(str, there)) or "none"
                raise denied("unknown_name", f"an order names all chapters by their entries; there are: {listed}")
        case EntryWithdrawn():
            _check_withdrawn(study, entry, said.entry)
        case StudyOpened():
            pass


def _check_line(context: DeskContext, match: CachedMatch, said: LineAdded) -> None:
    found = said.match
    for _ in range(FORKS_MAX):
        if found == match.id or not found:
            break
        found = context.summaries.of(found).shown.parent
    if found != match.id or said.match == match.id:
        raise denied("not_possible", f"match {said.match} is not a fork of match {match.id}: a line is one")


def _check_withdrawn(study: Study, entry: StudyEntry, number: int) -> None:
    """Check that an author withdraws what is there: an own entry, or as who opened the study, or as the arbiter, any."""
    authors = {1: study.author} | {one.entry: one.author for one in (*parts_of(study), *study.chapters)}
    if number not in authors:
        listed = ", ".join(map(str, sorted(authors)))
        raise denied("unknown_name", f"there is no entry {number} to withdraw; there are: {listed}")
    for author in (authors[number], study.author):
        if (entry.key and entry.key == author.key) or (entry.seat and entry.seat == author.seat):
            return
    if entry.seat != ARBITER:
        raise denied("not_your_seat", f"entry {number} is withdrawn by who wrote it or who opened the study")


def _known(
    context: DeskContext, match: CachedMatch, request: SeatRequest, study: StudyId
) -> tuple[Sequence[bytes], Study]:
    """Return the entries of a study that the seat may read, and how it stands; whether there is another one is not told.

    Raises:
        RequestFailed: There is none.
    """
    bodies, known = _read(context, match.id, study)
    if not bodies or not _may_read(context, match, request, known):
        raise denied("unknown_study", f"match {match.id} has no study {study!r} that this client may read")
    return bodies, known


def _read(context: DeskContext, match: MatchId, study: StudyId) -> tuple[Sequence[bytes], Study]:
    """Return the entries of a study and how it stands. Signatures were checked when it was written, and are by who reads it."""
    bodies = context.log.study(match, study)
    return bodies, study_of(match, study, checked_entries(match, study, bodies, has_signatures_checked=False))


def _may_read(context: DeskContext, match: CachedMatch, request: SeatRequest, study: Study) -> bool:
    return study.view in (PUBLIC, request.seat) or request.seat == ARBITER or context.creator.is_over(match)


def _lost(request: WriteStudyRequest, actual: int) -> RequestFailed:
    said = f"study {request.match}/{request.study} has {actual} entries, and this one was written to be number {request.number}: read it again"
    return RequestFailed(FailedReply(code="lost_race", message=said, expected=request.number - 1, actual=actual))


def _written(request: WriteStudyRequest, body: bytes, *, is_repeated: bool) -> WrittenReply:
    return WrittenReply(
        id=request.id,
        match=request.match,
        study=request.study,
        number=request.number,
        hash=entry_hash(body),
        repeated=is_repeated,
    )


STUDIES = (
    seat_query(StudiesRequest, answer_studies),
    seat_query(StudyRequest, answer_study),
    seat_query(WriteStudyRequest, answer_write, reads=Reads.STORE),
)
