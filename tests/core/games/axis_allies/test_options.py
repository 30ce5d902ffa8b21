"""The options of a match are those of the index of rules, with its readings and defaults."""

from core.game_files.rulebook import load_rulebook
from core.games.axis_allies.ids import PACKAGE, RACE
from core.games.axis_allies.options import AMBUSH_CANCELS_AIR_ATTACK, OPTIONAL_RULES, OPTIONS

INDEX = load_rulebook(PACKAGE)


def test_every_ruling_that_leaves_a_choice_is_an_option_with_its_readings() -> None:
    specs = {spec.key: spec for spec in OPTIONS}
    offered = {
        ruling.option_name: (ruling.id, ruling.option_values, ruling.default())
        for ruling in INDEX.rulings.values()
        if ruling.option and ruling.option_name != "board"
    }

    assert {
        key: (
            specs[key].rule,
            specs[key].choices or values,
            specs[key].default if specs[key].choices else "yes" if specs[key].default is True else "no",
        )
        for key, (_, values, _) in offered.items()
    } == offered
    assert specs.keys() - offered.keys() == {spec.key for spec in OPTIONAL_RULES}


def test_the_optional_rules_are_off_and_the_set_up_ones_are_of_the_race() -> None:
    """RuleId("optional.selection"), RuleId("components.optional-cards")."""
    assert [spec.default for spec in OPTIONAL_RULES] == [False] * 7
    assert [spec.key for spec in OPTIONAL_RULES if spec.scenarios == (RACE,)] == [
        "factory_placement",
        "alternative_deployment",
    ]


def test_every_option_switches_a_rule_or_a_ruling_of_the_index() -> None:
    known = INDEX.rules.keys() | INDEX.rulings.keys()

    assert [spec.key for spec in OPTIONS if spec.rule not in known] == []


def test_an_option_names_all_that_it_decides() -> None:
    """ruling.ambush-with-air-present: an exchange of Heroes takes a last attacker as an ambush does."""
    assert "An ambush, or Heroes of the Soviet Union," in AMBUSH_CANCELS_AIR_ATTACK.title
