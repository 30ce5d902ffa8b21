"""The demonstration."""

from typing import Annotated

import typer

from cli.interface.typer_app import START, verb
from cli.shell.context import Context


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
    from cli.commands.demo import demo

    demo(context, game, keep)
