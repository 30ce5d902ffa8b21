"""The set-up: what the charts of both scenarios lay out, and what the optional rules change before the first round."""

from collections import Counter
from collections.abc import Iterator

from core.engine.decision import Decision
from core.engine.draft import Draft
from core.engine.question import Answer
from core.engine.repeated_questions import Series
from core.games.axis_allies import ids
from core.games.axis_allies.components.board_model import Board
from core.games.axis_allies.components.board_records import ScenarioRow
from core.games.axis_allies.components.map_records import ASSAULT_GUN, MECH_INFANTRY, TANK
from core.games.axis_allies.ids import ALLIES, ARTILLERY_FACTORY, AXIS, FACTORY, RACE, TANK_FACTORY, URANUS
from core.games.axis_allies.memory import IN_LEFT_HAND, MOVE, MOVED
from core.games.axis_allies.options import ALTERNATIVE_DEPLOYMENT_SITES, FACTORY_PLACEMENT
from core.games.axis_allies.rules.automatic_cards import factory_zone
from core.games.axis_allies.rules.commands import Hide, PickHand, PlaceFactory, Rearrange
from core.games.axis_allies.rules.queries import all_like, first_like, free_unit, is_friendly, land, like, tokens
from core.games.axis_allies.rules.refusals import absent, asks, misplaced, refused
from core.games.axis_allies.rules.supply import show_supply
from core.refusal import Refusal
from events.ids import TABLE, CardId, PieceId, PileId, PlaceId, RuleId, Side
from projections.state.table import Open, Table

URANUS_CARDS = RuleId("setup.common.uranus-deck")
DECK = {RACE: RuleId("setup.common.order-deck"), URANUS: RuleId("setup.uranus.deck")}
STORM = {RACE: RuleId("setup.race.marker-round-1"), URANUS: RuleId("setup.uranus.marker-round-7")}
WEATHER = {RACE: RuleId("setup.race.marker-round-1"), URANUS: RuleId("setup.uranus.don-frozen")}
AXIS_ZONES = {RACE: RuleId("setup.race.axis-control"), URANUS: RuleId("setup.uranus.axis-control")}
RPCS = {RACE: RuleId("setup.race.no-income"), URANUS: RuleId("setup.uranus.axis-rpc")}
AXIS_TOKENS = {RACE: RuleId("setup.race.no-income"), URANUS: RuleId("setup.uranus.supply-tokens")}
FERRIES = {RACE: RuleId("setup.race.ferries"), URANUS: RuleId("setup.uranus.ferries")}
FACTORIES = {RACE: RuleId("setup.race.factories"), URANUS: RuleId("setup.uranus.no-factories")}
CONTESTED = {RACE: RuleId("setup.race.contested"), URANUS: RuleId("setup.uranus.contested")}
AMBUSHERS = {RACE: RuleId("setup.race.allies-city"), URANUS: RuleId("setup.uranus.ambushers")}
REGION = {
    AXIS: {RACE: RuleId("setup.race.axis-units"), URANUS: RuleId("setup.uranus.axis-region")},
    ALLIES: {RACE: RuleId("setup.race.allies-region"), URANUS: RuleId("setup.uranus.allies-region")},
}
CITY = {
    AXIS: {RACE: RuleId("setup.race.axis-units"), URANUS: RuleId("setup.uranus.axis-city")},
    ALLIES: {RACE: RuleId("setup.race.allies-city"), URANUS: RuleId("setup.uranus.allies-city")},
}
"""What the charts of both scenarios say; `REGION` and `CITY` are where the units of each side stand on the two boards."""


def lay_out(draft: Draft, board: Board) -> None:
    """Lay the components of the match's scenario out. Source: setup.scenario-choice."""
    row = board.scenarios[draft.table.scenario]
    _form_piles(draft, board, row)
    _set_control(draft, board, row)
    _place_markers(draft, row)
    _place_tokens(draft, board, row)
    _place_units(draft, board, row)
    for zone in row.battles:
        draft.mark(zone, ids.BATTLE, CONTESTED[draft.table.scenario])
    show_supply(draft, board)


def _form_piles(draft: Draft, board: Board, row: ScenarioRow) -> None:
    """Lay the Order Cards ready from the scenario's first card on, and the hidden Operation Uranus cards.

    Source: setup.common.order-deck, setup.uranus.deck, setup.common.uranus-deck.
    """
    out = tuple(map(ids.order_card, row.removed_cards))
    for pile, cards in order_piles(board, row.first_card, out).items():
        draft.form(pile, cards, DECK[draft.table.scenario])
    draft.form(ids.URANUS_DECK, tuple(board.uranus_cards), URANUS_CARDS, seen_by=())
    for pile in (ids.URANUS_DRAWN, *ids.URANUS_FRONT.values(), ids.URANUS_DEPLOYED):
        draft.form(pile, (), URANUS_CARDS)


