"""The order of the refusals, row by row: each row breaks what it expects and everything later that can be broken with it."""

import tomllib
from collections.abc import Callable
from importlib.resources import files

import pytest

from core.checking.choice_comparison import makes_a_whole
from core.engine.command import Command
from core.errors import SetupInvalid
from core.game_files.rulebook import load_rulebook
from core.games.advance.ids import GERMAN_SEAT
from core.games.advance.rules.refusals import REFUSALS
from events.vocabulary import Value
from tests.support.advance import DONE, RULES, Scene, game, order, place_support, scene
from tests.support.advance_wishes import wishes
from tests.support.rows import each_row

FOUR = ("71/191", "71/194", "71/211", "244A")
NORTH = {"northern_shoulder": True}


def ended() -> Scene:
    """Morale was 0 at the end of the Combat Phase."""
    table = scene(decision="activate", units={"24/26": "3"}, soviets={"10": "?"}, morale=0)
    table.do(DONE)
    return table


def barrage() -> Scene:
    """29/15 has met Barrage in 10."""
    table = scene(decision="activate", units={"29/15": "8", "29/PZ": "8"}, soviets={"10": "?", "7": "?"})
    table.do(order("activate", area="8"))
    table.do(order("move", unit="29/15", to="10"))
    table.do(order("declare-attack", area="10", units=["29/15"]), draws=("H2",))
    return table


def mandatory() -> Scene:
    """29/15 has entered 10."""
    table = scene(decision="activate", units={"29/15": "8", "29/PZ": "8"}, soviets={"10": "?", "7": "?"})
    table.do(order("activate", area="8"))
    table.do(order("move", unit="29/15", to="10"))
    return table


def two_entrants() -> Scene:
    """29/15 and 29/PZ have entered 10."""
    table = mandatory()
    table.do(order("move", unit="29/PZ", to="10"))
    return table


def nothing_done() -> Scene:
    """8 has been activated."""
    table = scene(decision="activate", units={"29/15": "8"}, soviets={"10": "?"})
    table.do(order("activate", area="8"))
    return table


def between_rounds() -> Scene:
    """8 holds a Spent unit that could do nothing anyway."""
    return scene(decision="activate", units={"29/15": "8", "29/PZ": "9"}, spent="29/15", soviets={"10": "?"})


def hemmed_in() -> Scene:
    """The unit in 48 has full Areas around it; one in 3 can act."""
    full = {
        **dict.fromkeys(FOUR, "46"),
        **dict.fromkeys(("94/267", "94/274", "94/276", "244B"), "47"),
        **dict.fromkeys(("295/516", "295/517", "295/518", "16/64"), "49"),
    }
    spent = " ".join(full)
    return scene(decision="activate", units={**full, "60/120": "48", "24/26": "3"}, spent=spent, soviets={"10": "?"})


def purchases() -> Scene:
    """Nothing is left to spend; 1 and 49 are full, so is Contested 10."""
    full = {
        **dict.fromkeys(FOUR, "1"),
        **dict.fromkeys(("94/267", "94/274", "94/276", "244B"), "49"),
        **dict.fromkeys(("295/516", "295/517", "295/518", "24/26"), "10"),
        "16/79": "50",
    }
    return scene(
        phase="supply",
        decision="supply",
        units=full,
        out="16/PZ",
        soviets={"10": "H1"},
        morale=19,
        available={"engineer": 4},
    )


def group() -> Scene:
    """The 100th may enter; 32 is Contested and full, 10 as well."""
    units = {
        **dict.fromkeys(("100/54", "100/227", "100/369", "245B"), "reinforcements/t7"),
        **dict.fromkeys(FOUR, "32"),
        **dict.fromkeys(("94/267", "94/274", "94/276", "244B"), "10"),
        "24/26": "1",
    }
    return scene(phase="dawn", turn=7, units=units, soviets={"32": "L5", "10": "H1"})


GROUP = ["100/227", "100/369", "100/54", "245B"]


def isolation() -> Scene:
    """One Isolation marker is left for two units."""
    marked = ["7", "9", "11", "16", "17", "18", "19", "20", "21", "23", "24", "27", "28"]
    return scene(
        phase="dawn",
        units={"24/26": "3"},
        soviets=dict.fromkeys([*marked, "31", "32"], "?"),
        markers={f"soviet/{area}": {"isolated": 1} for area in marked},
        options={"isolation": True},
    )


