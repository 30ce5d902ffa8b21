"""Arguments and options that several verbs share."""

from typing import Annotated

import typer

MatchArgument = Annotated[str, typer.Argument(metavar="MATCH", help="The match: its id or the beginning of it.")]
PointArgument = Annotated[
    str,
    typer.Argument(
        metavar="MATCH[@SEQ]",
        help="The match, with @ and an event's number for a point in it; a seat counts only the events that it sees.",
    ),
]
GameArgument = Annotated[str, typer.Argument(metavar="GAME", help="The game's key; `wardiary games` lists them.")]
ActorOption = Annotated[
    str, typer.Option("--seat", metavar="SEAT", help="The seat that plays; by default the one that has to decide.")
]
SeatOption = Annotated[
    str,
    typer.Option("--seat", metavar="SEAT", help="The seat whose view and event numbers are used; arbiter sees all."),
]
DiceOption = Annotated[str, typer.Option("--dice", metavar="N,N,…", help="The dice rolled at the table, in order.")]
DrawOption = Annotated[
    list[str], typer.Option("--draw", metavar="NAME", help="What was drawn at the table; repeatable.")
]

LateOption = Annotated[
    str,
    typer.Option(
        "--late-after",
        metavar="DURATION",
        help="After what time a decision is late, such as 90m, 1h30m or 3d; pauses do not count.",
    ),
]
GiveUpOption = Annotated[
    str,
    typer.Option(
        "--give-up-after",
        metavar="DURATION",
        help="How long to wait for a server that was there to come back, such as 30s or 2h.",
    ),
]
NoForksOption = Annotated[bool, typer.Option("--no-forks", help="Leave out matches that are forks of others.")]

ForceOption = Annotated[
    bool,
    typer.Option("--force", help="Replace a file that exists; never a store, a key or a file of secrets."),
]

NO_TEXTS: list[str] = []
"""The default of repeatable options."""

ScenarioOption = Annotated[str, typer.Option("--scenario", metavar="KEY", help="The scenario; by default the first.")]
ModeOption = Annotated[str, typer.Option("--mode", metavar="KEY", help="The mode, if a scenario has several.")]
OptionsOption = Annotated[list[str], typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option; repeatable.")]
BoardOption = Annotated[str, typer.Option("--board", metavar="FILE", help="Play on an owner's own board file.")]
VariantOption = Annotated[
    str, typer.Option("--variant", metavar="NAME", help="Play a variant: the board contradicts the printed game.")
]
TitleOption = Annotated[
    str, typer.Option("--title", metavar="TEXT", help="What those who play call the match, 80 characters at most.")
]


def _checked_theme(theme: str) -> str:
    """Return the theme of a drawing; a wrong one is refused also if nothing is drawn.

    Raises:
        UserError: There is no such theme.
    """
    from cli.shell.exit_codes import usage
    from core.suggestions import unknown
    from core.svg.themes import THEMES

    if theme not in THEMES:
        raise usage(unknown("theme", theme, list(THEMES)))
    return theme


ThemeOption = Annotated[
    str,
    typer.Option(
        "--theme", metavar="auto|light|dark|print", callback=_checked_theme, help="The colours of the drawing."
    ),
]

AtOption = Annotated[
    int | None,
    typer.Option(
        "--at", metavar="SEQ", help="The earlier event that it is about, by the seat's count.", show_default=False
    ),
]
AgainstOption = Annotated[
    list[str],
    typer.Option(
        "--against",
        metavar="KEY=VALUE",
        help="The other rules: with this option; repeatable.",
    ),
]
AgainstBoardOption = Annotated[
    str, typer.Option("--against-board", metavar="FILE", help="The other rules: on this board file.")
]
AgainstVariantOption = Annotated[
    str, typer.Option("--against-variant", metavar="NAME", help="The variant that this board belongs to.")
]
WhereArgument = Annotated[
    str,
    typer.Argument(
        metavar="MATCH|FILE|DIR", help="Only this match, this archive or this folder of archives; by default all."
    ),
]
