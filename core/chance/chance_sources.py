"""Chance as a service: rules ask for dice or for one of several candidates; a source answers.

Every result is bound to the stream, to the number of the event that records it (counted among those that all seats know
of, `core.engine.draft.Draft.position`), and to its purpose. Numbers are taken from the key stream by rejection sampling, so that all
faces are equally likely.

Schemes:
    `sealed/1`: HMAC-SHA256 keyed with a secret seed, mixed with each seat's contribution; the seed's SHA-256 is published
    before play and the seed itself at the end.
    `seeded/1`: the same with a public seed; for simulation.
    `manual/1`: dice and draws of a real table are typed in.
"""

import hashlib
import hmac
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from struct import unpack
from typing import Protocol, overload

from typing_extensions import override

from core.errors import DiceImpossible, DiceMissing, DrawMissing, RecordDiffers, SchemeUnusable, SeedMissing
from events.ids import MatchId, Seat
from events.vocabulary import (
    CardDrawn,
    ChanceScheme,
    ChosenByChance,
    DiceRolled,
    Event,
    HiddenDiceRolled,
    PieceDrawn,
    SeedRevealed,
)

SEALED = "sealed/1"
SEEDED = "seeded/1"
MANUAL = "manual/1"
SCHEMES = (SEALED, SEEDED, MANUAL)


class Chance(Protocol):
    """A source of dice and draws."""

    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll `count` dice, each 1 to `sides`, for the event numbered `seq`."""

    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose one of the candidates, at least one, and return its index."""

    def reveal(self) -> str:
        """Return the secret seed (hex) when the match is over; empty if there is none."""


class Weighted(Sequence[str]):
    """The weighted candidates of one pick.

    Args:
        candidates: The candidates, without duplicates.
        weights: 1 or more for each.
    """

    __slots__ = ("_candidates", "_ends")

    def __init__(self, candidates: Sequence[str], weights: Sequence[int]) -> None:
        assert len(set(candidates)) == len(candidates) == len(weights), "each candidate needs one weight"
        assert min(weights) > 0, "every weight must be 1 or more"
        self._candidates = tuple(candidates)
        self._ends = tuple(accumulate(weights))

    @override
    def __len__(self) -> int:
        return self._ends[-1]

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    @override
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        assert isinstance(index, int)
        return self._candidates[bisect_right(self._ends, index)]

    @override
    def __iter__(self) -> Iterator[str]:
        """Yield each candidate once, whatever its weight."""
        return iter(self._candidates)

    @override
    def __contains__(self, name: object) -> bool:
        return name in self._candidates

    @override
    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        """Return the first index of a candidate."""
        place = self._candidates.index(value)
        return self._ends[place - 1] if place else 0


Rolled = DiceRolled | HiddenDiceRolled
"""The events that record a roll."""

Drawn = CardDrawn | PieceDrawn | ChosenByChance
"""The events that record a pick."""


def drawn_name(event: Drawn) -> str | None:
    """Return the result of a pick, or None if it is redacted."""
    if isinstance(event, CardDrawn):
        return event.card
    return event.drawn if isinstance(event, PieceDrawn) else event.chosen


def is_hex_32(text: str) -> bool:
    """Return whether a text is 32 bytes as 64 lower-case hexadecimal digits, as sealed seeds and commitments are."""
    return len(text) == 64 and all(digit in "0123456789abcdef" for digit in text)


def commitment(seed: str) -> str:
    """Return the published commitment to a sealed seed (hex): the SHA-256 of its bytes."""
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def keeps_promise(seed: str, promised: str) -> bool:
    """Return whether a text is a sealed seed that matches its commitment."""
    return is_hex_32(seed) and commitment(seed) == promised


def scheme_problem(scheme: ChanceScheme) -> str:
    """Return why dice of a scheme can be neither rolled nor verified; empty if they can.

    All code that depends on the scheme calls this first, so that an unknown scheme is never treated as a known one.
    """
    if scheme.scheme not in SCHEMES:
        return f"dice scheme {scheme.scheme!r} is not known to this program, so its dice are not verified"
    if scheme.scheme == SEALED and not is_hex_32(scheme.commitment):
        return "the commitment to the seed of these sealed dice is missing or not 64 lower-case hexadecimal digits"
    if scheme.scheme == SEEDED and not scheme.seed:
        return "the seed of these seeded dice is empty"
    return ""


