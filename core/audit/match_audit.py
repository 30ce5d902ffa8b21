"""The audit of a match: of its evidence, and of its decisions.

What was played under the installed rules must be what these give: they are re-run over the recorded commands and chance, and the events are
compared byte for byte. What was played under other rules is checked as far as no rules are needed, and then compared with
what the installed ones would decide, each command from the table that the record leads to.
"""

from collections.abc import Callable, Mapping
from functools import partial

from core.audit.audit_dice import DiceAudit
from core.audit.audit_forks import ForkAudit
from core.audit.audit_links import LinkRemark, link_problem, remarks, reveal_problem, secured_seats, without_link
from core.audit.audit_record import adoption_problem, check_fork_record, check_record
from core.audit.audit_report import AuditFinding, AuditReport, ChosenDice, Difference, PlayedUnder
from core.audit.audit_signatures import SeatSignatures, counted
from core.audit.decided_again import decided_again, decided_anyhow, first_difference
from core.chance.schemes import keeps_promise, own_scheme_problem
from core.chance.seeds import revealed_seeds
from core.errors import KernelError, RecordDiffers, RulesetDamaged, RulesetMissing, SetupInvalid, UnknownName
from core.game.game_record import Game
from core.history.bounded_fold import BoundedFold
from core.match.live_match import Match, stored_game, stored_position
from core.match.match_creation import (
    OPEN,
    OPEN_COMMAND,
    agreed_defect,
    check_position,
    opened_with,
    rules_problem,
)
from core.match.recent_commits import called_after
from core.match.ruleset import Ruleset
from core.match.signatures import NOTHING_SHOWN, signature_problem
from core.match.undo import NO_COMMANDS
from core.registry.games import load_game
from events.chain import ChainCheck
from events.codec import DecodeError, one_line, replace
from events.commit import Commit, Head
from events.errors import BrokenEvidence
from events.ids import ARBITER, Digest, MatchId, Seat
from events.log import Log, Stored
from events.vocabulary import MatchForked, MatchOpened, RulesAdopted, SeedRevealed
from projections.state.fold import fold
from projections.state.table import Table

WITHOUT_RULES = "the rules were left out"
"""Why decisions are not checked if the caller asks for none of it."""

PROBLEM_CHARACTERS_MAX = 500
"""The most characters that say how the installed rules differ in a decision: a match may hold very many."""


