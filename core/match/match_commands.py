"""The match commands, common to all games: seats, the beginning, resigning, notes, rulings, standing answers, taking back.

The tag of a match command starts with `match:`, which distinguishes it from a game's commands. Their rules are in
`core/game_files/match_rules.toml`.
"""

from typing import cast, get_args

from core.chance.schemes import MANUAL, SEALED
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
from core.match.arbitration.consents import AnswerUndo, AskUndo, answer_undo, ask_undo
from core.match.arbitration.disputes import Appeal, OpenDispute, appeal, open_dispute, record, refuse_ruling
from core.match.arbitration.note_commands import add_note, refuse_to_rule
from core.match.arbitration.seat_views import ViewSeat, view_seat
from core.match.link_commands import (
    OpenLink,
    SecureSeat,
    pay_link,
    refuse_anchor,
    refuse_by_links,
    refuse_share,
    secure_seat,
    secured_by,
)
from core.match.player_commands import AddNote, Begin, LeaveSeat, MakeRuling, RegisterKey, Resign, TakeSeat, Undo
from core.match.ruleset import AdoptRules, Ruleset, adopt_rules, refuse_other_rules
from core.match.signatures import refuse_key, refuse_other_key, register_key, registered
from core.match.standing_answers import AnswerAlways, answer_always
from core.match.undo import NO_COMMANDS, UNDO, RecentCommands, refuse_undo
from core.refusal import Refusal
from events.codec import Decoder
from events.ids import ARBITER, RuleId, Seat
from events.vocabulary import (
    CommandsUndone,
    MatchBegan,
    MatchEnded,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    StandingAnswersRevealed,
)
from projections.state.seating import is_full
from projections.state.table import Table

SEATS = RuleId("match.seats")
BEGIN = RuleId("match.begin")
RESIGN = RuleId("match.resign")
REVEAL = RuleId("match.reveal")
DISCLOSE = RuleId("match.disclose")


MatchCommand = (
    TakeSeat
    | OpenLink
    | SecureSeat
    | RegisterKey
    | LeaveSeat
    | Begin
    | Resign
    | AddNote
    | MakeRuling
    | AnswerAlways
    | Undo
    | AskUndo
    | AnswerUndo
    | AdoptRules
    | ViewSeat
    | OpenDispute
    | Appeal
    | ArbiterCommand
)

MATCH_COMMANDS: tuple[type[MatchOwnCommand], ...] = get_args(MatchCommand)

MATCH_COMMAND_DECODER: Decoder[MatchCommand] = Decoder(MatchCommand)


def take_match_command(
    ruleset: Ruleset,
    draft: Draft,
    seat: Seat,
    command: MatchCommand,
    recent: RecentCommands,
    *,
    at: int,
    waiting: Command | None = None,
) -> Refusal | None:
    """Execute a match command, or return its refusal; then the draft must be discarded."""
    match command:
        case OpenLink() | SecureSeat() | RegisterKey():
            return _of_evidence(ruleset, draft, seat, command, waiting)
        case TakeSeat():
            return _take_seat(ruleset, draft, seat, command, at)
        case LeaveSeat():
            return _leave_seat(draft, seat)
        case Begin():
            return _begin_by(ruleset, draft, seat)
        case AdoptRules():
            return adopt_rules(ruleset, draft, seat, command)
        case Resign():
            return _resign(draft, seat)
        case AddNote() | MakeRuling() | ViewSeat() | OpenDispute() | Appeal():
            return _put_on_record(draft, seat, command)
        case AnswerAlways():
            return answer_always(ruleset.rules, draft, seat, command)
        case Undo() | AskUndo() | AnswerUndo():
            return _take_back(draft, seat, command, recent)
        case (
            ReserveSeat() | ReplacePlayer() | SeatArbiter() | PauseMatch() | ResumeMatch() | AwardMatch() | AnnulMatch()
        ):
            return _of_arbiter(ruleset, draft, seat, command, at)


def _put_on_record(
    draft: Draft, seat: Seat, command: AddNote | MakeRuling | ViewSeat | OpenDispute | Appeal
) -> Refusal | None:
    match command:
        case AddNote():
            return add_note(draft, seat, command)
        case MakeRuling():
            refusal = refuse_to_rule(draft.table, seat, command) or refuse_ruling(draft.table, command)
            if refusal is None:
                record(draft, command)
            return refusal
        case ViewSeat():
            return view_seat(draft, seat, command)
        case OpenDispute():
            return open_dispute(draft, seat, command)
        case Appeal():
            return appeal(draft, seat, command)


def _of_arbiter(ruleset: Ruleset, draft: Draft, seat: Seat, command: ArbiterCommand, at: int) -> Refusal | None:
    refusal = take_arbiter_command(draft, seat, command, at)
    if refusal is None and isinstance(command, ResumeMatch):
        return _begin_if_full(ruleset, draft)
    return refusal


