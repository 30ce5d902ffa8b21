"""Turns events into sentences: one template per kind of event. Events of one kind in a row share a sentence."""

from collections.abc import Callable, Iterable, Sequence

from core.telling.answer_text import answer_words
from core.telling.arbiter_sentences import arbiter_templates, on_event, person, ruling_words, with_reason
from core.telling.dice_text import Roll, added_up, hidden_dice_rolled
from core.telling.names import Names
from core.telling.opening_sentences import match_forked, match_opened
from core.telling.phrases import counted_alike, listed, over, printable, repeated, standing
from core.telling.shared_sentences import Line, may_join
from core.telling.turned_pieces import turned_alike
from core.wording import capital, does, is_plural
from events.ids import NO_SEAT, TABLE
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    ChosenByChance,
    CommandsUndone,
    ControlChanged,
    DecisionClosed,
    DecisionOpened,
    DeckFormed,
    DeckShuffled,
    DiceRolled,
    Event,
    GivenAnswer,
    HiddenDiceRolled,
    ItemPicked,
    ItemUnpicked,
    MarkerPlaced,
    MarkerRemoved,
    MatchBegan,
    MatchEnded,
    MatchForked,
    MatchOpened,
    NoteAdded,
    PhaseBegan,
    PieceConcealed,
    PieceDrawn,
    PieceMoved,
    PiecePlaced,
    PieceRemoved,
    PieceReturned,
    PieceRevealed,
    PieceTurned,
    RoundBegan,
    RuleApplied,
    RulingMade,
    SeatLeft,
    SeatTaken,
    SecretsRedealt,
    SeedRevealed,
    SequenceBegan,
    SequenceEnded,
    SideAssigned,
    SideChanged,
    StandingAnswerGiven,
    StandingAnswersRevealed,
    StepBegan,
    TrackMoved,
    TurnBegan,
)
from projections.chronicle import BOOKKEEPING, Entry, Heading
from projections.state.fold import evolve
from projections.state.table import Open, Table


