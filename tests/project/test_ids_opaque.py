"""No id is parsed for its meaning: its meaning is looked up in the declarations of the game.

A game's code therefore does not take text apart. A function that parses text from outside with its own grammar is listed
with its reason.
"""

import ast
from collections.abc import Iterator

from tests.project.tree import Source, product_files, walked
from tests.support.rows import each_row

TAKES_APART = frozenset(("startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition"))
SPLITS = frozenset(("split", "rsplit"))

TEXTS: dict[str, str] = {
    "pictures.py::_counter": "On a drawn counter the division stands apart from the rest of the printed name; it decides nothing.",
    "names.py::enlisted": "An army joins what stands in brackets behind a printed name; it decides nothing.",
}
"""Functions that take text from outside apart, by the names of their file and their own: why that is no id."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _takes_apart(node: ast.AST) -> bool:
    """Return whether a node is a call that takes a text apart; splitting a line at blanks or commas is allowed."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    name = node.func.attr
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    at_slash = any(isinstance(one, ast.Constant) and one.value == "/" for one in given)
    return name in TAKES_APART or (name in SPLITS and at_slash)


def taken_apart(source: Source) -> Iterator[str]:
    """Yield each place where a file takes a text apart: file, function and line."""
    name = source.path.rpartition("/")[2]
    tree = source.tree()
    functions = [node for node in walked(tree) if isinstance(node, Function)]
    for node in walked(tree):
        if _takes_apart(node):
            assert isinstance(node, ast.Call)
            inside = [one.name for one in functions if one.lineno <= node.lineno <= (one.end_lineno or one.lineno)]
            yield f"{name}::{inside[-1] if inside else ''}:{node.lineno}"


def _of_games() -> Iterator[Source]:
    return (source for source in product_files() if source.path.startswith("core/games/"))


def test_no_game_takes_an_id_apart() -> None:
    found = [place for source in _of_games() for place in taken_apart(source)]

    assert [place for place in found if place.rpartition(":")[0] not in TEXTS] == []


def test_every_listed_exception_is_needed() -> None:
    found = {place.rpartition(":")[0] for source in _of_games() for place in taken_apart(source)}

    assert set(TEXTS) - found == set()


@each_row(
    "line",
    [
        'return marker.startswith("entered_from/")',
        'return place.endswith(("/control", "/perimeter"))',
        'return marker.removeprefix("pause/")',
        'return name.removesuffix(" paused")',
        'return place.partition("/")[0]',
        'return pile.rpartition("/")[2]',
        'return id_.split("/")',
        'return id_.rsplit(sep="/", maxsplit=1)',
    ],
)
def test_a_planted_parser_is_found(line: str) -> None:
    source = Source("core/games/planted/rules.py", f"def meaning(id_):\n    {line}\n")

    assert list(taken_apart(source)) == ["rules.py::meaning:2"]


def test_splitting_a_line_of_text_is_allowed() -> None:
    source = Source("core/games/planted/rules.py", 'WORDS = "a b".split()\nPARTS = "a, b".split(", ")\n')

    assert list(taken_apart(source)) == []


UNDECLARED = frozenset(("attribute", "set_attribute", "remove_attribute", "terms_of"))
MADE = frozenset(("Attribute", "AttributeKey", "AttributeSet"))


def undeclared(source: Source) -> Iterator[str]:
    """Yield each place where a game uses an attribute without its declaration, or declares one elsewhere."""
    name = source.path.rpartition("/")[2]
    for node in walked(source.tree()):
        called = node.func if isinstance(node, ast.Call) else None
        if isinstance(called, ast.Attribute) and called.attr in UNDECLARED:
            yield f"{name}:{called.lineno}"
        if isinstance(called, ast.Name) and called.id in MADE and (called.id, name) != ("Attribute", "memory.py"):
            yield f"{name}:{called.lineno}"


def test_games_use_only_attributes_declared_in_one_module() -> None:
    assert [place for source in _of_games() for place in undeclared(source)] == []


@each_row(
    "line",
    ['draft.set_attribute("8", KEY, 1, RULE)', "table.attribute(unit, KEY)", 'LEFT = Attribute("left", int)'],
)
def test_a_planted_attribute_without_declaration_is_found(line: str) -> None:
    assert list(undeclared(Source("core/games/planted/rules.py", f"{line}\n"))) == ["rules.py:1"]
