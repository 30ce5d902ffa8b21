"""The page of a match as a value: a moment as a visitor sees it, by what the page shows."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from core.game.bound_game import BoundGame
from core.odds.odds_lines import Odds
from core.telling.chosen_options import title_of
from events.ids import ARBITER, PUBLIC, MatchId, RuleId, Seat
from projections.catalogue import Branch, InstalledRules, MatchSummary
from server.page_parts.story import Story
from server.protocol.replies import LegalReply
from server.web.backend.actions import Typed
from server.web.backend.audits import Audit
from server.web.backend.event_explanation import Explanation
from server.web.backend.playouts import Playouts
from server.web.http.cookies import Confirmation

NO_ODDS: Mapping[int, Odds] = MappingProxyType({})
NO_MIXES: Mapping[tuple[str, ...], Odds] = MappingProxyType({})
NO_NAMES: Mapping[MatchId, str] = MappingProxyType({})


class Decision(NamedTuple):
    """The open decision, and what the visitor has chosen of it so far.

    Attributes:
        legal: The open decision and, if the seat is to decide, its options; only at the present.
        about: The places, pieces and cards to which the options are narrowed, one after the other.
        confirmation: The commands that the visitor wants to confirm.
        asked: The mark of the option that is to be confirmed, if any.
        marked: The items of the whole choice that is to be confirmed.
        is_changing: Whether the whole choice is to be changed.
        typed: The command that waits for dice or a draw of a real table, or None.
        odds: The chances of options that were asked for, by their numbers.
        mixes: The whole choices that are offered ready-made, with their chances.
        no_odds: Why the page shows no chances though it should; empty if it does, or should not.
        is_late: Whether the chances that it should show are still being counted.
    """

    legal: LegalReply | None = None
    about: Sequence[str] = ()
    confirmation: Confirmation = Confirmation.FINAL
    asked: str = ""
    marked: Sequence[str] = ()
    is_changing: bool = False
    typed: Typed | None = None
    odds: Mapping[int, Odds] = NO_ODDS
    mixes: Mapping[tuple[str, ...], Odds] = NO_MIXES
    no_odds: str = ""
    is_late: bool = False


class Evidence(NamedTuple):
    """Proofs of the match.

    Attributes:
        head: The hash of the last commit, if the whole evidence is for the viewer.
        audit: The last audit of the match through these pages, at the present only, or None.
        has_log: Whether the server has a log that ties the evidence to its key.
    """

    head: str | None = None
    audit: Audit | None = None
    has_log: bool = False


class Forks(NamedTuple):
    """Forks of the match, and the form that begins one.

    Attributes:
        is_open: Whether the form is open.
        key: The idempotency key of the fork that the page may begin: a random one of its own.
        family: All forks with the match from which they come, its root first; empty if it stands alone.
        names: The names of the forks that are listed, as far as anything was done in them.
        proved: The matches in which the visitor has proved the seat.
    """

    is_open: bool = False
    key: str = ""
    family: Sequence[Branch[MatchSummary]] = ()
    names: Mapping[MatchId, str] = NO_NAMES
    proved: frozenset[MatchId] = frozenset()


class MapView(NamedTuple):
    """A choice among maps that have room on a page only in part.

    Attributes:
        key: The map that the visitor wishes to see; empty for the one that the question is about.
        is_whole: Whether it is shown whole; None if the page decides: at the end of a match it is.
    """

    key: str = ""
    is_whole: bool | None = None


class PageModel(NamedTuple):
    """A moment of a match as a visitor sees it.

    Attributes:
        story: The match as the seat has seen it.
        number: The event after which it is shown.
        is_live: Whether the present is shown, and not a moment.
        bound: The game on its board, or None if it cannot be loaded here.
        problem: Why there are no names and no picture; empty if there are.
        installed: The installed rules, if the match stands still because it is played under others; only at the present.
        decision: The open decision.
        explanation: What explains the event; None if it is not explained.
        evidence: Proofs of the match.
        forks: Forks of the match.
        notice: What became of the visitor's last command, if it was not played.
        broken: The rule that it would have broken, if one refused it.
        token: Proves forms.
        key: The idempotency key of the command that the page may send.
        seen: The last event at an earlier visit, or None.
        proved: The seats of the match that the visitor has proved.
        has_notices: Whether the player of the seat can be told when it is the seat's turn.
        map_view: What is shown of the maps.
        playouts: The share of wins from point to point, once the match is over.
    """

    story: Story
    number: int
    is_live: bool = True
    bound: BoundGame | None = None
    problem: str = ""
    installed: InstalledRules | None = None
    decision: Decision = Decision()
    explanation: Explanation | None = None
    evidence: Evidence = Evidence()
    forks: Forks = Forks()
    notice: str = ""
    broken: RuleId | None = None
    token: str = ""
    key: str = ""
    seen: int | None = None
    proved: Sequence[Seat] = ()
    has_notices: bool = False
    map_view: MapView = MapView()
    playouts: Playouts = Playouts()

    @property
    def seat(self) -> Seat:
        """Who looks."""
        return self.story.seat

    @property
    def known(self) -> int:
        """The last event that everything on the page knows of."""
        if not self.is_live:
            return self.story.last
        return self.number if self.decision.legal is None else min(self.number, self.decision.legal.seq)

    @property
    def is_of_one_moment(self) -> bool:
        """Whether the story has not gone on while the rest was asked for, and the options belong to its last event."""
        return self.known == self.story.last and (self.decision.legal is None or self.decision.legal.seq == self.known)

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it."""
        return self.seat == PUBLIC

    @property
    def viewer(self) -> str:
        """Who looks, in words."""
        if self.is_public:
            return "everybody"
        return "the arbiter" if self.seat == ARBITER else self.story.names.seat(self.seat)

    @property
    def title(self) -> str:
        """The title of the game, or its key if it is not installed."""
        return title_of(self.story.now.game)

    @property
    def is_explained(self) -> bool:
        """Whether the event is explained."""
        return self.explanation is not None

    @property
    def state(self) -> str:
        """All that the page of a past moment depends on."""
        story, forks = self.story, self.forks
        parts = [
            story.match,
            story.seat,
            self.number,
            self.is_explained,
            forks.is_open,
            story.last,
            self.problem,
            self.evidence.head,
            self.evidence.has_log,
            *self.map_view,
        ]
        family = [f"{one.entry.match}.{one.entry.seq}.{one.entry.match in forks.proved}" for one in forks.family]
        return "/".join(map(str, [*parts, self.token, *family]))


def seat_words(story: Story) -> Mapping[Seat, str]:
    """Return the names of all seats with those of their players."""
    names, now = story.names, story.now
    players = {seat: now.players.get(seat) or "" for seat in now.seats}
    return {
        seat: f"{names.seat(seat)}{f' ({name})' if name and name != names.seat(seat) else ''}"
        for seat, name in players.items()
    }