def _take_seat(ruleset: Ruleset, draft: Draft, seat: Seat, command: TakeSeat, at: int) -> Refusal | None:
    table = draft.table
    if command.seat not in table.seats:
        seats = ", ".join(table.seats)
        return Refusal("seat_must_exist", SEATS, f"There is no seat {command.seat!r} in this match; it has: {seats}.")
    if seat != command.seat:
        return Refusal(
            "seat_must_be_named", SEATS, f"The command that takes the seat {command.seat} is that seat's own."
        )
    if table.ended is not None:
        return over(table)
    if command.seat in table.players:
        return Refusal("seat_must_be_free", SEATS, f"The seat {command.seat} is taken.")
    name = name_at(table, command.seat, command.name, at)
    if refusal := refuse_invitation(table, command.seat, command.invitation, at) or refuse_player(
        table, name, command.credential
    ):
        return refusal
    if command.anchor and (refusal := refuse_anchor(table, seat, command.anchor, command.length, command.holder)):
        return refusal
    if command.invitation and (refusal := refuse_other_key(table, seat, command.public_key)):
        return refusal
    if command.public_key and (refusal := refuse_key(table, seat, command.public_key, command.key_holder)):
        return refusal
    draft.emit(SeatTaken(rule=SEATS, seat=command.seat, name=name, credential=command.credential))
    if command.anchor:
        draft.emit(secured_by(seat, command.anchor, command.length, command.holder))
    if command.public_key:
        draft.emit(registered(seat, command.public_key, command.key_holder))
    return _begin_if_full(ruleset, draft)


def _begin_if_full(ruleset: Ruleset, draft: Draft) -> Refusal | None:
    """Begin if the last seat is taken, unless dice have to be typed in or depend on a link of a seat, or the match is paused."""
    table = draft.table
    is_by_command = table.chance.scheme == MANUAL or _is_secured(table)
    if is_full(table) and not table.began and not is_by_command and table.paused is None:
        return _begin(ruleset, draft) if ruleset.is_in_force(table) else refuse_other_rules(ruleset, table)
    return None


def _leave_seat(draft: Draft, seat: Seat) -> Refusal | None:
    if seat == ARBITER:
        return leave_office(draft)
    if draft.table.ended is not None:
        return over(draft.table)
    if seat not in draft.table.players:
        return Refusal("seat_must_be_taken", SEATS, f"The seat {seat} is not taken.")
    draft.emit(SeatLeft(rule=SEATS, seat=seat, name=draft.table.players[seat]))
    return None


def _is_secured(table: Table) -> bool:
    """Return whether the dice depend on a chain that a player of the match holds."""
    return table.links is not None and any(chain.is_held for chain in table.links.chains.values())


def _begin_by(ruleset: Ruleset, draft: Draft, seat: Seat) -> Refusal | None:
    table = draft.table
    if refusal := _refuse_beginner(table, seat):
        return refusal
    if table.links is not None and _is_secured(table) and table.links.held(seat) is None:
        return Refusal("seat_must_be_secured", BEGIN, "A seat with a chain of links begins this match.")
    return _begin(ruleset, draft)


def _of_evidence(
    ruleset: Ruleset,
    draft: Draft,
    seat: Seat,
    command: OpenLink | SecureSeat | RegisterKey,
    waiting: Command | None,
) -> Refusal | None:
    """Publish an anchor or a key; or open a link, and play the command that waits for it, if one does."""
    table = draft.table
    if table.ended is not None:
        return over(table)
    if isinstance(command, SecureSeat):
        return secure_seat(draft, seat, command)
    if isinstance(command, RegisterKey):
        return register_key(draft, seat, command)
    if refusal := refuse_share(table, seat, command.share):
        return refusal
    links = table.links
    if links is None or links.call is None or links.call.seat != seat:
        pay_link(draft, seat, command.share)
        return None
    assert waiting is not None, "a command that called for chance is kept until it is played"
    refusal = _take_game(ruleset.rules, draft, seat, waiting)
    # What was called for needs chance, so that this never adds anything but under rules that are not those of the call.
    if refusal is None and (opened := draft.chance.prepare(is_veiled=False)) is not None:
        draft.emit(opened)
    return refusal


def _refuse_beginner(table: Table, seat: Seat) -> Refusal | None:
    if seat == ARBITER or seat in table.seats:
        return None
    return Refusal("seat_must_be_named", BEGIN, "A seat of the match begins it, or the arbiter.")


def _begin(ruleset: Ruleset, draft: Draft) -> Refusal | None:
    table = draft.table
    if table.began:
        return Refusal("match_must_not_have_begun", BEGIN, "Play has begun already.")
    if not is_full(table):
        free = ", ".join(seat for seat in table.seats if seat not in table.players)
        return Refusal("seats_must_be_taken", BEGIN, f"Play begins when all seats are taken; free: {free}.")
    draft.emit(MatchBegan(rule=BEGIN))
    ruleset.set_up(draft)
    return None