def own_scheme_problem(scheme: ChanceScheme, match: MatchId) -> str:
    """Return why a scheme cannot be that of a match's own dice; empty if it can."""
    problem = scheme_problem(scheme)
    if problem:
        return problem
    own = {
        SEALED: ChanceScheme(scheme=SEALED, commitment=scheme.commitment, stream=match),
        SEEDED: ChanceScheme(scheme=SEEDED, seed=scheme.seed),
        MANUAL: ChanceScheme(scheme=MANUAL),
    }[scheme.scheme]
    if scheme != own:
        return f"the source of dice {scheme.scheme} has other fields than match {match} can have been given"
    return ""


def mixed_key(seed: bytes, contributions: dict[Seat, str]) -> bytes:
    """Mix a seed with the contributions of the seats, in the order of the seats' names."""
    shares = "|".join(f"{seat}={contributions[seat]}" for seat in sorted(contributions))
    return hmac.digest(seed, f"wardiary chance 1|{shares}".encode(), "sha256")


class KeyedChance:
    """Dice from a key: both the sealed and the seeded scheme.

    Args:
        key: 32 bytes, secret (sealed) or public (seeded).
        stream: The stream to which the dice are bound, besides number and purpose.
        seed: The return value of `reveal`.
        shift: The number subtracted from sequence numbers.
    """

    __slots__ = ("_keyed", "_seed", "_shift", "_stream")

    def __init__(self, key: bytes, stream: str, seed: str = "", shift: int = 0) -> None:
        # Copied for every block, which takes half the time of starting with the key again.
        self._keyed = hmac.new(key, digestmod="sha256")
        self._stream = stream
        self._seed = seed
        self._shift = shift

    def _numbers(self, seq: int, count: int, size: int, purpose: str) -> list[int]:
        """Return `count` numbers from 0 to `size` - 1, each equally likely."""
        is_small = size <= 256
        form, most = (">8I", 1 << 32) if size <= 1 << 32 else (">4Q", 1 << 64)
        limit = (256 if is_small else most) // size * size
        label = f"{self._stream}|{seq - self._shift}|{purpose}|"
        numbers: list[int] = []
        block_number = 0
        while len(numbers) < count:
            keyed = self._keyed.copy()
            keyed.update(f"{label}{block_number}".encode())
            block = keyed.digest()
            for number in block if is_small else unpack(form, block):
                if number < limit:
                    numbers.append(number % size)
                    if len(numbers) == count:
                        break
            block_number += 1
        return numbers

    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice; see `Chance.dice`."""
        return tuple([number + 1 for number in self._numbers(seq, count, sides, purpose)])

    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate; see `Chance.pick`."""
        return self._numbers(seq, 1, len(candidates), purpose)[0]

    def reveal(self) -> str:
        """Return the seed to publish."""
        return self._seed


def keyed_chance(scheme: ChanceScheme, seed: str, contributions: dict[Seat, str]) -> KeyedChance:
    """Return the source of a sealed or seeded match.

    Args:
        scheme: As in the match's first event.
        seed: The sealed seed (hex) for the sealed scheme; ignored for the seeded one.
        contributions: The entropy of each seat (hex).

    Raises:
        SchemeUnusable: The scheme is not known or not valid, or its dice are typed in.
        SeedMissing: The seed does not match its commitment, or is empty.
    """
    problem = scheme_problem(scheme)
    if problem:
        raise SchemeUnusable(problem)
    if scheme.scheme == SEEDED:
        return KeyedChance(mixed_key(scheme.seed.encode(), {}), scheme.stream, "", scheme.shift)
    if scheme.scheme == MANUAL:
        raise SchemeUnusable("manual dice are typed in; no seed gives them")
    if not keeps_promise(seed, scheme.commitment):
        raise SeedMissing("the seed of the sealed dice is not at hand, so they cannot be rolled")
    return KeyedChance(mixed_key(bytes.fromhex(seed), contributions), scheme.stream, seed, scheme.shift)


