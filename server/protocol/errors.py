"""The errors of clients, desk and sockets, and their form on the wire."""

from core.errors import (
    DiceImpossible,
    DiceMissing,
    DrawMissing,
    KernelError,
    RecordDiffers,
    RulesetMissing,
    SeedMissing,
    SetupInvalid,
    UnknownName,
)
from core.refusal import Refusal
from events.codec import DecodeError, replace
from events.errors import (
    BrokenEvidence,
    LogError,
    LostRace,
    NoForkPoint,
    OutcomeUnknown,
    Portable,
    StoreDamaged,
    StoreUnavailable,
    UnknownMatch,
)
from server.protocol.replies import FailedReply


class ServerError(Portable):
    """Base of the server's errors; the message is one line for the user."""


class RequestFailed(ServerError):
    """A request failed; `reply` has the documented code and the reason."""

    def __init__(self, reply: FailedReply) -> None:
        super().__init__(reply.message)
        self.reply = reply

    @property
    def code(self) -> str:
        """The documented code."""
        return self.reply.code


class TimedOut(ServerError):
    """The server did not answer in time, retries included."""


class ProtocolBroken(ServerError):
    """The other side does not speak this protocol."""


class AddressUnusable(ServerError):
    """The address that a client should connect to is malformed."""


class AnchorsUnanswered(ServerError):
    """A seat has published so many chains of links that this client opens no further link for it without being told to."""


class PortUnavailable(ServerError):
    """The server cannot bind an address: the port is in use, or the address is not this machine's."""

    @classmethod
    def at(cls, host: str, port: int, error: OSError) -> "PortUnavailable":
        """Return the error of an address, with what the system says of it."""
        return cls(f"cannot listen at {host}:{port}: {(error.strerror or str(error)).lower()}")


class TooFewFiles(ServerError):
    """The process may open too few files to serve anybody."""


class KeyUnusable(ServerError):
    """A key file for encrypted connections cannot be read or holds no key."""


def denied(code: str, message: str, *, retry: bool = False) -> RequestFailed:
    """Return the error of a request that the desk itself refuses."""
    return RequestFailed(FailedReply(code=code, message=message, retry=retry))


def refused(refusal: Refusal, id_: str = "", wanted: tuple[str, ...] = ()) -> FailedReply:
    """Return the reply for a refusal by the rules."""
    return FailedReply(
        id=id_, code="refused", message=refusal.sentence, refusal=refusal.code, rule=refusal.rule, wanted=wanted
    )


def lost_race(expected: int, actual: int) -> RequestFailed:
    """Return the error of a request that expected another number of events; both are the requesting seat's numbers."""
    if expected > actual:
        message = f"the match has not reached event {expected}, which was expected; the last is {actual}"
    else:
        message = f"the match has moved on: event {expected} was expected to be the last, now it is {actual}"
    return RequestFailed(FailedReply(code="lost_race", message=message, expected=expected, actual=actual))


def checked_number(number: int, last: int, *, first: int = 0) -> int:
    """Return the number of an event that a client sent if an event with it exists; 0 stands for before the first event.

    Raises:
        RequestFailed: With `unknown_sequence`.
    """
    if not first <= number <= last:
        message = f"there is no event {number}; the last is {last}"
        raise RequestFailed(FailedReply(code="unknown_sequence", message=message, expected=number, actual=last))
    return number


def of_order(error: Exception, number: int) -> RequestFailed:
    """Return the error of an order whose command with this number, from 1, fails with one of `EXPECTED`."""
    reply = failure(error)
    return RequestFailed(replace(reply, number=number, message=f"command {number} of the order: {reply.message}"))


EVIDENCE_BROKEN = "evidence_broken"
DAMAGED = "the stored match is damaged; the server has logged where, and `wardiary audit` finds it in the store"
"""The message to clients that do not own the store: the damage is found at a number of the log, which is not theirs."""

STORE_UNAVAILABLE = "store_unavailable"
OUTCOME_UNKNOWN = "outcome_unknown"
"""The only code after which the request may have taken effect."""

KERNEL_CODES: dict[type[KernelError], str] = {
    DiceMissing: "dice_missing",
    DrawMissing: "draw_missing",
    DiceImpossible: "dice_impossible",
    SeedMissing: "seed_missing",
    RulesetMissing: "ruleset_missing",
    SetupInvalid: "setup_invalid",
    UnknownName: "unknown_name",
    RecordDiffers: "rules_changed",
}
"""The code of each error of the kernel; all others become `not_possible`."""

EXPECTED = (RequestFailed, LogError, KernelError, DecodeError)
"""The errors that a request may cause without a defect in the program."""


def failure(error: Exception, id_: str = "") -> FailedReply:
    """Return the reply for an error of `EXPECTED`."""
    message = str(error)
    if isinstance(error, RequestFailed):
        reply = error.reply
        return FailedReply(
            id=id_,
            code=reply.code,
            message=reply.message,
            refusal=reply.refusal,
            rule=reply.rule,
            expected=reply.expected,
            actual=reply.actual,
            retry=reply.retry,
            defects=reply.defects,
            wanted=reply.wanted,
            number=reply.number,
        )
    if isinstance(error, DecodeError):
        return FailedReply(id=id_, code="malformed", message=message)
    if isinstance(error, KernelError):
        defects = error.defects if isinstance(error, SetupInvalid) else ()
        wanted = error.candidates if isinstance(error, DrawMissing) else ()
        code = KERNEL_CODES.get(type(error), "not_possible")
        return FailedReply(id=id_, code=code, message=message, defects=defects, wanted=wanted)
    if isinstance(error, OutcomeUnknown):
        return FailedReply(
            id=id_, code=OUTCOME_UNKNOWN, message=f"{message}; send it again with the same key", retry=True
        )
    code = _log_code(error)
    return FailedReply(id=id_, code=code, message=message, retry=code == STORE_UNAVAILABLE)


def unknown_without_key(error: OutcomeUnknown, id_: str) -> FailedReply:
    """Return the reply for an unknown outcome of a request without a key, which could take effect twice if it were sent again."""
    return FailedReply(
        id=id_,
        code=OUTCOME_UNKNOWN,
        message=f"{error}; check the match before you repeat the request, which had no key",
    )


def _log_code(error: Exception) -> str:
    if isinstance(error, UnknownMatch):
        return "unknown_match"
    if isinstance(error, NoForkPoint):
        return "unknown_sequence"
    if isinstance(error, BrokenEvidence | StoreDamaged):
        return EVIDENCE_BROKEN
    if isinstance(error, LostRace):
        return "lost_race"
    return STORE_UNAVAILABLE if isinstance(error, StoreUnavailable) else "internal"
