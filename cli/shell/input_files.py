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


def read_position_text(given: str) -> str:
    """Read a position: its line as an argument, or a file that holds its text or its line; stdin for `-`.

    Raises:
        UserError: The file does not exist, or is not text.
        SetupInvalid: The line is not whole.
    """
    from core.position_files.position_line import is_line, text_of_line

    text = given if is_line(given) else read_text(given)
    return text_of_line(text) if is_line(text) else text
