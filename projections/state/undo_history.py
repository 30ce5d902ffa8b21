"""The data from which the fold restores an earlier game state when a seat takes commands back.

It reaches back to the last fence: an event of chance, a reveal, the beginning or a fork. The rules of taking back have
further fences (`core.match.undo`), which always come after that one. Where others may consent, it also keeps what lies behind the last
fences of chance and disclosure, in parts that each end with a fence; only the first part holds a game state, from which the others follow.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from copy import copy

from events.codec import replace
from events.ids import Seat
from events.vocabulary import (
    AttributeSet,
    CardDiscarded,
    CardMoved,
    CardPlayed,
    CommandsUndone,
    DeckFormed,
    Event,
    PiecePlaced,
    PieceReturned,
    PieceTurned,
    events_with,
)
from projections.state.table import GamePart, Table, UndoHistory

FENCES = events_with(lambda traits: traits.fence)
"""Events that can never be taken back."""

FIRM = events_with(lambda traits: traits.fence and traits.is_firm)
"""Fences behind which nothing can be taken back even if all agree: the beginning, other rules, a fork, the end."""

EARLIER_MAX = 6
"""How many parts behind the last fence are kept, for what is taken back with the consent of others."""

KEPT = events_with(lambda traits: traits.is_beside_game)
"""Events that are not about the game: taking commands back does not undo them."""

SINCE_MAX = 256
SINCE_DROPPED = 128
"""The most game events that an undo history holds, and how many of the oldest it drops beyond that."""

PICKS = events_with(lambda traits: traits.is_pick)
"""Game events that some seats may not know of: they count neither for dice nor for the length of an undo history."""

Apply = Callable[[Table, Sequence[Event]], None]
"""Applies events to a table as the fold does, without adding them to the undo history."""

_STATES: deque[tuple[list[Event], GamePart]] = deque(maxlen=64)
"""The events of the latest parts behind a fence, and the game state before each; threads share it.

