"""A board that cannot be played on is refused; one that contradicts the rulebook's text is so too, unless it is a variant."""

from functools import partial

from core.games.advance.components.board import BOARD_FILE
from tests.support.component_texts import Change, not_contradicting, not_refused, row_of

TEXT = BOARD_FILE.shipped_bytes.decode()
row = partial(row_of, TEXT)


UNITS = "german_units.rows"
MAIN_CHART = "scenarios.main.events"

IMPOSSIBLE: dict[str, tuple[list[Change], str]] = {
    "two Areas of one number": ([row("7", '"7"', '"8"')], "areas.rows[id '8'].id"),
    "two Areas of one name": ([row("9", "Minina Suburb", "Yelshanka")], "areas.rows[id '9'].name"),
    "a Soviet Area without terrain": ([row("9", "light_urban", "none")], "areas.rows[id '9'].terrain"),
    "two Areas on one spot": ([row("9", "x = 233, y = 895", "x = 195, y = 950")], "areas.rows[id '9'].x"),
    "an Area off the map": ([row("7", "x = 195", "x = 1195")], "areas.rows[id '7'].x"),
    "a map without room": ([("y_range = [0, 1000]", "y_range = [9, 9]")], "map.y_range"),
    "an Area beside itself": ([('["4", "5"],', '["4", "4"],')], "adjacency.pairs[no. 11]"),
    "a pair twice": ([('["4", "5"],', '["4", "3"],')], "adjacency.pairs[no. 11]"),
    "an Area without a way": ([('["6", "7"], ["6", "8"],', ""), ('["5", "6"], ["5", "7"]', '["5", "7"]')], "adjacency.pairs"),
    "a unit in no scenario": ([row("305/576", ', factory = "29"', "")], f"{UNITS}[id '305/576']"),
    "a unit in no place": ([row("94/274", '"5"', '"51"')], f"{UNITS}[id '94/274'].setup"),
    "a unit of no division": ([row("94/274", 'division = "94"', 'division = "95"')], f"{UNITS}[id '94/274'].division"),
    "five units in an Area": ([row("94/274", 'setup = "5"', 'setup = "1"')], UNITS),
    "a unit and a counter of one id": ([row("94/274", '"94/274"', '"C1"')], "soviet_units.rows[id 'C1'].id"),
    "too few counters": ([row("27", "clear", "elevated"), row("44", '"clear"', '"elevated"'),
                          row("34", "clear", "elevated")], "soviet_units.rows"),
    "a group without Areas": ([(', areas = [], is_anywhere = true', ", areas = []")],
                              "scenarios.factory.reinforcements[no. 1].areas"),
    "a group after the end": ([("turn = 7, areas", "turn = 10, areas")], "scenarios.main.reinforcements[no. 2].turn"),
    "more Morale than fits": ([("morale = 19", "morale = 20")], "scenarios.main.morale"),
    "no final check": ([("victory = { areas = 40, heavy_urban = 1 }\n", "")], "scenarios.main.victory"),
    "an event that repeats itself": ([("repeat_as = 4", "repeat_as = 3")], f"{MAIN_CHART}.rows[no. 1].repeat_as"),
    "a street roll without result": ([("low = 5\nhigh = 5", "low = 5\nhigh = 6")], "bloody_streets"),
}  # fmt: skip
"""What is wrong, the changes, and where it is found. No variant may have these."""


def test_a_board_that_cannot_be_played_on_is_refused_even_as_a_variant() -> None:
    assert not_refused(BOARD_FILE, IMPOSSIBLE) == []


CONTRADICTIONS: dict[str, tuple[list[Change], str]] = {
    "a figure of the rules": ([("cost_vacant = 1", "cost_vacant = 2")], "movement.cost_vacant"),
    "a name": ([row("10", "Grain Elevator", "Silo")], "areas.rows[id '10'].name"),
    "the Volga": ([row("12", "volga = true", "volga = false")], "areas.rows[id '12'].volga"),
    "a TEM": ([row("9", "tem = 3", "tem = 2")], "areas.rows[id '9'].tem"),
    "a name with its own TEM": ([row("15", "Central Rail Station", "A Station")],
                                "areas.rows"),
    "a pair": ([('[["8", "10"]]', "[]")], "adjacency.printed_pairs"),
    "a neighbour of the north": ([('["47", "48"],\n', "")], "adjacency.pairs"),
    "the example of play": ([('["6", "7"], ["6", "8"],', '["6", "7"],'), ('["7", "8"], ', ""), ('["8", "9"],', "")], f"{UNITS}[id '29/15'].setup"),
    "the movement of a unit": ([row("94/276", "movement = 4", "movement = 5")], f"{UNITS}[id '94/276'].movement"),
    "a place": ([row("94/274", 'setup = "5"', 'setup = "7"')], f"{UNITS}[id '94/274'].setup"),
    "a gun more": ([row("94/274", ' division = "94",', "")], f"{UNITS}[id '94/274']"),
    "a gun less": ([row("177", '"177"', '"178"')], UNITS),
    "a group of another division": ([row("389/544", '"389"', '"305"')], UNITS),
    "the 29th elsewhere": ([row("29/71", 'division = "29"', 'division = "94"')], UNITS),
    "the 14th with two units": ([row("14/103", 'division = "14"', 'division = "24"')], UNITS),
    "a strategy": ([row("C1", "heroes", "ambush")], "soviet_units.rows[id 'C1'].strategy"),
    "the pool": ([row("L21", '"heroes"', '"heroes", pool = true')], "soviet_units.rows[id 'L21'].pool"),
    "the markers of the example": ([("artillery = 8", "artillery = 5")], "markers.artillery"),
    "a Soviet unit of October": ([('{ area = "21", terrain = "elevated", counter = "E8" },',
                                  '{ area = "21", terrain = "elevated" },')], "scenarios.factory.soviet_setup[no. 2]"),
    "an event of October": ([('withdraws = { division = "14"', 'withdraws = { division = "16"')],
                            "scenarios.factory.events.rows[no. 1].withdraws.division"),
    "a 15 of the main game": (
        [("artillery_bonus = 1, prov = { name", "artillery_bonus = 2, prov = { name")],
        f"{MAIN_CHART}.rows",
    ),
    "every division pauses": ([('["24", "29", "94"]', '["16", "24", "29", "60", "71", "94", "100", "295", "389"]')],
                              f"{MAIN_CHART}.rows[no. 6]"),
}  # fmt: skip
"""What the text says otherwise, the changes, and where it is found. A variant may have these."""


def test_a_board_that_contradicts_the_text_is_refused_unless_it_is_a_variant() -> None:
    assert not_contradicting(BOARD_FILE, CONTRADICTIONS) == []
