"""The table: pieces, places, piles, tracks, markers, attributes and the stack of open decisions.

The table is the result of folding a match's events (`projections.state.fold`). Its values are immutable and its
dictionaries shallow, so a clone costs a few microseconds. Rules decide on the table, clients draw it, snapshots
store it. There is no state outside the table.
"""

from collections.abc import Iterable, Iterator, Mapping

from events.codec import Struct, replace
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
from events.vocabulary import ChanceScheme, Event, GivenAnswer, Lifetime, TakingBack, Value
from projections.state.chosen_faces import ChosenFaces
from projections.state.limits import Limit
from projections.state.links import Links
from projections.state.offices import Arbiter, AskedBack, Dispute, Invitation
from projections.state.seat_keys import SeatKey


class Piece(Struct, frozen=True, gc=False):
    """A piece on the table. `kind` and `face` are empty and `steps` is 0 while they are not known."""

    id: PieceId
    kind: str
    side: Side
    place: PlaceId
    face: str = ""
    steps: int = 0


class Pile(Struct, frozen=True, gc=False):
    """Cards in one place: the known ones, and the number of unknown ones.

    `seen_by` are the seats that know them all, None for all seats.
    """

    cards: tuple[CardId, ...] = ()
    hidden: int = 0
    seen_by: tuple[Seat, ...] | None = None

    @property
    def count(self) -> int:
        """The number of cards."""
        return len(self.cards) + self.hidden


class Open(Struct, frozen=True):
    """An element of the stack: a question for a seat or, without a seat, a sequence at a `step`.

    `picked` lists the items picked for the answer so far in ascending order, as far as the viewer knows; in an assignment `places` lists the place of each.
    `picks_seen_by` are the seats that know the picks, None for all.
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
        """The picks, each item with its place; the place is empty if items are not assigned."""
        return list(zip(self.picked, self.places or [""] * len(self.picked), strict=True))

    def with_picks(self, picks: Iterable[tuple[str, str]], seen_by: tuple[Seat, ...] | None = None) -> "Open":
        """Return the question with other picks; `seen_by` are the seats that know them, None for all."""
        ordered = sorted(picks)
        if not ordered:
            return Open(self.kind, self.seat, self.arguments)
        picked, places = zip(*ordered, strict=True)
        return Open(self.kind, self.seat, self.arguments, picked, places if any(places) else (), seen_by)

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
    """The lifetime and audience of an attribute, and whether it names pieces, if they are not the default.

    `until` is its lifetime in the sequence of play. `depth` is the stack's size up to and including the element with which, or with whose step, the attribute
    ends; 0 if there is none. A value that `names_pieces` loses those that are removed. `seen_by` are the seats that know the value, None for all.
    """

    on: str
    key: AttributeKey
    until: Lifetime = ""
    depth: int = 0
    names_pieces: bool = False
    seen_by: tuple[Seat, ...] | None = None


class Ended(Struct, frozen=True):
    """End of a match; `reason` is the arbiter's, if the arbiter ended it."""

    kind: str
    result: str
    winners: tuple[Side, ...]
    winning_seats: tuple[Seat, ...] = ()
    reason: str = ""


class Standing(Struct, frozen=True):
    """A standing answer of a seat: the kind of decision, the answer as JSON, and its end: when it is withdrawn, or with `until` `turn` the seat's next turn."""

    seat: Seat
    decision: str
    answer: str
    until: str = ""


