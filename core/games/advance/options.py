"""The options of a match: the optional rules 12.1 to 12.8, and the rulings that leave the players a choice."""

from core.game.game_record import OptionSpec
from core.games.advance.components.board_records import FACTORY, MAIN
from events.ids import RuleId

TURNS = tuple(str(turn) for turn in range(1, 15))
"""Turns 1 to 9 are the main game's, 10 to 14 those of the Factory District Scenario."""


def _rule(key: str, title: str, rule: str, *scenarios: str) -> OptionSpec:
    """Offer an optional rule, off by default."""
    return OptionSpec(key, title, default=False, rule=RuleId(rule), scenarios=scenarios)


def _ruling(key: str, title: str, rule: str, choices: tuple[str, ...], *scenarios: str) -> OptionSpec:
    """Offer a ruling's readings; the first one is followed by default."""
    return OptionSpec(key, title, default=choices[0], rule=RuleId(rule), choices=choices, scenarios=scenarios)


# Source: 12.0, RuleId("12.0.options-fixed"). Which of them a scenario knows: ruling.options-and-scenarios.
RUBBLE = _rule("rubble", "12.1 Rubble: Divisional Integrity in urban Areas needs an Engineer", "12.1.rubble")
NORTHERN_SHOULDER = _rule(
    "northern_shoulder", "12.2 Northern Shoulder: units of 48-50 stay in the north", "12.2.northern-shoulder"
)
ISOLATION = _rule(
    "isolation", "12.3 Isolated Soviet Units: cut-off units roll for their Defense Factor", "12.3.check-each-dawn"
)
PARENT_ORGANIZATION = _rule(
    "parent_organization", "12.4 Parent Organization: Attack Value -1 for each division", "12.4.deduction"
)
LIMITED_AIR_POWER = _rule(
    "limited_air_power", "12.5 Limited Air Power: less Air Support in contested urban Areas", "12.5.contested-urban"
)
PAVLOVS_HOUSE = _rule("pavlovs_house", "12.6 Pavlov's House: one unit that is Guards every time", "12.6.in-the-mix")
REDUCED_STARTING_MORALE = _rule(
    "reduced_starting_morale",
    "12.7 Reduced Starting Morale: Morale starts at starting_morale",
    "12.7.start-at-fifteen",
    MAIN,
)
STARTING_MORALE = OptionSpec(
    "starting_morale",
    "Morale at the start with 12.7",
    default=15,
    rule=RuleId("12.7.start-at-fifteen"),
    low=1,
    high=19,
    scenarios=(MAIN,),
)
INCREASED_GERMAN_SUPPLY = _rule(
    "increased_german_supply", "12.8 Increased German Supply: supply dice showing 1 roll again", "12.8.reroll-ones"
)
SUPPLY_REROLL_TURNS = OptionSpec(
    "supply_reroll_turns", "Turns on which 12.8 holds", default=TURNS, rule=RuleId("12.8.reroll-ones"), choices=TURNS
)

# Readings of rulings
OVERRUN_AGAINST = _ruling(
    "overrun_against",
    "What the margin of an Overrun must exceed",
    "ruling.overrun-strength",
    ("defense-factor", "defense-value", "defense-total"),
)
STRATEGIES_OF_UNITS_REVEALED_AT_SETUP = _ruling(
    "strategies_of_units_revealed_at_setup",
    "Whether strategies of units Revealed at set-up work once",
    "ruling.revealed-at-setup",
    ("never", "first-attack"),
    FACTORY,
)
AREA_ACTIVATIONS_PER_TURN = _ruling(
    "area_activations_per_turn", "How often an Area can be activated", "ruling.reactivation", ("unlimited", "one")
)
REINFORCEMENT_WITHOUT_ROOM = _ruling(
    "reinforcement_without_room",
    "What a group does that finds no room for all of it",
    "ruling.reinforcement-room",
    ("wait-whole", "place-what-fits"),
)
REINFORCEMENT_DELAY = _ruling(
    "reinforcement_delay",
    "Whether a group that has room may be held back",
    "ruling.reinforcement-may",
    ("never", "at-will"),
)
BOTH_AUTOMATIC = _ruling(
    "both_automatic",
    "Who wins if every Area is German and Morale is 0",
    "ruling.both-automatic",
    ("german", "soviet"),
)
RETURN_TO_AREA_6 = _ruling(
    "return_to_area_6",
    "When an Out of Action unit can return to Area 6",
    "ruling.return-area-6",
    ("with-another-unit", "always"),
    MAIN,
)
FACTORY_RETURN_AREAS = _ruling(
    "factory_return_areas",
    "Where Out of Action units return",
    "ruling.return-factory",
    ("with-another-unit", "with-another-unit-or-1-to-5"),
    FACTORY,
)
FACTORY_NORTHERN_RETURN = _ruling(
    "factory_northern_return",
    "Where Out of Action units of the 16th return",
    "ruling.return-factory-north",
    ("printed-area", "scenario-area"),
    FACTORY,
)
FACTORY_FREE_AIR = _ruling(
    "factory_free_air", "How many Air markers are free each turn", "ruling.factory-free-air", ("two", "three"), FACTORY
)
NORTHERN_SHOULDER_AREAS = _ruling(
    "northern_shoulder_areas",
    "Where 12.2 lets units of 48-50 move",
    "ruling.northern-area-set",
    ("42-to-50", "42-to-47"),
)
ISOLATION_ROLL = _ruling(
    "isolation_roll",
    "When the isolation die of 12.3 is rolled",
    "ruling.isolation-roll-moment",
    ("before-support", "with-combat-dice"),
)
PARENT_ORGANIZATION_COUNTS = _ruling(
    "parent_organization_counts",
    "Which divisions 12.4 counts",
    "ruling.parent-first-division",
    ("every-division", "beyond-the-first"),
)
SUPPLY_REROLL = _ruling(
    "supply_reroll", "How often 12.8 rolls a die again", "ruling.reroll-ones", ("until-no-ones", "once")
)
FACTORY_SECOND_THREE = _ruling(
    "factory_second_three", "What a second roll of 3 does", "ruling.factory-repeat-three", ("again", "as-four"), FACTORY
)

OPTIONS = tuple([one for one in tuple(globals().values()) if isinstance(one, OptionSpec)])
"""All of them, in the order of their declarations."""
