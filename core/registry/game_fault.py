"""Faults in the code of a game: the file, line and command at which its rules, words or bots raised an error."""

import linecache
from collections.abc import Iterator, Sequence
from traceback import format_exception
from types import FrameType, TracebackType
from typing import NamedTuple

from typing_extensions import override

from events.errors import Portable


class Place(NamedTuple):
    """A line of code: the file as it lies in its package, the line (from 1), the function, and the text of the line."""

    file: str
    line: int
    function: str
    source: str

    @override
    def __str__(self) -> str:
        return f"{self.file}, line {self.line}, in {self.function}"


class GameFault(Portable):
    """An error in the code of a game, raised from that error.

    Args:
        message: The error, its place, and the command that was carried out.
        place: The last line of the game's own code that was reached.
        command: The command as JSON; empty if none was carried out.
    """

    def __init__(self, message: str, place: Place, command: str = "") -> None:
        super().__init__(message)
        self.place = place
        self.command = command


def game_fault(error: BaseException, packages: Sequence[str], command: bytes = b"") -> GameFault | None:
    """Return an error as a fault of the game whose code it passed, or None if it passed no code of a game.

    Args:
        error: An error that was raised and caught.
        packages: The packages of games, as `core.registry.games.packages` lists them.
        command: The command that was carried out, as JSON.
    """
    if isinstance(error, GameFault):
        return error
    place = _place(error.__traceback__, packages)
    if place is None:
        return None
    on = f", on {command.decode()}" if command else ""
    return GameFault(f"{_said(error, place)} ({place}{on})", place, command.decode())


def told(error: BaseException, packages: Sequence[str]) -> str:
    """Return an error in one line, with the place in the game's code if it passed any; see `game_fault`."""
    fault = game_fault(error, packages)
    return _said(error, None) if fault is None else str(fault)


def traceback_of(error: BaseException) -> str:
    """Return the whole traceback of an error, as Python prints it."""
    return "".join(format_exception(error))


def _said(error: BaseException, place: Place | None) -> str:
    """Return the type and the message of an error; of an assertion without a message the line of code."""
    message = str(error)
    if not message and place is not None:
        message = place.source
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _place(trace: TracebackType | None, packages: Sequence[str]) -> Place | None:
    """Return the innermost place in a traceback that is in the code of one of the packages."""
    place = None
    for frame, line in _steps(trace):
        module = frame.f_globals.get("__name__", "")
        for package in packages:
            if module == package or module.startswith(f"{package}."):
                code = frame.f_code
                place = Place(
                    _within(code.co_filename, package),
                    line,
                    code.co_name,
                    linecache.getline(code.co_filename, line).strip(),
                )
    return place


def _steps(trace: TracebackType | None) -> Iterator[tuple[FrameType, int]]:
    while trace is not None:
        yield trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next


def _within(file: str, package: str) -> str:
    """Return a file's path from the folder of its package on; the name of a file that lies elsewhere."""
    parts, name = file.replace("\\", "/").split("/"), package.rpartition(".")[2]
    if name not in parts[:-1]:
        return parts[-1]
    last = len(parts) - 2 - parts[-2::-1].index(name)
    return "/".join(parts[last:])
