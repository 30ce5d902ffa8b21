"""The rules digest covers what outcomes depend on, and nothing else."""

import ast
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.games import load_game
from core.rules_digest import KERNEL, deciding_files
from tests.project.tree import ROOT, games, product_files

DECIDING = {f"{package}/{name}" for package, names in KERNEL for name in names}
NOT_DECIDING = {
    "core/__init__.py": "It holds no code.",
    "core/audit.py": "It compares outcomes and makes none.",
    "core/audit_dice.py": "As audit.",
    "core/audit_forks.py": "As audit.",
    "core/audit_record.py": "As audit.",
    "core/audit_report.py": "As audit.",
    "core/bot_choices.py": "It is for bots.",
    "core/game_fault.py": "It reports errors, which have no outcome.",
    "core/components/__init__.py": "It holds no code.",
    "core/components/documentation.py": "It describes files.",
    "core/components/difference.py": "It compares files before a match.",
    "core/components/file_checks.py": "It refuses files; it changes none.",
    "core/components/findings.py": "It collects defects of a file.",
    "core/components/provenance.py": "It reports where figures come from.",
    "core/components/schema.py": "It checks the form of a file.",
    "core/drawing/__init__.py": "It holds no code.",
    "core/drawing/at_stake.py": "It draws.",
    "core/drawing/badges.py": "It draws.",
    "core/drawing/block.py": "It draws.",
    "core/drawing/changes.py": "It draws.",
    "core/drawing/counter_svg.py": "It draws.",
    "core/drawing/drawing.py": "It draws.",
    "core/drawing/film_svg.py": "It draws.",
    "core/drawing/frost.py": "It draws.",
    "core/drawing/lit.py": "It draws.",
    "core/drawing/linked_boards.py": "It draws.",
    "core/drawing/map_svg.py": "It draws.",
    "core/drawing/palette.py": "It draws.",
    "core/drawing/printed_map.py": "It draws.",
    "core/drawing/panel_svg.py": "It draws.",
    "core/drawing/patterns.py": "It draws.",
    "core/drawing/picture_svg.py": "It draws.",
    "core/drawing/plans.py": "It draws.",
    "core/drawing/plot_svg.py": "It draws.",
    "core/drawing/room.py": "It draws.",
    "core/drawing/strip_svg.py": "It draws.",
    "core/drawing/strips.py": "It draws.",
    "core/drawing/scenery.py": "It draws.",
    "core/drawing/sharing.py": "It draws.",
    "core/drawing/sheet.py": "It draws.",
    "core/drawing/svg_text.py": "It draws.",
    "core/drawing/symbols.py": "It draws.",
    "core/drawing/themes.py": "It draws.",
    "core/components/board_report.py": "It shows components before a match.",
    "core/bounded_cache.py": "It keeps what others made.",
    "core/bounded_fold.py": "It bounds what evidence may hold.",
    "core/components/inventory_checks.py": "It checks positions, and tables in tests.",
    "core/components/shared_checks.py": "It checks component files.",
    "core/errors.py": "It names what went wrong.",
    "core/geometry/__init__.py": "It holds no code.",
    "core/geometry/cells.py": "It draws.",
    "core/geometry/hex_text.py": "It draws.",
    "core/geometry/map_text.py": "It draws.",
    "core/geometry/outlines.py": "It draws, and checks boards.",
    "core/geometry/relaxed.py": "It draws.",
    "core/importing.py": "It checks an archive before it is stored.",
    "core/match_reader.py": "It reads what is recorded.",
    "core/luck.py": "It counts what was rolled.",
    "core/redo.py": "It lists recorded commands; the rules judge them again.",
    "core/legal.py": "It lists what is legal; the rules judge it.",
    "core/suggestions.py": "It words messages about unknown names.",
    "core/outside_toml.py": "It bounds files from outside; what it returns is what TOML says.",
    "core/render_model.py": "It describes pictures.",
    "core/narration_port.py": "It hands out what games make.",
    "core/narration.py": "It returns printed names and pictures.",
    "core/position_checks.py": "It checks positions.",
    "core/ports.py": "It hands out what games make.",
    "core/printed_names.py": "It reads printed names.",
    "core/refusal.py": "A refusal is not recorded.",
    "core/game_parts.py": "It imports what a game lists.",
    "core/rulebook.py": "It reads the rules' texts.",
    "core/rules_digest.py": "It hashes what decides.",
    "core/telling/__init__.py": "It holds no code.",
    "core/telling/account.py": "It tells what happened.",
    "core/telling/answers.py": "It tells what happened.",
    "core/telling/arbiter_sentences.py": "It tells what happened.",
    "core/telling/chosen_options.py": "It tells what was chosen.",
    "core/telling/dice_text.py": "It tells what happened.",
    "core/telling/difference.py": "It tells what differs.",
    "core/telling/lines.py": "It tells what happened.",
    "core/telling/turns.py": "It tells what happened.",
    "core/telling/names.py": "It returns printed names.",
    "core/telling/narrator.py": "It tells what happened.",
    "core/telling/opening_sentences.py": "It tells what happened.",
    "core/telling/secret_panel.py": "It shows what is known.",
    "core/telling/phrases.py": "It formats text.",
    "core/telling/rule_books.py": "It looks rules up.",
    "core/telling/sorts.py": "It words lists of options.",
    "core/telling/wishes.py": "It tells commands.",
    "core/waiting.py": "It tells how long a seat has waited.",
    "core/toml_lines.py": "It finds lines of files for messages.",
    "projections/__init__.py": "It holds no code.",
    "projections/bounds.py": "It measures tables.",
    "projections/catalogue.py": "It sums matches up in lists.",
    "projections/chronicle.py": "It tells what happened.",
    "projections/combats.py": "It is a statistic.",
    "projections/control.py": "It is a statistic.",
    "projections/dice.py": "It is a statistic.",
    "projections/diff.py": "It compares tables for readers.",
    "projections/fork_points.py": "It finds where to fork.",
    "projections/losses.py": "It is a statistic.",
    "projections/rounds.py": "It finds the ends of rounds for readers.",
    "projections/snapshot.py": "A snapshot is a cache that is checked before use.",
    "projections/table_codec.py": "It writes tables down and reads them again.",
    "projections/tables.py": "It finds tables for readers.",
    "projections/thinking.py": "It is a statistic.",
    "projections/tracks.py": "It is a statistic.",
    "projections/view_archive.py": "It exports what a seat saw.",
}


