"""History: step through a match, fork it, see what differs."""

from typing import Annotated

import typer

from cli.interface.options import (
    NO_TEXTS,
    ActorOption,
    BoardOption,
    ForceOption,
    MatchArgument,
    PointArgument,
    SeatOption,
    ThemeOption,
    VariantOption,
)
from cli.interface.typer_app import HISTORY, verb
from cli.shell.context import Context


@verb("replay", HISTORY, connects=True)
def replay(
    context: Context,
    match: MatchArgument,
    *,
    seat: SeatOption = "public",
    first: Annotated[int, typer.Option("--from", metavar="SEQ", help="Where it begins.")] = 1,
    last: Annotated[
        int,
        typer.Option("--to", metavar="SEQ", help="Where it ends; 0 is the last event, less than --from is backwards."),
    ] = 0,
    step: Annotated[
        str, typer.Option("--step", metavar="WORD|N", help="event, command, phase, round, or a number of events.")
    ] = "",
    speed: Annotated[
        float,
        typer.Option(
            "--speed", metavar="N", help="Steps per second; 0 prints all at once, or steps by keys on a terminal."
        ),
    ] = 0.0,
    gif: Annotated[str, typer.Option("--gif", metavar="FILE", help="Draw the steps as a film; - is stdout.")] = "",
    svg: Annotated[
        str, typer.Option("--svg", metavar="FILE", help="Draw the steps as a film that browsers show; - is stdout.")
    ] = "",
    width: Annotated[int, typer.Option("--width", metavar="PX", help="The width of a GIF film in pixels.")] = 1000,
    theme: ThemeOption = "auto",
    is_forced: ForceOption = False,
) -> None:
    """Step through a match, forwards or backwards; on a terminal by keys, drawing the table."""
    from cli.commands.viewing.replay import film, replay

    if gif or svg:
        film(
            context,
            match,
            seat,
            first=first,
            last=last,
            step=step,
            speed=speed,
            gif=gif,
            svg=svg,
            theme=theme,
            width=width,
            is_forced=is_forced,
        )
        return
    replay(context, match, seat, first=first, last=last, step=step, speed=speed)


@verb("fork", HISTORY, connects=True)
def fork(
    context: Context,
    point: PointArgument,
    *,
    seat: SeatOption = "public",
    dice: Annotated[
        str,
        typer.Option(
            "--dice",
            metavar="fresh|same|manual|seeded:SEED",
            help="New sealed dice, the parent's dice, typed dice, or dice rolled from SEED.",
        ),
    ] = "fresh",
    faces: Annotated[
        str,
        typer.Option(
            "--faces", metavar="N,N,…", help="The faces of the next dice; the fork rolls those after them itself."
        ),
    ] = "",
    draw: Annotated[
        list[str],
        typer.Option("--draw", metavar="NAME", help="What was drawn at the table, with manual dice; repeatable."),
    ] = NO_TEXTS,
    hidden: Annotated[
        str,
        typer.Option(
            "--hidden",
            metavar="truth|resample",
            help="Keep hidden information, as the store's owner by default may, or deal again what SEAT does not know.",
        ),
    ] = "",
) -> None:
    """Open a new match that shares another's events up to a point; prints its id."""
    from cli.commands.history.fork import fork

    fork(context, point, seat, dice=dice, hidden=hidden, faces=faces, draws=draw)


@verb("position", HISTORY, connects=True)
def position(
    context: Context,
    action: Annotated[
        str, typer.Argument(metavar="save|check|line", help="Write a file, check one, or write one line.")
    ],
    what: Annotated[
        str,
        typer.Argument(
            metavar="MATCH[@SEQ]|FILE|LINE",
            help="The moment of a match to write; the file or line to check or write as a line.",
        ),
    ],
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="The file that `save` writes; by default stdout, -.")
    ] = "",
    *,
    seat: SeatOption = "public",
    seed: Annotated[
        str,
        typer.Option("--seed", metavar="S", help="The same seed deals what the seat does not know in the same way."),
    ] = "0",
    board: BoardOption = "",
    variant: VariantOption = "",
    is_forced: ForceOption = False,
) -> None:
    """Write the table of a match as a position that opens it again, check a position, or write it as one line."""
    from cli.commands.records.position import Asked, position

    position(context, action, Asked(what, file, seat, seed, board, variant, is_forced))


