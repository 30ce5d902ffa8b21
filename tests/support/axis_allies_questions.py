"""Single questions of the fourth game for tests: a bare table at which a side is asked something."""

from collections.abc import Mapping, Sequence

from core.games.axis_allies.ids import ALLIES, AXIS, FROZEN, PHASES, RPC, round_space
from core.games.axis_allies.memory import MISSION, MOVE, MOVED
from events.ids import MarkerId, PlaceId, Side
from events.vocabulary import Value
from projections.state.table import Table
from tests.support.axis_allies import SCENE, bare


def asking(
    kind: str,
    side: Side,
    card: int,
    number: int = 3,
    *,
    control: Sequence[str] = (),
    units: Mapping[str, Mapping[str, int]] | None = None,
    held: Mapping[str, Mapping[str, int]] | None = None,
    markers: Mapping[str, MarkerId] | None = None,
    ferries: Sequence[str] = (),
    flying: Sequence[str] = (),
    moved: Sequence[str] = (),
    options: Mapping[str, Value] | None = None,
    rpcs: int = 0,
    missions: Mapping[str, str] | None = None,
    is_bad_weather: bool = False,
    **about: Value,
) -> Table:
    """Return a table at which a side is asked something in the phase of an Order Card; units of `moved` places have moved."""
    draft = bare({AXIS: control}, units, held, markers, ferries, flying, options=options)
    draft.begin_round(number, SCENE)
    draft.begin_turn(AXIS if card < 7 else ALLIES, SCENE)
    draft.begin_phase(PHASES[card], SCENE)
    for place in moved:
        for piece in draft.table.pieces_at(PlaceId(place)):
            MOVE.set(draft, piece, MOVED, SCENE)
    for name, mission in (missions or {}).items():
        MISSION.set(draft, name, mission, SCENE)
    if is_bad_weather:
        draft.mark(round_space(number), FROZEN, SCENE)
    draft.track(RPC[side], rpcs, SCENE)
    draft.ask(kind, draft.table.seat_of(side), SCENE, about)
    return draft.table
