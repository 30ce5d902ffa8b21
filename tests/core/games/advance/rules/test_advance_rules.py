"""The game's record, its options, its commands as clients send and players read them."""

import tomllib
from importlib.resources import files

import pytest

from core.engine.command import Command
from core.game.game_record import parse_option
from core.games.advance.ids import GERMAN_SEAT
from core.games.advance.options import OPTIONS
from events.codec import DecodeError, encode, replace
from events.vocabulary import Value
from projections.state.table import Open
from tests.support.advance import BOARD, DONE, NARRATION, RULES, Scene, game, new_match, order, place_support, scene
from tests.support.rows import each_row

INDEX = tomllib.loads(files("core.games.advance").joinpath("data", "rules.toml").read_text())


# The record


def test_one_seat_plays_both_scenarios() -> None:
    """1.0.one-player."""
    record = game()

    assert record.sides == ("german", "soviet")
    assert {scenario.key: [mode.seats for mode in scenario.modes] for scenario in record.scenarios} == {
        "main": [{"german": "german"}],
        "factory": [{"german": "german"}],
    }


def test_each_optional_rule_is_an_option() -> None:
    """12.0.options-fixed: all eight are off unless chosen, each by itself."""
    flags = [spec.key for spec in OPTIONS if spec.default is False]

    assert flags == [
        "rubble",
        "northern_shoulder",
        "isolation",
        "parent_organization",
        "limited_air_power",
        "pavlovs_house",
        "reduced_starting_morale",
        "increased_german_supply",
    ]


def test_each_open_ruling_is_an_option() -> None:
    """12.0.options-fixed: but the two that a board file answers; the first reading is followed by default."""
    offered = {ruling["option_name"]: tuple(ruling["option_values"]) for ruling in INDEX["ruling"] if ruling["option"]}
    specs = {spec.key: spec for spec in OPTIONS}

    assert {name for name in offered if name not in specs} == {"board", "main_event_chart"}
    for name in set(offered) & set(specs) - {"starting_morale"}:
        assert (specs[name].choices, specs[name].default) == (offered[name], offered[name][0])


def test_options_cite_the_index() -> None:
    known = {entry["id"] for entry in (*INDEX["rule"], *INDEX["ruling"])}

    assert {spec.rule for spec in OPTIONS} <= known


def test_options_of_the_other_scenario_are_not_known() -> None:
    """12.7.start-at-fifteen, 14.0.inherits: ruling.options-and-scenarios."""
    record = game()
    main, factory = (
        set(record.full_options(scenario, scenario.mode(""), {}))
        for scenario in (record.scenario("main"), record.scenario("factory"))
    )

    assert main - factory == {"reduced_starting_morale", "starting_morale", "return_to_area_6"}
    assert factory - main == {
        "strategies_of_units_revealed_at_setup",
        "factory_return_areas",
        "factory_northern_return",
        "factory_free_air",
        "factory_second_three",
    }


def test_options_are_fixed_from_turn_1_on() -> None:
    """12.0.options-fixed: 12.1 and 12.4 on, the other six off."""
    table = new_match(options={"rubble": True, "parent_organization": True}, dice=(3, 3, 4, 4, 4, 4, 4))
    on = [key for key, value in table.table.options.items() if value is True]

    assert on == ["rubble", "parent_organization"]


def test_turns_of_rerolls_are_a_list() -> None:
    """12.8.reroll-ones: all turns by default."""
    spec = next(spec for spec in OPTIONS if spec.key == "supply_reroll_turns")

    assert spec.default == tuple(str(turn) for turn in range(1, 15))
    assert parse_option(spec, "2,3") == ("2", "3")


def test_a_game_on_an_owners_board_knows_its_digest() -> None:
    """3.1.fifty-areas: a copy of the packaged file is the same board."""
    text = files("core.games.advance").joinpath("data", "board.toml").read_text()

    assert game().bind(text).board_digest == BOARD.source.digest


# Commands as they are sent


@each_row(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"do":"fly"}',
        b'{"do":"buy"}',
        b'{"do":"buy","what":"time"}',
        b'{"do":"move","unit":"29/PZ"}',
        b'{"do":"move","unit":"29/PZ","to":10}',
        b'{"do":"done","now":true}',
        b'{"do":"declare-attack","area":"10","units":"29/PZ"}',
        b'{"do":"choose","items":"many"}',
        b"\xff",
    ],
)
def test_bytes_that_are_not_a_command_are_not_decoded(data: bytes) -> None:
    with pytest.raises(DecodeError):
        RULES.decode(data)


def test_every_option_survives_being_sent() -> None:
    table = new_match(dice=(3, 3, 4, 4, 4, 4, 4))
    table.do(DONE)
    table.do(order("activate", area="6"))

    assert [RULES.decode(encode(option)) for option in table.options] == table.options


# Words


def in_combat() -> Scene:
    return scene(
        decision="activate",
        units={"29/15": "8", "29/PZ": "8"},
        soviets={"10": "?", "9": "L5"},
        available={"artillery": 1, "air": 1},
    )


