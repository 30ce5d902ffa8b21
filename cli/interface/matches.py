"""Matches: open one, list them, look at the table, read the log."""

from typing import Annotated

import typer

from cli.interface.options import (
    NO_TEXTS,
    BoardOption,
    ForceOption,
    GameArgument,
    LateOption,
    MatchArgument,
    ModeOption,
    NoForksOption,
    OptionsOption,
    PointArgument,
    ScenarioOption,
    SeatOption,
    ThemeOption,
    TitleOption,
    VariantOption,
)
from cli.interface.typer_app import MATCHES, verb
from cli.shell.context import Context

TakeBackOption = Annotated[
    str,
    typer.Option(
        "--take-back",
        metavar="consent|free|no",
        help="What may be taken back: also what was learned, if the others agree; only what nobody has learned from; nothing.",
    ),
]
HouseOption = Annotated[
    list[str],
    typer.Option(
        "--house",
        metavar="SEAT=BOT",
        help="Let a bot of the server play this seat, as german=search:500 with a budget; repeatable.",
    ),
]


@verb("new", MATCHES, connects=True)
def open_new(
    context: Context,
    game: GameArgument,
    *,
    scenario: ScenarioOption = "",
    mode: ModeOption = "",
    option: OptionsOption = NO_TEXTS,
    dice: Annotated[
        str,
        typer.Option(
            "--dice",
            metavar="sealed|seeded:SEED|manual",
            help="Rolled from secrets that the server and the players fix before play, rolled from SEED, or typed in.",
        ),
    ] = "sealed",
    position: Annotated[str, typer.Option("--position", metavar="FILE", help="Begin from a position file.")] = "",
    board: BoardOption = "",
    variant: VariantOption = "",
    title: TitleOption = "",
    take_back: TakeBackOption = "consent",
    house_rule: Annotated[
        list[str],
        typer.Option(
            "--house-rule",
            metavar="NAME=TEXT",
            help="What you agreed on beside the rules; or MATCH@SEQ of a ruling with a name. Repeatable.",
        ),
    ] = NO_TEXTS,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="The player's name at all seats.")] = "",
    house: HouseOption = NO_TEXTS,
    free_seats: Annotated[
        bool, typer.Option("--free-seats", help="Leave the seats free for players of a server.")
    ] = False,
) -> None:
    """Open a match, take all its seats and begin; prints its id."""
    from cli.commands.playing.new import Wish, open_new

    open_new(
        context,
        Wish(
            game=game,
            scenario=scenario,
            mode=mode,
            options=option,
            dice=dice,
            position=position,
            board=board,
            variant=variant,
            title=title,
            taking_back=take_back,
            house_rules=house_rule,
            name=name,
            has_free_seats=free_seats,
            house=house,
        ),
    )


@verb("list", MATCHES, has_verdict=True, connects=True)
def list_matches(
    context: Context,
    after: Annotated[str, typer.Option("--after", metavar="MATCH", help="Only matches opened after this one.")] = "",
    limit: Annotated[int, typer.Option("--limit", metavar="N", help="At most this many; 0 is all.")] = 0,
    late_after: LateOption = "",
    *,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Only matches of this game.")] = "",
    is_open: Annotated[bool, typer.Option("--open", help="Only matches that are not over.")] = False,
    is_over: Annotated[bool, typer.Option("--over", help="Only matches that are over.")] = False,
    seat: Annotated[str, typer.Option("--seat", metavar="SEAT", help="Only matches that wait for this seat.")] = "",
    name: Annotated[
        str, typer.Option("--name", metavar="TEXT", help="Only matches with a player whose name contains this.")
    ] = "",
    no_forks: NoForksOption = False,
) -> None:
    """List the matches of the store in the order of their opening, whom each waits for and since when; no evidence is checked."""
    from cli.commands.viewing.matches import list_matches
    from cli.views.match_filter import match_filter

    wanted = match_filter(
        context, game=game, is_open=is_open, is_over=is_over, seat=seat, name=name, is_original=no_forks
    )
    list_matches(context, after, limit, late_after, wanted)


@verb("show", MATCHES, connects=True)
def show_table(
    context: Context,
    point: PointArgument,
    seat: SeatOption = "public",
    *,
    statistics: Annotated[
        bool, typer.Option("--statistics", help="Dice, losses and control instead of the table.")
    ] = False,
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Draw the table to a file; - is stdout.")] = "",
    png: Annotated[str, typer.Option("--png", metavar="FILE", help="The same in pixels.")] = "",
    width: Annotated[int, typer.Option("--width", metavar="PX", help="The width in pixels.")] = 1600,
    theme: ThemeOption = "auto",
    is_forced: ForceOption = False,
) -> None:
    """Show the table: control, pieces, tracks, boxes, the open decision; with -v each place's neighbours."""
    from cli.commands.viewing.show import show_statistics, show_table

    if svg or png:
        from cli.commands.viewing.draw import draw_to_file

        draw_to_file(context, point, seat, svg=svg, png=png, theme=theme, width=width, is_forced=is_forced)
        return
    (show_statistics if statistics else show_table)(context, point, seat)


@verb("log", MATCHES, connects=True)
def show_log(
    context: Context,
    match: MatchArgument,
    seat: SeatOption = "public",
    first: Annotated[int, typer.Option("--from", metavar="SEQ", help="The first event.")] = 1,
    last: Annotated[int, typer.Option("--to", metavar="SEQ", help="The last event; 0 is the latest.")] = 0,
) -> None:
    """Print the match as sentences; with -v every single event and its rule."""
    from cli.commands.viewing.log import show_log

    show_log(context, match, seat, first, last)


@verb("tree", MATCHES, has_verdict=True, connects=True)
def show_tree(context: Context, match: MatchArgument) -> None:
    """Show a match among its forks."""
    from cli.commands.viewing.matches import show_tree

    show_tree(context, match)
