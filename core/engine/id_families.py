"""Ids that differ in some parts only, such as those of the spaces of a track or of the piles of both sides. They are written, never parsed."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

Id = TypeVar("Id")

KEPT_MAX = 4_096
"""How many ids of a family are kept: rules ask for the same ones over and over."""


def id_family(pattern: str, kind: Callable[[str], Id]) -> Callable[..., Id]:
    """Return the function that writes the ids of a family from their parts.

    Args:
        pattern: How an id is written, with `{}` for each part, such as `track/{}/{}`.
        kind: The kind of the ids.
    """
    return lru_cache(maxsize=KEPT_MAX)(lambda *parts: kind(pattern.format(*parts)))
