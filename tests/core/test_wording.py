"""Numbers of things are written in one way."""

import pytest

from core.wording import counted


@pytest.mark.parametrize(
    ("count", "thing", "things", "words"),
    [
        (0, "Ration", "", "0 Rations"),
        (1, "Ration", "", "1 Ration"),
        (2, "die", "dice", "2 dice"),
        (1, "die", "dice", "1 die"),
    ],
)
def test_a_thing_is_in_the_plural_unless_there_is_exactly_one(count: int, thing: str, things: str, words: str) -> None:
    assert counted(count, thing, things) == words
