"""Studies: the list of a match's, the page of each, and what visitors write with the seats that they have proved."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from core.telling.study_words import FirstDifference, first_difference
from events.codec import DecodeError, convert, encode
from events.errors import BrokenStudy
from events.ids import ARBITER, PUBLIC, MatchId, Seat, StudyId
from events.studies.study_entry import (
    AnySaid,
    ChapterAdded,
    CommentWritten,
    EntryWithdrawn,
    LineAdded,
    checked_entries,
)
from projections.study import Line, Study, parts_of, study_of
from server.page_parts.story import Story
from server.protocol.errors import RequestFailed, ServerError
from server.protocol.replies import StudyReply
from server.web.backend.services import Services
from server.web.http.addresses import of_study
from server.web.http.cookies import visitor_of, with_visitor
from server.web.http.faults import Fault, PageFault, too_many
from server.web.http.rate_limits import Rates
from server.web.http.requests import address_of, number_of
from server.web.http.responses import page_answer
from server.web.http.sessions import new_id
from server.web.pages.study_lines import ShownLine
from server.web.pages.study_page import ShownStudy, studies_page, study_page
from server.web.pages.study_trials import COMPARE
from server.web.routes.browser_keys import JSON, BrowserKey, key_in
from server.web.routes.page_loader import load_page, playouts_of
from server.web.routes.request_context import NotProved, RequestContext, Viewpoint, proving
from server.web.routes.study_trials import StudyTrials, chosen_in

ENTRIES, ENTRIES_PER_S = 30.0, 1 / 10
"""How many entries an address may write: at once, and each second."""
LINES_MAX = 12
"""How many lines are compared with the match; the others are only named."""
DIFFERENCES_MAX = 200
"""How many differences are remembered, since each takes reading two matches."""
WRONG = frozenset(("malformed", "unknown_sequence", "unknown_name", "unknown_match", "not_possible", "lost_race"))
"""Failures that are told beside what was written."""
UNREAD = ("unknown_study", "not_your_seat", "bad_token")


class NotSaid(ValueError):
    """A form says nothing that can be written; its text says why, for who sent it."""


class StudyRoutes:
    """The pages of studies.

    Args:
        services: The services of the pages.
    """

    def __init__(self, services: Services) -> None:
        self._services = services
        self._trials = StudyTrials(services)
        self._differences: OrderedDict[tuple[MatchId, int, int], FirstDifference | None] = OrderedDict()
        self._entries = Rates(services.clock, most=ENTRIES, per_s=ENTRIES_PER_S)

    def routes(self) -> list[Route]:
        """Return the addresses."""
        return [
            Route("/m/{match}/studies", self.studies, methods=["GET"]),
            Route("/m/{match}/studies", self.open, methods=["POST"]),
            Route("/m/{match}/study/{study}", self.study, methods=["GET"]),
            Route("/m/{match}/study/{study}", self.write, methods=["POST"]),
        ]

    async def studies(self, request: Request) -> Response:
        """List the studies of a match."""
        context = RequestContext(self._services, request)
        return await self._list(context, await context.viewpoint())

    async def _list(self, context: RequestContext, viewpoint: Viewpoint, notice: str = "") -> Response:
        story = (await context.story(viewpoint)).story
        with proving(viewpoint):
            listed = (await context.caller.studies(viewpoint.match, viewpoint.seat)).studies
        visitor = visitor_of(context.request) or new_id()
        token = self._services.sessions.form_token(visitor)
        made = studies_page(story, listed, _writers(context, story), token, notice=notice, key=new_id())
        return with_visitor(context.request, page_answer(made, 409 if notice else 200), visitor)

    async def open(self, request: Request) -> Response:
        """Open a study with a seat that the visitor has proved, and go there."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, seat = MatchId(request.path_params["match"]), Seat(fields.get("seat") or PUBLIC)
        view = Seat(fields.get("view") or PUBLIC)
        story = await self._writing(context, match, view if view != PUBLIC else seat)
        key = key_in(fields)
        try:
            written = await context.caller.open_study(
                match,
                fields.get("title", ""),
                view,
                author=_author(story, seat),
                by=seat,
                key=fields.get("key", ""),
                visitor=address_of(request),
                signer=key,
            )
        except RequestFailed as error:
            if (unsigned := _to_sign(request, key)) is not None:
                return unsigned
            if error.code not in WRONG:
                raise
            return await self._list(
                context, Viewpoint(match, None, seat), f"Nothing was opened: {error.reply.message}."
            )
        return RedirectResponse(of_study(match, written.study, view, None), 303)

    async def study(self, request: Request) -> Response:
        """Show a study, at an event."""
        context = RequestContext(self._services, request)
        return await self._shown(context, await context.viewpoint(), number_of(request.query_params.get("at", "")))

    async def _shown(
        self, context: RequestContext, asked: Viewpoint, at: int | None, notice: str = "", typed: str = ""
    ) -> Response:
        viewpoint, reply, study = await self._read(context, asked)
        numbers = dict(reply.numbers)
        places = [one.at for one in (*study.chapters, *parts_of(study))]
        cached = await context.story(viewpoint)
        number = at or (numbers[places[0]] if places else cached.story.last)
        moment = viewpoint._replace(number=max(1, number))
        cached = await context.story(moment)
        visitor = visitor_of(context.request) or new_id()
        model = await load_page(context, moment, cached, visitor=visitor)
        model = model._replace(playouts=playouts_of(context, cached))
        lines = [await self._line(context, study, one, place) for place, one in enumerate(study.lines)]
        may_write = viewpoint.seat == study.view
        writers = _writers(context, cached.story) if may_write else ()
        chosen = chosen_in(context.request.query_params.get(COMPARE, ""))
        shown = ShownStudy(
            study,
            numbers,
            moment.number or 1,
            model,
            lines,
            writers,
            notice,
            typed,
            to_try=await self._trials.to_try(context, cached, model.number),
            comparison=await self._trials.comparison(context, study, chosen) if chosen else None,
            chosen=chosen,
        )
        return with_visitor(context.request, page_answer(study_page(shown), 409 if notice else 200), visitor)

    async def _read(self, context: RequestContext, asked: Viewpoint) -> tuple[Viewpoint, StudyReply, Study]:
        """Return a study as the seat reads it whose view it is of, if the visitor has proved that one, or else as asked.

        Raises:
            PageFault: There is no such study that the visitor may read, or it is damaged.
        """
        study = StudyId(context.request.path_params["study"])
        for seat in dict.fromkeys((asked.seat, *context.proved(asked.match), PUBLIC)):
            try:
                reply = await context.caller.study(asked.match, study, seat)
                found = _checked(reply)
            except RequestFailed as error:
                if error.code in UNREAD:
                    continue
                raise
            if found.view != seat and (found.view == PUBLIC or found.view in context.proved(asked.match)):
                seat = found.view  # noqa: PLW2901 - it is left at once.
                reply = await context.caller.study(asked.match, study, seat)
            return Viewpoint(asked.match, None, seat), reply, found
        what = "The match has no such study, or it is of what a seat sees of a match that goes on."
        raise PageFault(Fault(404, "No such study", what, "Prove the seat, or come back when the match is over."))

    async def _line(self, context: RequestContext, study: Study, line: Line, place: int) -> ShownLine:
        """Return a line with its first difference, as everybody sees it."""
        if place >= LINES_MAX:
            return ShownLine(line)
        try:
            played = (await context.story(Viewpoint(study.match, None, PUBLIC))).story
            tried = (await context.story(Viewpoint(line.match, None, PUBLIC))).story
        except (ServerError, PageFault, NotProved):
            return ShownLine(line, problem="This line cannot be read.")
        ended = tried.now.ended
        key = (line.match, tried.last, played.last)
        if key not in self._differences:
            self._differences[key] = first_difference(played.names, played.events, tried.events)
            while len(self._differences) > DIFFERENCES_MAX:
                self._differences.popitem(last=False)
        return ShownLine(line, self._differences[key], "" if ended is None else ended.result)

    async def write(self, request: Request) -> Response:
        """Write an entry with a seat that the visitor has proved, and go back to its event."""
        context = RequestContext(self._services, request)
        fields = await context.form()
        match, study = MatchId(request.path_params["match"]), StudyId(request.path_params["study"])
        seat, at = Seat(fields.get("seat") or PUBLIC), number_of(fields.get("at", "")) or 0
        if fields.get("do") in ("try", "compare"):
            return await self._try(context, Viewpoint(match, None, seat), study, at, fields)
        story = await self._writing(context, match, seat)
        key, author = key_in(fields), _author(story, seat)
        try:
            said = await self._kept(context, match, seat, at) if fields.get("do") == "keep" else _said(fields, at)
            await context.caller.write_study(
                match, study, said, seat, author=author, visitor=address_of(request), signer=key
            )
        except (RequestFailed, NotSaid) as error:
            if (unsigned := _to_sign(request, key)) is not None:
                return unsigned
            if isinstance(error, RequestFailed) and error.code not in WRONG:
                raise
            why = error.reply.message if isinstance(error, RequestFailed) else str(error)
            return await self._shown(
                context,
                Viewpoint(match, None, seat),
                at or None,
                f"Nothing was written: {why}.",
                fields.get("text", ""),
            )
        return RedirectResponse(of_study(match, study, seat, at or None), 303)

    async def _try(
        self, context: RequestContext, asked: Viewpoint, study: StudyId, at: int, fields: Mapping[str, str]
    ) -> Response:
        """Have options tried at an event, or two lines played on, and go back there; who may read the study may do so."""
        viewpoint, _, found = await self._read(context, asked)
        chosen = chosen_in(fields.get(COMPARE, ""))
        if fields["do"] == "compare":
            wrong = await self._trials.play_on(context, found, chosen)
        else:
            cached = await context.story(viewpoint._replace(number=max(1, at)))
            wrong = await self._trials.begin(context, cached, max(1, at), fields)
        if wrong:
            return await self._shown(context, asked, at or None, wrong)
        to = of_study(viewpoint.match, study, viewpoint.seat, at or None)
        return RedirectResponse(f"{to}&{COMPARE}={fields[COMPARE]}" if chosen else to, 303)

    async def _kept(self, context: RequestContext, match: MatchId, seat: Seat, at: int) -> AnySaid:
        """Return the table of what was tried at an event.

        Raises:
            NotSaid: There is none.
        """
        viewpoint, _, _ = await self._read(context, Viewpoint(match, None, seat))
        cached = await context.story(viewpoint._replace(number=max(1, at)))
        found = await self._trials.to_keep(context, cached, max(1, at))
        if found is None:
            raise NotSaid("nothing was tried here, or the pages have been started again since")
        return found

    async def _writing(self, context: RequestContext, match: MatchId, seat: Seat) -> Story:
        """Return the story of who writes, whose seat is proved.

        Raises:
            NotProved: It is not.
            PageFault: The address has written too much.
        """
        viewpoint = Viewpoint(match, None, seat)
        if seat == PUBLIC or seat not in context.proved(match):
            raise PageFault(
                Fault(
                    403,
                    "The seat is not proved",
                    "A study is written here with a seat of the match.",
                    "Prove the seat, or use wardiary study.",
                )
            )
        story = (await context.story(viewpoint)).story
        if wait := self._entries.wait_s(address_of(context.request)):
            raise too_many("Too many entries", "Many were written from your address.", wait)
        return story


