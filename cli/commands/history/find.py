"""Lists events of many matches: those of the store, of a folder of archives, or of a server."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from cli.commands.history.event_search import Wanted, checked_kinds, checked_rule, found_in, may_view
from cli.commands.records.archives import NOT_SHOWN, SUFFIXES, archives_at, read, tell_crlf
from cli.commands.viewing.matches import NO_ROW
from cli.schemas.finding import FoundShape
from cli.shell.arguments import parse_faces, parse_whole
from cli.shell.context import Context
from cli.shell.exit_codes import BROKEN, UserError, usage
from cli.shell.process_pool import in_order
from cli.shell.process_store import store_here
from cli.views.match_filter import listed_game
from cli.views.named_match import named_match
from cli.views.served_match import ArbitersMatch, is_seen_by_arbiter, tell_view, view_served
from core.errors import KernelError, RulesetMissing
from core.history.bounded_fold import BoundedFold
from core.history.match_reader import find_match, summaries
from core.match.live_match import game_of
from core.suggestions import unknown
from core.telling.names import IdsOnly, Names
from core.telling.phrases import plain_words
from core.wording import counted
from events.archive_reader import store_archive
from events.chain import checked
from events.codec import DecodeError, Struct, replace
from events.errors import LogError
from events.ids import ARBITER, PUBLIC, GameKey, MatchId, Seat
from events.log import Log, Stored
from events.memory_log import MemoryLog
from events.vocabulary import MatchEnded, MatchForked, MatchOpened
from projections.catalogue import MatchSummary, Summary
from projections.state.table import Ended, Table
from projections.state.view import whole_view
from server.client.client import Client
from server.protocol.errors import RequestFailed

T = TypeVar("T")

EVENTS_PER_PROCESS = 40_000
"""Fewer events than this are searched faster in this process than in new ones."""


class Search(Struct, frozen=True, kw_only=True):
    """A search: what events must be like, of which matches, and who looks at them.

    `result` is part of the printed result of a match that is over; `is_original`: forks are left out.
    """

    wanted: Wanted
    seat: Seat = PUBLIC
    game: GameKey = GameKey("")
    result: str = ""
    is_original: bool = False

    def is_of(self, game: str, ended: Ended | MatchEnded | None, *, is_fork: bool) -> bool:
        """Return whether a match is searched."""
        if self.game not in ("", game) or (is_fork and self.is_original):
            return False
        return not self.result or (ended is not None and plain_words(self.result) in plain_words(ended.result))


class Searched(Struct, frozen=True):
    """The result for one match: the events, or why it cannot be read; `is_hidden` if the seat may not view it. `seats` are its seats.

    `crlf` names the archive if its lines ended with CR LF.
    """

    found: tuple[FoundShape, ...] = ()
    seats: tuple[Seat, ...] = ()
    problem: str = ""
    is_hidden: bool = False
    crlf: str = ""


def find(
    context: Context,
    where: str,
    *,
    seat: str,
    rule: str,
    card: str,
    about: str,
    kinds: Sequence[str],
    dice: int,
    faces: str,
    by: str,
    text: str,
    game: str,
    result: str,
    is_original: bool,
    limit: int,
) -> None:
    """List events, at most `limit` of them if that is not 0, and name the matches that could not be read.

    Raises:
        UserError: An argument is not valid, or some matches are damaged; each is named, after all were searched.
    """
    search = Search(
        wanted=Wanted(
            rule=rule,
            card=card,
            about=about,
            kinds=_kinds(kinds),
            dice=_number("--dice", dice),
            faces=parse_faces(faces),
            by=Seat(by),
            text=text,
        ),
        seat=Seat(seat),
        game=listed_game(context, game),
        result=result,
        is_original=is_original,
    )
    _number("--limit", limit)
    count, matches, hidden = 0, 0, 0
    problems: list[str] = []
    seats: dict[Seat, None] = {}
    for searched in _searched(context, where, search):
        matches += 1
        hidden += searched.is_hidden
        tell_crlf(context, searched.crlf, has_crlf=bool(searched.crlf))
        seats.update(dict.fromkeys(searched.seats))
        if searched.problem:
            problems.append(searched.problem)
        for one in searched.found[: limit - count] if limit else searched.found:
            context.print_result(one, [f"{one.match}@{one.seq}  {one.sentence}{' (taken back)' if one.undone else ''}"])
            count += 1
        context.flush()
        if limit and count == limit:
            break
    if not count:
        _check_wishes(search, list(seats))
    _tell(context, count, matches, hidden, seat)
    if problems:
        raise UserError(f"not searched: {'; '.join(problems)}", BROKEN, "evidence_broken", defects=problems)


def _check_wishes(search: Search, seats: Sequence[Seat]) -> None:
    """Refuse a search that cannot find anything because of a name.

    Raises:
        UserError: There is no such seat in these matches, or no such rule.
    """
    for seat in (search.seat, search.wanted.by):
        if seats and seat and not may_view(seat, seats):
            raise usage(unknown("seat of these matches", seat, [*seats, PUBLIC, ARBITER]), "unknown_seat")
    if search.wanted.rule:
        try:
            checked_rule(search.wanted.rule)
        except ValueError as error:
            raise usage(str(error), "unknown_name") from None


def _tell(context: Context, count: int, matches: int, hidden: int, seat: str) -> None:
    """Say how much was found; if nothing could be searched, why."""
    if hidden and hidden == matches:
        raise usage(f"no match of these shows its events to seat {seat!r}", "unknown_seat")
    said = f"; {counted(hidden, 'match', 'matches')} not shown to {seat}" if hidden else ""
    context.echo_err(f"{counted(count, 'event')} found in {counted(matches - hidden, 'match', 'matches')}{said}")


def _kinds(kinds: Sequence[str]) -> tuple[str, ...]:
    try:
        return checked_kinds(kinds)
    except ValueError as error:
        raise usage(str(error), "unknown_name") from None


def _number(option: str, number: int) -> int:
    if number < 0:
        raise usage(f"{option} is a number, 0 (any) or more, not {number}")
    return number


def _searched(context: Context, where: str, search: Search) -> Iterator[Searched]:
    """Search matches one by one, in the order of their opening, or archives in the order of their names."""
    path = Path(where) if where else None
    if path is not None and path.exists():
        names = archives_at(path)
        if not names:
            raise usage(f"{where} holds no archives: their names end in {' or '.join(SUFFIXES)}")
        size = sum(one.stat().st_size for one in names)
        # A compressed event takes about 20 bytes.
        yield from _in_parallel(context, partial(_in_file, search), names, size // 20)
    elif context.address:
        yield from _on_server(context, where, search)
    else:
        log = context.log
        matches = [find_match(log, parse_whole(where))] if where else _matches(log, search)
        events = sum(log.head(match).seq for match in matches)
        there = partial(_in_store, search, context.locator)
        here = partial(_in_log, search, log)
        yield from _in_parallel(context, there, matches, events, here)
        if not where:
            yield from [Searched(problem=f"match {match}: {NO_ROW}") for match in log.lost_matches()]


def _in_parallel(
    context: Context,
    work: Callable[[T], Searched],
    things: Sequence[T],
    events: int,
    here: Callable[[T], Searched] | None = None,
) -> Iterator[Searched]:
    """Search on as many cores as are worth the start of a process.

    Args:
        context: Shows the progress.
        work: Searches a match or an archive.
        things: The matches or archives.
        events: About how many events they have.
        here: The same function for this process, if it has a shorter way.
    """
    jobs = max(1, min(os.cpu_count() or 1, len(things), 1 + events // EVENTS_PER_PROCESS))
    with context.progress("searching", len(things)) as progress:
        for searched in in_order(work, things, jobs, "the search", here):
            progress.advance()
            yield searched


def _is_searched(search: Search, one: MatchSummary) -> bool:
    return search.is_of(one.game, one.ended, is_fork=bool(one.parent))


def _matches(log: Log, search: Search) -> Sequence[MatchId]:
    """Return the matches of a log that are searched; a damaged one is, so that its damage is told."""
    if not (search.game or search.result or search.is_original):
        return log.matches()
    known = summaries(log, save=lambda _: None)
    return [match for match, one in known if not isinstance(one, Summary) or _is_searched(search, one.shown)]


def _in_store(search: Search, store: str, match: MatchId) -> Searched:
    return _in_log(search, store_here(store), match)


def _in_file(search: Search, path: Path) -> Searched:
    """Search an archive."""
    log = MemoryLog()
    try:
        archive = read(str(path))
        match = store_archive(archive, log).match
    except LogError as error:
        return Searched(problem=f"{path}: {error}")
    searched = _in_log(search, log, match, file=str(path))
    return replace(searched, crlf=str(path)) if archive.has_crlf else searched


def _in_log(search: Search, log: Log, match: MatchId, *, file: str = "") -> Searched:
    """Search a match of a log, after its whole chain was checked."""
    try:
        return _in_commits(search, log, match, list(log.read(match)), file)
    except (LogError, DecodeError, KernelError) as error:
        return Searched(problem=f"{file or f'match {match}'}: {error}")


def _in_commits(search: Search, log: Log, match: MatchId, stored: Sequence[Stored], file: str) -> Searched:
    commits = list(checked(stored, match))
    events = [event for commit in commits for event in commit.events]
    opening = events[0]
    assert isinstance(opening, MatchOpened), "every match that passes its check begins with its opening"
    ended = next((event for event in reversed(events) if isinstance(event, MatchEnded)), None)
    if not search.is_of(opening.game, ended, is_fork=any(isinstance(event, MatchForked) for event in events)):
        return Searched()
    if not may_view(search.seat, opening.seats):
        return Searched(is_hidden=True, seats=opening.seats)
    fitting = [place for place, event in enumerate(events) if search.wanted.may_fit(event)]
    if not fitting:
        return Searched(seats=opening.seats)
    # A table of what happened up to the last of them: most matches need none, and it takes longer than all else.
    table = Table()
    folding = BoundedFold(table)
    for one, commit in zip(stored, commits, strict=True):
        if commit.first <= fitting[-1] + 1:
            folding.take(commit.events, commit.match, len(one.body))
    folding.measure(match)
    view = whole_view(events, search.seat)
    seen = [view.take(commit.events, commit.at, commit.last) for commit in commits]
    slices = [one for one in seen if one is not None]
    found = found_in(match, table.game, slices, _names(log, table), search.wanted, file=file)
    return Searched(tuple(found), opening.seats)


def _names(log: Log, table: Table) -> Names:
    """Return the names of a match; ids if its game or its board is not here."""
    try:
        return Names(game_of(log, table).narration)
    except RulesetMissing:
        return Names(IdsOnly(table.game))


def _on_server(context: Context, where: str, search: Search) -> Iterator[Searched]:
    """Search the matches of a server that show their events to the seat."""
    client = context.client
    only = named_match(context, parse_whole(where), search.seat) if where else MatchId("")
    known = client.matches_like(only, 1) if only else client.matches()
    wanted = [one for one in known if one.problem or _is_searched(search, one)]
    with context.progress("searching", len(wanted)) as progress:
        for one in wanted:
            broken = Searched(problem=f"match {one.match}, {one.problem}")
            yield broken if one.problem else _of_server(context, one.match, search, one.seats)
            progress.advance()


def _of_server(context: Context, match: MatchId, search: Search, seats: tuple[Seat, ...]) -> Searched:
    """Search a match of a server, as far as it shows its events to the seat."""
    context.add_secrets(match, search.seat)
    try:
        if is_seen_by_arbiter(context.client, match, search.seat):
            return Searched(_found_by_arbiter(context.client, match, search), seats)
        seen = view_served(context.client, match, search.seat, None)
    except RequestFailed as error:
        if error.code in NOT_SHOWN:
            return Searched(is_hidden=True, seats=seats)
        return Searched(problem=f"match {match}: {error}")
    return Searched(tuple(found_in(match, seen.game.key, seen.stream(), seen.names, search.wanted)), seats)


def _found_by_arbiter(client: Client, match: MatchId, search: Search) -> tuple[FoundShape, ...]:
    """Search what a seat saw of a match, as its arbiter; it is on record before anything is shown, and only then."""
    seen = ArbitersMatch(client, match, search.seat)
    found = tuple(found_in(match, seen.game.key, seen.stream(), seen.names, search.wanted))
    if found:
        tell_view(client, seen)
    return found
