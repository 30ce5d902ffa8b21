"""The catalogue: one line about each match, and the family tree of forks.

A summary holds what is known of a match without loading its table. Logs store summaries as a cache: bytes with a checksum and
the number of their schema, dropped on any mismatch.
"""

import zlib
from collections.abc import Iterable
from typing import Generic, Protocol, TypeVar

from events.codec import DecodeError, Decoder, Struct, encode_in_order, replace
from events.ids import NO_SEAT, NO_SIDE, PUBLIC, Digest, GameKey, MatchId, Seat, Side
from events.vocabulary import ChanceScheme
from projections.state.offices import Arbiter
from projections.state.seating import decider, former_players, links_due
from projections.state.table import Ended, Table
from projections.state.view import seat_number

SCHEMA = 17
"""Incremented whenever the summary, the table or the fold changes: older summaries are then rebuilt."""

CHECKSUM_BYTES = 4


class Waiting(Struct, frozen=True):
    """Since when a match has waited for the seat that is to decide, in milliseconds since 1970 (UTC), moved on by the time of pauses.

    `paused_at` is when the present pause began. Both are 0 if there is no such time.
    """

    since: int = 0
    paused_at: int = 0

    def waited_ms(self, now_ms: int) -> int:
        """Return how long it has waited, 0 or more; the present pause does not count."""
        return max(0, (self.paused_at or now_ms) - self.since) if self.since else 0


NOT_WAITING = Waiting()


class Span(Struct, frozen=True):
    """Times at which a match was opened and ended, in milliseconds since 1970 (UTC); 0 if it has not ended."""

    opened_at: int = 0
    ended_at: int = 0


NO_SPAN = Span()


class InstalledRules(Struct, frozen=True):
    """Rules that are installed, by their edition for people and by their digest."""

    edition: str
    rules: Digest


class MatchSummary(Struct, frozen=True, omit_defaults=True, gc=False):
    """A match in a list, as the public sees it; of a match with a `problem`, one line, only the id is known, and its origin as far as a store lists it.

    `seq` counts the events that the public sees. `plays` maps each seat to the side it plays, as far as that is settled. `variant` is empty for
    the printed game. `dice` is the kind of its source of chance. `parent` is empty unless the match is a fork; `forked_at` is the last event shared
    with it. `to_move` is the seat of the topmost decision, `waiting` says since when the match has waited for it, `paused` why it is paused.
    `title` is what those who play call it. `opened_at` is when it was opened, `ended_at` when it ended (milliseconds since 1970, UTC), 0 if it has not.
    `arbiter` is the name of the arbiter, `reserved` maps seats to the names of those who are invited, `former` seats to the former players whom
    others followed. `asked` are the seats that have not answered whether commands may be taken back, `links_due` those whose links dice wait for, because of a new anchor. `disputed` counts the disputes that wait for a ruling, `goes_on` is the match as which it goes on by one. `installed` names the installed rules if the match stands still because it is played under others; it is never stored.
    """

    match: MatchId
    game: GameKey
    scenario: str
    seq: int
    seats: tuple[Seat, ...]
    plays: dict[Seat, Side] = {}
    players: dict[Seat, str] = {}
    former: dict[Seat, tuple[str, ...]] = {}
    edition: str = ""
    mode: str = ""
    variant: str = ""
    title: str = ""
    dice: str = ""
    parent: MatchId = MatchId("")
    forked_at: int = 0
    began: bool = False
    round: int = 0
    turn: Side = NO_SIDE
    phase: str = ""
    to_move: Seat = NO_SEAT
    waiting: Waiting = NOT_WAITING
    paused: str | None = None
    arbiter: str = ""
    reserved: dict[Seat, str] = {}
    asked: tuple[Seat, ...] = ()
    links_due: tuple[Seat, ...] = ()
    disputed: int = 0
    goes_on: MatchId = MatchId("")
    ended: Ended | None = None
    opened_at: int = 0
    ended_at: int = 0
    problem: str = ""
    installed: InstalledRules | None = None


