"""What forks deal again: the Operation Uranus cards, and the factory in a hand."""

from typing_extensions import override

from core.components.inventory import families
from core.dealing import Deal, Dealing, Pick, Unknown
from core.games.axis_allies.components.inventory import piles
from core.games.axis_allies.ids import FACTORY
from events.ids import AttributeKey
from events.vocabulary import Value


class HiddenDealing(Dealing):
    """Cards that a seat does not know exchange their places, and either factory may be in the left hand.

    Source: RuleId("order.7.secret"), RuleId("optional.factory-placement.hidden").
    """

    def __init__(self) -> None:
        super().__init__(families(piles()))

    @override
    def complete(self, unknown: Unknown, deal: Deal, pick: Pick) -> Deal:
        factories = sorted(FACTORY)
        attributes: dict[str, dict[AttributeKey, Value]] = {
            on: {key: pick(factories, "the factory in the left hand")} for on, key in unknown.attributes
        }
        return Deal(deal.piles, deal.pieces, attributes)
