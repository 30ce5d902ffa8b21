"""Luck: how likely each roll's result was, how far it was from what fair dice give, and how that adds up for each side.

Fair dice are independent, so the chances are counted exactly. A roll's deviation is its result less the expected one, in standard
deviations of that roll. The sum of a side's deviations over n rolls has the mean 0 and the standard deviation √n; with fair dice it
ends within 1.96 √n of 0 in 95 of 100 matches.
"""

import math
from collections.abc import Callable, Iterable
from itertools import groupby

from core.telling.dice_text import Roll
from core.telling.roll_chance import ways_of
from events.codec import Struct
from events.ids import NO_SIDE, RuleId, Side
from events.vocabulary import DiceRolled, Event
from projections.dice import chi_square_tail, dice_report, purpose_of
from projections.state.chosen_faces import chosen_for
from projections.state.fold import evolve
from projections.state.table import Table

BAND = 1.96
"""A normal variable is so many standard deviations from its mean or nearer with a chance of 95 %."""

PER_FACE = 5
"""So many dice for each face are needed before a test of the faces means anything."""
DICE_MIN = 30
"""So many dice are needed before their sum is about normal."""
RUNS_MIN = 10
"""So many high and so many low dice are needed before the number of runs is about normal."""


class RollLuck(Struct, frozen=True, kw_only=True):
    """One roll and its luck.

    `number` is the event. `side` is the side for which a higher result is better, if there is one. `result` is the sum with all
    modifiers or, where each die counts alone, how many reach the number needed; then `is_count`. It is None where each die chooses
    something by itself, such as a row. `chance` is the chance of this result or a higher one, `mean` the expected result, and
    `deviation` how far the result is from that, in standard deviations of
    the roll. They are None where dice of this kind are not counted, where a fork chose faces, and the deviation also where no other result was possible.
    """

    number: int
    round: int
    purpose: str
    about: str
    side: Side
    faces: tuple[int, ...]
    sides: int
    result: int | None
    needed: int | None
    is_count: bool
    is_chosen: bool
    chance: float | None
    mean: float | None
    deviation: float | None


class SideLuck(Struct, frozen=True, kw_only=True):
    """The luck of a side: the sum of the deviations of its `rolls`, and the `band` on both sides of 0 that holds 95 % of fair matches."""

    side: Side
    rolls: int
    luck: float
    band: float

    @property
    def is_usual(self) -> bool:
        """Whether the luck is within the band."""
        return abs(self.luck) <= self.band


class FairnessTest(Struct, frozen=True, kw_only=True):
    """A test of all dice with so many `sides` against fair ones.

    `test` is `faces` (Pearson's chi-square test, with `sides` - 1 degrees of freedom), `sum` (the normal test of the sum of all
    faces) or `runs` (the runs test of Wald and Wolfowitz: whether high and low dice follow each other as by chance). `p_value` is
    the chance that fair dice deviate at least so far. `is_enough` is whether there are enough dice for the test to mean anything.
    """

    test: str
    sides: int
    dice: int
    statistic: float
    p_value: float
    is_enough: bool


def rolls_of(events: Iterable[Event], favours: Callable[[Table, DiceRolled], Side]) -> list[RollLuck]:
    """Return all rolls of a stream from its first event.

    Args:
        events: The events that one seat sees, in order.
        favours: Returns the side for which a higher result is better; see `core.narration.narration_port.Narration.favours`.
    """
    table = Table()
    found = []
    for event in events:
        if isinstance(event, DiceRolled):
            found.append(_judged(table, event, favours(table, event)))
        evolve(table, event)
    return found


