"""An owner's board that contradicts the rulebook's text is told so: line, place, what is wrong, what would be right.

Each case changes a few rows of the packaged file. Cases are named after the constraints they break (C1 to C78).
"""

import re

import pytest

from core.games.advance.components.board import packaged_bytes
from core.games.advance.components.checks.board_checks import read_board

TEXT = packaged_bytes().decode()

Change = tuple[str, str]


def line_of(row_id: str) -> str:
    """Return the line of the row with an id, written as in the file; it must be the only one."""
    found = re.findall(rf"^ *\{{ id = {re.escape(row_id)},.*\n", TEXT, re.MULTILINE)

    assert len(found) == 1, row_id
    return str(found[0])


def row(row_id: str, old: str, new: str) -> Change:
    """Change something within one row."""
    line = line_of(row_id)

    assert line.count(old) == 1, (row_id, old)
    return line, line.replace(old, new)


def chart_row(scenario: str, roll: str, old: str, new: str) -> Change:
    """Change something within a row of the chart of `main` or `factory`."""
    found = re.findall(rf"^ *\{{ roll = \[{roll}\],.*\n", TEXT, re.MULTILINE)
    line = str(found[-2 if scenario == "main" else -1])

    assert line.count(old) == 1, (roll, old)
    return line, line.replace(old, new)


def without(row_id: str) -> Change:
    """Take a row out."""
    return line_of(row_id), ""


def changed(*changes: Change) -> str:
    """Change the packaged text; each old text must be there exactly once."""
    text = TEXT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


def defects_of(text: str) -> list[tuple[str, str, str, str]]:
    """Return each defect's line as written, its place, problem and expectation."""
    defects = read_board(text.encode())

    assert isinstance(defects, tuple)
    lines = text.split("\n")
    return [(lines[one.line - 1].strip(), one.where, one.problem, one.expected) for one in defects]


VOLGA = "at the Volga are 8, 10, 12, 13, 14, 22, 25, 26, 37, 41, 42 (rulebook 3.1)"
NORTH = "48, 49 and 50 to touch 42, 43, 44, 45, 46 and 47, no others (rulebook 12.2)"
FIFTEEN = "one of 14, 21, 22, 25, 26, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44 (rulebook 14.5.1)"
GROUP_79 = "244C and the units of the 79th (rulebook 14.4)"
GROUP_100 = "245B and the units of the 100th (rulebook 6.1.1, 13.1)"
GROUP_389 = "245A and 3 units of the 389th (rulebook 6.1.1, 13.1)"
ALL_GUNS = "177, 244A, 244B, 244C, 245A, 245B (rulebook 12.4)"
MAIN_PLACES = 'one of 1, 2, 3, 4, 5, 6, 48, 49, 50, T2, T7 or "-" (rulebook 5.3.1, 5.3.2)'
FACTORY_PLACES = 'one of 14, 21, 23, 24, 28, 29, 34, 45, 50, OOA, T12 or "-" (rulebook 14.3.1, 14.4)'
TAKEN_BY_OCTOBER = (
    "[7, 8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 23, 24, 27, 28, 29, 30, 31, 32, 33, 34, 45, 46, 47] "
    "(rulebook 14.2)"
)
OPS = (
    "one of withdraw_division, no_air_placement, artillery_bonus, pause_divisions, soviet_defence, supply_dice, "
    "movement_cap"
)

