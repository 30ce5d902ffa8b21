"""The two lists of the screen: the log and the options."""

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widgets import OptionList
from textual.widgets.option_list import Option
from typing_extensions import override

from cli.output.columns import wrapped
from cli.screen.diary import DiaryLine
from cli.screen.option_list import Row, key_of
from cli.screen.texts import SEPARATOR, log_lines
from server.protocol.replies import LegalOption

CURSOR = ">"
"""The sign of the row on which the cursor is."""
REVERSE = Style(reverse=True)


def point_at(pane: OptionList, number: int | None) -> None:
    """Put the cursor of a list on a row, or on none."""
    pane.highlighted = number


class Pointing(OptionList):
    """A list whose cursor is told by a sign in the first column, which is left free for it, and by reverse video.

    The component styles of an `OptionList` lose `reverse`, so the row is drawn here.
    """

    @override
    def render_line(self, y: int) -> Strip:
        """Return a line, marked if it belongs to the row of the cursor."""
        strip = super().render_line(y)
        first = next(iter(strip), None)
        if first is None or first.style is None or first.style.meta.get("option", -1) != self.highlighted:
            return strip
        segments = [Segment(CURSOR, first.style), *strip.crop(len(CURSOR))]
        return Strip([Segment(text, (style or Style()) + REVERSE) for text, style, _ in segments])


class LogPage(Pointing):
    """The log, with a cursor on one of its sentences."""

    can_focus = False

    def __init__(self, id_: str) -> None:
        super().__init__(id=id_, markup=False)
        self._told: list[DiaryLine | None] = []

    @property
    def pointed(self) -> DiaryLine | None:
        """The line on which the cursor is, if it is on one."""
        return None if self.highlighted is None else self._told[self.highlighted]

    def list_lines(self, lines: Sequence[DiaryLine], width: int) -> None:
        """List the log under its headings; the cursor stays where it is, or at the end."""
        at: int | None = self.highlighted
        was_at_end = at is None or at >= len(self._told) - 1
        options: list[Option] = []
        self._told = []
        heading = ""
        for number, line in enumerate(lines):
            if number and line.is_new and not lines[number - 1].is_new:
                self._told.append(None)
                options.append(Option(f"──── {SEPARATOR} ".ljust(width, "─"), disabled=True))
            if line.heading != heading:
                heading = line.heading
                self._told.append(None)
                options.append(Option(heading, disabled=True))
            self._told.append(line)
            options.append(Option(log_lines(line, width)))
        self.clear_options()
        self.add_options(options)
        if options:
            point_at(self, len(options) - 1 if was_at_end else at)

    def run_cursor(self, where: str) -> None:
        """Move the cursor by a screen (`up`, `down`) or to an end (`home`, `end`)."""
        if not self.scrollable_content_region:
            # In a window without room for a line there are no screens to move by.
            return
        if where == "up":
            self.action_page_up()
        elif where == "down":
            self.action_page_down()
        elif where == "home":
            self.action_first()
        else:
            self.action_last()


class Offer(Pointing):
    """The options that fit what was typed, with a cursor that is on none of them at first."""

    can_focus = False

    def __init__(self, id_: str) -> None:
        super().__init__(id=id_, markup=False)
        self._rows: list[Row] = []

    @property
    def pointed(self) -> LegalOption | None:
        """The option on which the cursor is, if it is on one."""
        return None if self.highlighted is None else self._rows[self.highlighted].option

    @property
    def height_wanted(self) -> int:
        """The number of lines of all rows."""
        return sum(str(option.prompt).count("\n") + 1 for option in self.options)

    @property
    def count(self) -> int:
        """The number of options, without headings."""
        return sum(row.option is not None for row in self._rows)

    def point_at_first(self) -> None:
        """Put the cursor on the first option."""
        point_at(self, next((number for number, row in enumerate(self._rows) if row.option is not None), None))

    def list_rows(self, listed: Sequence[Row], width: int) -> None:
        """List options, keeping the cursor on its option if that is still among them; the list is not shown if there are none."""
        pointed = self.pointed
        self._rows = list(listed)
        self.clear_options()
        self.add_options(
            [
                Option(row.text, disabled=True)
                if row.option is None
                else Option("\n".join(wrapped(f"{key_of(row.option):>5} ", row.text, width)))
                for row in listed
            ]
        )
        if pointed is not None:
            point_at(self, next((number for number, row in enumerate(listed) if row.option == pointed), None))
        self.display = bool(listed)
