"""Card 2 and card 9: income, free units and tokens, and when the Axis may spend."""

from core.engine.decision_rules import DecisionRules
from core.engine.draft import Draft
from core.engine.selection import Done, Pick
from core.games.axis_allies.components.supply_lines import is_supplied
from core.games.axis_allies.ids import (
    ALLIES,
    ASSAULT,
    AXIS,
    BATTLE,
    FLYING,
    POOL,
    RPC,
    SIDES,
    SUPPLY,
    URANUS,
    WINTER_STORM,
    round_space,
    unit,
)
from core.games.axis_allies.options import LUFTWAFFE_PRIORITIES
from core.games.axis_allies.rules.commands import Buy, Deploy
from core.games.axis_allies.rules.reinforcement import Reinforcement, earning
from events.ids import PlaceId, RuleId, Side
from tests.support.axis_allies import BOARD, SCENE, Scene, bare, charts, control_but
from tests.support.rows import each_row

CHAPTER = Reinforcement(BOARD)
RULES = DecisionRules(CHAPTER.decisions, sequences=CHAPTER.sequences)
TATSINSKAYA = PlaceId("tatsinskaya")


def phase(side: Side, draft: Draft, number: int, storm: int = 0, rpcs: int = 0, dice: tuple[int, ...] = ()) -> Scene:
    """Begin the Reinforcement phase of a side in a round, with Winter Storm in another and with RPCs."""
    draft.begin_round(number, SCENE)
    draft.begin_turn(side, SCENE)
    draft.begin_phase(f"{side}_reinforcement", SCENE)
    if storm:
        draft.mark(round_space(storm), WINTER_STORM, SCENE)
    draft.track(RPC[side], rpcs, SCENE)
    scene = Scene(draft, RULES)
    scene.run(CHAPTER.by_side[side].begin, dice)
    return scene


# Income


def test_the_axis_collects_where_it_has_land_units_in_zones_that_it_controls() -> None:
    """RuleId("order.2.collect"), RuleId("order.2.collect-needs-land-unit"), RuleId("zone.rp-value"),
    RuleId("supply.definition"), ruling.axis-rp-occupation."""
    units = {
        "tractor_factory": {"ger_infantry": 1},
        "spartanovka": {"ger_infantry": 1, "sov_infantry": 1},
        "chemical_factory": {"ger_fighter": 1},
        "grain_elevator": {"ger_infantry": 1},
    }
    own = ["tractor_factory", "spartanovka", "chemical_factory", "mamayev_kurgan", "kalach"]
    draft = bare({AXIS: own}, units=units, held={AXIS: {"mamayev_kurgan": 1}}, markers={"spartanovka": BATTLE})

    assert not is_supplied(draft.table, BOARD, PlaceId("tractor_factory"), AXIS), "that does not matter here"
    assert phase(AXIS, draft, 3).table.track(RPC[AXIS]) == 3


def test_the_allies_collect_for_every_zone_that_they_control() -> None:
    """RuleId("order.9.collect")."""
    values = {place: zone.rp for place, zone in BOARD.zones.items() if zone.rp}
    empty, fought, lost = [place for place, value in values.items() if value == 1][:3]
    draft = bare(
        {AXIS: [place for place in values if place not in (empty, fought)]},
        units={fought: {"ger_tank": 1}, lost: {"sov_tank": 1}},
        markers={fought: ASSAULT},
    )

    assert phase(ALLIES, draft, 3).table.track(RPC[ALLIES]) == 2


@each_row(("scenario", "income"), [("race", (2, 16)), ("uranus", (11, 7))])
def test_income_of_the_set_up_charts(scenario: str, income: tuple[int, int]) -> None:
    table = charts(scenario).table

    assert tuple(sum(earning(table, BOARD, side).values()) for side in SIDES) == income


# Free tokens and infantry


def test_a_token_comes_to_the_axis_base_in_odd_rounds() -> None:
    """RuleId("order.2.odd-supply-token"), RuleId("sequence.round-conditions")."""
    odd = phase(AXIS, bare(), 1)

    assert odd.kinds(TATSINSKAYA) == [SUPPLY]
    assert len(odd.kinds(POOL[AXIS])) == 6
    assert odd.asked == ""

    even = phase(AXIS, bare(control={AXIS: ["petrovka"]}), 2)

    assert even.kinds(TATSINSKAYA) == []


