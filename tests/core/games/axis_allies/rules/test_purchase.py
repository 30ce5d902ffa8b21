"""What both sides buy, and where it arrives."""

from core.engine.decision_rules import DecisionRules
from core.engine.selection import Done
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.ids import (
    ALLIES,
    ASSAULT,
    AXIS,
    BATTLE,
    FERRY,
    FERRY_ITEM,
    ICE_BRIDGE,
    POOL,
    RPC,
    SUPPLY,
    UNSUPPLIED,
    WINTER_STORM,
    round_space,
    token,
)
from core.games.axis_allies.rules.commands import Buy
from core.games.axis_allies.rules.reinforcement import BUY, SPEND, Purchases, price
from events.ids import MarkerId, PlaceId, Side
from projections.state.table import Table
from tests.support.axis_allies import BOARD, SCENE, Scene, bare, control_but
from tests.support.rows import each_row

PURCHASES = Purchases(BOARD)
RULES = DecisionRules({BUY: PURCHASES})
STORM_ROUND = 9


def shop(
    side: Side,
    rpcs: int,
    control: list[str] | None = None,
    units: dict[str, dict[str, int]] | None = None,
    markers: dict[str, MarkerId] | None = None,
    ferries: tuple[str, ...] = (),
    spent: int = 0,
) -> Scene:
    """Ask a side what to buy; the Axis controls the zones named, and `spent` tokens are not in the Allies' pool."""
    draft = bare({AXIS: control or []}, units=units, markers=markers, ferries=ferries, held={ALLIES: {"kalach": spent}})
    draft.mark(round_space(STORM_ROUND), WINTER_STORM, SCENE)
    draft.begin_round(STORM_ROUND, SCENE)
    draft.begin_turn(side, SCENE)
    draft.begin_phase(f"{side}_reinforcement", SCENE)
    draft.track(RPC[side], rpcs, SCENE)
    scene = Scene(draft, RULES)
    scene.run(lambda asking: asking.ask(BUY, draft.table.seat_of(side), SPEND[side]))
    return scene


def buy(item: str, to: str) -> Buy:
    return Buy(item, PlaceId(to))


def rpcs(table: Table, side: Side) -> int:
    return table.track(RPC[side])


# Prices


@each_row(
    ("side", "prices"),
    [
        (
            AXIS,
            {
                "ger_infantry": 3,
                "min_infantry": 3,
                "ger_mech_infantry": 4,
                "ger_artillery": 4,
                "min_artillery": 4,
                "ger_tank": 6,
                "ger_assault_gun": 5,
            },
        ),
        (
            ALLIES,
            {
                "sov_infantry": 3,
                "sov_mech_infantry": 4,
                "sov_artillery": 4,
                "sov_tank": 6,
                "sov_rocket_launcher": 2,
                SUPPLY: 1,
                FERRY_ITEM: 1,
            },
        ),
    ],
)
def test_prices(side: Side, prices: dict[str, int]) -> None:
    """RuleId("unit.infantry.stats"), RuleId("unit.mech.stats"), RuleId("unit.artillery.stats"), RuleId("unit.tank.stats"),
    RuleId("unit.assault-gun.stats"), RuleId("unit.rocket.stats"), RuleId("unit.supply-token.cost"), RuleId("unit.ferry.cost"),
    ruling.minor-artillery-purchase."""
    assert {item: cost for item in (*BOARD.units, SUPPLY, FERRY_ITEM) if (cost := price(BOARD, side, item))} == prices


@each_row(
    ("side", "item", "rule"),
    [
        (AXIS, SUPPLY, "unit.supply-token.cost"),
        (AXIS, FERRY_ITEM, "unit.ferry.cost"),
        (AXIS, "ger_fighter", "unit.air.not-purchasable"),
        (ALLIES, "sov_bomber", "unit.air.not-purchasable"),
        (AXIS, "sov_tank", "order.2.winter-storm-spend"),
        (ALLIES, "ger_tank", "order.9.spend"),
        (ALLIES, "elephant", "order.9.spend"),
    ],
)
def test_a_side_buys_from_its_own_list_only(side: Side, item: str, rule: str) -> None:
    """RuleId("unit.air.not-purchasable"), RuleId("unit.supply-token.cost"), RuleId("unit.ferry.cost")."""
    assert shop(side, 40).refused(buy(item, "tormosin")) == ("item_must_be_for_sale", rule)


# The Axis


