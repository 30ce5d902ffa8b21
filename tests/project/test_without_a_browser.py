"""On a machine without a browser the tests of the pages are left out, and the last lines say how to get one."""

import os
import subprocess
import sys
from pathlib import Path

from tests.project.tree import ROOT


def run(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a module of Python where no browser can be found."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WARDIARY_", "PYTEST_"))}
    nowhere = {"PATH": str(folder), "PLAYWRIGHT_BROWSERS_PATH": str(folder)}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(
        command, cwd=ROOT, env={**kept, **nowhere, **variables}, capture_output=True, text=True, check=False
    )


def test_the_tests_of_the_pages_are_left_out_and_the_last_lines_say_so(tmp_path: Path) -> None:
    done = run(tmp_path, "pytest", "-q", "-p", "no:cacheprovider", "tests/browser/test_checking.py")
    last = done.stdout.splitlines()[-4:]

    assert done.returncode == 0, done.stdout + done.stderr
    assert "7 tests of the pages did not run: no browser was found: `make browser` gets one" in "\n".join(last)
    assert "They are in tests/browser/test_checking.py" in last
    assert "7 skipped" in last[-1]


def test_a_browser_that_cannot_be_downloaded_is_to_be_had_from_the_system(tmp_path: Path) -> None:
    done = run(tmp_path, "tests.support.chromium", PLAYWRIGHT_DOWNLOAD_HOST="http://127.0.0.1:9")

    assert done.returncode == 1
    assert "No browser could be downloaded." in done.stderr
    assert "apt install chromium" in done.stderr