def test_without_a_token_in_the_pool_none_comes() -> None:
    """RuleId("components.limits-general"), ruling.pool-exhausted."""
    scene = phase(AXIS, bare(held={AXIS: {"kalach": 7}}), 1)

    assert scene.kinds(TATSINSKAYA) == []
    assert [event.rule for event in scene.events if event.rule == "components.limits-general"]


FREE_ZONES = ["oblivskaya", "perelazovskii", "petrovka"]


def test_the_axis_chooses_its_free_infantry_and_its_zone() -> None:
    """RuleId("order.2.even-infantry"), RuleId("order.2.even-infantry.not-allied"), RuleId("order.2.rpc-locked")."""
    battle = {"petrovka": {"sov_tank": 1, "ger_tank": 1}}
    draft = bare({AXIS: ["petrovka", "oblivskaya", "surovikino"]}, units=battle, markers={"petrovka": BATTLE})
    scene = phase(AXIS, draft, 4, rpcs=9)

    assert scene.asked == "axis free_infantry"
    assert scene.options == [
        Deploy(kind, PlaceId(zone)) for kind in ("ger_infantry", "min_infantry") for zone in ("petrovka", "oblivskaya")
    ]
    assert scene.refused(Deploy("min_infantry", PlaceId("surovikino"))) == (
        "zone_must_be_eligible",
        "order.2.even-infantry",
    )
    assert scene.refused(Deploy("min_infantry", PlaceId("perelazovskii")))[0] == "zone_must_be_friendly"
    assert scene.refused(Deploy("ger_tank", PlaceId("petrovka"))) == ("unit_must_be_eligible", "order.2.even-infantry")
    assert scene.refused(Deploy("sov_infantry", PlaceId("petrovka")))[0] == "unit_must_be_eligible"
    assert scene.refused(Buy("ger_infantry", PlaceId("tormosin"))) == (
        "winter_storm_must_have_begun",
        "order.2.rpc-locked",
    )
    assert scene.refused(Done()) == ("decision_must_be_open", "sequence.instruction-order")

    scene.do(Deploy("min_infantry", PlaceId("petrovka")))

    assert scene.kinds("petrovka") == ["sov_tank", "ger_tank", "min_infantry"]
    assert (scene.asked, scene.table.track(RPC[AXIS])) == ("", 9)


def test_free_infantry_without_a_zone_is_lost() -> None:
    """RuleId("order.2.even-infantry.not-allied")."""
    assert phase(AXIS, bare(), 2).asked == ""


def test_free_infantry_with_one_choice_only_is_deployed() -> None:
    """ruling.free-infantry-optional"""
    units = {zone: {"min_infantry": 1} for zone in control_but(*FREE_ZONES)[:8]}
    scene = phase(AXIS, bare({AXIS: ["petrovka"]}, units=units), 2)

    assert (scene.asked, scene.kinds("petrovka")) == ("", ["ger_infantry"])


def test_free_infantry_needs_a_piece() -> None:
    """RuleId("components.unit-limit")."""
    units = {zone: {"min_infantry": 1} for zone in control_but(*FREE_ZONES)[:8]}
    scene = phase(AXIS, bare({AXIS: ["petrovka", "oblivskaya"]}, units=units), 2)

    assert scene.refused(Deploy("min_infantry", PlaceId("petrovka")))[0] == "piece_must_be_available"


# Winter Storm


def test_the_axis_gets_an_air_unit_in_the_round_of_winter_storm_only() -> None:
    """RuleId("order.2.winter-storm-air"), RuleId("deployment.air"), RuleId("winter-storm.zones")."""
    scene = phase(AXIS, bare(), 9, storm=9)

    assert scene.asked == "axis storm_air"
    assert len(scene.options) == 4
    assert scene.refused(Deploy("ger_bomber", TATSINSKAYA)) == ("zone_must_be_eligible", "winter-storm.zones")
    assert scene.refused(Deploy("ger_tank", PlaceId("tormosin"))) == (
        "unit_must_be_eligible",
        "order.2.winter-storm-air",
    )

    scene.do(Deploy("ger_bomber", PlaceId("tormosin")))

    assert scene.table.pieces[unit("ger_bomber", 1)].face == FLYING
    assert scene.table.control[PlaceId("tormosin")] == ALLIES
    assert scene.asked == ""
    assert phase(AXIS, bare(), 11, storm=9).asked == ""


