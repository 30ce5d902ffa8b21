"""What a page of a match shows, as a value."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.errors import UnknownName
from core.games import load_game
from events.ids import PUBLIC, Seat
from server.protocol.replies import LegalReply, MatchSummary
from server.web.story import Story


class Sight(NamedTuple):
    """A moment of a match as a visitor sees it.

    Attributes:
        story: The match as the seat has seen it.
        number: The event after which it is shown.
        is_live: Whether the present is shown, and not a moment.
        is_why: Whether the event is explained.
        problem: Why there are no names and no picture; empty if there are.
        legal: The open decision and, if the seat is to decide, its options; only at the present.
        about: What the options are narrowed to, or nothing.
        notice: What became of the visitor's last command, if it was not played.
        token: Proves forms.
        key: The idempotency key of the command that the page may send.
        head: The hash of the last commit, if the whole evidence is for the viewer.
        seen: The last event at an earlier visit, or None.
        parent: The match from which this one was forked, or None.
        forks: The matches that were forked from this one.
    """

    story: Story
    number: int
    is_live: bool = True
    is_why: bool = False
    problem: str = ""
    legal: LegalReply | None = None
    about: str = ""
    notice: str = ""
    token: str = ""
    key: str = ""
    head: str | None = None
    seen: int | None = None
    parent: MatchSummary | None = None
    forks: Sequence[MatchSummary] = ()

    @property
    def seat(self) -> Seat:
        """Who looks."""
        return self.story.seat

    @property
    def is_public(self) -> bool:
        """Whether everybody may see it."""
        return self.seat == PUBLIC

    @property
    def title(self) -> str:
        """The title of the game, or its key if it is not installed."""
        try:
            return load_game(self.story.now.game).title
        except UnknownName:
            return self.story.now.game


def seat_words(sight: Sight) -> Mapping[Seat, str]:
    """Return the names of all seats with those of their players."""
    names, now = sight.story.names, sight.story.now
    players = {seat: now.players.get(seat) or "" for seat in now.seats}
    return {
        seat: f"{names.seat(seat)}{f' ({name})' if name and name != names.seat(seat) else ''}"
        for seat, name in players.items()
    }