def act(
    units: dict[str, str],
    soviets: dict[str, str],
    active: str,
    *,
    spent: str = "",
    event: dict[str, Value] | None = None,
    moved: tuple[str, ...] = (),
    entered: dict[str, str] | None = None,
    attacked: tuple[str, ...] = (),
    contested: tuple[str, ...] = (),
) -> Scene:
    """Be in an Action Round whose memory is given; all units that stand in or came from the Active Area belong to it."""
    came = entered or {}
    ours = [unit for unit, area in units.items() if area == active or unit in moved or unit in came]
    attributes: dict[str, dict[str, Value]] = {active: {"active_units": tuple(sorted(ours))}}
    for unit in moved:
        attributes[unit] = {"movement_left": 0}
    for unit, source in came.items():
        attributes[unit] = {"movement_left": 0, "entered_from": source}
    for area in attacked:
        attributes.setdefault(area, {})["attackers"] = ("16/64",)
    attributes["table"] = {"contested_at_activation": contested}
    return scene(
        decision="act",
        units=units,
        spent=spent,
        soviets=soviets,
        attributes=attributes,
        event=event,
        options=dict(NORTH),
    )


NORTHERN = {"16/64": "50", "16/79": "50", "24/PZ": "8"}
"""Two northern units far from the Active Area 8."""

PAUSED: dict[str, Value] = {"paused": ("division/16",), "rain": 2}
FULL_41 = dict.fromkeys(FOUR, "41")


def spent_and_paused() -> Scene:
    return act(NORTHERN, {"41": "H1"}, "8", spent="16/64", event=PAUSED, attacked=("41",))


def paused() -> Scene:
    return act(NORTHERN, {"41": "H1"}, "8", event=PAUSED, attacked=("41",))


def not_active() -> Scene:
    return act(NORTHERN, {"41": "H1"}, "8", event={"rain": 2}, attacked=("41",))


def moved() -> Scene:
    """16/64 has gone from 50 to 43, not next to 41; 12.2 bars it from 41, which was attacked and is full."""
    return act(
        {"16/64": "43", "16/79": "50", **FULL_41},
        {"41": "H1"},
        "50",
        spent="16/64",
        event={"rain": 2},
        moved=("16/64",),
        attacked=("41",),
    )


def entered() -> Scene:
    """16/64 has entered Contested 43, not next to 41."""
    return act(
        {"16/64": "43", "16/79": "50", **FULL_41},
        {"41": "H1", "43": "E1"},
        "50",
        event={"rain": 2},
        entered={"16/64": "50"},
        attacked=("41",),
        contested=("43",),
    )


def far_away() -> Scene:
    """16/64 is in Contested 43, the Active Area, not next to 41."""
    return act(
        {"16/64": "43", **FULL_41},
        {"41": "H1", "43": "E1"},
        "43",
        event={"rain": 2},
        attacked=("41",),
        contested=("43",),
    )


def barred() -> Scene:
    """16/64 in Contested 42, next to 41."""
    return act(
        {"16/64": "42", "24/PZ": "42", **FULL_41},
        {"41": "H1", "42": "L5"},
        "42",
        event={"rain": 2},
        attacked=("41",),
        contested=("42",),
    )


def from_contested() -> Scene:
    """24/PZ in Contested 42; 41 is full and too dear."""
    return act({"24/PZ": "42", **FULL_41}, {"41": "H1", "42": "L5"}, "42", event={"rain": 2}, contested=("42",))


def full_and_dear() -> Scene:
    """24/PZ in Vacant 42; 41 is full and too dear."""
    return act({"24/PZ": "42", **FULL_41}, {"41": "H1"}, "42", event={"rain": 2})


def dear() -> Scene:
    """24/PZ in Vacant 42; 41 is too dear."""
    return act({"24/PZ": "42"}, {"41": "H1"}, "42", event={"rain": 2})


def moved_away() -> Scene:
    """Of three units that contested 10, 29/RCN has left and come back in, 24/PZ has left for 8, 24/26 has stayed."""
    return act(
        {"29/RCN": "10", "24/PZ": "8", "24/26": "10"},
        {"10": "H1"},
        "10",
        spent="24/PZ",
        moved=("24/PZ",),
        entered={"29/RCN": "8"},
        contested=("10",),
    )


def attack_on_10() -> Scene:
    """10 is Contested and active."""
    return act({"24/26": "10"}, {"10": "H1"}, "10", contested=("10",))


def lead() -> Scene:
    """29/15 and 29/PZ attack 10, with a Lead to be named."""
    table = two_entrants()
    table.do(order("declare-attack", area="10", units=["29/15", "29/PZ"]), draws=("H1",))
    return table


