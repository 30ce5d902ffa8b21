"""Which sort of command an option is, as a heading of options."""

from events.codec import decode_plain


def sort_of_command(command: bytes) -> str:
    """Return which sort of command this is, as a heading of options."""
    plain = decode_plain(command)
    assert isinstance(plain, dict), "a command is an object"
    return str(plain["do"]).rpartition(":")[2].replace("-", " ").title()
