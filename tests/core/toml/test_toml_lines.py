"""Every path of a TOML text is found on its own line, in its own column."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files

from hypothesis import given
from hypothesis import strategies as st

from core.toml.toml_lines import LineMap, Path, overlap
from tests.support.rows import each_row


def paths_of(node: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Yield every path of parsed data with its value."""
    if path:
        yield path, node
    if isinstance(node, dict):
        for key, value in node.items():
            yield from paths_of(value, (*path, key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            yield from paths_of(value, (*path, index))


CASES = {
    "a key": ("\n\nname = 1\n", ("name",), 3),
    "a table": ("a = 1\n[section]\nb = 2\n", ("section",), 2),
    "a key of a table": ("[section]\n\nb = 2\n", ("section", "b"), 3),
    "a dotted header": ("[one.two]\nb = 2\n", ("one", "two", "b"), 2),
    "a spaced header": ("[ one . two ]\nb = 2\n", ("one", "two", "b"), 2),
    "a dotted key": ("one.two = 1\none.three = 2\n", ("one", "three"), 2),
    "a quoted key": ("\n'a b'.\"c d\" = 1\n", ("a b", "c d"), 2),
    "an escaped key": ('x = 1\n"\\u0041\\"" = 1\n', ('A"',), 2),
    "a key that looks like a comment": ('"#" = 1\nb = 2\n', ("b",), 2),
    "a row of an array": ("rows = [\n  1,\n\n  2,\n]\n", ("rows", 1), 4),
    "a row after a comment": ("rows = [ # one, ]\n  1, # two }\n  2,\n]\n", ("rows", 1), 3),
    "a field of a row": ("rows = [\n { a = 1 },\n { a = 2 },\n]\n", ("rows", 1, "a"), 3),
    "a key after an array": ("rows = [\n 1,\n 2 ]\nnext = 1\n", ("next",), 4),
    "an array within an array": ("rows = [ [1,\n 2], [3,\n 4] ]\n", ("rows", 1, 1), 3),
    "an element after an empty array": ("rows = [ [],\n {},\n 4 ]\n", ("rows", 2), 3),
    "an array of tables": ("[[row]]\na = 1\n\n[[row]]\na = 2\n", ("row", 1, "a"), 5),
    "the second table of an array": ("[[row]]\na = 1\n\n[[row]]\na = 2\n", ("row", 1), 4),
    "a table below an array of tables": ("[[row]]\n[row.b]\nc = 1\n[[row]]\n[row.b]\nc = 2\n", ("row", 1, "b", "c"), 6),
    "an array below an array": ("[[a]]\n[[a.b]]\n[[a.b]]\nc = 1\n", ("a", 0, "b", 1, "c"), 4),
    "after a long text": ('a = """\n"one"\n\\"""\n"""\nb = 1\n', ("b",), 5),
    "after a long text that ends with quotes": ('a = """x"""""\nb = 1\n', ("b",), 2),
    "after a long literal": ("a = '''\n\\\n'''\nb = 1\n", ("b",), 4),
    "after a text with brackets": ('a = "[ { # \\" ]"\nb = 1\n', ("b",), 2),
    "after a literal with a backslash": ("a = 'C:\\'\nb = 1\n", ("b",), 2),
    "after a date": ("a = 1942-09-13 06:45:00\nb = 1\n", ("b",), 2),
    "after line feeds of another system": ("a = [\r\n 1,\r\n 2]\r\nb = 1\r\n", ("b",), 4),
    "at the end without a line feed": ("a = 1\nb = 2", ("b",), 2),
}


@each_row("name", CASES)
def test_a_path_is_found_on_its_line(name: str) -> None:
    text, path, line = CASES[name]
    lines = LineMap(text)

    assert (lines.knows(path), lines.line_of(path)) == (True, line)


@each_row(
    ("path", "place"),
    [
        (("section",), (3, 1)),
        (("section", "rows", 0), (4, 9)),
        (("section", "rows", 1, "b"), (5, 4)),
        (("section", "rows", 1, "b", "c"), (5, 10)),
        (("one", "two"), (1, 2)),
        (("nowhere",), (1, 1)),
    ],
)
def test_a_path_is_found_in_its_column(path: Path, place: tuple[int, int]) -> None:
    lines = LineMap(" one.two = 1\n\n[section]\nrows = [{ a = 1 },\n { b = { c = 2 } }]\n")

    assert lines.place_of(path) == place


def test_an_unknown_path_has_the_line_of_its_nearest_parent() -> None:
    lines = LineMap("a = 1\n\n[section]\nb = 2\n")

    assert [lines.line_of(path) for path in (("section", "c", 4), ("section", "b", "x"), ("nowhere",), ())] == [
        3,
        4,
        1,
        1,
    ]


@each_row("name", ["board.toml", "rules.toml"])
def test_every_path_of_a_packaged_file_is_found_at_its_key(name: str) -> None:
    text = files("core.games.advance").joinpath("data", name).read_text(encoding="utf-8")
    lines, written = LineMap(text), text.split("\n")
    astray = [
        path
        for path, value in paths_of(tomllib.loads(text))
        if not lines.knows(path)
        or (isinstance(path[-1], str) and path[-1] not in written[lines.line_of(path) - 1])
        or (type(value) is int and str(value) not in written[lines.line_of(path) - 1])
    ]

    assert astray == []


KEYS = st.one_of(st.from_regex(r"[A-Za-z0-9_-]{1,6}", fullmatch=True), st.text(max_size=4))
SCALARS = st.one_of(
    st.integers(-99, 99).map(str),
    st.sampled_from(
        ["true", "1.5", "1942-09-13", "'#]}'", '"a\\"b"', '"""\n\\n"" \\\n  x"""', "'''\n''x'''", "[]", "{}"]
    ),
)
GAPS = st.sampled_from(["", " ", "\n", " # ] } ,\n", "\r\n\t"])


def _quoted(key: str) -> str:
    escaped = "".join(f"\\U{ord(char):08X}" if not char.isalnum() else char for char in key)
    return f'"{escaped}"'


@st.composite
def values(draw: st.DrawFn, depth: int = 3) -> str:
    """Write a TOML value, possibly nested, with optional white space."""
    kind = draw(st.sampled_from(["scalar", "array", "table"])) if depth else "scalar"
    if kind == "scalar":
        return draw(SCALARS)
    inner = draw(st.lists(values(depth=depth - 1), max_size=3))
    if kind == "array":
        gap = [draw(GAPS) for _ in range(2)]
        return f"[{gap[0]}{f'{gap[1]},{gap[0]}'.join(inner)}{gap[1]}]"
    keys = draw(st.lists(KEYS, min_size=len(inner), max_size=len(inner), unique=True))
    return "{ " + ", ".join(f"{_quoted(key)} = {value}" for key, value in zip(keys, inner, strict=True)) + " }"


@st.composite
def documents(draw: st.DrawFn) -> str:
    """Write a TOML document of keys, tables and arrays of tables."""
    parts: list[str] = []
    for number in range(draw(st.integers(0, 4))):
        header = draw(st.sampled_from(["", f"[t{number}.x]", "[[rows]]", "[[rows]]\n[rows.sub]"])) if number else ""
        keys = draw(st.lists(KEYS, max_size=3, unique=True))
        pairs = [f"{_quoted(key)} = {draw(values())}" for key in keys]
        parts.append("\n".join([header, *pairs]))
    return draw(GAPS).strip(" ").join(["\n", *parts, "\n"])


@given(documents())
def test_every_path_of_any_document_is_found(text: str) -> None:
    try:
        plain = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        plain = {}
    lines = LineMap(text)
    starts = [lines.line_of(path) for path, _ in paths_of(plain)]

    assert [path for path, _ in paths_of(plain) if not lines.knows(path)] == []
    assert all(1 <= line <= text.count("\n") + 1 for line in starts)


@given(st.text(alphabet="ab.=[]{}\"'#,\\\n 1", max_size=60))
def test_invalid_toml_is_scanned_without_error(text: str) -> None:
    assert LineMap(text).line_of(("a",)) <= text.count("\n") + 1


@each_row(
    ("one", "other", "expected"),
    [
        (("a",), ("a", 1), True),
        (("a", 1), ("a",), True),
        (("a", 1), ("a", 2), False),
        (("a",), ("b",), False),
        ((), ("b",), True),
    ],
)
def test_paths_overlap_if_one_is_a_prefix_of_the_other(one: Path, other: Path, expected: bool) -> None:
    assert overlap(one, other) is expected
