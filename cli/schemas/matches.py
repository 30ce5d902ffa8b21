"""Matches: the list, the table, the log, playing, replaying."""

from cli.schemas.base import Shape
from core.odds.odds_lines import Odds
from core.telling.option_parts import NO_PARTS, OptionKind, OptionParts
from events.codec import Raw, Struct
from events.ids import NO_SEAT, GameKey, MatchId, Seat, Side, TrackId
from events.vocabulary import Event, Value
from projections.catalogue import InstalledRules, MatchSummary
from projections.fork_points import ForkPoints
from projections.state.table import Ended, Table


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


class PositionShape(Shape, frozen=True, kw_only=True, tag="position"):
    """A position, as `text` of a file, in a `file` or as one `line`.

    `decides` is the seat to which the open question `decision` is put; both are empty where the phase determines the question. `match`, `seq` and `seat` say of
    which moment it is, by that seat's count, and `is_dealt` that what the seat does not know was dealt anew.
    """

    game: GameKey
    edition: str
    scenario: str
    mode: str
    round: int
    turn: Side
    phase: str
    decision: str
    decides: Seat
    match: MatchId
    seq: int
    seat: Seat
    is_dealt: bool
    file: str
    text: str
    line: str


class SeatShape(Shape, frozen=True, kw_only=True, tag="seat"):
    """A seat that was taken or left, after the seat's event `seq`; `began` is whether play has begun."""

    match: MatchId
    seat: Seat
    seq: int
    name: str
    is_taken: bool
    began: bool


class PlayingShape(Shape, frozen=True, kw_only=True, tag="playing"):
    """A match that is played in a browser: the link of each of the player's seats, and where the pages, the server and the store are."""

    match: MatchId
    seats: dict[Seat, str]
    pages: str
    requests: str
    store: str


class MatchShape(Shape, MatchSummary, frozen=True, kw_only=True, tag="match", omit_defaults=False):
    """A summary of a match, and what follows from it; `depth` counts the forks between it and the root of its family.

    `waited_s` is how many seconds it has waited for the seat that is to decide, `late` whether that is more than allowed. `won_by` are the names of
    the players who have won.
    """

    won_by: tuple[str, ...]
    waited_s: int
    late: bool
    depth: int = 0


class TableShape(Shape, frozen=True, kw_only=True, tag="table"):
    """The table as a seat sees it after its event `seq`, which happened at `at` (milliseconds since 1970, UTC).

    `installed` names the installed rules if the match stands still because it is played under others; only at the last event.
    """

    match: MatchId
    seat: Seat
    seq: int
    at: int
    table: Table
    installed: InstalledRules | None = None


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
    """A legal command: in JSON, in words and in parts. `wanted` says which dice or draws it needs, if they are typed in."""

    number: int
    command: Raw
    words: str
    parts: OptionParts = NO_PARTS
    wanted: str = ""


class LegalShape(Shape, frozen=True, kw_only=True, tag="legal"):
    """The open decision: its kind, its seat and its options; the kind is empty if nothing is to be decided.

    `count` says how many options there are altogether, `kinds` their sorts in the order of their use, with those that are not possible now and why, `minimum` and `maximum` how many items answer the decision, if it takes
    several, `may_repeat` whether one may be picked more than once, `picked` and `places` what is picked so far and the places it is assigned to.
    `undo_to` is the event to which the game would return if the asking seat took back what it sent last, a command or an order, or null, `can_redo` says whether it
    can put back what it took back. `installed` names the installed rules if the match is played under others: then it has no options until they are adopted; nor while `link_due` names a seat that opens a link for the dice first.
    """

    match: MatchId
    seq: int
    decision: str
    seat: Seat
    arguments: dict[str, Value]
    options: tuple[ChoiceShape, ...]
    count: int
    kinds: tuple[OptionKind, ...] = ()
    minimum: int = 0
    maximum: int = 0
    may_repeat: bool = False
    picked: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    undo_to: int | None = None
    can_redo: bool = False
    installed: InstalledRules | None = None
    link_due: Seat = NO_SEAT


class OptionOddsShape(Struct, frozen=True, kw_only=True):
    """An option and the chances of what it leads to; `odds` is null if nothing is rolled for, `problem` says why chances cannot be told."""

    number: int
    words: str
    odds: Odds | None = None
    problem: str = ""


class OddsShape(Shape, frozen=True, kw_only=True, tag="odds"):
    """The chances of options of the open decision, those of one that was named or of all that lead to a roll.

    Each of `lines` has the results in one respect, from the worst for the seat to the best, with the `share` of each, 0 to 1. `ways` is how many equally likely
    throws and draws were counted; it is 0 where `samples` were taken at random, and then `low` and `high` hold the true share 19 times in
    20. `assumed` is what is assumed about the questions between.
    """

    match: MatchId
    seq: int
    decision: str
    seat: Seat
    options: tuple[OptionOddsShape, ...]


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
