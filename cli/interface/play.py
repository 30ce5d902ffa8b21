"""Playing: seats, legal commands, standing answers, notes, and why an event happened."""

from typing import Annotated

import typer

from cli.interface.options import (
    NO_TEXTS,
    ActorOption,
    AtOption,
    DiceOption,
    DrawOption,
    MatchArgument,
    PointArgument,
    SeatOption,
)
from cli.interface.typer_app import PLAY, verb
from cli.shell.context import Context

MaybeSeatOption = Annotated[str, typer.Option("--seat", metavar="SEAT", help="The seat, if you have several.")]
OwnSeatOption = Annotated[str, typer.Option("--seat", metavar="SEAT", help="The seat.", show_default=False)]


@verb("sit", PLAY, has_verdict=True, connects=True)
def sit(
    context: Context,
    match: MatchArgument,
    seat: OwnSeatOption,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The player's name.")] = "",
    *,
    new_key: Annotated[
        bool,
        typer.Option("--new-key", help="The seat is yours, and the key that signs for it is lost: sign with another."),
    ] = False,
) -> None:
    """Take a free seat; on a server its secret is kept for later commands, which are signed."""
    from cli.commands.playing.seats import sit

    sit(context, match, seat, name, has_lost_key=new_key)


@verb("leave", PLAY, has_verdict=True, connects=True)
def leave(context: Context, match: MatchArgument, seat: OwnSeatOption) -> None:
    """Leave a seat, so that another player may take it."""
    from cli.commands.playing.seats import leave

    leave(context, match, seat)


@verb("legal", PLAY, connects=True)
def list_legal(
    context: Context,
    point: PointArgument,
    seat: ActorOption = "",
    about: Annotated[
        str, typer.Option("--about", metavar="ID", help="Only options that name this piece or place, or a piece there.")
    ] = "",
) -> None:
    """List the options of the open decision, or with @SEQ of an earlier one, numbered, with a description."""
    from cli.commands.playing.legal import list_legal

    list_legal(context, point, seat, about)


@verb("odds", PLAY, connects=True)
def tell_odds(
    context: Context,
    point: PointArgument,
    option: Annotated[
        str,
        typer.Argument(
            metavar="OPTION", help="One option, by its number or its words; by default all that lead to a roll."
        ),
    ] = "",
    seat: ActorOption = "",
) -> None:
    """Tell the chances of what options lead to, before the dice, flips or draws that decide, by what the seat knows."""
    from cli.commands.playing.odds import tell_odds

    tell_odds(context, point, option, seat)


@verb("choose", PLAY, has_verdict=True, connects=True)
def choose(
    context: Context,
    match: MatchArgument,
    command: Annotated[
        str,
        typer.Argument(
            metavar="COMMAND",
            help="An option's number, its words or a part of them that no other option has, its JSON, a list of JSON, begin, resign, or - for lines.",
        ),
    ] = "",
    *,
    seat: ActorOption = "",
    dice: DiceOption = "",
    draw: DrawOption = NO_TEXTS,
    expected: Annotated[
        int | None,
        typer.Option(
            "--expected", metavar="SEQ", help="Refuse unless this is the last event of the seat.", show_default=False
        ),
    ] = None,
    is_adopting: Annotated[
        bool,
        typer.Option(
            "--adopt-rules", help="Go on under the installed rules in a match played under others; COMMAND may follow."
        ),
    ] = False,
) -> None:
    """Choose an option, or send another command, and print what happens."""
    from cli.commands.playing.choose import Typed, adopt_rules, choose
    from cli.shell.arguments import parse_faces
    from cli.shell.exit_codes import usage

    if is_adopting:
        adopt_rules(context, match, seat)
        if not command:
            return
    elif not command:
        raise usage("name what to choose: an option of `wardiary legal MATCH`, by its number or its words")
    choose(context, match, command, Typed(seat, parse_faces(dice), draw, expected))


