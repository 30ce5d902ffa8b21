"""The pages around the matches: home, the list of matches, a new match, and thumbnails."""

from collections.abc import Mapping, Sequence
from math import ceil

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from core.errors import SetupInvalid
from core.registry.games import game_key
from events.ids import PUBLIC, MatchId, Seat
from projections.catalogue import MatchSummary
from server.protocol.errors import RequestFailed
from server.web.backend.lobby_games import OfferedBoard, lightest_game, lobby_games
from server.web.backend.new_match import (
    GUEST,
    FieldWrong,
    NewMatch,
    check_fields,
    drawn,
    not_understood,
    open_new,
    rematch_of,
    wish_of,
)
from server.web.backend.services import Services
from server.web.backend.thumbnails import card_of
from server.web.http.addresses import at_match
from server.web.http.cookies import player_of, visitor_of, with_player, with_session, with_visitor, without_cookies
from server.web.http.faults import PageFault, no_such_page, too_many
from server.web.http.rate_limits import Rates
from server.web.http.requests import address_of, number_of
from server.web.http.responses import page_answer
from server.web.http.sessions import new_id
from server.web.pages.home_page import Home, home_page, is_own_turn
from server.web.pages.list_page import KINDS, PER_PAGE, Shown, list_page
from server.web.pages.lobby_frame import QUERY_MAX
from server.web.pages.new_page import Wrong, new_page
from server.web.routes.page_loader import KEY_DIGITS
from server.web.routes.request_context import RequestContext

OPENS, OPENS_PER_S = 20.0, 1 / 30
"""How many matches an address may open: at once, and each second."""
NOT_OPENED = frozenset(("setup_invalid", "unknown_option", "malformed", "refused", "not_possible", "unknown_name"))
"""The codes of failures after which the form of a new match is shown again."""


