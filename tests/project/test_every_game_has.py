"""Every listed game has tests and fixtures of every required kind; a game that lacks any is found."""

import ast
import re
from pathlib import Path

import pytest

from core.registry.games import GAMES, load_game
from tests.project.tree import ROOT
from tests.support.rows import each_row

RULE_TESTS_MIN = 100
EXAMPLES_MIN = 20
COUNTS_MIN = 40

TESTS = ROOT / "tests" / "core" / "games"
FIXTURES = ROOT / "fixtures"


def names_of_tests(path: Path) -> list[str]:
    """List the names of the tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]


def files_named(key: str, words: str) -> list[Path]:
    """List a game's test files whose names contain one of these words."""
    return [path for path in sorted((TESTS / key).rglob("test_*.py")) if re.search(words, path.stem)]


def lacks(key: str, scenarios: tuple[str, ...]) -> list[str]:
    """Return the kinds of tests and fixtures that a game lacks."""
    missing: list[str] = []
    rule_tests = sum(len(names_of_tests(path)) for path in (TESTS / key).rglob("test_*.py"))
    if rule_tests < RULE_TESTS_MIN:
        missing.append(f"given-when-then tests: {rule_tests} of {RULE_TESTS_MIN} in tests/core/games/{key}")
    examples = len(list((FIXTURES / "positions" / key).glob("*.toml")))
    if examples < EXAMPLES_MIN:
        missing.append(f"worked examples: {examples} of {EXAMPLES_MIN} in fixtures/positions/{key}")
    if not any(names_of_tests(path) for path in files_named(key, "precedence")):
        missing.append(f"a table of the precedence of refusals: tests/core/games/{key}/test_precedence.py")
    if not any(names_of_tests(path) for path in files_named(key, "properties")):
        missing.append(f"properties: tests/core/games/{key}/test_properties.py")
    perft = FIXTURES / "perft" / f"{key}.toml"
    counts = (
        len(re.findall(r"\d+", " ".join(re.findall(r"^counts = (.*)$", perft.read_text(), re.MULTILINE))))
        if perft.exists()
        else 0
    )
    if counts < COUNTS_MIN:
        missing.append(f"perft: {counts} of {COUNTS_MIN} counts in fixtures/perft/{key}.toml")
    missing += [
        f"a golden match of scenario {scenario}: fixtures/golden/{key}/{scenario}.txt"
        for scenario in scenarios
        if not (FIXTURES / "golden" / key / f"{scenario}.txt").exists()
    ]
    if not list((FIXTURES / "commands" / key).glob("*.json")):
        missing.append(f"the bytes of its commands: fixtures/commands/{key}")
    return missing


@pytest.mark.parametrize("key", list(GAMES))
def test_a_listed_game_has_tests_of_every_kind(key: str) -> None:
    assert lacks(key, tuple(scenario.key for scenario in load_game(key).scenarios)) == []


@each_row("key", list(GAMES))
def test_a_listed_game_is_fuzzed(key: str) -> None:
    from tests.core.test_fuzz import scenes

    assert {scenario for game, scenario, _ in scenes() if game == key} == {
        scenario.key for scenario in load_game(key).scenarios
    }


def test_a_game_without_tests_and_fixtures_lacks_everything() -> None:
    found = lacks("nothing", ("only",))

    assert [what.split(":")[0] for what in found] == [
        "given-when-then tests",
        "worked examples",
        "a table of the precedence of refusals",
        "properties",
        "perft",
        "a golden match of scenario only",
        "the bytes of its commands",
    ]
