"""Draws a table or a board to a file."""

from pathlib import Path

from cli.context import Context
from cli.exit_codes import usage
from cli.match_view import view_match
from cli.render import heading_lines
from core.drawing.drawing import drawing_of, panels_of, spread_of
from core.drawing.picture_svg import draw_picture
from core.drawing.themes import THEMES
from core.suggestions import unknown


def draw_table(context: Context, point: str, seat: str, path: str, theme: str) -> None:
    """Draw the table as a seat sees it to an SVG file; - is stdout.

    Raises:
        UserError: The rules or the board of the match are not here, or there is no such theme.
        OSError: The file cannot be written.
    """
    if theme not in THEMES:
        raise usage(unknown("theme", theme, list(THEMES)))
    seen = view_match(context, point, seat)
    table, narration = seen.table(), seen.bound.narration
    drawing = drawing_of(narration, table, seen.title)
    moment = heading_lines(seen.names, table, title=seen.title, match=seen.match, number=table.seq)
    spread, panels = spread_of(drawing, narration, table), panels_of(narration, table)
    write_drawing(context, path, draw_picture(drawing.sheet, spread, panels, " · ".join(moment[1:]), theme), "table")


def write_drawing(context: Context, path: str, svg: str, what: str) -> None:
    """Write a drawing to a file; - is stdout.

    Raises:
        OSError: The file cannot be written.
    """
    if path == "-":
        context.echo(svg.rstrip("\n"))
    else:
        Path(path).write_text(svg, encoding="utf-8")
        context.echo_err(f"drew the {what} to {path}")
