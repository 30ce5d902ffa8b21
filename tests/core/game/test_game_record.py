"""A game's record: scenarios, options and their defects, and the digest that pins the rules."""

import pickle
from collections.abc import Mapping

import pytest

from core.chance.chance_sources import seeded
from core.engine.chance_port import Chance
from core.engine.draft import Draft
from core.errors import SetupInvalid, UnknownName
from core.game.game_record import Mode, OptionSpec, Scenario, needless_options, option_defect, parse_option
from core.registry.games import GAMES, game_keys, load_game
from events.codec import replace
from events.ids import RuleId, Seat, Side
from events.vocabulary import Value
from projections.state.table import Table
from projections.table_codec import encode_table
from tests.support.rows import each_row
from tests.support.skirmish import GAME

RULE = RuleId("1")
SWITCH = OptionSpec("fog", "Fog", default=False, rule=RULE)
NUMBER = OptionSpec("speed", "Speed", default=3, rule=RULE, low=1, high=5)
WORD = OptionSpec("bug", "Bug", "none", RULE, ("none", "some"))
LIST = OptionSpec("omens", "Omens", ("comet",), RULE, ("comet", "raven"))


@each_row("key", list(GAMES))
def test_every_listed_game_has_a_record_of_its_own_key(key: str) -> None:
    game = load_game(key)

    assert game.key == key
    assert game.package == GAMES[game.key]
    assert game.scenarios


def test_keys_are_listed_in_the_order_of_the_list() -> None:
    assert game_keys() == list(GAMES)


@each_row("key", ["chess", "", "skirmishes", "core.games", "../skirmish"])
def test_an_unknown_game_is_named_with_all_games(key: str) -> None:
    with pytest.raises(UnknownName, match="no game is called") as caught:
        load_game(key)

    assert repr(key) in str(caught.value)
    assert "skirmish" in str(caught.value)


def test_dashes_and_underscores_in_a_key_are_the_same() -> None:
    assert load_game("skirmish") is GAME


def test_the_first_scenario_is_the_default() -> None:
    assert GAME.scenario("").key == "field"
    assert GAME.scenario("night").key == "night"


def test_the_first_mode_is_the_default() -> None:
    night = GAME.scenario("night")

    assert [night.mode(key).key for key in ("", "dark", "moon")] == ["dark", "dark", "moon"]
    with pytest.raises(UnknownName, match=r"no mode of scenario night is called 'mon'; did you mean moon\?"):
        night.mode("mon")


def test_the_seats_of_a_game_are_those_of_all_its_modes() -> None:
    solo = Scenario("solo", "Solo", (Mode("", "Alone", {Seat("green"): Side("red")}),))
    game = replace(GAME, scenarios=(*GAME.scenarios, solo))

    assert game.seats == ("red", "blue", "green")
    assert game.first_with(Seat("green")) == (solo, solo.mode(""))
    assert game.first_with(Seat("blue"))[0].key == "field"


def test_an_unknown_scenario_is_refused_with_a_suggestion() -> None:
    with pytest.raises(UnknownName, match=r"'nigth'; did you mean night\?"):
        GAME.scenario("nigth")


def full_options(scenario: str, given: Mapping[str, Value]) -> dict[str, Value]:
    """Fill in the options of a scenario in its first mode."""
    chosen = GAME.scenario(scenario)
    return GAME.full_options(chosen, chosen.mode(""), given)


def test_omitted_options_have_their_defaults() -> None:
    full = full_options("field", {"fog": True})

    assert full == {"bug": "none", "fog": True, "speed": 3, "omens": ("comet",)}


def test_an_option_of_another_scenario_is_refused() -> None:
    assert "moonlight" in full_options("night", {})
    with pytest.raises(SetupInvalid, match="'moonlight'"):
        full_options("field", {"moonlight": True})


def test_every_defect_of_the_options_is_named_at_once() -> None:
    given: dict[str, Value] = {"fogg": True, "speed": 9, "bug": "many", "omens": ("comet", "dove"), "fog": 1}
    with pytest.raises(SetupInvalid) as caught:
        full_options("field", given)

    assert len(caught.value.defects) == 5
    assert "did you mean fog?" in caught.value.defects[0]


@each_row(
    ("values", "needless"),
    [
        ({}, []),
        ({"way": "off", "extras": "some"}, []),
        ({"way": "off", "extras": "all"}, ["extras"]),
        ({"extras": "all"}, ["extras"]),
        ({"way": "hard", "extras": "all"}, []),
    ],
)
def test_an_option_can_be_set_only_with_the_one_that_it_needs(values: dict[str, Value], needless: list[str]) -> None:
    way = OptionSpec("way", "Way", "off", RULE, ("off", "hard"))
    extras = OptionSpec("extras", "Extras", "some", RULE, ("some", "all"), needs="way")

    assert needless_options({"way": way, "extras": extras}, values) == needless


