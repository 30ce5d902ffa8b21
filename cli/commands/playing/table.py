"""Plays a seat from one screen."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from cli.commands.playing.seats import follow_on
from cli.output.panel_text import Paint
from cli.screen.seat_model import Place, SeatModel
from cli.screen.worker import Worker
from cli.shell.arguments import parse_whole, shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.remembered_events import SEEN
from cli.shell.settings import Settings
from cli.views.named_match import named_match, own_seat, view_match
from cli.views.served_match import bound_on
from core.engine.reactions import passes_in_advance
from core.extras import require
from core.history.match_reader import check_seat
from core.registry.games import load_game
from core.telling.names import Names
from events.ids import MatchId, Seat

STOP_S = 1.0
"""How long to wait for the end of a request when the screen is left (seconds)."""


def play_at_table(context: Context, match: str, seat: str, *, is_auto_pass: bool) -> None:
    """Show the screen of a seat until the player leaves it, and say how to come back; see `show_screen`."""
    left = show_screen(context, match, seat, is_auto_pass=is_auto_pass)
    auto = " --auto-pass" if left.is_auto_pass else ""
    context.echo(f"To come back: wardiary table {left.match} --seat {left.seat}{auto}{named_again(context.settings)}")


class Left(NamedTuple):
    """A screen that was left: its match and seat, and whether single options were played without asking."""

    match: MatchId
    seat: Seat
    is_auto_pass: bool


def show_screen(context: Context, match: str, seat: str, *, is_auto_pass: bool = False) -> Left:
    """Show the screen of a seat until the player leaves it.

    Raises:
        UserError: The screen cannot be shown here, or no seat is meant.
        UnknownMatch: There is no such match.
        UnknownName: It has no such seat.
        RequestFailed: The seat cannot be seen.
        TimedOut: The server does not answer.
    """
    check_terminal(context)
    text, is_remote = parse_whole(match), bool(context.address)
    worker = Worker(lambda: opened(context.settings, text, seat, is_auto_pass=is_auto_pass))
    first = worker.first()
    if not context.has_color:
        # The library of the screen heeds this variable.
        os.environ["NO_COLOR"] = "1"
    from cli.screen.screen_app import TableApp

    app = TableApp(worker, first, _paint(context), is_remote=is_remote)
    try:
        app.run(mouse=False)
    finally:
        worker.stop(STOP_S)
        SEEN.remember(first.match, first.seat, app.seat_screen.shown.table.seq)
    if app.crash is not None:
        raise app.crash
    return Left(first.match, first.seat, app.seat_screen.shown.is_auto_pass)


def named_again(settings: Settings) -> str:
    """Return the options that name the server or the store again, as far as they were typed."""
    typed = {"--connect": settings.connect, "--server-key": settings.server_key, "--store": settings.store}
    return "".join(f" {option} {shown_file(value)}" for option, value in typed.items() if value)


@contextmanager
def opened(settings: Settings, match: str, seat: str, *, is_auto_pass: bool) -> Iterator[SeatModel]:
    """Make the model of a seat, with connections of its own.

    Args:
        settings: Where the match is.
        match: The match, or the beginning of its id.
        seat: The seat; empty for the only one that this user may mean.
        is_auto_pass: Whether a single option is played without asking.
    """
    with Context(settings, can_connect=True) as context:
        known = follow_on(context, named_match(context, match, seat))
        player = _seat(context, known, seat)
        client = context.client
        table = client.state(known, player).table
        bound = bound_on(client, known, player, table)
        title, passes = load_game(table.game).title, passes_in_advance(bound.rules)
        place = Place(known, player, title, Names(bound.narration), SEEN.of(known, player), passes)
        model = SeatModel(
            client, place, lambda number: view_match(context, f"{known}@{number}", player), is_auto_pass=is_auto_pass
        )
        try:
            yield model
        finally:
            model.close()


def check_terminal(context: Context) -> None:
    """Refuse to begin where no screen can be shown."""
    if context.is_json:
        raise usage("table is a screen and has no JSON; show, log, legal and choose have")
    require("tables in the terminal", "table", "textual")
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "") in ("", "dumb", "unknown"):
        raise usage("table needs a terminal; show, legal, choose and log work without one", "no_terminal")


def _seat(context: Context, match: MatchId, seat: str) -> Seat:
    """Return the seat that is named, or the one that is meant.

    Raises:
        UserError: No seat was named, and several may be meant.
        UnknownName: There is no such seat.
    """
    table = context.client.state(match).table
    if seat:
        return check_seat(table, Seat(seat))
    if context.address:
        return own_seat(context, match)
    if len(table.seats) == 1:
        return table.seats[0]
    raise usage(f"which seat is yours? Name it with --seat: {', '.join(table.seats)}")


def _paint(context: Context) -> Paint:
    """Return what gives a text a colour, on this terminal."""
    has_color = context.has_color
    from typer import style

    return lambda text, color: style(text, fg=color or None, bold=not color) if has_color else text
