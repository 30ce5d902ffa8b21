"""How forms offer bots: by levels where a game has a bot that searches."""

from server.web.pages.bot_choices import bot_choices
from tests.support.rows import each_row

SEARCHING = ("random", "steady", "greedy", "search")


@each_row(
    ("policies", "chosen", "values", "meant"),
    [
        (SEARCHING, "", ["random", "steady", "recruit", "sergeant", "general"], ["recruit"]),
        (SEARCHING, "general", ["random", "steady", "recruit", "sergeant", "general"], ["general"]),
        (SEARCHING, "search:20", ["random", "steady", "recruit", "sergeant", "general"], ["sergeant"]),
        (SEARCHING, "search:7", ["random", "steady", "recruit", "sergeant", "general"], []),
        (("random", "greedy"), "", ["random", "greedy"], ["greedy"]),
        ((), "", [], []),
    ],
)
def test_levels_are_offered_where_a_bot_searches_and_policies_elsewhere(
    policies: tuple[str, ...], chosen: str, values: list[str], meant: list[str]
) -> None:
    offered = bot_choices(policies, chosen)

    assert [one.value for one in offered] == values
    assert [one.value for one in offered if one.is_chosen] == meant
