"""The import contracts of pyproject.toml, each with a planted violation that it must catch."""

import ast
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.test_commands import BIN, run
from tests.project.tree import PACKAGES, ROOT, games, product_files, walked
from tests.support.soak import sampled

PLANTED = [
    ("layers", "events/planted.py", "import projections\n"),
    ("layers", "projections/planted.py", "import core\n"),
    ("layers", "core/planted.py", "import server\n"),
    ("layers", "server/planted.py", "def later() -> None:\n    import cli\n"),
    ("pure", "events/planted.py", "from datetime import datetime\n"),
    ("pure", "projections/planted.py", "import os.path\n"),
    ("pure", "core/planted.py", "import random\n"),
    ("pure", "core/games/planted.py", "def later() -> None:\n    import zmq.asyncio\n"),
    ("codec", "events/planted.py", "import msgspec\n"),
    ("codec", "server/planted.py", "from msgspec import json\n"),
    ("rooms", "server/desk/planted.py", "import server.broker\n"),
    ("rooms", "server/store/planted.py", "def later() -> None:\n    import server.desk\n"),
    ("rooms", "server/transparency/planted.py", "import server.desk\n"),
    ("rooms", "server/protocol/planted.py", "import server.store\n"),
    ("rooms", "server/client/planted.py", "import server.broker\n"),
    ("rooms", "server/client/planted.py", "import server.web\n"),
    ("web", "server/web/planted.py", "import server.desk\n"),
    ("report", "server/report/planted.py", "import server.store\n"),
    ("rooms", "server/page_parts/planted.py", "import server.web\n"),
    ("rooms", "server/newroom/__init__.py", ""),
    ("web-rooms", "server/web/http/planted.py", "import server.web.pages\n"),
    ("web-rooms", "server/web/panels/planted.py", "def later() -> None:\n    import server.web.routes\n"),
    ("web-rooms", "server/web/newroom/__init__.py", ""),
    ("cli-rooms", "cli/screen/planted.py", "def later() -> None:\n    import cli.commands\n"),
    ("cli-rooms", "cli/shell/planted.py", "import cli.views\n"),
    ("cli-rooms", "cli/newroom/__init__.py", ""),
    ("games", "core/games/planted/__init__.py", "import core.games.planted_too\n"),
    ("folders", "core/engine/planted.py", "import core.match\n"),
    ("folders", "core/toml/planted.py", "def later() -> None:\n    import core.engine\n"),
    ("folders", "core/newfolder/__init__.py", ""),
    ("circles", "core/errors.py", "def later() -> None:\n    import core.wording\n"),
    ("circles", "core/errors.py", "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import core.wording\n"),
    ("circles", "core/engine/planted.py", "import core.match.undo\n"),
]
PARTS = (
    "bots",
    "broker",
    "client",
    "desk",
    "page_parts",
    "playouts",
    "protocol",
    "report",
    "store",
    "transparency",
    "web",
)
WEB_PARTS = ("backend", "http", "learning", "notices", "pages", "panels", "routes")
CLI_PARTS = ("commands", "interface", "output", "schemas", "screen", "shell", "templates", "views")
CORE_PARTS = tuple(sorted(path.parent.name for path in (ROOT / "core").glob("*/__init__.py")))
# What the planted modules may import, and what imports back.
IMPORTED = {
    "core/errors.py": "",
    "core/extras.py": "",
    "core/refusal.py": "",
    "core/suggestions.py": "",
    "core/wording.py": "import core.errors\n",
    "core/match/undo.py": "import core.engine\n",
}
MODULES = ("server/web/web_server.py", "cli/main.py", "cli/public_names.py")
IMPURE_BUILTINS = frozenset(("__import__", "breakpoint", "eval", "exec", "input", "open", "print"))


