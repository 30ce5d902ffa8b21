"""What the structs that are stored as a cache are made of, in a few characters."""

import hashlib
from typing import Any, get_args, get_type_hints

from events.codec import Struct
from events.vocabulary import Event


def shape_of(root: type[Struct]) -> str:
    """Return the beginning of the SHA-256 over the fields and types of a struct and of all structs in it, except events.

    A cache names its schema by a number that is raised by hand: a test that pairs the number with the shape fails if that was forgotten.
    """
    waiting: list[Any] = [root]
    found: dict[str, list[str]] = {}
    while waiting:
        kind = waiting.pop()
        waiting += get_args(kind)
        if (
            not (isinstance(kind, type) and issubclass(kind, Struct))
            or kind.__name__ in found
            or hasattr(kind, "traits")
        ):
            continue
        hints = get_type_hints(kind)
        # A new event changes nothing that is stored already.
        found[kind.__name__] = [
            f"{name}: {hints[name]}".replace(str(Event), "Event") for name in kind.__struct_fields__
        ]
        waiting += hints.values()
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()[:12]
