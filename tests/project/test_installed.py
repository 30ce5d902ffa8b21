"""Installed from a wheel, War Diary is one package, `wardiary`, and behaves as in the repository."""

import ast
import json
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import pytest

from build_hook import NotRewritable, rewritten
from core.registry.games import game_keys, load_game
from events.vocabulary import DiceRolled
from tests.cli.test_documents import console, is_said
from tests.project.tree import PACKAGES, ROOT, TEMPLATES, product_files, walked
from tests.support.rows import each_row
from tests.support.soak import sampled

EXAMPLE = ROOT / "docs" / "examples" / "skirmish"
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
    """An environment with the wheel and our dependencies, without any path to this repository.

    Args:
        home: The environment's folder.
        work: Where commands run. A module and a folder in it may have names of our packages.
        site: Where games of other distributions are installed, if any are.
    """

    def __init__(self, home: Path, work: Path, site: Path | None = None) -> None:
        self.home = home
        self.bin = home / ("Scripts" if sys.platform == "win32" else "bin")
        self.work = work
        self.environment = {
            **clean_environment(),
            "WARDIARY_STORE": str(work / "store.db"),
            "MYPY_CACHE_DIR": str(home / "types"),
        }
        if site is not None:
            self.environment["PYTHONPATH"] = str(site)

    def start(self, *command: str) -> subprocess.CompletedProcess[str]:
        """Run a program of the environment, and return how it ended."""
        program = [str(self.bin / command[0]), *command[1:]]
        return subprocess.run(
            program, cwd=self.work, env=self.environment, capture_output=True, text=True, timeout=300, check=False
        )

    def run(self, *command: str) -> str:
        """Run a program of the environment that must succeed, and return what it prints."""
        done = self.start(*command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    @contextmanager
    def started(self, *command: str) -> Iterator[subprocess.Popen[str]]:
        """Start a program of the environment, and end it with the block."""
        program = [str(self.bin / command[0]), *command[1:]]
        with subprocess.Popen(
            program, cwd=self.work, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        ) as process:
            try:
                yield process
            finally:
                process.terminate()

    def python(self, code: str) -> str:
        """Run Python code and return what it prints."""
        return self.run("python", "-c", code)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    home, work = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("work")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True, env=clean_environment())
    here = Installed(home, work)
    site = Path(here.python("import sysconfig; print(sysconfig.get_paths()['purelib'])").strip())
    # Python ignores .pth files in a folder that is itself named in a .pth file, such as that of our editable installation.
    (site / "dependencies.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(here.bin / "python"), "install", "--quiet", "--no-index"]
    subprocess.run([*pip, "--no-deps", "--ignore-installed", str(wheel)], check=True, env=clean_environment())
    (work / "events.py").write_text("class Events:\n    pass\n", encoding="utf-8")
    (work / "cli").mkdir()
    return here


# Building


def test_the_wheel_installs_one_package_with_all_code_and_data(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    suffixes = (".py", ".toml", ".sql", ".typed", ".css", ".js", ".svg")
    ours = {source.path for suffix in suffixes for source in product_files(suffix=suffix)}
    ours |= {path.relative_to(ROOT).as_posix() for path in TEMPLATES.rglob("*") if path.suffix in suffixes}
    facade = "cli/distribution/wardiary/"
    moved = {
        f"wardiary/{path.removeprefix(facade)}"
        for path in ours
        if not path.endswith(("/_checkout.py", "/build_hook.py", "/compiling.py", "/compilable_source.py"))
    }

    assert {name.partition("/")[0] for name in names} == {"wardiary"}
    assert names == moved


def test_no_module_of_the_wheel_imports_the_names_of_the_repository(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    code = {name: archive.read(name).decode() for name in archive.namelist() if name.endswith(".py")}
    left = [
        (name, node.lineno)
        for name, text in code.items()
        if re.search(rf"\b(?:from|import)[\s\\]+(?:{OURS})\b", text)
        for node in ast.walk(ast.parse(text))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in PACKAGES)
        or (isinstance(node, ast.Import) and any(alias.name.partition(".")[0] in PACKAGES for alias in node.names))
    ]

    assert left == []


@pytest.mark.long
def test_a_wheel_of_the_source_distribution_is_the_same(wheel: Path, tmp_path: Path) -> None:
    with tarfile.open(build("sdist", ROOT, tmp_path / "sdist")) as archive:
        archive.extractall(tmp_path / "source", filter="data")
    (source,) = (tmp_path / "source").iterdir()
    one, other = zipfile.ZipFile(wheel), zipfile.ZipFile(build("wheel", source, tmp_path / "again"))

    assert one.namelist() == other.namelist()
    assert [name for name in one.namelist() if one.read(name) != other.read(name)] == []


def test_an_editable_installation_keeps_the_names_of_the_repository(tmp_path: Path) -> None:
    archive = zipfile.ZipFile(build("wheel:editable", ROOT, tmp_path))
    (paths,) = (name for name in archive.namelist() if name.endswith(".pth"))

    assert archive.read(paths).decode().split() == [str(ROOT), str(ROOT / "cli" / "distribution")]


# Rewriting imports


@each_row(
    ("text", "moved"),
    [
        ("from events.ids import Seat\n", "from wardiary.events.ids import Seat\n"),
        ("from core import draft\n", "from wardiary.core import draft\n"),
        (
            "from  cli.interface.typer_app import (\n    app,\n)\n",
            "from wardiary.cli.interface.typer_app import (\n    app,\n)\n",
        ),
        ("def f():\n    from server.desk import desk\n", "def f():\n    from wardiary.server.desk import desk\n"),
        ("ä = 'ö'; from events.ids import Seat\n", "ä = 'ö'; from wardiary.events.ids import Seat\n"),
        ("from \\\n  events import ids\n", "from wardiary.\\\n  events import ids\n"),
        ("from eventsourcing import x\nfrom . import events\n", "from eventsourcing import x\nfrom . import events\n"),
        ("import sys\n'''\nfrom events import x\n'''\n", "import sys\n'''\nfrom events import x\n'''\n"),
    ],
)
def test_only_imports_are_rewritten(text: str, moved: str) -> None:
    assert rewritten(text, "planted.py") == moved


@each_row("text", ["import events\n", "import core.engine.draft as draft\n"])
def test_an_import_that_cannot_be_rewritten_is_refused(text: str) -> None:
    with pytest.raises(NotRewritable, match=r"planted\.py"):
        rewritten(text, "planted.py")


def names_in_texts(path: str, tree: ast.Module) -> Iterator[str]:
    """Yield each place where a string names a module of ours, which rewriting imports would miss."""
    for node in walked(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and DOTTED.fullmatch(node.value):
            yield f"{path}, line {node.lineno}: {node.value}"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in FINDERS:
            yield from (
                f"{path}, line {node.lineno}: {argument.value}"
                for argument in node.args
                if isinstance(argument, ast.Constant) and argument.value in PACKAGES
            )


def test_no_string_names_a_module_of_ours() -> None:
    found = [place for source in product_files() for place in names_in_texts(source.path, source.tree())]

    assert [place for place in found if not place.endswith((".suffix", ": core.game_files.rules_digest"))] == []


@each_row("planted", ["x = 'core.games.advance'\n", "files('events')\n"])
def test_a_string_that_names_a_module_is_found(planted: str) -> None:
    assert len(list(names_in_texts("planted.py", ast.parse(planted)))) == 1


# The installation


def test_the_installation_does_not_take_names_of_other_packages(installed: Installed) -> None:
    """Distributions named `events` and `cli` exist; we install nothing under these names."""
    code = "from events import Events; import cli, wardiary.events.ids, wardiary.cli.main; print(Events, cli.__file__)"

    assert installed.python(code).split() == ["<class", "'events.Events'>", "None"]
    assert installed.python(
        "import importlib.util as u; print([u.find_spec(n) for n in ('core', 'server')])"
    ).split() == [
        "[None,",
        "None]",
    ]


@each_row("program", [("wardiary",), ("python", "-m", "wardiary")])
def test_the_command_runs_as_script_and_as_module(installed: Installed, program: tuple[str, ...]) -> None:
    assert installed.run(*program, "--version").startswith("wardiary ")
    assert "advance" in installed.run(*program, "games")


@pytest.mark.long
def test_the_demonstration_runs_with_its_processes(installed: Installed) -> None:
    """Server, bots and background process are started under their installed names."""
    assert "Audit: replay both under the rules" in installed.run("wardiary", "demo")


@pytest.mark.long
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
    """A third-party program is checked strictly against the installed package."""
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
        program, cwd=installed.work, env=installed.environment, capture_output=True, text=True, check=False
    )

    assert [line.partition(": error: ")[2] for line in done.stdout.splitlines()[:-1]] == [
        'Unsupported operand types for + ("int" and "MatchId")  [operator]'
    ]


def test_a_new_game_is_written_by_the_installed_program(installed: Installed) -> None:
    """The template is data of the wheel."""
    said = installed.run("wardiary", "new-game", "four")

    assert "four_game/__init__.py" in said
    code = "import sys; sys.path.insert(0, 'four'); from four_game import GAME; print(GAME.title, GAME.rules_digest)"
    assert installed.python(code).split()[0] == "Four"


# A game of another distribution


@pytest.fixture(scope="module")
def example(installed: Installed, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The environment with the example of the guide, installed from its own wheel."""
    folder = tmp_path_factory.mktemp("example")
    built = build("wheel", EXAMPLE, folder / "wheel")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps"]
    subprocess.run([*pip, "--target", str(folder / "site"), str(built)], check=True, env=clean_environment())
    return Installed(installed.home, folder, folder / "site")


def test_the_example_is_found_by_its_entry_point(example: Installed) -> None:
    assert example.run("wardiary", "games").splitlines()[-1] == "skirmish  Skirmish (edition 1.0)"


@pytest.mark.long
def test_the_guide_shows_the_real_output_of_its_last_commands(example: Installed) -> None:
    """The example passes every check, and its bot plays through the simulation."""
    guide = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    commands = console(guide)

    assert commands[0][0] == "wardiary check-game skirmish"
    for command, said in commands:
        assert is_said(said, example.run(*command.split()).splitlines())


@pytest.fixture(scope="module")
def source(example: Installed) -> Path:
    """A copy of the example's source, as a reader makes one."""
    return Path(shutil.copytree(EXAMPLE, example.work / "source"))


@pytest.mark.parametrize(
    ("program", "says"),
    sampled(
        [
            (("mypy", "--strict", "skirmish", "tests"), r"Success: no issues found in 7 source files"),
            (("pytest", "-q", "tests"), r"\d+ passed in "),
        ],
        lambda program, _: program[0] == "pytest",
    ),
)
def test_the_example_has_strict_types_and_passes_its_own_tests(
    example: Installed, source: Path, program: tuple[str, ...], says: str
) -> None:
    command = [str(example.bin / "python"), "-m", *program]
    done = subprocess.run(command, cwd=source, env=example.environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(says, done.stdout)


@pytest.mark.long
def test_the_example_is_played_by_two_bots_through_the_server(example: Installed) -> None:
    match = example.run("wardiary", "new", "skirmish", "--free-seats").strip()
    listen = ("--listen", "tcp://127.0.0.1:*", "--events", "tcp://127.0.0.1:*")
    with example.started("wardiary", "serve", *listen, "--json") as server:
        assert server.stdout is not None
        address = json.loads(server.stdout.readline())["requests"]
        bots = [
            ("wardiary", "bot", "skirmish", "--match", match, "--connect", address, "--seat", seat, "--policy", policy)
            for seat, policy in (("red", "bold"), ("blue", "random"))
        ]
        with example.started(*bots[0]) as red:
            blue = json.loads(example.run(*bots[1], "--json"))
            assert red.wait(60) == 0

    assert blue["ended"]["result"] in ("Hill", "Rout")
    assert "is clean" in example.run("wardiary", "audit", match)


def test_a_march_of_the_example_is_taken_back(example: Installed) -> None:
    """The guide promises that taking back needs no code."""
    code = (
        "import wardiary\n"
        "match = wardiary.open('skirmish', dice='seeded', seed='1')\n"
        "before = match.table().pieces\n"
        "match.play({'do': 'march', 'squad': 'red-1', 'to': 'ford'})\n"
        "moved = match.table().pieces != before\n"
        "match.play({'do': 'match:undo'})\n"
        "print(moved, match.table().pieces == before)"
    )

    assert example.python(code).split() == ["True", "True"]


@pytest.mark.long
def test_the_example_opens_with_a_position_and_names_its_defects(example: Installed) -> None:
    position = example.work / "hill.toml"
    good = (
        'format = "wardiary-position/1"\ngame = "skirmish"\nturn = "blue"\nround = 3\n'
        'control = { hill = "red" }\npiles = { "hand/blue" = ["flag"] }\n'
        "pieces = [\n"
        '  { id = "red-1", place = "hill", side = "red", steps = 1 },\n'
        '  { id = "blue-1", place = "ford", side = "blue", steps = 1 },\n]\n'
    )
    position.write_text(good, "utf-8")
    match = example.run("wardiary", "new", "skirmish", "--position", str(position)).strip()
    listed = example.run("wardiary", "legal", match)

    assert "March with Blue Squad 1 to Hill" in listed
    assert "Rally with Flag" in listed

    position.write_text(good.replace('"ford"', '"hill"'), "utf-8")
    refused = example.start("wardiary", "new", "skirmish", "--position", str(position))

    assert "hill holds 2 squads; it can hold one" in refused.stderr


# In the repository


def test_installed_names_are_names_of_the_same_modules() -> None:
    """A program written for an installed War Diary also runs in a checkout, without loading a module twice."""
    module = import_module("wardiary.events.vocabulary")

    assert module.DiceRolled is DiceRolled
    assert module.__spec__ is not None and module.__spec__.name == module.__name__ == "events.vocabulary"
    assert import_module("wardiary.core.registry.games").load_game is load_game
    with pytest.raises(ModuleNotFoundError):
        import_module("wardiary.events.nothing")
    with pytest.raises(ModuleNotFoundError):
        import_module("wardiary.nothing")
