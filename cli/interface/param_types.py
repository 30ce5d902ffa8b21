"""Quick reading of arguments.

The locked version of typer builds a validator for every argument, which takes longer than most verbs. All our arguments are
strings, numbers, flags and lists of strings, so they are parsed here. Other versions of typer parse them themselves.
"""

from collections.abc import Sequence

import typer

_READER = "_runtime_param"
"""The attribute in which typer caches an argument's parser; it is filled on first use, so a value set before is used."""


DIGITS_MAX = 15
"""The most digits of a number: every such number is exact in all that reads JSON."""


class Plain:
    """Parses one argument of a plain type.

    Args:
        type_: `str`, `int`, `float`, `bool` or `list[str]`.
    """

    def __init__(self, type_: object) -> None:
        self.type = type_

    def coerce(self, value: object, param: object, ctx: typer.Context) -> object:
        """Return the value of the type; a missing list is empty.

        Raises:
            BadParameter: It cannot be read as such.
        """
        if self.type == list[str]:
            return list(value) if isinstance(value, list | tuple) else []
        if not isinstance(value, str) or self.type is str:
            return value
        if self.type is int:
            return self._whole(value)
        try:
            return float(value)
        except ValueError:
            raise typer.BadParameter(f"{value!r} is not a number") from None

    def _whole(self, value: str) -> int:
        digits = value.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal()):
            raise typer.BadParameter(f"{value!r} is not a whole number")
        if len(digits) > DIGITS_MAX:
            raise typer.BadParameter(f"a number has {DIGITS_MAX} digits at most, not {len(digits)}")
        return int(value)


def read_plainly(params: Sequence[object]) -> list[object]:
    """Set the quick parsers of a command's parameters if typer allows it, and return the parameters."""
    for param in params:
        parts = vars(param)
        descriptor = parts.get("type_descriptor")
        if _READER in parts and parts[_READER] is None and descriptor is not None:
            parts[_READER] = Plain(descriptor.annotation)
    return list(params)
