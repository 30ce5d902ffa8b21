"""Playing a game at once, and the demonstration."""

from typing import Annotated

import typer

from cli.interface.options import NO_TEXTS, BoardOption, ModeOption, OptionsOption, ScenarioOption, VariantOption
from cli.interface.typer_app import START, verb
from cli.shell.context import Context


@verb("play", START, has_verdict=True, connects=True)
def play(
    context: Context,
    game: Annotated[
        str, typer.Argument(metavar="GAME|MATCH", help="The game's key, or a match that was begun like this, to go on.")
    ],
    words: Annotated[str, typer.Argument(hidden=True, metavar="TEXT")] = "",
    *,
    against: Annotated[
        str,
        typer.Option(
            "--against",
            metavar="NAME|none",
            help="Who plays the other seats: a policy that `wardiary games GAME` lists, by default greedy; none: you.",
        ),
    ] = "",
    side: Annotated[
        str,
        typer.Option("--side", metavar="SIDE", help="Your seat, or the side it plays; by default that of the pages."),
    ] = "",
    is_terminal: Annotated[
        bool, typer.Option("--terminal", help="Play in this terminal, without a browser; needs the extra `table`.")
    ] = False,
    is_tour: Annotated[
        bool, typer.Option("--tour", help="A first match that explains itself, where a game has one.")
    ] = False,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only print the address of the table; open no browser.")
    ] = False,
    scenario: ScenarioOption = "",
    mode: ModeOption = "",
    option: OptionsOption = NO_TEXTS,
    dice: Annotated[
        str,
        typer.Option(
            "--dice",
            metavar="sealed|seeded:SEED",
            help="Rolled from secrets that the server and the players fix before play, or from SEED.",
        ),
    ] = "sealed",
    board: BoardOption = "",
    variant: VariantOption = "",
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="Your name.")] = "",
    listen: Annotated[
        str,
        typer.Option(
            "--listen",
            metavar="HOST:PORT",
            help="Where pages are served; 127.0.0.1:8042, or a free port, if not named.",
        ),
    ] = "",
) -> None:
    """Play a game now: open a match against a bot, and a browser at the table; needs the extra `web`."""
    from cli.commands.playing.new import Wish
    from cli.commands.serving.play import PlayWish, play, refuse_option, toured

    if words:
        raise refuse_option(game, words)
    if is_tour:
        dice, side = toured(game, dice, side, is_terminal=is_terminal)
    new = Wish(game, scenario, mode, tuple(option), dice, board=board, variant=variant, name=name)
    play(context, PlayWish(new, against, side, listen, is_terminal=is_terminal, has_browser=not no_browser))


@verb("demo", START, has_verdict=True)
def demo(
    context: Context,
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="The game; by default the first of the list.")
    ] = "",
    keep: Annotated[
        str, typer.Option("--keep", metavar="DIR", help="Keep the store and the archive in this folder.")
    ] = "",
) -> None:
    """Serve, play and watch a match live, then replay, fork, audit and export it, and detect a forgery."""
    from cli.commands.serving.demo import demo

    demo(context, game, keep)
