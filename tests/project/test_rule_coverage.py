"""Every rule cited in code is in the index, every refusal is in it and tested, and every ruling is an option or data.

`tests.support.ledger` counts whether every rule is met while all tests run.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache

from core.game.game_record import Game
from core.game_files.rulebook import Rulebook, Ruling, load_match_rulebook, load_rulebook
from core.registry.games import GAMES, load_game
from tests.project.tree import ROOT, Source, product_files, tracked_files, walked
from tests.support.rows import each_row

MATCH = "match"
KEYS = [MATCH, *GAMES]

# Rulings whose readings are not options of a match, because the board file decides them; see `wardiary board`.
DATA = {
    "board": "The map is the board file's: the packaged one or an owner's own (`--board FILE`).",
    "main_event_chart": "The chart is a table of the board file.",
}
WORDED_ID = re.compile(r"(?<![\w.-])(?!ruling\.)[a-z][a-z0-9-]*(?:\.[a-z0-9][a-z0-9-]*)+\b")
"""An id of words, as in a docstring; one that begins with a chapter's number is cited as a `RuleId`."""
# Codes of errors of the opening, before there is a table.
OPENING = {"setup_must_be_valid": "A match that cannot be opened has no table to refuse anything at."}


@cache
def rulebook(key: str) -> Rulebook:
    """Return the index of a game, or of the rules common to all matches."""
    if key == MATCH:
        return load_match_rulebook()
    return load_rulebook(GAMES[load_game(key).key])


@cache
def code(key: str) -> tuple[Source, ...]:
    """Return the code that must cite a game's rules, or the common ones."""
    if key == MATCH:
        return tuple(source for source in product_files("core") if not source.path.startswith("core/games/"))
    folder = GAMES[load_game(key).key].replace(".", "/") + "/"
    return tuple(source for source in product_files("core") if source.path.startswith(folder))


@cache
def proofs(key: str) -> tuple[Source, ...]:
    """Return the tests and fixtures that may test a game's rules, or the common ones."""
    folders = (
        ("tests/core/", "tests/acid/", "tests/server/")
        if key == MATCH
        else (f"tests/core/games/{key}/", f"/{key}/", f"/{key}_")
    )
    return tuple(
        Source(name, path.read_text(encoding="utf-8"))
        for path in tracked_files()
        if (name := path.relative_to(ROOT).as_posix()).startswith(("tests/", "fixtures/"))
        and any(folder in name for folder in folders)
        and path.suffix in (".py", ".toml")
    )


def quotes(text: str, name: str) -> bool:
    """Return whether a text contains an id in quotation marks."""
    return f'"{name}"' in text


def rule_ids(source: Source) -> Iterator[str]:
    """Yield each rule id that a file cites, and each id of a ruling, or of a rule's source, in its strings and docstrings."""
    yield from re.findall(r'RuleId\("([^"]+)"\)', source.text)
    for node in walked(source.tree()):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\bruling\.[\w.-]*\w", node.value)
            _, _, sources = node.value.partition("Source: ")
            yield from WORDED_ID.findall(sources.partition("`")[0])


@each_row("key", KEYS)
def test_every_id_cited_in_code_is_in_the_index(key: str) -> None:
    known = {*rulebook(key).rules, *rulebook(key).rulings}
    unknown = [f"{source.path}: {name}" for source in code(key) for name in rule_ids(source) if name not in known]

    assert unknown == []


def refusal_codes(source: Source) -> Iterator[str]:
    """Yield the code of each refusal that a file makes: the first argument of `refused` or `Refusal`, or either of two."""
    for node in walked(source.tree()):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("refused", "Refusal"):
            for first in node.args[:1]:
                either = (first.body, first.orelse) if isinstance(first, ast.IfExp) else (first,)
                yield from (one.value for one in either if isinstance(one, ast.Constant) and isinstance(one.value, str))


