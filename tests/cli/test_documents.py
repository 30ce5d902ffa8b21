"""The README, the tour and the command reference are correct: their commands are run, their options and exit codes compared."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.interface.typer_app import app
from cli.schemas.all import SHAPES
from cli.shell import exit_codes
from events.codec import tag_of
from tests.cli.running import WARDIARY, parser_of
from tests.project.tree import ROOT
from tests.support.command_server import FUNCTION
from tests.support.pictures import BYTES_MAX
from tests.support.rows import each_row
from tests.support.soak import few

README = (ROOT / "README.md").read_text(encoding="utf-8")
TOUR = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
MARK = "-- a command begins --"


def console(text: str) -> list[tuple[str, list[str]]]:
    """Return the commands of all console blocks, each with its documented output."""
    found: list[tuple[str, list[str]]] = []
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return found


@pytest.fixture
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path | None]:
    """The folder of a process that carries out commands; None where a shell's outputs have no names."""
    if not Path("/proc/self/fd").exists():
        yield None
        return
    folder = tmp_path_factory.mktemp("commands")
    for name in ("asked", "done"):
        os.mkfifo(folder / name)
    with subprocess.Popen([sys.executable, "-m", "tests.support.command_server", folder], cwd=ROOT) as server:
        yield folder
        (folder / "asked").write_bytes(b"")
        assert server.wait(30) == 0


