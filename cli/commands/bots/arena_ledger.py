"""The file of an arena: its settings and a line for each pair, so that it goes on where it was ended, with the same result."""

import os
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from cli.schemas.arena import ArenaShape, PairShape
from cli.shell.exit_codes import input_output
from events.codec import DecodeError, Decoder, encode
from server.store.whole_file import kept_reason

_SETTINGS: Decoder[ArenaShape] = Decoder(ArenaShape)
_PAIR: Decoder[PairShape] = Decoder(PairShape)


class Ledger:
    """Pairs that were played, kept in a file as each is finished, or only in memory.

    `pairs` are those that the file held.

    Args:
        path: The file, which need not exist; empty for none.
        settings: Those of the arena.
    """

    def __init__(self, path: str, settings: ArenaShape) -> None:
        self.pairs: list[PairShape] = []
        self._path = Path(path).expanduser() if path else None
        self._settings = settings
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        """Open the file and read what it holds; a last line that was cut off when the arena was ended is dropped.

        Raises:
            UserError: It holds another arena or something else, or cannot be written.
        """
        if self._path is None:
            return self
        if what := kept_reason(self._path):
            raise self._other(f"it {what}")
        try:
            held = self._path.read_bytes() if self._path.exists() else b""
            whole = held[: held.rfind(b"\n") + 1]
            if held and not whole and not encode(self._settings).startswith(held):
                raise self._other("its first line is not that of an arena")
            if whole:
                self._read(whole)
            self._file = self._path.open("r+b" if held else "wb")
            self._file.truncate(len(whole))
            self._file.seek(len(whole))
            if not whole:
                self._write(encode(self._settings))
        except OSError as error:
            raise input_output(f"{self._path} cannot be used: {error.strerror or error}") from None
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def keep(self, pair: PairShape) -> None:
        """Keep a pair, if the file does not hold it yet; pairs come in the order of their numbers."""
        if pair.number > len(self.pairs):
            self.pairs.append(pair)
            if self._file is not None:
                self._write(encode(pair))

    def _write(self, line: bytes) -> None:
        assert self._file is not None
        self._file.write(line + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, content: bytes) -> None:
        first, *lines = content.splitlines()
        try:
            settings = _SETTINGS.decode(first)
        except DecodeError:
            raise self._other("its first line is not that of an arena") from None
        for name in ArenaShape.__struct_fields__:
            was, now = getattr(settings, name), getattr(self._settings, name)
            if was != now:
                raise self._other(f"its {name} is {was}, not {now}")
        for number, line in enumerate(lines, start=1):
            try:
                pair = _PAIR.decode(line)
            except DecodeError as error:
                raise self._other(f"line {number + 1} is not a pair: {error}") from None
            if pair.number != number:
                raise self._other(f"line {number + 1} holds pair {pair.number}, not {number}")
            self.pairs.append(pair)

    def _other(self, why: str) -> Exception:
        return input_output(
            f"{self._path} holds something else than this arena: {why}; name another file", "output_refused"
        )
