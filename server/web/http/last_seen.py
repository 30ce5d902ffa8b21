"""Progress of a visitor: the last event of each match, kept in a cookie of the visitor's own browser."""

from collections.abc import Mapping

from events.ids import MatchId, Seat

SEEN_MATCHES_MAX = 30
"""How many matches are kept; the one that was looked at longest ago is dropped."""
DIGITS_MAX = 12


class LastSeen:
    """The last events of earlier visits.

    Args:
        text: The cookie; whatever is not understood in it is left out.
    """

    def __init__(self, text: str) -> None:
        self._known: dict[str, tuple[int, int]] = {}
        for part in text.split("~")[-SEEN_MATCHES_MAX:]:
            name, _, numbers = part.rpartition(":")
            earlier, _, last = numbers.partition("-")
            if name and _is_number(earlier) and _is_number(last):
                self._known[name] = (int(earlier), int(last))

    def before(self, match: MatchId, seat: Seat, last: int) -> int | None:
        """Return the last event at an earlier visit, or None at the first one.

        Loading a page again does not count as a visit as long as nothing has happened.

        Args:
            match: The match.
            seat: As whom it is looked at.
            last: The last event now.
        """
        known = self._known.get(_named(match, seat))
        if known is None:
            return None
        return known[0] if known[1] == last else known[1]

    def noted(self, match: MatchId, seat: Seat, last: int) -> str:
        """Return the cookie after a visit."""
        name = _named(match, seat)
        before = self.before(match, seat, last)
        self._known.pop(name, None)
        self._known[name] = (last if before is None else before, last)
        return _cookie(self._known)


def _cookie(known: Mapping[str, tuple[int, int]]) -> str:
    parts = [f"{name}:{earlier}-{last}" for name, (earlier, last) in known.items()]
    return "~".join(parts[-SEEN_MATCHES_MAX:])


def _named(match: MatchId, seat: Seat) -> str:
    return "".join(char for char in f"{match}.{seat}" if char.isascii() and (char.isalnum() or char in "-_."))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= DIGITS_MAX
