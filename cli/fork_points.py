"""Finds the events at which a fork can leave a match so that a roll, a draw or a decision happens again."""

from collections.abc import Iterable, Iterator

from events.codec import Struct
from events.vocabulary import CardDrawn, ChosenByChance, DeckShuffled, DiceRolled, Event, MatchForked, PieceDrawn
from projections.view import EventSlice

CHANCE = (DiceRolled, CardDrawn, PieceDrawn, ChosenByChance, DeckShuffled)


class ForkPoints(Struct, frozen=True):
    """The events to fork at in order to change an event: `to_decide` its command again, `to_roll` its dice or its draw again.

    Each is None if there is none: only dice and draws are rolled again, and only within a command; the opening of a match is not
    decided again. Before the first roll of a command, deciding again rolls again.
    """

    to_decide: int | None = None
    to_roll: int | None = None


def fork_points(event: Event, number: int, first: int, *, is_new_deal: bool = False) -> ForkPoints:
    """Return where to fork in order to change an event.

    Args:
        event: The event.
        number: Its number in the stream of the viewing seat.
        first: The number of the first event of its command.
        is_new_deal: Whether the command is that of a fork, whose new deal cannot be cut.
    """
    cuts = isinstance(event, CHANCE) and number > first and not is_new_deal
    return ForkPoints(first - 1 or None, number - 1 if cuts else None)


def points_of(stream: Iterable[EventSlice], first: int = 0) -> Iterator[tuple[int, ForkPoints]]:
    """Return where to fork in order to change each event of a stream, with the event's number.

    Args:
        stream: What a seat has seen, commit by commit.
        first: The number of the first event of the first command, if the stream begins in the middle of it.
    """
    for seen in stream:
        is_new_deal = isinstance(seen.events[0], MatchForked)
        for number, event in enumerate(seen.events, start=seen.first):
            yield number, fork_points(event, number, first or seen.first, is_new_deal=is_new_deal)
        first = 0


def point_words(number: int, points: ForkPoints) -> str:
    """Return in a few words where to fork in order to change an event; empty if it is neither rolled nor the first of a command."""
    if points.to_roll is not None:
        return f"fork at {points.to_roll} to roll again"
    return f"fork at {points.to_decide}" if points.to_decide == number - 1 else ""
