"""Budgets: how much a bot may think about one decision."""

import re

from core.errors import KernelError
from events.codec import Struct

PLAYOUTS_MOST = 10_000_000
MS_MOST = 600_000

_FORM = re.compile(r"([0-9]{1,12})(ms|s)?")


class BudgetInvalid(KernelError):
    """A budget that cannot be read, or is out of range; the message says what would be right."""


class Budget(Struct, frozen=True):
    """Bound of how much a bot may think about one decision: 0 is none.

    Attributes:
        playouts: How many positions it may play on from; the same number gives the same choice on every machine.
        ms: Milliseconds.
    """

    playouts: int = 0
    ms: int = 0

    def __str__(self) -> str:  # type: ignore[explicit-override]
        """Return the budget as it is typed; empty if there is no bound."""
        return f"{self.ms}ms" if self.ms else f"{self.playouts}" if self.playouts else ""


NO_BUDGET = Budget()
"""The bot decides how much it thinks."""


def parse_policy(text: str) -> tuple[str, Budget]:
    """Return the name of a policy and its budget: `greedy`, `search:500`, `search:200ms`.

    Raises:
        BudgetInvalid: The budget cannot be read, or there is none after the colon.
    """
    name, colon, budget = text.partition(":")
    if colon and not budget:
        raise BudgetInvalid(f"a budget follows the colon, as in {name}:500 or {name}:200ms")
    return name, parse_budget(budget)


def parse_budget(text: str) -> Budget:
    """Return a budget: `500` playouts, `200ms`, `2s`; empty for none.

    Raises:
        BudgetInvalid: It is something else, or out of range.
    """
    if not text:
        return NO_BUDGET
    found = _FORM.fullmatch(text.strip())
    if found is None:
        raise BudgetInvalid(
            f"a budget is a number of playouts, as in 500, or a time, as in 200ms or 2s, not {text[:40]!r}"
        )
    number, unit = int(found[1]), found[2]
    if not unit:
        if not 1 <= number <= PLAYOUTS_MOST:
            raise BudgetInvalid(f"a budget has 1 to {PLAYOUTS_MOST} playouts, not {number}")
        return Budget(playouts=number)
    ms = number * (1000 if unit == "s" else 1)
    if not 1 <= ms <= MS_MOST:
        raise BudgetInvalid(f"a budget is 1 to {MS_MOST} ms long, not {ms}")
    return Budget(ms=ms)
