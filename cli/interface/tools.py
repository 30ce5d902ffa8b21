"""Tools: simulate matches, check a game, and the schema of the output."""

from typing import Annotated

import typer

from cli.interface.options import (
    NO_TEXTS,
    AgainstBoardOption,
    AgainstOption,
    AgainstVariantOption,
    BoardOption,
    ForceOption,
    GameArgument,
    VariantOption,
    WhereArgument,
)
from cli.interface.typer_app import TOOLS, verb
from cli.shell.context import Context

PositionOption = Annotated[
    str, typer.Option("--position", metavar="FILE", help="Begin each match from a position file.")
]
SaveOption = Annotated[
    str,
    typer.Option(
        "--save",
        metavar="DIR|STORE",
        help="Save each match: as an archive in a folder, or in a store FILE.db or at an address.",
    ),
]
SaveFailuresOption = Annotated[
    str, typer.Option("--save-failures", metavar="DIR", help="Save each failed match as an archive.")
]


ArenaKeepOption = Annotated[
    str, typer.Option("--keep", metavar="FILE", help="Keep each pair in a file, and go on where it ends.")
]
ArenaPageOption = Annotated[
    str, typer.Option("--page", metavar="FILE", help="Write what was found out, and each match, as a page.")
]
AdjudicateOption = Annotated[
    str,
    typer.Option(
        "--adjudicate",
        metavar="CHANCE,N",
        help="End a match when all bots have said N times in a row that the same one wins with this chance.",
    ),
]


@verb("arena", TOOLS)
def arena(
    context: Context,
    first: Annotated[
        str,
        typer.Argument(
            metavar="BOT", help="A policy, with its budget if it has one: greedy:200ms; or exec: and a command line."
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="BOT", help="The other one.")],
    *,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="The game that they play.")],
    scenario: Annotated[str, typer.Option("--scenario", metavar="KEY", help="The scenario; the first.")] = "",
    mode: Annotated[str, typer.Option("--mode", metavar="KEY", help="The mode; the first.")] = "",
    option: Annotated[
        list[str], typer.Option("--option", "-o", metavar="KEY=VALUE", help="With this option; repeatable.")
    ] = NO_TEXTS,
    pairs: Annotated[int, typer.Option("--pairs", metavar="N", help="At most so many pairs of matches.")] = 100,
    sprt: Annotated[
        str,
        typer.Option("--sprt", metavar="LOW,HIGH", help="Stop when it is clear which difference of Elo is nearer."),
    ] = "",
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed plays the same pairs.")] = "0",
    jobs: Annotated[int, typer.Option("--jobs", metavar="J", help="Processes; 0 is one per core.")] = 0,
    stall: Annotated[
        str, typer.Option("--stall", metavar="DURATION", help="A bot that thinks longer about a decision loses.")
    ] = "1m",
    steps: Annotated[
        int, typer.Option("--steps", metavar="N", help="A match with more commands than this is drawn.")
    ] = 20_000,
    adjudicate: AdjudicateOption = "",
    keep: ArenaKeepOption = "",
    page: ArenaPageOption = "",
    is_forced: ForceOption = False,
) -> None:
    """Play two bots against each other in pairs, and tell which is stronger."""
    from cli.commands.bots.arena import Arena, play_arena
    from cli.shell.arguments import parse_duration

    play_arena(
        context,
        Arena(
            bots=(first, second),
            game=game,
            scenario=scenario,
            mode=mode,
            options=option,
            pairs=pairs,
            sprt=sprt,
            seed=seed,
            jobs=jobs,
            steps_max=steps,
            stall_ms=parse_duration(stall),
            file=keep,
            adjudicate=adjudicate,
            page=page,
            is_forced=is_forced,
        ),
    )


@verb("check-bot", TOOLS, has_verdict=True)
def check_bot(
    context: Context,
    command: Annotated[str, typer.Argument(metavar="COMMAND", help="The command line of a bot: 'python3 bot.py'.")],
    *,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Only this game.")] = "",
    decisions: Annotated[int, typer.Option("--decisions", metavar="N", help="So many decisions of each game.")] = 40,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed asks the same questions.")] = "0",
    stall: Annotated[
        str, typer.Option("--stall", metavar="DURATION", help="The bot must not think longer about a decision.")
    ] = "10s",
) -> None:
    """Check that a bot that is a child process can play the games; exit code 1 if it cannot."""
    from cli.commands.bots.check_bot import BotToCheck, check_bot
    from cli.shell.arguments import parse_duration

    check_bot(context, BotToCheck(command, game, decisions, seed, parse_duration(stall)))


