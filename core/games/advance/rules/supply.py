"""The Supply Phase: free Air Support, the supply roll, and what its points buy.

Source: 6.3, 6.3.1, 10.2, 12.8, 14.6.2; RuleId("6.3.order").
"""

from collections.abc import Iterable

from core.engine.draft import Draft
from core.engine.question import Answer, Question, always
from core.engine.selection import Done
from core.games.advance import options
from core.games.advance.components.board_model import Board
from core.games.advance.components.board_records import ARMOR, FACTORY, MAIN
from core.games.advance.ids import AIR, AVAILABLE, FRESH, GERMAN_SEAT, OUT_OF_ACTION, SUPPLY, USED
from core.games.advance.memory import EVENT, REDUCED_SUPPLY
from core.games.advance.rules import queries
from core.games.advance.rules.changes import change_morale, move_markers
from core.games.advance.rules.commands import Buy, ReturnUnit
from core.games.advance.rules.random_event import event_rule
from core.games.advance.rules.refusals import not_asked, refused
from core.refusal import Refusal
from core.wording import counted
from events.ids import MarkerId, PieceId, PlaceId, RuleId
from projections.state.table import Open, Table

SUPPLY_ORDER = RuleId("6.3.order")
SUPPLY_ROLL = RuleId("6.3.roll")
SUPPORT_COSTS = RuleId("6.3.support-costs")
BUY_MORALE = RuleId("6.3.buy-morale")
RETURN_NORTHERN = RuleId("6.3.return-northern")

AREA_6 = PlaceId("6")


def play(draft: Draft, board: Board) -> None:
    """Play the Supply Phase: free Air Support, then the roll, then purchases until the player is done.

    Source: 6.3, ruling.supply-order.
    """
    _take_free_air(draft, board)
    _roll_supply(draft, board)
    ask(draft)


def ask(draft: Draft) -> None:
    """Ask what is to be bought."""
    draft.ask("supply", GERMAN_SEAT, SUPPLY_ORDER)


def _take_free_air(draft: Draft, board: Board) -> None:
    """Make the free Air markers Available, as far as there are Used ones, and record those that lapse; no event prevents it.

    Source: 6.3, 14.6.2, ruling.marker-pool, ruling.factory-free-air.
    """
    scenario = board.scenarios[draft.table.scenario]
    free = scenario.free_air
    if scenario.key == FACTORY and options.FACTORY_FREE_AIR.chosen(draft.table) == "three":
        free += board.scenarios[MAIN].free_air
    count = min(free, draft.table.marker(USED, AIR))
    rule = RuleId("6.3.free-air") if scenario.key == MAIN else RuleId("14.6.2.two-free-air")
    move_markers(draft, AIR, count, rule, source=USED, to=AVAILABLE)
    if lapsed := free - count:
        lapse = "lapses" if lapsed == 1 else "lapse"
        draft.apply(rule, f"{counted(lapsed, 'free Air Support marker')} {lapse}, since no other is Used")


def _roll_supply(draft: Draft, board: Board) -> None:
    """Roll for Supply Points and add them to those kept from earlier turns. Source: 6.3, RuleId("6.3.1.banking")."""
    table = draft.table
    is_reduced = REDUCED_SUPPLY.of(table, EVENT) is not None
    faces = draft.dice(
        supply_dice(table, board), "supply", event_rule(table, SUPPLY_ROLL) if is_reduced else SUPPLY_ROLL
    )
    rolled = sum(_reroll_ones(draft, faces))
    first_turn = board.scenarios[table.scenario].first_turn
    minimum = board.supply.opening_turn_minimum if table.round == first_turn else 0
    # No event reduces the roll on an opening turn, so the minimum never meets the smaller roll.
    assert not (minimum and REDUCED_SUPPLY.of(table, EVENT)), "ruling.minimum-and-two-dice"
    rule = SUPPLY_ROLL
    if rolled < minimum:
        rule = RuleId("10.2.minimum-sixteen") if table.scenario == MAIN else RuleId("14.6.2.minimum-sixteen")
    draft.track(SUPPLY, table.track(SUPPLY) + max(rolled, minimum), rule)


