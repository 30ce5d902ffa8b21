"""A game's refusals are read from its list, which is in order of precedence and belongs to its index."""

import pytest

from core.game_files.rulebook import load_rulebook
from core.refusal import Refusals
from events.ids import RuleId

PACKAGE = "core.games.advance"


@pytest.fixture(scope="module")
def refusals() -> Refusals:
    return Refusals(PACKAGE)


def test_a_refusal_has_the_usual_rule_and_sentence_of_its_code(refusals: Refusals) -> None:
    refusal = refusals.refused("unit_must_be_fresh")

    assert (refusal.code, refusal.rule, refusal.sentence) == (
        "unit_must_be_fresh",
        "4.3.1.spent-inert",
        "The unit is Spent.",
    )


def test_a_refusal_may_have_its_own_rule_and_sentence(refusals: Refusals) -> None:
    refusal = refusals.refused("unit_must_be_fresh", "29/15 is Spent.", RuleId("8.2.fresh-only"))

    assert (refusal.rule, refusal.sentence) == ("8.2.fresh-only", "29/15 is Spent.")


def test_the_refusal_that_comes_first_in_the_order_answers(refusals: Refusals) -> None:
    later, earlier = refusals.refused("unit_must_stop"), refusals.refused("area_must_exist")

    assert refusals.first(later, None, earlier) == earlier
    assert refusals.first(None) is None


def test_the_index_of_the_game_has_the_same_refusals_in_the_same_order(refusals: Refusals) -> None:
    assert [one.code for one in load_rulebook(PACKAGE).refusals] == list(refusals.precedence)
