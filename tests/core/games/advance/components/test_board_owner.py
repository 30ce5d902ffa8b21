"""An owner's board may differ in all that the rulebook's text leaves open; it is built, named by its bytes, and used."""

import re
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.board_file import BoardInvalid
from core.games.advance.components.board import board_digest, load_board, packaged_bytes
from core.games.advance.components.board_model import ArtilleryBonus, Board
from core.games.advance.components.checks.board_checks import read_board
from events.ids import PieceId, PlaceId

TEXT = packaged_bytes().decode()


def owned(*changes: tuple[str, str]) -> Board:
    """Change every place where the packaged text has each old text, and read the board."""
    text = TEXT
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    board = read_board(text.encode())

    assert isinstance(board, Board), [defect.sentence() for defect in board]
    return board


def test_another_name_where_the_text_gives_none() -> None:
    board = owned(('"Yelshanka"', '"Kuporosnoye"'))

    assert board.areas[PlaceId("7")].name == "Kuporosnoye"


@pytest.mark.parametrize("name", ["Red October Worker\u2019s Settlement", "RED OCTOBER  WORKER'S SETTLEMENT"])
def test_a_printed_name_with_other_apostrophes_capitals_and_spaces(name: str) -> None:
    assert owned(('"Red October Worker\'s Settlement"', f'"{name}"')).areas[PlaceId("24")].name == name


def test_another_terrain_where_the_text_gives_none() -> None:
    old = re.search(r'name = "Food Combine", +terrain = "light_urban", tem = 3', TEXT)

    assert old

    board = owned((old[0], 'name = "Food Combine", terrain = "heavy_urban", tem = 4'))

    assert board.areas[PlaceId("12")].terrain == "heavy_urban"
    assert [row.terrain for row in board.scenarios["main"].soviet_setup if row.area == "12"] == ["heavy_urban"]


def test_an_exception_may_have_another_number() -> None:
    board = owned(
        ('id = 15, name = "Central Rail Station",            terrain = "light_urban", tem = 4', "FIRST"),
        (
            'id = 16, name = "Kavkaz Suburb",                   terrain = "light_urban", tem = 3',
            'id = 16, name = "Central Rail Station", terrain = "light_urban", tem = 4',
        ),
        ("FIRST", 'id = 15, name = "Kavkaz Suburb", terrain = "light_urban", tem = 3'),
    )

    assert [board.areas[PlaceId(number)].tem for number in ("15", "16")] == [3, 4]


def test_other_boundaries_where_the_text_gives_none() -> None:
    board = owned(("[24, 25], [24, 26],", "[25, 24], [24, 36],"))

    assert board.adjacency.near(PlaceId("24")) == ("23", "25", "27", "28", "35", "36")


def test_other_units_and_factors_where_the_text_gives_none() -> None:
    board = owned(
        (
            '"16/RCN",  division = "16",  kind = "armor",    attack = 7',
            '"16/2", division = "16", kind = "armor", attack = 8',
        )
    )

    assert board.units[PieceId("16/2")].attack_factor == 8
    assert PieceId("16/2") in board.scenarios["factory"].out_of_action


def test_another_main_chart_within_what_the_text_says() -> None:
    four = '{ roll = [4, 4],   event = "64th Army Offensive",       effects = [ { op = "no_air_placement" } ] },'
    shortage = '{ roll = [5, 6],   event = "Artillery Shell Shortages", effects = [ { op = "artillery_bonus", value = 1 } ], prov'
    board = owned(
        (four, '{ roll = [4, 5], event = "Mud", effects = [ { op = "movement_cap", value = 3 } ] },'),
        (shortage, shortage.replace("[5, 6]", "[6, 6]")),
    )
    chart = board.scenarios["main"].events.by_roll

    assert [chart[roll].name for roll in (4, 5, 6)] == ["Mud", "Mud", "Artillery Shell Shortages"]
    assert chart[6].effects == (ArtilleryBonus(1),)


def test_more_markers_than_the_example_needs() -> None:
    board = owned(("artillery = 8", "artillery = 12"), ("engineer = 4", "engineer = 2"))

    assert (board.markers.artillery, board.markers.engineer) == (12, 2)


def test_coordinates_of_any_scale_are_drawn_to_ours() -> None:
    bare = re.sub(r"(?<=\bx = )(\d+)", lambda found: str(500 + 2 * int(found[0])), TEXT)
    board = read_board(bare.replace("x_range = [0, 1000]", "x_range = [500, 2500]").encode())

    assert isinstance(board, Board)
    assert {one.x for one in board.areas.values()} == {one.x for one in load_board().areas.values()}


def test_a_file_without_any_provenance_sources_and_comments() -> None:
    bare = re.sub(r",? *prov = (\{[^{}]*\}|\"[^\"]*\")", "", TEXT)
    bare = re.sub(r"(?m)^provenance = .*\n|^#.*\n|^overrides = .*\n|^prov = .*\n", "", bare)
    bare = re.sub(r"(?s)\[provenance\.words\].*?(?=\n\[map\])", "", bare)
    board = read_board(bare.encode())

    assert isinstance(board, Board), [defect.sentence() for defect in board]
    assert board.areas == load_board().areas
    assert "prov" not in bare


def test_rows_in_another_order_make_the_same_map() -> None:
    lines = TEXT.split("\n")
    at = [number for number, line in enumerate(lines) if line.startswith("  { id = ") and "volga = " in line]
    lines[at[0] : at[-1] + 1] = reversed(lines[at[0] : at[-1] + 1])
    board = read_board("\n".join(lines).encode())

    assert isinstance(board, Board)
    assert list(board.areas.items()) == list(load_board().areas.items())


