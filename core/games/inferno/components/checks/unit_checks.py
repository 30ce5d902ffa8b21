"""Consistency of the blocks of a board file: numbers, names, edges, and the units and examples of the text."""

from collections import Counter
from collections.abc import Iterable

from core.file_checks.shared_checks import check_ids, in_number_order
from core.games.inferno.components.board_records import (
    AA,
    DESTROYER,
    GUARDS,
    INFANTRY,
    MARINE,
    MOTORIZED,
    PANZER,
    PANZER_GRENADIER,
    TANK,
    URBAN,
    WHITE,
    BlockRow,
    BoardFile,
    SovietRow,
)
from core.toml.findings import Findings, plain_name, shown
from core.toml.toml_lines import Path

HEXES: Path = ("hexes", "rows")
GERMANS: Path = ("german_blocks", "rows")
SOVIETS: Path = ("soviet_blocks", "rows")

STARTS_IN_TEXT = {"2nd": "W", "64th": "W", "79th": "W", "120th": "X"}
"""The regiments whose hex the text gives. Source: setup.step-8."""

SPECIAL_UNITS = ((AA, "1077th AA Regiment"), (DESTROYER, "20th Destroyer Brigade"))
"""Source: components.soviet-blocks."""

SIXTH_PANZER = "6th Panzer Division"


def check_units(file: BoardFile, findings: Findings) -> None:
    """Note what is wrong with the blocks."""
    _check_numbers(file, findings)
    _check_names(file, findings)
    _check_edges(file, findings)
    _check_named_units(file, findings)
    _check_examples(file, findings)


def _check_numbers(file: BoardFile, findings: Findings) -> None:
    """Ask for as many hexes and blocks of each kind as the text counts.

    Source: components.urban-hexes, components.setup-hexes, components.german-blocks,
    components.soviet-blocks, components.r-units, units.blitz-kinds.
    """
    base = [row for row in file.german_blocks.rows if not row.is_axe]
    german = Counter[str](row.kind for row in base)
    soviet = Counter[str](row.pool for row in file.soviet_blocks.rows)
    found = (
        (HEXES, sum(row.terrain == URBAN for row in file.hexes.rows), 27, "Urban hexes"),
        (HEXES, sum(row.is_setup for row in file.hexes.rows), 23, "Setup hexes"),
        (GERMANS, len(file.german_blocks.rows), 40, "German blocks"),
        (GERMANS, len(file.german_blocks.rows) - len(base), 3, "blocks with an axe"),
        (GERMANS, sum(row.is_r_unit for row in file.german_blocks.rows), 5, "R units"),
        (GERMANS, german[PANZER], 4, "Panzers without an axe"),
        (GERMANS, german[PANZER_GRENADIER], 6, "Panzer Grenadiers without an axe"),
        (GERMANS, german[MOTORIZED], 3, "German Motorized units"),
        (SOVIETS, soviet[INFANTRY], 38, "Soviet Infantry"),
        (SOVIETS, sum(row.kind == GUARDS for row in file.soviet_blocks.rows), 4, "Guards"),
        (SOVIETS, soviet[TANK], 13, "Soviet Tanks"),
        (SOVIETS, soviet[MARINE], 2, "Marines"),
    )
    for path, number, wanted, what in found:
        if number != wanted:
            findings.contradict(path, f"has {number} {what}", f"{wanted} (rulebook: Units, The Map)")


def _check_names(file: BoardFile, findings: Findings) -> None:
    """Ask for an id and a name of its own for each block, and for a name of its own for each hex that has one."""
    blocks = [((*path, index), row) for path, rows in _blocks(file) for index, row in enumerate(rows)]
    check_ids(findings, [(path, row.id) for path, row in blocks])
    hexes = [((*HEXES, index), row) for index, row in enumerate(file.hexes.rows) if row.name]
    for named in (blocks, hexes):
        first: dict[str, str] = {}
        for path, row in named:
            other = first.setdefault(plain_name(row.name), row.id)
            if other != row.id:
                findings.add((*path, "name"), f"is {shown(row.name)}, as of {other}", "a name of its own")


