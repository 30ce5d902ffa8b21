"""What `--json` puts out: one struct per kind of object, told apart by the field `shape`.

These are a public interface: a change is an entry of the changelog. `wardiary schema` prints their JSON Schema. Every
sequence number is that of the seat who looks.
"""

from core.audit import AuditFinding
from events.codec import Raw, Struct
from events.ids import Digest, GameKey, MatchId, PlaceId, RuleId, Seat, TrackId
from events.vocabulary import Event, Modifier, Value
from projections.control import ControlChange, ControlStand
from projections.diff import Parting, TableDiff
from projections.losses import Loss, RoundLosses
from projections.table import Ended, Table


class Shape(Struct, frozen=True, kw_only=True, tag_field="shape"):
    """What all objects share."""


class ErrorShape(Shape, frozen=True, kw_only=True, tag="error"):
    """Why nothing came of it; on stderr. `code` is stable, `exit` the process's exit code, `message` one line."""

    code: str
    exit: int
    message: str
    rule: str = ""
    defects: tuple[str, ...] = ()


# What there is to play


class ScenarioShape(Struct, frozen=True, kw_only=True):
    """A scenario of a game."""

    key: str
    title: str
    seats: tuple[Seat, ...]
    modes: tuple[str, ...]
    summary: str


class OptionShape(Struct, frozen=True, kw_only=True):
    """An option of a game: on or off, a number from `low` to `high`, one of `choices`, or a list of them."""

    key: str
    title: str
    rule: RuleId
    default: Value
    choices: tuple[str, ...]
    low: int
    high: int
    scenarios: tuple[str, ...]


class GameShape(Shape, frozen=True, kw_only=True, tag="game"):
    """A game that can be played."""

    key: GameKey
    title: str
    scenarios: tuple[ScenarioShape, ...]
    options: tuple[OptionShape, ...]
    bots: tuple[str, ...]
    rules_digest: Digest


class RulingShape(Shape, frozen=True, kw_only=True, tag="ruling"):
    """The settlement of an open point of the rules."""

    id: RuleId
    weight: str
    question: str
    readings: tuple[str, ...]
    ruling: str
    why: str
    rules: tuple[RuleId, ...]
    option: str = ""
    option_values: tuple[str, ...] = ()


class RuleShape(Shape, frozen=True, kw_only=True, tag="rule"):
    """A rule in our own words; `page` is the rulebook's section."""

    id: RuleId
    page: str
    kind: str
    text: str
    needs: tuple[RuleId, ...] = ()
    rulings: tuple[RulingShape, ...] = ()


class PlaceShape(Struct, frozen=True, kw_only=True):
    """A place of the map, with its centre on a map of 1000 by 1000."""

    id: PlaceId
    name: str
    label: str
    x: int
    y: int
    neighbours: tuple[PlaceId, ...]


class BoardShape(Shape, frozen=True, kw_only=True, tag="board"):
    """A board: its places, and how many of its figures come from where."""

    game: GameKey
    digest: Digest
    places: tuple[PlaceShape, ...]
    provenance: dict[str, int]
    words: dict[str, str]
    doubtful: tuple[str, ...]


# Matches


class OpenedShape(Shape, frozen=True, kw_only=True, tag="opened"):
    """A match or a fork that was opened."""

    match: MatchId
    seq: int
    seats: tuple[Seat, ...]
    began: bool
    parent: MatchId = MatchId("")
    at: int = 0
    dice: str = ""
    hidden: str = ""


class MatchShape(Shape, frozen=True, kw_only=True, tag="match"):
    """A match at a glance; `depth` counts the forks between it and the root of its family."""

    match: MatchId
    game: GameKey
    scenario: str
    mode: str
    seats: tuple[Seat, ...]
    players: dict[Seat, str]
    dice: str
    began: bool
    round: int
    turn: Seat
    phase: str
    ended: Ended | None
    seq: int
    parent: MatchId
    forked_at: int
    depth: int = 0


class TableShape(Shape, frozen=True, kw_only=True, tag="table"):
    """The table as a seat sees it after its event `seq`."""

    match: MatchId
    seat: Seat
    seq: int
    table: Table


class DiceShape(Struct, frozen=True, kw_only=True):
    """The dice of one purpose; `counts` has how often each face fell, `luck` is in standard deviations of the sum."""

    purpose: str
    sides: int
    rolls: int
    counts: tuple[int, ...]
    mean: float
    expected: float
    luck: float
    p_value: float


class StatisticsShape(Shape, frozen=True, kw_only=True, tag="statistics"):
    """What a match adds up to: dice by purpose and overall, losses, and control over time."""

    match: MatchId
    seat: Seat
    seq: int
    dice: tuple[DiceShape, ...]
    all_dice: tuple[DiceShape, ...]
    losses: tuple[Loss, ...]
    losses_by_round: tuple[RoundLosses, ...]
    control: tuple[ControlStand, ...]
    control_changes: tuple[ControlChange, ...]


