"""The report of an audit: evidence, what the record claims about its rules, and how the installed rules compare with it.

Evidence is what no rules are needed for: the chain, dice and draws against their seeds, forks against their parents. For a match
that was played under the installed rules its decisions are evidence too. For one that was played under other rules they are a
comparison: what the installed rules would have decided otherwise.
"""

from core.audit.audit_forks import REDEAL_NONE, Resting
from core.audit.audit_links import LinkRemark
from core.audit.audit_signatures import SeatSignatures
from events.codec import Struct
from events.ids import Digest, GameKey, MatchId, RuleId, Seat

CLEAN = "clean"
BROKEN = "broken"
OTHER_RULES = "other-rules"
UNCHECKED = "unchecked"
"""The verdicts; see `AuditReport.verdict`."""


class AuditFinding(Struct, frozen=True):
    """A finding: the event (1-based) and the problem."""

    seq: int
    problem: str


class Difference(Struct, frozen=True):
    """A decision that the installed rules would make otherwise: its first event that differs, the rule, and what differs; `is_refused` if they refuse the command; `given` the rule of what they give there."""

    seq: int
    rule: RuleId
    problem: str
    is_refused: bool = False
    given: RuleId = RuleId("")


class PlayedUnder(Struct, frozen=True):
    """The rules of a match from event `first` on, as the match names them."""

    first: int
    edition: str
    rules: Digest


class ChosenDice(Struct, frozen=True):
    """The faces that a seat chose for the next dice after event `after` when it forked the match with event `seq`."""

    seq: int
    after: int
    seat: Seat
    faces: tuple[int, ...]


class AuditReport(Struct, frozen=True, kw_only=True):
    """The result of an audit.

    `findings` are defects of the evidence; the audit ends with the first. `played_under` lists the rules that the match names, with the
    event from which they hold, and `rules_now` and `edition_now` are those installed. `differences` lists what these would have
    decided otherwise of what was played under others; it is not a defect of the evidence. `unchecked` says why the rules could
    not be re-run at all: the game, the board or the position is missing. It is empty otherwise.

    `dice` says how far the dice were checked: all `checked` against seeds, `sealed` (not all, because a seed is not revealed),
    `typed` (manual dice: nothing to check), `unverifiable` (some are said to be a parent's, with neither its seed nor its
    record here), `mixed` (a fork whose parent used another source), `unknown` (a source that this program does not know; then the
    match is broken), or empty if nothing could be read. `scheme` is the source that the match has now, and if that is sealed,
    `secured` names the seats of whose links all their dice depend, each with who holds its chain (`SeatSecured.holder`), and `unsecured` all others. `chosen` lists the dice that were not rolled, because forks chose their faces; `links` what the
    rules allow and a reader should know of links (`core.audit.audit_links.LinkRemark`); `signatures` which commands of each seat were signed, and with which keys.
    `parent` is the match of which this one is a fork, empty if it is none.
    `redeal` says how far new deals of forks were checked: `verified` (against the seeds), `not-yet-verifiable` (a seed is not
    revealed; everything that does not need it was checked), `other-rules` (one of them was made under other rules, and the installed ones
    deal otherwise) or `none`. `resting` lists the events that depend on a match which the store does not hold: the rules allow them, but
    they cannot be compared with that match.
    """

    match: MatchId
    events: int
    commits: int
    head: Digest
    dice: str
    scheme: str = ""
    secured: dict[Seat, str] = {}
    unsecured: tuple[Seat, ...] = ()
    chosen: tuple[ChosenDice, ...] = ()
    links: tuple[LinkRemark, ...] = ()
    signatures: dict[Seat, SeatSignatures] = {}
    parent: MatchId = MatchId("")
    redeal: str = REDEAL_NONE
    game: GameKey = GameKey("")
    edition_now: str = ""
    resting: tuple[Resting, ...] = ()
    played_under: tuple[PlayedUnder, ...] = ()
    rules_now: Digest = Digest("")
    differences: tuple[Difference, ...] = ()
    findings: tuple[AuditFinding, ...]
    unchecked: str = ""

    @property
    def other_rules(self) -> tuple[PlayedUnder, ...]:
        """The rules that part of the match was played under and that are not the installed ones."""
        return tuple([one for one in self.played_under if one.rules != self.rules_now])

    @property
    def verdict(self) -> str:
        """The verdict on the whole match.

        `clean`: evidence and all decisions were checked without findings. `other-rules`: the evidence was, but at least part of the match
        was played under other rules than are installed, so that the decisions there were only compared. `unchecked`: the evidence was
        as far as no rules are needed, and these could not be re-run. `broken`: there are findings.
        """
        if self.findings:
            return BROKEN
        if self.unchecked:
            return UNCHECKED
        return OTHER_RULES if self.other_rules else CLEAN

    @property
    def clean(self) -> bool:
        """Whether evidence and all decisions were checked without findings."""
        return self.verdict == CLEAN
