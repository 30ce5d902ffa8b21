"""Step through a match: line by line, at a speed, or by keys."""

import sys
import time
from collections.abc import Callable, Iterator

import typer

from cli.schemas.matches import FrameShape
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.views.match_view import MatchView
from cli.views.named_match import view_match
from cli.views.timeline import Timeline
from core.game_files.printed_names import printed_words
from core.registry.games import package_of
from core.telling.names import PHASE
from core.telling.phrases import spoken, standing
from core.wording import capital, does
from events.ids import Side
from projections.state.table import Table

# Rendering imports the rules, so it is imported only when a table is drawn.

HELP = "→ n space: on   ← p: back   ↓ j, ↑ k: by phases   g, G: first, last   q: quit"
FORWARDS = frozenset(("\x1b[C", "\x1bOC", "n", "l", " ", "\r"))
BACKWARDS = frozenset(("\x1b[D", "\x1bOD", "p", "h", "\x7f"))
DOWN = frozenset(("\x1b[B", "\x1bOB", "j"))
UP = frozenset(("\x1b[A", "\x1bOA", "k"))


def replay(context: Context, match: str, seat: str, *, first: int, last: int, step: str, speed: float) -> None:
    """Replay a match between two events.

    Raises:
        UserError: There are no such events, or the step or the speed is not valid.
    """
    _check_speed(speed)
    seen = view_match(context, match, seat)
    start, end = _span(seen, first, last)
    is_by_keys = not speed and not context.is_json and sys.stdin.isatty() and sys.stdout.isatty()
    timeline = Timeline(seen)
    if is_by_keys:
        _by_keys(context, seen, timeline, start, step or "command")
        return
    stops = _stops(timeline, start, end, step)
    before = stops[0]
    for number in stops:
        _show(context, seen, timeline, before, number)
        before = number
        if speed:
            context.flush()
            time.sleep(1 / speed)


def film(
    context: Context,
    match: str,
    seat: str,
    *,
    first: int,
    last: int,
    step: str,
    speed: float,
    gif: str,
    svg: str,
    theme: str,
    width: int,
    is_forced: bool,
) -> None:
    """Draw the tables of a match between two events to a film; without a speed each is shown for a second.

    Raises:
        UserError: There are no such events, the step, the speed or the width is not valid, or the film is too long.
        OutputRefused: What is there stays.
        StoreUnavailable: The file cannot be written.
    """
    from cli.commands.viewing.draw import draw_film

    _check_speed(speed)
    seen = view_match(context, match, seat)
    stops = _stops(Timeline(seen), *_span(seen, first, last), step)
    draw_film(context, seen, stops, gif=gif, svg=svg, theme=theme, width=width, speed=speed, is_forced=is_forced)


def _check_speed(speed: float) -> None:
    if not 0 <= speed <= 1000:
        raise usage(f"--speed is 0 to 1000 steps per second, not {speed:g}")


def _span(seen: MatchView, first: int, last: int) -> tuple[int, int]:
    """Return the first and the last event; 0 is the latest."""
    return seen.checked(first), seen.checked(last) if last else seen.number


def _stops(timeline: Timeline, start: int, end: int, step: str) -> list[int]:
    """Return the events after which a step ends, backwards if the span is."""
    stops = timeline.stops(step or "phase", min(start, end), max(start, end))
    if start > end:
        stops.reverse()
    return stops


def _show(context: Context, seen: MatchView, timeline: Timeline, before: int, number: int) -> None:
    """Print one step: the table if it is played at a speed on a terminal, else a line."""
    table = timeline.table(number)
    shape = FrameShape(
        match=seen.match,
        seq=number,
        round=table.round,
        turn=table.turn,
        turn_seat=table.turn_seat,
        phase=table.phase,
        tracks=table.tracks,
        held=_held(table),
        ended=table.ended,
    )
    context.print_result(shape, _frame_lines(context, seen, timeline, table, before))


def _held(table: Table) -> dict[Side, int]:
    held: dict[Side, int] = {}
    for side in table.control.values():
        if side:
            held[side] = held.get(side, 0) + 1
    return dict(sorted(held.items()))


def _frame_lines(context: Context, seen: MatchView, timeline: Timeline, table: Table, before: int) -> Iterator[str]:
    if context.has_color:
        from cli.commands.viewing.show import table_lines

        context.clear_screen()
        yield "\n".join(table_lines(context, seen, table))
        return
    yield frame_line(_printed(table), table)
    if context.is_verbose:
        yield from _told(context, seen, timeline, before, table.seq)


def _printed(table: Table) -> Callable[[str], str]:
    """Return a function that names a match's sides, phases and tracks without its rules; empty for ids without a printed name."""
    words = printed_words(package_of(table.game))
    return (lambda id_: words.get(id_, "")) if words else lambda id_: "" if ":" in id_ else spoken(id_)


def frame_line(name: Callable[[str], str], table: Table) -> str:
    """Return the state of a match on one line: tracks, and how many places each side holds.

    Args:
        name: Returns the name of an id; empty for a track to be left out.
        table: The table.
    """
    phase = name(f"{PHASE}:{table.phase}") or name(table.phase)
    round_ = f"{capital(name('round') or 'round')} {table.round}"
    where = standing(round_, name(table.turn), phase) if table.round else name(table.phase) or "Before play"
    tracks = [f"{said} {value}" for track, value in table.tracks.items() if (said := name(track))]
    held = [f"{does(name(side), 'hold')} {count}" for side, count in _held(table).items()]
    over = [f"over: {table.ended.result}"] if table.ended is not None else []
    return "  ".join([f"{table.seq:>6}", where, *tracks, *held, *over])


def _told(context: Context, seen: MatchView, timeline: Timeline, before: int, number: int) -> Iterator[str]:
    """Return the sentences of the events between two stops."""
    from cli.output.log_text import chapter_lines
    from core.telling.narrator import Narrator
    from projections.chronicle import Heading, chronicle
    from projections.state.view import EventSlice

    low, high = min(before, number), max(before, number)
    if low == high:
        return
    slice_ = EventSlice(low + 1, 0, tuple(timeline.events[low:high]))
    start = timeline.table(low)
    chapters = chronicle(
        [slice_], Heading.of(start), lambda to: Heading.of(timeline.table(to)), is_full=context.is_verbose
    )
    for line in chapter_lines(context, Narrator(seen.names, start), chapters):
        yield f"        {line}".rstrip()


def _by_keys(context: Context, seen: MatchView, timeline: Timeline, start: int, step: str) -> None:
    """Step through the match by keys until the user quits."""
    from cli.commands.viewing.show import table_lines

    number = start
    timeline.stops(step, 1, timeline.last)
    while True:
        context.clear_screen()
        context.echo("\n".join(table_lines(context, seen, timeline.table(number))))
        context.echo(f"\n[{number} of {timeline.last}]  {HELP}")
        context.flush()
        key = typer.getchar()
        if key in ("q", "Q", "\x04"):
            return
        number = _walked(timeline, step, number, key)


def _walked(timeline: Timeline, step: str, number: int, key: str) -> int:
    """Return the stop that a key leads to."""
    if key in FORWARDS:
        return timeline.after(step, number)
    if key in BACKWARDS:
        return timeline.before(step, number)
    if key in DOWN:
        return timeline.after("phase", number)
    if key in UP:
        return timeline.before("phase", number)
    return {"g": 1, "G": timeline.last}.get(key, number)
