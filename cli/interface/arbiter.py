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
    from cli.commands.arbiter import invite

    invite(context, match, seat, name, lasting=lasting, key=key, is_withdrawn=withdraw)


@verb("replace", ARBITER, connects=True)
def replace(
    context: Context, match: MatchArgument, *, seat: SeatOption, reason: ReasonOption, name: NameOption = ""
) -> None:
    """Remove a player who vanished, or who lost the seat's secret, and print an invitation to the seat."""
    from cli.commands.arbiter import replace_player

    replace_player(context, match, seat, name, reason)


@verb("pause", ARBITER, connects=True)
def pause(context: Context, match: MatchArgument, *, reason: ReasonOption) -> None:
    """Pause a match: nothing is played, and no time counts, until it is resumed."""
    from cli.commands.arbiter import pause

    pause(context, match, reason)


@verb("resume", ARBITER, connects=True)
def resume(context: Context, match: MatchArgument) -> None:
    """Resume a paused match."""
    from cli.commands.arbiter import resume

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
    from cli.commands.arbiter import award

    award(context, match, tuple(to), reason)


@verb("annul", ARBITER, connects=True)
def annul(context: Context, match: MatchArgument, *, reason: ReasonOption) -> None:
    """End a match without a result."""
    from cli.commands.arbiter import annul

    annul(context, match, reason)


@verb("ruling", ARBITER, connects=True)
def record_ruling(
    context: Context,
    match: MatchArgument,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What the arbiter decides.")],
    rule: Annotated[str, typer.Option("--rule", metavar="ID", help="The rule that it is about.")] = "",
    at: AtOption = None,
) -> None:
    """Record the arbiter's decision on a disputed point; it changes nothing on the table."""
    from cli.commands.arbiter import record_ruling

    record_ruling(context, match, text, rule, at)


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
    from cli.commands.arbiter import appoint

    appoint(context, add, remove)
