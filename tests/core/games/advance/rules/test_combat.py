"""Chapter 9.5 A and B, 9.5.4, 12.3 and 12.5: the order of a combat, the Lead, support, and the isolation roll."""

from core.engine.selection import Done, Pick
from core.games.advance.ids import OUT_OF_ACTION
from core.games.advance.memory import ISOLATION_FACTOR, lead_of
from core.games.advance.rules.commands import NameLead
from events.ids import PieceId
from events.vocabulary import AttributeSet, DecisionOpened, DiceRolled, MarkerPlaced, PieceRevealed, Value
from tests.support.advance import place_support
from tests.support.advance_rounds import BREAK_OFF, DONE, STOP, Scene, give_up, parts, rolls, rules_of
from tests.support.rows import each_row

FOUR_29 = "29/15 29/71 29/PZ 29/RCN"


def attacked(
    names: str,
    counter: str = "H1",
    *,
    area: str = "10",
    support: tuple[int, int, int] = (8, 4, 3),
    event: dict[str, Value] | None = None,
    options: dict[str, bool | str] | None = None,
    isolated: str = "",
) -> Scene:
    """Set a scene in which units from 8 have entered an Area with a Revealed unit and attack it."""
    scene = Scene({"8": FOUR_29}, {area: counter}, support=support, event=event, options=options, isolated=isolated)
    scene.activate("8")
    scene.move(names, area)
    scene.attack(area, names)
    return scene


def test_a_combat_goes_from_the_declaration_to_the_used_box() -> None:
    """9.5.sequence (W5 to W10): declared, Revealed, Lead, markers, Air die, combat dice, result, markers Used."""
    scene = Scene({"8": FOUR_29}, {"10": "?"}, support=(1, 1, 1))
    scene.activate("8")
    scene.move(FOUR_29, "10")
    events = scene.attack("10", FOUR_29, counter="H3")
    events += scene.lead("29/RCN")
    events += scene.support(1, 1, 1, dice=(3, 2, 4, 3, 4))

    course: list[str] = []
    for event in events:
        if isinstance(event, PieceRevealed | DiceRolled):
            course.append(getattr(event, "purpose", "revealed"))
        elif isinstance(event, DecisionOpened):
            course.append(event.kind)
        elif isinstance(event, MarkerPlaced) and event.on in ("10", "used"):
            course.append(f"{event.marker} {event.on}")
        elif isinstance(event, AttributeSet) and event.on == "10":
            course.append(f"{event.key} {event.value}")
    assert course == [
        "attackers ('29/15', '29/71', '29/PZ', '29/RCN')",
        "revealed",
        "lead",
        "lead 29/RCN",
        "support",
        "artillery 10",
        "engineer 10",
        "air 10",
        "air support",
        "attack",
        "defense",
        "result success",
        "result stalemate",
        "artillery used",
        "engineer used",
        "air used",
    ]


def test_any_attacking_unit_may_lead() -> None:
    """9.5.a-lead, ruling.lead-not-additional: no other unit leads."""
    scene = attacked("29/15 29/RCN")

    assert scene.options == [NameLead(PieceId("29/15")), NameLead(PieceId("29/RCN"))]
    assert scene.refusal(NameLead(PieceId("29/PZ"))) == "lead_must_be_attacking"
    assert scene.refusal(NameLead(PieceId("soviet/10"))) == "unit_must_be_german"
    assert scene.refusal(place_support()) == "decision_must_be_open"


def test_an_assault_gun_may_lead() -> None:
    """9.5.a-lead."""
    scene = Scene({"8": "244A 29/15"}, {"10": "H1"})
    scene.activate("8")
    scene.move("244A 29/15", "10")
    scene.attack("10", "244A 29/15")

    assert scene.refusal(NameLead(PieceId("244A"))) == ""


def test_a_lone_attacker_leads_without_being_asked() -> None:
    """9.5.a-lead."""
    scene = attacked("29/15")

    assert scene.asked == "support"
    assert lead_of(scene.table) == "29/15"


def test_the_lead_is_final() -> None:
    """9.5.a-lead: once support is asked for, no other Lead can be named."""
    scene = attacked("29/15 29/RCN")
    scene.lead("29/15")

    assert scene.refusal(NameLead(PieceId("29/RCN"))) == "decision_must_be_open"


def test_support_comes_from_the_available_box_and_may_be_left_out() -> None:
    """9.5.b-support, 3.5.available-box."""
    scene = attacked("29/15 29/RCN", support=(1, 0, 0))
    scene.lead("29/15")

    assert scene.options == [Pick("artillery"), Done()]
    assert scene.refusal(place_support(2, 0, 0)) == "support_must_be_available"
    assert scene.refusal(place_support(0, 1, 0)) == "support_must_be_available"
    assert scene.refusal(STOP) == "decision_must_be_open"


