"""What the rulebook's text says of single Locations and Forces, in its rules, its examples and its sample game.

Only that is asked for. Figures and notes that the text leaves open may differ from the packaged cards, which are
reconstructed there. Numbers such as C70 name the sentence of the packaged file's [constraint] from which a demand follows.
Action cards are in `action_facts`.
"""

from core.components.findings import Findings, same_name
from core.games.battle.components.card_rows import FORCES, LOCATIONS, CardRows, ForceRow, LocationRow, Op
from core.games.battle.components.checks.card_schema import FORCE_NOTES
from core.games.battle.components.checks.playable_cards import POINTS, SIDE_NAMES
from core.games.battle.ids import GERMAN, RUSSIAN

SAMPLE = "Sample Game"
SET_UP = "Sample Game, Set-Up"
GERMAN_1 = "Sample Game, German 1st Turn"
RUSSIAN_1 = "Sample Game, Russian First Turn"
GERMAN_2 = "Sample Game, German Second Turn"

Chart = tuple[tuple[int, int, int], ...]
"""First and last Rubble, and Rations, of every step."""

GUMRAK = "Gumrak Airfield"
ELEVATOR = "Grain Elevator"
TRACTORS = "Dzerzhinskiy Tractor Factory"
DOCKS = "The Docks"
PAVLOV = "Pavlov's House"
KURGAN = "Mamayev Kurgan"

LOCATION_NAMES = {
    **dict.fromkeys((GUMRAK, ELEVATOR, TRACTORS, DOCKS, PAVLOV), SET_UP),
    KURGAN: "Destroyed Locations",
    **dict.fromkeys(("Barrikady Gun Factory", "Central Station"), "Location Control"),
}
"""C6, C31, C61."""

KURGAN_CHART: tuple[Chart, int] = (((0, 4, 3), (5, 7, 2), (8, 9, 1)), 10)
"""C3, C6."""

SUPPLY_CHART: tuple[Chart, int] = (((0, 2, 2), (3, 5, 1)), 6)
"""C34."""

RATIONS_SEEN = (
    (PAVLOV, 0, 2, RUSSIAN_1),
    (TRACTORS, 0, 2, RUSSIAN_1),
    (GUMRAK, 1, 1, GERMAN_2),
    (ELEVATOR, 2, 2, GERMAN_2),
)
"""Location, Rubble, Rations, where: C85, C99."""

LOCATION_NOTES_SEEN = {GUMRAK: ("resupply_bonus", GERMAN_1), TRACTORS: ("reinforcements_bonus", RUSSIAN_1)}
"""C67, C86; both by 1."""

STARTING = {
    RUSSIAN: {"169th Rifle": 2, "248th Rifle": 1, "6th Guards": 0, "15th Guards": 3, "84th Tank": 2, "90th Tank": 2},
    GERMAN: {"16th Panzer": 4, "384th Infantry": 4, "14th Panzer": 4, "100th Jager": 1},
}
"""The Forces of the sample game's set-up with their Starting Rations, which cost 11 and 9 points: C62 to C65."""

BOUGHT = "126th Rifle"

COMBAT_SEEN = {"169th Rifle": (1, GERMAN_1), "6th Guards": (1, GERMAN_1), "100th Jager": (1, RUSSIAN_1)}
"""Combat of Forces that are not attacking: C70, C72, C90."""

ATTACK_SEEN = {"16th Panzer": (5, GERMAN_1), "14th Panzer": (7, GERMAN_2)}
"""Combat of Forces that are attacking, a note included: C70, C103."""

NOTES_SEEN = {
    "16th Panzer": ("free_move", GERMAN_1),
    "100th Jager": ("free_move", GERMAN_1),
    "248th Rifle": ("retreat_bonus", GERMAN_1),
}
"""C66, C78, C82."""

NOTES_LACKING = {
    "14th Panzer": ("free_move", "ignore_hits"),
    "16th Panzer": ("retreat_bonus", "ignore_hits"),
    "384th Infantry": ("free_move",),
    "100th Jager": ("retreat_bonus", "ignore_hits"),
    "169th Rifle": ("retreat_bonus", "ignore_hits"),
    "6th Guards": ("retreat_bonus", "ignore_hits"),
    "248th Rifle": ("ignore_hits",),
    BOUGHT: ("ignore_hits",),
    "84th Tank": ("ignore_hits",),
    "90th Tank": ("retreat_bonus", "ignore_hits"),
}
"""C74, C75, C78, C80, C93, C94, C105, C108."""


