"""Checks that what chance decides in secret stays secret: each command is decided again with other secret chance, and the views are compared.

A rule that forgets an audience (`seen_by`) breaks nothing in play. It is found because what the others see then depends on the secret.
"""

from collections.abc import Iterator, Sequence

from typing_extensions import override

from core.chance.recorded_chance import Drawn, Rolled, drawn_name
from core.checking.conformance import Playing, require
from core.checking.randomness import Randomness
from core.engine.chance_port import Chance
from core.errors import KernelError
from core.match.live_match import Match, Prepared
from core.match.undo import NO_COMMANDS
from events.codec import encode
from events.commit import NO_COMMAND, Commit, Head, decode_commit
from events.ids import PUBLIC, PileId, Seat
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    DeckFormed,
    Event,
    MatchEnded,
    PieceRevealed,
)
from projections.state.fold import fold
from projections.state.table import Table
from projections.state.view import is_same, see, seen_events, sees_whole

Outcome = Rolled | Drawn
TRIES = 4
"""How often a command is decided again with other outcomes: one of them may be possible, and be told otherwise, only now and then."""

OFTEN = 6
"""How many commands with secret chance are looked at for each question before they are sampled."""


class NotPossible(KernelError):
    """The command asks for other dice or draws than it did, so that the two cannot be compared."""


class OtherChance(Chance):
    """The outcomes of recorded events, but for some that are others.

    Args:
        outcomes: The recorded events with outcomes.
        altered: The places in this list of those that are to be others.
        rng: The source of these.
    """

    def __init__(self, outcomes: Sequence[Outcome], altered: frozenset[int], rng: Randomness) -> None:
        self.left = list(enumerate(outcomes))
        self.altered = altered
        self.rng = rng

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll; see `Chance.dice`."""
        place, event = self.left.pop(0) if self.left else (-1, None)
        faces = event.faces if isinstance(event, Rolled) and event.sides == sides else None
        if faces is None or len(faces) != count:
            raise NotPossible(purpose)
        return tuple([self.rng.randint(1, sides) for _ in range(count)]) if place in self.altered else faces

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Draw; see `Chance.pick`."""
        place, event = self.left.pop(0) if self.left else (-1, None)
        name = drawn_name(event) if isinstance(event, Drawn) else None
        if name is None:
            raise NotPossible(purpose)
        if place in self.altered:
            return self.rng.randrange(len(candidates))
        if name not in candidates:
            raise NotPossible(purpose)
        return candidates.index(name)

    @override
    def reveal(self) -> str:
        """Return no seed."""
        return ""


