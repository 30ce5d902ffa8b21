"""The cache of parsed texts is bounded by the number and the length of its entries."""

import pytest

from core.match.bounded_cache import BoundedCache


def test_results_are_cached_and_the_least_recently_used_is_dropped_first() -> None:
    made: list[str] = []

    def make(text: str) -> str:
        made.append(text)
        return text.upper()

    cache: BoundedCache[str] = BoundedCache(2, 100)
    got = [cache.get(text, make) for text in ("a", "b", "a", "c", "a", "b")]

    assert got == ["A", "B", "A", "C", "A", "B"]
    assert made == ["a", "b", "c", "b"]
    assert len(cache) == 2


def test_the_total_length_of_cached_texts_is_bounded() -> None:
    cache: BoundedCache[int] = BoundedCache(100, 10)
    for text in ("aaaa", "bbbb", "cccc", "dd"):
        cache.get(text, len)

    assert len(cache) == 3
    cache.get("x" * 11, len)

    assert len(cache) == 0
    assert cache.get("aaaa", len) == 4


def test_an_error_is_not_cached() -> None:
    cache: BoundedCache[int] = BoundedCache(2, 100)
    with pytest.raises(ValueError, match="invalid literal"):
        cache.get("x", int)

    assert len(cache) == 0
