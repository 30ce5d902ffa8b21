"""The texts of the card file's data: moments, notes and charts."""

from collections.abc import Callable, Mapping, Sequence

from core.games.battle.components.card_model import ChartRow, Force, Location, LocationNote, Timing
from core.toml.toml_lines import Path
from core.wording import counted

MARK = "*"
"""Marks what the rulebook's text does not give."""

IsInvented = Callable[[Path, str], bool]
"""Returns whether a field of the record at a path is reconstructed."""

MOMENTS: dict[Timing, str] = {
    "own_action": "own Actions step",
    "any_time": "either player's turn",
    "battle": "battle, before the Firefight",
    "suffering_hits": "suffering Hits",
    "react_move": "enemy Move declared",
    "react_card": "enemy card played",
    "react_draw": "enemy Draw step begins",
    "after_battle": "after a battle",
    "own_force_destroyed": "own Force Destroyed",
}
"""When a card may be played."""


def rubble_words(step: ChartRow) -> str:
    """Write the Rubble of one line of a chart: `0-2`, or one number."""
    return f"{step.first}-{step.last}" if step.last > step.first else str(step.first)


def chart_words(location: Location) -> str:
    """Write a Location's chart on one line."""
    steps = ", ".join(f"{rubble_words(step)}: {step.rations}" for step in location.chart)
    return f"{steps}, {location.destroyed_at}: Destroyed"


def force_notes(force: Force, *, is_attacking: bool = False) -> str:
    """Write a Force's notes; empty if it has none. Of one that is attacking, the Combat told contains the bonus."""
    ignored = "Hit" if force.ignore_hits == 1 else counted(force.ignore_hits, "Hit")
    notes = [
        f"+{force.attack_bonus} Combat when attacking{' (counted)' if is_attacking else ''}"
        if force.attack_bonus
        else "",
        f"stops {force.retreat_bonus} extra when Retreating" if force.retreat_bonus else "",
        "Moves free" if force.has_free_move else "",
        f"ignores the first {ignored} of each fight" if force.ignore_hits else "",
    ]
    return ", ".join(note for note in notes if note)


def short_note(force: Force) -> str:
    """Write a Force's notes in a few words; empty if it has none."""
    notes = [
        f"+{force.attack_bonus} attacking" if force.attack_bonus else "",
        f"Retreat +{force.retreat_bonus}" if force.retreat_bonus else "",
        "Moves free" if force.has_free_move else "",
        f"ignores {counted(force.ignore_hits, 'Hit')}" if force.ignore_hits else "",
    ]
    return ", ".join(filter(None, notes))


def force_words(force: Force, rations: int) -> str:
    """Write a Force's Combat, the Rations with which it enters, and its notes."""
    notes = force_notes(force)
    return f"Combat {force.combat}, {counted(rations, 'Ration')}{f'; {notes}' if notes else ''}"


def values_words(values: Sequence[int]) -> str:
    """Write the Firefight values of all copies, with their signs; a dash for none."""
    return " ".join(f"{value:+d}" for value in values) or "-"


def note_words(location: Location) -> str:
    """Return a Location's note as it is printed, or by its effect; empty if it has none."""
    return location.note_text or location.note.op.replace("_", " ") if location.has_note else ""


def effect_words(location: Location) -> str:
    """Return what a Location does for the side that Controls it, in a short sentence; empty if it does nothing."""
    return EFFECTS[location.note.op](location.note) if location.has_note else ""


EFFECTS: Mapping[str, Callable[[LocationNote], str]] = {
    "resupply_bonus": lambda note: f"Your Resupply hands out {counted(note.amount, 'more Ration')}.",
    "reinforcements_bonus": lambda note: f"Your Reinforcements are worth {counted(note.amount, 'more point')}.",
    "rations_anywhere": lambda _: "Its Rations may go to any of your Forces.",
    "enemy_entry_surcharge": lambda note: (
        f"An enemy that Moves into its Control Area pays {counted(note.amount, 'more Ration')}."
    ),
    "buy_ration_bonus": lambda note: f"A Force you buy has {counted(note.amount, 'more Ration')}.",
    "card_attack_bonus": lambda note: (
        f"Your Dive Bombers and Artillery Barrage inflict {counted(note.amount, 'more Hit')}."
    ),
    "initiated_battle_bonus": lambda note: (
        f"Your side inflicts {counted(note.amount, 'more Hit')} in each battle you initiate."
    ),
    "free_moves_per_turn": lambda note: f"{counted(note.amount, 'Move')} of each of your turns costs no Ration.",
    "repair_rubble": lambda _: "At the start of Supply take 1 Rubble off a Location of yours.",
    "extra_draw": lambda note: f"Draw {counted(note.amount, 'more card')} in your Draw Cards step.",
}
"""What each kind of note does; the printed texts say it at length."""
