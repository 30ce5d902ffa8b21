"""The handlers of requests that only the store's owner or an arbiter may make."""

from collections.abc import Iterator

from core.match.arbiter_commands import NAME_CHARACTERS_MAX, is_hash
from events.archive import Attachment, attachment_record
from events.chain import commits_between
from events.codec import Raw
from server.desk.access import check_disclosed
from server.desk.desk_context import DeskContext
from server.desk.handlers import query, seat_query
from server.desk.match_cache import PAGE_BYTES_MAX, CachedMatch
from server.protocol.errors import checked_number, denied
from server.protocol.replies import AppointedReply, CommitsReply
from server.protocol.wire import AppointRequest, CommitsRequest

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
    offices = context.summaries.offices()
    ended = [match for match, arbiter in offices if arbiter.capability not in ("", *known.values())]
    return AppointedReply(id=request.id, names=tuple(known), ended=tuple(ended))


def _check(request: AppointRequest, known: dict[str, str]) -> None:
    name = request.name
    if not 0 < len(name.strip()) <= NAME_CHARACTERS_MAX:
        raise denied("malformed", f"a capability has a name of 1 to {NAME_CHARACTERS_MAX} characters")
    if not request.credential:
        if name not in known:
            there = ", ".join(known) or "nobody"
            raise denied("unknown_name", f"{name!r} has no capability for all matches; there is: {there}")
        return
    if not is_hash(request.credential):
        raise denied("malformed", "a credential is the SHA-256 of a secret: 64 lower-case hexadecimal digits")
    if known.get(name, request.credential) != request.credential:
        # A new one would end the old one, and with it the offices that rest on it.
        raise denied("not_possible", f"{name!r} has a capability already; end it before another one is given")
    if name not in known and len(known) >= APPOINTED_MAX:
        raise denied(
            "not_possible", f"at most {APPOINTED_MAX} persons have a capability for all matches; end one first"
        )


def answer_commits(context: DeskContext, match: CachedMatch, request: CommitsRequest) -> CommitsReply:
    """Return the commits of a match after an event, with its files if they are the first.

    Raises:
        RequestFailed: They are not for this seat, or there is no such event.
    """
    check_disclosed(context.log, match, request.seat)
    head = match.match.head
    commits, size = list[Raw](), 0
    # Bytes that are not JSON would spoil the whole reply, so that the client could not read what is wrong.
    for stored, _ in commits_between(context.log, match.id, checked_number(request.since, head.seq), head.seq):
        commits.append(Raw(stored.body))
        size += len(stored.body)
        if size >= PAGE_BYTES_MAX:
            break
    files = _files(context, match) if request.since == 0 else ()
    return CommitsReply(
        id=request.id, match=match.id, seq=head.seq, head=head.hash, commits=tuple(commits), files=tuple(files)
    )


def _files(context: DeskContext, match: CachedMatch) -> Iterator[Attachment]:
    table = match.table
    for digest in dict.fromkeys([table.board] if table.position is None else [table.board, table.position]):
        content = context.log.attachment(digest)
        if content is not None:
            yield attachment_record(digest, content)


ARBITERS = (
    query(AppointRequest, answer_appoint),
    seat_query(CommitsRequest, answer_commits),
)
