"""The commands of this game. Units are named by their classes (`queries.like`): like units of one place are interchangeable."""

from core.command import Command
from events.ids import PlaceId


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
