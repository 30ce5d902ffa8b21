"""Tables that may be the true one by what a seat knows: what is hidden from it is dealt anew, so that no chance depends on the truth."""

from collections.abc import Callable
from functools import cached_property
from hashlib import sha256

from core.bots.sampler import Deals
from core.chance.chance_sources import seeded
from core.components.inventory import Inventory
from core.engine.chance_port import Chance
from core.engine.decision import Rules
from core.odds.hidden_piles import HiddenPiles
from core.secrets.knowledge import Hidden
from events.codec import Struct, encode
from events.ids import ARBITER, PieceId, Seat
from projections.state.table import Table


class PossibleTable(Struct, frozen=True):
    """A table that may be the true one by what a seat knows, and what may lie in its hidden piles."""

    table: Table
    hidden: HiddenPiles


class PossibleTables:
    """The tables that may be the true one.

    Args:
        rules: The rules of the match.
        table: The true table.
        seat: Whose knowledge counts.
        inventory: What is in play.
        knowledge: Returns what the seat knows of what it cannot name; called only if anything is hidden from it.
    """

    def __init__(
        self, rules: Rules, table: Table, seat: Seat, inventory: Inventory, knowledge: Callable[[], Hidden]
    ) -> None:
        self._rules = rules
        self._table = table
        self._inventory = inventory
        self._known = None if seat == ARBITER or _is_open(table, seat) else knowledge()
        self._first: PossibleTable | None = None
        self._dealt: dict[int, PossibleTable] = {}

    @property
    def is_only_one(self) -> bool:
        """Whether nothing is hidden from the seat, so that the true table is the only one."""
        return self._known is None

    @property
    def known(self) -> Table:
        """The table as the seat knows it."""
        return self._table if self._known is None else self._known.table

    def chance(self, purpose: str) -> Chance:
        """Return a source seeded with what the seat knows."""
        seed = sha256(encode(self.known)).hexdigest()
        return seeded(f"{purpose} {seed}")

    def first(self) -> PossibleTable:
        """Return one of the tables, on which whatever may lie in a hidden pile can be drawn from it.

        Raises:
            KernelError: What is hidden cannot be dealt.
        """
        if self._first is None:
            lots = () if self._deals is None else self._deals.lots
            piles = [lot for lot in lots if not any(PieceId(name) in self._table.pieces for name in lot.sizes)]
            self._first = PossibleTable(self._deal(0), HiddenPiles(piles))
        return self._first

    def numbered(self, number: int) -> PossibleTable:
        """Return one of some tables dealt at random; see `first` for the error."""
        if number not in self._dealt:
            self._dealt[number] = PossibleTable(self._deal(number), HiddenPiles())
        return self._dealt[number]

    @cached_property
    def _deals(self) -> Deals | None:
        return None if self._known is None else Deals(self._rules, self._inventory, self._known)

    def _deal(self, number: int) -> Table:
        return self._table if self._deals is None else self._deals.deal(self.chance(f"deal {number}"))


def _is_open(table: Table, seat: Seat) -> bool:
    """Return whether nothing on a table is hidden from a seat."""
    told = [pile.seen_by for pile in table.piles.values() if pile.cards]
    told += [*table.known_to.values(), *[terms.seen_by for terms in table.terms]]
    return all(seats is None or seat in seats for seats in told)
