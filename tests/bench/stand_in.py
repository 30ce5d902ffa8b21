"""A wargame that is none: twenty small facts about a hundred counters on sixty fields (`stand_in_state` folds them).

It gives the anchors a realistic load that owes nothing to the product: encoded facts of some forty bytes, mixed as a
wargame's log mixes them (moves, dice and losses dominate). msgspec is used directly because an anchor must not pass
through the product's codec.
"""

import random
from collections.abc import Callable

import msgspec

FIELDS = 60
COUNTERS = 100
SIDES = 2


class Fact(msgspec.Struct, frozen=True, gc=False, tag=True):
    """Base of the stand-in's facts; tagged by name, fields as a map."""


class Opened(Fact, frozen=True, gc=False):
    scenario: str
    seed: int
    sides: list[str]


class Seated(Fact, frozen=True, gc=False):
    seat: int
    player: str


class PhaseSet(Fact, frozen=True, gc=False):
    phase: int
    side: int


class RoundSet(Fact, frozen=True, gc=False):
    turn: int


class SkySet(Fact, frozen=True, gc=False):
    weather: int


class Marched(Fact, frozen=True, gc=False):
    counter: int
    src: int
    dst: int
    cost: int


class Landed(Fact, frozen=True, gc=False):
    counter: int
    dst: int


class Destroyed(Fact, frozen=True, gc=False):
    counter: int
    cause: int


class Weakened(Fact, frozen=True, gc=False):
    counter: int
    steps: int


class Rebuilt(Fact, frozen=True, gc=False):
    counter: int
    steps: int


class Withdrew(Fact, frozen=True, gc=False):
    counter: int
    src: int
    dst: int


class BattleJoined(Fact, frozen=True, gc=False):
    area: int
    attackers: list[int]
    defenders: list[int]


class DiceFell(Fact, frozen=True, gc=False):
    purpose: int
    dice: list[int]


class BattleWon(Fact, frozen=True, gc=False):
    area: int
    att_loss: int
    def_loss: int


class Isolated(Fact, frozen=True, gc=False):
    side: int
    out: list[int]


class CardTaken(Fact, frozen=True, gc=False):
    side: int
    card: int


class CardSpent(Fact, frozen=True, gc=False):
    side: int
    card: int
    as_event: bool


class FieldHeld(Fact, frozen=True, gc=False):
    area: int
    side: int


class Scored(Fact, frozen=True, gc=False):
    side: int
    points: int


class Closed(Fact, frozen=True, gc=False):
    winner: int
    reason: str


AnyFact = (
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
DECODER: msgspec.msgpack.Decoder[AnyFact] = msgspec.msgpack.Decoder(AnyFact)

# How often each kind falls in a hundred facts of play.
_WEIGHTS: dict[type[Fact], int] = {
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


def _make(kind: type[Fact], dice: random.Random) -> AnyFact:
    """Make one fact of a kind with plausible arguments."""
    counter, here, there = dice.randrange(COUNTERS), dice.randrange(FIELDS), dice.randrange(FIELDS)
    side, card = dice.randrange(SIDES), dice.randrange(55)
    makers: dict[type[Fact], Callable[[], AnyFact]] = {
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


def facts(count: int, seed: int = 1942) -> list[AnyFact]:
    """Return a log of `count` facts (4 or more), the same for the same seed."""
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
