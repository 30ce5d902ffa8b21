"""The source of dice of a match at its head: keys and links are derived once and kept."""

from typing_extensions import override

from core.chance.chance_sources import ManualChance, seeded_chance
from core.chance.links import SealedChance, ServerLinks
from core.chance.schemes import MANUAL, SEALED, keeps_promise, scheme_problem
from core.engine.chance_port import Chance
from core.errors import ChanceWaits, KernelError, SchemeUnusable, SeedMissing
from events.ids import NO_SEAT, MatchId, Seat
from events.vocabulary import ChanceScheme, LinksOpened
from projections.state.table import Table


class MatchDice:
    """The dice of a match.

    Args:
        match: Its id.
    """

    __slots__ = ("_match", "_seeded", "_server")

    def __init__(self, match: MatchId) -> None:
        self._match = match
        self._seeded: tuple[ChanceScheme, Chance] | None = None
        self._server: tuple[ChanceScheme, ServerLinks] | None = None

    def source(self, table: Table, seed: str, seat: Seat = NO_SEAT, share: str = "") -> Chance:
        """Return the source of a command.

        With manual dice it has no dice.

        Args:
            table: The table of the running command.
            seed: The sealed seed (hex) if this store has it.
            seat: The seat that sends the command.
            share: The link that it opens (hex), checked already; empty for none.

        Raises:
            SeedMissing: The dice are sealed and this store does not have the seed.
            SchemeUnusable: The source of dice is not known to this program, or not valid.
        """
        scheme = table.chance
        if scheme.scheme == MANUAL:
            return ManualChance()
        if scheme.scheme == SEALED:
            return self._linked(table, seed, seat, share)
        kept = self._seeded
        # Deriving a key takes time.
        if kept is None or kept[0] is not scheme:
            self._check(scheme, seed)
            kept = self._seeded = (scheme, seeded_chance(scheme))
        return kept[1]

    def _linked(self, table: Table, seed: str, seat: Seat, share: str) -> Chance:
        scheme, links = table.chance, table.links
        assert links is not None, "dice that depend on links have links"
        if not share and (links.held(seat) is not None or links.debtors()):
            return WaitingChance(seed)
        kept = self._server
        if kept is None or kept[0] is not scheme:
            self._check(scheme, seed)
            kept = self._server = (scheme, ServerLinks(seed, scheme.stream, scheme.length))
        if links.opened >= scheme.length:
            raise KernelError(
                f"match {self._match} has opened all its {scheme.length} links; fork it with fresh dice to go on"
            )
        return SealedChance(scheme, kept[1], links, seed=seed, seat=seat if share else NO_SEAT, share=share)

    def _check(self, scheme: ChanceScheme, seed: str) -> None:
        """Check that dice of a scheme can be rolled here; see `source`."""
        problem = scheme_problem(scheme)
        if problem:
            raise SchemeUnusable(f"match {self._match} cannot be continued: {problem}")
        if scheme.scheme == SEALED and not keeps_promise(seed, scheme):
            raise SeedMissing(
                f"the sealed dice of match {self._match} are in another store; fork it with fresh dice to continue here"
            )


class WaitingChance(ManualChance):
    """The source of a command that has to wait for a link before it can use chance.

    Args:
        seed: The sealed seed (hex).
    """

    def __init__(self, seed: str) -> None:
        super().__init__()
        self._seed = seed

    @override
    def prepare(self, *, is_veiled: bool) -> LinksOpened | None:
        """Say that a link is missing.

        Raises:
            ChanceWaits: Always.
        """
        raise ChanceWaits("the command waits for a link")

    @override
    def reveal(self) -> str:
        """Return the seed to publish."""
        return self._seed