def test_every_module_of_kernel_and_projections_is_listed_as_deciding_or_as_not() -> None:
    modules = {source.path for source in product_files("core", "projections") if "/games/" not in source.path}

    assert DECIDING | set(NOT_DECIDING) == modules
    assert DECIDING & set(NOT_DECIDING) == set()


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


@pytest.mark.parametrize("game", games())
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

    assert reached <= DECIDING | set(NOT_DECIDING)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the digest may be made from."""
    folder = tmp_path_factory.mktemp("copy")
    for package in ("events", "projections", "core"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def digests(folder: Path) -> list[str]:
    """Return the digests of Advance and Battle computed from this folder."""
    code = "from core.games import load_game; print(*[load_game(key).rules_digest for key in ('advance', 'battle')])"
    ran = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=True)
    return ran.stdout.split()


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("core/games/advance/rules/retreat.py", [True, False]),
        ("core/games/advance/components/board.py", [True, False]),
        ("core/games/advance/positions/position_set_up.py", [True, False]),
        ("core/games/advance/data/board.toml", [True, False]),
        ("core/games/advance/ids.py", [True, False]),
        ("core/games/battle/options.py", [False, True]),
        ("core/games/battle/rules/windows.py", [False, True]),
        ("core/draft.py", [True, True]),
        ("core/resample.py", [True, True]),
        ("projections/fold.py", [True, True]),
        ("projections/table.py", [True, True]),
        ("projections/view.py", [True, True]),
        ("core/games/advance/__init__.py", [False, False]),
        ("core/games/advance/bots/greedy.py", [False, False]),
        ("core/games/advance/narration/sentences.py", [False, False]),
        ("core/games/advance/narration/pictures.py", [False, False]),
        ("core/games/advance/components/checks/board_checks.py", [False, False]),
        ("core/games/advance/components/view/map.py", [False, False]),
        ("core/games/advance/positions/position_checks.py", [False, False]),
        ("core/games/advance/data/words.toml", [False, False]),
        ("core/games/advance/data/rules.toml", [False, False]),
        ("core/drawing/map_svg.py", [False, False]),
        ("core/suggestions.py", [False, False]),
        ("core/match_rules.toml", [False, False]),
        ("projections/diff.py", [False, False]),
        ("events/archive.py", [False, False]),
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
