"""The forms of seats: proving one, taking a free or a reserved one, playing it, and forgetting its secret."""

from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from events.codec import encode
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from server.protocol.errors import RequestFailed
from server.web.backend.actions import (
    ACTIONS,
    ASKED,
    CHOOSE,
    NOT_PLAYED,
    PLAY,
    WANTED,
    about_of,
    carry_out,
    items_of,
    not_played,
    typed_of,
)
from server.web.backend.gateway import Caller
from server.web.backend.services import Services
from server.web.http.addresses import at_match, of_match
from server.web.http.cookies import Confirmation, confirmation_of, visitor_of, with_confirmation, with_session
from server.web.http.faults import PageFault, fault_of, no_operator, too_many
from server.web.http.rate_limits import Rates
from server.web.http.requests import address_of, number_of
from server.web.http.responses import page_answer
from server.web.pages.match_page import match_page
from server.web.pages.seat_page import seated_page
from server.web.panels.confirmation import question_before
from server.web.panels.option_filter import still_chosen
from server.web.routes.browser_keys import JSON, BrowserKey, key_in
from server.web.routes.page_loader import KEY_DIGITS, load_page
from server.web.routes.request_context import NOT_PROVED, RequestContext, Viewpoint, proving
from server.web.routes.seat_denial import unproved

PROOFS, PROOFS_PER_S = 20.0, 0.2
"""How often an address may try to prove a seat in vain: at once, and each second. What proves it does not count: a whole club has one address."""
LATE = "If it was an invitation, it has expired, was withdrawn, or is of another match."
UNKNOWN = frozenset(("unknown_name", "unknown_seat"))
"""The codes of a bot or a seat that there is not."""
BOTS, BOTS_PER_S = 8.0, 1 / 60
"""How many bots an address may start: at once, and each second."""


