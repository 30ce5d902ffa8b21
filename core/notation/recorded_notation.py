"""The notation of a recorded match: of all its commits, or of what a seat has seen of it."""

from collections.abc import Iterable, Mapping, Sequence

from core.chance.recorded_chance import Drawn, drawn_name, faces_of
from core.engine.command import MATCH_TAGS
from core.errors import KernelError
from core.game.bound_game import BoundGame
from core.notation.notation import BEGIN, FORMAT, MARKS, RESIGN, RUNNING, UNTOLD, Move, Notation, Remark, Tag
from core.notation.order_text import order_words
from core.notation.study_notation import Placed, name_line, place
from core.position_files.position_line import position_line
from core.positions.position import Position
from core.registry.games import load_game
from core.telling.arbiter_sentences import ruling_words
from core.telling.command_text import Wish
from core.telling.names import Names
from core.telling.narrator import Narrator
from events.codec import Decoder, Struct, encode, replace
from events.commit import Commit
from events.ids import ARBITER, NO_SEAT, MatchId, Seat
from events.vocabulary import (
    ChanceCalled,
    CommandsUndone,
    DisputeOpened,
    Event,
    MatchBegan,
    NoteAdded,
    RemarkOnEvent,
    RulingAppealed,
    RulingMade,
    SecretsRedealt,
)
from projections.chronicle import Chronicler, Heading
from projections.state.table import Table
from projections.state.undo_history import KEPT, is_secret_pick
from projections.state.view import EventSlice

BESIDES = tuple(KEPT)
"""What happens beside the game: players come, go, remark and answer in advance."""

_WISH: Decoder[Wish] = Decoder(Wish)


class NoNotation(KernelError):
    """A match that orders and dice alone do not tell; the message says why."""


class Told(Struct, frozen=True):
    """Known part of one commit: its events from number `first` on, its seat, and its command as JSON, which is empty if it may not be known."""

    first: int
    at: int
    seat: Seat
    command: bytes
    events: tuple[Event, ...]


def told(commit: Commit) -> Told:
    """Return a commit of which everything is known."""
    return Told(commit.first, commit.at, commit.seat, bytes(commit.command), commit.events)


def seen_of(slice_: EventSlice, commit: Commit | None) -> Told:
    """Return what a seat knows of a commit: the command if it has seen every event whole."""
    if commit is None or tuple(commit.events) != slice_.events:
        return Told(slice_.first, slice_.at, NO_SEAT, b"", slice_.events)
    return replace(told(commit), first=slice_.first)


class Branch(Struct, frozen=True):
    """A fork: the last event that it shares with its parent, and all its commits, the shared ones first."""

    match: MatchId
    at: int
    commits: tuple[Told, ...]


class NotationWriter:
    """Writes the notation of a match.

    Args:
        bound: The game of the match on its board.
        branches: The forks of each match, which become variations.
        names: The names of variations, by their matches.
    """

    def __init__(
        self,
        bound: BoundGame,
        branches: Mapping[MatchId, Sequence[Branch]] | None = None,
        names: Mapping[MatchId, str] | None = None,
    ) -> None:
        self.names = Names(bound.narration)
        self.kinds = bound.rules.commands
        self._branches = branches or {}
        self._line_names = names or {}

    def notation(
        self,
        match: MatchId,
        commits: Iterable[Told],
        position: Position | None = None,
        date: str = "",
        said: Sequence[Placed] = (),
    ) -> Notation:
        """Return the notation of a match.

        Args:
            match: Its id.
            commits: What is known of each of its commits, from the first on.
            position: The position from which it began, if it did and may be known.
            date: The day on which it was opened, as in 2026-11-29; empty to leave that out.
            said: What a study says of its events.

        Raises:
            NoNotation: Hidden things were dealt again in it.
        """
        line = self._line(match, commits)
        for one in said:
            line.place(one)
        table = line.teller.table
        ended = table.ended
        tags = [*_tags(match, table, date, position), *([] if ended is None else [Tag("End", (ended.kind,))])]
        tags += [Tag("GoesOn", (table.goes_on,))] if table.goes_on else []
        return Notation(tags, line.moves(), RUNNING if ended is None else ended.result)

    def _line(self, match: MatchId, commits: Iterable[Told]) -> "_Line":
        """Return the orders of a match with those of its forks."""
        line = _Line(self)
        for one in commits:
            line.take(one)
        for branch in self._branches.get(match, ()):
            other = self._line(branch.match, branch.commits).moves(branch.at)
            there = next((order.move for order in line.orders if order.first > branch.at), None)
            if other and there is not None:
                if name := self._line_names.get(branch.match):
                    name_line(other, name)
                there.lines.append(other)
        return line


