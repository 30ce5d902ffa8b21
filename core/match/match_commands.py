"""The match commands, common to all games: seats, the beginning, resigning, notes, rulings, standing answers, taking back.

The tag of a match command starts with `match:`, which distinguishes it from a game's commands. Their rules are in
`core/game_files/match_rules.toml`.
"""

from typing import cast, get_args

from core.chance.chance_sources import MANUAL, SEALED
from core.engine.command import Command, MatchOwnCommand
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from core.match.arbiter_commands import (
    PAUSE,
    AnnulMatch,
    ArbiterCommand,
    AwardMatch,
    PauseMatch,
    ReplacePlayer,
    ReserveSeat,
    ResumeMatch,
    SeatArbiter,
    leave_office,
    name_at,
    over,
    refuse_invitation,
    refuse_player,
    take_arbiter_command,
)
from core.match.ruleset import AdoptRules, Ruleset, adopt_rules, refuse_other_rules
from core.match.standing_answers import ENOUGH, AnswerAlways, answer_always, knows_enough
from core.match.undo import NO_COMMANDS, UNDO, RecentCommands, refuse_undo
from core.refusal import Refusal
from events.codec import Decoder
from events.ids import ARBITER, RuleId, Seat
from events.vocabulary import (
    CommandsUndone,
    MatchBegan,
    MatchEnded,
    NoteAdded,
    RulingMade,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    StandingAnswersRevealed,
)
from projections.state.table import Table
from projections.state.view import log_number, seat_number

PREFIX = "match:"

SEATS = RuleId("match.seats")
SHARES = RuleId("match.shares")
BEGIN = RuleId("match.begin")
RESIGN = RuleId("match.resign")
NOTES = RuleId("match.notes")
RULINGS = RuleId("match.rulings")
RULE_CHARACTERS_MAX = 200
REVEAL = RuleId("match.reveal")
DISCLOSE = RuleId("match.disclose")

PRIVATE_NOTES_MAX = 1_000
"""The most private notes of a seat in a match: every renumbering for another seat counts them."""


class TakeSeat(MatchOwnCommand, frozen=True, kw_only=True, tag="match:take-seat"):
    """Take the seat.

    Without a `name` the player has that of the invitation. `contribution` (hex, at most 64 digits) is entropy for sealed dice,
    `credential` proves the player's identity; `invitation` is the SHA-256 of the secret that opens a reserved seat.
    """

    seat: Seat
    name: str = ""
    contribution: str = ""
    credential: str = ""
    invitation: str = ""


class LeaveSeat(MatchOwnCommand, frozen=True, tag="match:leave-seat"):
    """Leave the seat; the match waits for another player."""


class Begin(MatchOwnCommand, frozen=True, tag="match:begin"):
    """Begin a match whose seats are all taken. Only matches with manual dice need it; others begin by themselves."""


class Resign(MatchOwnCommand, frozen=True, tag="match:resign"):
    """Resign the match."""


class AddNote(MatchOwnCommand, frozen=True, kw_only=True, tag="match:note"):
    """Write a note, for all seats or, if `private`, for one's own; with `at` on an earlier event, in the seat's numbers."""

    text: str
    private: bool = False
    at: int | None = None


class MakeRuling(MatchOwnCommand, frozen=True, kw_only=True, tag="match:ruling"):
    """Record the arbiter's decision on a disputed point: `about` a rule, or with `at` on an earlier event."""

    text: str
    about: RuleId | None = None
    at: int | None = None


class Undo(MatchOwnCommand, frozen=True, kw_only=True, tag="match:undo"):
    """Take back the seat's last command, or all after event `to` in the seat's numbers, if nothing was learned since."""

    to: int | None = None


MatchCommand = (
    TakeSeat | LeaveSeat | Begin | Resign | AddNote | MakeRuling | AnswerAlways | Undo | AdoptRules | ArbiterCommand
)

