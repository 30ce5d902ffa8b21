"""The table of any moment, written as a position and opened, is the same table, known to the same seats."""

from collections.abc import Iterator
from random import Random

import pytest

from core.errors import SetupInvalid
from core.position_files.position_line import position_line, text_of_line
from core.position_files.position_toml import position_text
from core.position_files.saved_position import NoPosition, dealt, differences, saved_position
from core.positions.position import Position, parse_position
from core.registry.games import load_game
from events.codec import encode
from events.ids import PUBLIC, Seat
from events.vocabulary import Event, Value
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import seen_events
from tests.core.test_fuzz import GIVEN, scenes
from tests.support.desk import Desk
from tests.support.playouts import Playout
from tests.support.soak import sampled

MOMENTS = 10
"""Moments of each scenario and mode for each unit of a larger budget: with the long one all together are more than ten thousand."""

FEW = 3
"""The moments at budget 1, since each match must be played up to them."""


def moments(game: str, scenario: str, mode: str, seed: int, share: float) -> Iterator[Desk]:
    """Yield a random match at some of its moments."""
    # In fog an ambush of the test game lasts until it is sprung, and then for the round: no memory declares two lifetimes. Its planted faults are none here.
    given: dict[str, Value] = {"fog": False, "bug": "none"} if game == "skirmish" else GIVEN.get(game, {})
    playout, rng = Playout(game, scenario, seed, mode=mode, given=given), Random(seed)
    for _ in playout.steps():
        if playout.desk.table.ended is None and rng.random() < share:
            yield playout.desk


def position_of(desk: Desk, seat: Seat | None = None, seed: int = 1) -> Position:
    """Return the true position of a match, or one dealt from what a seat knows."""
    table, events = desk.table, desk.events
    sides = load_game(table.game).scenario(table.scenario).mode(table.mode).seats
    if seat is None:
        return saved_position(events, sides)
    bound, seen = desk.match.ruleset.game, list(seen_events(events, seat))
    inventory = bound.inventory(table.scenario, table.options)
    whole = dealt(bound.rules, inventory, seen, Random(seed).randrange)
    return saved_position(seen, sides, table=whole)


def opened(position: Position) -> Desk:
    """Open a match from the text of a position."""
    return Desk.open(position.game, position=position_text(position))


def view(events: list[Event], seat: Seat) -> Table:
    """Return the table as a seat sees it."""
    return fold(list(seen_events(events, seat)))


def check_same(desk: Desk) -> None:
    """Check that the position of a moment opens the same table, for the arbiter and for each seat."""
    position = position_of(desk)
    again = opened(position)

    assert parse_position(position_text(position)) == position
    assert text_of_line(position_line(position)) == position_text(position)
    assert [name for name in differences(desk.table, again.table) if name != "piles"] == []
    assert cards(desk.table) == cards(again.table)
    # Pieces come on the table in another order, by which some options are listed.
    assert sorted(map(encode, desk.options())) == sorted(map(encode, again.options()))
    for seat in (*desk.table.seats, PUBLIC):
        was, now = view(desk.events, seat), view(again.events, seat)

        assert [name for name in differences(was, now) if name != "piles"] == []
        # Never more than before is known of a pile.
        assert all(set(there) <= set(cards(was)[pile]) for pile, there in cards(now).items())
        assert counts(was) == counts(now)


def cards(table: Table) -> dict[str, tuple[str, ...]]:
    """Return the cards of the piles that are not empty, as far as they are known."""
    return {name: pile.cards for name, pile in table.piles.items() if pile.count}


def counts(table: Table) -> dict[str, int]:
    """Return how many cards the piles have that are not empty."""
    return {name: pile.count for name, pile in table.piles.items() if pile.count}


@pytest.mark.parametrize(
    ("game", "scenario", "mode"),
    sampled(
        [*scenes(), ("skirmish", "field", "")],
        lambda game, scenario, _: game not in ("axis_allies", "inferno") or scenario == "race",
    ),
)
def test_the_position_of_a_moment_opens_the_same_table(game: str, scenario: str, mode: str, budget: float) -> None:
    wanted, found = FEW if budget <= 1 else round(MOMENTS * budget), 0
    for seed in range(wanted):
        for desk in moments(game, scenario, mode, seed, 0.15):
            check_same(desk)
            found += 1
            if found == wanted:
                return


def test_before_play_and_after_the_end_there_is_no_position() -> None:
    free = Desk.open("battle", seats=())
    with pytest.raises(NoPosition, match="play has not begun"):
        position_of(free)
    playout = Playout("battle", "standard", 1, given={"turn_cap": 1})
    playout.run()
    with pytest.raises(NoPosition, match="the match is over"):
        position_of(playout.desk)


def test_a_match_from_a_position_is_clean() -> None:
    desk = next(moments("axis_allies", "race", "standard", 1, 0.05))
    again = opened(position_of(desk))
    again.accept(again.options()[0])

    assert again.audit().findings == ()


def test_another_edition_is_refused() -> None:
    desk = next(moments("battle", "standard", "", 1, 0.05))
    text = position_text(position_of(desk)).replace('edition = "1.0"', 'edition = "0.9"')
    with pytest.raises(SetupInvalid, match=r"of edition 0\.9 of battle; installed is 1\.0"):
        Desk.open("battle", position=text)
