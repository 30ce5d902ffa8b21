"""Quick reading of arguments.

The typer of our lock file builds a validator of a whole library for every single argument, which takes longer than
most verbs. All our arguments are texts, numbers, switches and lists of texts, so they are read here. Where typer is of
another make, it reads them itself.
"""

from collections.abc import Sequence

import typer

_READER = "_runtime_param"
"""Where typer keeps what reads an argument; made on first use, and so can be put there before."""


class Plain:
    """Reads one argument of a plain type.

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
            raise typer.BadParameter(f"{value!r} is no number") from None

    def _whole(self, value: str) -> int:
        digits = value.removeprefix("-")
        if not (digits.isascii() and digits.isdecimal() and len(digits) <= 15):
            raise typer.BadParameter(f"{value!r} is no whole number")
        return int(value)


def read_plainly(params: Sequence[object]) -> list[object]:
    """Let these parameters of a command be read plainly, where typer allows it, and return them."""
    for param in params:
        parts = vars(param)
        descriptor = parts.get("type_descriptor")
        if _READER in parts and parts[_READER] is None and descriptor is not None:
            parts[_READER] = Plain(descriptor.annotation)
    return list(params)