def test_an_option_without_the_one_that_it_needs_is_a_defect() -> None:
    game = replace(GAME, options=(SWITCH, replace(NUMBER, needs="fog")))
    scenario = game.scenarios[0]
    with pytest.raises(SetupInvalid) as caught:
        game.full_options(scenario, scenario.modes[0], {"speed": 4})

    assert caught.value.defects == ("option speed needs option fog",)
    assert game.full_options(scenario, scenario.modes[0], {"speed": 4, "fog": True})["speed"] == 4


@each_row(
    ("spec", "value", "ok"),
    [
        (SWITCH, True, True),
        (SWITCH, 1, False),
        (SWITCH, "on", False),
        (NUMBER, 1, True),
        (NUMBER, 5, True),
        (NUMBER, 0, False),
        (NUMBER, 6, False),
        (NUMBER, True, False),
        (NUMBER, "3", False),
        (WORD, "some", True),
        (WORD, "other", False),
        (WORD, ("some",), False),
        (LIST, (), True),
        (LIST, ("raven", "comet"), True),
        (LIST, ("dove",), False),
        (LIST, "raven", False),
    ],
)
def test_an_options_value_must_be_of_its_type_and_within_its_bounds(spec: OptionSpec, value: Value, ok: bool) -> None:
    assert (option_defect(spec, value) == "") is ok


@each_row(
    ("spec", "text", "value"),
    [
        (SWITCH, "on", True),
        (SWITCH, "False", False),
        (NUMBER, "-2", -2),
        (NUMBER, "4", 4),
        (WORD, "some", "some"),
        (LIST, "comet,raven", ("comet", "raven")),
        (LIST, "", ()),
    ],
)
def test_a_typed_option_is_read(spec: OptionSpec, text: str, value: Value) -> None:
    assert parse_option(spec, text) == value


@each_row(
    ("spec", "text"),
    [(SWITCH, "maybe"), (SWITCH, ""), (NUMBER, "many"), (NUMBER, "--5"), (NUMBER, ""), (NUMBER, "1e3")],
)
def test_a_typed_option_that_cannot_be_read_is_named_in_one_line(spec: OptionSpec, text: str) -> None:
    with pytest.raises(SetupInvalid, match=f"option {spec.key} must be") as caught:
        parse_option(spec, text)

    assert "\n" not in str(caught.value)


def test_a_number_of_ten_thousand_digits_is_refused() -> None:
    with pytest.raises(SetupInvalid) as caught:
        parse_option(NUMBER, "9" * 10_000)

    assert len(str(caught.value)) < 200


def test_the_rules_of_each_game_have_a_different_digest() -> None:
    digests = [load_game(key).rules_digest for key in GAMES]

    assert {len(digest) for digest in digests} == {64}
    assert len(set(digests)) == len(digests)


@each_row("key", ["advance", "battle"])
def test_a_bound_game_can_be_sent_to_another_process(key: str) -> None:
    """A process that parses boards for another one returns the game, or the error with all defects."""
    game = load_game(key)
    bound = game.bind(game.shipped_board().decode() + "# an owner's\n")
    assert bound.rules is bound.rules
    again = pickle.loads(pickle.dumps(bound))
    tables = []
    mode = game.scenarios[0].mode("")
    for one in (bound.rules, again.rules):
        draft = Draft(
            Table(
                scenario=game.scenarios[0].key,
                options=game.full_options(game.scenarios[0], mode, {}),
                seats=tuple(mode.seats),
                plays=mode.seats,
            ),
            chance(),
        )
        one.set_up(draft)
        tables.append((encode_table(draft.table), one.options(draft.table)))

    assert again.board_digest == bound.board_digest
    assert again.narration.places() == bound.narration.places()
    assert tables[0] == tables[1]


def chance() -> Chance:
    return seeded("1")


@each_row("key", ["advance", "battle"])
def test_the_defects_of_a_board_can_be_sent_to_another_process(key: str) -> None:
    with pytest.raises(SetupInvalid) as caught:
        load_game(key).bind("x = 1")
    again = pickle.loads(pickle.dumps(caught.value))

    assert (type(again), again.defects, str(again)) == (type(caught.value), caught.value.defects, str(caught.value))


def test_an_option_is_read_from_a_table_and_by_its_default_where_the_match_does_not_have_it() -> None:
    opened = Table(options={SWITCH.key: True, NUMBER.key: 5, WORD.key: "some"})

    assert (SWITCH.is_on(opened), NUMBER.number(opened), WORD.chosen(opened)) == (True, 5, "some")
    assert (SWITCH.is_on(Table()), NUMBER.number(Table()), WORD.chosen(Table())) == (False, 3, "none")
