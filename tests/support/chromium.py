"""Finds a browser for the tests of the pages: `python -m tests.support.chromium` gets one if there is none.

It is the program named by WARDIARY_BROWSER, else the one that Playwright installed, else one of the system's. A browser without a screen
takes half the time of one with it. A pipeline (the variable CI is set) installs it with the system; nobody else's system is changed.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Error, Playwright, sync_playwright

VARIABLE = "WARDIARY_BROWSER"
QUICK = "chromium-headless-shell"
NAMES = (QUICK, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
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
DOWNLOAD = (sys.executable, "-m", "playwright", "install", "--only-shell", "chromium")
SYSTEM = (("apt-get", "update", "--quiet=2"), ("apt-get", "install", "--quiet=2", "--yes", QUICK))
"""The commands by which a pipeline gets one."""


def programs() -> list[str | None]:
    """Return the paths of browsers in the order in which they are tried; None is Playwright's own."""
    named = os.environ.get(VARIABLE)
    return [named] if named else [None, *filter(None, map(shutil.which, NAMES))]


@contextmanager
def chromium() -> Iterator[Browser | None]:
    """Start a browser without a screen, and end it when the block ends; None if there is none."""
    with sync_playwright() as playwright:
        browser = next(filter(None, (_launched(playwright, found) for found in programs())), None)
        try:
            yield browser
        finally:
            if browser is not None:
                browser.close()


def _launched(playwright: Playwright, found: str | None) -> Browser | None:
    """Start a browser, in a sandbox if the system lets it: it does not for root, nor in most containers. None if it is not there."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    for has_sandbox in (False,) if is_root else (True, False):
        try:
            return playwright.chromium.launch(executable_path=found, args=ARGUMENTS, chromium_sandbox=has_sandbox)
        except Error as error:
            if found is None and "Executable doesn't exist" in error.message:
                return None
            if not has_sandbox or "sandbox" not in error.message:
                raise
    return None


def get() -> None:
    """Download a browser if there is none; a pipeline gets the quick one of its system, if it has that."""
    if os.environ.get("CI") and shutil.which("apt-get") and not shutil.which(QUICK):
        for command in SYSTEM:
            subprocess.run(command, check=False)
    if not is_there():
        subprocess.run(DOWNLOAD, check=False)


def is_there() -> bool:
    """Return whether a browser can be started."""
    with chromium() as browser:
        return browser is not None


def main() -> int:
    """Get a browser if there is none, start it, and say which one is used."""
    try:
        get()
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
