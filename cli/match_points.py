"""Parses how a match, and an event of it, is named on the command line: MATCH or MATCH@SEQ."""

from cli.exit_codes import usage


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
