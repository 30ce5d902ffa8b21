"""Memory of the rules of this game between two commands.

Every attribute of this game is declared here. What lies on the printed table, such as Rubble and the leader blocks, is not memory
but a marker (`ids`).
"""

from collections.abc import Mapping

from core.components.inventory import SEAT, SIDE, Inventory, Memory
from core.engine.attributes import Attribute, Number
from core.games.inferno.components.board_model import Board
from core.games.inferno.components.inventory import (
    AIRSTRIKE,
    HEX,
    POOL_UNIT,
    RAUS_BOX,
    REMOVED_BOX,
    URBAN_HEX,
    block_group,
    inventory,
)
from core.games.inferno.components.inventory import POOL as POOL_GROUP
from core.games.inferno.ids import GERMAN, SOVIET
from core.games.inferno.options import DESIGNERS_WAY, OFF, PIONEER_672_EXTRA
from events.ids import PieceId, Seat
from events.vocabulary import Value

# The sequences with which memory ends

GERMAN_TURN = "german_turn"
REINFORCEMENT = "reinforcement"
DELIBERATE_ATTACK = "deliberate_attack"
SOVIET_TURN = "soviet_turn"
COMBAT = "combat"

HEXES = (HEX, URBAN_HEX)
BLOCKS = (block_group(GERMAN), block_group(SOVIET))

# For the whole match

POOL: Attribute[str] = Attribute("pool", str, owners=(block_group(SOVIET),))
"""On a Soviet block that came from a pool: `infantry`, `tank` or `marine`, which all know. Source: fog.spawn-kind-public, ruling.spawn-kind."""
LAYER: Attribute[int] = Attribute("layer", int, owners=(block_group(SOVIET), POOL_GROUP, POOL_UNIT))
"""Where nobody knows the Soviet blocks: on a pool how often units came into it, on a unit in a pool after which of these it came in, and on
a block without a kind after which it was drawn. A block can only be a unit of its own layer or an earlier one."""
CAME = Number("came")
"""On the table: how many Soviet blocks have come onto the map after the set-up."""
NUMBER: Attribute[int] = Attribute("number", int, owners=(block_group(SOVIET),))
"""On a Soviet block that came onto the map after the set-up: the number by which all call it, which no other block has had. Its token may have been
that of a block that is back in a pool. Source: ruling.block-tracking."""
CAPTURED_BY: Attribute[Seat] = Attribute("captured_by", str, owners=HEXES, refers=(SEAT,))
"""On a hex, with two German seats: the seat that is credited with it. Source: mode.co-op.control-by-colour."""
ADVANTAGES: Attribute[tuple[str, ...]] = Attribute("advantages", tuple, owners=(SIDE,))
"""On a side: its Advantages in the Designer's Way. Source: designer.difficulty.random."""
EXTRA_TURNS: Attribute[int] = Attribute("extra_turns", int)
"""On the table, once the Soviet deck is empty under OKH: the extra German turns granted so far. Source: victory.okh.extra-turns."""
EXTRA_TURNS_PLAYED = Number("extra_turns_played")
"""On the table: how many of them have begun."""
EXHAUSTED: Attribute[bool] = Attribute("exhausted", bool, owners=(REMOVED_BOX, RAUS_BOX))
"""On a box `removed/ROW`: a die found the row empty, so that no other Removes its unit (option `removal_retry`)."""

# Until the turn ends

MOVED: Attribute[bool] = Attribute("moved", bool, until="turn", owners=BLOCKS)
"""On a block that has moved in this turn."""
MOVES_MADE = Number("moves_made", until="turn")
"""On the table: the Short Moves of this turn."""

# Call for Reinforcements

EMPTY_ROWS: Attribute[tuple[str, ...]] = Attribute("empty_rows", tuple, within=(REINFORCEMENT,))
"""On the table: the rows that a die of this call found empty."""

# A Deliberate Attack

JOINING: Attribute[tuple[str, ...]] = Attribute("joining", tuple, within=(DELIBERATE_ATTACK,), refers=HEXES)
"""On the table: the hexes from which the attack is made."""
INVITED: Attribute[tuple[str, ...]] = Attribute("invited", tuple, within=(DELIBERATE_ATTACK,), refers=HEXES)
"""On the table: the hexes with Stacks of the partner about which he has not answered yet."""

# The Soviet turn

TO_ACT: Attribute[tuple[str, ...]] = Attribute("to_act", tuple, within=(SOVIET_TURN,), is_ordered=True, refers=HEXES)
"""On the table: the Top Stacked Hexes that have not acted, in the order of the dice."""
DIE = Number("die", within=(SOVIET_TURN,), owners=HEXES)
"""On a Top Stacked Hex: its compass die."""

# A combat

ATTACKING: Attribute[tuple[PieceId, ...]] = Attribute(
    "attacking", tuple, within=(COMBAT,), names_pieces=True, refers=BLOCKS
)
"""On the table, from the Showdown on: the units that attack, German ones also after they were destroyed. Source: hits.scope."""
CANCELLED: Attribute[bool] = Attribute("cancelled", bool, within=(COMBAT,), owners=(AIRSTRIKE,))
"""On a German airstrike card of the combat: it has no effect. Source: soviet.card.aa, designer.aa-regiment."""
RUBBLE_BONUS: Attribute[int] = Attribute("rubble_bonus", int, within=(COMBAT,))
"""On the table: what the German cards of the combat add to the Rubble Roll. Source: rubble.roll.modifier-card."""
TO_BLITZ: Attribute[tuple[PieceId, ...]] = Attribute(
    "to_blitz", tuple, within=(COMBAT,), names_pieces=True, refers=BLOCKS
)
"""On the table: the units that have advanced and may still Blitz. Source: blitz.condition."""

REMEMBERED = Memory.declared(globals())


def in_play(board: Board, scenario: str, options: Mapping[str, Value]) -> Inventory:
    """Return what is in play in a scenario with some options and, without a scenario, what is in the box."""
    return inventory(
        board,
        REMEMBERED,
        has_axe=not scenario or options.get(DESIGNERS_WAY.key, OFF) != OFF,
        has_extra=not scenario or options.get(PIONEER_672_EXTRA.key) is True,
    )
