"""Penalties: for how long no new connection is accepted from an address, after one from there was cut for what it sent."""

from collections import OrderedDict

FIRST_S = 1.0
LONGEST_S = 16.0
"""The first penalty of an address, and the longest; each further one is twice as long as the one before it (seconds)."""

FORGOTTEN_S = 60.0
"""How long after the end of its last penalty an address counts as new (seconds)."""

ADDRESSES_MAX = 10_000
"""How many addresses are remembered; the one that was penalized longest ago is forgotten first."""


class Penalties:
    """The addresses that are penalized. Open connections from there are not affected."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def add(self, address: str, now: float) -> float:
        """Penalize an address, unless a penalty runs already; return how long its penalty runs from now on (seconds)."""
        until, length = self._known.pop(address, (-FORGOTTEN_S, 0.0))
        if now >= until:
            length = FIRST_S if now >= until + FORGOTTEN_S else min(LONGEST_S, 2 * length)
            until = now + length
        self._known[address] = until, length
        if len(self._known) > ADDRESSES_MAX:
            self._known.popitem(last=False)
        return until - now

    def runs(self, address: str, now: float) -> bool:
        """Return whether a penalty runs."""
        return address in self._known and now < self._known[address][0]
