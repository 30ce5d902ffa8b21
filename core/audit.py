"""The audit: run the rules again over a match's recorded commands and chance and compare the events byte for byte."""

from collections.abc import Callable, Iterable

from core.chance import MANUAL, SEALED, SEEDED, Chance, RecordedChance, commitment, keyed_chance
from core.errors import KernelError
from core.game import rules_digest
from core.games import load_game
from core.house import Edition
from core.match import Match, edition_of
from core.refusal import Refusal
from events.codec import DecodeError, Struct, encode
from events.commit import GENESIS, Commit, Head, chain_hash, decode_commit
from events.ids import CardId, Digest, MatchId
from events.log import Log, Stored
from events.vocabulary import Event, MatchForked, MatchOpened, SecretsRedealt, SeedRevealed
from projections.fold import fold
from projections.table import Table


class AuditFinding(Struct, frozen=True):
    """Something that does not hold: at which event (1-based), and what."""

    seq: int
    problem: str


class AuditReport(Struct, frozen=True, kw_only=True):
    """What an audit found.

    `dice` says how far the dice were checked: `checked` against the seed, `sealed` (the seed is not revealed yet), `typed`
    (manual dice: nothing to check) or `mixed` (a fork whose parent used another source). `rules_now` differs from
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


class _Auditor:
    """The state of one audit: the table so far and where the chain stands."""

    def __init__(self, log: Log, match: MatchId, seeds: dict[str, str]) -> None:
        self.log = log
        self.match = match
        self.seeds = seeds
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
        if commit.first != seq:
            return AuditFinding(seq, f"event {seq} is missing: the next commit begins with event {commit.first}")
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
            if isinstance(opening, MatchForked):
                return (
                    None if len(commit.events) == 1 else AuditFinding(commit.first + 1, "a fork begins with one event")
                )
            assert self.edition is not None
            match = Match(self.match, self.edition, self.table, self.head, "")
            chance = RecordedChance(commit.events, judge=self._judge())
            again = match.prepare(commit.seat, bytes(commit.command), key=commit.key, at=commit.at, chance=chance)
        except (KernelError, DecodeError) as error:
            return AuditFinding(commit.first, str(error))
        if isinstance(again, Refusal):
            return AuditFinding(commit.first, f"the rules refuse this command: {again.sentence} ({again.rule})")
        if bytes(again.commit.command) != bytes(commit.command):
            return AuditFinding(commit.first, "the recorded command is not in its canonical form")
        return _first_difference(commit, again.commit.events)

    def _open(self, commit: Commit, opening: MatchOpened) -> AuditFinding | None:
        table = fold(commit.events)
        self.edition = edition_of(self.log, table)
        game = load_game(opening.game)
        self.rules_now = rules_digest(game.package)
        options = game.full_options(game.scenario(opening.scenario), opening.options)
        if options != opening.options or len(commit.events) != 1 or commit.first != 1:
            return AuditFinding(1, "the match was not opened as the rules open it")
        return None

    def _fork(self, commit: Commit) -> AuditFinding | None:
        """Check that a fork's first commit deals again only what lay in the piles."""
        before = fold(commit.events[:1], self.table.clone())
        after = fold(commit.events[1:], before.clone())
        for number, event in enumerate(commit.events[1:], start=1):
            if not isinstance(event, SecretsRedealt) or event.cards is None:
                return AuditFinding(
                    commit.first + number, "a fork's first commit deals secrets again and does nothing else"
                )
            if len(event.cards) != before.pile(event.pile).count:
                return AuditFinding(commit.first + number, f"pile {event.pile} has another number of cards than before")
        if _all_cards(before) != _all_cards(after):
            return AuditFinding(commit.first, "other cards were dealt than lay in the piles")
        return None

    def _judge(self) -> Chance | None:
        """Return the source that the recorded chance must agree with, if its seed is known."""
        scheme = self.table.chance
        self.kinds.add(scheme.scheme)
        if scheme.scheme == SEEDED:
            return keyed_chance(scheme, "", {})
        seed = self.seeds.get(scheme.commitment, "")
        if scheme.scheme == SEALED and seed:
            self.kinds.add("revealed")
            return keyed_chance(scheme, seed, self.table.contributions)
        return None

    def dice(self) -> str:
        """Say how far the dice were checked."""
        schemes = self.kinds - {"revealed"}
        if len(schemes) > 1:
            return "mixed"
        if schemes == {MANUAL}:
            return "typed"
        return "sealed" if schemes == {SEALED} and "revealed" not in self.kinds else "checked"


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


def audit_match(log: Log, match: MatchId, progress: Callable[[int], None] | None = None) -> AuditReport:
    """Audit a whole match, a fork's shared prefix included.

    Args:
        log: Where it is kept.
        match: Its id.
        progress: Told the number of events checked after each commit.

    Returns:
        The report; an audit stops at the first thing that does not hold.

    Raises:
        UnknownMatch: There is no such match.
    """
    auditor = _Auditor(log, match, _revealed_seeds(log.read(match)))
    findings: list[AuditFinding] = []
    commits = 0
    for stored in log.read(match):
        finding = auditor.check(stored)
        if finding is not None:
            findings.append(finding)
            break
        commits += 1
        if progress is not None:
            progress(auditor.head.seq)
    head = log.head(match)
    if not findings and (head.seq, head.hash) != (auditor.head.seq, auditor.head.hash):
        findings.append(AuditFinding(auditor.head.seq + 1, f"the store says that the match has {head.seq} events"))
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


def _revealed_seeds(commits: Iterable[Stored]) -> dict[str, str]:
    """Return the revealed seeds by their commitments; commits that cannot be read are left for the audit to name."""
    seeds: dict[str, str] = {}
    for stored in commits:
        if b'"seed-revealed/' not in stored.body:
            continue
        try:
            events = decode_commit(stored.body).events
        except DecodeError:
            continue
        for event in events:
            if isinstance(event, SeedRevealed) and event.seed:
                seeds[commitment(event.seed)] = event.seed
    return seeds
