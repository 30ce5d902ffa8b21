"""The base of all shapes, and the shape of an error."""

from events.codec import Struct


class Shape(Struct, frozen=True, kw_only=True, tag_field="shape"):
    """The base of all shapes."""


class ErrorShape(Shape, frozen=True, kw_only=True, tag="error"):
    """The error of a failed command, on stderr. `code` is stable, `exit` the process's exit code, `message` one line."""

    code: str
    exit: int
    message: str
    rule: str = ""
    defects: tuple[str, ...] = ()