def order_piles(board: Board, current: int, out: tuple[CardId, ...]) -> dict[PileId, tuple[CardId, ...]]:
    """Return the piles of Order Cards when the round has come to a card, with the cards that are out of the game."""
    to_come = {ids.order_card(number): number >= current for number in sorted(board.order_cards)}
    deck = tuple([card for card, is_to_come in to_come.items() if is_to_come and card not in out])
    discards = tuple([card for card, is_to_come in to_come.items() if not is_to_come and card not in out])
    return {ids.ORDER_DECK: deck, ids.ORDER_DISCARDS: discards, ids.ORDER_BOX: out}


def _set_control(draft: Draft, board: Board, row: ScenarioRow) -> None:
    """Give every zone to a side. Source: setup.common.control, ruling.base-zone-control."""
    for place, zone in board.zones.items():
        if zone.base is not None:
            draft.control(place, zone.base, RuleId("zone.base.definition"))
        elif place in row.axis_control:
            draft.control(place, AXIS, AXIS_ZONES[draft.table.scenario])
        else:
            draft.control(place, ALLIES, RuleId("setup.common.control"))


def _place_markers(draft: Draft, row: ScenarioRow) -> None:
    """Place ferries, factories and what lies on the Round Track, and give the Axis its RPCs.

    An award of the auction is there already, and factories that the players place come later.

    Source: setup.race.no-income, setup.uranus.allies-rpc, setup.uranus.no-factories,
    optional.bidding.award, optional.factory-placement.
    """
    for number in row.bad_rounds:
        draft.mark(ids.round_space(number), ids.FROZEN, WEATHER[draft.table.scenario])
        draft.mark(ids.DON, ids.FROZEN, WEATHER[draft.table.scenario])
    if row.storm_round:
        draft.mark(ids.round_space(row.storm_round), ids.WINTER_STORM, STORM[draft.table.scenario])
    for crossing in row.ferries:
        draft.mark(crossing, ids.FERRY, FERRIES[draft.table.scenario])
    for name, zone in ((TANK_FACTORY, row.tank_factory), (ARTILLERY_FACTORY, row.artillery_factory)):
        if zone is not None and not FACTORY_PLACEMENT.is_on(draft.table):
            draft.mark(zone, FACTORY[name], FACTORIES[draft.table.scenario])
    draft.track(ids.RPC[AXIS], draft.table.track(ids.RPC[AXIS]) + row.axis_rpcs, RPCS[draft.table.scenario])


def _place_tokens(draft: Draft, board: Board, row: ScenarioRow) -> None:
    """Put the supply tokens into the pools, and those of the Axis that begin on the boards out of its pool.

    Source: components.supply-tokens, setup.common.pools, ruling.uranus-tokens-source.
    """
    box = board.file.components
    for number in range(1, box.supply_tokens + 1):
        side = AXIS if number <= box.axis_tokens else ALLIES
        draft.place(ids.token(number), ids.POOL[side], RuleId("setup.common.pools"), kind=ids.SUPPLY, side=side)
    for placed in row.axis_tokens:
        for piece in tokens(draft.table, ids.POOL[AXIS], AXIS)[: placed.number]:
            draft.move(piece, placed.place, AXIS_TOKENS[draft.table.scenario])


def _place_units(draft: Draft, board: Board, row: ScenarioRow) -> None:
    """Place the units of both sides, aircraft on the ground; those of a type are numbered from 1."""
    charts = [(PlaceId(placed.place), placed.units) for placed in (*row.axis, *row.allies)]
    for place, kind in [(place, kind) for place, there in charts for kind in Counter(there).elements()]:
        unit, zone = board.units[kind], board.zones.get(place)
        if zone is not None:
            rule = (CITY if zone.is_city else REGION)[unit.side][draft.table.scenario]
        else:
            rule = FERRIES[draft.table.scenario] if place in board.crossings else AMBUSHERS[draft.table.scenario]
        draft.place(
            free_unit(draft.table, kind), place, rule, kind=kind, side=unit.side, face=ids.GROUND if unit.is_air else ""
        )


PLACEMENT = RuleId("optional.factory-placement")
HIDDEN = RuleId("optional.factory-placement.hidden")

HIDE_FACTORIES = "hide_factories"
PICK_HAND = "pick_hand"
PLACE_FACTORY = "place_factory"

OTHER = {TANK_FACTORY: ARTILLERY_FACTORY, ARTILLERY_FACTORY: TANK_FACTORY}


