"""Deals of what a seat cannot know, from its view alone: prepared once for a position, then dealt as often as wanted."""

from collections.abc import Iterator, Sequence

from typing_extensions import override

from core.bots.stand_in import StandIn, stand_in
from core.bots.world import RandomChance, World, bare
from core.components.inventory import Inventory
from core.engine.chance_port import Chance
from core.engine.dealing import Deal
from core.engine.decision import Rules
from core.engine.option_by_chance import Below
from core.secrets.dealers import ChanceDealer, Lot
from core.secrets.knowledge import Hidden
from core.secrets.resample import NO_DEAL, Redeal
from events.ids import CardId
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
        self._table, self._redeal = self._prepared(stand_in(rules.dealing, inventory, hidden), hidden)
        nowhere = _nowhere(self._redeal)
        if nowhere:
            found = stand_in(rules.dealing, inventory, hidden, nowhere)
            self._table, self._redeal = self._prepared(found, hidden)
        self._lying = {name: hidden.table.pile(name).cards for name in self._redeal.game.unknown.piles}

    def _prepared(self, found: StandIn, hidden: Hidden) -> tuple[Table, Redeal]:
        table = bare(found.table)
        return table, Redeal(table, hidden.table, self._dealing, hidden, found.spare)

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


def _nowhere(redeal: Redeal) -> set[CardId]:
    """Return the cards that can lie nowhere by what the seat knows: with options they stayed in the box, and chance would hardly ever leave out just these."""
    found: set[CardId] = set()
    for lot in redeal.lots:
        able = [redeal.game.limits.able(name, number) for name, size in lot.sizes.items() for number in range(size)]
        if None not in able:
            placed = frozenset[CardId]().union(*[one for one in able if one is not None])
            found.update([card for cards in lot.cards.values() for card in cards if card not in placed])
    return found


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
