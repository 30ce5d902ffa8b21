"""Durations, as they are typed and told."""

import re

from cli.exit_codes import usage

UNITS_MS = {"s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}

_PART = r"([0-9]{1,6}) ?(s|min|m|h|d|w)"


def parse_duration(text: str) -> int:
    """Return a typed duration in milliseconds, such as 90m, 1h30m or 3d.

    Raises:
        UserError: The text has another form.
    """
    parts = re.findall(_PART, text)
    if not parts or re.fullmatch(rf"\s*({_PART}\s*)+", text) is None:
        raise usage(f"a duration is made of numbers with s, m, h, d or w, such as 90m, 1h30m or 3d, not {text!r}")
    return sum(int(number) * UNITS_MS[unit] for number, unit in parts)


def told_duration(ms: int) -> str:
    """Return a duration in its largest unit, rounded down."""
    for unit in ("d", "h", "min"):
        if ms >= UNITS_MS[unit]:
            return f"{ms // UNITS_MS[unit]} {unit}"
    return f"{ms // 1_000} s"
