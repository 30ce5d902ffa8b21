"""The idempotency keys that a server derives from that of a client's command: of the commands of an order, and of standing answers that follow."""

import re

_OF_ORDER = re.compile(r"(.+)/0/([1-9][0-9]{0,3})", re.DOTALL)


def follow_up_key(key: str, number: int) -> str:
    """Return the idempotency key of the standing answer that followed a command as its `number`-th (1-based)."""
    return f"{key}/{number}"


def order_key(key: str, number: int) -> str:
    """Return the idempotency key of the command of an order with this number, from 1.

    It is not that of a standing answer: those are counted from 1, and no client may use a key such as `key/0`.
    """
    return key if number == 1 else f"{key}/0/{number}"


def link_key(share: str) -> str:
    """Return the idempotency key under which a link (hex) is opened: once, whichever program of the player sends it."""
    return f"link-{share}"


def is_follow_up_key(key: str) -> bool:
    """Return whether a key has the form of the key of a standing answer or of an order's command, which only a server may use.

    A client that used such a key first could keep another seat's standing answer from being stored.
    """
    number = key.rpartition("/")[2]
    return "/" in key and number.isascii() and number.isdecimal()


def before_in_order(key: str) -> str:
    """Return the key of the command before another one of its order; empty if that is the first, or of no order."""
    found = _OF_ORDER.fullmatch(key) if "/0/" in key else None
    number = int(found[2]) if found else 0
    return order_key(found[1], number - 1) if found and number > 1 else ""


def before_answer(key: str) -> str:
    """Return the key of the commit that a standing answer with a key follows directly; empty if it is not the key of one."""
    if not is_follow_up_key(key):
        return ""
    before, _, text = key.rpartition("/")
    number = int(text[:9])
    return before if number == 1 else follow_up_key(before, number - 1)
