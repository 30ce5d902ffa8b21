"""The fold: `evolve` applies an event to a table. It holds no rules, rolls nothing and cannot fail on a valid log."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from events.ids import MarkerId, Seat
from events.transparency.signed_command import opening_digest
from events.vocabulary import (
    ArbiterLeft,
    ArbiterSeated,
    AttributeSet,
    CardDiscarded,
    CardDrawn,
    CardMoved,
    CardPlayed,
    ChanceCalled,
    ChosenByChance,
    CommandsUndone,
    ControlChanged,
    DecisionClosed,
    DecisionOpened,
    DeckFormed,
    DeckShuffled,
    DiceRolled,
    DisputeOpened,
    Event,
    GivenAnswer,
    HiddenDiceRolled,
    ItemPicked,
    ItemUnpicked,
    KeyRegistered,
    LinksOpened,
    MarkerPlaced,
    MarkerRemoved,
    MatchBegan,
    MatchEnded,
    MatchForked,
    MatchOpened,
    MatchPaused,
    MatchResumed,
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
    PlayerReplaced,
    RoundBegan,
    RuleApplied,
    RulesAdopted,
    RulingAppealed,
    RulingMade,
    SeatLeft,
    SeatReserved,
    SeatSecured,
    SeatTaken,
    SeatViewed,
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
    UndoAnswered,
    UndoAsked,
)
from projections.state.attributes import lapse, lie_on, set_attribute
from projections.state.chosen_faces import left_of_chosen
from projections.state.forks import match_forked
from projections.state.links import links_of, links_on, uncalled
from projections.state.pieces import (
    conceal_piece,
    move_piece,
    place_piece,
    remove_piece,
    reveal_piece,
    take_side,
    turn_piece,
)
from projections.state.piles import (
    deal_again,
    draw_card,
    draw_piece,
    form_deck,
    move_card,
    return_piece,
    show_card,
    shuffle_deck,
)
from projections.state.seat_keys import with_key
from projections.state.seating import (
    answer_undo,
    appeal,
    ask_undo,
    dispute,
    free_arbiter,
    free_seat,
    pause,
    reserve_seat,
    resume,
    rule,
    seat_arbiter,
    take_seat,
    view_seat,
)
from projections.state.shared_names import shared
from projections.state.stack import (
    decision_opened,
    sequence_began,
    sequence_ended,
    step_began,
    top_closed,
)
from projections.state.table import Ended, Standing, Table
from projections.state.undo_history import FENCES, KEPT, begin_undo_history, first_kept, note, replay, undo_events

_MARKS = FENCES | KEPT


def evolve(table: Table, event: Event) -> None:
    """Apply one event to the table, in place. In a match that has begun, a table without an undo history never gets one."""
    table.seq += 1
    kind, past = type(event), table.past
    if kind in _MARKS:
        is_noted = past is not None or not table.began
        _HANDLERS[kind](table, event)
        if is_noted and kind in FENCES:
            begin_undo_history(table, event, _apply)
        return
    if past is not None and past.game is None:
        past.game = table.game_part()
    _HANDLERS[kind](table, event)
    if past is not None:
        note(table, past, (event,), _apply)


def fold(events: Iterable[Event], table: Table | None = None) -> Table:
    """Apply events in order to a table, by default to an empty one, and return it."""
    table = Table() if table is None else table
    known = events if isinstance(events, tuple) else tuple(events)
    kinds = set(map(type, known))
    if _MARKS.isdisjoint(kinds):
        # The most frequent case.
        if known:
            _fold_plain(table, known)
        return table
    if CommandsUndone not in kinds:
        _fold_marked(table, known)
        return table
    start = 0
    for index, event in enumerate(known):
        if type(event) is CommandsUndone:
            _fold_marked(table, known[start:index])
            evolve(table, event)
            start = index + 1
    _fold_marked(table, known[start:])
    return table


def _fold_marked(table: Table, events: tuple[Event, ...]) -> None:
    """Apply events without a take-back among them: only those after the last fences need be noted."""
    if table.past is None and table.began:
        _apply(table, events)
        return
    start = first_kept(table, events)
    if start:
        _apply(table, events[:start])
        begin_undo_history(table, events[start - 1], _apply, is_first=True)
    run = start
    for place in range(start, len(events)):
        if type(events[place]) in _MARKS:
            if run < place:
                _fold_plain(table, events[run:place])
            evolve(table, events[place])
            run = place + 1
    if run < len(events):
        _fold_plain(table, events[run:])


def unpack(table: Table) -> None:
    """Restore the game state of a table that was rewound to be encoded (`projections.state.undo_history.rewound`).

    Raises:
        KeyError: The events of its undo history cannot have happened; also IndexError and ValueError.
    """
    replay(table, _apply)


def _fold_plain(table: Table, events: tuple[Event, ...]) -> None:
    """Apply game events, at least one and none of them a fence."""
    past = table.past
    # Not when the fence is set: another one often follows at once.
    if past is not None and past.game is None:
        past.game = table.game_part()
    _apply(table, events)
    if past is not None:
        note(table, past, events, _apply)


def _apply(table: Table, events: Sequence[Event]) -> None:
    handlers = _HANDLERS
    for event in events:
        table.seq += 1
        handlers[type(event)](table, event)


def _match_opened(table: Table, event: MatchOpened) -> None:
    table.game = event.game
    table.edition = event.edition
    table.scenario = event.scenario
    table.mode = event.mode
    table.options = event.options
    table.sides = event.sides
    table.seats = event.seats
    table.plays = event.plays
    table.rules = event.rules
    table.board = event.board
    table.variant = event.variant
    table.title = event.title
    table.taking_back = event.taking_back
    table.house_rules = event.house_rules
    table.position = event.position
    table.chance = event.chance
    table.links = links_of(event.chance)
    table.opening = opening_digest(event)


def _key_registered(table: Table, event: KeyRegistered) -> None:
    # A fork that repeats a command which it has cut has no keys of its parent.
    if table.seq > table.keys_from:
        table.keys = with_key(table.keys, event)
        if not event.was:
            # What was answered in advance is not signed with this key, nor with one that it follows from.
            table.standing = tuple([one for one in table.standing if one.seat != event.seat])


def _add_private_event(table: Table, seen_by: tuple[Seat, ...]) -> None:
    """Record that only some seats know of the event that is being folded."""
    table.private_events = (*table.private_events, table.seq)
    told = {seat: (*table.private_events_of.get(seat, ()), table.seq) for seat in seen_by}
    table.private_events_of = {**table.private_events_of, **told}


def _link_event(table: Table, event: ChanceCalled | LinksOpened | SeatSecured) -> None:
    """Publish the anchor of a seat, let the match wait for a link, or open links."""
    if not isinstance(event, SeatSecured) or event.seat in table.seats:
        table.links = links_on(table.links, event, table.seq, table.dice_from)


def _side_assigned(table: Table, event: SideAssigned) -> None:
    table.plays = {**table.plays, event.seat: event.side}


def _match_began(table: Table, event: MatchBegan) -> None:
    table.began = True


def _rules_adopted(table: Table, event: RulesAdopted) -> None:
    table.edition = event.edition
    table.rules = event.rules
    # They were given for what the rules before would ask, and a command that waits for a link was decided by them.
    table.standing = ()
    table.links = uncalled(table.links)


def _match_ended(table: Table, event: MatchEnded) -> None:
    table.ended = Ended(event.kind, event.result, event.winners, event.winning_seats, event.reason)
    table.paused = None
    table.links = uncalled(table.links)
    table.stack = ()
    lapse(table)


def _nothing(table: Table, event: SeedRevealed | RuleApplied | ChosenByChance) -> None:
    """Do nothing: these events are for readers of the log."""


def _dice_rolled(table: Table, event: DiceRolled) -> None:
    if table.chosen_faces is not None:
        table.chosen_faces = left_of_chosen(table.chosen_faces, table.seq, event)


def _hidden_dice_rolled(table: Table, event: HiddenDiceRolled) -> None:
    lie_on(table, event)


def _note_added(table: Table, event: NoteAdded) -> None:
    if event.seen_by is not None:
        written = table.private_notes.get(event.seat, 0)
        table.private_notes = {**table.private_notes, event.seat: written + 1}
        _add_private_event(table, event.seen_by)


def _standing_answer_given(table: Table, event: StandingAnswerGiven) -> None:
    others = [known for known in table.standing if (known.seat, known.decision) != (event.seat, event.decision)]
    changes_nothing = not event.answer and len(others) == len(table.standing)
    if event.seen_by is not None and not changes_nothing:
        after = table.seq - 1 - len(table.private_events)
        given = GivenAnswer(
            seat=event.seat, decision=event.decision, answer=event.answer, until=event.until, after=after
        )
        table.undisclosed_answers = (*table.undisclosed_answers, given)
    if event.answer:
        others.append(Standing(event.seat, event.decision, event.answer, event.until))
    table.standing = tuple(others)
    if event.seen_by is not None:
        _add_private_event(table, event.seen_by)


def _standing_answers_revealed(table: Table, event: StandingAnswersRevealed) -> None:
    table.undisclosed_answers = ()


def _commands_undone(table: Table, event: CommandsUndone) -> None:
    undo_events(table, event.to, _apply)


def _round_began(table: Table, event: RoundBegan) -> None:
    table.round = event.number
    lapse(table, "round")


def _turn_began(table: Table, event: TurnBegan) -> None:
    table.turn = event.side
    table.turn_seat = event.seat
    if table.standing:
        begins = (event.seat,) if event.seat else table.seats_of(event.side)
        table.standing = tuple([s for s in table.standing if s.until != "turn" or s.seat not in begins])
    lapse(table, "turn")


def _phase_began(table: Table, event: PhaseBegan) -> None:
    table.phase = event.phase
    lapse(table, "phase")


def _item_picked(table: Table, event: ItemPicked) -> None:
    """Add a pick to the topmost question."""
    top = table.stack[-1]
    _pick(table, [*top.picks, (event.item, event.to)], event.seen_by)


def _item_unpicked(table: Table, event: ItemUnpicked) -> None:
    """Remove a pick from the topmost question."""
    left = table.stack[-1].picks
    left.remove((event.item, event.was))
    _pick(table, left, event.seen_by)


def _pick(table: Table, picks: list[tuple[str, str]], seen_by: tuple[Seat, ...] | None) -> None:
    """Replace the picks of the topmost question."""
    table.stack = (*table.stack[:-1], table.stack[-1].with_picks(picks, seen_by))
    if seen_by is None:
        table.unnumbered += 1
    else:
        _add_private_event(table, seen_by)


def _control_changed(table: Table, event: ControlChanged) -> None:
    # It changes rarely, so copying it here is cheaper than with every table (`Table.clone`).
    table.control = {**table.control, shared(event.place): shared(event.to)}


def _marker_placed(table: Table, event: MarkerPlaced) -> None:
    on, marker = shared(event.on), shared(event.marker)
    there = table.markers.get(on)
    table.markers[on] = {marker: event.count} if there is None else {**there, marker: event.count}


def _marker_removed(table: Table, event: MarkerRemoved) -> None:
    left: dict[MarkerId, int] = {
        name: count for name, count in table.markers.get(event.on, {}).items() if name != event.marker
    }
    if left:
        table.markers[event.on] = left
    else:
        table.markers.pop(event.on, None)


def _track_moved(table: Table, event: TrackMoved) -> None:
    table.tracks[event.track] = event.to


_HANDLERS: dict[type[Any], Callable[[Table, Any], None]] = {
    MatchOpened: _match_opened,
    MatchForked: match_forked,
    SeatTaken: take_seat,
    SeatSecured: _link_event,
    KeyRegistered: _key_registered,
    SeatLeft: free_seat,
    SeatReserved: reserve_seat,
    PlayerReplaced: free_seat,
    ArbiterSeated: seat_arbiter,
    ArbiterLeft: free_arbiter,
    SeatViewed: view_seat,
    UndoAsked: ask_undo,
    UndoAnswered: answer_undo,
    SideAssigned: _side_assigned,
    MatchBegan: _match_began,
    MatchPaused: pause,
    MatchResumed: resume,
    RulesAdopted: _rules_adopted,
    MatchEnded: _match_ended,
    SeedRevealed: _nothing,
    DisputeOpened: dispute,
    RulingMade: rule,
    RulingAppealed: appeal,
    NoteAdded: _note_added,
    StandingAnswerGiven: _standing_answer_given,
    StandingAnswersRevealed: _standing_answers_revealed,
    SecretsRedealt: deal_again,
    CommandsUndone: _commands_undone,
    RoundBegan: _round_began,
    TurnBegan: _turn_began,
    PhaseBegan: _phase_began,
    RuleApplied: _nothing,
    DecisionOpened: decision_opened,
    DecisionClosed: top_closed,
    ItemPicked: _item_picked,
    ItemUnpicked: _item_unpicked,
    SequenceBegan: sequence_began,
    StepBegan: step_began,
    SequenceEnded: sequence_ended,
    ChanceCalled: _link_event,
    LinksOpened: _link_event,
    DiceRolled: _dice_rolled,
    HiddenDiceRolled: _hidden_dice_rolled,
    CardDrawn: draw_card,
    PieceDrawn: draw_piece,
    ChosenByChance: _nothing,
    DeckFormed: form_deck,
    DeckShuffled: shuffle_deck,
    PiecePlaced: place_piece,
    PieceMoved: move_piece,
    PieceTurned: turn_piece,
    PieceRevealed: reveal_piece,
    PieceConcealed: conceal_piece,
    SideChanged: take_side,
    PieceRemoved: remove_piece,
    PieceReturned: return_piece,
    ControlChanged: _control_changed,
    MarkerPlaced: _marker_placed,
    MarkerRemoved: _marker_removed,
    TrackMoved: _track_moved,
    AttributeSet: set_attribute,
    CardPlayed: show_card,
    CardDiscarded: show_card,
    CardMoved: move_card,
}
"""Event types to handlers. `Any` allows a dispatch that is twice as fast as `match`."""
