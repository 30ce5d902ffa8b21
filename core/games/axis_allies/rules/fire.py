"""Dice of units that fire: a die hits that shows the firing value or less."""

from collections import Counter
from collections.abc import Iterable, Sequence

from core.draft import Draft
from core.games.axis_allies.components.map_records import ASSAULT_GUN, BOMBER, FIGHTER
from core.games.axis_allies.rules.values import INTERCEPTOR, ORDINARY, Firing
from events.ids import PlaceId, RuleId

TARGETING = {
    BOMBER: RuleId("unit.bomber.targeted-land"),
    ASSAULT_GUN: RuleId("unit.assault-gun.targeted-tanks"),
    FIGHTER: RuleId("unit.fighter.targeted-air"),
    INTERCEPTOR: RuleId("optional.interceptors.must-target-air"),
}
"""The shooters that name what they hit, in the order in which their hits are assigned. Source: ruling.hit-allocation-order."""


def scored(faces: Iterable[int], value: int) -> int:
    """Return how many dice hit at a value. Source: RuleId("components.die")."""
    return sum([face <= value for face in faces])


def roll(draft: Draft, place: PlaceId, shots: Sequence[Firing], purpose: str, rule: RuleId) -> Counter[str]:
    """Roll one die for each unit that has a value, and return the hits by shooter.

    Units with equal values roll together, from the lowest value up, and units with targeting afterwards and apart.

    Args:
        draft: The draft.
        place: Where they fire.
        shots: How each unit fires.
        purpose: The purpose of the dice.
        rule: The rule by which units without targeting fire.

    Source: RuleId("combat.step2.attackers-fire"), RuleId("combat.step3.defenders-fire"), RuleId("components.die"),
    ruling.dice-by-reason.
    """
    hits: Counter[str] = Counter()
    groups = Counter([firing for firing in shots if firing.value])
    order = (ORDINARY, *TARGETING)
    for firing in sorted(groups, key=lambda one: (order.index(one.shooter), one.value, one.printed)):
        faces = draft.dice(
            groups[firing],
            purpose,
            TARGETING.get(firing.shooter, rule),
            about=place,
            modifiers=firing.modifiers,
            needed=firing.printed,
            each=True,
            or_less=True,
        )
        hits[firing.shooter] += scored(faces, firing.value)
    return hits