MATCH_COMMANDS: tuple[type[MatchOwnCommand], ...] = get_args(MatchCommand)

MATCH_COMMAND_DECODER: Decoder[MatchCommand] = Decoder(MatchCommand)


def take_match_command(
    ruleset: Ruleset, draft: Draft, seat: Seat, command: MatchCommand, recent: RecentCommands
) -> Refusal | None:
    """Execute a match command, or return its refusal; then the draft must be discarded."""
    match command:
        case TakeSeat():
            return _take_seat(ruleset, draft, seat, command)
        case LeaveSeat():
            return _leave_seat(draft, seat)
        case Begin():
            return _refuse_beginner(draft.table, seat) or _begin(ruleset, draft)
        case AdoptRules():
            return adopt_rules(ruleset, draft, seat, command)
        case Resign():
            return _resign(draft, seat)
        case AddNote():
            return _add_note(draft, seat, command)
        case MakeRuling():
            return _make_ruling(draft, seat, command)
        case AnswerAlways():
            return answer_always(ruleset.rules, draft, seat, command)
        case Undo():
            return _undo(draft, seat, command, recent)
        case (
            ReserveSeat() | ReplacePlayer() | SeatArbiter() | PauseMatch() | ResumeMatch() | AwardMatch() | AnnulMatch()
        ):
            return _of_arbiter(ruleset, draft, seat, command)


def _of_arbiter(ruleset: Ruleset, draft: Draft, seat: Seat, command: ArbiterCommand) -> Refusal | None:
    refusal = take_arbiter_command(draft, seat, command)
    if refusal is None and isinstance(command, ResumeMatch):
        return _begin_if_full(ruleset, draft)
    return refusal


def _take_seat(ruleset: Ruleset, draft: Draft, seat: Seat, command: TakeSeat) -> Refusal | None:
    table = draft.table
    if command.seat not in table.seats:
        seats = ", ".join(table.seats)
        return Refusal("seat_must_exist", SEATS, f"There is no seat {command.seat!r} in this match; it has: {seats}.")
    if seat != command.seat:
        return Refusal(
            "seat_must_be_named", SEATS, f"The command that takes the seat {command.seat} is that seat's own."
        )
    if table.ended is not None:
        return over()
    if command.seat in table.players:
        return Refusal("seat_must_be_free", SEATS, f"The seat {command.seat} is taken.")
    name = name_at(table, command.seat, command.name)
    if refusal := refuse_invitation(table, command.seat, command.invitation) or refuse_player(
        table, name, command.credential
    ):
        return refusal
    if len(command.contribution) > 64 or any(digit not in "0123456789abcdef" for digit in command.contribution):
        return Refusal(
            "contribution_must_be_hex",
            SHARES,
            "The entropy for the dice must be at most 64 lower-case hexadecimal digits.",
        )
    if command.contribution and not takes_shares(table):
        return Refusal(
            "contribution_must_come_first", SHARES, "The dice are fixed already; take the seat without entropy."
        )
    draft.emit(
        SeatTaken(
            rule=SEATS,
            seat=command.seat,
            name=name,
            contribution=command.contribution,
            credential=command.credential,
        )
    )
    return _begin_if_full(ruleset, draft)


def _begin_if_full(ruleset: Ruleset, draft: Draft) -> Refusal | None:
    """Begin if the last seat is taken, unless dice have to be typed in or the match is paused."""
    table = draft.table
    is_full = not table.began and len(table.players) == len(table.seats)
    if is_full and table.chance.scheme != MANUAL and table.paused is None:
        return _begin(ruleset, draft) if ruleset.is_in_force(table) else refuse_other_rules(ruleset, table)
    return None


def takes_shares(table: Table) -> bool:
    """Return whether entropy can still be added to the dice: until play begins, and to sealed ones until the first roll.

    A fork with dice of its own has begun, but its first roll may be still to come.
    """
    return not table.rolled and (not table.began or table.chance.scheme == SEALED)


