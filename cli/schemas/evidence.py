"""Evidence: explanations, differences, audits, archives."""

from cli.schemas.base import Shape
from cli.schemas.games import RuleShape, RulingShape
from core.audit.audit_forks import Resting
from core.audit.audit_links import LinkRemark
from core.audit.audit_report import AuditFinding, ChosenDice, Difference, PlayedUnder
from core.audit.audit_signatures import SeatSignatures
from core.telling.chosen_options import ChosenOption
from core.telling.shared_sentences import Line
from events.codec import Struct
from events.ids import Digest, GameKey, MatchId, RuleId, Seat
from events.transparency.evidence_line import EvidenceLine
from events.vocabulary import Event, Modifier
from projections.diff import Parting, TableDiff
from projections.fork_points import ForkPoints
from server.bots.choice_audit import OtherChoice


class RollShape(Struct, frozen=True, kw_only=True):
    """Dice with their arithmetic: `counted` are the faces that count, `total` is their sum with all modifiers.

    With `each` every die counts by itself, and `total` is how many of them reach the number needed. With `or_less` they reach it
    by showing it or less, and the modifiers are added to it. `chance` is the chance of this total or a higher one, 0 to 1, or null where dice are
    not counted.
    """

    seq: int
    purpose: str
    faces: tuple[int, ...]
    counted: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    total: int
    needed: int | None
    each: bool
    or_less: bool
    words: str
    chance: float | None = None


class ExplainedShape(Shape, frozen=True, kw_only=True, tag="explained"):
    """Explanation of an event: its rule with its rulings and the options of the match that change them, the dice, and its chapter.

    `at` is when the event happened (milliseconds since 1970, UTC).
    `details` are the lines that stand below the question or the sequence that the event begins, such as the forces of a combat.
    `decided_by` are rules that decide the event besides its own, as far as the seat knows what it is about.

    `fork` names the events to fork at in order to change it, by the count of the seat; if the match is itself a fork that
    hides what it shares with its parent, `parent` is what to fork instead. `undone` is whether it was taken back later.
    """

    match: MatchId
    seat: Seat
    seq: int
    at: int
    event: Event
    sentence: str
    details: tuple[str, ...]
    undone: bool
    rule: RuleShape | RulingShape | None
    decided_by: tuple[RuleId, ...]
    options: tuple[ChosenOption, ...]
    command: str
    rolls: tuple[RollShape, ...]
    account: tuple[Line, ...]
    fork: ForkPoints
    parent: MatchId | None


class DiffShape(Shape, frozen=True, kw_only=True, tag="diff"):
    """Differences between two points: the tables, and the first event that is not the same."""

    a: str
    b: str
    tables: TableDiff
    parting: Parting | None


class AuditShape(Shape, frozen=True, kw_only=True, tag="audit"):
    """Findings of an audit; see `AuditReport`. `verdict` is `clean`, `other-rules`, `unchecked` or `broken`."""

    match: MatchId
    clean: bool
    verdict: str
    events: int
    commits: int
    head: Digest
    dice: str
    scheme: str
    secured: dict[Seat, str]
    unsecured: tuple[Seat, ...]
    chosen: tuple[ChosenDice, ...]
    links: tuple[LinkRemark, ...]
    signatures: dict[Seat, SeatSignatures]
    parent: MatchId
    redeal: str
    game: GameKey
    edition_now: str
    resting: tuple[Resting, ...]
    played_under: tuple[PlayedUnder, ...]
    rules_now: Digest
    differences: tuple[Difference, ...]
    findings: tuple[AuditFinding, ...]
    unchecked: str


class BotChoicesShape(Shape, frozen=True, kw_only=True, tag="bot-choices"):
    """Choices of bots of a server, made again: how many are the `same`, how many were not compared because their budget was of time (`timed`) or their version is not installed, and those that `differ`."""

    match: MatchId
    same: int
    timed: int
    other_versions: int
    differ: tuple[OtherChoice, ...]


class DecidedShape(Struct, frozen=True, kw_only=True):
    """A decision that other rules refuse (`is_illegal`) or decide otherwise, with its first event that differs, its seat, and what differs.

    `recorded` is the rule of that event, `given` that of what these rules give in its place.
    """

    seq: int
    seat: Seat
    recorded: RuleId
    given: RuleId
    is_illegal: bool
    problem: str


