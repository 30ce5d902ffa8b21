"""Draws a table, a board or a span of a match to a file."""

import sys
from collections.abc import Sequence
from pathlib import Path

from cli.context import Context
from cli.exit_codes import usage
from cli.match_view import MatchView, view_match
from cli.pixels import FRAMES_MAX, gif_of, png_of, require_pixels
from cli.render import heading_lines
from cli.timeline import Timeline
from core.drawing.drawing import draw_table, picture_of
from core.drawing.film_svg import draw_film as film_of
from core.drawing.picture_svg import Picture
from core.drawing.themes import AUTO, LIGHT
from projections.table import Table

STDOUT = "-"


def draw_to_file(context: Context, point: str, seat: str, *, svg: str, png: str, theme: str, width: int) -> None:
    """Draw the table as a seat sees it to an SVG or a PNG file; - is stdout. What the latest command changed is marked.

    Raises:
        UserError: The rules or the board of the match are not here, or pixels cannot be drawn.
        OSError: The file cannot be written.
    """
    if svg and png:
        raise usage("one of --svg and --png at a time")
    if png:
        require_pixels()
    seen = view_match(context, point, seat)
    timeline = Timeline(seen)
    before = timeline.table(timeline.before("command", seen.number))
    drawn = _drawn(seen, timeline.table(seen.number), before, _for_pixels(theme) if png else theme)
    data = png_of(drawn, width) if png else drawn.encode()
    write_drawing(context, svg or png, data, "table")


def draw_film(
    context: Context, seen: MatchView, stops: Sequence[int], *, gif: str, svg: str, theme: str, width: int, speed: float
) -> None:
    """Draw the tables after some events to a GIF or an SVG file; - is stdout.

    Raises:
        UserError: As for a table, or there are too many pictures.
        OSError: The file cannot be written.
    """
    if gif and svg:
        raise usage("one of --gif and --svg at a time")
    if gif:
        require_pixels()
    if len(stops) > FRAMES_MAX:
        raise usage(f"{len(stops)} pictures are too many for a film of {FRAMES_MAX}; --from, --to and --step choose")
    timeline = Timeline(seen)
    pictures, pixels = list[Picture](), list[bytes]()
    before = timeline.table(max(0, stops[0] - 1))
    with context.progress("drawing", len(stops)) as progress:
        for number in stops:
            table = timeline.table(number)
            if gif:
                pixels.append(png_of(_drawn(seen, table, before, _for_pixels(theme)), width))
            else:
                moment = _moment(seen, table)
                pictures.append(picture_of(seen.bound.narration, table, seen.title, moment, before=before))
            before = table
            progress.advance()
    seconds = 1 / (speed or 1.0)
    data = gif_of(pixels, seconds) if gif else film_of(pictures, seconds, theme).encode()
    write_drawing(context, gif or svg, data, "film")


def _for_pixels(theme: str) -> str:
    """Return a theme that does not depend on the viewer."""
    return LIGHT if theme == AUTO else theme


def _drawn(seen: MatchView, table: Table, before: Table, theme: str) -> str:
    moment = _moment(seen, table)
    return draw_table(seen.bound.narration, table, seen.title, moment, theme=theme, before=before)


def _moment(seen: MatchView, table: Table) -> str:
    lines = heading_lines(seen.names, table, title=seen.title, match=seen.match, number=table.seq)
    return " · ".join(lines[1:])


def write_drawing(context: Context, path: str, data: bytes, what: str) -> None:
    """Write a drawing to a file; - is stdout.

    Raises:
        OSError: The file cannot be written.
    """
    if path == STDOUT:
        sys.stdout.buffer.write(data)
    else:
        Path(path).write_bytes(data)
        context.echo_err(f"drew the {what} to {path}")
