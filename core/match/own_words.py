"""The words of seats: what stands beside a command, and has to say what the command says, with a key or without one.

The signature of a seat covers its command, not the events. So those that repeat what the command says are compared with it; that needs no rules of a game.
"""

from collections.abc import Mapping
from types import MappingProxyType

from core.engine.command import MATCH_TAGS
from events.codec import decode_plain, encode
from events.commit import Commit
from events.ids import ARBITER, NO_SEAT, PUBLIC, Seat
from events.vocabulary import (
    BaseEvent,
    CommandsUndone,
    DisputeOpened,
    KeyRegistered,
    NoteAdded,
    RulingAppealed,
    RulingMade,
    SeatLeft,
    SeatSecured,
    SeatTaken,
    StandingAnswerGiven,
    UndoAnswered,
    UndoAsked,
)
from projections.state.table import Table
from projections.state.view import seat_number

_SAID: Mapping[type[BaseEvent], tuple[str, ...]] = MappingProxyType(
    {
        CommandsUndone: (),
        DisputeOpened: ("at", "text"),
        KeyRegistered: ("public_key", "key_holder"),
        NoteAdded: ("at", "text", "private"),
        RulingAppealed: ("at", "text"),
        RulingMade: ("about", "at", "cites", "effect", "house", "line", "reverses", "text"),
        SeatLeft: (),
        SeatSecured: ("anchor", "holder", "length"),
        SeatTaken: ("credential", "name"),
        StandingAnswerGiven: ("answer", "decision", "until"),
        UndoAnswered: ("is_agreed",),
        UndoAsked: (),
    }
)
"""Events by which a seat or the arbiter says something, with the fields of the command that say it, too."""


def words_problem(commit: Commit, table: Table, *, repeats: bool) -> str:
    """Return which event of a commit names another seat, or says something else, than its command; empty if none does.

    Args:
        commit: A commit.
        table: The table before it.
        repeats: Whether it repeats what a fork has cut, so that the command may be that of another player.
    """
    seat, command = commit.seat, _plain(bytes(commit.command))
    known = {*table.seats, ARBITER, PUBLIC, NO_SEAT}
    for number, event in enumerate(commit.events, start=commit.first):
        if unknown := {*_named(event)} - known:
            return f"event {number} names {min(unknown)!r}, which is no seat of the match"
        if repeats or type(event) not in _SAID:
            continue
        author = getattr(event, "seat", ARBITER)
        if seat != author and not (isinstance(event, CommandsUndone) and seat in event.agreed):
            return f"event {number} is that of the seat {author}, beside a command of the seat {seat}"
        if not _is_said(event, command, table, seat):
            return f"event {number} is not what the command of the seat {seat} says"
    has_key = any(isinstance(event, KeyRegistered) for event in commit.events)
    if repeats or has_key == bool(command.get("public_key")):
        return ""
    return f"the key that the command of the seat {seat} names is not registered"


def _plain(command: bytes) -> Mapping[str, object]:
    """Return the fields of a command of the match; of one of a game none, since no event may repeat them."""
    plain = decode_plain(command) if MATCH_TAGS.encode() in command else None
    return plain if isinstance(plain, dict) else {}


def _named(event: BaseEvent) -> tuple[str, ...]:
    """Return the seats that an event names as its own and as those that see it."""
    return (getattr(event, "seat", NO_SEAT), *(getattr(event, "seen_by", None) or ()))


def _is_said(event: BaseEvent, command: Mapping[str, object], table: Table, seat: Seat) -> bool:
    """Return whether an event says what the command of its seat says, as far as that needs no rules."""
    said = decode_plain(encode(event))
    assert isinstance(said, dict), "an event has fields"
    if isinstance(event, KeyRegistered):
        said |= {"public_key": event.key, "key_holder": event.holder}
    elif isinstance(event, NoteAdded):
        said["private"] = "" if event.seen_by is None else event.seen_by == (seat,)
    elif isinstance(event, SeatTaken) and not str(command.get("name", "")).strip():
        # Without a name of its own the player has that of the invitation.
        said["name"] = command.get("name", "")
    if "at" in said:
        said["at"] = seat_number(table, seat, said["at"])
    return all(said.get(name, "") == command.get(name, "") for name in _SAID[type(event)])
