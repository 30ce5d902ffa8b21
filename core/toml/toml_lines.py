"""Finds the place of each key and array element of a TOML text, so that a defect can name its line and column.

The standard library's parser gives values without places. This scanner walks a text that the parser has accepted and
notes where every path begins. It reads no values and reports no defects; if it fails, the places found so far remain and everything
else has its parent's place.
"""

import re
from bisect import bisect_right
from contextlib import suppress
from itertools import accumulate, count
from operator import add

Path = tuple[str | int, ...]
"""The way to a value: table keys and 0-based array indexes."""

STRING = (
    r"(?:\"{3}(?:[^\"\\]++|\\.|\"{1,2}+(?!\"))*+\"{3,5}|'{3}(?:[^']++|'{1,2}+(?!'))*+'{3,5}"
    r"|\"(?:[^\"\\\n]++|\\[^\n])*+\"|'[^'\n]*+')"
)
"""Matches a whole string of any of the four kinds, given `re.DOTALL`; a long one may end with up to two quotes of its own."""

_STRING = re.compile(STRING, re.DOTALL)
_BLANK = re.compile(r"[ \t\r]*+")
_BLANK_LINES = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_BARE_KEY = re.compile(r"[\w-]*+")
_BARE_VALUE = re.compile(r"[^,\]}#\n]*+")
_ESCAPED = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_CONTROLS = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r"}


