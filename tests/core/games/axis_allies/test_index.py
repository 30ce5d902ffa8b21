"""The index of this game, while the game is not in the list of games: it hangs together, and what the code cites is in it."""

from core.game_files.rulebook import load_rulebook
from core.games.axis_allies.ids import PACKAGE
from core.games.axis_allies.rules.refusals import REFUSALS
from tests.project.test_rule_coverage import rule_ids
from tests.project.tree import product_files

INDEX = load_rulebook(PACKAGE)


def test_the_index_refers_to_what_it_has() -> None:
    needs = [name for rule in INDEX.rules.values() for name in rule.needs]
    settled = [name for ruling in INDEX.rulings.values() for name in ruling.rules]
    cited = [refusal.rule for refusal in INDEX.refusals if refusal.rule is not None]
    rulings = [name for rule in INDEX.rules.values() for name in rule.rulings]

    assert {*needs, *settled, *cited} - INDEX.rules.keys() == set()
    assert set(rulings) - INDEX.rulings.keys() == set()
    assert (len(INDEX.rules), len(INDEX.rulings)) == (382, 90)


def test_every_id_cited_in_code_is_in_the_index() -> None:
    known = INDEX.rules.keys() | INDEX.rulings.keys()
    files = [source for source in product_files("core") if source.path.startswith("core/games/axis_allies/")]

    assert [f"{source.path}: {name}" for source in files for name in rule_ids(source) if name not in known] == []


def test_the_tests_of_the_index_name_refusals_that_are_listed() -> None:
    words = [word.strip("()., ;") for rule in INDEX.rules.values() for word in rule.test.split("Refused ")[1:]]
    named = {word.split(")")[0].split(",")[0].split(" ")[0] for word in words}

    assert named - REFUSALS.meanings.keys() == set()
