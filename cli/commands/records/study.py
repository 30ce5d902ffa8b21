"""Opens studies of matches, writes to them and prints them."""

from collections.abc import Iterator
from typing import NamedTuple

from cli.schemas.studies import StudiesShape, StudyLineShape, StudyShape, ToldEvent, WrittenShape
from cli.shell.arguments import parse_point, parse_whole
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.input_files import read_text
from cli.shell.link_key import links_key
from cli.shell.seat_secrets import read_secrets
from cli.views.named_match import named_match, view_match
from cli.views.stored_match import StoredMatch
from core.notation.notation import MARKS
from core.notation.played_line import PlayedLine
from core.suggestions import unknown
from core.telling.study_words import first_difference, told_events
from core.trials.comparison import share
from core.trials.trial_words import percent_of, shares_words
from core.wording import counted, joined
from events.codec import convert
from events.ids import ARBITER, PUBLIC, MatchId, Seat, StudyId
from events.studies.study_entry import (
    AnySaid,
    ChapterAdded,
    ChaptersOrdered,
    CommentWritten,
    EntryWithdrawn,
    LineAdded,
    OptionsTried,
    checked_entries,
)
from events.transparency.signed_command import SeatSigner
from projections.study import Author, Comment, Line, Study, TriedOptions, parts_of, study_of
from server.protocol.clock import SystemClock
from server.protocol.replies import StudyReply, WrittenReply
from server.protocol.study_texts import said_problem

ACTIONS = ("open", "list", "show", "comment", "mark", "line", "chapter", "order", "withdraw")
READS = ("list", "show")
"""Actions that write nothing."""

KEY_SHOWN = 8
"""How many digits of a key are shown."""


class Asked(NamedTuple):
    """The arguments besides the action: the match or the study, a text, and who writes what."""

    what: str
    text: str
    seat: str
    name: str
    mark: str
    fork: str
    orders: str = ""


class _Place(NamedTuple):
    """A study that was named, and an event in it if one was."""

    match: MatchId
    study: StudyId
    at: int | None
    seat: Seat


def study(context: Context, action: str, asked: Asked) -> None:
    """Carry out one of the actions.

    Raises:
        UserError: There is no such action, match or study, or an argument is missing or too much.
        RequestFailed: The entry is not valid, or this client may not write it.
        BrokenStudy: The study is damaged.
    """
    if action not in ACTIONS:
        raise usage(unknown("action with studies", action, list(ACTIONS)))
    if action in READS and (asked.text or asked.name):
        raise usage(f"`study {action}` takes only the match or the study")
    if action == "open":
        _open(context, asked)
    elif action == "list":
        _list(context, asked)
    elif action == "show":
        _show(context, asked)
    else:
        place = _named(context, asked)
        _write(context, place, _said(context, action, place, asked), asked)


class NamedStudy(NamedTuple):
    """A study that was named: as it stands, and the numbers of its events as it counts and as the reader does."""

    study: Study
    numbers: tuple[tuple[int, int], ...]


def read_study(context: Context, what: str, seat: str) -> NamedStudy:
    """Return a study that is named by MATCH/STUDY, as a seat reads it."""
    reply = named_entries(context, what, seat)
    return NamedStudy(_checked(reply), reply.numbers)


def named_entries(context: Context, what: str, seat: str) -> StudyReply:
    """Return the entries of a study that is named by MATCH/STUDY, as a seat reads it."""
    place = _named(context, Asked(what, "", seat, "", "", ""))
    return context.client.study(place.match, place.study, place.seat)


class TryingPlace(NamedTuple):
    """A point of a study at which options are tried: the point of the match, by the count of the seat that asks, and that seat."""

    point: str
    seat: str
    place: _Place


