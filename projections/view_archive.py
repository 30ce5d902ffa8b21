"""Exports what one seat saw of a match as lines of JSON (`docs/archive.md`).

Unlike an archive it is not evidence: it lacks the commands, the hash chain and the secrets of other seats, so the match cannot
be replayed under the rules from it. Like an archive it depends on the match alone, and anybody can read it.
"""

import hashlib
from collections.abc import Iterable, Iterator
from itertools import chain

from events.archive import VIEW_FORMAT
from events.chain import ChainCheck
from events.codec import Struct, encode
from events.errors import BrokenEvidence
from events.ids import Digest, GameKey, MatchId, Seat
from events.log import Log
from projections.state.table import Table
from projections.state.view import EventSlice, SeatView

NOTE = "What one seat saw of a match: its secrets and public information. It cannot be audited against the rules: the commands, the hash chain and other seats' secrets are only in the archive of the match."


class ViewHeader(Struct, frozen=True):
    """The first line."""

    view: str
    match: MatchId
    seat: Seat
    game: GameKey
    scenario: str
    mode: str
    note: str


class ViewTrailer(Struct, frozen=True):
    """The last line: the number of events, and the SHA-256 of all lines before this one."""

    end: str
    events: int
    sha256: Digest


def export_view(log: Log, match: MatchId, seat: Seat, table: Table) -> Iterator[bytes]:
    """Return the lines of what a seat saw of a match, each with its line feed.

    Args:
        log: The log that holds the match.
        match: Its id.
        seat: The viewing seat; a seat of the match or the public.
        table: The table at the head of the match.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: While the lines are read: the commits are damaged.
    """
    return view_lines(match, seat, table, _seen(log, match, SeatView.after(table, seat, 0), table))


def view_lines(match: MatchId, seat: Seat, table: Table, seen: Iterable[EventSlice]) -> Iterator[bytes]:
    """Return the lines of what a seat saw of a match, each with its line feed.

    Args:
        match: The match.
        seat: The viewing seat.
        table: Says what is played.
        seen: All that the seat saw, commit by commit.
    """
    whole, count = hashlib.sha256(), 0
    header = ViewHeader(VIEW_FORMAT, match, seat, table.game, table.scenario, table.mode, NOTE)
    for record in chain((header,), seen):
        count = record.last if isinstance(record, EventSlice) else count
        line = encode(record) + b"\n"
        whole.update(line)
        yield line
    yield encode(ViewTrailer(VIEW_FORMAT, count, Digest(whole.hexdigest()))) + b"\n"


def _seen(log: Log, match: MatchId, view: SeatView, table: Table) -> Iterator[EventSlice]:
    check = ChainCheck()
    for stored in log.read(match, 0, table.seq):
        commit = check.take(stored)
        seen = view.take(commit.events, commit.at, commit.last)
        if seen is not None:
            yield seen
    if check.head.seq != table.seq:
        raise BrokenEvidence(match, check.head.seq + 1, f"the store says that the match has {table.seq} events")
