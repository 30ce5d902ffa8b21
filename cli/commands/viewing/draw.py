"""Draws a table, a board or a span of a match to a file."""

import sys
from collections.abc import Sequence
from pathlib import Path

from cli.output.pixels import FRAMES_MAX, gif_of, png_of, require_pixels
from cli.output.table_text import heading_lines
from cli.shell.arguments import shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.views.match_view import MatchView
from cli.views.named_match import view_match
from cli.views.timeline import Timeline
from core.drawing.drawing import draw_table, picture_of
from core.drawing.film_svg import draw_film as film_of
from core.drawing.picture_svg import Picture
from core.svg.themes import AUTO, LIGHT
from events.ids import PUBLIC
from projections.state.table import Table
from server.store.whole_file import check_output, write_whole

STDOUT = "-"
SVG, PNG, GIF = "SVG drawings", "PNG pictures", "GIF films"


def draw_to_file(
    context: Context, point: str, seat: str, *, svg: str, png: str, theme: str, width: int, is_forced: bool
) -> None:
    """Draw the table as a seat sees it to an SVG or a PNG file; - is stdout. What the latest command changed is marked.

    Raises:
        UserError: The rules or the board of the match are not here, or pixels cannot be drawn.
        OutputRefused: What is there stays.
        StoreUnavailable: The file cannot be written.
    """
    if svg and png:
        raise usage("one of --svg and --png at a time")
    if png:
        require_pixels()
    drawing = Drawing(svg or png, PNG if png else SVG, seat, is_forced=is_forced)
    drawing.check()
    seen = view_match(context, point, seat)
    timeline = Timeline(seen)
    before = timeline.table(timeline.before("command", seen.number))
    drawn = _drawn(seen, timeline.table(seen.number), before, _for_pixels(theme) if png else theme)
    data = png_of(drawn, width) if png else drawn.encode()
    drawing.write(context, data, "table")


def draw_film(
    context: Context,
    seen: MatchView,
    stops: Sequence[int],
    *,
    gif: str,
    svg: str,
    theme: str,
    width: int,
    speed: float,
    is_forced: bool,
) -> None:
    """Draw the tables after some events to a GIF or an SVG file; - is stdout.

    Raises:
        UserError: As for a table, or there are too many pictures.
        OutputRefused: What is there stays.
        StoreUnavailable: The file cannot be written.
    """
    if gif and svg:
        raise usage("one of --gif and --svg at a time")
    if gif:
        require_pixels()
    if len(stops) > FRAMES_MAX:
        raise usage(f"{len(stops)} pictures are too many for a film of {FRAMES_MAX}; --from, --to and --step choose")
    drawing = Drawing(gif or svg, GIF if gif else SVG, seen.seat, is_forced=is_forced)
    drawing.check()
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
                pictures.append(
                    picture_of(
                        seen.bound.narration, table, seen.title, moment, before=before, near=table.side_of(seen.seat)
                    )
                )
            before = table
            progress.advance()
    seconds = 1 / (speed or 1.0)
    data = gif_of(pixels, seconds) if gif else film_of(pictures, seconds, theme).encode()
    drawing.write(context, data, "film")


def _for_pixels(theme: str) -> str:
    """Return a theme that does not depend on the viewer."""
    return LIGHT if theme == AUTO else theme


def _drawn(seen: MatchView, table: Table, before: Table, theme: str) -> str:
    moment = _moment(seen, table)
    near = table.side_of(seen.seat)
    return draw_table(seen.bound.narration, table, seen.title, moment, theme=theme, before=before, near=near)


def _moment(seen: MatchView, table: Table) -> str:
    lines = heading_lines(seen.names, table, title=seen.title, match=seen.match, number=table.seq)
    return " · ".join(lines[1:])


class Drawing:
    """A drawing that is to be written to a file; - is stdout.

    Args:
        path: The file.
        kind: What it is, a key of `server.store.whole_file.SUFFIXES`.
        seat: Who sees it: what only a seat may see can be read by the file's owner only.
        is_forced: Whether it may replace another file.
    """

    def __init__(self, path: str, kind: str, seat: str = PUBLIC, *, is_forced: bool) -> None:
        self.path = path
        self.kind = kind
        self.is_private = seat != PUBLIC
        self.is_forced = is_forced

    def check(self) -> None:
        """Check that it may be written, before it is drawn; see `check_output` for the errors."""
        if self.path != STDOUT:
            check_output(Path(self.path), self.kind, may_replace=self.is_forced)

    def write(self, context: Context, data: bytes, what: str) -> None:
        """Write it; see `write_whole` for the errors."""
        if self.path == STDOUT:
            sys.stdout.buffer.write(data)
            return
        write_whole(Path(self.path), [data], self.kind, is_private=self.is_private, may_replace=self.is_forced)
        context.echo_err(f"drew the {what} to {shown_file(self.path)}")
