"""The application: which page is at which address, and who may see it. It speaks to the broker only, as any client does."""

import secrets
from collections import Counter
from collections.abc import AsyncIterator, Mapping, Sequence
from math import ceil
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from core.telling.names import Names
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from projections.table import Table
from projections.view_archive import view_lines
from server.protocol.clock import Clock
from server.protocol.errors import RequestFailed, ServerError
from server.protocol.replies import MatchSummary
from server.web.addresses import at_match, of_match
from server.web.answers import (
    file_answer,
    http_error,
    internal_error,
    moment_answer,
    page_answer,
    page_fault,
    server_error,
    state_of,
    static_answer,
    with_cookie,
)
from server.web.asked import address_of, fields_of, is_same_origin, number_of, seen_of, visitor_of
from server.web.catalogue import Catalogue
from server.web.evidence import Heads, archive
from server.web.faults import Fault, PageFault, fault_of, no_operator, no_such_event, no_such_page
from server.web.gateway import Caller, Gateway
from server.web.list_page import PER_PAGE, list_page
from server.web.match_page import match_page
from server.web.news import stream
from server.web.plays import NOT_PLAYED, PLAYS, carry_out, not_played
from server.web.rates import Rates
from server.web.seen import COOKIE as SEEN
from server.web.sessions import Sessions, new_id
from server.web.sight import Sight
from server.web.sit_page import seated_page, sit_page
from server.web.stories import Kept, Stories
from server.web.watches import Watches

SEEN_S = 365 * 24 * 3600
STREAMS_MAX = 20
"""How many pages of an address are told news at a time."""
PROOFS, PROOFS_PER_S = 20.0, 0.2
"""How often an address may try to prove a seat: at once, and each second."""


class Wanted(NamedTuple):
    """Which match, which moment of it, and as which seat."""

    match: MatchId
    number: int | None
    seat: Seat