def _resign(draft: Draft, seat: Seat) -> Refusal | None:
    table = draft.table
    if table.ended is not None:
        return over(table)
    if seat not in (table.seats if table.began else table.players):
        return Refusal("seat_must_play", RESIGN, "Only a playing seat can resign, or call a match off.")
    if not table.began:
        return _call_off(draft)
    side = table.side_of(seat)
    winners = tuple([other for other in table.sides if other != side]) if side else ()
    seats = tuple([other for other in table.seats if other != seat and (not side or table.side_of(other) != side)])
    draft.end_match("Resignation", winners, RESIGN, kind="resigned", seats=seats)
    return None


def can_be_called_off(table: Table) -> bool:
    """Return whether a player may call a match off that has not begun: only its arbiter ends one that has, or awaits, an arbiter."""
    return table.arbiter is None and ARBITER not in table.reserved


def _call_off(draft: Draft) -> Refusal | None:
    if not can_be_called_off(draft.table):
        words = "Before play has begun only the arbiter ends this match."
        return Refusal("seat_must_be_arbiter", RESIGN, words)
    draft.end_match("Called off", (), RESIGN, kind="called-off", seats=())
    return None


def _take_back(
    draft: Draft, seat: Seat, command: Undo | AskUndo | AnswerUndo, recent: RecentCommands
) -> Refusal | None:
    if draft.table.ended is not None or not draft.table.began:
        return over(draft.table)
    if isinstance(command, AskUndo):
        return ask_undo(draft, seat, command, recent)
    if isinstance(command, AnswerUndo):
        return answer_undo(draft, seat, command)
    if seat not in draft.table.seats:
        return Refusal("seat_must_play", UNDO, "Only a playing seat takes commands back.")
    found = refuse_undo(draft.table, recent, seat, command.to)
    if isinstance(found, Refusal):
        return found
    draft.emit(CommandsUndone(rule=UNDO, seat=seat, to=found.before))
    return None


def _is_stopped_by_pause(command: Command) -> bool:
    """Return whether a command waits for the end of a pause: all but seats, notes and what the arbiter does."""
    return not isinstance(command, MatchOwnCommand) or isinstance(
        command, Begin | Resign | AnswerAlways | Undo | AskUndo | AnswerUndo | OpenLink
    )


def _is_decided_by_rules(command: Command) -> bool:
    """Return whether a command has consequences in the game, so that only the rules of the match may decide it.

    All others are about seats, words and the end of the match, and mean the same under all rules.
    """
    return not isinstance(command, MatchOwnCommand) or isinstance(
        command, Begin | AnswerAlways | Undo | AskUndo | AnswerUndo | OpenLink
    )


def decide(
    ruleset: Ruleset,
    draft: Draft,
    seat: Seat,
    command: Command,
    recent: RecentCommands = NO_COMMANDS,
    *,
    at: int,
    waiting: Command | None = None,
) -> Refusal | None:
    """Check one command on a draft and execute it.

    Args:
        ruleset: The ruleset of the match.
        draft: A draft over a clone of the match's table; discard it if the command is refused.
        seat: The seat that sends the command.
        command: A match command or one of the game.
        recent: The last commands of the match; only those can be taken back.
        at: The time of the commit, in milliseconds since 1970 (UTC). Only invitations depend on it.
        waiting: The command that waits for a link, if one does.

    Returns:
        None if the draft holds the events, else the refusal.
    """
    if draft.table.paused is not None and _is_stopped_by_pause(command):
        why = f"The match is paused: {draft.table.paused}"
        return Refusal("match_must_not_be_paused", PAUSE, f"{why.rstrip('.')}. The arbiter resumes it.")
    if not ruleset.is_in_force(draft.table) and draft.table.ended is None and _is_decided_by_rules(command):
        return refuse_other_rules(ruleset, draft.table)
    if draft.table.links is not None and (refusal := refuse_by_links(ruleset.rules, draft.table, seat, command)):
        return refusal
    if isinstance(command, MatchOwnCommand):
        refusal = take_match_command(
            ruleset, draft, seat, cast("MatchCommand", command), recent, at=at, waiting=waiting
        )
    else:
        refusal = _take_game(ruleset.rules, draft, seat, command)
    if refusal is None and draft.table.ended is not None:
        _disclose(draft)
    return refusal


def _disclose(draft: Draft) -> None:
    """At the end of the match, disclose the seed and the standing answers to all seats; not where it goes on as another one, with all that is hidden."""
    if not any(isinstance(event, MatchEnded) for event in draft.events) or draft.table.goes_on:
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
