"""A bot's picks lead to a whole choice: each item once, at one place, unless the question lets an item be picked again."""

from collections.abc import Callable
from random import Random

from core.bots.bot_port import Asked
from core.bots.choices import best_choice, whole_choice
from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick
from events.ids import Seat
from projections.state.table import Table
from tests.support.desk import Desk
from tests.support.rows import each_row


def chosen(scenario: str, best: Callable[[Table, list[Command]], Command]) -> Command:
    """Return the whole choice at the question of a scenario."""
    desk = Desk.open("garrison", scenario)
    rules = desk.match.ruleset.rules
    return whole_choice(rules, desk.table, rules.options(desk.table), best)


def first_pick(table: Table, options: list[Command]) -> Command:
    """Prefer any pick to being done."""
    return next((option for option in options if isinstance(option, Pick)), Done())


@each_row(
    ("scenario", "choice"),
    [
        ("advance", Choose(("infantry-01", "infantry-02", "infantry-03", "infantry-04"))),
        ("guns", Choose(("gun-1", "gun-2", "gun-3"), ("east", "east", "east"))),
        ("rations", Choose(("guards", "guards", "guards"))),
    ],
)
def test_a_bot_that_always_prefers_a_pick_never_moves_one(scenario: str, choice: Choose) -> None:
    """A gun that covers a place could be picked for another one, again and again: the bot would never be done."""
    found = chosen(scenario, first_pick)

    assert found == choice
    Desk.open("garrison", scenario).accept(found)


def test_a_bot_is_done_as_soon_as_it_prefers_that() -> None:
    def one_gun(table: Table, options: list[Command]) -> Command:
        return Done() if Done() in options and table.stack[-1].picked else Pick("gun-2", "west")

    assert chosen("guns", one_gun) == Choose(("gun-2",), ("west",))


def test_the_choice_is_the_best_by_worth_and_by_chance_among_equals() -> None:
    """Recruits must cost exactly 12: the worth leads to the dearest, and only then to what fits."""
    desk = Desk.open("garrison", "recruits")
    rules = desk.match.ruleset.rules

    def judge(table: Table) -> Callable[[Command], float]:
        return lambda option: {"tanks": 2.0, "navy": 1.0}.get(option.item, 0.0) if isinstance(option, Pick) else 0.5

    options = rules.options(desk.table)
    found = best_choice(Asked(rules, desk.table, Seat("red"), options, lambda count: Random(1).randrange(count)), judge)

    assert found.command == Choose(("navy", "tanks"))
    assert [one.command for one in found.considered] == options
