"""The index of decisions has each decision once, with its title and its status."""

import re
from collections.abc import Iterable
from pathlib import Path

from tests.project.tree import ROOT

FOLDER = ROOT / "docs" / "decisions"
INDEX = (FOLDER / "README.md").read_text(encoding="utf-8")
DECISIONS = sorted(FOLDER.glob("[0-9]*.md"))[1:]
STATUS = re.compile(r"Status: ((?:proposed|accepted|replaced by \d{4}), \d{4}-\d\d-\d\d(?:; .+)?)\.")


def row(path: Path) -> str:
    """Return the row of a decision in the index."""
    title, _, status, *_ = path.read_text(encoding="utf-8").splitlines()
    found = STATUS.fullmatch(status)
    assert found, f"{path.name}: the status is not in the form of the template: {status}"
    return f"| [{path.name[:4]}]({path.name}) | {title[len('# 0000: ') :]} | {found[1]} |"


def lacks(paths: Iterable[Path], index: str) -> list[str]:
    """Return the rows that an index of decisions lacks or has more than once."""
    lines = index.splitlines()
    return [wanted for wanted in map(row, paths) if lines.count(wanted) != 1]


def test_every_decision_is_in_the_index() -> None:
    assert lacks(DECISIONS, INDEX) == []


def test_the_index_lists_nothing_else_in_the_order_of_numbers_within_an_area() -> None:
    areas = [re.findall(r"^\| \[(\d{4})\]", part, re.MULTILINE) for part in INDEX.split("\n## ")[1:]]

    assert sorted(number for area in areas for number in area) == [path.name[:4] for path in DECISIONS]
    assert [area for area in areas if area != sorted(area) or not area] == []


def test_numbers_have_no_gap_and_titles_their_number() -> None:
    assert [int(path.name[:4]) for path in DECISIONS] == list(range(1, len(DECISIONS) + 1))
    assert [path.name for path in DECISIONS if not path.read_text("utf-8").startswith(f"# {path.name[:4]}: ")] == []


def test_decisions_that_replace_or_extend_each_other_name_each_other() -> None:
    named = {path.name[:4]: set(re.findall(r"\b\d{4}\b(?!-)", row(path).split(" | ")[2])) for path in DECISIONS}

    assert [(one, other) for one, others in named.items() for other in others if one not in named[other]] == []
    assert named["0038"] == {"0001"}


def test_a_decision_that_the_index_lacks_is_found() -> None:
    assert len(lacks(DECISIONS, INDEX.replace("accepted, 2026-11-21", "accepted, 2026-11-20", 1))) == 1
