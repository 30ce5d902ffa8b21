"""Position files of this game: what can be wrong with one, and how play begins from one."""

import pytest

from core.errors import SetupInvalid
from core.positions.position import Position, parse_position
from events.vocabulary import Value
from tests.support.advance import POSITIONS, from_position, order, rolls, scene
from tests.support.desk import Desk
from tests.support.rows import each_row

HEADER = 'format = "wardiary-position/1"\ngame = "advance"\n'


def position(text: str, scenario: str = "main") -> Position:
    return parse_position(f'{HEADER}scenario = "{scenario}"\n{text}')


def defects(text: str, scenario: str = "main") -> tuple[str, ...]:
    return tuple([defect.problem for defect in POSITIONS.check_position(position(text, scenario))])


def pieces(*rows: str) -> str:
    return f"pieces = [{', '.join(f'{{ {row} }}' for row in rows)}]"


@each_row(
    ("text", "defect"),
    [
        ("round = 10", "turn 10 is not one of this scenario, 1 to 9"),
        ('phase = "end"', "no phase in which a position can open is called 'end'"),
        ('turn = "soviet"', "no side that can have the turn is called 'soviet'; there is: german"),
        ('mode = "blind"', "no mode of this game is called 'blind'; there are none"),
        ("tracks = { morale = 20 }", "track morale is 20; it can be 0 to 19"),
        ("tracks = { morale = -1 }", "track morale is -1; it can be 0 to 19"),
        ("tracks = { supply = -1 }", "track supply is -1; it can be 0 or more"),
        ("tracks = { control_count = 10 }", "the control count says 10, but 9 Areas are German-controlled"),
        ("tracks = { moral = 3 }", "no track is called 'moral'; did you mean morale?"),
        (
            pieces('id = "29/XX", place = "6"'),
            "no piece in play is called '29/XX'; did you mean 29/PZ or 29/71 or 29/15?",
        ),
        (
            pieces('id = "14/PZ", place = "6"'),
            "no piece in play is called '14/PZ'; did you mean 24/PZ or 16/PZ or 60/PZ?",
        ),
        (pieces('id = "29/PZ", place = "51"'), "no place for 29/PZ is called '51'; did you mean 5 or 1?"),
        (
            pieces('id = "29/PZ", place = "6", face = "tired"'),
            "no face of 29/PZ is called 'tired'; there are: fresh, spent",
        ),
        (
            pieces('id = "29/PZ", place = "6", kind = "infantry"'),
            "no kind of 29/PZ is called 'infantry'; there is: armor",
        ),
        (pieces('id = "29/PZ", place = "6", side = "soviet"'), "no side of 29/PZ is called 'soviet'; there is: german"),
        (pieces('id = "29/PZ", place = "6", steps = 2'), "29/PZ has 2 steps; it can have 0"),
        (pieces('id = "29/PZ", place = "6"', 'id = "29/PZ", place = "5"'), "29/PZ is placed 2 times"),
        (
            pieces('id = "soviet/1", place = "1"'),
            "no piece in play is called 'soviet/1'; did you mean soviet/41 or soviet/31 or soviet/21?",
        ),
        (pieces('id = "soviet/10", place = "11"'), "soviet/10 never leaves Area 10, so it cannot be in '11'"),
        (pieces('id = "soviet/10", place = "10", face = "revealed"'), "soviet/10 is Revealed, so its kind must say"),
        (
            pieces('id = "soviet/10", place = "10", kind = "H1", face = "unrevealed"'),
            "soviet/10 is Unrevealed, so its kind, H1, cannot be known",
        ),
        (
            pieces('id = "soviet/10", place = "10", face = "up"'),
            "no face of soviet/10 is called 'up'; there are: unrevealed, revealed",
        ),
        (
            pieces('id = "soviet/10", place = "10", side = "german"'),
            "no side of soviet/10 is called 'german'; there is: soviet",
        ),
        (pieces('id = "soviet/10", place = "10", steps = 1'), "soviet/10 has 1 steps; it can have 0"),
        (
            pieces('id = "soviet/10", place = "10", kind = "Z9"'),
            "no kind of soviet/10 is called 'Z9'; there are: H1, H2, H3, H4, H5, H6, H7, H8, H9",
        ),
        (
            pieces('id = "soviet/10", place = "10", kind = "PH"'),
            "no kind of soviet/10 is called 'PH'; there are: H1, H2, H3, H4, H5, H6, H7, H8, H9",
        ),
        (
            pieces('id = "soviet/10", place = "10", kind = "L1"'),
            "no kind of soviet/10 is called 'L1'; there are: H1, H2, H3, H4, H5, H6, H7, H8, H9",
        ),
        (
            pieces('id = "soviet/10", place = "10", kind = "H1"', 'id = "soviet/14", place = "14", kind = "H1"'),
            "H1 is there 2 times: soviet/10, soviet/14",
        ),
        (
            pieces('id = "29/PZ", place = "10"', 'id = "soviet/10", place = "10"'),
            "29/PZ is in Area 10 with an Unrevealed Soviet unit",
        ),
        (
            pieces(*[f'id = "{unit}", place = "9"' for unit in ("29/15", "29/71", "29/PZ", "29/RCN", "244A")]),
            "244A does not fit into 9, which holds 4 German units at most",
        ),
        ('control = { "10" = "german" }', "Area 10 holds a Soviet unit and so is not German-controlled"),
        ('control = { "1" = "soviet" }', "Area 1 holds no Soviet unit and so is German-controlled"),
        ('control = { "51" = "german" }', "no place to control is called '51'; did you mean 5 or 1?"),
        ('control = { "1" = "axis" }', "no side to control 1 is called 'axis'; there are: german, soviet"),
        (
            'markers = { "nowhere" = { air = 1 } }',
            "no place or piece in play is called 'nowhere'; there are: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,",
        ),
        ('markers = { "event" = { rain = 1 } }', "no marker for event is called 'rain'; there are none"),
        ('markers = { "10" = { air = -1 } }', "-1 markers air lie on 10; 0 or more can"),
        (
            'attributes = { "event" = { fog = 1 } }',
            "no attribute of event is called 'fog'; there are: event_roll, air_ban, shell_shortages,",
        ),
        (
            'attributes = { "29/PZ" = { due = 3 } }',
            "no attribute of 29/PZ is called 'due'; there are: movement_left, entered_from",
        ),
        (
            'attributes = { "nowhere" = { due = 3 } }',
            "no place, piece or side in play is called 'nowhere'; there are: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,",
        ),
        (
            'attributes = { "14/PZ" = { movement_left = 1 } }',
            "no place, piece or side in play is called '14/PZ'; did you mean 24/PZ or 16/PZ or 60/PZ?",
        ),
        ('attributes = { "event" = { rain = true } }', "attribute rain of event is true; it must be a number"),
        ('attributes = { "event" = { rain = "4" } }', "attribute rain of event is '4'; it must be a number"),
        ('attributes = { "event" = { rain = -1 } }', "attribute rain of event is -1; it must be 0 or more"),
        ('attributes = { "event" = { air_ban = false } }', "attribute air_ban of event is false; it must be true"),
        (
            'attributes = { "event" = { paused = "x" } }',
            "attribute paused of event is 'x'; it must be a sorted list of",
        ),
        (
            'attributes = { "event" = { paused = ["division/71", "division/24"] } }',
            "attribute paused of event is ['division/71', 'division/24']; it must be a sorted list of texts, each once",
        ),
        (
            'attributes = { "event" = { paused = ["71"] } }',
            "no division for paused of event is called '71'; there are: division/14, division/16,",
        ),
        ('attributes = { "8" = { activated = true } }', "attribute activated of 8 belongs to the Combat Phase"),
        ('markers = { "available" = { air = 4 } }', "4 markers air lie on the table; there are 3"),
        ('markers = { "used" = { air = 1 } }', "2 of 3 air markers are missing"),
        ('markers = { "29/PZ" = { isolated = 1 } }', "no marker for 29/PZ is called 'isolated'; there are none"),
        (
            'markers = { "14/PZ" = { isolated = 1 } }',
            "no place or piece in play is called '14/PZ'; did you mean 24/PZ or 16/PZ or 60/PZ?",
        ),
        (
            'piles = { "mix/mud" = ["H1"] }',
            "no pile is called 'mix/mud'; there are: mix/clear, mix/elevated, mix/light_urban,",
        ),
        (
            'piles = { "mix/clear" = ["C1", "H1"] }',
            "no card for mix/clear is called 'H1'; there are: C1, C2, C3, C4, C5, C6",
        ),
        ('piles = { "mix/clear" = ["C1", "C1"] }', "C1 is there 2 times: mix/clear"),
        (
            'piles = { "mix/clear" = ["C99"] }',
            "no card for mix/clear is called 'C99'; there are: C1, C2, C3, C4, C5, C6",
        ),
        ('decision = { kind = "ponder" }', "no decision with which a position can open is called 'ponder'"),
        ('phase = "dawn"\ndecision = { kind = "activate" }', "decision activate belongs to the phase combat"),
        (
            'decision = { kind = "activate", seat = "soviet" }',
            "no seat that decides is called 'soviet'; there is: german",
        ),
        ('decision = { kind = "lead" }', "decision lead needs the argument area, where a Soviet unit is attacked"),
    ],
)
def test_each_defect_is_named(text: str, defect: str) -> None:
    (found,) = [one for one in defects(text) if one.startswith(defect)]

    assert found.startswith(defect)