def test_winter_storm_spends_any_number_of_rpcs_in_its_two_zones() -> None:
    """RuleId("order.2.winter-storm-spend"), RuleId("winter-storm.zones"), RuleId("components.rpc"), RuleId("stacking.check-time")."""
    scene = shop(AXIS, 40, control=["tormosin"])

    assert scene.refused(buy("ger_tank", "surovikino")) == ("zone_must_be_eligible", "winter-storm.zones")

    scene.do(
        *[buy("ger_tank", "tormosin")] * 4,
        *[buy("ger_assault_gun", "verkhne_kumskii")] * 2,
        buy("min_infantry", "tormosin"),
    )

    assert rpcs(scene.table, AXIS) == 3

    scene.do(buy("ger_infantry", "tormosin"))

    assert (rpcs(scene.table, AXIS), scene.asked) == (0, "")
    assert scene.kinds("tormosin") == [*["ger_tank"] * 4, "min_infantry", "ger_infantry"]


def test_rpcs_that_are_not_spent_are_kept() -> None:
    """RuleId("order.2.winter-storm-spend"), RuleId("order.9.spend")."""
    scene = shop(AXIS, 7)
    scene.do(buy("ger_artillery", "tormosin"))

    assert scene.refused(buy("ger_tank", "tormosin")) == ("rpcs_must_suffice", "order.2.winter-storm-spend")

    scene.do(Done())

    assert (rpcs(scene.table, AXIS), scene.asked) == (3, "")


def test_winter_storm_units_fight_for_a_zone_or_take_it() -> None:
    """RuleId("deployment.into-hostile-occupied"), RuleId("deployment.into-hostile-empty"), RuleId("supply.continuous")."""
    control = control_but("tormosin", "verkhne_kumskii")
    scene = shop(AXIS, 40, control=control, units={"tormosin": {"sov_infantry": 1}})
    scene.do(buy("ger_tank", "tormosin"), buy("ger_tank", "tormosin"), buy("ger_tank", "verkhne_kumskii"))

    assert scene.table.markers[PlaceId("tormosin")] == {ASSAULT: 1, UNSUPPLIED[ALLIES]: 1}
    assert scene.table.control[PlaceId("verkhne_kumskii")] == AXIS


# The Allies


def test_the_allies_deploy_in_their_entry_zones() -> None:
    """RuleId("order.9.spend"), RuleId("order.9.zones"), RuleId("zone.krasnaya-sloboda")."""
    scene = shop(ALLIES, 8, control=["veshenskaya"])

    assert scene.refused(buy("sov_infantry", "kotluban")) == ("zone_must_be_eligible", "order.9.zones")
    assert scene.refused(buy("sov_infantry", "srednyaya_akhtuba"))[0] == "zone_must_be_eligible"
    assert scene.refused(buy("sov_infantry", "crossing_gray"))[0] == "zone_must_be_eligible"

    scene.do(buy("sov_tank", "veshenskaya"), buy("sov_rocket_launcher", "krasnaya_sloboda"))

    assert scene.table.control[PlaceId("veshenskaya")] == ALLIES
    assert (rpcs(scene.table, ALLIES), scene.asked) == (0, "")


@each_row(
    ("control", "there", "may_have_two"),
    [([], {}, False), (["ilovinska"], {}, False), ([], {"ger_tank": 1}, True), ([], {"ger_fighter": 1}, True)],
)
def test_three_entry_zones_take_one_unit_each_unless_the_axis_is_there(
    control: list[str], there: dict[str, int], may_have_two: bool
) -> None:
    """RuleId("order.9.one-unit-limit"), ruling.deploy-limit-tokens."""
    scene = shop(ALLIES, 20, control=control, units={"ilovinska": there})
    scene.do(buy("sov_infantry", "ilovinska"), buy(SUPPLY, "ilovinska"), buy(SUPPLY, "ilovinska"))
    second = buy("sov_artillery", "ilovinska")

    if may_have_two:
        scene.do(second, second)
    else:
        assert scene.refused(second) == ("entry_limit_must_hold", "order.9.one-unit-limit")
        scene.do(buy("sov_infantry", "krasnoarmeysk"))


def test_krasnaya_sloboda_takes_any_number_of_units() -> None:
    """RuleId("order.9.krasnaya-sloboda"), RuleId("stacking.check-time")."""
    scene = shop(ALLIES, 30, units={"krasnaya_sloboda": {"sov_infantry": 8}})
    scene.do(*[buy("sov_infantry", "krasnaya_sloboda")] * 5)

    assert len(scene.kinds("krasnaya_sloboda")) == 13


