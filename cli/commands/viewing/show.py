"""Shows the table or the statistics of a match."""

from collections.abc import Iterator

from cli.output.columns import wrapped
from cli.output.statistics_text import statistics_lines, statistics_shape
from cli.output.table_text import Drawing, heading_lines
from cli.schemas.matches import TableShape
from cli.shell.context import Context
from cli.views.match_view import MatchView
from cli.views.named_match import view_match
from core.match.arbitration.disputes import STANDS
from core.telling.chosen_options import chosen_options, options_words
from projections.state.table import Table
from server.client.adopting import standstill

TAKING_BACK = {
    "free": "Taken back is only what nobody has learned from.",
    "no": "Nothing is taken back in this match.",
}
"""What is said of a match in which less may be taken back than the others agree to."""


def show_table(context: Context, point: str, seat: str) -> None:
    """Show the table as a seat sees it."""
    seen = view_match(context, point, seat)
    table = seen.table()
    at = seen.time_at(seen.number)
    installed = seen.installed if seen.number == seen.last else None
    shape = TableShape(match=seen.match, seat=seen.seat, seq=seen.number, at=at, table=table, installed=installed)
    told = [] if installed is None else wrapped("", standstill(table, installed), context.width)
    context.print_result(shape, [*told, *table_lines(context, seen, table, at)])


def table_lines(context: Context, seen: MatchView, table: Table, at: int = 0) -> Iterator[str]:
    """Draw a table with its heading, and with the time of its last event (milliseconds since 1970, UTC) if that is given."""
    names = seen.names
    yield from heading_lines(names, table, title=seen.title, match=seen.match, number=table.seq, at=at)
    options = chosen_options(table.game, table.options)
    for said in options_words(options if context.is_verbose else [one for one in options if not one.is_default]):
        yield from wrapped("", said, context.width)
    for name, text in table.house_rules.items():
        yield from wrapped(f"House rule {name}: ", text, context.width)
    if table.taking_back != "consent":
        yield from wrapped("", TAKING_BACK[table.taking_back], context.width)
    for dispute in table.disputes:
        line = f" The match goes on as {dispute.line}." if dispute.line else ""
        yield from wrapped("", f"Disputed: event {dispute.at}, which {STANDS[dispute.stand]}.{line}", context.width)
    drawing = Drawing(names, table, context.width, context.paint, is_full=context.is_verbose, seat=seen.seat)
    yield from drawing.lines()


def show_statistics(context: Context, point: str, seat: str) -> None:
    """Show dice, losses and control as far as a seat knows of them."""
    seen = view_match(context, point, seat)
    figures = statistics_shape(seen)
    context.print_result(figures, statistics_lines(seen.names, figures, context.width))
