"""Helpers for the tests of a game: open a match, find out why a command is refused, and compare what a seat sees."""

from collections.abc import Mapping

from events.codec import encode
from events.ids import PUBLIC
from server.client.library import Match, open_match
from server.protocol.errors import RequestFailed

__all__ = ["legal_words", "opened", "refusal", "same_view", "where"]


def opened(game: str, position: str = "", *, scenario: str = "", mode: str = "", seed: str = "") -> Match:
    """Open a match and begin it, with typed dice unless there is a seed.

    Args:
        game: The key of the game.
        position: The text of a position file; without it the match begins with its set-up.
        scenario: The scenario; by default the first.
        mode: The mode; by default the first.
        seed: The seed of its dice; with typed dice a set-up that rolls is begun by `match.play({"do": "match:begin"}, dice=…)`.
    """
    dice = "seeded" if seed else "manual"
    match = open_match(game, scenario, mode=mode, dice=dice, seed=seed, position=position or None)
    if position and not seed:
        match.play({"do": "match:begin"})
    return match


def refusal(match: Match, command: Mapping[str, object], seat: str = "") -> str:
    """Return the code with which a command is refused.

    Raises:
        AssertionError: It is accepted; the match has gone on then.
    """
    try:
        match.play(dict(command), seat)
    except RequestFailed as failed:
        return failed.reply.refusal or failed.reply.code
    raise AssertionError(f"{command} is accepted")


def where(match: Match) -> dict[str, str]:
    """Return the place of each piece."""
    return {str(piece): str(placed.place) for piece, placed in match.table().pieces.items()}


def legal_words(match: Match) -> list[str]:
    """Return the legal commands in words."""
    return [option.words for option in match.legal()]


def same_view(one: Match, other: Match, seat: str = PUBLIC) -> bool:
    """Return whether a seat, or a spectator, sees the same events of the game in two matches, byte for byte.

    Matches that differ only in a secret of another seat must look the same to it.
    """
    first, second = (
        [encode(event) for event in match.events(seat) if not event.rule.startswith("match.")] for match in (one, other)
    )
    return first == second
