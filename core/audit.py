"""The audit: run the rules again over a match's recorded commands and chance and compare the events byte for byte."""

from collections.abc import Callable

from core.chance import MANUAL, SEALED, SEEDED, Chance, RecordedChance, keeps_promise, keyed_chance
from core.errors import KernelError, RecordDiffers
from core.game import rules_digest
from core.games import load_game
from core.house import Edition
from core.match import Match, edition_of
from core.opening import OPEN
from core.refusal import Refusal
from events.codec import DecodeError, Struct, encode, replace
from events.commit import GENESIS, Commit, Head, chain_hash, decode_commit
from events.errors import UnknownMatch
from events.ids import CardId, Digest, MatchId, Seat
from events.log import Log, Origin, Stored
from events.vocabulary import (
    ChanceScheme,
    Event,
    MatchForked,
    MatchOpened,
    PieceRevealed,
    SeatTaken,
    SecretsRedealt,
    SeedRevealed,
    StandingAnswersRevealed,
)
from projections.fold import fold
from projections.table import Table


class AuditFinding(Struct, frozen=True):
    """Something that does not hold: at which event (1-based), and what."""

    seq: int
    problem: str


class AuditReport(Struct, frozen=True, kw_only=True):
    """What an audit found.

    `dice` says how far the dice were checked: all `checked` against seeds, `sealed` (not all, because a seed is not revealed),
    `typed` (manual dice: nothing to check) or `mixed` (a fork whose parent used another source). `rules_now` differs from
    `rules_recorded` when the match was played under other rules than are installed.
    """

    match: MatchId
    events: int
    commits: int
    head: Digest
    dice: str
    rules_recorded: Digest
    rules_now: Digest
    findings: tuple[AuditFinding, ...]

    @property
    def clean(self) -> bool:
        """Whether nothing was found."""
        return not self.findings


class _Source(Struct, frozen=True):
    """Where the dice of the events up to a number come from."""

    upto: int
    scheme: ChanceScheme
    contributions: dict[Seat, str]


