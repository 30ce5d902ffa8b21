"""The options of a match are those of the index of rules, with its readings and defaults."""

from core.games.inferno.ids import PACKAGE
from core.games.inferno.options import DESIGNER, DESIGNERS_WAY, OPTIONS
from core.rulebook import load_rulebook

INDEX = load_rulebook(PACKAGE)


def test_every_ruling_that_leaves_a_choice_is_an_option_with_its_readings() -> None:
    specs = {spec.key: spec for spec in OPTIONS}
    words = {True: "yes", False: "no"}
    offered = {
        ruling.option_name: (ruling.id, ruling.option_values, ruling.default())
        for ruling in INDEX.rulings.values()
        if ruling.option
    }

    assert {
        key: (
            specs[key].rule,
            specs[key].choices or values,
            words.get(specs[key].default is True) if isinstance(specs[key].default, bool) else specs[key].default,
        )
        for key, (_, values, _) in offered.items()
    } == offered
    assert specs.keys() - offered.keys() == {DESIGNERS_WAY}


def test_options_of_the_designers_way_need_it() -> None:
    """RuleId("designer.optional")."""
    assert {spec.key for spec in OPTIONS if spec.needs == DESIGNERS_WAY} == {
        spec.key for spec in DESIGNER if spec.key != DESIGNERS_WAY
    }


def test_every_option_switches_a_rule_or_a_ruling_of_the_index() -> None:
    known = INDEX.rules.keys() | INDEX.rulings.keys()

    assert [spec.key for spec in OPTIONS if spec.rule not in known] == []


def test_the_index_refers_to_what_it_has() -> None:
    needs = [name for rule in INDEX.rules.values() for name in rule.needs]
    settled = [name for ruling in INDEX.rulings.values() for name in ruling.rules]
    cited = [refusal.rule for refusal in INDEX.refusals if refusal.rule is not None]

    assert {*needs, *settled, *cited} - INDEX.rules.keys() == set()
    assert (len(INDEX.rules), len(INDEX.rulings)) == (383, 131)
