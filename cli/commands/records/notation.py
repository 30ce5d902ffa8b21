"""Writes matches as notation, and plays what a notation tells."""

import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from cli.commands.records.archives import evidence_seat, only_for_arbiter
from cli.commands.records.study import NamedStudy, read_study
from cli.commands.viewing.matches import entries
from cli.schemas.evidence import NotationShape
from cli.shell.arguments import parse_whole, shown_file
from cli.shell.context import Context
from cli.views.match_view import MatchView
from cli.views.named_match import view_match
from core.errors import RulesetMissing
from core.match.bound_games import read_position
from core.notation.notation import FORMAT, Move, Notation, NotationInvalid
from core.notation.notation_text import CHARACTERS_MAX, notation_text, read_notation
from core.notation.played_notation import PlayedNotation
from core.notation.recorded_notation import Branch, NotationWriter, Told, seen_of, told
from core.notation.study_notation import placed, tag_of_study, written
from core.positions.position import Position
from core.wording import counted
from events.archive import Evidence
from events.archive_reader import store_archive
from events.commit import decode_commit
from events.errors import UnknownMatch
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.log import Log
from server.client.served_evidence import ServedEvidence
from server.protocol.clock import SystemClock
from server.protocol.errors import RequestFailed
from server.protocol.study_texts import author_problem, said_problem
from server.store.whole_file import check_output, write_whole

STDOUT = "-"
BEGINS = f'[Format "{FORMAT.partition("/")[0]}'.encode()
"""The first bytes of a notation, whatever its version."""


def export_notation(context: Context, match: str, file: str, seat: str, *, is_forced: bool) -> None:
    """Write a match, or what a seat saw of it, as notation.

    Raises:
        UserError: There is no such match or seat, or the server does not send it to this client.
        NoNotation: Orders alone do not tell this match.
        OutputRefused: What is in place of the file stays.
    """
    if file != STDOUT:
        check_output(Path(file), "notations", may_replace=is_forced)
    name, slash, _ = match.partition("/")
    seen = view_match(context, parse_whole(name), PUBLIC if seat == ARBITER else seat)
    told = read_study(context, match, seat) if slash else None
    found = _whole(context, seen, told) if seat == ARBITER else _seen(seen, told)
    text = notation_text(found)
    is_secret = seat != PUBLIC and not seen.table().ended
    if file != STDOUT:
        write_whole(Path(file), [text.encode()], "notations", is_private=is_secret, may_replace=is_forced)
    elif not context.is_json:
        sys.stdout.write(text)
    if seat == ARBITER and is_secret and seen.has_begun:
        context.echo_err(
            f"match {seen.match} is running, and this notation holds the orders of every seat: --seat writes what one seat saw"
        )
    shape = _shape(found, seen.match, Seat(seat), file, text if file == STDOUT else "")
    if file != STDOUT or context.is_json:
        context.print_result(shape, [f"{seen.match}: {counted(shape.orders, 'order')} to {shown_file(file)}"])


def _whole(context: Context, seen: MatchView, told: NamedStudy | None) -> Notation:
    """Return the notation of everything that happened in a match, with its forks; of a study, with its lines."""
    match = seen.match
    try:
        evidence: Evidence = (
            ServedEvidence(context.client, match, evidence_seat(context, match)) if context.address else context.log
        )
        commits = _commits(evidence, match)
    except RequestFailed as error:
        if error.code != "not_your_seat":
            raise
        raise only_for_arbiter(error) from None
    names = {} if told is None else {line.match: line.name for line in told.study.lines}
    branches = {} if context.address else _branches(context, match, names if told is not None else None)
    writer = NotationWriter(seen.bound, branches, names)
    return _with(told, writer, match, commits, _position(evidence, seen))


def _with(
    told: NamedStudy | None,
    writer: NotationWriter,
    match: MatchId,
    commits: Sequence[Told],
    position: Position | None = None,
) -> Notation:
    """Return the notation of what is known of a match, with what a study says of it."""
    said = () if told is None else placed(told.study, told.numbers)
    found = writer.notation(match, commits, position, _day(commits[0].at), said)
    if told is not None:
        found.tags.append(tag_of_study(told.study))
    return found


def _commits(evidence: Evidence, match: MatchId) -> tuple[Told, ...]:
    return tuple([told(decode_commit(one.body)) for one in evidence.read(match)])


