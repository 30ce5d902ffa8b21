"""The account of a chapter: what was told from the beginning to the end of the declared sequence of which an event is part."""

from cli.match_view import MatchView
from core.telling.lines import Line
from core.telling.narrator import Narrator
from events.vocabulary import SequenceBegan, SequenceEnded, TakenBack
from projections.chronicle import Chronicler
from projections.fold import evolve
from projections.table import Table


def account(seen: MatchView, number: int) -> tuple[Line, ...]:
    """Return the sentences of the innermost sequence around an event whose beginning the game tells, such as a combat.

    Args:
        seen: The match and the seat.
        number: The event; it counts as part of a sequence from the sequence's first event to its last.

    Returns:
        The sentences as far as the sequence has been played, or none if the event is part of no such sequence.
    """
    span = _span(seen, number)
    if span is None:
        return ()
    first, last = span
    teller, chronicler = Narrator(seen.names, seen.table(first - 1)), Chronicler()
    entries = [entry for slice_ in seen.stream(first - 1, last) for entry in chronicler.take(slice_)]
    return tuple(teller.lines(entries))


def _span(seen: MatchView, number: int) -> tuple[int, int] | None:
    """Return the first and the last event of the sequence; the last known one if the sequence goes on."""
    table, begun = Table(), list[tuple[int, bool]]()
    found: int | None = None
    for at, event in enumerate(seen.events(upto=seen.last), start=1):
        if isinstance(event, SequenceBegan):
            begun.append((at, at <= number and bool(seen.names.narration.tell(table, [event]))))
        elif isinstance(event, TakenBack):
            begun = [one for one in begun if one[0] <= event.to]
        if at == number:
            found = next((first for first, is_told in reversed(begun) if is_told), None)
            if found is None:
                return None
        if isinstance(event, SequenceEnded) and begun and begun.pop()[0] == found:
            return found, at
        if found is None or at <= number:
            evolve(table, event)
    return None if found is None else (found, seen.last)
