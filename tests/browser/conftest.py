"""A browser, and visitors in it; whatever goes wrong in a window fails the test, and what it showed is kept."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.support.chromium import MISSING, chromium
from tests.support.site import Site, site
from tests.support.visitors import Visitors, visitors_of


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of this folder, so that they can be left out."""
    item.add_marker(pytest.mark.browser)


RUNNING: list[tuple[ExitStack, Browser]] = []
"""The browser of this process, if it runs."""


@pytest.fixture(scope="module")
def browser() -> Browser:
    """A browser without a screen, which serves all modules of this folder."""
    if not RUNNING:
        closing = ExitStack()
        started = closing.enter_context(chromium())
        if started is None:
            closing.close()
            pytest.fail(MISSING, pytrace=False)
        RUNNING.append((closing, started))
    return RUNNING[0][1]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Iterator[None]:
    """End the browser before a test of another folder: while it runs, no other event loop can."""
    yield
    if RUNNING and (nextitem is None or nextitem.get_closest_marker("browser") is None):
        closing, _ = RUNNING.pop()
        closing.close()


@pytest.fixture
def visitors(browser: Browser, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Visitors]:
    """Visitors in whose windows nothing may go wrong."""
    with visitors_of(browser) as made:
        request.node.visitors = made
        yield made
        problems = made.problems
        if problems:
            kept = "\n".join(map(str, made.keep(tmp_path)))
            pytest.fail("\n".join([*problems, f"what the windows show:\n{kept}"]), pytrace=False)


@pytest.fixture
def place() -> Iterator[Site]:
    """Pages of a store without matches."""
    with site() as made:
        yield made


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: Any, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Keep what the windows of a failed test show, and say where."""
    report = yield
    made: Visitors | None = getattr(item, "visitors", None)
    if report.when == "call" and report.failed and made is not None:
        kept = "\n".join(map(str, made.keep(item.funcargs["tmp_path"])))
        report.sections.append(("what the windows show", kept))
    return report
