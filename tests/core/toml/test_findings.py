"""Findings about a component file: how paths, values and defects are shown."""

from datetime import date

from core.errors import SetupInvalid
from core.toml.findings import (
    BoardInvalid,
    Findings,
    describe,
    plain_name,
    same_name,
    shown,
)
from core.toml.outside_toml import OutsideText, TextDefect, read_outside
from tests.support.rows import each_row


def text_of(source: str) -> OutsideText:
    text = read_outside(source.encode())

    assert isinstance(text, OutsideText)
    return text


PLAIN = {
    "areas": {"rows": [{"id": 10, "name": "x"}, {"name": "y"}]},
    "units": [{"id": "29/RCN"}],
    "pairs": [[1, 2]],
    "flags": [{"id": True}],
    "a b": {"\x1b[31m": 1},
}


@each_row(
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
def test_a_path_is_described_in_readable_form(path: tuple[str | int, ...], expected: str) -> None:
    assert describe(path, PLAIN) == expected


@each_row(
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


def test_findings_are_listed_once_in_the_order_of_lines() -> None:
    findings = Findings(text_of("a = 1\nb = [\n  { id = 3 },\n]\n"))
    findings.add(("b", 0, "id"), "is 3", "4")
    findings.add(("a",), "is 1", "2")
    findings.add(("b", 0, "id"), "is 3", "4")

    assert findings.defects() == (
        TextDefect(line=1, where="a", problem="is 1", expected="2", column=1),
        TextDefect(line=3, where="b[id 3].id", problem="is 3", expected="4", column=5),
    )


def test_findings_know_which_paths_they_concern() -> None:
    findings = Findings(text_of("a = 1\n"))
    findings.add(("map", "x_range", 1), "is 1", "2")

    assert [findings.has_any(path) for path in (("map",), ("map", "x_range"), ("map", "y_range"))] == [
        True,
        True,
        False,
    ]


def test_defects_are_raised_together_each_with_its_sentence() -> None:
    defects = (
        TextDefect(line=3, where="a", problem="is 1", expected="2"),
        TextDefect(line=4, where="b", problem="is missing", expected="a table"),
    )
    error = BoardInvalid(defects)

    assert isinstance(error, SetupInvalid)
    assert error.board_defects == defects
    assert error.defects == ("line 3: a: is 1; expected 2", "line 4: b: is missing; expected a table")


def test_names_are_compared_in_normalized_form() -> None:
    assert same_name("Pavlov's House", " PAVLOV\u2019S  house")
    assert not same_name("Pavlov's House", "Pavlovs House")
    assert plain_name("Pavlov\u2019s  House") == "pavlov's house"
