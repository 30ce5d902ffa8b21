"""Networks of one machine for tests: places that a cable joins to a switch, and that can be cut off. They need Linux and its superuser."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import count

import pytest

from tests.support.nats_server import Place

PORT, OWN = 4222, 6222
NUMBERS = count()
NOWHERE = "02:00:00:00:00:01"
"""The address of no machine."""


class Networks:
    """Places around one switch.

    Args:
        name: Their name; it tells apart what runs at a time.
        number: How many places there are.
    """

    def __init__(self, name: str, number: int) -> None:
        self._name = name
        # Several processes may test at once.
        self._net = f"10.213.{os.getpid() % 250}"
        self.places = [Place(f"{self._net}.{10 + one}", PORT, OWN, self._inside(one)) for one in range(number)]

    def _inside(self, number: int) -> tuple[str, ...]:
        return "ip", "netns", "exec", f"{self._name}{number}"

    @contextmanager
    def laid(self) -> Iterator[None]:
        """Lay all cables until the block ends."""
        switch = f"{self._name}s"
        with ExitStack() as stack:
            _ip("link", "add", switch, "type", "bridge")
            stack.callback(_ip, "link", "del", switch)
            _ip("addr", "add", f"{self._net}.1/24", "dev", switch)
            _ip("link", "set", switch, "up")
            for number, place in enumerate(self.places):
                cable, far, inside = f"{self._name}c{number}", f"{self._name}f{number}", self._inside(number)
                _ip("netns", "add", inside[-1])
                stack.callback(_ip, "netns", "del", inside[-1])
                _ip("link", "add", cable, "type", "veth", "peer", "name", far, "netns", inside[-1])
                _ip("link", "set", cable, "master", switch, "up")
                for end in (("addr", "add", f"{place.host}/24", "dev", far), ("link", "set", far, "up")):
                    _run(*inside, "ip", *end)
                _run(*inside, "ip", "link", "set", "lo", "up")
            yield

    def deafen(self, number: int, to: int | None = None) -> None:
        """Let nothing come any more from a place to another one, or to this machine; the other way goes on."""
        self._at(number, "replace", self._address(to), "lladdr", NOWHERE, "nud", "permanent")

    def hear(self, number: int, to: int | None = None) -> None:
        """Let come what a place sends."""
        self._at(number, "del", self._address(to))

    def _address(self, number: int | None) -> str:
        return f"{self._net}.1" if number is None else self.places[number].host

    def _at(self, number: int, what: str, *words: str) -> None:
        _run(*self._inside(number), "ip", "neigh", what, *words, "dev", f"{self._name}f{number}")

    def cut(self, number: int) -> None:
        """Cut a place off: nothing comes through, and nobody is told."""
        _ip("link", "set", f"{self._name}c{number}", "down")

    def mend(self, number: int) -> None:
        """Join a place again."""
        _ip("link", "set", f"{self._name}c{number}", "up")


@contextmanager
def networks(number: int) -> Iterator[Networks]:
    """Return so many places until the block ends; without the right to lay cables the test is skipped."""
    if shutil.which("ip") is None or os.geteuid() != 0:
        pytest.skip("cables between places need the superuser of Linux, and `ip`")
    # Linux removes the cables of networks that are gone a moment later.
    made = Networks(f"wd{os.getpid() % 10_000}n{next(NUMBERS)}", number)
    with made.laid():
        yield made


def _ip(*arguments: str) -> None:
    _run("ip", *arguments)


def _run(*arguments: str) -> None:
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(arguments)}: {done.stderr}"