def check_facts(rows: CardRows, findings: Findings) -> None:
    """Note every Location and Force that contradicts the text."""
    _check_locations(rows, findings)
    _check_forces(rows, findings)


def chart_of(row: LocationRow) -> tuple[Chart, int]:
    """Return a Location's chart and where it ends."""
    return tuple((step.first, step.last, step.rations) for step in row.chart), row.destroyed_at


def rations_of(row: LocationRow, rubble: int) -> int:
    """Return what a Location's chart gives with so much Rubble, 0 where it says nothing."""
    return next((step.rations for step in row.chart if step.first <= rubble <= step.last), 0)


def _check_locations(rows: CardRows, findings: Findings) -> None:
    """Ask for the Locations, charts and notes that the text shows.

    Source: RuleId("location.rubble-chart"), RuleId("location.destroyed.note"), RuleId("location.note.resupply-bonus"),
    RuleId("location.note.reinforcements-bonus").
    """
    found: dict[str, LocationRow] = {}
    for name, source in LOCATION_NAMES.items():
        row = next((row for row in rows.locations if same_name(row.name, name)), None)
        if row is not None:
            found[name] = row
        elif rows.are_whole(LOCATIONS):
            findings.add(LOCATIONS, f"no Location is named {name}", f"one (rulebook {source})")
    if KURGAN in found and chart_of(found[KURGAN]) != KURGAN_CHART:
        wanted = "0 to 4: 3 Rations, 5 to 7: 2, 8 to 9: 1, destroyed_at 10 (rulebook Rubble Chart, Destroyed Locations)"
        findings.add((*LOCATIONS, found[KURGAN].at, "chart"), "is another chart", wanted)
    for name, rubble, rations, source in RATIONS_SEEN:
        if name in found and rations_of(found[name], rubble) != rations:
            problem = f"gives {rations_of(found[name], rubble)} with {rubble} Rubble"
            findings.add((*LOCATIONS, found[name].at, "chart"), problem, f"{rations} (rulebook {source})")
    for name, (op, source) in LOCATION_NOTES_SEEN.items():
        if name in found and found[name].note != Op(op, amount=1):
            note = found[name].note
            problem = f"is {note.op} {note.amount}" if note.op else "is missing"
            findings.add((*LOCATIONS, found[name].at, "note"), problem, f"{op} 1 (rulebook {source})")
    for name in (ELEVATOR, DOCKS, PAVLOV):
        # C84, C98.
        if name in found and found[name].note.op == "extra_draw":
            wanted = f"another note: {name} adds no card (rulebook {SAMPLE})"
            findings.add((*LOCATIONS, found[name].at, "note"), "is extra_draw", wanted)
    if rows.are_whole(LOCATIONS):
        _check_all_locations(rows, findings)


def _check_all_locations(rows: CardRows, findings: Findings) -> None:
    """Ask for the chart of the example of supply, and for notes of both kinds: kept and lost. C8, C34."""
    if not any(chart_of(row) == SUPPLY_CHART for row in rows.locations):
        wanted = "one with 0 to 2: 2 Rations, 3 to 5: 1, destroyed_at 6 (rulebook Supply Step)"
        findings.add(LOCATIONS, "no Location has the chart of the example", wanted)
    kept = {row.note_survives for row in rows.locations if row.note.op}
    if kept != {False, True}:
        problem = "every note" if kept == {True} else "no note"
        wanted = "some that do and some that do not (rulebook Destroyed Locations)"
        findings.add(LOCATIONS, f"{problem} survives when its Location is Destroyed", wanted)


def _check_forces(rows: CardRows, findings: Findings) -> None:
    """Ask for the Forces that the text shows.

    Source: RuleId("force.combat"), RuleId("force.starting-rations"), RuleId("force.cost").
    """
    found: dict[str, ForceRow] = {}
    starting = [(name, side, SET_UP) for side, forces in STARTING.items() for name in forces]
    for name, side, source in [*starting, (BOUGHT, RUSSIAN, RUSSIAN_1)]:
        row = next((row for row in rows.forces if row.side == side and same_name(row.name, name)), None)
        if row is not None:
            found[name] = row
        elif rows.are_whole(FORCES):
            findings.add(FORCES, f"no {SIDE_NAMES[side]} Force is named {name}", f"one (rulebook {source})")
    for forces in STARTING.values():
        for name, rations in forces.items():
            _check_figure(found.get(name), "rations", rations, SET_UP, findings)
    _check_figure(found.get(BOUGHT), "rations", 4, RUSSIAN_1, findings)
    _check_figure(found.get(BOUGHT), "cost", 2, RUSSIAN_1, findings)
    for name, (combat, source) in COMBAT_SEEN.items():
        _check_figure(found.get(name), "combat", combat, source, findings)
    for name, (combat, source) in ATTACK_SEEN.items():
        row = found.get(name)
        if row is not None and row.combat + row.note("attack_bonus") != combat:
            problem = f"attacks with {row.combat + row.note('attack_bonus')}"
            findings.add((*FORCES, row.at, "combat"), problem, f"{combat} with its notes (rulebook {source})")
    _check_notes(found, findings)
    _check_sums(found, findings)
    if rows.are_whole(FORCES):
        _check_all_forces(rows, found, findings)