def _branches(context: Context, match: MatchId, wanted: Collection[MatchId] | None) -> dict[MatchId, list[Branch]]:
    """Return the forks of a match of the store, and theirs, by parent; all of them, or those wanted with what they were forked from."""
    forks: dict[MatchId, list[MatchId]] = {}
    parents = {entry.match: entry.parent for entry in entries(context) if entry.parent and not entry.problem}
    kept = set(parents) if wanted is None else _with_ancestors(wanted, parents)
    for fork, parent in parents.items():
        if fork in kept:
            forks.setdefault(parent, []).append(fork)
    found: dict[MatchId, list[Branch]] = {}
    waiting = [match]
    while waiting:
        parent = waiting.pop()
        for fork in forks.get(parent, ()):
            origin = context.log.origin(fork)
            if origin is not None:
                found.setdefault(parent, []).append(Branch(fork, origin.seq, _commits(context.log, fork)))
                waiting.append(fork)
    return found


def _with_ancestors(wanted: Collection[MatchId], parents: Mapping[MatchId, MatchId]) -> set[MatchId]:
    kept: set[MatchId] = set()
    waiting = list(wanted)
    while waiting:
        match = waiting.pop()
        if match in parents and match not in kept:
            kept.add(match)
            waiting.append(parents[match])
    return kept


def _seen(seen: MatchView, told: NamedStudy | None) -> Notation:
    """Return the notation of what a seat has seen."""

    def known() -> Iterator[Told]:
        for slice_ in seen.stream():
            yield seen_of(slice_, seen.commit_at(slice_.first))

    listed = list(known())
    return _with(told, NotationWriter(seen.bound), seen.match, listed)


def _position(evidence: Evidence, seen: MatchView) -> Position | None:
    digest = seen.table().position
    content = None if digest is None else evidence.attachment(digest)
    if digest is not None and content is None:
        raise RulesetMissing("the position from which the match began is missing")
    return None if content is None else read_position(content.decode())


def _day(at: int) -> str:
    """Return a day as in 2026-11-29, from milliseconds since 1970 (UTC); empty for 0, the time of a match that was played without a clock."""
    return datetime.fromtimestamp(at / 1000, UTC).date().isoformat() if at else ""


def notation_in(file: str) -> str | None:
    """Return the text of a file that holds a notation, or None if it holds something else, cannot be read, or is stdin."""
    if file == STDOUT:
        return None
    with suppress(OSError), Path(file).open("rb") as stream:
        start = stream.read(len(BEGINS) + 3).removeprefix(b"\xef\xbb\xbf")
        if not start.startswith(BEGINS):
            return None
        stream.seek(0)
        return stream.read(4 * CHARACTERS_MAX).decode(errors="replace")
    return None


def import_notation(context: Context, file: str, text: str) -> None:
    """Play a notation, and store its match and a fork for each variation; nothing is stored unless all of it can be played.

    Raises:
        NotationInvalid: It is not a notation, or its dice or its result are not those that the rules lead to.
        NotationRefused: The rules do not allow an order.
        SetupInvalid: The match cannot be opened like this.
    """
    found = read_notation(text)
    played = PlayedNotation(found, sha256(text.encode()).hexdigest(), SystemClock().now_ms())
    log = context.writable_log
    match, *forks = played.matches
    is_new = not _has(log, match)
    name, told = "", [] if played.study is None else played.study.entries()
    for entry in told:
        if problem := said_problem(entry.said) or author_problem(entry.author):
            raise NotationInvalid(entry.line, f"the study cannot say this: {problem}")
    if is_new:
        for archive in played.archives():
            store_archive(archive, log)
        if told:
            study, bodies = written(match, told, SystemClock().now_ms())
            for number, body in enumerate(bodies, start=1):
                log.append_study(match, study, number, body)
            name = f"{match}/{study}"
    else:
        context.echo_err(f"the store has match {match} already")
    shape = _shape(found, match, ARBITER, file, "", is_new=is_new, forks=forks, study=name)
    context.print_result(shape, [match, *forks, *([name] if name else [])])


def _has(log: Log, match: MatchId) -> bool:
    """Return whether a store has a match."""
    try:
        return log.head(match).seq > 0
    except UnknownMatch:
        return False


def _shape(
    found: Notation,
    match: MatchId,
    seat: Seat,
    file: str,
    text: str,
    *,
    is_new: bool = False,
    forks: Sequence[MatchId] = (),
    study: str = "",
) -> NotationShape:
    return NotationShape(
        match=match,
        seat=seat,
        file=file,
        orders=len(found.moves),
        variations=_variations(found.moves),
        result=found.result,
        added=is_new,
        forks=tuple(forks),
        study=study,
        text=text,
    )


def _variations(moves: Sequence[Move]) -> int:
    return sum([1 + _variations(line) for move in moves for line in move.lines])
