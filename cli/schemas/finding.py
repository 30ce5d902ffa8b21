"""Events that `find` lists."""

from cli.schemas.base import Shape
from events.ids import NO_SEAT, GameKey, MatchId, Seat
from events.vocabulary import Event, Value
from projections.fork_points import ForkPoints


class FoundShape(Shape, frozen=True, kw_only=True, tag="found"):
    """An event that was looked for, as the viewing seat sees it after its event `seq`; `file` is the archive that holds the match.

    `at` is milliseconds since 1970 (UTC), `by` the seat whose command it belongs to, `undone` whether later events took it back,
    and `fork` names the events to fork at in order to change it.
    """

    match: MatchId
    seq: int
    at: int
    game: GameKey
    event: Event
    sentence: str
    by: Seat = NO_SEAT
    undone: bool = False
    fork: ForkPoints = ForkPoints()
    file: str = ""


class BlameShape(Shape, frozen=True, kw_only=True, tag="blame"):
    """An event that gave something its present state; see `projections.facts.Fact` for `what`, `of` and `key`."""

    match: MatchId
    seq: int
    what: str
    of: str
    key: str
    was: Value | None
    value: Value | None
    sentence: str


class MomentShape(Shape, frozen=True, kw_only=True, tag="moment"):
    """An event with which a condition came true, and the last one after which it held; 0 if it holds to the end."""

    match: MatchId
    seq: int
    upto: int
    sentence: str
