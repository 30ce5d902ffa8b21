"""Forks under audit: whether they left their parents where they say, and dealt again what they had to, as their seeds have it."""

from core.audit_dice import DiceAudit
from core.chance import ManualChance, own_scheme_problem
from core.decision import Rules
from core.draft import Draft
from core.fork import FORK, FORK_COMMAND, HIDDEN, make_fork, told_again
from core.knowledge import Knowledge
from core.resample import ChanceDealer, Dealer, RecordDealer
from events.codec import DecodeError, encode
from events.commit import Commit, Head, decode_commit
from events.errors import UnknownMatch
from events.ids import ARBITER, PUBLIC, MatchId
from events.log import Log, Origin
from events.vocabulary import Event, MatchEnded, MatchForked, SecretsRedealt
from projections.fold import RESAMPLE, carried_on
from projections.table import Table

REDEAL_NONE = "none"
REDEAL_VERIFIED = "verified"
REDEAL_NOT_YET = "not-yet-verifiable"

DISCLOSED_MAX = 2
"""How many events of a cut commit a fork may not repeat: what its parent disclosed with its end."""


class ForkAudit:
    """Follows the forks of a match under audit.

    Args:
        log: Where the match and, as far as they are known here, its ancestors are kept.
        dice: The dice under audit.

    Attributes:
        redeal: How far was checked what was dealt again; see `AuditReport.redeal`.
    """

    def __init__(self, log: Log, dice: DiceAudit) -> None:
        self.redeal = REDEAL_NONE
        self._log = log
        self._dice = dice
        # Kept until the first fork that deals again: nearly no match has one.
        self._events: list[Event] = []
        self._knowledge: Knowledge | None = None
        self._origins: dict[MatchId, Origin | None] = {}
        self._cut: tuple[MatchForked, int] | None = None

    def follow(self, commit: Commit) -> None:
        """Take note of a commit that was found to be in order."""
        if self._knowledge is None:
            self._events += commit.events
        else:
            for event in commit.events:
                self._knowledge.follow(event)
        forked = commit.events[0]
        if not isinstance(forked, MatchForked):
            self._cut = None
        elif any(isinstance(event, SecretsRedealt) for event in commit.events) and self.redeal != REDEAL_NOT_YET:
            self.redeal = REDEAL_VERIFIED if self._dice.knows(forked.chance) else REDEAL_NOT_YET

    def problem(self, commit: Commit, forked: MatchForked, table: Table, head: Head) -> str:
        """Return what is wrong with what a fork says of itself; empty if nothing is.

        Args:
            commit: Its first commit.
            forked: The fact that makes it a fork.
            table: As it was before it.
            head: Where the chain stood before it.
        """
        origin = self._log.origin(commit.match)
        if origin is None or (origin.seq, origin.hash) != (head.seq, head.hash):
            return "a fork begins here that the store knows nothing of"
        if forked.at < origin.seq or not self._descends(forked.parent, origin):
            return f"the fork left match {origin.parent} after event {origin.seq}"
        if (forked.rule, commit.seat, bytes(commit.command)) != (FORK, forked.seat, FORK_COMMAND):
            return "the fork was not made by the command that makes forks"
        if forked.hidden not in HIDDEN or forked.seat not in (*table.seats, PUBLIC, ARBITER):
            return f"no fork treats what is hidden as {forked.hidden!r} by the knowledge of seat {forked.seat!r}"
        if forked.at > head.seq and forked.hidden == RESAMPLE:
            return "a fork cannot deal again what is hidden in the middle of a command"
        return self._scheme_problem(commit.match, forked, table)

    def _scheme_problem(self, match: MatchId, forked: MatchForked, table: Table) -> str:
        if forked.chance == carried_on(table.chance):
            return ""
        problem = own_scheme_problem(forked.chance, match)
        if not problem and forked.chance.commitment and forked.chance.commitment in self._dice.commitments:
            return "the fork's own dice are sealed with a seed that a match above it has used"
        return problem

    def _descends(self, parent: MatchId, origin: Origin) -> bool:
        """Return whether a fork's origin lies in what its parent shares, as far as the store knows the parent."""
        while parent != origin.parent:
            try:
                further = self._origin(parent)
            except UnknownMatch:
                return True
            if further is None or further.seq < origin.seq:
                return False
            parent = further.parent
        return True

    def _origin(self, match: MatchId) -> Origin | None:
        """Return an origin; the store is asked once, however many forks name the match."""
        if match not in self._origins:
            self._origins[match] = self._log.origin(match)
        return self._origins[match]

    def made_again(self, commit: Commit, forked: MatchForked, table: Table, rules: Rules) -> tuple[Event, ...]:
        """Return the events that the first commit of a fork must hold.

        Raises:
            RecordDiffers: What was dealt again cannot have been dealt so.
            KernelError: It could not be dealt again at all.
        """
        draft = Draft(table.clone(), ManualChance())
        chance = self._dice.chance(forked.chance, {})

        def dealer() -> Dealer:
            return RecordDealer(commit.events, commit.first) if chance is None else ChanceDealer(chance)

        make_fork(draft, rules, forked, lambda: self._known(table), dealer)
        self._dice.leave(table, forked)
        self._cut = (forked, table.seq) if forked.at > table.seq else None
        return tuple(draft.events)

    def _known(self, table: Table) -> Knowledge:
        """Return what each seat knows of the match so far, followed from here on for whoever may fork it."""
        if self._knowledge is None:
            onlookers = (*table.seats, PUBLIC)
            self._knowledge = Knowledge(onlookers, onlookers, self._events)
            self._events = []
        return self._knowledge

    def cut_problem(self, commit: Commit) -> tuple[int, str] | None:
        """Return the event at which a commit is not the one that the fork before it has cut, and what is wrong.

        The parent's commit is compared where the store holds it: an archive of the fork alone does not.
        """
        if self._cut is None:
            return None
        forked, before = self._cut
        count = forked.at - before
        cut = self._parents(forked)
        if cut is None or cut.first != before + 1:
            disclosed = DISCLOSED_MAX if any(isinstance(event, MatchEnded) for event in commit.events) else 0
            if cut is not None or count > len(commit.events) + disclosed:
                return commit.first, f"the fork did not leave match {forked.parent} within this command"
            return None
        if (cut.seat, bytes(cut.command)) != (commit.seat, bytes(commit.command)):
            return commit.first, f"the command that the fork cut in match {forked.parent} was another one"
        for place, theirs in enumerate(told_again(cut.events[:count])):
            if encode(theirs) != encode(commit.events[place] if place < len(commit.events) else None):
                held = f"match {forked.parent}, which the fork left after event {forked.at}, holds another event"
                return commit.first + place, held
        return None

    def _parents(self, forked: MatchForked) -> Commit | None:
        """Return the commit of the parent in which a fork left it, or None if this store does not hold it."""
        try:
            holder = next(iter(self._log.read(forked.parent, forked.at - 1, forked.at)), None)
            return None if holder is None else decode_commit(holder.body)
        except (UnknownMatch, DecodeError):
            return None
