"""The forms of disputes that are no commands of a seat: a ruling of the arbiter, and the way to the match as which a disputed one goes on."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from events.ids import ARBITER, PUBLIC, MatchId, Seat
from server.protocol.errors import RequestFailed
from server.web.backend.actions import NOT_PLAYED, not_played
from server.web.backend.rulings import NotRuled, follow_on, rule_on
from server.web.backend.services import Services
from server.web.http.addresses import at_match
from server.web.http.cookies import visitor_of, with_session
from server.web.http.responses import page_answer
from server.web.pages.match_page import match_page
from server.web.routes.page_loader import load_page
from server.web.routes.request_context import RequestContext, Viewpoint, proving

NOT_RULED = NOT_PLAYED | {"unknown_match", "fork_not_allowed", "rules_changed"}
"""The codes of failures after which the arbiter can rule otherwise."""


class DisputeRoutes:
    """Rulings, and the way to the match as which a disputed one goes on.

    Args:
        services: The services of the pages.
    """

    def __init__(self, services: Services) -> None:
        self._services = services

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/m/{match}/rule", self.rule, methods=["POST"]),
            Route("/m/{match}/follow", self.follow, methods=["POST"]),
        ]

    async def rule(self, request: Request) -> Response:
        """Rule on a dispute as the arbiter, and show the match as which it goes on, or the same one."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match = MatchId(request.path_params["match"])
        viewpoint, session = Viewpoint(match, None, ARBITER), context.session
        try:
            with proving(viewpoint):
                line = await rule_on(context.caller, match, fields)
        except NotRuled as error:
            return await self._again(context, viewpoint, str(error))
        except RequestFailed as error:
            if error.code not in NOT_RULED:
                raise
            return await self._again(context, viewpoint, not_played(error, "ruled"))
        self._services.match_list.forget()
        if line:
            session = self._services.sessions.seat(session, line, ARBITER, context.caller.token(line, ARBITER))
        return with_session(request, RedirectResponse(at_match(match, seat=ARBITER), 303), session)

    async def _again(self, context: RequestContext, viewpoint: Viewpoint, notice: str) -> Response:
        """Answer with the page of the arbiter, and with what was wrong."""
        cached = await self._services.stories.current(context.caller, viewpoint.match, ARBITER)
        return page_answer(match_page(await load_page(context, viewpoint, cached, notice=notice)), 409)

    async def follow(self, request: Request) -> Response:
        """Go to the match as which a disputed one goes on, and take the visitor's seat there."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat") or PUBLIC)
        sessions, visitor = self._services.sessions, visitor_of(request)
        with proving(Viewpoint(match, None, seat)):
            line, secret = await follow_on(
                context.caller, match, seat, lambda line: sessions.derived(visitor, "follow", line, seat)
            )
        response = RedirectResponse(at_match(line, seat=seat if secret else PUBLIC), 303)
        if not secret:
            return response
        return with_session(request, response, sessions.seat(context.session, line, seat, secret))
