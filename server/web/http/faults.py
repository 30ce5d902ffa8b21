"""Pages about what went wrong: what happened, and what to do."""

from math import ceil
from typing import NamedTuple

from core.suggestions import NAME_CHARACTERS_MAX
from server.protocol.errors import ProtocolBroken, RequestFailed, ServerError, TimedOut


class Fault(NamedTuple):
    """Fault of a request.

    Attributes:
        status: That of HTTP.
        title: A title.
        what: What happened.
        advice: What to do.
        again_s: After how many seconds to try again, or 0.
        loads_again: Whether the page loads itself again then.
        is_shown: Whether the match to which the request belongs can be shown at all.
        is_seated: Whether the visitor can see it as the seat of the request.
    """

    status: int
    title: str
    what: str
    advice: str
    again_s: int = 0
    loads_again: bool = False
    is_shown: bool = True
    is_seated: bool = True


class PageFault(Exception):
    """A request that is answered with a page about what went wrong."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.what)
        self.fault = fault


DAMAGED = "evidence_broken"
"""The code of a request about a match whose stored bytes are damaged."""

_LIST = "The list of matches shows which there are."

FAULTS: dict[str, tuple[int, str, str]] = {
    "unknown_match": (404, "No such match", f"Check the link; the server may serve another store by now. {_LIST}"),
    "unknown_sequence": (404, "No such event", "The match has not got that far, or the seat has seen fewer events."),
    "unknown_seat": (404, "No such seat", "Choose one of the seats of the match."),
    "unknown_name": (400, "No such name", "Go back, load the page again, and choose one that it offers."),
    "not_your_seat": (403, "The seat is not proved", "Type the secret of the seat, or look as everybody may."),
    "bad_token": (
        403,
        "The secret does not prove the seat",
        "Check the secret; the seat may have changed hands since it was given out.",
    ),
    DAMAGED: (
        500,
        "The match is damaged",
        "Tell the operator of the server, who finds out more with wardiary audit, and can read what comes before the damage with wardiary report.",
    ),
    "ruleset_missing": (
        501,
        "The game is not installed",
        "The operator of the server has to install the game, or the board of the match is missing.",
    ),
    "busy": (503, "The server is busy", "Try again in a moment."),
    "too_many": (429, "Too many requests", "Try again later."),
    "store_unavailable": (503, "The store cannot be used", "Try again in a moment; nothing was changed."),
    "malformed": (400, "Not understood", f"Check the link. {_LIST}"),
}
"""The status, the title and the advice for each code of a failed request; others are faults of the server."""
NOT_SHOWN = frozenset(("unknown_match", DAMAGED, "ruleset_missing"))
"""The codes of failures after which no page of the match can be made."""
NOT_SEATED = frozenset(("unknown_seat", "not_your_seat", "bad_token"))
"""The codes of failures after which it can be seen as everybody does."""


def fault_of(error: ServerError, *, is_form: bool = False) -> Fault:
    """Return what an error of the broker or of the way to it means for a visitor, who has sent a form or only looks."""
    if isinstance(error, RequestFailed):
        status, title, advice = FAULTS.get(
            error.code, (500, "The server could not do this", "Try again; if it happens again, tell the operator.")
        )
        again_s, is_shown = 5 if status == 503 else 0, error.code not in NOT_SHOWN
        is_seated = error.code not in NOT_SEATED
        return Fault(status, title, _sentence(str(error)), advice, again_s, is_shown=is_shown, is_seated=is_seated)
    if isinstance(error, TimedOut) and is_form:
        return Fault(
            504,
            "The server of matches does not answer",
            "It is not known whether what you sent was carried out: the broker behind this page is gone or too slow.",
            "In a moment load this page again, and let the browser send the form again: it is carried out once at most.",
            10,
        )
    if isinstance(error, TimedOut):
        return Fault(
            504,
            "The server of matches does not answer",
            "The page is served, but the broker behind it is gone or too slow.",
            "Nothing is lost: whatever was acknowledged is in the log. This page tries again by itself.",
            10,
            loads_again=True,
        )
    if isinstance(error, ProtocolBroken):
        return Fault(
            502,
            "The server of matches answers in another language",
            _sentence(str(error)),
            "The versions of the page and of the broker do not fit; tell the operator.",
        )
    return Fault(500, "The server could not do this", _sentence(str(error)), "Tell the operator.")


def no_such_page(path: str) -> Fault:
    """Return the fault of an address that leads nowhere."""
    return Fault(404, "No such page", f"Nothing is at {path[:NAME_CHARACTERS_MAX]}.", _LIST)


def no_archive(error: RequestFailed) -> Fault:
    """Return the fault of asking as everybody for an archive that is not for everybody."""
    advice = "The page of the match offers what everybody or a seat has seen as a file."
    return Fault(403, "The archive is not for everybody", _sentence(str(error)), advice)


def no_such_event(number: int, last: int) -> Fault:
    """Return the fault of an event that has not happened."""
    return Fault(
        404,
        "No such event",
        f"The viewer has seen the events 1 to {last} of this match; there is no event {number}.",
        FAULTS["unknown_sequence"][2],
    )


def still_reading(last: int, left: int) -> Fault:
    """Return the fault of a match so long that a page cannot wait until it is read."""
    what = f"The match is long: {last:,} of its {last + left:,} events have been read."
    return Fault(
        503, "The match is being read", what, "This page loads itself again until all are read.", 1, loads_again=True
    )


def too_many(title: str, what: str, wait_s: float, advice: str = "") -> PageFault:
    """Return the error of a visitor who asks for something too often; `advice` follows the number of seconds to wait."""
    seconds = ceil(wait_s)
    return PageFault(Fault(429, title, what, f"Try again in {seconds} seconds{advice}.", seconds))


def no_operator(what: str) -> Fault:
    """Return the fault of asking for the arbiter's view where the operator has not allowed it."""
    advice = "The operator of the server allows it with --allow-operator-key."
    return Fault(403, "Nobody sees everything here", what, advice, is_seated=False)


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"
