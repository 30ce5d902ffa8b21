"""The time of the processor that each test takes: a plug-in of pytest, for `--cpu` and for runs of all tests.

Unlike the time on the clock it hardly depends on what else the machine does. What a process takes that a test has started counts once the
process has ended and was waited for; a browser's counts for the last test that used it.
"""

import os
from collections.abc import Generator, Iterator
from typing import Any

import pytest

SHOWN = 10
"""How many tests are named."""


def used() -> float:
    """Return the time (seconds) that this process and those that it has started and that have ended took."""
    return sum(os.times()[:4])


class CpuPlugin:
    """Measures each test, and names those that took most at the end."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Measure a test with all that it sets up and tears down."""
        before = used()
        done = yield
        self.spent[item.nodeid] = used() - before
        return done

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """Add what a worker has measured."""
        self.spent |= getattr(node, "workeroutput", {}).get("cpu", {})

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Send what was measured to the process that started this one."""
        output = getattr(session.config, "workeroutput", None)
        if output is not None:
            output["cpu"] = self.spent

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the sum and the tests that took most."""
        for line in self.lines():
            terminalreporter.write_line(line)

    def lines(self) -> Iterator[str]:
        """Yield the sum, and a line for each of the tests that took most."""
        yield f"{sum(self.spent.values()):.0f} s of the processor in {len(self.spent)} tests; most in"
        for test in sorted(self.spent, key=lambda one: -self.spent[one])[:SHOWN]:
            yield f"{self.spent[test]:6.2f} s  {test}"