class RulesDiffShape(Shape, frozen=True, kw_only=True, tag="rules-diff"):
    """A match replayed under other rules: how many of its decisions were made again, and those that come out otherwise, in order."""

    match: MatchId
    source: str
    decisions: int
    differences: tuple[DecidedShape, ...]


class RuleCountShape(Struct, frozen=True, kw_only=True):
    """Number of decisions that a rule (`given`) makes illegal, or in which it gives something else than what was recorded under another or the same; the first of them as MATCH@SEQ, and what differs there."""

    given: RuleId
    recorded: RuleId
    illegal: int
    otherwise: int
    first: str
    problem: str


class RulesDiffSumShape(Shape, frozen=True, kw_only=True, tag="rules-diff-sum"):
    """Matches replayed under other rules: how many would be the same to the end (`alike`), and the differences by rule, the most frequent first."""

    matches: int
    decisions: int
    alike: int
    rules: tuple[RuleCountShape, ...]


class BackupShape(Shape, frozen=True, kw_only=True, tag="backup"):
    """A whole copy of a store that was checked: from where, to where, what it holds, and the size of its file in bytes."""

    store: str
    file: str
    matches: int
    commits: int
    bytes: int


class CopyShape(Shape, frozen=True, kw_only=True, tag="copy"):
    """A store to which matches were copied: from where, to where, how many matches it holds, and how many commits were copied now and before."""

    source: str
    target: str
    matches: int
    commits: int
    known: int


class StoreShape(Shape, frozen=True, kw_only=True, tag="store"):
    """Findings of a check of a whole store: `problems`, one line each, are empty if its pages, rows, indexes and seeds agree.

    `seedless` lists the running matches with sealed dice whose seed is not in this store: imported matches, or the seed was lost.
    """

    store: str
    problems: tuple[str, ...]
    seedless: tuple[MatchId, ...]


class EvidenceShape(Shape, frozen=True, kw_only=True, tag="evidence"):
    """A server's log as it is kept: its name and public key, the last checkpoint (a signed note of `size` entries), and the `line` of a match, which others compare.

    `contradictions` are pairs of signed texts that prove two histories. `stamp` (RFC 3161, base64) is what an authority has signed of the checkpoint of the line now.
    """

    log: str
    key: str
    size: int
    note: str
    match: MatchId
    line: EvidenceLine | None = None
    contradictions: tuple[str, ...] = ()
    stamp: str = ""


class ArchiveShape(Shape, frozen=True, kw_only=True, tag="archive"):
    """A match that was written to an archive or read from one. `added` counts the commits that were new to the store."""

    match: MatchId
    file: str
    commits: int
    events: int
    head: Digest
    added: int = 0


class NotationShape(Shape, frozen=True, kw_only=True, tag="notation"):
    """A match that was written as notation or read from one: its orders and those of its variations, and the forks that these became; `study` names the one that it brought along."""

    match: MatchId
    seat: Seat
    file: str
    orders: int
    variations: int
    result: str
    added: bool = False
    forks: tuple[MatchId, ...] = ()
    study: str = ""
    text: str = ""


class ViewShape(Shape, frozen=True, kw_only=True, tag="view"):
    """View of a match by a seat, written to a file. `sha256` is the hash of all lines but the last."""

    match: MatchId
    seat: Seat
    file: str
    events: int
    sha256: Digest


class PackShape(Shape, frozen=True, kw_only=True, tag="pack"):
    """A match that was packed: its events, up to which of them the log covers it, the log with its public key, and how many timestamps there are."""

    match: MatchId
    folder: str
    events: int
    covered: int
    log: str
    key: str
    stamps: int = 0


class VerifiedShape(Shape, frozen=True, kw_only=True, tag="verified"):
    """A match as its archive and the log of its server prove it: up to event `covered`, 0 if no evidence of a log was given.

    `is_key_given` is whether the public key came from elsewhere than the evidence itself; `kept` is how many lines, kept during play, are of this history, up to event `kept_until`. `cosigned` says when witnesses of a
    policy, by their names in it, have cosigned the checkpoint (seconds since 1970). `stamped` says of events when, at the latest, they were on record, as an authority has signed
    (seconds since 1970); `unchecked_stamps` counts the timestamps that were not checked, because no authority was named.
    """

    match: MatchId
    head: Digest
    events: int
    log: str = ""
    key: str = ""
    size: int = 0
    is_key_given: bool = False
    covered: int = 0
    kept: int = 0
    kept_until: int = 0
    cosigned: dict[str, int] = {}
    stamped: dict[str, int] = {}
    unchecked_stamps: int = 0
