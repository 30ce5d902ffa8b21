"""The bot's chances are the rules' own: every throw of the dice is tried on both."""

from itertools import product

import pytest

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.games.advance.bots.odds import AIR_DICE, NO_AIR, Defense, differences, odds_of
from core.games.advance.ids import MORALE, OUT_OF_ACTION, soviet_unit
from events.ids import PlaceId
from projections.state.table import Table
from tests.support.advance_rounds import RULES, Scene, declare
from tests.support.rows import each_row


@each_row("dice", [2, 3, 4])
def test_the_chances_of_all_differences_add_up(dice: int) -> None:
    assert sum(differences(dice)) == pytest.approx(1.0)


def test_two_dice_against_two_are_even() -> None:
    chances = differences(2)

    assert chances[10] == pytest.approx(146 / 1296)
    assert chances == pytest.approx(chances[::-1])


def test_guards_lower_the_chances_of_an_attack() -> None:
    average = [sum((place - 10) * chance for place, chance in enumerate(differences(dice))) for dice in (2, 3, 4)]

    assert average == sorted(average, reverse=True)


def all_throws(counter: str, area: str, dice: int) -> tuple[float, float, float]:
    """Fight one combat with every throw: 24/26 and 94/274 (AV 8) contest an Area whose unit has its strategy in force.

    Returns:
        Captures, units lost and change of Morale, on average.
    """
    scene = Scene({area: "24/26 94/274"}, {area: counter}, in_force=area)
    scene.activate(area)
    scene.play(declare(area, "24/26 94/274"))
    lead = scene.options[0]
    captures = losses = morale = 0
    throws = list(product(range(1, 7), repeat=2 + dice))
    for faces in throws:
        draft = Draft(scene.table.clone(), ManualChance(faces))
        RULES.take(draft, lead)
        captures += _is_taken(draft.table, area)
        losses += len(draft.table.pieces_at(OUT_OF_ACTION))
        morale += draft.table.track(MORALE) - scene.morale
    return captures / len(throws), losses / len(throws), morale / len(throws)


def _is_taken(table: Table, area: str) -> bool:
    return soviet_unit(PlaceId(area)) not in table.pieces_at(PlaceId(area))


@each_row(
    ("counter", "strategy", "area"),
    [
        ("L6", "heroes", "9"),
        ("L7", "ambush", "9"),
        ("L9", "fanatic", "9"),
        ("L6", "heroes", "15"),
        ("L9", "fanatic", "15"),
    ],
)
def test_the_chances_are_those_of_the_rules(counter: str, strategy: str, area: str) -> None:
    """9.5.5, 9.4, 9.5.7: captures, losses and Morale, in an Area without and one with the bonus."""
    is_prized = area == "15"
    defense = Defense(((1, 6, strategy, 2),), 4 if is_prized else 3, is_prized, "defense-factor")
    outlook = odds_of(defense).prospect(8, NO_AIR)

    assert all_throws(counter, area, 2) == pytest.approx((outlook.capture, outlook.losses, outlook.morale))


def test_an_unrevealed_unit_is_the_average_of_what_it_may_be() -> None:
    weak, strong = (1, 5, "", 2), (3, 9, "", 2)
    single = [
        odds_of(Defense((one,), 3, False, "defense-factor")).prospect(10, NO_AIR).capture for one in (weak, strong)
    ]
    both = odds_of(Defense((weak, strong), 3, False, "defense-factor")).prospect(10, NO_AIR)

    assert both.capture == pytest.approx((single[0] + 3 * single[1]) / 4)


def test_air_support_is_the_average_of_its_die() -> None:
    defense = Defense(((1, 6, "", 2),), 3, False, "defense-total")
    by_face = [
        odds_of(Defense(((1, 6 - die, "", 2),), 3, False, "defense-total")).prospect(8, NO_AIR).capture
        for die in AIR_DICE
    ]

    assert odds_of(defense).prospect(8, AIR_DICE).capture == pytest.approx(sum(by_face) / 6)


def test_barrage_weakens_the_attack() -> None:
    plain, barrage = [
        odds_of(Defense(((1, 6, strategy, 2),), 3, False, "defense-factor")).prospect(8, NO_AIR)
        for strategy in ("", "barrage")
    ]

    assert barrage.capture < plain.capture
    assert barrage.losses > plain.losses + 1


def test_odds_are_worked_out_once() -> None:
    defense = Defense(((1, 6, "", 2),), 3, False, "defense-factor")

    assert odds_of(defense).prospect(8, NO_AIR) is odds_of(defense).prospect(8, NO_AIR)
