"""Loads the page of a match: asks for all that it shows, part by part."""

from collections.abc import Sequence
from contextlib import suppress

from core.engine.command import Command
from core.engine.selection import Choose
from core.odds.odds_lines import Odds
from core.odds.odds_text import LEADS_TO_ROLL
from core.odds.option_odds import OptionOdds
from projections.state.seating import is_over, part_of
from server.protocol.errors import RequestFailed, TimedOut
from server.web.backend.actions import CHANGE, items_of
from server.web.backend.event_explanation import Explanation, explained_event, explanation_of
from server.web.backend.playouts import Playouts
from server.web.backend.story_cache import CachedStory
from server.web.http.addresses import WEIGHING
from server.web.http.cookies import confirmation_of, is_map_whole, seen_of, visitor_of
from server.web.http.requests import address_of
from server.web.http.sessions import new_id
from server.web.panels.chance_bar import chances_wanted
from server.web.panels.fork_panel import listed_forks
from server.web.panels.page_model import Decision, Evidence, Forks, MapView, PageModel
from server.web.panels.whole_choices import mixes_to_weigh, settled
from server.web.routes.request_context import RequestContext, Viewpoint

KEY_DIGITS = 32
NOTHING_ROLLED = f"none of the options that are shown here {LEADS_TO_ROLL}"
REQUESTS_MAX = 5
"""How many requests for the chances of one page are made, one after the other."""
TRIES_MAX = 3
"""So many times a page of the present is begun while the match moves on; then it shows what it has, and its script is told of the rest."""


async def load_page(
    context: RequestContext,
    viewpoint: Viewpoint,
    cached: CachedStory,
    *,
    visitor: str = "",
    notice: str = "",
    is_forking: bool = False,
) -> PageModel:
    """Return what the page of a match shows: at the present one event, with the options after this event.

    Args:
        context: The request.
        viewpoint: What it names.
        cached: The story.
        visitor: The id of the visitor, by default that in the cookie.
        notice: What became of the visitor's command, if it was not carried out.
        is_forking: Whether the form that begins a fork is open.
    """
    visitor = visitor or visitor_of(context.request)
    if viewpoint.number is None and part_of(cached.story.now, viewpoint.seat, decides=True):
        # The pages hold the chain of the seat: what is due for the dice is opened before the visitor sees the page.
        await context.caller.do_part(viewpoint.match, viewpoint.seat, decides=True)
        await context.services.stories.current(context.caller, viewpoint.match, viewpoint.seat)
    made = await _loaded(context, viewpoint, cached, visitor, notice, is_forking=is_forking)
    for _ in range(TRIES_MAX - 1):
        if made.is_of_one_moment:
            break
        # Another visitor's request may have told the story on in the meantime, or the match may have.
        await context.services.stories.current(context.caller, viewpoint.match, viewpoint.seat)
        made = await _loaded(context, viewpoint, cached, visitor, notice, is_forking=is_forking)
    return made


async def _loaded(
    context: RequestContext, viewpoint: Viewpoint, cached: CachedStory, visitor: str, notice: str, *, is_forking: bool
) -> PageModel:
    services, story = context.services, cached.story
    match, moment, seat = viewpoint
    is_live = moment is None
    # Another request may tell the story on while this one waits.
    number = story.last if moment is None else moment
    decision = await _decision(context, viewpoint, cached, is_refused=bool(notice))
    forks = await _forks(context, viewpoint, cached, is_open=is_forking)
    state: list[str | int] = [match, seat, story.last, *(branch.entry.match for branch in forks.family)]
    head = await services.heads.head(context.caller, story)
    model = PageModel(
        story=story,
        number=number,
        is_live=is_live,
        bound=cached.bound,
        problem=cached.problem,
        installed=cached.installed if is_live else None,
        decision=decision,
        explanation=await _explanation(context, cached, number, head, is_live=is_live),
        evidence=Evidence(
            head,
            services.audits.last(match) if is_live else None,
            has_log=head is not None and await services.bots.has_log(context.caller),
        ),
        forks=forks,
        notice=notice,
        token=services.sessions.form_token(visitor),
        key=services.sessions.derived(visitor, "form", *state)[:KEY_DIGITS],
        seen=seen_of(context.request).before(match, seat, story.last),
        proved=context.proved(match),
        has_notices=services.has_notices,
        map_view=_map_view(context),
        playouts=playouts_of(context, cached) if is_live else Playouts(),
    )
    return await _weighed(context, viewpoint, settled(model))