class _Order(Struct):
    """An order, and the numbers of its events; `rolls` are those of its rolls as they are written. `is_secret`: other seats do not know of it."""

    first: int
    last: int
    move: Move
    rolls: list[int]
    is_secret: bool

    def roll_at(self, at: int) -> int:
        """Return which of its rolls an event is, from 1; 0 if it is none."""
        return self.rolls.index(at) + 1 if at in self.rolls else 0


class _Line:
    """The orders of a match as they were recorded, without those that were taken back.

    Args:
        writer: Knows the game.
    """

    def __init__(self, writer: NotationWriter) -> None:
        self.teller = Narrator(writer.names)
        self.orders: list[_Order] = []
        self._kinds = writer.kinds
        self._chronicler = Chronicler()
        self._called = (NO_SEAT, b"")
        self._early: list[Remark] = []

    def moves(self, after: int = 0) -> list[Move]:
        """Return the orders that begin after an event."""
        return [order.move for order in self.orders if order.first > after]

    def place(self, said: Placed) -> None:
        """Add what a study says to the order of its event, or to the one before it."""
        before = [order for order in self.orders if order.first <= said.at] or self.orders[:1]
        if before:
            place(said, before[-1].move, before[-1].roll_at(said.at))

    def take(self, one: Told) -> None:
        """Take one more commit.

        Raises:
            NoNotation: It deals hidden things again.
        """
        if any(isinstance(event, SecretsRedealt) for event in one.events):
            raise NoNotation("in this match hidden things were dealt again, which no order tells: export an archive")
        if isinstance(one.events[0], ChanceCalled):
            self._called = (one.seat, one.command)
        move = self._move(one)
        if move is not None:
            move.remarks[:0] = self._early
            self._early = []
            rolls = [number for number, event in enumerate(one.events, start=one.first) if faces_of(event) is not None]
            last, is_secret = one.first + len(one.events) - 1, all(map(is_secret_pick, one.events))
            self.orders.append(_Order(one.first, last, move, rolls if move.rolls else [], is_secret))
        is_untold = move is not None and move.words == (UNTOLD,)
        entries = self._chronicler.take(EventSlice(one.first, one.at, one.events))
        if move is not None and is_untold:
            move.remarks += [Remark(line.sentence) for line in self.teller.lines(entries)]
        else:
            for event in one.events:
                self.teller.follow(event)
        links = self.teller.table.links
        if links is None or links.call is None:
            # What was called for is done with, whether or not it could be told.
            self._called = (NO_SEAT, b"")
        for event in one.events:
            self._remark(event)

    def _move(self, one: Told) -> Move | None:
        """Return the order of a commit, or None if it is no order."""
        table = self.teller.table
        words, seat = self._words(one, table)
        if not words:
            return None
        rolls = [faces for event in one.events if (faces := faces_of(event)) is not None]
        draws = [drawn_name(event) for event in one.events if isinstance(event, Drawn)]
        heading = Heading.of(table)
        told = f"{heading.round}. {self.teller.heading(replace(heading, round=0))}"
        is_known = words != (UNTOLD,)
        return Move(
            words,
            seat,
            heading=told,
            rolls=rolls if is_known else [],
            draws=[draw for draw in draws if draw is not None] if is_known else [],
            remarks=[],
            lines=[],
        )

    def _words(self, one: Told, table: Table) -> tuple[tuple[str, ...], Seat]:
        seat, command = one.seat, one.command
        if any(isinstance(event, MatchBegan) for event in one.events):
            is_whole = bool(command) and not isinstance(one.events[0], ChanceCalled)
            return ((BEGIN,) if is_whole else (UNTOLD,)), NO_SEAT
        if not command:
            asked = table.top
            is_order = asked is not None and bool(asked.seat) and any(_is_of_game(event) for event in one.events)
            return ((UNTOLD,), asked.seat) if is_order and asked is not None else ((), NO_SEAT)
        tag = _WISH.decode(command).do
        if tag == OPEN_LINK and self._called[1] and not isinstance(one.events[0], ChanceCalled):
            seat, command = self._called
            tag = _WISH.decode(command).do
        if tag == f"{MATCH_TAGS}{RESIGN}":
            return (RESIGN,), seat
        if tag.startswith(MATCH_TAGS) or isinstance(one.events[0], ChanceCalled):
            return (), NO_SEAT
        return order_words(command, self._kinds), seat

    def _remark(self, event: Event) -> None:
        """Add what was said to the order about which it was, by default the last one that all know of, and drop what was taken back."""
        if isinstance(event, CommandsUndone):
            self.orders = [order for order in self.orders if order.first <= event.to]
        if not isinstance(event, RemarkOnEvent) or (isinstance(event, NoteAdded) and event.seen_by is not None):
            return
        remark, at = _remark_of(event), event.at
        found = [order for order in self.orders if at is not None and order.first <= at <= order.last]
        order = next((order for order in (*found, *reversed(self.orders)) if found or not order.is_secret), None)
        if order is None:
            # Before the first order: it is told there.
            self._early.append(remark)
            return
        move = order.move
        if found and at is not None:
            remark = replace(remark, roll=order.roll_at(at))
        word, _, rest = remark.text.partition(" ")
        if isinstance(event, NoteAdded) and word in MARKS and not move.mark and not remark.roll:
            move.mark, remark = word, Remark(rest, event.seat)
        if remark.text:
            move.remarks.append(remark)


