"""On a machine without a browser the tests of the pages fail and say how to get one."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.project.tree import ROOT
from tests.support import chromium
from tests.support.chromium import DOWNLOAD, SYSTEM


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python where no browser can be found."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WARDIARY_", "PYTEST_"))}
    nowhere = {"PATH": str(folder), "PLAYWRIGHT_BROWSERS_PATH": str(folder)}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env={**kept, **nowhere, **variables}, capture_output=True, text=True, check=False
    )


def test_the_tests_of_the_pages_fail_and_say_what_to_do(tmp_path: Path) -> None:
    done = run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "tests/browser/test_invitations.py")

    assert done.returncode == pytest.ExitCode.TESTS_FAILED, done.stdout + done.stderr
    assert "no browser was found: `make browser` gets one" in done.stdout
    assert re.search(r"\b2 errors in ", done.stdout.splitlines()[-1]), "none is skipped"


@pytest.mark.long
def test_the_tests_of_the_pages_can_be_left_out(tmp_path: Path) -> None:
    done = run(
        tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "-m", "not browser", "tests/browser/test_invitations.py"
    )

    assert done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, done.stdout + done.stderr
    assert "4 deselected" in done.stdout


@pytest.mark.long
def test_a_browser_that_cannot_be_downloaded_is_to_be_had_from_the_system(tmp_path: Path) -> None:
    done = run(tmp_path, "tests.support.chromium", PLAYWRIGHT_DOWNLOAD_HOST="http://127.0.0.1:9", CI="")

    assert done.returncode == 1
    assert "No browser could be downloaded." in done.stderr
    assert "apt install chromium" in done.stderr


@pytest.mark.parametrize(
    ("is_pipeline", "commands"),
    [("", [DOWNLOAD]), ("true", [*SYSTEM, DOWNLOAD])],
)
def test_only_a_pipeline_installs_a_browser_with_its_system(
    is_pipeline: str, commands: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[tuple[str, ...]] = []
    monkeypatch.setenv("CI", is_pipeline)
    monkeypatch.setattr(chromium, "is_there", lambda: False)
    monkeypatch.setattr(shutil, "which", {"apt-get": "/bin/apt-get"}.get)
    monkeypatch.setattr(subprocess, "run", lambda command, **_: ran.append(command))
    chromium.get()

    assert ran == commands
