"""`docs/positions.md`: its position begins a match, its defects are those that are reported, its fields are all there are."""

import re
from pathlib import Path

import pytest

import wardiary
from core.positions.position import PlacedPiece, Position

PAGE = (Path(__file__).parents[2] / "docs" / "positions.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """Return the first block of the page in a language."""
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def test_the_position_of_the_page_begins_a_match() -> None:
    table = wardiary.open("advance", position=block("toml"), dice="seeded", seed="1").table()

    assert set(table.pieces) == {"94/267", "soviet/10"}
    assert table.phase == "supply"


def test_the_defects_of_the_page_are_those_that_are_reported() -> None:
    broken = block("toml").replace('place = "5"', 'place = "55"').replace("morale = 19", "morale = 25")
    with pytest.raises(wardiary.RequestFailed) as caught:
        wardiary.open("advance", position=broken)

    assert list(caught.value.reply.defects) == block("text").splitlines()


def test_the_page_lists_every_field() -> None:
    cells = [line.split("|")[1] for line in PAGE.splitlines() if line.startswith("| `")]
    fields = [field for cell in cells for field in re.findall(r"`(\w+)`", cell)]

    assert sorted(fields) == sorted((*Position.__struct_fields__, *PlacedPiece.__struct_fields__))
