"""The audit: re-runs the rules over a match's recorded commands and chance, and compares the events byte for byte."""

from collections.abc import Callable

from core.audit_dice import DiceAudit
from core.audit_forks import REDEAL_NONE, ForkAudit, Resting
from core.bounded_fold import BoundedFold
from core.chance import SEALED, RecordedChance, keeps_promise, own_scheme_problem
from core.errors import KernelError, RecordDiffers, RulesetDamaged, RulesetMissing, SetupInvalid
from core.games import load_game
from core.match import Match, stored_game, stored_position
from core.match_commands import Ruleset
from core.match_creation import OPEN, OPEN_COMMAND, Setting, check_position, opened_with, rules_problem
from core.refusal import Refusal
from core.seeds import revealed_seeds
from core.take_back import NO_COMMANDS
from events.chain import ChainCheck
from events.codec import DecodeError, Struct, encode, replace
from events.commit import Commit, Head
from events.errors import BrokenEvidence
from events.ids import ARBITER, Digest, GameKey, MatchId, Seat
from events.log import Log, Stored
from events.vocabulary import Event, MatchForked, MatchOpened, SeedRevealed
from projections.fold import fold
from projections.table import Table

UNCHECKED = "unchecked"
"""The dice status of a match whose rules could not be re-run."""


class AuditFinding(Struct, frozen=True):
    """A finding: the event (1-based) and the problem."""

    seq: int
    problem: str


class ChosenDice(Struct, frozen=True):
    """The faces that a seat chose for the next dice after event `after` when it forked the match with event `seq`."""

    seq: int
    after: int
    seat: Seat
    faces: tuple[int, ...]


class AuditReport(Struct, frozen=True, kw_only=True):
    """The result of an audit.

    `dice` says how far the dice were checked: all `checked` against seeds, `sealed` (not all, because a seed is not revealed),
    `typed` (manual dice: nothing to check), `unverifiable` (some are said to be a parent's, with neither its seed nor its
    record here), `unchecked` (see `unchecked`), `mixed` (a fork whose parent used another source) or `unknown` (a source that
    this program does not know; then the match is not clean). `scheme` is the source that the match has now, and `shares` lists the
    seats that contributed entropy if it is sealed. `chosen` lists the dice that were not rolled, because forks chose their faces. `redeal` says how far new deals of forks were checked: `verified` (against the
    seeds), `not-yet-verifiable` (a seed is not revealed; everything that does not need it was checked) or `none`. `resting` lists
    the events that depend on a match which the store does not hold: the rules allow them, but they cannot be compared with that
    match. `rules_now` differs from `rules_recorded` when the match was played under other rules than are installed. `unchecked`
    says why the rules could not be re-run: the game, the board or the position is missing. Then only the chain was checked. It is
    empty otherwise.
    """

    match: MatchId
    events: int
    commits: int
    head: Digest
    dice: str
    scheme: str = ""
    shares: tuple[Seat, ...] = ()
    chosen: tuple[ChosenDice, ...] = ()
    redeal: str = REDEAL_NONE
    game: GameKey = GameKey("")
    edition_recorded: str = ""
    edition_now: str = ""
    resting: tuple[Resting, ...] = ()
    rules_recorded: Digest
    rules_now: Digest
    findings: tuple[AuditFinding, ...]
    unchecked: str = ""

    @property
    def clean(self) -> bool:
        """Whether everything was checked without findings."""
        return not self.findings and not self.unchecked