class LateChance:
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

    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Roll dice; see `Chance.dice`."""
        return self._source().dice(seq, count, sides, purpose)

    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Choose a candidate; see `Chance.pick`."""
        return self._source().pick(seq, candidates, purpose)

    def reveal(self) -> str:
        """Return the seed to publish."""
        return self._source().reveal()


class ManualChance:
    """Typed dice and draws, used up in order.

    Args:
        faces: Dice in the order in which they are asked for.
        draws: The ids drawn, in the order in which they are asked for.
    """

    __slots__ = ("_draws", "_faces")

    def __init__(self, faces: Sequence[int] = (), draws: Sequence[str] = ()) -> None:
        self._faces = list(faces)
        self._draws = list(draws)

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


class RecordedChance:
    """The outcomes of recorded events, in order; after them another source, if given.

    Args:
        events: Events of one commit, or the first few of it.
        after: The source once the record is used up; without it that is an error.
        judge: Returns the source that must agree with the record of an event's number, or None if its seed is not known.
        uncounted: The number of earlier events that are hidden from some seats: the log's numbers are higher by it.
    """

    __slots__ = ("_after", "_judge", "_outcomes", "_seed", "_uncounted")

    def __init__(
        self,
        events: Sequence[Event],
        after: Chance | None = None,
        judge: Callable[[int], Chance | None] | None = None,
        uncounted: int = 0,
    ) -> None:
        self._uncounted = uncounted
        self._outcomes = [event for event in events if isinstance(event, Rolled | Drawn)]
        self._after = after
        self._judge = judge
        self._seed = next((event.seed for event in events if isinstance(event, SeedRevealed)), "")

    def dice(self, seq: int, count: int, sides: int, purpose: str) -> tuple[int, ...]:
        """Return recorded faces.

        Raises:
            RecordDiffers: The record is of another kind, or the seed gives other dice.
        """
        if not self._outcomes and self._after is not None:
            return self._after.dice(seq, count, sides, purpose)
        event = self._outcomes.pop(0) if self._outcomes else None
        faces = event.faces if isinstance(event, Rolled) and event.sides == sides else None
        if faces is None or len(faces) != count:
            raise RecordDiffers(
                seq + self._uncounted, f"the rules roll {count} dice for {purpose}; recorded is {_said(event)}"
            )
        if any(not 1 <= face <= sides for face in faces):
            raise RecordDiffers(seq + self._uncounted, f"no die for {purpose} shows {faces}")
        judge = None if self._judge is None else self._judge(seq + self._uncounted)
        if judge is not None and judge.dice(seq, count, sides, purpose) != faces:
            raise RecordDiffers(seq + self._uncounted, f"the seed does not give {faces} for {purpose}")
        return faces

    def pick(self, seq: int, candidates: Sequence[str], purpose: str) -> int:
        """Return the recorded draw.

        Raises:
            RecordDiffers: The record is of another kind, or the seed gives another draw.
        """
        if not self._outcomes and self._after is not None:
            return self._after.pick(seq, candidates, purpose)
        event = self._outcomes.pop(0) if self._outcomes else None
        name = drawn_name(event) if isinstance(event, Drawn) else None
        if name is None or name not in candidates:
            raise RecordDiffers(seq + self._uncounted, f"the rules draw for {purpose}; recorded is {_said(event)}")
        judge = None if self._judge is None else self._judge(seq + self._uncounted)
        if judge is not None and candidates[judge.pick(seq, candidates, purpose)] != name:
            raise RecordDiffers(seq + self._uncounted, f"the seed does not give {name} for {purpose}")
        return candidates.index(name)

    def reveal(self) -> str:
        """Return the recorded seed."""
        return self._seed or ("" if self._after is None else self._after.reveal())


def _said(event: Event | None) -> str:
    return "nothing" if event is None else type(event).__name__
