"""Commands on the pages for developers can be run, and files that any page names exist."""

import re
import shlex
from importlib.util import find_spec

from tests.project.tree import ROOT
from tests.support.rows import each_row

PAGES = ["CONTRIBUTING.md", "SECURITY.md", "changelog.d/README.md", "docs/index.md", "docs/decisions/README.md"]
EXAMPLE = ROOT / "docs" / "examples" / "skirmish"
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([a-z]+):.*##", MAKEFILE, re.MULTILINE)
VARIABLES = re.findall(r"^([A-Z_]+) \?=", MAKEFILE, re.MULTILINE)
BIN = ".venv/bin/"
TOP = {path.name for path in ROOT.iterdir()}


def commands(text: str) -> list[str]:
    """Return the commands of a page: the lines of its blocks, and what stands in backquotes and begins like one."""
    blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()] + re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    return lines + re.findall(rf"`((?:make |{re.escape(BIN)})[^`]+)`", text)


def defect(command: str) -> str:
    """Return what is wrong with a command; empty if it can be run."""
    program, *words = shlex.split(command)
    if program == "make":
        targets = [word for word in words if "=" not in word]
        unknown = {*targets} - {*TARGETS} | {word.partition("=")[0] for word in words if "=" in word} - {*VARIABLES}
        return f"make has no {', '.join(sorted(unknown))}" if unknown else ""
    if program == f"{BIN}python" and words[:1] == ["-m"]:
        lost = [path for path in words if path.startswith("tests/") and not (ROOT / path).exists()]
        return f"no {', '.join(lost)}" if lost else "" if find_spec(words[1]) else f"no module {words[1]}"
    if program.startswith(BIN):
        return "" if find_spec(program.removeprefix(BIN)) else f"no program {program}"
    return "" if program == "git" else f"{program} is not a program of the set-up"


def lost_paths(text: str) -> list[str]:
    """Return the files and folders of the repository, or of the example, that a page names and that do not exist."""
    named = re.findall(r"`([\w.-]+/[\w./-]*)`", text)
    ours = [path for path in named if path.partition("/")[0] in TOP - {".venv"}]
    return [path for path in ours if not any([*ROOT.glob(path.replace("GAME", "*")), (EXAMPLE / path).exists()])]


@each_row("page", PAGES)
def test_every_command_of_a_page_can_be_run(page: str) -> None:
    found = commands((ROOT / page).read_text(encoding="utf-8"))

    assert [f"{command}: {wrong}" for command in found if (wrong := defect(command))] == []


def test_every_path_that_a_page_names_exists() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    current = [path for path in pages if not re.search(r"/decisions/\d", path.as_posix())]

    assert {path.name: lost for path in current if (lost := lost_paths(path.read_text(encoding="utf-8")))} == {}


def test_contributing_names_every_target_for_developers() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = {word for command in commands(text) for word in command.split()[1:2] if command.startswith("make ")}

    assert {*TARGETS} - named == set()


@each_row(
    "command",
    [
        "make tests",
        "make quick QUICKLY=x",
        ".venv/bin/python -m pytest tests/nothing",
        ".venv/bin/python -m tests.nothing",
        ".venv/bin/nothing build",
        "docker run",
    ],
)
def test_a_command_that_does_not_exist_is_found(command: str) -> None:
    assert defect(command) != ""


def test_a_path_that_does_not_exist_is_found() -> None:
    assert lost_paths("`core/nothing` and `core/games`, `data/rules.toml` of a game") == ["core/nothing"]