@each_row(
    ("zone", "refusal"),
    [
        ("srednyaya_akhtuba", None),
        ("veshenskaya", None),
        ("krasnaya_sloboda", None),
        ("frolovo", None),
        ("pitomnik", "zone_must_be_friendly"),
        ("tatsinskaya", "zone_must_be_friendly"),
        ("kalach", "zone_must_be_eligible"),
        ("pool/allies", "zone_must_be_eligible"),
    ],
)
def test_tokens_arrive_in_entry_zones_and_at_friendly_airfields(zone: str, refusal: str | None) -> None:
    """RuleId("order.9.supply-tokens"), ruling.token-alone-in-hostile."""
    scene = shop(ALLIES, 5, control=["veshenskaya", "pitomnik"])
    if refusal is None:
        scene.do(buy(SUPPLY, zone), buy(SUPPLY, zone))

        assert scene.kinds(zone) == [SUPPLY, SUPPLY]
        assert scene.table.pieces[token(8)].side == ALLIES
        assert scene.table.control[PlaceId("veshenskaya")] == AXIS, "a token takes nothing"
    else:
        assert scene.refused(buy(SUPPLY, zone)) == (refusal, "order.9.supply-tokens")


def test_tokens_are_bought_while_the_pool_has_some() -> None:
    """RuleId("components.limits-general"), RuleId("components.supply-tokens")."""
    scene = shop(ALLIES, 9, spent=10)
    scene.do(buy(SUPPLY, "frolovo"))

    assert scene.kinds(POOL[ALLIES]) == []
    assert scene.refused(buy(SUPPLY, "frolovo"))[0] == "piece_must_be_available"


def test_a_ferry_replaces_the_one_of_its_crossing_and_supplies_at_once() -> None:
    """RuleId("ferry.destroyed-replaceable"), RuleId("ferry.landing-zone-any-control"), RuleId("ferry.supply-role"),
    RuleId("ferry.colour-match"), RuleId("components.crossing-tokens"), RuleId("supply.city.ferry-lost")."""
    scene = shop(
        ALLIES,
        9,
        control=control_but("krasnaya_sloboda"),
        units={"grain_elevator": {"sov_infantry": 1, "ger_infantry": 1}, "tractor_factory": {"sov_infantry": 1}},
        markers={"grain_elevator": BATTLE, "tractor_factory": ASSAULT},
        ferries=("crossing_brown",),
    )
    elevator = PlaceId("grain_elevator")

    assert not is_supplied(scene.table, BOARD, elevator, ALLIES)
    assert scene.refused(buy(FERRY_ITEM, "crossing_brown")) == ("piece_must_be_available", "components.crossing-tokens")
    assert scene.refused(buy(FERRY_ITEM, "krasnaya_sloboda")) == ("crossing_must_match_colour", "ferry.colour-match")

    scene.do(buy(FERRY_ITEM, "crossing_white"))

    assert scene.table.marker("crossing_white", FERRY) == 1
    assert is_supplied(scene.table, BOARD, elevator, ALLIES)
    assert UNSUPPLIED[ALLIES] not in scene.table.markers[elevator]
    assert UNSUPPLIED[ALLIES] in scene.table.markers[PlaceId("tractor_factory")]
    assert rpcs(scene.table, ALLIES) == 8


def test_no_ferry_is_bought_for_ice_bridges() -> None:
    """RuleId("components.crossing-tokens")."""
    scene = shop(ALLIES, 9, markers=dict.fromkeys(BOARD.crossings, ICE_BRIDGE))

    assert scene.refused(buy(FERRY_ITEM, "krasnaya_sloboda"))[0] == "piece_must_be_available"


# Precedence


def test_the_first_refusal_in_the_order_of_the_list_answers() -> None:
    """A purchase that breaks more and more of its rules."""
    launchers = {zone: {"sov_rocket_launcher": 1} for zone in control_but("veshenskaya", "ilovinska", "terkin")[:8]}
    fights = dict.fromkeys(control_but("veshenskaya", "ilovinska")[:15], BATTLE)
    held = {**launchers, "veshenskaya": {"min_infantry": 1}}
    scene = shop(ALLIES, 7, control=["veshenskaya"], units=held, markers=fights)

    assert scene.refused(buy("sov_infantry", "veshenskaya"))[0] == "combat_marker_must_be_available"
    assert scene.refused(buy("sov_infantry", "terkin"))[0] == "zone_must_be_eligible"
    assert "What is bought arrives in Veshenskaya, Ilovinska, Krasnoarmeysk or Krasnaya Sloboda." in str(
        scene.refusal(buy("sov_infantry", "terkin"))
    )
    assert scene.refused(buy("sov_rocket_launcher", "veshenskaya"))[0] == "piece_must_be_available"
    assert scene.refused(buy("sov_rocket_launcher", "terkin"))[0] == "piece_must_be_available"

    scene.do(buy("sov_tank", "ilovinska"))

    assert scene.refused(buy("sov_rocket_launcher", "veshenskaya"))[0] == "rpcs_must_suffice"
    assert scene.refused(buy("sov_fighter", "veshenskaya"))[0] == "item_must_be_for_sale"
