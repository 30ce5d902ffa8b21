"""What can go wrong between a client, a desk and a socket, and its form on the wire."""

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
from events.codec import DecodeError
from events.errors import (
    BrokenEvidence,
    LogError,
    LostRace,
    NoForkPoint,
    OutcomeUnknown,
    Portable,
    StoreUnavailable,
    UnknownMatch,
)
from server.protocol.wire import FailedReply


class ServerError(Portable):
    """Base of the server's errors; the message is one line for the user."""


class RequestFailed(ServerError):
    """A request had no effect; `reply` says why, with the documented code."""

    def __init__(self, reply: FailedReply) -> None:
        super().__init__(reply.message)
        self.reply = reply

    @property
    def code(self) -> str:
        """The documented code."""
        return self.reply.code


class TimedOut(ServerError):
    """The server did not answer in time, however often it was asked."""


class ProtocolBroken(ServerError):
    """The other side does not speak this protocol."""


class AddressUnusable(ServerError):
    """What a client was told to connect to is not an address."""


class PortUnavailable(ServerError):
    """The server cannot listen where it should: the port is in use, or the address is not this machine's."""


class KeyUnusable(ServerError):
    """A key file for encrypted connections cannot be read or holds no key."""


def denied(code: str, message: str, *, retry: bool = False) -> RequestFailed:
    """Return the error of a request that the desk itself refuses."""
    return RequestFailed(FailedReply(code=code, message=message, retry=retry))


def refused(refusal: Refusal, id_: str = "") -> FailedReply:
    """Tell a refusal by the rules."""
    return FailedReply(id=id_, code="refused", message=refusal.sentence, refusal=refusal.code, rule=refusal.rule)


def lost_race(expected: int, actual: int) -> RequestFailed:
    """Make the error of a request that expected another number of events; both are the asking seat's numbers."""
    if expected > actual:
        message = f"the match is not that far yet: expected was event {expected}, the last is {actual}"
    else:
        message = f"the match has moved on: expected was event {expected}, the last is {actual}"
    return RequestFailed(FailedReply(code="lost_race", message=message, expected=expected, actual=actual))


OUTCOME_UNKNOWN = "outcome_unknown"
"""The one code after which something may have been done."""

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
"""The code of each error of the kernel; others are told as `not_possible`."""

EXPECTED = (RequestFailed, LogError, KernelError, DecodeError)
"""What may go wrong with a request through no fault of ours."""


def failure(error: Exception, id_: str = "") -> FailedReply:
    """Tell an error of `EXPECTED` on the wire."""
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
        )
    if isinstance(error, DecodeError):
        return FailedReply(id=id_, code="malformed", message=message)
    if isinstance(error, KernelError):
        defects = error.defects if isinstance(error, SetupInvalid) else ()
        wanted = error.candidates if isinstance(error, DrawMissing) else ()
        code = KERNEL_CODES.get(type(error), "not_possible")
        return FailedReply(id=id_, code=code, message=message, defects=defects, wanted=wanted)
    if isinstance(error, OutcomeUnknown):
        return FailedReply(id=id_, code=OUTCOME_UNKNOWN, message=f"{message}; ask again with the same key", retry=True)
    return FailedReply(id=id_, code=_log_code(error), message=message, retry=isinstance(error, StoreUnavailable))


def unknown_without_key(error: OutcomeUnknown, id_: str) -> FailedReply:
    """Tell of an unknown outcome where the request has no key, so that to send it again might do it twice."""
    return FailedReply(
        id=id_, code=OUTCOME_UNKNOWN, message=f"{error}; look before asking anew, it was asked without a key"
    )


def _log_code(error: Exception) -> str:
    if isinstance(error, UnknownMatch):
        return "unknown_match"
    if isinstance(error, NoForkPoint):
        return "unknown_sequence"
    if isinstance(error, BrokenEvidence):
        return "evidence_broken"
    if isinstance(error, LostRace):
        return "lost_race"
    return "store_unavailable" if isinstance(error, StoreUnavailable) else "internal"
