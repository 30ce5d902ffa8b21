"""TOML from outside is parsed with bounded work, or its one defect is named; and no other code parses it."""

import ast
import itertools
import sys
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.toml import outside_toml
from core.toml.outside_toml import (
    ARRAYS_MAX,
    BYTES_MAX,
    COMMAS_MAX,
    DEPTH_MAX,
    DOTS_MAX,
    INLINE_TABLES_MAX,
    KEY_DOTS_MAX,
    KEYS_MAX,
    LINE_CHARACTERS_MAX,
    NUMBER_MAX,
    OutsideText,
    TextDefect,
    read_outside,
)
from tests.project.tree import ROOT, product_files
from tests.support.rows import each_row

SHIPPED = sorted((ROOT / "core" / "games").glob("*/data/board.toml"))
POSITIONS = sorted((ROOT / "fixtures" / "positions").glob("*/*.toml"))


def test_a_text_is_parsed_with_the_lines_of_its_keys() -> None:
    text = read_outside("a = 1\n[b]\nc = 2\n")

    assert isinstance(text, OutsideText)
    assert text.plain == {"a": 1, "b": {"c": 2}}
    assert text.places.line_of(("b", "c")) == 3


@each_row("source", ["\ufeffa = 1\n", b"\xef\xbb\xbfa = 1\n", "a = 1\r\n", "a = 1"])
def test_a_byte_order_mark_and_line_ends_of_other_systems_are_no_defects(source: str | bytes) -> None:
    text = read_outside(source)

    assert isinstance(text, OutsideText)
    assert text.plain == {"a": 1}


UNREADABLE: dict[str, tuple[bytes, int, str, str]] = {
    "invalid UTF-8": (b"a = 1\nb = '\xff'\n", 2, "file", "byte 12 is invalid UTF-8"),
    "a picture": (b"\x89PNG\r\n\x1a\n", 1, "file", "byte 1 is invalid UTF-8"),
    "a lone surrogate": ("a = '\ud800'".encode("utf-8", "surrogatepass"), 1, "file", "byte 6 is invalid UTF-8"),
    "a NUL byte": (b"a = 1\nb = '\x00'\n", 2, "column 6", "not valid TOML: Found invalid character '\\x00'"),
    "no value": (b"a = 1\n\nb =\n", 3, "column 4", "not valid TOML: Invalid value"),
    "an open text": (b'a = 1\nb = "x\nc = 1\n', 2, "column 7", "not valid TOML: Illegal character '\\n'"),
    "an open array": (b"a = 1\nb = [ 1\n\n", 2, "end of file", "not valid TOML: Unclosed array"),
    "a key twice": (b"a = 1\nb = 2\na = 3\n", 3, "column 6", "not valid TOML: Cannot overwrite a value"),
    "a table twice": (b"[a]\nb = 1\n[a]\n", 3, "column 3", "not valid TOML: Cannot declare ('a',) twice"),
    "a huge file": (b"#" * (BYTES_MAX + 1), 1, "file", "has 262145 bytes"),
    "a long line": (b"\na = '" + b"x" * LINE_CHARACTERS_MAX + b"'", 2, "file", "the line has 2006 characters"),
    "nesting": (b"\na = " + b"[" * 21, 2, "file", "there are more than 20 levels of brackets"),
    "nesting over lines": (b"a = " + b"[\n" * 3000, 21, "file", "there are more than 20 levels of brackets"),
    "nested tables": (b"\na = " + b"{a=" * 21, 2, "file", "there are more than 20 levels of brackets"),
    "a hostile key": (b"a = 1\n" + b"a." * 900 + b"b = 1", 2, "file", "there are more than 10 dots in one key"),
    "a quoted key": (b"a = 1\n" + b'"\\u0061". ' * 11 + b"b = 1", 2, "file", "there are more than 10 dots in one key"),
    "a hostile header": (b"[" + b"a." * 11 + b"b]", 1, "file", "there are more than 10 dots in one key"),
    "many keys": (b"".join(b"k%d=1\n" % n for n in range(KEYS_MAX + 1)), KEYS_MAX + 1, "file", "there are more than 8200 keys"),
    "many headers": (b"[[a]]\n" * 2_001, 2_001, "file", "there are more than 4000 headers and arrays"),
    "many inline tables": (b"a=[" + b"{},\n" * 4_001, 4_001, "file", "there are more than 4000 inline tables"),
    "many elements": (b"a=[" + b"1,\n" * 8_601, 8_601, "file", "there are more than 8600 commas"),
    "many dots": (b"a=[" + b"1.5,\n" * 2_001, 2_001, "file", "there are more than 2000 dots in keys and numbers"),
    "a huge number": (b"\na = [ 1, { b = 9999999999 } ]", 2, "file", "a number is too large"),
    "a number of 1900 digits": (b"a = -" + b"9" * 1_900, 1, "file", "a number is too large"),
    "a huge number in bits": (b"a = 0x" + b"f" * 1_900, 1, "file", "a number is too large"),
}  # fmt: skip


