"""Taking back with the consent of others what they have learned or decided since; the rule is in `core/game_files/match_rules.toml`."""

from core.engine.command import MatchOwnCommand
from core.engine.draft import Draft
from core.match.undo import RecentCommand, RecentCommands, first_of_last_order, refuse_undo
from core.refusal import Refusal
from events.ids import ARBITER, RuleId, Seat
from events.vocabulary import CommandsUndone, UndoAnswered, UndoAsked
from projections.state.table import Table, UndoHistory
from projections.state.undo_history import part_of
from projections.state.view import log_number, seat_number

CONSENT = RuleId("match.consent")


class AskUndo(MatchOwnCommand, frozen=True, kw_only=True, tag="match:ask-undo"):
    """Ask the other seats to agree that all after event `to`, in the seat's numbers, is taken back; by default its last command, with those of its order, and what followed."""

    to: int | None = None


class AnswerUndo(MatchOwnCommand, frozen=True, kw_only=True, tag="match:answer-undo"):
    """Agree that commands are taken back, as event `request` in the seat's numbers asks, or refuse it."""

    request: int
    is_agreed: bool


def ask_undo(draft: Draft, seat: Seat, command: AskUndo, recent: RecentCommands) -> Refusal | None:
    """Ask for consent, or return the refusal; then the draft must be discarded."""
    table = draft.table
    found = refuse_asking(table, recent, seat, command.to)
    if isinstance(found, Refusal):
        return found
    draft.emit(UndoAsked(rule=CONSENT, seat=seat, to=found.before, of=_others(table, seat)))
    return None


def refuse_asking(table: Table, recent: RecentCommands, seat: Seat, to: int | None) -> Refusal | RecentCommand:
    """Return the first command that a seat would take back with the consent of others, or why it may not ask.

    Args:
        table: The table at the head of the match.
        recent: Its last commands.
        seat: The seat that asks.
        to: The event, in the seat's own numbers, to return to; None to take back its last command, or the order that ends with it, and what followed.
    """
    if table.taking_back != "consent":
        return Refusal("taking_back_must_be_allowed", CONSENT, "In this match nothing is taken back by consent.")
    if seat not in table.seats:
        return Refusal("seat_must_play", CONSENT, "Only a playing seat asks to take commands back.")
    if not _others(table, seat):
        return Refusal(
            "consent_must_be_possible", CONSENT, "Nobody else plays who could agree; a fork goes another way."
        )
    asked = table.asked_back
    if asked is not None:
        number = seat_number(table, seat, asked.at)
        return Refusal(
            "request_must_be_answered",
            CONSENT,
            f"Event {number} asks already; it is answered, or lapses when play goes on.",
        )
    alone = refuse_undo(table, recent, seat, to)
    if isinstance(alone, RecentCommand):
        return Refusal("consent_must_be_needed", CONSENT, "Nobody has to agree to that: take it back.")
    if alone.code == "event_must_be_seen":
        return alone
    past = table.past
    known = [] if past is None else [one for one in recent.all if part_of(past, one.before) is not None]
    if to is None or past is None:
        own = [one for one in known if one.seat == seat]
        return first_of_last_order(own) if own else _too_far()
    if not 0 <= to < seat_number(table, seat, table.seq):
        return _too_far()
    wanted = _place(past, log_number(table, seat, to))
    return next((one for one in known if wanted is not None and _place(past, one.before) == wanted), _too_far())


def last_asked(table: Table, recent: RecentCommands, seat: Seat) -> int | None:
    """Return the event, in a seat's own numbers, to which the game would return if the others agreed to take back what it sent last; None if it cannot ask."""
    if table.ended is not None or table.paused is not None or seat not in table.seats:
        return None
    found = refuse_asking(table, recent, seat, None)
    return seat_number(table, seat, found.before) if isinstance(found, RecentCommand) else None


def answer_to(table: Table, seat: Seat, *, agrees: bool) -> AnswerUndo | None:
    """Return the answer of a seat to the request that is open, as its own view of the table shows it; None if it is not asked."""
    asked = table.asked_back
    is_asked = asked is not None and seat in asked.awaited and table.paused is None
    return AnswerUndo(request=asked.at, is_agreed=agrees) if asked is not None and is_asked else None


def _place(past: UndoHistory, seq: int) -> tuple[int, int] | None:
    """Return the moment of the game after an event: notes and the like make no other one."""
    part = part_of(past, seq)
    return None if part is None else (part.seq, part.count(seq))


def _too_far() -> Refusal:
    return Refusal(
        "commands_must_be_recent",
        CONSENT,
        "With consent all is taken back from the beginning of a recent command on, behind the last fork, the beginning of play and a change of rules; nothing else is.",
    )


def _others(table: Table, seat: Seat) -> tuple[Seat, ...]:
    """Return who has to agree: all other seats that are taken; where nobody else plays, the arbiter."""
    others = tuple([other for other in table.seats if other != seat and other in table.players])
    return others or ((ARBITER,) if table.arbiter is not None else ())


def answer_undo(draft: Draft, seat: Seat, command: AnswerUndo) -> Refusal | None:
    """Agree or refuse, and take back what was asked for once all agree; or return the refusal, and then the draft must be discarded."""
    table, asked = draft.table, draft.table.asked_back
    if asked is None or seat_number(table, seat, asked.at) != command.request:
        return Refusal(
            "request_must_be_open", CONSENT, "Nothing is asked for any more: it was answered, or play went on."
        )
    if seat not in asked.awaited:
        return Refusal("request_must_be_of_seat", CONSENT, "This seat is not asked, or has agreed already.")
    draft.emit(UndoAnswered(rule=CONSENT, seat=seat, is_agreed=command.is_agreed))
    left = table.asked_back
    if left is not None and not left.awaited:
        draft.emit(CommandsUndone(rule=CONSENT, seat=asked.seat, to=asked.to, agreed=asked.of))
    return None
