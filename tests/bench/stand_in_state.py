"""The positions of the stand-in wargame, and the two ways to fold its events: in place, or with a new state for each."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from tests.bench.stand_in import (
    COUNTERS,
    FIELDS,
    SIDES,
    BattleJoined,
    BattleWon,
    CardSpent,
    CardTaken,
    Closed,
    Destroyed,
    DiceFell,
    Event,
    FieldHeld,
    Isolated,
    Landed,
    Marched,
    Opened,
    PhaseSet,
    Rebuilt,
    RoundSet,
    Scored,
    Seated,
    SkySet,
    Weakened,
    Withdrew,
)


class Counter(msgspec.Struct, gc=False):
    """A counter on the board, changed in place."""

    id: int
    side: int
    kind: int
    strength: int
    steps: int
    area: int
    moved: bool = False
    supplied: bool = True


class State(msgspec.Struct):
    """A position changed in place, with a set of the pieces on every field."""

    turn: int = 0
    phase: int = 0
    side: int = 0
    weather: int = 0
    counters: list[Counter] = []
    stacks: dict[int, set[int]] = {}
    control: dict[int, int] = {}
    hands: list[list[int]] = []
    points: list[int] = []
    battle: tuple[int, list[int], list[int]] | None = None
    dice: list[int] = []
    players: dict[int, str] = {}
    winner: int = -1


class LeanState(msgspec.Struct):
    """The smallest position whose pieces are objects: the anchor of an idle match."""

    turn: int
    counters: list[Counter]
    control: bytearray
    hands: list[list[int]]
    points: list[int]


def _counters() -> list[Counter]:
    return [Counter(i, i % SIDES, i % 5, 3 + i % 4, 2, i % FIELDS) for i in range(COUNTERS)]


def new_state() -> State:
    """Return the starting position."""
    state = State(counters=_counters(), hands=[[], []], points=[0, 0])
    state.stacks = {area: set() for area in range(FIELDS)}
    for counter in state.counters:
        state.stacks[counter.area].add(counter.id)
    state.control = {area: area % SIDES for area in range(FIELDS)}
    return state


def new_lean_state() -> LeanState:
    """Return the starting position without indexes."""
    return LeanState(0, _counters(), bytearray(FIELDS), [[], []], [0, 0])


def _shift(state: State, number: int, dst: int) -> Counter:
    counter = state.counters[number]
    if counter.area >= 0:
        state.stacks[counter.area].discard(number)
    counter.area = dst
    if dst >= 0:
        state.stacks[dst].add(number)
    return counter


def _marched(state: State, event: Marched) -> None:
    _shift(state, event.counter, event.dst).moved = True


def _arrived(state: State, event: Landed | Withdrew) -> None:
    _shift(state, event.counter, event.dst)


def _destroyed(state: State, event: Destroyed) -> None:
    _shift(state, event.counter, -1)


def _weakened(state: State, event: Weakened) -> None:
    counter = state.counters[event.counter]
    counter.steps = max(0, counter.steps - event.steps)


def _rebuilt(state: State, event: Rebuilt) -> None:
    state.counters[event.counter].steps += event.steps


def _joined(state: State, event: BattleJoined) -> None:
    state.battle = (event.area, event.attackers, event.defenders)


def _won(state: State, _event: BattleWon) -> None:
    state.battle = None


def _fell(state: State, event: DiceFell) -> None:
    state.dice = event.dice


def _isolated(state: State, event: Isolated) -> None:
    out = set(event.out)
    for counter in state.counters:
        if counter.side == event.side:
            counter.supplied = counter.id not in out


def _taken(state: State, event: CardTaken) -> None:
    state.hands[event.side].append(event.card)


def _spent(state: State, event: CardSpent) -> None:
    hand = state.hands[event.side]
    if event.card in hand:
        hand.remove(event.card)


def _held(state: State, event: FieldHeld) -> None:
    state.control[event.area] = event.side


def _scored(state: State, event: Scored) -> None:
    state.points[event.side] += event.points


def _phase(state: State, event: PhaseSet) -> None:
    state.phase, state.side = event.phase, event.side


def _round(state: State, event: RoundSet) -> None:
    state.turn = event.turn
    for counter in state.counters:
        counter.moved = False


def _sky(state: State, event: SkySet) -> None:
    state.weather = event.weather


def _seated(state: State, event: Seated) -> None:
    state.players[event.seat] = event.player


def _closed(state: State, event: Closed) -> None:
    state.winner = event.winner


def _opened(_state: State, _event: Opened) -> None:
    """Change nothing: the opening keeps the starting position."""


_HANDLERS: dict[type[Event], Callable[..., None]] = {
    Opened: _opened,
    Seated: _seated,
    PhaseSet: _phase,
    RoundSet: _round,
    SkySet: _sky,
    Marched: _marched,
    Landed: _arrived,
    Withdrew: _arrived,
    Destroyed: _destroyed,
    Weakened: _weakened,
    Rebuilt: _rebuilt,
    BattleJoined: _joined,
    BattleWon: _won,
    DiceFell: _fell,
    Isolated: _isolated,
    CardTaken: _taken,
    CardSpent: _spent,
    FieldHeld: _held,
    Scored: _scored,
    Closed: _closed,
}


def fold(state: State, log: Iterable[Event]) -> State:
    """Apply events in place through handlers by type and return the state."""
    handlers = _HANDLERS
    for event in log:
        handlers[type(event)](state, event)
    return state


class FrozenCounter(msgspec.Struct, frozen=True, gc=False):
    """An immutable counter."""

    id: int
    side: int
    kind: int
    strength: int
    steps: int
    area: int
    moved: bool = False
    supplied: bool = True


class FrozenState(msgspec.Struct, frozen=True):
    """An immutable position, which every event replaces by a new one."""

    turn: int = 0
    phase: int = 0
    side: int = 0
    weather: int = 0
    counters: tuple[FrozenCounter, ...] = ()
    control: tuple[int, ...] = ()
    hands: tuple[tuple[int, ...], ...] = ((), ())
    points: tuple[int, ...] = (0, 0)
    battle: tuple[int, tuple[int, ...], tuple[int, ...]] | None = None
    dice: tuple[int, ...] = ()
    players: tuple[str, ...] = ("", "")
    winner: int = -1


def new_frozen_state() -> FrozenState:
    """Return the starting position."""
    counters = tuple(FrozenCounter(i, i % SIDES, i % 5, 3 + i % 4, 2, i % FIELDS) for i in range(COUNTERS))
    return FrozenState(counters=counters, control=tuple(area % SIDES for area in range(FIELDS)))


def _put(row: tuple[Any, ...], place: int, value: object) -> tuple[Any, ...]:
    # Joining slices is a third faster than unpacking them, and an anchor should be as fast as possible.
    return row[:place] + (value,) + row[place + 1 :]  # noqa: RUF005


def _recount(state: FrozenState, number: int, **changes: object) -> FrozenState:
    return replace(state, counters=_put(state.counters, number, replace(state.counters[number], **changes)))


def _supply(state: FrozenState, event: Isolated) -> FrozenState:
    counters = tuple(
        replace(counter, supplied=counter.id not in event.out) if counter.side == event.side else counter
        for counter in state.counters
    )
    return replace(state, counters=counters)


def _new_round(state: FrozenState, event: RoundSet) -> FrozenState:
    counters = tuple(replace(counter, moved=False) if counter.moved else counter for counter in state.counters)
    return replace(state, turn=event.turn, counters=counters)


def _spend(state: FrozenState, event: CardSpent) -> FrozenState:
    hand = state.hands[event.side]
    if event.card not in hand:
        return state
    place = hand.index(event.card)
    return replace(state, hands=_put(state.hands, event.side, hand[:place] + hand[place + 1 :]))


_PURE: dict[type[Event], Callable[..., FrozenState]] = {
    Opened: lambda s, _: s,
    Seated: lambda s, f: replace(s, players=_put(s.players, f.seat, f.player)),
    PhaseSet: lambda s, f: replace(s, phase=f.phase, side=f.side),
    RoundSet: _new_round,
    SkySet: lambda s, f: replace(s, weather=f.weather),
    Marched: lambda s, f: _recount(s, f.counter, area=f.dst, moved=True),
    Landed: lambda s, f: _recount(s, f.counter, area=f.dst),
    Withdrew: lambda s, f: _recount(s, f.counter, area=f.dst),
    Destroyed: lambda s, f: _recount(s, f.counter, area=-1),
    Weakened: lambda s, f: _recount(s, f.counter, steps=max(0, s.counters[f.counter].steps - f.steps)),
    Rebuilt: lambda s, f: _recount(s, f.counter, steps=s.counters[f.counter].steps + f.steps),
    BattleJoined: lambda s, f: replace(s, battle=(f.area, tuple(f.attackers), tuple(f.defenders))),
    BattleWon: lambda s, _: replace(s, battle=None),
    DiceFell: lambda s, f: replace(s, dice=tuple(f.dice)),
    Isolated: _supply,
    CardTaken: lambda s, f: replace(s, hands=_put(s.hands, f.side, (*s.hands[f.side], f.card))),
    CardSpent: _spend,
    FieldHeld: lambda s, f: replace(s, control=_put(s.control, f.area, f.side)),
    Scored: lambda s, f: replace(s, points=_put(s.points, f.side, s.points[f.side] + f.points)),
    Closed: lambda s, f: replace(s, winner=f.winner),
}


def pure_fold(state: FrozenState, log: Iterable[Event]) -> FrozenState:
    """Apply events without mutation: every event makes a new state."""
    handlers = _PURE
    for event in log:
        state = handlers[type(event)](state, event)
    return state