@verb("simulate", TOOLS, has_verdict=True)
def simulate(
    context: Context,
    game: GameArgument,
    *,
    matches: Annotated[int, typer.Option("--matches", metavar="N", help="The number of matches.")] = 100,
    bots: Annotated[
        str,
        typer.Option("--bots", metavar="A,B", help="The bots; they take turns over the matches, or over the seats."),
    ] = "random",
    board: BoardOption = "",
    variant: VariantOption = "",
    position: PositionOption = "",
    scenario: Annotated[str, typer.Option("--scenario", metavar="KEY", help="Only this scenario.")] = "",
    mode: Annotated[str, typer.Option("--mode", metavar="KEY", help="Only this mode.")] = "",
    option: Annotated[
        list[str], typer.Option("--option", "-o", metavar="KEY=VALUE", help="Only with this option; repeatable.")
    ] = NO_TEXTS,
    sweep: Annotated[
        bool, typer.Option("--sweep/--no-sweep", help="Vary the scenario, mode and options that are not named.")
    ] = True,
    jobs: Annotated[int, typer.Option("--jobs", metavar="J", help="Processes; 0 is one per core.")] = 0,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed plays the same matches.")] = "0",
    audit: Annotated[bool, typer.Option("--audit/--no-audit", help="Audit each match.")] = True,
    save: SaveOption = "",
    save_failures: SaveFailuresOption = "",
    steps: Annotated[
        int, typer.Option("--steps", metavar="N", help="A match with more commands than this fails.")
    ] = 20_000,
    is_forced: ForceOption = False,
    against: AgainstOption = NO_TEXTS,
    against_board: AgainstBoardOption = "",
    against_variant: AgainstVariantOption = "",
) -> None:
    """Play many matches between bots, audit each, and sum the results up; exit code 1 if one fails."""
    from cli.commands.designing.rules_comparison import Other
    from cli.commands.designing.simulate import Simulation, simulate

    simulate(
        context,
        Simulation(
            game=game,
            board=board,
            variant=variant,
            matches=matches,
            bots=bots,
            scenario=scenario,
            mode=mode,
            options=option,
            is_swept=sweep,
            jobs=jobs,
            seed=seed,
            is_audited=audit,
            save_failures=save_failures,
            steps_max=steps,
            position=position,
            save=save,
            is_forced=is_forced,
            against=Other(tuple(against), against_board, against_variant),
        ),
    )


@verb("rulesdiff", TOOLS)
def rulesdiff(
    context: Context,
    where: WhereArgument = "",
    *,
    against: AgainstOption = NO_TEXTS,
    against_board: AgainstBoardOption = "",
    against_variant: AgainstVariantOption = "",
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Only matches of this game.")] = "",
) -> None:
    """Replay matches under other rules, and tell by rule what these refuse or decide otherwise."""
    from cli.commands.designing.rules_comparison import Other
    from cli.commands.designing.rulesdiff import diff_rules

    diff_rules(context, where, Other(tuple(against), against_board, against_variant), game)


@verb("check-game", TOOLS, has_verdict=True)
def check_game(
    context: Context,
    package: Annotated[
        str, typer.Argument(metavar="PACKAGE", help="The dotted name of a game's package, or a game's key.")
    ],
    *,
    matches: Annotated[
        int, typer.Option("--matches", metavar="N", help="The number of matches to play and check.")
    ] = 8,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed plays the same matches.")] = "0",
) -> None:
    """Check that a game meets the requirements on every game; exit code 1 if it does not."""
    from cli.commands.designing.check_game import check_game

    check_game(context, package, matches=matches, seed=seed)


@verb("new-game", TOOLS)
def new_game(
    context: Context,
    key: Annotated[str, typer.Argument(metavar="KEY", help="The key of the game, such as four-in-a-row.")],
    *,
    title: Annotated[
        str, typer.Option("--title", metavar="TEXT", help="Its title; by default the key in capitals.")
    ] = "",
    into: Annotated[
        str, typer.Option("--into", metavar="DIR", help="Where it is written; by default a folder of its name.")
    ] = "",
) -> None:
    """Write the folder of a new game, with a test that passes, to be changed."""
    from cli.commands.designing.new_game import new_game

    new_game(context, key, title=title, folder=into)


@verb("schema", TOOLS)
def print_schema(
    context: Context,
    shape: Annotated[str, typer.Argument(metavar="[SHAPE]", help="Only this shape, such as event or table.")] = "",
) -> None:
    """Print the JSON Schema of what --json puts out."""
    from cli.commands.designing.schema import print_schema

    print_schema(context, shape)


@verb("tune", TOOLS)
def tune(
    context: Context,
    policy: Annotated[str, typer.Argument(metavar="POLICY", help="A bot that searches.")],
    *,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="The game that it plays.")],
    scenario: Annotated[str, typer.Option("--scenario", metavar="KEY", help="The scenario; the first.")] = "",
    mode: Annotated[str, typer.Option("--mode", metavar="KEY", help="The mode; the first.")] = "",
    option: Annotated[
        list[str], typer.Option("--option", "-o", metavar="KEY=VALUE", help="With this option; repeatable.")
    ] = NO_TEXTS,
    matches: Annotated[int, typer.Option("--matches", metavar="N", help="How many matches are played.")] = 100,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed gives the same weights.")] = "0",
    jobs: Annotated[int, typer.Option("--jobs", metavar="J", help="Processes; 0 is one per core.")] = 0,
) -> None:
    """Fit the evaluation of a bot that searches to matches that its quick bot plays."""
    from cli.commands.bots.tune import Tune
    from cli.commands.bots.tune import tune as fit_and_print

    fit_and_print(context, Tune(policy, game, scenario, mode, option, matches, seed, jobs))