class _Auditor:
    """The state of one audit: the table and the head of the chain so far."""

    def __init__(self, log: Log, match: MatchId, *, is_by_rules: bool) -> None:
        self.log = log
        self.is_by_rules = is_by_rules
        self.match = match
        self.dice = DiceAudit(revealed_seeds(log, match))
        self.forks = ForkAudit(log, self.dice)
        self.table = Table()
        self.folding = BoundedFold(self.table)
        self.chain = ChainCheck()
        self.head = Head()
        self.recent = NO_COMMANDS
        self.record = NOTHING_SHOWN
        self.called = b""
        self.before: Commit | None = None
        self.signatures: dict[Seat, SeatSignatures] = {}
        self.remarks: list[LinkRemark] = []
        self.without_link: frozenset[Seat] = frozenset()
        self.ruleset: Ruleset | None = None
        self.edition_now = ""
        self.rules_now = Digest("")
        self.unchecked = ""
        self.played_under: list[PlayedUnder] = []
        self.differences: list[Difference] = []
        self.chosen: list[ChosenDice] = []

    def check(self, stored: Stored) -> AuditFinding | None:
        """Check one commit; return the first finding, or None."""
        try:
            commit = self.chain.take(stored)
            finding = self._check(commit)
            if finding is None:
                self.forks.follow(commit)
                links = self.table.links
                self.before, self.signatures = commit, counted(self.signatures, commit, self.table)
                self.folding.take(commit.events, commit.match, len(stored.body))
                self.remarks += remarks(commit, links, self.table.links)
                self.without_link = without_link(commit, self.table, self.without_link)
                self.called = called_after(self.called, commit, self.table)
                self.head = Head(commit.last, stored.hash)
                self.recent = self.recent.followed_by(commit)
                self.record = self.record.followed_by(commit)
        except BrokenEvidence as error:
            return AuditFinding(error.seq, error.problem)
        return finding

    def _check(self, commit: Commit) -> AuditFinding | None:
        opening = commit.events[0]
        try:
            if isinstance(opening, MatchOpened):
                return self._open(commit, opening)
            if not self.played_under:
                return AuditFinding(commit.first, "the match does not begin with its opening")
            rules = self.table.rules
            if isinstance(opening, RulesAdopted):
                if problem := adoption_problem(commit, opening, self.table):
                    return AuditFinding(commit.first, problem)
                rules = opening.rules
                self.played_under.append(PlayedUnder(commit.first, opening.edition, rules))
            if isinstance(opening, MatchForked) and (problem := self._fork_problem(commit, opening)):
                return AuditFinding(commit.first, problem)
            if (broken := _found(link_problem(commit, self.table))) is not None:
                return broken
            if unsigned := signature_problem(commit, self.table, self.before, self.record):
                return AuditFinding(commit.first, unsigned)
            is_evidence = self.ruleset is not None and rules == self.rules_now
            return self._by_rules(commit) if is_evidence else self._by_record(commit)
        except RecordDiffers as error:
            return AuditFinding(error.seq, error.problem)
        except (KernelError, DecodeError) as error:
            return AuditFinding(commit.first, str(error))

    def _by_rules(self, commit: Commit) -> AuditFinding | None:
        """Check a commit that was made under the installed rules: they must give the same events."""
        opening = commit.events[0]
        if isinstance(opening, MatchForked):
            difference = self._differing_fork(commit, opening)
        else:
            difference = decided_again(commit, self._before(self.table), self.dice.judge(commit, self.table))
        if difference is not None:
            return AuditFinding(difference.seq, difference.problem)
        if isinstance(opening, MatchForked):
            self.forks.leave(commit, opening, self.table, self.called)
        return self._broken_link(commit)

    def _by_record(self, commit: Commit) -> AuditFinding | None:
        """Check what of a commit needs no rules, then compare it with what the installed rules would decide."""
        opening = commit.events[0]
        if isinstance(opening, MatchForked):
            check_fork_record(commit)
        else:
            check_record(commit, self.table, self.dice.judge(commit, self.table))
        if (broken := self._broken_link(commit)) is not None:
            return broken
        difference = self._compared(commit)
        if difference is not None:
            self.differences.append(replace(difference, problem=one_line(difference.problem, PROBLEM_CHARACTERS_MAX)))
        if isinstance(opening, MatchForked):
            is_other = difference is not None or self.ruleset is None
            self.forks.leave(commit, opening, self.table, self.called, is_dealt_otherwise=is_other)
        return None

    def _compared(self, commit: Commit) -> Difference | None:
        """Return what the installed rules would decide otherwise in a commit made under others, whatever that does to them."""
        opening = commit.events[0]
        if self.ruleset is None or isinstance(opening, RulesAdopted):
            return None
        if isinstance(opening, MatchForked):
            decide = partial(self._differing_fork, commit, opening)
        else:
            table = self.table.clone()
            table.rules = self.rules_now
            decide = partial(decided_again, commit, self._before(table), None)
        return decided_anyhow(commit, decide, "the installed rules")

    def _before(self, table: Table) -> Match:
        """Return the match before a command, under the installed rules."""
        assert self.ruleset is not None
        return Match(self.match, self.ruleset, table, self.head, "", recent=self.recent, called=self.called)

    def _differing_fork(self, commit: Commit, forked: MatchForked) -> Difference | None:
        """Return how the installed rules begin a fork otherwise than recorded.

        Raises:
            RecordDiffers: The recorded deal is not possible.
            KernelError: No deal is possible.
        """
        assert self.ruleset is not None
        return first_difference(commit, self.forks.made_again(commit, forked, self.table, self.ruleset.rules))

    def _broken_link(self, commit: Commit) -> AuditFinding | None:
        """Check that a revealed seed matches its commitment, and a command that forks have cut that of the parent."""
        for number, event in enumerate(commit.events, start=commit.first):
            if isinstance(event, SeedRevealed) and not keeps_promise(event.seed, self.table.chance):
                return AuditFinding(number, "the revealed seed is not the one that was committed to before play")
            if isinstance(event, SeedRevealed) and (problem := reveal_problem(event.seed, self.table.chance)):
                return AuditFinding(number, problem)
        if isinstance(commit.events[0], MatchForked):
            return None
        return _found(self.forks.cut_problem(commit))

    def _open(self, commit: Commit, opening: MatchOpened) -> AuditFinding | None:
        self.dice.note(opening.chance)
        self.played_under.append(PlayedUnder(commit.first, opening.edition, opening.rules))
        problem = own_scheme_problem(opening.chance, commit.match) or rules_problem(opening.rules)
        problem = problem or agreed_defect(opening.title, opening.house_rules)
        is_asked = (opening.rule, commit.seat, bytes(commit.command)) == (OPEN, ARBITER, OPEN_COMMAND)
        if not problem and not (is_asked and len(commit.events) == 1 and commit.first == 1):
            problem = "the match was not opened as the rules open it"
        if problem:
            return AuditFinding(commit.first, problem)
        if not self.is_by_rules:
            self.unchecked = WITHOUT_RULES
            return None
        try:
            game = load_game(opening.game)
            self.edition_now, self.rules_now = game.edition, game.rules_digest
            problem = self._opening_problem(opening, game)
        except RulesetDamaged as error:
            return AuditFinding(commit.first, str(error))
        except (RulesetMissing, UnknownName) as error:
            self.unchecked = str(error)
            return None
        if not problem:
            return None
        if opening.rules == self.rules_now:
            return AuditFinding(commit.first, problem)
        after = "" if self.ruleset is not None else "; nothing after it could be compared"
        self.differences.append(
            Difference(commit.first, opening.rule, one_line(f"{problem}{after}", PROBLEM_CHARACTERS_MAX))
        )
        return None

    def _opening_problem(self, opening: MatchOpened, game: Game) -> str:
        """Return how the installed rules would open a match otherwise; empty if they would not.

        Raises:
            RulesetMissing: Its board or position is not here.
        """
        table = fold([opening])
        try:
            bound, position = stored_game(self.log, table), stored_position(self.log, table)
        except SetupInvalid as error:
            return f"the installed rules do not accept its board or position: {error}"
        self.ruleset = Ruleset(bound, position, game.edition, game.rules_digest)
        try:
            setting = opened_with(game, opening, position)
        except (UnknownName, SetupInvalid) as error:
            return str(error)
        rightly = replace(
            opening,
            edition=game.edition if opening.rules == game.rules_digest else opening.edition,
            scenario=setting.scenario.key,
            mode=setting.mode.key,
            options=setting.options,
            sides=game.sides,
            seats=tuple(setting.mode.seats),
            plays=setting.plays,
        )
        if opening != rightly:
            return "the match was not opened as the rules open it"
        try:
            check_position(self.ruleset, setting)
        except SetupInvalid as error:
            return f"the installed rules {self.rules_now[:12]}… refuse the position of this match: {error}"
        return ""

    def _fork_problem(self, commit: Commit, forked: MatchForked) -> str:
        """Return the defect of a fork that needs no rules: whether it left its parent where it says; empty if there is none."""
        problem = self.forks.problem(commit, forked, self.table, self.head)
        self.dice.note(forked.chance)
        if not problem and forked.faces:
            self.chosen.append(ChosenDice(commit.first, forked.at + 1, forked.seat, forked.faces))
        return problem


