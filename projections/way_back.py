"""The way back: what a table keeps so that the fold can restore what lay on it earlier, when a seat takes commands back.

It reaches back to the last fence: to a fact of chance, a reveal, the beginning or a fork. The rules of taking back know
further fences (`core.take_back`), which always lie behind that one.
"""

from collections.abc import Callable, Iterable, Sequence

from events.vocabulary import (
    CardDrawn,
    ChosenByChance,
    DiceRolled,
    Event,
    ItemPicked,
    ItemUnpicked,
    MatchBegan,
    MatchEnded,
    MatchForked,
    MatchOpened,
    NoteAdded,
    PieceDrawn,
    PieceRevealed,
    RulingMade,
    SeatLeft,
    SeatTaken,
    SecretsRedealt,
    SeedRevealed,
    StandingAnswerGiven,
    StandingAnswersRevealed,
    TakenBack,
)
from projections.table import Table, WayBack

FENCES: frozenset[type[Event]] = frozenset(
    {
        CardDrawn,
        ChosenByChance,
        DiceRolled,
        MatchBegan,
        MatchEnded,
        MatchForked,
        PieceDrawn,
        PieceRevealed,
        SecretsRedealt,
    }
)
"""Facts that nobody can take back, by their kind alone."""

KEPT: frozenset[type[Event]] = frozenset(
    {
        MatchOpened,
        NoteAdded,
        RulingMade,
        SeatLeft,
        SeatTaken,
        SeedRevealed,
        StandingAnswerGiven,
        StandingAnswersRevealed,
        TakenBack,
    }
)
"""Facts that are not about the game: taking commands back leaves what they did as it is."""

SINCE_MAX = 256
SINCE_DROPPED = 128
"""How many facts of the game a way back holds, and how many it drops when there would be more: the oldest."""

_PICKS = (ItemPicked, ItemUnpicked)
"""Facts of the game that some seats may not know of: they count neither for dice nor for the length of a way back."""

Apply = Callable[[Table, Sequence[Event]], None]
"""Applies facts to a table, as the fold does, without noting them in the way back."""


def begin_way_back(table: Table) -> None:
    """Note that nothing can be taken back that happened so far."""
    table.past = WayBack(table.seq, table.game_part())


def extend_way_back(table: Table, events: Sequence[Event], apply: Apply) -> None:
    """Note facts of the game that were applied just now, if the table has a way back; none of them is a fence."""
    past = table.past
    if past is None:
        return
    since, runs, first = past.since, past.runs, table.seq + 1 - len(events)
    if not runs or runs[-1][1] + len(since) - runs[-1][0] != first:
        past.runs = (*runs, (len(since), first))
    since += events
    while len(past.since) > SINCE_MAX and _counted(past.since) > SINCE_MAX:
        past = table.past = _shortened(table, past, apply)


def _counted(events: Sequence[Event]) -> int:
    """Return how many of some facts of the game all onlookers know of."""
    return sum(1 for event in events if not isinstance(event, _PICKS))


def _shortened(table: Table, past: WayBack, apply: Apply) -> WayBack:
    """Return a way back without the oldest facts."""
    counted = [number for number, event in past.numbered() if not isinstance(event, _PICKS)]
    number = counted[SINCE_DROPPED - 1]
    count = past.count(number)
    game = _table_after(table, past, count, apply).game_part()
    runs = tuple([(index - count, first) for index, first in past.runs if index >= count])
    if not runs or runs[0][0] > 0:
        runs = ((0, number + 1), *runs)
    return WayBack(number, game, past.since[count:], runs)


def go_back(table: Table, to: int, apply: Apply) -> None:
    """Restore what lay on the table after an event.

    Raises:
        KeyError: The table's way back does not reach it, so that no rules can have let a seat take that back.
    """
    past = table.past
    if past is None or not past.seq <= to < table.seq:
        raise KeyError(f"way back to event {to}")
    count = past.count(to)
    table.restore(_table_after(table, past, count, apply))
    # The fact that takes back does not count for dice either.
    table.unnumbered += _counted(past.since[count:]) + 1
    runs = tuple([run for run in past.runs if run[0] < count])
    table.past = WayBack(past.seq, past.game, past.since[:count], runs)


def _table_after(table: Table, past: WayBack, count: int, apply: Apply) -> Table:
    """Return a table on which the same lies as after so many of the facts of a way back."""
    found = table.clone()
    found.restore(past.game)
    apply(found, past.since[:count])
    return found


def taken_back(events: Iterable[Event], first: int = 1) -> frozenset[int]:
    """Return the numbers of the facts that were taken back, as far as the facts that took them back are among the events.

    Args:
        events: What one seat sees, in order.
        first: The number of the first of them.
    """
    numbers: set[int] = set()
    since: list[int] = []
    for number, event in enumerate(events, start=first):
        if isinstance(event, TakenBack):
            numbers.update(one for one in since if one > event.to)
            since = [one for one in since if one <= event.to]
        elif type(event) in FENCES:
            since = []
        elif type(event) not in KEPT:
            since.append(number)
    return frozenset(numbers)
