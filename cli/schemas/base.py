"""What all shapes share, and the shape of an error."""

from events.codec import Struct


class Shape(Struct, frozen=True, kw_only=True, tag_field="shape"):
    """What all objects share."""


class ErrorShape(Shape, frozen=True, kw_only=True, tag="error"):
    """Why nothing came of it; on stderr. `code` is stable, `exit` the process's exit code, `message` one line."""

    code: str
    exit: int
    message: str
    rule: str = ""
    defects: tuple[str, ...] = ()
