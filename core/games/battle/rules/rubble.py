"""Rubble and the destruction of Locations."""

from core.draft import Draft
from core.games.battle.components.card_model import Cards
from core.games.battle.ids import DESTROYED, RUBBLE
from core.games.battle.rules.queries import is_destroyed, rubble
from events.ids import RuleId

THRESHOLD = RuleId("location.destroyed.threshold")


def place_rubble(draft: Draft, cards: Cards, location: str, count: int, rule: RuleId) -> None:
    """Place Rubble counter by counter; the one that Destroys the Location is the last.

    Source: RuleId("location.destroyed.threshold"), RuleId("location.destroyed.takes-no-rubble"),
    RuleId("location.destroyed.still-counts"), RuleId("counter.not-a-limit"), ruling.rubble-overflow,
    ruling.destroyed-mid-action, ruling.counter-supply.
    """
    for _ in range(count):
        if is_destroyed(draft.table, location):
            return
        there = rubble(draft.table, location) + 1
        draft.mark(location, RUBBLE, rule, there)
        if there >= cards.locations[location].destroyed_at:
            draft.unmark(location, RUBBLE, THRESHOLD)
            draft.mark(location, DESTROYED, THRESHOLD)
