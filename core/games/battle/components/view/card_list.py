"""The cards for the terminal: Locations, Forces and Action cards in lists, with a mark on what is reconstructed."""

from collections.abc import Sequence
from textwrap import wrap

from core.games.battle.components.card_model import ActionRow, CardFile, UranusRow
from core.games.battle.components.view.card_words import (
    MARK,
    MOMENTS,
    IsInvented,
    chart_words,
    counted,
    force_notes,
    note_words,
    values_words,
)
from core.games.battle.ids import GERMAN, RUSSIAN
from core.toml_lines import Path

TEXT_CHARACTERS = 100
NOTES = ("attack_bonus", "retreat_bonus", "free_move", "ignore_hits")

_COSTS = {
    "destroy_own_forces": ("Destroy", "own Force"),
    "discard_cards": ("discard", "card"),
    "discard_rations": ("discard", "Ration"),
}


def card_lines(file: CardFile, is_invented: IsInvented) -> tuple[str, ...]:
    """List all cards.

    Args:
        file: The file.
        is_invented: What of them is reconstructed.
    """
    said = _Marks(is_invented)
    lines = ["Locations: Rations by Rubble, and what each does for its controller", ""]
    lines += _locations(file, said)
    for side, name in ((GERMAN, "German"), (RUSSIAN, "Russian")):
        lines += ["", f"{name} Forces", ""]
        lines += _forces(file, side, said)
    lines += ["", "Action cards: moment, and the Firefight values of the German and the Russian copies", ""]
    for index, row in enumerate(file.action):
        lines += _action(("action", index), row, said)
    lines += ["", "Operation Uranus cards, in the Russian deck: Firefight values, cost and removal", ""]
    for index, special in enumerate(file.uranus):
        lines += _uranus(("uranus", index), special, said)
    lines += ["", f"{MARK} reconstructed: the rulebook's text does not give it"]
    return tuple(line.rstrip() for line in lines)


class _Marks:
    """Writes values with a mark where they are reconstructed."""

    def __init__(self, is_invented: IsInvented) -> None:
        self.is_invented = is_invented

    def of(self, value: object, path: Path, *fields: str) -> str:
        """Write what some fields say, with a mark if one of them is reconstructed; nothing gets no mark."""
        text = str(value)
        return f"{text}{MARK}" if text and any(self.is_invented(path, field) for field in fields) else text


def _locations(file: CardFile, said: _Marks) -> list[str]:
    table = [("Location", "Rations", "When Destroyed")]
    notes: list[str] = []
    for index, row in enumerate(file.location):
        path: Path = ("location", index)
        kept = ("note kept" if row.note_survives else "note lost") if row.has_note else ""
        table.append(
            (
                said.of(row.name, path, "name"),
                said.of(chart_words(row), path, "chart", "destroyed_at"),
                said.of(kept, path, "note_survives"),
            )
        )
        notes.append(said.of(note_words(row), path, "note"))
    header, *lines = _columns(table)
    return [header, *(part for line, note in zip(lines, notes, strict=True) for part in (line, *_text(note)))]


def _forces(file: CardFile, side: str, said: _Marks) -> list[str]:
    table = [("Force", "Combat", "Rations", "Cost", "Notes")]
    for index, force in enumerate(file.force):
        if force.side != side:
            continue
        path: Path = ("force", index)
        table.append(
            (
                said.of(force.name, path, "name"),
                said.of(force.combat, path, "combat"),
                said.of(force.rations, path, "rations"),
                said.of(force.cost, path, "cost"),
                said.of(force_notes(force), path, *NOTES),
            )
        )
    return _columns(table)


def _action(path: Path, row: ActionRow, said: _Marks) -> list[str]:
    values = f"German {values_words(row.copies.german)}, Russian {values_words(row.copies.russian)}"
    name = said.of(row.name, path, "name")
    moment = said.of(MOMENTS[row.timing], path, "timing")
    text = row.text or row.effect.op.replace("_", " ")
    return [f"{name}: {moment}; {said.of(values, path, 'copies')}", *_text(said.of(text, path, "effect"))]


def _uranus(path: Path, row: UranusRow, said: _Marks) -> list[str]:
    cost = said.of(_cost(row.play_cost.op, row.play_cost.count), path, "play_cost")
    removal = said.of(_cost(row.removal.op, row.removal.count), path, "removal")
    name = said.of(row.name, path, "name")
    values = said.of(values_words(row.firefight), path, "firefight")
    text = row.text or row.effect.op.replace("_", " ")
    return [f"{name}: {values}; {cost}; removed: {removal}", *_text(said.of(text, path, "effect"))]


def _cost(op: str, count: int) -> str:
    verb, thing = _COSTS[op]
    return f"{verb} {counted(count, thing)}"


def _text(text: str) -> list[str]:
    return wrap(text, TEXT_CHARACTERS, initial_indent="    ", subsequent_indent="    ")


def _columns(table: Sequence[tuple[str, ...]]) -> list[str]:
    """Align the cells of a table, the first row of which is its header."""
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table]
