"""Parts of the screen: the line in which the player types, and texts that cover the screen until they are read."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import Input, Static
from typing_extensions import override

AT_ONCE = {"q": "app.quit", "?": "screen.help"}
"""Characters that act if nothing is typed; no option needs to be typed from its first letter."""


class Typed(Input):
    """The line in which the player types; it always has the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"screen.{action}", show=False)
        for key, action in {
            "enter": "submit",
            "up": "cursor(-1)",
            "down": "cursor(1)",
            "pageup": "scroll('up')",
            "pagedown": "scroll('down')",
            "tab": "turn_page(1)",
            "shift+tab": "turn_page(-1)",
            "escape": "clear",
            "ctrl+t": "undo",
            "ctrl+y": "answer_undo(True)",
            "ctrl+r": "answer_undo(False)",
            "ctrl+p": "auto_pass",
            "ctrl+n": "passing",
            "ctrl+f": "full",
        }.items()
    ]
    ENDS: ClassVar[dict[str, str]] = {"home": "screen.scroll('home')", "end": "screen.scroll('end')"}

    async def on_key(self, event: Key) -> None:
        """Heed the keys that have another meaning while nothing is typed."""
        action = "" if self.value else AT_ONCE.get(event.character or "") or self.ENDS.get(event.key, "")
        if action:
            event.prevent_default()
            event.stop()
            await self.run_action(action)


class Reading(ModalScreen[None]):
    """A text that covers the screen; q, Escape or Enter closes it.

    Args:
        title: What the text is.
        lines: Its lines, already wrapped.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,enter,question_mark", "dismiss", show=False),
        Binding("ctrl+c", "app.quit", show=False),
    ]

    def __init__(self, title: str, lines: Sequence[str]) -> None:
        super().__init__()
        self._heading = title
        self._lines = lines

    @override
    def compose(self) -> ComposeResult:
        """Lay the text out."""
        yield Static(self._heading, id="reading-head", markup=False)
        with VerticalScroll(id="reading"):
            yield Static("\n".join(self._lines), markup=False)
        yield Static("↑ ↓ PgUp PgDn Scroll  q Back", id="reading-keys", markup=False)
