"""The log as it is printed: chapters of sentences with the numbers of their events."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from cli.output.columns import wrapped
from cli.schemas.matches import EventShape
from cli.shell.context import Context
from core.telling.narrator import Narrator
from core.telling.shared_sentences import Line
from events.ids import PUBLIC, MatchId, Seat
from events.vocabulary import MatchEnded, RemarkOnEvent
from projections.chronicle import Chapter
from projections.fork_points import ForkPoints, points_of
from projections.state.view import EventSlice
from server.page_parts.times import moment_words

NO_POINTS: Mapping[int, ForkPoints] = {}

NO_TIMES: Mapping[int, int] = {}


class Remark(NamedTuple):
    """Words on another event, and their own number."""

    number: int
    event: RemarkOnEvent


NO_REMARKS: Mapping[int, Sequence[Remark]] = {}

PAUSE_MS = 600_000
"""After so long between two sentences the log says when it goes on."""


def remarks_on(slices: Iterable[EventSlice], first: int, last: int) -> dict[int, list[Remark]]:
    """Return the notes, disputes, rulings and appeals on events from a first to a last one, by the numbers of these."""
    found: dict[int, list[Remark]] = {}
    for slice_ in slices:
        for number, event in enumerate(slice_.events, start=slice_.first):
            if isinstance(event, RemarkOnEvent) and event.at is not None and first <= event.at <= last:
                found.setdefault(event.at, []).append(Remark(number, event))
    return found


def event_shapes(
    match: MatchId,
    stream: Iterable[EventSlice],
    teller: Narrator,
    undone: frozenset[int] = frozenset(),
    *,
    begun: int = 0,
    closed_upto: int = 0,
    is_over: bool = False,
) -> Iterator[EventShape]:
    """Convert slices of events to output shapes.

    Args:
        match: The match.
        stream: The slices.
        teller: Follows the events.
        undone: The numbers of the events that were taken back.
        begun: The number of the first event of the first command, if the stream begins in the middle of it.
        closed_upto: The last event at which the viewer cannot fork.
        is_over: Whether the match was over before the stream.
    """
    for slice_ in stream:
        points = dict(points_of([slice_], begun, after=closed_upto, is_over=is_over))
        begun, is_over = 0, is_over or any(isinstance(event, MatchEnded) for event in slice_.events)
        for number, event in enumerate(slice_.events, start=slice_.first):
            sentence = teller.sentence(event)
            teller.follow(event)
            yield EventShape(
                match=match,
                seq=number,
                at=slice_.at,
                event=event,
                sentence=sentence,
                undone=number in undone,
                fork=points[number],
            )


def chapter_lines(
    context: Context,
    teller: Narrator,
    chapters: Iterable[Chapter],
    *,
    points: Mapping[int, ForkPoints] = NO_POINTS,
    seat: Seat = PUBLIC,
    times: Mapping[int, int] = NO_TIMES,
    remarks: Mapping[int, Sequence[Remark]] = NO_REMARKS,
) -> Iterator[str]:
    """Print chapters in lines: headings, then sentences with their events' numbers.

    Args:
        context: The run of the verb.
        teller: Tells the events.
        chapters: The chapters.
        points: Where `seat` forks to change events, by their numbers.
        seat: The viewing seat.
        times: When events happened, by their numbers, in milliseconds since 1970 (UTC). Each heading then has the time of its first sentence,
            and a line of its own has the next time after a pause (`PAUSE_MS`).
        remarks: Notes, disputes, rulings and appeals on events, by the numbers of these: they are told there, too.
    """
    is_first, before = True, 0
    left = sorted(remarks)
    for chapter in chapters:
        lines = teller.lines(chapter.entries, is_full=context.is_verbose)
        if lines:
            yield from _remark_lines(context, teller, remarks, left, lines[0].first)
            yield from [] if is_first else [""]
            is_first = False
            before = at = times.get(lines[0].first, 0)
            yield context.paint(f"{teller.heading(chapter.heading)}{f', {moment_words(at)}' if at else ''}", "")
            for line in lines:
                yield from _remark_lines(context, teller, remarks, left, line.first)
                at = times.get(line.first, 0)
                if at - before >= PAUSE_MS:
                    yield f"{'':>9}  {moment_words(at)}"
                before = at
                known = points.get(line.first)
                yield from told_line(context, line, "" if known is None else _point_words(line.first, known, seat))
    yield from _remark_lines(context, teller, remarks, left, max(left, default=0) + 1)


def _remark_lines(
    context: Context, teller: Narrator, remarks: Mapping[int, Sequence[Remark]], left: list[int], before: int
) -> Iterator[str]:
    """Print the remarks on events before a sentence, and drop these from those that are `left`; an event without a sentence belongs to the one before it."""
    while left and left[0] < before:
        for remark in remarks[left.pop(0)]:
            yield from wrapped(f"{'':>9}  ", f"[{remark.number}] {teller.sentence(remark.event)}", context.width)


def told_line(context: Context, line: Line, more: str = "") -> list[str]:
    """Print one sentence with its events' numbers; with -v also its rule, and `more` about it."""
    rule = f" ({'; '.join(filter(None, (line.rule, more)))})" if context.is_verbose else ""
    return wrapped(f"{line.numbers:>9}  ", f"{line.sentence}{rule}", context.width)


def _point_words(number: int, points: ForkPoints, seat: Seat) -> str:
    """Return in a few words where to fork in order to change an event; empty if it is neither rolled nor the first of a command."""
    viewer = "" if seat == PUBLIC else f" --seat {seat}"
    if points.to_roll is not None:
        return f"fork at {points.to_roll}{viewer} to roll again"
    return f"fork at {points.to_decide}{viewer}" if points.to_decide == number - 1 else ""