class SeatRoutes:
    """The pages on which a seat is proved and played.

    Args:
        services: The services of the pages.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._proofs = Rates(services.clock, most=PROOFS, per_s=PROOFS_PER_S)
        self._bots = Rates(services.clock, most=BOTS, per_s=BOTS_PER_S)

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/m/{match}/sit", self.sit, methods=["GET"]),
            Route("/m/{match}/sit", self.prove, methods=["POST"]),
            Route("/m/{match}/leave", self.forget, methods=["POST"]),
            Route("/m/{match}/take", self.take, methods=["POST"]),
            Route("/m/{match}/link", self.link, methods=["POST"]),
            Route("/m/{match}/bot", self.bot, methods=["POST"]),
            Route("/m/{match}/offer", self.offer, methods=["POST"]),
            Route("/m/{match}/key", self.key, methods=["POST"]),
            Route("/m/{match}/ask", self.ask, methods=["POST"]),
            *(Route(f"/m/{{match}}/{name}", self.play, methods=["POST"]) for name in ACTIONS),
        ]

    async def sit(self, request: Request) -> Response:
        """Show the form with which a seat is proved."""
        context = RequestContext(self._services, request)
        return await unproved(context, await context.viewpoint(), status=200)

    async def prove(self, request: Request) -> Response:
        """Keep the secret of a seat for this browser if it proves the seat."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat, secret = (
            MatchId(request.path_params["match"]),
            fields.get("seat", ""),
            fields.get("secret", "").strip(),
        )
        if seat == ARBITER and not self._services.is_operator_allowed:
            raise PageFault(no_operator("The operator's key is not taken here."))
        if wait := self._proofs.wait_s(address_of(request)):
            raise too_many("Too many tries", "So many secrets were tried from your address.", wait)
        secret = self._services.own_seats.tickets.pop(secret, secret)
        caller = self._services.gateway.caller({(match, Seat(seat)): secret})
        viewpoint = Viewpoint(match, None, Seat(seat))
        if seat == PUBLIC:
            return await unproved(context, viewpoint, "No secret is needed to see a match as everybody does.")
        try:
            await caller.state(match, Seat(seat))
        except RequestFailed as error:
            if error.code not in NOT_PROVED:
                raise
            if seat in context.proved(match):
                # The link of an invitation, opened again in the browser that has taken the seat with it.
                return RedirectResponse(of_match(match, "sit", Seat(seat)), 303)
            player = (await caller.state(match)).table.players.get(Seat(seat))
            why = LATE if player is None else _taken_words(player)
            return await unproved(context, viewpoint, f"{fault_of(error).what} {why}")
        self._proofs.give_back(address_of(request))
        session = self._services.sessions.prove(context.session, match, Seat(seat), secret)
        return with_session(request, RedirectResponse(at_match(match, seat=Seat(seat)), 303), session)

    async def take(self, request: Request) -> Response:
        """Take a free seat, or a reserved one with its invitation, and go to the table.

        A form that is sent twice takes the seat once, and proves it both times: the secret follows from the form.
        """
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat", ""))
        name, invitation = fields.get("name", "").strip(), fields.get("invitation", "").strip()
        if invitation and (wait := self._proofs.wait_s(address_of(request))):
            raise too_many("Too many tries", "So many secrets were tried from your address.", wait)
        sessions = self._services.sessions
        secret = sessions.derived(visitor_of(request), "take", match, seat, fields.get("key", ""))
        caller = self._services.gateway.caller({(match, seat): secret})
        try:
            await caller.take_seat(match, seat, name, secret=secret, invitation=invitation)
        except RequestFailed as error:
            if error.code not in NOT_PLAYED:
                raise
            if not await _is_proved(caller, match, seat):
                why = not_played(error, "taken")
                return await unproved(
                    context, Viewpoint(match, None, seat), why, status=409, name=name, invitation=invitation
                )
        if invitation:
            self._proofs.give_back(address_of(request))
        session = sessions.prove(context.session, match, seat, secret)
        return with_session(request, RedirectResponse(at_match(match, seat=seat), 303), session)

    async def link(self, request: Request) -> Response:
        """Show the link of a seat that the visitor has proved, or that was taken for the visitor in a fork."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat", ""))
        secret = self._services.sessions.secrets(context.session).get((match, seat))
        if secret is None:
            return await unproved(context, Viewpoint(match, None, seat), "This browser has not proved the seat.")
        names = (await self._services.stories.begun(context.caller, match)).story.names
        return page_answer(seated_page(match, seat, names.seat(seat), secret))

    async def bot(self, request: Request) -> Response:
        """Let a bot of the server take a free seat and play it."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat", ""))
        if wait := self._bots.wait_s(address_of(request)):
            raise too_many("Too many bots", "Many were started from your address.", wait)
        key = self._services.sessions.derived(visitor_of(request), "bot", match, seat, fields.get("key", ""))
        invitations = context.invitations(match, (await context.caller.state(match)).table.reserved)
        try:
            await context.caller.seat_bot(
                match,
                seat,
                fields.get("policy", ""),
                invitation=invitations.get(seat, ""),
                key=key[:KEY_DIGITS],
                visitor=address_of(request),
            )
        except RequestFailed as error:
            if error.code not in NOT_PLAYED | UNKNOWN:
                raise
            return await unproved(context, Viewpoint(match, None, seat), not_played(error, "seated"), status=409)
        own = next(iter(context.proved(match)), PUBLIC)
        return RedirectResponse(at_match(match, seat=own), 303)

    async def offer(self, request: Request) -> Response:
        """Let anybody take a seat for which the visitor has given an invitation, which opens nothing from then on."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat", ""))
        invitation = context.invitations(match, (await context.caller.state(match)).table.reserved).get(seat, "")
        # A form that is sent twice finds the seat free.
        if invitation:
            await context.caller.leave(match, seat, invitation=invitation)
        own = next(iter(context.proved(match)), PUBLIC)
        return RedirectResponse(at_match(match, seat=own), 303)

    async def play(self, request: Request) -> Response:
        """Carry out a form of a seat: an option, taking back, resigning, a note, a standing answer.

        A form that is sent twice is played once, because it holds the key of its command.
        """
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat", ""))
        caller, what = context.caller, request.url.path.rpartition("/")[2]
        viewpoint, key = Viewpoint(match, None, seat), key_in(fields)
        if key is not None:
            caller.add_signer(match, seat, key)
        try:
            with proving(viewpoint):
                if question := await self._question_before(context, viewpoint, what, fields):
                    return RedirectResponse(question, 303)
                await carry_out(caller, match, seat, what, fields)
        except RequestFailed as error:
            if key is not None and key.missing and request.headers.get("accept") == JSON:
                return Response(encode(key.missing), 428, media_type=JSON)
            if error.code not in NOT_PLAYED | WANTED:
                raise
            cached = await self._services.stories.current(caller, match, seat)
            model = await load_page(context, viewpoint, cached, notice=not_played(error))
            decision = model.decision._replace(marked=items_of(fields))
            model = model._replace(broken=error.reply.rule or None)
            if error.code in WANTED:
                model, decision = model._replace(notice=""), decision._replace(typed=typed_of(what, fields, error))
            return page_answer(match_page(model._replace(decision=decision)), 409)
        about = await self._still_chosen(caller, match, seat, fields) if what == PLAY else ()
        return RedirectResponse(at_match(match, seat=seat, about=about), 303)

    async def _question_before(
        self, context: RequestContext, viewpoint: Viewpoint, what: str, fields: Mapping[str, str]
    ) -> str:
        """Return the address of the page that asks about what a form plays; empty if it is to be played."""
        if what not in (PLAY, CHOOSE) or ASKED in fields or confirmation_of(context.request) is Confirmation.NEVER:
            return ""
        cached = await context.story(viewpoint)
        # A form of an earlier moment is refused.
        if cached.bound is None or number_of(fields.get("expected", "")) != cached.story.last:
            return ""
        legal = await context.caller.legal(viewpoint.match, viewpoint.seat, words=False)
        if (legal.seq, legal.to_move) != (cached.story.last, viewpoint.seat):
            return ""
        return question_before(cached.story, cached.bound, legal, what, fields)

    async def _still_chosen(
        self, caller: Caller, match: MatchId, seat: Seat, fields: Mapping[str, str]
    ) -> Sequence[str]:
        """Return what stays chosen after the command of a form."""
        about, before = about_of(fields), number_of(fields.get("expected", ""))
        if not about or before is None:
            return ()
        cached = await self._services.stories.current(caller, match, seat)
        legal = await caller.legal(match, seat, words=False)
        return still_chosen(cached.story, cached.bound, legal, about, before)

    async def key(self, request: Request) -> Response:
        """Let the visitor's browser sign for a seat from now on, or these pages again, if the browser has lost its key."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat", ""))
        viewpoint, public_key = Viewpoint(match, None, seat), fields.get("public_key", "")
        try:
            with proving(viewpoint):
                if public_key:
                    await context.caller.register_key(match, seat, BrowserKey(public_key, {}), holder="")
                else:
                    await context.caller.register_key(match, seat, is_lost=True)
        except RequestFailed as error:
            if error.code not in NOT_PLAYED:
                raise
            cached = await self._services.stories.current(context.caller, match, seat)
            model = await load_page(context, viewpoint, cached, notice=not_played(error, "registered"))
            return page_answer(match_page(model), 409)
        return RedirectResponse(at_match(match, seat=seat), 303)

    async def ask(self, request: Request) -> Response:
        """Keep before which commands the visitor wants to be asked."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat", ""))
        return with_confirmation(
            request, RedirectResponse(at_match(match, seat=seat), 303), Confirmation.of(fields.get("asking"))
        )

    async def forget(self, request: Request) -> Response:
        """Forget the secret of a seat."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match = MatchId(request.path_params["match"])
        self._services.sessions.forget(context.session, match, Seat(fields.get("seat", "")))
        return RedirectResponse(of_match(match, "sit"), 303)


def _taken_words(player: str) -> str:
    """Return why an invitation to a seat opens nothing that a player has; the host may have given the seat away without it, or to a bot."""
    return (
        f"If it was an invitation, it opens nothing any more: {player or 'somebody'} has the seat. "
        "Who has taken it has a link and a secret of their own."
    )


async def _is_proved(caller: Caller, match: MatchId, seat: Seat) -> bool:
    """Return whether what a caller knows proves a seat."""
    try:
        await caller.state(match, seat)
    except RequestFailed:
        return False
    return True