@verb("study", HISTORY, connects=True)
def study(
    context: Context,
    action: Annotated[
        str,
        typer.Argument(
            metavar="open|list|show|comment|mark|line|chapter|order|withdraw",
            help="What to do; the text says with what.",
        ),
    ],
    what: Annotated[
        str,
        typer.Argument(
            metavar="MATCH|MATCH/STUDY[@SEQ]", help="The match, or one of its studies with the event that it is about."
        ),
    ],
    text: Annotated[
        str,
        typer.Argument(metavar="[TEXT]", help="The title, the comment, the mark, the name, or the numbers of entries."),
    ] = "",
    *,
    seat: Annotated[
        str,
        typer.Option(
            "--seat", metavar="SEAT", help="The seat that opens it, whose view it is of, or that reads or writes."
        ),
    ] = "",
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Who writes; by default the name of the seat's player.")
    ] = "",
    mark: Annotated[str, typer.Option("--mark", metavar="MARK", help="A mark beside a comment: !! ! !? ?! ? ??.")] = "",
    fork: Annotated[str, typer.Option("--fork", metavar="MATCH", help="The fork that a line is.")] = "",
    orders: Annotated[
        str,
        typer.Option(
            "--orders", metavar="FILE", help="Orders that are played as a line, as a notation tells them; - is stdin."
        ),
    ] = "",
) -> None:
    """Write a study of a match: comments and marks at events, lines, chapters; beside the match, signed, never erased."""
    from cli.commands.records.study import Asked, study

    study(context, action, Asked(what, text, seat, name, mark, fork, orders))


@verb("try", HISTORY, connects=True)
def try_options(
    context: Context,
    point: PointArgument,
    *,
    options: Annotated[
        str, typer.Option("--options", metavar="N,N,…", help="Only these options; by default all, if they are few.")
    ] = "",
    all_options: Annotated[bool, typer.Option("--all", help="All options, however many.")] = False,
    times: Annotated[int, typer.Option("--times", metavar="N", help="How often each option is tried at most.")] = 500,
    policy: Annotated[
        str, typer.Option("--policy", metavar="NAME", help="The bot that plays on; by default greedy, if there is one.")
    ] = "",
    until: Annotated[str, typer.Option("--until", metavar="end|round|turn|step", help="To where it plays on.")] = "end",
    seat: ActorOption = "",
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed gives the same trials.")] = "0",
    jobs: Annotated[int, typer.Option("--jobs", metavar="J", help="Processes; 0 is one per core.")] = 0,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Who writes, if the point is one of a study, MATCH/STUDY@SEQ.")
    ] = "",
) -> None:
    """Try options of the open decision many times: bots play each on, and what came of it is told, or written to a study."""
    from cli.commands.designing.trials import Trying, try_options

    try_options(context, point, seat, Trying(options, all_options, times, policy, until, seed, jobs), name)


@verb("turning-points", HISTORY, connects=True)
def tell_turning_points(
    context: Context,
    point: PointArgument,
    *,
    times: Annotated[int, typer.Option("--times", metavar="N", help="How many games from each point.")] = 40,
    points: Annotated[int, typer.Option("--points", metavar="N", help="From how many points at most.")] = 22,
    policy: Annotated[
        str, typer.Option("--policy", metavar="NAME", help="The bot that plays on; by default greedy, if there is one.")
    ] = "",
    seat: SeatOption = "public",
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed gives the same games.")] = "0",
    jobs: Annotated[int, typer.Option("--jobs", metavar="J", help="Processes; 0 is one per core.")] = 0,
) -> None:
    """Tell where a match turned: bots play on from its points, and how often each side wins is told."""
    from cli.commands.designing.turning_points import Wished, tell_turning_points

    tell_turning_points(context, point, seat, Wished(times, points, policy, seed, jobs))


@verb("diff", HISTORY, connects=True)
def diff(
    context: Context,
    a: Annotated[str, typer.Argument(metavar="A[@N]", help="The first point.")],
    b: Annotated[str, typer.Argument(metavar="[B[@M]]", help="The second point; by default the latest of A.")] = "",
    seat: SeatOption = "public",
) -> None:
    """Compare two points: pieces, places, tracks, piles, and the first event that differs."""
    from cli.commands.history.diff import diff

    diff(context, a, b, seat)


@verb("blame", HISTORY, connects=True)
def blame(
    context: Context,
    point: PointArgument,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="A piece, a place, a track, a pile or a card: its id or name.")
    ],
    seat: SeatOption = "public",
) -> None:
    """Print which events gave something its present state: put it there, changed its owner, set its number."""
    from cli.commands.history.fact_history import blame

    blame(context, point, name, seat)


@verb("when", HISTORY, connects=True)
def when(
    context: Context,
    point: PointArgument,
    condition: Annotated[
        str, typer.Argument(metavar="CONDITION", help="Such as 'morale <= 10 and control of 5 = german'.")
    ],
    seat: SeatOption = "public",
) -> None:
    """Print each event with which a condition comes true, and how long it holds."""
    from cli.commands.history.fact_history import when

    when(context, point, condition, seat)
