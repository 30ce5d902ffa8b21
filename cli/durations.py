"""Durations, as they are typed and told."""

import re

from cli.exit_codes import usage

UNITS_MS = {"s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000}


def parse_duration(text: str) -> int:
    """Return a typed duration in milliseconds, such as 90m, 2h or 3d.

    Raises:
        UserError: The text has another form.
    """
    found = re.fullmatch(r"([0-9]{1,6}) ?(s|m|min|h|d)", text.strip())
    if found is None:
        raise usage(f"a duration is a number with s, m, h or d, such as 90m, 2h or 3d, not {text!r}")
    return int(found[1]) * UNITS_MS[found[2]]


def told_duration(ms: int) -> str:
    """Return a duration in its largest unit, rounded down."""
    for unit in ("d", "h", "min"):
        if ms >= UNITS_MS[unit]:
            return f"{ms // UNITS_MS[unit]} {unit}"
    return f"{ms // 1_000} s"
