"""A browser for each module of tests, and visitors in it; whatever goes wrong in a window fails the test, and what it showed is kept."""

from collections.abc import Generator, Iterator
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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser without a screen; it ends with the module, because while it runs no other event loop can."""
    with chromium() as started:
        if started is None:
            pytest.fail(MISSING, pytrace=False)
        yield started


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
