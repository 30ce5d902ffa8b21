"""Shows the table or the statistics of a match."""

from collections.abc import Iterator

from cli.match_view import MatchView, view_match
from cli.render import Drawing, heading_lines
from cli.schemas.matches import TableShape
from cli.statistics import statistics_lines, statistics_shape
from cli.world import World
from projections.table import Table


def show_table(world: World, point: str, seat: str) -> None:
    """Show the table as a seat sees it."""
    seen = view_match(world, point, seat)
    table = seen.table()
    shape = TableShape(match=seen.match, seat=seen.seat, seq=seen.number, table=table)
    world.put(shape, table_lines(world, seen, table))


def table_lines(world: World, seen: MatchView, table: Table) -> Iterator[str]:
    """Draw a table with its heading."""
    names = seen.names
    yield from heading_lines(names, table, title=seen.title, match=seen.match, number=table.seq)
    yield from Drawing(names, table, world.width, world.paint, is_full=world.is_verbose).lines()


def show_statistics(world: World, point: str, seat: str) -> None:
    """Show dice, losses and control as far as a seat knows of them."""
    seen = view_match(world, point, seat)
    figures = statistics_shape(seen)
    world.put(figures, statistics_lines(seen.names, figures, world.width))
