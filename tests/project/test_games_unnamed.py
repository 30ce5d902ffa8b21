"""Outside core/games, the product names no game.

What counts as naming one:

* a string that contains a game's key as a word, whatever its case ("Advance", "core.games.battle", "axis-allies");
* an import whose path contains it;
* an identifier that is the key or contains it between underscores or capitals (`battle_rules`, `InfernoBoard`) - unless the
  key is an English verb, which an identifier may well use as one (`advance_clock`);
* a comment or a docstring that contains the key as a word - if the key is an ordinary English word, only where it stands
  in quotation marks or backticks, or after a verb of the command line, where it cannot be an ordinary word.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator

from tests.project.tree import PACKAGES, Source, games, product_files, walked
from tests.support.rows import each_row

UPPER_FOLDERS = tuple(package for package in PACKAGES if package != "core")
VERBS = frozenset(("advance",))
ENGLISH = frozenset(("advance", "battle"))


def _spelled(key: str) -> str:
    """Return a pattern for a key as spelled in code or on the command line."""
    return key.replace("_", "[_-]")


def _as_word(key: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9_]){_spelled(key)}(?![A-Za-z0-9_])", re.IGNORECASE)


def _in_prose(key: str) -> re.Pattern[str]:
    if key not in ENGLISH:
        return _as_word(key)
    spelled = _spelled(key)
    return re.compile(rf"""["'`]{spelled}["'`]|\bwardiary [a-z]+ {spelled}\b|\bgames?[./]{spelled}\b""", re.IGNORECASE)


def _snake(identifier: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", identifier).lower()


def _in_identifier(key: str, identifier: str) -> bool:
    return key not in VERBS and f"_{key}_" in f"_{_snake(identifier)}_"


def _docstrings(tree: ast.Module) -> set[ast.expr]:
    """Return the string statements of a module: docstrings, and the remarks below attributes."""
    return {node.value for node in walked(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}


def _identifiers(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
            return [name]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.keyword(arg=str(name)):
            return [name]
        case _:
            return []


def _imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import(names=aliases):
            return [word for alias in aliases for word in alias.name.split(".")]
        case ast.ImportFrom(module=module, names=aliases):
            return [*(module or "").split("."), *(alias.name for alias in aliases)]
        case _:
            return []


def names_of_games(source: Source, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield each place of a Python file that names a game."""
    # A game that is named in any way is also somewhere in the text without its joints, which is quick to see.
    joined = re.sub(r"[_-]", "", source.text).lower()
    named = [key for key in keys if key.replace("_", "") in joined]
    if not named:
        return
    tree = source.tree()
    docstrings = _docstrings(tree)
    nodes = list(walked(tree))
    comments = [
        token for token in tokenize.generate_tokens(io.StringIO(source.text).readline) if token.type == tokenize.COMMENT
    ]
    for key in named:
        for node in nodes:
            where = f"{source.path}:{getattr(node, 'lineno', 0)}: {key}"
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                pattern = _in_prose(key) if node in docstrings else _as_word(key)
                if pattern.search(node.value):
                    yield f"{where} in a {'docstring' if node in docstrings else 'string'}"
            elif key in _imported(node):
                yield f"{where} in an import"
            elif any(_in_identifier(key, identifier) for identifier in _identifiers(node)):
                yield f"{where} in an identifier"
        for token in comments:
            if _in_prose(key).search(token.string):
                yield f"{source.path}:{token.start[0]}: {key} in a comment"


def test_events_projections_server_and_commands_name_no_game() -> None:
    found = [place for source in product_files(*UPPER_FOLDERS) for place in names_of_games(source, games())]

    assert found == []


@each_row("suffix", [".toml", ".sql", ".json"])
def test_their_data_names_no_game(suffix: str) -> None:
    found = [
        f"{source.path}: {key}"
        for source in product_files(*UPPER_FOLDERS, suffix=suffix)
        for key in games()
        if _as_word(key).search(source.text)
    ]

    assert found == []


@each_row(
    ("text", "place"),
    [
        ('DEFAULT = "advance"', "1: advance in a string"),
        ('title = f"Battle of {name}"', "1: battle in a string"),
        ('path = "core/games/axis_allies/data"', "1: axis_allies in a string"),
        ('usage = "new axis-allies"', "1: axis_allies in a string"),
        ("from core.games.advance import board", "1: advance in an import"),
        ("from core.games import battle", "1: battle in an import"),
        ("battle_rules = load()", "1: battle in an identifier"),
        ("class AxisAlliesView: ...", "1: axis_allies in an identifier"),
        ("run(inferno=1)", "1: inferno in an identifier"),
        ("# Inferno needs it.", "1: inferno in a comment"),
        ("# As `advance` does.", "1: advance in a comment"),
        ('"""Try `wardiary new battle`."""', "1: battle in a docstring"),
    ],
)
def test_a_game_that_is_named_is_found(text: str, place: str) -> None:
    found = list(names_of_games(Source("planted.py", text), ("advance", "axis_allies", "battle", "inferno")))

    assert found == [f"planted.py:{place}"]


@each_row(
    "text",
    [
        "clock.advance(seconds=1)",
        "def advance_to(sequence: int) -> None: ...",
        'message = "an advanced option"',
        '"""Advance the cursor to the next commit; a battle is no matter here."""',
        "# Readers advance together.",
        "embattled = infernos = 1",
    ],
)
def test_english_words_are_not_mistaken_for_games(text: str) -> None:
    found = list(names_of_games(Source("planted.py", text), ("advance", "axis_allies", "battle", "inferno")))

    assert found == []
