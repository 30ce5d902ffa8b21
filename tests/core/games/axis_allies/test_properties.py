"""What holds in every match of this game, looked at after every single command of random matches.

What fits any game is watched in `tests/core/test_fuzz.py`. At the end, faults planted on a table: each of them has to be found.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest
from msgspec.structs import force_setattr

from core.chance.chance_sources import ManualChance, seeded
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.engine.selection import onward
from core.games.axis_allies.components.supply_lines import LATEST, is_supplied, joined, lines
from core.games.axis_allies.ids import (
    ALLIES,
    ASSAULT,
    AXIS,
    BATTLE,
    FLYING,
    GROUND,
    ORDER_BOX,
    ORDER_DECK,
    ORDER_DISCARDS,
    PHASES,
    POOL,
    RACE,
    RPC,
    SIDES,
    STANDARD,
    SUPPLY,
    URANUS,
    above,
    order_card,
)
from core.games.axis_allies.memory import HOME, MISSION, SCRAMBLE
from core.games.axis_allies.options import OPTIONAL_RULES
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.games.axis_allies.rules.land_movement import Land, ends_before, lie_of, moved_before
from core.games.axis_allies.rules.movement import MOVE_UNITS, Orders
from core.games.axis_allies.rules.queries import FORCES, Force, air, force, forces, is_contested, is_friendly, land
from events.ids import PieceId, PlaceId, Side
from projections.state.table import Table
from tests.support.axis_allies import BOARD, SCENE, bare, opened
from tests.support.rows import each_row
from tests.support.soak import sampled

RULES = AxisAlliesRules(BOARD)
MOVED = {AXIS: PHASES[4], ALLIES: PHASES[11]}
"""The phases before which a side's stacking limits are checked."""


def pieces_watch(table: Table, rules: AxisAlliesRules) -> None:
    """All tokens are there, no unit is beyond pieces and chips, and every piece lies somewhere."""
    kinds = Counter(piece.kind for piece in table.pieces.values())
    tokens = kinds.pop(SUPPLY)
    assert tokens == BOARD.file.components.supply_tokens, f"components.supply-tokens: {tokens}"
    box = BOARD.file.components
    beyond = sum([max(0, number - BOARD.units[kind].figures) for kind, number in kinds.items()])
    assert beyond <= box.gray_chips + box.green_chips * box.green_worth, f"components.chips: {beyond}"
    assert all(table.pieces[token].side == ALLIES for token in table.pieces_at(POOL[ALLIES])), "supply.token.ownership"
    cards = [card for pile in (ORDER_DECK, ORDER_DISCARDS, ORDER_BOX) for card in table.pile(pile).cards]
    assert len(set(cards)) == len(cards) == len(BOARD.order_cards), f"components.order-cards: {cards}"


def money_watch(table: Table, rules: AxisAlliesRules) -> None:
    """No side owes RPCs."""
    assert all(table.track(RPC[side]) >= 0 for side in SIDES), "components.rpc"


def forces_watch(table: Table, rules: AxisAlliesRules) -> None:
    """Land units of both sides are together in contested zones only; elsewhere they are in zones of their own."""
    for zone in BOARD.zones:
        there = [side for side in SIDES if land(table, BOARD, zone, side)]
        assert len(there) < 2 or is_contested(table, zone), f"zone.contested: {zone}"
        assert is_contested(table, zone) or all(is_friendly(table, zone, side) for side in there), (
            f"zone.control: {zone}"
        )


def stacking_watch(table: Table, rules: AxisAlliesRules) -> None:
    """Airfields hold four on the ground; after its Movement phase no force of a side is too large."""
    for zone in BOARD.zones:
        for side in SIDES:
            down = [piece for piece in air(table, BOARD, zone, side) if table.pieces[piece].face == GROUND]
            assert len(down) <= BOARD.file.limits.air_units, f"zone.airfield.capacity: {zone}"
            assert not down or BOARD.zones[zone].has_airfield, f"zone.airfield: {zone}"
    for side, phase in MOVED.items():
        forces = [zone for zone in BOARD.zones if len(land(table, BOARD, zone, side)) > BOARD.file.limits.land_units]
        assert table.phase != phase or not forces, f"stacking.limit: {forces}"


