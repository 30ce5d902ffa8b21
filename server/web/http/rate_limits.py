"""Rate limit of a visitor's requests: a bucket that is refilled steadily for each address."""

from collections import OrderedDict
from ipaddress import IPv6Address, IPv6Network, ip_address

from server.protocol.clock import Clock

ADDRESSES_MAX = 10_000
NETWORK_BITS = 64
"""So much of an address of IPv6 is that of a visitor; the rest is the visitor's own choice."""


def whose(host: str) -> str:
    """Return by what the limits of an address go: by itself, or by its network if it is one of IPv6."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if not isinstance(address, IPv6Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return host if address.is_loopback else str(IPv6Network((int(address), NETWORK_BITS), strict=False))


class Rates:
    """Buckets by address.

    Args:
        clock: Tells how much was refilled.
        most: How many requests a full bucket allows at once.
        per_s: How many are refilled each second.
    """

    def __init__(self, clock: Clock, *, most: float, per_s: float) -> None:
        self._clock = clock
        self._most = most
        self._per_s = per_s
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait_s(self, address: str, cost: float = 1.0) -> float:
        """Take from the bucket of an address.

        Returns:
            0 if there was enough; otherwise how long to wait (seconds), and nothing was taken.
        """
        now = self._clock.monotonic()
        left, since = self._left.pop(address, (self._most, now))
        left = min(self._most, left + (now - since) * self._per_s)
        wait = 0.0 if left >= cost else (cost - left) / self._per_s
        self._left[address] = (left if wait else left - cost, now)
        while len(self._left) > ADDRESSES_MAX:
            self._left.popitem(last=False)
        return wait

    def give_back(self, address: str, cost: float = 1.0) -> None:
        """Put back what an address took for something that did not happen."""
        if address in self._left:
            left, since = self._left[address]
            self._left[address] = (min(self._most, left + cost), since)