class AudienceWatch:
    """Compares what seats see of commands with what they would see with other secrets.

    Args:
        rng: Decides when to check, and the other outcomes.
        share: Share of the commands to check, 0 to 1; the first few after each question always are.
    """

    def __init__(self, rng: Randomness, *, share: float) -> None:
        self.rng = rng
        self.share = share
        self.before = Table()
        self.head = Head()
        self.recent = NO_COMMANDS
        self.asked: dict[str, int] = {}
        self.formed: dict[PileId, tuple[Seat, ...] | None] = {}

    def __call__(self, playing: Playing) -> None:
        """Look at the new commits."""
        match = playing.match
        commits = [decode_commit(stored.body) for stored in playing.log.read(match.id, self.before.seq)]
        for commit in commits:
            self._look_at_piles(commit)
            if commit.command != NO_COMMAND:
                ahead = Match(match.id, match.ruleset, self.before, self.head, recent=self.recent)
                self._compare(ahead, commit)
            if commit is commits[-1]:
                # The match's own table is not copied: it is never changed.
                self.before, self.head, self.recent = match.table, match.head, match.recent
            else:
                self.before = fold(commit.events, self.before.clone())
                self.head = Head(self.before.seq, self.head.hash)

    # Decided again with other chance

    def _compare(self, ahead: Match, commit: Commit) -> None:
        outcomes = [event for event in commit.events if isinstance(event, Outcome)]
        has_secrets = any(getattr(event, "seen_by", None) is not None for event in commit.events)
        if not outcomes or not has_secrets or not self._is_due():
            return
        for seat in (*self.before.seats, PUBLIC):
            unseen = frozenset(place for place, event in enumerate(outcomes) if not sees_whole(event, seat))
            if unseen and not _discloses(commit.events, seat):
                for other in self._again(ahead, commit, outcomes, unseen):
                    self._compare_views(commit.events, other, seat)
        for place, event in enumerate(outcomes):
            if getattr(event, "seen_by", None) is None:
                for other in self._again(ahead, commit, outcomes, frozenset((place,))):
                    _compare_secrets(commit.events, other, event)

    def _is_due(self) -> bool:
        kind = "" if self.before.top is None else self.before.top.kind
        self.asked[kind] = self.asked.get(kind, 0) + 1
        return self.asked[kind] <= OFTEN or self.rng.random() < self.share

    def _again(
        self, ahead: Match, commit: Commit, outcomes: Sequence[Outcome], altered: frozenset[int]
    ) -> Iterator[tuple[Event, ...]]:
        """Yield the events of a command with other outcomes, where they are of the same types."""
        for _ in range(TRIES):
            chance = OtherChance(outcomes, altered, self.rng)
            try:
                done = ahead.prepare(commit.seat, bytes(commit.command), key=commit.key, at=commit.at, chance=chance)
            except KernelError:
                continue
            if isinstance(done, Prepared) and [*map(type, done.commit.events)] == [*map(type, commit.events)]:
                yield done.commit.events

    def _compare_views(self, events: Sequence[Event], others: Sequence[Event], seat: Seat) -> None:
        """Check that a seat sees the same, whatever was decided without its knowledge."""
        if _discloses(others, seat):
            return
        for seen, other in zip(seen_events(events, seat), seen_events(others, seat), strict=True):
            require(
                encode(seen) == encode(other),
                f"{seat} sees what chance decided unseen by it: {seen}, or {other} (is `seen_by` missing?)",
            )

    # Piles

    def _look_at_piles(self, commit: Commit) -> None:
        """Check that cards from a face-down pile to a pile of one seat are seen by that seat only, and that such a pile lies face down."""
        for event in commit.events:
            if isinstance(event, DeckFormed):
                self.formed[event.deck] = event.seen_by
            elif isinstance(event, CardDrawn):
                audience = self.formed.get(event.to)
                require(
                    event.seen_by is not None or audience is None or self.formed.get(event.deck) != (),
                    f"{event.to} was formed to be seen by {_named(audience)} only, and all seats see {event} "
                    "(is `seen_by` missing in `draw_card`?)",
                )
                require(
                    event.seen_by is None or self.formed.get(event.deck, ()) is not None,
                    f"cards are drawn unseen from {event.deck}, which was formed for all to see "
                    "(is `seen_by=()` missing in `form`?)",
                )


def _compare_secrets(events: Sequence[Event], others: Sequence[Event], chosen: Event) -> None:
    """Check that an open outcome decides no secret that it tells: with another one, nothing else that all see would differ."""
    differing = [(one, other) for one, other in zip(events, others, strict=True) if not is_same(one, other)]
    told = [one for one, other in differing if not is_same(see(one, PUBLIC), see(other, PUBLIC))]
    secret = [one for one, _ in differing if one not in told]
    require(
        told != [chosen] or not secret,
        f"all seats see {chosen}, which decides a secret: {secret[:1]} (is `seen_by` missing?)",
    )


def _discloses(events: Sequence[Event], seat: Seat) -> bool:
    """Return whether some event shows a seat on purpose what was hidden from it."""
    return any(
        isinstance(event, MatchEnded | CardPlayed | CardDiscarded)
        or (isinstance(event, PieceRevealed | CardMoved) and sees_whole(event, seat))
        or (isinstance(event, AttributeSet) and event.is_disclosed)
        for event in events
    )


def _named(seats: tuple[Seat, ...] | None) -> str:
    return ", ".join(seats or ()) or "nobody"
