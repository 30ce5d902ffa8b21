"""Files that are kept of a match that is over: its report and its film."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.match.bound_games import is_on_shipped_board
from server.page_parts.piped_match import lines_of
from server.protocol.clock import Clock
from server.report import keeping
from server.report.keeping import FILM, REPORT, Wanted
from server.web.backend.audits import ProcessFailed, printed_by
from server.web.backend.services import Services
from server.web.http.faults import Fault, PageFault, too_many
from server.web.http.rate_limits import Rates
from server.web.http.requests import address_of
from server.web.http.responses import file_answer
from server.web.routes.request_context import RequestContext

MADE, MADE_PER_S = 6.0, 1 / 60
"""How many files an address may ask for: at once, and each second."""
MAKING_S = 60.0
"""How long a file may take (seconds)."""
RETRY_S = 5.0
"""After how long to try again while another file is made (seconds)."""
KINDS = {REPORT: "text/html; charset=utf-8", FILM: "image/svg+xml"}
FILES = {REPORT: "report.html", FILM: "film.svg"}
"""What the files are called."""


class KeepRoutes:
    """The addresses of what is kept of a match that is over.

    Args:
        services: The services of the pages.
        clock: Measures how often files are asked for.
    """

    def __init__(self, services: Services, clock: Clock) -> None:
        self._services = services
        self._made = Rates(clock, most=MADE, per_s=MADE_PER_S)
        self._turn = asyncio.Lock()

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route(f"/m/{{match}}/{FILES[REPORT]}", self.report, methods=["GET"]),
            Route(f"/m/{{match}}/{FILES[FILM]}", self.film, methods=["GET"]),
        ]

    async def report(self, request: Request) -> Response:
        """Send the report of a match as a page to keep."""
        return await self._kept(request, REPORT)

    async def film(self, request: Request) -> Response:
        """Send the film of a match."""
        return await self._kept(request, FILM)

    async def _kept(self, request: Request, what: str) -> Response:
        context = RequestContext(self._services, request)
        viewpoint = await context.viewpoint()
        cached = await context.story(viewpoint)
        story, now = cached.story, cached.story.now
        if now.ended is None:
            advice = (
                f"Watch it on its page; its operator makes one with wardiary {what if what == REPORT else 'replay'}."
            )
            raise PageFault(Fault(409, "The match goes on", "This is made of a match that is over.", advice))
        if cached.bound is None:
            why = f"There are no pictures of the match here: {cached.problem}."
            raise PageFault(Fault(409, "No pictures", why, "Its page tells it without them."))
        if self._turn.locked():
            raise too_many("Another file is being made", "The pages make one at a time.", RETRY_S)
        if wait := self._made.wait_s(address_of(request)):
            raise too_many("Too many files", "Many were made for your address.", wait)
        async with self._turn:
            audit = self._services.audits.last(story.match)
            board = None if is_on_shipped_board(now) else await context.caller.board(story.match, story.seat)
            wanted = Wanted(
                what=what,
                match=story.match,
                seat=story.seat,
                game=now.game,
                board=board,
                variant=now.variant,
                audit=None if audit is None else audit.report,
            )
            lines = b"".join(lines_of(wanted, story.stream()))
            try:
                data = await printed_by(keeping.__name__, lines, MAKING_S)
            except ProcessFailed as error:
                advice = "Its operator makes one with wardiary report, or wardiary replay --svg."
                raise PageFault(Fault(500, "Not made", f"The file could not be made: {error}.", advice)) from None
        return file_answer(data, f"{story.match}-{FILES[what]}", KINDS[what])
