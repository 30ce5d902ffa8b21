"""Installed from a wheel, War Diary is one package, `wardiary`, and the same program as in the repository."""

import ast
import json
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from build_hook import NotRewritable, rewritten
from core.games import game_keys, load_game
from events.vocabulary import DiceRolled
from tests.project.tree import PACKAGES, ROOT, product_files

OURS = "|".join(PACKAGES)
DOTTED = re.compile(rf"(?:{OURS})(?:\.[a-z_][a-z0-9_]*)+")
FINDERS = frozenset({"files", "import_module", "find_spec", "load_rulebook", "printed_words"})


def build(target: str, source: Path, folder: Path) -> Path:
    """Build a distribution as an installer does, and return its file."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", str(folder)]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, check=False, env=clean_environment())
    assert done.returncode == 0, done.stderr
    (built,) = folder.iterdir()
    return built


def clean_environment() -> dict[str, str]:
    """Return an environment in which no path leads to this repository."""
    import os

    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "WARDIARY"))}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


class Installed:
    """An environment with the wheel, our dependencies and nothing that leads to this repository.

    Args:
        home: The environment's folder.
        work: Where commands run. A module and a folder in it have names of our packages.
    """

    def __init__(self, home: Path, work: Path) -> None:
        self.bin = home / ("Scripts" if sys.platform == "win32" else "bin")
        self.work = work

    def run(self, *command: str) -> str:
        """Run a program of the environment that must succeed, and return what it prints."""
        program = [str(self.bin / command[0]), *command[1:]]
        environment = {**clean_environment(), "WARDIARY_STORE": str(self.work / "store.db")}
        done = subprocess.run(
            program, cwd=self.work, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def python(self, code: str) -> str:
        """Run Python code and return what it prints."""
        return self.run("python", "-c", code)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    home, work = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True, env=clean_environment())
    here = Installed(home, work)
    site = Path(here.python("import sysconfig; print(sysconfig.get_paths()['purelib'])").strip())
    # A path in a .pth file has its own .pth files ignored, that of our editable installation among them.
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(here.bin / "python"), "install", "--quiet", "--no-index"]
    subprocess.run([*pip, "--no-deps", "--ignore-installed", str(wheel)], check=True, env=clean_environment())
    (work / "events.py").write_text("class Events:\n    pass\n", encoding="utf-8")
    (work / "cli").mkdir()
    return here


# What is built


def test_the_wheel_installs_one_package_with_all_code_and_data(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    ours = {source.path for suffix in (".py", ".toml", ".sql", ".typed") for source in product_files(suffix=suffix)}
    facade = "cli/distribution/wardiary/"
    moved = {
        f"wardiary/{path.removeprefix(facade)}"
        for path in ours
        if not path.endswith(("/_checkout.py", "/build_hook.py"))
    }

    assert {name.partition("/")[0] for name in names} == {"wardiary"}
    assert names == moved


def test_no_module_of_the_wheel_imports_the_names_of_the_repository(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    left = [
        (name, node.lineno)
        for name in archive.namelist()
        if name.endswith(".py")
        for node in ast.walk(ast.parse(archive.read(name)))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PACKAGES)
        or (isinstance(node, ast.Import) and any(alias.name.partition(".")[0] in PACKAGES for alias in node.names))
    ]

    assert left == []


def test_a_wheel_of_the_source_distribution_is_the_same(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build("sdist", ROOT, tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    one, other = zipfile.ZipFile(wheel), zipfile.ZipFile(build("wheel", source, tmp_path / "again"))

    assert one.namelist() == other.namelist()
    assert [name for name in one.namelist() if one.read(name) != other.read(name)] == []


def test_an_editable_installation_has_the_names_of_the_repository(tmp_path: Path) -> None:
    archive = zipfile.ZipFile(build("wheel:editable", ROOT, tmp_path))
    (paths,) = (name for name in archive.namelist() if name.endswith(".pth"))

    assert archive.read(paths).decode().split() == [str(ROOT), str(ROOT / "cli" / "distribution")]


# How imports are rewritten


@pytest.mark.parametrize(
    ("text", "moved"),
    [
        ("from events.ids import Seat\n", "from wardiary.events.ids import Seat\n"),
        ("from core import draft\n", "from wardiary.core import draft\n"),
        ("from  cli.app import (\n    app,\n)\n", "from wardiary.cli.app import (\n    app,\n)\n"),
        ("def f():\n    from server.desk import desk\n", "def f():\n    from wardiary.server.desk import desk\n"),
        ("ä = 'ö'; from events.ids import Seat\n", "ä = 'ö'; from wardiary.events.ids import Seat\n"),
        ("from \\\n  events import ids\n", "from wardiary.\\\n  events import ids\n"),
        ("from eventsourcing import x\nfrom . import events\n", "from eventsourcing import x\nfrom . import events\n"),
        ("import sys\n'''\nfrom events import x\n'''\n", "import sys\n'''\nfrom events import x\n'''\n"),
    ],
)
def test_imports_are_moved_and_nothing_else(text: str, moved: str) -> None:
    assert rewritten(text, "planted.py") == moved


@pytest.mark.parametrize("text", ["import events\n", "import core.draft as draft\n"])
def test_an_import_that_cannot_be_moved_is_refused(text: str) -> None:
    with pytest.raises(NotRewritable, match=r"planted\.py"):
        rewritten(text, "planted.py")


def names_in_texts(path: str, tree: ast.Module) -> Iterator[str]:
    """Yield where a text names a module of ours, which no rewriting of imports would move."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and DOTTED.fullmatch(node.value):
            yield f"{path}, line {node.lineno}: {node.value}"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in FINDERS:
            yield from (
                f"{path}, line {node.lineno}: {argument.value}"
                for argument in node.args
                if isinstance(argument, ast.Constant) and argument.value in PACKAGES
            )


