"""What a page of a match shows, as a value."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from core.ports import BoundGame
from core.telling.chosen_options import title_of
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from projections.catalogue import Branch
from server.pages.story import Story
from server.protocol.replies import LegalReply, MatchSummary
from server.web.asking import Asking
from server.web.audits import Audit
from server.web.past import Past
from server.web.plays import Typed

NO_NAMES: Mapping[MatchId, str] = MappingProxyType({})


class Sight(NamedTuple):
    """A moment of a match as a visitor sees it.

    Attributes:
        story: The match as the seat has seen it.
        number: The event after which it is shown.
        is_live: Whether the present is shown, and not a moment.
        is_why: Whether the event is explained.
        past: What explains the event; None if it is not explained.
        is_trying: Whether the form for a side line is open.
        problem: Why there are no names and no picture; empty if there are.
        legal: The open decision and, if the seat is to decide, its options; only at the present.
        bound: The game on its board, or None if it cannot be loaded here.
        about: The places, pieces and cards to which the options are narrowed, one after the other.
        asking: Before which commands the visitor wants to be asked.
        is_short: Whether options that fold stand on pages of their own, because the page would be too large with them.
        choice: The mark of the option that is asked about, if any.
        marked: The items of the whole choice that is asked about.
        is_changing: Whether the whole choice is to be changed.
        typed: The command that waits for dice or a draw of a real table, or None.
        notice: What became of the visitor's last command, if it was not played.
        token: Proves forms.
        key: The idempotency key of the command that the page may send.
        fork_key: The key of a side line that the page may begin: a random one of its own.
        head: The hash of the last commit, if the whole evidence is for the viewer.
        audit: The last audit of the match through these pages, at the present only, or None.
        seen: The last event at an earlier visit, or None.
        proved: The seats of the match that the visitor has proved.
        also: The matches in which the visitor has proved the same seat.
        line_names: What the side lines that are listed are called, as far as anything was done in them.
        family: All side lines with the match from which they come, its root first; empty if it stands alone.
    """

    story: Story
    number: int
    is_live: bool = True
    is_why: bool = False
    past: Past | None = None
    is_trying: bool = False
    problem: str = ""
    legal: LegalReply | None = None
    bound: BoundGame | None = None
    about: Sequence[str] = ()
    asking: Asking = Asking.FINAL
    is_short: bool = False
    choice: str = ""
    marked: Sequence[str] = ()
    is_changing: bool = False
    typed: Typed | None = None
    notice: str = ""
    token: str = ""
    key: str = ""
    fork_key: str = ""
    head: str | None = None
    audit: Audit | None = None
    seen: int | None = None
    proved: Sequence[Seat] = ()
    also: frozenset[MatchId] = frozenset()
    family: Sequence[Branch[MatchSummary]] = ()
    line_names: Mapping[MatchId, str] = NO_NAMES

    @property
    def seat(self) -> Seat:
        """Who looks."""
        return self.story.seat

    @property
    def known(self) -> int:
        """The last event that everything on the page knows of."""
        if not self.is_live:
            return self.story.last
        return self.number if self.legal is None else min(self.number, self.legal.seq)

    @property
    def is_of_one_moment(self) -> bool:
        """Whether the story has not gone on while the rest was asked for, and the options belong to its last event."""
        return self.known == self.story.last and (self.legal is None or self.legal.seq == self.known)

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


def seat_words(story: Story) -> Mapping[Seat, str]:
    """Return the names of all seats with those of their players."""
    names, now = story.names, story.now
    players = {seat: now.players.get(seat) or "" for seat in now.seats}
    return {
        seat: f"{names.seat(seat)}{f' ({name})' if name and name != names.seat(seat) else ''}"
        for seat, name in players.items()
    }