class LobbyRoutes:
    """The pages around the matches.

    Args:
        services: The services of the pages.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._opens = Rates(services.clock, most=OPENS, per_s=OPENS_PER_S)

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/", self.home, methods=["GET"]),
            Route("/matches", self.list, methods=["GET"]),
            Route("/new", self.new, methods=["GET"]),
            Route("/new", self.open, methods=["POST"]),
            Route("/forget", self.forget, methods=["POST"]),
            Route("/m/{match}/rematch", self.rematch, methods=["POST"]),
            Route("/m/{match}/thumb.svg", self.thumbnail, methods=["GET"]),
        ]

    async def home(self, request: Request) -> Response:
        """Show what can be played, the visitor's matches, and what goes on."""
        context = RequestContext(self._services, request)
        every = await self._services.match_list.matches(context.caller)
        whole = [match for match in reversed(every) if not match.problem]
        policies = await self._services.bots.all(context.caller)
        games = lobby_games(every, policies)
        own = own_matches(context, whole)
        mine = {match.match for match, _ in own}
        live = [match for match in whole if match.began and match.ended is None and match.match not in mine]
        finished = sorted(
            [match for match in whole if match.began and match.ended is not None], key=lambda match: -match.ended_at
        )
        visitor = visitor_of(request) or new_id()
        home = Home(
            games=games,
            cards={game.record.key: card_of(game.record.key) for game in games},
            own=own,
            live=sorted(live, key=lambda match: -match.waiting.since),
            finished=finished,
            token=self._services.sessions.form_token(visitor),
            key=new_id(),
            now_ms=self._services.clock.now_ms(),
        )
        return with_visitor(request, page_answer(home_page(home)), visitor)

    async def list(self, request: Request) -> Response:
        """Show the list of matches."""
        context = RequestContext(self._services, request)
        every = await self._services.match_list.matches(context.caller)
        asked = request.query_params
        shown = Shown(game_key(asked.get("game", "")), asked.get("of", ""), asked.get("q", "").strip()[:QUERY_MAX])
        games = sorted({match.game for match in every if match.game})
        found = [match for match in reversed(every) if self._is_shown(context, match, shown)]
        pages = max(1, ceil(len(found) / PER_PAGE))
        number = number_of(asked.get("page", "1")) or 0
        is_known = shown.of in dict(KINDS) and (not shown.game or shown.game in games)
        if not 1 <= number <= pages or not is_known:
            raise PageFault(no_such_page(f"{request.url.path}?{request.url.query}"))
        part = found[(number - 1) * PER_PAGE : number * PER_PAGE]
        audits = {one.match: audit for one in part if (audit := self._services.audits.last(one.match)) is not None}
        return page_answer(list_page(part, audits, games=games, shown=shown, number=number, pages=pages))

    def _is_shown(self, context: RequestContext, match: MatchSummary, shown: Shown) -> bool:
        """Return whether a match is among those that are listed."""
        if shown.game and match.game != shown.game:
            return False
        if shown.of == "mine" and not context.proved(match.match):
            return False
        if shown.of == "live" and not (match.began and match.ended is None):
            return False
        if shown.of == "over" and match.ended is None:
            return False
        return not shown.query or is_found(match, shown.query)

    async def new(self, request: Request) -> Response:
        """Show the form of a new match."""
        context = RequestContext(self._services, request)
        asked = {"name": player_of(request), **request.query_params}
        wish = wish_of({**asked, "game": asked.get("game") or lightest_game()})
        try:
            self._board(wish)
        except FieldWrong as error:
            return await self._asked(context, wish, error)
        return await self._asked(context, wish)

    def _board(self, wish: NewMatch) -> OfferedBoard | None:
        """Return the board that is wished for; None for that of the game.

        Raises:
            FieldWrong: The server does not offer it.
        """
        try:
            return self._services.boards.find(wish.game.key, wish.board)
        except SetupInvalid as error:
            raise FieldWrong("board", str(error)) from None

    async def _asked(self, context: RequestContext, wish: NewMatch, refused: Exception | None = None) -> Response:
        """Return the form of a new match, with what was wrong with it before beside the field that it is about."""
        request = context.request
        why = "" if refused is None else not_understood(str(refused)).what
        every = await self._services.match_list.matches(context.caller)
        policies = await self._services.bots.all(context.caller)
        visitor = visitor_of(request) or new_id()
        text = new_page(
            wish,
            lobby_games(every, policies),
            card=card_of(wish.game.key),
            token=self._services.sessions.form_token(visitor),
            key=new_id(),
            boards=[one.name for one in self._services.boards.of(wish.game.key)],
            wrong=Wrong(refused.field if isinstance(refused, FieldWrong) else "", why),
        )
        return with_visitor(request, page_answer(text, 400 if refused else 200), visitor)

    async def open(self, request: Request) -> Response:
        """Open a match as a form wishes, seat the visitor and the bots, and go to the table.

        A form that is sent twice opens one match: its id follows from the form.
        """
        context = RequestContext(self._services, request)
        fields = await context.form()
        wish = wish_of({"name": player_of(request), **fields})
        return await self._opened(context, wish, visitor_of(request), fields.get("key", ""))

    async def rematch(self, request: Request) -> Response:
        """Open another match as one that is over, with changed sides, and go there.

        Its id and the secrets of its seats follow from the match that is over, not from the form: whoever has played it comes to the same rematch.
        """
        context = RequestContext(self._services, request)
        await context.form()
        match = MatchId(request.path_params["match"])
        table = (await context.caller.state(match)).table
        own = [seat for seat in table.seats if seat in context.proved(match)]
        if table.ended is None or not own:
            why = "a rematch is for those who have played a match that is over"
            raise PageFault(not_understood(why)._replace(status=409))
        policies = await self._services.bots.policies(context.caller, table.game)
        name = table.players.get(own[0], "") or player_of(request)
        wish = rematch_of(table, own, policies, name, self._services.boards.of_match(table))
        return await self._opened(context, wish, "", match, of=match)

    async def _opened(
        self, context: RequestContext, wish: NewMatch, visitor: str, key: str, *, of: MatchId | None = None
    ) -> Response:
        """Open a match and go there; a wish that is refused is answered with the form.

        Args:
            context: The request.
            wish: The match that the visitor wishes for.
            visitor: The id of the visitor from whom the id and the secrets follow; empty if they follow from the key alone.
            key: What opens one match, however often it is sent.
            of: The match of which it is a rematch, or None.
        """
        request = context.request
        if wait := self._opens.wait_s(address_of(request)):
            advice = "; your matches that wait for you are on the home page"
            raise too_many("Too many new matches", "Many were opened from your address.", wait, advice)
        sessions = self._services.sessions
        form = (key, wish.game.key, wish.against)
        asked, wish = wish, drawn(wish, int(sessions.derived(visitor, "lot", *form), 16))

        def secret_of(match: MatchId, seat: Seat) -> str:
            return sessions.derived(visitor, "seat", match, seat, *form)

        try:
            check_fields(wish, await self._services.bots.policies(context.caller, wish.game.key))
            match, taken = await open_new(
                context.caller,
                wish,
                board=self._board(wish),
                key=sessions.derived(visitor, "open", *form)[:KEY_DIGITS],
                secret_of=secret_of,
                visitor=address_of(request),
                now_ms=self._services.clock.now_ms(),
            )
        except (SetupInvalid, RequestFailed) as error:
            if isinstance(error, RequestFailed) and error.code not in NOT_OPENED:
                raise
            # A refused wish counts among the requests of the address, not among its matches.
            self._opens.give_back(address_of(request))
            return await self._asked(context, asked, error)
        self._services.match_list.forget()
        proved = [secret for (one, _), secret in sessions.secrets(context.session).items() if one == of]
        await self._services.own_seats.follow(proved, match, taken)
        session = context.session
        for seat, secret in taken.items():
            session = sessions.prove(session, match, seat, secret)
        decider = (await context.caller.legal(match, words=False)).to_move
        shown = decider if decider in taken else next(iter(taken), PUBLIC)
        response: Response = RedirectResponse(at_match(match, seat=shown), 303)
        if wish.name != GUEST:
            response = with_player(request, response, wish.name)
        return with_session(request, response, session) if taken else response

    async def forget(self, request: Request) -> Response:
        """Forget all that is known of the visitor's browser: the seats that it has proved, and its cookies."""
        context = RequestContext(self._services, request)
        await context.form()
        self._services.sessions.forget_all(context.session)
        return without_cookies(request, RedirectResponse("/", 303))

    async def thumbnail(self, request: Request) -> Response:
        """Send a picture of a match without text, as everybody sees it; an empty one of a match that cannot be drawn."""
        context = RequestContext(self._services, request)
        match = MatchId(request.path_params["match"])
        svg = await self._services.thumbnails.document_of(context.caller, match)
        return Response(svg, headers={"cache-control": "no-cache"}, media_type="image/svg+xml")


def own_matches(context: RequestContext, matches: Sequence[MatchSummary]) -> list[tuple[MatchSummary, Sequence[Seat]]]:
    """Return the matches of which the browser has proved seats, with these: those that wait for the visitor, others that go on, those that are over."""
    seats: dict[MatchId, list[Seat]] = {}
    for match, seat in context.services.sessions.secrets(context.session):
        seats.setdefault(match, []).append(seat)
    found = [
        (match, own)
        for match in matches
        if (own := [seat for seat in match.seats if seat in seats.get(match.match, ())])
    ]

    def rank(one: tuple[MatchSummary, Sequence[Seat]]) -> tuple[int, int]:
        match, own = one
        return (0 if is_own_turn(match, own) else 2 if match.ended is not None else 1, -match.waiting.since)

    return sorted(found, key=rank)


def is_found(match: MatchSummary, query: str) -> bool:
    """Return whether a match has what is searched for in its id, its title, its game, or the name of a player; letters of both cases are alike."""
    known: Mapping[Seat, str] = match.players
    texts = (match.match, match.title, match.game.replace("_", " "), match.scenario, *known.values())
    return all(any(word in text.casefold() for text in texts) for word in query.casefold().split())