def supply_watch(table: Table, rules: AxisAlliesRules) -> None:
    """What is kept about supply is what is found anew."""
    everywhere = [(zone, side) for zone in BOARD.zones for side in SIDES]
    kept = [is_supplied(table, BOARD, zone, side) for zone, side in everywhere]
    joined.cache_clear()
    LATEST.clear()
    for (zone, side), was in zip(everywhere, kept, strict=True):
        assert was == is_supplied(table, BOARD, zone, side), f"supply.continuous: {side} in {zone}"


def moves_watch(table: Table, rules: AxisAlliesRules) -> None:
    """What is kept about moves is what is found anew."""
    if table.top is not None and table.top.kind == MOVE_UNITS:
        kept = rules.options(table)
        moved_before.cache_clear()
        ends_before.cache_clear()
        lie_of.cache_clear()
        LATEST.clear()
        FORCES.clear()
        orders = rules.kinds[MOVE_UNITS]
        assert isinstance(orders, Orders)
        for land_before in orders.lands.values():
            land_before.forget()
        assert kept == rules.options(table), "movement.land.points"


def kept_forces_watch(table: Table, rules: AxisAlliesRules) -> None:
    """What is kept about the units in a place is what is found anew."""
    for zone, kept in forces(table, BOARD).items():
        anew = Force(table, BOARD, table.at[zone])
        parts = ("air", "board", "land", "land_kinds", "tanks", "there", "units")
        assert all(getattr(kept, name) == getattr(anew, name) for name in parts), f"zone.occupied: {zone}"


def markers_watch(table: Table, rules: AxisAlliesRules) -> None:
    """No more Combat Markers are in use than there are; aircraft above a crossing attack it, or intercept."""
    used = sum([there.get(face, 0) for there in table.markers.values() for face in (ASSAULT, BATTLE)])
    assert used <= BOARD.file.components.combat_markers, f"components.combat-markers: {used}"
    for crossing in BOARD.crossings:
        for piece in table.pieces_at(above(crossing)):
            assert table.pieces[piece].face == FLYING, f"volga-attack.declare: {piece}"


def interceptors_watch(table: Table, rules: AxisAlliesRules) -> None:
    """A fighter that scrambled knows where it came from, and no other does."""
    for piece in table.pieces:
        assert (HOME.of(table, piece) is None) == (MISSION.of(table, piece) != SCRAMBLE), (
            f"optional.interceptors.return: {piece}"
        )


Watch = Callable[[Table, AxisAlliesRules], None]
WATCHES: tuple[Watch, ...] = (
    kept_forces_watch,
    pieces_watch,
    money_watch,
    forces_watch,
    stacking_watch,
    supply_watch,
    moves_watch,
    markers_watch,
    interceptors_watch,
)


def look(table: Table) -> None:
    """Look at all of it."""
    for watch in WATCHES:
        watch(table, RULES)


@pytest.mark.parametrize("scenario", sampled([RACE, URANUS], lambda scenario: scenario == URANUS))
def test_these_hold_after_every_command(scenario: str, budget: float) -> None:
    """components.supply-tokens, components.chips, stacking.limit, supply.continuous, zone.contested, zone.control"""
    options = {spec.key: True for spec in OPTIONAL_RULES if scenario in (spec.scenarios or (scenario,))}
    left, asked = round(350 * max(1, budget)), Counter[str]()
    for number in range(100):
        choose = Random(f"{scenario} {number}")
        chance = seeded(str(number))
        table = opened(scenario, STANDARD, options).table
        RULES.set_up(Draft(table, chance))
        while table.ended is None and left:
            assert table.top is not None
            command, left = choose.choice(onward(RULES.options(table))), left - 1
            asked[table.top.kind] += 1
            with suppress(MatchOver):
                RULES.take(Draft(table, chance), command)
            look(table)
        if not left:
            break

    assert left == 0
    assert {"move", "buy", "casualties", "designate", "intercept"} <= asked.keys()