@each_row("name", UNREADABLE)
def test_unreadable_bytes_are_one_defect_with_its_line(name: str) -> None:
    data, line, where, problem = UNREADABLE[name]
    defect = read_outside(data)

    assert isinstance(defect, TextDefect)
    place = f"column {defect.column}" if defect.column else defect.where
    assert (defect.line, place, defect.problem) == (line, where, problem)
    assert defect.expected
    assert len(defect.sentence()) < 500


HIDING = {
    "a long text": 'x = """\n{0}\n"""\n',
    "a long literal": "x = '''\n{0}\n'''\n",
    "a comment": "# {0}\n",
    "a long text with quotes": 'x = """ "" \\"""\\" {0} """""\ny = 1\n',
    "a text": 'x = "{0}"\n',
    "a literal": "x = '{0}\\'\n",
}


@each_row("name", HIDING)
def test_content_of_strings_and_comments_is_not_counted(name: str) -> None:
    text = HIDING[name].format(f"{'[' * 300} {'a.' * 300} {'{' * 300}")

    assert isinstance(read_outside(text), OutsideText)


@each_row("name", HIDING)
def test_strings_and_comments_do_not_hide_the_text_after_them(name: str) -> None:
    text = HIDING[name].format("[") + f"z = {'[' * 21}"
    defect = read_outside(text)

    assert isinstance(defect, TextDefect)
    assert (defect.line, defect.problem) == (text.count("\n") + 1, "there are more than 20 levels of brackets")


@given(st.binary(max_size=200))
def test_any_bytes_are_parsed_or_their_defect_is_named(data: bytes) -> None:
    result = read_outside(data)

    assert isinstance(result, OutsideText) or (result.line >= 1 and result.problem and result.expected)


PARTS = (
    "K=1\n", "K.K.K=1\n", "[K]\n", "[[K]]\n", "[K.K]\n", "K=[", "]", "]\n", ",", "1", "{K=1}", "{K={K=1}}", "\n", "#\"\"\"\n", "#'\n",
    'K="""', '"""\n', '""""\n', "K='''", "'''\n", 'K="\\""\n', "K='\\'\n", '"K"=1\n', "'K'.K=1\n", '"', "'", "\\", "K=''\n", 'K=""\n', ".", "=",
)  # fmt: skip
"""Each K becomes a key of its own."""


def made(parts: list[str]) -> str:
    """Join parts of a text so that all keys differ."""
    numbers = itertools.count()
    return "".join(f"k{next(numbers)}" if char == "K" else char for char in "".join(parts))


def values_of(node: object, depth: int = 0) -> Iterator[tuple[object, int]]:
    """Yield every value of parsed data with its depth."""
    yield node, depth
    inner = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    for one in inner:
        yield from values_of(one, depth + 1)


