"""What is in the box, as far as the rules need it: seats, dice, markers, cards and the reference chart."""

from core.chance.chance_sources import KeyedChance
from core.engine.draft import Draft
from core.games.axis_allies.ids import (
    ALLIES,
    ALLIES_SEAT,
    AUCTION,
    AXIS,
    AXIS_SEAT,
    CAPTURED_FACTORY,
    FACTORY,
    FERRY,
    FROZEN,
    ICE_BRIDGE,
    ORDER_DECK,
    PLAYS,
    STANDARD,
    order_card,
)
from core.games.axis_allies.memory import in_play
from events.ids import RuleId, Side
from tests.support.axis_allies import BOARD, charts, opened
from tests.support.rows import each_row

BOX = in_play(BOARD, "race", {})


def test_two_seats_play() -> None:
    """RuleId("components.seats"), ruling.auction-mode."""
    assert PLAYS[STANDARD] == {AXIS_SEAT: AXIS, ALLIES_SEAT: ALLIES}
    assert list(PLAYS[AUCTION].values()) == [Side(""), Side("")]
    assert opened().table.seats == (AXIS_SEAT, ALLIES_SEAT)


def test_dice_have_six_faces_and_any_number_is_rolled() -> None:
    """RuleId("components.die")."""
    draft = Draft(opened().table, KeyedChance(b"0" * 32, "dice"))
    faces = draft.dice(200, "test", RuleId("combat.one-round"))

    assert set(faces) == set(range(1, 7))


def test_markers_of_the_box() -> None:
    """RuleId("components.frozen-markers"), RuleId("components.crossing-tokens"), RuleId("components.factory-tokens")."""
    stocks = {face: counters.stock for counters in BOX.counters for face in counters.faces}

    assert stocks[FROZEN] == 9
    assert stocks[FERRY] == stocks[ICE_BRIDGE] == 3
    assert [stocks[faces[name]] for name in FACTORY for faces in (FACTORY, CAPTURED_FACTORY)] == [1] * 4


def test_the_order_cards_lie_open_in_their_order() -> None:
    """RuleId("components.order-cards")."""
    pile = charts().table.pile(ORDER_DECK)

    assert pile.cards == tuple(order_card(number) for number in range(1, 15))
    assert pile.seen_by is None


@each_row(
    ("type_", "attack", "defence", "move", "count"),
    [
        ("infantry", 1, 2, 1, 2),
        ("minor_infantry", 1, 2, 1, 1),
        ("mech_infantry", 1, 2, 2, 2),
        ("artillery", 2, 2, 1, 3),
        ("tank", 3, 3, 2, 2),
        ("assault_gun", 2, 3, 2, 1),
        ("rocket_launcher", 0, 0, 2, 1),
        ("fighter", 3, 4, 0, 2),
        ("bomber", 3, 1, 0, 2),
    ],
)
def test_the_reference_chart(type_: str, attack: int, defence: int, move: int, count: int) -> None:
    """RuleId("unit.infantry.stats"), RuleId("unit.mech.stats"), RuleId("unit.artillery.stats"), RuleId("unit.tank.stats"),
    RuleId("unit.assault-gun.stats"), RuleId("unit.rocket.stats"), RuleId("unit.fighter.stats"), RuleId("unit.bomber.stats")."""
    rows = [(unit.attack, unit.defence, unit.move) for unit in BOARD.units.values() if unit.type == type_]

    assert rows == [(attack, defence, move)] * count
