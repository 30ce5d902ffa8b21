"""The draft: the table and the events of a command before it is accepted.

Rules read `draft.table` and call the draft's methods. Each method emits one event and folds it at once, so that the next
line of the rules sees its effect. Nothing outside the draft changes until its events are in the log.
"""

from collections.abc import Mapping

from core.engine.draft_chance import ChanceDraft
from events.ids import (
    NO_SEAT,
    NO_SIDE,
    AttributeKey,
    CardId,
    MarkerId,
    PieceId,
    PileId,
    PlaceId,
    RuleId,
    Seat,
    Side,
    TrackId,
)
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardMoved,
    CardPlayed,
    ControlChanged,
    DecisionClosed,
    DecisionOpened,
    DeckFormed,
    DeckShuffled,
    Lifetime,
    MarkerPlaced,
    MarkerRemoved,
    MatchEnded,
    Modifier,
    PhaseBegan,
    PieceConcealed,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    RoundBegan,
    RuleApplied,
    SequenceBegan,
    SequenceEnded,
    SideAssigned,
    SideChanged,
    StepBegan,
    TrackMoved,
    TurnBegan,
    Value,
)
from projections.state.table import Open, Terms


class Draft(ChanceDraft):
    """A table that a command changes, the events emitted so far, and a source of chance.

    Args:
        table: A clone that the draft may change.
        chance: The source of dice and draws.
    """

    __slots__ = ()

    # Pieces

    def place(
        self,
        piece: PieceId,
        to: PlaceId,
        rule: RuleId,
        *,
        kind: str,
        side: Side,
        face: str = "",
        steps: int = 0,
        seen_by: tuple[Seat, ...] | None = None,
    ) -> None:
        """Place a piece on the table. A piece that no seat may know has no kind, because its kind is drawn later."""
        assert seen_by != () or not kind, f"{piece} is {kind}, and no seat may know it: draw its kind when a seat may"
        self.emit(
            PiecePlaced(rule=rule, piece=piece, kind=kind, side=side, to=to, face=face, steps=steps, seen_by=seen_by)
        )

    def move(self, piece: PieceId, to: PlaceId, rule: RuleId) -> None:
        """Move a piece to another place, or onto another piece by its id. Pieces on it move with it."""
        assert piece not in self.table.carriers(to), f"{piece} cannot lie on itself"
        self.emit(PieceMoved(rule=rule, piece=piece, to=to, was=self.table.pieces[piece].place))

    def turn(
        self,
        piece: PieceId,
        face: str,
        rule: RuleId,
        *,
        steps: int | None = None,
    ) -> None:
        """Turn a piece to a face, with other steps if given; only seats that know a hidden piece see the result.

        Emit nothing if both are unchanged, unless the piece is hidden: a missing event would disclose that.
        """
        old = self.table.pieces[piece]
        new_steps = old.steps if steps is None else steps
        seen_by = self.table.known_to.get(piece)
        if seen_by is None and old.face == face and old.steps == new_steps:
            return
        self.emit(
            PieceTurned(
                rule=rule,
                piece=piece,
                face=face,
                was=old.face,
                steps=new_steps,
                steps_was=old.steps,
                seen_by=seen_by,
            )
        )

    def reveal(
        self,
        piece: PieceId,
        kind: str,
        face: str,
        rule: RuleId,
        *,
        steps: int | None = None,
        seen_by: tuple[Seat, ...] | None = None,
    ) -> None:
        """Reveal a piece; its steps stay unchanged unless others are given."""
        old = self.table.pieces[piece]
        left = old.steps if steps is None else steps
        self.emit(
            PieceRevealed(rule=rule, piece=piece, kind=kind, face=face, was=old.face, steps=left, seen_by=seen_by)
        )

    def conceal(
        self,
        piece: PieceId,
        rule: RuleId,
        *,
        known_to: tuple[Seat, ...] = (),
        attributes: tuple[AttributeKey, ...] = (),
    ) -> None:
        """Conceal a piece from all seats except some of those that know it.

        Args:
            piece: The piece.
            rule: The rule that conceals it.
            known_to: The seats that still know it.
            attributes: The attributes of the piece that depend on its identity and become known to the same seats only.
        """
        knowers = self.table.known_to.get(piece)
        assert knowers is None or set(known_to) <= set(knowers), f"concealing {piece} cannot disclose it to {known_to}"
        self.emit(PieceConcealed(rule=rule, piece=piece, attributes=attributes, seen_by=known_to))

    def change_side(self, piece: PieceId, to: Side, rule: RuleId) -> None:
        """Change the side of a piece in its place; do nothing if it is that side's already."""
        was = self.table.pieces[piece].side
        if was != to:
            self.emit(SideChanged(rule=rule, piece=piece, to=to, was=was))

    def remove(self, piece: PieceId, rule: RuleId, *, with_cargo: bool = False) -> None:
        """Remove a piece from the table for good, with its markers, its attributes and its mentions in other attributes.

        Args:
            piece: The piece.
            rule: The rule that removes it.
            with_cargo: Remove the pieces on it first. Otherwise no piece may be on it.
        """
        cargo = self.table.cargo(piece)
        assert with_cargo or not cargo, f"{', '.join(cargo)} would be left without a place"
        for aboard in cargo:
            self.remove(aboard, rule, with_cargo=True)
        self.emit(PieceRemoved(rule=rule, piece=piece, was=self.table.pieces[piece].place))

    def return_piece(self, piece: PieceId, to: PileId, rule: RuleId) -> None:
        """Remove a piece from the table, with its markers and attributes, and put its identity back into a pile.

        The seats that know the piece know what went into the pile.
        """
        old = self.table.pieces[piece]
        assert old.kind, f"{piece} has no kind yet that could go back to {to}"
        assert not self.table.cargo(piece), f"what lies on {piece} would be left without a place"
        seen_by = self.table.known_to.get(piece)
        self.emit(PieceReturned(rule=rule, piece=piece, card=CardId(old.kind), to=to, was=old.place, seen_by=seen_by))

    # Places, markers, attributes, tracks

    def control(self, place: PlaceId, to: Side, rule: RuleId) -> None:
        """Give control of a place to a side; do nothing if it has control already."""
        was = self.table.control.get(place, NO_SIDE)
        if was != to:
            self.emit(ControlChanged(rule=rule, place=place, to=to, was=was))

    def mark(self, on: str, marker: MarkerId, rule: RuleId, count: int = 1) -> None:
        """Set the number of markers of a kind on something to `count`, 1 or more; do nothing if it is unchanged."""
        was = self.table.marker(on, marker)
        if was != count:
            self.emit(MarkerPlaced(rule=rule, on=on, marker=marker, count=count, was=was))

    def unmark(self, on: str, marker: MarkerId, rule: RuleId) -> None:
        """Remove all markers of a kind from something; do nothing if there is none."""
        was = self.table.marker(on, marker)
        if was:
            self.emit(MarkerRemoved(rule=rule, on=on, marker=marker, was=was))

    def set_attribute(
        self,
        on: str,
        key: AttributeKey,
        value: Value,
        rule: RuleId,
        *,
        until: Lifetime = "",
        within: str = "",
        names_pieces: bool = False,
        seen_by: tuple[Seat, ...] | None = None,
        parts: tuple[Modifier, ...] | None = None,
    ) -> None:
        """Set an attribute of something.

        Emit nothing if nothing would change, unless the value is secret: a missing event would disclose to seats
        that may not know the value that it is unchanged.

        Args:
            on: A place, a piece, a seat or `TABLE`.
            key: The key of the attribute.
            value: The value; a set of ids is a sorted tuple.
            rule: The rule that causes it.
            until: The event of the sequence of play until which it lasts.
            within: The kind of the stack element with which it ends instead: the topmost one of that kind. With `until` `step`
                it ends with the current step of that sequence.
            names_pieces: The value is the id of a piece, or lists such ids; a piece that is removed is dropped from it.
            seen_by: The seats that may know the value; None for all.
            parts: How a number adds up, or what was added to the value that it replaces.
        """
        table = self.table
        depth = table.depth_of(within) if within else 0
        assert depth or not within, f"no {within} is on the stack"
        was, is_disclosed = table.attribute(on, key), False
        if was is not None:
            terms = table.terms_of(on, key)
            is_disclosed = seen_by is None and terms.seen_by is not None
            if seen_by is None and was == value and terms == Terms(on, key, until, depth, names_pieces):
                return
            if not _knew_all(terms.seen_by, seen_by):
                was = None
        self.emit(
            AttributeSet(
                rule=rule,
                on=on,
                key=key,
                value=value,
                was=was,
                until=until,
                within=within,
                names_pieces=names_pieces,
                seen_by=seen_by,
                parts=parts,
                is_disclosed=is_disclosed,
            )
        )

    def remove_attribute(self, on: str, key: AttributeKey, rule: RuleId) -> None:
        """Remove an attribute; do nothing if it is not set."""
        old = self.table.attribute(on, key)
        if old is not None:
            seen_by = self.table.terms_of(on, key).seen_by
            is_removed = seen_by is not None
            self.emit(
                AttributeSet(rule=rule, on=on, key=key, value=None, was=old, seen_by=seen_by, is_removed=is_removed)
            )

    def track(self, track: TrackId, to: int, rule: RuleId) -> None:
        """Move a track to a number; do nothing if it is there already."""
        was = self.table.track(track)
        if was != to:
            self.emit(TrackMoved(rule=rule, track=track, to=to, was=was))

    # Cards

    def form(
        self, deck: PileId, cards: tuple[CardId, ...], rule: RuleId, *, seen_by: tuple[Seat, ...] | None = None
    ) -> None:
        """Form a pile of cards."""
        self.emit(DeckFormed(rule=rule, deck=deck, count=len(cards), cards=cards, seen_by=seen_by))

    def shuffle(self, deck: PileId, rule: RuleId, source: PileId | None = None) -> None:
        """Shuffle a deck, after adding all cards of `source` if given."""
        self.emit(DeckShuffled(rule=rule, deck=deck, source=source))

    def play_card(self, card: CardId, source: PileId, to: PileId, rule: RuleId) -> None:
        """Play a card face up."""
        self.emit(CardPlayed(rule=rule, card=card, to=to, was=source))

    def discard(self, card: CardId, source: PileId, to: PileId, rule: RuleId) -> None:
        """Discard a card face up."""
        self.emit(CardDiscarded(rule=rule, card=card, to=to, was=source))

    def move_card(
        self, card: CardId, source: PileId, to: PileId, rule: RuleId, *, seen_by: tuple[Seat, ...] | None = None
    ) -> None:
        """Move a card, which only some seats see."""
        self.emit(CardMoved(rule=rule, card=card, to=to, was=source, seen_by=seen_by))

    # The sequence of play and the stack

    def assign_side(self, seat: Seat, side: Side, rule: RuleId) -> None:
        """Settle which side a seat plays; do nothing if it plays it already."""
        was = self.table.side_of(seat)
        if was != side:
            self.emit(SideAssigned(rule=rule, seat=seat, side=side, was=was))

    def begin_round(self, number: int, rule: RuleId) -> None:
        """Advance the round counter to a number as printed."""
        self.emit(RoundBegan(rule=rule, number=number, was=self.table.round))

    def begin_turn(self, side: Side, rule: RuleId, *, seat: Seat | None = None) -> None:
        """Begin a side's turn.

        Args:
            side: Whose turn it is.
            rule: The rule that causes it.
            seat: The side's seat that has the turn; by default its only seat, or all of them together.
        """
        table = self.table
        if seat is None:
            seats = table.seats_of(side)
            seat = seats[0] if len(seats) == 1 else NO_SEAT
        self.emit(TurnBegan(rule=rule, side=side, seat=seat, was=table.turn, seat_was=table.turn_seat))

    def begin_phase(self, phase: str, rule: RuleId) -> None:
        """Begin a phase."""
        self.emit(PhaseBegan(rule=rule, phase=phase, was=self.table.phase))

    def apply(self, rule: RuleId, outcome: str, about: str = "") -> None:
        """Record that a rule took effect without changing the table."""
        self.emit(RuleApplied(rule=rule, outcome=outcome, about=about))

    def ask(
        self,
        kind: str,
        seat: Seat,
        rule: RuleId,
        arguments: dict[str, Value] | None = None,
        *,
        seen_by: tuple[Seat, ...] | None = None,
    ) -> None:
        """Open a question for a seat: it replaces the topmost one if that is answered, else it is pushed onto the stack.

        With `seen_by` only some seats see its arguments.

        Whether it is opened at all must not depend on a secret of any seat.
        """
        was = self._answered_kind()
        asked = arguments or {}
        self.emit(DecisionOpened(rule=rule, kind=kind, seat=seat, arguments=asked, was=was, seen_by=seen_by))

    def answered(self, rule: RuleId) -> Open:
        """Mark the topmost question as answered, and return it.

        The next event that shows what follows removes it from the stack: a question, a sequence or a step, a phase, the end. If
        none of these follows, an event of its own closes it (`close`).
        """
        top = self.table.stack[-1]
        assert top.seat, "the top of the stack is not a question"
        assert self.answer is None, f"{top.kind} is answered already"
        self.answer = rule
        return top

    def close(self) -> None:
        """Remove the topmost question from the stack if it is answered and no event has done so yet."""
        if self.answer is not None:
            rule, top = self.answer, self.table.stack[-1]
            self.answer = None
            self.emit(DecisionClosed(rule=rule, kind=top.kind, seat=top.seat))

    def _answered_kind(self) -> str:
        """Return the kind of the answered question that the next element replaces; empty if there is none."""
        if self.answer is None:
            return ""
        self.answer = None
        return self.table.stack[-1].kind

    def begin_sequence(self, kind: str, step: str, rule: RuleId, arguments: Mapping[str, Value] | None = None) -> None:
        """Begin a sequence with one of its steps, which `core.engine.steps` chooses."""
        was = self._answered_kind()
        self.emit(SequenceBegan(rule=rule, kind=kind, step=step, arguments=dict(arguments or {}), was=was))

    def begin_step(self, kind: str, step: str, rule: RuleId) -> None:
        """Advance the topmost sequence of a kind to a step; elements above it are removed."""
        at = self.table.topmost(kind)
        assert at is not None, f"no {kind} is on the stack"
        self.answer = None
        self.emit(StepBegan(rule=rule, kind=kind, step=step, was=at.step))

    def end_sequence(self, kind: str, rule: RuleId) -> Open:
        """End the topmost sequence of a kind, with the elements above it, and return it."""
        at = self.table.topmost(kind)
        assert at is not None, f"no {kind} is on the stack"
        self.answer = None
        self.emit(SequenceEnded(rule=rule, kind=kind))
        return at

    def end_match(
        self,
        result: str,
        winners: tuple[Side, ...],
        rule: RuleId,
        *,
        kind: str = "rules",
        seats: tuple[Seat, ...] | None = None,
        reason: str = "",
    ) -> None:
        """End the match; the stack is cleared, and no game event follows.

        Args:
            result: The printed name of the result.
            winners: The sides that have won, including those that no seat plays.
            rule: The rule that causes it.
            kind: How it ended; see `MatchEnded`.
            seats: The seats that have won; by default all that play a winning side.
            reason: The arbiter's, if the arbiter ends it.
        """
        self.answer = None
        if seats is None:
            seats = tuple([seat for seat in self.table.seats if self.table.side_of(seat) in winners])
        self.emit(MatchEnded(rule=rule, kind=kind, result=result, winners=winners, winning_seats=seats, reason=reason))


def _knew_all(knew: tuple[Seat, ...] | None, told: tuple[Seat, ...] | None) -> bool:
    """Return whether all seats that see a new value knew the replaced one."""
    return knew is None or (told is not None and set(told) <= set(knew))
