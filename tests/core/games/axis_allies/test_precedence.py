"""Commands that are wrong in more ways than one: the refusal that comes first in the list answers."""

from collections.abc import Callable

from core.engine.command import Command
from core.engine.selection import Done, Pick
from core.game_files.rulebook import load_rulebook
from core.games.axis_allies.ids import (
    ALLIES,
    ALLIES_SEAT,
    AXIS,
    BATTLE,
    FERRY_ITEM,
    PACKAGE,
    PHASES,
    SUPPLY,
    URANUS_DECK,
    URANUS_FRONT,
)
from core.games.axis_allies.memory import (
    ATTACK_MISSION,
    RELOCATE,
    SUPPLY_DROP,
    SUPPLY_LANDING,
)
from core.games.axis_allies.options import EVICT_TO_FRIENDLY_ONLY
from core.games.axis_allies.rules.automatic_cards import VictoryConditions
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.games.axis_allies.rules.commands import Blitz, Buy, DeployCard, Evict, Fly, Move, Spend, Wait
from core.games.axis_allies.rules.refusals import REFUSALS
from core.refusal import Refusal
from events.ids import CardId, MarkerId, PlaceId, Seat
from projections.state.table import Table
from tests.support.axis_allies import BOARD, SCENE, bare, charts, control_but
from tests.support.axis_allies_questions import asking
from tests.support.rows import each_row

RULES = AxisAlliesRules(BOARD)
INDEX = load_rulebook(PACKAGE)
EAST, WHITE, GRAY, BROWN = "krasnaya_sloboda", "crossing_white", "crossing_gray", "crossing_brown"
CARD = CardId("uranus_3")


def fights(*but: str) -> dict[str, MarkerId]:
    """Return places for all Combat Markers, none of them in these zones."""
    return dict.fromkeys(
        [zone for zone in BOARD.zones if zone not in but][: BOARD.file.components.combat_markers], BATTLE
    )


def ended() -> Table:
    """Play is over."""
    draft = bare()
    draft.begin_round(BOARD.file.limits.rounds, SCENE)
    VictoryConditions(BOARD).check(draft)
    return draft.table


def deploying() -> Table:
    """The Allies launched in the last round in which they could, and deploy a card that lies in the northwest."""
    draft = charts()
    northwest = next(iter(URANUS_FRONT.values()))
    draft.move_card(CARD, URANUS_DECK, northwest, SCENE, seen_by=(ALLIES_SEAT,))
    draft.begin_round(BOARD.file.uranus.last_round, SCENE)
    draft.begin_turn(ALLIES, SCENE)
    draft.begin_phase(PHASES[7], SCENE)
    draft.ask("deploy_card", ALLIES_SEAT, SCENE)
    return draft.table


def reacting() -> Table:
    return asking("intercept", ALLIES, 4)


def axis_moving() -> Table:
    return asking(
        "move",
        AXIS,
        3,
        control=control_but("veshenskaya"),
        units={
            "orlovka": {"ger_infantry": 1},
            "kletskaya": {"ger_mech_infantry": 1},
            "verkhne_kumskii": {"ger_tank": 1},
        },
        markers={"verkhne_kumskii": BATTLE},
        moved=["kletskaya"],
    )


def leaving() -> Table:
    """German infantry would begin an Assault out of the city, for which there is no Combat Marker."""
    markers = fights("orlovka", "vertyachii")
    return asking("move", AXIS, 3, control=["orlovka"], units={"orlovka": {"ger_infantry": 1}}, markers=markers)


def landing() -> Table:
    """A unit is on the white crossing, and an air unit has arrived in the air."""
    units = {WHITE: {"sov_infantry": 1}, "srednyaya_akhtuba": {"sov_fighter": 1}}
    return asking("move", ALLIES, 10, units=units, ferries=[WHITE], flying=["srednyaya_akhtuba"])


def crossing() -> Table:
    """Units wait in Krasnaya Sloboda, infantry that has moved among them; the white crossing is taken."""
    units = {
        EAST: {"sov_infantry": 1, "sov_tank": 1},
        WHITE: {"sov_infantry": 1},
        "grain_elevator": {"sov_infantry": 1},
    }
    return asking("move", ALLIES, 10, units=units, ferries=[WHITE, GRAY], moved=[EAST], held={ALLIES: {"frolovo": 1}})