class EventShape(Shape, frozen=True, kw_only=True, tag="event"):
    """An event as a seat sees it; `at` is milliseconds since 1970 (UTC), `sentence` the event in words."""

    match: MatchId
    seq: int
    at: int
    event: Event
    sentence: str


class ChoiceShape(Struct, frozen=True, kw_only=True):
    """A legal command. `wanted` says which dice or draws it needs first, where they are typed in."""

    number: int
    command: Raw
    words: str
    wanted: str = ""


class LegalShape(Shape, frozen=True, kw_only=True, tag="legal"):
    """The open decision: its kind, whose it is, and its options; the kind is empty where nothing is to be decided."""

    match: MatchId
    seq: int
    decision: str
    seat: Seat
    arguments: dict[str, Value]
    options: tuple[ChoiceShape, ...]


class PlayedShape(Shape, frozen=True, kw_only=True, tag="played"):
    """What a command brought about, as its seat sees it, and what is to be decided next."""

    match: MatchId
    seq: int
    seat: Seat
    events: tuple[EventShape, ...]
    decision: str
    to_move: Seat
    ended: Ended | None


class FrameShape(Shape, frozen=True, kw_only=True, tag="frame"):
    """One step of a replay: where the match stands after event `seq`, and how many places each side holds."""

    match: MatchId
    seq: int
    round: int
    turn: Seat
    phase: str
    tracks: dict[TrackId, int]
    held: dict[Seat, int]
    ended: Ended | None


# Evidence


class RollShape(Struct, frozen=True, kw_only=True):
    """Dice with their arithmetic: `counted` are the faces that count, `total` is theirs with all modifiers."""

    seq: int
    purpose: str
    faces: tuple[int, ...]
    counted: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    total: int
    needed: int | None
    words: str


class ExplainedShape(Shape, frozen=True, kw_only=True, tag="explained"):
    """Why an event happened: its rule with the rulings that bear on it, and the dice that had fallen for it."""

    match: MatchId
    seq: int
    event: Event
    sentence: str
    rule: RuleShape | RulingShape | None
    command: str
    rolls: tuple[RollShape, ...]


class DiffShape(Shape, frozen=True, kw_only=True, tag="diff"):
    """What differs between two points: the tables, and the first event that is not the same."""

    a: str
    b: str
    tables: TableDiff
    parting: Parting | None


class AuditShape(Shape, frozen=True, kw_only=True, tag="audit"):
    """What an audit found; see `AuditReport`."""

    match: MatchId
    clean: bool
    events: int
    commits: int
    head: Digest
    dice: str
    rules_recorded: Digest
    rules_now: Digest
    findings: tuple[AuditFinding, ...]


class ArchiveShape(Shape, frozen=True, kw_only=True, tag="archive"):
    """A match that was written to an archive or read from one. `added` counts the commits that were new to the store."""

    match: MatchId
    file: str
    commits: int
    events: int
    head: Digest
    added: int = 0


# The server and its clients


class ServingShape(Shape, frozen=True, kw_only=True, tag="serving"):
    """Where a server listens; `key` is its public key where connections are encrypted."""

    requests: str
    events: str
    store: str
    key: str = ""


class BotShape(Shape, frozen=True, kw_only=True, tag="bot"):
    """What a bot has done."""

    match: MatchId
    seat: Seat
    policy: str
    commands: int
    ended: Ended | None


class SimulatedShape(Shape, frozen=True, kw_only=True, tag="simulated"):
    """One simulated match. `problem` is empty unless it came to no proper end; `file` is then where it was saved."""

    number: int
    scenario: str
    mode: str
    options: dict[str, Value]
    bots: dict[Seat, str]
    seed: str
    steps: int
    events: int
    rounds: int
    result: str
    winners: tuple[Seat, ...]
    audited: bool
    problem: str = ""
    file: str = ""


class SummaryShape(Shape, frozen=True, kw_only=True, tag="summary"):
    """All simulated matches together."""

    game: GameKey
    matches: int
    ended: int
    dead_ends: int
    problems: int
    audited: int
    steps: int
    events: int
    seconds: float
    steps_per_second: float
    results: dict[str, int]


class StepShape(Shape, frozen=True, kw_only=True, tag="step"):
    """One step of the demonstration: what was shown, what came of it, and how to do it by hand."""

    number: int
    title: str
    outcome: str
    by_hand: str


SHAPES: tuple[type[Shape], ...] = (
    ErrorShape,
    GameShape,
    RuleShape,
    RulingShape,
    BoardShape,
    OpenedShape,
    MatchShape,
    TableShape,
    StatisticsShape,
    EventShape,
    LegalShape,
    PlayedShape,
    FrameShape,
    ExplainedShape,
    DiffShape,
    AuditShape,
    ArchiveShape,
    ServingShape,
    BotShape,
    SimulatedShape,
    SummaryShape,
    StepShape,
)
"""All of them, in the order in which the documentation lists them."""
