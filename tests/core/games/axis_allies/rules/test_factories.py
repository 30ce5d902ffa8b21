"""The optional placement of the factories."""

from core.engine.decision_rules import DecisionRules
from core.games.axis_allies.ids import (
    ALLIES_SEAT,
    ARTILLERY_FACTORY,
    AXIS_SEAT,
    FACTORY,
    TANK_FACTORY,
)
from core.games.axis_allies.memory import IN_LEFT_HAND
from core.games.axis_allies.options import FACTORY_PLACEMENT
from core.games.axis_allies.rules.automatic_cards import factory_zone
from core.games.axis_allies.rules.commands import Hide, PickHand, PlaceFactory
from core.games.axis_allies.rules.set_up import Factories, lay_out
from events.ids import TABLE, PlaceId
from projections.state.view import see
from tests.support.axis_allies import BOARD, Scene, opened

CHAPTER = Factories(BOARD)
RULES = DecisionRules(CHAPTER.decisions)
GRAIN_ELEVATOR = PlaceId("grain_elevator")
ZONES = [PlaceFactory(zone) for zone in BOARD.city_rp_zones]


def asked() -> Scene:
    draft = opened(options={FACTORY_PLACEMENT.key: True})
    lay_out(draft, BOARD)
    scene = Scene(draft, RULES)
    scene.run(CHAPTER.begin)
    return scene


def test_no_factory_lies_on_its_usual_zone() -> None:
    """RuleId("optional.factory-placement")."""
    assert [factory_zone(asked().table, name) for name in FACTORY] == [None, None]


def test_each_side_places_the_factory_of_a_hand() -> None:
    """RuleId("optional.factory-placement"), ruling.alt-factory."""
    scene = asked()

    assert (scene.asked, scene.options) == ("allies hide_factories", [Hide("tank"), Hide("artillery")])

    scene.do(Hide("artillery"))

    assert (scene.asked, scene.options) == ("axis pick_hand", [PickHand("left"), PickHand("right")])

    scene.do(PickHand("right"))

    assert (scene.asked, scene.options) == ("axis place_factory", ZONES)
    assert scene.refused(PlaceFactory(PlaceId("krasnaya_sloboda"))) == (
        "zone_must_be_eligible",
        "optional.factory-placement",
    )
    assert scene.refused(PlaceFactory(PlaceId("kalach")))[0] == "zone_must_be_eligible"

    scene.do(PlaceFactory(GRAIN_ELEVATOR))

    assert factory_zone(scene.table, TANK_FACTORY) == GRAIN_ELEVATOR
    assert scene.asked == "allies place_factory"
    assert scene.refused(PlaceFactory(GRAIN_ELEVATOR)) == ("zone_must_be_eligible", "optional.factory-placement")

    scene.do(PlaceFactory(PlaceId("spartanovka")))

    assert factory_zone(scene.table, ARTILLERY_FACTORY) == "spartanovka"
    assert scene.asked == ""


def test_only_the_allies_know_what_is_in_a_hand_until_one_is_picked() -> None:
    """RuleId("optional.factory-placement.hidden")."""
    views = {
        left: [repr([see(event, AXIS_SEAT) for event in asked().do(Hide(left))])] for left in ("tank", "artillery")
    }
    scene = asked()
    hidden = scene.do(Hide("artillery"))

    assert views["tank"] == views["artillery"]
    assert "artillery" in repr([see(event, ALLIES_SEAT) for event in hidden])

    picked = scene.do(PickHand("left"))

    assert "artillery" in repr([see(event, AXIS_SEAT) for event in picked])
    assert IN_LEFT_HAND.of(scene.table, TABLE) is None
