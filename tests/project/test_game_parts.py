"""The parts of a game's folder: which may import which, and which of them a command of `wardiary` loads."""

import ast
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.project.tree import ROOT, Source, games, product_files, walked
from tests.support.rows import each_row
from tests.support.soak import sampled

# The parts that each part may import. `components.checks` checks an owner's file, `components.words` has texts of it that nothing depends on,
# `components.view` shows the board.
PARTS: dict[str, frozenset[str]] = {
    "ids": frozenset(),
    "components": frozenset(("ids",)),
    "components.checks": frozenset(("ids", "components")),
    "components.words": frozenset(("ids", "components")),
    "components.view": frozenset(("ids", "components", "components.checks", "components.words")),
    "options": frozenset(("ids", "components")),
    "memory": frozenset(("ids", "options", "components")),
    "rules": frozenset(("ids", "options", "components", "memory")),
    "narration": frozenset(("ids", "options", "components", "components.view", "components.words", "memory", "rules")),
    "positions": frozenset(("ids", "options", "components", "memory", "rules")),
    "rolls": frozenset(("ids", "options", "components", "memory", "rules")),
    "bots": frozenset(("ids", "options", "components", "memory", "rules")),
}
# Parts that may be imported within a function: the checks are needed only for an owner's file.
LATER = {("components", "components.checks")}


def room_of(module: str) -> str:
    """Return the part to which a game's module belongs, or an empty string for its record."""
    parts = module.split(".")[3:]
    return ".".join(parts[:2]) if ".".join(parts[:2]) in PARTS else parts[0] if parts else ""


def imported(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield each module from which a file imports names, and whether the import is at the top level."""
    top = {id(node) for node in tree.body}
    for node in walked(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for name in node.names:
                yield f"{node.module}.{name.name}", id(node) in top
        elif isinstance(node, ast.Import):
            for name in node.names:
                yield name.name, id(node) in top


def crossings(game: str, sources: tuple[Source, ...]) -> list[str]:
    """List the imports of a game's modules that its parts do not allow."""
    package = f"core.games.{game}"
    found: list[str] = []
    for source in sources:
        module = source.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        if not module.startswith(f"{package}."):
            continue
        here = room_of(module)
        if here not in PARTS:
            found.append(f"{source.path} is in no part")
            continue
        for name, is_at_top in imported(source.tree()):
            if name.startswith(f"{package}.") and (there := room_of(name)) != here:
                later = (here, there) in LATER and not is_at_top
                if there not in PARTS[here] and not later:
                    found.append(f"{source.path} imports {name}")
    return found


@each_row("game", games())
def test_parts_import_only_the_parts_below_them(game: str) -> None:
    assert crossings(game, product_files("core")) == []


@each_row("game", games())
def test_the_record_of_a_game_loads_only_what_it_lists(game: str) -> None:
    """Everything else is imported by the functions of the record, when it is needed."""
    (record,) = (source for source in product_files("core") if source.path == f"core/games/{game}/__init__.py")
    tops = {room_of(name) for name, is_at_top in imported(record.tree()) if is_at_top and f"games.{game}." in name}

    assert tops <= {"ids", "options", "components"}


@each_row(
    ("path", "text", "count"),
    [
        ("rules/retreat.py", "from core.games.whist.narration.names import NAMES\n", 1),
        ("rules/retreat.py", "def f():\n    from core.games.whist import bots\n", 1),
        ("components/board.py", "from core.games.whist.rules.set_up import reachable\n", 1),
        ("components/board.py", "from core.games.whist.components.checks.shape import SHAPE\n", 1),
        ("components/board.py", "def f():\n    from core.games.whist.components.checks.shape import SHAPE\n", 0),
        ("narration/names.py", "import core.games.whist.bots.greedy\n", 1),
        ("narration/names.py", "from core.games.whist.rules import queries\n", 0),
        ("cupboard.py", "", 1),
    ],
)
def test_a_planted_forbidden_import_is_found(path: str, text: str, count: int) -> None:
    assert len(crossings("whist", (Source(f"core/games/whist/{path}", text),))) == count


# Parts loaded by commands


LOADED = """
import sys
from cli.main import run
run(sys.argv[1:])
sys.stderr.write("\\nloaded " + " ".join(name for name in sys.modules if name.startswith("core.")) + "\\n")
"""
SAID = frozenset(("ids", "options", "components", "memory", "rules", "narration"))
SHOWN = SAID | {"components.view"}
DRAWS = re.compile(
    r"core\.(drawing|svg|shapes|narration\.(sheet|strips)|games\.\w+\.(components\.view|narration\.(pictures|strips)))\b"
)
"""The modules that draw, and those of the shapes and looks of what is drawn."""
DECIDED = frozenset(("ids", "options", "components", "memory", "rules"))


def loaded(store: Path, *arguments: str, is_server: bool = False) -> frozenset[str]:
    """Return the modules of the core that a command imports in a new process."""
    command = [sys.executable, "-c", LOADED, "--store", str(store), *arguments]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, preexec_fn=_hear_interrupts,  # noqa: PLW1509 - One call, no lock.
    ) as child:  # fmt: skip
        if is_server:
            assert child.stdout is not None
            assert child.stdout.readline().startswith("Requests")
            child.send_signal(signal.SIGINT)
        _, err = child.communicate(timeout=60)
    (last,) = (line for line in err.splitlines() if line.startswith("loaded"))
    assert child.returncode == 0, err
    return frozenset(last.split()[1:])


