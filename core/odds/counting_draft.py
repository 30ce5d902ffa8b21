"""A draft of which every die and draw has all its results: a source of branches chooses the one of each run.

Rolls that only count together (`GameRolls.pool`) are one branching. Which rolls these are is known once they were rolled: a first run
notes them, and is then broken off.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from typing_extensions import override

from core.engine.chance_port import Chance
from core.engine.draft import Draft
from core.errors import DiceImpossible
from core.narration.game_rolls import GameRolls
from core.odds.hidden_piles import HiddenPiles
from core.odds.roll_results import Roll, judged_faces, results_of, results_together
from events.ids import CardId, PileId, RuleId, Seat
from events.vocabulary import DiceRolled, Event, Modifier
from projections.state.table import Table


class Settled(Exception):
    """The results are fixed, or chance goes on with what is not followed: the rest of the command is not run."""


class PoolNoted(Exception):
    """The rolls that only count together are known now: the run begins again."""


class Branches(Protocol):
    """Chooses the branch of each chance in a run."""

    def choose(self, weights: Sequence[int]) -> int:
        """Return the index of the branch, of one or more with these weights."""

    def pooled(self) -> tuple[Roll, ...] | None:
        """Return the rolls that begin at this point of the run and only count together; None if they are not known yet, none if that is no matter."""

    def note_pool(self, rolls: tuple[Roll, ...]) -> None:
        """Note the rolls that begin at this point of the run."""


class _Given(Chance):
    """A source that shows what was chosen for it."""

    def __init__(self) -> None:
        self.faces: tuple[int, ...] = ()
        self.index = 0

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return the chosen faces."""
        return self.faces

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Return the chosen index."""
        return self.index

    @override
    def reveal(self) -> str:
        """Raise, because a match that ends while chances are counted discloses nothing."""
        raise DiceImpossible("there is no seed while chances are counted")


class CountingDraft(Draft):
    """A draft whose chance branches.

    Args:
        table: A clone that the draft may change.
        branches: Chooses the branches of this run.
        rolls: What the game says of its rolls.
        hidden: What may lie in the piles that the seat does not know.
    """

    __slots__ = ("_branches", "_given", "_hidden", "_noted", "_pool", "_queue", "_rolls", "has_rolled")

    def __init__(self, table: Table, branches: Branches, rolls: GameRolls, hidden: HiddenPiles) -> None:
        self._given = _Given()
        super().__init__(table, self._given)
        self._branches = branches
        self._rolls = rolls
        self._hidden = hidden
        self._pool = ""
        self._queue: list[tuple[int, ...]] = []
        self._noted: list[Roll] = []
        self.has_rolled = False

    @override
    def emit(self, event: Event) -> None:
        """Record an event; break the run off where the results are fixed.

        Raises:
            Settled: They are.
            PoolNoted: The rolls that only count together are over.
        """
        if self._pool and not isinstance(event, DiceRolled):
            self.end_pool()
        super().emit(event)
        if self._rolls.is_settled(self.table, event):
            raise Settled

    def end_pool(self) -> None:
        """End the rolls in a row that only count together.

        Raises:
            PoolNoted: They were not known before.
        """
        self._pool = ""
        if self._noted:
            self._branches.note_pool(tuple(self._noted))
            raise PoolNoted

    def _follow(self, purpose: str) -> None:
        self._check_running()
        if not self._rolls.follows(self.table, purpose):
            raise Settled
        self.has_rolled = True

    @override
    def dice(
        self,
        count: int,
        purpose: str,
        rule: RuleId,
        *,
        about: str = "",
        modifiers: tuple[Modifier, ...] = (),
        needed: int | None = None,
        sides: int = 6,
        keep: int = 0,
        within: tuple[int, int] | None = None,
        each: bool = False,
        or_less: bool = False,
        seen_by: tuple[Seat, ...] | None = None,
    ) -> tuple[int, ...]:
        """Roll the dice of this branch; see `core.engine.draft_chance.ChanceDraft.dice`."""
        self._follow(purpose)
        classes: tuple[int, ...] = ()
        if each:
            added = sum([part.amount for part in modifiers])
            marked = self._rolls.marked(self.table, purpose, about)
            classes = judged_faces(sides, needed or 0, added, or_less=or_less, marked=marked)
        pool = self._rolls.pool(self.table, purpose, about, rule)
        self._given.faces = self._faces(Roll(count, sides, keep, classes), pool)
        return super().dice(
            count,
            purpose,
            rule,
            about=about,
            modifiers=modifiers,
            needed=needed,
            sides=sides,
            keep=keep,
            within=within,
            each=each,
            or_less=or_less,
            seen_by=seen_by,
        )

    def _faces(self, roll: Roll, pool: str) -> tuple[int, ...]:
        """Return the faces of a roll in this branch."""
        if not roll.count:
            return ()
        if self._pool and pool != self._pool:
            self.end_pool()
        if not pool:
            found = results_of(roll)
            return found[self._branches.choose([one.ways for one in found])].faces[0]
        if not self._pool:
            self._pool = pool
            known = self._branches.pooled()
            if known == ():
                self._pool = ""
                return self._faces(roll, "")
            if known is not None:
                together = results_together(known)
                self._queue = list(together[self._branches.choose([one.ways for one in together])].faces)
        if self._queue:
            return self._queue.pop(0)
        self._noted.append(roll)
        return results_of(roll)[0].faces[0]

    @override
    def _pick(self, pile: PileId, purpose: str, seen_by: tuple[Seat, ...] | None) -> CardId:
        self._follow(purpose)
        return self._card(self._hidden.candidates(self.table, pile), pile, purpose)

    @override
    def _weigh(self, weights: Mapping[CardId, int], purpose: str, seen_by: tuple[Seat, ...] | None) -> CardId:
        self._follow(purpose)
        return self._card(weights, None, purpose)

    def turn_up(self, pile: PileId) -> None:
        """Choose what lies in a pile whose hidden card was drawn before."""
        if self._hidden.is_unknown(pile):
            self._card(self._hidden.candidates(self.table, pile), pile, pile)

    def _card(self, weights: Mapping[CardId, int], pile: PileId | None, purpose: str) -> CardId:
        """Return the card of this branch: cards that lead to the same are one of them."""
        alike: dict[str, tuple[CardId, int]] = {}
        for card, weight in weights.items():
            key = self._rolls.alike(purpose, card)
            first, so_far = alike.get(key, (card, 0))
            alike[key] = first, so_far + weight
        found = list(alike.values())
        card, _ = found[self._branches.choose([weight for _, weight in found])]
        if pile is not None:
            self._hidden.draw(self.table, pile, card)
        return card

    @override
    def choose(
        self,
        candidates: Sequence[str],
        purpose: str,
        rule: RuleId,
        *,
        about: str = "",
        seen_by: tuple[Seat, ...] | None = None,
    ) -> str:
        """Choose the candidate of this branch; see `core.engine.draft_chance.ChanceDraft.choose`."""
        self._follow(purpose)
        self._given.index = self._branches.choose([1] * len(candidates))
        return super().choose(candidates, purpose, rule, about=about, seen_by=seen_by)