def allies_moving(number: int = 3) -> Table:
    units = {
        "frolovo": {"sov_rocket_launcher": 1, "sov_infantry": 1, "sov_tank": 1},
        "ilovinska": {"sov_rocket_launcher": 1},
        "pavlovs_house": {"sov_infantry": 1},
        "ambush_station": {"sov_infantry": 1},
        "tractor_factory": {"sov_infantry": 1},
        "ambush_tractor": {"sov_infantry": 1},
        "kletskaya": {"ger_infantry": 1},
        "kopania": {"sov_tank": 1},
    }
    return asking(
        "move",
        ALLIES,
        10,
        number,
        control=["kletskaya", "terkin", "surovikino", "bread_factory"],
        units=units,
        markers={"frolovo": BATTLE, "pavlovs_house": BATTLE},
        moved=["tractor_factory", "ambush_tractor", "ilovinska"],
        held={ALLIES: {"frolovo": 1}},
    )


def bound() -> Table:
    """Round 1: Soviets next to the Axis, one of which has moved."""
    units = {"frolovo": {"sov_rocket_launcher": 1}, "kletskaya": {"ger_infantry": 1}}
    return asking("move", ALLIES, 10, 1, control=["kletskaya"], units=units, moved=["frolovo"])


def rear() -> Table:
    """A launcher would begin an Assault for which there is no Combat Marker."""
    units = {"frolovo": {"sov_rocket_launcher": 1}, "kletskaya": {"ger_infantry": 1}}
    return asking(
        "move", ALLIES, 10, control=["kletskaya"], units=units, markers=fights("frolovo", "kletskaya", "ilovinska")
    )


def poor() -> Table:
    """The Allies buy, without RPCs; all ferries are in place."""
    return asking("buy", ALLIES, 9, ferries=[WHITE, GRAY, BROWN])


def rich() -> Table:
    """The Allies buy; all ferries are in place."""
    return asking("buy", ALLIES, 9, ferries=[WHITE, GRAY, BROWN], rpcs=40)


def without_a_ferry() -> Table:
    return asking("buy", ALLIES, 9, ferries=[GRAY, BROWN], rpcs=40)


def evicting() -> Table:
    """The Axis moves what is too much in Frolovo, to friendly zones only."""
    return asking(
        "evict",
        AXIS,
        10,
        control=["kalach"],
        units={"frolovo": {"sov_infantry": 9}},
        options={EVICT_TO_FRIENDLY_ONLY.key: True},
    )


def fighting() -> Table:
    """The Axis may spend a token for its force in Kalach."""
    held: dict[str, dict[str, int]] = {ALLIES: {"kalach": 1}}
    return asking("spend_token", AXIS, 5, units={"kalach": {"ger_tank": 1}}, held=held, zone="kalach", use="combat")


def flying(*, is_bad_weather: bool = False) -> Table:
    """The Axis gives aircraft their moves; a bomber has dropped supplies already."""
    return asking(
        "move",
        AXIS,
        3,
        control=["oblivskaya", "pitomnik", "kalach"],
        units={
            "oblivskaya": {"ger_fighter": 1, "ger_bomber": 1},
            "pitomnik": {"ger_bomber": 1},
            "kalach": {"ger_tank": 1},
        },
        held={AXIS: {"oblivskaya": 2}},
        markers={"kalach": BATTLE},
        flying=["pitomnik"],
        missions={"ger_bomber/2": SUPPLY_DROP},
        is_bad_weather=is_bad_weather,
    )


def in_bad_weather() -> Table:
    return flying(is_bad_weather=True)


def bombarding() -> Table:
    """Launchers: one in a contested zone, one unsupplied, one ready, next to Axis zones without units."""
    units = {zone: {"sov_rocket_launcher": 1} for zone in ("ilovinska", "gorodishche", "kremenskaya")}
    cut_off = BOARD.zones[PlaceId("gorodishche")].near
    return asking(
        "assign_bombardment", ALLIES, 12, control=[*cut_off, "zimovskii"], units=units, markers={"ilovinska": BATTLE}
    )


def move(unit: str, origin: str, to: str) -> Move:
    return Move(unit, PlaceId(origin), PlaceId(to))


def buy(item: str, to: str) -> Buy:
    return Buy(item, PlaceId(to))


