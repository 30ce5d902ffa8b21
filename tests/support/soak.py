"""Samples: of many like cases `make test` tries a few, and `make soak` all of them."""

from collections.abc import Callable, Iterable

import pytest
from _pytest.mark.structures import ParameterSet


def sampled(cases: Iterable[object], is_short: Callable[..., bool]) -> list[ParameterSet]:
    """Mark as long the cases that a larger budget tries; a case of several values is a tuple, or made by `pytest.param`.

    Args:
        cases: All of them, in the order in which they are tried.
        is_short: Says of the values of a case whether it is always tried. At least one of them is.
    """
    given = [
        case if isinstance(case, ParameterSet) else pytest.param(*case) if type(case) is tuple else pytest.param(case)
        for case in cases
    ]
    tried = [is_short(*case.values) for case in given]
    assert any(tried), "nothing would be tried by `make test`"
    return [
        case if is_tried else pytest.param(*case.values, id=case.id, marks=[*case.marks, pytest.mark.long])
        for case, is_tried in zip(given, tried, strict=True)
    ]


def few(cases: Iterable[object], count: int = 1) -> list[ParameterSet]:
    """Mark as long all like cases but the first ones; a case of several values is a tuple, or made by `pytest.param`.

    Args:
        cases: All of them, in the order in which they are tried.
        count: How many of them are always tried, at least 1.
    """
    tried = iter(range(count))
    return sampled(cases, lambda *_: next(tried, None) is not None)