def supply_dice(table: Table, board: Board) -> int:
    """Return how many dice the supply roll of this turn has. Source: 6.3, 6.2, 14.6.1."""
    return REDUCED_SUPPLY.of(table, EVENT) or board.supply.dice


def _reroll_ones(draft: Draft, faces: tuple[int, ...]) -> tuple[int, ...]:
    """Roll dice that show 1 again, on the turns agreed: until none does, or once. Source: 12.8, ruling.reroll-ones."""
    table = draft.table
    turns = options.SUPPLY_REROLL_TURNS.of(table)
    assert isinstance(turns, tuple)
    if not options.INCREASED_GERMAN_SUPPLY.is_on(table) or str(table.round) not in turns:
        return faces
    while 1 in faces:
        kept = tuple([face for face in faces if face != 1])
        again = draft.dice(len(faces) - len(kept), "supply dice that showed 1", RuleId("12.8.reroll-ones"))
        faces = (*kept, *again)
        if options.SUPPLY_REROLL.chosen(table) == "once":
            break
    return faces


# Purchases


def purchase_cost(board: Board, what: str) -> int:
    """Return what a support marker or a point of Morale costs. Source: 6.3."""
    return int(getattr(board.supply.costs, what))


def return_cost(board: Board, unit: PieceId) -> int:
    """Return what it costs to bring a unit back: 2 for Armor, 1 for Infantry. Source: 4.2.1, 4.2.2, 6.3."""
    costs = board.supply.costs
    return costs.return_armor if board.units[unit].kind == ARMOR else costs.return_infantry


def suits_return(table: Table, board: Board, unit: PieceId, area: PlaceId) -> bool:
    """Return whether an Area, which is German-controlled, is one where an Out of Action unit can return.

    A northern unit returns to its own Area and to no other. Any other needs a German unit in the Area, save in
    the opening set-up Areas 1 to 5 of the main game. Each returned unit is on the map at once and counts for the next.

    Source: RuleId("6.3.return-area"), RuleId("6.3.return-northern"), RuleId("6.3.return-one-by-one"),
    ruling.return-area-6, ruling.return-factory.
    """
    if queries.is_northern(board, unit):
        return area == northern_area(table, board, unit)
    return area in open_return_areas(table, board) or bool(queries.germans_at(table, area))


def northern_area(table: Table, board: Board, unit: PieceId) -> PlaceId | None:
    """Return the only Area to which a northern unit returns: the one printed on it; None for a unit without one.

    Where it was agreed so, in the Factory District Scenario it is the one in which northern units begin that scenario.

    Source: 14.3.1, ruling.return-factory-north, RuleId("6.3.return-northern").
    """
    own = board.scenarios[MAIN].german_setup.get(unit)
    if table.scenario == FACTORY and options.FACTORY_NORTHERN_RETURN.chosen(table) == "scenario-area":
        begins = board.scenarios[FACTORY].german_setup
        own = begins.get(unit) or next(
            (area for other, area in begins.items() if queries.is_northern(board, other)), own
        )
    return own


def open_return_areas(table: Table, board: Board) -> tuple[PlaceId, ...]:
    """List the Areas to which units return even if no other unit is there. Source: 6.3."""
    if table.scenario == FACTORY:
        are_open = options.FACTORY_RETURN_AREAS.chosen(table) == "with-another-unit-or-1-to-5"
        return board.supply.return_areas if are_open else ()
    if options.RETURN_TO_AREA_6.chosen(table) == "always":
        return (*board.supply.return_areas, AREA_6)
    return board.supply.return_areas


