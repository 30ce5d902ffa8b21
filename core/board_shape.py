"""The form a board file must have, declared as data, and the walk that finds every departure from it.

Knows no game: each game declares its own shape. A value that the rulebook's text fixes is declared `Fixed` with its
source, so that form and printed figures are checked in the same walk.
"""

import re
from typing import Protocol

from core.components.findings import Findings, shown
from core.toml_lines import Path
from events.codec import Struct

Plain = bool | int | str | list["Plain"] | dict[str, "Plain"]
"""What a fixed value may be."""

_IDENT = re.compile(r"[a-z0-9_]{1,60}")


class Shape(Protocol):
    """What a value must look like."""

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """Note every departure of the value, which stands at a path of the file."""

    def expectation(self) -> str:
        """Say in a few words what is asked for."""

    def speaks_of(self, value: object) -> bool:
        """Return whether the value is of the kind (text, number, array, table) that is asked for, right or wrong."""


class Whole(Struct, frozen=True):
    """A whole number, both ends of the range included; none of those in `without`."""

    least: int
    most: int
    without: tuple[int, ...] = ()

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if type(value) is not int or not self.least <= value <= self.most or value in self.without:
            findings.add(path, f"is {shown(value)}", self.expectation())

    def expectation(self) -> str:
        """See `Shape`."""
        but = f" other than {', '.join(map(str, self.without))}" if self.without else ""
        return f"a whole number from {self.least} to {self.most}{but}"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return type(value) is int


class Words(Struct, frozen=True):
    """A text of one line that is not empty; with `choices` one of these.

    Control characters are refused, because the text comes to the terminals of people who have never seen the file.
    """

    choices: tuple[str, ...] = ()

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if not isinstance(value, str) or not value.strip() or (self.choices and value not in self.choices):
            findings.add(path, f"is {shown(value)}", self.expectation())
        elif not value.isprintable():
            findings.add(path, f"is {shown(value)}", "a text of one line without control characters")

    def expectation(self) -> str:
        """See `Shape`."""
        return f"one of {', '.join(self.choices)}" if self.choices else "a text"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return isinstance(value, str)


class Ident(Struct, frozen=True):
    """A name by which the rules know something; people are shown another."""

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if not isinstance(value, str) or not _IDENT.fullmatch(value):
            findings.add(path, f"is {shown(value)}", self.expectation())

    def expectation(self) -> str:
        """See `Shape`."""
        return "up to 60 lower-case letters, digits and underscores"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return isinstance(value, str)


class Flag(Struct, frozen=True):
    """True or false."""

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if not isinstance(value, bool):
            findings.add(path, f"is {shown(value)}", self.expectation())

    def expectation(self) -> str:
        """See `Shape`."""
        return "true or false"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return isinstance(value, bool)


class Fixed(Struct, frozen=True):
    """Exactly this value; `source` is the rulebook's section that fixes it, empty where the file's format does."""

    value: Plain
    source: str = ""

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if not _is_same(value, self.value):
            findings.add(path, f"is {shown(value)}", self.expectation())

    def expectation(self) -> str:
        """See `Shape`."""
        source = f" (rulebook {self.source})" if self.source else ""
        return f"{written(self.value)}{source}"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return type(value) is type(self.value)


class Rows(Struct, frozen=True):
    """An array of `least` to `most` elements of one shape."""

    row: Shape
    least: int = 0
    most: int = 1_000

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if not isinstance(value, list):
            findings.add(path, f"is {shown(value)}", self.expectation())
            return
        if not self.least <= len(value) <= self.most:
            findings.add(path, f"has {len(value)} elements", self._number())
        for index, element in enumerate(value):
            self.row.check(element, (*path, index), findings)

    def expectation(self) -> str:
        """See `Shape`."""
        return f"an array of {self._number()}, each {self.row.expectation()}"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return isinstance(value, list)

    def _number(self) -> str:
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