@each_row(
    ("command", "words"),
    [
        (order("place-group", units=["245A", "389/544"], area="1"), "Place 245A and 389/544 in Area 1 (Hill 126.3)"),
        (order("pick", item="soviet/9"), "Choose Soviet unit of Area 9 (Minina Suburb)"),
        (order("buy", what="artillery"), "Buy Artillery Support for 1 Supply Point"),
        (order("buy", what="morale"), "Raise Morale by 1 for 3 Supply Points"),
        (order("return-unit", unit="24/21", area="3"), "Return 24/21 to Area 3 (Dubovaya Woods) for 2 Supply Points"),
        (order("activate", area="8"), "Activate Area 8 (Sawmill): 29/15 and 29/PZ"),
        (
            order("move", unit="29/PZ", to="10"),
            "Move 29/PZ to Area 10 (Grain Elevator) for 4 of 6 MF: Mandatory Attack on an Unrevealed Soviet unit",
        ),
        (order("move", unit="29/PZ", to="6"), "Move 29/PZ to Area 6 (Hill 120.0) for 1 of 6 MF"),
        (order("move", unit="29/PZ", to="99"), "Move 29/PZ to 99"),
        (order("stop"), "Stop here"),
        (order("declare-attack", area="10", units=["29/15"]), "Attack Area 10 (Grain Elevator) with 29/15"),
        (order("put-out-of-action", unit="29/15"), "Put 29/15 (Attack Factor 3) Out of Action and fight on"),
        (order("break-off"), "Break the attack off because of the Barrage: all attackers retreat, Spent"),
        (order("name-lead", unit="29/15"), "Name 29/15 as Lead Attacking Unit (Attack Factor 3)"),
        (place_support(artillery=2, air=1), "Choose Air Support and 2 Artillery Support"),
        (place_support(), "Choose no support"),
        (order("retreat-next", unit="29/15"), "Let 29/15 retreat next"),
        (order("retreat-to", area="6"), "Retreat to Area 6 (Hill 120.0)"),
        (order("done"), "End the Combat Phase"),
    ],
)
def test_commands_are_described(command: Command, words: str) -> None:
    assert NARRATION.describe(in_combat().table, command) == words


def test_a_stop_names_the_unit_and_where_it_stays() -> None:
    """8.1.any-number."""
    table = in_combat()
    table.do(order("activate", area="8"))
    table.do(order("move", unit="29/PZ", to="6"))

    assert NARRATION.describe(table.table, order("stop")) == "Stop 29/PZ in Area 6 (Hill 120.0)"


@each_row(("picked", "words"), [((), "Fight without support"), (("artillery",), "Fight with the support placed")])
def test_a_fight_is_described_by_whether_support_is_placed(picked: tuple[str, ...], words: str) -> None:
    """9.5.2.support-optional."""
    table = in_combat().table
    asked = Open("support", GERMAN_SEAT, {"area": "10"}, picked=picked)

    assert NARRATION.describe(replace(table, stack=(*table.stack, asked)), DONE) == words


def test_the_end_is_described_by_what_ends() -> None:
    supply = scene(phase="supply", decision="supply", units={"24/26": "3"}, soviets={"10": "?"})
    table = in_combat()
    table.do(order("activate", area="8"))

    assert [NARRATION.describe(one.table, DONE) for one in (supply, table)] == [
        "End the purchases",
        "End the Action Round",
    ]


@each_row(
    ("units", "words"),
    [
        ({"244A": "1", "244B": "2"}, "End the Combat Phase (no Area has room next turn for 245A and 389/544)"),
        (dict.fromkeys(["244A", "71/191", "71/194", "244B"], "1"), "End the Combat Phase"),
    ],
)
def test_a_player_is_warned_of_a_group_without_room(units: dict[str, str], words: str) -> None:
    """6.1.1.wait-for-room: ruling.reinforcement-room asks for it on the turn before."""
    group = {"389/544": "reinforcements/t2", "245A": "reinforcements/t2"}
    more = dict.fromkeys(["24/26", "24/PZ", "24/21"], "2") if len(set(units.values())) == 2 else {}
    full = dict.fromkeys(["295/516", "295/517", "295/518"], "1") if more else {}
    table = scene(decision="activate", turn=1, units={**group, **units, **more, **full}, soviets={"10": "?"})

    assert NARRATION.describe(table.table, DONE) == words


@each_row(
    ("id_", "name"),
    [
        ("10", "Grain Elevator"),
        ("soviet/10", "Soviet unit of Area 10 (Grain Elevator)"),
        ("H3", "Fanatic 8 (Heavy Urban)"),
        ("PH", "Pavlov's House (Guards 8)"),
        ("mix/heavy_urban", "Heavy Urban counters not Revealed yet"),
        ("29/RCN", "29/RCN"),
        ("out_of_action", "Out of Action Box"),
        ("reinforcements/t2", "Reinforcements of turn 2"),
        ("withdrawn/29", "29th Motorized Division, withdrawn"),
        ("division/71", "71st Infantry Division"),
        ("morale", "German Morale"),
        ("combat", "Combat Phase"),
        ("german", "German"),
        ("nonsense", "nonsense"),
    ],
)
def test_names_are_the_printed_ones(id_: str, name: str) -> None:
    assert NARRATION.name(id_) == name


def test_places_are_the_areas_and_then_the_boxes() -> None:
    """3.1.fifty-areas, 3.5.available-box, 3.6.used-box, 3.7.out-of-action-box."""
    places = NARRATION.places()

    assert [place.id for place in places[:50]] == [str(number) for number in range(1, 51)]
    assert {place.id for place in places[50:]} == {
        "out_of_action",
        "available",
        "used",
        "eliminated",
        "reinforcements/t2",
        "reinforcements/t7",
        "reinforcements/t12",
        "withdrawn/29",
        "withdrawn/14",
    }


def test_adjacency_of_places_is_symmetric() -> None:
    """3.1.adjacency."""
    near = {place.id: set(place.neighbours) for place in NARRATION.places()}

    assert [(one, other) for one in near for other in near[one] if one not in near[other]] == []


def test_values_of_options_have_their_types() -> None:
    values: list[Value] = [spec.default for spec in OPTIONS]

    assert {type(value) for value in values} == {bool, int, str, tuple}
