"""The rules digest covers what outcomes depend on, and nothing else."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.game_files.rules_digest import KERNEL, deciding_files
from core.registry.games import load_game
from tests.project.tree import ROOT, games, product_files
from tests.support.rows import each_row

DECIDING = {f"{package}/{path}" for package, paths in KERNEL for path in deciding_files(package, paths)}
NOT_DECIDING = {
    "core/__init__.py": "It holds no code.",
    "core/audit": "It compares outcomes and makes none.",
    "core/bots": "Bots choose among what is legal.",
    "core/checking": "It checks games, and plays no match that is kept.",
    "core/drawing": "It draws.",
    "core/environments": "Programs learn in them, and nothing is recorded.",
    "core/extras.py": "It says which library is not installed.",
    "core/errors.py": "It names what went wrong.",
    "core/file_checks": "It refuses files and shows them; it changes none.",
    "core/game_files": "It reads texts and names, and hashes what decides.",
    "core/history": "It reads what is recorded.",
    "core/legal": "It lists what is legal; the rules judge it.",
    "core/narration": "It describes names, sentences and pictures.",
    "core/notation": "It writes what was recorded, and plays what it reads by commands.",
    "core/odds": "It counts what may happen on copies of a table, and records nothing.",
    "core/position_files": "It writes what a match can begin from; what begins is read again.",
    "core/refusal.py": "A refusal is not recorded.",
    "core/registry": "It finds games and imports what they list.",
    "core/shapes": "It is for pictures and checks.",
    "core/suggestions.py": "It words messages about unknown names.",
    "core/svg": "It draws.",
    "core/telling": "It tells what happened.",
    "core/toml": "It bounds files from outside and finds their lines; what it returns is what TOML says.",
    "core/trials": "It plays on in worlds, and records nothing.",
    "projections": "They are for readers, or a cache that is checked before use.",
}


def not_deciding(path: str) -> bool:
    """Return whether a module is listed, or lies in a listed folder."""
    return path in NOT_DECIDING or path.rpartition("/")[0] in NOT_DECIDING


def test_every_module_of_kernel_and_projections_is_listed_as_deciding_or_as_not() -> None:
    modules = {source.path for source in product_files("core", "projections") if "/games/" not in source.path}

    assert {path for path in modules if not_deciding(path)} == modules - DECIDING
    assert {path for path in DECIDING if path.endswith(".py")} <= modules
    assert {one for one in NOT_DECIDING if not (ROOT / one).exists()} == set()


def test_the_kernel_decides_by_folders_but_for_one_module() -> None:
    """A new module then decides, or does not, by its place."""
    assert [path for _, paths in KERNEL for path in paths if path.endswith(".py")] == ["wording.py"]


def imports(path: str, *, within: bool = False) -> Iterator[str]:
    """Yield the files of `core` and `projections` that a file imports at its top, or within its functions too."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    for node in ast.walk(tree) if within else tree.body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(("core", "projections")):
            for name in node.names:
                for module in (f"{node.module}.{name.name}", node.module or ""):
                    file = f"{module.replace('.', '/')}.py"
                    if (ROOT / file).is_file():
                        yield file


def parts(path: str) -> Iterator[str]:
    """Yield the files that a game's record names for its parts, as in `rules.whist_rules:WhistRules`."""
    for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and ":" in node.value:
            file = f"{path.rpartition('/')[0]}/{node.value.partition(':')[0].replace('.', '/')}.py"
            if (ROOT / file).is_file():
                yield file


def closure(roots: set[str]) -> set[str]:
    """Return files with all that they import."""
    found: set[str] = set()
    left = set(roots)
    while left:
        path = left.pop()
        found.add(path)
        left |= set(imports(path)) - found
    return found