def trying_place(context: Context, text: str, seat: str) -> TryingPlace:
    """Return where options are tried whose table a study is to have.

    Raises:
        UserError: The text names no study, or no event of it.
    """
    place = _named(context, Asked(text, "", seat, "", "", ""))
    if place.at is None:
        raise usage(f"options are tried at an event: write {place.match}/{place.study}@SEQ")
    reply = context.client.study(place.match, place.study, place.seat, place.at)
    if context.address:
        return TryingPlace(f"{place.match}@{dict(reply.numbers)[place.at]}", place.seat, place)
    # On the store the seat that decides is asked, at the event as the study counts.
    view = _checked(reply).view
    return TryingPlace(f"{place.match}@{place.at}", "" if view == PUBLIC else view, place)


def write_trials(context: Context, asked: TryingPlace, tried: OptionsTried, seat: str, name: str) -> None:
    """Write to a study what came of options that were tried."""
    _write(context, asked.place, tried, Asked("", "", seat, name, "", ""))


def _open(context: Context, asked: Asked) -> None:
    match = named_match(context, parse_whole(asked.what), asked.seat)
    seat = Seat(asked.seat or PUBLIC)
    signer = SeatSigner(links_key())
    author = asked.name or _player(context, match, seat)
    written = context.client.open_study(match, asked.text, seat, author=author, signer=signer)
    _print_written(context, written, signer, [f"{match}/{written.study}"])


def _list(context: Context, asked: Asked) -> None:
    match = named_match(context, parse_whole(asked.what), asked.seat)
    seat = _readers(context, match, asked.seat)[0]
    found = context.client.studies(match, seat).studies
    lines = [
        f"{match}/{one.study}  {one.problem or one.title}"
        + (
            ""
            if one.problem
            else f", by {one.author}: {counted(one.comments, 'comment')}, {counted(one.lines, 'line')}"
        )
        for one in found
    ]
    context.print_result(StudiesShape(match=match, seat=seat, studies=found), lines)


def _readers(context: Context, match: MatchId, seat: str) -> list[Seat]:
    """Return the seats as which this user reads: on the store all is seen, through a server what this user's seats see, or the public."""
    if seat:
        return [Seat(seat)]
    if not context.address:
        return [ARBITER]
    own = list(read_secrets(context.address).get(match, {}))
    return [ARBITER] if ARBITER in own else own or [PUBLIC]


def _named(context: Context, asked: Asked) -> _Place:
    """Return the study that is named by MATCH/STUDY or the beginnings of both, with @SEQ for an event."""
    text, at = parse_point(asked.what)
    prefix, slash, study = text.partition("/")
    if not slash or not study:
        raise usage(f"{text!r} names no study: write MATCH/STUDY; `wardiary study list MATCH` shows them")
    match = named_match(context, prefix, asked.seat)
    readers, known = _readers(context, match, asked.seat), dict[StudyId, Seat]()
    for seat in readers:
        for one in context.client.studies(match, seat).studies:
            if one.study.startswith(study):
                known.setdefault(one.study, seat)
    if len(known) > 1:
        raise usage(f"several studies begin with {study!r}: {', '.join(known)}", "unknown_study")
    # One that is not listed may have been withdrawn.
    found, reader = next(iter(known.items()), (StudyId(study), readers[0]))
    return _Place(match, found, at, reader)


def _said(context: Context, action: str, place: _Place, asked: Asked) -> AnySaid:
    """Return what an entry says."""
    if asked.mark and action != "comment":
        raise usage("--mark stands with a comment; `study mark` marks without one")
    if (asked.fork or asked.orders) and action != "line":
        raise usage("--fork and --orders stand with a line")
    if action in ("order", "withdraw"):
        if place.at is not None:
            raise usage(f"`study {action}` names no event")
        numbers = _numbers(action, asked.text)
        if action == "order":
            return ChaptersOrdered(chapters=numbers)
        if len(numbers) != 1:
            raise usage("`study withdraw` takes the number of one entry; `study show` prints them")
        return EntryWithdrawn(entry=numbers[0])
    if action == "line":
        return _line(context, place, asked)
    if place.at is None:
        raise usage(f"`study {action}` is about an event: write {place.match}/{place.study}@SEQ")
    if action == "chapter":
        return ChapterAdded(at=place.at, title=asked.text)
    text, mark = ("", asked.text) if action == "mark" else (asked.text, asked.mark)
    return convert(
        {"said": "comment-written/1", "at": place.at, "text": text, "mark": _checked_mark(mark)}, CommentWritten
    )


