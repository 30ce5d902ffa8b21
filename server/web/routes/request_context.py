"""Context of a request: its visitor, the match, moment and seat that its address names, and the form that it sends."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from starlette.requests import Request

from events.ids import ARBITER, PUBLIC, MatchId, Seat
from projections.catalogue import MatchSummary
from projections.state.offices import Invitation
from server.protocol.errors import RequestFailed
from server.web.backend.gateway import Caller
from server.web.backend.new_match import own_invitations
from server.web.backend.services import Services
from server.web.backend.story_cache import CachedStory
from server.web.http.cookies import session_of, visitor_of
from server.web.http.faults import Fault, PageFault, no_operator, no_such_event, no_such_page
from server.web.http.requests import fields_of, is_same_origin, number_of
from server.web.panels.page_model import seat_words

NOT_PROVED = ("not_your_seat", "bad_token")
"""The codes of failures that end on the page on which a seat is proved."""
WAIT_S = 10.0
"""How long a visitor waits while a long match is read; the next request goes on where this one ended (seconds)."""


class Viewpoint(NamedTuple):
    """A match, a moment of it (None for the present), and the seat as which it is seen."""

    match: MatchId
    number: int | None
    seat: Seat


class NotProved(RequestFailed):
    """A visitor may not see or play a seat of a match; the application answers with the page on which the seat is proved.

    Args:
        failure: What the server said.
        viewpoint: What was asked for.
    """

    def __init__(self, failure: RequestFailed, viewpoint: Viewpoint) -> None:
        super().__init__(failure.reply)
        self.viewpoint = viewpoint


@contextmanager
def proving(viewpoint: Viewpoint) -> Iterator[None]:
    """Carry out what needs the proof of a seat.

    Raises:
        NotProved: The server did not take it, or it was missing.
    """
    try:
        yield
    except RequestFailed as error:
        if error.code in NOT_PROVED:
            raise NotProved(error, viewpoint) from None
        raise


class RequestContext:
    """A request of a visitor.

    Args:
        services: The services of the pages.
        request: The request.

    Attributes:
        session: The id of the visitor's session; empty if there is none.
        caller: The calls of the visitor, with what the visitor has proved.
    """

    def __init__(self, services: Services, request: Request) -> None:
        self.services = services
        self.request = request
        self.session = session_of(request)
        self.caller: Caller = services.gateway.caller(services.sessions.secrets(self.session))

    def proved(self, match: MatchId) -> list[Seat]:
        """Return the seats of a match that the visitor has proved."""
        return [seat for known, seat in self.services.sessions.secrets(self.session) if known == match]

    def invitations(self, match: MatchId, reserved: Mapping[Seat, Invitation]) -> Mapping[Seat, str]:
        """Return the invitations to reserved seats of a match that the visitor has given, who opened it."""
        known = self.services.sessions.secrets(self.session)
        return own_invitations(match, [known[match, seat] for seat in self.proved(match)], reserved)

    async def viewpoint(self, point: str = "") -> Viewpoint:
        """Return what the request names.

        Args:
            point: MATCH or MATCH@SEQ; by default that of the address.

        Raises:
            PageFault: The address names no moment.
        """
        parameters = self.request.path_params
        prefix, at, digits = (point or str(parameters.get("point", parameters.get("match")))).partition("@")
        number = number_of(digits)
        if at and number is None:
            raise PageFault(no_such_page(self.request.url.path))
        return Viewpoint(await self._named(prefix), number, self._seat())

    async def _named(self, prefix: str) -> MatchId:
        """Return the match that is named by its id or by the beginning of it."""
        every: Sequence[MatchSummary] = await self.services.match_list.matches(self.caller)
        found = [one.match for one in every if prefix and one.match.startswith(prefix)]
        return found[0] if len(found) == 1 else MatchId(prefix)

    def _seat(self) -> Seat:
        """Return the seat that the address names.

        Raises:
            PageFault: It is the arbiter's, and the operator has not allowed it.
        """
        seat = Seat(self.request.query_params.get("seat") or PUBLIC)
        if seat == ARBITER and not self.services.is_operator_allowed:
            raise PageFault(no_operator("The pages do not show matches as the arbiter sees them."))
        return seat

    async def story(self, viewpoint: Viewpoint) -> CachedStory:
        """Return the story of a match as a seat has seen it.

        Raises:
            NotProved: The seat is not proved.
            RequestFailed: There is no such match or seat.
            PageFault: The seat has seen no such event, or the match is so long that it is still being read.
        """
        match, number, seat = viewpoint
        with proving(viewpoint):
            cached = await self.services.stories.current(self.caller, match, seat, wait_s=WAIT_S)
        if number is not None and not 1 <= number <= cached.story.last:
            raise PageFault(no_such_event(number, cached.story.last))
        return cached

    async def visitor_name(self, match: MatchId, seat: Seat) -> str:
        """Return what everybody may call the visitor who looks at a match as a seat.

        Raises:
            RequestFailed: The seat is not proved, or there is none.
        """
        if seat == PUBLIC:
            return "a visitor"
        if seat == ARBITER:
            return "the operator"
        return seat_words((await self.story(Viewpoint(match, None, seat))).story)[seat]

    async def form(self) -> Mapping[str, str]:
        """Return the fields of a form that was made here for this visitor.

        Raises:
            PageFault: It was not.
        """
        if not is_same_origin(self.request):
            raise PageFault(
                Fault(
                    403,
                    "The form came from another site",
                    "A form is taken only from a page of this server.",
                    "Open the page here, and send the form again.",
                )
            )
        fields = fields_of(await self.request.body())
        if not self.services.sessions.is_own_form(visitor_of(self.request), fields.get("token", "")):
            raise PageFault(
                Fault(
                    403,
                    "The form is too old",
                    "The form was not made for this browser, or before the browser was closed.",
                    "Go back, load the page again, and send the form again. Cookies have to be allowed.",
                )
            )
        return fields
