"""What the house does, whatever is played: seats, the beginning, resigning, notes, rulings.

Match commands are told from a game's by their tag, which starts with `match:`. Their rules are in `core/match_rules.toml`.
"""

from contextlib import suppress
from typing import cast

from core.chance import MANUAL, SEALED
from core.command import Command
from core.decision import Rules
from core.draft import Draft
from core.draft_chance import MatchOver
from core.ports import BoundGame
from core.position import Position
from core.refusal import Refusal
from core.take_back import BACK, NO_STEPS, Steps, refuse_take_back
from events.codec import DecodeError, Decoder, Struct, encode
from events.ids import ARBITER, RuleId, Seat
from events.vocabulary import (
    MatchBegan,
    MatchEnded,
    NoteAdded,
    RulingMade,
    SeatLeft,
    SeatTaken,
    SeedRevealed,
    StandingAnswerGiven,
    StandingAnswersRevealed,
    TakenBack,
)
from projections.bounds import CONFIDED_MAX, WITHHELD_MAX
from projections.table import Table

PREFIX = "match:"

SEATS = RuleId("match.seats")
SHARES = RuleId("match.shares")
BEGIN = RuleId("match.begin")
RUNNING = RuleId("match.running")
RESIGN = RuleId("match.resign")
NOTES = RuleId("match.notes")
RULINGS = RuleId("match.rulings")
STANDING = RuleId("match.standing")
REVEAL = RuleId("match.reveal")
DISCLOSE = RuleId("match.disclose")

PRIVATE_NOTES_MAX = 1_000
"""How many notes a seat may write for itself in a match: they are counted in every number that another seat is told."""

STANDING_MAX = 1_000
STANDING_CHARACTERS_MAX = 400
"""How many standing answers a seat may give in a match, and how long one may be: at the end they all become one event."""


class MatchOwnCommand(Command, frozen=True):
    """What the commands of the house have in common: it is looked at with every command, whoever's it is."""


class TakeSeat(MatchOwnCommand, frozen=True, kw_only=True, tag="match:take-seat"):
    """Sit down. `contribution` (hex, at most 64 digits) is mixed into sealed dice, `credential` proves who plays."""

    seat: Seat
    name: str = ""
    contribution: str = ""
    credential: str = ""


class LeaveSeat(MatchOwnCommand, frozen=True, tag="match:leave-seat"):
    """Stand up; the match waits for somebody else."""


class Begin(MatchOwnCommand, frozen=True, tag="match:begin"):
    """Begin a match whose seats are all taken. Only manual dice need it said; others begin by themselves."""


class Resign(MatchOwnCommand, frozen=True, tag="match:resign"):
    """Give the match up."""


class AddNote(MatchOwnCommand, frozen=True, kw_only=True, tag="match:note"):
    """Write something down, for everybody or, if `private`, for oneself."""

    text: str
    private: bool = False


class MakeRuling(MatchOwnCommand, frozen=True, kw_only=True, tag="match:ruling"):
    """Record the arbiter's decision on a disputed point."""

    text: str
    about: RuleId | None = None


class AnswerAlways(MatchOwnCommand, frozen=True, kw_only=True, tag="match:answer-always"):
    """Answer every decision of a kind the same way from now on; without `answer` that is taken back.

    `answer` is a command as JSON. `until` is empty or `turn`: until the seat's own next turn begins.
    """

    decision: str
    answer: str = ""
    until: str = ""


class TakeBack(MatchOwnCommand, frozen=True, kw_only=True, tag="match:take-back"):
    """Take back one's last command, or all those after event `to`, counted as the seat counts; nothing was learned since."""

    to: int | None = None


MatchCommand = TakeSeat | LeaveSeat | Begin | Resign | AddNote | MakeRuling | AnswerAlways | TakeBack

MATCH_COMMAND_DECODER: Decoder[MatchCommand] = Decoder(MatchCommand)


class Ruleset(Struct, frozen=True):
    """What a match is played with: a game on a board, and the position it starts from if it has one."""

    game: BoundGame
    position: Position | None = None

    @property
    def rules(self) -> Rules:
        """What decides."""
        return self.game.rules

    def set_up(self, draft: Draft) -> None:
        """Set the table up and play on to the first decision."""
        with suppress(MatchOver):
            if self.position is None:
                self.rules.set_up(draft)
            else:
                self.game.positions.set_up_position(draft, self.position)
                self.rules.settle(draft)