def _hear_interrupts() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def parts_of_only(modules: frozenset[str], game: str) -> set[str]:
    """Return the parts of a game that are loaded; no module of another game is."""
    others = tuple(f"core.games.{other}" for other in games() if other != game)
    assert [name for name in modules if name.startswith(others)] == []
    return parts(modules, game)


def parts(modules: frozenset[str], game: str) -> set[str]:
    """Return the parts of a game that are loaded."""
    return {room_of(name).removesuffix(".words") for name in modules if name.startswith(f"core.games.{game}.")}


def drawing_in(modules: frozenset[str]) -> list[str]:
    """Return the modules that draw."""
    return sorted(filter(DRAWS.match, modules))


@pytest.fixture(scope="module", params=sampled(games(), lambda game: game == "battle"))
def opened(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str, Path]:
    """A game, and a store with a running match of it."""
    game = str(request.param)
    store = tmp_path_factory.mktemp("parts") / f"{game}.db"
    ran = subprocess.run(
        [sys.executable, "-m", "cli.main", "--store", str(store), "new", game, "--dice", "seeded:1", "--name", "Ada"],
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    return game, ran.stdout.strip(), store


def test_playing_a_command_loads_only_rules_and_sentences(opened: tuple[str, str, Path]) -> None:
    game, match, store = opened
    modules = loaded(store, "choose", match, "1")

    assert parts_of_only(modules, game) == SAID
    assert drawing_in(modules) == []


def test_listing_legal_commands_loads_only_rules_and_sentences(opened: tuple[str, str, Path]) -> None:
    game, match, store = opened
    modules = loaded(store, "legal", match)

    assert parts_of_only(modules, game) == SAID
    assert drawing_in(modules) == []


def test_showing_a_table_loads_pictures_but_does_not_bind_the_rules(opened: tuple[str, str, Path]) -> None:
    game, match, store = opened
    modules = loaded(store, "show", match)

    assert parts_of_only(modules, game) == SHOWN
    assert f"core.games.{game}.narration.pictures" in modules
    assert f"core.games.{game}.rules.{game}_rules" not in modules


def test_a_log_needs_neither_pictures_nor_bound_rules(opened: tuple[str, str, Path]) -> None:
    game, match, store = opened
    modules = loaded(store, "log", match)

    assert parts_of_only(modules, game) == SAID
    assert drawing_in(modules) == []
    assert f"core.games.{game}.rules.{game}_rules" not in modules


@each_row("verb", ["replay", "list"])
def test_replays_and_lists_load_no_part_of_a_game(opened: tuple[str, str, Path], verb: str) -> None:
    _, match, store = opened

    modules = loaded(store, verb, *([match] if verb == "replay" else []))

    assert [name for name in modules if name.startswith("core.games.")] == []
    assert verb == "replay" or drawing_in(modules) == []


def test_a_server_loads_exactly_rules_and_sentences_of_every_game_at_start(tmp_path: Path) -> None:
    """An import during the first request would delay other requests."""
    modules = loaded(
        tmp_path / "served.db",
        "serve",
        "--listen",
        "tcp://127.0.0.1:*",
        "--events",
        "tcp://127.0.0.1:*",
        is_server=True,
    )

    assert {game: parts(modules, game) for game in games()} == dict.fromkeys(games(), SAID)
