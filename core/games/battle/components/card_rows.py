"""The rows of a card file as typed values, as far as they are well-formed.

Keys that only people read are left out: the form allows them no other value than what the rules do anyway.
"""

from typing import TypeVar

from core.board_rows import sound_rows, sound_sections
from core.toml_lines import Path
from events.codec import Struct, convert

_Row = TypeVar("_Row")


class ChartStep(Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """One line of a Rubble chart: with `first` to `last` Rubble so many Rations."""

    first: int
    last: int
    rations: int


class Op(Struct, frozen=True):
    """A word that the rules understand, with whatever figures it has; what it lacks is 0 or empty."""

    op: str
    amount: int = 0
    count: int = 0
    rubble: int = 0
    hits: int = 0
    min_rubble: int = 0
    others_may_join_for: int = 0


class LocationRow(Struct, frozen=True):
    """A row of `location`; `at` is its 0-based place in the file."""

    at: int
    id: str
    name: str
    chart: tuple[ChartStep, ...]
    destroyed_at: int
    note: Op = Op("")
    note_text: str = ""
    note_survives: bool = False


class ForceRow(Struct, frozen=True):
    """A row of `force`."""

    at: int
    id: str
    side: str
    name: str
    combat: int
    rations: int
    cost: int
    notes: tuple[Op, ...] = ()

    def note(self, op: str) -> int:
        """Return the figure of a note, 1 for one without figure, 0 for none."""
        return next((note.amount or 1 for note in self.notes if note.op == op), 0)


class ActionRow(Struct, frozen=True):
    """A row of `action`; `copies` are the Firefight values of every copy, by side."""

    at: int
    id: str
    name: str
    timing: str
    effect: Op
    copies: dict[str, tuple[int, ...]]
    text: str = ""
    condition: str = ""


class UranusRow(Struct, frozen=True):
    """A row of `uranus`; `firefight` are the Firefight values of every copy."""

    at: int
    id: str
    name: str
    timing: str
    play_cost: Op
    effect: Op
    removal: Op
    firefight: tuple[int, ...]
    text: str = ""


class CardRows(Struct, frozen=True):
    """All rows that are well-formed, and the paths of the sections that are so as a whole."""

    locations: tuple[LocationRow, ...] = ()
    forces: tuple[ForceRow, ...] = ()
    actions: tuple[ActionRow, ...] = ()
    uranus: tuple[UranusRow, ...] = ()
    whole: frozenset[Path] = frozenset()

    def are_whole(self, *sections: Path) -> bool:
        """Return whether all these sections are without a defect of form."""
        return all(section in self.whole for section in sections)

    def values(self, side: str) -> list[int]:
        """Return the Firefight values of a side's whole deck; the Uranus cards are Russian. Source: uranus.deck."""
        found = [value for row in self.actions for value in row.copies.get(side, ())]
        if side == "russian":
            found += [value for special in self.uranus for value in special.firefight]
        return found


LOCATIONS: Path = ("location",)
FORCES: Path = ("force",)
ACTIONS: Path = ("action",)
URANUS: Path = ("uranus",)


def read_rows(plain: dict[str, object], broken: list[Path]) -> CardRows:
    """Convert the well-formed rows.

    Args:
        plain: The file's data.
        broken: Where it has defects of form.
    """
    return CardRows(
        locations=_rows(plain, LOCATIONS, broken, LocationRow),
        forces=_rows(plain, FORCES, broken, ForceRow),
        actions=_rows(plain, ACTIONS, broken, ActionRow),
        uranus=_rows(plain, URANUS, broken, UranusRow),
        whole=sound_sections((LOCATIONS, FORCES, ACTIONS, URANUS), broken),
    )


def _rows(plain: dict[str, object], section: Path, broken: list[Path], type_: type[_Row]) -> tuple[_Row, ...]:
    """Convert those rows of a section in which nothing is wrong."""
    found: list[_Row] = []
    for at, row in sound_rows(plain, section, broken):
        assert isinstance(row, dict)
        found.append(convert({**row, "at": at}, type_))
    return tuple(found)
