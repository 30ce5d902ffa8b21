"""The addresses of notices: the contacts of a seat, the links in notices, and the feed of a match."""

import asyncio
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from core.telling.chosen_options import title_of
from events.ids import PUBLIC, MatchId, Seat
from server.page_parts.story import Story
from server.web.backend.services import Services
from server.web.http.addresses import of_match
from server.web.http.cookies import visitor_of
from server.web.http.faults import Fault, PageFault, no_such_page, too_many
from server.web.http.page_frame import message_page
from server.web.http.rate_limits import Rates
from server.web.http.requests import address_of, fields_of, number_of
from server.web.http.responses import page_answer
from server.web.notices.contacts import ContactRefused, parse_contact
from server.web.notices.notice_book import Entry
from server.web.notices.notices import Notices
from server.web.pages.match_feed import feed
from server.web.pages.notice_page import contact_page, notices_page
from server.web.routes.request_context import RequestContext, Viewpoint

ADDED, ADDED_PER_S = 5.0, 1 / 720
"""How many contacts an address may add: at once, and each second (five an hour)."""


class NoticeRoutes:
    """The pages of notices and the feed of a match.

    Args:
        services: The services of the pages.
        notices: The notices; None where the operator has not turned them on.
    """

    def __init__(self, services: Services, notices: Notices | None) -> None:
        self._services = services
        self._notices = notices
        self._added = Rates(services.clock, most=ADDED, per_s=ADDED_PER_S)

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/m/{match}/feed.atom", self.feed, methods=["GET"]),
            Route("/m/{match}/notices", self.contacts, methods=["GET"]),
            Route("/m/{match}/notices", self.change, methods=["POST"]),
            Route("/notices/{link}", self.linked, methods=["GET"]),
            Route("/notices/{link}", self.decide, methods=["POST"]),
        ]

    async def feed(self, request: Request) -> Response:
        """Send what has happened in a match lately as a feed, as everybody sees it."""
        context = RequestContext(self._services, request)
        viewpoint = await context.viewpoint()
        story = (await context.story(Viewpoint(viewpoint.match, None, PUBLIC))).story
        text = feed(story, str(request.base_url).rstrip("/"))
        etag = f'"{sha256(text).hexdigest()[:32]}"'
        headers = {"cache-control": "no-cache", "etag": etag}
        if etag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(text, headers=headers, media_type="application/atom+xml")

    async def contacts(self, request: Request) -> Response:
        """Show the contacts of a seat."""
        context = RequestContext(self._services, request)
        viewpoint = await context.viewpoint()
        return await self._shown(context, viewpoint)

    async def change(self, request: Request) -> Response:
        """Add or remove a contact of a seat."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        viewpoint = Viewpoint(MatchId(request.path_params["match"]), None, Seat(fields.get("seat", "")))
        holder, _ = await self._held(context, viewpoint)
        notices = self._on()
        own = {one.number for one in notices.of_seat(viewpoint.match, viewpoint.seat, holder)}
        if (number := number_of(fields.get("remove", ""))) is not None:
            if number in own:
                notices.book.remove(number)
        else:
            try:
                # A mistyped address is refused before it counts.
                parse_contact(fields.get("contact", ""))
                if wait := self._added.wait_s(address_of(request)):
                    raise too_many("Too many contacts", "Many were added from your address.", wait)
                # A machine that answers slowly must not delay other pages.
                await asyncio.to_thread(notices.add, viewpoint.match, viewpoint.seat, holder, fields.get("contact", ""))
            except ContactRefused as error:
                said = str(error)
                return await self._shown(context, viewpoint, f"{said[:1].upper()}{said[1:]}.", status=422)
        return RedirectResponse(of_match(viewpoint.match, "notices", viewpoint.seat), 303)

    async def _shown(
        self, context: RequestContext, viewpoint: Viewpoint, said: str = "", status: int = 200
    ) -> Response:
        holder, story = await self._held(context, viewpoint)
        notices = self._on()
        token = self._services.sessions.form_token(visitor_of(context.request))
        entries = notices.of_seat(viewpoint.match, viewpoint.seat, holder)
        page = notices_page(
            viewpoint.match, viewpoint.seat, _played(story), entries, token, reaches=notices.reaches, said=said
        )
        return page_answer(page, status)

    async def _held(self, context: RequestContext, viewpoint: Viewpoint) -> tuple[str, Story]:
        """Return the credential of a seat that the visitor has proved, and its story.

        Raises:
            NotProved: It is not proved.
        """
        story = (await context.story(viewpoint)).story
        holder = story.now.credentials.get(viewpoint.seat)
        if holder is None:
            raise PageFault(Fault(409, "Nobody to tell", "Only the player of a seat is told.", "Take a seat first."))
        return holder, story

    def _on(self) -> Notices:
        if self._notices is None:
            advice = "Its operator turns them on with --notices."
            raise PageFault(Fault(404, "No notices here", "This server sends no notices.", advice))
        return self._notices

    # The links in notices

    async def linked(self, request: Request) -> Response:
        """Show what the owner of a contact can do with it."""
        entry = self._entry(request)
        played = await self._title(RequestContext(self._services, request), entry)
        return page_answer(contact_page(entry, request.url.path, played))

    async def decide(self, request: Request) -> Response:
        """Confirm or remove a contact, as a button of its page says, or a mail program's own button."""
        entry, book = self._entry(request), self._on().book
        fields = fields_of(await request.body())
        do = fields.get("do") or ("leave" if fields.get("List-Unsubscribe") == "One-Click" else "")
        if do == "confirm":
            book.confirm(entry.number)
            return page_answer(message_page("Confirmed", "You will be told when it is your turn.", None))
        if do == "leave":
            book.remove(entry.number)
            return page_answer(message_page("Removed", "There will be no more notices of this match.", None))
        if do == "block":
            book.block(entry.contact.address)
            return page_answer(message_page("Removed", "This server will send nothing to this address again.", None))
        raise PageFault(Fault(400, "Not understood", "The form names nothing to do.", "Go back, and choose a button."))

    def _entry(self, request: Request) -> Entry:
        entry = self._on().book.linked(str(request.path_params["link"]))
        if entry is None:
            raise PageFault(no_such_page(request.url.path))
        return entry

    async def _title(self, context: RequestContext, entry: Entry) -> str:
        found = [one for one in await context.caller.matches_like(entry.match) if one.match == entry.match]
        return title_of(found[0].game) if found else f"match {entry.match}"


def _played(story: Story) -> str:
    return title_of(story.now.game)
