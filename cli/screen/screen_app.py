"""The terminal application of one seat's screen. It needs the extra `table` (Textual)."""

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from typing_extensions import override

from cli.output.panel_text import Paint
from cli.screen.screen_model import ScreenModel
from cli.screen.screen_parts import Reading
from cli.screen.screen_style import CSS
from cli.screen.seat_screen import SeatScreen
from cli.screen.worker import Crash, Explanation, Problem, Shown, Told, Unconfirmed, Worker


class TableApp(App[None]):
    """Passes on what the worker tells until the player leaves.

    Args:
        worker: Has been started, and made the first value to show.
        shown: What the seat sees first.
        paint: Gives a text of the table a colour.
        is_remote: Whether a server may fall silent.

    Attributes:
        seat_screen: The screen of the seat.
        crash: The error that ended the application, or None.
    """

    CSS = CSS
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", priority=True, show=False)]

    def __init__(self, worker: Worker, shown: ScreenModel, paint: Paint, *, is_remote: bool) -> None:
        # Without it a terminal without colours would get black on black.
        super().__init__(ansi_color=True)
        self.crash: Exception | None = None
        self.seat_screen = SeatScreen(worker, shown, paint, is_remote=is_remote)
        self._worker = worker

    @override
    def get_default_screen(self) -> SeatScreen:
        """Return the screen of the seat."""
        return self.seat_screen

    def on_mount(self) -> None:
        """Begin to listen."""
        self.theme = "ansi-dark"
        self._worker.listen(lambda told: self.call_later(self.heed, told))
        # What happened before is not told again.
        self._worker.ask(lambda _: None)

    def heed(self, told: Told) -> None:
        """Show what the worker has told."""
        match told:
            case Shown(shown, is_answer):
                self.seat_screen.take(shown, is_answer=is_answer)
            case Problem(message, lasts):
                self.seat_screen.take_problem(message, lasts=lasts)
            case Unconfirmed():
                self.seat_screen.put_back()
            case Explanation(number, lines):
                self.call_later(self.push_screen, Reading(f"Why event {number} happened", lines))
            case Crash(error):
                self.crash = error
                self.exit()