class Summary(Struct, frozen=True, kw_only=True):
    """The summary of a match at its head, for lists, access checks and servers that do not load the match.

    `shown` is for everybody, all else is not. `rules` is the digest of the rules under which it is played. `numbers` says how many events each seat
    and `public` have seen; the arbiter has seen all. `until` is when invitations to seats expire (milliseconds since 1970, UTC), for those that do.
    """

    shown: MatchSummary
    rules: Digest
    credentials: dict[Seat, str]
    arbiter: Arbiter | None
    numbers: dict[Seat, int]
    until: dict[Seat, int] = {}

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the match."""
        return self.shown.seats

    def shown_at(self, at: int) -> MatchSummary:
        """Return what everybody sees at a time (milliseconds since 1970, UTC): a seat whose invitation has expired is free."""
        late = [seat for seat, until in self.until.items() if until <= at]
        if not late:
            return self.shown
        return replace(
            self.shown, reserved={seat: name for seat, name in self.shown.reserved.items() if seat not in late}
        )


class _Kept(Struct, frozen=True):
    schema: int
    summary: Summary


_DECODER: Decoder[_Kept] = Decoder(_Kept)


def summarize(
    match: MatchId, table: Table, forked_at: int = 0, waiting: Waiting = NOT_WAITING, span: Span = NO_SPAN
) -> Summary:
    """Return the summary of a match.

    Args:
        match: Its id.
        table: At its head.
        forked_at: The public's number of the event after which a fork left its parent; 0 for a match that is not a fork.
        waiting: Since when it has waited for a decision.
        span: When it was opened, and when it ended.
    """
    numbers = {seat: seat_number(table, seat, table.seq) for seat in (*table.seats, PUBLIC)}
    shown = MatchSummary(
        match=match,
        game=table.game,
        scenario=table.scenario,
        seq=numbers[PUBLIC],
        seats=table.seats,
        plays=table.plays,
        players=table.players,
        former=former_players(table.former, table.players),
        edition=table.edition,
        mode=table.mode,
        variant=table.variant,
        title=table.title,
        dice=dice_name(table.chance),
        parent=table.parent,
        forked_at=forked_at,
        began=table.began,
        round=table.round,
        turn=table.turn,
        phase=table.phase,
        to_move=decider(table),
        # An encoder leaves out the default itself only, not an equal value.
        waiting=NOT_WAITING if waiting == NOT_WAITING else waiting,
        paused=table.paused,
        arbiter="" if table.arbiter is None else table.arbiter.name,
        reserved={seat: invited.name for seat, invited in table.reserved.items()},
        asked=() if table.asked_back is None else table.asked_back.awaited,
        links_due=links_due(table),
        disputed=sum(1 for one in table.disputes if one.is_due),
        goes_on=table.goes_on,
        ended=table.ended,
        opened_at=span.opened_at,
        ended_at=span.ended_at,
    )
    return Summary(
        shown=shown,
        rules=table.rules,
        credentials=table.credentials,
        arbiter=table.arbiter,
        numbers=numbers,
        until={seat: invited.until for seat, invited in table.reserved.items() if invited.until},
    )


def encode_summary(summary: Summary) -> bytes:
    """Return the bytes of a summary as a log stores them."""
    content = encode_in_order(_Kept(SCHEMA, summary))
    return zlib.crc32(content).to_bytes(CHECKSUM_BYTES, "big") + content


def decode_summary(data: bytes) -> Summary | None:
    """Return a stored summary, or None if it is damaged or of another schema."""
    content = data[CHECKSUM_BYTES:]
    if zlib.crc32(content).to_bytes(CHECKSUM_BYTES, "big") != data[:CHECKSUM_BYTES]:
        return None
    try:
        kept = _DECODER.decode(content)
    except DecodeError:
        return None
    return kept.summary if kept.schema == SCHEMA else None


def damaged_match(match: MatchId, problem: str, parent: str = "", forked_at: int = 0) -> MatchSummary:
    """Return the summary of a match that cannot be read.

    Args:
        match: Its id.
        problem: Why it cannot be read, in one line; not empty.
        parent: The match that it was forked from, as far as that is known.
        forked_at: The last shared event.
    """
    return MatchSummary(
        match=match,
        game=GameKey(""),
        scenario="",
        seq=0,
        seats=(),
        parent=MatchId(parent),
        forked_at=forked_at,
        problem=problem,
    )


def dice_name(chance: ChanceScheme) -> str:
    """Return the name of a source of dice; its version is left out."""
    return chance.scheme.partition("/")[0] or "unknown"


class Member(Protocol):
    """A match of a family: which it was forked from, empty for none, and after which event."""

    @property
    def match(self) -> MatchId:
        """The match."""

    @property
    def parent(self) -> MatchId:
        """The match that it was forked from, or nothing."""

    @property
    def forked_at(self) -> int:
        """The last shared event."""


M = TypeVar("M", bound=Member)


class Branch(Struct, Generic[M], frozen=True):
    """A match in the tree of forks, `depth` steps below the one at the root."""

    depth: int
    entry: M


def family(entries: Iterable[M], match: MatchId) -> list[Branch[M]]:
    """Return the whole family of a match, the root first, each fork below its parent in the order of the fork points."""
    known = {entry.match: entry for entry in entries}
    root = known[match]
    ancestors = {match}
    # A forger may let two matches be forks of each other.
    while root.parent in known and root.parent not in ancestors:
        root = known[root.parent]
        ancestors.add(root.match)
    children: dict[MatchId, list[M]] = {}
    for entry in known.values():
        if entry.match == root.match:
            continue
        children.setdefault(entry.parent, []).append(entry)
    branches: list[Branch[M]] = []
    waiting = [Branch(0, root)]
    while waiting:
        branch = waiting.pop()
        branches.append(branch)
        # Removed, so that none is visited twice.
        forks = sorted(children.pop(branch.entry.match, []), key=lambda entry: (entry.forked_at, entry.match))
        waiting += [Branch(branch.depth + 1, entry) for entry in reversed(forks)]
    return branches