def _judged(table: Table, event: DiceRolled, side: Side) -> RollLuck:
    result = None if event.each and event.needed is None else Roll(event).total
    chosen = chosen_for(table.chosen_faces, table.seq + 1, len(event.faces), event.sides)
    ways = None if chosen else ways_of(event)
    chance = mean = deviation = None
    if ways is not None and result is not None and result in ways:
        every = sum(ways.values())
        chance = sum(count for value, count in ways.items() if value >= result) / every
        mean = sum(value * count for value, count in ways.items()) / every
        spread = math.sqrt(sum((value - mean) ** 2 * count / every for value, count in ways.items()))
        deviation = (result - mean) / spread if spread else None
    return RollLuck(
        number=table.seq + 1,
        round=table.round,
        purpose=purpose_of(event),
        about=event.about,
        side=side,
        faces=event.faces,
        sides=event.sides,
        result=result,
        needed=event.needed,
        is_count=event.each and event.needed is not None,
        is_chosen=bool(chosen),
        chance=chance,
        mean=mean,
        deviation=deviation,
    )


# Sides and dice


def luck_by_side(rolls: Iterable[RollLuck]) -> tuple[SideLuck, ...]:
    """Sum the deviations of each side, in the order of their first rolls."""
    sums: dict[Side, SideLuck] = {}
    for _, side in luck_over_time(rolls):
        sums[side.side] = side
    return tuple(sums.values())


def luck_over_time(rolls: Iterable[RollLuck]) -> list[tuple[int, SideLuck]]:
    """Return the luck of a side after each of its rolls, with the number of the roll's event."""
    sums: dict[Side, SideLuck] = {}
    found = []
    for roll in rolls:
        if roll.side == NO_SIDE or roll.deviation is None:
            continue
        old = sums.get(roll.side) or SideLuck(side=roll.side, rolls=0, luck=0.0, band=0.0)
        count = old.rolls + 1
        new = SideLuck(side=roll.side, rolls=count, luck=old.luck + roll.deviation, band=BAND * math.sqrt(count))
        sums[roll.side] = new
        found.append((roll.number, new))
    return found


def fairness(rolls: Iterable[RollLuck]) -> tuple[FairnessTest, ...]:
    """Test all dice of each size against fair ones; those whose faces a fork chose do not count."""
    thrown = [
        DiceRolled(rule=RuleId(""), faces=roll.faces, sides=roll.sides, purpose="")
        for roll in rolls
        if not roll.is_chosen and roll.faces and 1 <= min(roll.faces) <= max(roll.faces) <= roll.sides
    ]
    found = []
    for tally in dice_report(thrown).overall:
        sides, dice = tally.sides, tally.dice
        faces = FairnessTest(
            test="faces",
            sides=sides,
            dice=dice,
            statistic=tally.chi_square,
            p_value=tally.p_value,
            is_enough=dice >= PER_FACE * sides,
        )
        total = FairnessTest(
            test="sum",
            sides=sides,
            dice=dice,
            statistic=tally.luck,
            p_value=_beyond(tally.luck),
            is_enough=dice >= DICE_MIN,
        )
        found += [faces, total, _runs([face for roll in thrown if roll.sides == sides for face in roll.faces], sides)]
    return tuple(found)


def _runs(faces: list[int], sides: int) -> FairnessTest:
    """Return the runs test of dice in their order; a die that shows the middle face counts for nothing."""
    middle = (sides + 1) / 2
    highs = [face > middle for face in faces if face != middle]
    high, low = highs.count(True), highs.count(False)
    number = high + low
    deviation = 0.0
    if high and low:
        both = 2 * high * low
        mean = both / number + 1
        variance = both * (both - number) / (number * number * (number - 1))
        runs = sum(1 for _ in groupby(highs))
        deviation = (runs - mean) / math.sqrt(variance) if variance else 0.0
    return FairnessTest(
        test="runs",
        sides=sides,
        dice=number,
        statistic=deviation,
        p_value=_beyond(deviation),
        is_enough=min(high, low) >= RUNS_MIN,
    )


def _beyond(deviation: float) -> float:
    """Return the chance that a normal variable is at least so far from its mean, in standard deviations, on either side."""
    return chi_square_tail(deviation**2, 1)
