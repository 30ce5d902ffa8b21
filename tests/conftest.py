"""Shared by all tests: the budget of the scalable ones and deterministic generation."""

import gc
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support.cpu import CpuPlugin
from tests.support.ledger import LedgerPlugin

NAMED_BUDGETS = {"short": 1.0, "long": 100.0}
MEMORY = Path("/dev/shm")
MEMORY_MIN = 4 << 30
"""How much must be free there (bytes)."""
EXAMPLES = 25
"""How many examples hypothesis tries at budget 1: always the same ones, so that more of them would find little more."""


def parse_budget(text: str) -> float:
    """Read a budget: a name of `NAMED_BUDGETS` or a positive multiple."""
    try:
        budget = NAMED_BUDGETS.get(text) or float(text)
    except ValueError:
        budget = 0.0
    if not 0.0 < budget < float("inf"):
        message = f"a budget is {', '.join(NAMED_BUDGETS)} or a positive number, not {text!r}"
        raise pytest.UsageError(message)
    return budget


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--budget`, `--cpu` and `--ledger`."""
    parser.addoption(
        "--cpu", action="store_true", help="name the tests that take most of the processor, as a run of all does"
    )
    parser.addoption(
        "--ledger", action="store_true", help="print how each rule was met by the tests; fail if one was not"
    )
    parser.addoption(
        "--budget",
        default=os.environ.get("WARDIARY_BUDGET", "short"),
        help="how much the scalable tests try: short (1), long (100) or a multiple; also WARDIARY_BUDGET",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Keep byte code, and scale generated examples with the budget; only runs with a larger budget generate new examples."""
    keep_byte_code()
    keep_files_in_memory()
    budget = parse_budget(config.getoption("--budget"))
    settings.register_profile(
        "wardiary",
        max_examples=max(1, round(EXAMPLES * budget)),
        stateful_step_count=50,
        deadline=None,
        database=None,
        derandomize=budget <= 1.0,
        print_blob=True,
        suppress_health_check=[HealthCheck.too_slow],
    )
    settings.load_profile("wardiary")
    if config.getoption("--ledger") or is_whole(config):
        config.pluginmanager.register(LedgerPlugin(prints=config.getoption("--ledger")), "ledger")
    if config.getoption("--cpu") or is_whole(config):
        config.pluginmanager.register(CpuPlugin(), "cpu")


def keep_byte_code() -> None:
    """Keep byte code where the environment forbids it, as images of containers do: each of some hundred started processes would compile all it imports."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False


def keep_files_in_memory() -> None:
    """Let temporary files lie in memory where there is room and programs may run: some thousand stores are made, and each waits for the disk several times."""
    try:
        there = os.statvfs(MEMORY)
    except (AttributeError, OSError):
        return
    if there.f_bavail * there.f_frsize >= MEMORY_MIN and not there.f_flag & (os.ST_RDONLY | os.ST_NOEXEC):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))


def is_whole(config: pytest.Config) -> bool:
    """Return whether all tests are run, without a path or expression; a worker learns this from the process that started it."""
    given = getattr(config, "workerinput", None)
    if given is not None:
        return bool(given.get("is_whole"))
    is_unpicked = not config.option.keyword and not config.option.markexpr and not config.option.collectonly
    return is_unpicked and config.args_source is pytest.Config.ArgsSource.TESTPATHS


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what grows with the budget, before `-m` chooses by marks, and leave the long cases out, unless they are wanted."""
    for item in items:
        if "budget" in getattr(item, "fixturenames", ()):
            item.add_marker("soak")
    if wants_long(config):
        return
    left_out = [item for item in items if item.get_closest_marker("long")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if not item.get_closest_marker("long")]


def wants_long(config: pytest.Config) -> bool:
    """Return whether long cases are tried: with a larger budget, or if `-m` names them."""
    return parse_budget(config.getoption("--budget")) > 1.0 or "long" in config.option.markexpr


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a worker whether all tests are run."""
    node.workerinput["is_whole"] = is_whole(node.config)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return how many workers `-n auto` starts: one more than processors, because a worker also waits, for processes and for the disk."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Collect without searching for garbage, then and later: the trees of rewritten assertions and the tests stay, and there are many."""
    gc.disable()
    given = getattr(session.config, "workerinput", {})
    if given.get("is_whole"):
        import_share(int(given["workerid"].removeprefix("gw")), int(given["workercount"]))
    yield
    gc.freeze()
    gc.enable()


def import_share(number: int, count: int) -> None:
    """Import this worker's share of the modules of tests first: in a fresh clone each is then compiled by one worker, and not by all.

    A module that cannot be imported is left for the collection, which says why.
    """
    tests = sorted(Path(__file__).parent.rglob("test_*.py"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for path in tests[number::count]:
            with suppress(Exception, pytest.skip.Exception):
                import_module(".".join(path.relative_to(Path(__file__).parents[1]).with_suffix("").parts))


@pytest.fixture(scope="session")
def budget(pytestconfig: pytest.Config) -> float:
    """Multiply a scalable test's load by this: 1 in `make test`, 100 in `make soak`. What takes it is marked `soak` by itself."""
    return parse_budget(pytestconfig.getoption("--budget"))
