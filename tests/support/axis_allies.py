"""The fourth game for tests: its board, and tables that are made in a few words.

    table = charts("race")
    table = bare(control={"axis": ["kalach"]}, units={"kalach": {"ger_tank": 2}}, ferries=["crossing_white"])

A bare table has all supply tokens in the pools and no units but those named; the Allies control what is not named, bases aside.
"""

from collections.abc import Mapping, Sequence

from core.chance import ManualChance
from core.draft import Draft
from core.games.axis_allies.components.board import BOARD_FILE
from core.games.axis_allies.ids import (
    ALLIES,
    AXIS,
    FERRY,
    FLYING,
    GROUND,
    PLAYS,
    POOL,
    RACE,
    SIDES,
    STANDARD,
    SUPPLY,
    token,
)
from core.games.axis_allies.options import DEFAULTS
from core.games.axis_allies.rules.queries import free_unit, tokens
from core.games.axis_allies.rules.set_up import lay_out
from core.games.axis_allies.rules.supply import Supply
from events.ids import GameKey, MarkerId, PlaceId, RuleId, Side
from events.vocabulary import ChanceScheme, MatchBegan, MatchOpened, Value
from projections.table import Table

BOARD = BOARD_FILE.load()
SUPPLY_LINES = Supply(BOARD)
SCENE = RuleId("setup.scenario-choice")


def opened(scenario: str = RACE, mode: str = STANDARD, options: Mapping[str, Value] | None = None) -> Draft:
    """Return the draft of a match that has just begun, with nothing on the table."""
    draft = Draft(Table(), ManualChance())
    draft.emit(
        MatchOpened(
            rule=RuleId("match.open"),
            game=GameKey("axis_allies"),
            edition="0.1",
            scenario=scenario,
            mode=mode,
            options={**DEFAULTS, **(options or {})},
            sides=SIDES,
            seats=tuple(PLAYS[mode]),
            plays=PLAYS[mode],
            rules=BOARD.source.digest,
            board=BOARD.source.digest,
            chance=ChanceScheme(scheme="manual/1"),
        )
    )
    draft.emit(MatchBegan(rule=RuleId("match.begin")))
    return draft


def charts(scenario: str = RACE) -> Draft:
    """Return the draft of a match whose set-up charts are laid out."""
    draft = opened(scenario)
    lay_out(draft, BOARD, SUPPLY_LINES)
    return draft


def bare(
    control: Mapping[str, Sequence[str]] | None = None,
    units: Mapping[str, Mapping[str, int]] | None = None,
    held: Mapping[str, Mapping[str, int]] | None = None,
    markers: Mapping[str, MarkerId] | None = None,
    ferries: Sequence[str] = (),
    flying: Sequence[str] = (),
    scenario: str = RACE,
    options: Mapping[str, Value] | None = None,
) -> Draft:
    """Return the draft of a table made of what is named.

    Args:
        control: Side to zones.
        units: Place to unit types with their numbers.
        held: Side to zones with the number of its supply tokens there.
        markers: Place to a marker.
        ferries: The crossings with a ferry.
        flying: The places whose air units are in the air.
        scenario: The scenario.
        options: Options that differ from the defaults.
    """
    draft = opened(scenario, options=options)
    own = {zone: Side(side) for side, zones in (control or {}).items() for zone in zones}
    for zone, there in BOARD.zones.items():
        draft.control(zone, there.base or own.get(zone, ALLIES), SCENE)
    for number in range(1, BOARD.components.supply_tokens + 1):
        side = AXIS if number <= BOARD.components.axis_tokens else ALLIES
        draft.place(token(number), POOL[side], SCENE, kind=SUPPLY, side=side)
    for crossing in ferries:
        draft.mark(crossing, FERRY, SCENE)
    for place, marker in (markers or {}).items():
        draft.mark(place, marker, SCENE)
    for place, kinds in (units or {}).items():
        for kind, number in kinds.items():
            face = (FLYING if place in flying else GROUND) if BOARD.units[kind].is_air else ""
            for _ in range(number):
                piece = free_unit(draft.table, kind)
                draft.place(piece, PlaceId(place), SCENE, kind=kind, side=BOARD.units[kind].side, face=face)
    for side_, zones in (held or {}).items():
        for zone_, number in zones.items():
            for piece in tokens(draft.table, POOL[Side(side_)], Side(side_))[:number]:
                draft.move(piece, PlaceId(zone_), SCENE)
    return draft


def control_but(*zones: str) -> list[str]:
    """Return all zones but these, bases aside."""
    return [zone for zone, there in BOARD.zones.items() if there.base is None and zone not in zones]