def _checked_mark(mark: str) -> str:
    if mark and mark not in MARKS:
        raise usage(f"a mark is {joined(MARKS, 'or')}, not {mark!r}", "unknown_name")
    return mark


def _numbers(action: str, text: str) -> tuple[int, ...]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isascii() and part.isdecimal() and len(part) < 9 for part in parts):
        raise usage(
            f"`study {action}` takes numbers of entries, such as 4 or 4,7, not {text!r}; `study show` prints them"
        )
    return tuple(map(int, parts))


def _line(context: Context, place: _Place, asked: Asked) -> LineAdded:
    """Return a fork as a line; where it leaves the match follows from the fork, if what the study is of is seen of both."""
    if bool(asked.fork) == bool(asked.orders):
        raise usage("a line is a fork of the match that is named with --fork, or orders that are played with --orders")
    view = _entries(context, place).view
    if asked.orders:
        return _played_line(context, place, view, asked)
    fork = named_match(context, parse_whole(asked.fork))
    at = place.at
    if at is None:
        if context.address and view != PUBLIC:
            raise usage(f"say after which event it leaves the match: {place.match}/{place.study}@SEQ")
        seen, line = (view_match(context, one, view) for one in (place.match, fork))
        parting = first_difference(seen.names, seen.events(), line.events())
        at = max(1, (seen.last + 1 if parting is None else parting.number) - 1)
    return LineAdded(at=at, match=fork, name=asked.text)


def _played_line(context: Context, place: _Place, view: Seat, asked: Asked) -> LineAdded:
    """Play orders in a fork of the match on the store, and return it as a line; nothing is stored unless all of them are legal."""
    if context.address:
        raise usage("orders are played on a store: through a server `wardiary fork` makes a fork, which --fork names")
    if place.at is None:
        raise usage(f"say after which event the orders are played: {place.match}/{place.study}@SEQ")
    problem = said_problem(LineAdded(at=place.at, match=place.match, name=asked.text))
    if problem:
        raise usage(problem, "malformed")
    seen = StoredMatch(context.log, place.match, view, place.at)
    log = context.writable_log
    played = PlayedLine(
        log, place.match, seen.end_of_command(place.at), read_text(asked.orders), SystemClock().now_ms()
    )
    log.append(played.commits())
    return LineAdded(at=place.at, match=played.matches[0], name=asked.text)


def _entries(context: Context, place: _Place) -> Study:
    """Return a study as it stands, its entries checked."""
    return _checked(context.client.study(place.match, place.study, place.seat))


def _checked(reply: StudyReply) -> Study:
    entries = checked_entries(reply.match, reply.study, [bytes(one) for one in reply.entries])
    return study_of(reply.match, reply.study, entries)


def _write(context: Context, place: _Place, said: AnySaid, asked: Asked) -> None:
    # On the store nobody has to prove a seat: by default it is the one whose view the study is of.
    seat = Seat(asked.seat) if asked.seat or context.address else _entries(context, place).view
    seat = seat or place.seat
    signer = SeatSigner(links_key())
    author = asked.name or _player(context, place.match, seat)
    written = context.client.write_study(place.match, place.study, said, seat, author=author, signer=signer)
    _print_written(context, written, signer, [f"{place.match}/{place.study}: entry {written.number}"])


def _player(context: Context, match: MatchId, seat: Seat) -> str:
    """Return the name under which a seat writes: that of its player."""
    table = context.client.state(match).table
    arbiter = "" if table.arbiter is None else table.arbiter.name
    name = arbiter if seat == ARBITER else table.players.get(seat, "")
    if not name:
        raise usage("say who writes with --name; a seat that has a player writes under the player's name")
    return name