# For each case: the changes, then for each defect the beginning of its line, its place, problem and expectation.
CASES: dict[str, tuple[list[Change], list[tuple[str, str, str, str]]]] = {
    "C1: an Area is missing": (
        [without("33")],
        [("rows = [", "areas.rows", "Area 33 is missing", "the Areas 1 to 50 (rulebook 3.1)")],
    ),
    "C1: an Area is there twice": (
        [row("33", "id = 33", "id = 32")],
        [
            ("rows = [", "areas.rows", "Area 33 is missing", "the Areas 1 to 50 (rulebook 3.1)"),
            (
                '{ id = 32, name = "Hill 109.4"',
                "areas.rows[id 32].id",
                "Area 32 is there twice",
                "each number once (rulebook 3.1.1)",
            ),
        ],
    ),
    "C1: an Area has no number of the map": (
        [row("33", "id = 33", "id = 51")],
        [("{ id = 51", "areas.rows[id 51].id", "is 51", "a whole number from 1 to 50")],
    ),
    "C2: the Volga is elsewhere": (
        [row("9", "volga = false", "volga = true"), row("10", "volga = true", "volga = false")],
        [
            ("{ id = 9,", "areas.rows[id 9].volga", "is true", f"false: {VOLGA}"),
            ("{ id = 10,", "areas.rows[id 10].volga", "is false", f"true: {VOLGA}"),
        ],
    ),
    "C3, C4: other Areas begin German": (
        [row("9", "soviet", "german"), row("1", "german", "soviet")],
        [
            ("{ id = 1,", "areas.rows[id 1].control", "is 'soviet'", '"german" for Area 1 (rulebook 5.3.1)'),
            ("{ id = 9,", "areas.rows[id 9].control", "is 'german'", '"soviet" for Area 9 (rulebook 14.2, 14.5.1)'),
        ],
    ),
    "C5: German Areas have terrain, a Soviet one has none": (
        [
            row("1", 'terrain = "none"', 'terrain = "clear"'),
            row("2", "tem = 0", "tem = 1"),
            row("7", '"light_urban"', '"none"'),
        ],
        [
            (
                "{ id = 1,",
                "areas.rows[id 1].terrain",
                "is 'clear'",
                '"none": Areas that begin German have no terrain type (rulebook 3.1.2)',
            ),
            (
                "{ id = 2,",
                "areas.rows[id 2].tem",
                "is 1",
                "0: Areas that begin German have no TEM (rulebook 3.1.2)",
            ),
            (
                "{ id = 7,",
                "areas.rows[id 7].terrain",
                "is 'none'",
                "one of clear, elevated, light_urban, heavy_urban: Area 7 begins Soviet (rulebook 3.1.2)",
            ),
        ],
    ),
    "C6: the TEM is not that of the terrain": (
        [row("7", "tem = 3", "tem = 4")],
        [("{ id = 7,", "areas.rows[id 7].tem", "is 4", "3 for Yelshanka, light_urban (rulebook 9.5.3B)")],
    ),
    "C6: another TEM for a terrain": (
        [('clear       = { tem = 1, shape = "circle"', 'clear       = { tem = 2, shape = "oval"')],
        [
            ("clear ", "terrain.clear.tem", "is 2", "1 (rulebook 3.1.1, 9.5.3B)"),
            ("clear ", "terrain.clear.shape", "is 'oval'", '"circle" (rulebook 3.1.1, 9.5.3B)'),
        ],
    ),
    "C7: an exception is ignored": (
        [row("19", "tem = 2", "tem = 1"), row("15", '"light_urban"', '"heavy_urban"')],
        [
            ("{ id = 15,", "areas.rows[id 15].terrain", "is 'heavy_urban'", '"light_urban" (rulebook 9.5.3B)'),
            ("{ id = 19,", "areas.rows[id 19].tem", "is 1", "2 for Stalingradski Airfield, clear (rulebook 9.5.3B)"),
        ],
    ),
    "C7: an exception is nowhere": (
        [row("19", "Stalingradski Airfield", "Airfield")],
        [
            (
                "rows = [",
                "areas.rows",
                "no Area is named Stalingradski Airfield",
                "one, clear with TEM 2 (rulebook 9.5.3B)",
            ),
            ("{ id = 19,", "areas.rows[id 19].tem", "is 2", "1 for Airfield, clear (rulebook 9.5.3B)"),
        ],
    ),
    "C8: another name": (
        [row("8", "Sawmill", "Saw Mill")],
        [("{ id = 8,", "areas.rows[id 8].name", "is 'Saw Mill'", '"Sawmill" (rulebook 13.4)')],
    ),
    "C9: another terrain": (
        [row("35", 'terrain = "light_urban", tem = 3', 'terrain = "elevated", tem = 2')],
        [("{ id = 35,", "areas.rows[id 35].terrain", "is 'elevated'", '"light_urban" (rulebook 14.5.1)')],
    ),
    "C10: the Grain Elevator is not Heavy Urban": (
        [row("10", 'terrain = "heavy_urban", tem = 4', 'terrain = "light_urban", tem = 3')],
        [("{ id = 10,", "areas.rows[id 10].terrain", "is 'light_urban'", '"heavy_urban" (rulebook 13.4)')],
    ),
    "C11: too few counters": (
        [row(number, 'terrain = "light_urban", tem = 3', 'terrain = "clear", tem = 1') for number in ("7", "9", "11")],
        [
            (
                "rows = [",
                "areas.rows",
                "8 Areas are clear, but only 6 counters",
                "a counter for each Area (rulebook 5.4)",
            )
        ],
    ),
    "C13: an Area beside itself": (
        [("  [1, 2], [1, 19]", "  [1, 1], [1, 19]")],
        [("[1, 1]", "adjacency.pairs[no. 1]", "pairs Area 1 with itself", "two different Areas (rulebook 3.1)")],
    ),
    "C13: a pair twice": (
        [("  [2, 3], [2, 17]", "  [2, 3], [3, 2], [2, 17]")],
        [("[2, 3]", "adjacency.pairs[no. 6]", "2 and 3 are paired twice", "each pair once, in either order")],
    ),
    "C13: a pair with an Area that is not there": (
        [("  [2, 3], [2, 17]", "  [2, 3], [2, 51], [2, 17]")],
        [("[2, 3]", "adjacency.pairs[no. 6][no. 2]", "is 51", "a whole number from 1 to 50")],
    ),
    "C13: a pair of three": (
        [("  [2, 3], [2, 17]", "  [2, 3, 4], [2, 17]")],
        [("[2, 3, 4]", "adjacency.pairs[no. 5]", "has 3 elements", "2")],
    ),
    "C14: the example's Areas are apart": (
        [("[8, 9], [8, 10],", "[8, 9],")],
        [("pairs = [", "adjacency.pairs", "8 and 10 are not adjacent", "the pair [8, 10] (rulebook 13.4)")],
    ),
    "C15: other neighbours in the north": (
        [("[46, 47], [46, 48], [46, 49],", "[46, 47],"), ("[47, 48],", "[47, 48], [41, 50],")],
        [
            ("pairs = [", "adjacency.pairs", "Area 46 is next to none of 48, 49 and 50", NORTH),
            ("[47, 48]", "adjacency.pairs[no. 121]", "pairs 41 with 50", NORTH),
        ],
    ),
    "C16, P1: an Area without a way": (
        [
            ("[6, 7], [6, 8],", ""),
            ("[5, 6], [5, 7]", "[5, 7]"),
            *[without(f'"29/{one}"') for one in ("15", "71", "PZ")],
        ],
        [
            ("pairs = [", "adjacency.pairs", "no way leads from Area 1 to 6", "a connected map"),
            ("rows = [", "german_units.rows", "the 29th has 1 units", "4 (rulebook 6.1.2)"),
            (
                '{ id = "29/RCN"',
                "german_units.rows[id '29/RCN'].setup",
                "is '6', too far from Area 8 for one turn",
                "at most 5 Areas from 8 (rulebook 13.4)",
            ),
        ],
    ),
    "C17: other Movement Factors": (
        [row('"29/15"', "movement = 4", "movement = 5"), row('"24/26"', "movement = 6", "movement = 4")],
        [
            ('{ id = "24/26"', "german_units.rows[id '24/26'].movement", "is 4", "6 for armor (rulebook 4.2.1)"),
            ('{ id = "29/15"', "german_units.rows[id '29/15'].movement", "is 5", "4 for infantry (rulebook 4.2.2)"),
        ],
    ),
    "C18: a gun with a division": (
        [row('"244A"', 'division = "-"', 'division = "295"')],
        [
            (
                '{ id = "244A"',
                "german_units.rows[id '244A'].division",
                "is '295'",
                '"-": assault guns have no division (rulebook 12.4)',
            )
        ],
    ),
    "C18: a gun of another name": (
        [row('"244A"', '"244A"', '"244D"')],
        [
            ("rows = [", "german_units.rows", "assault gun 244A is missing", ALL_GUNS),
            (
                '{ id = "244D"',
                "german_units.rows[id '244D'].division",
                "is '-'",
                "a division: only assault guns have none (rulebook 12.4)",
            ),
        ],
    ),
    "C19: a unit begins in a Soviet Area": (
        [row('"60/120"', 'setup = "48"', 'setup = "7"')],
        [('{ id = "60/120"', "german_units.rows[id '60/120'].setup", "is '7'", MAIN_PLACES)],
    ),
    "C19: nobody begins in an Area": (
        [row('"16/64"', 'setup = "49"', 'setup = "50"'), row('"16/PZ"', 'setup = "49"', 'setup = "50"')],
        [("rows = [", "german_units.rows", 'no unit has setup = "49"', "at least one (rulebook 5.3.1, 5.3.2)")],
    ),
    "C20: five units in an Area": (
        [row('"94/276"', 'setup = "5"', 'setup = "6"')],
        [("rows = [", "german_units.rows", '5 units have setup = "6"', "4 at most (rulebook 7.1)")],
    ),
    "C21: a unit of the 29th arrives later": (
        [row('"29/15"', 'setup = "6"', 'setup = "-"')],
        [
            (
                '{ id = "29/15"',
                "german_units.rows[id '29/15'].setup",
                "the unit is in neither scenario",
                "a place in one of them (rulebook 4.3)",
            ),
            (
                '{ id = "29/15"',
                "german_units.rows[id '29/15'].setup",
                "is '-'",
                "an Area: the 29th is on the map from the start (rulebook 13.4)",
            ),
        ],
    ),
    "C21: three units of the 29th": (
        [without('"29/15"')],
        [("rows = [", "german_units.rows", "the 29th has 3 units", "4 (rulebook 6.1.2)")],
    ),
    "C22: the example's Lead is weaker": (
        [row('"29/RCN"', "attack = 6", "attack = 5")],
        [
            (
                '{ id = "29/RCN"',
                "german_units.rows[id '29/RCN']",
                "is of division '29' with attack 5",
                "29 and 6 (rulebook 13.4)",
            )
        ],
    ),
    "C22: the example's Lead has another name": (
        [row('"29/RCN"', '"29/RCN"', '"29/REC"')],
        [("rows = [", "german_units.rows", "29/RCN is missing", "29/RCN with attack 6 (rulebook 13.4)")],
    ),
    "C23: two units of the 389th": (
        [row('"389/546"', 'setup = "T2"', 'setup = "-"')],
        [("rows = [", "german_units.rows", '2 units of division 389 have setup = "T2"', GROUP_389)],
    ),
    "C24: a stranger arrives with the 100th, its gun does not": (
        [row('"305/576"', 'setup = "-"', 'setup = "T7"'), row('"245B"', 'setup = "T7"', 'setup = "-"')],
        [
            ("rows = [", "german_units.rows", '245B has no setup = "T7"', GROUP_100),
            (
                '{ id = "305/576"',
                "german_units.rows[id '305/576'].setup",
                'is "T7"',
                f"only {GROUP_100}",
            ),
        ],
    ),
    "C25: a unit of T12 is in the main game": (
        [row('"79/208"', 'setup = "-"', 'setup = "50"')],
        [('{ id = "79/208"', "german_units.rows[id '79/208'].setup", "is '50'", f'"-" for {GROUP_79}')],
    ),
    "C26: two units of the 14th": (
        [without('"14/103"')],
        [
            (
                "rows = [",
                "german_units.rows",
                "the 14th has 2 units in the Factory District Scenario",
                "3 (rulebook 14.6.1)",
            )
        ],
    ),
    "C29: a place that October does not have": (
        [row('"16/64"', 'factory = "50"', 'factory = "49"')],
        [('{ id = "16/64"', "german_units.rows[id '16/64'].factory", "is '49'", FACTORY_PLACES)],
    ),
    "C31: a unit is in neither scenario": (
        [row('"60/120"', 'setup = "48"', 'setup = "-"')],
        [
            (
                '{ id = "60/120"',
                "german_units.rows[id '60/120'].setup",
                "the unit is in neither scenario",
                "a place in one of them (rulebook 4.3)",
            )
        ],
    ),
    "C33: a counter is missing": (
        [without('"L1"')],
        [("rows = [", "soviet_units.rows", "31 counters are light_urban", "32 (rulebook, unit checklist)")],
    ),
    "C34: another mix of strategies": (
        [row('"C1"', "heroes", "fanatic")],
        [
            (
                "rows = [",
                "soviet_units.rows",
                "the clear counters have 2 ambush, 1 barrage, 2 fanatic, 1 heroes",
                "2 ambush, 1 barrage, 1 fanatic, 2 heroes (rulebook, unit checklist)",
            )
        ],
    ),
    "C36: another pool": (
        [row('"L18"', "defence = 7", "defence = 6")],
        [
            (
                "rows = [",
                "soviet_units.rows",
                '1 counters light_urban 6 barrage have factory = "pool"',
                "0 (rulebook 14.5.1)",
            ),
            (
                "rows = [",
                "soviet_units.rows",
                '0 counters light_urban 7 barrage have factory = "pool"',
                "1 (rulebook 14.5.1)",
            ),
        ],
    ),
    "C37: another counter is Revealed": (
        [row('"E8"', "defence = 9", "defence = 8")],
        [
            (
                "rows = [",
                "soviet_units.rows",
                '0 of 1 counters with factory = "21" are elevated fanatic 9',
                "one counter there, elevated fanatic 9 (rulebook 14.5.1)",
            ),
            (
                "{ area = 21,",
                "scenarios.factory.soviet_setup[no. 2].counter",
                "is 'E8'",
                'the id of elevated fanatic 9 with factory = "21" (rulebook 14.5.1)',
            ),
        ],
    ),
    "C37: the set-up names another counter": (
        [('revealed = true,  counter = "C3"', 'revealed = true,  counter = "C4"')],
        [
            (
                "{ area = 44,",
                "scenarios.factory.soviet_setup[no. 15].counter",
                "is 'C4'",
                'the id of clear barrage 5 with factory = "44" (rulebook 14.5.1)',
            )
        ],
    ),
    "C37: a Revealed unit is hidden, a hidden one named": (
        [
            ('revealed = true,  counter = "C3"', 'revealed = false, counter = "random"'),
            (
                'area = 43, terrain = "elevated",    revealed = false, counter = "random"',
                'area = 43, terrain = "elevated",    revealed = false, counter = "E4"',
            ),
        ],
        [
            (
                "{ area = 43,",
                "scenarios.factory.soviet_setup[no. 14].counter",
                "is 'E4'",
                '"random" (rulebook 14.5.1)',
            ),
            ("{ area = 44,", "scenarios.factory.soviet_setup[no. 15].revealed", "is false", "true (rulebook 14.5.1)"),
        ],
    ),
    "C38: an Area of October is missing": (
        [("area = 43, terrain", "area = 45, terrain")],
        [
            (
                "soviet_setup = [",
                "scenarios.factory.soviet_setup",
                "Area 43 is there 0 times",
                "once (rulebook 14.5.1)",
            ),
            (
                "{ area = 45,",
                "scenarios.factory.soviet_setup[no. 14].area",
                "is 45, German-controlled",
                FIFTEEN,
            ),
        ],
    ),
    "C38: another terrain in October": (
        [('area = 43, terrain = "elevated"', 'area = 43, terrain = "clear"')],
        [
            (
                "{ area = 43,",
                "scenarios.factory.soviet_setup[no. 14].terrain",
                "is 'clear'",
                '"elevated" (rulebook 14.5.1)',
            )
        ],
    ),
    "C41: another Pavlov's House": (
        [('strategy = "guards", strategy_every_round = true', 'strategy = "heroes", strategy_every_round = false')],
        [
            ("pavlovs_house", "soviet_units.pavlovs_house.strategy", "is 'heroes'", '"guards" (rulebook 12.6)'),
            (
                "pavlovs_house",
                "soviet_units.pavlovs_house.strategy_every_round",
                "is false",
                "true (rulebook 12.6)",
            ),
        ],
    ),
    "C42 to C44: other markers": (
        [("air = 3\n", "air = 4\n"), ("artillery = 8", "artillery = 5"), ("isolation = 14", "isolation = 13")],
        [
            ("air = 4", "markers.air", "is 4", "3 (rulebook 6.3)"),
            ("artillery = 5", "markers.artillery", "is 5", "a whole number from 6 to 100"),
            ("isolation = 13", "markers.isolation", "is 13", "14 (rulebook 12.3)"),
        ],
    ),
    "C45: another cost": (
        [('{ id = "air",             points = 3 }', '{ id = "air",             points = 2 }')],
        [('{ id = "air"', "supply.costs[id 'air'].points", "is 2", "3 (rulebook 6.3)")],
    ),
    "C50: other Areas are German in October": (
        [("german_control_markers = [7, 8,", "german_control_markers = [8,")],
        [
            (
                "german_control_markers",
                "scenarios.factory.german_control_markers",
                "is [8, 9, 10, 11, 12, 13, 15, 16, 17, 18, 19, 20, 23, 24, 27...",
                TAKEN_BY_OCTOBER,
            )
        ],
    ),
    "C57: another Morale": (
        [("\nmax = 19", "\nmax = 20")],
        [("max = 20", "morale.max", "is 20", "19 (rulebook 5.2)")],
    ),
    "C60: another isolation table": (
        [("{ roll = 6, defence = -2 }", "{ roll = 6, defence = -3 }")],
        [("{ roll = 6,", "isolation.rows[no. 6].defence", "is -3", "-2 (rulebook 12.3)")],
    ),
    "C61: another exemption": (
        [('ignored_on = ["repulse", "stalemate", "overrun"]', 'ignored_on = ["repulse", "overrun"]')],
        [
            (
                "ignored_on",
                "defence_strategy[id 'fanatic'].ignored_on",
                "is ['repulse', 'overrun']",
                '["repulse", "stalemate", "overrun"] (rulebook 9.4, 9.5.5)',
            )
        ],
    ),
    "C63: a roll twice, a roll never": (
        [chart_row("main", "15, 16", "roll = [15, 16]", "roll = [14, 15]")],
        [
            (
                "rows = [",
                "random_events.main.rows",
                "2 rows are for a roll of 14",
                "one row for each roll from 3 to 18",
            ),
            (
                "rows = [",
                "random_events.main.rows",
                "0 rows are for a roll of 16",
                "one row for each roll from 3 to 18",
            ),
        ],
    ),
    "C64: the 29th returns elsewhere": (
        [("return_areas = [5, 6]", "return_areas = [5]"), ("repeat_as = 4", "repeat_as = 5")],
        [
            (
                "{ roll = [3, 3]",
                "random_events.main.rows[no. 1]",
                "a roll of 3 is '64th Army Breakthrough' with other effects",
                "64th Army Breakthrough: the 29th is withdrawn and returns next turn in 5 or 6 (rulebook 6.2.1)",
            ),
            ("{ roll = [3, 3]", "random_events.main.rows[no. 1].repeat_as", "is 5", "4 (rulebook 6.2.1)"),
        ],
    ),
    "C65: 15 is no shortage": (
        [chart_row("main", "15, 16", "value = 1", "value = 0")],
        [
            (
                "{ roll = [15, 16]",
                "random_events.main.rows[no. 7]",
                "a roll of 15 is 'Artillery Shell Shortages' with other effects",
                "Artillery Shell Shortages: an Artillery marker adds 1 (rulebook 13.2)",
            )
        ],
    ),
    "C66, C67: an event of 10.1 is missing and the common ones are rare": (
        [
            chart_row("main", "7, 8", "Logistical Pause", "Bad Luck"),
            chart_row("main", "13, 14", "Logistical Pause", "Bad Luck"),
            chart_row("main", "9, 12", "Commissars", "Bad Luck"),
        ],
        [
            ("rows = [", "random_events.main.rows", "no row is Logistical Pause", "one (rulebook 10.1)"),
            ("rows = [", "random_events.main.rows", "no row is Commissars", "one (rulebook 16.1)"),
            ("rows = [", "random_events.main.rows", "no row is Logistical Pause", "one (rulebook 16.1)"),
            (
                "rows = [",
                "random_events.main.rows",
                "the most common event is 'Bad Luck'",
                "one of Commissars, Artillery Shell Shortages, Logistical Pause (rulebook 16.1)",
            ),
        ],
    ),
    "C68: a pause for everybody, or for strangers": (
        [
            chart_row("main", "7, 8", '["71", ', '["16", "24", "29", "60", "94", "71", '),
            chart_row("main", "13, 14", '["24", "29", "94"]', '["24", "30"]'),
        ],
        [
            (
                "{ roll = [7, 8]",
                "random_events.main.rows[no. 4].effects[no. 1].divisions",
                "has every division",
                "a part of the force (rulebook 16.1)",
            ),
            (
                "{ roll = [13, 14]",
                "random_events.main.rows[no. 6].effects[no. 1].divisions",
                "has ['30']",
                "divisions of german_divisions",
            ),
        ],
    ),
    "C69: another chart of October": (
        [chart_row("factory", "3, 3", 'division = "14"', 'division = "24"')],
        [
            (
                "{ roll = [3, 3]",
                "random_events.factory.rows[no. 1]",
                "a roll of 3 is '64th Army Breakthrough': withdraw_division 24",
                "64th Army Breakthrough: withdraw_division 14 (rulebook 14.6.1)",
            )
        ],
    ),
    "C71: an effect that the rules do not know": (
        [('{ op = "pause_divisions", divisions = ["24", "29", "94"] }', '{ op = "no_free_air" }')],
        [("{ roll = [13, 14]", "random_events.main.rows[no. 6].effects[no. 1].op", "is 'no_free_air'", OPS)],
    ),
    "C72: another final check": (
        [("operational_victory = { areas = 40", "operational_victory = { areas = 30")],
        [("operational_victory", "scenarios.main.operational_victory.areas", "is 30", "40 (rulebook 11.2)")],
    ),
    "C74: reinforcements at another time": (
        [('turn = 7,  tag = "T7"', 'turn = 6,  tag = "T7"')],
        [('{ scenario = "main",    turn = 6', "schedule.reinforcements[no. 2].turn", "is 6", "7 (rulebook 6.1.1)")],
    ),
    "C77: another optional rule": (
        [('id = "12.8"', 'id = "12.9"')],
        [('id = "12.9"', "optional_rule[id '12.9'].id", "is '12.9'", '"12.8" (rulebook 12.0)')],
    ),
    "P7: two Areas of one name": (
        [row("7", "Yelshanka", "Dar  GORA")],
        [("{ id = 11,", "areas.rows[id 11].name", "is 'Dar Gora', as of Area 7", "a name of its own")],
    ),
    "P7: two counters of one id, on either side": (
        [row('"60/120"', '"60/120"', '"16/64"'), row('"C1"', '"C1"', '"PH"')],
        [
            (
                '{ id = "16/64",   division = "16"',
                "german_units.rows[id '16/64'].id",
                "'16/64' is there twice",
                "an id of its own for every counter",
            ),
            (
                "pavlovs_house",
                "soviet_units.pavlovs_house.id",
                "'PH' is there twice",
                "an id of its own for every counter",
            ),
        ],
    ),
    "P7: a division is described twice, another not at all": (
        [row('"14"', 'id = "14"', 'id = "71"')],
        [
            *[
                (
                    f'{{ id = "14/{name}"',
                    f"german_units.rows[id '14/{name}'].division",
                    "is '14', which german_divisions lacks",
                    'a division described there, or "-"',
                )
                for name in ("103", "108", "PZ")
            ],
            ('{ id = "71",', "german_divisions.rows[id '71'].id", "'71' is there twice", "each division once"),
            (
                "{ roll = [3, 3]",
                "random_events.factory.rows[no. 1].effects[no. 1].division",
                "is '14'",
                "a division of german_divisions",
            ),
        ],
    ),
    "P8: provenance that says nothing": (
        [row("12", "history H8", "history"), row("37", "history H5", "guess H99")],
        [
            ("{ id = 12,", "areas.rows[id 12].prov.name", "names no source", "a key of [sources] after history"),
            (
                "{ id = 37,",
                "areas.rows[id 37].prov.name",
                "begins with 'guess'",
                "one of rulebook, rulebook-derived, rulebook-ocr, reconstructed, history, owner, P3",
            ),
            ("{ id = 37,", "areas.rows[id 37].prov.name", "names 'H99'", "keys of [sources] after the first word"),
        ],
    ),
    "the map: two Areas on one spot": (
        [row("7", "x = 195, y = 950", "x = 240, y = 905")],
        [("{ id = 9,", "areas.rows[id 9].x", "x and y are those of Area 7", "a spot of its own")],
    ),
    "the map: an Area off it": (
        [row("7", "x = 195", "x = 1195")],
        [("{ id = 7,", "areas.rows[id 7].x", "is 1195", "0 to 1000, as x_range says")],
    ),
    "the map: no room": (
        [("y_range = [0, 1000]", "y_range = [9, 9]")],
        [("y_range", "map.y_range", "is [9, 9]", "the lower end first")],
    ),
    "form: wrong types, a key unknown, one missing, beside a wrong fact": (
        [
            row("10", "tem = 4", 'tem = "4"'),
            row("11", "volga = false", "vogla = false"),
            row("12", "volga = true", "volga = false"),
        ],
        [
            ("{ id = 10,", "areas.rows[id 10].tem", "is '4'", "a whole number from 0 to 4"),
            ("{ id = 11,", "areas.rows[id 11].volga", "is missing", "true or false"),
            (
                "{ id = 11,",
                "areas.rows[id 11].vogla",
                "is not known here",
                "perhaps volga; known are id, name, terrain, tem, volga, control, x, y, provenance, prov",
            ),
            ("{ id = 12,", "areas.rows[id 12].volga", "is false", f"true: {VOLGA}"),
        ],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_contradiction_is_told_with_its_line(name: str) -> None:
    changes, expected = CASES[name]
    found = defects_of(changed(*changes))

    assert [one[1:] for one in found] == [one[1:] for one in expected]
    assert [one[0][: len(two[0])] for one, two in zip(found, expected, strict=True)] == [one[0] for one in expected]
