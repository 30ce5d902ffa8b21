"""Events are told with their cause: what the rule under which they happened does."""

import pytest

from core.games.advance.ids import AVAILABLE, ELIMINATED, MORALE, OUT_OF_ACTION, SUPPLY, USED
from core.games.advance.memory import ATTACKERS, EVENT, RESULT, ROLL, STRATEGY_IN_FORCE
from core.games.advance.narration.advance_narration import AdvanceNarration
from core.games.advance.narration.pictures import Pictures, counter_words
from core.games.advance.narration.sentences import FATES, MORALE_CAUSES
from core.games.advance.rules.changes import MORALE_SOURCES
from core.rulebook import load_rulebook
from core.telling.names import Names
from events.ids import MarkerId, PieceId, PlaceId, RuleId, TrackId
from events.vocabulary import (
    AttributeSet,
    Event,
    MarkerPlaced,
    MarkerRemoved,
    PieceMoved,
    PieceRemoved,
    PieceRevealed,
    TrackMoved,
    Value,
)
from projections.table import Table
from tests.support.advance_rounds import BOARD

NARRATION = AdvanceNarration(BOARD)


def moved(rule: str, piece: str, was: str, to: str) -> Event:
    return PieceMoved(rule=RuleId(rule), piece=PieceId(piece), was=PlaceId(was), to=PlaceId(to))


def track(rule: str, name: TrackId, was: int, to: int) -> Event:
    return TrackMoved(rule=RuleId(rule), track=name, was=was, to=to)


def attribute(rule: str, on: str, key: str, value: Value | None, was: Value | None = None) -> Event:
    return AttributeSet(rule=RuleId(rule), on=on, key=key, value=value, was=was)  # type: ignore[arg-type]


def test_causes_are_told_by_rules_of_the_index() -> None:
    rules = set(load_rulebook("core.games.advance").rules)

    assert set(FATES) | set(MORALE_CAUSES) <= rules
    assert set(MORALE_CAUSES) == MORALE_SOURCES


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (
            moved("9.4.ambush", "29/15", "8", OUT_OF_ACTION),
            "Ambush at {8} puts 29/15 Out of Action.",
        ),
        (
            moved("9.4.barrage-lose-one", "29/15", "8", OUT_OF_ACTION),
            "Barrage at {8} puts 29/15 Out of Action.",
        ),
        (
            moved("9.5.5.repulse-losses", "29/15", "8", OUT_OF_ACTION),
            "29/15, which led the attack on {8}, is Out of Action after the Repulse.",
        ),
        (moved("9.5.8.entry-area", "29/15", "8", "6"), "29/15 retreats from {8} to {6}."),
        (moved("6.3.return-area", "29/15", OUT_OF_ACTION, "6"), "29/15 returns to {6} from the Out of Action Box."),
        (moved("9.5.5.success", "soviet/8", "8", ELIMINATED), "Soviet unit of {8} is eliminated."),
        (
            PieceRemoved(rule=RuleId("6.1.2.withdrawal-turn-9"), piece=PieceId("29/15"), was=PlaceId("8")),
            "29/15 leaves {8} and the game.",
        ),
        (track("9.4.heroes", MORALE, 14, 13), "German Morale goes from 14 to 13 (Heroes)."),
        (track("6.5.morale-loss", MORALE, 14, 13), "German Morale goes from 14 to 13 (End Phase)."),
        (
            track("9.5.5.repulse-morale", MORALE, 10, 9),
            "German Morale goes from 10 to 9 (Repulse). It is Shaken now: Attack Values no longer +1, Defense Values +1.",
        ),
        (
            track("6.3.buy-morale", MORALE, 9, 10),
            "German Morale goes from 9 to 10 (bought). It is Strong again: Attack Values +1, Defense Values no longer +1.",
        ),
        (
            track("10.2.minimum-sixteen", SUPPLY, 0, 16),
            "Supply Points: 16 (before: 0; less than 16 counts as 16).",
        ),
        (track("6.3.support-costs", SUPPLY, 16, 15), "Supply Points: 15 (before: 16; support bought)."),
        (
            PieceRevealed(
                rule=RuleId("9.4.reveal"), piece=PieceId("soviet/8"), kind="L2", face="revealed", was="unrevealed"
            ),
            "The Soviet unit of {8} is Revealed: Ambush 5 (Light Urban); a Stalemate or a Success puts the Lead Out of Action.",
        ),
        (attribute("9.1.all-entrants", "8", ATTACKERS.key, ("29/15",)), "29/15 attacks {8} alone, and so leads."),
        (
            attribute("9.1.all-entrants", "8", ATTACKERS.key, ("29/15", "29/71")),
            "Attacking {8}: 29/15, 29/71.",
        ),
        (MarkerRemoved(rule=RuleId("9.5.5.success"), on="soviet/8", marker=MarkerId("isolated")), None),
        (attribute("6.2.chart.15-16", EVENT, ROLL.key, 15), "Random Event 15: Artillery Shell Shortages."),
        (
            attribute("9.4.fanatic", "8", RESULT.key, "stalemate", "success"),
            "Fanatic turns the Success at {8} into a Stalemate.",
        ),
        (
            attribute("9.5.7.heroes-cancel", "soviet/8", STRATEGY_IN_FORCE.key, None, was=True),
            "Heroes and the Morale for this Area cancel each other.",
        ),
    ],
)
def test_an_event_is_told_with_its_cause(event: Event, said: str | None) -> None:
    places = {place: NARRATION.area(place) for place in ("6", "8")}

    told = None if said is None else said.replace("{6}", places["6"]).replace("{8}", places["8"])
    assert NARRATION.tell(Table(), [event]) == told


def test_support_markers_are_told_where_they_come_to() -> None:
    def told(box: str, count: int, was: int) -> str | None:
        rule, marker = RuleId("9.5.9.markers-used"), MarkerId("artillery")
        if not count:
            return NARRATION.tell(Table(), [MarkerRemoved(rule=rule, on=box, marker=marker)])
        return NARRATION.tell(Table(), [MarkerPlaced(rule=rule, on=box, marker=marker, count=count, was=was)])

    assert told("8", 0, 2) is told(AVAILABLE, 1, 2) is None
    assert told(USED, 3, 1) == "Artillery Support: 3 Used (before: 1)."


def test_an_area_is_named_in_one_way_everywhere() -> None:
    """The number that players type comes first, the printed name in brackets; 14 is 9 January Square."""
    names = Names(NARRATION)

    assert names.place("14") == NARRATION.area("14") == "14 (9 January Square)"


def test_rounds_and_phases_have_the_printed_words() -> None:
    """The Turn Record Track counts turns, and a phase is not called like a track of the same id."""
    names = Names(NARRATION)

    assert (names.round, names.phase("supply"), names.of("supply")) == ("Turn", "Supply Phase", "Supply Points")
    assert (names.phase(""), names.phase("combat")) == ("Set-up", "Combat Phase")


def test_a_number_in_a_part_of_a_sum_is_not_the_area_of_that_number() -> None:
    assert Names(NARRATION).part("1 (at least 1)") == "1 (at least 1)"


def test_counters_are_listed_by_strategy_and_factor() -> None:
    words = Pictures(BOARD, {})._counters(["H9", "", "L7", "H1", "L12", "L2"])

    assert words == "Ambush 5, 2 Ambush 6, Ambush 7, Ambush 10, Unrevealed"


def test_pavlovs_house_is_named() -> None:
    """12.6.guards-every-time."""
    assert counter_words(BOARD.pavlovs_house) == "Pavlov's House (Guards 8)"
