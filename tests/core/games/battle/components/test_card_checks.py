"""Cards that cannot be played with are refused; cards that contradict the rulebook's text are so too, unless as a variant."""

import re

from core.games.battle.components.card_file import CARD_FILE
from tests.support.component_texts import Change, not_contradicting, not_refused, within

TEXT = CARD_FILE.shipped_bytes.decode()


def record(record_id: str, old: str, new: str) -> Change:
    """Change something within the record of an id."""
    (found,) = re.findall(rf'(?ms)^id = "{record_id}"$.*?(?=^\[\[|\Z)', TEXT)
    return within(TEXT, found, old, new)


IMPOSSIBLE: dict[str, tuple[list[Change], str]] = {
    "two Forces of one id": ([record("g_24_panzer", '"g_24_panzer"', '"g_14_panzer"')], "force[id 'g_14_panzer'].id"),
    "a Force and a Location of one id": ([record("r_45_rifle", '"r_45_rifle"', '"the_docks"')], "force[id 'the_docks'].id"),
    "an id that the table uses": ([record("r_45_rifle", '"r_45_rifle"', '"german"')], "force"),
    "a card and a Uranus card of one id": ([record("uranus_6", '"uranus_6"', '"tanks"')], "uranus[id 'tanks'].id"),
    "two Forces of one name": ([record("g_24_panzer", "24th", "14th")], "force[id 'g_24_panzer'].name"),
    "a Force of no side": ([record("g_24_panzer", '"german"', '"italian"')], "force[id 'g_24_panzer'].side"),
    "a gap in a chart": ([record("the_docks", "from = 3", "from = 4")], "location[id 'the_docks'].chart[no. 2].from"),
    "a chart that ends early": ([record("the_docks", "destroyed_at = 7", "destroyed_at = 9")],
                                "location[id 'the_docks'].chart[no. 3].to"),
    "a note without its amount": ([record("the_docks", 'bonus", amount = 1', 'bonus"')], "location[id 'the_docks'].note.amount"),
    "a repair of two Rubble": ([record("red_october_steel_factory", "amount = 1", "amount = 2")],
                               "location[id 'red_october_steel_factory'].note.amount"),
    "a penalty that helps": ([record("uranus_3", "amount = -2", "amount = 2")], "uranus[id 'uranus_3'].effect.amount"),
    "an effect without its figure": ([record("air_supply", ", amount = 5", "")], "action[id 'air_supply'].effect"),
    "an effect with another's figure": ([record("sniper", '"cancel_move"', '"cancel_move", hits = 2')],
                                        "action[id 'sniper'].effect"),
    "a moment that does not fit": ([record("tanks", '"battle"', '"react_move"')], "action[id 'tanks'].timing"),
    "a condition elsewhere": ([record("desperation", 'name = "Desperation"',
                               'name = "Desperation"\ncondition = "no_enemy_participant_left_in_control_area"')],
                              "action[id 'desperation'].condition"),
    "a card without copies": ([record("high_morale", "{ russian = [2, -1] }", "{ }")], "action[id 'high_morale'].copies"),
    "a value of 0": ([record("high_morale", "[2, -1]", "[2, 0]")], "action[id 'high_morale'].copies.russian[no. 2]"),
    "more Locations to win than lie there": ([("victory_locations = 5", "victory_locations = 6")], "rules.victory_locations"),
}  # fmt: skip
"""What is wrong, the changes, and where it is found. No variant may have these."""


def test_cards_that_cannot_be_played_with_are_refused_even_as_a_variant() -> None:
    assert not_refused(CARD_FILE, IMPOSSIBLE) == []


CONTRADICTIONS: dict[str, tuple[list[Change], str]] = {
    "a figure of the rules": ([("area_limit = 3", "area_limit = 4")], "rules.area_limit"),
    "a printed name": ([record("the_docks", '"The Docks"', '"A Dock"')], "location[id 'the_docks'].name"),
    "a printed chart": ([record("mamayev_kurgan", "to = 4, rations = 3", "to = 4, rations = 4")],
                        "location[id 'mamayev_kurgan'].chart"),
    "Rations of the sample game": ([record("gumrak_airfield", "rations = 1", "rations = 2")],
                                   "location[id 'gumrak_airfield'].chart"),
    "the chart of the example": ([record("grain_elevator", "rations = 2", "rations = 3")], "location"),
    "more Rations with more Rubble": ([record("central_station", "to = 5, rations = 1", "to = 5, rations = 5")],
                                      "location[id 'central_station'].chart[no. 3].rations"),
    "an extra card": ([record("the_docks", '"buy_ration_bonus"', '"extra_draw"')], "location[id 'the_docks'].note"),
    "a Force that is gone": ([record("g_100_jager", '"g_100_jager"', '"g_101_jager"')], "force"),
    "a Starting Ration": ([record("g_100_jager", "rations = 1", "rations = 2")], "force[id 'g_100_jager'].rations"),
    "a note that would have worked": ([record("r_84_tank", "attack_bonus = 2", "attack_bonus = 2\nignore_hits = 1")],
                                      "force[id 'r_84_tank'].ignore_hits"),
    "the points of the set-up": ([record("g_14_panzer", "cost = 3", "cost = 4")], "force"),
    "an attack of the sample game": ([record("g_14_panzer", "combat = 7", "combat = 6")], "force"),
    "an effect": ([record("desperation", "amount = 3", "amount = 4")], "action[id 'desperation'].effect.amount"),
    "a moment": ([record("scouts", '"any_time"', '"own_action"')], "action[id 'scouts'].timing"),
    "a card that is seen": ([record("sniper", "{ russian = ", "{ german = ")], "action[id 'sniper'].copies"),
    "values that are seen": ([record("fresh_supplies", "german = [3, 2, -3, -2, 2]", "german = [1, 1, 1, 1, 1]"),
                              record("reinforcements", "german = [3, 3, 2, -2, -3, 1]", "german = [1, 1, 1, 1, 1]"),
                              record("desperation", "german = [3, -3, 1]", "german = [1, -3, 1]"),
                              record("victory", "german = [3, -2, 2]", "german = [1, -2, 2]"),
                              record("fog_of_war", "german = [-3, -1, 3, 1]", "german = [-3, -1, 1, 1]")], "action"),
    "a seventh Uranus card": ([record("uranus_6", "[2]", "[2, 1]")], "uranus"),
}  # fmt: skip
"""What the text says otherwise, the changes, and where it is found. A variant may have these."""


def test_cards_that_contradict_the_text_are_refused_unless_as_a_variant() -> None:
    assert not_contradicting(CARD_FILE, CONTRADICTIONS) == []