def take_match_command(
    ruleset: Ruleset, draft: Draft, seat: Seat, command: MatchCommand, steps: Steps
) -> Refusal | None:
    """Carry out a match command, or say why not; then the draft is to be thrown away."""
    match command:
        case TakeSeat():
            return _take_seat(ruleset, draft, command)
        case LeaveSeat():
            return _leave_seat(draft, seat)
        case Begin():
            return _begin(ruleset, draft)
        case Resign():
            return _resign(draft, seat)
        case AddNote():
            return _add_note(draft, seat, command)
        case MakeRuling():
            return _make_ruling(draft, seat, command)
        case AnswerAlways():
            return _answer_always(ruleset, draft, seat, command)
        case TakeBack():
            return _take_back(draft, seat, command, steps)


def _take_seat(ruleset: Ruleset, draft: Draft, command: TakeSeat) -> Refusal | None:
    table = draft.table
    if command.seat not in table.seats:
        seats = ", ".join(table.seats)
        return Refusal("seat_must_exist", SEATS, f"There is no seat {command.seat!r} in this match; it has: {seats}.")
    if table.ended is not None:
        return _over()
    if command.seat in table.players:
        return Refusal("seat_must_be_free", SEATS, f"The seat {command.seat} is taken.")
    if len(command.contribution) > 64 or any(digit not in "0123456789abcdef" for digit in command.contribution):
        return Refusal(
            "contribution_must_be_hex", SHARES, "A share of the dice must be at most 64 lower-case hexadecimal digits."
        )
    if command.contribution and not takes_shares(table):
        return Refusal("contribution_must_come_first", SHARES, "The dice are fixed by now; sit down without a share.")
    draft.emit(
        SeatTaken(
            rule=SEATS,
            seat=command.seat,
            name=command.name,
            contribution=command.contribution,
            credential=command.credential,
        )
    )
    if not table.began and len(table.players) == len(table.seats) and table.chance.scheme != MANUAL:
        return _begin(ruleset, draft)
    return None


def takes_shares(table: Table) -> bool:
    """Return whether a share can still be mixed into the dice: until play begins, and into sealed ones until the first roll.

    Play has long begun when a fork is given dice of its own, and its first roll may be yet to come.
    """
    return not table.rolled and (not table.began or table.chance.scheme == SEALED)


def _leave_seat(draft: Draft, seat: Seat) -> Refusal | None:
    if draft.table.ended is not None:
        return _over()
    if seat not in draft.table.players:
        return Refusal("seat_must_be_taken", SEATS, f"Nobody sits at {seat!r}.")
    draft.emit(SeatLeft(rule=SEATS, seat=seat, name=draft.table.players[seat]))
    return None


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
        return _over()
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
    if command.private and _knows_enough(draft.table, seat):
        return Refusal("private_notes_must_be_few", NOTES, _ENOUGH)
    seen_by = (seat,) if command.private else None
    draft.emit(NoteAdded(rule=NOTES, seat=seat, text=command.text, seen_by=seen_by))
    return None


def _knows_enough(table: Table, seat: Seat) -> bool:
    """Return whether a seat, or all together, caused as many events that others do not know of as a table can hold."""
    return len(table.confided.get(seat, ())) >= CONFIDED_MAX or len(table.withheld) >= WITHHELD_MAX


_ENOUGH = (
    f"Private notes and standing answers, those taken back included, are at most {CONFIDED_MAX} a seat, with those of the "
    "matches that this one was forked from."
)


def _make_ruling(draft: Draft, seat: Seat, command: MakeRuling) -> Refusal | None:
    if seat != ARBITER:
        return Refusal("seat_must_be_arbiter", RULINGS, "Only the arbiter makes rulings.")
    if not 0 < len(command.text) <= 4000:
        return Refusal("ruling_must_have_text", RULINGS, "A ruling has 1 to 4000 characters.")
    draft.emit(RulingMade(rule=RULINGS, text=command.text, about=command.about))
    return None


