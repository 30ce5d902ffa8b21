"""The commands of this game. Units are named by their classes (`queries.like`): like units of one place are interchangeable."""

from core.command import Command
from events.ids import CardId, PlaceId


class Deploy(Command, frozen=True, tag="deploy"):
    """Deploy a free unit of a type. Source: RuleId("order.2.even-infantry"), RuleId("order.2.winter-storm-air")."""

    unit: str
    to: PlaceId


class Buy(Command, frozen=True, tag="buy"):
    """Buy one item, a unit type, `supply` or `ferry`, and deploy it.

    Source: RuleId("order.2.winter-storm-spend"), RuleId("order.9.spend"), RuleId("optional.bidding.spend").
    """

    item: str
    to: PlaceId


class Fly(Command, frozen=True, tag="fly"):
    """Give an air unit its move: to a zone, or to a Volga Crossing to attack it.

    `mission` is one of `memory.ORDERS`; a fighter that stays goes to its own zone. `cargo` are the classes of what a bomber takes along, in
    ascending order.

    Source: RuleId("movement.air.unlimited"), RuleId("unit.bomber.air-transport").
    """

    unit: str
    origin: PlaceId
    to: PlaceId
    mission: str
    cargo: tuple[str, ...] = ()


# Operation Uranus


class Front(Command, frozen=True, tag="front"):
    """Place the cards that were drawn on one front. Source: RuleId("setup.uranus.draws")."""

    front: str


class Launch(Command, frozen=True, tag="launch"):
    """Launch Operation Uranus. Source: RuleId("order.7.launch")."""


class Wait(Command, frozen=True, tag="wait"):
    """Do not launch Operation Uranus yet. Source: RuleId("order.7.launch")."""


class DeployCard(Command, frozen=True, tag="deploy-card"):
    """Deploy all units of an Operation Uranus card in one zone. Source: RuleId("uranus.deploy.card-together")."""

    card: CardId
    to: PlaceId
