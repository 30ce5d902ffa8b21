"""The table: pieces, places, piles, tracks, markers, attributes and the stack of open decisions.

The table is what is left when a match's events are folded (`projections.fold`). Its values are immutable and its
dictionaries shallow, so a clone costs a few microseconds. Rules judge this very table, screens draw it, snapshots
store it. What is not on the table is not state.
"""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy

from events.codec import Struct
from events.ids import (
    NO_SEAT,
    NO_SIDE,
    AttributeKey,
    CardId,
    Digest,
    GameKey,
    MarkerId,
    MatchId,
    PieceId,
    PileId,
    PlaceId,
    Seat,
    Side,
    TrackId,
)
from events.vocabulary import ChanceScheme, Event, GivenAnswer, Lifetime, Value


class Piece(Struct, frozen=True, gc=False):
    """A piece on the table. `kind` and `face` are empty and `steps` 0 while they are not known."""

    id: PieceId
    kind: str
    side: Side
    place: PlaceId
    face: str = ""
    steps: int = 0


class Pile(Struct, frozen=True, gc=False):
    """Cards in one place: those known by name, and how many more lie there unknown.

    `seen_by` are the seats that know them all by name, None for all seats.
    """

    cards: tuple[CardId, ...] = ()
    hidden: int = 0
    seen_by: tuple[Seat, ...] | None = None

    @property
    def count(self) -> int:
        """How many cards there are."""
        return len(self.cards) + self.hidden


