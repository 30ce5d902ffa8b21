"""The functions that each test reaches, recorded while the tests run."""

import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import CodeType, FrameType

import pytest

Place = tuple[str, str]
"""A function: the path of its module below the root, and its qualified name; what it defines inside belongs to it."""


class Reach:
    """A pytest plugin that records for each test its seconds and the functions of some modules that it calls.

    Args:
        root: The root of the tree.
        modules: Paths below it.
    """

    def __init__(self, root: Path, modules: Sequence[str]) -> None:
        self._names = {str(root / module): module for module in modules}
        self._called: set[CodeType] = set()
        self.seconds: dict[str, float] = {}
        self.tests: dict[Place, list[str]] = defaultdict(list)
        self.failed: list[str] = []

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Record one test, its fixtures included."""
        self._called = set()
        began = time.perf_counter()
        sys.settrace(self._note)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            self.seconds[item.nodeid] = time.perf_counter() - began
            for place in {self._place(code) for code in self._called if code.co_filename in self._names}:
                self.tests[place].append(item.nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test that fails without any fault."""
        if report.failed:
            self.failed.append(report.nodeid)

    def _note(self, frame: FrameType, event: str, argument: object) -> None:
        # Without a tracer of its own a frame reports its call and nothing else.
        self._called.add(frame.f_code)

    def _place(self, code: CodeType) -> Place:
        return self._names[code.co_filename], code.co_qualname.partition(".<locals>")[0]