class Purchases:
    """Purchases with Supply Points, one thing at a time, until the player is done. Source: 6.3."""

    def __init__(self, board: Board) -> None:
        self.board = board

    def question(self) -> Question:
        """Return the question what is bought next."""
        wishes = (Buy("artillery"), Buy("engineer"), Buy("air"), Buy("morale"))
        purchases = Answer(Buy, lambda *_: wishes, self._refuse_purchase, self._buy)
        returns = Answer(ReturnUnit, self._returns, self._refuse_return, self._return_unit, are_legal=True)
        done = always(Done(), ends=SUPPLY_ORDER)
        return Question([purchases, returns, done], not_asked)

    def _returns(self, table: Table, asked: Open) -> Iterable[ReturnUnit]:
        """Return every legal return of a unit."""
        points = table.track(SUPPLY)
        units = [unit for unit in sorted(table.pieces_at(OUT_OF_ACTION)) if points >= return_cost(self.board, unit)]
        if not units:
            return []
        # Most Areas suit no unit, so that they are asked about once for all.
        areas = [
            area
            for area in self.board.areas
            if queries.is_vacant(table, area) and queries.room(table, self.board, area)
        ]
        return [
            ReturnUnit(unit, area) for unit in units for area in areas if suits_return(table, self.board, unit, area)
        ]

    def _refuse_purchase(self, table: Table, asked: Open, command: Buy) -> Refusal | None:
        """Return why a marker or a point of Morale cannot be bought. Source: 6.3, 4.5, ruling.morale-purchase-limit."""
        what, cost = command.what, purchase_cost(self.board, command.what)
        if what == "morale" and queries.morale(table) >= self.board.morale.max:
            return refused("morale_must_be_below_maximum")
        if what != "morale" and not table.marker(USED, MarkerId(what)):
            sentence = f"No {what.title()} marker is in the Used box."
            return refused("marker_must_be_in_used_box", sentence, RuleId("6.3.marker-in-used-box"))
        if table.track(SUPPLY) < cost:
            sentence = f"This costs {cost} of {table.track(SUPPLY)} Supply Points."
            return refused("supply_must_suffice", sentence, RuleId("6.3.spend"))
        return None

    def _refuse_return(self, table: Table, asked: Open, command: ReturnUnit) -> Refusal | None:
        """Return why a unit cannot return to an Area. Source: 6.3."""
        unit, area = command.unit, command.area
        if area not in self.board.areas:
            return refused("area_must_exist", f"There is no Area {area!r}.")
        if unit not in self.board.units:
            return refused("unit_must_be_german", f"{unit!r} is not a German unit.")
        if not queries.is_vacant(table, area):
            return refused("area_must_be_german_controlled", f"Area {area} is Soviet-controlled.")
        if unit not in table.pieces_at(OUT_OF_ACTION):
            return refused("unit_must_be_out_of_action", f"{unit} is not in the Out of Action Box.")
        if not suits_return(table, self.board, unit, area):
            if queries.is_northern(self.board, unit):
                own = northern_area(table, self.board, unit)
                return refused("area_must_suit_return", f"{unit} returns to Area {own} only.", RETURN_NORTHERN)
            return refused("area_must_suit_return", f"There is no other German unit in Area {area}.")
        if table.track(SUPPLY) < return_cost(self.board, unit):
            return refused("supply_must_suffice", f"{unit} costs {return_cost(self.board, unit)} Supply Points.")
        if not queries.room(table, self.board, area):
            return refused("stacking_limit_must_hold", f"Area {area} is full.", RuleId("6.3.return-stacking"))
        return None

    def _buy(self, draft: Draft, asked: Open, command: Buy) -> None:
        """Pay, and take the marker or the point of Morale."""
        cost = purchase_cost(self.board, command.what)
        if command.what == "morale":
            self._pay(draft, cost, BUY_MORALE)
            change_morale(draft, self.board, 1, BUY_MORALE)
        else:
            self._pay(draft, cost, SUPPORT_COSTS)
            move_markers(draft, MarkerId(command.what), 1, SUPPORT_COSTS, source=USED, to=AVAILABLE)

    def _return_unit(self, draft: Draft, asked: Open, command: ReturnUnit) -> None:
        """Pay, and put the unit onto the map, Fresh. Source: 6.3, ruling.return-fresh."""
        self._pay(draft, return_cost(self.board, command.unit), RuleId("6.3.return-cost"))
        rule = RETURN_NORTHERN if queries.is_northern(self.board, command.unit) else RuleId("6.3.return-area")
        draft.move(command.unit, command.area, rule)
        draft.turn(command.unit, FRESH, RuleId("6.3.return-fresh"))

    def _pay(self, draft: Draft, cost: int, rule: RuleId) -> None:
        left = draft.table.track(SUPPLY) - cost
        assert left >= 0, "Supply Points cannot go below 0"
        draft.track(SUPPLY, left, rule)
