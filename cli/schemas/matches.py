"""Matches: the list, the table, the log, playing, replaying."""

from cli.schemas.base import Shape
from events.codec import Raw, Struct
from events.ids import GameKey, MatchId, Seat, Side, TrackId
from events.vocabulary import Event, Value
from projections.fork_points import ForkPoints
from projections.state.table import Ended, Table
from server.protocol.replies import InstalledRules


class OpenedShape(Shape, frozen=True, kw_only=True, tag="opened"):
    """A match or a fork that was opened; `faces` are those that the fork chose for its next dice."""

    match: MatchId
    seq: int
    seats: tuple[Seat, ...]
    began: bool
    parent: MatchId = MatchId("")
    at: int = 0
    dice: str = ""
    hidden: str = ""
    faces: tuple[int, ...] = ()


class SeatShape(Shape, frozen=True, kw_only=True, tag="seat"):
    """A seat that was taken or left, after the seat's event `seq`; `began` is whether play has begun."""

    match: MatchId
    seat: Seat
    seq: int
    name: str
    is_taken: bool
    began: bool


class MatchShape(Shape, frozen=True, kw_only=True, tag="match"):
    """A summary of a match; `depth` counts the forks between it and the root of its family.

    `variant` is empty for the printed game. `plays` says which side each seat plays, as far as that is settled.

    `to_move` is the seat that is to decide, `since` the time since which the match has waited for it (milliseconds since 1970, UTC, moved on by
    pauses; 0 if it waits for nobody), `waited_s` how many seconds that is, and `late` whether it is more than allowed. `paused` is why the
    match is paused, `reserved` maps seats to those who are invited, `former` seats to the former players whom others followed.
    `won_by` are the names of the players who have won.

    `problem` says why a damaged match cannot be read; only its id is known then. It is empty for all others.
    """

    match: MatchId
    game: GameKey
    edition: str
    variant: str
    scenario: str
    mode: str
    seats: tuple[Seat, ...]
    plays: dict[Seat, Side]
    players: dict[Seat, str]
    former: dict[Seat, tuple[str, ...]]
    won_by: tuple[str, ...]
    dice: str
    began: bool
    round: int
    turn: Side
    phase: str
    ended: Ended | None
    seq: int
    to_move: Seat
    since: int
    waited_s: int
    late: bool
    paused: str | None
    arbiter: str
    reserved: dict[Seat, str]
    parent: MatchId
    forked_at: int
    depth: int = 0
    problem: str = ""


class TableShape(Shape, frozen=True, kw_only=True, tag="table"):
    """The table as a seat sees it after its event `seq`, which happened at `at` (milliseconds since 1970, UTC)."""

    match: MatchId
    seat: Seat
    seq: int
    at: int
    table: Table


class EventShape(Shape, frozen=True, kw_only=True, tag="event"):
    """An event as a seat sees it; `at` is milliseconds since 1970 (UTC), `sentence` describes the event.

    `undone` is whether later events took it back; only `log` says so. `fork` names the events to fork at in order to change it.
    """

    match: MatchId
    seq: int
    at: int
    event: Event
    sentence: str
    undone: bool = False
    fork: ForkPoints = ForkPoints()


class ChoiceShape(Struct, frozen=True, kw_only=True):
    """A legal command. `wanted` says which dice or draws it needs, if they are typed in."""

    number: int
    command: Raw
    words: str
    wanted: str = ""


class LegalShape(Shape, frozen=True, kw_only=True, tag="legal"):
    """The open decision: its kind, its seat and its options; the kind is empty if nothing is to be decided.

    `count` says how many options there are altogether, `minimum` and `maximum` how many items answer the decision, if it takes
    several, `may_repeat` whether one may be picked more than once, `picked` and `places` what is picked so far and the places it is assigned to.
    `undo_to` is the event to which the game would return if the asking seat took its last command back, or null, `can_redo` says whether it
    can put back what it took back. `installed` names the installed rules if the match is played under others: then it has no options until they are adopted.
    """

    match: MatchId
    seq: int
    decision: str
    seat: Seat
    arguments: dict[str, Value]
    options: tuple[ChoiceShape, ...]
    count: int
    minimum: int = 0
    maximum: int = 0
    may_repeat: bool = False
    picked: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    undo_to: int | None = None
    can_redo: bool = False
    installed: InstalledRules | None = None


class PlayedShape(Shape, frozen=True, kw_only=True, tag="played"):
    """The events of a command, as its seat sees them, and the next decision.

    `left` is the number of commands of an order that were not played, because they come after a fence.
    """

    match: MatchId
    seq: int
    seat: Seat
    events: tuple[EventShape, ...]
    decision: str
    to_move: Seat
    ended: Ended | None
    left: int = 0


class FrameShape(Shape, frozen=True, kw_only=True, tag="frame"):
    """One step of a replay: where the match stands after event `seq`, and how many places each side holds."""

    match: MatchId
    seq: int
    round: int
    turn: Side
    turn_seat: Seat
    phase: str
    tracks: dict[TrackId, int]
    held: dict[Side, int]
    ended: Ended | None