def carried_out(commands: list[str], folder: Path, served: Path | None = None) -> list[list[str]]:
    """Run commands in one shell, as a reader would, or by a process that carries them out; return the output of each."""
    script = "set -e\n" + ("" if served is None else f"COMMANDS={shlex.quote(str(served))}{FUNCTION}")
    script += "".join(f"printf '%s\\n' {shlex.quote(MARK)}\n{command}\n" for command in commands)
    environment = {
        **os.environ,
        "PATH": f"{WARDIARY.parent}{os.pathsep}{os.environ['PATH']}",
        "WARDIARY_STORE": str(folder / "tour.db"),
    }
    ran = subprocess.run(
        ["bash", "-c", script], cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, ran.stderr
    return [part.splitlines()[1:] for part in ran.stdout.split(MARK)[1:]]


def is_said(said: list[str], put_out: list[str]) -> bool:
    """Return whether documented lines match the output; … stands for any words, and on its own line for any lines."""
    parts = [r"(?:.*\n)*?" if line == "…" else re.escape(f"{line}\n").replace("…", ".*") for line in said]
    return re.fullmatch("".join(parts), "".join(f"{line}\n" for line in put_out)) is not None


def test_the_readme_is_short_and_shows_pictures_that_are_there() -> None:
    pictures = [ROOT / name for name in re.findall(r"^!\[.+\]\((.+)\)$", README, re.MULTILINE)]

    assert len(README.splitlines()) <= 100
    assert [picture.stat().st_size <= BYTES_MAX for picture in pictures] == [True, True]


@pytest.mark.long
def test_the_tour_prints_what_it_shows(tmp_path: Path, served: Path | None) -> None:
    tour = console(TOUR)
    outputs = carried_out([command for command, _ in tour], tmp_path, served)
    wrong = [
        (command, put_out) for (command, said), put_out in zip(tour, outputs, strict=True) if not is_said(said, put_out)
    ]

    assert len(tour) > 10
    assert wrong == []


@pytest.mark.parametrize(("document", "commands"), few([("operating.md", 7), ("reports.md", 7), ("designing.md", 20)]))
def test_the_commands_of_a_document_print_what_it_shows(
    document: str, commands: int, tmp_path: Path, served: Path | None
) -> None:
    """Where did a Guards unit roll three dice, and what if it had rolled sixes; and what does a report of that look like.

    The searches of its table of questions find something in the same matches. How a store is backed up and restored is another one.
    """
    page = (ROOT / "docs" / document).read_text(encoding="utf-8")
    lines = console(page)
    searches = [one.replace(r"\|", "|") for one in re.findall(r"\| `(wardiary find .+)` \|$", page, re.MULTILINE)]
    outputs = carried_out([*(command for command, _ in lines), *searches], tmp_path, served)
    wrong = [
        (command, put_out)
        for (command, said), put_out in zip(lines, outputs[: len(lines)], strict=True)
        if not is_said(said, put_out)
    ]

    assert len(lines) >= commands
    assert wrong == []
    found = zip(searches, outputs[len(lines) :], strict=True)
    assert [search for search, put_out in found if put_out in ([], ["0"])] == []
    assert bool(searches) == (document == "designing.md")


def test_a_documented_line_that_is_not_printed_is_found() -> None:
    assert is_said(["a", "…", "b … d"], ["a", "x", "y", "b c d"])
    assert not is_said(["a"], ["a", "b"])
    assert not is_said(["a", "b"], ["a"])


@each_row(
    "line",
    [
        line
        for block in re.findall(r"^```sh\n(.*?)^```$", README + TOUR, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
        if not line.startswith("export ")
    ],
)
def test_documented_commands_that_are_not_run_are_at_least_valid(line: str) -> None:
    words = shlex.split(line)
    command = parser_of(app).commands[words[1]]  # type: ignore[attr-defined]

    assert words[0] == "wardiary"
    assert command.make_context(words[1], words[2:]).params


CONNECTION = {"--connect", "--server-key", "--curve-client-key", "--token"}


def sections() -> dict[str, str]:
    """Return the section of each verb in the reference."""
    parts = re.split(r"^### `wardiary ([a-z-]+).*$", REFERENCE, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_reference_has_a_section_for_every_verb() -> None:
    assert set(sections()) == {str(command.name) for command in app.registered_commands}


@each_row("verb", [str(command.name) for command in app.registered_commands])
def test_the_reference_names_exactly_the_existing_options(verb: str) -> None:
    shared = {"--store", "--json", "--quiet", "--verbose", "--no-color", "--help", *CONNECTION}
    params = parser_of(app).commands[verb].params  # type: ignore[attr-defined]
    options = {name for param in params for name in (*param.opts, *param.secondary_opts) if name.startswith("--")}
    named = set(re.findall(r"`(--[a-z-]+)", sections()[verb]))

    assert named - shared == options - shared


def test_the_reference_lists_exactly_the_verbs_that_work_through_a_server() -> None:
    (listed,) = re.findall(
        r"\*\*through a server\*\*, like any other client: (.*?) needs a server", REFERENCE, re.DOTALL
    )
    commands = parser_of(app).commands  # type: ignore[attr-defined]
    connecting = {
        name
        for name, command in commands.items()
        if {option for param in command.params for option in param.opts} >= CONNECTION
    }

    assert set(re.findall(r"`([a-z-]+)`", listed)) == connecting


def test_the_reference_names_every_exit_code() -> None:
    codes = {
        value
        for name, value in vars(exit_codes).items()
        if name.isupper() and isinstance(value, int) and not isinstance(value, bool)
    }

    assert {int(code) for code in re.findall(r"^\| (\d+) \|", REFERENCE, re.MULTILINE)} == codes


def test_the_reference_names_every_shape() -> None:
    assert [tag_of(shape) for shape in SHAPES if f"`{tag_of(shape)}`" not in REFERENCE] == []


DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "changelog.d").glob("*.md"), *(ROOT / "docs").rglob("*.md")]


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a page, as they are shown by sites that render it."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def dead_links(path: Path, text: str) -> list[str]:
    """Return the links of a page that lead to no file, or to no heading of a page."""
    dead: list[str] = []
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", text):
        there = path.parent / target if target else path
        if not there.exists() or (anchor and anchor not in anchors(there.read_text(encoding="utf-8"))):
            dead.append(f"{path.name}: {target}#{anchor}")
    return dead


@each_row("path", DOCUMENTS)
def test_links_of_a_document_lead_somewhere(path: Path) -> None:
    assert dead_links(path, path.read_text(encoding="utf-8")) == []


@each_row("link", ["docs/nothing.md", "docs/protocol.md#nothing", "#nothing"])
def test_a_dead_link_is_found(link: str) -> None:
    assert len(dead_links(ROOT / "README.md", f"[here]({link}) and [there](docs/protocol.md#limits)")) == 1


def test_the_index_of_documents_lists_every_page() -> None:
    index = ROOT / "docs" / "index.md"
    targets = re.findall(r"\]\(([^)#]+)", index.read_text("utf-8"))
    # In a compiled copy the folder of documents is a link.
    listed = {Path(os.path.normpath(index.parent / target)) for target in targets}
    pages = {path for path in DOCUMENTS if not re.search(r"/(decisions/\d|changelog\.d/)", path.as_posix())}

    assert sorted(path.name for path in pages - listed - {index}) == []