def _print_written(context: Context, written: WrittenReply, signer: SeatSigner, lines: list[str]) -> None:
    shape = WrittenShape(
        match=written.match, study=written.study, number=written.number, hash=written.hash, key=signer.public_key
    )
    context.print_result(shape, lines)


def _show(context: Context, asked: Asked) -> None:
    place = _named(context, asked)
    if place.at is not None:
        raise usage("`study show` shows the whole study; `wardiary show MATCH@SEQ` shows the table at an event")
    reply = context.client.study(place.match, place.study, place.seat)
    found = _checked(reply)
    seen = view_match(context, place.match, place.seat)
    told = told_events(seen.names, seen.events(), {number for _, number in reply.numbers})
    shape = StudyShape(
        match=place.match,
        seat=place.seat,
        study=found,
        events=tuple([ToldEvent(at=at, seq=number, sentence=told.get(number, "")) for at, number in reply.numbers]),
        lines=tuple([_told_line(context, place, one) for one in found.lines]),
    )
    context.print_result(shape, _lines(shape))


def _told_line(context: Context, place: _Place, line: Line) -> StudyLineShape:
    """Return a line with its first difference, as all see it."""
    seat = PUBLIC if context.address else place.seat
    played, tried = (view_match(context, one, seat) for one in (place.match, line.match))
    ended = tried.table().ended
    return StudyLineShape(
        entry=line.entry,
        match=line.match,
        name=line.name,
        author=line.author,
        seq=tried.last,
        first=first_difference(played.names, played.events(), tried.events()),
        result="" if ended is None else ended.result,
    )


def _lines(shape: StudyShape) -> Iterator[str]:
    """Return the lines of text of a study: chapters in their order, then what was said, event by event."""
    found = shape.study
    by = _by(found.author)
    if found.is_withdrawn:
        yield f"{found.match}/{found.study}: this study was withdrawn by its author."
        return
    yield f"{found.title} ({found.match}/{found.study}, of what {found.view} sees, by {by})"
    for place, chapter in enumerate(found.chapters, start=1):
        yield f"  Chapter {place}: {chapter.title}, from {chapter.at} on [{chapter.entry}]"
    tried, last = {line.entry: line for line in shape.lines}, 0
    told = {event.at: event.sentence for event in shape.events}
    for one in parts_of(found):
        if one.at != last:
            last = one.at
            yield ""
            yield f"{one.at}  {told.get(one.at, '')}".rstrip()
        if isinstance(one, Comment):
            yield f"    [{one.entry}] {_by(one.author)}: {' '.join([part for part in (one.mark, one.text) if part])}"
        elif isinstance(one, TriedOptions):
            yield from _trial_lines(one)
        else:
            yield from _line_lines(tried[one.entry])


def _line_lines(line: StudyLineShape) -> Iterator[str]:
    yield f"    [{line.entry}] line {line.name}: match {line.match}, {line.result or 'goes on'} ({_by(line.author)})"
    if line.first is not None:
        yield f"        played: {line.first.played or '(nothing more)'}"
        yield f"        here:   {line.first.instead or '(nothing more)'}"


def _trial_lines(tried: TriedOptions) -> Iterator[str]:
    times = counted(tried.times, "trial")
    yield f"    [{tried.entry}] {_by(tried.author)}: {times} of each option, in which {tried.policy} played on to the end (seed {tried.seed})"
    for one in sorted(tried.options, key=lambda one: -one.won):
        played = " [played]" if one.was_played else ""
        yield f"        {percent_of(share(one.won, tried.times))}  {one.words}{played}"
    if said := shares_words([one.words for one in tried.options], [one.won for one in tried.options], tried.times):
        yield f"        {said}"


def _by(author: Author) -> str:
    signed = f"key {author.key[:KEY_SHOWN]}" if author.key else "not signed"
    return f"{author.name} ({f'{author.seat}, ' if author.seat else ''}{signed})"