# Planted faults


def strayed(draft: Draft) -> None:
    draft.remove(draft.table.pieces_at(POOL[ALLIES])[0], SCENE)


def taken(draft: Draft) -> None:
    draft.move(draft.table.pieces_at(POOL[AXIS])[0], POOL[ALLIES], SCENE)


def owing(draft: Draft) -> None:
    draft.track(RPC[AXIS], -1, SCENE)


def mingled(draft: Draft) -> None:
    draft.place(PieceId("sov_tank/9"), PlaceId("kalach"), SCENE, kind="sov_tank", side=ALLIES)


def crowded(draft: Draft) -> None:
    for number in range(1, 6):
        draft.place(
            PieceId(f"sov_fighter/{number}"), PlaceId("frolovo"), SCENE, kind="sov_fighter", side=ALLIES, face=GROUND
        )


def stacked(draft: Draft) -> None:
    for number in range(10, 19):
        draft.place(PieceId(f"ger_tank/{number}"), PlaceId("kalach"), SCENE, kind="ger_tank", side=AXIS)


def turned(draft: Draft) -> None:
    """Change what is kept of a control that does not change."""
    side = Side(ALLIES)
    force_setattr(lines(draft.table, BOARD, side), "supplied", frozenset())


def stuck(draft: Draft) -> None:
    """Change what is kept of moves from zones that lie as they did."""
    draft.ask(MOVE_UNITS, draft.table.seat_of(AXIS), SCENE)
    RULES.options(draft.table)
    kept = Land(draft.table, BOARD, AXIS).moved
    kept.by_class.update({unit: [] for unit in kept.by_class})
    kept.by_zone.update({zone: (here, sites, []) for zone, (here, sites, _) in kept.by_zone.items()})


def mistaken(draft: Draft) -> None:
    """Change what is kept of the units in a place whose list of pieces does not change."""
    place = next(zone for zone in BOARD.zones if land(draft.table, BOARD, zone, AXIS))
    force(draft.table, BOARD, place).land[AXIS].pop()


def scattered(draft: Draft) -> None:
    for zone in [zone for zone, there in BOARD.zones.items() if there.base is None][:16]:
        draft.mark(zone, BATTLE, SCENE)


def forgotten(draft: Draft) -> None:
    draft.place(PieceId("sov_fighter/1"), PlaceId("frolovo"), SCENE, kind="sov_fighter", side=ALLIES, face=GROUND)
    MISSION.set(draft, PieceId("sov_fighter/1"), SCRAMBLE, SCENE)


PLANTED: list[tuple[Callable[[Draft], None], str]] = [
    (strayed, "components.supply-tokens"),
    (taken, "supply.token.ownership"),
    (owing, "components.rpc"),
    (mingled, "zone.contested"),
    (crowded, "zone.airfield.capacity"),
    (stacked, "stacking.limit"),
    (turned, "supply.continuous"),
    (stuck, "movement.land.points"),
    (mistaken, "zone.occupied"),
    (scattered, "components.combat-markers"),
    (forgotten, "optional.interceptors.return"),
]


@each_row(("plant", "rule"), PLANTED)
def test_a_planted_fault_is_found(plant: Callable[[Draft], None], rule: str) -> None:
    draft = bare({AXIS: ["kalach"]}, {"kalach": {"ger_infantry": 1}})
    draft.form(ORDER_DECK, tuple(map(order_card, BOARD.order_cards)), SCENE)
    draft.begin_phase(PHASES[4], SCENE)
    look(draft.table)

    plant(Draft(draft.table, ManualChance()))

    with pytest.raises(AssertionError, match=rule):
        look(draft.table)
