"""The budget: the load of the scalable tests."""

import os
import subprocess
import sys
from argparse import Namespace
from copy import copy

import pytest
from hypothesis import settings

from tests.conftest import EXAMPLES, parse_budget, wants_long
from tests.project.tree import ROOT
from tests.support.cpu import CpuPlugin, used
from tests.support.rows import each_row
from tests.support.soak import few, sampled


def test_generated_examples_grow_with_the_budget(budget: float) -> None:
    assert settings().max_examples == max(1, round(EXAMPLES * budget))


@pytest.mark.parametrize(("case", "number"), sampled([("short", 1), ("long", 2)], lambda case, _: case == "short"))
def test_a_long_case_is_tried_only_if_it_is_wanted(case: str, number: int, pytestconfig: pytest.Config) -> None:
    assert case == "short" or (number == 2 and wants_long(pytestconfig))


def test_the_first_of_like_cases_are_always_tried() -> None:
    assert [(case.values, bool(case.marks)) for case in few([1, 2, 3], 2)] == [
        ((1,), False),
        ((2,), False),
        ((3,), True),
    ]
    assert [bool(case.marks) for case in few([("a", 1), ("a", 1)])] == [False, True]


@each_row(("budget", "marks", "is_wanted"), [("short", "", False), ("2", "", True), ("short", "soak or long", True)])
def test_long_cases_are_wanted_by_a_larger_budget_or_by_name(
    budget: str, marks: str, is_wanted: bool, pytestconfig: pytest.Config
) -> None:
    given = copy(pytestconfig)
    given.option = Namespace(**{**vars(pytestconfig.option), "budget": budget, "markexpr": marks})

    assert wants_long(given) == is_wanted


def test_what_takes_the_budget_is_chosen_by_make_soak(budget: float, request: pytest.FixtureRequest) -> None:
    assert (budget > 0, request.node.get_closest_marker("soak") is not None) == (True, True)


def test_some_case_is_always_tried() -> None:
    with pytest.raises(AssertionError, match="nothing would be tried"):
        sampled(["long", "longer"], "short".__eq__)


@each_row("wrong", ["0", "-1", "nan", "inf", "plenty", ""])
def test_an_invalid_budget_is_refused(wrong: str) -> None:
    with pytest.raises(pytest.UsageError) as caught:
        parse_budget(wrong)

    assert str(caught.value) == f"a budget is short, long or a positive number, not {wrong!r}"


def test_an_invalid_budget_is_refused_in_one_line() -> None:
    wrong = "plenty"
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "tests/project/test_budget.py"]
    finished = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "WARDIARY_BUDGET": wrong}, capture_output=True, text=True, check=False
    )

    assert finished.returncode == pytest.ExitCode.USAGE_ERROR
    assert finished.stderr.strip() == f"ERROR: a budget is short, long or a positive number, not {wrong!r}"


def test_the_tests_that_take_most_of_the_processor_are_named_first() -> None:
    plugin = CpuPlugin()
    plugin.spent = {f"test_{number}": number / 10 for number in range(21)}
    total, first, *rest = plugin.lines()

    assert total == "21 s of the processor in 21 tests; most in"
    assert (first, len(rest)) == ("  2.00 s  test_20", 9)


def test_what_a_started_process_takes_counts_for_its_test() -> None:
    before = used()
    subprocess.run([sys.executable, "-c", "sum(range(3_000_000))"], check=True)

    assert used() - before > 0.02


def failing(number: int, word: str) -> None:
    assert number < 2, f"{word} is too large"


def test_all_rows_are_tried_and_those_that_fail_are_named() -> None:
    seen: list[int] = []

    @each_row("number, word", [(1, "one"), (2, "two"), pytest.param(3, "three", id="odd")])
    def table(number: int, word: str, *, place: str) -> None:
        seen.append(number)
        failing(number, f"{word} {place}")

    with pytest.raises(AssertionError, match="two here is too large") as caught:
        table(place="here")

    assert seen == [1, 2, 3]
    assert caught.value.__notes__ == [
        "2 of 3 rows fail:\n  2, 'two': two here is too large\n  odd: three here is too large"
    ]


def test_a_table_holds_rows_without_marks() -> None:
    with pytest.raises(AssertionError, match="tries nothing"):
        each_row("number", [])
    with pytest.raises(AssertionError, match="cannot be marked"):
        each_row("number", [pytest.param(1, marks=pytest.mark.long)])
