"""The page of an arena: what it found out, and each of its matches, in one file that needs nothing else."""

from cli.commands.bots.arena_standing import Standing
from cli.schemas.arena import ArenaMatchShape, ArenaShape
from core.registry.games import load_game
from core.telling.chosen_options import played_title, written
from core.telling.phrases import listed
from core.wording import counted
from server.page_parts.html import Content, tag
from server.report.page import whole_page
from server.report.report_tables import table

COLUMNS = ("Pair", "First side", "Second side", "Result", "Won by", "Commands", "Score")
NUMBERS = (0, 5, 6)


def arena_page(settings: ArenaShape, standing: Standing) -> str:
    """Return the page of an arena in which at least one pair was played."""
    game = load_game(settings.game)
    title = f"{game.title}: {settings.bots[0]} against {settings.bots[1]}"
    options = [f"{key}={written(value)}" for key, value in sorted(settings.options.items())]
    played = played_title(settings.game, settings.scenario, settings.mode)
    made = [
        f"{played}{f', with {listed(options)}' if options else ''}.",
        f"A match ends after {counted(settings.steps_max, 'command')} at most, and a decision takes {settings.stall_s:g} s at most.",
        f"Rules {settings.rules[:12]}…",
    ]
    rows = [[str(pair.number), *_row(settings.bots, match)] for pair in standing.pairs for match in pair.matches]
    return whole_page(
        title,
        [
            tag("header", {"class": "head"}, tag("h1", None, title), tag("p", {"class": "files"}, " ".join(made))),
            tag(
                "section",
                {"class": "part"},
                tag("h2", None, "Strength"),
                [tag("p", None, line) for line in standing.lines()],
            ),
            tag(
                "section",
                {"class": "part"},
                tag("h2", None, "Matches"),
                table(COLUMNS, rows, NUMBERS, is_labelled=True),
            ),
        ],
    )


def _row(bots: tuple[str, str], match: ArenaMatchShape) -> list[Content]:
    """Return the cells of a match: which bot had which seats, and what became of it."""
    sat = {bot: ", ".join(seat for seat, of in match.seats.items() if of == bot) for bot in match.seats.values()}
    sides = [f"{bots[bot - 1]} as {seats}" for bot, seats in sat.items()]
    at_fault = f": {bots[match.seats[match.at_fault] - 1]} {match.fault}" if match.fault else ""
    return [
        sides[0],
        sides[1] if len(sides) > 1 else "",
        f"{match.result}{at_fault}",
        ", ".join(match.winning_seats),
        str(match.commands),
        f"{match.score:g}",
    ]