class Factories:
    """The questions, each of which leads to the next. Source: optional.factory-placement, ruling.alt-factory."""

    def __init__(self, board: Board) -> None:
        self.board = board
        hide = Answer(Hide, lambda *_: (Hide("tank"), Hide("artillery")), None, self._hide, ends=HIDDEN)
        pick = Answer(PickHand, lambda *_: (PickHand("left"), PickHand("right")), None, self._pick, ends=PLACEMENT)
        place = Answer(PlaceFactory, self._zones, self._refuse, self._place, ends=PLACEMENT)
        hidden: dict[str, Decision] = {HIDE_FACTORIES: asks(hide), PICK_HAND: asks(pick)}
        self.decisions = {**hidden, PLACE_FACTORY: asks(place)}

    def begin(self, draft: Draft) -> None:
        """Ask the Allies for the factory in their left hand."""
        draft.ask(HIDE_FACTORIES, draft.table.seat_of(ALLIES), HIDDEN)

    def _hide(self, draft: Draft, asked: Open, command: Hide) -> None:
        """Keep what only the Allies know. Source: optional.factory-placement.hidden."""
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
        return refused("zone_must_be_eligible", "Each factory stands in an RP zone of the city of its own.", PLACEMENT)

    def _place(self, draft: Draft, asked: Open, command: PlaceFactory) -> None:
        """Place a factory; after that of the Axis the Allies place the other."""
        name = asked.text("factory")
        draft.mark(command.to, FACTORY[name], PLACEMENT)
        if factory_zone(draft.table, OTHER[name]) is None:
            draft.ask(PLACE_FACTORY, draft.table.seat_of(ALLIES), PLACEMENT, {"factory": OTHER[name]})


RULES = {ALLIES: RuleId("optional.alternative-deployment.allies"), AXIS: RuleId("optional.alternative-deployment.axis")}

AXIS_TYPES = (MECH_INFANTRY, TANK, ASSAULT_GUN)
"""What the Axis may move. Source: optional.alternative-deployment.axis."""


class Rearrangement(Series):
    """The question which unit moves where, which stays open until the side is done. Source: ruling.rearranged-once."""

    def __init__(self, board: Board) -> None:
        answer = Answer(Rearrange, self._candidates, self._refuse, self._move)
        super().__init__("rearrange", RULES.__getitem__, (answer,), misplaced)
        self.board = board

    # What is legal

    def _candidates(self, table: Table, asked: Open) -> Iterator[Rearrange]:
        side = table.side_of(asked.seat)
        for origin in self.board.zones:
            movable = [piece for piece in land(table, self.board, origin, side) if self._may_move(table, side, piece)]
            for unit in dict.fromkeys([like(table, piece) for piece in movable]):
                yield from [Rearrange(unit, origin, to) for to in (*self.board.zones, *self.board.sites)]

    def _may_move(self, table: Table, side: Side, piece: PieceId) -> bool:
        """Return whether a unit may be moved: once, and only those on the side's board and of its types."""
        there = table.pieces[piece]
        zone, kind = self.board.zones.get(there.place), self.board.units.get(there.kind)
        if zone is None or kind is None or kind.is_air or there.side != side or MOVE.of(table, piece):
            return False
        return zone.is_city if side == ALLIES else not zone.is_city and kind.type in AXIS_TYPES

    def _refuse(self, table: Table, asked: Open, command: Rearrange) -> Refusal | None:
        """Return why a unit cannot be moved to a place.

        Source: optional.alternative-deployment.allies, optional.alternative-deployment.axis, ruling.alt-deployment.
        """
        side, to = table.side_of(asked.seat), command.to
        piece = first_like(table, side, command.origin, command.unit)
        if piece is None:
            return absent(table, side, command.origin, command.unit, rule=RULES[side])
        if not self._may_move(table, side, piece):
            return refused("unit_must_be_eligible", rule=RULES[side])
        if to in self.board.sites and side == ALLIES and ALTERNATIVE_DEPLOYMENT_SITES.is_on(table):
            return self._refuse_site(table, piece, to)
        zone = self.board.zones.get(to)
        is_own = zone is not None and (zone.is_city if side == ALLIES else not zone.is_city and zone.base is None)
        if not is_own or to == command.origin or not is_friendly(table, to, side):
            board = "city" if side == ALLIES else "Region Board"
            return refused(
                "zone_must_be_eligible", f"The set-up is moved to other own zones of the {board}.", RULES[side]
            )
        is_full = len(land(table, self.board, to, side)) >= self.board.file.limits.land_units
        return refused("stacking_limit_must_hold", rule=RULES[side]) if is_full else None

    def _refuse_site(self, table: Table, piece: PieceId, site: PlaceId) -> Refusal | None:
        """Return why a unit cannot begin in an Ambush Site. Source: ambush.who, ruling.alt-deployment."""
        if not self.board.units[table.pieces[piece].kind].is_infantry:
            return refused("ambusher_must_be_infantry")
        return refused("ambush_site_must_be_empty") if table.pieces_at(site) else None

    # What follows

    def _move(self, draft: Draft, asked: Open, command: Rearrange) -> None:
        side = draft.table.side_of(asked.seat)
        for piece in all_like(draft.table, side, ((command.origin, command.unit),)):
            draft.move(piece, command.to, RULES[side])
            MOVE.set(draft, piece, MOVED, RULES[side])
        show_supply(draft, self.board)
