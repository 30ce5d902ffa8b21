"""A terminal of 80 columns and 24 rows in which a command runs."""

import os
import re
import select
import struct
import subprocess
import termios
import time
from fcntl import ioctl

from tests.cli.running import WARDIARY

SOON_S = 30.0
CONTROL = re.compile(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]")


class Emulator:
    """A terminal of 80x24 in which a command runs.

    Args:
        arguments: The command.
        variables: Variables of its environment.
    """

    def __init__(self, arguments: list[str], **variables: str) -> None:
        self.main, self.child = os.openpty()
        ioctl(self.child, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.child)
        self.seen = b""
        self.process = subprocess.Popen(
            [str(WARDIARY), *arguments],
            stdin=self.child,
            stdout=self.child,
            stderr=self.child,
            env={**os.environ, "TERM": "xterm-256color", **variables},
            start_new_session=True,
        )

    @property
    def words(self) -> str:
        """All that was written, without control sequences."""
        return CONTROL.sub(b" ", self.seen).decode(errors="replace")

    def until(self, words: str) -> None:
        """Read until words were written."""
        due = time.monotonic() + SOON_S
        while words not in self.words:
            assert time.monotonic() < due, f"no {words!r} in {self.words[-2000:]!r}"
            if select.select([self.main], [], [], 0.1)[0]:
                self.seen += os.read(self.main, 1 << 16)

    def type(self, keys: str) -> None:
        """Type keys."""
        os.write(self.main, keys.encode())

    def ended(self) -> int:
        """Wait for the end, and return the exit code."""
        due = time.monotonic() + SOON_S
        while self.process.poll() is None or select.select([self.main], [], [], 0)[0]:
            assert time.monotonic() < due, "the command does not end"
            if select.select([self.main], [], [], 0.05)[0]:
                self.seen += os.read(self.main, 1 << 16)
        return self.process.returncode

    def close(self) -> None:
        """End the command if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.main)
        os.close(self.child)
