"""How the solitaire game ends between the greedy bot and the rules: `python -m tests.support.inferno_results` writes `docs/inferno-results.md`."""

import argparse
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean, median, quantiles
from typing import NamedTuple

from core.checking.simulated_match import Plan, SimulatedMatch
from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.ids import GERMAN, GERMAN_SEAT, SOLO, leaders
from core.games.inferno.options import DESIGNERS_WAY, GERMAN_LEADERS, HARD, OFF, RANDOM, SOVIET_EASY
from core.games.inferno.rules.cards import OKH
from core.games.inferno.rules.ending import german_losses
from events.ids import CardId

PAGE = Path(__file__).parents[2] / "docs" / "inferno-results.md"
BOARD = BOARD_FILE.load()
OKH_CARD = CardId(f"{GERMAN}/{OKH}")
LEVELS = {
    OFF: "standard game",
    RANDOM: "Designer's Way, random Advantages",
    GERMAN_LEADERS: "Designer's Way, German level",
    SOVIET_EASY: "Designer's Way, easy Soviet level",
    HARD: "Designer's Way, hard Soviet level",
}
STEPS_MAX = 20_000


class Played(NamedTuple):
    """One match: its turns, the winning side, what the Germans captured and lost, and whether OKH was in play."""

    turns: int
    is_won: bool
    spawn_hexes: int
    losses: int
    has_okh: bool


def played(level: str, number: int) -> Played:
    """Play one match of a level; the same number is the same match."""
    plan = Plan(
        number=number,
        game="inferno",
        scenario="standard",
        mode=SOLO,
        options={DESIGNERS_WAY.key: level},
        bots={GERMAN_SEAT: "greedy"},
        seed=f"results {level} {number}",
        steps_max=STEPS_MAX,
        is_audited=False,
        save_failures="",
    )
    match = SimulatedMatch(plan, Random)
    match.play()
    table = match.match.table
    assert table.ended is not None
    return Played(
        table.round,
        GERMAN in table.ended.winners,
        sum(table.control[place] == GERMAN for place in BOARD.soviet_spawn),
        german_losses(table, BOARD),
        OKH_CARD in table.pile(leaders(GERMAN)).cards,
    )


def line(title: str, matches: Sequence[Played]) -> str:
    """Return a row of the table."""
    turns = [match.turns for match in matches]
    low, *_, high = quantiles(turns, n=10, method="inclusive")
    count = len(matches)
    lost = [match for match in matches if not match.is_won]
    by_losses = sum(match.losses >= BOARD.victory.german_losses for match in lost)
    cells = (
        title,
        f"{count:,}",
        f"{sum(match.is_won for match in matches) / count:.0%}",
        f"{by_losses / count:.0%}",
        f"{(len(lost) - by_losses) / count:.0%}",
        f"{median(turns):.0f} ({low:.0f} to {high:.0f})",
        f"{mean(match.spawn_hexes for match in matches):.1f}",
        f"{mean(match.losses for match in matches):.1f}",
    )
    return f"| {' | '.join(cells)} |"


def page(results: dict[str, list[Played]], arguments: str) -> str:
    """Return the page.

    Args:
        results: The matches of each level.
        arguments: With what the command was called.
    """
    standard = results[OFF]
    rows = [line(LEVELS[level], matches) for level, matches in results.items()]
    rows[1:1] = [
        line(title, matches)
        for title, matches in (
            ("– of these without OKH", [match for match in standard if not match.has_okh]),
            ("– of these with OKH", [match for match in standard if match.has_okh]),
        )
        if len(matches) > 1
    ]
    return TEXT.format(command=f"python -m tests.support.inferno_results{arguments}", rows="\n".join(rows))


TEXT = """# Inferno on the Volga: how solitaire matches end

Made by `{command}`; do not edit by hand.
The same command plays the same matches and writes the same page until the rules, the board or the bot change.

The greedy bot plays the Germans, the rules play the Soviets. *Lost by units* counts matches with ten points in the Death Pool, *lost by the deck*
those in which the last Soviet card was drawn (with OKH: in which no extra turn was left). *Turns* is the median, with the middle four fifths in
brackets. *Spawn Hexes* and *points lost* are the means at the end of the match; six Spawn Hexes win, unless OKH is in play.

| game | matches | won | lost by units | lost by the deck | turns | Spawn Hexes | points lost |
|---|---:|---:|---:|---:|---:|---:|---:|
{rows}

## Beside the printed game

* The rulebook says nothing of how long a match lasts or how often the Germans win. A published account of two solitaire matches tells of 18 and 33
  turns (source S6 of `core/games/inferno/data/board.toml`).
* Two clocks run against the Germans: ten points of lost units, and 28 Soviet cards. Both are the rulebook's. What feeds the second clock depends on
  the printed map, which is rebuilt here: each order into the Volga, off the map or into a full hex draws a card, as does each unit that finds no
  room in a Spawn Action.
* OKH changes the goal from six Spawn Hexes to all 19 hexes along the Volga. The Germans must put it in play when they draw it, so that each Call
  for Reinforcements and each captured Spawn Hex carries that risk.
* The bot looks one action ahead and does not plan; the figures say how it fares, not how hard the game is for a player.
"""


def main() -> None:
    """Play the matches, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="matches of the standard game")
    parser.add_argument("--of-levels", type=int, default=200, help="matches of each level of the Designer's Way")
    wish = parser.parse_args()
    counts = {level: wish.matches if level == OFF else wish.of_levels for level in LEVELS}
    results = {level: [played(level, number) for number in range(count)] for level, count in counts.items()}
    named = (("matches", wish.matches, 1000), ("of-levels", wish.of_levels, 200))
    arguments = "".join([f" --{name} {given}" for name, given, usual in named if given != usual])
    PAGE.write_text(page(results, arguments), encoding="utf-8")


if __name__ == "__main__":
    main()