def test_no_text_names_a_module_of_ours() -> None:
    found = [place for source in product_files() for place in names_in_texts(source.path, source.tree())]

    assert [place for place in found if not place.endswith((".suffix", ": core.rules_digest"))] == []


@pytest.mark.parametrize("planted", ["x = 'core.games.advance'\n", "files('events')\n"])
def test_a_text_that_names_a_module_is_found(planted: str) -> None:
    assert len(list(names_in_texts("planted.py", ast.parse(planted)))) == 1


# What was installed


def test_the_names_of_others_stay_theirs(installed: Installed) -> None:
    """`events` and `cli` clash with distributions that exist; nothing of ours has these names any more."""
    code = "from events import Events; import cli, wardiary.events.ids, wardiary.cli.main; print(Events, cli.__file__)"

    assert installed.python(code).split() == ["<class", "'events.Events'>", "None"]
    assert installed.python(
        "import importlib.util as u; print([u.find_spec(n) for n in ('core', 'server')])"
    ).split() == [
        "[None,",
        "None]",
    ]


@pytest.mark.parametrize("program", [("wardiary",), ("python", "-m", "wardiary")])
def test_the_command_runs_however_it_is_called(installed: Installed, program: tuple[str, ...]) -> None:
    assert installed.run(*program, "--version").startswith("wardiary ")
    assert "advance" in installed.run(*program, "games")


def test_the_demonstration_runs_with_its_processes(installed: Installed) -> None:
    """Server, bots and background process are started by their installed names."""
    assert "audit" in installed.run("wardiary", "demo")


def test_matches_are_simulated_on_several_processes(installed: Installed) -> None:
    installed.run("wardiary", "simulate", "battle", "--matches", "2", "--jobs", "2")


def test_the_rules_are_the_same_as_in_the_repository(installed: Installed) -> None:
    code = "import json, wardiary; print(json.dumps({g.key: g.rules_digest for g in wardiary.games()}))"

    assert json.loads(installed.python(code)) == {key: load_game(key).rules_digest for key in game_keys()}


def test_a_match_is_played_and_audited_by_the_library(installed: Installed) -> None:
    code = (
        "import wardiary\n"
        "match = wardiary.open('battle', dice='seeded', seed='1')\n"
        "for _ in range(30): match.play(match.suggest('greedy'))\n"
        "print(match.audit().clean, type(match).__module__)"
    )

    assert installed.python(code).split() == ["True", "wardiary.server.client.library"]


def test_a_type_checker_knows_the_types(installed: Installed) -> None:
    """A program of a stranger is checked against what was installed, strictly."""
    (installed.work / "stranger.py").write_text(
        "import wardiary\n"
        "from wardiary.events.vocabulary import DiceRolled\n"
        "match = wardiary.open('advance')\n"
        "faces: list[tuple[int, ...]] = [one.faces for one in match.events() if isinstance(one, DiceRolled)]\n"
        "wrong: int = match.table().round + match.id\n",
        encoding="utf-8",
    )
    program = [str(installed.bin / "python"), "-m", "mypy", "--strict", "stranger.py"]
    done = subprocess.run(
        program, cwd=installed.work, env=clean_environment(), capture_output=True, text=True, check=False
    )

    assert [line.partition(": error: ")[2] for line in done.stdout.splitlines()[:-1]] == [
        'Unsupported operand types for + ("int" and "MatchId")  [operator]'
    ]


def test_a_game_of_another_distribution_is_played_on_what_was_installed(installed: Installed) -> None:
    """A game that imports `wardiary.core` is found by its entry point and played."""
    source = (ROOT / "tests" / "support" / "skirmish.py").read_text(encoding="utf-8")
    code = rewritten(source, "skirmish.py").replace('package="tests.support"', "package=__name__")
    site = installed.work / "site"
    package = site / "stranger_game"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(
        code.replace('deciding=("skirmish.py",)', 'deciding=("__init__.py",)'), "utf-8"
    )
    told = site / "stranger_game-1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger-game\nVersion: 1\n", "utf-8")
    (told / "entry_points.txt").write_text("[wardiary.games]\nskirmish = stranger_game\n", "utf-8")
    played = (
        "import sys; sys.path.insert(0, 'site'); import wardiary\n"
        "match = wardiary.open('skirmish', dice='seeded', seed='1')\n"
        "while match.ended is None: match.play(match.suggest())\n"
        "print(match.audit().clean)"
    )

    assert installed.python(played).split() == ["True"]


# In the repository


def test_installed_names_are_names_of_the_same_modules() -> None:
    """What is written for an installed War Diary runs beside a checkout: no module is loaded twice."""
    module = import_module("wardiary.events.vocabulary")

    assert module.DiceRolled is DiceRolled
    assert module.__spec__ is not None and module.__spec__.name == module.__name__ == "events.vocabulary"
    assert import_module("wardiary.core.games").load_game is load_game
    with pytest.raises(ModuleNotFoundError):
        import_module("wardiary.events.nothing")
    with pytest.raises(ModuleNotFoundError):
        import_module("wardiary.nothing")
