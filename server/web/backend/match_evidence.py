"""The whole evidence of a match, as far as a visitor may have it: the head of its chain, and its archive."""

from collections import OrderedDict
from collections.abc import Iterator

from events.archive import Attachment, export_match
from events.commit import Head
from events.errors import BrokenEvidence, LogError
from events.ids import Digest, MatchId, Seat
from events.log import Stored
from server.client.evidence_files import entries_until, tied
from server.client.served_evidence import file_content, stored_commit
from server.page_parts.story import Story
from server.protocol.errors import ProtocolBroken, RequestFailed
from server.web.backend.gateway import Caller
from server.web.http.faults import DAMAGED

HEADS_MAX = 2_000


class Collected:
    """The commits of one match; see `events.archive.Evidence`.

    Args:
        head: The last one.
        commits: All, in order.
        files: The files that the match was opened with.
    """

    def __init__(self, head: Head, commits: list[Stored], files: tuple[Attachment, ...]) -> None:
        self._head = head
        self._commits = commits
        self._files = files

    def head(self, match: MatchId) -> Head:
        """Return the head."""
        return self._head

    def read(self, match: MatchId, after: int = 0, upto: int | None = None) -> Iterator[Stored]:
        """Return the commits with events after one and up to another, in order."""
        last = self._head.seq if upto is None else upto
        return (one for one in self._commits if one.last > after and one.first <= last)

    def attachment(self, digest: Digest) -> bytes | None:
        """Return a file that the match was opened with, or None."""
        return next((file_content(file) for file in self._files if file.attachment == digest), None)


async def collected(caller: Caller, match: MatchId, seat: Seat) -> Collected:
    """Return the commits of a match, whose chain is not checked yet.

    Raises:
        RequestFailed: They are not for this seat.
        ProtocolBroken: The server sends something else.
    """
    reply = await caller.commits(match, seat)
    files, head, commits = reply.files, Head(reply.seq, reply.head), list[Stored]()
    while True:
        commits += [stored_commit(bytes(body)) for body in reply.commits]
        if not reply.commits or commits[-1].last >= head.seq:
            break
        reply = await caller.commits(match, seat, commits[-1].last)
    if not commits or commits[-1].last < head.seq:
        raise ProtocolBroken(f"the server does not send all commits of match {match}")
    return Collected(head, commits, files)


async def archive(caller: Caller, match: MatchId, seat: Seat) -> bytes:
    """Return the archive of a match, its chain checked.

    Raises:
        RequestFailed: It is not for this seat.
        ProtocolBroken: The server sends something else, or commits that do not form a chain.
    """
    try:
        return b"".join(export_match(await collected(caller, match, seat), match))
    except BrokenEvidence as error:
        raise ProtocolBroken(f"the server sends broken evidence: {error}") from None


async def log_evidence(caller: Caller, match: MatchId, seat: Seat) -> bytes:
    """Return what ties the archive of a match to the log of the server, as `wardiary pack` writes it, checked.

    Raises:
        RequestFailed: It is not for this seat, or there is no log, or no checkpoint covers the match yet.
        ProtocolBroken: The log does not hold these commits.
    """
    commits = (await collected(caller, match, seat)).read(match)
    changes, proof = (await caller.checkpoint()).changes, await caller.proof(match, seat)
    try:
        count, nonces = entries_until(proof), list[str]()
        while len(nonces) < count and (more := (await caller.entries(match, seat, len(nonces))).nonces):
            nonces += more
        key = (await caller.hello()).log
        own = [one for one in commits if one.match == match]
        return b"".join(tied(proof, nonces, own, key, changes).lines())
    except LogError as error:
        raise ProtocolBroken(f"the log of the server does not hold the match: {error}") from None


class Heads:
    """The heads of chains that may be shown; each is asked for once."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[MatchId, Seat, int], Digest | None] = OrderedDict()

    async def head(self, caller: Caller, story: Story) -> Digest | None:
        """Return the hash of the last commit of a match that the story has; None while it is not for the viewer, because a hash lets hidden cards be guessed.

        It is asked for when the match is over, until which it changes with every command.
        """
        if story.now.ended is None:
            return None
        key = (story.match, story.seat, story.last)
        if key not in self._known:
            try:
                # Where the evidence is for a viewer, the viewer's numbers are those of the log. The match may have gone on meanwhile.
                reply = await caller.commits(story.match, story.seat, max(0, story.last - 1))
                self._known[key] = stored_commit(bytes(reply.commits[0])).hash
            except RequestFailed as error:
                if error.code == DAMAGED:
                    raise
                self._known[key] = None
            while len(self._known) > HEADS_MAX:
                self._known.popitem(last=False)
        return self._known[key]