A table that is played on has each of these states when its part ends, and needs it again once the part is the first of those that are left.
"""


def is_secret_pick(event: Event) -> bool:
    """Return whether an event is a pick that some seats do not know of."""
    return type(event) in PICKS and getattr(event, "seen_by", None) is not None


def shows_hidden(table: Table, event: Event) -> bool:
    """Return whether an event shows a seat something on the table that was hidden from it.

    Args:
        table: As it was before.
        event: No event whose kind alone makes it a fence.
    """
    knew: tuple[Seat, ...] | None
    told: tuple[Seat, ...] | None = None
    if isinstance(event, CardPlayed | CardDiscarded):
        knew = table.pile(event.was).seen_by
    elif isinstance(event, CardMoved):
        knew, told = table.pile(event.was).seen_by, event.seen_by
    elif isinstance(event, DeckFormed) and table.pile(event.deck).count:
        knew, told = table.pile(event.deck).seen_by, event.seen_by
    elif isinstance(event, PiecePlaced | PieceReturned | PieceTurned):
        knew, told = table.known_to.get(event.piece), event.seen_by
    elif isinstance(event, AttributeSet):
        knew, told = table.terms_of(event.on, event.key).seen_by, event.seen_by
    else:
        return False
    return knew is not None and not set(table.seats if told is None else told).issubset(knew)


def begin_undo_history(table: Table, fence: Event, apply: Apply, *, is_first: bool = False) -> None:
    """Set a fence that was just applied: nothing before it can be taken back, or only with the consent of others.

    Args:
        table: The table after it.
        fence: The event.
        apply: Applies events.
        is_first: Nothing before it is kept.
    """
    past, table.asked_back = table.past, None
    if past is None or is_first or type(fence) in FIRM or table.taking_back != "consent":
        table.past = UndoHistory(table.seq)
    elif past.game is not None:
        kept = None if past.earlier else past.game
        if past.earlier:
            _STATES.append((past.since, past.game))
        part = UndoHistory(past.seq, kept, past.since, past.runs, (fence,), table.seq)
        table.past = UndoHistory(table.seq, earlier=_last_parts(table, (*past.earlier, part), apply))
    else:
        # Nothing happened in the game since the fence before.
        last = [replace(one, fences=(*one.fences, fence)) for one in past.earlier[-1:]]
        table.past = UndoHistory(table.seq, earlier=(*past.earlier[:-1], *last))


def _last_parts(table: Table, parts: tuple[UndoHistory, ...], apply: Apply) -> tuple[UndoHistory, ...]:
    """Return the last parts of an undo history; the first of them gets its game state."""
    if len(parts) <= EARLIER_MAX:
        return parts
    first, second, *rest = parts
    game = _remembered(second.since)
    return (replace(second, game=_after(table, first, apply) if game is None else game), *rest)


def _remembered(since: list[Event]) -> GamePart | None:
    """Return the game state before a part with these very events, if it is one of the latest."""
    for events, game in reversed(tuple(_STATES)):
        if events is since:
            return game
    return None


def _after(table: Table, part: UndoHistory, apply: Apply) -> GamePart:
    """Return the game state after a part that has one, and the fences that end it."""
    found = _table_after(table, part, len(part.since), apply)
    apply(found, part.fences)
    return _released(found)


def first_kept(table: Table, events: Sequence[Event]) -> int:
    """Return how many events can be applied before the last of them, a fence, begins the undo history; 0 if all have to be noted.

    Args:
        table: The table before the events.
        events: The events that follow, none of which takes commands back.
    """
    parts, is_noted = 0, False
    wanted = EARLIER_MAX if table.taking_back == "consent" else 0
    for start in range(len(events), 0, -1):
        kind = type(events[start - 1])
        if kind in FENCES:
            parts += is_noted
            is_noted = False
            if kind in FIRM or parts > wanted or not wanted:
                return start
        elif kind not in KEPT:
            is_noted = True
    return 0


def note(table: Table, past: UndoHistory, events: Sequence[Event], apply: Apply) -> None:
    """Add game events that were just applied, at least one and none of them a fence, to the undo history of a table."""
    if table.asked_back is not None and not all(map(is_secret_pick, events)):
        table.asked_back = None
    since, runs, seq = past.since, past.runs, table.seq
    since += events
    count = len(since)
    # The numbers of a run are all ahead of their indexes by the same.
    if not runs or seq + 1 - count != runs[-1][1] - runs[-1][0]:
        added = len(events)
        past.runs = (*runs, (count - added, seq + 1 - added))
    if count > SINCE_MAX:
        _shorten(table, past, apply)


def _shorten(table: Table, past: UndoHistory, apply: Apply) -> None:
    """Drop the oldest events while there are too many."""
    while _counted(past.since) > SINCE_MAX:
        past = table.past = _shortened(table, past, apply)


def _counted(events: Sequence[Event]) -> int:
    """Return how many of some game events all viewers know of."""
    return sum(1 for event in events if type(event) not in PICKS)


def _shortened(table: Table, past: UndoHistory, apply: Apply) -> UndoHistory:
    """Return a undo history without the oldest events."""
    counted = [number for number, event in past.numbered() if type(event) not in PICKS]
    number = counted[SINCE_DROPPED - 1]
    count = past.count(number)
    game = _released(_table_after(table, past, count, apply))
    runs = tuple([(index - count, first) for index, first in past.runs if index >= count])
    if not runs or runs[0][0] > 0:
        runs = ((0, number + 1), *runs)
    return UndoHistory(number, game, past.since[count:], runs)


def undo_events(table: Table, to: int, apply: Apply) -> None:
    """Restore the game state after an event.

    Raises:
        KeyError: The table's undo history does not reach the event, so no rules can have allowed it.
    """
    past = table.past
    found = None if past is None or to >= table.seq else part_of(past, to)
    if past is None or found is None:
        raise KeyError(f"no undo history to event {to}")
    parts = (*past.earlier, past)
    place = parts.index(found)
    game = found.game
    for part in parts[: place if game is None else 0]:
        game = _after(table, part if game is None else replace(part, game=game), apply)
    count = found.count(to)
    table.restore(_table_after(table, UndoHistory(found.seq, game, found.since, found.runs), count, apply))
    # The event that takes back does not count for dice either.
    later = sum([_counted(part.since) + len(part.fences) for part in parts[place + 1 :]])
    table.unnumbered += _counted(found.since[count:]) + len(found.fences) + later + 1
    runs = tuple([run for run in found.runs if run[0] < count])
    table.past = UndoHistory(
        found.seq, game if count else None, found.since[:count], runs, earlier=past.earlier[:place]
    )
    table.asked_back = None


def part_of(past: UndoHistory, to: int) -> UndoHistory | None:
    """Return the part of an undo history that can restore the game state after an event; None if none can."""
    if past.seq <= to:
        return past
    return next((part for part in past.earlier if part.seq <= to < part.end), None)


def _table_after(table: Table, past: UndoHistory, count: int, apply: Apply) -> Table:
    """Return a table with the game state after this many events of an undo history."""
    found = copy(table)
    found.past = None
    found.restore(table if past.game is None else past.game)
    apply(found, past.since[:count])
    return found


def _released(table: Table) -> GamePart:
    """Return the game state of a table that is not used any more: nothing of it is copied."""
    return GamePart(**{name: getattr(table, name) for name in GamePart.__struct_fields__})


def rewound(table: Table) -> Table:
    """Return a table whose game state is the one at the beginning of its undo history, from which `replay` restores it.

    It is for encoding only: it shares its dictionaries with the table.
    """
    past = table.past
    game = None if past is None else past.earlier[0].game if past.earlier else past.game
    if past is None or game is None:
        return table
    found = copy(table)
    for name in GamePart.__struct_fields__:
        setattr(found, name, getattr(game, name))
    earlier = tuple([replace(part, game=None) for part in past.earlier])
    found.past = UndoHistory(past.seq, None, past.since, past.runs, earlier=earlier)
    return found


def replay(table: Table, apply: Apply) -> None:
    """Restore the game state of a table, if it was rewound."""
    past = table.past
    if past is None or not (past.since or past.earlier):
        return
    game = table.game_part()
    if past.earlier:
        first, *rest = past.earlier
        past.earlier = (replace(first, game=game), *rest)
        for part in past.earlier:
            game = _after(table, replace(part, game=game), apply)
    now = UndoHistory(past.seq, game, past.since, past.runs)
    past.game = game if past.since else None
    table.restore(_table_after(table, now, len(past.since), apply))


class Undone:
    """The numbers of the events that were taken back, as a stream grows.

    Args:
        first: The number of the first event that is taken.

    Attributes:
        numbers: The numbers; not to be changed.
    """

    __slots__ = ("_number", "_since", "numbers")

    def __init__(self, first: int = 1) -> None:
        self.numbers: set[int] = set()
        self._number = first
        # The numbers of the game events since the last firm fence that still stand, in order.
        self._since: list[int] = []

    def take(self, events: Iterable[Event]) -> None:
        """Take the next events."""
        for number, event in enumerate(events, start=self._number):
            self._number = number + 1
            if isinstance(event, CommandsUndone):
                while self._since and self._since[-1] > event.to:
                    self.numbers.add(self._since.pop())
            elif type(event) in FIRM:
                self._since.clear()
            elif type(event) not in KEPT:
                self._since.append(number)


def undone_events(events: Iterable[Event], first: int = 1) -> frozenset[int]:
    """Return the numbers of the events that were taken back, as far as the `CommandsUndone` events are among the events.

    Args:
        events: The events that one seat sees, in order.
        first: The number of the first of them.
    """
    undone = Undone(first)
    undone.take(events)
    return frozenset(undone.numbers)