@each_row("key", KEYS)
def test_every_refusal_in_code_is_in_the_index_and_every_listed_one_is_made(key: str) -> None:
    listed = {refusal.code for refusal in rulebook(key).refusals}
    made = {name for source in code(key) for name in refusal_codes(source)}

    assert sorted(made - listed) == []
    assert sorted(listed - made - set(OPENING)) == []


@each_row("key", KEYS)
def test_every_refusal_is_tested(key: str) -> None:
    unmet = [
        refusal.code
        for refusal in rulebook(key).refusals
        if refusal.code not in OPENING and not any(quotes(source.text, refusal.code) for source in proofs(key))
    ]

    assert unmet == [], f"{len(unmet)} refusals of {key} are met by no test"


@each_row("key", KEYS)
def test_every_refusal_names_a_rule_of_the_index_if_any(key: str) -> None:
    book = rulebook(key)

    assert [one.code for one in book.refusals if one.rule is not None and one.rule not in book.rules] == []


@each_row("key", KEYS)
def test_references_within_the_index_exist(key: str) -> None:
    book = rulebook(key)
    astray = [
        *[f"{rule.id} needs {name}" for rule in book.rules.values() for name in rule.needs if name not in book.rules],
        *[f"{rule.id}: {name}" for rule in book.rules.values() for name in rule.rulings if name not in book.rulings],
        *[f"{one.id}: {name}" for one in book.rulings.values() for name in one.rules if name not in book.rules],
        *[f"{one.id} settles nothing" for one in book.rulings.values() if not one.rules],
    ]

    assert astray == []


def option_defects(game: Game, ruling: Ruling) -> Iterator[str]:
    """Yield the reasons why a ruling's readings are not an option of a match."""
    spec = next((spec for spec in game.options if spec.key == ruling.option_name), None)
    if spec is None:
        if ruling.option_name not in DATA:
            yield f"{ruling.id}: there is no option {ruling.option_name}"
        return
    if isinstance(spec.default, int):
        return
    if spec.choices != ruling.option_values:
        yield f"{ruling.id}: the option offers {spec.choices}, not {ruling.option_values}"
    if spec.default != ruling.default():
        yield f"{ruling.id}: the option's default is {spec.default!r}, not {ruling.default()!r}"


@each_row("key", list(GAMES))
def test_every_ruling_that_leaves_a_choice_is_an_option_or_data(key: str) -> None:
    game = load_game(key)
    rulings = [ruling for ruling in rulebook(key).rulings.values() if ruling.option]

    assert [defect for ruling in rulings for defect in option_defects(game, ruling)] == []


@each_row("key", list(GAMES))
def test_every_ruling_is_cited_where_it_is_followed(key: str) -> None:
    texts = [source.text for source in (*code(key), *proofs(key))]
    uncited = [
        name
        for name in rulebook(key).rulings
        if not any(name in text and re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text) for text in texts)
    ]

    assert uncited == []


@each_row("key", list(GAMES))
def test_every_option_switches_a_rule_or_a_ruling_of_the_index(key: str) -> None:
    book = rulebook(key)
    astray = [spec.key for spec in load_game(key).options if spec.rule not in {*book.rules, *book.rulings}]

    assert astray == []


def test_an_unknown_id_is_found() -> None:
    planted = Source(
        "planted.py", 'X = RuleId("0.none")\n"""See ruling.of-nobody, and more. Source: step.of-2nd.3-at-most."""\n'
    )

    assert list(rule_ids(planted)) == ["0.none", "ruling.of-nobody", "step.of-2nd.3-at-most"]


def test_a_refusal_is_found() -> None:
    planted = Source(
        "planted.py",
        'def f():\n    return refused("a_must_b", rule=X) or Refusal("c_must_d", R, "No.")\n'
        'def g():\n    return refused("e_must_f" if x else "g_must_h")\n',
    )

    assert sorted(refusal_codes(planted)) == ["a_must_b", "c_must_d", "e_must_f", "g_must_h"]
