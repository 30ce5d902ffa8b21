"""The options of a match: the optional rules 12.1 to 12.8, and the rulings that leave the players a choice."""

from core.game import OptionSpec
from core.games.advance.components.board_records import FACTORY, MAIN
from events.ids import RuleId
from projections.table import Table

RUBBLE = "rubble"
NORTHERN_SHOULDER = "northern_shoulder"
ISOLATION = "isolation"
PARENT_ORGANIZATION = "parent_organization"
LIMITED_AIR_POWER = "limited_air_power"
PAVLOVS_HOUSE = "pavlovs_house"
REDUCED_STARTING_MORALE = "reduced_starting_morale"
STARTING_MORALE = "starting_morale"
INCREASED_GERMAN_SUPPLY = "increased_german_supply"
SUPPLY_REROLL_TURNS = "supply_reroll_turns"

OVERRUN_AGAINST = "overrun_against"
STRATEGIES_OF_UNITS_REVEALED_AT_SETUP = "strategies_of_units_revealed_at_setup"
AREA_ACTIVATIONS_PER_TURN = "area_activations_per_turn"
REINFORCEMENT_WITHOUT_ROOM = "reinforcement_without_room"
RETURN_TO_AREA_6 = "return_to_area_6"
FACTORY_RETURN_AREAS = "factory_return_areas"
FACTORY_NORTHERN_RETURN = "factory_northern_return"
FACTORY_FREE_AIR = "factory_free_air"
NORTHERN_SHOULDER_AREAS = "northern_shoulder_areas"
ISOLATION_ROLL = "isolation_roll"
PARENT_ORGANIZATION_COUNTS = "parent_organization_counts"
SUPPLY_REROLL = "supply_reroll"
FACTORY_SECOND_THREE = "factory_second_three"

TURNS = tuple(str(turn) for turn in range(1, 15))
"""Turns 1 to 9 are the main game's, 10 to 14 those of the Factory District Scenario."""


def _rule(key: str, title: str, rule: str, scenarios: tuple[str, ...] = ()) -> OptionSpec:
    """Offer an optional rule, off by default."""
    return OptionSpec(key, title, default=False, rule=RuleId(rule), scenarios=scenarios)


def _ruling(key: str, title: str, rule: str, *choices: str, scenarios: tuple[str, ...] = ()) -> OptionSpec:
    """Offer a ruling's readings; the first one is followed by default."""
    return OptionSpec(key, title, default=choices[0], rule=RuleId(rule), choices=choices, scenarios=scenarios)


OPTIONAL_RULES: tuple[OptionSpec, ...] = (
    _rule(RUBBLE, "12.1 Rubble: Divisional Integrity in urban Areas needs an Engineer", "12.1.rubble"),
    _rule(NORTHERN_SHOULDER, "12.2 Northern Shoulder: units of 48-50 stay in the north", "12.2.northern-shoulder"),
    _rule(ISOLATION, "12.3 Isolated Soviet Units: cut-off units roll for their Defense Factor", "12.3.check-each-dawn"),
    _rule(PARENT_ORGANIZATION, "12.4 Parent Organization: Attack Value -1 for each division", "12.4.deduction"),
    _rule(
        LIMITED_AIR_POWER, "12.5 Limited Air Power: less Air Support in contested urban Areas", "12.5.contested-urban"
    ),
    _rule(PAVLOVS_HOUSE, "12.6 Pavlov's House: one unit that is Guards every time", "12.6.in-the-mix"),
    _rule(
        REDUCED_STARTING_MORALE,
        "12.7 Reduced Starting Morale: Morale starts at starting_morale",
        "12.7.start-at-fifteen",
        (MAIN,),
    ),
    OptionSpec(
        STARTING_MORALE,
        "Morale at the start with 12.7",
        default=15,
        rule=RuleId("12.7.start-at-fifteen"),
        low=1,
        high=19,
        scenarios=(MAIN,),
    ),
    _rule(
        INCREASED_GERMAN_SUPPLY, "12.8 Increased German Supply: supply dice showing 1 roll again", "12.8.reroll-ones"
    ),
    OptionSpec(
        SUPPLY_REROLL_TURNS,
        "Turns on which 12.8 holds",
        default=TURNS,
        rule=RuleId("12.8.reroll-ones"),
        choices=TURNS,
    ),
)
"""Source: 12.0, RuleId("12.0.options-fixed"). Which of them a scenario knows: ruling.options-and-scenarios."""