@each_row(
    ("decision", "attributes", "defect"),
    [
        ("", '"8" = { active_units = [] }', "attribute active_units of 8 belongs to an Action Round"),
        ("", '"29/PZ" = { entered_from = "8" }', "attribute entered_from of 29/PZ belongs to an Action Round"),
        ("act", '"29/PZ" = { movement_left = 0 }', "an Action Round has one Active Area, not 0"),
        (
            "act",
            '"8" = { active_units = [] }, "9" = { active_units = [] }',
            "an Action Round has one Active Area, not 2",
        ),
        (
            "act",
            '"8" = { active_units = ["29/71"] }',
            "no German unit for active_units of 8 is called '29/71'",
        ),
        (
            "act",
            '"8" = { active_units = ["soviet/10"] }',
            "no German unit for active_units of 8 is called 'soviet/10'",
        ),
        ("act", '"8" = { active_units = [], lead = "29/PZ" }', "attribute lead of 8 belongs to an attack on that Area"),
        (
            "act",
            '"8" = { active_units = [] }, "29/15" = { entered_from = "9" }',
            "29/15 has entered no Area with a Soviet unit",
        ),
        (
            "act",
            '"8" = { active_units = [] }, "29/PZ" = { entered_from = "6" }',
            "29/PZ cannot have entered Area 10 from 6",
        ),
        (
            "act",
            '"8" = { active_units = [] }, "29/PZ" = { entered_from = "Kalach" }',
            "no Area for entered_from of 29/PZ is called 'Kalach'",
        ),
        ("act", '"8" = { active_units = [] }', "the decision act leaves nothing to choose"),
        ("lead", '"8" = { active_units = [] }', "no unit attacks Area 10: its attribute attackers lists those that do"),
        (
            "lead",
            '"8" = { active_units = [] }, "10" = { attackers = ["29/15"] }',
            "29/15 is not in Area 10, which is attacked",
        ),
        (
            "support",
            '"8" = { active_units = [] }, "10" = { attackers = ["29/PZ"] }',
            "one of the attackers leads where support is placed",
        ),
        (
            "barrage",
            '"8" = { active_units = [] }, "10" = { attackers = ["29/PZ"], lead = "29/PZ" }',
            "the Lead is not named yet at the decision barrage",
        ),
        (
            "lead",
            '"8" = { active_units = [], result = "success" }, "10" = { attackers = ["29/PZ"] }',
            "attribute result of 8 belongs to an attack on that Area",
        ),
    ],
)
def test_an_action_round_must_fit_together(decision: str, attributes: str, defect: str) -> None:
    """8.1.activate, 9.5.8.entry-area, 9.5.a-lead: what is remembered, and that there is something to choose."""
    rows = pieces(
        'id = "29/15", place = "8"', 'id = "29/PZ", place = "10"', 'id = "soviet/10", place = "10", kind = "H1"'
    )
    asked = f'decision = {{ kind = "{decision}", arguments = {{ area = "10" }} }}' if decision else ""
    named = defects(f"{rows}\n{asked}\nattributes = {{ {attributes} }}")
    (found,) = [one for one in named if one.startswith(defect)]

    assert found.startswith(defect)


