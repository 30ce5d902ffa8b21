"""Carries out what a form asks for: an option of a seat, taking its last command back, or resigning."""

from collections.abc import Mapping

from events.ids import MatchId, Seat
from server.protocol.errors import RequestFailed
from server.web.asked import number_of
from server.web.faults import Fault, PageFault
from server.web.gateway import Caller

PLAY, TAKE_BACK, RESIGN = "play", "take-back", "resign"
PLAYS = (PLAY, TAKE_BACK, RESIGN)

NOT_PLAYED = frozenset(
    (
        "refused",
        "lost_race",
        "not_your_turn",
        "unknown_choice",
        "key_used",
        "not_possible",
        "malformed",
        "unknown_sequence",
    )
)
"""The codes of failures after which the seat goes on as before."""


async def carry_out(caller: Caller, match: MatchId, seat: Seat, what: str, fields: Mapping[str, str]) -> None:
    """Carry out what a form asks for.

    Args:
        caller: The visitor, who has proved the seat.
        match: The match.
        seat: The seat that plays.
        what: One of `PLAYS`.
        fields: Those of the form: the last event that the visitor saw (`expected`), the `key` of the command, and the number of an `option`.

    Raises:
        PageFault: The form is not one of ours.
        RequestFailed: The command was not played.
        TimedOut: It is not known whether the command was played; the same form, sent again, is played at most once.
    """
    expected, key = number_of(fields.get("expected", "")), fields.get("key", "")
    option = number_of(fields.get("option", ""))
    if expected is None or not key or (what == PLAY and option is None):
        advice = "Go back, load the page again, and choose again."
        raise PageFault(Fault(400, "Not understood", "The form lacks a field.", advice))
    # Each choice of a page is a command of its own; the same choice, sent twice, is one.
    own = f"web-{key}-{what}-{'' if option is None else option}"
    if what == PLAY and option is not None:
        await caller.play(match, seat, option, expected=expected, key=own)
    elif what == TAKE_BACK:
        await caller.take_back(match, seat, expected=expected, key=own)
    else:
        await caller.play(match, seat, {"do": "match:resign"}, expected=expected, key=own)


def not_played(error: RequestFailed) -> str:
    """Return why a command was not played, in a sentence, with the rule that refuses it."""
    reply = error.reply
    said = f"{reply.message[:1].upper()}{reply.message[1:]}".rstrip(".")
    if reply.code == "lost_race":
        return "The match has moved on since this page was made, and nothing was played. Choose again."
    rule = f" (rule {reply.rule})" if reply.rule else ""
    return f"Not played: {said}{rule}."
