"""The shares of wins of a match: pass by pass, the same for the same seed, and honest where nothing can be played on."""

from collections.abc import Sequence

import pytest

from core.match.bound_games import bound_game
from core.trials.trial import Outcome
from events.ids import PUBLIC, GameKey, Side
from events.memory_log import MemoryLog
from projections.state.table import Ended
from projections.state.view import EventSlice
from server.client.local import local_client
from server.page_parts.piped_match import lines_of
from server.playouts.share_job import (
    ADDED,
    FEW,
    FIRST,
    PASS,
    PLAYOUTS,
    POINTS,
    Played,
    found_shares,
    run_or_problem,
    stops_of,
)
from server.playouts.share_process import Wanted, found
from server.playouts.trial_job import Batch
from tests.support.browsing import played, resign

INFERNO, SKIRMISH = GameKey("inferno"), GameKey("skirmish")
WON = Outcome(Ended("rules", "", (Side("german"),)), {})


def seen(game: GameKey, commands: int) -> list[EventSlice]:
    """Return what everybody sees of a match that a player has given up after so many commands."""
    log = MemoryLog()
    match, client = played(log, game, commands), local_client(log)
    resign(client, match)
    return list(client.log(match, PUBLIC))


@pytest.fixture(scope="module")
def inferno() -> Played:
    return Played(bound_game(INFERNO, None), seen(INFERNO, 60), "random", "0")


def test_points_come_first_and_then_more_playouts_of_each(inferno: Played) -> None:
    asked: list[list[tuple[int, int]]] = []

    def run(batches: Sequence[Batch]) -> list[list[Outcome] | str]:
        asked.append([(batch.first, batch.trials) for batch in batches])
        return [[WON] * batch.trials for batch in batches]

    told = list(found_shares(inferno, run))
    points = [len(one.points) for one in told]

    assert points == [FIRST, FIRST, FIRST + ADDED, FIRST + 2 * ADDED, *[POINTS] * 4]
    assert [one.playouts for one in told] == [FEW, PASS, PASS, PASS, PASS, 2 * PASS, 3 * PASS, PLAYOUTS]
    assert [one.is_whole for one in told] == [False] * 7 + [True]
    assert asked[-1] == [(3 * PASS, PASS)] * POINTS
    assert {one.won[Side("german")].of for one in told[-1].points} == {PLAYOUTS}


def test_a_point_that_cannot_be_dealt_is_left_out_and_none_at_all_says_why(inferno: Played) -> None:
    why = "a question is open that nobody knows"
    (told,) = found_shares(inferno, lambda batches: [why, *[[WON]] * (len(batches) - 1)], playouts=1, points=2)
    (nothing,) = found_shares(inferno, lambda batches: [why] * len(batches))

    assert [one.number for one in told.points] == stops_of(inferno.seen)[0][-1:]
    assert (nothing.points, nothing.problem, nothing.is_whole) == ((), why, True)


def test_a_match_in_which_nothing_was_decided_has_no_shares(inferno: Played) -> None:
    (told,) = found_shares(inferno._replace(seen=inferno.seen[:1]), lambda _: [])

    assert told.problem == "nothing was decided in it"


def test_the_same_seed_gives_the_same_shares(inferno: Played) -> None:
    def shares(seed: str) -> object:
        (*_, last) = found_shares(
            inferno._replace(seed=seed), lambda batches: map(run_or_problem, batches), playouts=6, points=2
        )
        return last

    assert shares("1") == shares("1")


def test_the_process_reads_what_everybody_has_seen_and_tells_each_pass() -> None:
    """Skirmish, whose matches are short."""
    slices = seen(SKIRMISH, 12)
    *_, told = found(lines_of(Wanted(game=SKIRMISH), slices))

    assert (told.playouts, told.is_whole, told.problem) == (PLAYOUTS, True, "")
    assert {one.number for one in told.points} <= {*stops_of(slices)[0]}
    assert len(told.points) > 2
