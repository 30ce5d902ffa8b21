"""Finds a browser for the tests of the pages: `python -m tests.support.chromium` gets one if there is none.

It is the program named by WARDIARY_BROWSER, else the browser that Playwright installed, else one of the system's. One of the system's is
installed only in a pipeline (the variable CI is set): nobody else's system is changed.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

VARIABLE = "WARDIARY_BROWSER"
NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
"""The programs of a system that are looked for."""

ARGUMENTS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""No program but the pages is asked for anything."""

MISSING = (
    f"no browser was found: `make browser` gets one, or set {VARIABLE} to the path of a Chromium or Chrome; "
    """`make test PYTEST_ARGS='-m "not browser"'` leaves the tests of the pages out"""
)
PACKAGES = (
    "Install one with the system instead, and it will be found:\n"
    "  apt install chromium    (Debian)        apt install chromium-browser  (Ubuntu)\n"
    "  dnf install chromium    (Fedora)        pacman -S chromium            (Arch)\n"
    "  brew install --cask chromium  (macOS)\n"
    f"or set {VARIABLE} to the path of any Chromium or Chrome.\n"
    """To leave the tests of the pages out: make test PYTEST_ARGS='-m "not browser"'"""
)
SYSTEMS = (("apt-get", "update", "--quiet=2"), ("apt-get", "install", "--quiet=2", "--yes", "chromium"))
"""The commands by which a pipeline installs one with the system."""


def program(playwright: Playwright) -> str:
    """Return the path of a browser; empty if there is none."""
    named = os.environ.get(VARIABLE, "")
    own = playwright.chromium.executable_path
    if named or Path(own).exists():
        return named or own
    return next(filter(None, map(shutil.which, NAMES)), "")


@contextmanager
def chromium() -> Iterator[Browser | None]:
    """Start a browser without a screen, and end it when the block ends; None if there is none."""
    with sync_playwright() as playwright:
        found = program(playwright)
        if not found:
            yield None
            return
        browser = _launched(playwright, found)
        try:
            yield browser
        finally:
            browser.close()


def _launched(playwright: Playwright, found: str) -> Browser:
    """Start a browser, in a sandbox if the system lets it: it does not for root, nor in most containers."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    if not is_root:
        try:
            return playwright.chromium.launch(executable_path=found, args=ARGUMENTS, chromium_sandbox=True)
        except Error as error:
            if "sandbox" not in error.message:
                raise
    return playwright.chromium.launch(executable_path=found, args=ARGUMENTS, chromium_sandbox=False)


def is_there() -> bool:
    """Return whether there is a browser."""
    with sync_playwright() as playwright:
        return bool(program(playwright))


def get() -> None:
    """Download a browser; in a pipeline where that is not possible, install the system's."""
    done = subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False)
    if done.returncode and os.environ.get("CI") and shutil.which(SYSTEMS[0][0]):
        for command in SYSTEMS:
            subprocess.run(command, check=False)


def main() -> int:
    """Get a browser if there is none, start it, and say which one is used."""
    if not is_there():
        get()
    try:
        with chromium() as browser:
            if browser is not None:
                sys.stdout.write(f"The tests of the pages use Chromium {browser.version}.\n")
                return 0
            problem = "No browser could be downloaded."
    except Error as error:
        problem = f"The browser does not start: {error.message}"
    sys.stderr.write(f"{problem}\n{PACKAGES}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())
