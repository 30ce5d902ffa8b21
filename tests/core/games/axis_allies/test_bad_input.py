"""Bad input: each kind is answered by a refusal or an error that says what is wrong and what would be right, and changes nothing."""

from collections.abc import Callable

import pytest

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Done, Pick
from core.errors import SetupInvalid, UnknownName
from core.games.axis_allies.components.board_file import BOARD_FILE
from core.games.axis_allies.ids import (
    ALLIES,
    AUCTION,
    AXIS,
    FERRY_ITEM,
    FIRST_SEAT,
    RACE,
    SECOND_SEAT,
    STANDARD,
    SUPPLY,
    URANUS,
)
from core.games.axis_allies.memory import ATTACK_MISSION, SUPPLY_DROP, SUPPLY_LANDING, TROOP_LANDING
from core.games.axis_allies.rules.axis_allies_rules import AxisAlliesRules
from core.games.axis_allies.rules.commands import Ambush, Bid, Buy, Fly, Move, MoveStack
from core.refusal import Refusal
from events.codec import DecodeError
from events.ids import PlaceId, Seat
from events.vocabulary import Value
from projections.state.table import Table
from projections.table_codec import encode_table
from tests.support.axis_allies import BOARD, control_but, opened
from tests.support.axis_allies_questions import asking
from tests.support.component_texts import Change, changed, defects_of
from tests.support.desk import Desk
from tests.support.rows import each_row

RULES = AxisAlliesRules(BOARD)
EAST, WHITE, GRAY = "krasnaya_sloboda", "crossing_white", "crossing_gray"


def marching() -> Table:
    """Card 3: infantry in Kletskaya and in Gumrak."""
    units = {"kletskaya": {"ger_infantry": 1}, "gumrak": {"ger_infantry": 1}}
    return asking("move", AXIS, 3, control=control_but("veshenskaya"), units=units)


def crossing() -> Table:
    """Card 10: units in Krasnaya Sloboda, a ferry that is free and one with infantry."""
    units = {EAST: {"sov_infantry": 2, "sov_tank": 1}, WHITE: {"sov_infantry": 1}, "army_camp": {"sov_infantry": 1}}
    return asking("move", ALLIES, 10, units=units, ferries=[WHITE, GRAY])


def flying() -> Table:
    """Card 3: a bomber with infantry and tokens in Oblivskaya."""
    units = {"oblivskaya": {"ger_bomber": 1, "ger_infantry": 2, "ger_tank": 1}, "frolovo": {"sov_infantry": 1}}
    control = ["oblivskaya", "pitomnik"]
    return asking("move", AXIS, 3, control=control, units=units, held={AXIS: {"oblivskaya": 3}})


def aboard() -> Table:
    """Card 3: infantry aboard a bomber in Oblivskaya."""
    units = {"oblivskaya": {"ger_bomber": 1}, "ger_bomber/1": {"ger_infantry": 1}}
    return asking("move", AXIS, 3, control=["oblivskaya"], units=units)


def shelling() -> Table:
    """Card 12: a launcher in Kremenskaya, Axis infantry far away."""
    units = {"kremenskaya": {"sov_rocket_launcher": 1}, "oblivskaya": {"ger_infantry": 1}}
    return asking("assign_bombardment", ALLIES, 12, control=["oblivskaya"], units=units)


def ambushing() -> Table:
    """Card 4: an ambusher by the station, Axis infantry elsewhere in the city."""
    units = {"ambush_station": {"sov_infantry": 1}, "gumrak": {"ger_infantry": 1}}
    return asking("ambush", ALLIES, 4, units=units)


def buying() -> Table:
    """Card 9: money enough, all ferries in place, and every tank and chip in use."""
    tanks = BOARD.units["sov_tank"].figures + BOARD.file.components.gray_chips
    singles = [zone for zone, there in BOARD.zones.items() if there.base is None][:tanks]
    units: dict[str, dict[str, int]] = {zone: {"sov_tank": 1} for zone in singles}
    return asking("buy", ALLIES, 9, units=units, ferries=[WHITE, GRAY, "crossing_brown"], rpcs=60)


def bidding() -> Table:
    """The first seat has bid 5 for the Axis."""
    draft = opened(RACE, AUCTION)
    table = draft.table
    RULES.set_up(Draft(table, ManualChance((), [FIRST_SEAT])))
    RULES.take(Draft(table, ManualChance()), Bid(AXIS, 5))
    return table


def move(unit: str, origin: str, to: str) -> Move:
    return Move(unit, PlaceId(origin), PlaceId(to))


def fly(to: str, mission: str, *cargo: str) -> Fly:
    return Fly("ger_bomber ground", PlaceId("oblivskaya"), PlaceId(to), mission, cargo)


