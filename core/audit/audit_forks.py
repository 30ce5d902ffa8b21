"""Audits forks: whether they left their parents where they say, and dealt hidden information again as their seeds determine."""

from contextlib import suppress

from core.audit.audit_dice import DiceAudit
from core.chance.chance_sources import ManualChance
from core.chance.schemes import MANUAL, SEALED, own_scheme_problem
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.match.fork import CHOSEN_MAX, FORK, FORK_COMMAND, HIDDEN, command_again, dealing_chance, make_fork, told_again
from core.secrets.dealers import ChanceDealer, Dealer, RecordDealer
from core.secrets.knowledge import Knowledge
from events.codec import DecodeError, Struct, encode, replace
from events.commit import Commit, Head, decode_commit
from events.errors import BrokenEvidence, StoreDamaged, UnknownMatch
from events.ids import ARBITER, PUBLIC, MatchId
from events.log import Log, Origin
from events.vocabulary import Event, LinksOpened, MatchEnded, MatchForked
from projections.catalogue import dice_name
from projections.state.forks import RESAMPLE, carried_on
from projections.state.table import Table

REDEAL_NONE = "none"
REDEAL_VERIFIED = "verified"
REDEAL_NOT_YET = "not-yet-verifiable"
REDEAL_OTHERWISE = "other-rules"

DISCLOSED_MAX = 2
"""The number of events of a cut commit that a fork may omit: those that its parent disclosed with its end."""


class Resting(Struct, frozen=True):
    """Events `first` to `last` of a fork that only `match` proves, which the store does not hold.

    They are the events that the fork repeats of a command, or its first event, if that names a parent that nothing else names.
    """

    match: MatchId
    first: int
    last: int


class _Cut(Struct, frozen=True):
    """A fork that left a match after `count` events of the command that follows event `before`; it must repeat these events.

    `called` is the command that waited for a link there; empty if none did.
    """

    match: MatchId
    at: int
    before: int
    count: int
    called: bytes


