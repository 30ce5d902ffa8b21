"""Tracks the sources of chance of a match under audit, with the seeds that are known."""

import hmac
from collections.abc import Sequence

from typing_extensions import override

from core.chance.chance_sources import seeded_chance
from core.chance.links import LinkedChance, context, is_next
from core.chance.recorded_chance import Drawn, Judge, Rolled, is_use
from core.chance.schemes import MANUAL, SCHEMES, SEALED, veil_of
from core.chance.seeds import seed_for
from core.engine.chance_port import Chance
from core.errors import RecordDiffers
from events.codec import Struct
from events.commit import Commit
from events.vocabulary import ChanceScheme, DiceRolled, LinksOpened, MatchForked
from projections.state.chosen_faces import ChosenFaces, chosen_for, chosen_on, left_of_chosen
from projections.state.forks import carried_on
from projections.state.links import Links
from projections.state.table import Table


class _Source(Struct, frozen=True):
    """The source of the dice of a cut commit, up to an event; `chosen` are the faces that a fork had chosen before that commit."""

    upto: int
    scheme: ChanceScheme
    links: Links | None
    chosen: ChosenFaces | None


class DiceAudit:
    """Follows a match commit by commit, and finds the dice with which each outcome must agree.

    Args:
        seeds: Revealed seeds.

    Attributes:
        kinds: The schemes found so far.
        is_sealed: Whether some of the dice so far come from an undisclosed seed.
        is_resting: Whether some of the dice so far could neither be checked with a seed nor be compared with a parent's record.
    """

    def __init__(self, seeds: Sequence[str]) -> None:
        self.kinds: set[str] = set()
        self.is_sealed = False
        self.is_resting = False
        self._seeds = seeds
        self._found: dict[str, str] = {}
        self._used: set[str] = set()
        # The outcomes of the last commit that come from a parent's dice whose seed this match does not reveal.
        self._unproved: list[int] = []
        # Only the next commit can hold dice of other sources than the match's own: if a fork has cut it.
        self._sources: tuple[_Source, ...] = ()
        self._seeded: tuple[ChanceScheme, Chance] | None = None

    def note(self, scheme: ChanceScheme) -> None:
        """Record the source that the match has from here on."""
        self.kinds.add(scheme.scheme)
        if scheme.scheme == SEALED:
            self._used.add(self.seed(scheme))
            self.is_sealed = self.is_sealed or not self.knows(scheme)

    def has_used(self, scheme: ChanceScheme) -> bool:
        """Return whether sealed dice have the seed of earlier ones, as far as that is revealed."""
        seed = self.seed(scheme) if scheme.scheme == SEALED else ""
        return bool(seed) and seed in self._used

    def knows(self, scheme: ChanceScheme) -> bool:
        """Return whether the seed of a source is known, so that its dice can be re-rolled."""
        return scheme.scheme != MANUAL and (scheme.scheme != SEALED or bool(self.seed(scheme)))

    def seed(self, scheme: ChanceScheme) -> str:
        """Return the revealed seed (hex) of a source; empty if it is not known."""
        if scheme.commitment not in self._found:
            found = seed_for(scheme, self._seeds)
            if not found:
                return ""
            self._found[scheme.commitment] = found
        return self._found[scheme.commitment]

    def _chance(self, scheme: ChanceScheme) -> Chance | None:
        """Return the dice of a source without links, or None if they are typed in.

        Raises:
            SchemeUnusable: The scheme is not known or not valid.
        """
        if scheme.scheme == MANUAL:
            return None
        kept = self._seeded
        if kept is None or kept[0] is not scheme:
            kept = self._seeded = (scheme, seeded_chance(scheme))
        return kept[1]

    def leave(self, table: Table, forked: MatchForked) -> None:
        """Follow a fork; if it cut a commit, the next commit begins with dice of the parent.

        Args:
            table: The table before the fork.
            forked: The event that makes it a fork.
        """
        self._sources = _cut_sources(self._sources, table, forked) if forked.at > table.seq else ()

    def judge(self, commit: Commit, table: Table) -> Judge:
        """Return a function from the number of an event to the dice with which its recorded outcome must agree.

        Args:
            commit: The next commit.
            table: The table before it.
        """
        sources, self._sources = self._sources, ()
        unproved = self._unproved = []

        def source(scheme: ChanceScheme, links: Links | None, seq: int, *, is_veiled: bool) -> Chance | None:
            if links is None:
                return self._chance(scheme)
            return self._linked(scheme, links, commit, seq, is_veiled=is_veiled)

        def judge(seq: int, is_veiled: bool) -> Chance | None:  # noqa: FBT001 - As `Judge` says.
            for one in sources:
                if seq <= one.upto:
                    found = source(one.scheme, one.links, seq, is_veiled=is_veiled)
                    if found is None and one.scheme.commitment != table.chance.commitment:
                        unproved.append(seq)
                    return _with_chosen(found, commit, one.chosen, seq)
            found = source(table.chance, table.links, seq, is_veiled=is_veiled)
            return _with_chosen(found, commit, table.chosen_faces, seq)

        return judge

    def _linked(
        self, scheme: ChanceScheme, links: Links, commit: Commit, seq: int, *, is_veiled: bool
    ) -> Chance | None:
        """Return the source of a result that depends on links, or None if it is veiled and the seed is not revealed.

        Raises:
            RecordDiffers: No link was opened for it, or not the one that follows.
        """
        before = commit.events[: seq - commit.first]
        place = next((place for place in reversed(range(len(before))) if is_use(before[place])), None)
        opened = None if place is None else before[place]
        if place is None or not isinstance(opened, LinksOpened):
            raise RecordDiffers(seq, "no link was opened for this result")
        if not is_next(opened.link, links.link):
            raise RecordDiffers(seq, "the link that was opened for this result is not the next one of the server")
        last = links.last()
        if opened.share:
            last[opened.seat] = opened.share
        calls = sum(isinstance(event, Rolled | Drawn) for event in before[place:])
        text = context(scheme.stream, opened.number, last)
        if not is_veiled:
            return LinkedChance(hmac.digest(bytes.fromhex(opened.link), text, "sha256"), calls)
        seed = self.seed(scheme)
        return LinkedChance(hmac.digest(veil_of(seed, scheme.stream), text, "sha256"), calls) if seed else None

    def rest(self, first: int, last: int) -> None:
        """Record that events of the last commit depend on a parent's record that is not here."""
        self.is_resting = self.is_resting or any(first <= seq <= last for seq in self._unproved)

    def summary(self) -> str:
        """Return how far the dice were checked; see `AuditReport.dice`."""
        if not self.kinds.issubset(SCHEMES):
            return "unknown"
        if self.kinds == {MANUAL}:
            return "typed"
        if self.is_resting:
            return "unverifiable"
        if len(self.kinds) > 1:
            return "mixed"
        return "sealed" if self.is_sealed else "checked"