BAD: list[tuple[str, Callable[[], Table], str, Command, str, str]] = [
    ("beyond its range", marching, "axis", move("ger_infantry", "kletskaya", "tormosin"), "movement_must_suffice", "no farther than its movement points"),
    ("nowhere", marching, "axis", move("ger_infantry", "kletskaya", "moscow"), "zones_must_be_adjacent", "No way"),
    ("over the Volga", marching, "axis", move("ger_infantry", "gumrak", EAST), "axis_must_not_cross_volga", "never cross"),
    ("over the Volga without a crossing", crossing, "allies", move("sov_infantry", EAST, "grain_elevator"), "volga_must_be_crossed_westward_at_crossings", "at its crossings only"),
    ("back over the Volga", crossing, "allies", move("sov_infantry", "army_camp", WHITE), "volga_must_be_crossed_westward_at_crossings", "from east to west"),
    ("a tank on a ferry", crossing, "allies", move("sov_tank", EAST, GRAY), "crossing_must_suit_cargo", "one infantry or one supply token"),
    ("a second unit on a ferry", crossing, "allies", move("sov_infantry", EAST, WHITE), "crossing_must_be_empty", "taken"),
    ("two units for one ferry", crossing, "allies", MoveStack(("sov_infantry", "sov_infantry"), PlaceId(EAST), PlaceId(GRAY)), "crossing_must_be_empty", "taken"),
    ("three tokens on a bomber", flying, "axis", fly("pitomnik", SUPPLY_LANDING, SUPPLY, SUPPLY, SUPPLY), "cargo_must_fit_mission", "one or two"),
    ("two tokens to drop", flying, "axis", fly("pitomnik", SUPPLY_DROP, SUPPLY, SUPPLY), "cargo_must_fit_mission", "one token"),
    ("two infantry on a bomber", flying, "axis", fly("pitomnik", TROOP_LANDING, "ger_infantry", "ger_infantry"), "cargo_must_fit_mission", "one infantry"),
    ("a tank on a bomber", flying, "axis", fly("pitomnik", TROOP_LANDING, "ger_tank"), "cargo_must_fit_mission", "one infantry"),
    ("cargo that is aboard", aboard, "axis", move("ger_infantry", "ger_bomber/1", "oblivskaya"), "unit_must_be_eligible", "No unit"),
    ("a stack that is aboard", aboard, "axis", MoveStack(("ger_infantry",), PlaceId("ger_bomber/1"), PlaceId("oblivskaya")), "unit_must_be_eligible", "No unit"),
    ("an attack on a base", flying, "axis", fly("srednyaya_akhtuba", ATTACK_MISSION), "base_zone_must_not_be_attacked", "base zone"),
    ("launchers beyond their range", shelling, "allies", Pick("kremenskaya", "oblivskaya"), "target_must_be_eligible", "adjacent zones"),
    ("an ambush far away", ambushing, "allies", Ambush(PlaceId("ambush_station"), PlaceId("gumrak")), "ambush_site_must_be_connected", "not connected"),
    ("a bid below the last", bidding, SECOND_SEAT, Bid(AXIS, 4), "bid_must_be_higher", "exceeds the one before"),
    ("a bid as high as the last", bidding, SECOND_SEAT, Bid(AXIS, 5), "bid_must_be_higher", "exceeds the one before"),
    ("a bid above the highest", bidding, SECOND_SEAT, Bid(AXIS, 51), "bid_must_be_higher", "50 at most"),
    ("a bid for the other side", bidding, SECOND_SEAT, Bid(ALLIES, 6), "decision_must_be_open", "asked"),
    ("a fourth ferry", buying, "allies", Buy(FERRY_ITEM, PlaceId(WHITE)), "piece_must_be_available", "is left"),
    ("a tank too many", buying, "allies", Buy("sov_tank", PlaceId("ilovinska")), "piece_must_be_available", "is left"),
    ("what is not sold", buying, "allies", Buy("sov_fighter", PlaceId("ilovinska")), "item_must_be_for_sale", "cannot buy"),
    ("what is not in the box", buying, "allies", Buy("elephant", PlaceId("ilovinska")), "item_must_be_for_sale", "There is no 'elephant' to buy."),
    ("a mission that there is not", flying, "axis", fly("pitomnik", "sleep"), "unit_must_be_eligible", "There is no mission 'sleep'; there are attack, "),
]  # fmt: skip


@each_row(("make", "seat", "command", "code", "words"), [row[1:] for row in BAD])
def test_a_bad_command_is_refused_with_what_would_be_right(
    make: Callable[[], Table], seat: str, command: Command, code: str, words: str
) -> None:
    """movement.land.points, zone.volga.axis-never, movement.volga.capacity, unit.bomber.one-mission, components.limits-general"""
    table = make()
    before = encode_table(table)

    refusal = RULES.refuse(table, Seat(seat), command)

    assert refusal is not None
    assert (refusal.code, words in refusal.sentence) == (code, True), refusal.sentence
    assert encode_table(table) == before


