"""Card 8: the factories of Stalingrad."""

from core.engine.draft import Draft
from core.games.axis_allies.ids import (
    ALLIES,
    ARTILLERY_FACTORY,
    AXIS,
    BATTLE,
    CAPTURED_FACTORY,
    FACTORY,
    ORDER_BOX,
    ORDER_DECK,
    TANK_FACTORY,
    order_card,
)
from core.games.axis_allies.rules.automatic_cards import work
from core.games.axis_allies.rules.control import CONTROL, take
from core.games.axis_allies.rules.queries import free_unit
from events.ids import MarkerId, PlaceId
from events.vocabulary import RuleApplied
from tests.support.axis_allies import BOARD, SCENE, bare
from tests.support.rows import each_row

TANKS, GUNS = PlaceId("tractor_factory"), PlaceId("barrikady_factory")


def card_8(number: int, control: tuple[PlaceId, ...] = ()) -> Draft:
    """Return the draft of a round in which card 8 is on top, with factories that the Axis may have captured."""
    faces = {True: CAPTURED_FACTORY, False: FACTORY}
    places = {TANKS: TANK_FACTORY, GUNS: ARTILLERY_FACTORY}
    markers: dict[str, MarkerId] = {zone: faces[zone in control][name] for zone, name in places.items()}
    draft = bare({AXIS: list(control)}, markers=markers)
    draft.form(ORDER_DECK, tuple(order_card(card) for card in range(8, 15)), SCENE)
    draft.form(ORDER_BOX, (), SCENE)
    begin(draft, number)
    return draft


def begin(draft: Draft, number: int) -> None:
    draft.begin_round(number, SCENE)
    draft.begin_turn(ALLIES, SCENE)
    draft.begin_phase("heroic_workers", SCENE)


def kinds(draft: Draft, zone: PlaceId) -> list[str]:
    return [draft.table.pieces[piece].kind for piece in draft.table.pieces_at(zone)]


@each_row(
    ("number", "control", "tanks", "guns"),
    [
        (3, (), ["sov_tank"], []),
        (4, (), [], ["sov_artillery"]),
        (3, (TANKS,), [], []),
        (3, (GUNS,), ["sov_tank"], []),
        (4, (GUNS,), [], []),
        (4, (TANKS,), [], ["sov_artillery"]),
    ],
)
def test_a_factory_in_allied_hands_produces_in_its_rounds(
    number: int, control: tuple[PlaceId, ...], tanks: list[str], guns: list[str]
) -> None:
    """RuleId("order.8.odd-tank"), RuleId("order.8.even-artillery"), ruling.free-infantry-optional."""
    draft = card_8(number, control)
    work(draft, BOARD)

    assert (kinds(draft, TANKS), kinds(draft, GUNS)) == (tanks, guns)


def test_a_captured_factory_is_told_to_produce_nothing() -> None:
    """RuleId("order.8.odd-tank")."""
    draft = card_8(3, (TANKS,))
    work(draft, BOARD)

    assert [event.about for event in draft.events if isinstance(event, RuleApplied)] == [TANKS]


def test_a_contested_factory_produces() -> None:
    """RuleId("order.8.odd-tank"), ruling.deploy-into-contested."""
    draft = card_8(3)
    draft.place(free_unit(draft.table, "ger_tank"), TANKS, SCENE, kind="ger_tank", side=AXIS)
    draft.mark(TANKS, BATTLE, SCENE)
    work(draft, BOARD)

    assert kinds(draft, TANKS) == ["ger_tank", "sov_tank"]
    assert draft.table.marker(TANKS, BATTLE) == 1


def test_a_liberated_factory_produces_from_the_next_round_on() -> None:
    """RuleId("order.8.liberated"), RuleId("order.8.flip"), ruling.factory-liberated-same-round."""
    draft = card_8(5, (TANKS,))
    take(draft, BOARD, TANKS, ALLIES, CONTROL)
    work(draft, BOARD)

    assert kinds(draft, TANKS) == []

    begin(draft, 6)
    work(draft, BOARD)
    begin(draft, 7)
    work(draft, BOARD)

    assert (kinds(draft, TANKS), kinds(draft, GUNS)) == (["sov_tank"], ["sov_artillery"])


def test_both_factories_lost_end_production_for_good() -> None:
    """RuleId("order.8.both-captured"), RuleId("sequence.removed-cards")."""
    draft = card_8(5, (TANKS, GUNS))
    work(draft, BOARD)

    assert not draft.table.markers
    assert draft.table.pile(ORDER_BOX).cards == (order_card(8),)
    assert draft.table.pile(ORDER_DECK).cards[0] == order_card(9)


def test_a_unit_without_a_piece_is_not_produced() -> None:
    """RuleId("components.limits-general"), ruling.pool-exhausted."""
    zones = [zone for zone, there in BOARD.zones.items() if not there.base and zone not in (TANKS, GUNS)]
    draft = card_8(4)
    for zone in zones[:10]:
        draft.place(free_unit(draft.table, "sov_artillery"), zone, SCENE, kind="sov_artillery", side=ALLIES)
    work(draft, BOARD)

    assert kinds(draft, GUNS) == []
