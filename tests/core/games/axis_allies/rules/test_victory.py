"""The victory conditions at the end of a round and of the game."""

import pytest

from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.games.axis_allies.ids import AXIS, BATTLE, RACE, URANUS
from core.games.axis_allies.rules.automatic_cards import VictoryConditions
from events.ids import RuleId
from tests.support.axis_allies import BOARD, bare, control_but
from tests.support.rows import each_row

VICTORY = VictoryConditions(BOARD)
TEST = RuleId("order.14.total-check")
RP_ZONES = [str(zone) for zone in BOARD.city_rp_zones]
KEY_ZONES = [str(zone) for zone in BOARD.file.victory.key_zones]
WEST = [str(zone) for zone in BOARD.zones_west_of_don]
CITY = [str(zone) for zone in BOARD.city if BOARD.zones[zone].base is None]
FORTIFIED = [str(zone) for zone in BOARD.fortified_city_zones]


def end_of_round(draft: Draft, number: int) -> str:
    """Return how the match ends on card 14 of a round; empty if it goes on."""
    draft.begin_round(number, TEST)
    VICTORY.check(draft)
    return "" if draft.table.ended is None else draft.table.ended.result


def test_the_axis_wins_with_the_city_and_a_line_into_it() -> None:
    """RuleId("victory.axis-total"), RuleId("order.14.total-check"), ruling.victory-supply-line."""
    assert end_of_round(bare({AXIS: [*RP_ZONES, *control_but(*CITY)]}), 5) == "Axis Total Victory"


def test_the_axis_does_not_win_with_an_rp_zone_missing() -> None:
    """RuleId("victory.axis-total")."""
    assert end_of_round(bare({AXIS: [*RP_ZONES[1:], *control_but(*CITY)]}), 5) == ""


def test_the_axis_does_not_win_without_a_line_into_the_city() -> None:
    """RuleId("victory.axis-total"), ruling.victory-supply-line."""
    assert end_of_round(bare({AXIS: [*RP_ZONES, *control_but(*CITY, *KEY_ZONES)]}), 5) == ""


def test_the_allies_win_with_the_key_zones_and_no_quiet_zone_west_of_the_don() -> None:
    """RuleId("victory.allies-total"), ruling.allies-total-base, ruling.contest-meaning."""
    contested = WEST[0]
    held = {str(AXIS): [contested]}

    assert end_of_round(bare(), 5) == "Allies Total Victory"
    assert end_of_round(bare(held), 5) == ""
    assert end_of_round(bare(held, markers={contested: BATTLE}), 5) == "Allies Total Victory"


@each_row("zone", KEY_ZONES)
def test_the_allies_need_each_key_zone(zone: str) -> None:
    """RuleId("victory.allies-total")."""
    assert end_of_round(bare({AXIS: [zone]}), 5) == ""


def test_a_major_victory_is_for_the_end_of_the_game_only() -> None:
    """RuleId("victory.axis-major"), RuleId("victory.no-early-major"), RuleId("order.14.final-round")."""
    held = {str(AXIS): [RP_ZONES[0], *control_but(*CITY)]}

    assert end_of_round(bare(held), 9) == ""
    assert end_of_round(bare(held), 13) == "Axis Major Victory"


def test_the_allies_have_a_major_victory_with_all_fortified_zones_of_the_city() -> None:
    """RuleId("victory.allies-major")."""
    quiet = WEST[:1]

    assert end_of_round(bare({AXIS: quiet}), 13) == "Allies Major Victory"
    assert len(FORTIFIED) == 6
    assert end_of_round(bare({AXIS: [*quiet, FORTIFIED[0]]}), 13) != "Allies Major Victory"


def test_whoever_controls_pitomnik_has_a_minor_victory_even_if_it_is_contested() -> None:
    """RuleId("victory.minor")."""
    outside: list[str] = [*WEST[:1], FORTIFIED[0]]
    contested = bare({AXIS: outside}, markers={"pitomnik": BATTLE})

    assert end_of_round(bare({AXIS: [*outside, "pitomnik"]}), 13) == "Axis Minor Victory"
    assert end_of_round(contested, 13) == "Allies Minor Victory"


@each_row("scenario", [RACE, URANUS])
def test_both_scenarios_have_the_same_conditions(scenario: str) -> None:
    """RuleId("victory.same-both-scenarios")."""
    assert end_of_round(bare(scenario=scenario), 8) == "Allies Total Victory"


def test_nothing_is_played_after_the_last_round() -> None:
    """RuleId("order.14.final-round"), RuleId("victory.minor")."""
    draft = bare({AXIS: WEST[:1]})
    end_of_round(draft, 13)

    with pytest.raises(MatchOver):
        draft.begin_round(14, TEST)
