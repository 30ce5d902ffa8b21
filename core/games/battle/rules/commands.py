"""Every command of this game."""

from core.engine.command import Command
from core.engine.selection import SelectionCommand
from events.ids import CardId, PieceId, PlaceId


class ChooseForce(Command, frozen=True, tag="choose-force"):
    """Set-up: take a Force of the own pile and place it."""

    force: PieceId
    to: PlaceId


class RepairRubble(Command, frozen=True, tag="repair-rubble"):
    """Supply: take one Rubble off a Controlled Location by a Location's note."""

    location: str


class Move(Command, frozen=True, tag="move"):
    """Declare a Move Action; `free` uses the free Move of a Location's note."""

    force: PieceId
    to: PlaceId
    free: bool = False


class PlayCard(Command, frozen=True, tag="play-card"):
    """Play a card of the hand for its effect.

    What it needs to know is named at once: `force` (an own or enemy Force, as the card says), `other` (the Force that
    receives), `to` (an Area).
    """

    card: CardId
    force: PieceId = PieceId("")
    other: PieceId = PieceId("")
    to: PlaceId = PlaceId("")


class Attack(Command, frozen=True, tag="attack"):
    """Declare an Attack at a Location with these Forces of its own Control Area; without any, they are asked for next."""

    location: str
    forces: tuple[PieceId, ...] = ()


class Resupply(Command, frozen=True, tag="resupply"):
    """Discard a card for Rations."""

    card: CardId


class BuyForce(Command, frozen=True, tag="buy-force"):
    """Buy the open top Force and place it; the cards that pay for it are asked for next."""

    force: PieceId
    to: PlaceId


class RemoveUranus(Command, frozen=True, tag="remove-uranus"):
    """Pay for the removal of an Operation Uranus card in play."""

    card: CardId


class FireCard(Command, frozen=True, tag="fire-card"):
    """Firefight: play a card for its value."""

    card: CardId


class Absorb(Command, frozen=True, tag="absorb"):
    """Allocate the next Hit to a Force that meets it in one way: `ignored`, `ration`, `retreat` or `destroyed`."""

    force: PieceId
    by: str


class Award(Command, frozen=True, tag="award"):
    """Give the Heroic Service counter to a Force."""

    force: PieceId


class TakeCard(Command, frozen=True, tag="take-card"):
    """Scouts: take a card of the own deck into the hand."""

    card: CardId


class Pass(Command, frozen=True, tag="pass"):
    """Decline: in a window, in the Firefight."""


BattleCommand = (
    ChooseForce
    | RepairRubble
    | Move
    | PlayCard
    | Attack
    | Resupply
    | BuyForce
    | RemoveUranus
    | FireCard
    | Absorb
    | Award
    | TakeCard
    | Pass
    | SelectionCommand
)