class GamePart(Struct, kw_only=True):
    """The game state: the part of the table that is restored when a seat takes commands back.

    `plays` says which side each seat plays, as far as that is settled. `turn` is the side whose turn it is, `turn_seat` its seat if a single one has the turn.
    `at` lists the pieces of every place that ever held one, in the order of their arrival; a piece that carries others is a place as well. `markers` maps a
    place, a piece or any other name to its markers and their counts. `known_to` lists the seats that know a hidden piece's identity; pieces that are not
    listed are known to all. `attributes` maps a place, a piece or any other name to its attributes, and `terms` lists those that have a lifetime, an audience
    or name pieces. `stack` has the topmost decision last.
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
        """Return an independent copy of the game state; immutable parts are shared."""
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
        """Set this state to another one, whose dictionaries are copied."""
        copied = game.game_part()
        for name in GamePart.__struct_fields__:
            setattr(self, name, getattr(copied, name))


class UndoHistory(Struct):
    """The data that restores an earlier game state: the state after a fence, and the game events since (`projections.state.undo_history`).

    `since` leaves out events that were taken back and those that are not about the game, so that it is equally long for all viewers. The fold adds to
    `since` in place: each table has a list of its own.

    Attributes:
        seq: The number of the event after which `game` stands.
        game: The game state then, or None if no game event has followed, so that it is still the table's; of what is `earlier`, only the first has it.
        since: The game events after it, in order.
        runs: The starts of runs of consecutive numbers in `since`: the index (0-based) and the number there.
        fences: Of what is `earlier`, the fences that ended it, the first of which has the number `end`.
        earlier: What lies behind the last fences, in order; only with the consent of others the game returns there.
    """

    seq: int
    game: GamePart | None = None
    since: list[Event] = []
    runs: tuple[tuple[int, int], ...] = ()
    fences: tuple[Event, ...] = ()
    end: int = 0
    earlier: tuple["UndoHistory", ...] = ()

    def copy(self) -> "UndoHistory":
        """Return an independent copy."""
        return UndoHistory(self.seq, self.game, self.since.copy(), self.runs, earlier=self.earlier)

    def numbered(self) -> Iterator[tuple[int, Event]]:
        """Return the events with their numbers, in order."""
        ends = [index for index, _ in self.runs[1:]]
        for (index, first), end in zip(self.runs, [*ends, len(self.since)], strict=False):
            yield from enumerate(self.since[index:end], start=first)

    def count(self, seq: int) -> int:
        """Return the number of these events up to an event, which is `seq` or a later one."""
        return sum(1 for number, _ in self.numbered() if number <= seq)


class Table(GamePart, kw_only=True, weakref=True):
    """The state of a match: the game state, and the values that stay when a seat takes commands back.

    Code that changes it in place may replace any field, and change the dictionaries `pieces`, `at`, `markers`, `attributes`, `tracks` and `piles`. All other values are shared with other tables and must not be changed.

    `seq` counts the events folded. `players` maps taken seats to names, `reserved` seats to the invitations that open them. `former` lists for each seat the
    players who have left it or were replaced since play began, the last ones only. `arbiter` holds the arbiter's office, `arbiters` lists all who ever held it.
    `paused` is why the match is paused; None if it is not. The dice of the match are those of the events after `dice_from`: a fork begins with its parent's.
    `links` holds the links of sealed dice as far as they are opened, and `chosen_faces` the faces of the next dice, if a fork chose them. `opening` is the digest
    of the first event, `keys` are those of seats that sign, registered after `keys_from`.

    `private_events` lists the numbers of the events that only some seats know of, and `private_events_of` for each seat those that it knows of: together they map
    the log's numbers to a seat's (`projections.state.view`). `unnumbered` counts the public events that do not count in the numbering of dice. `limits` are the
    events that forks hide. `undisclosed_answers` lists the undisclosed standing answers of this match, withdrawn ones included; `private_notes` counts the private
    notes of each seat in it. `past` restores earlier states, or is None: before play began, and on a copy for trials. `taking_back` says what may be taken
    back, `asked_back` is the request to take more back. `disputes` are about one event each.
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
    title: str = ""
    taking_back: TakingBack = "consent"
    house_rules: dict[str, str] = {}
    position: Digest | None = None
    chance: ChanceScheme = ChanceScheme(scheme="")
    parent: MatchId = MatchId("")
    players: dict[Seat, str] = {}
    former: dict[Seat, tuple[str, ...]] = {}
    credentials: dict[Seat, str] = {}
    reserved: dict[Seat, Invitation] = {}
    arbiter: Arbiter | None = None
    arbiters: tuple[str, ...] = ()
    paused: str | None = None
    dice_from: int = 0
    links: Links | None = None
    opening: Digest = Digest("")
    keys: dict[Seat, SeatKey] = {}
    keys_from: int = 0
    chosen_faces: ChosenFaces | None = None
    standing: tuple[Standing, ...] = ()
    undisclosed_answers: tuple[GivenAnswer, ...] = ()
    private_notes: dict[Seat, int] = {}
    private_events: tuple[int, ...] = ()
    private_events_of: dict[Seat, tuple[int, ...]] = {}
    unnumbered: int = 0
    limits: tuple[Limit, ...] = ()
    began: bool = False
    ended: Ended | None = None
    past: UndoHistory | None = None
    asked_back: AskedBack | None = None
    disputes: tuple[Dispute, ...] = ()

    def clone(self) -> "Table":
        """Return an independent copy; immutable parts are shared."""
        return replace(
            self,
            pieces=self.pieces.copy(),
            at=self.at.copy(),
            markers=self.markers.copy(),
            attributes=self.attributes.copy(),
            tracks=self.tracks.copy(),
            piles=self.piles.copy(),
            past=None if self.past is None else self.past.copy(),
        )

    def dispute(self, at: int | None) -> Dispute | None:
        """Return the dispute about an event; None if it is not disputed."""
        return next((one for one in self.disputes if one.at == at), None)

    @property
    def goes_on(self) -> MatchId:
        """The match as which this one goes on by a ruling; empty if it does not."""
        return next((one.line for one in self.disputes if one.line), MatchId(""))

    def side_of(self, seat: Seat) -> Side:
        """Return the side that a seat plays; empty if it plays none yet."""
        return self.plays.get(seat, NO_SIDE)

    def seats_of(self, side: Side) -> tuple[Seat, ...]:
        """Return the seats that play a side, in the order of the seats; none if the rules play it."""
        plays = self.plays
        return tuple([seat for seat in self.seats if plays.get(seat) == side])

    def seat_of(self, side: Side) -> Seat:
        """Return the seat of a side that is played by exactly one."""
        seats = self.seats_of(side)
        assert len(seats) == 1, f"{side} is played by {len(seats)} seats"
        return seats[0]

    @property
    def chance_position(self) -> int:
        """The number to which the next chance is bound: that of the next event, without those that dice do not count.

        Dice do not count events hidden from some seats, so that dice do not disclose their number; picks, so that no seat gets other dice by picking
        and unpicking; events that were taken back, with those that took them back; nor looks of the arbiter, which change nothing.
        """
        return self.seq + 1 - len(self.private_events) - self.unnumbered

    def pieces_at(self, place: PlaceId) -> tuple[PieceId, ...]:
        """Return the ids of the pieces in a place, in the order of their arrival."""
        return self.at.get(place, ())

    def cargo(self, piece: PieceId) -> tuple[PieceId, ...]:
        """Return the ids of the pieces on a piece, in the order of their arrival."""
        return self.at.get(PlaceId(piece), ())

    def carriers(self, place: PlaceId) -> list[PieceId]:
        """Return the pieces that carry a place, the nearest first; none if the place is not a piece."""
        found: list[PieceId] = []
        # In a forged log pieces may lie on each other in a circle.
        while (carrier := self.pieces.get(PieceId(place))) is not None and carrier.id not in found:
            found.append(carrier.id)
            place = carrier.place
        return found

    def ground(self, place: PlaceId) -> PlaceId:
        """Return the place at the bottom of a place: the place itself or, if it is a piece, the place of that piece."""
        carriers = self.carriers(place)
        return self.pieces[carriers[-1]].place if carriers else place

    def marker(self, on: str, marker: MarkerId) -> int:
        """Return how many markers of a kind lie on something; 0 or more."""
        there = self.markers.get(on)
        return 0 if there is None else there.get(marker, 0)

    def attribute(self, on: str, key: AttributeKey) -> Value | None:
        """Return an attribute of something, or None."""
        there = self.attributes.get(on)
        return None if there is None else there.get(key)

    def terms_of(self, on: str, key: AttributeKey) -> Terms:
        """Return the lifetime and audience of an attribute."""
        for terms in self.terms:
            if terms.key == key and terms.on == on:
                return terms
        return Terms(on, key)

    def track(self, track: TrackId) -> int:
        """Return the value of a track; 0 if it was never moved."""
        return self.tracks.get(track, 0)

    def pile(self, pile: PileId) -> Pile:
        """Return a pile; empty if it was never formed."""
        return self.piles.get(pile, EMPTY_PILE)

    @property
    def top(self) -> Open | None:
        """The topmost element of the stack."""
        return self.stack[-1] if self.stack else None

    def depth_of(self, kind: str) -> int:
        """Return the depth of the stack up to the topmost element of a kind; 0 if there is none."""
        depth = len(self.stack)
        while depth and self.stack[depth - 1].kind != kind:
            depth -= 1
        return depth

    def topmost(self, kind: str) -> Open | None:
        """Return the topmost element of the stack that has a kind, or None."""
        depth = self.depth_of(kind)
        return self.stack[depth - 1] if depth else None


EMPTY_PILE = Pile()
