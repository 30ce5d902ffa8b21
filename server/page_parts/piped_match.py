"""A match on the standard input of a process beside the pages: a line that says what is wanted, and then one for each commit that a seat has seen."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from events.codec import Decoder, Struct, encode
from projections.state.view import EventSlice

W = TypeVar("W", bound=Struct)

_SLICE: Decoder[EventSlice] = Decoder(EventSlice)


def lines_of(wanted: Struct, seen: Iterable[EventSlice]) -> Iterator[bytes]:
    """Yield the lines that a process is given."""
    yield encode(wanted) + b"\n"
    for slice_ in seen:
        yield encode(slice_) + b"\n"


def given(lines: Iterable[bytes], wanted: Decoder[W]) -> tuple[W, Iterator[EventSlice]]:
    """Return what is wanted, and the match as it is read; see `lines_of`.

    Raises:
        DecodeError: The lines are others; of a commit when it is read.
    """
    left = iter(lines)
    return wanted.decode(next(left)), map(_SLICE.decode, left)