class Open(Struct, frozen=True):
    """An element of the stack: a question put to a seat, or, without a seat, a sequence that stands at a `step`.

    `picked` lists in ascending order what has been picked for the answer so far, as far as the onlooker knows; in an assignment
    `places` says where each of these items goes. `picks_seen_by` are the seats that know of it, None for all.
    """

    kind: str
    seat: Seat
    arguments: dict[str, Value] = {}
    picked: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    picks_seen_by: tuple[Seat, ...] | None = None
    step: str = ""

    @property
    def picks(self) -> list[tuple[str, str]]:
        """What was picked, each item with its place; the place is empty where items are not assigned."""
        return list(zip(self.picked, self.places or [""] * len(self.picked), strict=True))

    def with_picks(self, picks: Iterable[tuple[str, str]], seen_by: tuple[Seat, ...] | None = None) -> "Open":
        """Return the same question with these picks instead, of which only some seats know, or all."""
        ordered = sorted(picks)
        places = tuple([place for _, place in ordered])
        picked = tuple([item for item, _ in ordered])
        return Open(
            self.kind, self.seat, self.arguments, picked, places if any(places) else (), seen_by if ordered else None
        )

    def text(self, name: str) -> str:
        """Return a text argument; empty if it is not there."""
        value = self.arguments.get(name, "")
        assert isinstance(value, str)
        return value

    def number(self, name: str) -> int:
        """Return a number argument; 0 if it is not there."""
        value = self.arguments.get(name, 0)
        assert isinstance(value, int)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list argument; empty if it is not there."""
        value = self.arguments.get(name, ())
        assert isinstance(value, tuple)
        return value


class Terms(Struct, frozen=True):
    """How long an attribute lasts, who knows it and what it names, where that is not for good, everybody and nothing.

    `until` is its lifetime in the sequence of play. `depth` counts the elements of the stack, the one included with which
    the attribute ends, or whose step it ends with; 0 if it ends with none. A value that `names_pieces` loses those that are
    removed. `seen_by` are the seats that know the value, None for all.
    """

    on: str
    key: AttributeKey
    until: Lifetime = ""
    depth: int = 0
    names_pieces: bool = False
    seen_by: tuple[Seat, ...] | None = None


class Ended(Struct, frozen=True):
    """How the match ended."""

    kind: str
    result: str
    winners: tuple[Side, ...]
    winning_seats: tuple[Seat, ...] = ()


class Standing(Struct, frozen=True):
    """An answer that a seat gave beforehand: to which kind of decision, as JSON, and until when.

    `until` is empty (until taken back) or `turn` (until the seat's own next turn begins).
    """

    seat: Seat
    decision: str
    answer: str
    until: str = ""


class Limit(Struct, frozen=True):
    """What a fork lets nobody see of the events it shares, up to number `upto`: whatever `seat`, who forked, could not see.

    Unless `is_whole`, that goes only for facts that others may not even know of, such as private notes.
    """

    upto: int
    seat: Seat
    is_whole: bool


class GamePart(Struct, kw_only=True):
    """What lies on the table: the part of a position that a seat restores when it takes commands back.

    `plays` says which side each seat plays, as far as that is settled. It is the turn of side `turn`, and there of
    `turn_seat` if one seat alone has it. `at` lists the pieces of every place that ever held one, in the order of their
    arrival; a piece on which others lie is a place as well. `markers` maps a place, a piece or any other name to its markers
    and their counts. `known_to` names the seats that know what a hidden piece is; what is not listed is known to all.
    `attributes` maps a place, a piece or any other name to the values that the rules remember of it, and `terms` lists those
    of them that end by themselves or that only some seats know. `stack` has the topmost decision last.
    """

    plays: dict[Seat, Side] = {}
    round: int = 0
    turn: Side = NO_SIDE
    turn_seat: Seat = NO_SEAT
    phase: str = ""
    pieces: dict[PieceId, Piece] = {}
    known_to: Mapping[PieceId, tuple[Seat, ...]] = {}
    at: dict[PlaceId, tuple[PieceId, ...]] = {}
    control: Mapping[PlaceId, Side] = {}
    markers: dict[str, dict[MarkerId, int]] = {}
    attributes: dict[str, dict[AttributeKey, Value]] = {}
    terms: tuple[Terms, ...] = ()
    tracks: dict[TrackId, int] = {}
    piles: dict[PileId, Pile] = {}
    stack: tuple[Open, ...] = ()

    def game_part(self) -> "GamePart":
        """Return an independent copy of what lies on the table; immutable parts are shared."""
        return GamePart(
            plays=self.plays,
            round=self.round,
            turn=self.turn,
            turn_seat=self.turn_seat,
            phase=self.phase,
            pieces=self.pieces.copy(),
            known_to=self.known_to,
            at=self.at.copy(),
            control=self.control,
            markers=self.markers.copy(),
            attributes=self.attributes.copy(),
            terms=self.terms,
            tracks=self.tracks.copy(),
            piles=self.piles.copy(),
            stack=self.stack,
        )

    def restore(self, game: "GamePart") -> None:
        """Let the same lie on the table as in another position, whose dictionaries are copied."""
        copied = game.game_part()
        for name in GamePart.__struct_fields__:
            setattr(self, name, getattr(copied, name))


class WayBack(Struct):
    """How to restore what lay on the table earlier: after a fence, and the facts of the game since.

    A fence is a fact behind which nothing can be taken back (`projections.take_back`). Facts that were taken back, and those
    that are not about the game, are not among `since`, so that all onlookers have as many. The fold adds to `since` in place: each
    table has a list of its own.

    Attributes:
        seq: The number of the event after which `game` stands.
        game: What lay on the table then.
        since: The facts of the game after it, in order.
        runs: Where in `since` numbers begin that follow each other without a gap: the index (0-based) and the number there.
    """

    seq: int
    game: GamePart
    since: list[Event] = []
    runs: tuple[tuple[int, int], ...] = ()

    def copy(self) -> "WayBack":
        """Return an independent copy."""
        return WayBack(self.seq, self.game, self.since.copy(), self.runs)

    def numbered(self) -> Iterator[tuple[int, Event]]:
        """Return the facts with their numbers, in order."""
        ends = [index for index, _ in self.runs[1:]]
        for (index, first), end in zip(self.runs, [*ends, len(self.since)], strict=False):
            yield from enumerate(self.since[index:end], start=first)

    def count(self, seq: int) -> int:
        """Return how many of the facts stand up to an event, which is `seq` or a later one."""
        return sum(1 for number, _ in self.numbered() if number <= seq)


class Table(GamePart, kw_only=True):
    """The position of a match: what lies on the table, and what stays when a seat takes commands back.

    Whoever changes it in place may replace any field, and change the dictionaries `pieces`, `at`, `markers`,
    `attributes`, `tracks` and `piles`; whatever else is in a field is shared with other tables and never changed.

    `seq` counts the events folded. `players` maps taken seats to names.

    `contributions` holds the shares that are mixed into sealed dice. They are open until `rolled`: until the first die or
    draw of this match's own dice, which are those of the events after `dice_from` (a fork begins with events of its parent).

    `withheld` lists the numbers of the events that only some seats know of, and `confided` for each seat those of them that
    it knows of: together they turn the log's numbers into a seat's (`projections.view`). `unnumbered` counts the events known to
    all that dice are not numbered by. `limits` says what forking took out
    of sight. `untold` lists the standing answers of this match, those taken back included, that only their givers know of so
    far; `private_notes` counts those that each seat wrote in it.

    `past` is the way back, or None before play began.
    """

    seq: int = 0
    game: GameKey = GameKey("")
    edition: str = ""
    scenario: str = ""
    mode: str = ""
    options: dict[str, Value] = {}
    sides: tuple[Side, ...] = ()
    seats: tuple[Seat, ...] = ()
    rules: Digest = Digest("")
    board: Digest = Digest("")
    variant: str = ""
    position: Digest | None = None
    chance: ChanceScheme = ChanceScheme(scheme="")
    parent: MatchId = MatchId("")
    players: dict[Seat, str] = {}
    credentials: dict[Seat, str] = {}
    contributions: dict[Seat, str] = {}
    rolled: bool = False
    dice_from: int = 0
    standing: tuple[Standing, ...] = ()
    untold: tuple[GivenAnswer, ...] = ()
    private_notes: dict[Seat, int] = {}
    withheld: tuple[int, ...] = ()
    confided: dict[Seat, tuple[int, ...]] = {}
    unnumbered: int = 0
    limits: tuple[Limit, ...] = ()
    began: bool = False
    ended: Ended | None = None
    past: WayBack | None = None

    def clone(self) -> "Table":
        """Return an independent copy; immutable parts are shared."""
        copied = copy(self)
        copied.pieces = self.pieces.copy()
        copied.at = self.at.copy()
        copied.markers = self.markers.copy()
        copied.attributes = self.attributes.copy()
        copied.tracks = self.tracks.copy()
        copied.piles = self.piles.copy()
        if self.past is not None:
            copied.past = self.past.copy()
        return copied

    def side_of(self, seat: Seat) -> Side:
        """Return the side that a seat plays; empty while it plays none."""
        return self.plays.get(seat, NO_SIDE)

    def seats_of(self, side: Side) -> tuple[Seat, ...]:
        """Return the seats that play a side, in the order of the seats; none where the rules play it."""
        return tuple([seat for seat in self.seats if self.plays.get(seat) == side])

    def seat_of(self, side: Side) -> Seat:
        """Return the one seat that plays a side, in a game where it has just one."""
        seats = self.seats_of(side)
        assert len(seats) == 1, f"{side} is played by {len(seats)} seats"
        return seats[0]

    @property
    def chance_position(self) -> int:
        """What chance is bound to next: the number of the next event, counted without those that dice are not numbered by.

        Facts that some seats do not know of do not count, so that the dice do not tell how many there are; nor do picks, so that
        no seat gets other dice by picking and unpicking; nor do facts that were taken back and those that took them back.
        """
        return self.seq + 1 - len(self.withheld) - self.unnumbered

    def pieces_at(self, place: PlaceId) -> tuple[PieceId, ...]:
        """Return the ids of the pieces in a place, in the order of their arrival."""
        return self.at.get(place, ())

    def cargo(self, piece: PieceId) -> tuple[PieceId, ...]:
        """Return the ids of the pieces that lie on a piece, in the order of their arrival."""
        return self.at.get(PlaceId(piece), ())

    def carriers(self, place: PlaceId) -> list[PieceId]:
        """Return the pieces on which something in a place lies, the nearest first; none where the place is not a piece."""
        found: list[PieceId] = []
        # A log that no rules have made may have pieces lie on each other in a circle.
        while (carrier := self.pieces.get(PieceId(place))) is not None and carrier.id not in found:
            found.append(carrier.id)
            place = carrier.place
        return found

    def ground(self, place: PlaceId) -> PlaceId:
        """Return where something in a place lies: the place itself or, where that is a piece, the one below it."""
        carriers = self.carriers(place)
        return self.pieces[carriers[-1]].place if carriers else place

    def marker(self, on: str, marker: MarkerId) -> int:
        """Return how many markers of a kind lie on something; 0 or more."""
        there = self.markers.get(on)
        return 0 if there is None else there.get(marker, 0)

    def attribute(self, on: str, key: AttributeKey) -> Value | None:
        """Return what is remembered of something under a key, or None."""
        there = self.attributes.get(on)
        return None if there is None else there.get(key)

    def terms_of(self, on: str, key: AttributeKey) -> Terms:
        """Return how long an attribute lasts and who knows it."""
        for terms in self.terms:
            if terms.key == key and terms.on == on:
                return terms
        return Terms(on, key)

    def track(self, track: TrackId) -> int:
        """Return where a track stands; 0 if it was never moved."""
        return self.tracks.get(track, 0)

    def pile(self, pile: PileId) -> Pile:
        """Return a pile; an empty one if it was never formed."""
        return self.piles.get(pile, EMPTY_PILE)

    @property
    def top(self) -> Open | None:
        """The topmost element of the stack."""
        return self.stack[-1] if self.stack else None

    def depth_of(self, kind: str) -> int:
        """Return how many elements the stack has up to the topmost one of a kind; 0 where there is none."""
        for depth in range(len(self.stack), 0, -1):
            if self.stack[depth - 1].kind == kind:
                return depth
        return 0

    def topmost(self, kind: str) -> Open | None:
        """Return the topmost element of the stack that has a kind, or None."""
        depth = self.depth_of(kind)
        return self.stack[depth - 1] if depth else None


EMPTY_PILE = Pile()