def overlap(one: Path, other: Path) -> bool:
    """Return whether one path leads to or through the other."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


class LineMap:
    """The place of every path of one text. It is looked for when first asked for: a sound text needs none.

    Args:
        text: A TOML text that the parser has accepted.
    """

    __slots__ = ("_lines", "_offsets", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._offsets: dict[Path, int] | None = None
        self._lines: list[int] = []

    @property
    def _found(self) -> dict[Path, int]:
        if self._offsets is None:
            scanner = _Scanner(self._text)
            # A text that ends inside a value, or has an impossible key, is not valid TOML; the places found so far remain.
            with suppress(IndexError, ValueError):
                scanner.scan()
            self._offsets = scanner.offsets
            lengths = map(len, self._text.split("\n"))
            self._lines = list(map(add, accumulate(lengths, initial=0), count()))
        return self._offsets

    def place_of(self, path: Path) -> tuple[int, int]:
        """Return the line and column, both from 1, of a path or of its nearest known parent; (1, 1) if nothing is known."""
        for length in range(len(path), 0, -1):
            offset = self._found.get(path[:length])
            if offset is not None:
                line = bisect_right(self._lines, offset)
                return line, offset - self._lines[line - 1] + 1
        return 1, 1

    def line_of(self, path: Path) -> int:
        """Return the line of a path, or of its nearest known parent; 1 if nothing of it is known."""
        return self.place_of(path)[0]

    def knows(self, path: Path) -> bool:
        """Return whether the path itself was found."""
        return path in self._found


class _Scanner:
    """One pass over a text; nesting is kept on a list, so that depth cannot exhaust the call stack."""

    __slots__ = ("arrays", "base", "offsets", "pos", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.pos = 0
        self.offsets: dict[Path, int] = {}
        # Arrays of tables that have been begun, with the index of their latest table.
        self.arrays: dict[Path, int] = {}
        self.base: Path = ()

    def scan(self) -> None:
        """Walk the whole text."""
        self._skip_blank_lines()
        while self.pos < len(self.text):
            if self.text[self.pos] == "[":
                self._header()
            else:
                self._pair(self.base)
            self._skip_blank_lines()

    def _header(self) -> None:
        """Read `[table]` or `[[array]]` and make it the base of the keys that follow."""
        start = self.pos
        is_array = self.text.startswith("[[", start)
        width = 2 if is_array else 1
        self.pos += width
        names = self._key()
        path: Path = ()
        for depth, name in enumerate(names):
            path = (*path, name)
            if is_array and depth == len(names) - 1:
                self.arrays[path] = self.arrays.get(path, -1) + 1
                self.offsets.setdefault(path, start)
            if path in self.arrays:
                path = (*path, self.arrays[path])
            self.offsets.setdefault(path, start)
        self.pos += width
        self.base = path

    def _pair(self, base: Path) -> None:
        """Read `key = value` with everything nested in the value."""
        # Each open container: its path, and the index of its current element or -1 for an inline table.
        containers: list[tuple[Path, int]] = []
        path: Path | None = self._named(base)
        while path is not None:
            opener = self.text[self.pos]
            if opener in "[{":
                self.pos += 1
                containers.append((path, 0 if opener == "[" else -1))
                path = self._first_inside(containers)
            else:
                self._skip_scalar(opener)
                path = self._next_inside(containers)

    def _named(self, base: Path) -> Path:
        """Read a key up to its value, note its place and return its path."""
        start, path = self.pos, base
        for name in self._key():
            path = (*path, name)
            self.offsets.setdefault(path, start)
        self._skip_blank()
        self.pos += 1
        self._skip_blank()
        return path

    def _first_inside(self, containers: list[tuple[Path, int]]) -> Path | None:
        """Go to the first value of the container just opened, or past it if it is empty."""
        self._skip_blank_lines()
        if self.text[self.pos] in "]}":
            return self._next_inside(containers)
        return self._value_path(containers)

    def _next_inside(self, containers: list[tuple[Path, int]]) -> Path | None:
        """Go on after a value: to the next one of its container, or out of as many as end here; None when all have."""
        while containers:
            self._skip_blank_lines()
            if self.text[self.pos] == ",":
                self.pos += 1
                self._skip_blank_lines()
                path, index = containers[-1]
                containers[-1] = (path, index + 1 if index >= 0 else -1)
                if self.text[self.pos] not in "]}":
                    return self._value_path(containers)
            self.pos += 1
            containers.pop()
        return None

    def _value_path(self, containers: list[tuple[Path, int]]) -> Path:
        """Note and return the path of the value at hand in the innermost container."""
        container, index = containers[-1]
        if index < 0:
            return self._named(container)
        path = (*container, index)
        self.offsets.setdefault(path, self.pos)
        return path

    def _key(self) -> list[str]:
        """Read a dotted key; the position is left behind its last part."""
        names: list[str] = []
        while True:
            self._skip_blank()
            names.append(self._key_part())
            self._skip_blank()
            if self.text[self.pos] != ".":
                return names
            self.pos += 1

    def _key_part(self) -> str:
        """Read one bare or quoted part of a key."""
        start = self.pos
        if self.text[start] in "\"'":
            self._skip(_STRING)
            return _unquoted(self.text[start : self.pos])
        self._skip(_BARE_KEY)
        return self.text[start : self.pos]

    def _skip_scalar(self, opener: str) -> None:
        """Skip a string, number, boolean or date."""
        self._skip(_STRING if opener in "\"'" else _BARE_VALUE)

    def _skip_blank(self) -> None:
        """Skip spaces within a line."""
        self._skip(_BLANK)

    def _skip_blank_lines(self) -> None:
        """Skip spaces, line ends and comments."""
        self._skip(_BLANK_LINES)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        """Skip what a pattern matches here."""
        match = pattern.match(self.text, self.pos)
        if match is None:
            raise ValueError("not valid TOML")
        self.pos = match.end()


def _unquoted(quoted: str) -> str:
    """Return the value of a quoted part of a key.

    Raises:
        ValueError: An escape is not a character.
    """
    return quoted[1:-1] if quoted[0] == "'" else _ESCAPED.sub(_unescaped, quoted[1:-1])


def _unescaped(match: re.Match[str]) -> str:
    short, long, char = match.groups()
    return _CONTROLS.get(char, char) if char else chr(int(short or long, 16))
