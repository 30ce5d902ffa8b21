"""Parses TOML from outside: boards and positions, of a user or of an imported match. No other module parses it.

The parser of the standard library takes time quadratic in the parts of a key, nests as deep as the call stack allows, and
reads its input to the end. So a text is scanned once before it is parsed, and refused if it exceeds
several times the needs of the largest file of any game. Defects are returned as values, never raised.

The scan skips strings and comments and counts the rest. It agrees with the parser up to the first error: a quote opens
a string unless the parser stops at it. So it never counts less than the parser reads.
"""

import re
import tomllib

from core.toml.toml_lines import STRING, LineMap, Path
from events.codec import Struct

BYTES_MAX = 262_144
LINE_CHARACTERS_MAX = 2_000
"""This bounds numbers too: a number is on one line, and parsing one takes time quadratic in its digits."""

KEYS_MAX = 8_200
COMMAS_MAX = 8_600
ARRAYS_MAX = 4_000
"""Including all headers of tables."""

INLINE_TABLES_MAX = 4_000

DOTS_MAX = 2_000
DEPTH_MAX = 20
KEY_DOTS_MAX = 10
NUMBER_MAX = 1_000_000_000

_MARK = re.compile(
    rf"""(?:[^\[\]{{}}=,."'#]++|\#[^\n]*+|{STRING})*+([\[\]{{}}=,."']|\Z)""",
    re.DOTALL,
)
"""The next structural character after strings and comments; a quote if it opens an unterminated string."""

_MOST = {
    "=": (KEYS_MAX, "keys"),
    ",": (COMMAS_MAX, "commas"),
    "[": (ARRAYS_MAX, "headers and arrays"),
    "{": (INLINE_TABLES_MAX, "inline tables"),
    ".": (DOTS_MAX, "dots in keys and numbers"),
}
_OPENING = ("[", "{")
_CLOSING = ("]", "}")

_ERROR = re.compile(
    r"^(?P<message>.*?)\s*\(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$", re.DOTALL
)
_QUOTED_MAX = 200


class TextDefect(Struct, frozen=True):
    """One thing wrong with a file.

    `line` and `column` count from 1; a column of 0 means the whole line. `where` names section, row and field, `problem` is the
    defect and `expected` what would be right.
    """

    line: int
    where: str
    problem: str
    expected: str
    column: int = 0

    def sentence(self) -> str:
        """Return the defect as one line."""
        place = f"line {self.line}, column {self.column}" if self.column else f"line {self.line}"
        return f"{place}: {self.where}: {self.problem}; expected {self.expected}"


class OutsideText(Struct, frozen=True):
    """A valid TOML text: its plain data, and the place of each value."""

    plain: dict[str, object]
    places: LineMap


def read_outside(source: bytes | str) -> OutsideText | TextDefect:
    """Parse TOML that comes from outside.

    Args:
        source: Any bytes or text; UTF-8 is expected, with or without a byte order mark.

    Returns:
        The parsed text, or the defect that prevents parsing.
    """
    data = outside_bytes(source)
    if len(data) > BYTES_MAX:
        return _defect(f"has {len(data)} bytes", f"at most {BYTES_MAX} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return _defect(f"byte {error.start + 1} is invalid UTF-8", "a TOML text in UTF-8", line)
    return _long_line(text) or _excess(text) or _parsed(text)


def outside_bytes(source: bytes | str) -> bytes:
    """Return the bytes of a text. Characters that UTF-8 cannot encode are passed through, and then reported as a defect."""
    return source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source


def _defect(problem: str, expected: str, line: int = 1, where: str = "file", column: int = 0) -> TextDefect:
    return TextDefect(line=line, where=where, problem=problem, expected=expected, column=column)


def _long_line(text: str) -> TextDefect | None:
    """Find the first line that is too long."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_CHARACTERS_MAX:
            return _defect(f"the line has {len(line)} characters", f"at most {LINE_CHARACTERS_MAX}", number)
    return None


def _excess(text: str) -> TextDefect | None:
    """Find the first place where a text exceeds a limit, or nests too deeply."""
    counts = dict.fromkeys(_MOST, 0)
    depth = key_dots = 0
    for match in _MARK.finditer(text):
        mark = match[1]
        if mark in _MOST:
            counts[mark] += 1
            most, what = _MOST[mark]
            if counts[mark] > most:
                return _too_many(most, what, text, match.end())
        elif mark not in _CLOSING:
            # The end, or an unterminated string, which the parser reports.
            break
        key_dots = key_dots + 1 if mark == "." else 0
        depth = depth + 1 if mark in _OPENING else max(0, depth - 1) if mark in _CLOSING else depth
        if key_dots > KEY_DOTS_MAX:
            return _too_many(KEY_DOTS_MAX, "dots in one key", text, match.end())
        if depth > DEPTH_MAX:
            return _too_many(DEPTH_MAX, "levels of brackets", text, match.end())
    return None


def _too_many(most: int, what: str, text: str, end: int) -> TextDefect:
    return _defect(f"there are more than {most} {what}", f"at most {most}", text.count("\n", 0, end) + 1)


def _parsed(text: str) -> OutsideText | TextDefect:
    try:
        plain: dict[str, object] = tomllib.loads(text)
    except RecursionError:
        return _defect("nests too deeply", "tables and arrays a few deep")
    except ValueError as error:
        return _syntax_defect(str(error), text)
    places = LineMap(text)
    huge = _huge_number(plain)
    if huge is not None:
        return _defect("a number is too large", f"-{NUMBER_MAX} to {NUMBER_MAX}", places.line_of(huge))
    return OutsideText(plain=plain, places=places)


def _syntax_defect(message: str, text: str) -> TextDefect:
    """Convert the parser's message, which ends with the place, to a defect."""
    match = _ERROR.match(message)
    told = message if match is None else match["message"]
    told = told if len(told) <= _QUOTED_MAX else f"{told[:_QUOTED_MAX]}..."
    problem = f"not valid TOML: {told}"
    if match is None:
        return _defect(problem, "a TOML text")
    if match["line"] is None:
        return _defect(problem, "a TOML text", text.rstrip("\n").count("\n") + 1, "end of file")
    return _defect(problem, "a TOML text", int(match["line"]), column=int(match["column"]))


def _huge_number(plain: dict[str, object]) -> Path | None:
    """Return the place of a whole number too large for any event, or None."""
    # The walk keeps its own stack, so that depth cannot exhaust the call stack.
    waiting: list[tuple[Path, object]] = [((), plain)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, int):
            if abs(value) > NUMBER_MAX:
                return path
        elif isinstance(value, dict):
            waiting += [((*path, key), one) for key, one in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, index), one) for index, one in enumerate(value)]
    return None
