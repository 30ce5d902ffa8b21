"""A player at the screen of a seat: keys go in, and what an 80x24 terminal would show comes out as text."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import reduce
from pathlib import Path

from rich.segment import Segment
from textual.color import Color
from textual.events import Key
from textual.pilot import Pilot

from cli.commands.playing.table import opened
from cli.screen.screen_app import TableApp
from cli.screen.worker import Worker
from cli.shell.settings import Settings

SIZE = (80, 24)
SOON_S = 10.0
NAMES = {" ": "space", "?": "question_mark"}


class Player:
    """Presses keys and reads the screen.

    Args:
        app: The application.
        pilot: Its pilot.
    """

    def __init__(self, app: TableApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def rows(self) -> list[str]:
        """The rows of the screen."""
        strips = self.app.screen._compositor.render_strips()
        return ["".join(segment.text for segment in strip).rstrip() for strip in strips]

    @property
    def segments(self) -> list[list[Segment]]:
        """The rows of the screen as they are written to the terminal, with their styles."""
        filters = self.app.get_line_filters()
        strips = self.app.screen._compositor.render_strips()
        black = Color(0, 0, 0)
        return [[*reduce(lambda drawn, one: one.apply(drawn, black), filters, [*strip])] for strip in strips]

    @property
    def text(self) -> str:
        """The whole screen, with each run of white space as one space."""
        return " ".join(" ".join(self.rows).split())

    @property
    def number(self) -> int:
        """The number of the last event that the screen shows."""
        return self.app.seat_screen.shown.table.seq

    def press(self, *keys: str) -> None:
        """Press keys; what they do is seen later (`until`)."""
        for key in keys:
            self.app.post_message(Key(key, key if len(key) == 1 else None))

    def type(self, words: str) -> None:
        """Type words."""
        for char in words:
            self.app.post_message(Key(NAMES.get(char, char), char))

    async def until(self, *words: str) -> None:
        """Wait until the screen shows all of these words; fail if it does not soon."""
        await self.holds(lambda: all(one in self.text for one in words), f"no {words}")

    async def until_gone(self, words: str) -> None:
        """Wait until the screen no longer shows these words; fail if it does."""
        await self.holds(lambda: words not in self.text, f"still {words!r}")

    async def until_after(self, number: int) -> None:
        """Wait until the screen shows an event after another; fail if it does not soon."""
        await self.holds(lambda: self.number > number, f"nothing after event {number}")

    async def holds(self, holds: Callable[[], bool], what: str) -> None:
        """Wait until something holds; fail if it does not soon."""
        due = asyncio.get_running_loop().time() + SOON_S
        while not holds():
            assert asyncio.get_running_loop().time() < due, what + " on the screen:\n" + "\n".join(self.rows)
            await asyncio.sleep(0.02)


@asynccontextmanager
async def at_screen(
    settings: Settings, match: str, seat: str, *, is_auto_pass: bool = False, size: tuple[int, int] = SIZE
) -> AsyncIterator[Player]:
    """Sit at the screen of a seat until the block ends; an error of the screen is raised."""
    worker = Worker(lambda: opened(settings, match, seat, is_auto_pass=is_auto_pass))
    app = TableApp(worker, worker.first(), lambda text, _: text, is_remote=bool(settings.connect))
    try:
        async with app.run_test(size=size) as pilot:
            player = Player(app, pilot)
            await player.until("Tab Page")
            yield player
    finally:
        worker.stop(SOON_S)
    if app.crash is not None:
        raise app.crash


def at_store(
    store: Path, match: str, seat: str, script: Callable[[Player], Awaitable[None]], *, is_auto_pass: bool = False
) -> None:
    """Play a script at the screen of a seat of a match in a store."""

    async def run() -> None:
        async with at_screen(Settings(store=str(store)), match, seat, is_auto_pass=is_auto_pass) as player:
            await script(player)

    asyncio.run(run())