def linted(contracts: set[str], folder: Path, planted: dict[str, str]) -> tuple[int, str]:
    """Check contracts where the packages are empty but for what is planted; return the exit code and the output."""
    shutil.copy(ROOT / "pyproject.toml", folder)
    rooms = [f"server/{room}" for room in PARTS]
    rooms += [f"server/web/{room}" for room in WEB_PARTS] + [f"cli/{room}" for room in CLI_PARTS]
    rooms += [f"core/{room}" for room in CORE_PARTS]
    for package in (*PACKAGES, *rooms, "core/games/planted_too"):
        (folder / package).mkdir(exist_ok=True)
        (folder / package / "__init__.py").write_text("", encoding="utf-8")
    # A contract that names an exception fails while the exception does not exist.
    given = {"events/codec.py": "import msgspec\n", **dict.fromkeys(MODULES, ""), **IMPORTED}
    for path, text in {**given, **planted}.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    return run(BIN / "lint-imports", "--no-cache", *(f"--contract={one}" for one in sorted(contracts)), folder=folder)


def test_the_contracts_are_kept_where_nothing_is_planted(tmp_path: Path) -> None:
    code, printed = linted({contract for contract, _, _ in PLANTED}, tmp_path, {})

    assert code == 0, printed


FIRST = {contract: path for contract, path, _ in reversed(PLANTED)}
"""For each contract the first module that breaks it."""


@pytest.mark.parametrize(
    ("contract", "path", "text"), sampled(PLANTED, lambda contract, path, _: path == FIRST[contract])
)
def test_a_contract_catches_a_planted_violation(contract: str, path: str, text: str, tmp_path: Path) -> None:
    code, printed = linted({contract}, tmp_path, {path: text})

    assert code == 1, printed
    assert "BROKEN" in printed


def impure_calls(tree: ast.Module) -> Iterator[str]:
    """Yield each call of a built-in function that reaches outside the program."""
    for node in walked(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in IMPURE_BUILTINS:
            yield f"line {node.lineno}: {node.func.id}"


def test_events_projections_and_rules_open_no_file_and_print_nothing() -> None:
    found = [
        f"{source.path}, {call}"
        for source in product_files("events", "projections", "core")
        for call in impure_calls(source.tree())
    ]

    assert found == []


def test_an_opened_file_is_found() -> None:
    planted = ast.parse("def load(path: str) -> str:\n    with open(path) as file:\n        return file.read()\n")

    assert list(impure_calls(planted)) == ["line 2: open"]


def imported_modules(tree: ast.Module) -> Iterator[str]:
    """Yield every module that is imported, and every name that is imported from one, dotted."""
    for node in walked(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def importers_of_games(sources: Iterator[tuple[str, ast.Module]], keys: tuple[str, ...]) -> dict[str, set[str]]:
    """Map each game to the modules outside its folder that import it."""
    importers: dict[str, set[str]] = {key: set() for key in keys}
    for path, tree in sources:
        for module in imported_modules(tree):
            for key in keys:
                home = f"core.games.{key}"
                inside = path.startswith(f"core/games/{key}/")
                if not inside and f"{module}.".startswith(f"{home}."):
                    importers[key].add(path)
    return importers


def test_only_the_list_of_games_imports_a_game() -> None:
    importers = importers_of_games(((source.path, source.tree()) for source in product_files()), games())
    places = {path for paths in importers.values() for path in paths}

    assert len(places) <= 1, f"a game is one line in the list of games, not in each of {sorted(places)}"


def test_a_second_importer_of_a_game_is_found() -> None:
    planted = [
        ("core/registry/games.py", ast.parse("from core.games import whist")),
        ("core/games/whist/tricks.py", ast.parse("from core.games.whist.cards import Card")),
        ("server/desk.py", ast.parse("import core.games.whist.cards")),
    ]
    importers = importers_of_games(iter(planted), ("whist",))

    assert importers == {"whist": {"core/registry/games.py", "server/desk.py"}}


def test_the_map_of_the_kernel_names_each_folder_and_module() -> None:
    named = set(re.findall("`([a-z_]+)`", ast.get_docstring(ast.parse((ROOT / "core/__init__.py").read_text())) or ""))
    found = {path.parent.name for path in (ROOT / "core").glob("*/__init__.py")}
    found |= {path.stem for path in (ROOT / "core").glob("[a-z]*.py")}

    assert named == found
