"""The output of the verbs for one fixed match, word for word."""

import pytest

from events.ids import MatchId
from tests.cli.golden import COMMANDS, FOLDER, said
from tests.cli.running import Terminal


@pytest.mark.parametrize("name", list(COMMANDS))
def test_a_verb_prints_its_golden_output(name: str, golden: tuple[Terminal, str]) -> None:
    terminal, match = golden

    assert said(terminal, MatchId(match), COMMANDS[name]) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_golden_text_has_its_command() -> None:
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(COMMANDS)