def test_support_is_not_asked_for_where_no_marker_can_be_placed() -> None:
    """9.5.b-support: with Air alone under an air ban there is nothing to choose."""
    scene = Scene({"8": "29/15 29/PZ"}, {"10": "H1"}, support=(0, 0, 3), event={"air_ban": True})
    scene.activate("8")
    scene.move("29/15", "10")
    events = scene.attack("10", "29/15", dice=(1, 1, 6, 6))

    assert "9.5.5.repulse" in rules_of(events)


@each_row(
    ("artillery", "engineer", "air", "code"),
    [
        (2, 0, 1, "support_must_not_exceed_attackers"),
        (3, 0, 0, "support_must_not_exceed_attackers"),
        (0, 0, 2, "air_must_be_single"),
        (2, 0, 0, ""),
        (0, 1, 1, ""),
    ],
)
def test_markers_do_not_outnumber_the_attackers(artillery: int, engineer: int, air: int, code: str) -> None:
    """9.5.4.limit, 9.5.4.one-air (V7): two attackers."""
    scene = attacked("29/15 29/RCN")
    scene.lead("29/15")

    assert scene.refusal(place_support(artillery, engineer, air)) == code


def test_units_that_do_not_attack_bring_no_support() -> None:
    """9.5.4.limit: one of two entrants of a Contested Area attacks."""
    scene = Scene({"8": "29/15 29/71", "10": "24/26"}, {"10": "H1"}, spent="24/26", support=(4, 0, 0))
    scene.activate("8")
    scene.move("29/15 29/71", "10")
    scene.attack("10", "29/15")

    assert scene.refusal(place_support(2, 0, 0)) == "support_must_not_exceed_attackers"


def test_four_attackers_may_have_four_guns_or_three_markers_with_air() -> None:
    """9.5.4.limit, 9.5.4.one-air, 7.1.markers-free (W6): markers take no room."""
    scene = attacked(FOUR_29)
    scene.lead("29/RCN")

    assert scene.refusal(place_support(4, 0, 0)) == ""
    assert scene.refusal(place_support(1, 1, 1)) == ""
    assert scene.refusal(place_support(3, 1, 1)) == "support_must_not_exceed_attackers"


def test_an_event_may_forbid_air_support() -> None:
    """6.2.event-and-air, 6.2.chart.4, 6.2.chart.17, 6.2.chart.18, 14.6.1.offensive, 14.6.1.rain: placing is banned."""
    scene = attacked("29/15 29/RCN", event={"air_ban": True})
    scene.lead("29/15")

    assert scene.refusal(place_support(0, 0, 1)) == "air_must_be_permitted"
    assert scene.broken_rule(place_support(0, 0, 1)) == "6.2.event-and-air"
    assert all(getattr(command, "air", 0) == 0 for command in scene.options)


@each_row(
    ("area", "counter", "code"),
    [("10", "H1", "air_must_be_permitted"), ("12", "L5", "air_must_be_permitted"), ("21", "E1", ""), ("27", "C1", "")],
)
def test_limited_air_power_stays_away_from_contested_urban_areas(area: str, counter: str, code: str) -> None:
    """12.5.contested-urban: Clear and Elevated ones are free."""
    scene = Scene({area: "24/26"}, {area: counter}, support=(1, 0, 1), options={"limited_air_power": True})
    scene.activate(area)
    scene.attack(area, "24/26")

    assert scene.refusal(place_support(0, 0, 1)) == code
    if code:
        assert scene.broken_rule(place_support(0, 0, 1)) == "12.5.contested-urban"


def test_limited_air_power_supports_an_attack_on_an_area_just_entered() -> None:
    """12.5.contested-urban: 10 was not Contested when the round began."""
    scene = attacked("29/15", options={"limited_air_power": True})

    assert scene.refusal(place_support(0, 0, 1)) == ""


@each_row(
    ("area", "counter", "die", "reduction"),
    [("10", "H1", 2, 1), ("10", "H1", 6, 4), ("10", "H1", 1, 1), ("9", "L9", 2, 2)],
)
def test_limited_air_power_is_weaker_over_heavy_urban_areas(area: str, counter: str, die: int, reduction: int) -> None:
    """12.5.heavy-urban-die (V20): the die is 2 less, 1 at least, and the record of the die adds up to that."""
    scene = attacked("29/15", counter, area=area, options={"limited_air_power": True})
    events = scene.support(0, 0, 1, dice=(die, 1, 1, 6, 6))

    assert parts(events, "defense")["9.5.3.d-air"] == -reduction
    assert parts(events, "air support").get("12.5.heavy-urban-die", 0) == reduction - die


def test_markers_go_to_the_used_box_whatever_the_result() -> None:
    """9.5.9.markers-used, 3.6.used-box (W10)."""
    scene = attacked(FOUR_29, support=(6, 2, 1))
    scene.lead("29/RCN")
    events = scene.support(1, 1, 1, dice=(3, 1, 1, 6, 6))

    assert "9.5.9.markers-used" in rules_of(events)
    assert (scene.available(), scene.used()) == ((5, 1, 0), (3, 3, 3))


# Isolation


