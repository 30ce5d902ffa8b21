"""A match in memory whose seats have chains of links, opened as honest programs open them."""

from collections.abc import Callable
from random import Random

from typing_extensions import override

from core.chance.links import LinkChain, tip_of
from core.engine.selection import onward
from core.match.live_match import Prepared, load_match
from core.match.match_creation import Opening, open_match
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import Value
from projections.state.seating import decider
from tests.support.desk import NOON, SEED, Desk

SHORT = 512
"""Long enough for a test, and quick to make."""


class LinkedDesk(Desk):
    """One match with dice that depend on links.

    Attributes:
        chains: The chains of the seats that have one.
    """

    chains: dict[Seat, LinkChain]

    @classmethod
    def linked(
        cls,
        game: str = "skirmish",
        scenario: str = "",
        *,
        mode: str = "",
        options: dict[str, Value] | None = None,
        secured: Callable[[Seat], bool] = lambda _: True,
        name: str = "m1",
        seed: str = SEED,
        begin: bool = True,
    ) -> "LinkedDesk":
        """Open a match, take all seats, and begin it as programs do.

        Args:
            game: The game.
            scenario: One of its scenarios.
            mode: A mode of it.
            options: Its options.
            secured: Returns whether a seat has a chain.
            name: The match.
            seed: The sealed seed.
            begin: Whether to let play begin.
        """
        log = MemoryLog()
        opening = Opening(game=game, scenario=scenario, mode=mode, options=options or {}, dice="sealed", seed=seed)
        opened = open_match(MatchId(name), opening, key="open", at=NOON)
        log.append([opened.prepared.new])
        for digest, content in opened.attachments.items():
            log.attach(digest, content)
        desk = cls(log, load_match(log, MatchId(name)))
        desk.chains = {}
        for seat in desk.table.seats:
            desk.sit(seat, is_secured=secured(seat))
        return desk.settle() if begin else desk

    def sit(self, seat: Seat, *, is_secured: bool = True, tip: bytes = b"", invitation: str = "") -> Prepared:
        """Take a seat, with a chain or without one."""
        command: dict[str, object] = {"do": "match:take-seat", "seat": seat, "name": str(seat).title()}
        if invitation:
            command["invitation"] = invitation
        if is_secured:
            chain = LinkChain(tip or tip_of(b"secret", seat), SHORT)
            self.chains[seat] = chain
            command |= {"anchor": chain.anchor, "length": SHORT}
        return self.accept(command, seat)

    def share(self, seat: Seat, ahead: int = 1) -> dict[str, object]:
        """Return the command by which a seat opens its next link, or one further ahead."""
        assert self.table.links is not None
        return {
            "do": "match:open-link",
            "share": self.chains[seat].link(self.table.links.chains[seat].opened + ahead).hex(),
        }

    def open_link(self, seat: Seat) -> Prepared:
        """Open the next link of a seat."""
        return self.accept(self.share(seat), seat)

    def settle(self) -> "LinkedDesk":
        """Let all seats open what is called for and owed, and begin play."""
        for _ in range(20):
            links = self.table.links
            assert links is not None
            due = [seat for seat in links.chains if links.is_payable(seat, decider(self.table))]
            if self.table.ended is not None:
                break
            if links.call is not None:
                self.open_link(links.call.seat)
            elif due:
                self.open_link(due[0])
            elif self.chains and not self.table.began and len(self.table.players) == len(self.table.seats):
                self.accept({"do": "match:begin"}, next(iter(self.chains)))
            else:
                break
        return self

    @override
    def play(self, steps: int, choose: Random, after: "Callable[[Desk], None] | None" = None) -> "LinkedDesk":
        """Play random legal commands, with all links that are due."""
        for _ in range(steps):
            self.settle()
            options = [] if self.table.ended is not None else self.options()
            if not options:
                break
            self.accept(choose.choice(onward(options)))
            if after is not None:
                after(self)
        return self if self.table.ended is not None else self.settle()
