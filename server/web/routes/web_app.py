"""The application: which page is at which address, and who may see it. It speaks to the broker only, as any client does."""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Mapping

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send
from typing_extensions import override

from events.ids import PUBLIC, MatchId, Seat
from projections.view_archive import view_lines
from server.protocol.clock import Clock
from server.protocol.errors import RequestFailed, ServerError
from server.web.backend.audits import RETRY_AUDIT_S
from server.web.backend.event_stream import stream
from server.web.backend.gateway import Gateway
from server.web.backend.lobby_games import OfferedBoards
from server.web.backend.match_evidence import archive
from server.web.backend.services import NO_BOARDS, OwnSeats, Services
from server.web.backend.subscriptions import Subscriptions
from server.web.http.addresses import at_match
from server.web.http.cookies import seen_of, visitor_of, with_seen, with_visitor
from server.web.http.faults import Fault, PageFault, no_archive, no_such_page, too_many
from server.web.http.rate_limits import Rates
from server.web.http.requests import address_of, number_of
from server.web.http.responses import (
    cut_off,
    file_answer,
    http_error,
    internal_error,
    moment_answer,
    page_answer,
    page_fault,
    server_error,
    static_answer,
)
from server.web.http.session_file import SessionFile
from server.web.http.sessions import new_id
from server.web.notices.notices import Notices
from server.web.pages.match_page import match_page
from server.web.routes.dispute_routes import DisputeRoutes
from server.web.routes.fork_routes import ForkRoutes
from server.web.routes.help_routes import HelpRoutes
from server.web.routes.keep_routes import KeepRoutes
from server.web.routes.lobby_routes import LobbyRoutes
from server.web.routes.log_routes import LogRoutes
from server.web.routes.notice_routes import NoticeRoutes
from server.web.routes.page_loader import load_page
from server.web.routes.request_context import NotProved, RequestContext, Viewpoint, proving
from server.web.routes.seat_denial import denied, waiting_answer
from server.web.routes.seat_routes import SeatRoutes
from server.web.routes.study_routes import StudyRoutes

STREAMS_MAX = 20
"""How many pages of an address are told news at a time."""
AUDITS, AUDITS_PER_S = 10.0, 1 / 60
"""How many audits an address may ask for: at once, and each second."""


class Counted(StreamingResponse):
    """A stream of events that says when it has ended, also if it never began.

    Args:
        events: What is sent.
        headers: Those of the response.
        ended: Called in the end.
    """

    def __init__(self, events: AsyncIterator[bytes], headers: Mapping[str, str], ended: Callable[[], None]) -> None:
        super().__init__(events, 200, headers, "text/event-stream")
        self._ended = ended

    @override
    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._ended()


