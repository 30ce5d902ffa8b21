"""The draft: what a command does before it is accepted.

Rules read `draft.table` and call the draft's verbs; each verb emits one fact and folds it at once, so that the next
line of the rules sees its effect. Nothing outside the draft changes until its events are in the log.
"""

from collections.abc import Mapping

from core.draft_chance import ChanceDraft
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
    ProcedureBegan,
    ProcedureEnded,
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
from projections.table import Open, Terms


class Draft(ChanceDraft):
    """A table in the making, the events that made it so, and a source of chance.

    Args:
        table: A clone that the draft may change.
        chance: Where dice and draws come from.
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
        """Bring a piece onto the table. What no seat may know is not drawn yet, so that a piece that is nobody's to see has no kind."""
        assert seen_by != () or not kind, f"{piece} is {kind}, and no seat may know it: draw it when one may"
        self.emit(
            PiecePlaced(rule=rule, piece=piece, kind=kind, side=side, to=to, face=face, steps=steps, seen_by=seen_by)
        )

    def move(self, piece: PieceId, to: PlaceId, rule: RuleId) -> None:
        """Move a piece to another place, or onto another piece by its id. What lies on it goes with it."""
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
        """Turn a piece to a face, with other steps if given; only those who know what a hidden piece is see how.

        Nothing happens where both are as they were, unless the piece is hidden: a fact that is left out would tell.
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
        """Make known what a piece is; its steps stay as they are unless others are named."""
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
        """Hide what a piece is from all seats but some of those that know it.

        Args:
            piece: The piece.
            rule: The rule that hides it.
            known_to: Who still knows it.
            attributes: What the rules remember of the piece that depends on what it is, and is known to the same seats only.
        """
        knowers = self.table.known_to.get(piece)
        assert knowers is None or set(known_to) <= set(knowers), f"concealing {piece} cannot tell {known_to} what it is"
        self.emit(PieceConcealed(rule=rule, piece=piece, attributes=attributes, seen_by=known_to))

    def change_side(self, piece: PieceId, to: Side, rule: RuleId) -> None:
        """Let a piece go over to a side where it lies; nothing happens where it is that side's."""
        was = self.table.pieces[piece].side
        if was != to:
            self.emit(SideChanged(rule=rule, piece=piece, to=to, was=was))

    def remove(self, piece: PieceId, rule: RuleId, *, with_cargo: bool = False) -> None:
        """Take a piece off the table for good, with its markers and attributes, and whatever attributes say of it.

        Args:
            piece: The piece.
            rule: The rule that removes it.
            with_cargo: Remove the pieces on it first. Without it nothing may lie on the piece.
        """
        cargo = self.table.cargo(piece)
        assert with_cargo or not cargo, f"{', '.join(cargo)} would be left without a place"
        for aboard in cargo:
            self.remove(aboard, rule, with_cargo=True)
        self.emit(PieceRemoved(rule=rule, piece=piece, was=self.table.pieces[piece].place))

    def return_piece(self, piece: PieceId, to: PileId, rule: RuleId) -> None:
        """Take a piece off the table, with its markers and attributes, and lay what it is back into a pile.

        Who knows what it is knows what went into the pile.
        """
        old = self.table.pieces[piece]
        assert old.kind, f"{piece} is nothing yet that could go back to {to}"
        assert not self.table.cargo(piece), f"what lies on {piece} would be left without a place"
        seen_by = self.table.known_to.get(piece)
        self.emit(PieceReturned(rule=rule, piece=piece, card=CardId(old.kind), to=to, was=old.place, seen_by=seen_by))

    # Places, markers, attributes, tracks

    def control(self, place: PlaceId, to: Side, rule: RuleId) -> None:
        """Give a place to a side; nothing happens where it has it already."""
        was = self.table.control.get(place, NO_SIDE)
        if was != to:
            self.emit(ControlChanged(rule=rule, place=place, to=to, was=was))

    def mark(self, on: str, marker: MarkerId, rule: RuleId, count: int = 1) -> None:
        """Let there be `count` markers, 1 or more, of a kind on something; nothing happens where there are."""
        was = self.table.marker(on, marker)
        if was != count:
            self.emit(MarkerPlaced(rule=rule, on=on, marker=marker, count=count, was=was))

    def unmark(self, on: str, marker: MarkerId, rule: RuleId) -> None:
        """Take all markers of a kind off something; nothing happens where there is none."""
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
        """Remember a value of something under a key.

        Nothing happens where all would stay as it is, unless the value is secret: a fact that is left out would tell those
        who may not know the value that it is the same as before.

        Args:
            on: A place, a piece, a seat or `TABLE`.
            key: What is remembered.
            value: The value; a set of ids is a sorted tuple.
            rule: The rule that makes it so.
            until: Until which fact of the sequence of play it lasts.
            within: The kind of an element of the stack with which it ends, instead; the topmost one of that kind. With `until`
                `step` it ends with the step at which that sequence stands.
            names_pieces: The value is the id of a piece, or lists such ids; a piece that is removed is dropped from it.
            seen_by: Who may know the value; None for all.
            parts: How a number adds up, or what was added to the value that it replaces.
        """
        table = self.table
        depth = table.depth_of(within) if within else 0
        assert depth or not within, f"no {within} is on the stack"
        old, terms = table.attribute(on, key), table.terms_of(on, key)
        if seen_by is None and old == value and terms == Terms(on, key, until, depth, names_pieces):
            return
        was = old if _knew_all(terms.seen_by, seen_by) else None
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
            )
        )

    def remove_attribute(self, on: str, key: AttributeKey, rule: RuleId) -> None:
        """Forget a value; nothing happens where none is remembered."""
        old = self.table.attribute(on, key)
        if old is not None:
            seen_by = self.table.terms_of(on, key).seen_by
            self.emit(AttributeSet(rule=rule, on=on, key=key, value=None, was=old, seen_by=seen_by))

    def track(self, track: TrackId, to: int, rule: RuleId) -> None:
        """Move a track to a number; nothing happens where it stands there."""
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
        """Lose the order of a deck, after adding all cards of `source` if given."""
        self.emit(DeckShuffled(rule=rule, deck=deck, source=source))

    def play_card(self, card: CardId, source: PileId, to: PileId, rule: RuleId) -> None:
        """Play a card openly."""
        self.emit(CardPlayed(rule=rule, card=card, to=to, was=source))

    def discard(self, card: CardId, source: PileId, to: PileId, rule: RuleId) -> None:
        """Put a card away openly."""
        self.emit(CardDiscarded(rule=rule, card=card, to=to, was=source))

    def move_card(
        self, card: CardId, source: PileId, to: PileId, rule: RuleId, *, seen_by: tuple[Seat, ...] | None = None
    ) -> None:
        """Move a card, seen only by those who may."""
        self.emit(CardMoved(rule=rule, card=card, to=to, was=source, seen_by=seen_by))

    # The sequence of play and the stack

    def assign_side(self, seat: Seat, side: Side, rule: RuleId) -> None:
        """Settle which side a seat plays; nothing happens where it plays it already."""
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
            rule: The rule that makes it so.
            seat: Which of the side's seats has it; by default the only one, or all of them together.
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
        """Record that a rule took effect and left the table as it is."""
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
        """Put a question to a seat: in place of the topmost one if that is answered, else on top of the stack.

        With `seen_by` its arguments are for some eyes only.

        Whether it is put at all must depend on nothing that some seat may not know.
        """
        was = self._answered_kind()
        asked = arguments or {}
        self.emit(DecisionOpened(rule=rule, kind=kind, seat=seat, arguments=asked, was=was, seen_by=seen_by))

    def answered(self, rule: RuleId) -> Open:
        """Say that the topmost question is answered, and return it.

        It leaves the stack with the fact that says what follows: a question, a sequence or a step, a phase, the end. Where
        none of them does, a fact of its own closes it (`close`).
        """
        top = self.table.stack[-1]
        assert top.seat, "the top of the stack is no question"
        assert self.answer is None, f"{top.kind} is answered already"
        self.answer = rule
        return top

    def close(self) -> None:
        """Take the topmost question off the stack if it is answered and no fact has said what follows."""
        if self.answer is not None:
            rule, top = self.answer, self.table.stack[-1]
            self.answer = None
            self.emit(DecisionClosed(rule=rule, kind=top.kind, seat=top.seat))

    def _answered_kind(self) -> str:
        """Return the kind of the answered question whose place the next element takes; empty if there is none."""
        if self.answer is None:
            return ""
        self.answer = None
        return self.table.stack[-1].kind

    def begin_sequence(self, kind: str, step: str, rule: RuleId, arguments: Mapping[str, Value] | None = None) -> None:
        """Begin a sequence with one of its steps; `core.sequence` knows with which."""
        was = self._answered_kind()
        self.emit(SequenceBegan(rule=rule, kind=kind, step=step, arguments=dict(arguments or {}), was=was))

    def begin_step(self, kind: str, step: str, rule: RuleId) -> None:
        """Let the topmost sequence of a kind go on to a step; whatever lies above it is over."""
        at = self.table.topmost(kind)
        assert at is not None, f"no {kind} is on the stack"
        self.answer = None
        self.emit(StepBegan(rule=rule, kind=kind, step=step, was=at.step))

    def end_sequence(self, kind: str, rule: RuleId) -> Open:
        """End the topmost sequence of a kind, with whatever lies above it, and return it as it stood."""
        at = self.table.topmost(kind)
        assert at is not None, f"no {kind} is on the stack"
        self.answer = None
        self.emit(SequenceEnded(rule=rule, kind=kind))
        return at

    def set_aside(self, kind: str, rule: RuleId, arguments: dict[str, Value] | None = None) -> None:
        """Lay a procedure on the stack; it goes on by itself once it is on top again."""
        self.close()
        self.emit(ProcedureBegan(rule=rule, kind=kind, arguments=arguments or {}))

    def take_up(self, rule: RuleId) -> Open:
        """Take the topmost procedure off the stack and return it."""
        self.close()
        top = self.table.stack[-1]
        assert not top.seat, "the top of the stack is no procedure"
        self.emit(ProcedureEnded(rule=rule, kind=top.kind))
        return top

    def end_match(
        self,
        result: str,
        winners: tuple[Side, ...],
        rule: RuleId,
        *,
        kind: str = "rules",
        seats: tuple[Seat, ...] | None = None,
    ) -> None:
        """End the match; the stack is cleared, and no fact of the game follows.

        Args:
            result: The printed name of the result.
            winners: The sides that have won, also those that no seat plays.
            rule: The rule that makes it so.
            kind: How it ended; see `MatchEnded`.
            seats: The seats that have won; by default all that play a side that has.
        """
        self.answer = None
        if seats is None:
            seats = tuple([seat for seat in self.table.seats if self.table.side_of(seat) in winners])
        self.emit(MatchEnded(rule=rule, kind=kind, result=result, winners=winners, winning_seats=seats))


def _knew_all(knew: tuple[Seat, ...] | None, told: tuple[Seat, ...] | None) -> bool:
    """Return whether all seats that are told of a value now knew the one that it replaces."""
    return knew is None or (told is not None and set(told) <= set(knew))
