"""The arbiter: who plays, pauses and ends of matches, rulings."""

from typing import Annotated

import typer

from cli.interface.options import NO_TEXTS, AtOption, MatchArgument
from cli.interface.typer_app import ARBITER, verb
from cli.shell.context import Context

SeatOption = Annotated[
    str, typer.Option("--seat", metavar="SEAT", help="The seat, or arbiter for the arbiter's.", show_default=False)
]
NameOption = Annotated[str, typer.Option("--name", metavar="NAME", help="For whom; everybody sees it.")]
ReasonOption = Annotated[
    str, typer.Option("--reason", metavar="TEXT", help="Why; everybody sees it.", show_default=False)
]


@verb("invite", ARBITER, connects=True)
def invite(
    context: Context,
    match: MatchArgument,
    *,
    seat: SeatOption,
    name: NameOption = "",
    lasting: Annotated[
        str | None,
        typer.Option("--for", metavar="DURATION", help="How long it holds, such as 12h or 7d; by default for ever."),
    ] = None,
    key: Annotated[
        str, typer.Option("--key", metavar="HEX", help="The key with which the player signs; by default any.")
    ] = "",
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw the invitation instead.")] = False,
) -> None:
    """Reserve a free seat for a player, and print the invitation that opens it once."""
    from cli.commands.playing.arbiter import invite

    invite(context, match, seat, name, lasting=lasting, key=key, is_withdrawn=withdraw)


@verb("replace", ARBITER, connects=True)
def replace(
    context: Context, match: MatchArgument, *, seat: SeatOption, reason: ReasonOption, name: NameOption = ""
) -> None:
    """Remove a player who vanished, or who lost the seat's secret, and print an invitation to the seat."""
    from cli.commands.playing.arbiter import replace_player

    replace_player(context, match, seat, name, reason)


@verb("pause", ARBITER, connects=True)
def pause(context: Context, match: MatchArgument, *, reason: ReasonOption) -> None:
    """Pause a match: nothing is played, and no time counts, until it is resumed."""
    from cli.commands.playing.arbiter import pause

    pause(context, match, reason)


@verb("resume", ARBITER, connects=True)
def resume(context: Context, match: MatchArgument) -> None:
    """Resume a paused match."""
    from cli.commands.playing.arbiter import resume

    resume(context, match)


@verb("award", ARBITER, connects=True)
def award(
    context: Context,
    match: MatchArgument,
    *,
    to: Annotated[
        list[str], typer.Option("--to", metavar="SEAT|SIDE", help="Who wins; a seat wins with its side; repeatable.")
    ] = NO_TEXTS,
    reason: ReasonOption,
) -> None:
    """End a match and award it."""
    from cli.commands.playing.arbiter import award

    award(context, match, tuple(to), reason)


@verb("annul", ARBITER, connects=True)
def annul(context: Context, match: MatchArgument, *, reason: ReasonOption) -> None:
    """End a match without a result."""
    from cli.commands.playing.arbiter import annul

    annul(context, match, reason)


@verb("ruling", ARBITER, connects=True)
def record_ruling(
    context: Context,
    match: MatchArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What the arbiter decides.")],
    *,
    rule: Annotated[
        list[str], typer.Option("--rule", metavar="ID", help="A rule, or a printed section, by which it is decided.")
    ] = NO_TEXTS,
    at: AtOption = None,
    effect: Annotated[
        str,
        typer.Option(
            "--effect", metavar="stand|go-on|edit", help="Of a dispute: the match stands, or goes on as --line."
        ),
    ] = "",
    line: Annotated[
        str,
        typer.Option("--line", metavar="MATCH", help="A fork of the match, or a match opened with an edited table."),
    ] = "",
    reverse: Annotated[
        bool, typer.Option("--reverse", help="It takes the place of the ruling that a player appealed against.")
    ] = False,
    house: Annotated[
        str, typer.Option("--house", metavar="NAME", help="Later matches can adopt it under this name.")
    ] = "",
) -> None:
    """Record the arbiter's decision on a disputed point, or on a dispute, with its effect."""
    from cli.commands.playing.arbiter import Ruled, record_ruling

    record_ruling(context, match, text, Ruled(tuple(rule), at, effect, line, reverse, house))


@verb("dispute", ARBITER, connects=True)
def open_dispute(
    context: Context,
    match: MatchArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What is disputed, and why.")],
    *,
    at: Annotated[int, typer.Option("--at", metavar="SEQ", help="The event, in the seat's numbers.")],
    seat: Annotated[
        str, typer.Option("--seat", metavar="SEAT", help="Who disputes it; by default your only seat.")
    ] = "",
    pause: Annotated[bool, typer.Option("--pause", help="For the arbiter: play stops until it is resumed.")] = False,
) -> None:
    """Dispute what happened with an event; the arbiter rules on it."""
    from cli.commands.playing.arbiter import open_dispute

    open_dispute(context, match, text, seat, at=at, pauses=pause)


@verb("appeal", ARBITER, connects=True)
def appeal(
    context: Context,
    match: MatchArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Why the ruling should be another one.")],
    *,
    at: Annotated[int, typer.Option("--at", metavar="SEQ", help="The disputed event, in the seat's numbers.")],
    seat: Annotated[str, typer.Option("--seat", metavar="SEAT", help="Who appeals; by default your only seat.")] = "",
) -> None:
    """Appeal against the ruling on a dispute, once; the arbiter then rules for good."""
    from cli.commands.playing.arbiter import appeal

    appeal(context, match, text, seat, at)


@verb("arbiters", ARBITER, connects=True)
def appoint(
    context: Context,
    *,
    add: Annotated[
        str | None,
        typer.Option("--add", metavar="NAME", help="Give a person a capability for all matches; prints it."),
    ] = None,
    remove: Annotated[
        str | None, typer.Option("--remove", metavar="NAME", help="End a person's capability, and the offices on it.")
    ] = None,
) -> None:
    """List who may be the arbiter of any match of the server, and change it; for the operator."""
    from cli.commands.playing.arbiter import appoint

    appoint(context, add, remove)