class Pages:
    """The pages.

    Args:
        gateway: The way to the broker.
        clock: Measures how old things are.
        is_operator_allowed: Whether the operator's key may be used to see everything.
    """

    def __init__(self, gateway: Gateway, clock: Clock, *, is_operator_allowed: bool = False) -> None:
        self._gateway = gateway
        self._stories = Stories()
        self._sessions = Sessions(clock)
        self._catalogue = Catalogue(clock)
        self._heads = Heads()
        self._watches = Watches(gateway.follower)
        self._streams: Counter[str] = Counter()
        self._proofs = Rates(clock, most=PROOFS, per_s=PROOFS_PER_S)
        self._is_operator_allowed = is_operator_allowed

    def app(self) -> Starlette:
        """Return the application."""
        return Starlette(
            routes=[
                Route("/", self.list, methods=["GET"]),
                Route("/m/{point}", self.match, methods=["GET"]),
                Route("/m/{match}/sit", self.sit, methods=["GET"]),
                Route("/m/{match}/sit", self.prove, methods=["POST"]),
                Route("/m/{match}/leave", self.forget, methods=["POST"]),
                Route("/m/{match}/take", self.take, methods=["POST"]),
                *(Route(f"/m/{{match}}/{name}", self.play, methods=["POST"]) for name in PLAYS),
                Route("/m/{match}/news", self.news, methods=["GET"]),
                Route("/m/{match}/archive.ndjson", self.archive, methods=["GET"]),
                Route("/m/{match}/view.ndjson", self.view, methods=["GET"]),
                Route("/static/{name}", static_answer, methods=["GET"]),
            ],
            exception_handlers={
                PageFault: page_fault,
                ServerError: server_error,
                HTTPException: http_error,
                Exception: internal_error,
            },
        )

    # Who asks for what

    def _caller(self, request: Request) -> Caller:
        return self._gateway.caller(self._sessions.secrets(visitor_of(request)))

    def _proved(self, request: Request, match: MatchId) -> list[Seat]:
        return [seat for known, seat in self._sessions.secrets(visitor_of(request)) if known == match]

    # Pages

    async def list(self, request: Request) -> Response:
        """Show the list of matches."""
        caller = self._caller(request)
        every = await self._catalogue.matches(caller)
        game = request.query_params.get("game", "")
        games = sorted({match.game for match in every if match.game})
        shown = [match for match in reversed(every) if not game or match.game == game]
        pages = max(1, ceil(len(shown) / PER_PAGE))
        number = number_of(request.query_params.get("page", "1")) or 0
        if not 1 <= number <= pages or (game and game not in games):
            raise PageFault(no_such_page(f"{request.url.path}?{request.url.query}"))
        part = shown[(number - 1) * PER_PAGE : number * PER_PAGE]
        times = {match.match: await self._catalogue.since(caller, match) for match in part}
        return page_answer(list_page(part, times, games=games, game=game, number=number, pages=pages))

    async def match(self, request: Request) -> Response:
        """Show a match, or a moment of it."""
        wanted = await self._wanted(request)
        try:
            kept = await self._stories.current(self._caller(request), wanted.match, wanted.seat)
        except RequestFailed as error:
            if error.code not in ("not_your_seat", "bad_token"):
                raise
            return await self._unproved(request, wanted)
        story = kept.story
        if wanted.number is not None and not 1 <= wanted.number <= story.last:
            raise PageFault(no_such_event(wanted.number, story.last))
        sight = await self._sight(request, wanted, kept)
        if wanted.number is not None:
            return moment_answer(request, lambda: match_page(sight), state_of(sight))
        response = page_answer(match_page(sight))
        noted = seen_of(request).noted(wanted.match, wanted.seat, story.last)
        response.set_cookie(SEEN, noted, max_age=SEEN_S, path="/", httponly=True, samesite="lax")
        return response

    async def _sight(self, request: Request, wanted: Wanted, kept: Kept, notice: str = "") -> Sight:
        caller = self._caller(request)
        every = await self._catalogue.matches(caller)
        story = kept.story
        about, legal = "", None
        if wanted.number is None and wanted.seat in story.now.seats:
            about = "" if notice else request.query_params.get("about", "")
            legal = await caller.legal(wanted.match, wanted.seat, about=about)
        parent = next((one for one in every if one.match == story.now.parent), None)
        return Sight(
            story=story,
            number=story.last if wanted.number is None else wanted.number,
            is_live=wanted.number is None,
            is_why=request.query_params.get("why") == "1",
            problem=kept.problem,
            about=about,
            legal=legal,
            notice=notice,
            head=await self._heads.head(caller, story),
            token=self._sessions.form_token(visitor_of(request)),
            key=secrets.token_urlsafe(12),
            seen=seen_of(request).before(wanted.match, wanted.seat, story.last),
            parent=parent,
            forks=[one for one in every if one.parent == wanted.match],
        )

    async def _wanted(self, request: Request) -> Wanted:
        text = str(request.path_params.get("point", request.path_params.get("match")))
        prefix, at, digits = text.partition("@")
        number = number_of(digits)
        if at and number is None:
            raise PageFault(no_such_page(request.url.path))
        match = await self._named(request, prefix)
        return Wanted(match, number, self._seat(request))

    async def _named(self, request: Request, prefix: str) -> MatchId:
        """Return the match that is named by its id or by the beginning of it."""
        every: Sequence[MatchSummary] = await self._catalogue.matches(self._caller(request))
        found = [one.match for one in every if prefix and one.match.startswith(prefix)]
        return found[0] if len(found) == 1 else MatchId(prefix)

    def _seat(self, request: Request) -> Seat:
        seat = Seat(request.query_params.get("seat", PUBLIC))
        if seat == ARBITER and not self._is_operator_allowed:
            raise PageFault(no_operator("The pages do not show matches as the arbiter sees them."))
        return seat

    # Seats

    async def _unproved(self, request: Request, wanted: Wanted, why: str = "", status: int = 403) -> Response:
        caller = self._caller(request)
        table = (await caller.state(wanted.match)).table
        seats = await self._seats(caller, wanted.match, table)
        visitor = visitor_of(request) or new_id()
        text = sit_page(
            wanted.match,
            seats,
            free=[seat for seat in table.seats if seat not in table.players],
            chosen=wanted.seat,
            proved=self._proved(request, wanted.match),
            token=self._sessions.form_token(visitor),
            why=why,
        )
        return with_cookie(request, page_answer(text, status), visitor)

    async def _seats(self, caller: Caller, match: MatchId, table: Table) -> Mapping[Seat, str]:
        names: Names = (await self._stories.current(caller, match)).story.names
        seats = {seat: names.seat(seat) for seat in table.seats}
        return {**seats, ARBITER: "Arbiter (the operator's key)"} if self._is_operator_allowed else seats

    async def sit(self, request: Request) -> Response:
        """Show the form with which a seat is proved."""
        return await self._unproved(request, await self._wanted(request), status=200)

    async def prove(self, request: Request) -> Response:
        """Keep the secret of a seat for this browser if it proves the seat."""
        fields = await self._form(request)
        match, seat, secret = (
            MatchId(request.path_params["match"]),
            fields.get("seat", ""),
            fields.get("secret", "").strip(),
        )
        if seat == ARBITER and not self._is_operator_allowed:
            raise PageFault(no_operator("The operator's key is not taken here."))
        if wait := self._proofs.wait_s(address_of(request)):
            advice = f"Try again in {ceil(wait)} seconds."
            raise PageFault(
                Fault(429, "Too many tries", "So many secrets were tried from your address.", advice, ceil(wait))
            )
        visitor = visitor_of(request)
        caller = self._gateway.caller({(match, Seat(seat)): secret})
        wanted = Wanted(match, None, Seat(seat))
        try:
            await caller.state(match, Seat(seat))
        except RequestFailed as error:
            if error.code not in ("not_your_seat", "bad_token"):
                raise
            return await self._unproved(request, wanted, fault_of(error).what)
        visitor = self._sessions.prove(visitor, match, Seat(seat), secret)
        return with_cookie(request, RedirectResponse(at_match(match, seat=Seat(seat)), 303), visitor)

    async def take(self, request: Request) -> Response:
        """Take a free seat, and show the link that proves it from now on."""
        fields = await self._form(request)
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat", ""))
        caller = self._caller(request)
        try:
            taken = await caller.take_seat(match, seat, fields.get("name", "").strip())
        except RequestFailed as error:
            if error.code not in NOT_PLAYED:
                raise
            return await self._unproved(request, Wanted(match, None, seat), not_played(error), status=409)
        visitor = self._sessions.prove(visitor_of(request), match, seat, taken.token)
        names = (await self._stories.current(caller, match)).story.names
        return with_cookie(request, page_answer(seated_page(match, seat, names.seat(seat), taken.token)), visitor)

    async def play(self, request: Request) -> Response:
        """Play an option of a seat, take its last command back, or resign.

        A form that is sent twice is played once, because it holds the key of its command.
        """
        fields = await self._form(request)
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat", ""))
        caller = self._caller(request)
        try:
            await carry_out(caller, match, seat, request.url.path.rpartition("/")[2], fields)
        except RequestFailed as error:
            if error.code in ("not_your_seat", "bad_token"):
                return await self._unproved(request, Wanted(match, None, seat), fault_of(error).what)
            if error.code not in NOT_PLAYED:
                raise
            wanted = Wanted(match, None, seat)
            kept = await self._stories.current(caller, match, seat)
            return page_answer(match_page(await self._sight(request, wanted, kept, not_played(error))), 409)
        return RedirectResponse(at_match(match, seat=seat), 303)

    async def forget(self, request: Request) -> Response:
        """Forget the secret of a seat."""
        fields = await self._form(request)
        match = MatchId(request.path_params["match"])
        self._sessions.forget(visitor_of(request), match, Seat(fields.get("seat", "")))
        return RedirectResponse(of_match(match, "sit"), 303)

    async def _form(self, request: Request) -> Mapping[str, str]:
        """Return the fields of a form that was made here for this visitor.

        Raises:
            PageFault: It was not.
        """
        if not is_same_origin(request):
            raise PageFault(
                Fault(
                    403,
                    "The form came from another site",
                    "A form is taken only from a page of this server.",
                    "Open the page here, and send the form again.",
                )
            )
        fields = fields_of(await request.body())
        if not self._sessions.is_own_form(visitor_of(request), fields.get("token", "")):
            raise PageFault(
                Fault(
                    403,
                    "The form is too old",
                    "The form was not made for this browser, or before the server was started again.",
                    "Go back, load the page again, and send the form again. Cookies have to be allowed.",
                )
            )
        return fields

    async def news(self, request: Request) -> Response:
        """Send news of a match as they happen; a browser that was cut off tells the last one that it has."""
        wanted = await self._wanted(request)
        after = number_of(request.headers.get("last-event-id", request.query_params.get("after", "")))
        address = address_of(request)
        if after is None:
            raise PageFault(no_such_page(request.url.path))
        if self._streams[address] >= STREAMS_MAX:
            advice = "Close some of them."
            raise PageFault(Fault(429, "Too many pages", f"Your address follows {STREAMS_MAX} pages.", advice, 60))
        caller = self._caller(request)
        await self._stories.current(caller, wanted.match, wanted.seat)
        events = stream(self._stories, self._watches, caller, wanted.match, wanted.seat, after=after)
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return StreamingResponse(self._counted(events, address), 200, headers, "text/event-stream")

    async def _counted(self, events: AsyncIterator[bytes], address: str) -> AsyncIterator[bytes]:
        self._streams[address] += 1
        try:
            async for event in events:
                yield event
        finally:
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]

    async def archive(self, request: Request) -> Response:
        """Send the archive of a match."""
        wanted = await self._wanted(request)
        lines = await archive(self._caller(request), wanted.match, wanted.seat)
        return file_answer(lines, f"{wanted.match}.ndjson")

    async def view(self, request: Request) -> Response:
        """Send what a seat has seen as a file."""
        wanted = await self._wanted(request)
        kept = await self._stories.current(self._caller(request), wanted.match, wanted.seat)
        story = kept.story
        lines = b"".join(view_lines(wanted.match, wanted.seat, story.now, story.stream()))
        return file_answer(lines, f"{wanted.match}-{wanted.seat}.ndjson")