def _unsecured(table: Table, secured: Mapping[Seat, str]) -> tuple[Seat, ...]:
    """Return the seats of whose links not all sealed dice depend."""
    return () if table.links is None else tuple([seat for seat in table.seats if seat not in secured])


def _found(problem: tuple[int, str] | None) -> AuditFinding | None:
    return None if problem is None else AuditFinding(*problem)


def _passes_by(witness: Head, head: Head, first: int) -> bool:
    """Return whether the commit that holds a witnessed event does not end with it, or has another hash."""
    return first <= witness.seq <= head.seq and witness != head


def _holds_more(log: Log, match: MatchId, head: Head) -> bool:
    """Return whether a match holds commits after its head that were not appended since the head was read."""
    further = next(iter(log.read(match, head.seq)), None)
    return further is not None and log.head(match).seq < further.last


def audit_match(
    log: Log,
    match: MatchId,
    progress: Callable[[int], None] | None = None,
    witness: Head | None = None,
    *,
    is_by_rules: bool = True,
) -> AuditReport:
    """Audit a match up to its present end, a fork's shared prefix included.

    A log whose end was cut off, or that was played anew, passes by itself. Only a noted number and hash of
    a commit (`witness`) detects that.

    Args:
        log: The log that holds it.
        match: Its id.
        progress: Called with the number of events checked after each commit.
        witness: Number of the last event and hash of a commit that the match must have.
        is_by_rules: Whether to play it again; by default everything is checked.

    Returns:
        The report. An audit stops at the first finding, but not at what other rules would have decided.

    Raises:
        UnknownMatch: There is no such match.
    """
    # First, so that what is appended during the audit is not part of it.
    head = log.head(match)
    auditor = _Auditor(log, match, is_by_rules=is_by_rules)
    findings: list[AuditFinding] = []
    commits = 0
    for stored in log.read(match, 0, head.seq):
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
    if not findings and (head != auditor.head or _holds_more(log, match, head)):
        findings.append(AuditFinding(auditor.head.seq + 1, f"the store says that the match has {head.seq} events"))
    if not findings and witness is not None and witness.seq > auditor.head.seq:
        findings.append(
            AuditFinding(
                auditor.head.seq + 1, f"the match ends here, but it was witnessed to have {witness.seq} events"
            )
        )
    if not findings and (cut := auditor.forks.end_problem(match, auditor.head)):
        findings.append(AuditFinding(auditor.head.seq, cut))
    secured = secured_seats(auditor.table, auditor.without_link)
    return AuditReport(
        match=match,
        events=auditor.head.seq,
        commits=commits,
        head=auditor.head.hash,
        dice=auditor.dice.summary(),
        scheme=auditor.table.chance.scheme,
        secured=secured,
        unsecured=_unsecured(auditor.table, secured),
        chosen=tuple(auditor.chosen),
        links=tuple(auditor.remarks),
        signatures=auditor.signatures,
        parent=auditor.table.parent,
        redeal=auditor.forks.redeal,
        game=auditor.table.game,
        edition_now=auditor.edition_now,
        resting=tuple(auditor.forks.resting),
        played_under=tuple(auditor.played_under),
        rules_now=auditor.rules_now,
        differences=tuple(auditor.differences),
        findings=tuple(findings),
        unchecked=auditor.unchecked,
    )