def fly(unit: str, origin: str, to: str, mission: str = ATTACK_MISSION, *cargo: str) -> Fly:
    return Fly(unit, PlaceId(origin), PlaceId(to), mission, cargo)


def blitz(unit: str, origin: str, via: str, to: str, *, with_mech: bool = False) -> Blitz:
    return Blitz(unit, PlaceId(origin), PlaceId(via), PlaceId(to), with_mech)


LAUNCHER, TANK, BASE = "sov_rocket_launcher", "sov_tank", "tatsinskaya"
ROWS: list[tuple[str, Callable[[], Table], str, Command]] = [
    ("match_must_be_running", ended, "axis", DeployCard(CARD, PlaceId(BASE))),
    ("hidden_must_stay_hidden", deploying, "axis", DeployCard(CardId("uranus_4"), PlaceId(BASE))),
    ("winter_storm_must_have_begun", axis_moving, "axis", buy(TANK, "nowhere")),
    ("uranus_must_be_launched", deploying, "allies", Wait()),
    ("targets_must_be_set_before_dice", reacting, "allies", Pick("frolovo", "kletskaya")),
    ("decision_must_be_open", axis_moving, "allies", move("sov_infantry", "nowhere", BASE)),
    ("decision_must_be_open", reacting, "allies", fly("sov_fighter", "nowhere", BASE)),
    ("crossing_must_be_offloaded", landing, "allies", Done()),
    ("item_must_be_for_sale", poor, "allies", buy("sov_fighter", BASE)),
    ("rpcs_must_suffice", poor, "allies", buy(TANK, BASE)),
    ("rpcs_must_suffice", poor, "allies", buy(FERRY_ITEM, "kalach")),
    ("piece_must_be_available", rich, "allies", buy(FERRY_ITEM, "kalach")),
    ("unit_must_be_eligible", allies_moving, "allies", move("ger_tank", "frolovo", BASE)),
    ("unit_must_be_eligible", allies_moving, "allies", blitz("sov_infantry", "frolovo", "terkin", BASE)),
    ("cards_must_keep_to_fronts", deploying, "allies", DeployCard(CARD, PlaceId("krasnoarmeysk"))),
    ("crossing_must_match_colour", without_a_ferry, "allies", buy(FERRY_ITEM, "kalach")),
    ("zone_must_be_friendly", evicting, "axis", Evict("sov_infantry", PlaceId("frolovo"), PlaceId("kalach"))),
    ("token_must_stay_in_place", allies_moving, "allies", move(SUPPLY, "frolovo", BASE)),
    ("token_must_be_own", fighting, "axis", Spend(PlaceId("kalach"))),
    ("axis_must_not_cross_volga", axis_moving, "axis", move("ger_infantry", "orlovka", EAST)),
    (
        "volga_must_be_crossed_westward_at_crossings",
        crossing,
        "allies",
        move("sov_infantry", "grain_elevator", BROWN),
    ),
    ("crossing_must_be_in_place", crossing, "allies", move("sov_infantry moved", EAST, BROWN)),
    ("crossing_must_suit_cargo", crossing, "allies", move("sov_tank moved", EAST, WHITE)),
    ("crossing_must_be_empty", crossing, "allies", move("sov_infantry moved", EAST, WHITE)),
    ("base_zone_must_not_be_entered", allies_moving, "allies", move("sov_infantry", "frolovo", BASE)),
    ("ambusher_must_be_infantry", allies_moving, "allies", move(TANK, "frolovo", "ambush_tractor")),
    ("ambush_site_must_be_connected", allies_moving, "allies", move("sov_infantry", "frolovo", "ambush_tractor")),
    (
        "ambusher_must_come_from_uncontested_zone",
        allies_moving,
        "allies",
        move("sov_infantry", "pavlovs_house", "ambush_station"),
    ),
    (
        "ambush_site_must_be_empty",
        allies_moving,
        "allies",
        move("sov_infantry moved", "tractor_factory", "ambush_tractor"),
    ),
    (
        "zone_must_have_been_friendly_and_uncontested",
        allies_moving,
        "allies",
        move("sov_infantry moved", "ambush_tractor", "bread_factory"),
    ),
    ("zones_must_be_adjacent", allies_moving, "allies", move(LAUNCHER, "frolovo", "elsewhere")),
    ("zones_must_be_adjacent", allies_moving, "allies", blitz(TANK, "frolovo", "kalach", "kopania", with_mech=True)),
    (
        "blitz_zone_must_be_unoccupied",
        allies_moving,
        "allies",
        blitz(TANK, "frolovo", "kletskaya", "frolovo", with_mech=True),
    ),
    (
        "blitz_mech_must_pair_with_tank",
        allies_moving,
        "allies",
        blitz(TANK, "frolovo", "terkin", "frolovo", with_mech=True),
    ),
    ("unit_must_not_be_locked_in_combat", allies_moving, "allies", move(LAUNCHER, "frolovo", "kletskaya")),
    ("not_one_step_back_must_be_obeyed", bound, "allies", move(f"{LAUNCHER} moved", "frolovo", "ilovinska")),
    ("road_must_be_contiguous", axis_moving, "axis", move("ger_mech_infantry moved", "kletskaya", "tormosin")),
    ("movement_must_suffice", allies_moving, "allies", move(f"{LAUNCHER} moved", "ilovinska", "terkin")),
    ("launcher_zone_must_have_been_friendly", rear, "allies", move(LAUNCHER, "frolovo", "kletskaya")),
    ("exit_must_be_paired", leaving, "axis", move("ger_infantry", "orlovka", "vertyachii")),
    ("weather_must_permit_air_attack", in_bad_weather, "axis", fly("ger_fighter ground", "oblivskaya", "frolovo")),
    (
        "bomber_must_not_have_transported",
        flying,
        "axis",
        fly("ger_bomber air supply_drop", "pitomnik", "frolovo", ATTACK_MISSION, SUPPLY),
    ),
    (
        "cargo_must_start_with_bomber",
        flying,
        "axis",
        fly("ger_bomber ground", "oblivskaya", "frolovo", SUPPLY_DROP, "ger_infantry"),
    ),
    (
        "cargo_must_fit_mission",
        flying,
        "axis",
        fly("ger_bomber ground", "oblivskaya", "frolovo", SUPPLY_DROP, SUPPLY, SUPPLY),
    ),
    (
        "destination_must_have_airfield",
        flying,
        "axis",
        fly("ger_bomber ground", "oblivskaya", "rynok", SUPPLY_LANDING, SUPPLY),
    ),
    ("destination_must_have_airfield", flying, "axis", fly("ger_bomber ground", "oblivskaya", "rynok", RELOCATE)),
    ("unit_must_be_able_to_fire", bombarding, "allies", Pick("ilovinska", BASE)),
    ("launcher_must_be_supplied", bombarding, "allies", Pick("gorodishche", BASE)),
    ("base_zone_must_not_be_attacked", bombarding, "allies", Pick("kremenskaya", BASE)),
    ("target_must_be_eligible", bombarding, "allies", Pick("kremenskaya", "kalach")),
    ("target_must_be_present", flying, "axis", fly("ger_bomber ground", "oblivskaya", "kalach")),
]


