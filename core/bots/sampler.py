"""Deals of what a seat cannot know, from its view alone: prepared once for a position, then dealt as often as wanted."""

from collections.abc import Iterator, Sequence

from typing_extensions import override

from core.bots.stand_in import stand_in
from core.bots.world import Below, RandomChance, World, bare
from core.components.inventory import Inventory
from core.engine.chance_port import Chance
from core.engine.dealing import Deal
from core.engine.decision import Rules
from core.secrets.dealers import ChanceDealer, Lot
from core.secrets.knowledge import Hidden
from core.secrets.resample import NO_DEAL, Redeal
from projections.state.table import Piece, Pile, Table


class Deals:
    """Deals of what a seat does not know; each gives a table that may be the true one by what it knows.

    A deal depends on nothing but the seat's view and on chance.

    Args:
        rules: The rules of the match.
        inventory: What is in play.
        hidden: What the seat knows.

    Raises:
        KernelError: What is hidden cannot be dealt.
    """

    def __init__(self, rules: Rules, inventory: Inventory, hidden: Hidden) -> None:
        self._dealing = rules.dealing
        found = stand_in(rules.dealing, inventory, hidden)
        self._table = bare(found.table)
        self._redeal = Redeal(self._table, hidden.table, rules.dealing, hidden, found.spare)
        self._lying = {name: hidden.table.pile(name).cards for name in self._redeal.game.unknown.piles}

    @property
    def lots(self) -> Sequence[Lot]:
        """What is dealt."""
        return self._redeal.lots

    def deal(self, chance: Chance) -> Table:
        """Return the table after another deal.

        Raises:
            KernelError: No deal that was tried is possible.
        """
        dealer, problem = ChanceDealer(chance), NO_DEAL
        for attempt in range(dealer.tries):
            deal = self._redeal.deal(dealer, 0, attempt)
            if deal is not None:
                table = self._dealt(deal)
                problem = self._dealing.problem(table)
                if not problem:
                    return table
        raise dealer.refuse(problem)

    def _dealt(self, deal: Deal) -> Table:
        """Return the table with a deal."""
        table = self._table.clone()
        for name, cards in deal.piles.items():
            lying = tuple(sorted((*self._lying[name], *cards)))
            table.piles[name] = Pile(lying, 0, table.piles[name].seen_by)
        for piece, now in deal.pieces.items():
            there = table.pieces[piece]
            table.pieces[piece] = Piece(piece, now.kind, there.side, there.place, now.face, now.steps)
        for on, values in deal.attributes.items():
            table.attributes[on] = {**table.attributes[on], **values}
        return table


class Sampler(Iterator[World]):
    """Yields worlds that may be the true one by what a seat knows: what it does not know is dealt anew in each.

    Args:
        rules: The rules of the match.
        inventory: What is in play.
        hidden: What the seat knows.
        below: Decides the deals, and dice and draws in the worlds.

    Raises:
        KernelError: What is hidden cannot be dealt.
    """

    def __init__(self, rules: Rules, inventory: Inventory, hidden: Hidden, below: Below) -> None:
        self._rules = rules
        self._chance = RandomChance(below)
        self._deals = Deals(rules, inventory, hidden)

    @override
    def __next__(self) -> World:
        """Return another world; see `Deals.deal` for the error."""
        return World(self._rules, self._deals.deal(self._chance), self._chance)