@each_row("kind", ["intercept", "assign_air_defense", "next_combat", "land"])
def test_there_are_no_moves_outside_the_movement_phase(kind: str) -> None:
    """sequence.one-movement-phase"""
    table = asking(kind, ALLIES, 4, units={"frolovo": {"sov_infantry": 1}})

    refusal = RULES.refuse(table, Seat("allies"), move("sov_infantry", "frolovo", "ilovinska"))

    assert refusal is not None
    assert (refusal.code, refusal.rule) == ("decision_must_be_open", "sequence.instruction-order")


# Boards


BOARDS: dict[str, tuple[Change, str, str]] = {
    "a road to nowhere": (
        ('["veshenskaya", "terkin"]', '["veshenskaya", "moscow"]'),
        "links.region[no. 1][no. 2]",
        "an id of zones.rows",
    ),
    "a river that leads nowhere": (
        ('don = [\n  ["veshenskaya", "bolshoy"]', 'don = [\n  ["veshenskaya", "terkin"]'),
        "links.don[no. 1]",
        "adjacent zones, one of them west of the Don",
    ),
    "a road over a gap": (
        ('zones = ["abganerovo_station", "buzinovka"]', 'zones = ["abganerovo_station", "kalach"]'),
        "roads.rows[id 'zety_road'].zones[no. 2]",
        "a zone next to the one before",
    ),
}


@each_row("name", BOARDS)
def test_a_board_whose_roads_and_rivers_lead_nowhere_is_refused(name: str) -> None:
    """ruling.board-data"""
    change, where, expected = BOARDS[name]
    found = {defect.where: defect.expected for defect in defects_of(BOARD_FILE, changed(TEXT, change))}

    assert expected in found[where]


def test_a_board_with_a_zone_apart_is_refused() -> None:
    """zone.adjacency"""
    links = (
        ('["tinguta", "tsatsa"], ', ""),
        ('["lake_sarpa", "tsatsa"],', ""),
        ('["abganerovo_station", "tsatsa"], ', ""),
    )
    found = defects_of(BOARD_FILE, changed(TEXT, *links))

    assert [(defect.problem, defect.expected) for defect in found if defect.where == "links.city"] == [
        ("no way leads from veshenskaya to tsatsa", "a connected map")
    ]


TEXT = BOARD_FILE.shipped_bytes.decode()


# Matches


@each_row(
    ("scenario", "mode", "options", "words"),
    [
        ("winter", STANDARD, {}, "winter"),
        (RACE, "solitaire", {}, "solitaire"),
        (RACE, STANDARD, {"artillery": True}, "artillery"),
        (RACE, STANDARD, {"interceptors": "often"}, "option interceptors"),
        (RACE, STANDARD, {"component_limits": "always"}, "option component_limits must be"),
        (RACE, STANDARD, {"alternative_deployment_ambush_sites": True}, "needs option alternative_deployment"),
        (URANUS, STANDARD, {"factory_placement": True}, "factory_placement"),
    ],
)
def test_a_match_that_there_is_not_is_named(scenario: str, mode: str, options: dict[str, Value], words: str) -> None:
    """optional.selection"""
    with pytest.raises((SetupInvalid, UnknownName), match=words):
        Desk.open("axis_allies", scenario, mode=mode, options=options)


def test_a_seat_that_the_mode_does_not_have_neither_sits_nor_orders() -> None:
    """components.seats"""
    desk = Desk.open("axis_allies", RACE)
    before = encode_table(desk.table)
    orders = [{"do": "done"}, {"do": "match:take-seat", "seat": "first", "name": "Anna"}]
    codes = [answer.code for answer in [desk.ask(one, FIRST_SEAT) for one in orders] if isinstance(answer, Refusal)]

    assert codes == ["decision_must_be_open", "seat_must_exist"]
    assert encode_table(desk.table) == before


@each_row(
    "command",
    [
        '{"do":"move","unit":"ger_tank","origin":"kalach"}',
        '{"do":"move","unit":["ger_tank"],"origin":"kalach","to":"rynok"}',
        '{"do":"bid","side":"axis","rps":"five"}',
        '{"do":"bid","side":"axis","rps":1.5}',
        '{"do":"hide","left":"ferry"}',
        '{"do":"done","now":true}',
        '{"do":"march"}',
        "[]",
    ],
)
def test_what_is_not_a_command_is_an_error(command: str) -> None:
    with pytest.raises(DecodeError):
        RULES.decode(command.encode())


def test_being_done_out_of_turn_is_refused() -> None:
    """sequence.active-side"""
    refusal = RULES.refuse(marching(), Seat("allies"), Done())

    assert refusal is not None
    assert refusal.rule == "sequence.active-side"
