"""The standard streams of the process: closed ones are replaced, and text of others cannot control a terminal."""

import os
import re
import sys

_CONTROL = re.compile("[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\x1b(?!\\[[0-9;]*m)")
"""What a terminal may obey: control characters, escape sequences other than colours, and those that reverse the writing."""

_IN_JSON = re.compile("[\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
"""The same as far as JSON does not escape it."""


def replace_closed() -> None:
    """Open the null device in place of standard streams that were closed before the process began.

    Otherwise the next file that is opened, such as the store, would be taken for one of them.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - It stays open as long as the process.
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def discard_output() -> None:
    """Let all further output vanish, also what is still buffered, after the reader of the output has closed it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def write_diagnostics(text: str) -> None:
    """Write to stderr; if its reader has left or its disk is full, the message is lost, and all later ones."""
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def harmless(text: str, *, has_color: bool) -> str:
    """Return text in which no character controls a terminal, except line feeds and, with colours, those of colours."""
    if text.isprintable():
        return text
    shown = _CONTROL.sub("\N{REPLACEMENT CHARACTER}", text)
    return shown if has_color else shown.replace("\x1b", "\N{REPLACEMENT CHARACTER}")


def harmless_json(line: str) -> str:
    """Return the same JSON with all characters escaped that could control a terminal."""
    return line if line.isprintable() else _IN_JSON.sub(lambda found: f"\\u{ord(found[0]):04x}", line)
