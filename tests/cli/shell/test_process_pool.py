"""Jobs on several cores: every result comes in the order of the items, whoever made it."""

import os
from itertools import islice

import pytest

from cli.shell.process_pool import in_order


def square(number: int) -> int:
    return number * number


def careful(number: int) -> int:
    if number == 5:
        raise ValueError("five")
    return number


def whose(number: int) -> int:
    return os.getpid()


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_results_come_in_the_order_of_the_items(jobs: int) -> None:
    assert list(in_order(square, range(50), jobs, "the test")) == [number * number for number in range(50)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_comes_after_the_results_before_it(jobs: int) -> None:
    results = in_order(careful, range(20), jobs, "the test")

    assert list(islice(results, 5)) == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="five"):
        next(results)


def test_this_process_works_while_others_start() -> None:
    assert os.getpid() in set(in_order(whose, range(20), 2, "the test"))


def test_this_process_may_take_a_shorter_way() -> None:
    results = list(in_order(square, range(20), 2, "the test", lambda number: -number))

    assert all(result in (number * number, -number) for number, result in enumerate(results))
    assert min(results) < 0
