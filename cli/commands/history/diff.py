"""Compares two points."""

from collections.abc import Iterator

from cli.output.columns import in_columns
from cli.schemas.evidence import DiffShape
from cli.shell.arguments import parse_point
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.views.match_view import MatchView
from cli.views.named_match import named_match, view_match
from core.telling.narrator import Narrator
from core.telling.table_difference import difference_rows
from events.vocabulary import Event
from projections.diff import Parting, diff_tables, parting
from projections.state.table import Table


def diff(context: Context, a: str, b: str, seat: str) -> None:
    """Compare two points as a seat sees them.

    Raises:
        UserError: They are points of two games.
    """
    one = view_match(context, a, seat)
    prefix, number = parse_point(b or one.match)
    # Two points of one match are compared in one reading of it.
    is_same = bool(prefix) and one.match.startswith(prefix) and named_match(context, prefix, seat) == one.match
    other = one.upto(number) if is_same else view_match(context, b, seat)
    tables = (one.table(), other.table())
    if tables[0].game != tables[1].game:
        games = f"{one.match} is a match of {one.title}, {other.match} one of {other.title}"
        raise usage(f"{games}: only matches of one game can be compared", "other_game")
    shape = DiffShape(
        a=f"{one.match}@{one.number}",
        b=f"{other.match}@{other.number}",
        tables=diff_tables(*tables),
        parting=parting(one.events(), other.events()),
    )
    context.print_result(shape, _lines(context, one, tables, shape))


def _lines(context: Context, one: MatchView, tables: tuple[Table, Table], shape: DiffShape) -> Iterator[str]:
    names = one.names
    if shape.parting is None:
        yield f"{shape.a} and {shape.b} are the same, event by event."
        return
    yield from _parting_lines(Narrator(names, one.table(shape.parting.number_a - 1)), shape.parting)
    yield ""
    if shape.tables.is_empty:
        yield "The tables are equal."
        return
    names_then = (names.on(tables[0]), names.on(tables[1]))
    rows = list(difference_rows(names_then, shape.tables, is_full=context.is_verbose))
    yield from in_columns(["", shape.a, shape.b], rows, max(context.width, 100))


def _parting_lines(teller: Narrator, found: Parting) -> Iterator[str]:
    def said(event: Event | None) -> str:
        return "(nothing more)" if event is None else teller.sentence(event)

    yield "The first events that differ:"
    yield f"  A@{found.number_a}  {said(found.a)}"
    yield f"  B@{found.number_b}  {said(found.b)}"
