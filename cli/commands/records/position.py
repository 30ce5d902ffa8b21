"""Writes the table of a match as a position file or as one line, and checks such files."""

import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from cli.schemas.matches import PositionShape
from cli.shell.arguments import shown_file
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.shell.input_files import read_position_text, read_text
from cli.views.match_view import MatchView
from cli.views.named_match import view_match
from core.legal.legal_options import between_decisions
from core.match.bound_games import is_on_shipped_board
from core.match.match_creation import Opening, open_match
from core.position_files.position_line import is_line, position_line
from core.position_files.position_toml import position_text
from core.position_files.saved_position import check_moment, dealt, differences, saved_position
from core.positions.position import Position, parse_position
from core.registry.games import load_game
from core.suggestions import unknown
from events.codec import replace
from events.ids import ARBITER, NO_SEAT, PUBLIC, MatchId
from events.vocabulary import MatchBegan
from server.store.whole_file import check_output, write_whole

ACTIONS = ("save", "check", "line")
STDOUT = "-"


class Asked(NamedTuple):
    """The arguments besides the action: what it is about, the file that is written, and how."""

    what: str
    file: str
    seat: str
    seed: str
    board: str
    variant: str
    is_forced: bool


class _Saved(NamedTuple):
    """A position that was made of a match."""

    position: Position
    seen: MatchView
    is_dealt: bool


def position(context: Context, action: str, asked: Asked) -> None:
    """Carry out one of the actions.

    Raises:
        UserError: There is no such action, match or event, or a file cannot be read.
        SetupInvalid: The position has defects.
        NoPosition: There is no position of that moment.
        OutputRefused: What is in place of the file stays.
    """
    if action not in ACTIONS:
        raise usage(unknown("action with positions", action, list(ACTIONS)))
    if action == "save":
        _save(context, asked)
    elif action == "check":
        _check(context, asked)
    else:
        _line(context, asked)


def _save(context: Context, asked: Asked) -> None:
    file = asked.file or STDOUT
    if file != STDOUT:
        check_output(Path(file), "positions", may_replace=asked.is_forced)
    saved = _saved(context, asked)
    text = position_text(saved.position)
    _advise(context, saved, asked)
    if file != STDOUT:
        is_private = saved.seen.seat != PUBLIC
        write_whole(Path(file), [text.encode()], "positions", is_private=is_private, may_replace=asked.is_forced)
        context.echo_err(
            f"wrote the position to {shown_file(file)}; `wardiary new {saved.position.game} --position {shown_file(file)}` begins with it"
        )
    elif not context.is_json:
        sys.stdout.write(text)
    if file == STDOUT or context.is_json:
        context.print_result(_shape(saved.position, saved, file=file, text=text if file == STDOUT else ""), [])


def _line(context: Context, asked: Asked) -> None:
    if is_line(asked.what) or asked.what == STDOUT or Path(asked.what).is_file():
        found = parse_position(read_position_text(asked.what))
        found = replace(found, edition=found.edition or load_game(found.game).edition)
        line = position_line(found)
        context.print_result(_shape(found, line=line), [line])
        return
    saved = _saved(context, asked)
    line = position_line(saved.position)
    _advise(context, saved, asked)
    context.print_result(_shape(saved.position, saved, line=line), [line])


def _check(context: Context, asked: Asked) -> None:
    text = read_position_text(asked.what)
    found = parse_position(text)
    game = load_game(found.game)
    board = read_text(asked.board) if asked.board else None
    opening = Opening(game=game.key, position=text, dice="seeded", seed="1", board=board, variant=asked.variant)
    open_match(MatchId("position"), opening, key="open", at=0)
    context.print_result(_shape(found), [f"{game.title}: a match can begin with this position."])


def _saved(context: Context, asked: Asked) -> _Saved:
    """Return the position of a moment as a seat knows it."""
    seen = view_match(context, asked.what, asked.seat)
    number = seen.number
    if number and (moment := seen.slice_at(number)).last != number:
        # There is no table before the beginning of play.
        before = 0 if any(isinstance(event, MatchBegan) for event in moment.events) else moment.first - 1
        raise usage(between_decisions(number, before, moment.last), "within_command")
    events, table = list(seen.events()), seen.table()
    check_moment(table)
    mode = seen.game.scenario(table.scenario).mode(table.mode)
    about = f"match {seen.match}, event {number}, as {seen.seat} sees it"
    if seen.seat == ARBITER:
        return _Saved(saved_position(events, mode.seats, source=about), seen, is_dealt=False)
    bound = seen.bound
    whole = dealt(bound.rules, bound.inventory(table.scenario, table.options), events, Random(asked.seed).randrange)  # noqa: S311 - Nothing of it is secret.
    is_dealt = bool(differences(table, whole))
    return _Saved(saved_position(events, mode.seats, table=whole, source=about), seen, is_dealt=is_dealt)


def _advise(context: Context, saved: _Saved, asked: Asked) -> None:
    """Say what of a position is not as it was in the match, or is not in it."""
    seat = saved.seen.seat
    if saved.is_dealt:
        context.echo_err(f"what {seat} does not know was dealt anew (seed {asked.seed})")
    table = saved.seen.table()
    if not is_on_shipped_board(table):
        context.echo_err(
            "the match is played on a board of its own, which is not in the position: begin with the same --board"
        )


def _shape(
    found: Position, saved: _Saved | None = None, *, file: str = "", text: str = "", line: str = ""
) -> PositionShape:
    top = found.stack[-1] if found.stack else None
    return PositionShape(
        game=found.game,
        edition=found.edition,
        scenario=found.scenario,
        mode=found.mode,
        round=found.round,
        turn=found.turn,
        phase=found.phase,
        decision="" if top is None else top.kind,
        decides=NO_SEAT if top is None else top.seat,
        match=MatchId("") if saved is None else saved.seen.match,
        seq=0 if saved is None else saved.seen.number,
        seat=NO_SEAT if saved is None else saved.seen.seat,
        is_dealt=saved is not None and saved.is_dealt,
        file=file,
        text=text,
        line=line,
    )
