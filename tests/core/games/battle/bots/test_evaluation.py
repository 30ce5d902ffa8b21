"""The evaluation: the same counts for both sides with signs changed, and sensible chances."""

from random import Random

from core.bots.evaluation import Evaluation
from core.games.battle.bots.evaluation import WEIGHTS, features
from core.games.battle.ids import GERMAN, GERMAN_SEAT, RUSSIAN, RUSSIAN_SEAT
from tests.support.battle import RULES
from tests.support.desk import Desk


def test_what_one_side_has_more_the_other_has_less() -> None:
    desk, rng = Desk.open("battle"), Random(4)
    for _ in range(30):
        desk.play(4, rng)
        mine, theirs = features(RULES, desk.table, GERMAN), features(RULES, desk.table, RUSSIAN)

        assert mine == {name: -count for name, count in theirs.items()}


def test_chances_of_both_sides_add_up_and_weights_are_of_these_features() -> None:
    table = Desk.open("battle").play(60, Random(5)).table
    evaluation = Evaluation(features, WEIGHTS)
    chances = [evaluation.chance(RULES, table, seat) for seat in (GERMAN_SEAT, RUSSIAN_SEAT)]

    assert sum(chances) == 1.0
    assert [*WEIGHTS.by_feature] == [*features(RULES, table, GERMAN)]
    assert all(weight > 0 for weight in WEIGHTS.by_feature.values())
