"""Forks: trying something else from a moment of a match, and comparing two lines."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from events.ids import PUBLIC, MatchId, Seat
from projections.state.seating import decider
from server.protocol.errors import RequestFailed
from server.web.backend.fork_wishes import (
    EVERY,
    NAME_MAX,
    NOT_FORKED,
    ForkWish,
    fork_of,
    free_seats,
    make_fork,
    not_forked,
    take_seats,
)
from server.web.backend.services import Services
from server.web.http.addresses import at_match
from server.web.http.cookies import visitor_of, with_session
from server.web.http.faults import Fault, PageFault, too_many
from server.web.http.rate_limits import Rates
from server.web.http.requests import address_of, number_of
from server.web.http.responses import page_answer
from server.web.pages.diff_page import diff_page
from server.web.pages.match_page import match_page
from server.web.routes.page_loader import load_page
from server.web.routes.request_context import NotProved, RequestContext, Viewpoint, proving

FORKS, FORKS_PER_S = 20.0, 1 / 30
"""How many forks an address may begin: at once, and each second."""


class ForkRoutes:
    """The pages of forks.

    Args:
        services: The services of the pages.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._forks = Rates(services.clock, most=FORKS, per_s=FORKS_PER_S)

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/m/{match}/try", self.fork, methods=["POST"]),
            Route("/m/{a}/diff/{b}", self.diff, methods=["GET"]),
        ]

    async def fork(self, request: Request) -> Response:
        """Begin a fork, take its seats for the visitor as wished, and go there."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat") or PUBLIC)
        number = number_of(fields.get("at", ""))
        viewpoint = Viewpoint(match, number, seat)
        if number is None or not fields.get("key"):
            raise PageFault(
                Fault(400, "Not understood", "The form lacks a field.", "Go back, and load the page again.")
            )
        wish = fork_of(fields, number)
        if not isinstance(wish, ForkWish):
            return await _again(context, viewpoint, wish)
        if problem := await _seat_problem(context, viewpoint, wish):
            return await _again(context, viewpoint, problem)
        if wait := self._forks.wait_s(address_of(request)):
            advice = "; a fork that you have can be tried again from any of its moments"
            raise too_many("Too many forks", "Many were begun from your address.", wait, advice)
        caller, visitor = context.caller, visitor_of(request)
        try:
            with proving(viewpoint):
                forked = await make_fork(caller, match, seat, wish, address_of(request))
        except RequestFailed as error:
            if error.code not in NOT_FORKED:
                raise
            # A refused wish counts among the requests of the address, not among its forks.
            self._forks.give_back(address_of(request))
            return await _again(context, viewpoint, not_forked(error))

        def secret_of(own: Seat) -> str:
            # The key of the form is random, so that the cookie of the visitor alone proves no seat.
            return self._services.sessions.derived(visitor, "seat", forked, own, fields["key"])

        table, taken = await take_seats(caller, match, forked, wish, secret_of)
        session = context.session
        for own, secret in taken.items():
            session = self._services.sessions.seat(session, forked, own, secret)
        self._services.match_list.forget()
        asked = decider(table)
        shown = asked if asked in taken else next(iter(taken), PUBLIC)
        response = RedirectResponse(at_match(forked, seat=Seat(shown)), 303)
        return with_session(request, response, session) if taken else response

    async def diff(self, request: Request) -> Response:
        """Compare two lines, each at its present or at a moment."""
        context = RequestContext(self._services, request)
        points = [await context.viewpoint(request.path_params[name]) for name in ("a", "b")]
        cached = [await context.story(viewpoint) for viewpoint in points]
        stories = (cached[0].story, cached[1].story)
        if stories[0].now.game != stories[1].now.game:
            advice = "Compare two lines of one game; the page of a match lists its forks."
            raise PageFault(Fault(400, "Two games", "Only matches of one game can be compared.", advice))
        numbers = [story.last if one.number is None else one.number for one, story in zip(points, stories, strict=True)]
        return page_answer(diff_page(stories, (numbers[0], numbers[1])))


async def _seat_problem(context: RequestContext, viewpoint: Viewpoint, wish: ForkWish) -> str:
    """Return why the seat that is wished for cannot be taken in the fork; empty if it can, or if the seat that wishes is not proved."""
    if wish.sit in ("", EVERY):
        return ""
    try:
        story = (await context.story(viewpoint)).story
    except NotProved:
        return ""
    table = story.table(wish.at)
    if wish.sit in free_seats(table):
        return ""
    if wish.sit not in table.seats:
        return f"The match has no seat {wish.sit[:NAME_MAX]!r}."
    return f"Play has not begun here, so that the {story.names.seat(Seat(wish.sit))} seat stays with its player in the fork."


async def _again(context: RequestContext, viewpoint: Viewpoint, notice: str) -> Response:
    """Answer with the moment and its form, and with what was wrong."""
    cached = await context.story(viewpoint)
    model = await load_page(context, viewpoint, cached, notice=notice, is_forking=True)
    return page_answer(match_page(model), 409)
