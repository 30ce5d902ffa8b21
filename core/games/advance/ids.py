"""The words of this game on the table: seats, boxes, tracks, markers, phases, faces, decisions.

How the game lies on the table:

* German units are pieces under their printed names; `face` is `fresh` or `spent`. They stand in an Area ("1" to "50"), in
  the Out of Action Box, with a group that is still to come (`reinforcements/…`), or with withdrawn ones
  (`withdrawn/…`, with the marker `due` counting the turn of their return).
* The Soviet unit of Area 10 is the piece `soviet/10`. Until it is Revealed it has no kind; then its kind is the counter
  drawn from its terrain's mix. An eliminated one goes to the box `eliminated`.
* Support markers lie on `available`, on `used`, or on the Area under attack.
* The event of the turn lies as markers on `event`.
* What an Action Round has to remember are markers too; they are taken off when it ends.
"""

from functools import lru_cache

from events.ids import MarkerId, PieceId, PileId, PlaceId, Seat, TrackId

GERMAN = Seat("german")
SOVIET = Seat("soviet")
"""The side that the rules play; nobody sits there."""

OUT_OF_ACTION = PlaceId("out_of_action")
ELIMINATED = PlaceId("eliminated")
REINFORCEMENTS = "reinforcements/"
"""Prefix of the boxes of groups to come: `reinforcements/t2`, `reinforcements/t7`, `reinforcements/t12`."""
WITHDRAWN = "withdrawn/"
"""Prefix of the boxes of withdrawn divisions: `withdrawn/29`, `withdrawn/14`."""

AVAILABLE = "available"
USED = "used"
AIR = MarkerId("air")
ARTILLERY = MarkerId("artillery")
ENGINEER = MarkerId("engineer")
SUPPORT = (ARTILLERY, ENGINEER, AIR)

MORALE = TrackId("morale")
SUPPLY = TrackId("supply")
CONTROL_COUNT = TrackId("control_count")

FRESH = "fresh"
SPENT = "spent"
UNREVEALED = "unrevealed"
REVEALED = "revealed"

DAWN = "dawn"
RANDOM_EVENT = "random_event"
SUPPLY_PHASE = "supply"
COMBAT = "combat"
END = "end"

EVENT = "event"
"""Where the markers of the event in force lie."""
AIR_BAN = MarkerId("air_ban")
SHELL_SHORTAGES = MarkerId("shell_shortages")
COMMISSARS = MarkerId("commissars")
RAIN = MarkerId("rain")
REDUCED_SUPPLY = MarkerId("reduced_supply")
ROLL = MarkerId("roll")
"""On `event`: the roll whose row of the chart is in force. The count of the other markers is the figure of their effect:
what an Artillery marker adds, what Commissars add, the MF that Rain leaves, the dice of the supply roll."""
PAUSE = "pause/"
"""Prefix of a marker on `event`: `pause/71` keeps the 71st Division from acting."""
WAS_WITHDRAWN = MarkerId("was_withdrawn")
"""On a division's box `withdrawn/…`: it has been withdrawn once."""
DUE = MarkerId("due")
"""On a box `reinforcements/…` or `withdrawn/…`: the turn from which on its units may enter."""

ISOLATED = MarkerId("isolated")
"""On a Soviet unit."""
STRATEGY_IN_FORCE = MarkerId("strategy_in_force")
"""On a Soviet unit from its reveal to the end of that attack."""

ACTIVE = MarkerId("active")
"""On the Active Area; and on each German unit that stood in it when it was activated."""
CONTESTED_AT_ACTIVATION = MarkerId("contested_at_activation")
"""On each Area that was Contested when the Active Area was chosen."""
ATTACKED = MarkerId("attacked")
"""On each Area that was attacked in this Action Round."""
MOVED = MarkerId("moved")
"""On each unit that has moved in this Action Round."""
MOVING = MarkerId("moving")
"""On the unit that is moving now; its count is the Movement Factor left plus one."""
ENTERED_FROM = "entered_from/"
"""Prefix of a marker on a unit that entered a Soviet-occupied Area: `entered_from/8`."""
ACTIVATIONS = MarkerId("activations")
"""On an Area: how often it was activated in this Combat Phase (option `area_activations_per_turn`)."""

ATTACKING = MarkerId("attacking")
"""On each unit that takes part in the attack being resolved."""
LEAD = MarkerId("lead")
MANDATORY = MarkerId("mandatory")
"""On the Area under attack if the attack there is a Mandatory Attack."""
RETREATING = MarkerId("retreating")
"""On each unit that still has to retreat."""
RESULT = "result/"
"""Prefix of a marker on the Area under attack, from the dice to the end of the attack: `result/success`."""
FACTOR = MarkerId("isolation_factor")
"""On the Area under attack: the Defense Factor after the isolation roll, plus one."""


@lru_cache(maxsize=256)
def soviet_unit(area: PlaceId) -> PieceId:
    """Return the id of the Soviet unit of an Area."""
    return PieceId(f"soviet/{area}")


@lru_cache(maxsize=256)
def pause(division: str | None) -> MarkerId:
    """Return the marker on `event` that keeps a division from acting."""
    return MarkerId(f"{PAUSE}{division}")


def mix(terrain: str) -> PileId:
    """Return the pile of counters of a terrain that have not been Revealed yet."""
    return PileId(f"mix/{terrain}")
