"""A match as the pages of a seat know it."""

from core.game.bound_game import BoundGame
from core.telling.names import Names
from events.ids import MatchId, Seat
from server.client.client import Client
from server.page_parts.story import Story


def seen_story(client: Client, match: MatchId, seat: Seat, bound: BoundGame) -> Story:
    """Return all of a match that a seat has seen."""
    story = Story(match, seat, Names(bound.narration), bound.narration)
    for slice_ in client.log(match, seat):
        story.take(slice_)
    return story