def test_a_byte_order_mark_and_other_line_feeds_are_no_defects() -> None:
    board = read_board(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())

    assert isinstance(board, Board)
    assert board.areas == load_board().areas
    assert board.digest != load_board().digest


def test_a_board_is_named_by_its_exact_bytes() -> None:
    data = TEXT.replace("Yelshanka", "Kuporosnoye").encode()
    board = load_board(data)

    assert board.digest == board_digest(data)
    assert not board.is_packaged


def test_our_own_file_is_recognized() -> None:
    assert load_board(packaged_bytes()) == load_board()
    assert load_board(TEXT) == load_board()


def test_all_defects_are_raised_together() -> None:
    text = TEXT.replace("air = 3\n", "air = 4\n").replace("\nmax = 19", "\nmax = 20")

    with pytest.raises(BoardInvalid) as error:
        load_board(text)

    assert [(defect.where, defect.problem) for defect in error.value.board_defects] == [
        ("markers.air", "is 4"),
        ("morale.max", "is 20"),
    ]
    assert error.value.defects == tuple(defect.sentence() for defect in error.value.board_defects)


def test_a_text_that_utf8_cannot_hold_is_a_defect() -> None:
    with pytest.raises(BoardInvalid, match="invalid UTF-8"):
        load_board("schema = '\ud800'")


@pytest.mark.parametrize("data", [b"", b"\n", b"schema = 1", b"[areas]\nrows = 7\n", b"areas = [1]\n[morale]\n"])
def test_a_file_of_nothing_much_lacks_every_section(data: bytes) -> None:
    defects = read_board(data)

    assert isinstance(defects, tuple)
    assert {"german_units", "optional_rule"} <= {one.where for one in defects if one.problem == "is missing"}


SECTIONS = tuple(re.findall(r"(?m)^\[([a-z_]+)\]", TEXT))


@pytest.mark.parametrize("section", [name for name in SECTIONS if name != "sources"])
def test_each_section_is_needed(section: str) -> None:
    text = re.sub(rf"(?ms)^\[{section}\]\n.*?(?=^\[|\Z)", "", TEXT)
    defects = read_board(text.encode())

    assert isinstance(defects, tuple)
    assert [(one.line, one.where) for one in defects if one.problem == "is missing"] == [(1, section)]


# Whatever happens to a file, it is a board or a list of defects


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    """Cut, double, swap or overwrite pieces of the packaged file."""
    data = TEXT
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from([0, 1, 2, 5, 20, 100, 1000])))
        piece = draw(
            st.one_of(
                st.sampled_from(["", "\n", '"', "[", "]", "{", "}", "=", ",", "#", "'", '"""', "[[", "1", "-", "true"]),
                st.just(data[start:end] * 2),
                st.text(max_size=5),
            )
        )
        data = data[:start] + piece + data[end:]
    return data.encode()


VALUES = st.sampled_from(
    ["0", "-1", "51", "99999999999999999999", "1.5", "nan", "true", "false", '""', '"x"', '"10"', "[]", "{}", "[[[1]]]",
     "{ id = 1 }", "[1, 2]", '["a"]', "1942-09-13", "0xffffffffffffffffffffffffffffffffffffffffffffffff", '"\\u0000"'],
)  # fmt: skip


@st.composite
def mistyped(draw: st.DrawFn) -> bytes:
    """Replace some values of the packaged file by values of any type, and some keys by others."""
    places = [found.span(1) for found in re.finditer(r"= ([^\s,\]}]+|\"[^\"\n]*\")(?=[,\s}\]])", TEXT)]
    chosen = sorted(draw(st.sets(st.sampled_from(places), min_size=1, max_size=5)), reverse=True)
    text = TEXT
    for start, end in chosen:
        text = text[:start] + draw(VALUES) + text[end:]
    return text.encode()


def judged(data: bytes) -> None:
    result = read_board(data)
    if isinstance(result, Board):
        assert tomllib.loads(data.decode("utf-8-sig"))
        assert result.digest == board_digest(data)
    else:
        lines = data.count(b"\n") + 1
        assert result
        for defect in result:
            assert 1 <= defect.line <= lines
            assert defect.where and defect.problem and defect.expected
            assert defect.sentence().isprintable()


@given(damaged())
def test_a_damaged_file_is_a_board_or_a_list_of_defects(data: bytes) -> None:
    judged(data)


@given(mistyped())
def test_a_mistyped_file_is_a_board_or_a_list_of_defects(data: bytes) -> None:
    judged(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_list_of_defects(data: bytes) -> None:
    judged(data)


@given(st.text(max_size=300))
def test_any_text_is_a_list_of_defects(text: str) -> None:
    judged(text.encode("utf-8", "surrogatepass"))


def test_hostile_files_are_answered() -> None:
    deep = b"a = " + b"[\n" * 2000 + b"]\n" * 2000
    dotted = b"\n".join(b"k%d%s = 1" % (number, b".a" * 60) for number in range(2000))
    keys = b"\n".join(b"k%d = 1" % number for number in range(40_000))
    rows = b"[areas]\nrows = [\n" + b"{ id = 1 },\n" * 30_000 + b"]\n"

    for data in (deep, dotted, keys, rows):
        judged(data)


def test_a_number_too_long_to_be_written_out_is_answered() -> None:
    judged(TEXT.replace("air = 3\n", f"air = 0x{'f' * 1900}\n").encode())
    judged(TEXT.replace("y_range = [0, 1000]", f"y_range = [0x{'f' * 900}, 0x{'f' * 900}]").encode())


def test_a_deeply_nested_table_is_answered() -> None:
    judged(TEXT.replace("[map]", f"[map{'.a' * 60}]\nb{'.c' * 60} = {'{ d = ' * 20}[1]{' }' * 20}\n[map]", 1).encode())
