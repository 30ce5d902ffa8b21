"""Functions, modules and folders stay small enough to read; exceptions are listed and may only become fewer."""

import ast
from collections import Counter
from collections.abc import Iterator

from tests.project.tree import Source, product_files, walked
from tests.support.rows import each_row

FUNCTION_LINES_MAX = 60
MODULE_LINES_MAX = 400
FOLDER_MODULES_MAX = 19

# Each exception with its reason: "path::function" or "path" -> why it is better in one piece.
LONG_FUNCTIONS: dict[str, str] = {}
LONG_MODULES: dict[str, str] = {
    "events/vocabulary.py": "The vocabulary is one list of events, read from top to bottom; it has no code.",
    "core/engine/draft.py": "The draft is one list of verbs, a few lines each, one for each event of the vocabulary.",
    "core/games/advance/components/board_records.py": "The form of a file is one list of records, read from top to bottom.",
}

Function = ast.FunctionDef | ast.AsyncFunctionDef
LITERALS = (ast.Dict, ast.List, ast.Set, ast.Tuple)


def _lines(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def _docstring_lines(node: Function | ast.Module) -> int:
    return _lines(node.body[0]) if ast.get_docstring(node, clean=False) is not None else 0


def function_lengths(source: Source) -> Iterator[tuple[str, int]]:
    """Yield each function with its lines, from `def` to its end without the docstring."""
    for node in walked(source.tree()):
        if isinstance(node, Function):
            yield f"{source.path}::{node.name}", _lines(node) - _docstring_lines(node)


def _is_table(node: ast.stmt) -> bool:
    """Return whether a statement assigns a literal collection, perhaps wrapped in one call such as `frozenset(...)`."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return False
    value = node.value
    if isinstance(value, ast.Call) and len(value.args) == 1:
        value = value.args[0]
    return isinstance(value, LITERALS)


def module_length(source: Source) -> int:
    """Count a module's lines without its docstring and its literal tables."""
    tree = source.tree()
    tables = sum(_lines(node) for node in tree.body if _is_table(node))
    return len(source.text.splitlines()) - _docstring_lines(tree) - tables


def test_no_function_exceeds_the_limit_except_the_listed_ones() -> None:
    long = {
        name for source in product_files() for name, lines in function_lengths(source) if lines > FUNCTION_LINES_MAX
    }

    assert sorted(long) == sorted(LONG_FUNCTIONS)


def test_no_module_exceeds_the_limit_except_the_listed_ones() -> None:
    long = {source.path for source in product_files() if module_length(source) > MODULE_LINES_MAX}

    assert sorted(long) == sorted(LONG_MODULES)


def test_no_folder_holds_more_modules_than_the_limit() -> None:
    """A game's rules have a module for each chapter of its rulebook, however many there are."""
    folders = [source.path.rpartition("/")[0] for source in product_files() if not source.path.endswith("/__init__.py")]
    large = {
        folder
        for folder, modules in Counter(folders).items()
        if modules > FOLDER_MODULES_MAX and not folder.startswith("core/games/")
    }

    assert large == set()


def test_every_exception_has_its_reason() -> None:
    reasons = [*LONG_FUNCTIONS.values(), *LONG_MODULES.values()]

    assert [reason for reason in reasons if not (reason[:1].isupper() and reason.endswith("."))] == []


@each_row(("statements", "lines"), [(59, 60), (60, 61)])
def test_a_functions_docstring_does_not_count(statements: int, lines: int) -> None:
    text = 'def planted():\n    """One.\n\n    Two.\n    """\n' + "    step()\n" * statements

    assert list(function_lengths(Source("planted.py", text))) == [("planted.py::planted", lines)]


def test_a_modules_docstring_and_tables_do_not_count() -> None:
    text = '"""One.\n\nTwo.\n"""\n\nTABLE: Final = frozenset((\n    1,\n    2,\n))\nNUMBER = 1\n'

    assert module_length(Source("planted.py", text)) == 2
