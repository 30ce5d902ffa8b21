"""The limits that forks set on what is seen of the events that they share."""

from events.codec import Struct
from events.ids import Seat


class Limit(Struct, frozen=True):
    """Shared events, up to `upto`, that a fork hides from all: those that the forking `seat` could not see; unless `is_whole`, only those whose existence is secret."""

    upto: int
    seat: Seat
    is_whole: bool
