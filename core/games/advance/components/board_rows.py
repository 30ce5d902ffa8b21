"""The rows of a board file as typed values, as far as they are well-formed.

Checks that look at several rows work on these. A row with a defect of form is left out; `whole` tells which sections
have none, so that a check of a whole section does not blame it for a row that is merely misspelt.
"""

from typing import TypeVar

from core.board_rows import sound_rows, sound_sections
from core.games.advance.components.board_model import Effect
from core.toml_lines import Path
from events.codec import Struct, convert

_Row = TypeVar("_Row")


class AreaRow(Struct, frozen=True):
    """A row of `areas`; `at` is its 0-based place in the file."""

    at: int
    id: int
    name: str
    terrain: str
    tem: int
    volga: bool
    control: str
    x: int
    y: int


class PairRow(Struct, frozen=True):
    """One pair of `adjacency`, in the order written."""

    at: int
    one: int
    other: int


class UnitRow(Struct, frozen=True):
    """A row of `german_units`."""

    at: int
    id: str
    division: str
    kind: str
    attack: int
    movement: int
    setup: str
    factory: str


class DivisionRow(Struct, frozen=True):
    """A row of `german_divisions`."""

    at: int
    id: str
    name: str


class CounterRow(Struct, frozen=True):
    """A row of `soviet_units`."""

    at: int
    id: str
    terrain: str
    defence: int
    strategy: str
    factory: str


class ChartRow(Struct, frozen=True):
    """A row of a Random Event Chart."""

    at: int
    roll: tuple[int, int]
    event: str
    effects: tuple[Effect, ...]
    repeat_as: int | None = None


class SetupRow(Struct, frozen=True):
    """A row of the Factory District Scenario's Soviet set-up."""

    at: int
    area: int
    terrain: str
    revealed: bool
    counter: str


class BoardRows(Struct, frozen=True):
    """All rows that are well-formed, and the paths of the sections that are so as a whole."""

    areas: tuple[AreaRow, ...] = ()
    pairs: tuple[PairRow, ...] = ()
    units: tuple[UnitRow, ...] = ()
    divisions: tuple[DivisionRow, ...] = ()
    counters: tuple[CounterRow, ...] = ()
    main_chart: tuple[ChartRow, ...] = ()
    factory_chart: tuple[ChartRow, ...] = ()
    factory_setup: tuple[SetupRow, ...] = ()
    whole: frozenset[Path] = frozenset()

    def are_whole(self, *sections: Path) -> bool:
        """Return whether all these sections are without a defect of form."""
        return all(section in self.whole for section in sections)


AREAS: Path = ("areas", "rows")
PAIRS: Path = ("adjacency", "pairs")
UNITS: Path = ("german_units", "rows")
DIVISIONS: Path = ("german_divisions", "rows")
COUNTERS: Path = ("soviet_units", "rows")
MAIN_CHART: Path = ("random_events", "main", "rows")
FACTORY_CHART: Path = ("random_events", "factory", "rows")
FACTORY_SETUP: Path = ("scenarios", "factory", "soviet_setup")

_SECTIONS = (AREAS, PAIRS, UNITS, DIVISIONS, COUNTERS, MAIN_CHART, FACTORY_CHART, FACTORY_SETUP)


def read_rows(plain: dict[str, object], broken: list[Path]) -> BoardRows:
    """Convert the well-formed rows.

    Args:
        plain: The file's data.
        broken: Where it has defects of form.
    """
    return BoardRows(
        areas=_rows(plain, AREAS, broken, AreaRow),
        pairs=_rows(plain, PAIRS, broken, PairRow),
        units=_rows(plain, UNITS, broken, UnitRow),
        divisions=_rows(plain, DIVISIONS, broken, DivisionRow),
        counters=_rows(plain, COUNTERS, broken, CounterRow),
        main_chart=_rows(plain, MAIN_CHART, broken, ChartRow),
        factory_chart=_rows(plain, FACTORY_CHART, broken, ChartRow),
        factory_setup=_rows(plain, FACTORY_SETUP, broken, SetupRow),
        whole=sound_sections(_SECTIONS, broken),
    )


def _rows(plain: dict[str, object], section: Path, broken: list[Path], type_: type[_Row]) -> tuple[_Row, ...]:
    """Convert those rows of a section in which nothing is wrong."""
    return tuple(convert(_prepared(at, row), type_) for at, row in sound_rows(plain, section, broken))


def _prepared(at: int, row: object) -> dict[str, object]:
    """Bring a row into the form of its struct: its place added, Areas as text where the model has them so."""
    if isinstance(row, list):
        return {"at": at, "one": row[0], "other": row[1]}
    assert isinstance(row, dict)
    prepared: dict[str, object] = {"at": at, **row}
    effects = row.get("effects")
    if isinstance(effects, list):
        prepared["effects"] = [_prepared_effect(effect) for effect in effects]
    return prepared


def _prepared_effect(effect: dict[str, object]) -> dict[str, object]:
    """Bring an event's effect into the form of its struct: any Vacant Area becomes no Area in particular."""
    areas = effect.get("return_areas")
    if areas is None:
        return effect
    return {**effect, "return_areas": [str(area) for area in areas] if isinstance(areas, list) else []}
