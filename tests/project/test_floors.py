"""The plan of the house: its rooms are the folders of `core` and the other packages, its floors the longest way down along imports."""

from collections.abc import Mapping

import pytest

from tests.project.test_layers import imported_modules
from tests.project.tree import Source, product_files
from tests.support.rows import each_row

FLOORS_MAX = 11


def room_of(path: str) -> str:
    """Return the room of a module; the games are one room, and so are the modules directly in `core`."""
    package, *below = path.split("/")
    if package != "core" or len(below) == 1:
        return package
    return f"core/{below[0]}"


def arrows(sources: tuple[Source, ...], room: Mapping[str, str]) -> dict[str, set[str]]:
    """Map each room to those that it imports; `room` maps modules, dotted, to rooms."""
    found: dict[str, set[str]] = {name: set() for name in room.values()}
    for source in sources:
        here = room[dotted(source.path)]
        for name in imported_modules(source.tree()):
            module = name if name in room else name.rpartition(".")[0]
            there = room.get(module, here)
            if there != here:
                found[here].add(there)
    return found


def dotted(path: str) -> str:
    """Return the name by which a module is imported."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def floors(below: Mapping[str, set[str]]) -> int:
    """Return the number of floors: rooms that import nothing lie on the first.

    Raises:
        RecursionError: There is a circle.
    """
    known: dict[str, int] = {}

    def floor(room: str) -> int:
        if room not in known:
            known[room] = 1 + max(map(floor, below[room]), default=0)
        return known[room]

    return max(map(floor, below))


def test_the_house_has_few_floors() -> None:
    sources = product_files()

    assert floors(arrows(sources, {dotted(source.path): room_of(source.path) for source in sources})) <= FLOORS_MAX


@each_row("package", ["events", "projections", "server", "cli"])
def test_no_folder_imports_one_that_imports_it(package: str) -> None:
    """Also not a folder and one inside it."""
    sources = product_files(package)

    floors(arrows(sources, {dotted(source.path): source.path.rpartition("/")[0] for source in sources}))


def test_a_circle_is_found() -> None:
    with pytest.raises(RecursionError):
        floors({"a": {"b"}, "b": {"a"}})