@verb("table", PLAY, has_verdict=True, connects=True)
def play_at_table(
    context: Context,
    match: MatchArgument,
    *,
    seat: Annotated[
        str, typer.Option("--seat", metavar="SEAT", help="The seat; by default the only one that you may mean.")
    ] = "",
    auto_pass: Annotated[
        bool, typer.Option("--auto-pass", help="Play a decision with a single option, such as passing, without asking.")
    ] = False,
) -> None:
    """Play a seat from one screen that shows the table, the log and the options; needs the extra `table`."""
    from cli.commands.playing.table import play_at_table

    play_at_table(context, match, seat, is_auto_pass=auto_pass)


@verb("undo", PLAY, connects=True)
def undo(
    context: Context,
    match: MatchArgument,
    *,
    seat: Annotated[
        str,
        typer.Option("--seat", metavar="SEAT", help="The seat that takes back; by default that of the last command."),
    ] = "",
    to: Annotated[
        int | None,
        typer.Option(
            "--to", metavar="SEQ", help="Take back all commands after this event of the seat.", show_default=False
        ),
    ] = None,
    ask: Annotated[
        bool, typer.Option("--ask", help="Ask the others to agree, though something was learned since.")
    ] = False,
    agree: Annotated[bool, typer.Option("--agree", help="Agree to what another seat asks.")] = False,
    refuse: Annotated[bool, typer.Option("--refuse", help="Refuse what another seat asks.")] = False,
) -> None:
    """Take back a seat's last commands, unless something was learned since, or what the others agree to; the log keeps them."""
    from cli.commands.playing.choose import undo
    from cli.commands.playing.consent import answer_undo, ask_undo
    from cli.shell.exit_codes import usage

    if ask + agree + refuse > 1 or (to is not None and (agree or refuse)):
        raise usage("--ask, --agree and --refuse exclude each other, and --to says what is asked for")
    if agree or refuse:
        answer_undo(context, match, seat, agrees=agree)
    elif ask:
        ask_undo(context, match, seat, to)
    else:
        undo(context, match, seat, to)


@verb("redo", PLAY, connects=True)
def redo(
    context: Context,
    match: MatchArgument,
    *,
    seat: Annotated[
        str,
        typer.Option("--seat", metavar="SEAT", help="The seat that puts back; by default the one that took back last."),
    ] = "",
    everything: Annotated[bool, typer.Option("--all", help="Put back all that was taken back.")] = False,
) -> None:
    """Put back the last command or order that was taken back, as long as nothing else was decided since."""
    from cli.commands.playing.choose import redo

    redo(context, match, seat, everything=everything)


@verb("answer", PLAY, connects=True)
def answer_always(
    context: Context,
    match: MatchArgument,
    decision: Annotated[
        str,
        typer.Argument(
            metavar="DECISION",
            help="The kind of decision, as `decision` in `legal --json` names it; if it allows none, the refusal lists those that do.",
        ),
    ],
    answer: Annotated[
        str,
        typer.Argument(metavar="ANSWER", help="An option as JSON, as `legal --json` prints it, or off to withdraw."),
    ],
    *,
    seat: MaybeSeatOption = "",
    until: Annotated[
        str, typer.Option("--until", metavar="turn", help="Only until the seat's own next turn begins.")
    ] = "",
) -> None:
    """Give a standing answer to a kind of decision; it is played for the seat at once, whenever it is legal."""
    from cli.commands.playing.choose import answer_always

    answer_always(context, match, decision, answer, seat=seat, until=until)


@verb("note", PLAY, connects=True)
def note(
    context: Context,
    match: MatchArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The note.")],
    *,
    seat: MaybeSeatOption = "",
    is_private: Annotated[bool, typer.Option("--private", help="Only for the seat itself.")] = False,
    at: AtOption = None,
) -> None:
    """Write a note of a seat into the log."""
    from cli.commands.playing.choose import send
    from cli.shell.arguments import parse_remarked
    from core.match.player_commands import AddNote

    send(context, parse_remarked(match), seat, AddNote(text=text, private=is_private, at=at))


@verb("explain", PLAY, connects=True)
def explain(
    context: Context,
    point: PointArgument,
    seat: SeatOption = "public",
    of: Annotated[
        str, typer.Option("--of", metavar="SEAT", help="For the arbiter: SEQ is this seat's number of the event.")
    ] = "",
) -> None:
    """Explain an event: its rule, the dice with their arithmetic, and the rulings that bear on it."""
    from cli.commands.playing.explain import explain

    explain(context, point, seat, of)
