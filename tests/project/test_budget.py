"""The budget: the load of the scalable tests."""

import os
import subprocess
import sys

import pytest
from hypothesis import settings

from tests.conftest import EXAMPLES, parse_budget
from tests.project.tree import ROOT
from tests.support.soak import sampled


def test_generated_examples_grow_with_the_budget(budget: float) -> None:
    assert settings().max_examples == max(1, round(EXAMPLES * budget))


@pytest.mark.parametrize(("case", "number"), sampled([("short", 1), ("long", 2)], lambda case, _: case == "short"))
def test_a_long_case_is_tried_with_a_larger_budget_only(case: str, number: int, budget: float) -> None:
    assert case == "short" or budget > number / 2


def test_some_case_is_always_tried() -> None:
    with pytest.raises(AssertionError, match="nothing would be tried"):
        sampled(["long", "longer"], "short".__eq__)


@pytest.mark.parametrize("wrong", ["0", "-1", "nan", "inf", "plenty", ""])
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
