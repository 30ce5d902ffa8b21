"""The organiser's page is correct: its commands are carried out over sockets, and print what it shows."""

import re
import shlex
from pathlib import Path

import pytest

from server.broker.broker import Broker
from tests.cli.running import Ran, Terminal
from tests.cli.test_documents import console, is_said
from tests.project.tree import ROOT
from tests.support.sitting import OWNER

PAGE = (ROOT / "docs" / "organising.md").read_text(encoding="utf-8")


class Shell:
    """As much of a shell as the page needs: variables, `NAME=$(command)`, and variables before a command.

    Args:
        terminal: Carries out the commands.
        variables: Those of the environment.
        known: Those of the shell itself, which commands do not see.
    """

    def __init__(self, terminal: Terminal, variables: dict[str, str], known: dict[str, str]) -> None:
        self._terminal = terminal
        self._variables = variables
        self._known = known

    def run(self, command: str) -> list[str]:
        """Carry out a line and return what it prints."""
        stored = re.fullmatch(r"([A-Z]+)=\$\((.*)\)", command)
        if stored is None:
            return self._carried_out(command).out.splitlines()
        (self._known[stored[1]],) = self._carried_out(stored[2]).out.splitlines()
        return []

    def _carried_out(self, command: str) -> Ran:
        words = [re.sub(r"\$([A-Z]+)", lambda name: self._known[name[1]], word) for word in shlex.split(command)]
        before = dict(word.split("=", 1) for word in words[: words.index("wardiary")])
        ran = self._terminal(*words[len(before) + 1 :], variables={**self._variables, **before})
        assert ran.code == 0, f"{command}: {ran.err}"
        return ran


def test_the_organisers_page_prints_what_it_shows(
    broker: Broker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shell = Shell(
        Terminal(tmp_path / "no-store.db"),
        {"WARDIARY_CONNECT": broker.address, "WARDIARY_SEATS": "olga.json"},
        {"OPERATOR": OWNER},
    )
    wrong = []
    for command, said in console(PAGE):
        printed = shell.run(command)
        if not is_said(said, printed):
            wrong.append((command, printed))

    assert wrong == []
    assert not Path("no-store.db").exists()
