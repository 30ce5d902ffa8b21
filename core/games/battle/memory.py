"""Memory of the rules of this game between two commands, and how it is read.

Every attribute of this game is declared here. What lies on the printed table, such as Rations and Rubble, is not memory but
a marker (`ids`). What lasts until the turn ends is dropped when the next one begins, what a battle or a card attack has to
remember with its last element of the stack.
"""

from collections.abc import Mapping

from core.components.inventory import SIDE, Inventory, Memory
from core.engine.attributes import Attribute, Number
from core.games.battle.components.card_model import Cards
from core.games.battle.components.inventory import inventory
from events.ids import PieceId, PlaceId
from events.vocabulary import Value
from projections.state.table import Table

FORCES = ("German Force", "Russian Force")
"""The groups of the Forces; a Destroyed one comes back without what is remembered of it."""

LOCATIONS: Attribute[tuple[str, ...]] = Attribute("locations_in_play", tuple, is_ordered=True, refers=("Location",))
"""On the table: the Locations in play, in the order in which they were laid out."""

# Until the turn ends

POINTS_LAPSED = Number("points_lapsed", until="turn")
"""On the table: points of Reinforcements that were forfeited."""
FREE_MOVES_USED = Number("free_moves_used", until="turn")
"""On the table: how many free Moves of Locations' notes have been used."""
NO_LOCATION_CARDS: Attribute[bool] = Attribute("no_location_cards", bool, until="turn")
"""On the table: Propaganda War keeps the Acting Player from drawing for Locations."""
BIG_PUSH = Number("big_push", until="turn", owners=(SIDE,))
"""On a side: what its Big Push cards add to the Combat of its Forces."""
RESHUFFLED: Attribute[bool] = Attribute("reshuffled", bool, until="turn", owners=(SIDE,))
"""On a side: its Action deck has been formed anew in this turn."""
LOCKED: Attribute[bool] = Attribute("locked", bool, until="turn", owners=FORCES)
"""On a Force under a Sniper."""

# Until the Actions step ends

ACTIONS_TAKEN = Number("actions_taken", within=("turn",), until="step")
"""On the table: Actions of this step, where their number is limited."""
VISITED: Attribute[tuple[PlaceId, ...]] = Attribute(
    "visited", tuple, within=("turn",), until="step", owners=FORCES, refers=("German Area", "Russian Area")
)
"""On a Force: the Areas that it has been in since the last Action that was not a note-free Move."""

# While a card is played

PLEDGED: Attribute[bool] = Attribute("pledged", bool, within=("card",), owners=FORCES)
"""On a Force that is named as a cost."""
PLEDGED_RATIONS = Number("pledged_rations", within=("card",), owners=FORCES)
"""On a Force: Rations that are set aside as a cost."""

FREE_MOVES_LEFT = Number("free_moves_left", within=("free_move",))
"""On the table: how many Moves of a series are still to be made."""

# A battle or a card attack

FIGHTS = ("battle", "card_attack")

ATTACKING: Attribute[tuple[PieceId, ...]] = Attribute(
    "attacking", tuple, within=FIGHTS, names_pieces=True, refers=FORCES
)
"""On the table: the Forces that attack."""
DEFENDING: Attribute[tuple[PieceId, ...]] = Attribute(
    "defending", tuple, within=FIGHTS, names_pieces=True, refers=FORCES
)
"""On the table: the Forces that defend."""
DOUBLED: Attribute[bool] = Attribute("doubled", bool, within=FIGHTS, owners=FORCES)
"""On a Force: Heavy Weapons."""
IGNORED = Number("ignored", within=FIGHTS, owners=FORCES)
"""On a Force: how many Hits its note has swallowed."""
NO_RETREAT: Attribute[bool] = Attribute("no_retreat", bool, within=FIGHTS, owners=(SIDE,))
"""On a side: its Forces may not Retreat (Tanks)."""
NO_FIREFIGHT: Attribute[bool] = Attribute("no_firefight", bool, within=FIGHTS)
"""On the table: Sewer Warfare."""
HITS = Number("hits", within=FIGHTS, owners=(SIDE,))
"""On a side: the Hits that it still has to absorb."""
TOTAL = Number("total", within=("battle",), may_be_negative=True, owners=(SIDE,))
"""On a side: its total; it may be below 0."""

LOST = Number("lost", within=(*FIGHTS, "card", "removal"), owners=(SIDE,))
"""On a side: how many of its Forces were Destroyed since the last moment for Recover Wounded."""
ANSWERED: Attribute[bool] = Attribute("answered", bool, within=("answer_battle", "answer_aftermath", "firefight"))
"""On the table: a card that answered in a window that goes from side to side is still being carried out."""

REMEMBERED = Memory.declared(globals())


def in_play(cards: Cards, scenario: str, options: Mapping[str, Value]) -> Inventory:
    """Return what is in the box; all of it is in play, whatever the options."""
    return inventory(cards, REMEMBERED)


def is_attacking(table: Table, force: PieceId) -> bool:
    """Return whether a Force attacks in the present battle."""
    return force in (ATTACKING.of(table) or ())


def takes_part(table: Table, force: PieceId) -> bool:
    """Return whether a Force attacks or defends in the present battle or card attack."""
    return is_attacking(table, force) or force in (DEFENDING.of(table) or ())
