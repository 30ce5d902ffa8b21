"""Budgets are read as they are typed, and refused with what would be right."""

import pytest

from core.bots.budget import NO_BUDGET, Budget, BudgetInvalid, parse_budget
from tests.support.rows import each_row


@each_row(
    ("text", "budget"),
    [
        ("", NO_BUDGET),
        ("500", Budget(playouts=500)),
        ("10000000", Budget(playouts=10_000_000)),
        ("200ms", Budget(ms=200)),
        ("2s", Budget(ms=2_000)),
        (" 600s ", Budget(ms=600_000)),
    ],
)
def test_a_budget_is_a_number_of_playouts_or_a_time(text: str, budget: Budget) -> None:
    assert parse_budget(text) == budget
    assert parse_budget(str(budget)) == budget


@each_row("text", ["0", "10000001", "1000000000", "0ms", "601s", "ten", "5 ms", "-1", "1.5s", "1" * 50, "५"])
def test_other_budgets_are_refused(text: str) -> None:
    with pytest.raises(BudgetInvalid, match=r"a budget (is|has) .*(1 to|as in)"):
        parse_budget(text)
