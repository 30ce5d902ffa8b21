"""The words of this game on the table: seats, boxes, tracks, markers, phases, faces, decisions.

How the game lies on the table:

* German units are pieces under their printed names; `face` is `fresh` or `spent`. They stand in an Area ("1" to "50"), in
  the Out of Action Box, with a group that is still to come (`reinforcements/…`), or with withdrawn ones
  (`withdrawn/…`).
* The Soviet unit of Area 10 is the piece `soviet/10`. Until it is Revealed it has no kind; then its kind is the counter
  drawn from its terrain's mix. An eliminated one goes to the box `eliminated`.
* Support markers lie on `available`, on `used`, or on the Area under attack.
* What the rules remember besides, such as the event of the turn, are attributes (`memory`).
"""

from collections.abc import Callable

from core.engine.id_families import id_family
from events.ids import MarkerId, PieceId, PileId, PlaceId, Seat, Side, TrackId

PACKAGE = __package__
"""The package that holds the game's rules and data, wherever it is installed."""
AREA = "Area"
"""What goes before the number of a place in sentences."""

GERMAN = Side("german")
SOVIET = Side("soviet")
"""The side that the rules play; no seat does."""

GERMAN_SEAT = Seat("german")
"""The only seat: it plays the German side."""

OUT_OF_ACTION = PlaceId("out_of_action")
ELIMINATED = PlaceId("eliminated")

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

ISOLATED = MarkerId("isolated")
"""On a Soviet unit."""


PAVLOV_AREA = PlaceId("14")
"""Where 14.5.2 puts Pavlov's House."""


soviet_unit: Callable[[PlaceId], PieceId] = id_family("soviet/{}", PieceId)
"""Returns the id of the Soviet unit of an Area."""
division_id: Callable[[str | None], str] = id_family("division/{}", str)
"""Returns the id of a division among what the rules remember: its printed number may be that of an Area as well."""
withdrawn_box: Callable[[str], PlaceId] = id_family("withdrawn/{}", PlaceId)
"""Returns the box in which a withdrawn division waits. Source: 6.2.1."""
mix: Callable[[str], PileId] = id_family("mix/{}", PileId)
"""Returns the pile of counters of a terrain that have not been Revealed yet."""


def reinforcement_box(tag: str) -> PlaceId:
    """Return the box in which a group waits that is marked T2, T7 or T12. Source: 5.3.2."""
    return PlaceId(f"reinforcements/{tag.lower()}")