def test_support_lies_on_an_area_in_an_attack_only() -> None:
    rows = pieces('id = "29/15", place = "8"', 'id = "soviet/10", place = "10", kind = "H1"')

    assert defects(f'{rows}\nmarkers = {{ "8" = {{ artillery = 1 }} }}') == (
        "marker artillery on 8 belongs to an Action Round, and the position does not open in one",
    )


def test_an_unrevealed_unit_is_not_in_an_attack() -> None:
    """9.4.reveal: it is Revealed before anything is asked."""
    rows = pieces('id = "29/PZ", place = "10"', 'id = "soviet/10", place = "10"')
    attributes = (
        'attributes = { "8" = { active_units = ["29/PZ"] }, "10" = { attackers = ["29/PZ"] }, '
        '"29/PZ" = { movement_left = 0, entered_from = "8" } }'
    )

    assert defects(f'{rows}\ndecision = {{ kind = "lead", arguments = {{ area = "10" }} }}\n{attributes}') == (
        "the Soviet unit of Area 10 is attacked and so is Revealed",
    )


def test_a_position_says_its_scenario() -> None:
    (found,) = POSITIONS.check_position(parse_position(HEADER))

    assert found.problem == "no scenario of this position is called ''; there are: main, factory"


def test_all_defects_are_named_at_once() -> None:
    """7.1.soviet-one, 7.1.german-four, 7.3.contested-is-revealed and what else is wrong."""
    found = defects(
        "round = 12\ntracks = { morale = 33 }\n"
        + pieces('id = "29/PZ", place = "9"', 'id = "29/ZZ", place = "9"', 'id = "soviet/9", place = "10"')
    )

    assert [one.split(" ")[0] for one in found] == ["turn", "no", "track", "soviet/9"]


