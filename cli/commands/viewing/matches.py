"""List matches, and a match among its forks."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from cli.output.columns import in_columns
from cli.schemas.matches import MatchShape
from cli.shell.arguments import parse_duration, parse_whole, told_duration
from cli.shell.context import Context
from cli.shell.exit_codes import BROKEN, UserError, usage
from cli.views.match_filter import ALL_MATCHES, MatchFilter, check_seat
from cli.views.named_match import named_match
from core.game_files.printed_names import printed_words
from core.history.match_reader import DAMAGE, damage_to, find_match, relatives, summaries, summary_at_head
from core.registry.games import package_of, typed_key
from core.telling.phrases import listed, spoken
from events.codec import extended
from events.errors import StoreUnavailable, UnknownMatch
from events.ids import GameKey, MatchId, Seat
from events.log import Log, NewSummary
from projections.catalogue import MatchSummary, Summary, damaged_match, family
from projections.state.seating import winning_players
from server.protocol.clock import SystemClock
from server.store.sqlite_log import SqliteLog

NO_ROW = "its row in the table of matches is missing, but its commits are there"

_HEADINGS = ("Match", "Game", "Players", "Stands", "Waits for", "Events", "Fork of")
_EVENTS = _HEADINGS.index("Events")
_LEAST = (_EVENTS, _HEADINGS.index("Fork of"))
"""The columns that are left out first if the list is too wide."""

UNLIMITED = 1 << 20
"""A width into which every list fits: what is not read at a terminal has each match on one line."""

SHORT = 6
"""The shortest beginning of an id that is shown for it."""

NARROW = 9
"""Width below which a column of the list is not narrowed."""

NO_SHORT_IDS: Mapping[MatchId, str] = {}


def list_matches(
    context: Context, after: str = "", limit: int = 0, late_after: str = "", wanted: MatchFilter = ALL_MATCHES
) -> None:
    """List the matches of the store or the server, in the order of their opening.

    Args:
        context: The run of the verb.
        after: Only those opened after this one, an id or the beginning of one; empty for all.
        limit: The most matches to list; 0 for all.
        late_after: After what time a decision is late; empty for never.
        wanted: Which matches are listed.

    Raises:
        UnknownMatch: There is no match `after`.
        UserError: The limit is negative; no match has the wanted seat; or some matches are damaged: each is named, after all were listed.
    """
    if limit < 0:
        raise usage(f"--limit is a number of matches, 0 (all) or more, not {limit}")
    stale: list[NewSummary] = []
    late = parse_late(late_after)
    if not (context.address or context.is_store_named or context.store.exists()):
        context.echo_err("no match has been played yet; `wardiary games` lists the games")
        return
    found = entries(context, after, 0 if wanted.is_needed else limit, stale.extend)
    if wanted.is_needed:
        check_seat(wanted.seat, found)
        found = [entry for entry in found if wanted.keeps(entry)][: limit or None]
    if context.is_json:
        for entry in found:
            context.print_json(match_shape(entry, late=late))
    else:
        context.echo_lines(_list_lines(found, late, context.width if context.is_terminal else UNLIMITED))
    problem = "" if context.address else context.log.problem
    _keep(context, stale)
    _name_damaged(found)
    if problem:
        raise UserError(f"{context.store}: {problem}", BROKEN, "evidence_broken")


def entries(
    context: Context,
    after: str = "",
    limit: int = 0,
    save: Callable[[Sequence[NewSummary]], None] = lambda _: None,
) -> list[MatchSummary]:
    """Return the matches of the store or the server, in the order of their opening; last those whose own rows are lost.

    Args:
        context: The run of the verb.
        after: Only those opened after this one, an id or the beginning of one; empty for all.
        limit: The most matches; 0 for all.
        save: Receives summaries that had to be made.

    Raises:
        UnknownMatch: There is no match `after`.
    """
    if context.address:
        first = named_match(context, after) if after else MatchId("")
        return context.client.matches(first, limit)
    log = context.log
    told = summaries(log, find_match(log, after) if after else None, limit or None, save=save)
    lost = [damaged_match(match, NO_ROW) for match in log.lost_matches()]
    return [*(_entry(log, match, summary) for match, summary in told), *lost]


def show_tree(context: Context, match: str) -> None:
    """Show the family of a match: its root, and each fork below its parent.

    Raises:
        UnknownMatch: There is no such match.
        UserError: Some of them are damaged; each is named, after all were shown.
    """
    asked = named_match(context, parse_whole(match))
    if context.address:
        branches = family(entries(context), asked)
    else:
        log = context.log
        branches = family([_entry_of(log, each) for each in relatives(log, asked)], asked)
    for branch in branches:
        entry = branch.entry
        left = f"after event {entry.forked_at}: " if entry.parent else ""
        mark = "  <- this one" if entry.match == asked else ""
        told = (
            f"{_what(*_played(entry))}, {standing(entry)}, {entry.seq} events" if not entry.problem else _damaged(entry)
        )
        line = f"{'    ' * branch.depth}{left if branch.depth else ''}{entry.match}  {told}{mark}"
        context.print_result(match_shape(entry, branch.depth), [line])
    _name_damaged([branch.entry for branch in branches])


def _keep(context: Context, stale: Sequence[NewSummary]) -> None:
    """Cache new summaries in the store, so that the next list is faster; a store that cannot be written is left as it is."""
    if not stale:
        return
    if not context.is_store_a_file:
        with suppress(StoreUnavailable):
            context.writable_log.save_summaries(stale)
        return
    context.close_store()
    with suppress(StoreUnavailable), SqliteLog(context.store, timeout_s=0.0, alone=True) as log:
        log.save_summaries(stale)


def _name_damaged(entries: Iterable[MatchSummary]) -> None:
    """Report every damaged match.

    Raises:
        UserError: Some matches are damaged.
    """
    damaged = [f"match {entry.match}, {entry.problem}" for entry in entries if entry.problem]
    if damaged:
        count = "one match is" if len(damaged) == 1 else f"{len(damaged)} matches are"
        raise UserError(f"{count} damaged: {'; '.join(damaged)}", BROKEN, "evidence_broken", defects=damaged)


def _entry_of(log: Log, match: MatchId) -> MatchSummary:
    try:
        return summary_at_head(log, match).shown
    except DAMAGE as error:
        return _entry(log, match, damage_to(match, error))


def _entry(log: Log, match: MatchId, told: Summary | str) -> MatchSummary:
    if not isinstance(told, str):
        return told.shown
    try:
        origin = log.origin(match)
    except (*DAMAGE, UnknownMatch):
        origin = None
    return damaged_match(match, told) if origin is None else damaged_match(match, told, origin.parent, origin.seq)


class Lateness(NamedTuple):
    """Late decisions: those for which a match has waited longer than `after_ms` at the time `now_ms`; None for nothing."""

    now_ms: int
    after_ms: int | None

    def waited_ms(self, entry: MatchSummary) -> int:
        """Return how long a match has waited for its decision."""
        return entry.waiting.waited_ms(self.now_ms)

    def is_late(self, entry: MatchSummary) -> bool:
        """Return whether the decision of a match is late; nobody is late while it is paused or stands still."""
        is_held = entry.ended is not None or entry.paused is not None or entry.installed is not None
        return (
            bool(entry.to_move) and not is_held and self.after_ms is not None and self.waited_ms(entry) > self.after_ms
        )


def parse_late(late_after: str) -> Lateness:
    """Return what is late now; with an empty text nothing is.

    Raises:
        UserError: The text is not a duration.
    """
    return Lateness(SystemClock().now_ms(), parse_duration(late_after) if late_after else None)


def match_shape(entry: MatchSummary, depth: int = 0, late: Lateness | None = None) -> MatchShape:
    """Convert a summary to its output shape."""
    late = parse_late("") if late is None else late
    return extended(
        entry,
        MatchShape,
        won_by=winning_players(entry.ended, entry.players),
        waited_s=late.waited_ms(entry) // 1_000,
        late=late.is_late(entry),
        depth=depth,
    )


def _list_lines(entries: Sequence[MatchSummary], late: Lateness, width: int) -> list[str]:
    """Lay the list out; if it is too wide, without empty columns, with the beginnings of ids that are unique here, and with wrapped cells.

    Where even that is too wide, the columns that say least are left out.
    """
    lines = in_columns(_HEADINGS, [_row(entry, late) for entry in entries], UNLIMITED, right=[_EVENTS])
    if max(map(len, lines)) <= width:
        return lines
    short = _shortened([known for entry in entries for known in (entry.match, entry.parent) if known])
    rows = [_row(entry, late, short) for entry in entries]
    kept = [place for place in range(len(_HEADINGS)) if any(row[place] for row in rows)]
    for dropped in (None, *_LEAST):
        kept = [place for place in kept if place != dropped]
        cells = [[row[place] for place in kept] for row in rows]
        right = [kept.index(_EVENTS)] if _EVENTS in kept else []
        lines = in_columns([_HEADINGS[place] for place in kept], cells, width, right=right, least=NARROW)
        if max(map(len, lines)) <= width:
            break
    return lines


def _shortened(matches: Sequence[MatchId]) -> dict[MatchId, str]:
    """Return for each match the beginning of its id that no other one of these has, of a length that is the same for all."""
    every = set(matches)
    lengths = range(SHORT, max(map(len, every), default=0))
    length = next((one for one in lengths if len({match[:one] for match in every}) == len(every)), None)
    return {match: match[:length] for match in every}


def _row(entry: MatchSummary, late: Lateness, short: Mapping[MatchId, str] = NO_SHORT_IDS) -> list[str]:
    name, origin = short.get(entry.match, entry.match), _origin(entry, short)
    if entry.problem:
        return [name, _damaged(entry), "", "", "", "", origin]
    return [
        name,
        f"{entry.title}: {_what(*_played(entry))}" if entry.title else _what(*_played(entry)),
        _players(entry),
        standing(entry),
        awaited(entry, late),
        str(entry.seq),
        origin,
    ]


def _players(entry: MatchSummary) -> str:
    """Return the players by name, each with the seats unless it has all, then those whom others followed."""
    now = _with_seats(entry.players.items(), entry.seats)
    if not entry.former:
        return ", ".join(now)
    before = [(seat, name) for seat, names in entry.former.items() for name in names]
    return ", ".join([*now, *[f"formerly {one}" for one in _with_seats(before, entry.seats)]])


def _with_seats(players: Iterable[tuple[str, str]], every: Sequence[str]) -> list[str]:
    """Return the names that are not empty, each with its seats unless these are all."""
    seats: dict[str, list[str]] = {}
    for seat, name in players:
        if name:
            seats.setdefault(name, []).append(seat)
    return [name if len(taken) == len(every) else f"{name} ({', '.join(taken)})" for name, taken in seats.items()]


def awaited(entry: MatchSummary, late: Lateness) -> str:
    """Return whom a match waits for, for how long, and whether that is late; empty if for nobody."""
    if entry.ended is not None or entry.installed is not None:
        return ""
    found = [f"{_who(entry, seat)}, a link for the dice" for seat in entry.links_due]
    found += [f"{_who(entry, seat)}, asked to take back" for seat in entry.asked]
    if not entry.began:
        found += [", ".join(name or seat for seat, name in entry.reserved.items() if seat in entry.seats)]
    elif entry.to_move:
        waited = told_duration(late.waited_ms(entry))
        found.append(f"{_who(entry, entry.to_move)}, {waited}{', LATE' if late.is_late(entry) else ''}")
    return "; ".join(filter(None, found))


def _who(entry: MatchSummary, seat: Seat) -> str:
    player = entry.players.get(seat, "")
    return f"{seat} ({player})" if player else seat


def _damaged(entry: MatchSummary) -> str:
    return f"DAMAGED, {entry.problem}"


def _played(entry: MatchSummary) -> tuple[GameKey, str, str, str, str]:
    return entry.game, entry.variant, entry.scenario, entry.mode, entry.dice


@lru_cache
def _what(game: GameKey, variant: str, scenario: str, mode: str, dice: str) -> str:
    """Return the words for what is played. In a long list most of them are alike."""
    named = f"variant {variant}" if variant else ""
    return " ".join([word for word in (typed_key(game), named, scenario, mode, f"({dice})") if word])


def standing(entry: MatchSummary) -> str:
    """Return the state of a match in a few words, with a ruling that is due and the match as which it goes on."""
    due = "disputed" if entry.disputed else ""
    onward = f"goes on as {entry.goes_on}" if entry.goes_on else ""
    return ", ".join(filter(None, (_standing(entry), due, onward)))


def _standing(entry: MatchSummary) -> str:
    if entry.ended is not None:
        names = listed(winning_players(entry.ended, entry.players))
        return f"{entry.ended.result}{f', won by {names}' if names else ''}"
    if entry.paused is not None:
        return "paused"
    if entry.installed is not None:
        return "stands still: other rules are installed"
    if not entry.began:
        free = len(entry.seats) - len(entry.players)
        return f"waits for {free} player{'' if free == 1 else 's'}" if free else "waits to begin"
    words = printed_words(package_of(entry.game))
    phase = (
        words.get(f"phase:{entry.phase}")
        or words.get(entry.phase, spoken(entry.phase))
        or words.get(entry.turn, entry.turn)
    )
    return f"{words.get('round', 'round').lower()} {entry.round}, {phase}" if entry.round else phase or "begun"


def _origin(entry: MatchSummary, short: Mapping[MatchId, str]) -> str:
    return f"{short.get(entry.parent, entry.parent)}@{entry.forked_at}" if entry.parent else ""