def _check_edges(file: BoardFile, findings: Findings) -> None:
    """Ask for edges from full strength down to 1 by single steps, then edges without dots. Source: strength.dots."""
    for path, rows in _blocks(file):
        for index, row in enumerate(rows):
            dots = [edge.strength for edge in row.steps]
            if not dots[0] or dots != [max(dots[0] - turned, 0) for turned in range(4)]:
                wanted = 'dots that fall by one to 1, then "-" (rulebook: Strength)'
                findings.add((*path, index, "edges"), f"is {shown(list(row.edges))}", wanted)


def _check_named_units(file: BoardFile, findings: Findings) -> None:
    """Ask for the units that the text names, where it puts them. Source: setup.step-8, components.r-units."""
    starts = {row.name.split()[0]: row for row in file.german_blocks.rows if row.start is not None}
    for number, place in STARTS_IN_TEXT.items():
        found = starts.get(number)
        if found is None or found.start != place:
            findings.contradict(GERMANS, f"the {number} does not begin in {place}", "it does (rulebook: Setup, step 8)")
    for index, row in enumerate(file.german_blocks.rows):
        if row.start is not None and row.name.split()[0] not in STARTS_IN_TEXT:
            wanted = f"none, but for the {in_number_order(STARTS_IN_TEXT)} (rulebook: Setup, step 8)"
            findings.contradict((*GERMANS, index, "start"), f"is {shown(row.start)}", wanted)
        if row.is_axe and (plain_name(row.formation) != plain_name(SIXTH_PANZER) or row.colour != WHITE):
            problem = f"a block with an axe is {row.colour}, of {shown(row.formation)}"
            findings.contradict((*GERMANS, index), problem, f"white, of the {SIXTH_PANZER} (rulebook: Setup, step 1)")
    for kind, name in SPECIAL_UNITS:
        found_names = [plain_name(row.name) for row in file.soviet_blocks.rows if row.kind == kind]
        if found_names != [plain_name(name)]:
            findings.contradict(
                SOVIETS, f"{len(found_names)} blocks are of the kind {kind}", f"one, the {name} (rulebook)"
            )
    for kind in ("workers", MOTORIZED):
        if not any(row.kind == kind for row in file.soviet_blocks.rows):
            findings.contradict(SOVIETS, f"no block is of the kind {kind}", "at least one (rulebook: Units)")


def _check_examples(file: BoardFile, findings: Findings) -> None:
    """Ask that the blocks of the text's examples can be found.

    Source: strength.dots, firepower.per-edge, ai.adjust-no-dot.
    """
    soviets = file.soviet_blocks.rows
    base = [row for row in file.german_blocks.rows if not row.is_axe]
    if not any(row.pool == INFANTRY and row.edges.count("-") == 1 for row in soviets):
        wanted = "one at least (rulebook: example of a block without dots)"
        findings.contradict(SOVIETS, "no Infantry has exactly one edge without dots", wanted)
    shown_edges = {edge for row in (*base, *soviets) for edge in row.edges}
    for firepower in ("SF", "DF", "TF"):
        if f"3{firepower}" not in shown_edges:
            findings.contradict(GERMANS, f"no block shows 3{firepower}", "one at least (rulebook: Firepower)")
    if not _can_show(soviets, blocks=4, single=5, double=3):
        wanted = "five dots of Single and three of Double Fire (rulebook: example of Urban combat)"
        findings.contradict(SOVIETS, "no four blocks can show the dice of the example", wanted)
    if sum(sorted((row.steps[0].strength for row in base), reverse=True)[:16]) < 32:
        wanted = "32 dots at least (rulebook: example of Urban combat)"
        findings.contradict(GERMANS, "the sixteen strongest blocks have fewer dots than the example", wanted)


def _can_show(rows: Iterable[SovietRow], *, blocks: int, single: int, double: int) -> bool:
    """Return whether some blocks can show dots of Single and of Double Fire in these numbers, and no others."""
    reached = {(0, 0, 0)}
    for row in rows:
        before = tuple(reached)
        for edge in [edge for edge in row.steps if edge.firepower in ("SF", "DF")]:
            more, other = (edge.strength, 0) if edge.firepower == "SF" else (0, edge.strength)
            reached |= {
                (taken + 1, one + more, two + other)
                for taken, one, two in before
                if taken < blocks and one + more <= single and two + other <= double
            }
    return (blocks, single, double) in reached


def _blocks(file: BoardFile) -> tuple[tuple[Path, tuple[BlockRow, ...]], ...]:
    return (GERMANS, file.german_blocks.rows), (SOVIETS, file.soviet_blocks.rows)
