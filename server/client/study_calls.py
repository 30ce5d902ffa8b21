"""The calls about studies of a match: an entry is signed by its author's key, and written behind those that are there."""

from events.codec import Raw, replace
from events.ids import NO_SEAT, PUBLIC, Digest, MatchId, Seat, StudyId, study_id
from events.studies.study_entry import AnySaid, StudyEntry, StudyOpened, entry_hash, text_of
from events.transparency.signed_command import SeatSigner
from server.client.adopting import RulingCalls
from server.client.calls import Call, ClientCall, asked
from server.protocol.errors import RequestFailed
from server.protocol.replies import StudiesReply, StudyReply, WrittenReply
from server.protocol.wire import StudiesRequest, StudyRequest, WriteStudyRequest

WRITTEN_TRIES = 5
"""How often an entry of a study is written anew because another one came first."""


class StudyCalls(RulingCalls):
    """The calls of a client about studies."""

    @ClientCall
    def studies(self, match: MatchId, seat: Seat = PUBLIC) -> Call[StudiesReply]:
        """Return the studies of a match that a seat may read."""
        return (yield from asked(StudiesRequest(match=match, seat=seat, token=self.token(match, seat)), StudiesReply))

    @ClientCall
    def study(self, match: MatchId, study: StudyId, seat: Seat = PUBLIC, at: int | None = None) -> Call[StudyReply]:
        """Return all entries of a study, in as many requests as needed, and the number of event `at` of it among the others."""
        return (yield from self._study(match, study, seat, at))

    def _study(self, match: MatchId, study: StudyId, seat: Seat, at: int | None = None) -> Call[StudyReply]:
        found: list[Raw] = []
        while True:
            token, after = self.token(match, seat), len(found)
            request = StudyRequest(match=match, seat=seat, token=token, study=study, after=after, at=at)
            reply = yield from asked(request, StudyReply)
            found += reply.entries
            if len(found) >= reply.count or not reply.entries:
                return replace(reply, entries=tuple(found))

    @ClientCall
    def open_study(
        self,
        match: MatchId,
        title: str,
        view: Seat = PUBLIC,
        *,
        author: str,
        by: Seat = PUBLIC,
        signer: SeatSigner | None = None,
        key: str = "",
        visitor: str = "",
    ) -> Call[WrittenReply]:
        """Open a study of what a seat sees of a match, `by` a seat if it is of what the public sees; its id follows from `key`."""
        said = StudyOpened(title=title, view=view)
        study = study_id(f"{match}/{key or self._identity.key()}")
        seat = by if view == PUBLIC else view
        request = self._entry(match, study, said, seat, author=author, visitor=visitor)
        return (yield from asked(signed_entry(request, signer), WrittenReply))

    @ClientCall
    def write_study(
        self,
        match: MatchId,
        study: StudyId,
        said: AnySaid,
        seat: Seat = PUBLIC,
        *,
        author: str,
        signer: SeatSigner | None = None,
        visitor: str = "",
    ) -> Call[WrittenReply]:
        """Append an entry to a study, behind those that are there; if another one comes first, behind that."""
        request = self._entry(match, study, said, seat, author=author, visitor=visitor)
        for tries in range(1, WRITTEN_TRIES + 1):
            known = yield from self._study(match, study, seat)
            previous = entry_hash(bytes(known.entries[-1])) if known.entries else Digest("")
            wanted = replace(request, number=known.count + 1, previous=previous)
            try:
                return (yield from asked(signed_entry(wanted, signer), WrittenReply))
            except RequestFailed as error:
                if error.code != "lost_race" or tries == WRITTEN_TRIES:
                    raise
        raise AssertionError("the last try returns or raises")

    def _entry(
        self, match: MatchId, study: StudyId, said: AnySaid, seat: Seat, *, author: str, visitor: str
    ) -> WriteStudyRequest:
        token = self.token(match, seat)
        return WriteStudyRequest(
            match=match, seat=seat, token=token, study=study, number=1, author=author, said=said, visitor=visitor
        )


def signed_entry(request: WriteStudyRequest, signer: SeatSigner | None) -> WriteStudyRequest:
    """Return an entry with the signature of its author, if there is a key."""
    if signer is None:
        return request
    entry = StudyEntry(
        match=request.match,
        study=request.study,
        number=request.number,
        previous=request.previous,
        at=0,
        author=request.author,
        seat=NO_SEAT if request.seat == PUBLIC else request.seat,
        said=request.said,
    )
    return replace(request, public_key=signer.public_key, signature=signer.sign(text_of(entry)))