class ForkAudit:
    """Follows the forks of a match under audit.

    Args:
        log: The log that holds the match and, as far as they are known here, its ancestors.
        dice: The dice under audit.

    Attributes:
        redeal: How far new deals were checked; see `AuditReport.redeal`.
        resting: The events that could not be compared with the parents' own record.
    """

    def __init__(self, log: Log, dice: DiceAudit) -> None:
        self.redeal = REDEAL_NONE
        self.resting: list[Resting] = []
        self._log = log
        self._dice = dice
        # None until the first fork that deals again: nearly no match has one.
        self._events: list[Event] = []
        self._knowledge: Knowledge | None = None
        self._origins: dict[MatchId, Origin | None] = {}
        # Cuts of the next command: a fork of a fork may cut what the first one repeated of its own parent.
        self._cuts: tuple[_Cut, ...] = ()

    def follow(self, commit: Commit) -> None:
        """Record a commit that passed its checks."""
        if self._knowledge is None:
            self._events += commit.events
        else:
            for event in commit.events:
                self._knowledge.follow(event)
        if not isinstance(commit.events[0], MatchForked):
            self._cuts = ()

    def problem(self, commit: Commit, forked: MatchForked, table: Table, head: Head) -> str:
        """Return the defect of a fork's first events; empty if there is none.

        Args:
            commit: Its first commit.
            forked: The event that makes it a fork.
            table: The table before it.
            head: The head of the chain before it.
        """
        origin = self._log.origin(commit.match)
        if origin is None or (origin.seq, origin.hash) != (head.seq, head.hash):
            return "a fork begins here that the store does not list"
        if forked.at < origin.seq:
            return f"the fork left match {origin.parent} after event {origin.seq}, not after event {forked.at}"
        if not self._descends(commit, forked, origin):
            return f"the fork left match {origin.parent} after event {origin.seq}"
        if forked.at > origin.seq and (problem := self._claim_problem(forked, origin)):
            return problem
        if (forked.rule, commit.seat, bytes(commit.command)) != (FORK, forked.seat, FORK_COMMAND):
            return "the fork was not made by the command that makes forks"
        if forked.hidden not in HIDDEN or forked.seat not in (*table.seats, PUBLIC, ARBITER):
            return (
                f"a fork cannot treat hidden information as {forked.hidden!r} by the knowledge of seat {forked.seat!r}"
            )
        if forked.faces and (forked.chance.scheme == MANUAL or min(forked.faces) < 1 or len(forked.faces) > CHOSEN_MAX):
            return f"a fork with {dice_name(forked.chance)} dice cannot choose the faces {', '.join(map(str, forked.faces))}"
        if forked.at > head.seq and forked.hidden == RESAMPLE:
            return "a fork cannot deal hidden information again in the middle of a command"
        return self._scheme_problem(commit.match, forked, table)

    def _scheme_problem(self, match: MatchId, forked: MatchForked, table: Table) -> str:
        if forked.chance == carried_on(table.chance):
            return ""
        problem = own_scheme_problem(forked.chance, match)
        if not problem and self._dice.has_used(forked.chance):
            return "the fork's own dice are sealed with a seed that one of its ancestors has used"
        return problem

    def _claim_problem(self, forked: MatchForked, origin: Origin) -> str:
        """Return why a fork cannot have left its parent within the command after its origin, as far as that is known here.

        A parent imported with the archive of a fork ends with the fork's origin: later events are not known here.
        """
        cut = self._parents(origin.parent, origin.seq)
        if cut is None:
            is_own = bool(self._log.seed(origin.parent))
            return f"match {origin.parent} has no event {forked.at}, after which the fork left it" if is_own else ""
        if forked.at >= cut.last:
            return f"the fork left match {origin.parent} after event {origin.seq}, not within a command"
        return ""

    def _descends(self, commit: Commit, forked: MatchForked, origin: Origin) -> bool:
        """Return whether a fork point lies in the prefix that its parent shares, as far as the store knows the parent."""
        parent = forked.parent
        while parent != origin.parent:
            try:
                further = None if parent in ("", commit.match) else self._origin(parent)
            except UnknownMatch:
                self.resting.append(Resting(parent, commit.first, commit.first))
                return True
            if further is None or further.seq < forked.at:
                return False
            parent = further.parent
        return True

    def _origin(self, match: MatchId) -> Origin | None:
        """Return an origin; cached, because many forks may name the match."""
        if match not in self._origins:
            self._origins[match] = self._log.origin(match)
        return self._origins[match]

    def leave(
        self, commit: Commit, forked: MatchForked, table: Table, called: bytes, *, is_dealt_otherwise: bool = False
    ) -> None:
        """Follow a fork whose first commit was checked.

        Args:
            commit: Its first commit.
            forked: The event that makes it a fork.
            table: The table before it.
            called: The command that waited for a link before it; empty if none did.
            is_dealt_otherwise: Whether the rules give another first commit, so that a new deal cannot be verified.
        """
        if forked.hidden == RESAMPLE and len(commit.events) > 1:
            if is_dealt_otherwise:
                self.redeal = REDEAL_OTHERWISE
            elif self.redeal not in (REDEAL_NOT_YET, REDEAL_OTHERWISE):
                self.redeal = REDEAL_VERIFIED if self._dice.knows(forked.chance) else REDEAL_NOT_YET
        self._dice.leave(table, forked)
        self._cuts = self._and_cut(commit, forked, table, called) if forked.at > table.seq else ()

    def made_again(self, commit: Commit, forked: MatchForked, table: Table, rules: Rules) -> tuple[Event, ...]:
        """Return the events that the rules give the first commit of a fork.

        Raises:
            RecordDiffers: The recorded deal is not possible.
            KernelError: No deal is possible.
        """
        draft = Draft(table.clone(), ManualChance())
        seed = self._dice.seed(forked.chance) if forked.chance.scheme == SEALED else ""

        def dealer() -> Dealer:
            if self._dice.knows(forked.chance):
                return ChanceDealer(dealing_chance(draft, forked.chance, seed))
            for event in commit.events:
                if isinstance(event, LinksOpened):
                    draft.emit(event)
            return RecordDealer(commit.events, commit.first)

        make_fork(draft, rules, forked, lambda: self._known(table), dealer)
        return tuple(draft.events)

    def _known(self, table: Table) -> Knowledge:
        """Return what each seat knows of the match so far, and follow it from here on for later forks."""
        if self._knowledge is None:
            onlookers = (*table.seats, PUBLIC)
            self._knowledge = Knowledge(onlookers, onlookers, self._events)
            self._events = []
        return self._knowledge

    def _and_cut(self, commit: Commit, forked: MatchForked, table: Table, called: bytes) -> tuple[_Cut, ...]:
        """Return the cuts of the next command: with other dice, the fork repeats only the events before its own cut."""
        origin = self._log.origin(commit.match)
        assert origin is not None, "a fork without an origin is found before"
        own = forked.at - table.seq
        is_same = forked.chance == carried_on(table.chance) and not forked.faces
        earlier = [cut if is_same else replace(cut, count=min(cut.count, own)) for cut in self._cuts]
        # A command is in the same stream as the commit before it, whichever fork of that match was named as the parent.
        return (*earlier, _Cut(origin.parent, forked.at, table.seq, own, called))

    def cut_problem(self, commit: Commit) -> tuple[int, str] | None:
        """Return the event at which a commit differs from the one that the forks before it have cut, and the defect.

        The parents' commits are compared if the store holds them; an archive of the fork alone does not contain them.
        """
        for cut in self._cuts:
            problem = self._repeat_problem(commit, cut)
            if problem is not None:
                return problem
        return None

    def _repeat_problem(self, commit: Commit, cut: _Cut) -> tuple[int, str] | None:
        parent = cut.match
        theirs = self._parents(parent, cut.before)
        if theirs is None:
            disclosed = DISCLOSED_MAX if any(isinstance(event, MatchEnded) for event in commit.events) else 0
            if cut.count > len(commit.events) + disclosed:
                return commit.first, f"the fork did not leave match {parent} within this command"
            self._note_resting(Resting(parent, commit.first, min(commit.first + cut.count - 1, commit.last)))
            return None
        if (theirs.seat, command_again(theirs, cut.called)) != (commit.seat, bytes(commit.command)):
            return commit.first, f"the command that the fork cut in match {parent} differs"
        for place, event in enumerate(told_again(theirs.events[: cut.count])):
            if encode(event) != encode(commit.events[place] if place < len(commit.events) else None):
                held = f"match {parent}, which the fork left after event {cut.at}, holds another event"
                return commit.first + place, held
        return None

    def _note_resting(self, resting: Resting) -> None:
        self.resting.append(resting)
        self._dice.rest(resting.first, resting.last)

    def end_problem(self, match: MatchId, head: Head) -> str:
        """Return the defect of a match that ends here; empty if there is none.

        A fork that cut a command is stored with that command. But a fork of it may share only its first commit,
        and an archive then contains no more of it.
        """
        if not self._cuts or self._is_left_at(match, head):
            return ""
        return f"the fork left match {self._cuts[-1].match} within a command, which does not follow"

    def _is_left_at(self, match: MatchId, head: Head) -> bool:
        with suppress(BrokenEvidence, StoreDamaged):
            return any(self._log.origin(fork) == Origin(match, head.seq, head.hash) for fork in self._log.forks(match))
        return False

    def _parents(self, parent: MatchId, before: int) -> Commit | None:
        """Return the commit of a parent that comes after an event, or None if the store lacks it or it is damaged."""
        try:
            stored = next(iter(self._log.read(parent, before, before + 1)), None)
            return None if stored is None or stored.first != before + 1 else decode_commit(stored.body)
        except (UnknownMatch, BrokenEvidence, StoreDamaged, DecodeError):
            return None
