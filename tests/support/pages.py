"""The pages of a SQLite file, damaged in a way that SQLite does not notice: a page declares fewer entries.

Source: SQLite's file format, "B-tree Pages".
"""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

INTERIOR = {2: 12, 5: 12}
"""Kinds of pages that point to others (of an index, of a table), and the length of their headers."""


class Pages:
    """The content of a store that is not open in any process.

    Args:
        path: Its file.
    """

    def __init__(self, path: Path) -> None:
        database = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
        (size,) = database.execute("PRAGMA page_size").fetchone()
        self.size = int(size)
        rows = database.execute("SELECT name, rootpage FROM sqlite_master WHERE rootpage > 0").fetchall()
        database.close()
        self.roots: dict[str, int] = dict(rows)
        self.path = path
        self.content = bytearray(path.read_bytes())

    def start(self, page: int) -> int:
        """Return the offset of the b-tree header of a page (1-based) in the file."""
        return (page - 1) * self.size + (100 if page == 1 else 0)

    def tree(self, name: str) -> Iterator[int]:
        """Yield the numbers of all pages of a table or an index, leaves in order."""
        waiting = [self.roots[name]]
        while waiting:
            page = waiting.pop()
            yield page
            waiting += reversed(list(self._children(page)))

    def _children(self, page: int) -> Iterator[int]:
        at = self.start(page)
        header = INTERIOR.get(self.content[at])
        if header is None:
            return
        for cell in range(self.count(page)):
            pointer = self._number(at + header + 2 * cell, 2) + (page - 1) * self.size
            yield self._number(pointer, 4)
        yield self._number(at + 8, 4)

    def leaves(self, name: str) -> list[int]:
        """Return the leaves of a table or an index in order."""
        return [page for page in self.tree(name) if self.content[self.start(page)] not in INTERIOR]

    def count(self, page: int) -> int:
        """Return how many entries a page declares."""
        return self._number(self.start(page) + 3, 2)

    def forget(self, page: int, keep: int) -> None:
        """Change a page so that it declares only its first entries."""
        assert keep < self.count(page)
        at = self.start(page) + 3
        self.content[at : at + 2] = keep.to_bytes(2, "big")

    def _number(self, at: int, length: int) -> int:
        return int.from_bytes(self.content[at : at + length], "big")

    def write(self) -> None:
        """Write the changed pages to the file."""
        self.path.write_bytes(self.content)
