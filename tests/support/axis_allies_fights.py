"""Fights of the fourth game for tests: a contested zone in an Attack phase, with what each side can trace to it.

In Kalach both sides are supplied, in the city and in Pitomnik only the Allies are, as when a Race to Stalingrad begins.
"""

from collections.abc import Mapping

from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.steps import StepSequence
from core.games.axis_allies.ids import ASSAULT, AXIS, FROZEN, round_space
from core.games.axis_allies.rules.combat import MANDATORY, Combats
from events.ids import MarkerId, PlaceId, Side
from events.vocabulary import DiceRolled, Event, PieceRemoved, Value
from tests.support.axis_allies import BOARD, SCENE, Scene, bare

COMBATS = Combats(BOARD)
PHASE = StepSequence("attack", MANDATORY, [COMBATS.step])
RULES = DecisionRules(COMBATS.decisions, sequences=(PHASE, *COMBATS.sequences))
ROUND = 3

KALACH = PlaceId("kalach")
PITOMNIK = PlaceId("pitomnik")
RACE_CONTROL = BOARD.scenarios["race"].axis_control


def attack_phase(draft: Draft, side: Side = AXIS) -> Draft:
    """Begin the Attack phase of a side."""
    draft.begin_round(ROUND, SCENE)
    draft.begin_turn(side, SCENE)
    draft.begin_phase(f"{side}_attack", SCENE)
    return draft


def contested(
    units: Mapping[str, int],
    zone: str = KALACH,
    marker: MarkerId = ASSAULT,
    side: Side = AXIS,
    *,
    held: Mapping[str, Mapping[str, int]] | None = None,
    control: tuple[str, ...] = (),
    flying: bool = True,
    is_bad_weather: bool = False,
    options: Mapping[str, Value] | None = None,
) -> Draft:
    """Return a contested zone with units in the Attack phase of a side; the Axis also controls `control`."""
    draft = bare(
        {AXIS: [*RACE_CONTROL, *control]},
        {zone: units},
        held,
        {zone: marker},
        flying=[zone] if flying else [],
        options=options,
    )
    if is_bad_weather:
        draft.mark(round_space(ROUND), FROZEN, SCENE)
    return attack_phase(draft, side)


def fought(draft: Draft, *dice: int) -> Scene:
    """Begin the combats of a phase with exactly these dice, and go on to the first question."""
    scene = Scene(draft, RULES)
    scene.run(PHASE.begin, dice)
    return scene


def throws(events: list[Event]) -> list[tuple[int, int | None, list[int]]]:
    """Return of each roll the number of dice, the printed value and what is added to it."""
    return [
        (len(event.faces), event.needed, [part.amount for part in event.modifiers])
        for event in events
        if isinstance(event, DiceRolled)
    ]


def removed(events: list[Event]) -> list[str]:
    """Return the pieces that were removed, in their order."""
    return [event.piece for event in events if isinstance(event, PieceRemoved)]