def _leave_seat(draft: Draft, seat: Seat) -> Refusal | None:
    if seat == ARBITER:
        return leave_office(draft)
    if draft.table.ended is not None:
        return over()
    if seat not in draft.table.players:
        return Refusal("seat_must_be_taken", SEATS, f"The seat {seat} is not taken.")
    draft.emit(SeatLeft(rule=SEATS, seat=seat, name=draft.table.players[seat]))
    return None


def _refuse_beginner(table: Table, seat: Seat) -> Refusal | None:
    if seat == ARBITER or seat in table.seats:
        return None
    return Refusal("seat_must_be_named", BEGIN, "A seat of the match begins it, or the arbiter.")


def _begin(ruleset: Ruleset, draft: Draft) -> Refusal | None:
    table = draft.table
    if table.began:
        return Refusal("match_must_not_have_begun", BEGIN, "Play has begun already.")
    if len(table.players) < len(table.seats):
        free = ", ".join(seat for seat in table.seats if seat not in table.players)
        return Refusal("seats_must_be_taken", BEGIN, f"Play begins when all seats are taken; free: {free}.")
    draft.emit(MatchBegan(rule=BEGIN))
    ruleset.set_up(draft)
    return None


def _resign(draft: Draft, seat: Seat) -> Refusal | None:
    table = draft.table
    if table.ended is not None or not table.began:
        return over()
    if seat not in table.seats:
        return Refusal("seat_must_play", RESIGN, "Only a playing seat can resign.")
    side = table.side_of(seat)
    winners = tuple([other for other in table.sides if other != side]) if side else ()
    seats = tuple([other for other in table.seats if other != seat and (not side or table.side_of(other) != side)])
    draft.end_match("Resignation", winners, RESIGN, kind="resigned", seats=seats)
    return None


def _add_note(draft: Draft, seat: Seat, command: AddNote) -> Refusal | None:
    if seat != ARBITER and seat not in draft.table.seats:
        return Refusal("seat_must_be_named", NOTES, "A note needs a seat that writes it.")
    if not 0 < len(command.text) <= 4000:
        return Refusal("note_must_have_text", NOTES, "A note has 1 to 4000 characters.")
    if command.private and draft.table.private_notes.get(seat, 0) >= PRIVATE_NOTES_MAX:
        return Refusal(
            "private_notes_must_be_few", NOTES, f"A seat writes at most {PRIVATE_NOTES_MAX} private notes a match."
        )
    if command.private and knows_enough(draft.table, seat):
        return Refusal("private_notes_must_be_few", NOTES, ENOUGH)
    if refusal := _refuse_event(draft.table, seat, command.at, NOTES):
        return refusal
    seen_by = (seat,) if command.private else None
    at = _event_of(draft.table, seat, command.at)
    draft.emit(NoteAdded(rule=NOTES, seat=seat, text=command.text, seen_by=seen_by, at=at))
    return None


def _refuse_event(table: Table, seat: Seat, number: int | None, rule: RuleId) -> Refusal | None:
    """Return why nothing can be said of an event, by a seat's number, or None if the seat has seen it or none is named."""
    last = seat_number(table, seat, table.seq)
    if number is None or 1 <= number <= last:
        return None
    return Refusal("event_must_be_seen", rule, f"There is no event {number}; the last is {last}.")


def _event_of(table: Table, seat: Seat, number: int | None) -> int | None:
    """Return the log's number of an event by a seat's."""
    return None if number is None else log_number(table, seat, number)


