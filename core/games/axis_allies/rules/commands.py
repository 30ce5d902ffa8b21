"""The commands of this game. Units are named by their classes (`queries.like`): like units of one place are interchangeable."""

from typing import Literal

from core.engine.command import Command
from events.ids import CardId, PlaceId, Side


class Deploy(Command, frozen=True, tag="deploy"):
    """Deploy a free unit of a type. Source: order.2.even-infantry, order.2.winter-storm-air."""

    unit: str
    to: PlaceId


class Buy(Command, frozen=True, tag="buy"):
    """Buy one item, a unit type, `supply` or `ferry`, and deploy it.

    Source: order.2.winter-storm-spend, order.9.spend, optional.bidding.spend.
    """

    item: str
    to: PlaceId


class Fly(Command, frozen=True, tag="fly"):
    """Give an air unit its move: to a zone, or to a Volga Crossing to attack it.

    `mission` is one of `memory.ORDERS`; a fighter that stays goes to its own zone. `cargo` are the classes of what a bomber takes along, in
    ascending order.

    Source: movement.air.unlimited, unit.bomber.air-transport.
    """

    unit: str
    origin: PlaceId
    to: PlaceId
    mission: str
    cargo: tuple[str, ...] = ()


# Before play


class Bid(Command, frozen=True, tag="bid"):
    """Offer RPs for playing a side; the first bid names the side. Source: optional.bidding.auction."""

    side: Side
    rps: int


class Accept(Command, frozen=True, tag="accept"):
    """Take the standing bid and the other side. Source: optional.bidding.award."""


class Hide(Command, frozen=True, tag="hide"):
    """Take one factory into the left hand and the other into the right. Source: optional.factory-placement.hidden."""

    left: Literal["tank", "artillery"]


class PickHand(Command, frozen=True, tag="pick-hand"):
    """Pick the hand with the factory to place. Source: optional.factory-placement."""

    hand: Literal["left", "right"]


class PlaceFactory(Command, frozen=True, tag="place-factory"):
    """Place a factory. Source: optional.factory-placement."""

    to: PlaceId


class Rearrange(Command, frozen=True, tag="rearrange"):
    """Move a unit of the set-up chart to another zone.

    Source: optional.alternative-deployment.allies, optional.alternative-deployment.axis.
    """

    unit: str
    origin: PlaceId
    to: PlaceId


# Operation Uranus


class Front(Command, frozen=True, tag="front"):
    """Place the cards that were drawn on one front. Source: setup.uranus.draws."""

    front: str


class Launch(Command, frozen=True, tag="launch"):
    """Launch Operation Uranus. Source: order.7.launch."""


class Wait(Command, frozen=True, tag="wait"):
    """Do not launch Operation Uranus yet. Source: order.7.launch."""


class DeployCard(Command, frozen=True, tag="deploy-card"):
    """Deploy all units of an Operation Uranus card in one zone. Source: uranus.deploy.card-together."""

    card: CardId
    to: PlaceId


class Move(Command, frozen=True, tag="move"):
    """Move a unit of a class, or a supply token, to where its move ends: a zone, an Ambush Site or a Volga Crossing.

    Source: order.3.move, order.10.move, ruling.whole-moves.
    """

    unit: str
    origin: PlaceId
    to: PlaceId


class MoveStack(Command, frozen=True, tag="move-stack"):
    """Move several units from one zone to another, one after the other; classes in ascending order, each as often as it moves."""

    units: tuple[str, ...]
    origin: PlaceId
    to: PlaceId


class Blitz(Command, frozen=True, tag="blitz"):
    """Blitz with a tank of a class through an unoccupied hostile zone, with a mechanized infantry or alone.

    German mechanized infantry that leaves the city names its `partner`, which goes from its own zone to where the Blitz ends.

    Source: movement.blitz, movement.blitz.with-mech, movement.force-multiplier.exit-pair.
    """

    unit: str
    origin: PlaceId
    via: PlaceId
    to: PlaceId
    with_mech: bool = False
    partner: str = ""
    partner_origin: PlaceId = PlaceId("")


class ExitPair(Command, frozen=True, tag="exit-pair"):
    """Move two units out of the city together; in ascending order of their origins and classes.

    Source: movement.force-multiplier.exit-pair.
    """

    origins: tuple[PlaceId, PlaceId]
    units: tuple[str, str]
    to: PlaceId


class Evict(Command, frozen=True, tag="evict"):
    """Move an excess unit of the enemy out of a zone. Source: stacking.opponent-moves-excess."""

    unit: str
    origin: PlaceId
    to: PlaceId


# Fights


class Spend(Command, frozen=True, tag="spend"):
    """Spend a supply token that lies in a zone. Source: supply.token.spend."""

    at: PlaceId


class FightUnsupplied(Command, frozen=True, tag="fight-unsupplied"):
    """Keep the supply tokens, so that an unsupplied force fights unsupplied. Source: supply.token.optional."""


class Decline(Command, frozen=True, tag="decline"):
    """Keep the supply tokens, where a force is supplied anyway or does not fire. Source: supply.token.optional."""


class KeepTokens(Command, frozen=True, tag="keep-tokens"):
    """Keep the supply tokens for the rest of the phase, without being asked again; if the force is supplied, for supplied forces only.

    Source: supply.token.optional.
    """


class Ambush(Command, frozen=True, tag="ambush"):
    """Let the ambusher of a site fire at a zone. Source: ambush.fire."""

    site: PlaceId
    to: PlaceId