class _WithChosen(Chance):
    """The dice of a roll of which a fork chose the first faces.

    Args:
        chance: The dice of the fork.
        faces: The chosen ones.
    """

    def __init__(self, chance: Chance, faces: tuple[int, ...]) -> None:
        self._chance = chance
        self._faces = faces

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice; see `Chance.dice`."""
        return (*self._faces, *self._chance.dice(seq, count, sides, purpose)[len(self._faces) :])

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate; see `Chance.pick`."""
        return self._chance.pick(seq, candidates, purpose)

    @override
    def reveal(self) -> str:
        """Return the seed to publish."""
        return self._chance.reveal()


def _with_chosen(chance: Chance | None, commit: Commit, chosen: ChosenFaces | None, seq: int) -> Chance | None:
    """Return the source of a roll with the faces that a fork chose for it, if there are any.

    Args:
        chance: The dice of the fork; None if they are not known.
        commit: The commit of the roll.
        chosen: The faces that were chosen and not used before the commit.
        seq: The number of the roll.
    """
    if chance is None or chosen is None:
        return chance
    for number, event in enumerate(commit.events[: seq - commit.first], start=commit.first):
        if isinstance(event, DiceRolled):
            chosen = left_of_chosen(chosen, number, event)
    roll = commit.events[seq - commit.first]
    if not isinstance(roll, DiceRolled):
        return chance
    return _WithChosen(chance, chosen_for(chosen, seq, len(roll.faces), roll.sides))


def _cut_sources(sources: tuple[_Source, ...], table: Table, forked: MatchForked) -> tuple[_Source, ...]:
    """Return the sources of the commit that a fork has cut, in the order of their events.

    A fork with the same dice repeats all outcomes of that commit, unless it chose faces; any other fork those up to its fork point.
    """
    carried = carried_on(table.chance)
    end = None if forked.chance == carried and not forked.faces else forked.at
    earlier = [
        _Source(
            (one.upto if end is None else min(one.upto, end)) + 1,
            carried_on(one.scheme),
            one.links,
            chosen_on(one.chosen),
        )
        for one in sources
    ]
    own = _Source(forked.at + 1, carried, table.links, chosen_on(table.chosen_faces))
    found: list[_Source] = []
    for one in (*earlier, own):
        if not found or one.upto > found[-1].upto:
            found.append(one)
    return tuple(found)