class Pages:
    """The pages.

    Args:
        gateway: The way to the broker.
        clock: Measures how old things are.
        is_operator_allowed: Whether the operator's key may be used to see everything.
        own_seats: The seats of the person who serves the pages; None for nobody's.
        notices: Notices for players; None for none.
        playouts_s: How long bots play on from the points of a match that is over (seconds); 0 for never.
        boards: Boards of owners that can be chosen for new matches.
        session_file: Keeps what visitors have proved when the pages end; None for memory only.
    """

    def __init__(
        self,
        gateway: Gateway,
        clock: Clock,
        *,
        is_operator_allowed: bool = False,
        own_seats: OwnSeats | None = None,
        notices: Notices | None = None,
        playouts_s: float = 0.0,
        boards: OfferedBoards = NO_BOARDS,
        session_file: SessionFile | None = None,
    ) -> None:
        self._services = Services(
            gateway,
            clock,
            is_operator_allowed=is_operator_allowed,
            own_seats=own_seats,
            has_notices=notices is not None,
            playouts_s=playouts_s,
            boards=boards,
            session_file=session_file,
        )
        self._seat_routes = SeatRoutes(self._services)
        self._fork_routes = ForkRoutes(self._services)
        self._dispute_routes = DisputeRoutes(self._services)
        self._lobby_routes = LobbyRoutes(self._services)
        self._notice_routes = NoticeRoutes(self._services, notices)
        self._help_routes = HelpRoutes(self._services)
        self._keep_routes = KeepRoutes(self._services, clock)
        self._log_routes = LogRoutes(self._services)
        self._study_routes = StudyRoutes(self._services)
        self._audited = Rates(clock, most=AUDITS, per_s=AUDITS_PER_S)
        self._subscriptions = Subscriptions(gateway.follower)
        self._streams: Counter[str] = Counter()

    def end(self) -> None:
        """End the streams of news, for which the server would otherwise wait."""
        self._subscriptions.end()

    def app(self) -> Starlette:
        """Return the application."""
        return Starlette(
            routes=[
                *self._lobby_routes.routes(),
                Route("/m/{point}", self.match, methods=["GET"]),
                *self._seat_routes.routes(),
                *self._fork_routes.routes(),
                *self._dispute_routes.routes(),
                *self._notice_routes.routes(),
                *self._help_routes.routes(),
                *self._keep_routes.routes(),
                *self._log_routes.routes(),
                *self._study_routes.routes(),
                Route("/m/{match}/news", self.news, methods=["GET"]),
                Route("/m/{match}/audit", self.audit, methods=["POST"]),
                Route("/m/{match}/archive.ndjson", self.archive, methods=["GET"]),
                Route("/m/{match}/view.ndjson", self.view, methods=["GET"]),
                Route("/static/{name}", static_answer, methods=["GET"]),
            ],
            exception_handlers={
                PageFault: page_fault,
                NotProved: self._denied,
                ServerError: server_error,
                HTTPException: http_error,
                ClientDisconnect: cut_off,
                Exception: internal_error,
            },
        )

    async def _denied(self, request: Request, error: Exception) -> Response:
        assert isinstance(error, NotProved)
        return await denied(RequestContext(self._services, request), error)

    async def match(self, request: Request) -> Response:
        """Show a match, or a moment of it."""
        context = RequestContext(self._services, request)
        viewpoint = await context.viewpoint()
        cached = await context.story(viewpoint)
        self._services.gateway.shown(viewpoint.match)
        visitor = visitor_of(request) or new_id()
        now = cached.story.now
        is_waiting = not now.began and any(seat not in now.players for seat in now.seats)
        if is_waiting and viewpoint.number is None and "table" not in request.query_params:
            return with_visitor(request, await waiting_answer(context, viewpoint, cached, visitor), visitor)
        model = await load_page(context, viewpoint, cached, visitor=visitor)
        if viewpoint.number is not None:
            response = moment_answer(request, lambda: match_page(model), model.state)
        else:
            response = page_answer(match_page(model))
            noted = seen_of(request).noted(viewpoint.match, viewpoint.seat, model.known)
            with_seen(request, response, noted)
        return with_visitor(request, response, visitor)

    async def news(self, request: Request) -> Response:
        """Send news of a match as they happen; a browser that was cut off tells the last one that it has."""
        context = RequestContext(self._services, request)
        viewpoint = await context.viewpoint()
        after = number_of(request.headers.get("last-event-id", request.query_params.get("after", "")))
        address = address_of(request)
        if after is None:
            raise PageFault(no_such_page(request.url.path))
        if self._streams[address] >= STREAMS_MAX:
            advice = "Close some of them."
            raise PageFault(Fault(429, "Too many pages", f"Your address follows {STREAMS_MAX} pages.", advice, 60))
        caller = context.caller
        # Counted before anything is waited for, so that requests that come at once are counted, too.
        self._streams[address] += 1
        try:
            await self._services.stories.current(caller, viewpoint.match, viewpoint.seat)
        except BaseException:
            self._uncount(address)
            raise
        events = stream(
            self._services.stories, self._subscriptions, caller, viewpoint.match, viewpoint.seat, after=after
        )
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return Counted(events, headers, lambda: self._uncount(address))

    def _uncount(self, address: str) -> None:
        self._streams[address] -= 1
        if not self._streams[address]:
            del self._streams[address]

    async def archive(self, request: Request) -> Response:
        """Send the archive of a match."""
        context = RequestContext(self._services, request)
        viewpoint = await context.viewpoint()
        try:
            lines = await archive(context.caller, viewpoint.match, viewpoint.seat)
        except RequestFailed as error:
            if error.code == "not_your_seat" and viewpoint.seat == PUBLIC:
                raise PageFault(no_archive(error)) from None
            raise
        return file_answer(lines, f"{viewpoint.match}.ndjson")

    async def audit(self, request: Request) -> Response:
        """Audit a match for a visitor who may have its evidence, and show what was found."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat") or PUBLIC)
        if self._services.audits.is_busy:
            raise too_many("Another audit is being made", "The pages audit one match at a time.", RETRY_AUDIT_S)
        if wait := self._audited.wait_s(address_of(request)):
            raise too_many("Too many audits", "Many were made for your address.", wait)
        try:
            by = await context.visitor_name(match, seat)
            with proving(Viewpoint(match, None, seat)):
                await self._services.audits.make(context.caller, match, seat, by)
        except RequestFailed:
            # What was refused is no audit; what asks for it counts among the requests of the address.
            self._audited.give_back(address_of(request))
            raise
        return RedirectResponse(at_match(match, seat=seat, to="evidence"), 303)

    async def view(self, request: Request) -> Response:
        """Send what a seat has seen as a file."""
        context = RequestContext(self._services, request)
        viewpoint = await context.viewpoint()
        cached = await self._services.stories.current(context.caller, viewpoint.match, viewpoint.seat)
        story = cached.story
        lines = b"".join(view_lines(viewpoint.match, viewpoint.seat, story.now, story.stream()))
        return file_answer(lines, f"{viewpoint.match}-{viewpoint.seat}.ndjson")