def support(*, is_banned: bool) -> Scene:
    """A lone unit attacks 10 and all support is Available."""
    table = scene(
        decision="activate",
        units={"29/15": "8", "29/PZ": "8"},
        soviets={"10": "H1"},
        available={"artillery": 8, "engineer": 4, "air": 3},
        event={"air_ban": True} if is_banned else None,
    )
    table.do(order("activate", area="8"))
    table.do(order("move", unit="29/15", to="10"))
    table.do(order("declare-attack", area="10", units=["29/15"]))
    return table


def support_under_ban() -> Scene:
    return support(is_banned=True)


def support_without_ban() -> Scene:
    return support(is_banned=False)


def retreat_order() -> Scene:
    """Two units retreat to 8, which has room for one."""
    units = ("29/15", "29/71", "29/PZ")
    attributes: dict[str, dict[str, Value]] = {
        "8": {"active_units": units},
        "10": {"mandatory": True, "attackers": units},
        **{unit: {"movement_left": 0, "entered_from": "8"} for unit in units},
    }
    table = scene(
        decision="lead",
        area="10",
        units={
            **dict.fromkeys(units, "10"),
            **dict.fromkeys(("24/26", "24/21", "24/RCN"), "8"),
        },
        soviets={"10": "H9", "7": "?"},
        attributes=attributes,
    )
    table.do(order("name-lead", unit="29/PZ"), dice=(1, 1, 6, 6))
    return table


def retreat_to() -> Scene:
    """29/15 has retreated to 8; 29/71 has to go on through it."""
    table = retreat_order()
    table.do(order("retreat-next", unit="29/15"))
    return table


ROWS: list[tuple[str, Callable[[], Scene], Command, str]] = [
    ("match_must_be_running", ended, order("return-unit", unit="soviet/10", area="51"), "soviet"),
    ("seat_must_be_german", barrage, order("return-unit", unit="soviet/10", area="51"), "soviet"),
    ("mandatory_attack_must_be_resolved", mandatory, DONE, "german"),
    ("barrage_must_be_answered", barrage, order("return-unit", unit="soviet/10", area="51"), "german"),
    ("activation_must_do_something", nothing_done, DONE, "german"),
    ("decision_must_be_open", nothing_done, order("return-unit", unit="soviet/10", area="51"), "german"),
    ("area_must_exist", purchases, order("return-unit", unit="soviet/10", area="51"), "german"),
    ("unit_must_be_german", group, order("place-group", units=["soviet/10", "100/54"], area="10"), "german"),
    ("group_must_stay_together", group, order("place-group", units=GROUP[:3], area="10"), "german"),
    ("area_must_be_listed", group, order("place-group", units=GROUP, area="10"), "german"),
    ("area_must_be_german_controlled", group, order("place-group", units=GROUP, area="32"), "german"),
    ("unit_must_be_out_of_action", purchases, order("return-unit", unit="16/79", area="1"), "german"),
    ("area_must_suit_return", purchases, order("return-unit", unit="16/PZ", area="1"), "german"),
    ("marker_must_be_in_used_box", purchases, order("buy", what="engineer"), "german"),
    ("morale_must_be_below_maximum", purchases, order("buy", what="morale"), "german"),
    ("supply_must_suffice", purchases, order("return-unit", unit="16/PZ", area="49"), "german"),
    ("area_must_hold_fresh_units", between_rounds, order("activate", area="8"), "german"),
    ("activation_must_be_possible", hemmed_in, order("activate", area="48"), "german"),
    ("unit_must_be_fresh", spent_and_paused, order("move", unit="16/64", to="41"), "german"),
    ("unit_must_not_be_paused", paused, order("move", unit="16/64", to="41"), "german"),
    ("unit_must_be_in_active_area", not_active, order("move", unit="16/64", to="41"), "german"),
    ("unit_must_still_be_moving", moved, order("move", unit="16/64", to="41"), "german"),
    ("unit_must_stop", entered, order("move", unit="16/64", to="41"), "german"),
    ("areas_must_be_adjacent", far_away, order("move", unit="16/64", to="41"), "german"),
    ("northern_units_must_stay_north", barred, order("move", unit="16/64", to="41"), "german"),
    ("area_must_not_have_been_attacked", barred, order("move", unit="24/PZ", to="41"), "german"),
    ("contested_exit_must_be_to_vacant", from_contested, order("move", unit="24/PZ", to="41"), "german"),
    ("stacking_limit_must_hold", full_and_dear, order("move", unit="24/PZ", to="41"), "german"),
    ("movement_must_suffice", dear, order("move", unit="24/PZ", to="41"), "german"),
    ("area_must_hold_soviet_unit", moved_away, order("declare-attack", area="9", units=["24/PZ"]), "german"),
    (
        "unit_must_not_have_moved",
        moved_away,
        order("declare-attack", area="10", units=["24/26", "24/PZ", "29/RCN"]),
        "german",
    ),
    (
        "groups_must_attack_apart",
        moved_away,
        order("declare-attack", area="10", units=["24/26", "29/RCN"]),
        "german",
    ),
    ("all_entrants_must_attack", two_entrants, order("declare-attack", area="10", units=[]), "german"),
    ("attack_must_have_a_unit", attack_on_10, order("declare-attack", area="10", units=[]), "german"),
    ("lead_must_be_attacking", lead, order("name-lead", unit="29/RCN"), "german"),
    ("support_must_be_available", support_under_ban, place_support(artillery=9, air=2), "german"),
    ("air_must_be_permitted", support_under_ban, place_support(artillery=8, air=2), "german"),
    ("air_must_be_single", support_without_ban, place_support(artillery=8, air=2), "german"),
    ("support_must_not_exceed_attackers", support_without_ban, place_support(artillery=2), "german"),
    ("retreat_must_reach_entry_area", retreat_order, order("retreat-to", area="7"), "german"),
    ("retreat_must_end_in_room", retreat_to, order("retreat-to", area="7"), "german"),
    ("isolation_must_fill_markers", isolation, DONE, "german"),
]