class Sequence(Struct, frozen=True):
    """An array of exactly these elements in this order."""

    rows: tuple[Shape, ...]

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if not isinstance(value, list):
            findings.add(path, f"is {shown(value)}", self.expectation())
            return
        if len(value) != len(self.rows):
            findings.add(path, f"has {len(value)} elements", str(len(self.rows)))
        for index, (element, row) in enumerate(zip(value, self.rows, strict=False)):
            row.check(element, (*path, index), findings)

    def expectation(self) -> str:
        """See `Shape`."""
        return f"an array of {len(self.rows)}"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return isinstance(value, list)


class Table(Struct, frozen=True):
    """A table with these keys and no others; all must be there but the optional ones."""

    fields: dict[str, Shape]
    optional: dict[str, Shape] = {}

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if not isinstance(value, dict):
            findings.add(path, f"is {shown(value)}", self.expectation())
            return
        for key, shape in self.fields.items():
            if key not in value:
                findings.add((*path, key), "is missing", shape.expectation())
        known = {**self.fields, **self.optional}
        unknown = [key for key in value if key not in known]
        for key, element in value.items():
            if key in known:
                known[key].check(element, (*path, key), findings)
        for key in unknown:
            like = findings.like(key, known)
            hint = f"perhaps {like}; known are" if like else "only"
            findings.add((*path, key), "is not known here", f"{hint} {', '.join(known)}")

    def expectation(self) -> str:
        """See `Shape`."""
        return f"a table with {', '.join(self.fields)}" if self.fields else "a table"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return isinstance(value, dict)


class TableOf(Struct, frozen=True):
    """A table with any keys, whose values have one shape."""

    value: Shape

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if not isinstance(value, dict):
            findings.add(path, f"is {shown(value)}", self.expectation())
            return
        for key, element in value.items():
            self.value.check(element, (*path, key), findings)

    def expectation(self) -> str:
        """See `Shape`."""
        return f"a table, each value {self.value.expectation()}"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return isinstance(value, dict)


class Variant(Struct, frozen=True):
    """A table whose shape depends on the text under one key."""

    key: str
    tables: dict[str, Table]

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        if not isinstance(value, dict):
            findings.add(path, f"is {shown(value)}", self.expectation())
            return
        tag = value.get(self.key)
        table = self.tables.get(tag) if isinstance(tag, str) else None
        if table is not None:
            table.check(value, path, findings)
        else:
            problem = f"is {shown(tag)}" if self.key in value else "is missing"
            findings.add((*path, self.key), problem, f"one of {', '.join(self.tables)}")

    def expectation(self) -> str:
        """See `Shape`."""
        return f"a table with {self.key}"

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return isinstance(value, dict)


class Either(Struct, frozen=True):
    """One of several shapes that the value's kind tells apart."""

    shapes: tuple[Shape, ...]

    def check(self, value: object, path: Path, findings: Findings) -> None:
        """See `Shape`."""
        for shape in self.shapes:
            if shape.speaks_of(value):
                shape.check(value, path, findings)
                return
        findings.add(path, f"is {shown(value)}", self.expectation())

    def expectation(self) -> str:
        """See `Shape`."""
        return " or ".join(shape.expectation() for shape in self.shapes)

    def speaks_of(self, value: object) -> bool:
        """See `Shape`."""
        return any(shape.speaks_of(value) for shape in self.shapes)


def printed(source: str, **values: Plain) -> dict[str, Shape]:
    """Declare fields that one place of the rulebook fixes, or, with an empty source, the rules themselves."""
    return {name: Fixed(value, source) for name, value in values.items()}


def written(value: Plain) -> str:
    """Write a value as TOML does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, list):
        return f"[{', '.join(written(one) for one in value)}]"
    return f"{{ {', '.join(f'{key} = {written(one)}' for key, one in value.items())} }}"


def _is_same(value: object, fixed: Plain) -> bool:
    """Compare strictly: no number equals a truth value, at any depth."""
    if isinstance(value, list) and isinstance(fixed, list):
        return len(value) == len(fixed) and all(_is_same(one, two) for one, two in zip(value, fixed, strict=True))
    if isinstance(value, dict) and isinstance(fixed, dict):
        return value.keys() == fixed.keys() and all(_is_same(value[key], fixed[key]) for key in fixed)
    return type(value) is type(fixed) and value == fixed