@each_row("game", games())
def test_a_game_lists_exactly_what_its_rules_run_on(game: str) -> None:
    """The roots are the modules that the record names for components and rules, and the set-up of positions."""
    folder = f"core/games/{game}"
    named = set(imports(f"{folder}/__init__.py", within=True)) | set(parts(f"{folder}/__init__.py"))
    roots = {path for path in named if path.startswith((f"{folder}/rules/", f"{folder}/components/"))}
    roots = {path for path in roots if "/view/" not in path} | {f"{folder}/positions/position_set_up.py"}
    run_on = {path.removeprefix(f"{folder}/") for path in closure(roots) if path.startswith(f"{folder}/")}
    record = load_game(game)
    listed = deciding_files(record.package, record.deciding)

    assert {path for path in listed if path.endswith(".py") and not path.endswith("__init__.py")} == run_on
    assert [path for path in listed if path.endswith(".toml")] == ["data/board.toml"]


def test_deciding_modules_of_the_kernel_import_only_listed_modules() -> None:
    reached = {path for path in closure(DECIDING) if "/games/" not in path}

    assert {path for path in reached - DECIDING if not not_deciding(path)} == set()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the digest may be made from."""
    folder = tmp_path_factory.mktemp("copy")
    for package in ("events", "projections", "core"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def digests(folder: Path) -> list[str]:
    """Return the digests of Advance and Battle computed from this folder."""
    code = "from core.registry.games import load_game; print(*[load_game(key).rules_digest for key in ('advance', 'battle')])"
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout.split()


OTHERS = (
    "core/games/advance/__init__.py",
    "core/games/advance/bots/greedy.py",
    "core/games/advance/narration/sentences.py",
    "core/games/advance/narration/pictures.py",
    "core/games/advance/components/checks/board_checks.py",
    "core/games/advance/components/view/map.py",
    "core/games/advance/positions/position_checks.py",
    "core/games/advance/data/words.toml",
    "core/games/advance/data/rules.toml",
    "core/drawing/map_svg.py",
    "core/suggestions.py",
    "core/game_files/match_rules.toml",
    "projections/diff.py",
    "events/archive.py",
)
"""Files of the copy on which no outcome depends."""


@each_row(
    ("path", "changes"),
    [
        ("core/games/advance/rules/retreat.py", [True, False]),
        ("core/games/advance/components/board.py", [True, False]),
        ("core/games/advance/positions/position_set_up.py", [True, False]),
        ("core/games/advance/data/board.toml", [True, False]),
        ("core/games/advance/ids.py", [True, False]),
        ("core/games/battle/options.py", [False, True]),
        ("core/games/battle/rules/windows.py", [False, True]),
        ("core/engine/draft.py", [True, True]),
        ("core/secrets/resample.py", [True, True]),
        ("projections/state/fold.py", [True, True]),
        ("projections/state/table.py", [True, True]),
        ("projections/state/view.py", [True, True]),
    ],
)
@pytest.mark.interpreted
def test_a_changed_file_changes_the_digest_if_outcomes_depend_on_it(copy: Path, path: str, changes: list[bool]) -> None:
    file = copy / path
    content = file.read_bytes()
    file.write_bytes(content + b"# changed\n")
    try:
        after = digests(copy)
    finally:
        file.write_bytes(content)

    assert [
        one != load_game(game).rules_digest for one, game in zip(after, ("advance", "battle"), strict=True)
    ] == changes


@pytest.mark.interpreted
def test_files_on_which_no_outcome_depends_change_no_digest(copy: Path) -> None:
    """They are changed at once."""
    contents = {copy / path: (copy / path).read_bytes() for path in OTHERS}
    try:
        for file, content in contents.items():
            file.write_bytes(content + b"# changed\n")
        after = digests(copy)
    finally:
        for file, content in contents.items():
            file.write_bytes(content)

    assert after == [load_game(game).rules_digest for game in ("advance", "battle")]


@pytest.mark.interpreted
def test_another_edition_is_another_digest(copy: Path) -> None:
    """A match names both, and an audit compares both: an edition that changed alone would make older matches look forged."""
    file = copy / "core/games/advance/__init__.py"
    content = file.read_text(encoding="utf-8")
    file.write_text(content.replace('edition="1.0"', 'edition="1.1"'), encoding="utf-8")
    try:
        after = digests(copy)
    finally:
        file.write_text(content, encoding="utf-8")

    assert [one == load_game(game).rules_digest for one, game in zip(after, ("advance", "battle"), strict=True)] == [
        False,
        True,
    ]
