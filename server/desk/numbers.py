"""Event numbers that clients send."""

from server.protocol.errors import RequestFailed
from server.protocol.wire import FailedReply


def checked_number(number: int, last: int, *, first: int = 0) -> int:
    """Return the number of an event if there is such an event; 0 stands for before the first.

    Raises:
        RequestFailed: With `unknown_sequence`.
    """
    if not first <= number <= last:
        message = f"there is no event {number} here; there are {last}"
        raise RequestFailed(FailedReply(code="unknown_sequence", message=message, expected=number, actual=last))
    return number
