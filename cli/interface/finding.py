"""Finding events in many matches."""

from typing import Annotated

import typer

from cli.interface.options import NO_TEXTS, NoForksOption, SeatOption, WhereArgument
from cli.interface.typer_app import MATCHES, verb
from cli.shell.context import Context

RuleOption = Annotated[
    str, typer.Option("--rule", metavar="ID", help="Under this rule, or under one of this section such as 9.5.")
]
CardOption = Annotated[
    str, typer.Option("--card", metavar="TEXT", help="A card of this id or name is drawn, played or discarded.")
]
AboutOption = Annotated[
    str, typer.Option("--about", metavar="TEXT", help="It names a piece, place or card of this id or name.")
]
KindOption = Annotated[
    list[str], typer.Option("--kind", metavar="KIND", help="A kind of event such as dice-rolled; repeatable.")
]
ResultOption = Annotated[
    str, typer.Option("--result", metavar="TEXT", help="Only in matches that ended with this result.")
]


@verb("find", MATCHES, connects=True)
def find_events(
    context: Context,
    where: WhereArgument = "",
    *,
    rule: RuleOption = "",
    card: CardOption = "",
    about: AboutOption = "",
    kind: KindOption = NO_TEXTS,
    dice: Annotated[int, typer.Option("--dice", metavar="N", help="A roll of so many dice.")] = 0,
    faces: Annotated[str, typer.Option("--faces", metavar="N,N,…", help="A roll that shows these faces.")] = "",
    by: Annotated[str, typer.Option("--by", metavar="SEAT", help="It belongs to a command of this seat.")] = "",
    text: Annotated[str, typer.Option("--text", metavar="TEXT", help="Its sentence contains this.")] = "",
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Only in matches of this game.")] = "",
    result: ResultOption = "",
    no_forks: NoForksOption = False,
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="At most this many events; 0 is all.")] = 0,
    seat: SeatOption = "public",
) -> None:
    """List the events of many matches that fit all options, each as MATCH@SEQ with its sentence."""
    from cli.commands.history.find import find

    find(
        context,
        where,
        seat=seat,
        rule=rule,
        card=card,
        about=about,
        kinds=kind,
        dice=dice,
        faces=faces,
        by=by,
        text=text,
        game=game,
        result=result,
        is_original=no_forks,
        limit=limit,
    )
