"""A board that cannot be played on is refused; one that contradicts the rulebook's text is so too, unless it is a variant."""

from functools import partial

from core.games.inferno.components.board import BOARD_FILE
from tests.support.component_texts import Change, changed, defects_of, not_contradicting, not_refused, row_of, within

TEXT = BOARD_FILE.shipped_bytes.decode()
row = partial(row_of, TEXT)


def of_table(table: str, old: str, new: str) -> Change:
    """Change something within a reading of the spawn icons."""
    start = TEXT.index(f'id = "{table}"\nunits = [')
    block = TEXT[start : TEXT.index("]", start)]
    return within(TEXT, block, old, new)


HEXES, GERMANS, SOVIETS = "hexes.rows", "german_blocks.rows", "soviet_blocks.rows"

IMPOSSIBLE: dict[str, tuple[list[Change], str]] = {
    "two hexes of one number": ([row("58", '"58"', '"59"')], f"{HEXES}[id '59'].id"),
    "two hexes at one place": ([row("58", "q = 12, r = -2", "q = 12, r = -3")], f"{HEXES}[id '58'].q"),
    "a hex that has no neighbour": ([row("105", "q = 11, r = 2", "q = 11, r = 9")], HEXES),
    "two hexes of one name": ([row("87", "Opytnaya station", "Voroponovo")], f"{HEXES}[id '87'].name"),
    "a direction twice": ([('"southeast", "southwest", "west"', '"southeast", "west", "west"')], "compass.directions"),
    "water on a hex": ([("[11, -6], ", "[11, -5], ")], "river.hexes[no. 9]"),
    "a coast without water": ([("[19, -9],", "[19, -12],"), ("[18, -9], ", "")], f"{HEXES}[id '19'].coast"),
    "a Setup hex of the Germans": ([row("Y", 'name = "Gumrak approach"', "setup = true"), row("77", "setup = true", 'name = "Gully"')],
                                   f"{HEXES}[id 'Y'].setup"),
    "two blocks of one id": ([row("95-rifle", '"95-rifle"', '"98-rifle"')], f"{SOVIETS}[id '98-rifle'].id"),
    "blocks of both sides of one id": ([row("95-rifle", '"95-rifle"', '"36-panzer"')], f"{SOVIETS}[id '36-panzer'].id"),
    "two blocks of one name": ([row("95-rifle", "95th Rifle", "45th Rifle")], f"{SOVIETS}[id '95-rifle'].name"),
    "strength that skips a step": ([row("95-rifle", '"4SF", "3SF", "2SF", "1SF"', '"4SF", "2SF", "1SF", "-"')],
                                   f"{SOVIETS}[id '95-rifle'].edges"),
    "strength that rises": ([row("95-rifle", '"2SF", "1SF"', '"1SF", "2SF"')], f"{SOVIETS}[id '95-rifle'].edges"),
    "a block without strength": ([row("1077-aa", '"2DF", "1DF"', '"-", "-"')], f"{SOVIETS}[id '1077-aa'].edges"),
    "dots of no colour": ([row("1077-aa", '"2DF"', '"2XF"')], f"{SOVIETS}[id '1077-aa'].edges[no. 1]"),
    "a start on a Soviet hex": ([row("2-panzer", 'start = "W"', 'start = "20"')], f"{GERMANS}[id '2-panzer'].start"),
    "a start off the board": ([row("2-panzer", 'start = "W"', 'start = "106"')], f"{GERMANS}[id '2-panzer'].start"),
    "five units at the start of a hex": ([('{ hex = "Y", colour = "yellow", number = 2 }',
                                           '{ hex = "Y", colour = "yellow", number = 5 }'), ("boxes = 5 ", "boxes = 4 ")], GERMANS),
    "drawn Infantry on a Soviet hex": ([('{ hex = "Y", colour', '{ hex = "87", colour')], "setup.random_infantry[no. 2].hex"),
    "more Infantry drawn than there is": ([('{ hex = "Y", colour = "yellow", number = 2 }',
                                            '{ hex = "Y", colour = "white", number = 10 }')], "setup.random_infantry[no. 2].number"),
    "pools that leave too many": ([("tank_pool = 6", "tank_pool = 5")], "setup.infantry_pool"),
    "a pool larger than its units": ([("tank_pool = 6", "tank_pool = 14")], "setup.tank_pool"),
    "a pool without room for the Guards": ([("infantry_pool = 22", "infantry_pool = 3")], "setup.infantry_pool"),
    "too few divisions for Late Deployment": ([row("95-rifle", '"division"', '"brigade"')], "designers_way.late_divisions"),
    "too many boxes": ([("boxes = 5 ", "boxes = 6 ")], "track.boxes"),
    "too few White Infantry": ([("white_boxes = 1", "white_boxes = 2")], "track.white_boxes"),
    "a unit Removed by two rows": ([('unit = "103-panzer-grenadier"', 'unit = "120-motorized"')],
                                   "track.removed_units[no. 3].unit"),
    "a row that is not there": ([("raus_row = 6", "raus_row = 5"), ("\nrows = 6\nboxes = 5 ", "\nrows = 5\nboxes = 6 "),
                                 ('{ row = 5, unit', '{ row = 6, unit')], "track.removed_units[no. 5].row"),
    "an unknown unit Removed": ([('unit = "103-panzer-grenadier"', 'unit = "103-panzers"')], "track.removed_units[no. 3].unit"),
    "a Spawn Hex that never spawns": ([('order = ["3", "19", "9", "15", "13", "7"]', 'order = ["3", "19", "9", "15", "13"]')],
                                      "spawn.order"),
    "a reading without a hex": ([of_table("B", '  { hex = "7", infantry = 1, tanks = 0 },\n', "")], "spawn.tables[id 'B'].units"),
    "a reading that is missing": ([('id = "C"', 'id = "B"')], "spawn.tables[id 'B'].id"),
    "dice without firepower": ([row("howitzer", ', firepower = "TF"', "")], "cards.german[id 'howitzer'].firepower"),
    "a Leader with dice": ([row("hoth", "count = 1", "count = 1, dice = 2")], "cards.german[id 'hoth'].dice"),
    "a Leader twice": ([row("hoth", "count = 1", "count = 2")], "cards.german[id 'hoth'].count"),
    "fewer copies than cards": ([('    { id = "9", hex = "9" },\n', "")], "cards.soviet[id 'aa'].copies"),
    "an AA card without a hex": ([('{ id = "9", hex = "9" }', '{ id = "9" }')], "cards.soviet[id 'aa'].copies[id '9'].hex"),
    "a German card that lands Marines": ([('name = "Pak", op = "lose_steps", count = 2, steps = 1, target = "tank"', 'name = "Pak", op = "flotilla", count = 2, dice = 3, firepower = "DF"')], "cards.german[id 'pak'].op"),
    "a Flotilla beyond the map": ([('op = "flotilla", count = 5, dice = 3', 'op = "flotilla", count = 5, dice = 18')], "cards.soviet[id 'volga_river_flotilla'].dice"),
    "a Pioneer with a hex": ([('{ id = "50", name', '{ id = "50", hex = "9", name')], "cards.german[id 'pioneer'].copies[id '50'].hex"),
    "an Advantage twice": ([('"linden", "okh", "sixth_panzer"', '"linden", "linden", "sixth_panzer"')],
                           "designers_way.german_advantages[no. 5]"),
    "an Advantage without a card": ([row("linden", 'id = "linden"', 'id = "lindens"')], "designers_way.german_advantages[no. 4]"),
}  # fmt: skip
"""What is wrong, the changes, and where it is found. No variant may have these."""


