"""Of which options a visitor wishes to be asked once more before they are played."""

from enum import StrEnum


class Asking(StrEnum):
    """What a browser keeps about it; what cannot be taken back is asked about unless it says otherwise."""

    FINAL = "final"
    EACH = "each"
    NEVER = "never"

    @classmethod
    def of(cls, kept: str | None) -> "Asking":
        """Return what a text stands for; anything else stands for the first."""
        return next((one for one in cls if one == kept), cls.FINAL)
