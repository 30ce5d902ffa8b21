"""An owner's board may differ in all that the rulebook's text leaves open; it is built, named by its bytes, and used."""

from core.file_checks.checked_file import load_file
from core.games.inferno.components.board import BOARD_FILE
from core.games.inferno.components.view.map import make_report
from events.ids import CardId, PlaceId
from tests.support.component_texts import owned
from tests.support.rows import each_row

TEXT = BOARD_FILE.shipped_bytes.decode()
changed = owned(BOARD_FILE)


def test_other_names_where_the_text_gives_none() -> None:
    board = changed(('"Oil tanks"', '"Oil Refinery"'), ('"11th Panzer Regiment"', '"1st Panzer Regiment"'))

    assert board.hexes[PlaceId("12")].name == "Oil Refinery"
    assert board.blocks[CardId("11-panzer")].name == "1st Panzer Regiment"


@each_row("name", ["MAMAYEV  KURGAN", "Mamayev kurgan"])
def test_a_printed_name_with_other_capitals_and_spaces(name: str) -> None:
    assert changed(('"Mamayev Kurgan"', f'"{name}"')).hexes[PlaceId("28")].name == name


def test_another_terrain_where_the_text_gives_none() -> None:
    board = changed(
        ('{ id = "41", q = 10, r = -3, terrain = "urban"', '{ id = "41", q = 10, r = -3, terrain = "rough"'),
        ('{ id = "40", q = 9, r = -2, terrain = "rough"', '{ id = "40", q = 9, r = -2, terrain = "urban"'),
    )

    assert board.terrain_of(PlaceId("40")).rubble_roll
    assert not board.terrain_of(PlaceId("41")).defender_first


def test_other_numbers_inland() -> None:
    board = changed(
        ('{ id = "104", q = 10, r = 2', '{ id = "105", q = 10, r = 2'),
        ('{ id = "105", q = 11, r = 2', '{ id = "104", q = 11, r = 2'),
    )

    assert board.hexes[PlaceId("96")].next_hex(4) == "105"


def test_other_setup_hexes() -> None:
    board = changed(
        ('name = "Orlovka", setup = true', 'name = "Orlovka"'),
        ('{ id = "52", q = 6, r = 1, terrain = "rough"', '{ id = "52", q = 6, r = 1, terrain = "rough", setup = true'),
    )

    assert [board.hexes[PlaceId(place)].is_setup for place in ("51", "52")] == [False, True]


def test_other_strengths_whose_firepower_changes_with_the_step() -> None:
    """RuleId("firepower.per-edge")."""
    board = changed(('"13th Guards Rifle Division", pool = "infantry", kind = "guards", edges = ["4DF", "3DF", "2DF", "1DF"]',
                   '"13th Guards Rifle Division", pool = "infantry", kind = "guards", edges = ["4TF", "3DF", "2SF", "1SF"]'))  # fmt: skip
    edges = board.blocks[CardId("13-guards")].edges

    assert [(edge.strength, edge.firepower) for edge in edges] == [(4, "TF"), (3, "DF"), (2, "SF"), (1, "SF")]


def test_other_hexes_on_the_aa_cards() -> None:
    board = changed(('{ id = "15", hex = "15" }', '{ id = "8", hex = "8" }'))

    assert board.cards[CardId("soviet/aa-8")].hex == "8"
    assert CardId("soviet/aa-15") not in board.cards


def test_a_reading_of_the_icons_that_an_owner_sees() -> None:
    """ruling.spawn-icons."""
    board = changed(
        ('{ hex = "13", infantry = 2, tanks = 0 }', '{ hex = "13", infantry = 1, tanks = 1 }'),
        ('{ hex = "7", infantry = 0, tanks = 1 }', '{ hex = "7", infantry = 1, tanks = 0 }'),
    )

    assert board.spawn_tables["A"] == board.spawn_tables["B"]


def test_rows_in_another_order_make_the_same_board() -> None:
    lines = TEXT.split("\n")
    start = lines.index("rows = [") + 1
    end = lines.index("]", start)
    lines[start:end] = reversed(lines[start:end])
    board, shipped = load_file(BOARD_FILE, "\n".join(lines)), BOARD_FILE.load()

    assert dict(board.hexes) == dict(shipped.hexes)
    assert sorted(board.german_spawn) == sorted(shipped.german_spawn)


def test_differences_and_contradictions_are_reported() -> None:
    text = TEXT.replace('"Oil tanks"', '"Oil Refinery"').replace("must_exceed = 18", "must_exceed = 15")
    report = make_report(text, "Ruins")

    assert [(one.where, one.shipped, one.own, one.is_printed) for one in report.differences] == [
        ("hexes.12.name", "'Oil tanks'", "'Oil Refinery'", False),
        ("rubble.must_exceed", "18", "15", True),
    ]
    assert "A variant, Ruins" in report.svg
