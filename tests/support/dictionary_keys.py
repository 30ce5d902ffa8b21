"""Finds dictionaries whose keys are no texts: they cannot be encoded in a canonical form, so that nothing that holds them can be printed or sent."""

from collections.abc import Iterator, Mapping
from typing import get_args, get_origin, get_type_hints

from events.codec import Struct


def keys_of(kind: type[Struct]) -> Iterator[tuple[str, object]]:
    """Yield the dictionaries in a struct and in those that it holds, as `Struct.field`, each with the type of its keys."""
    yield from _in_struct(kind, set())


def _in_struct(kind: type, met: set[type]) -> Iterator[tuple[str, object]]:
    if kind in met:
        return
    met.add(kind)
    for name, hint in get_type_hints(kind).items():
        yield from ((where or f"{kind.__name__}.{name}", key) for where, key in _in_hint(hint, met))


def _in_hint(hint: object, met: set[type]) -> Iterator[tuple[str, object]]:
    if get_origin(hint) in (dict, Mapping):
        key = get_args(hint)[0]
        yield "", getattr(key, "__supertype__", key)
    if isinstance(hint, type) and issubclass(hint, Struct):
        yield from _in_struct(hint, met)
    for part in get_args(hint):
        yield from _in_hint(part, met)