def _make_ruling(draft: Draft, seat: Seat, command: MakeRuling) -> Refusal | None:
    if seat != ARBITER:
        return Refusal("seat_must_be_arbiter", RULINGS, "Only the arbiter makes rulings.")
    if not 0 < len(command.text) <= 4000:
        return Refusal("ruling_must_have_text", RULINGS, "A ruling has 1 to 4000 characters.")
    if command.about is not None and not (
        0 < len(command.about) <= RULE_CHARACTERS_MAX and command.about.isprintable()
    ):
        most = f"A ruling is about a rule, whose id has {RULE_CHARACTERS_MAX} characters at most."
        return Refusal("rule_must_be_named", RULINGS, most)
    if refusal := _refuse_event(draft.table, seat, command.at, RULINGS):
        return refusal
    draft.emit(RulingMade(rule=RULINGS, text=command.text, about=command.about, at=command.at))
    return None


def _undo(draft: Draft, seat: Seat, command: Undo, recent: RecentCommands) -> Refusal | None:
    if draft.table.ended is not None or not draft.table.began:
        return over()
    if seat not in draft.table.seats:
        return Refusal("seat_must_play", UNDO, "Only a playing seat takes commands back.")
    found = refuse_undo(draft.table, recent, seat, command.to)
    if isinstance(found, Refusal):
        return found
    draft.emit(CommandsUndone(rule=UNDO, seat=seat, to=found.before))
    return None


def _is_stopped_by_pause(command: Command) -> bool:
    """Return whether a command waits for the end of a pause: all but seats, notes and what the arbiter does."""
    return not isinstance(command, MatchOwnCommand) or isinstance(command, Begin | Resign | AnswerAlways | Undo)


def _is_decided_by_rules(command: Command) -> bool:
    """Return whether a command has consequences in the game, so that only the rules of the match may decide it.

    All others are about seats, words and the end of the match, and mean the same under all rules.
    """
    return not isinstance(command, MatchOwnCommand) or isinstance(command, Begin | AnswerAlways | Undo)


def decide(
    ruleset: Ruleset, draft: Draft, seat: Seat, command: Command, recent: RecentCommands = NO_COMMANDS
) -> Refusal | None:
    """Check one command on a draft and execute it.

    Args:
        ruleset: The ruleset of the match.
        draft: A draft over a clone of the match's table; discard it if the command is refused.
        seat: The seat that sends the command.
        command: A match command or one of the game.
        recent: The last commands of the match; only those can be taken back.

    Returns:
        None if the draft holds the events, else the refusal.
    """
    if draft.table.paused is not None and _is_stopped_by_pause(command):
        why = f"The match is paused: {draft.table.paused}"
        return Refusal("match_must_not_be_paused", PAUSE, f"{why.rstrip('.')}. The arbiter resumes it.")
    if not ruleset.is_in_force(draft.table) and draft.table.ended is None and _is_decided_by_rules(command):
        return refuse_other_rules(ruleset, draft.table)
    if isinstance(command, MatchOwnCommand):
        refusal = take_match_command(ruleset, draft, seat, cast("MatchCommand", command), recent)
    else:
        refusal = _take_game(ruleset.rules, draft, seat, command)
    if refusal is None and draft.table.ended is not None:
        _disclose(draft)
    return refusal


def _disclose(draft: Draft) -> None:
    """At the end of the match, disclose the seed and the standing answers to all seats."""
    if not any(isinstance(event, MatchEnded) for event in draft.events):
        return
    if draft.table.chance.scheme == SEALED:
        draft.emit(SeedRevealed(rule=REVEAL, seed=draft.chance.reveal()))
    # In one event, the last of its commit, so that a fork never has to cut a commit after them.
    if draft.table.undisclosed_answers:
        draft.emit(StandingAnswersRevealed(rule=DISCLOSE, answers=draft.table.undisclosed_answers))


def _take_game(rules: Rules, draft: Draft, seat: Seat, command: Command) -> Refusal | None:
    if not draft.table.began:
        return Refusal("match_must_have_begun", BEGIN, "Play has not begun: all seats must be taken first.")
    refusal = rules.refuse(draft.table, seat, command)
    if refusal is None:
        try:
            rules.take(draft, command)
        except MatchOver:
            return None
    return refusal
