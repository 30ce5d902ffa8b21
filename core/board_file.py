"""An owner's board file: its text, its defects and where in the text they are. Knows no game.

A board file is TOML. Whatever is wrong with it is said as values, all at once, never as an exception.
"""

import re
import tomllib

from core.errors import SetupInvalid
from core.toml_lines import LineMap, Path, locate, overlap
from events.codec import Struct

FILE_BYTES_MAX = 500_000
"""Ten times what a complete board needs."""

LINE_CHARACTERS_MAX = 2_000

LINE_DOTS_MAX = 64
"""The parser's time grows with the square of a dotted key's parts, so that a hostile line could hold it up for hours."""

_POSITION = re.compile(
    r"^(?P<message>.*?)\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.DOTALL
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")


class BoardDefect(Struct, frozen=True):
    """One thing wrong with a board file.

    `line` counts from 1; `where` names section, row and field; `problem` says what is wrong there and `expected` what would
    be right.
    """

    line: int
    where: str
    problem: str
    expected: str

    def sentence(self) -> str:
        """Say it in one line."""
        return f"line {self.line}: {self.where}: {self.problem}; expected {self.expected}"


class BoardInvalid(SetupInvalid):
    """A board file cannot be played on; `board_defects` has every defect with its line."""

    def __init__(self, board_defects: tuple[BoardDefect, ...]) -> None:
        """Keep all defects, at least one."""
        super().__init__(tuple(defect.sentence() for defect in board_defects))
        self.board_defects = board_defects


class BoardText(Struct, frozen=True):
    """A board file that is TOML: its plain data, and the line of each of them."""

    plain: dict[str, object]
    places: LineMap


class Findings:
    """The defects of one board file, gathered while it is checked."""

    __slots__ = ("_defects", "_places", "_plain", "paths")

    def __init__(self, text: BoardText) -> None:
        """Begin with none."""
        self._plain = text.plain
        self._places = text.places
        self._defects: list[BoardDefect] = []
        self.paths: list[Path] = []

    def add(self, path: Path, problem: str, expected: str) -> None:
        """Note that something is wrong at a path; the line is the path's, or its nearest parent's."""
        self.paths.append(path)
        self._defects.append(
            BoardDefect(
                line=self._places.line_of(path), where=describe(path, self._plain), problem=problem, expected=expected
            )
        )

    def has_any(self, path: Path) -> bool:
        """Say whether something is wrong at a path, below it, or with what it stands in."""
        return any(overlap(path, one) for one in self.paths)

    def defects(self) -> tuple[BoardDefect, ...]:
        """Return all defects in the order of their lines, each once."""
        return tuple(sorted(dict.fromkeys(self._defects), key=lambda defect: defect.line))


def read_board_text(data: bytes) -> BoardText | BoardDefect:
    """Parse a board file's bytes.

    Args:
        data: Anything; UTF-8 is expected, with or without a byte order mark.

    Returns:
        The parsed text, or the one defect that keeps it from being parsed.
    """
    if len(data) > FILE_BYTES_MAX:
        return BoardDefect(
            line=1, where="file", problem=f"has {len(data)} bytes", expected=f"{FILE_BYTES_MAX} bytes at most"
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return BoardDefect(
            line=line, where="file", problem=f"byte {error.start + 1} is no UTF-8", expected="a TOML text in UTF-8"
        )
    hostile = _hostile_line(text)
    if hostile is not None:
        return hostile
    try:
        plain: dict[str, object] = tomllib.loads(text)
    except RecursionError:
        return BoardDefect(line=1, where="file", problem="nests too deeply", expected="tables and arrays a few deep")
    except ValueError as error:
        return _syntax_defect(str(error), text)
    return BoardText(plain=plain, places=locate(text))


def describe(path: Path, plain: object) -> str:
    """Name a path for people: keys joined by dots, rows by their id or else by their place, counted from 1."""
    written = ""
    node = plain
    for step in path:
        if isinstance(step, str):
            key = step if _BARE_KEY.fullmatch(step) else shown(step)
            written += f".{key}" if written else key
            node = node.get(step) if isinstance(node, dict) else None
        else:
            node = node[step] if isinstance(node, list) and step < len(node) else None
            row_id = node.get("id") if isinstance(node, dict) else None
            written += f"[id {shown(row_id)}]" if isinstance(row_id, str | int) else f"[no. {step + 1}]"
    return written or "file"


def shown(value: object) -> str:
    """Write a value of the file for people: on one line, without control characters, cut after 60 characters."""
    if isinstance(value, bool):
        written = "true" if value else "false"
    elif isinstance(value, int) and value.bit_length() > 128:
        # Python refuses to write a very long number out.
        written = f"a number of {value.bit_length()} bits"
    elif isinstance(value, dict):
        written = f"a table of {len(value)}"
    elif isinstance(value, list) and any(isinstance(one, dict | list) for one in value):
        written = f"an array of {len(value)}"
    elif isinstance(value, list):
        written = f"[{', '.join(shown(one) for one in value)}]"
    else:
        written = repr(value) if isinstance(value, str) else str(value)
    return written if len(written) <= 60 else f"{written[:57]}..."


def same_name(one: str, other: str) -> bool:
    """Compare printed names, whatever the case, the spaces or the kind of apostrophe."""
    return plain_name(one) == plain_name(other)


def plain_name(name: str) -> str:
    """Return what a printed name has in common with all ways to write it."""
    return " ".join(name.replace("\u2019", "'").casefold().split())


def _hostile_line(text: str) -> BoardDefect | None:
    """Find a line that the parser should not be given."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_CHARACTERS_MAX:
            return BoardDefect(
                line=number,
                where="file",
                problem=f"the line has {len(line)} characters",
                expected=f"{LINE_CHARACTERS_MAX} at most",
            )
        if line.count(".") > LINE_DOTS_MAX:
            return BoardDefect(
                line=number,
                where="file",
                problem=f"the line has {line.count('.')} dots",
                expected=f"{LINE_DOTS_MAX} at most",
            )
    return None


def _syntax_defect(message: str, text: str) -> BoardDefect:
    """Turn the parser's message, which ends with the place, into a defect."""
    match = _POSITION.match(message)
    if match is None:
        return BoardDefect(line=1, where="file", problem=f"is no TOML: {message}", expected="a TOML text")
    at_end = match["line"] is None
    line = text.rstrip("\n").count("\n") + 1 if at_end else int(match["line"])
    where = "end of file" if at_end else f"column {match['column']}"
    return BoardDefect(line=line, where=where, problem=f"is no TOML: {match['message']}", expected="a TOML text")
