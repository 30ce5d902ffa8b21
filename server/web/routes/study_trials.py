"""Trials that visitors ask for on the page of a study: the decision at which options are tried, and two lines that are compared."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.game.bound_game import BoundGame
from core.legal.legal_options import numbered
from core.telling.option_parts import told_options
from core.wording import does
from events.codec import Raw, encode
from events.ids import PUBLIC, Seat, Side
from events.studies.study_entry import OptionsTried
from events.vocabulary import MatchForked
from projections.diff import parting
from projections.state.seating import is_over
from projections.state.view import see
from projections.study import Study
from server.page_parts.story import Story
from server.protocol.errors import ServerError
from server.web.backend.services import Services
from server.web.backend.story_cache import CachedStory
from server.web.backend.trial_runs import Alternatives, Moment, Option
from server.web.http.faults import PageFault
from server.web.http.requests import address_of, number_of
from server.web.pages.study_trials import (
    LISTED_MAX,
    MARK,
    TRIED_MAX,
    ComparedLine,
    Comparison,
    ToTry,
)
from server.web.routes.request_context import NotProved, RequestContext, Viewpoint

TOO_MUCH = "Nothing was begun: bots play on for others, or your address has asked for much. Try again in a minute."
WHICH = f"Nothing was begun: mark 1 to {TRIED_MAX} options."
COMPARED_MAX = 2


class _Place(NamedTuple):
    """A decision at which options are tried: the story of the seat whose knowledge counts, its event there, and the same by the visitor's count."""

    story: Story
    bound: BoundGame
    number: int
    shown: int

    @property
    def moment(self) -> Moment:
        """The moment."""
        return Moment(self.story.match, self.story.seat, self.number)

    def options(self) -> list[Option]:
        """Return its options."""
        table = self.story.table(self.number)
        commands = [command for _, command in numbered(self.bound.rules, table)][:LISTED_MAX]
        told = told_options(self.bound, table, commands)
        return [Option(words, Raw(encode(command))) for command, (words, _) in zip(commands, told, strict=True)]


class _Line(NamedTuple):
    """A line that is compared: its name, its match as everybody has seen it, and the first event that is its own."""

    name: str
    story: Story
    bound: BoundGame | None
    first: int

    @property
    def number(self) -> int | None:
        """The event of the first decision from there on; None if none is left."""
        stops = self.story.stops("decision")
        place = bisect_left(stops, self.first)
        return stops[place] if place < len(stops) and self.story.table(stops[place]).top is not None else None

    @property
    def told(self) -> str:
        """The first sentence of it."""
        own = [one.line for one in self.story.told if one.line.last >= self.first]
        events = self.story.events
        return next((one.sentence for one in own if not isinstance(events[one.first - 1], MatchForked)), "")