def test_a_board_that_cannot_be_played_on_is_refused_even_as_a_variant() -> None:
    assert not_refused(BOARD_FILE, IMPOSSIBLE) == []


CONTRADICTIONS: dict[str, tuple[list[Change], str]] = {
    "a figure of the rules": ([("must_exceed = 18", "must_exceed = 17")], "rubble.must_exceed"),
    "a terrain's effect": ([("rough = { long_move = false", "rough = { long_move = true")], "terrain.rough.long_move"),
    "another direction backwards": ([('["east", "southeast", "southwest", "west", "northwest", "northeast"]',
                                      '["west", "southwest", "southeast", "east", "northeast", "northwest"]')], "compass.directions"),
    "a compass that turns the other way": ([('["east", "southeast", "southwest", "west", "northwest", "northeast"]',
                                             '["east", "northeast", "northwest", "west", "southwest", "southeast"]')], HEXES),
    "28 Urban hexes": ([row("43", '"rough"', '"urban"')], HEXES),
    "24 Setup hexes": ([row("43", '"rough"', '"rough", setup = true'), ("infantry_pool = 22", "infantry_pool = 21"),
                        ("late_divisions = 18", "late_divisions = 17")], HEXES),
    "an AA card's hex without buildings": ([('{ id = "9", hex = "9" }', '{ id = "9", hex = "20" }')], "cards.soviet[id 'aa'].copies[id '9'].hex"),
    "a terrain that the text names": ([row("7", '"urban"', '"rough"'), row("6", '"rough"', '"urban"')], f"{HEXES}[id '7'].terrain"),
    "a fortified hill with buildings": ([row("28", '"rough"', '"urban"'), row("29", '"urban"', '"rough"')], f"{HEXES}[id '28'].terrain"),
    "a name that the text gives": ([row("26", "Martin Furnace", "Blast Furnace")], f"{HEXES}[id '26'].name"),
    "the coast": ([row("2", 'name = "Akatovka road"', 'coast = true'), ("[3, -1], ", "[3, -1], [2, 0], ")], f"{HEXES}[id '2'].coast"),
    "a Spawn Hex": ([row("W", 'name = "16th Panzer spearhead"', 'spawn = "yellow"')], f"{HEXES}[id 'W'].spawn"),
    "a neighbour of the dock": ([row("56", "q = 10, r = -2", "q = 8, r = -4"), ("[8, -4], ", "")], HEXES),
    "one Panzer more": ([row("15-motorized", 'kind = "motorized"', 'kind = "panzer"')], GERMANS),
    "a division with an axe elsewhere": ([row("11-panzer", "6th Panzer Division", "7th Panzer Division")], f"{GERMANS}[id '11-panzer']"),
    "an R unit less": ([row("71-motorized", ", r_unit = true", "")], GERMANS),
    "a row that Removes another unit": ([('{ row = 2, unit = "120-motorized" }', '{ row = 2, unit = "15-motorized" }')],
                                        "track.removed_units[no. 2].unit"),
    "the first row": ([('unit = "64-panzer-grenadier"', 'unit = "120-motorized"'), ('unit = "120-motorized" },\n  { row = 3',
                                                                                    'unit = "64-panzer-grenadier" },\n  { row = 3')],
                      "track.removed_units[no. 1].unit"),
    "where a regiment begins": ([row("2-panzer", 'start = "W"', 'start = "X"')], f"{GERMANS}[id '2-panzer'].start"),
    "another unit at the start": ([row("79-panzer-grenadier", ', start = "W"', ""), row("36-panzer", 'colour = "blue"',
                                                                                       'start = "W", colour = "blue"')], GERMANS),
    "a Guards division less": ([row("13-guards", '"guards"', '"division"'), ("late_divisions = 18", "late_divisions = 19")], SOVIETS),
    "another AA unit": ([row("1077-aa", "1077th", "1078th")], SOVIETS),
    "no Workers": ([row(f"workers-{name}", '"workers"', '"brigade"')
                    for name in ("tractor-factory", "barrikady", "red-october", "city-militia")], SOVIETS),
    "other totals of the Spawn Action": ([of_table("A", '{ hex = "9", infantry = 1', '{ hex = "9", infantry = 2')],
                                         "spawn.tables[id 'A'].units"),
    "no Tank in 3": ([of_table("A", '{ hex = "3", infantry = 1, tanks = 1 }', '{ hex = "3", infantry = 2, tanks = 0 }'),
                      ('{ hex = "15", infantry = 1, tanks = 0 },\n  { hex = "13", infantry = 2, tanks = 0 }',
                       '{ hex = "15", infantry = 0, tanks = 1 },\n  { hex = "13", infantry = 2, tanks = 0 }')], "spawn.tables[id 'A'].units"),
    "the number of a card": ([row("stuka", "count = 4", "count = 5")], "cards.german[id 'stuka'].count"),
    "a Leader of another name": ([row("okh", '"OKH"', '"OKW"')], "cards.german[id 'okh'].name"),
    "no Infantry with one edge without dots": ([(line, line.replace('"3SF", "2SF", "1SF", "-"', '"4SF", "3SF", "2SF", "1SF"'))
                                                    for line in TEXT.split("\n") if '"3SF", "2SF", "1SF", "-"' in line], SOVIETS),
}  # fmt: skip
"""What the text says otherwise, the changes, and where it is found. A variant may have these."""


def test_a_board_that_contradicts_the_text_is_refused_unless_it_is_a_variant() -> None:
    assert not_contradicting(BOARD_FILE, CONTRADICTIONS) == []


def test_a_defect_is_named_with_line_and_column() -> None:
    text = changed(TEXT, row("58", "q = 12, r = -2", "q = 12, r = -3"))
    number, line = next(
        (number, line) for number, line in enumerate(text.split("\n"), start=1) if '{ id = "58"' in line
    )
    (defect, *_) = defects_of(BOARD_FILE, text)

    assert (defect.line, defect.column) == (number, line.index("q = ") + 1)
    assert "those of hex 43" in defect.sentence()


def test_all_defects_are_named_at_once_in_the_order_of_the_file() -> None:
    text = changed(
        TEXT,
        row("2-panzer", 'start = "W"', 'start = "20"'),
        ("boxes = 5 ", "boxes = 6 "),
        ('"southwest", "west"', '"west", "west"'),
    )
    lines = [defect.line for defect in defects_of(BOARD_FILE, text)]

    assert len(lines) >= 3
    assert lines == sorted(lines)
