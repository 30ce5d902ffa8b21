"""The expected result of an attack, for bots: exact chances of the dice, averaged over what an Unrevealed unit may be."""

from functools import cache, lru_cache
from itertools import product

from core.games.advance.components.board_records import AMBUSH, BARRAGE, FANATIC, HEROES
from events.codec import Struct

Suspect = tuple[int, int, str, int]
"""What a Soviet unit may be: how many counters are like it, Defense Factor, strategy in force (or none), Soviet dice."""

NO_AIR = (0,)
AIR_DICE = (1, 2, 3, 4, 5, 6)
LIMITED_AIR_DICE = (1, 1, 1, 2, 3, 4)
"""What Air Support takes off, by the face of its die; the last one is that of 12.5 over Heavy Urban Areas."""


class Defense(Struct, frozen=True):
    """Knowledge of a defense.

    `suspects` is what the unit may be, `added` what is added to its factor, `is_prized` whether the Area has TEM +4,
    `against` what an Overrun must exceed (the option `overrun_against`).
    """

    suspects: tuple[Suspect, ...]
    added: int
    is_prized: bool
    against: str


class Prospect(Struct, frozen=True):
    """Prospects of an attack: the chance of a capture, units lost and the change of Morale, both on average."""

    capture: float
    losses: float
    morale: float


@cache
def differences(dice: int) -> tuple[float, ...]:
    """Return the chances that 2d6 exceed the two highest of `dice` dice by -10 to 10."""
    soviet: dict[int, int] = {}
    for faces in product(range(1, 7), repeat=dice):
        high = sum(sorted(faces)[-2:])
        soviet[high] = soviet.get(high, 0) + 1
    chances = [0.0] * 21
    for one, other in product(range(1, 7), repeat=2):
        for high, count in soviet.items():
            chances[one + other - high + 10] += count
    every = float(36 * 6**dice)
    return tuple([chance / every for chance in chances])


class Odds:
    """Prospects of the attacks on a defense, each worked out once.

    Args:
        defense: What is known of it.
    """

    def __init__(self, defense: Defense) -> None:
        self.defense = defense
        self._found: dict[tuple[int, tuple[int, ...]], Prospect] = {}

    def prospect(self, attack: int, air: tuple[int, ...]) -> Prospect:
        """Return what an attack with this Attack Value may bring.

        Args:
            attack: The Attack Value.
            air: What Air Support takes off, one entry per face of its die; `NO_AIR` without it.
        """
        found = self._found.get((attack, air))
        if found is None:
            found = self._found[attack, air] = _prospect(self.defense, attack, air)
        return found


odds_of = lru_cache(maxsize=10_000)(Odds)
"""Returns the odds against a defense."""


def _prospect(defense: Defense, attack: int, air: tuple[int, ...]) -> Prospect:
    capture = losses = morale = 0.0
    every = 0
    for suspect in defense.suspects:
        count, factor, strategy, dice = suspect
        # Barrage is answered with the loss of a unit that does not lead.
        strength = attack - 1 if strategy == BARRAGE else attack
        every += count * len(air)
        losses += count * len(air) * (strategy == BARRAGE)
        for reduction in air:
            value = max(0, factor + defense.added - reduction)
            one = _fight(defense.against, defense.is_prized, (factor, strategy, dice), strength, value)
            capture += count * one.capture
            losses += count * one.losses
            morale += count * one.morale
    return Prospect(capture / every, losses / every, morale / every)


@lru_cache(maxsize=200_000)
def _fight(against: str, is_prized: bool, kind: tuple[int, str, int], attack: int, value: int) -> Prospect:  # noqa: FBT001 - a cache.
    """Return what one combat with a kind of unit may bring by Attack Value and Defense Value. Source: 9.4, 9.5.5, 9.5.7."""
    factor, strategy, dice = kind
    margin = attack - value
    capture = losses = morale = 0.0
    for place, chance in enumerate(differences(dice)):
        lead = margin + place - 10
        if lead < 0:
            losses += chance
            morale -= chance
            continue
        is_overrun = lead > _threshold(against, factor, value)
        is_held = lead == 0 or (strategy == FANATIC and not is_overrun)
        if not is_held:
            capture += chance
            morale += chance * is_prized
        if not is_overrun:
            losses += chance * (strategy == AMBUSH)
            morale -= chance * (strategy == HEROES)
    return Prospect(capture, losses, morale)


def _threshold(against: str, factor: int, value: int) -> int:
    """Return what the margin of an Overrun must exceed; for the Defense Total with an average throw."""
    if against == "defense-factor":
        return factor
    return value if against == "defense-value" else value + 7