class _Auditor:
    """The state of one audit: the table so far and where the chain stands.

    `sources` are those of forked matches: a commit that was cut begins with dice of the parent.
    """

    def __init__(self, log: Log, match: MatchId, seeds: frozenset[str]) -> None:
        self.log = log
        self.match = match
        self.seeds = seeds
        self.sources: tuple[_Source, ...] = ()
        self.sealed = False
        self.table = Table()
        self.head = Head(0, GENESIS)
        self.edition: Edition | None = None
        self.kinds: set[str] = set()
        self.rules_now = Digest("")

    def check(self, stored: Stored) -> AuditFinding | None:
        """Check one commit; the first thing wrong with it, if any."""
        seq = self.head.seq + 1
        if chain_hash(stored.body) != stored.hash:
            return AuditFinding(seq, "the commit that begins here is not what was written: its hash does not match")
        try:
            commit = decode_commit(stored.body)
        except DecodeError as error:
            return AuditFinding(seq, f"the commit that begins here cannot be read: {error}")
        if commit.match != stored.match or commit.key != stored.key or not commit.events:
            return AuditFinding(
                seq, f"the commit that begins here is not the one that match {stored.match} should have"
            )
        if commit.first != seq:
            return AuditFinding(seq, f"event {seq} is missing: the next commit begins with event {commit.first}")
        if (commit.first, commit.last) != (stored.first, stored.last):
            return AuditFinding(seq, f"the store says that this commit holds events {stored.first} to {stored.last}")
        if commit.prev != self.head.hash:
            return AuditFinding(seq, "the chain is broken: this commit does not follow the one before it")
        finding = self._replay(commit)
        if finding is None:
            fold(commit.events, self.table)
            self.head = Head(commit.last, stored.hash)
        return finding

    def _replay(self, commit: Commit) -> AuditFinding | None:
        opening = commit.events[0]
        try:
            if isinstance(opening, MatchOpened):
                return self._open(commit, opening)
            if self.edition is None:
                return AuditFinding(commit.first, "the match does not begin with its opening")
            if isinstance(opening, MatchForked):
                return self._fork(commit, opening)
            match = Match(self.match, self.edition, self.table, self.head, "")
            withheld = len(self.table.withheld)
            chance = RecordedChance(commit.events, judge=self._judge(commit), withheld=withheld)
            again = match.prepare(commit.seat, bytes(commit.command), key=commit.key, at=commit.at, chance=chance)
        except RecordDiffers as error:
            return AuditFinding(error.seq, str(error))
        except (KernelError, DecodeError) as error:
            return AuditFinding(commit.first, str(error))
        if isinstance(again, Refusal):
            return AuditFinding(commit.first, f"the rules refuse this command: {again.sentence} ({again.rule})")
        if bytes(again.commit.command) != bytes(commit.command):
            return AuditFinding(commit.first, "the recorded command is not in its canonical form")
        return _first_difference(commit, self._as_then(commit, again.commit.events)) or self._broken_promise(commit)

    def _as_then(self, commit: Commit, again: tuple[Event, ...]) -> tuple[Event, ...]:
        """Ask of a match no more than its own rules did: under older ones nobody was told of standing answers at the end."""
        kept_to_themselves = (
            self.table.rules != self.rules_now
            and len(again) == len(commit.events) + 1
            and isinstance(again[-1], StandingAnswersRevealed)
        )
        return again[:-1] if kept_to_themselves else again

    def _broken_promise(self, commit: Commit) -> AuditFinding | None:
        """Check that a revealed seed is the one that was committed to."""
        for number, event in enumerate(commit.events, start=commit.first):
            if isinstance(event, SeedRevealed) and not keeps_promise(event.seed, self.table.chance.commitment):
                return AuditFinding(number, "the revealed seed is not the one that was committed to before play")
        return None

    def _open(self, commit: Commit, opening: MatchOpened) -> AuditFinding | None:
        table = fold(commit.events)
        self.edition = edition_of(self.log, table)
        game = load_game(opening.game)
        self.rules_now = rules_digest(game.package)
        scenario = game.scenario(opening.scenario)
        options = game.full_options(scenario, opening.options)
        if opening.rules != self.rules_now:
            # Options that its rules did not know yet are not set in it: without them it was played as their defaults say.
            options = {key: value for key, value in options.items() if key in opening.options}
        rightly = replace(opening, rule=OPEN, scenario=scenario.key, options=options, seats=scenario.seats)
        if opening != rightly or opening.mode not in scenario.modes or len(commit.events) != 1 or commit.first != 1:
            return AuditFinding(commit.first, "the match was not opened as the rules open it")
        return None

    def _fork(self, commit: Commit, forked: MatchForked) -> AuditFinding | None:
        """Check that a fork leaves its parent where it says, and deals again only what lay in the piles."""
        origin = self.log.origin(commit.match)
        if origin is None or (origin.seq, origin.hash) != (self.head.seq, self.head.hash):
            return AuditFinding(commit.first, "a fork begins here that the store knows nothing of")
        if forked.at < origin.seq or not self._descends(forked.parent, origin):
            return AuditFinding(commit.first, f"the fork left match {origin.parent} after event {origin.seq}")
        shifted = replace(self.table.chance, shift=self.table.chance.shift + 1)
        goes_on = forked.chance == shifted
        earlier = [
            _Source(
                (one.upto if goes_on else min(one.upto, forked.at)) + 1,
                replace(one.scheme, shift=one.scheme.shift + 1),
                one.contributions,
            )
            for one in self.sources
        ]
        self.sources = (*earlier, _Source(forked.at + 1, shifted, self.table.contributions))
        before = fold(commit.events[:1], self.table.clone())
        after = fold(commit.events[1:], before.clone())
        for number, event in enumerate(commit.events[1:], start=1):
            if isinstance(event, PieceRevealed):
                continue
            if not isinstance(event, SecretsRedealt) or event.cards is None:
                return AuditFinding(
                    commit.first + number, "a fork's first commit deals secrets again and does nothing else"
                )
            if len(event.cards) != before.pile(event.pile).count:
                return AuditFinding(commit.first + number, f"pile {event.pile} has another number of cards than before")
        if _all_cards(before) != _all_cards(after):
            return AuditFinding(commit.first, "other cards were dealt than lay in the piles")
        if before.pieces != after.pieces:
            return AuditFinding(commit.first, "a fork shows hidden pieces to those who know them and changes none")
        return None

    def _descends(self, parent: MatchId, origin: Origin) -> bool:
        """Say whether a fork's origin lies in what its parent shares, as far as the store knows the parent."""
        while parent != origin.parent:
            try:
                further = self.log.origin(parent)
            except UnknownMatch:
                return True
            if further is None or further.seq < origin.seq:
                return False
            parent = further.parent
        return True

    def _judge(self, commit: Commit) -> Callable[[int], Chance | None]:
        """Return where the recorded chance of an event must come from; nothing where its seed is not known."""
        seated = fold([event for event in commit.events if isinstance(event, SeatTaken)], self.table.clone())
        own = self._source(self.table.chance, seated.contributions)

        def judge(seq: int) -> Chance | None:
            for one in self.sources:
                if seq <= one.upto:
                    return self._source(one.scheme, {**one.contributions, **seated.contributions})
            return own

        return judge

    def _source(self, scheme: ChanceScheme, contributions: dict[Seat, str]) -> Chance | None:
        self.kinds.add(scheme.scheme)
        if scheme.scheme == SEEDED:
            return keyed_chance(scheme, "", {})
        if scheme.scheme == SEALED:
            for seed in self.seeds:
                if keeps_promise(seed, scheme.commitment):
                    return keyed_chance(scheme, seed, contributions)
            self.sealed = True
        return None

    def dice(self) -> str:
        """Say how far the dice were checked."""
        if len(self.kinds) > 1:
            return "mixed"
        if self.kinds == {MANUAL}:
            return "typed"
        return "sealed" if self.sealed else "checked"