class _Auditor:
    """The state of one audit: the table and the head of the chain so far."""

    def __init__(self, log: Log, match: MatchId) -> None:
        self.log = log
        self.match = match
        self.dice = DiceAudit(revealed_seeds(log, match))
        self.forks = ForkAudit(log, self.dice)
        self.table = Table()
        self.folding = BoundedFold(self.table)
        self.chain = ChainCheck()
        self.head = Head()
        self.recent = NO_COMMANDS
        self.ruleset: Ruleset | None = None
        self.edition_now = ""
        self.rules_now = Digest("")
        self.unchecked = ""
        self.chosen: list[ChosenDice] = []

    def check(self, stored: Stored) -> AuditFinding | None:
        """Check one commit; return the first finding, or None."""
        try:
            commit = self.chain.take(stored)
            finding = self._replay(commit)
            if finding is None:
                self.forks.follow(commit)
                self.folding.take(commit.events, commit.match, len(stored.body))
                self.head = Head(commit.last, stored.hash)
                self.recent = self.recent.followed_by(commit)
        except BrokenEvidence as error:
            return AuditFinding(error.seq, error.problem)
        return finding

    def _replay(self, commit: Commit) -> AuditFinding | None:
        opening = commit.events[0]
        try:
            if isinstance(opening, MatchOpened):
                return self._open(commit, opening)
            if self.unchecked:
                return None
            if self.ruleset is None:
                return AuditFinding(commit.first, "the match does not begin with its opening")
            if isinstance(opening, MatchForked):
                return self._fork(commit, opening)
            match = Match(self.match, self.ruleset, self.table, self.head, "", recent=self.recent)
            uncounted = self.table.seq + 1 - self.table.chance_position
            judge = self.dice.judge(commit, self.table)
            chance = RecordedChance(commit.events, judge=judge, uncounted=uncounted)
            again = match.prepare(commit.seat, bytes(commit.command), key=commit.key, at=commit.at, chance=chance)
        except RecordDiffers as error:
            return AuditFinding(error.seq, error.problem)
        except (KernelError, DecodeError) as error:
            return AuditFinding(commit.first, str(error))
        if isinstance(again, Refusal):
            return AuditFinding(commit.first, f"the rules refuse this command: {again.sentence} ({again.rule})")
        if bytes(again.commit.command) != bytes(commit.command):
            return AuditFinding(commit.first, "the recorded command is not in its canonical form")
        return (
            _first_difference(commit, again.commit.events)
            or self._broken_promise(commit)
            or _found(self.forks.cut_problem(commit))
        )

    def _broken_promise(self, commit: Commit) -> AuditFinding | None:
        """Check that a revealed seed matches its commitment."""
        for number, event in enumerate(commit.events, start=commit.first):
            if isinstance(event, SeedRevealed) and not keeps_promise(event.seed, self.table.chance.commitment):
                return AuditFinding(number, "the revealed seed is not the one that was committed to before play")
        return None

    def _open(self, commit: Commit, opening: MatchOpened) -> AuditFinding | None:
        self.dice.note(opening.chance)
        problem = own_scheme_problem(opening.chance, commit.match) or rules_problem(opening.rules)
        if problem:
            return AuditFinding(commit.first, problem)
        table = fold(commit.events)
        try:
            self.ruleset = Ruleset(stored_game(self.log, table), stored_position(self.log, table))
        except RulesetDamaged as error:
            return AuditFinding(commit.first, str(error))
        except RulesetMissing as error:
            self.unchecked = str(error)
            return None
        game = load_game(opening.game)
        self.edition_now, self.rules_now = game.edition, game.rules_digest
        setting = opened_with(game, opening, self.ruleset.position)
        scenario = setting.scenario
        edition = game.edition if opening.rules == self.rules_now else opening.edition
        rightly = replace(
            opening,
            rule=OPEN,
            edition=edition,
            scenario=scenario.key,
            mode=setting.mode.key,
            options=setting.options,
            sides=game.sides,
            seats=tuple(setting.mode.seats),
            plays=setting.plays,
        )
        is_asked = (commit.seat, bytes(commit.command)) == (ARBITER, OPEN_COMMAND)
        is_alone = len(commit.events) == 1 and commit.first == 1
        if opening != rightly or not is_asked or not is_alone:
            return AuditFinding(commit.first, "the match was not opened as the rules open it")
        return self._position(commit, opening, setting)

    def _position(self, commit: Commit, opening: MatchOpened, setting: Setting) -> AuditFinding | None:
        """Check that the installed rules let a match begin from its position."""
        assert self.ruleset is not None
        try:
            check_position(self.ruleset, setting)
        except SetupInvalid as error:
            others = "" if opening.rules == self.rules_now else f", which names rules {opening.rules[:12]}…"
            refused = f"the installed rules {self.rules_now[:12]}… refuse the position of this match{others}: {error}"
            return AuditFinding(commit.first, refused)
        return None

    def _fork(self, commit: Commit, forked: MatchForked) -> AuditFinding | None:
        """Check that a fork left its parent where it says, and that its first commit is the one that the rules give."""
        assert self.ruleset is not None
        problem = self.forks.problem(commit, forked, self.table, self.head)
        self.dice.note(forked.chance)
        if problem:
            return AuditFinding(commit.first, problem)
        again = self.forks.made_again(commit, forked, self.table, self.ruleset.rules)
        if forked.faces:
            self.chosen.append(ChosenDice(commit.first, forked.at + 1, forked.seat, forked.faces))
        return _first_difference(commit, again)


