"""A stand-in for a wargame: twenty kinds of small events about a hundred counters on sixty fields (`stand_in_state` folds them).

It gives the anchors a realistic load that is independent of the product: encoded events of some forty bytes, in the mix
of a wargame's log (mostly moves, dice and losses). msgspec is used directly because an anchor must not use the product's
codec.
"""

import random
from collections.abc import Callable

import msgspec

FIELDS = 60
COUNTERS = 100
SIDES = 2


class Event(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Base of the stand-in's events; tagged by name, fields as a map."""


class Opened(Event, frozen=True, gc=False):
    scenario: str
    seed: int
    sides: list[str]


class Seated(Event, frozen=True, gc=False):
    seat: int
    player: str


class PhaseSet(Event, frozen=True, gc=False):
    phase: int
    side: int


class RoundSet(Event, frozen=True, gc=False):
    turn: int


class SkySet(Event, frozen=True, gc=False):
    weather: int


class Marched(Event, frozen=True, gc=False):
    counter: int
    src: int
    dst: int
    cost: int


class Landed(Event, frozen=True, gc=False):
    counter: int
    dst: int


class Destroyed(Event, frozen=True, gc=False):
    counter: int
    cause: int


class Weakened(Event, frozen=True, gc=False):
    counter: int
    steps: int


class Rebuilt(Event, frozen=True, gc=False):
    counter: int
    steps: int


class Withdrew(Event, frozen=True, gc=False):
    counter: int
    src: int
    dst: int


class BattleJoined(Event, frozen=True, gc=False):
    area: int
    attackers: list[int]
    defenders: list[int]


class DiceFell(Event, frozen=True, gc=False):
    purpose: int
    dice: list[int]


class BattleWon(Event, frozen=True, gc=False):
    area: int
    att_loss: int
    def_loss: int


class Isolated(Event, frozen=True, gc=False):
    side: int
    out: list[int]


class CardTaken(Event, frozen=True, gc=False):
    side: int
    card: int


class CardSpent(Event, frozen=True, gc=False):
    side: int
    card: int
    as_event: bool


class FieldHeld(Event, frozen=True, gc=False):
    area: int
    side: int


class Scored(Event, frozen=True, gc=False):
    side: int
    points: int


class Closed(Event, frozen=True, gc=False):
    winner: int
    reason: str


AnyEvent = (
    Opened
    | Seated
    | PhaseSet
    | RoundSet
    | SkySet
    | Marched
    | Landed
    | Destroyed
    | Weakened
    | Rebuilt
    | Withdrew
    | BattleJoined
    | DiceFell
    | BattleWon
    | Isolated
    | CardTaken
    | CardSpent
    | FieldHeld
    | Scored
    | Closed
)

ENCODER = msgspec.msgpack.Encoder()
DECODER: msgspec.msgpack.Decoder[AnyEvent] = msgspec.msgpack.Decoder(AnyEvent)

# How often each kind occurs in a hundred events of play.
_WEIGHTS: dict[type[Event], int] = {
    Marched: 40,
    DiceFell: 12,
    Weakened: 10,
    BattleJoined: 6,
    BattleWon: 6,
    FieldHeld: 5,
    Withdrew: 4,
    PhaseSet: 4,
    Isolated: 3,
    CardTaken: 3,
    CardSpent: 3,
    Landed: 1,
    Destroyed: 1,
    Rebuilt: 1,
    RoundSet: 1,
    SkySet: 1,
    Scored: 1,
}


def _make(kind: type[Event], dice: random.Random) -> AnyEvent:
    """Return an event of a kind with plausible arguments."""
    counter, here, there = dice.randrange(COUNTERS), dice.randrange(FIELDS), dice.randrange(FIELDS)
    side, card = dice.randrange(SIDES), dice.randrange(55)
    makers: dict[type[Event], Callable[[], AnyEvent]] = {
        Marched: lambda: Marched(counter, here, there, dice.randrange(1, 5)),
        DiceFell: lambda: DiceFell(1, [dice.randrange(1, 7) for _ in range(4)]),
        Weakened: lambda: Weakened(counter, 1),
        BattleJoined: lambda: BattleJoined(here, dice.sample(range(COUNTERS), 3), dice.sample(range(COUNTERS), 2)),
        BattleWon: lambda: BattleWon(here, dice.randrange(3), dice.randrange(3)),
        FieldHeld: lambda: FieldHeld(here, side),
        Withdrew: lambda: Withdrew(counter, here, there),
        PhaseSet: lambda: PhaseSet(dice.randrange(6), side),
        Isolated: lambda: Isolated(side, dice.sample(range(COUNTERS), 4)),
        CardTaken: lambda: CardTaken(side, card),
        CardSpent: lambda: CardSpent(side, card, as_event=True),
        Landed: lambda: Landed(counter, there),
        Destroyed: lambda: Destroyed(counter, 1),
        Rebuilt: lambda: Rebuilt(counter, 1),
        RoundSet: lambda: RoundSet(dice.randrange(10)),
        SkySet: lambda: SkySet(dice.randrange(4)),
        Scored: lambda: Scored(side, dice.randrange(4)),
    }
    return makers[kind]()


def events(count: int, seed: int = 1942) -> list[AnyEvent]:
    """Return a log of `count` events (4 or more), the same for the same seed."""
    dice = random.Random(seed)
    kinds = dice.choices(list(_WEIGHTS), list(_WEIGHTS.values()), k=count - 4)
    played = [_make(kind, dice) for kind in kinds]
    return [
        Opened("standard", 123456789, ["Axis", "Soviet"]),
        Seated(0, "anna"),
        Seated(1, "bert"),
        *played,
        Closed(0, "points"),
    ]
