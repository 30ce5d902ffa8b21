"""The chances beside the options of a question, said once where nothing that can be chosen changes them."""

from core.match.bound_games import bound_game
from core.odds.odds_lines import Line, Mean, Odds, Outcome
from core.telling.option_parts import sort_in
from events.ids import GameKey
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.replies import LegalOption
from server.web.panels.chance_bar import chance_bar, weighing_link
from server.web.panels.page_model import Decision, PageModel
from tests.support.browsing import play_on, played
from tests.support.seen_story import seen_story


def hits(mean: float, *assumed: str) -> Odds:
    return Odds((Line("Hits", (Outcome("1", 1, 1, 1),), None, Mean(mean, mean, mean)),), 6, assumed=assumed)


def test_a_chance_that_is_the_same_whatever_is_chosen_is_said_once() -> None:
    log = MemoryLog()
    match, bound = played(log, "battle", 0), bound_game(GameKey("battle"), None)
    client = local_client(log)
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal = client.legal(match, seat)
    model = PageModel(story, legal.seq, bound=bound, decision=Decision(legal))

    def told(odds: dict[int, Odds]) -> tuple[list[bool], str]:
        weighed = model._replace(decision=model.decision._replace(odds=odds))
        bars = [chance_bar(weighed, one) is not None for one in legal.options[:2]]
        return bars, str(weighing_link(weighed, legal.options) or "")

    same = {one.number: hits(1.7) for one in legal.options}
    bars, said = told(same)
    differ, nothing = told({**same, legal.options[1].number: hits(2)})
    of_some, none = told({one.number: hits(1.7) for one in legal.options[:2]})
    _, with_same = told({one.number: hits(1.7, "without support") for one in legal.options})
    _, with_some = told({one.number: hits(1.7, "without support") for one in legal.options[:2]})

    assert (bars, "Whatever you choose: Hits 1.7 on average." in said) == ([False, False], True)
    assert (differ, nothing) == ([True, True], "")
    assert (of_some, none) == ([True, True], "")
    assert "Whatever you choose: Hits 1.7 on average (without support)." in with_same
    assert "Chances (without support)." in with_some


def sort_of(option: LegalOption) -> str:
    return sort_in(bytes(option.command))


def test_chances_are_offered_only_where_an_option_that_is_shown_may_lead_to_a_roll() -> None:
    """Actions of *Battle for Stalingrad*; none that is said to lead to no roll has chances."""
    log = MemoryLog()
    match, bound = played(log, "battle", 0, seed="3"), bound_game(GameKey("battle"), None)
    client = local_client(log)
    play_on(client, match, 2_000, "3", lambda legal: {"attack", "move"} <= {*map(sort_of, legal.options)})
    seat = client.legal(match).to_move
    story = seen_story(client, match, seat, bound)
    legal = client.legal(match, seat)
    model = PageModel(story, legal.seq, bound=bound, decision=Decision(legal))
    sorts = {sort_of(one): one for one in legal.options}
    is_offered = {sort: weighing_link(model, [one]) is not None for sort, one in sorts.items()}
    told = {one.number for one in client.odds(match, seat).options}
    silent = {one.number for one in legal.options if weighing_link(model, [one]) is None}

    assert (is_offered["attack"], is_offered["move"]) == (True, False)
    assert silent & told == set()
