"""Chances of several options of an open decision, within the work that one request may cost."""

from collections.abc import Sequence

from core.engine.decision import Rules
from core.errors import KernelError
from core.legal.legal_options import numbered
from core.narration.game_rolls import GameRolls
from core.odds.counting import odds_of
from core.odds.odds_lines import Odds
from core.odds.possible_tables import PossibleTables
from events.codec import DecodeError, Struct
from projections.state.table import Table

ROLLS_MAX = 12
"""For how many options chances are counted at most; one of which ways were taken at random counts as `SAMPLED`."""
SAMPLED = 4


class OptionOdds(Struct, frozen=True):
    """Chances of an option.

    Attributes:
        number: Its number among all options, from 1.
        odds: The chances; None if it leads to nothing that is rolled for before the next decision.
        problem: Why its chances cannot be told, one line; empty if they can.
    """

    number: int
    odds: Odds | None = None
    problem: str = ""


def odds_of_options(
    rules: Rules,
    rolls: GameRolls,
    table: Table,
    worlds: PossibleTables,
    numbers: Sequence[int] = (),
) -> tuple[OptionOdds, ...]:
    """Return the chances of options of the topmost decision, by what a seat knows.

    Args:
        rules: The rules of the match.
        rolls: What the game says of its rolls.
        table: The true table.
        worlds: The tables that may be the true one by what the asking seat knows, the deciding one or the arbiter.
        numbers: The numbers of the options, from 1; those that do not exist are left out. None are the options that lead to a roll, the first `ROLLS_MAX`
            of them.
    """
    top = table.top
    options = dict(numbered(rules, table))
    if top is None or not options:
        return ()
    wanted = [number for number in numbers if number in options] if numbers else list(options)
    found: list[OptionOdds] = []
    for number in wanted:
        if sum(map(_cost, found)) >= ROLLS_MAX:
            break
        try:
            one = OptionOdds(number, odds_of(rules, rolls, worlds, top.seat, options[number]))
        except KernelError as error:
            one = OptionOdds(number, problem=str(error))
        if numbers or one.odds is not None:
            found.append(one)
    return tuple(found)


def odds_of_command(rules: Rules, rolls: GameRolls, table: Table, worlds: PossibleTables, data: bytes) -> OptionOdds:
    """Return the chances of a command of the topmost decision, also of a whole choice that is not listed, under the number 0; arguments as above."""
    top = table.top
    assert top is not None, "a decision is open"
    try:
        command = rules.decode(data)
        refusal = rules.refuse(table, top.seat, command)
        if refusal is not None:
            return OptionOdds(0, problem=refusal.sentence)
        return OptionOdds(0, odds_of(rules, rolls, worlds, top.seat, command))
    except DecodeError as error:
        return OptionOdds(0, problem=f"not a command of this game: {error}")
    except KernelError as error:
        return OptionOdds(0, problem=str(error))


def _cost(one: OptionOdds) -> int:
    if one.odds is None:
        return int(bool(one.problem))
    return SAMPLED if one.odds.samples else 1
