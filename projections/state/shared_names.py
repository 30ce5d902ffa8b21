"""Names that the tables of all matches share, so that equal ones are one object in memory."""

from functools import lru_cache
from typing import Protocol, TypeVar, cast

Name = TypeVar("Name", bound=str)


class _Shared(Protocol):
    def __call__(self, name: Name, /) -> Name:
        """Return the name itself or an equal one."""


def _same(name: str) -> str:
    return name


# Decoding makes every string anew, so that an idle match would hold some hundred copies of the same few names: three
# times what its pieces take. The tables of all matches share their names instead; the cache is bounded because a name
# may be anything.
shared = cast("_Shared", lru_cache(maxsize=1 << 14)(_same))
"""Return the first of all equal names."""