@each_row(("code", "table", "command", "seat"), ROWS)
def test_the_earliest_refusal_answers(code: str, table: Callable[[], Scene], command: Command, seat: str) -> None:
    refusal = table().refusal(command, seat)

    assert refusal.code == code
    assert refusal.sentence.endswith(".")


@each_row("table", list(dict.fromkeys(row[1] for row in ROWS)))
def test_what_is_offered_is_accepted_and_nothing_else(table: Callable[[], Scene]) -> None:
    """Questions that random matches hardly ever meet are among these."""
    here = table()
    offered = here.options

    assert [option for option in offered if RULES.refuse(here.table, GERMAN_SEAT, option) is not None] == []
    accepted = [wish for wish in wishes(here.table) if RULES.refuse(here.table, GERMAN_SEAT, wish) is None]
    assert [wish for wish in accepted if wish not in offered and not makes_a_whole(RULES, here.table, wish)] == []


def test_every_refusal_has_its_row_in_order() -> None:
    """The first one, a match that cannot be opened, has its own test: it is met before there is a table."""
    assert ["setup_must_be_valid", *[row[0] for row in ROWS]] == list(REFUSALS.precedence)


def test_the_order_is_that_of_the_rules_index() -> None:
    index = load_rulebook("core.games.advance")

    assert [(one.code, (one.rule, one.text)) for one in index.refusals] == list(REFUSALS.meanings.items())


def test_a_choice_of_things_without_places_names_none() -> None:
    """Whether one marker is picked or the whole choice is sent, and also where the game says itself what may be picked."""
    table = support_without_ban()

    assert table.refused(order("pick", item="artillery", to="10")) == "item_must_be_candidate"
    assert table.refused(order("choose", items=["artillery"], places=["10"])) == "item_must_be_candidate"


@each_row(
    ("options", "defect"),
    [
        ({"starting_morale": 25}, "option starting_morale must be 1 to 19, not 25"),
        ({"weather": True}, "no option of advance in scenario main is called 'weather'"),
        ({"rubble": "yes"}, "option rubble must be on or off, not 'yes'"),
        ({"overrun_against": "luck"}, "option overrun_against must be one of"),
    ],
)
def test_a_match_that_cannot_be_opened_is_refused(options: dict[str, Value], defect: str) -> None:
    """setup_must_be_valid: 12.0.options-fixed, 12.7.start-at-fifteen, 1.0.one-player (there is no Soviet seat)."""
    record = game()
    scenario = record.scenario("main")

    with pytest.raises(SetupInvalid) as caught:
        record.full_options(scenario, scenario.mode(""), options)
    assert caught.value.defects[0].startswith(defect)
    assert scenario.mode("").seats == {"german": "german"}


def test_every_refusal_cites_a_rule_of_the_index() -> None:
    index = tomllib.loads(files("core.games.advance").joinpath("data", "rules.toml").read_text())
    rules = {rule["id"] for rule in index["rule"]}

    assert {table().refusal(command, seat).rule for _, table, command, seat in ROWS} <= rules
