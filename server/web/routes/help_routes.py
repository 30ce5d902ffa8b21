"""Pages that say how games are played: one for each game, and one beside each table."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from core.drawing.thumbnail import thumbnail_document
from core.errors import RulesetMissing, UnknownName
from core.game.game_record import Game
from core.game_files.rule_search import QUERY_CHARACTERS_MAX, search_rules
from core.game_files.rulebook import load_rulebook
from core.match.bound_games import bound_game, is_on_shipped_board
from core.registry.games import game_keys, load_game, typed_key
from core.telling.cited_rules import RuleBooks
from events.ids import PUBLIC, RuleId
from events.vocabulary import DecisionOpened
from projections.chronicle import Heading
from projections.state.table import Open
from server.page_parts.story import Story
from server.web.backend.services import Services
from server.web.backend.thumbnails import card_of
from server.web.http.addresses import at_match, of_match
from server.web.http.cookies import visitor_of, with_visitor
from server.web.http.faults import PageFault, no_such_page
from server.web.http.responses import page_answer
from server.web.http.sessions import new_id
from server.web.learning.cards import cards_section
from server.web.learning.player_aid import advice, aid_of
from server.web.pages.help_page import Help, Question, help_page, learn_page
from server.web.routes.request_context import RequestContext, Viewpoint


class HelpRoutes:
    """The pages that say how a game is played.

    Args:
        services: The services of the pages.
    """

    def __init__(self, services: Services) -> None:
        self._services = services

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/learn", self.games, methods=["GET"]),
            Route("/learn/{game}", self.game, methods=["GET"]),
            Route("/learn/{game}/card.svg", self.card, methods=["GET"]),
            Route("/m/{match}/help", self.table, methods=["GET"]),
        ]

    async def games(self, request: Request) -> Response:
        """Show the games."""
        return page_answer(learn_page([load_game(key) for key in game_keys()]))

    async def game(self, request: Request) -> Response:
        """Show how a game is played, and what was searched in its rules."""
        game = _game(request, str(request.path_params["game"]))
        visitor = visitor_of(request) or new_id()
        token = self._services.sessions.form_token(visitor)
        shown = _help(request, game, f"/learn/{typed_key(game.key)}")._replace(
            token=token, form_key=new_id(), cards=cards_section(bound_game(game.key, None))
        )
        return with_visitor(request, page_answer(help_page(shown)), visitor)

    async def card(self, request: Request) -> Response:
        """Send a picture of a position of a game, without text."""
        game = _game(request, str(request.path_params["game"]))
        svg = thumbnail_document(card_of(game.key))
        return Response(svg, headers={"cache-control": "max-age=3600"}, media_type="image/svg+xml")

    async def table(self, request: Request) -> Response:
        """Show how the game of a match is played, with the rule of its open question."""
        context = RequestContext(self._services, request)
        viewpoint = await context.viewpoint()
        cached = await context.story(viewpoint)
        story, now = cached.story, cached.story.now
        game = _game(request, now.game)
        board = None if is_on_shipped_board(now) else await context.caller.board(story.match, story.seat)
        rule = _rule_asked(story, now.top)
        shown = _help(request, game, of_match(story.match, "help"))._replace(
            aid=aid_of(game.key, board),
            back=at_match(story.match, None, story.seat),
            seat="" if story.seat == PUBLIC else str(story.seat),
            question=_question(story, rule, viewpoint),
            rule=RuleBooks(game.key).find(rule) if rule else None,
            cards=None if cached.bound is None else cards_section(cached.bound),
        )
        return page_answer(help_page(shown))


def _game(request: Request, key: str) -> Game:
    """Return a game that is installed.

    Raises:
        PageFault: It is not.
    """
    try:
        return load_game(key)
    except (UnknownName, RulesetMissing):
        raise PageFault(no_such_page(request.url.path)) from None


def _help(request: Request, game: Game, to: str) -> Help:
    query = request.query_params.get("q", "").strip()[:QUERY_CHARACTERS_MAX]
    book = load_rulebook(game.package)
    found = search_rules(book, query) if query else ()
    return Help(game.title, game.key, aid_of(game.key), book, to, query, found)


def _question(story: Story, rule: RuleId, viewpoint: Viewpoint) -> Question | None:
    """Return the open question as the viewer sees it; None if there is none."""
    now = story.now
    if now.top is None or now.ended is not None or story.narration is None:
        return None
    names = story.names.on(now)
    is_own = bool(now.top.seat) and now.top.seat == viewpoint.seat
    return Question(
        names.narration.question(now, now.top),
        is_own,
        rule,
        advice(now) if is_own else "",
        now.phase,
        now.turn,
        story.heading(Heading.of(now)),
    )


def _rule_asked(story: Story, top: Open | None) -> RuleId:
    """Return the rule under which the open question was asked last; empty if that is not known."""
    if top is None:
        return RuleId("")
    opened = (one for one in reversed(story.events) if isinstance(one, DecisionOpened) and one.kind == top.kind)
    found = next(opened, None)
    return RuleId("") if found is None else found.rule
