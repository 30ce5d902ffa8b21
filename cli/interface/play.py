"""Playing: the legal commands, carrying one out, and why something happened."""

from typing import Annotated

import typer

from cli.app import PLAY, verb
from cli.interface.options import NO_TEXTS, DiceOption, DrawOption, MatchArgument, PointArgument, SeatOption
from cli.world import World

ActorOption = Annotated[
    str, typer.Option("--seat", metavar="SEAT", help="Who plays; by default whoever has to decide.")
]


@verb("legal", PLAY)
def list_legal(
    world: World,
    match: MatchArgument,
    seat: ActorOption = "",
    about: Annotated[
        str, typer.Option("--about", metavar="ID", help="Only options that name this piece or place, or a piece there.")
    ] = "",
) -> None:
    """List the options of the open decision, numbered and in words."""
    from cli.commands.legal import list_legal

    list_legal(world, match, seat, about)


@verb("play", PLAY)
def play(
    world: World,
    match: MatchArgument,
    command: Annotated[
        str,
        typer.Argument(
            metavar="COMMAND", help="An option's number, its JSON, a list of JSON, begin, resign, or - for lines."
        ),
    ],
    *,
    seat: ActorOption = "",
    dice: DiceOption = "",
    draw: DrawOption = NO_TEXTS,
    expected: Annotated[
        int | None,
        typer.Option(
            "--expected", metavar="SEQ", help="Only if this is the last event of the seat.", show_default=False
        ),
    ] = None,
) -> None:
    """Carry out a command and tell what comes of it."""
    from cli.commands.play import Typed, parse_faces, play

    play(world, match, command, Typed(seat, parse_faces(dice), draw, expected))


@verb("undo", PLAY)
def undo(
    world: World,
    match: MatchArgument,
    *,
    seat: Annotated[
        str, typer.Option("--seat", metavar="SEAT", help="Who takes back; by default the seat of the last command.")
    ] = "",
    to: Annotated[
        int | None,
        typer.Option("--to", metavar="SEQ", help="Take back all after this event of the seat.", show_default=False),
    ] = None,
) -> None:
    """Take back a seat's last command, or several, unless something was learned since; nothing leaves the record."""
    from cli.commands.play import undo

    undo(world, match, seat, to)


@verb("explain", PLAY)
def explain(world: World, point: PointArgument, seat: SeatOption = "public") -> None:
    """Say why an event happened: the rule, the dice with their arithmetic, the rulings that bear on it."""
    from cli.commands.explain import explain

    explain(world, point, seat)
