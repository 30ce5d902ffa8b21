"""A folder of evidence that is packed once and copied for each test, which may change its files."""

from collections.abc import Callable
from pathlib import Path


class PackedOnce:
    """The files of a folder, once a test has needed them."""

    def __init__(self) -> None:
        self._files: dict[str, bytes] = {}

    def copied(self, to: Path, pack: Callable[[], Path]) -> Path:
        """Return a new folder with the files; the first time they are packed."""
        if not self._files:
            self._files = {one.name: one.read_bytes() for one in pack().iterdir()}
        to.mkdir()
        for name, content in self._files.items():
            (to / name).write_bytes(content)
        return to
