"""Units of the Axis that cost nothing: which type it is, and where it is deployed."""

from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import AXIS
from core.games.axis_allies.rules.commands import Deploy
from core.games.axis_allies.rules.deployment import UNAVAILABLE, deploy_all
from core.games.axis_allies.rules.limits import can_add
from core.games.axis_allies.rules.queries import is_friendly
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.supply import Supply
from core.question import Answer, Question
from core.refusal import Refusal
from events.codec import Struct
from events.ids import PlaceId, RuleId
from projections.table import Open, Table

NOT_ALLIED = RuleId("order.2.even-infantry.not-allied")


class Gift(Struct, frozen=True):
    """A free unit: the kind of the question, the rule that gives it, its types, and its zones with the rule that names them."""

    kind: str
    rule: RuleId
    units: tuple[str, ...]
    zones: tuple[PlaceId, ...]
    zones_rule: RuleId


class FreeUnit:
    """The question which free unit is deployed where.

    Args:
        board: The board.
        supply: Shows who is supplied after the deployment.
        gift: What is free.
    """

    def __init__(self, board: Board, supply: Supply, gift: Gift) -> None:
        self.board = board
        self.supply = supply
        self.gift = gift
        self.question = Question((Answer(Deploy, self._candidates, self._refuse, self._take),), misplaced)

    def _candidates(self, table: Table, asked: Open) -> list[Deploy]:
        return [Deploy(unit, zone) for unit in self.gift.units for zone in self.gift.zones]

    def _refuse(self, table: Table, asked: Open, command: Deploy) -> Refusal | None:
        """Judge a deployment.

        Source: RuleId("order.2.even-infantry"), RuleId("order.2.even-infantry.not-allied"), RuleId("winter-storm.zones").
        """
        unit, to = command.unit, command.to
        if unit in self.board.units and not can_add(table, self.board, unit, to):
            return refused("piece_must_be_available")
        if unit not in self.gift.units:
            return refused("unit_must_be_eligible", rule=self.gift.rule)
        if to not in self.gift.zones:
            return refused("zone_must_be_eligible", rule=self.gift.zones_rule)
        if not self.board.units[unit].is_air and not is_friendly(table, to, AXIS):
            return refused("zone_must_be_friendly")
        return None

    def ask(self, draft: Draft, at: Open) -> None:
        """Ask for the unit, unless there is one choice only; without any it is lost.

        Source: RuleId("order.2.even-infantry.not-allied"), ruling.free-infantry-optional, ruling.pool-exhausted.
        """
        judged = {one: self._refuse(draft.table, at, one) for one in self._candidates(draft.table, at)}
        choices = [one for one, refusal in judged.items() if refusal is None]
        if len(choices) == 1:
            self._deploy(draft, choices[0])
        elif choices:
            draft.ask(self.gift.kind, draft.table.seat_of(AXIS), self.gift.rule)
        elif {refusal.code for refusal in judged.values() if refusal} == {"zone_must_be_friendly"}:
            draft.apply(NOT_ALLIED, "no zone for free infantry")
        else:
            draft.apply(UNAVAILABLE, "no free unit is left")

    def _take(self, draft: Draft, asked: Open, command: Deploy) -> None:
        draft.answered(self.gift.rule)
        self._deploy(draft, command)

    def _deploy(self, draft: Draft, command: Deploy) -> None:
        deploy_all(draft, self.board, (command.unit,), command.to, self.gift.rule)
        self.supply.show(draft)
