"""Event numbers that clients send."""

from server.protocol.errors import RequestFailed
from server.protocol.replies import FailedReply


def checked_number(number: int, last: int, *, first: int = 0) -> int:
    """Return the number if an event with it exists; 0 stands for before the first event.

    Raises:
        RequestFailed: With `unknown_sequence`.
    """
    if not first <= number <= last:
        message = f"there is no event {number}; the last is {last}"
        raise RequestFailed(FailedReply(code="unknown_sequence", message=message, expected=number, actual=last))
    return number