@given(st.lists(st.sampled_from(PARTS), max_size=25))
def test_the_parser_never_finds_more_than_was_counted(parts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(outside_toml, "_MOST", {mark: (3, what) for mark, (_, what) in outside_toml._MOST.items()})
        patch.setattr(outside_toml, "DEPTH_MAX", 2)
        patch.setattr(outside_toml, "KEY_DOTS_MAX", 2)
        text = read_outside(made(parts))
    found = list(values_of(text.plain)) if isinstance(text, OutsideText) else []

    assert sum(not isinstance(value, dict | list) for value, _ in found) <= 3 + 3
    assert sum(isinstance(value, list) for value, _ in found) <= 3
    assert max((depth for _, depth in found), default=0) <= 3 * (2 + 2) + 2


@each_row("path", [*SHIPPED, *POSITIONS])
def test_files_four_times_as_large_as_ours_are_accepted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            outside_toml, "_MOST", {mark: (most // 4, what) for mark, (most, what) in outside_toml._MOST.items()}
        )
        for name in ("BYTES_MAX", "LINE_CHARACTERS_MAX", "DEPTH_MAX", "KEY_DOTS_MAX"):
            patch.setattr(outside_toml, name, getattr(outside_toml, name) // 4)

        assert isinstance(read_outside(text), OutsideText)


def steps_of(text: str) -> int:
    """Count the calls of Python and C functions made to parse a text and find the line of a defect."""
    count = 0

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        read = read_outside(text)
        if isinstance(read, OutsideText):
            read.places.line_of(("nowhere",))
    finally:
        sys.setprofile(None)
    assert isinstance(read, OutsideText), read.sentence()
    return count


DEEP = ".".join("abcdefghijk")
ESCAPES = "\\n" * 950
WORST = {
    "keys under a deep header": f"[{DEEP}]\n" + "".join(f"k{n}=1\n" for n in range(KEYS_MAX)),
    "quoted keys": "".join(f'"\\u0041{n}"=1\n' for n in range(KEYS_MAX)),
    "keys with long texts": "".join(f"k{n}='{'x' * 12}'\n" for n in range(KEYS_MAX)),
    "deep keys under a deep header": f"[{DEEP}]\n"
    + "".join(f"a.b.c.d.e.f.g.h.i.j.k{n}=1\n" for n in range(DOTS_MAX // 10 - 1)),
    "deep headers": "".join(f"[a.b.c.d.e.f.g.h.i.j.k{n}]\n" for n in range(DOTS_MAX // 10)),
    "headers below an array": "[[a]]\n" + "".join(f"[a.k{n}]\n" for n in range(DOTS_MAX)),
    "tables of an array": "[[a]]\n" * (ARRAYS_MAX // 2),
    "tables of an array below a deep one": f"[[{DEEP}]]\n" * (DOTS_MAX // 10),
    "inline tables": "a=[" + "{b=1,c=2},\n" * INLINE_TABLES_MAX + "]",
    "deep inline tables": "".join(f"k{n}={'{a=' * DEPTH_MAX}1{'}' * DEPTH_MAX}\n" for n in range(INLINE_TABLES_MAX // DEPTH_MAX)),
    "dotted inline tables": "a=[" + f"{{{DEEP}=1}},\n" * (DOTS_MAX // 10) + "]",
    "a huge array": "a=[" + ("1," * 900 + "\n") * (COMMAS_MAX // 900) + "]",
    "deep arrays": "a=[" + ("[" * 15 + "]" * 15 + ",\n") * (ARRAYS_MAX // 15 - 1) + "]",
    "escapes": "".join(f'k{n}="{ESCAPES}"\n' for n in range(BYTES_MAX // 1_920)),
    "a long text of quotes": 'a="""' + ('x"" ' * 490 + "\n") * (BYTES_MAX // 1_970) + '"""',
    "numbers": "a=[" + ("9," * 900 + "\n") * (COMMAS_MAX // 900) + "]",
    "dates": "a=[" + "1942-09-13T06:45:00.123456,\n" * (DOTS_MAX - 1) + "]",
    "empty lines": "\n" * BYTES_MAX,
    "empty lines of another system": "\r\n" * (BYTES_MAX // 2),
    "comments": "#\n" * (BYTES_MAX // 2),
    "spaces": (" " * 1_999 + "\n") * (BYTES_MAX // 2_000),
}  # fmt: skip
"""Shapes that use a limit up, each accepted."""


def test_the_largest_accepted_texts_take_a_few_times_the_work_of_a_shipped_board(budget: float) -> None:
    reference = max(steps_of(path.read_text(encoding="utf-8")) for path in SHIPPED)
    allowed = 7 * reference
    # One in four of these texts is tried at budget 1: each takes as long as several boards.
    tried = list(WORST.items())[:: 1 if budget > 1 else 4]
    astray = {name: steps / reference for name, text in tried if (steps := steps_of(text)) > allowed}

    assert astray == {}


def test_half_a_text_takes_half_the_work() -> None:
    whole, half = (
        f"[{DEEP}]\n" + "".join(f"a.b.c.d.e.f.g.h.i.j.k{n}=1\n" for n in range(count)) for count in (180, 90)
    )

    assert steps_of(whole) < 2.2 * steps_of(half)


def test_no_other_code_parses_toml_from_outside() -> None:
    users = {
        source.path
        for source in product_files()
        if "tomllib" in source.text
        for node in ast.walk(source.tree())
        if (isinstance(node, ast.Import) and any(name.name == "tomllib" for name in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "tomllib")
    }
    # The other modules read files that are packaged with the product.
    packaged = {
        "core/game_files/rulebook.py",
        "core/game_files/printed_names.py",
        "core/refusal.py",
        "core/components/component_file.py",
        "core/drawing/board_plans.py",
    }

    assert users == {"core/toml/outside_toml.py", *packaged}


def test_component_files_are_parsed_without_bounds_only_if_they_are_packaged() -> None:
    tree = ast.parse(files("core.components").joinpath("component_file.py").read_text(encoding="utf-8"))
    callers = {
        function.name
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "tomllib"
    }

    assert callers == {"shipped_plain"}


def test_the_bounds_of_numbers_are_those_that_events_can_hold() -> None:
    assert NUMBER_MAX < 2**63
    assert KEY_DOTS_MAX < DEPTH_MAX
