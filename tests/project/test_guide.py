"""The guide to adding a game contains its two games, block by block, and the reference has every method that authors call."""

import re
from typing import NamedTuple

from core.engine.draft import Draft
from core.game_files.rulebook import parse_rulebook
from projections.state.table import Open, Table
from tests.project.tree import ROOT, tracked_files
from tests.support.rows import each_row
from wardiary import game

GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "docs" / "examples" / "skirmish"
NIM = ROOT / "cli" / "templates" / "nim"
REFERENCE = (ROOT / "docs" / "game-reference.md").read_text(encoding="utf-8")
OF_THE_KERNEL = {
    "Draft": {"emit", "position"},
    "Table": {"chance_position", "clone", "dispute", "game_part", "goes_on", "restore"},
    "Open": {"picks", "with_picks"},
}
"""What only the kernel calls."""
BLOCK = re.compile(r"^`([\w./-]+)`(, continued)?:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
STEPS_MAX = 12


class Block(NamedTuple):
    """A part of a file that the guide shows."""

    file: str
    is_continued: bool
    lines: list[str]


def blocks(guide: str) -> list[Block]:
    """Return the code blocks of a guide in order."""
    return [Block(file, bool(continued), told(text)) for file, continued, text in BLOCK.findall(guide)]


def told(text: str) -> list[str]:
    """Return the non-empty lines of a text."""
    return [line for line in text.splitlines() if line.strip()]


def assembled(guide: str) -> dict[str, list[str]]:
    """Return the files that a guide builds; each file begins once, and later blocks continue it."""
    files: dict[str, list[str]] = {}
    for block in blocks(guide):
        assert (block.file in files) == block.is_continued, f"{block.file} begins twice or goes on before it begins"
        files.setdefault(block.file, []).extend(block.lines)
    return files


def test_the_guide_builds_the_example() -> None:
    paths = [path for path in tracked_files() if path.is_relative_to(EXAMPLE)]
    files = {path.relative_to(EXAMPLE).as_posix(): told(path.read_text(encoding="utf-8")) for path in paths}

    files |= {
        f"nim/{path.relative_to(NIM).as_posix()}": told(path.read_text(encoding="utf-8"))
        for path in tracked_files()
        if path.is_relative_to(NIM) and path.name != "pyproject.toml"
    }

    assert files.pop("skirmish/py.typed") == files.pop("nim/nim_game/py.typed") == []
    assert assembled(GUIDE) == files


def test_every_block_of_code_names_its_file() -> None:
    assert len(re.findall(r"^```(?:python|toml)$", GUIDE, re.MULTILINE)) == len(blocks(GUIDE))


def test_the_guide_has_at_most_a_dozen_steps_and_each_adds_something() -> None:
    steps = re.findall(r"^## (\d+)\. ", GUIDE, re.MULTILINE)
    parts = re.split(r"^## \d+\. .*$", GUIDE, flags=re.MULTILINE)[1:]

    assert [int(step) for step in steps] == [*range(1, len(steps) + 1)]
    assert len(steps) <= STEPS_MAX
    assert [step for step, part in zip(steps, parts, strict=True) if not blocks(part)] == []


def test_the_rules_of_the_example_cite_every_rule_and_refusal_of_its_index() -> None:
    book = parse_rulebook((EXAMPLE / "skirmish" / "data" / "rules.toml").read_bytes())
    code = (EXAMPLE / "skirmish" / "rules.py").read_text(encoding="utf-8")
    names = [*book.rules, *(refusal.code for refusal in book.refusals)]

    assert [name for name in names if f'"{name}"' not in code] == []
    assert sorted({*re.findall(r'Refusal\("(\w+)"', code)}) == sorted(refusal.code for refusal in book.refusals)


@each_row("planted", ["MARCH = ", "2.march", "hatchling.build"])
def test_an_outdated_guide_is_found(planted: str) -> None:
    assert assembled(GUIDE.replace(planted, "planted", 1)) != assembled(GUIDE)


@each_row(("type_", "name"), [(Draft, "draft"), (Table, "table"), (Open, "asked")])
def test_the_reference_has_every_method_that_authors_call(type_: type[object], name: str) -> None:
    of_type = {
        method
        for kind in type_.__mro__
        if kind.__module__.startswith(("core", "projections"))
        for method, value in vars(kind).items()
        if not method.startswith("_") and (callable(value) or isinstance(value, property))
    }
    told_of = {*re.findall(rf"`{name}\.(\w+)", REFERENCE)}

    assert sorted(of_type - OF_THE_KERNEL[type_.__name__] - told_of) == []
    assert sorted(told_of - {*dir(type_), *getattr(type_, "__struct_fields__", ())}) == []


def test_the_reference_names_only_what_authors_can_import() -> None:
    """A name in code with a capital letter is a class of `wardiary.game`."""
    code = " ".join(re.findall(r"`([^`]+)`", REFERENCE))
    classes = {*re.findall(r"\b([A-Z][a-z]\w+)\b", re.sub(r'"[^"]*"', "", code))}

    assert sorted(classes - {*game.__all__, "None", "True"}) == []
