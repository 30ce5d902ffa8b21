"""Prints a match as sentences."""

from cli.output.log_text import chapter_lines, event_shapes, remarks_on
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.views.named_match import view_match
from core.telling.narrator import Narrator
from projections.chronicle import Heading, chronicle
from projections.fork_points import points_of
from projections.state.undo_history import undone_events


def show_log(context: Context, match: str, seat: str, first: int, last: int) -> None:
    """Print events `first` to `last` (0: the latest) as a seat sees them.

    Raises:
        UserError: There are no such events.
    """
    seen = view_match(context, match, seat)
    upto = seen.checked(last) if last else seen.number
    if not 1 <= first <= upto:
        raise usage(f"--from must be 1 to {upto}, not {first}", "unknown_sequence")
    before = seen.table(first - 1)
    teller = Narrator(seen.names, before)
    stream = seen.stream(first - 1, upto)
    undone = undone_events(seen.events(first - 1), first)
    begun = seen.slice_at(first).first
    is_over = seen.table(begun - 1).ended is not None
    if context.is_json:
        for shape in event_shapes(
            seen.match, stream, teller, undone, begun=begun, closed_upto=seen.closed_upto, is_over=is_over
        ):
            context.print_json(shape)
        return
    start = Heading.of(before) if first > 1 else None
    slices = list(stream)
    later = seen.stream(upto, seen.number) if upto < seen.number else ()
    chapters = chronicle(slices, start, lambda to: Heading.of(seen.table(to)), undone, is_full=context.is_verbose)
    points = dict(points_of(slices, begun, after=seen.closed_upto, is_over=is_over)) if context.is_verbose else {}
    times = {number: slice_.at for slice_ in slices for number in range(slice_.first, slice_.last + 1)}
    remarks = remarks_on([*slices, *later], first, upto)
    told = chapter_lines(context, teller, chapters, points=points, seat=seen.seat, times=times, remarks=remarks)
    for line in told:
        context.echo(line)
