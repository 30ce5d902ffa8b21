"""Look ahead: commands played on the table as its seat knows it, as far as neither chance nor what the seat does not know decides, and whether they can be taken back."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import NamedTuple, NoReturn

from typing_extensions import override

from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.decision import Rules
from core.engine.draft import Draft
from core.engine.draft_chance import MatchOver
from events.ids import NO_SEAT, NO_SIDE, Seat
from events.vocabulary import Event
from projections.state.table import Table
from projections.state.undo_history import FENCES, shows_hidden

ANSWERS_MAX = 8
"""How many answers of other seats are assumed before dice."""


Assumes = Callable[[Table, Seat], Command | None]
"""Returns what is assumed to be answered to the open question before the dice of a seat; None if nothing is."""


class NotForeseen(Exception):
    """Signal that what comes next is left to chance, shows what was hidden, or follows from what a seat does not know."""


class Ahead(Draft):
    """A draft in which nothing is rolled, drawn, chosen by chance or shown for good: a seat does not know what lies in a deck."""

    @override
    def emit(self, event: Event) -> None:
        if type(event) in FENCES or shows_hidden(self.table, event):
            raise NotForeseen
        super().emit(event)

    @override
    def dice(self, *_: object, **__: object) -> NoReturn:
        raise NotForeseen

    @override
    def draw_card(self, *_: object, **__: object) -> NoReturn:
        raise NotForeseen

    @override
    def draw_piece(self, *_: object, **__: object) -> NoReturn:
        raise NotForeseen

    @override
    def choose(self, *_: object, **__: object) -> NoReturn:
        raise NotForeseen

    def goes_on(self, rules: Rules, command: Command) -> bool:
        """Play a command; return False, and be of no further use, if what comes of it is not foreseen or the match is over."""
        try:
            rules.take(self, command)
        except (NotForeseen, MatchOver):
            return False
        # What rules read of a piece or card that the seat does not know is not there, and each game reads it in its own way.
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError):
            return False
        return True


class Ends(Enum):
    """Part of a seat's own turn that commands end."""

    NOTHING = 0
    PHASE = 1
    TURN = 2


class Outcome(NamedTuple):
    """Result of commands as far as their seat can know it.

    Attributes:
        is_final: Whether they cannot be taken back.
        ends: What they end.
        awaits: The other seat that is asked next, if one is and nothing ends: until it has answered they can be taken back.
        is_settled: Whether the seat itself is not asked again before dice or draws decide, if that other one adds nothing.
    """

    is_final: bool
    ends: Ends
    awaits: Seat = NO_SEAT
    is_settled: bool = False


def ahead_of(table: Table) -> Ahead:
    """Return a draft that plays on from a table, which stays as it is."""
    return Ahead(table.clone(), ManualChance())


def outcome(rules: Rules, table: Table, commands: Sequence[Command], assumes: Assumes | None = None) -> Outcome:
    """Return whether commands that are played one after the other can be taken back.

    They cannot if something is left to chance or shown for good, or if they end a phase of the seat's own turn and another seat decides next, which may do so at once. What only
    calls for an answer of another seat, as in a fight, counts as the ordinary course of play.

    Args:
        rules: The rules of the match.
        table: The table as its seat knows it, so that nothing else is disclosed.
        commands: Legal commands of the seat that is asked.
        assumes: What other seats are assumed to answer before dice; by default no answer is assumed.
    """
    asked, draft = table.top, ahead_of(table)
    assert asked is not None, "a command answers a question"
    if not all(draft.goes_on(rules, command) for command in commands):
        return Outcome(is_final=True, ends=_changed(table, draft.table, asked.seat))
    ends, top = ended(table, draft.table), draft.table.top
    awaits = NO_SEAT if top is None or top.seat == asked.seat or ends is not Ends.NOTHING else top.seat
    is_settled = bool(awaits) and assumes is not None and _is_settled(rules, assumes, draft, asked.seat)
    return Outcome(ends is not Ends.NOTHING, ends, awaits, is_settled)


def _is_settled(rules: Rules, assumes: Assumes, draft: Ahead, seat: Seat) -> bool:
    """Return whether dice or draws decide before a seat is asked again, if the others answer as is assumed."""
    for _ in range(ANSWERS_MAX):
        top = draft.table.top
        if top is None or top.seat in (NO_SEAT, seat):
            return False
        assumed = assumes(draft.table, seat)
        if assumed is None:
            return False
        if not draft.goes_on(rules, assumed):
            return True
    return False


def ended(before: Table, now: Table) -> Ends:
    """Return what has ended of the turn of the seat that was asked, if that seat is not asked now.

    Args:
        before: The table with a question on top.
        now: The table after commands that answered it.
    """
    asked, top = before.top, now.top
    if asked is None or (top is not None and top.seat == asked.seat):
        return Ends.NOTHING
    return _changed(before, now, asked.seat)


def _changed(before: Table, now: Table, seat: Seat) -> Ends:
    """Return what has changed of the turn of a seat; nothing in the turn of another one."""
    if before.turn not in (NO_SIDE, before.side_of(seat)) or before.turn_seat not in (NO_SEAT, seat):
        return Ends.NOTHING
    if (before.round, before.turn, before.turn_seat) != (now.round, now.turn, now.turn_seat):
        return Ends.TURN
    return Ends.NOTHING if before.phase == now.phase else Ends.PHASE
