"""Chance as a service: rules ask for dice or for one of several candidates; a source answers.

Keyed results are bound to the stream, to the number of the event that records them (counted among those that all seats know
of, `core.engine.draft.Draft.position`), and to their purpose. Numbers are taken from the key stream by rejection sampling, so that all
faces are equally likely. `core.chance.schemes` lists the schemes; the results that depend on links are in `core.chance.links`.
"""

import hmac
from collections.abc import Callable, Sequence
from hashlib import sha256
from struct import unpack

from typing_extensions import override

from core.chance.schemes import SEEDED, scheme_problem
from core.engine.chance_port import Chance
from core.errors import (
    DiceImpossible,
    DiceMissing,
    DrawMissing,
    SchemeUnusable,
)
from events.vocabulary import (
    ChanceScheme,
    LinksOpened,
)


def key_of(seed: bytes) -> bytes:
    """Return the key of seeded dice."""
    return hmac.digest(seed, b"wardiary chance 1|", "sha256")


def numbers(block_of: Callable[[int], bytes], count: int, size: int) -> list[int]:
    """Return `count` numbers from 0 to `size` - 1, each equally likely, by rejection sampling.

    Args:
        block_of: Returns the random 32 bytes of a block, from 0.
        count: How many.
        size: 1 or more, and 2^64 at most.
    """
    is_small = size <= 256
    form, most = (">8I", 1 << 32) if size <= 1 << 32 else (">4Q", 1 << 64)
    limit = (256 if is_small else most) // size * size
    found: list[int] = []
    block_number = 0
    while len(found) < count:
        block = block_of(block_number)
        for number in block if is_small else unpack(form, block):
            if number < limit:
                found.append(number % size)
                if len(found) == count:
                    break
        block_number += 1
    return found


class KeyedChance(Chance):
    """Dice from a key.

    Args:
        key: 32 bytes, at most 64.
        stream: The stream to which the dice are bound, besides number and purpose.
        shift: The number subtracted from sequence numbers.
    """

    __slots__ = ("_inner", "_outer", "_shift", "_stream")

    def __init__(self, key: bytes, stream: str, shift: int = 0) -> None:
        # Both hashes of an HMAC after the key, copied for every block: that takes half the time of a copied `hmac`, which is Python.
        block = key.ljust(64, b"\0")
        self._inner = sha256(bytes([one ^ 0x36 for one in block]))
        self._outer = sha256(bytes([one ^ 0x5C for one in block]))
        self._stream = stream
        self._shift = shift

    def _numbers(self, seq: int, count: int, size: int, purpose: str) -> list[int]:
        """Return `count` numbers from 0 to `size` - 1, each equally likely."""
        label = f"{self._stream}|{seq - self._shift}|{purpose}|"

        def block_of(number: int) -> bytes:
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(f"{label}{number}".encode())
            outer.update(inner.digest())
            return outer.digest()

        return numbers(block_of, count, size)

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice; see `Chance.dice`."""
        return tuple([number + 1 for number in self._numbers(seq, count, sides, purpose)])

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate; see `Chance.pick`."""
        return self._numbers(seq, 1, len(candidates), purpose)[0]

    @override
    def reveal(self) -> str:
        """Return an empty text: the seed is public."""
        return ""


def seeded_chance(scheme: ChanceScheme) -> KeyedChance:
    """Return the source of a seeded match.

    Args:
        scheme: As in the match's first event.

    Raises:
        SchemeUnusable: The scheme is not known or not valid, or its dice do not follow from a public seed.
    """
    if problem := scheme_problem(scheme):
        raise SchemeUnusable(problem)
    if scheme.scheme != SEEDED:
        raise SchemeUnusable(f"dice of {scheme.scheme} do not follow from a public seed")
    return KeyedChance(key_of(scheme.seed.encode()), scheme.stream, scheme.shift)


def seeded(seed: str) -> KeyedChance:
    """Return dice that follow from a public seed."""
    return seeded_chance(ChanceScheme(scheme=SEEDED, seed=seed))


class LateChance(Chance):
    """A source that is created on first use: most commands need none, and deriving a key takes time.

    Args:
        make: Creates the source.
    """

    __slots__ = ("_made", "_make")

    def __init__(self, make: Callable[[], Chance]) -> None:
        self._make = make
        self._made: Chance | None = None

    def _source(self) -> Chance:
        if self._made is None:
            self._made = self._make()
        return self._made

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice; see `Chance.dice`."""
        return self._source().dice(seq, count, sides, purpose)

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate; see `Chance.pick`."""
        return self._source().pick(seq, candidates, purpose)

    @override
    def prepare(self, *, is_veiled: bool) -> LinksOpened | None:
        """Prepare the source; see `Chance.prepare`."""
        return self._source().prepare(is_veiled=is_veiled)

    @override
    def reveal(self) -> str:
        """Return the seed to publish."""
        return self._source().reveal()


class ManualChance(Chance):
    """Typed dice and draws, used up in order.

    Args:
        faces: Dice in the order in which they are asked for.
        draws: The ids drawn, in the order in which they are asked for.
    """

    __slots__ = ("_draws", "_faces")

    def __init__(self, faces: Sequence[int] = (), draws: Sequence[str] = ()) -> None:
        self._faces = list(faces)
        self._draws = list(draws)

    @override
    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Use up typed dice.

        Raises:
            DiceMissing: Fewer dice than needed were typed.
            DiceImpossible: A face is not on such a die.
        """
        if len(self._faces) < count:
            raise DiceMissing(count - len(self._faces), sides, purpose)
        faces = tuple(self._faces[:count])
        del self._faces[:count]
        for face in faces:
            if not 1 <= face <= sides:
                raise DiceImpossible(f"a die for {purpose} cannot show {face}; it shows 1 to {sides}")
        return faces

    @override
    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Use up a typed draw.

        Raises:
            DrawMissing: Nothing was typed.
            DiceImpossible: The typed draw is not one of the candidates.
        """
        if not self._draws:
            raise DrawMissing(tuple(sorted(set(candidates))), purpose)
        name = self._draws.pop(0)
        if name not in candidates:
            raise DiceImpossible(f"{name!r} cannot be drawn for {purpose}: it is not among the candidates")
        return candidates.index(name)

    @override
    def reveal(self) -> str:
        """Return an empty text: there is no seed."""
        return ""

    def check_empty(self) -> None:
        """Check that no dice were typed, because the match has dice of its own.

        Raises:
            DiceImpossible: Dice or draws were typed.
        """
        if self._faces or self._draws:
            raise DiceImpossible("this match rolls its own dice; dice cannot be typed in")

    def check_used_up(self) -> None:
        """Check that all typed dice and draws were used.

        Raises:
            DiceImpossible: Some were left over.
        """
        if self._faces or self._draws:
            left = ", ".join([str(face) for face in self._faces] + self._draws)
            raise DiceImpossible(f"more was typed than this command needs; left over: {left}")
