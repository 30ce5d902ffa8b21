"""A replay controlled by keys on a terminal."""

import os
import pty
import re
import select
from collections.abc import Sequence

import pytest

from tests.cli.running import WARDIARY, Terminal

QUIET_S = 1.0


def pressed(command: Sequence[str], keys: Sequence[bytes]) -> tuple[list[bytes], int]:
    """Run a command on a terminal of its own, and press keys, each after the effect of the one before is visible.

    Returns:
        The pictures that were drawn, and the exit code.
    """
    process, terminal = pty.fork()
    if process == 0:
        os.execv(WARDIARY, [str(WARDIARY), *command])
    drawn = b""
    sent = 0
    while True:
        # A key pressed before the program reads its input may be lost, so it is pressed again.
        is_quiet = not select.select([terminal], [], [], QUIET_S)[0]
        try:
            drawn += b"" if is_quiet else os.read(terminal, 65536)
        except OSError:
            break
        pictures = drawn.count(b"q: quit\r\n")
        if 0 < pictures <= len(keys) and (pictures > sent or is_quiet):
            sent = pictures
            os.write(terminal, keys[pictures - 1])
    os.close(terminal)
    return drawn.split(b"\x1b[H\x1b[2J")[1:], os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def test_keys_move_forward_backward_and_to_both_ends(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    keys = [b"n", b"\x1b[C", b"p", b"G", b"g", b"j", b"x", b"q"]
    pictures, code = pressed(["--store", str(terminal.store), "replay", match], keys)
    numbers = [int(found[1]) for picture in pictures if (found := re.search(rb"\[(\d+) of \d+\]", picture))]
    first, one, two, back, end, again, phase, other = numbers

    assert code == 0
    assert (first, again, back) == (1, 1, one)
    assert first < one < two < end
    assert first < phase == other < end


def test_ctrl_c_ends_a_replay_by_keys(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    pictures, code = pressed(["--store", str(terminal.store), "replay", match], [b"\x03"])

    assert (len(pictures), code) == (1, 130)


@pytest.mark.long
def test_sides_have_colours_on_a_terminal(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    pictures, _ = pressed(["--store", str(terminal.store), "replay", match], [b"G", b"q"])
    plain, _ = pressed(["--store", str(terminal.store), "--no-color", "replay", match], [b"G", b"q"])

    assert b"\x1b[34m" in pictures[-1]
    assert b"\x1b[34m" not in plain[-1]