def _found(problem: tuple[int, str] | None) -> AuditFinding | None:
    return None if problem is None else AuditFinding(*problem)


def _shares(table: Table) -> tuple[Seat, ...]:
    """Return the seats that contributed entropy to the match's own dice; only sealed dice take any."""
    is_sealed = table.chance.scheme == SEALED
    return tuple(sorted(seat for seat, share in table.contributions.items() if share and is_sealed))


def _passes_by(witness: Head, head: Head, first: int) -> bool:
    """Return whether the commit that holds a witnessed event does not end with it, or has another hash."""
    return first <= witness.seq <= head.seq and witness != head


def _first_difference(commit: Commit, again: tuple[Event, ...]) -> AuditFinding | None:
    for number, (recorded, played) in enumerate(zip(commit.events, again, strict=False)):
        if encode(recorded) != encode(played):
            return AuditFinding(
                commit.first + number,
                f"recorded is {encode(recorded).decode()}, the rules give {encode(played).decode()}",
            )
    if len(again) != len(commit.events):
        seq = commit.first + min(len(again), len(commit.events))
        return AuditFinding(
            seq, f"recorded are {len(commit.events)} events of this command, the rules give {len(again)}"
        )
    return None


def audit_match(
    log: Log, match: MatchId, progress: Callable[[int], None] | None = None, witness: Head | None = None
) -> AuditReport:
    """Audit a whole match, a fork's shared prefix included.

    A log whose end was cut off, or that was played anew, passes by itself. Only a noted number and hash of
    a commit (`witness`) detects that.

    Args:
        log: The log that holds it.
        match: Its id.
        progress: Called with the number of events checked after each commit.
        witness: Number of the last event and hash of a commit that the match must have.

    Returns:
        The report; an audit stops at the first finding.

    Raises:
        UnknownMatch: There is no such match.
    """
    auditor = _Auditor(log, match)
    findings: list[AuditFinding] = []
    commits = 0
    for stored in log.read(match):
        finding = auditor.check(stored)
        if finding is not None:
            findings.append(finding)
            break
        commits += 1
        if witness is not None and _passes_by(witness, auditor.head, stored.first):
            findings.append(
                AuditFinding(stored.first, f"the commit that was witnessed to end with event {witness.seq} differs")
            )
            break
        if progress is not None:
            progress(auditor.head.seq)
    head = log.head(match)
    if not findings and (head.seq, head.hash) != (auditor.head.seq, auditor.head.hash):
        findings.append(AuditFinding(auditor.head.seq + 1, f"the store says that the match has {head.seq} events"))
    if not findings and witness is not None and witness.seq > auditor.head.seq:
        findings.append(
            AuditFinding(
                auditor.head.seq + 1, f"the match ends here, but it was witnessed to have {witness.seq} events"
            )
        )
    cut = "" if findings else auditor.forks.end_problem(match, auditor.head)
    if cut:
        findings.append(AuditFinding(auditor.head.seq, cut))
    return AuditReport(
        match=match,
        events=auditor.head.seq,
        commits=commits,
        head=auditor.head.hash,
        dice=UNCHECKED if auditor.unchecked else auditor.dice.summary(),
        scheme=auditor.table.chance.scheme,
        shares=_shares(auditor.table),
        chosen=tuple(auditor.chosen),
        redeal=auditor.forks.redeal,
        game=auditor.table.game,
        edition_recorded=auditor.table.edition,
        edition_now=auditor.edition_now,
        resting=tuple(auditor.forks.resting),
        rules_recorded=auditor.table.rules,
        rules_now=auditor.rules_now,
        findings=tuple(findings),
        unchecked=auditor.unchecked,
    )