RULINGS: tuple[OptionSpec, ...] = (
    _ruling(
        OVERRUN_AGAINST,
        "What the margin of an Overrun must exceed",
        "ruling.overrun-strength",
        "defense-factor",
        "defense-value",
        "defense-total",
    ),
    _ruling(
        STRATEGIES_OF_UNITS_REVEALED_AT_SETUP,
        "Whether strategies of units Revealed at set-up work once",
        "ruling.revealed-at-setup",
        "never",
        "first-attack",
        scenarios=(FACTORY,),
    ),
    _ruling(AREA_ACTIVATIONS_PER_TURN, "How often an Area can be activated", "ruling.reactivation", "unlimited", "one"),
    _ruling(
        REINFORCEMENT_WITHOUT_ROOM,
        "What a group does that finds no room for all of it",
        "ruling.reinforcement-room",
        "wait-whole",
        "place-what-fits",
    ),
    _ruling(
        RETURN_TO_AREA_6,
        "When an Out of Action unit can return to Area 6",
        "ruling.return-area-6",
        "with-another-unit",
        "always",
        scenarios=(MAIN,),
    ),
    _ruling(
        FACTORY_RETURN_AREAS,
        "Where Out of Action units return",
        "ruling.return-factory",
        "with-another-unit",
        "with-another-unit-or-1-to-5",
        scenarios=(FACTORY,),
    ),
    _ruling(
        FACTORY_NORTHERN_RETURN,
        "Where Out of Action units of the 16th return",
        "ruling.return-factory-north",
        "printed-area",
        "scenario-area",
        scenarios=(FACTORY,),
    ),
    _ruling(
        FACTORY_FREE_AIR,
        "How many Air markers are free each turn",
        "ruling.factory-free-air",
        "two",
        "three",
        scenarios=(FACTORY,),
    ),
    _ruling(
        NORTHERN_SHOULDER_AREAS,
        "Where 12.2 lets units of 48-50 move",
        "ruling.northern-area-set",
        "42-to-50",
        "42-to-47",
    ),
    _ruling(
        ISOLATION_ROLL,
        "When the isolation die of 12.3 is rolled",
        "ruling.isolation-roll-moment",
        "before-support",
        "with-combat-dice",
    ),
    _ruling(
        PARENT_ORGANIZATION_COUNTS,
        "Which divisions 12.4 counts",
        "ruling.parent-first-division",
        "every-division",
        "beyond-the-first",
    ),
    _ruling(SUPPLY_REROLL, "How often 12.8 rolls a die again", "ruling.reroll-ones", "until-no-ones", "once"),
    _ruling(
        FACTORY_SECOND_THREE,
        "What a second roll of 3 does",
        "ruling.factory-repeat-three",
        "again",
        "as-four",
        scenarios=(FACTORY,),
    ),
)

OPTIONS: tuple[OptionSpec, ...] = (*OPTIONAL_RULES, *RULINGS)

DEFAULTS = {spec.key: spec.default for spec in OPTIONS}


def is_on(table: Table, key: str) -> bool:
    """Return whether an optional rule is in use; one that the scenario does not know is not."""
    value = table.options.get(key, False)
    assert isinstance(value, bool)
    return value


def chosen(table: Table, key: str) -> str:
    """Return the reading that the match follows."""
    value = table.options.get(key, DEFAULTS[key])
    assert isinstance(value, str)
    return value


def starting_morale(table: Table) -> int:
    """Return the agreed starting Morale of 12.7, 1 to 19."""
    value = table.options.get(STARTING_MORALE, DEFAULTS[STARTING_MORALE])
    assert isinstance(value, int)
    return value


def supply_reroll_turns(table: Table) -> tuple[int, ...]:
    """Return the turns on which 12.8 holds."""
    value = table.options.get(SUPPLY_REROLL_TURNS, DEFAULTS[SUPPLY_REROLL_TURNS])
    assert isinstance(value, tuple)
    return tuple(int(turn) for turn in value)
