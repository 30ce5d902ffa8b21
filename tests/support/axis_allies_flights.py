"""Air units of the fourth game for tests: those that were given a move, and the phases that follow."""

from collections.abc import Mapping, Sequence

from core.engine.draft import Draft
from core.games.axis_allies.ids import AXIS, FLYING, FROZEN, GROUND, PHASES, round_space
from core.games.axis_allies.memory import MISSION, STAY
from core.games.axis_allies.rules.queries import free_unit
from events.ids import MarkerId, PieceId, PlaceId, Side
from events.vocabulary import DiceRolled, Event, PieceRemoved, Value
from tests.support.axis_allies import BOARD, SCENE, bare

ROUND = 6
Flight = tuple[str, str, str]
"""The kind of an air unit, where it flies, and its mission."""


def flights(
    phase: int,
    side: Side = AXIS,
    flown: Sequence[Flight] = (),
    units: Mapping[str, Mapping[str, int]] | None = None,
    control: Sequence[str] = (),
    held: Mapping[str, Mapping[str, int]] | None = None,
    markers: Mapping[str, MarkerId] | None = None,
    ferries: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
    *,
    is_bad_weather: bool = False,
) -> Draft:
    """Return the phase of an Order Card after a side has flown."""
    draft = bare({AXIS: list(control)}, units, held, markers, ferries, options=options)
    draft.begin_round(ROUND, SCENE)
    if is_bad_weather:
        draft.mark(round_space(ROUND), FROZEN, SCENE)
    draft.begin_turn(side, SCENE)
    for kind, place, mission in flown:
        piece = free_unit(draft.table, kind)
        face = GROUND if mission == STAY else FLYING
        draft.place(piece, PlaceId(place), SCENE, kind=kind, side=BOARD.units[kind].side, face=face)
        MISSION.set(draft, piece, mission, SCENE)
    draft.begin_phase(PHASES[phase], SCENE)
    return draft


def board_cargo(draft: Draft, bomber: str, kind: str) -> None:
    """Put a unit aboard a bomber."""
    piece = free_unit(draft.table, kind)
    draft.place(piece, PlaceId(bomber), SCENE, kind=kind, side=BOARD.units[kind].side)


def rolled(events: Sequence[Event]) -> list[tuple[str, int, str]]:
    """Return the target, the number of dice and the rule of each roll."""
    return [(event.about, len(event.faces), event.rule) for event in events if isinstance(event, DiceRolled)]


def lost(events: Sequence[Event]) -> list[tuple[PieceId, str]]:
    """Return which pieces were removed under which rules."""
    return [(event.piece, event.rule) for event in events if isinstance(event, PieceRemoved)]