class Narrator:
    """Narrates the events of one match in order, and follows them, so that pieces are called what the reader knows them to be.

    Args:
        names: The names.
        table: As the reader knew it before the first event that is told; by default nothing has happened yet.
    """

    def __init__(self, names: Names, table: Table | None = None) -> None:
        self.table = Table() if table is None else table.clone()
        self.names = names.on(self.table)
        self._templates: dict[type[object], Callable[..., str]] = {
            **self._of_the_match(),
            **arbiter_templates(self.names),
            **self._of_the_sequence(),
            **self._of_the_pieces(),
            **self._of_the_cards(),
        }

    def follow(self, event: Event) -> None:
        """Apply an event to the table, so that the next one can be told."""
        evolve(self.table, event)

    def sentence(self, event: Event) -> str:
        """Return the sentence of the next event."""
        return self.sentence_of([event])

    def details(self, event: Event) -> tuple[str, ...]:
        """Return the lines that stand below what the next event opens or begins, a sentence each; nothing for any other event."""
        if not isinstance(event, DecisionOpened | SequenceBegan):
            return ()
        return self.names.details(self._opened(event))

    def _tell(self, run: Sequence[Event]) -> str | None:
        return self.names.narration.tell(self.names.table, run)

    def sentence_of(self, run: Sequence[Event]) -> str:
        """Return the sentence that the next events share: the game's own if it has one, else the default."""
        said = self._tell(run) or self._templates[type(run[0])](run)
        said = with_reason(said, run[0]) if isinstance(run[0], MatchEnded) else said
        # Parts of anything but a number, such as a result, do not add up to it; the game tells what they say.
        is_number = isinstance(run[0], AttributeSet) and isinstance(run[0].value, int)
        parts = run[0].parts if isinstance(run[0], AttributeSet) and is_number else None
        return printable(f"{said.removesuffix('.')} ({added_up(parts, self.names.part)})." if parts else said)

    def heading(self, heading: Heading) -> str:
        """Return the heading of a chapter."""
        if not heading.round and not heading.phase and not heading.turn:
            return "Before play"
        turn = self.names.turn(heading.turn, heading.seat) if heading.turn else ""
        round_ = f"{self.names.round} {heading.round}" if heading.round else ""
        return standing(round_, turn, self.names.phase(heading.phase))

    def is_worth_telling(self, entry: Entry) -> bool:
        """Return whether the next event is worth a sentence.

        Attributes and bookkeeping are if the game has a sentence for them, markers and tracks if they have a name.
        """
        event = entry.event
        if isinstance(event, MarkerPlaced | MarkerRemoved) and not self.names.has_name(event.marker):
            return False
        if isinstance(event, AttributeSet) or type(event) in BOOKKEEPING:
            return bool(self._tell([event])) or (isinstance(event, AttributeSet) and event.is_disclosed)
        if isinstance(event, TrackMoved) and not (event.to != event.was and self.names.has_name(event.track)):
            return False
        return entry.is_told and self._tell([event]) is not None

    def lines(self, entries: Iterable[Entry], *, is_full: bool = False) -> list[Line]:
        """Narrate entries in order; those of one kind and under one rule in a row share a sentence.

        Args:
            entries: What follows what was narrated before.
            is_full: Whether to narrate every one of them, not only those worth telling.
        """
        lines: list[Line] = []
        run: list[Entry] = []
        before = self.table
        for entry in entries:
            if is_full or self.is_worth_telling(entry):
                if run and not may_join(run, entry):
                    lines.append(self._line(run, before))
                    run = []
                if not run:
                    before = self.table.clone()
                run.append(entry)
            elif run and isinstance(entry.event, PiecePlaced):
                # What follows may be about a piece that was not there before the run.
                lines.append(self._line(run, before))
                run = []
            self.follow(entry.event)
        return [*lines, self._line(run, before)] if run else lines

    def _line(self, run: Sequence[Entry], before: Table) -> Line:
        self.names.table = before
        sentence = self.sentence_of([entry.event for entry in run]) + (" (taken back)" if run[0].is_undone else "")
        self.names.table = self.table
        return Line(run[0].number, run[-1].number, sentence, run[0].event.rule)

    # The match itself

    def _of_the_match(self) -> dict[type[object], Callable[..., str]]:
        return {
            MatchOpened: lambda run: match_opened(self.names, run[0]),
            MatchForked: lambda run: match_forked(self.names, run[0]),
            SeatTaken: self._seat_taken,
            SideAssigned: self._side_assigned,
            SeatLeft: lambda run: f"{run[0].name or 'A player'} leaves the {self.names.of(run[0].seat)} seat.",
            MatchBegan: lambda _: "Play begins.",
            MatchEnded: self._match_ended,
            SeedRevealed: lambda run: f"The sealed seed is revealed: {run[0].seed}.",
            RulingMade: lambda run: ruling_words(run[0]),
            NoteAdded: self._note,
            StandingAnswerGiven: lambda run: f"{self._answer(run[0], [event.decision for event in run])}.",
            StandingAnswersRevealed: self._standing_answers,
            CommandsUndone: lambda run: (
                f"{does(self.names.of(run[0].seat), 'take')} back what was done after event {run[0].to}{', as agreed' if run[0].agreed else ''}."
            ),
            SecretsRedealt: lambda run: f"{self.names.anything(run[0].pile)}: what is hidden is dealt again.",
        }

    def _note(self, run: Sequence[NoteAdded]) -> str:
        kind = "Note" if run[0].seen_by is None else "Private note"
        return f"{kind} by {person(self.names, self.table, run[0].seat)}{on_event(run[0].at)}: {run[0].text}"

    def _seat_taken(self, run: Sequence[SeatTaken]) -> str:
        seats = listed(self.names.of(event.seat) for event in run)
        return f"{run[0].name or 'A player'} takes the {seats} seat{'s' if len(run) > 1 else ''}."

    def _match_ended(self, run: Sequence[MatchEnded]) -> str:
        names = self.names.winners(run[0].winners, run[0].winning_seats)
        return f"The match is over: {over(self.names.result(run[0]), names)}."

    def _side_assigned(self, run: Sequence[SideAssigned]) -> str:
        return (
            f"{does(self.names.seat(run[0].seat), 'play')} {self.names.of(run[0].side) if run[0].side else 'no side'}."
        )

    def _turn_began(self, run: Sequence[TurnBegan]) -> str:
        side, seat = self.names.side(run[0].side), self.names.seat(run[0].seat)
        also = f" ({side})" if run[0].seat and seat != side else ""
        return f"{does(seat if also else side, 'begin')} a turn{also}."

    def _standing_answers(self, run: Sequence[StandingAnswersRevealed]) -> str:
        said = [f"after event {given.after}: {self._answer(given, [given.decision])}" for given in run[0].answers]
        return f"Standing answers disclosed, with public event numbers: {'; '.join(said)}."

    def _answer(self, answer: StandingAnswerGiven | GivenAnswer, decisions: Iterable[str]) -> str:
        who, what = self.names.seat(answer.seat), listed(map(self.names.decision, decisions))
        if not answer.answer:
            return f"{does(who, 'withdraw')} the standing answer to {what}"
        until = f" until {'their' if is_plural(who) else 'its'} next turn" if answer.until else ""
        return f"{does(who, 'give')} a standing answer to {what}{until}: {answer_words(self.names, answer.answer)}"

    # The sequence of play and chance

    def _of_the_sequence(self) -> dict[type[object], Callable[..., str]]:
        return {
            RoundBegan: lambda run: f"{self.names.round} {run[0].number} begins.",
            TurnBegan: self._turn_began,
            PhaseBegan: lambda run: f"{self.names.phase(run[0].phase)} begins.",
            RuleApplied: self._rule_applied,
            DecisionOpened: lambda run: (
                f"{does(self.names.seat(run[0].seat), 'have')} to decide: {self._asked(run[0])}."
            ),
            DecisionClosed: lambda run: f"{does(self.names.seat(run[0].seat), 'have')} decided.",
            ItemPicked: lambda run: f"Picked: {self._picked(run, run[0].to)}.",
            ItemUnpicked: lambda run: f"No longer picked: {self._picked(run, run[0].was)}.",
            SequenceBegan: lambda run: (
                f"{capital(self._asked(run[0]))} begins with: {self.names.step(run[0].kind, run[0].step)}."
            ),
            StepBegan: lambda run: (
                f"{capital(self.names.sequence(run[0].kind))} goes on: {self.names.step(run[0].kind, run[0].step)}."
            ),
            SequenceEnded: lambda run: f"{capital(self.names.sequence(run[0].kind))} is over.",
            DiceRolled: self._dice_rolled,
            HiddenDiceRolled: lambda run: hidden_dice_rolled(self.names, run),
            PieceDrawn: self._piece_drawn,
            ChosenByChance: self._chosen_by_chance,
        }

    def _chosen_by_chance(self, run: Sequence[ChosenByChance]) -> str:
        event = run[0]
        about = f", {self.names.anything(event.about)}" if event.about else ""
        chosen = "unseen" if event.chosen is None else self.names.anything(event.chosen)
        return f"Chance decides {event.purpose}{about}: {chosen}."

    def _rule_applied(self, run: Sequence[RuleApplied]) -> str:
        about = f"{self.names.anything(run[0].about)}: " if run[0].about else ""
        return f"{capital(f'{about}{run[0].outcome}')}."

    def _picked(self, run: Sequence[ItemPicked | ItemUnpicked], to: str) -> str:
        return repeated(len(run), self.names.anything(run[0].item), self.names.anything(to) if to else "")

    def _asked(self, event: DecisionOpened | SequenceBegan) -> str:
        return self.names.narration.question(self.names.table, self._opened(event))

    def _opened(self, event: DecisionOpened | SequenceBegan) -> Open:
        """Return what an event puts on the stack."""
        seat = event.seat if isinstance(event, DecisionOpened) else NO_SEAT
        step = event.step if isinstance(event, SequenceBegan) else ""
        return Open(event.kind, seat, event.arguments or {}, step=step)

    def _dice_rolled(self, run: Sequence[DiceRolled]) -> str:
        about = f", {self.names.anything(run[0].about)}" if run[0].about else ""
        return f"Dice for {run[0].purpose}{about}: {Roll(run[0]).words()}."

    def _piece_drawn(self, run: Sequence[PieceDrawn]) -> str:
        drawn = "something" if run[0].drawn is None else self.names.of(run[0].drawn)
        purpose = f", {run[0].purpose}" if run[0].purpose else ""
        return f"Drawn from {self.names.of(run[0].pool)}{purpose}: {drawn}."

    # Pieces, places, markers, tracks

    def _of_the_pieces(self) -> dict[type[object], Callable[..., str]]:
        names = self.names
        return {
            PiecePlaced: self._pieces_placed,
            PieceMoved: lambda run: (
                f"{self._pieces(run)} {'goes' if len(run) == 1 else 'go'} from {names.place(run[0].was)} to {names.place(run[0].to)}."
            ),
            PieceTurned: self._pieces_turned,
            PieceRevealed: self._pieces_revealed,
            PieceConcealed: lambda run: f"{self._pieces(run)} {_are(run)} hidden again.",
            SideChanged: lambda run: (
                f"{self._pieces(run)} {'goes' if len(run) == 1 else 'go'} over to {names.side(run[0].to)} (before: {names.side(run[0].was)})."
            ),
            PieceRemoved: lambda run: f"{self._pieces(run)} {_are(run)} removed from {names.place(run[0].was)}.",
            PieceReturned: lambda run: (
                f"{self._pieces(run)} {'goes' if len(run) == 1 else 'go'} from {names.place(run[0].was)} to {names.of(run[0].to)}."
            ),
            ControlChanged: self._control_changed,
            MarkerPlaced: self._markers_placed,
            MarkerRemoved: lambda run: f"{capital(names.of(run[0].marker))} no longer on {self._marked(run)}.",
            AttributeSet: self._attributes_set,
            TrackMoved: lambda run: f"{does(names.of(run[0].track), 'go')} from {run[0].was} to {run[-1].to}.",
        }

    def _pieces(
        self, run: Sequence[PieceMoved | PieceTurned | PieceConcealed | SideChanged | PieceRemoved | PieceReturned]
    ) -> str:
        return listed(counted_alike(self.names.of(event.piece) for event in run))

    def _pieces_placed(self, run: Sequence[PiecePlaced]) -> str:
        by_place: dict[str, list[str]] = {}
        for event in run:
            by_place.setdefault(event.to, []).append(self.names.piece(event.piece, event.to))
        by_pieces: dict[str, list[str]] = {}
        for to, pieces in by_place.items():
            by_pieces.setdefault(listed(counted_alike(pieces)), []).append(self.names.place(to))
        return f"Placed: {'; '.join(f'{pieces} in {listed(places)}' for pieces, places in by_pieces.items())}."

    def _pieces_turned(self, run: Sequence[PieceTurned]) -> str:
        alike = turned_alike(run, self.names.of)
        return " ".join([f"{self._pieces(events)} {_are(events)} {said}." for said, events in alike.items()])

    def _pieces_revealed(self, run: Sequence[PieceRevealed]) -> str:
        what = ["seen" if event.kind is None else f"revealed: {self.names.of(event.kind)}" for event in run]
        return " ".join(f"{self.names.of(event.piece)} is {said}." for event, said in zip(run, what, strict=True))

    def _control_changed(self, run: Sequence[ControlChanged]) -> str:
        places = listed(self.names.place(event.place) for event in run)
        verb = "comes" if len(run) == 1 else "come"
        was = f" (before: {self.names.side(run[0].was)})" if run[0].was else ""
        return f"{places} {verb} under {f'{self.names.of(run[0].to)} control' if run[0].to else 'no control'}{was}."

    def _markers_placed(self, run: Sequence[MarkerPlaced]) -> str:
        event = run[0]
        count = "" if (event.count, event.was) == (1, 0) else f" {event.count}"
        count += f" (before: {event.was})" if event.was else ""
        return f"{capital(self.names.of(event.marker))}{count} on {self._marked(run)}."

    def _attributes_set(self, run: Sequence[AttributeSet]) -> str:
        event = run[0]
        owners = [self.names.anything(one.on) for one in run if one.on != TABLE]
        noted = "Disclosed" if event.is_disclosed else "Noted for the rules"
        what = f"{noted}: {f'{listed(owners)}, ' if owners else ''}{self.names.of(event.key)}"
        was = "" if event.was is None else f" (before: {self.names.value(event.was)})"
        if event.value is None:
            is_hidden = event.seen_by is not None and event.was is None
            return f"{what}: {'changes (hidden)' if is_hidden else 'no longer'}{was}."
        return f"{what}{'' if event.value is True else f': {self.names.value(event.value)}'}{was}."

    def _marked(self, run: Sequence[MarkerPlaced | MarkerRemoved]) -> str:
        return listed(self.names.anything(event.on) for event in run)

    # Cards

    def _of_the_cards(self) -> dict[type[object], Callable[..., str]]:
        names = self.names
        return {
            CardDrawn: lambda run: (
                f"{self._cards(run)} {_are(run)} drawn from {names.of(run[0].deck)} to {names.of(run[0].to)}."
            ),
            DeckFormed: lambda run: f"{names.of(run[0].deck)}: {run[0].count} card{'' if run[0].count == 1 else 's'}.",
            DeckShuffled: self._deck_shuffled,
            CardPlayed: lambda run: (
                f"{self._card(run[0].card)} is played from {names.of(run[0].was)} to {names.of(run[0].to)}."
            ),
            CardDiscarded: lambda run: (
                f"{self._cards(run)} {_are(run)} discarded from {names.of(run[0].was)} to {names.of(run[0].to)}."
            ),
            CardMoved: lambda run: (
                f"{self._cards(run)} {'goes' if len(run) == 1 else 'go'} from {names.of(run[0].was)} to {names.of(run[0].to)}."
            ),
        }

    def _cards(self, run: Sequence[CardDrawn | CardDiscarded | CardMoved]) -> str:
        """Return the names of cards; hidden ones are counted."""
        known = [self.names.of(event.card) for event in run if event.card is not None]
        if not known:
            return "A card" if len(run) == 1 else f"{len(run)} cards"
        return listed([*counted_alike(known), *([f"{len(run) - len(known)} more"] if len(known) < len(run) else [])])

    def _card(self, card: str | None) -> str:
        return "A card" if card is None else self.names.of(card)

    def _deck_shuffled(self, run: Sequence[DeckShuffled]) -> str:
        source = f" together with {self.names.of(run[0].source)}" if run[0].source is not None else ""
        return f"{self.names.of(run[0].deck)} is shuffled{source}."


def _are(run: Sequence[object]) -> str:
    return "is" if len(run) == 1 else "are"