def test_two_soviet_units_do_not_share_an_area() -> None:
    """7.1.soviet-one."""
    rows = pieces('id = "soviet/9", place = "10"', 'id = "soviet/10", place = "10"')

    assert "soviet/10 does not fit into 10, which holds 1 Soviet unit at most" in defects(rows)


def test_the_mix_must_suffice() -> None:
    """5.4.one-counter-per-area."""
    rows = pieces('id = "soviet/10", place = "10"', 'id = "soviet/14", place = "14"')

    assert defects(rows + '\npiles = { "mix/heavy_urban" = ["H1"] }') == (
        "mix/heavy_urban: 1 counters are too few for 2 Unrevealed units",
    )
    assert defects(
        pieces('id = "soviet/10", place = "10", kind = "H1"') + '\npiles = { "mix/heavy_urban" = ["H1"] }'
    ) == ("H1 is there 2 times: mix/heavy_urban, soviet/10",)


def test_a_mix_that_is_not_named_must_suffice_too() -> None:
    """14.5.1.pool: in October no Clear counter is left, so that an Unrevealed unit in a Clear Area could not be drawn."""
    row = pieces('id = "soviet/44", place = "44"')

    assert defects(row, "factory") == ("mix/clear: 0 counters are too few for 1 Unrevealed units",)
    assert defects(pieces('id = "soviet/44", place = "44", kind = "C3"'), "factory") == ()


def test_the_mix_must_suffice_for_a_set_up_too() -> None:
    """14.5.1.pool: four Heavy Urban units are to be drawn in October, and the Fanatic 8 lies open."""
    assert defects('piles = { "mix/heavy_urban" = ["H1", "H2", "H3"] }', "factory") == (
        "mix/heavy_urban: counter H3 is on the table already",
        "mix/heavy_urban: 3 counters are too few for 4 Unrevealed units",
    )


def test_at_most_fourteen_are_isolated() -> None:
    """12.3.fourteen-markers."""
    areas = [7, 9, 11, 16, 17, 18, 19, 20, 21, 23, 24, 27, 28, 29, 30]
    rows = pieces(*[f'id = "soviet/{area}", place = "{area}"' for area in areas])
    markers = ", ".join(f'"soviet/{area}" = {{ isolated = 1 }}' for area in areas)

    assert defects(f"{rows}\nmarkers = {{ {markers} }}") == ("15 markers isolated lie on the table; there are 14",)


def test_the_factory_scenario_keeps_no_count() -> None:
    """14.2.no-control-count."""
    assert defects("tracks = { control_count = 35 }", "factory") == (
        "no track is called 'control_count'; there are: morale, supply",
    )


def test_pavlovs_house_needs_its_rule() -> None:
    """4.5.8.pavlov-only-optional: with the option the counter is known."""
    rows = pieces('id = "soviet/10", place = "10", kind = "PH"')

    assert defects(f"options = {{ pavlovs_house = true }}\n{rows}") == ()


# How play begins


def test_a_position_without_pieces_is_the_set_up() -> None:
    table = from_position(position('round = 4\nphase = "supply"\ntracks = { supply = 5 }'), dice=(4, 4, 4, 4))

    assert (table.table.round, table.morale, table.supply, table.at("6")) == (4, 19, 21, "29/15 29/71 29/PZ 29/RCN")
    assert len([piece for piece in table.table.pieces.values() if piece.side == "soviet"]) == 41