def _to_sign(request: Request, key: BrowserKey | None) -> Response | None:
    """Return the texts that the script of a browser has to sign before its form is taken; None if it has signed all, or does not sign."""
    if key is None or not key.missing or request.headers.get("accept") != JSON:
        return None
    return Response(encode(key.missing), 428, media_type=JSON)


def _writers(context: RequestContext, story: Story) -> Sequence[Seat]:
    """Return the seats with which the visitor may write: those that were proved."""
    return [seat for seat in context.proved(story.match) if seat in story.now.players]


def _author(story: Story, seat: Seat) -> str:
    return story.now.players.get(seat, "") or ("the arbiter" if seat == ARBITER else str(seat))


def _said(fields: Mapping[str, str], at: int) -> AnySaid:
    """Return what a form says.

    Raises:
        NotSaid: It is not a mark.
    """
    text = fields.get("text", "").replace("\r\n", "\n").strip()
    match fields.get("do"):
        case "chapter":
            return ChapterAdded(at=at, title=text)
        case "line":
            return LineAdded(at=at, match=MatchId(fields.get("fork", "").strip()), name=text)
        case "withdraw":
            return EntryWithdrawn(entry=number_of(fields.get("entry", "")) or 0)
        case _:
            said = {"said": "comment-written/1", "at": at, "text": text, "mark": fields.get("mark", "")}
            try:
                return convert(said, CommentWritten)
            except DecodeError:
                raise NotSaid("choose one of the marks") from None


def _checked(reply: StudyReply) -> Study:
    """Return a study whose entries and signatures are in order.

    Raises:
        PageFault: It is damaged.
    """
    try:
        entries = checked_entries(reply.match, reply.study, [bytes(one) for one in reply.entries])
    except BrokenStudy:
        advice = "Tell the operator of the server, who finds out more with wardiary study show."
        raise PageFault(Fault(500, "The study is damaged", "What is stored is not what was written.", advice)) from None
    return study_of(reply.match, reply.study, entries)
