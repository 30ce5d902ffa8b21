"""Whatever bytes an owner's board file has, they are parsed or their one defect is named."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.board_file import (
    FILE_BYTES_MAX,
    LINE_CHARACTERS_MAX,
    BoardDefect,
    BoardInvalid,
    BoardText,
    Findings,
    describe,
    plain_name,
    read_board_text,
    same_name,
    shown,
)
from core.errors import SetupInvalid


def text_of(source: str) -> BoardText:
    text = read_board_text(source.encode())

    assert isinstance(text, BoardText)
    return text


def test_a_text_is_parsed_with_the_lines_of_its_keys() -> None:
    text = text_of("a = 1\n[b]\nc = 2\n")

    assert text.plain == {"a": 1, "b": {"c": 2}}
    assert text.places.line_of(("b", "c")) == 3


def test_a_byte_order_mark_is_no_defect() -> None:
    assert text_of("\ufeffa = 1\n").plain == {"a": 1}


UNREADABLE = {
    "no text": (b"a = 1\nb = '\xff'\n", 2, "file", "byte 12 is no UTF-8"),
    "a picture": (b"\x89PNG\r\n\x1a\n", 1, "file", "byte 1 is no UTF-8"),
    "a lone surrogate": ("a = '\ud800'".encode("utf-8", "surrogatepass"), 1, "file", "byte 6 is no UTF-8"),
    "a control character": (b"a = 1\nb = '\x00'\n", 2, "column 6", "is no TOML: Found invalid character '\\x00'"),
    "no value": (b"a = 1\n\nb =\n", 3, "column 4", "is no TOML: Invalid value"),
    "an open text": (b'a = 1\nb = "x\nc = 1\n', 2, "column 7", "is no TOML: Illegal character '\\n'"),
    "an open array": (b"a = 1\nb = [ 1\n\n", 2, "end of file", "is no TOML: Unclosed array"),
    "a key twice": (b"a = 1\nb = 2\na = 3\n", 3, "column 6", "is no TOML: Cannot overwrite a value"),
    "a table twice": (b"[a]\nb = 1\n[a]\n", 3, "column 3", "is no TOML: Cannot declare ('a',) twice"),
    "nesting": (b"a = " + b"[\n" * 3000, 1, "file", "nests too deeply"),
    "a long line": (b"\na = '" + b"x" * LINE_CHARACTERS_MAX + b"'", 2, "file", "the line has 2006 characters"),
    "a hostile key": (b"a = 1\n" + b"a." * 900 + b"b = 1", 2, "file", "the line has 900 dots"),
    "a huge file": (b"#" * (FILE_BYTES_MAX + 1), 1, "file", "has 500001 bytes"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_unreadable_bytes_are_one_defect_with_its_line(name: str) -> None:
    data, line, where, problem = UNREADABLE[name]
    defect = read_board_text(data)

    assert isinstance(defect, BoardDefect)
    assert (defect.line, defect.where, defect.problem) == (line, where, problem)
    assert defect.expected


@given(st.binary(max_size=200))
def test_any_bytes_are_parsed_or_named(data: bytes) -> None:
    result = read_board_text(data)

    assert isinstance(result, BoardText) or (result.line >= 1 and result.problem and result.expected)


PLAIN = {
    "areas": {"rows": [{"id": 10, "name": "x"}, {"name": "y"}]},
    "units": [{"id": "29/RCN"}],
    "pairs": [[1, 2]],
    "flags": [{"id": True}],
    "a b": {"\x1b[31m": 1},
}


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ((), "file"),
        (("areas",), "areas"),
        (("areas", "rows", 0, "name"), "areas.rows[id 10].name"),
        (("areas", "rows", 1), "areas.rows[no. 2]"),
        (("areas", "rows", 7, "name"), "areas.rows[no. 8].name"),
        (("units", 0, "id"), "units[id '29/RCN'].id"),
        (("pairs", 0, 1), "pairs[no. 1][no. 2]"),
        (("flags", 0), "flags[id true]"),
        (("a b", "\x1b[31m"), "'a b'.'\\x1b[31m'"),
        (("not", "there", 3), "not.there[no. 4]"),
    ],
)
def test_a_path_is_described_for_people(path: tuple[str | int, ...], expected: str) -> None:
    assert describe(path, PLAIN) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "true"),
        (7, "7"),
        (1 << 200, "a number of 201 bits"),
        ([1, 1 << 200], "[1, a number of 201 bits]"),
        (date(1942, 9, 13), "1942-09-13"),
        (float("inf"), "inf"),
        ("x\ny\x1b", "'x\\ny\\x1b'"),
        ([1, 2], "[1, 2]"),
        ([[1]], "an array of 1"),
        ({"a": 1}, "a table of 1"),
        ("x" * 100, "'" + "x" * 56 + "..."),
    ],
)
def test_a_value_is_shown_on_one_short_line(value: object, expected: str) -> None:
    assert shown(value) == expected


def test_findings_are_listed_by_line_and_once() -> None:
    findings = Findings(text_of("a = 1\nb = [\n  { id = 3 },\n]\n"))
    findings.add(("b", 0, "id"), "is 3", "4")
    findings.add(("a",), "is 1", "2")
    findings.add(("b", 0, "id"), "is 3", "4")

    assert findings.defects() == (
        BoardDefect(line=1, where="a", problem="is 1", expected="2"),
        BoardDefect(line=3, where="b[id 3].id", problem="is 3", expected="4"),
    )


def test_findings_know_what_they_touch() -> None:
    findings = Findings(text_of("a = 1\n"))
    findings.add(("map", "x_range", 1), "is 1", "2")

    assert [findings.has_any(path) for path in (("map",), ("map", "x_range"), ("map", "y_range"))] == [
        True,
        True,
        False,
    ]


def test_defects_are_raised_together_each_with_its_sentence() -> None:
    defects = (
        BoardDefect(line=3, where="a", problem="is 1", expected="2"),
        BoardDefect(line=4, where="b", problem="is missing", expected="a table"),
    )
    error = BoardInvalid(defects)

    assert isinstance(error, SetupInvalid)
    assert error.board_defects == defects
    assert error.defects == ("line 3: a: is 1; expected 2", "line 4: b: is missing; expected a table")


def test_names_are_the_same_however_they_are_written() -> None:
    assert same_name("Pavlov's House", " PAVLOV\u2019S  house")
    assert not same_name("Pavlov's House", "Pavlovs House")
    assert plain_name("Pavlov\u2019s  House") == "pavlov's house"
