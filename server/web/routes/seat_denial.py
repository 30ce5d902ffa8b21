"""Answers to a visitor who has not proved a seat: the form with which it is proved or taken."""

from collections.abc import Mapping

from starlette.responses import Response

from core.telling.chosen_options import played_title, title_of
from core.telling.names import Names
from events.ids import ARBITER, MatchId, Seat
from projections.state.offices import still_reserved
from projections.state.table import Table
from server.protocol.errors import RequestFailed
from server.protocol.identity import credential
from server.web.backend.story_cache import CachedStory
from server.web.backend.thumbnails import card_of
from server.web.http.cookies import visitor_of, with_visitor
from server.web.http.faults import fault_of
from server.web.http.requests import is_from_elsewhere
from server.web.http.responses import page_answer
from server.web.http.sessions import new_id
from server.web.pages.seat_page import sit_page
from server.web.pages.waiting_page import Waiting, waiting_page
from server.web.routes.request_context import NOT_PROVED, NotProved, RequestContext, Viewpoint

OWN_SEATS = (
    "This is a fork, and its seats have secrets of their own: those of the match from which it comes do not prove them."
)


async def denied(context: RequestContext, error: NotProved) -> Response:
    """Answer a visitor who may not see a seat with the reason, and with the form with which the seat is proved or taken.

    A secret that no longer proves the seat is forgotten.
    """
    viewpoint = error.viewpoint
    if error.code == "bad_token":
        context.services.sessions.forget(context.session, viewpoint.match, viewpoint.seat)
    why = fault_of(error).what
    if is_from_elsewhere(context.request):
        why = f"{why} If this browser has proved the seat, load the page again: what it has proved is not sent with a link of another site."
    return await unproved(context, viewpoint, why)


async def unproved(
    context: RequestContext,
    viewpoint: Viewpoint,
    why: str = "",
    status: int = 403,
    *,
    name: str = "",
    invitation: str = "",
) -> Response:
    """Answer with the form with which a seat is proved or taken; `name` and `invitation` are what was typed there before.

    Only an invitation that opens the seat is kept: another one has to be replaced.
    """
    services, match = context.services, viewpoint.match
    table = (await context.caller.state(match)).table
    why = f"{why} {OWN_SEATS}" if why and table.parent else why
    seats = await _seats(context, match, table)
    reserved = still_reserved(table.reserved, services.clock.now_ms())
    opened = reserved.get(viewpoint.seat)
    visitor = visitor_of(context.request) or new_id()
    text = sit_page(
        match,
        seats,
        free=[seat for seat in table.seats if seat not in table.players and seat not in reserved],
        reserved={seat: one.name for seat, one in reserved.items() if seat in table.seats},
        played=f"{title_of(table.game)}, {played_title(table.game, table.scenario, table.mode)}",
        policies=await services.bots.policies(context.caller, table.game),
        chosen=viewpoint.seat,
        proved=await _still_proved(context, match, viewpoint.seat),
        token=services.sessions.form_token(visitor),
        key=new_id(),
        table=table,
        card=card_of(table.game),
        given=context.invitations(match, reserved),
        why=why,
        name=name,
        invitation=invitation if opened is not None and opened.credential == credential(invitation) else "",
    )
    return with_visitor(context.request, page_answer(text, status), visitor)


async def _still_proved(context: RequestContext, match: MatchId, seat: Seat) -> list[Seat]:
    """Return the seats that the visitor has proved; not the one that is asked about if its secret no longer proves it."""
    proved = context.proved(match)
    if seat in proved:
        try:
            await context.caller.state(match, seat)
        except RequestFailed as error:
            if error.code not in NOT_PROVED:
                raise
            proved.remove(seat)
    return proved


async def waiting_answer(context: RequestContext, viewpoint: Viewpoint, cached: CachedStory, visitor: str) -> Response:
    """Answer with the page of a match that waits for players."""
    services, now, names, url = context.services, cached.story.now, cached.story.names, context.request.url
    reserved = still_reserved(now.reserved, services.clock.now_ms())
    waiting = Waiting(
        match=viewpoint.match,
        table=now,
        reserved=reserved,
        invitations=context.invitations(viewpoint.match, reserved),
        seats={seat: names.seat(seat) for seat in now.seats},
        played=played_title(now.game, now.scenario, now.mode),
        proved=[seat for seat in context.proved(viewpoint.match) if seat in now.players],
        policies=await services.bots.policies(context.caller, now.game),
        card=card_of(now.game),
        site=f"{url.scheme}://{context.request.headers.get('host', '')}",
        token=services.sessions.form_token(visitor),
        key=new_id(),
        last=cached.story.last,
        seat=viewpoint.seat,
    )
    return page_answer(waiting_page(waiting))


async def _seats(context: RequestContext, match: MatchId, table: Table) -> Mapping[Seat, str]:
    names: Names = (await context.services.stories.begun(context.caller, match)).story.names
    seats = {seat: names.seat(seat) for seat in table.seats}
    return {**seats, ARBITER: "Arbiter (the operator's key)"} if context.services.is_operator_allowed else seats