@each_row(("code", "make", "seat", "command"), ROWS)
def test_the_earliest_refusal_answers(code: str, make: Callable[[], Table], seat: str, command: Command) -> None:
    refusal = RULES.refuse(make(), Seat(seat), command)

    assert refusal is not None
    assert refusal.code == code
    assert refusal.rule in INDEX.rules


def test_the_rows_are_in_the_order_of_the_refusals() -> None:
    """Those that are not here never meet a later one."""
    order_met = list(dict.fromkeys(row[0] for row in ROWS))

    assert order_met == [code for code in REFUSALS.precedence if code in order_met]
    assert len(order_met) > len(REFUSALS.precedence) / 2


def test_the_order_is_that_of_the_rules_index() -> None:
    assert [(one.code, (one.rule, one.text)) for one in INDEX.refusals] == list(REFUSALS.meanings.items())


def test_a_match_that_is_over_names_the_last_round() -> None:
    """RuleId("order.14.final-round"), RuleId("sequence.active-side"): each refusal says which rule it keeps."""
    answers = [RULES.refuse(table, ALLIES_SEAT, Done()) for table in (ended(), axis_moving())]

    assert [answer.rule for answer in answers if isinstance(answer, Refusal)] == [
        "order.14.final-round",
        "sequence.active-side",
    ]
