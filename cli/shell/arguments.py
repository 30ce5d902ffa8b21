"""Parses arguments: matches and their events (MATCH or MATCH@SEQ), durations, dice."""

import re
from pathlib import Path
from shlex import quote

from cli.shell.exit_codes import usage

UNITS_MS = {"s": 1_000, "m": 60_000, "min": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}

_PART = r"([0-9]{1,6}) ?(s|min|m|h|d|w)"


def shown_file(file: str | Path) -> str:
    """Return the name of a file as it is typed in a shell: on one line, quoted where it needs that, and without a character that controls a terminal."""
    text = str(file)
    if text.isprintable():
        return quote(text)
    return "$'" + "".join([one if one.isprintable() and one not in "\\'" else _escaped(one) for one in text]) + "'"


def _escaped(one: str) -> str:
    return f"\\{one}" if one.isprintable() else ascii(one)[1:-1]


def parse_point(text: str) -> tuple[str, int | None]:
    """Split MATCH@SEQ.

    Returns:
        The match, or the beginning of its id, and the number if there is one.

    Raises:
        UserError: The text does not name a point in a match.
    """
    match, at, number = text.partition("@")
    if not match:
        raise usage("a match is named by its id or the beginning of it; `wardiary list` shows them")
    if not at:
        return match, None
    if not (number.isascii() and number.isdecimal() and len(number) <= 15):
        raise usage(f"{text!r} is not a point in a match: write MATCH@SEQ with an event's number")
    return match, int(number)


def parse_whole(text: str) -> str:
    """Return the match, or the beginning of its id, that is named for a verb that takes no event.

    Raises:
        UserError: The text names no match, or an event of one.
    """
    return _without_event(text, "this takes a whole match: write {match}, without the event's number")


def parse_remarked(text: str) -> str:
    """Return the match, or the beginning of its id, that is named for a note or a ruling, which names an event by itself.

    Raises:
        UserError: The text names no match, or an event of one.
    """
    return _without_event(text, "the event that this is about is named by --at: write {match} --at {number}")


def _without_event(text: str, advice: str) -> str:
    match, number = parse_point(text)
    if number is not None:
        raise usage(advice.format(match=match, number=number))
    return match


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


def parse_faces(text: str) -> tuple[int, ...]:
    """Read dice as they are typed: numbers joined by commas.

    Raises:
        UserError: The text has another form.
    """
    parts = [part.strip() for part in text.split(",")] if text else []
    if not all(part.isascii() and part.isdecimal() and len(part) <= 4 for part in parts):
        raise usage(f"dice are numbers joined by commas, such as 3,4,6, not {text!r}")
    return tuple(int(part) for part in parts)
