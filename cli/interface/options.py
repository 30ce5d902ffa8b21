"""Arguments and options that several verbs share."""

from typing import Annotated

import typer

MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="The match: its id or the beginning of it.")]
PointArgument = Annotated[
    str,
    typer.Argument(
        metavar="MATCH[@SEQ]",
        help="The match, and after an @ an event's number; a seat counts only the events that it sees.",
    ),
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game's key; `wardiary games` lists them.")]
SeatOption = Annotated[
    str, typer.Option("--seat", metavar="SEAT", help="Who looks, and whose numbers count; arbiter sees all.")
]
DiceOption = Annotated[str, typer.Option("--dice", metavar="N,N,…", help="Dice that fell at the table, in order.")]
DrawOption = Annotated[
    list[str], typer.Option("--draw", metavar="NAME", help="What was drawn at the table; repeatable.")
]

NO_TEXTS: list[str] = []
"""The default of options that can be given several times."""
