"""The defects of a component file, with their places in its text. Knows no game.

A component file is TOML (`core.toml.outside_toml`). Its defects are values, all gathered before any is reported, never exceptions.
"""

import re
from collections.abc import Iterable
from difflib import get_close_matches

from core.errors import DEFECTS_MAX, SetupInvalid
from core.suggestions import COMPARED_MAX, NAME_CHARACTERS_MAX
from core.toml.outside_toml import OutsideText, TextDefect
from core.toml.toml_lines import Path

OFFERS_MAX = 30
"""The most names listed as expected in a place."""

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")


class BoardInvalid(SetupInvalid):
    """A component file cannot be played with; `board_defects` has every defect with its place.

    Args:
        board_defects: All defects, at least one.
    """

    def __init__(self, board_defects: tuple[TextDefect, ...]) -> None:
        super().__init__(tuple(defect.sentence() for defect in board_defects))
        self.board_defects = board_defects


class Findings:
    """The defects of one component file, gathered while it is checked.

    A defect is one of two kinds: what no match can be played with, and what merely contradicts the printed game. A variant may
    have defects of the second kind.

    Args:
        text: The file.
    """

    __slots__ = ("_contradicted", "_ends", "_found", "_hints", "_places", "_plain", "_through", "paths")

    def __init__(self, text: OutsideText) -> None:
        self._plain = text.plain
        self._places = text.places
        # Paths, problems and what was expected, each once, in the order in which they were found.
        self._found: dict[tuple[Path, str, str], None] = {}
        self._contradicted: dict[tuple[Path, str, str], None] = {}
        self._ends: set[Path] = set()
        self._through: set[Path] = set()
        self._hints = 0
        self.paths: list[Path] = []

    def add(self, path: Path, problem: str, expected: str) -> None:
        """Record a defect at a path; its place is the path's, or its nearest parent's."""
        self.paths.append(path)
        self._found[path, problem, expected] = None
        if path not in self._ends:
            self._ends.add(path)
            self._through.update(path[:length] for length in range(len(path) + 1))

    def contradict(self, path: Path, problem: str, expected: str) -> None:
        """Note that something at a path is not as in the printed game."""
        self._contradicted[path, problem, expected] = None

    def has_any(self, path: Path = ()) -> bool:
        """Return whether there is a defect at a path, below it or above it, not counting contradictions."""
        return path in self._through or any(path[:length] in self._ends for length in range(len(path)))

    def like(self, key: str, known: Iterable[str]) -> str:
        """Return the known key that an unknown one is most like; empty if there is none, or after too many questions."""
        if self._hints >= COMPARED_MAX or len(key) > NAME_CHARACTERS_MAX:
            return ""
        self._hints += 1
        return next(iter(get_close_matches(key, known, n=1)), "")

    def defects(self, *, is_variant: bool = False) -> tuple[TextDefect, ...]:
        """Return all defects in the order of their places, each once; of very many, the last says how many more there are.

        Args:
            is_variant: The file may contradict the printed game.
        """
        if is_variant:
            return self._placed(self._found)
        contradicted = [
            (path, problem, f"{expected}, or the name of a variant") for path, problem, expected in self._contradicted
        ]
        return self._placed([*self._found, *contradicted])

    def contradictions(self) -> tuple[TextDefect, ...]:
        """Return what contradicts the printed game, in the order of the places."""
        return self._placed(self._contradicted)

    def _placed(self, listed: Iterable[tuple[Path, str, str]]) -> tuple[TextDefect, ...]:
        placed = sorted(((self._places.place_of(one[0]), *one) for one in listed), key=lambda one: one[0])
        named = placed if len(placed) <= DEFECTS_MAX else placed[: DEFECTS_MAX - 1]
        found = [
            TextDefect(line, describe(path, self._plain), problem, expected, column)
            for (line, column), path, problem, expected in named
        ]
        if len(named) < len(placed):
            rest = len(placed) - len(named)
            found.append(TextDefect(placed[len(named)][0][0], "file", f"has {rest} more defects from here on", "none"))
        return tuple(dict.fromkeys(found))


def describe(path: Path, plain: object) -> str:
    """Return a path as text: keys joined by dots, rows by their id or else by their place, counted from 1."""
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
    """Return a value of the file as text: on one line, without control characters, cut after 60 characters."""
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


def some_of(names: Iterable[str]) -> str:
    """List names that a defect expects, joined by commas; of very many only the first."""
    listed = list(names)
    more = ", …" if len(listed) > OFFERS_MAX else ""
    return f"{', '.join(listed[:OFFERS_MAX])}{more}"


def same_name(one: str, other: str) -> bool:
    """Compare printed names, whatever the case, the spaces or the kind of apostrophe."""
    return plain_name(one) == plain_name(other)


def plain_name(name: str) -> str:
    """Return what a printed name has in common with all ways to write it."""
    return " ".join(name.replace("\u2019", "'").casefold().split())
