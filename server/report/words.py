"""Numbers in words, as a report prints them."""

UNITS_S = (("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1))
LEAST = 0.001


def percent(chance: float) -> str:
    """Return a chance, 0 to 1, in percent."""
    if 0 < chance < LEAST:
        return "< 0.1 %"
    return f"{100 * chance:.1f} %" if chance < 1 else "100 %"


def duration(ms: int) -> str:
    """Return a duration in its two largest units; below a minute in seconds and tenths, below a second in milliseconds."""
    if ms < 1_000:
        return f"{ms} ms"
    if ms < 60_000:
        return f"{ms / 1_000:.1f} s"
    left = ms // 1_000
    parts: list[str] = []
    for unit, size in UNITS_S:
        count, left = divmod(left, size)
        if count or parts:
            parts.append(f"{count} {unit}" if count else "")
    return " ".join(filter(None, parts[:2]))


def deviation(number: float) -> str:
    """Return a number of standard deviations with its sign."""
    return f"{number:+.2f}"
