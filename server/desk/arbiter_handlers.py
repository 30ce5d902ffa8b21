"""The handlers of requests that only the store's owner or an arbiter may make."""

from core.arbiter_commands import NAME_CHARACTERS_MAX, is_hash
from server.desk.context import DeskContext
from server.desk.handlers import Reads, query
from server.protocol.errors import denied
from server.protocol.replies import AppointedReply
from server.protocol.wire import AppointRequest

APPOINTED_MAX = 1_000
"""The most persons with a capability for all matches of a server."""


def answer_appoint(context: DeskContext, request: AppointRequest) -> AppointedReply:
    """Give or end a capability, in the store itself, and return the names of all who have one.

    Raises:
        RequestFailed: The client is not the store's owner, or the name or the credential is not valid.
    """
    if not context.access.is_owner(request.token):
        raise denied(
            "bad_token", "only the secret of the store's owner gives capabilities for all matches of the server"
        )
    known = context.log.appointed()
    if request.name or request.credential:
        _check(request, known)
        if known.get(request.name, "") != request.credential:
            context.log.appoint(request.name, request.credential)
            context.logger.info("appointed" if request.credential else "dismissed", name=request.name)
            known = context.log.appointed()
    return AppointedReply(id=request.id, names=tuple(known))


def _check(request: AppointRequest, known: dict[str, str]) -> None:
    name = request.name
    if not 0 < len(name) <= NAME_CHARACTERS_MAX:
        raise denied("malformed", f"a capability has a name, of {NAME_CHARACTERS_MAX} characters at most")
    if not request.credential:
        if name not in known:
            there = ", ".join(known) or "nobody"
            raise denied("unknown_name", f"{name!r} has no capability for all matches; there is: {there}")
        return
    if not is_hash(request.credential):
        raise denied("malformed", "a credential is the SHA-256 of a secret: 64 lower-case hexadecimal digits")
    if name not in known and len(known) >= APPOINTED_MAX:
        raise denied(
            "not_possible", f"at most {APPOINTED_MAX} persons have a capability for all matches; end one first"
        )


ARBITERS = (query(AppointRequest, answer_appoint, reads=Reads.NOTHING),)
