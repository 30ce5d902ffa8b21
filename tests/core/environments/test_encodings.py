"""What a seat sees as numbers: no number depends on what it does not know, and what is kept is what would be computed anew."""

from collections.abc import Iterator

import pytest

from core.bots.sampler import Deals
from core.bots.seat_knowledge import SeatKnowledge
from core.bots.streams import Stream
from core.bots.world import RandomChance
from core.environments.actions import ACTIONS, ActionIllegal, action_numbers, option_at, tokens_of
from core.environments.arrays import Observer
from core.environments.entities import Names, entities
from core.environments.episodes import Episodes, Moment
from core.environments.vector import VectorEncoder
from core.match.match_creation import Opening
from core.registry.games import GAMES, load_game
from events.ids import GameKey, Seat
from events.vocabulary import Event
from projections.state.table import Table
from projections.state.view import seen_events
from tests.project.tree import games
from tests.support.soak import sampled

MODES = [
    (game, scenario.key, mode.key)
    for game in games()
    for scenario in load_game(game).scenarios
    for mode in scenario.modes
]
ALL = [*MODES, ("skirmish", "", "")]
OPEN = ("advance", "axis_allies")
"""Games that hide nothing in their first commands."""


def opened(game: str, scenario: str = "", mode: str = "") -> Episodes:
    """Return the episodes of a game."""
    return Episodes(Opening(game=game, scenario=scenario, mode=mode))


def played(episodes: Episodes, seed: int, most: int) -> Iterator[Moment]:
    """Yield the moments of a random episode."""
    below = Stream(seed)
    moment = episodes.begin(RandomChance(below))
    yield moment
    while moment.commands < most and (options := episodes.options(moment)):
        moment = episodes.play(moment, options[below(len(options))], RandomChance(below), options)
        yield moment


@pytest.fixture(autouse=True)
def _skirmish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, GameKey("skirmish"), "tests.support.skirmish")


@pytest.mark.parametrize(
    ("game", "scenario", "mode"), sampled(ALL, lambda game, _, mode: game == "battle" or mode == "solo")
)
def test_the_numbers_that_are_kept_are_those_computed_anew_and_lie_in_their_ranges(
    game: str, scenario: str, mode: str, budget: float
) -> None:
    episodes = opened(game, scenario, mode)
    kept = {seat: VectorEncoder(episodes.layout, seat) for seat in episodes.seats}
    changed = set[int]()
    for seed in range(1, 2 + int(budget / 20)):
        for moment in played(episodes, seed, 40 * int(budget)):
            for seat, encoder in kept.items():
                anew = VectorEncoder(episodes.layout, seat).encode(moment.views[seat])
                values = encoder.encode(moment.views[seat])
                changed.update(index for index, value in enumerate(anew) if value)

                assert values == anew
    for index in changed:
        component = episodes.layout.components[index]
        assert all(component.least <= encoder.values[index] <= component.most for encoder in kept.values())
    assert len(changed) > 20


def events_of(moments: list[Moment]) -> list[Event]:
    """Return all events up to the last of some moments."""
    return [event for moment in moments for event in moment.events]


@pytest.mark.parametrize(("game", "scenario", "mode"), sampled(ALL, lambda game, *_: game in ("battle", "skirmish")))
def test_no_number_depends_on_what_the_seat_does_not_know(game: str, scenario: str, mode: str, budget: float) -> None:
    """Two deals of one view look the same to the seat, though the tables differ: the vector, the entities and what may be done."""
    episodes = opened(game, scenario, mode)
    observer = Observer(episodes, has_entities=True)
    differing = 0
    for seed in range(3, 4 + int(budget / 20)):
        moments: list[Moment] = []
        for moment in played(episodes, seed, 40 + int(budget)):
            moments.append(moment)
            if moment.commands % 20 or moment.seat_to_move is None:
                continue
            for seat in episodes.seats:
                one, other = dealt(episodes, moment, seat, events_of(moments))
                seen = [observed(observer, episodes, deal, seat) for deal in (one, other)]
                differing += one.table.pieces != other.table.pieces or one.table.piles != other.table.piles

                assert seen[0] == seen[1] == observed(observer, episodes, moment, seat)
    assert differing or game in OPEN


def dealt(episodes: Episodes, moment: Moment, seat: Seat, events: list[Event]) -> tuple[Moment, Moment]:
    """Return a moment with two other deals of what a seat does not know; its view is that of its events."""
    hidden = SeatKnowledge(seen_events(events, seat)).now()
    assert moment.views[seat].game_part() == hidden.table.game_part()
    deals = Deals(episodes.rules, episodes.inventory, hidden)
    tables: list[Table] = [deals.deal(RandomChance(Stream(number))) for number in (1, 2)]
    one, other = (Moment(table, moment.views, moment.commands, ()) for table in tables)
    return one, other


def observed(observer: Observer, episodes: Episodes, moment: Moment, seat: Seat) -> list[bytes]:
    """Return all that a seat is told at a moment, as bytes."""
    actions = action_numbers(episodes.options(moment)) if moment.seat_to_move == seat else {}
    return [part.tobytes() for part in observer.observe(moment, seat, actions).values()]


def test_the_name_of_the_spaces_tells_inventories_apart() -> None:
    names = [opened("advance", scenario).name for scenario in ("factory", "main", "factory")]

    assert names[0].startswith("wardiary/advance/view-1/")
    assert names[0] == names[2] != names[1]


def test_entities_tell_what_lies_where() -> None:
    episodes = opened("battle")
    names = Names(episodes.inventory)
    by_number = {number: name for name, number in names.numbers.items()}
    seat = episodes.seats[0]
    *_, moment = played(episodes, 1, 30)
    rows = entities(names, moment.views[seat])
    pieces = {by_number[row[1]]: by_number[row[4]] for row in rows if row[0] == 1}
    cards = {by_number[row[1]] for row in rows if row[0] == 2}

    assert pieces == {piece.id: piece.place for piece in moment.table.pieces.values()}
    assert cards == {card for pile in moment.views[seat].piles.values() for card in pile.cards}
    assert cards < {card for pile in moment.table.piles.values() for card in pile.cards}


def test_an_option_has_one_action_and_equal_commands_mostly_the_same() -> None:
    episodes = opened("battle")
    found: dict[bytes, set[int]] = {}
    for moment in played(episodes, 1, 60):
        options = episodes.options(moment)
        actions = action_numbers(options)
        assert list(actions.values()) == options
        assert all(0 <= action < ACTIONS for action in actions)
        for action, command in actions.items():
            found.setdefault(str(command).encode(), set()).add(action)

    assert sum(len(numbers) == 1 for numbers in found.values()) > 0.95 * len(found)


def test_an_action_that_is_no_option_is_named_with_those_that_are() -> None:
    episodes = opened("battle")
    actions = action_numbers(episodes.options(episodes.begin(RandomChance(Stream(1)))))
    free = next(number for number in range(ACTIONS) if number not in actions)

    with pytest.raises(ActionIllegal, match=rf"action {free} is not legal; legal are {min(actions)}\b"):
        option_at(actions, free)


def test_commands_of_a_kind_share_the_tokens_of_equal_fields() -> None:
    options = opened("battle").options(opened("battle").begin(RandomChance(Stream(1))))
    tokens = [tokens_of(option) for option in options]

    assert len({one[0] for one in tokens}) == len({type(option) for option in options})
    assert len(set(tokens)) == len(options)