def _answer_always(ruleset: Ruleset, draft: Draft, seat: Seat, command: AnswerAlways) -> Refusal | None:
    table = draft.table
    if table.ended is not None:
        return _over()
    if seat not in table.seats:
        return Refusal("seat_must_play", STANDING, "Only a playing seat answers decisions.")
    if command.decision not in ruleset.rules.standing_decisions:
        kinds = ", ".join(ruleset.rules.standing_decisions) or "none in this game"
        return Refusal("decision_must_allow_standing", STANDING, f"Decisions that can be answered beforehand: {kinds}.")
    if command.until not in ("", "turn"):
        return Refusal(
            "until_must_be_known", STANDING, "A standing answer holds until it is taken back, or until 'turn'."
        )
    if command.answer:
        try:
            ruleset.rules.decode(command.answer.encode())
        except DecodeError as error:
            return Refusal("answer_must_be_command", STANDING, f"The answer is no command of this game: {error}.")
        if len(command.answer) > STANDING_CHARACTERS_MAX:
            return Refusal(
                "answer_must_be_short", STANDING, f"A standing answer has at most {STANDING_CHARACTERS_MAX} characters."
            )
        if sum(1 for given in table.untold if given.seat == seat and given.answer) >= STANDING_MAX:
            return Refusal(
                "standing_answers_must_be_few",
                STANDING,
                f"A seat gives at most {STANDING_MAX} standing answers a match.",
            )
    if _knows_enough(table, seat):
        return Refusal("standing_answers_must_be_few", STANDING, _ENOUGH)
    draft.emit(
        StandingAnswerGiven(
            rule=STANDING,
            seat=seat,
            decision=command.decision,
            answer=command.answer,
            until=command.until,
            seen_by=(seat,),
        )
    )
    return None


def _take_back(draft: Draft, seat: Seat, command: TakeBack, steps: Steps) -> Refusal | None:
    if draft.table.ended is not None or not draft.table.began:
        return _over()
    if seat not in draft.table.seats:
        return Refusal("seat_must_play", BACK, "Only a playing seat takes commands back.")
    found = refuse_take_back(draft.table, steps, seat, command.to)
    if isinstance(found, Refusal):
        return found
    draft.emit(TakenBack(rule=BACK, seat=seat, to=found.before))
    return None


def standing_answer(ruleset: Ruleset, table: Table) -> tuple[Seat, bytes] | None:
    """Return who has answered the open decision beforehand, and with which command; nothing if nobody has.

    An answer that is not legal now is passed over, and the seat is asked. What is returned is to be played as that
    seat's own command, in a commit of its own, so that nobody else can tell the difference.
    """
    top = table.top if table.standing else None
    if top is None:
        return None
    for standing in table.standing:
        if (standing.seat, standing.decision) == (top.seat, top.kind):
            command = ruleset.rules.decode(standing.answer.encode())
            if ruleset.rules.refuse(table, top.seat, command) is None:
                return top.seat, encode(command)
    return None


def _over() -> Refusal:
    return Refusal("match_must_be_running", RUNNING, "The match is not running.")


def decide(ruleset: Ruleset, draft: Draft, seat: Seat, command: Command, steps: Steps = NO_STEPS) -> Refusal | None:
    """Judge one command on a draft and carry it out.

    Args:
        ruleset: What the match is played with.
        draft: Over a clone of the match's table; to be thrown away if the command is refused.
        seat: Who asks.
        command: A match command or one of the game.
        steps: The last commands of the match: only those can be taken back.

    Returns:
        Nothing when the draft holds the events; else why not.
    """
    if isinstance(command, MatchOwnCommand):
        refusal = take_match_command(ruleset, draft, seat, cast("MatchCommand", command), steps)
    else:
        refusal = _take_game(ruleset.rules, draft, seat, command)
    if refusal is None and draft.table.ended is not None:
        _disclose(draft)
    return refusal


def _disclose(draft: Draft) -> None:
    """With the end of the match, tell all what was kept from them until then: the seed and the standing answers."""
    if not any(isinstance(event, MatchEnded) for event in draft.events):
        return
    if draft.table.chance.scheme == SEALED:
        draft.emit(SeedRevealed(rule=REVEAL, seed=draft.chance.reveal()))
    # In one event, the last of its commit, so that a fork of it never has to cut a commit behind them.
    if draft.table.untold:
        draft.emit(StandingAnswersRevealed(rule=DISCLOSE, answers=draft.table.untold))


def _take_game(rules: Rules, draft: Draft, seat: Seat, command: Command) -> Refusal | None:
    if not draft.table.began:
        return Refusal("match_must_have_begun", BEGIN, "Play has not begun: all seats must be taken first.")
    refusal = rules.refuse(draft.table, seat, command)
    if refusal is None:
        with suppress(MatchOver):
            rules.take(draft, command)
    return refusal
