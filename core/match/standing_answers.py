"""Standing answers: a seat's answers to kinds of decisions, given in advance. The rules are in `core/game_files/match_rules.toml`."""

from collections.abc import Mapping

from core.engine.command import Command, MatchOwnCommand
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.match.arbiter_commands import over
from core.refusal import Refusal
from events.codec import DecodeError, Raw, compact, encode
from events.commit import Commit
from events.ids import RuleId, Seat
from events.vocabulary import StandingAnswerGiven
from projections.bounds import PRIVATE_EVENTS_MAX, PRIVATE_EVENTS_OF_SEAT_MAX
from projections.state.table import Table

STANDING = RuleId("match.standing")

STANDING_MAX = 1_000
STANDING_CHARACTERS_MAX = 400
"""The most standing answers of a seat in a match, and their longest text: at the end they all become one event."""


class AnswerAlways(MatchOwnCommand, frozen=True, kw_only=True, tag="match:answer-always"):
    """Give a standing answer to a kind of decision; without `answer` it is withdrawn.

    `answer` is a command as JSON. `until` is empty or `turn`: until the seat's own next turn begins.
    """

    decision: str
    answer: str = ""
    until: str = ""


def passing(table: Table, seat: Seat, passes: Mapping[str, Command], *, is_on: bool) -> list[AnswerAlways]:
    """Return the commands by which a seat passes in windows until its own next turn begins, or does so no more.

    Args:
        table: The table as the seat sees it.
        seat: The seat.
        passes: The command that passes in each kind of window (`core.engine.reactions.passes_in_advance`).
        is_on: Whether to pass; what is so already needs no command.
    """
    answers = {decision: encode(decline).decode() for decision, decline in passes.items()}
    given = {
        one.decision
        for one in table.standing
        if (one.seat, one.answer, one.until) == (seat, answers.get(one.decision), "turn")
    }
    return [
        AnswerAlways(decision=decision, answer=answer if is_on else "", until="turn" if is_on else "")
        for decision, answer in answers.items()
        if is_on != (decision in given)
    ]


def knows_enough(table: Table, seat: Seat) -> bool:
    """Return whether a seat, or all together, caused as many events that others do not know of as a table can hold."""
    return (
        len(table.private_events_of.get(seat, ())) >= PRIVATE_EVENTS_OF_SEAT_MAX
        or len(table.private_events) >= PRIVATE_EVENTS_MAX
    )


ENOUGH = (
    f"Private notes and standing answers, withdrawn ones included, are at most {PRIVATE_EVENTS_OF_SEAT_MAX} a seat, with those of the "
    "matches that this one was forked from."
)


def answer_always(rules: Rules, draft: Draft, seat: Seat, command: AnswerAlways) -> Refusal | None:
    """Record or withdraw a standing answer, or return the refusal."""
    table = draft.table
    if table.ended is not None:
        return over(table)
    if seat not in table.seats:
        return Refusal("seat_must_play", STANDING, "Only a playing seat answers decisions.")
    if command.decision not in rules.standing_decisions:
        kinds = ", ".join(rules.standing_decisions) or "none in this game"
        return Refusal("decision_must_allow_standing", STANDING, f"Decisions that allow standing answers: {kinds}.")
    if command.until not in ("", "turn"):
        return Refusal(
            "until_must_be_known", STANDING, "A standing answer holds until it is withdrawn, or until 'turn'."
        )
    if command.answer:
        try:
            rules.decode(command.answer.encode())
        except DecodeError as error:
            return Refusal("answer_must_be_command", STANDING, f"The answer is not a command of this game: {error}.")
        if len(command.answer) > STANDING_CHARACTERS_MAX:
            return Refusal(
                "answer_must_be_short", STANDING, f"A standing answer has at most {STANDING_CHARACTERS_MAX} characters."
            )
        if sum(1 for given in table.undisclosed_answers if given.seat == seat and given.answer) >= STANDING_MAX:
            return Refusal(
                "standing_answers_must_be_few",
                STANDING,
                f"A seat gives at most {STANDING_MAX} standing answers a match.",
            )
    if knows_enough(table, seat):
        return Refusal("standing_answers_must_be_few", STANDING, ENOUGH)
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


def is_standing_answer(commit: Commit, table: Table) -> bool:
    """Return whether the command of a commit is the standing answer of its seat to the open decision.

    Args:
        commit: A commit.
        table: The table before it.
    """
    top = table.top
    return top is not None and any(
        (one.seat, one.decision) == (commit.seat, top.kind)
        and compact(Raw(one.answer.encode())) == bytes(commit.command)
        for one in table.standing
    )


def standing_answer(rules: Rules, table: Table) -> tuple[Seat, bytes] | None:
    """Return the seat and the command of the standing answer to the open decision, or None.

    An answer that is not legal now is skipped, and the seat has to decide. The caller plays the command as the
    seat's own, in a commit of its own, so that no other seat can notice the difference.
    """
    top = table.top if table.standing else None
    is_waiting = table.links is not None and table.links.call is not None
    if top is None or table.paused is not None or is_waiting:
        return None
    for standing in table.standing:
        if (standing.seat, standing.decision) == (top.seat, top.kind):
            command = rules.decode(standing.answer.encode())
            if rules.refuse(table, top.seat, command) is None:
                return top.seat, encode(command)
    return None
