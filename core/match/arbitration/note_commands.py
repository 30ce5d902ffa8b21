"""Notes of seats and rulings of the arbiter; their rules are in `core/game_files/match_rules.toml`."""

from core.engine.draft import Draft
from core.match.player_commands import AddNote, MakeRuling
from core.match.standing_answers import ENOUGH, knows_enough
from core.refusal import Refusal
from events.ids import ARBITER, RuleId, Seat
from events.vocabulary import (
    NoteAdded,
)
from projections.state.table import Table
from projections.state.view import log_number, seat_number

NOTES = RuleId("match.notes")


RULINGS = RuleId("match.rulings")


RULE_CHARACTERS_MAX = 200


PRIVATE_NOTES_MAX = 1_000
"""The most private notes of a seat in a match: every renumbering for another seat counts them."""


def add_note(draft: Draft, seat: Seat, command: AddNote) -> Refusal | None:
    """Write a note, or return the refusal."""
    if seat != ARBITER and seat not in draft.table.seats:
        return Refusal("seat_must_be_named", NOTES, "A note needs a seat that writes it.")
    if not 0 < len(command.text.strip()) <= 4000:
        return Refusal("note_must_have_text", NOTES, "A note has 1 to 4000 characters.")
    if command.private and draft.table.private_notes.get(seat, 0) >= PRIVATE_NOTES_MAX:
        return Refusal(
            "private_notes_must_be_few", NOTES, f"A seat writes at most {PRIVATE_NOTES_MAX} private notes a match."
        )
    if command.private and knows_enough(draft.table, seat):
        return Refusal("private_notes_must_be_few", NOTES, ENOUGH)
    if refusal := refuse_event(draft.table, seat, command.at, NOTES):
        return refusal
    seen_by = (seat,) if command.private else None
    at = None if command.at is None else log_number(draft.table, seat, command.at)
    draft.emit(NoteAdded(rule=NOTES, seat=seat, text=command.text, seen_by=seen_by, at=at))
    return None


def refuse_event(table: Table, seat: Seat, number: int | None, rule: RuleId) -> Refusal | None:
    """Return why nothing can be said of an event, by a seat's number, or None if the seat has seen it or none is named."""
    last = seat_number(table, seat, table.seq)
    if number is None or 1 <= number <= last:
        return None
    return Refusal("event_must_be_seen", rule, f"There is no event {number}; the last is {last}.")


def refuse_to_rule(table: Table, seat: Seat, command: MakeRuling) -> Refusal | None:
    """Return why a ruling cannot be made, whatever its effect, or None."""
    if seat != ARBITER:
        return Refusal("seat_must_be_arbiter", RULINGS, "Only the arbiter makes rulings.")
    if not 0 < len(command.text.strip()) <= 4000:
        return Refusal("ruling_must_have_text", RULINGS, "A ruling has 1 to 4000 characters.")
    if command.about is not None and not (
        0 < len(command.about) <= RULE_CHARACTERS_MAX and command.about.isprintable()
    ):
        most = f"A ruling is about a rule, whose id is one line of 1 to {RULE_CHARACTERS_MAX} characters."
        return Refusal("rule_must_be_named", RULINGS, most)
    return refuse_event(table, seat, command.at, RULINGS)
