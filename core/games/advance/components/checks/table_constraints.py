"""What the rulebook's text demands of the Random Event Charts, and of what a file says about its sources."""

import itertools
from collections import Counter
from collections.abc import Mapping

from core.board_file import Findings, shown, some_of
from core.board_rows import at_path
from core.games.advance.components.board_model import (
    ArtilleryBonus,
    Effect,
    MovementCap,
    NoAirPlacement,
    PauseDivisions,
    SovietDefence,
    SupplyDice,
    WithdrawDivision,
)
from core.games.advance.components.board_rows import DIVISIONS, FACTORY_CHART, MAIN_CHART, UNITS, BoardRows, ChartRow
from core.games.advance.components.checks.board_schema import NO_RESULT_ON_TURN_1
from core.toml_lines import Path
from events.codec import Struct
from events.ids import PlaceId

ROLLS = range(3, 19)
WAYS = Counter(sum(faces) for faces in itertools.product(range(1, 7), repeat=3))
"""How many of the 216 throws of three dice give each sum."""

BREAKTHROUGH_64 = "64th Army Breakthrough"
SHELL_SHORTAGES = "Artillery Shell Shortages"
MOST_COMMON = ("Commissars", SHELL_SHORTAGES, "Logistical Pause")
"""Source: 16.1."""

BUILT_IN_WORDS = ("rulebook", "rulebook-derived", "rulebook-ocr", "reconstructed", "history", "owner")
"""Provenance words that need no explanation in the file."""

_NO_AIR: tuple[Effect, ...] = (NoAirPlacement(),)
_RAIN: tuple[Effect, ...] = (NoAirPlacement(), MovementCap(4))
_SHORTAGE: tuple[Effect, ...] = (ArtilleryBonus(1),)
_COMMISSARS: tuple[Effect, ...] = (SovietDefence(1),)

FACTORY_EVENTS: tuple[tuple[int, int, str, tuple[Effect, ...]], ...] = (
    (3, 3, BREAKTHROUGH_64, (WithdrawDivision("14", (), 1, -1),)),
    # The name of this event is lost but for its last word, so it is not asked for.
    (4, 4, "", _NO_AIR),
    (5, 6, SHELL_SHORTAGES, _SHORTAGE),
    (7, 8, "Rain", _RAIN),
    (9, 12, "Commissars", _COMMISSARS),
    (13, 14, "Rain", _RAIN),
    (15, 16, SHELL_SHORTAGES, _SHORTAGE),
    (17, 17, "66th Army Offensive", _NO_AIR),
    (18, 18, "66th Army Breakthrough", (SupplyDice(2), NoAirPlacement())),
)
"""The Factory District Scenario's chart: rolls, event, effects. Source: 14.6.1."""

MAIN_BREAKTHROUGH = WithdrawDivision("29", (PlaceId("5"), PlaceId("6")), 1, -1)
"""Source: 6.2.1."""


def check_tables(plain: dict[str, object], rows: BoardRows, findings: Findings) -> None:
    """Note everything about the charts and the provenance that contradicts the text or itself."""
    for path, chart in ((MAIN_CHART, rows.main_chart), (FACTORY_CHART, rows.factory_chart)):
        _check_rolls(path, chart, findings, is_whole=rows.are_whole(path))
        _check_divisions(path, chart, rows, findings)
    if rows.are_whole(MAIN_CHART):
        _check_main(rows.main_chart, findings)
    if rows.are_whole(FACTORY_CHART):
        _check_factory(rows.factory_chart, findings)
    _check_provenance(plain, findings)


def row_at(chart: tuple[ChartRow, ...], roll: int) -> ChartRow | None:
    """Return the first row of a chart for a roll, or None."""
    return next((row for row in chart if row.roll[0] <= roll <= row.roll[1]), None)


def _check_rolls(path: Path, chart: tuple[ChartRow, ...], findings: Findings, *, is_whole: bool) -> None:
    """Ask for exactly one row for each roll of three dice. Source: 6.2, 14.6.1."""
    for row in chart:
        if row.roll[0] > row.roll[1]:
            findings.add((*path, row.at, "roll"), f"is {shown(list(row.roll))}", "the lower roll first")
    covered = Counter(roll for row in chart for roll in range(row.roll[0], row.roll[1] + 1))
    for roll in ROLLS:
        if covered[roll] > 1 or (is_whole and not covered[roll]):
            findings.add(path, f"{covered[roll]} rows are for a roll of {roll}", "one row for each roll from 3 to 18")


def _check_divisions(path: Path, chart: tuple[ChartRow, ...], rows: BoardRows, findings: Findings) -> None:
    """Ask that events name divisions that exist, and that a pause stops some but not all. Source: 16.1."""
    if not rows.are_whole(DIVISIONS, UNITS):
        return
    known = {division.id for division in rows.divisions}
    in_play = {unit.division for unit in rows.units if unit.setup != "-"} - {"-"}
    for row in chart:
        for number, effect in enumerate(row.effects):
            where = (*path, row.at, "effects", number)
            if isinstance(effect, WithdrawDivision) and effect.division not in known:
                findings.add((*where, "division"), f"is {shown(effect.division)}", "a division of german_divisions")
            if isinstance(effect, PauseDivisions):
                unknown = sorted(set(effect.divisions) - known)
                if unknown:
                    findings.add((*where, "divisions"), f"has {shown(unknown)}", "divisions of german_divisions")
                if path == MAIN_CHART and in_play <= set(effect.divisions):
                    findings.add((*where, "divisions"), "has every division", "a part of the force (rulebook 16.1)")


