"""Every command of this game, one struct each.

Ids are those of the table: Areas "1" to "50", units under their printed names ("29/RCN"). A command that names several
units names them in ascending order.
"""

from typing import Literal

from core.engine.command import Command
from events.ids import PieceId, PlaceId

Purchase = Literal["artillery", "engineer", "air", "morale"]
"""What Supply Points buy besides the return of a unit."""


# Dawn and supply


class PlaceGroup(Command, frozen=True, tag="place-group"):
    """Bring a whole group of reinforcements, or a withdrawn division, into one Area. `units` names all of it.

    Where it was agreed that as many enter as fit, which of them do is asked next, or `units` names exactly so many.
    """

    units: tuple[PieceId, ...]
    area: PlaceId


class Buy(Command, frozen=True, tag="buy"):
    """Buy one support marker or one point of Morale."""

    what: Purchase


class ReturnUnit(Command, frozen=True, tag="return-unit"):
    """Bring an Out of Action unit back into an Area."""

    unit: PieceId
    area: PlaceId


# Combat Phase: the Action Round


class Activate(Command, frozen=True, tag="activate"):
    """Choose the Active Area of a new Action Round."""

    area: PlaceId


class Move(Command, frozen=True, tag="move"):
    """Let a unit step into an Adjacent Area: its first step, or the next one if it is the unit that is moving.

    The first step of another unit ends the move of the one before.
    """

    unit: PieceId
    to: PlaceId


class Stop(Command, frozen=True, tag="stop"):
    """End the move of the unit that is moving."""


class DeclareAttack(Command, frozen=True, tag="declare-attack"):
    """Attack the Soviet unit of an Area with these units.

    A Mandatory Attack names exactly the units that entered the Area; an optional one any of one group. Without units, they
    are asked for next.
    """

    area: PlaceId
    units: tuple[PieceId, ...] = ()


# Combat Phase: one attack


class PutOutOfAction(Command, frozen=True, tag="put-out-of-action"):
    """Answer Barrage by giving up one attacking unit and fighting on."""

    unit: PieceId


class BreakOff(Command, frozen=True, tag="break-off"):
    """Answer Barrage by retreating with all attackers."""


class NameLead(Command, frozen=True, tag="name-lead"):
    """Name the Lead Attacking Unit."""

    unit: PieceId


class RetreatNext(Command, frozen=True, tag="retreat-next"):
    """Name the unit that retreats next."""

    unit: PieceId


class RetreatTo(Command, frozen=True, tag="retreat-to"):
    """Choose the Area in which the retreating unit ends, its entry Area being full."""

    area: PlaceId