def _passes_by(witness: Head, head: Head, first: int) -> bool:
    """Say whether the commit that holds a witnessed event does not end with it, or has another hash."""
    return first <= witness.seq <= head.seq and witness != head


def _all_cards(table: Table) -> list[CardId]:
    return sorted(card for pile in table.piles.values() for card in pile.cards)


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

    A tail that was cut off and a history that was played anew look sound by themselves: only somebody who kept number and
    hash of a commit can tell.

    Args:
        log: Where it is kept.
        match: Its id.
        progress: Told the number of events checked after each commit.
        witness: Number of the last event and hash of a commit that the match must have.

    Returns:
        The report; an audit stops at the first thing that does not hold.

    Raises:
        UnknownMatch: There is no such match.
    """
    auditor = _Auditor(log, match, _revealed_seeds(log, match))
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
                AuditFinding(
                    stored.first, f"the commit that was witnessed to end with event {witness.seq} is another one"
                )
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
    return AuditReport(
        match=match,
        events=auditor.head.seq,
        commits=commits,
        head=auditor.head.hash,
        dice=auditor.dice(),
        rules_recorded=auditor.table.rules,
        rules_now=auditor.rules_now,
        findings=tuple(findings),
    )


def _revealed_seeds(log: Log, match: MatchId) -> frozenset[str]:
    """Return the seeds revealed in a match and in those that it is a fork of; the audit names what cannot be read."""
    seeds: set[str] = set()
    for stored in log.read(match):
        if b'"seed-revealed/' in stored.body:
            try:
                events = decode_commit(stored.body).events
            except DecodeError:
                continue
            seeds.update(event.seed for event in events if isinstance(event, SeedRevealed))
    origin = log.origin(match)
    return frozenset(seeds) if origin is None else frozenset(seeds) | _revealed_seeds(log, origin.parent)
