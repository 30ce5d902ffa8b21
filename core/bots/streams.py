"""Random numbers that follow from a whole number alone, so that two lines of play can be given the same luck."""

_MASK = (1 << 64) - 1


class Stream:
    """Stream of random numbers (SplitMix64), good enough for games and no more: nobody may bet on what it hides.

    Args:
        seed: Any whole number; the same one gives the same stream.
    """

    __slots__ = ("_state",)

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def __call__(self, size: int) -> int:
        """Return a number from 0 to `size` - 1, 1 to 2^32; the bias of at most `size` / 2^64 is accepted."""
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        return ((state ^ (state >> 31)) * size) >> 64
