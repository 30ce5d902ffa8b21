"""Reads files that are named on the command line, and standard input."""

import sys
from contextlib import nullcontext
from pathlib import Path

from cli.shell.exit_codes import input_output

READ_BYTES_MAX = 16 << 20
"""Bytes of the largest input; more than any board, position or command needs."""


def read_text(path: str) -> str:
    """Read a text file, or stdin for `-`.

    Raises:
        UserError: It does not exist, or is not text.
    """
    return read_bytes(path, what="text").decode()


def read_bytes(path: str, what: str = "") -> bytes:
    """Read a whole file, or stdin for `-`; with `what` it must be UTF-8."""
    try:
        with nullcontext(sys.stdin.buffer) if path == "-" else Path(path).open("rb") as file:
            data = file.read(READ_BYTES_MAX + 1)
        if len(data) > READ_BYTES_MAX:
            raise input_output(f"{path} is larger than {READ_BYTES_MAX >> 20} MiB")
        if what:
            data.decode()
    except UnicodeDecodeError as error:
        raise input_output(f"{path}: byte {error.start} is invalid UTF-8; expected {what}") from None
    return data
