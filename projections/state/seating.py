"""The part of the fold that applies events about seats, the arbiter's office, and what seats ask of each other."""

from collections.abc import Mapping

from events.codec import replace
from events.ids import ARBITER, NO_SEAT, Seat
from events.vocabulary import (
    ArbiterLeft,
    ArbiterSeated,
    DisputeOpened,
    MatchPaused,
    MatchResumed,
    PlayerReplaced,
    RulingAppealed,
    RulingMade,
    SeatLeft,
    SeatReserved,
    SeatTaken,
    SeatViewed,
    UndoAnswered,
    UndoAsked,
)
from projections.state.links import left
from projections.state.offices import Arbiter, AskedBack, Dispute, Invitation, Stand
from projections.state.seat_keys import without_key
from projections.state.table import Ended, Table

FORMER_MAX = 8
"""How many former players of a seat are remembered."""


OPEN, BEGIN = "open", "begin"
"""What the program of a seat does for the dice."""


def decider(table: Table) -> Seat:
    """Return the seat whose decision is open; empty for none."""
    return NO_SEAT if table.top is None else table.top.seat


def is_full(table: Table) -> bool:
    """Return whether all seats are taken."""
    return len(table.players) == len(table.seats)


def is_over(table: Table) -> bool:
    """Return whether the match has ended and goes on as no other one, which would hide the same."""
    return table.ended is not None and not table.goes_on


def links_due(table: Table) -> tuple[Seat, ...]:
    """Return the seats whose links dice wait for because of an anchor; none while a seat is free, whose anchor is to come, and none once the match has ended."""
    is_due = table.ended is None and (table.began or is_full(table))
    return tuple(table.links.debtors()) if table.links is not None and is_due else ()


def part_of(table: Table, seat: Seat, *, decides: bool = False) -> str:
    """Return what the program of a seat does next for the dice: `open` a link, `begin` the match, or nothing (an empty text).

    Args:
        table: The table, as any seat sees it.
        seat: The seat, which has a chain.
        decides: Whether a link counts that the seat opens before it decides, if the table says that it is to.
    """
    links = table.links
    if links is None or links.held(seat) is None or table.ended is not None or table.paused is not None:
        return ""
    if not table.began and not is_full(table):
        # Each anchor is followed by a link of every seat, so that the last one to sit is waited for.
        return ""
    if links.is_wanted(seat) or (decides and links.is_payable(seat, decider(table))):
        return OPEN
    return BEGIN if not table.began and not links.debtors() else ""


def take_seat(table: Table, event: SeatTaken) -> None:
    """Seat a player; the invitation to the seat is used up."""
    table.players = {**table.players, event.seat: event.name}
    table.credentials = {**table.credentials, event.seat: event.credential}
    _use_up(table, event.seat)


def free_seat(table: Table, event: SeatLeft | PlayerReplaced) -> None:
    """Free a seat; its secret proves nothing from then on."""
    name = table.players.get(event.seat, "")
    if name and table.began:
        others = tuple([known for known in table.former.get(event.seat, ()) if known != name])
        table.former = {**table.former, event.seat: (*others, name)[-FORMER_MAX:]}
    if table.links is not None:
        table.links = left(table.links, event.seat)
    table.keys = without_key(table.keys, event.seat)
    table.players = {seat: name for seat, name in table.players.items() if seat != event.seat}
    table.credentials = {seat: secret for seat, secret in table.credentials.items() if seat != event.seat}


def former_players(former: Mapping[Seat, tuple[str, ...]], players: Mapping[Seat, str]) -> dict[Seat, tuple[str, ...]]:
    """Return the former players of each seat whom others followed; the present player is left out, who may have come back.

    Args:
        former: Those of each seat who have left it or were replaced.
        players: The present player of each taken seat.
    """
    found = {seat: tuple([name for name in names if name != players.get(seat, "")]) for seat, names in former.items()}
    return {seat: names for seat, names in found.items() if names}


def winning_players(ended: Ended | None, players: Mapping[Seat, str]) -> tuple[str, ...]:
    """Return the names of the players who have won, each once; a player without a name is left out."""
    names = [] if ended is None else [players.get(seat, "") for seat in ended.winning_seats]
    return tuple(dict.fromkeys(filter(None, names)))


def reserve_seat(table: Table, event: SeatReserved) -> None:
    """Replace the invitation to a free seat, or withdraw it; in a fork, who made it no longer has the seat."""
    _use_up(table, event.seat)
    table.credentials = {seat: secret for seat, secret in table.credentials.items() if seat != event.seat}
    if event.credential:
        table.reserved = {
            **table.reserved,
            event.seat: Invitation(event.name, event.credential, event.until, event.key),
        }


def seat_arbiter(table: Table, event: ArbiterSeated) -> None:
    """Give the office of the arbiter to a person; an invitation to it is used up."""
    table.arbiter = Arbiter(event.name, event.credential, event.capability)
    if event.name not in table.arbiters:
        table.arbiters = (*table.arbiters, event.name)
    _use_up(table, ARBITER)


def free_arbiter(table: Table, event: ArbiterLeft) -> None:
    """End the office of the arbiter."""
    table.arbiter = None


def pause(table: Table, event: MatchPaused) -> None:
    """Stop the match."""
    table.paused = event.reason


def resume(table: Table, event: MatchResumed) -> None:
    """Let the match go on."""
    table.paused = None


def _use_up(table: Table, seat: Seat) -> None:
    if seat in table.reserved:
        table.reserved = {other: invited for other, invited in table.reserved.items() if other != seat}


def view_seat(table: Table, event: SeatViewed) -> None:
    """Do not count a look of the arbiter for dice."""
    table.unnumbered += 1


def ask_undo(table: Table, event: UndoAsked) -> None:
    """Keep a request, which dice do not count, until it is answered or play goes on."""
    table.unnumbered += 1
    table.asked_back = AskedBack(event.seat, table.seq, event.to, event.of)


def answer_undo(table: Table, event: UndoAnswered) -> None:
    """Note who has agreed; a refusal ends the request. Dice do not count the answer."""
    table.unnumbered += 1
    asked = table.asked_back
    if asked is not None:
        table.asked_back = replace(asked, agreed=(*asked.agreed, event.seat)) if event.is_agreed else None


def dispute(table: Table, event: DisputeOpened) -> None:
    """Open a dispute about an event."""
    table.disputes = (*table.disputes, Dispute(event.at))


def rule(table: Table, event: RulingMade) -> None:
    """Settle the dispute about an event, if there is one."""
    known = table.dispute(event.at)
    if known is not None:
        stand: Stand = "final" if known.stand == "appealed" else "ruled"
        _replace(table, Dispute(known.at, stand, table.seq, event.effect, event.line))


def appeal(table: Table, event: RulingAppealed) -> None:
    """Open a dispute again, for the second ruling."""
    known = table.dispute(event.at)
    if known is not None:
        _replace(table, replace(known, stand="appealed"))


def _replace(table: Table, dispute: Dispute) -> None:
    table.disputes = tuple([dispute if one.at == dispute.at else one for one in table.disputes])
