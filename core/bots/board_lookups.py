"""Knowledge that bots work out of a board: made once, and kept for all tables on it."""

from collections.abc import Callable
from typing import Protocol, TypeVar

from core.components.component_file import Source
from events.ids import Digest


class SourcedBoard(Protocol):
    """A board that says which file it is from."""

    @property
    def source(self) -> Source:
        """The file."""
        ...


B = TypeVar("B", bound=SourcedBoard)
T = TypeVar("T")


def once_a_board(make: Callable[[B], T]) -> Callable[[B], T]:
    """Return a function that makes something of a board once, and returns the same for each board from the same file."""
    kept: dict[Digest, T] = {}

    def made(board: B) -> T:
        digest = board.source.digest
        if digest not in kept:
            kept[digest] = make(board)
        return kept[digest]

    return made