class StudyTrials:
    """The trials on the pages of studies.

    Args:
        services: The services of the pages.
    """

    def __init__(self, services: Services) -> None:
        self._services = services

    # Options

    async def to_try(self, context: RequestContext, cached: CachedStory, number: int) -> ToTry | None:
        """Return what can be tried at an event, or before it where a decision was open; None where no bots play on."""
        place = await self._place(context, cached, number)
        if place is None or isinstance(place, str):
            return None if place is None else ToTry(number, why=place)
        return ToTry(place.shown, place.options(), self._services.trials.known(place.moment))

    async def begin(self, context: RequestContext, cached: CachedStory, number: int, fields: Mapping[str, str]) -> str:
        """Have the options tried that a form marks; return what is wrong with it, or nothing."""
        place = await self._place(context, cached, number)
        if place is None or isinstance(place, str):
            return place or "Nothing was begun: no bots play on here."
        marked = {number_of(name.removeprefix(MARK)) for name in fields if name.startswith(MARK)}
        options = tuple([one for index, one in enumerate(place.options(), start=1) if index in marked])
        if not 1 <= len(options) <= TRIED_MAX:
            return WHICH
        table = place.story.table(place.number)
        seat = table.top.seat if table.top is not None else PUBLIC
        tried = Alternatives(options, seat, table.side_of(seat))
        is_begun = self._services.trials.start(
            context.caller, place.story, place.number, tried, address_of(context.request)
        )
        return "" if is_begun else TOO_MUCH

    async def to_keep(self, context: RequestContext, cached: CachedStory, number: int) -> OptionsTried | None:
        """Return the table of what was tried at an event, for the study to keep; None if there is none."""
        place = await self._place(context, cached, number)
        trying = None if place is None or isinstance(place, str) else self._services.trials.known(place.moment)
        return None if trying is None or isinstance(place, str | None) else trying.as_table(place.shown)

    async def _place(self, context: RequestContext, cached: CachedStory, number: int) -> _Place | str | None:
        """Return where options are tried for an event, or why they cannot be; None where no bots play on.

        While a match goes on nothing is tried here: it would be advice to a player. Who does not see all tries what a proved seat could do, by what that seat knew.
        """
        story = cached.story
        if not self._services.trials.are_made or cached.bound is None or not is_over(story.now):
            return None
        shown = _decision_at(story, number)
        top = story.table(shown).top if shown else None
        if top is None or not top.seat:
            return None
        if top.seat == story.seat or await self._services.heads.head(context.caller, story) is not None:
            return _Place(story, cached.bound, shown, shown)
        if story.seat == PUBLIC and top.seat in context.proved(story.match):
            own = (await context.story(Viewpoint(story.match, None, top.seat))).story
            known = [at for at, event in enumerate(own.events, start=1) if see(event, PUBLIC) is not None]
            return _Place(own, cached.bound, own.commit_of(known[shown - 1])[1], shown)
        seat = story.names.seat(top.seat)
        return f"{does(seat, 'decide')} at {shown}, and knew more than everybody: who has proved this seat can have its options tried."

    # Lines

    async def comparison(self, context: RequestContext, study: Study, chosen: Sequence[int]) -> Comparison | str:
        """Return two lines side by side: a chosen one with the match, or two chosen ones; or why they cannot be."""
        lines = await self._lines(context, study, chosen)
        if isinstance(lines, str):
            return lines
        _, side = _counted(lines[0])
        one, other = map(self._compared, lines)
        return Comparison(
            ",".join(map(str, chosen)),
            lines[0].first,
            lines[0].story.names.side(side),
            (one, other),
            self._services.trials.are_made and all(one.number and one.bound for one in lines),
        )

    def _compared(self, line: _Line) -> ComparedLine:
        ended, at = line.story.now.ended, line.number
        trying = None if at is None else self._services.trials.known(_moment(line, at))
        return ComparedLine(line.name, line.told, "" if ended is None else ended.result, trying)

    async def play_on(self, context: RequestContext, study: Study, chosen: Sequence[int]) -> str:
        """Have bots play on from where two lines part; return what is wrong with that, or nothing."""
        lines = await self._lines(context, study, chosen)
        if isinstance(lines, str):
            return f"Nothing was begun. {lines}"
        if not self._services.trials.are_made:
            return "Nothing was begun: no bots play on here."
        tried = Alternatives((), *_counted(lines[0]))
        address = address_of(context.request)
        begun = [
            self._services.trials.start(context.caller, one.story, one.number, tried, address)
            for one in lines
            if one.number and one.bound
        ]
        return "" if all(begun) else TOO_MUCH

    async def _lines(self, context: RequestContext, study: Study, chosen: Sequence[int]) -> Sequence[_Line] | str:
        """Return two lines from where they part, or in a sentence why there are no two."""
        by_entry = {one.entry: one for one in study.lines}
        wanted = [by_entry[entry] for entry in chosen if entry in by_entry][:COMPARED_MAX]
        names = [(one.name, one.match) for one in wanted]
        if not names:
            return "The study has no such line."
        if len(names) == 1:
            names.insert(0, ("As played", study.match))
        try:
            found = [await context.story(Viewpoint(match, None, PUBLIC)) for _, match in names]
        except (ServerError, PageFault, NotProved):
            return "One of the lines cannot be read."
        apart = parting(found[0].story.events, found[1].story.events)
        if apart is None:
            return "They have not parted: both tell the same up to where each stands."
        firsts = (apart.number_a, apart.number_b)
        return [
            _Line(name, cached.story, cached.bound, first)
            for (name, _), cached, first in zip(names, found, firsts, strict=True)
        ]


def chosen_in(text: str) -> list[int]:
    """Return the entries of the lines that an address or a form names."""
    return [number for part in text.split(",")[:COMPARED_MAX] if (number := number_of(part)) is not None]


def _moment(line: _Line, number: int) -> Moment:
    return Moment(line.story.match, line.story.seat, number, is_played_on=True)


def _counted(line: _Line) -> tuple[Seat, Side]:
    """Return the seat and the side whose wins are counted: who decided where the lines part, or else the first side."""
    table = line.story.table(max(0, line.first - 1))
    seat = PUBLIC if table.top is None or not table.top.seat else table.top.seat
    side = table.side_of(seat)
    return seat, side or next((one for one in table.sides if one), side)


def _decision_at(story: Story, number: int) -> int:
    """Return the event after which the decision was open to which an event belongs; 0 if there is none."""
    stops = story.stops("decision")
    places = range(bisect_right(stops, number) - 1, -1, -1)
    return next((stops[place] for place in places if story.table(stops[place]).top is not None), 0)