@each_row(("number", "storm", "asked"), [(9, 9, "axis buy"), (11, 9, "axis buy"), (7, 9, ""), (7, 0, "")])
def test_the_axis_spends_from_the_round_of_winter_storm_on(number: int, storm: int, asked: str) -> None:
    """RuleId("order.2.rpc-locked"), RuleId("order.2.winter-storm-spend"), RuleId("winter-storm.persistent")."""
    scene = phase(AXIS, bare(), number, storm=storm, rpcs=12)
    if scene.asked == "axis storm_air":
        scene.do(Deploy("ger_fighter", PlaceId("tormosin")))

    assert scene.asked == asked


def test_what_is_collected_now_can_be_spent_now() -> None:
    """RuleId("order.2.same-card-income")."""
    units = {"tractor_factory": {"ger_infantry": 1}}
    scene = phase(AXIS, bare({AXIS: ["tractor_factory"]}, units=units), 11, storm=9, rpcs=4)
    events = scene.do(Buy("ger_tank", PlaceId("tormosin")))

    assert scene.table.track(RPC[AXIS]) == 0
    assert (scene.asked, scene.table.control[PlaceId("tormosin")]) == ("", AXIS)
    assert RuleId("winter-storm.persistent") in [event.rule for event in events]


# Luftwaffe Priorities


AIRCRAFT = {"tatsinskaya": {"ger_fighter": 2, "ger_bomber": 1}, "oblivskaya": {"ger_fighter": 1}}
PRIORITIES = {LUFTWAFFE_PRIORITIES.key: True}


def test_on_a_six_an_air_unit_is_needed_elsewhere() -> None:
    """RuleId("optional.luftwaffe.roll"), RuleId("optional.luftwaffe.compensation"), RuleId("order.2.rpc-locked")."""
    scene = phase(AXIS, bare(units=AIRCRAFT, options=PRIORITIES), 2, dice=(6,))

    assert scene.asked == "axis luftwaffe_loss"
    assert len(scene.options) == 3
    assert scene.refused(Pick("ger_bomber ground", "oblivskaya")) == (
        "casualty_must_be_eligible",
        "optional.luftwaffe.roll",
    )
    assert scene.refused(Buy("ger_tank", PlaceId("tormosin")))[0] == "winter_storm_must_have_begun"

    scene.do(Pick("ger_fighter ground", "oblivskaya"))

    assert scene.kinds("oblivskaya") == []
    assert scene.table.track(RPC[AXIS]) == 10


@each_row(
    ("face", "units", "scenario", "rpcs"),
    [
        (5, {"tatsinskaya": {"ger_fighter": 1}}, "race", 0),
        (6, {}, "race", 0),
        (6, {"tatsinskaya": {"ger_fighter": 3}}, "race", 10),
        (6, {"tatsinskaya": {"ger_bomber": 1}}, URANUS, 5),
    ],
)
def test_luftwaffe_priorities_without_a_choice(
    face: int, units: dict[str, dict[str, int]], scenario: str, rpcs: int
) -> None:
    """RuleId("optional.luftwaffe.compensation"), ruling.luftwaffe-mandatory-choice."""
    number = sum(sum(kinds.values()) for kinds in units.values())
    scene = phase(AXIS, bare(units=units, options=PRIORITIES, scenario=scenario), 7, dice=(face,))

    assert scene.table.track(RPC[AXIS]) == rpcs
    assert len([1 for piece in scene.table.pieces.values() if piece.kind in BOARD.units]) == number - (rpcs > 0)


def test_without_the_option_no_die_is_rolled() -> None:
    """RuleId("components.optional-cards")."""
    assert phase(AXIS, bare(units=AIRCRAFT), 3).table.track(RPC[AXIS]) == 0
