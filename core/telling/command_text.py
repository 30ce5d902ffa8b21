"""Tells commands in words, as far as a reader may know them."""

from collections.abc import Sequence

from core.engine.command import MATCH_TAGS, Command
from core.game.bound_game import BoundGame
from core.telling.names import Names
from core.telling.phrases import spoken
from events.codec import Decoder, Struct
from events.commit import Commit
from events.vocabulary import Event, MatchBegan
from projections.state.table import Table


class Wish(Struct, frozen=True):
    """The tag of a command, without its fields."""

    do: str


_WISH: Decoder[Wish] = Decoder(Wish)


def command_words(names: Names, commit: Commit, seen: Sequence[Event], before: Table, bound: BoundGame | None) -> str:
    """Return the command of a commit in words; empty if its events hold a secret of another seat.

    Args:
        names: The names of the match.
        commit: The commit.
        seen: Its events as the reader has seen them.
        before: The table before it as the reader knows it, so that a command does not name what it moved.
        bound: The game of the match, or None if it cannot be loaded here; then only the kind of the command is told.
    """
    who = names.seat(commit.seat)
    wish = _WISH.decode(bytes(commit.command)).do
    if wish.startswith(MATCH_TAGS):
        begins = any(isinstance(event, MatchBegan) for event in commit.events)
        said = {"take-seat": "take the seat", "begin": "begin"}.get(wish.removeprefix(MATCH_TAGS))
        return f"{who}: {said or spoken(wish.removeprefix(MATCH_TAGS))}{'; play begins with it' if begins else ''}"
    if tuple(seen) != commit.events:
        return ""
    if bound is None:
        return f"{who}: {spoken(wish)}"
    command: Command = bound.rules.decode(bytes(commit.command))
    return f"{who}: {bound.narration.told(before, command).words}"
