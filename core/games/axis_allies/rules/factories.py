"""The optional placement of the factories: one in each hand of the Allies, of which the Axis picks one."""

from core.decision import Decision
from core.draft import Draft
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.ids import ALLIES, ARTILLERY_FACTORY, AXIS, FACTORY, TANK_FACTORY
from core.games.axis_allies.memory import IN_LEFT_HAND
from core.games.axis_allies.rules.commands import Hide, PickHand, PlaceFactory
from core.games.axis_allies.rules.refusals import misplaced, refused
from core.games.axis_allies.rules.workers import factory_zone
from core.question import Answer, Question
from core.refusal import Refusal
from events.ids import TABLE, RuleId
from projections.table import Open, Table

PLACEMENT = RuleId("optional.factory-placement")
HIDDEN = RuleId("optional.factory-placement.hidden")

HIDE_FACTORIES = "hide_factories"
PICK_HAND = "pick_hand"
PLACE_FACTORY = "place_factory"

OTHER = {TANK_FACTORY: ARTILLERY_FACTORY, ARTILLERY_FACTORY: TANK_FACTORY}


class Factories:
    """The questions, each of which leads to the next. Source: RuleId("optional.factory-placement"), ruling.alt-factory."""

    def __init__(self, board: Board) -> None:
        self.board = board
        hide = Answer(Hide, lambda *_: (Hide("tank"), Hide("artillery")), None, self._hide, ends=HIDDEN)
        pick = Answer(PickHand, lambda *_: (PickHand("left"), PickHand("right")), None, self._pick, ends=PLACEMENT)
        place = Answer(PlaceFactory, self._zones, self._refuse, self._place, ends=PLACEMENT)
        self.decisions: dict[str, Decision] = {
            HIDE_FACTORIES: Question((hide,), misplaced),
            PICK_HAND: Question((pick,), misplaced),
            PLACE_FACTORY: Question((place,), misplaced),
        }

    def begin(self, draft: Draft) -> None:
        """Ask the Allies for the factory in their left hand."""
        draft.ask(HIDE_FACTORIES, draft.table.seat_of(ALLIES), HIDDEN)

    def _hide(self, draft: Draft, asked: Open, command: Hide) -> None:
        """Keep what only the Allies know. Source: RuleId("optional.factory-placement.hidden")."""
        IN_LEFT_HAND.set(draft, TABLE, command.left, HIDDEN, seen_by=(asked.seat,))
        draft.ask(PICK_HAND, draft.table.seat_of(AXIS), PLACEMENT)

    def _pick(self, draft: Draft, asked: Open, command: PickHand) -> None:
        left = IN_LEFT_HAND.of(draft.table)
        assert left is not None
        IN_LEFT_HAND.forget(draft, TABLE, HIDDEN)
        picked = left if command.hand == "left" else OTHER[left]
        draft.ask(PLACE_FACTORY, asked.seat, PLACEMENT, {"factory": picked})

    def _zones(self, table: Table, asked: Open) -> list[PlaceFactory]:
        return [PlaceFactory(zone) for zone in self.board.city_rp_zones]

    def _refuse(self, table: Table, asked: Open, command: PlaceFactory) -> Refusal | None:
        """Return why a factory cannot be placed: no RP zone of the city, or that of the other factory."""
        is_free = command.to != factory_zone(table, OTHER[asked.text("factory")])
        if is_free and command.to in self.board.city_rp_zones:
            return None
        return refused("zone_must_be_eligible", rule=PLACEMENT)

    def _place(self, draft: Draft, asked: Open, command: PlaceFactory) -> None:
        """Place a factory; after that of the Axis the Allies place the other."""
        name = asked.text("factory")
        draft.mark(command.to, FACTORY[name], PLACEMENT)
        if factory_zone(draft.table, OTHER[name]) is None:
            draft.ask(PLACE_FACTORY, draft.table.seat_of(ALLIES), PLACEMENT, {"factory": OTHER[name]})
