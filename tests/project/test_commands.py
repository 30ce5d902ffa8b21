"""The make targets, and the tools that `make check` runs."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import ROOT

# Variables that make sets for nested makes; these runs must behave as if typed by hand.
OUTER_MAKE = frozenset(("MAKEFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MFLAGS"))
BIN = Path(sys.executable).parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
CHECKS = re.findall(r"^\t\$\(BIN\)/(.+)$", MAKEFILE.partition("\ncheck:")[2].partition("\n\n")[0], re.MULTILINE)


def run(*command: str | Path, folder: Path = ROOT) -> tuple[int, str]:
    """Run a command and return its exit code and its output."""
    environment = {name: value for name, value in os.environ.items() if name not in OUTER_MAKE}
    finished = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=500
    )
    return finished.returncode, finished.stdout + finished.stderr


@pytest.mark.parametrize("check", CHECKS)
def test_the_tools_of_make_check_pass(check: str) -> None:
    tool, *arguments = check.split()
    code, printed = run(BIN / tool, *arguments)

    assert code == 0, printed


def test_make_check_runs_formatter_linter_types_and_contracts() -> None:
    assert [check.replace("python -m ", "").split()[0] for check in CHECKS] == ["ruff", "ruff", "mypy", "lint-imports"]


def test_every_make_target_is_described() -> None:
    phony = re.findall(r"^\.PHONY: ((?:[a-z]+ ?)+)$", MAKEFILE, re.MULTILINE)
    documented = re.findall(r"^([a-z]+):.*## [A-Z].*\.$", MAKEFILE, re.MULTILINE)

    assert " ".join(phony).split() == documented


def test_make_without_arguments_lists_the_targets() -> None:
    code, printed = run("make", "--silent")

    assert code == 0, printed
    assert {"demo", "test", "setup", "check", "bench", "soak"} <= set(
        re.findall(r"^ +make ([a-z]+) ", printed, re.MULTILINE)
    )


def test_a_python_that_is_too_old_is_refused_in_one_line(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    (tmp_path / "Makefile").write_text(MAKEFILE, encoding="utf-8")
    code, printed = run("make", "--silent", "setup", f"PYTHON={old}", folder=tmp_path)

    assert code != 0
    assert printed.splitlines()[0].startswith("War Diary needs Python 3.11 or newer")
    assert not (tmp_path / ".venv").exists()


def test_the_pipeline_runs_make_test_and_nothing_else() -> None:
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    commands = [line for line in lines if line and not line.startswith("#")]

    assert commands == ["set -euo pipefail", 'cd "$(dirname "$0")/.."', "exec make test </dev/null"]


def test_the_readme_opens_with_the_two_commands() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    first_commands = [line.split()[:2] for line in readme if line.strip().startswith("make ")][:2]

    assert first_commands == [["make", "demo"], ["make", "test"]]