def _check_main(chart: tuple[ChartRow, ...], findings: Findings) -> None:
    """Ask for what the text says about the main game's chart. Source: 6.2.1, 10.1, 13.2, 16.1."""
    three, four, fifteen = (row_at(chart, roll) for roll in (3, 4, 15))
    if three is not None and not _is_event(three, BREAKTHROUGH_64, (MAIN_BREAKTHROUGH,)):
        wanted = f"{BREAKTHROUGH_64}: the 29th is withdrawn and returns next turn in 5 or 6 (rulebook 6.2.1)"
        findings.add((*MAIN_CHART, three.at), f"a roll of 3 is {shown(three.event)} with other effects", wanted)
    if three is not None and three.repeat_as != 4:
        findings.add((*MAIN_CHART, three.at, "repeat_as"), f"is {three.repeat_as}", "4 (rulebook 6.2.1)")
    if three is not None and four is not None and three.event == four.event:
        wanted = "another event than on a 3 (rulebook 6.2.1)"
        findings.add((*MAIN_CHART, four.at, "event"), f"a roll of 4 is {shown(four.event)}", wanted)
    if fifteen is not None and not _is_event(fifteen, SHELL_SHORTAGES, _SHORTAGE):
        wanted = f"{SHELL_SHORTAGES}: an Artillery marker adds 1 (rulebook 13.2)"
        findings.add((*MAIN_CHART, fifteen.at), f"a roll of 15 is {shown(fifteen.event)} with other effects", wanted)
    names = {row.event for row in chart}
    for name, source in (*((name, "10.1") for name in NO_RESULT_ON_TURN_1), *((name, "16.1") for name in MOST_COMMON)):
        if name not in names:
            findings.add(MAIN_CHART, f"no row is {name}", f"one (rulebook {source})")
    ways: Counter[str] = Counter()
    for row in chart:
        ways[row.event] += sum(WAYS[roll] for roll in range(row.roll[0], row.roll[1] + 1))
    common = ways.most_common(1)
    if common and common[0][0] not in MOST_COMMON:
        wanted = f"one of {', '.join(MOST_COMMON)} (rulebook 16.1)"
        findings.add(MAIN_CHART, f"the most common event is {shown(common[0][0])}", wanted)


def _check_factory(chart: tuple[ChartRow, ...], findings: Findings) -> None:
    """Ask for the printed chart of the Factory District Scenario. Source: 14.6.1."""
    for low, high, name, effects in FACTORY_EVENTS:
        for roll in range(low, high + 1):
            row = row_at(chart, roll)
            if row is not None and not _is_event(row, name or row.event, effects):
                wanted = f"{name or 'an Offensive'}: {_listed(effects)} (rulebook 14.6.1)"
                problem = f"a roll of {roll} is {shown(row.event)}: {_listed(row.effects)}"
                findings.add((*FACTORY_CHART, row.at), problem, wanted)


def _is_event(row: ChartRow, name: str, effects: tuple[Effect, ...]) -> bool:
    """Compare an event, whatever the order of its effects."""
    return row.event == name and len(row.effects) == len(effects) and all(effect in row.effects for effect in effects)


def _listed(effects: tuple[Effect, ...]) -> str:
    """Name effects as the file does."""
    return ", ".join(_written(effect) for effect in effects) or "no effect"


def _written(effect: Effect) -> str:
    match effect:
        case WithdrawDivision():
            return f"withdraw_division {effect.division}"
        case NoAirPlacement():
            return "no_air_placement"
        case ArtilleryBonus():
            return f"artillery_bonus {effect.value}"
        case PauseDivisions():
            return f"pause_divisions {' '.join(effect.divisions)}"
        case SovietDefence():
            return f"soviet_defence {effect.value}"
        case SupplyDice():
            return f"supply_dice {effect.value}"
        case MovementCap():
            return f"movement_cap {effect.value}"


def _check_provenance(plain: dict[str, object], findings: Findings) -> None:
    """Ask that every provenance is a word that is explained, followed by known sources or rulebook sections."""
    own, sources = at_path(plain, ("provenance", "words")), at_path(plain, ("sources",))
    explained = dict.fromkeys((*BUILT_IN_WORDS, *(own if isinstance(own, dict) else ())))
    words = _Words(explained, sources if isinstance(sources, dict) else {}, f"one of {some_of(explained)}")
    # The walk keeps its own stack: a file may nest deeper than calls can.
    waiting: list[tuple[Path, object]] = [((key,), node) for key, node in plain.items() if key != "provenance"]
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, list):
            waiting.extend(((*path, index), one) for index, one in enumerate(node))
        elif isinstance(node, dict):
            for key, one in node.items():
                if key not in ("provenance", "prov"):
                    waiting.append(((*path, key), one))
                elif isinstance(one, dict):
                    for name, word in one.items():
                        _check_word(words, word, (*path, key, name), findings)
                else:
                    _check_word(words, one, (*path, key), findings)


class _Words(Struct, frozen=True):
    """The words and sources that a file explains, and the words once more as a defect lists them."""

    explained: Mapping[str, object]
    sources: Mapping[str, object]
    listed: str


def _check_word(words: _Words, value: object, path: Path, findings: Findings) -> None:
    """Check one provenance; anything but text is a defect of form and has been noted."""
    if not isinstance(value, str) or not value.strip():
        return
    word, *keys = value.split()
    if word not in words.explained:
        findings.add(path, f"begins with {shown(word)}", words.listed)
    unknown = [key for key in keys if key not in words.sources]
    if unknown:
        findings.add(path, f"names {shown(unknown[0])}", "keys of [sources] after the first word")
    if word == "history" and not keys:
        findings.add(path, "names no source", "a key of [sources] after history")