@each_row(
    ("counter", "die", "factor"),
    [
        ("L9", 1, 7),
        ("L9", 2, 6),
        ("L9", 3, 6),
        ("L9", 4, 5),
        ("L9", 5, 5),
        ("L9", 6, 4),
        ("L10", 1, 7),
        ("L10", 2, 7),
        ("L10", 6, 5),
    ],
)
def test_the_isolation_roll_changes_the_defense_factor(counter: str, die: int, factor: int) -> None:
    """12.3.roll-table (V19): six effects; for Guards the die is 1 less, 1 at least."""
    scene = Scene({"8": FOUR_29}, {"9": counter}, support=(1, 0, 0), isolated="9", options={"isolation": True})
    scene.activate("8")
    scene.move("29/PZ", "9")
    events = scene.attack("9", "29/PZ", dice=(die,))

    assert ISOLATION_FACTOR.of(scene.table, "9") == factor
    assert sum(rolls(events)[0][1]) + rolls(events)[0][2] == max(1, die - (counter == "L10"))
    assert {"12.3.isolation-roll", "12.3.roll-table"} <= rules_of(events)

    fight = scene.support(0, 0, 0, dice=(1, 1, 6, 6))

    shown = parts(fight, "defense")
    assert shown["9.5.3.a-factor"] + shown.get("12.3.roll-table", 0) == factor


def test_the_isolation_roll_is_made_again_in_each_attack() -> None:
    """12.3.isolation-roll: its effect holds for one combat, and the Lead is asked for after it."""
    scene = Scene({"8": FOUR_29}, {"9": "L9"}, isolated="9", options={"isolation": True})
    scene.activate("8")
    scene.move("29/PZ 29/15", "9")
    first = scene.attack("9", "29/PZ 29/15", dice=(6,))
    scene.lead("29/15", dice=(1, 1, 6, 6))

    assert [roll[0] for roll in rolls(first)] == ["isolation"]
    assert ISOLATION_FACTOR.on(scene.table) == []

    scene.play(DONE)
    scene.activate("8")
    scene.move("29/RCN", "9")
    second = scene.attack("9", "29/RCN", dice=(2, 1, 1, 6, 6))

    assert [roll[0] for roll in rolls(second)] == ["isolation", "attack", "defense"]


def test_a_changed_factor_sets_the_overrun_threshold() -> None:
    """12.3.roll-table, ruling.isolation-factor: 6 becomes 4, a margin of 5 is an Overrun."""
    scene = Scene({"8": FOUR_29}, {"9": "L9"}, isolated="9", options={"isolation": True})
    scene.activate("8")
    scene.move("29/RCN", "9")
    events = scene.attack("9", "29/RCN", dice=(6, 4, 4, 1, 2))

    assert rolls(events)[1:] == [("attack", (4, 4), 7), ("defense", (1, 2), 7)]
    assert "9.5.5.overrun" in rules_of(events)


def test_no_isolation_roll_without_a_combat() -> None:
    """12.3.isolation-roll: a Barrage that ends the attack comes first."""
    scene = Scene({"8": FOUR_29}, {"9": "?"}, isolated="9", options={"isolation": True})
    scene.activate("8")
    scene.move("29/RCN", "9")
    declared = scene.attack("9", "29/RCN", counter="L3")
    events = scene.play(BREAK_OFF)

    assert rolls(declared + events) == []


def test_the_isolation_roll_follows_a_barrage_that_is_fought_through() -> None:
    """12.3.isolation-roll, 9.5.sequence."""
    scene = Scene({"8": FOUR_29}, {"9": "?"}, isolated="9", options={"isolation": True})
    scene.activate("8")
    scene.move("29/RCN 29/PZ 29/15", "9")
    scene.attack("9", "29/RCN 29/PZ 29/15", counter="L3")
    chance = scene.play(give_up("29/15"), dice=(4,))

    assert [roll[0] for roll in rolls(chance)] == ["isolation"]
    assert (scene.asked, scene.at(OUT_OF_ACTION)) == ("lead", "29/15")


def test_the_isolation_roll_may_be_made_with_the_combat_dice() -> None:
    """12.3.isolation-roll, ruling.isolation-roll-moment: the other reading, as an option."""
    scene = Scene(
        {"8": FOUR_29},
        {"9": "L9"},
        isolated="9",
        support=(0, 0, 1),
        options={"isolation": True, "isolation_roll": "with-combat-dice"},
    )
    scene.activate("8")
    scene.move("29/RCN", "9")
    declared = scene.attack("9", "29/RCN")
    events = scene.support(0, 0, 1, dice=(1, 6, 1, 1, 6, 6))

    assert rolls(declared) == []
    assert [roll[0] for roll in rolls(events)] == ["air support", "isolation", "attack", "defense"]
    assert parts(events, "defense")["12.3.roll-table"] == -2


def test_a_move_cannot_be_stopped_during_a_combat() -> None:
    """6.0.five-phases: what is not asked is refused."""
    scene = attacked("29/15 29/RCN")

    assert scene.refusal(STOP) == "decision_must_be_open"