def _check_figure(row: ForceRow | None, field: str, wanted: int, source: str, findings: Findings) -> None:
    """Ask for one figure of a Force that is there."""
    if row is None:
        return
    is_now = {"rations": row.rations, "cost": row.cost, "combat": row.combat}[field]
    if is_now != wanted:
        findings.add((*FORCES, row.at, field), f"is {is_now}", f"{wanted} for the {row.name} (rulebook {source})")


def _check_notes(found: dict[str, ForceRow], findings: Findings) -> None:
    """Ask for the notes that work in the sample game, and against those that would have."""
    for name, (op, source) in NOTES_SEEN.items():
        row = found.get(name)
        if row is not None and row.note(op) != 1:
            problem = f"the {name} has {op} {row.note(op)}" if row.note(op) else f"the {name} has no {op}"
            wanted = f"{op}{' by 1' if op == 'retreat_bonus' else ''} (rulebook {source})"
            findings.add((*FORCES, row.at, "notes"), problem, wanted)
    for name, ops in NOTES_LACKING.items():
        row = found.get(name)
        for op in ops:
            if row is not None and row.note(op):
                wanted = f"no {op}: it would have worked (rulebook {SAMPLE})"
                findings.add((*FORCES, row.at, "notes"), f"the {name} has {op}", wanted)


def _check_sums(found: dict[str, ForceRow], findings: Findings) -> None:
    """Ask for the sums of the sample game: C63, C65, C90, C103, C108.

    That 126th and 248th defend with 5 holds the Heroic Service counter of the 126th, unless the sample game forgot it.
    """
    for side, names in STARTING.items():
        if all(name in found for name in names):
            cost = sum(found[name].cost for name in names)
            if cost != POINTS[side]:
                wanted = f"{POINTS[side]} for {', '.join(names)} (rulebook {SET_UP})"
                findings.add(FORCES, f"the {SIDE_NAMES[side]} Forces of the sample game cost {cost}", wanted)
    if all(name in found for name in (BOUGHT, "248th Rifle", "6th Guards")):
        trio = [found[name] for name in (BOUGHT, "248th Rifle", "6th Guards")]
        attack = sum(row.combat + row.note("attack_bonus") for row in trio)
        if attack != 8:
            problem = f"{', '.join(row.name for row in trio)} attack with {attack}"
            findings.add(FORCES, problem, f"8 together, with their notes (rulebook {RUSSIAN_1})")
        defence = trio[0].combat + trio[1].combat
        if defence not in (4, 5):
            problem = f"{trio[0].name} and {trio[1].name} have Combat {defence}"
            wanted = f"4 together, or 5 if the sample game forgot the Heroic Service counter (rulebook {GERMAN_2})"
            findings.add(FORCES, problem, wanted)
    if all(name in found for name in ("84th Tank", "90th Tank")):
        defence = found["84th Tank"].combat + found["90th Tank"].combat
        if defence != 4:
            problem = f"84th Tank and 90th Tank have Combat {defence}"
            findings.add(FORCES, problem, f"4 together (rulebook {GERMAN_2})")


def _check_all_forces(rows: CardRows, found: dict[str, ForceRow], findings: Findings) -> None:
    """Ask for the Force that followed the 126th in the deck, and for notes as the text describes them. C10, C87."""
    shown_before = [row.at for row in found.values()]
    if not any(row.side == RUSSIAN and row.cost == 3 and row.at not in shown_before for row in rows.forces):
        problem = "no Russian Force costs 3, besides those of the set-up"
        findings.add(FORCES, problem, f"one, which follows the {BOUGHT} (rulebook {RUSSIAN_1})")
    for op in FORCE_NOTES:
        if not any(row.note(op) for row in rows.forces):
            findings.add(FORCES, f"no Force has {op}", "one at least (rulebook Force Cards, Special Notes)")
    if all(row.notes for row in rows.forces):
        findings.add(FORCES, "every Force has notes", "some without (rulebook Force Cards, Special Notes)")