def _remark_of(event: RemarkOnEvent) -> Remark:
    """Return what was said as a comment: a dispute, a ruling with its effect, or an appeal begins with what it is."""
    match event:
        case NoteAdded():
            return Remark(event.text, event.seat)
        case DisputeOpened():
            return Remark(f"Dispute: {event.text}", event.seat)
        case RulingMade():
            return Remark(ruling_words(replace(event, at=None)), ARBITER)
        case RulingAppealed():
            return Remark(f"Appeal: {event.text}", event.seat)


OPEN_LINK = f"{MATCH_TAGS}open-link"


def _is_of_game(event: Event) -> bool:
    return type(event) not in BESIDES


def _tags(match: MatchId, table: Table, date: str, position: Position | None) -> list[Tag]:
    usual = {option.key: option.default for option in load_game(table.game).options}
    tags = [
        Tag("Format", (FORMAT,)),
        Tag("Game", (table.game,)),
        Tag("Edition", (table.edition,)),
        Tag("Scenario", (table.scenario,)),
        Tag("Mode", (table.mode,)),
        *[
            Tag("Option", (key, encode(value).decode()))
            for key, value in sorted(table.options.items())
            if value != usual.get(key)
        ],
        *([Tag("Title", (table.title,))] if table.title else []),
        *([Tag("TakingBack", (table.taking_back,))] if table.taking_back != "consent" else []),
        *[Tag("HouseRule", one) for one in sorted(table.house_rules.items())],
        Tag("Match", (match,)),
        *([Tag("Date", (date,))] if date else []),
        Tag("Board", (table.board,)),
        *([Tag("Variant", (table.variant,))] if table.variant else []),
        *[Tag("Seat", (seat, table.side_of(seat), table.players.get(seat, ""))) for seat in table.seats],
    ]
    return [*tags, *([] if position is None else [Tag("Position", (position_line(position),))])]
