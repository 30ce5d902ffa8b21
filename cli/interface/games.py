"""Games, rules and boards."""

from typing import Annotated

import typer

from cli.interface.options import NO_TEXTS, ForceOption, GameArgument
from cli.interface.typer_app import GAMES, verb
from cli.shell.context import Context


@verb("games", GAMES)
def list_games(
    context: Context, game: Annotated[str, typer.Argument(metavar="[GAME]", help="Only this game, in full.")] = ""
) -> None:
    """List the games; with GAME its scenarios, modes and options."""
    from cli.commands.rulebooks.games import list_games

    list_games(context, game)


@verb("rules", GAMES)
def show_rules(
    context: Context,
    game: GameArgument,
    rule: Annotated[
        str, typer.Argument(metavar="[ID]", help="A rule, a ruling, or a section of the rulebook such as 9.5.")
    ] = "",
) -> None:
    """Show a game's rules, or one rule with the rulings that bear on it."""
    from cli.commands.rulebooks.rules import show_rules

    show_rules(context, game, rule)


@verb("learn", GAMES)
def learn(
    context: Context,
    game: GameArgument,
    words: Annotated[
        list[str], typer.Argument(metavar="[WORD…]", help="Words to look for in the rules, such as retreat destroyed.")
    ] = NO_TEXTS,
) -> None:
    """Show how a game is played, on one page; with words the rules that have them."""
    from cli.commands.rulebooks.learn import learn

    learn(context, game, " ".join(words))


@verb("board", GAMES)
def show_board(
    context: Context,
    game: GameArgument,
    *,
    svg: Annotated[str, typer.Option("--svg", metavar="FILE", help="Draw the map to a file; - is stdout.")] = "",
    board: Annotated[str, typer.Option("--board", metavar="FILE", help="An owner's own board file.")] = "",
    inventory: Annotated[bool, typer.Option("--inventory", help="What is in the box; with -v every id.")] = False,
    schema: Annotated[bool, typer.Option("--schema", help="The JSON Schema of a board file.")] = False,
    toml: Annotated[bool, typer.Option("--toml", help="The board file itself, to be copied and corrected.")] = False,
    variant: Annotated[
        str, typer.Option("--variant", metavar="NAME", help="The variant that the board belongs to.")
    ] = "",
    is_forced: ForceOption = False,
) -> None:
    """Show a game's map and where its figures come from; with -v what the rulebook does not give."""
    from cli.commands.rulebooks.board import show_board

    show_board(
        context,
        game,
        svg=svg,
        board=board,
        variant=variant,
        is_inventory=inventory,
        is_schema=schema,
        is_text=toml,
        is_forced=is_forced,
    )
