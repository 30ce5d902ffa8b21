"""The links of sealed dice as far as they are opened: those of the server and of the seats, and the call that waits for one."""

from events.codec import Struct, replace
from events.ids import Seat
from events.vocabulary import (
    ChanceCalled,
    ChanceScheme,
    Event,
    LinksOpened,
    MatchEnded,
    MatchForked,
    MatchOpened,
    PlayerReplaced,
    RulesAdopted,
    SeatLeft,
    SeatSecured,
)

SEALED_LINKS = "sealed/2"
"""The scheme whose dice depend on links."""


class Chain(Struct, frozen=True):
    """The chain of a seat, as far as it is opened.

    `link` is its last opened link, or its anchor; `opened` how many there are of `length`. `is_held` until the player leaves: what was opened stays in the
    dice. `owes` is whether another command used chance since, which is paid when the seat decides next, and `unanswered` lists the seats that published an anchor since,
    itself included. `anchors` is how many the seat has published, so that a program that follows from one secret never publishes a chain twice. `holder` is who holds it; see
    `SeatSecured`.
    """

    link: str
    opened: int = 0
    length: int = 0
    is_held: bool = True
    owes: bool = False
    unanswered: tuple[Seat, ...] = ()
    anchors: int = 1
    holder: str = ""

    @property
    def left(self) -> int:
        """How many of its links are not opened."""
        return self.length - self.opened

    @property
    def is_due(self) -> bool:
        """Whether the seat owes a link."""
        return self.owes or bool(self.unanswered)


class ChanceCall(Struct, frozen=True):
    """A call for chance that waits for the link of a seat: the number of the server's link, and that of the event."""

    seat: Seat
    number: int
    seq: int


class Links(Struct, frozen=True):
    """The links of a match with sealed dice: the last one of the server, or its anchor, how many it opened, the chains of the seats, and the call that waits."""

    link: str
    opened: int = 0
    chains: dict[Seat, Chain] = {}
    call: ChanceCall | None = None

    def last(self) -> dict[Seat, str]:
        """Return the last opened link of each seat that ever had a chain."""
        return {seat: chain.link for seat, chain in self.chains.items()}

    def held(self, seat: Seat) -> Chain | None:
        """Return the chain that the player of a seat holds, or None."""
        chain = self.chains.get(seat)
        return chain if chain is not None and chain.is_held else None

    def anchors(self, seat: Seat) -> int:
        """Return how many anchors a seat has published."""
        return self.chains[seat].anchors if seat in self.chains else 0

    def awaited(self, decider: Seat) -> Seat | None:
        """Return the seat that opens a link before anything can be decided: the one whose command called for dice, or itself for an anchor; None if none has to."""
        if self.call is not None:
            return self.call.seat
        return decider if self.is_wanted(decider) else None

    def is_wanted(self, seat: Seat) -> bool:
        """Return whether a seat has to open its next link, whoever decides: its command called for dice, or nobody called and an anchor is not answered."""
        chain = self.held(seat)
        is_called = self.call is not None and self.call.seat == seat
        return chain is not None and (is_called if self.call is not None else bool(chain.unanswered))

    def is_payable(self, seat: Seat, decider: Seat) -> bool:
        """Return whether a seat may open its next link although its command called for none: for an anchor, or if it decides, for chance that was used.

        Who opened it before could do so, or not, when it is known what the next dice would be with it and without.
        """
        chain = self.held(seat)
        return self.call is None and chain is not None and (bool(chain.unanswered) or (chain.owes and seat == decider))

    def debtors(self) -> list[Seat]:
        """Return the seats that have not opened a link since an anchor was published, in the order of their names."""
        return sorted(seat for seat, chain in self.chains.items() if chain.unanswered)


def links_of(chance: ChanceScheme) -> Links | None:
    """Return the links of a match before any is opened, or None if its dice have none."""
    return Links(chance.commitment) if chance.scheme == SEALED_LINKS else None


def links_on(links: Links | None, event: Event, number: int, repeated: int) -> Links | None:
    """Return the links after one more event; None if the dice depend on none.

    Args:
        links: The links before it.
        event: The event.
        number: Its number.
        repeated: Up to which event a fork repeats what was opened in its parent.
    """
    if isinstance(event, MatchOpened | MatchForked):
        return links_of(event.chance)
    if links is None:
        return None
    match event:
        case SeatSecured():
            return secured(links, event)
        case ChanceCalled():
            return called(links, event, number)
        case LinksOpened() if number > repeated:
            return opened(links, event)
        case SeatLeft() | PlayerReplaced():
            return left(links, event.seat)
        case MatchEnded() | RulesAdopted():
            return uncalled(links)
        case _:
            return links


def secured(links: Links, event: SeatSecured) -> Links:
    """Return the links after a seat published an anchor; a call of the seat is void.

    Each seat answers it with a link before chance is used: the others, so that nobody chose the anchor by theirs, and the seat itself, so that nobody who sees
    the anchor knows what it will give.
    """
    chains = {
        seat: replace(chain, unanswered=tuple(sorted({*chain.unanswered, event.seat}))) if chain.is_held else chain
        for seat, chain in links.chains.items()
    }
    anchors = links.anchors(event.seat) + 1
    chains[event.seat] = Chain(
        event.anchor, length=event.length, unanswered=(event.seat,), anchors=anchors, holder=event.holder
    )
    return Links(links.link, links.opened, chains, _without(links.call, event.seat))


def left(links: Links, seat: Seat) -> Links:
    """Return the links after a player has left; a call of the seat is void."""
    chain = links.chains.get(seat)
    if chain is None:
        return links
    chains = {**links.chains, seat: replace(chain, is_held=False, owes=False, unanswered=())}
    return Links(links.link, links.opened, chains, _without(links.call, seat))


def called(links: Links, event: ChanceCalled, seq: int) -> Links:
    """Return the links after a call for chance, event `seq`."""
    return replace(links, call=ChanceCall(event.seat, event.number, seq))


def opened(links: Links, event: LinksOpened) -> Links:
    """Return the links after some were opened; each other seat owes one after chance was used."""
    chains = links.chains
    if event.number:
        chains = {
            seat: replace(chain, owes=True) if chain.is_held and seat != event.seat else chain
            for seat, chain in chains.items()
        }
    if event.share and (own := chains.get(event.seat)) is not None:
        paid = replace(own, link=event.share, opened=own.opened + 1, owes=False, unanswered=())
        chains = {**chains, event.seat: paid}
    if not event.number:
        return Links(links.link, links.opened, chains, links.call)
    return Links(event.link, event.number, chains)


def uncalled(links: Links | None) -> Links | None:
    """Return the links without a call."""
    return links if links is None or links.call is None else replace(links, call=None)


def _without(call: ChanceCall | None, seat: Seat) -> ChanceCall | None:
    return None if call is not None and call.seat == seat else call