async def _weighed(context: RequestContext, viewpoint: Viewpoint, model: PageModel) -> PageModel:
    """Return a page with the chances that it shows: of the option that is to be confirmed, or of those that it offers if the visitor asked for them.

    Without an answer in time it says that they are being counted; its script asks again.
    """
    is_weighing = context.request.query_params.get(WEIGHING) == "1"
    wanted = chances_wanted(model, is_weighing=is_weighing)
    if wanted is None:
        return model
    with suppress(RequestFailed, TimedOut):
        counted = await _counted(context, viewpoint, model, wanted)
        if counted is not None:
            odds = {one.number: one.odds for one in counted if one.odds is not None}
            problem = next((one.problem for one in counted if one.problem), "")
            why = "" if odds else problem or (NOTHING_ROLLED if is_weighing else "")
            model = model._replace(decision=model.decision._replace(odds=odds, no_odds=why))
            return await _with_mixes(context, viewpoint, model) if is_weighing else model
    return model._replace(decision=model.decision._replace(is_late=True))


async def _counted(
    context: RequestContext, viewpoint: Viewpoint, model: PageModel, wanted: Sequence[int] | Command
) -> list[OptionOdds] | None:
    """Return the chances of options, or of a whole choice; None if the match has moved on.

    One request tells those of as many options as its work allows, which are three if ways are taken at random: the others are asked for after it.
    """
    left, command = ((), wanted) if isinstance(wanted, Command) else (wanted, None)
    found: list[OptionOdds] = []
    for _ in range(REQUESTS_MAX):
        reply = await context.caller.odds(viewpoint.match, viewpoint.seat, left, command=command)
        if reply.seq != model.known:
            return None
        found += reply.options
        told = {one.number for one in reply.options}
        left = [one for one in left if one not in told]
        if not left or not told:
            break
    return found


async def _with_mixes(context: RequestContext, viewpoint: Viewpoint, model: PageModel) -> PageModel:
    """Return a page with the whole choices that it offers ready-made, as far as their chances are counted in time."""
    mixes: dict[tuple[str, ...], Odds] = {}
    for items in mixes_to_weigh(model):
        with suppress(RequestFailed, TimedOut):
            reply = await context.caller.odds(viewpoint.match, viewpoint.seat, (), command=Choose(items))
            odds = reply.options[0].odds
            if odds is not None and reply.seq == model.known:
                mixes[items] = odds
    return model._replace(decision=model.decision._replace(mixes=mixes))


async def _decision(
    context: RequestContext, viewpoint: Viewpoint, cached: CachedStory, *, is_refused: bool
) -> Decision:
    """Return the open decision; after a command that was not played nothing of it is chosen."""
    asked = context.request.query_params
    about, legal = list[str](), None
    if viewpoint.number is None and viewpoint.seat in cached.story.now.seats:
        about = [] if is_refused else [one for one in asked.getlist("about") if one]
        legal = await context.caller.legal(viewpoint.match, viewpoint.seat)
    return Decision(
        legal=legal,
        about=about,
        confirmation=confirmation_of(context.request),
        asked="" if is_refused else asked.get("choose", ""),
        marked=items_of(asked),
        is_changing=CHANGE in asked or WEIGHING in asked,
    )


def playouts_of(context: RequestContext, cached: CachedStory) -> Playouts:
    """Return the share of wins of a match that is over and whose rules are here; asking for it lets bots begin to play on."""
    story = cached.story
    if not is_over(story.now) or cached.bound is None:
        return Playouts()
    return context.services.playouts.of(context.caller, story.match, address_of(context.request))


def _map_view(context: RequestContext) -> MapView:
    asked = context.request.query_params
    said = {"1": True, "0": False}.get(asked.get("whole", ""))
    return MapView(asked.get("map", ""), is_whole=True if said is None and is_map_whole(context.request) else said)


async def _forks(context: RequestContext, viewpoint: Viewpoint, cached: CachedStory, *, is_open: bool) -> Forks:
    services, match = context.services, viewpoint.match
    family = await services.match_list.family(context.caller, match)
    listed = [one.entry for one in listed_forks(family, match)]
    proved = services.sessions.secrets(context.session)
    return Forks(
        is_open=is_open or context.request.query_params.get("try") == "1",
        key=new_id(),
        family=family,
        names=await services.fork_names.of(context.caller, listed, cached.story.names),
        proved=frozenset(match for match, seat in proved if seat == viewpoint.seat),
    )


async def _explanation(
    context: RequestContext, cached: CachedStory, number: int, head: str | None, *, is_live: bool
) -> Explanation | None:
    if context.request.query_params.get("why") != "1" or number <= 0:
        return None
    return await explanation_of(context.caller, cached, explained_event(cached.story, number, is_live=is_live), head)
