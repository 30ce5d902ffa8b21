"""The changelog names the version of every public format, and its fragments are such that a release can collect them."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from core.notation.notation import FORMAT as NOTATION
from core.positions.position import FORMAT as POSITION
from core.registry.games import GAMES, load_game
from events.archive import FORMAT as ARCHIVE
from events.archive import VIEW_FORMAT as VIEW
from events.codec import tag_of
from events.transparency.evidence_file import FORMAT as EVIDENCE
from events.vocabulary import CURRENT
from server.protocol.wire import PROTOCOL
from server.store.serving_mark import VERSION as STORE
from tests.project.tree import ROOT
from tests.support.rows import each_row

CHANGELOG = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
FRAGMENTS = ROOT / "changelog.d"
CONFIGURATION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
NAME = re.compile(r"(?:\+[a-z0-9-]+|[0-9]+)\.([a-z]+)\.md")


def formats() -> dict[str, str]:
    """Return the table of public formats: what each is, and its version."""
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| [^|]+ \|$", CHANGELOG, re.MULTILINE)
    return dict(rows[2:])


def schemas(name: str) -> set[str]:
    """Return the formats that the data files of this name declare."""
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "core" / "games").glob(f"*/data/{name}")]
    return {schema for text in texts for schema in re.findall(r'^schema = "(.+)"$', text, re.MULTILINE)}


def defects(name: str, text: str) -> list[str]:
    """Return what is wrong with a fragment."""
    kinds = [kind["directory"] for kind in CONFIGURATION["type"]]
    named = NAME.fullmatch(name)
    wrong = [] if named and named[1] in kinds else [f"{name}: the name is not +words.KIND.md or NUMBER.KIND.md"]
    if not re.match(r"\S", text) or not text.rstrip().endswith("."):
        wrong.append(f"{name}: the text is not one or more sentences")
    return wrong


def test_every_public_format_has_its_version_in_the_changelog() -> None:
    assert list(formats().values()) == [
        "a version in each tag (`piece-moved/1`, `commit/1`); all are at 1",
        f"`{ARCHIVE}`",
        f"`{VIEW}`",
        f"`{EVIDENCE}`",
        f"`{PROTOCOL}`",
        str(STORE),
        f"`{POSITION}`",
        f"`{NOTATION}`",
        ", ".join(f"`{schema}`" for schema in sorted(schemas("board.toml"))),
        ", ".join(f"`{schema}`" for schema in schemas("rules.toml")),
        "that of the program; `wardiary schema` prints it",
        "edition 1.0, and the digest that `wardiary games` lists with `--json`",
    ]


def test_the_stated_versions_of_events_and_editions_are_those_of_the_code() -> None:
    assert {tag_of(event).partition("/")[2] for event in CURRENT} == {"1"}
    assert {load_game(key).edition for key in GAMES if key != "skirmish"} == {"1.0"}


@pytest.mark.parametrize("path", sorted(FRAGMENTS.iterdir()), ids=lambda path: path.name)
def test_a_fragment_can_be_collected(path: Path) -> None:
    assert path.name == "README.md" or defects(path.name, path.read_text(encoding="utf-8")) == []


@each_row(
    ("name", "text"),
    [
        ("redo.added.md", "Added it."),
        ("+redo.improved.md", "Added it."),
        ("+redo.added.rst", "Added it."),
        ("+redo.added.md", ""),
        ("+redo.added.md", "Added it"),
    ],
)
def test_a_fragment_that_a_release_would_overlook_is_found(name: str, text: str) -> None:
    assert len(defects(name, text)) == 1


def test_a_release_puts_its_fragments_above_the_older_ones(tmp_path: Path) -> None:
    for name in ("CHANGELOG.md", "pyproject.toml"):
        (tmp_path / name).write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "+planted.security.md").write_text("Refused it.\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "towncrier", "build", "--keep", "--version", "9.9", "--date", "2030-01-01"],
        cwd=tmp_path,
        check=True,
        capture_output=True,
    )
    text = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    head, rest = CHANGELOG.split(CONFIGURATION["start_string"])

    assert (
        text.split()
        == f"{head}{CONFIGURATION['start_string']}## 9.9 (2030-01-01) ### Security - Refused it. {rest}".split()
    )


def test_every_kind_of_change_is_explained() -> None:
    text = (FRAGMENTS / "README.md").read_text(encoding="utf-8")

    assert re.findall(r"^\| `([a-z]+)` \|", text, re.MULTILINE) == [kind["directory"] for kind in CONFIGURATION["type"]]
