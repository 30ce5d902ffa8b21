"""Pieces that are turned or lose steps, in words; one that does so several times in a row is told once."""

from collections.abc import Callable, Sequence

from events.codec import replace
from events.ids import PieceId
from events.vocabulary import PieceTurned


def turned_in_all(run: Sequence[PieceTurned]) -> list[PieceTurned]:
    """Return one event for each piece, from how it was at first to how it is at last."""
    turned: dict[PieceId, PieceTurned] = {}
    for event in run:
        first = turned.get(event.piece, event)
        turned[event.piece] = replace(event, was=first.was, steps_was=first.steps_was)
    return list(turned.values())


def turned_alike(run: Sequence[PieceTurned], name: Callable[[str], str]) -> dict[str, list[PieceTurned]]:
    """Return how pieces are now, in words, and those to which it applies."""
    alike: dict[str, list[PieceTurned]] = {}
    for event in turned_in_all(run):
        said = []
        if event.face and event.face != event.was:
            said.append(f"now {name(event.face)}")
        if event.steps is not None and event.steps != event.steps_was:
            said.append(f"at {event.steps} step{'' if event.steps == 1 else 's'} (before {event.steps_was})")
        alike.setdefault(" and ".join(said) or "turned", []).append(event)
    return alike
