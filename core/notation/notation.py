"""A match as notation: its tags, and its moves with what belongs to each."""

from core.errors import KernelError
from events.codec import Struct
from events.ids import NO_SEAT, Seat

FORMAT = "wardiary-notation/1"
BEGIN, RESIGN, UNTOLD = "begin", "resign", "..."
"""Words that are no orders of a game: the set-up, a resignation, and an order that the reader may not know."""

MARKS = ("!!", "??", "!?", "?!", "!", "?")
RUNNING = "*"
"""The result of a match that is not over."""


class NotationInvalid(KernelError):
    """A notation that cannot be read or played; the message begins with the line."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line = line


class NotationRefused(NotationInvalid):
    """An order that the rules do not allow; `rule` is the one that forbids it."""

    def __init__(self, line: int, problem: str, rule: str) -> None:
        super().__init__(line, problem)
        self.rule = rule


class Remark(Struct, frozen=True):
    """A comment, by a seat if it names one, which stands on a line; `roll` is the number of the roll of the order that it is about, 0 for the order itself."""

    text: str
    seat: Seat = NO_SEAT
    line: int = 0
    roll: int = 0


class Move(Struct):
    """An order with its results of chance, and what was said of it.

    `words` are those of the order. `faces` are the dice and `draws` the draws in the order in which they fell. `mark` judges it. `lines`
    are variations: what could have been played in its place.
    """

    words: tuple[str, ...]
    seat: Seat = NO_SEAT
    line: int = 0
    heading: str = ""
    faces: list[int] = []
    draws: list[str] = []
    rolls: list[tuple[int, ...]] = []
    mark: str = ""
    remarks: list[Remark] = []
    lines: list[list["Move"]] = []


class Tag(Struct, frozen=True):
    """A tag: its name and its values."""

    name: str
    values: tuple[str, ...]
    line: int = 0


class Notation(Struct):
    """A whole notation; `result` is what its last line says."""

    tags: list[Tag]
    moves: list[Move]
    result: str = RUNNING
    result_line: int = 0

    def values(self, name: str) -> list[tuple[str, ...]]:
        """Return the values of all tags of a name."""
        return [tag.values for tag in self.tags if tag.name == name]

    def value(self, name: str) -> str:
        """Return the value of the tag of a name; empty without one."""
        found = self.values(name)
        return found[0][0] if found and found[0] else ""