def test_a_phase_without_a_decision_begins() -> None:
    phases = {
        "dawn": from_position(position('phase = "dawn"'), dice=(3, 3, 4, 4, 4, 4, 4)),
        "random_event": from_position(position('phase = "random_event"'), dice=(3, 3, 4, 4, 4, 4, 4)),
        "supply": from_position(position('phase = "supply"'), dice=(4, 4, 4, 4)),
        "combat": from_position(position('phase = "combat"')),
    }

    assert {phase: (table.asked, len(rolls(table.events))) for phase, table in phases.items()} == {
        "dawn": ("supply", 2),
        "random_event": ("supply", 2),
        "supply": ("supply", 1),
        "combat": ("activate", 0),
    }


def test_a_phase_with_a_decision_is_under_way() -> None:
    table = scene(phase="supply", decision="supply", units={"24/26": "3"}, soviets={"10": "?"}, supply=7)

    assert (table.asked, table.supply, rolls(table.events), table.marker("available", "air")) == ("supply", 7, [], 0)


def test_what_is_not_named_stays_off() -> None:
    table = scene(decision="activate", units={"24/26": "3"}, soviets={"10": "H1"})

    assert sorted(table.table.pieces) == ["24/26", "soviet/10"]
    assert table.track("control_count") == 49
    assert "H1" not in table.table.piles[next(pile for pile in table.table.piles if pile == "mix/heavy_urban")].cards


def test_a_position_opens_within_an_action_round() -> None:
    table = scene(
        decision="act",
        units={"29/15": "10", "29/PZ": "8"},
        soviets={"10": "?"},
        attributes={
            "8": {"active_units": ("29/15", "29/PZ")},
            "10": {"mandatory": True},
            "29/15": {"movement_left": 0, "entered_from": "8"},
        },
    )

    assert table.refused(order("done")) == "mandatory_attack_must_be_resolved"
    assert order("declare-attack", area="10", units=["29/15"]) in table.options


def test_a_position_opens_within_an_attack() -> None:
    units = ("29/15", "29/PZ")
    attributes: dict[str, dict[str, Value]] = {
        "8": {"active_units": units},
        "10": {"mandatory": True, "attackers": units},
        "soviet/10": {"strategy_in_force": True},
        **{unit: {"movement_left": 0, "entered_from": "8"} for unit in units},
    }
    table = scene(
        decision="lead",
        area="10",
        units={"29/15": "10", "29/PZ": "10", "24/26": "3"},
        soviets={"10": "H3"},
        attributes=attributes,
    )
    table.do(order("name-lead", unit="29/PZ"), dice=(6, 6, 1, 1))

    assert (table.asked, table.at("10"), table.table.attributes) == ("activate", "29/15 29/PZ soviet/10", {})


def test_groups_of_a_position_are_due_as_printed() -> None:
    """6.1.1.wait-for-room, 6.2.1.return-next-turn: and a withdrawn division at the next Dawn."""
    table = scene(
        phase="supply",
        decision="supply",
        turn=3,
        units={"389/544": "reinforcements/t2", "29/15": "withdrawn/29", "24/26": "3"},
        soviets={"10": "?"},
    )

    assert [table.attribute(box, "due") for box in ("reinforcements/t2", "withdrawn/29")] == [2, 4]
    assert table.attribute("withdrawn/29", "was_withdrawn") is True


def test_an_eliminated_unit_is_out_of_the_mix() -> None:
    """5.4.no-further-soviets."""
    text = pieces('id = "soviet/10", place = "eliminated", kind = "H1"', 'id = "24/26", place = "3"')
    table = from_position(position(f'phase = "combat"\ndecision = {{ kind = "activate" }}\n{text}'))

    assert (table.at("eliminated"), "H1" in str(table.table.piles), table.track("control_count")) == (
        "soviet/10",
        False,
        50,
    )


def test_a_match_opens_from_a_position() -> None:
    text = f'{HEADER}scenario = "main"\nphase = "combat"\n' + pieces(
        'id = "29/RCN", place = "8"', 'id = "soviet/10", place = "10"'
    )
    desk = Desk.open("advance", position=text, dice="seeded")

    assert [str(option) for option in desk.options()] == ["Activate(area='8')", "Done()"]


def test_an_impossible_position_opens_no_match() -> None:
    """12.0.options-fixed: setup_must_be_valid, every defect named."""
    text = f'{HEADER}scenario = "main"\nround = 77\nphase = "noon"\n'

    with pytest.raises(SetupInvalid) as caught:
        Desk.open("advance", position=text)
    assert len(caught.value.defects) == 2
