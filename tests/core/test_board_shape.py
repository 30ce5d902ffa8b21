"""Each shape names every departure from it, with the path and what would be right."""

import pytest

from core.board_shape import (
    Either,
    Fixed,
    Flag,
    Ident,
    Plain,
    Rows,
    Sequence,
    Shape,
    Table,
    TableOf,
    Variant,
    Whole,
    Words,
    printed,
    written,
)
from core.components.findings import Findings
from core.outside_toml import OutsideText
from core.toml_lines import LineMap


def departures(value: object, shape: Shape) -> list[tuple[str, str, str]]:
    """Check one value under the key `v` and return where, problem and expectation of each defect."""
    findings = Findings(OutsideText(plain={"v": value}, places=LineMap("")))
    shape.check(value, ("v",), findings)
    return [(defect.where, defect.problem, defect.expected) for defect in findings.defects()]


ROW = Table({"a": Whole(1, 3)}, {"note": Words()})
BY_OP = Variant("op", {"add": Table({"op": Words(), "n": Whole(1, 9)}), "stop": Table({"op": Words()})})

FITTING: list[tuple[object, Shape]] = [
    (1, Whole(1, 3)),
    (3, Whole(1, 3)),
    ("x", Words()),
    ("x", Words(("x", "y"))),
    (-1, Whole(-3, 3, (0,))),
    ("grain_elevator_2", Ident()),
    (False, Flag()),
    ([1, [True, "x"]], Fixed([1, [True, "x"]])),
    ({"a": 1}, Fixed({"a": 1})),
    ([], Rows(Whole(1, 3))),
    ([1, 2], Rows(Whole(1, 3), 2, 2)),
    ([1, "x"], Sequence((Whole(1, 1), Words()))),
    ({"a": 2}, ROW),
    ({"a": 2, "note": "x"}, ROW),
    ({"p": 1, "q": 2}, TableOf(Whole(1, 3))),
    ({"op": "add", "n": 3}, BY_OP),
    ({"op": "stop"}, BY_OP),
    (2, Either((Words(), Whole(1, 3)))),
    ("x", Either((Words(), Whole(1, 3)))),
]


@pytest.mark.parametrize(("value", "shape"), FITTING)
def test_what_fits_has_no_departure(value: object, shape: Shape) -> None:
    assert departures(value, shape) == []
    assert shape.speaks_of(value)


DEPARTING: list[tuple[object, Shape, list[tuple[str, str, str]]]] = [
    (0, Whole(1, 3), [("v", "is 0", "a whole number from 1 to 3")]),
    (4, Whole(1, 3), [("v", "is 4", "a whole number from 1 to 3")]),
    (True, Whole(1, 3), [("v", "is true", "a whole number from 1 to 3")]),
    (1.0, Whole(1, 3), [("v", "is 1.0", "a whole number from 1 to 3")]),
    ("", Words(), [("v", "is ''", "a text")]),
    (" ", Words(), [("v", "is ' '", "a text")]),
    (7, Words(), [("v", "is 7", "a text")]),
    ("z", Words(("x", "y")), [("v", "is 'z'", "one of x, y")]),
    (0, Whole(-3, 3, (0,)), [("v", "is 0", "a whole number from -3 to 3 other than 0")]),
    (
        "a\x1b[2J",
        Words(),
        [("v", "is 'a\\x1b[2J'", "a text of one line without control characters")],
    ),
    ("a\nb", Words(), [("v", "is 'a\\nb'", "a text of one line without control characters")]),
    *[
        (wrong, Ident(), [("v", f"is {wrong!r}", "up to 60 lower-case letters, digits and underscores")])
        for wrong in ("", "A", "a b", "a-b", "a/b", "a\n", 7)
    ],
    (1, Flag(), [("v", "is 1", "true or false")]),
    (True, Fixed(1, "5.2"), [("v", "is true", "1 (rulebook 5.2)")]),
    ([1, 2], Fixed([2, 1]), [("v", "is [1, 2]", "[2, 1]")]),
    ([1], Fixed([1, 1]), [("v", "is [1]", "[1, 1]")]),
    ({"a": True}, Fixed({"a": 1}), [("v", "is a table of 1", "{ a = 1 }")]),
    ({"b": 1}, Fixed({"a": 1}), [("v", "is a table of 1", "{ a = 1 }")]),
    (7, Rows(Words(), 1, 2), [("v", "is 7", "an array of 1 to 2, each a text")]),
    (
        [5, 1, "x"],
        Rows(Whole(1, 3), 2, 2),
        [
            ("v", "has 3 elements", "2"),
            ("v[no. 1]", "is 5", "a whole number from 1 to 3"),
            ("v[no. 3]", "is 'x'", "a whole number from 1 to 3"),
        ],
    ),
    (7, Sequence((Words(),)), [("v", "is 7", "an array of 1")]),
    (
        [7, 8],
        Sequence((Words(),)),
        [("v", "has 2 elements", "1"), ("v[no. 1]", "is 7", "a text")],
    ),
    ([], ROW, [("v", "is []", "a table with a")]),
    (
        {"b": 1, "note": 2},
        ROW,
        [
            ("v.a", "is missing", "a whole number from 1 to 3"),
            ("v.note", "is 2", "a text"),
            ("v.b", "is not known here", "only a, note"),
        ],
    ),
    (
        {"a": 2, "noet": "x"},
        ROW,
        [("v.noet", "is not known here", "perhaps note; known are a, note")],
    ),
    (
        {"a": 2, **dict.fromkeys((f"noet{number}" for number in range(21)), 1)},
        ROW,
        [
            (
                f"v.noet{number}",
                "is not known here",
                "perhaps note; known are a, note" if number < 20 else "only a, note",
            )
            for number in range(21)
        ],
    ),
    (1, TableOf(Words()), [("v", "is 1", "a table, each value a text")]),
    ({"p": 1}, TableOf(Words()), [("v.p", "is 1", "a text")]),
    ("add", BY_OP, [("v", "is 'add'", "a table with op")]),
    ({"n": 1}, BY_OP, [("v.op", "is missing", "one of add, stop")]),
    ({"op": "go"}, BY_OP, [("v.op", "is 'go'", "one of add, stop")]),
    ({"op": 7}, BY_OP, [("v.op", "is 7", "one of add, stop")]),
    ({"op": "add"}, BY_OP, [("v.n", "is missing", "a whole number from 1 to 9")]),
    (True, Either((Words(), Whole(1, 3))), [("v", "is true", "a text or a whole number from 1 to 3")]),
    (9, Either((Words(), Whole(1, 3))), [("v", "is 9", "a whole number from 1 to 3")]),
]


@pytest.mark.parametrize(("value", "shape", "expected"), DEPARTING)
def test_every_departure_is_named(value: object, shape: Shape, expected: list[tuple[str, str, str]]) -> None:
    assert departures(value, shape) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "true"),
        (-1, "-1"),
        ("x", '"x"'),
        ([1, [2]], "[1, [2]]"),
        ({"a": [False], "b": "c"}, '{ a = [false], b = "c" }'),
    ],
)
def test_a_value_is_written_as_toml_does(value: Plain, expected: str) -> None:
    assert written(value) == expected


def test_printed_figures_are_fixed_by_their_source() -> None:
    assert printed("5.2", max=19, min=0) == {"max": Fixed(19, "5.2"), "min": Fixed(0, "5.2")}
