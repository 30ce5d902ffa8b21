"""What all pages ask of a request: who sends it, which match and moment it names, as which seat, and whether a form is the visitor's own."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from core.telling.chosen_options import played_title, title_of
from core.telling.names import Names
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from projections.table import Table
from server.protocol.clock import Clock
from server.protocol.errors import RequestFailed
from server.protocol.replies import MatchSummary
from server.web.answers import page_answer
from server.web.asked import fields_of, is_from_elsewhere, is_same_origin, number_of
from server.web.audits import Audits
from server.web.bots import Bots
from server.web.catalogue import Catalogue
from server.web.cookies import asking_of, seen_of, session_of, visitor_of, with_visitor
from server.web.evidence import Heads
from server.web.faults import Fault, PageFault, fault_of, no_operator, no_such_event, no_such_page
from server.web.gateway import Caller, Gateway
from server.web.line_names import LineNames
from server.web.past import explained_event, past_of
from server.web.plays import CHANGE, items_of
from server.web.sessions import Sessions, new_id
from server.web.side_lines import listed_lines
from server.web.sight import Sight, seat_words
from server.web.sit_page import sit_page
from server.web.stories import Kept, Stories
from server.web.whole_choices import settled

NOT_PROVED = ("not_your_seat", "bad_token")
"""The codes of failures that end on the page on which a seat is proved."""

KEY_DIGITS = 32
TRIES_MAX = 3
"""So many times a page of the present is begun while the match moves on; then it shows what it has, and its script is told of the rest."""

WAIT_S = 10.0
"""How long a visitor waits while a long match is read; the next request goes on where this one ended (seconds)."""

OWN_SEATS = "This is a side line, and its seats have secrets of their own: those of the match from which it comes do not prove them."


class Wanted(NamedTuple):
    """Which match, which moment of it, and as which seat."""

    match: MatchId
    number: int | None
    seat: Seat


class Visits:
    """What the pages know of their visitors, and of the matches that these look at.

    Args:
        gateway: The way to the broker.
        clock: Measures how old things are.
        is_operator_allowed: Whether the operator's key may be used to see everything.
        bots: The bots that can be started.

    Attributes:
        gateway: The way to the broker.
        stories: Matches as their viewers have seen them.
        sessions: What visitors have proved.
        catalogue: The list of all matches.
        bots: The bots that can be started.
        audits: The audits that visitors made.
        is_operator_allowed: Whether the operator's key may be used to see everything.
    """

    def __init__(self, gateway: Gateway, clock: Clock, bots: Bots, *, is_operator_allowed: bool = False) -> None:
        self.gateway = gateway
        self.bots = bots
        self.stories = Stories()
        self.sessions = Sessions(clock)
        self.catalogue = Catalogue(clock)
        self.audits = Audits(clock)
        self.is_operator_allowed = is_operator_allowed
        self._heads = Heads()
        self._line_names = LineNames()

    def caller(self, request: Request) -> Caller:
        """Return the calls of a visitor, with what the visitor has proved."""
        return self.gateway.caller(self.sessions.secrets(session_of(request)))

    def proved(self, request: Request, match: MatchId) -> list[Seat]:
        """Return the seats of a match that a visitor has proved."""
        return [seat for known, seat in self.sessions.secrets(session_of(request)) if known == match]

    async def wanted(self, request: Request, point: str = "") -> Wanted:
        """Return what a request names.

        Args:
            request: The request.
            point: MATCH or MATCH@SEQ; by default that of the address.

        Raises:
            PageFault: The address names no moment.
        """
        text = point or str(request.path_params.get("point", request.path_params.get("match")))
        prefix, at, digits = text.partition("@")
        number = number_of(digits)
        if at and number is None:
            raise PageFault(no_such_page(request.url.path))
        return Wanted(await self._named(request, prefix), number, self.seat(request))

    async def _named(self, request: Request, prefix: str) -> MatchId:
        """Return the match that is named by its id or by the beginning of it."""
        every: Sequence[MatchSummary] = await self.catalogue.matches(self.caller(request))
        found = [one.match for one in every if prefix and one.match.startswith(prefix)]
        return found[0] if len(found) == 1 else MatchId(prefix)

    def seat(self, request: Request) -> Seat:
        """Return the seat that an address names.

        Raises:
            PageFault: It is the arbiter's, and the operator has not allowed it.
        """
        seat = Seat(request.query_params.get("seat") or PUBLIC)
        if seat == ARBITER and not self.is_operator_allowed:
            raise PageFault(no_operator("The pages do not show matches as the arbiter sees them."))
        return seat

    async def kept(self, request: Request, wanted: Wanted) -> Kept:
        """Return the story of a match as a seat has seen it.

        Raises:
            RequestFailed: The seat is not proved, or there is none.
            PageFault: The seat has seen no such event, or the match is so long that it is still being read.
        """
        kept = await self.stories.current(self.caller(request), wanted.match, wanted.seat, wait_s=WAIT_S)
        if wanted.number is not None and not 1 <= wanted.number <= kept.story.last:
            raise PageFault(no_such_event(wanted.number, kept.story.last))
        return kept

    async def sight(
        self,
        request: Request,
        wanted: Wanted,
        kept: Kept,
        *,
        visitor: str = "",
        notice: str = "",
        is_trying: bool = False,
    ) -> Sight:
        """Return what the page of a match shows: at the present one event, with the options after this event.

        Args:
            request: The request.
            wanted: What it names.
            kept: The story.
            visitor: The id of the visitor, by default that in the cookie.
            notice: What became of the visitor's command, if it was not carried out.
            is_trying: Whether the form for a side line is open.
        """
        made = await self._sight(request, wanted, kept, visitor, notice, is_trying=is_trying)
        for _ in range(TRIES_MAX - 1):
            if made.is_of_one_moment:
                break
            # Another visitor's request may have told the story on in the meantime, or the match may have.
            await self.stories.current(self.caller(request), wanted.match, wanted.seat)
            made = await self._sight(request, wanted, kept, visitor, notice, is_trying=is_trying)
        return made

    async def _sight(
        self, request: Request, wanted: Wanted, kept: Kept, visitor: str, notice: str, *, is_trying: bool
    ) -> Sight:
        caller, story = self.caller(request), kept.story
        visitor = visitor or visitor_of(request)
        about, legal = list[str](), None
        number, is_live = story.last if wanted.number is None else wanted.number, wanted.number is None
        if wanted.number is None and wanted.seat in story.now.seats:
            about = [] if notice else [one for one in request.query_params.getlist("about") if one]
            legal = await caller.legal(wanted.match, wanted.seat)
        family = await self.catalogue.family(caller, wanted.match)
        state: list[str | int] = [wanted.match, wanted.seat, story.last, *(branch.entry.match for branch in family)]
        head = await self._heads.head(caller, story)
        is_why = request.query_params.get("why") == "1" and number > 0
        past = await past_of(caller, kept, explained_event(story, number, is_live=is_live), head) if is_why else None
        return settled(
            Sight(
                story=story,
                number=number,
                is_live=is_live,
                is_why=is_why,
                past=past,
                is_trying=is_trying or request.query_params.get("try") == "1",
                problem=kept.problem,
                bound=kept.bound,
                about=about,
                asking=asking_of(request),
                choice="" if notice else request.query_params.get("choose", ""),
                marked=items_of(request.query_params),
                is_changing=CHANGE in request.query_params,
                legal=legal,
                notice=notice,
                head=head,
                audit=self.audits.last(wanted.match) if is_live else None,
                token=self.sessions.form_token(visitor),
                key=self.sessions.derived(visitor, "form", *state)[:KEY_DIGITS],
                fork_key=new_id(),
                seen=seen_of(request).before(wanted.match, wanted.seat, story.last),
                proved=self.proved(request, wanted.match),
                also=frozenset(
                    match for match, seat in self.sessions.secrets(session_of(request)) if seat == wanted.seat
                ),
                family=family,
                line_names=await self._line_names.of(
                    caller, [one.entry for one in listed_lines(family, wanted.match)], story.names
                ),
            )
        )

    # Seats

    async def denied(self, request: Request, wanted: Wanted, error: RequestFailed) -> Response:
        """Answer a visitor who may not see a seat with the reason, and with the form with which the seat is proved or taken.

        A secret that no longer proves the seat is forgotten.
        """
        if error.code == "bad_token":
            self.sessions.forget(session_of(request), wanted.match, wanted.seat)
        why = fault_of(error).what
        if is_from_elsewhere(request):
            why = f"{why} If this browser has proved the seat, load the page again: what it has proved is not sent with a link of another site."
        return await self.unproved(request, wanted, why)

    async def unproved(
        self, request: Request, wanted: Wanted, why: str = "", status: int = 403, *, name: str = ""
    ) -> Response:
        """Answer with the form with which a seat is proved or taken; `name` is what was typed there before."""
        caller = self.caller(request)
        table = (await caller.state(wanted.match)).table
        why = f"{why} {OWN_SEATS}" if why and table.parent else why
        seats = await self._seats(caller, wanted.match, table)
        visitor = visitor_of(request) or new_id()
        text = sit_page(
            wanted.match,
            seats,
            free=[seat for seat in table.seats if seat not in table.players and seat not in table.reserved],
            reserved={seat: one.name for seat, one in table.reserved.items() if seat in table.seats},
            game=table.game,
            played=f"{title_of(table.game)}, {played_title(table.game, table.scenario, table.mode)}",
            can_start=self.bots.can_start,
            chosen=wanted.seat,
            proved=self.proved(request, wanted.match),
            token=self.sessions.form_token(visitor),
            key=new_id(),
            why=why,
            name=name,
        )
        return with_visitor(request, page_answer(text, status), visitor)

    async def _seats(self, caller: Caller, match: MatchId, table: Table) -> Mapping[Seat, str]:
        names: Names = (await self.stories.begun(caller, match)).story.names
        seats = {seat: names.seat(seat) for seat in table.seats}
        return {**seats, ARBITER: "Arbiter (the operator's key)"} if self.is_operator_allowed else seats

    async def name(self, request: Request, match: MatchId, seat: Seat) -> str:
        """Return what everybody may call the visitor who looks at a match as a seat.

        Raises:
            RequestFailed: The seat is not proved, or there is none.
        """
        if seat == PUBLIC:
            return "a visitor"
        if seat == ARBITER:
            return "the operator"
        return seat_words((await self.kept(request, Wanted(match, None, seat))).story)[seat]

    # Forms

    async def form(self, request: Request) -> Mapping[str, str]:
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
        if not self.sessions.is_own_form(visitor_of(request), fields.get("token", "")):
            raise PageFault(
                Fault(
                    403,
                    "The form is too old",
                    "The form was not made for this browser, or before the server was started again.",
                    "Go back, load the page again, and send the form again. Cookies have to be allowed.",
                )
            )
        return fields
