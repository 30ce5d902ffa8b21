"""The screen of one seat: draws what the model sees, and turns keys into requests."""

from collections.abc import Callable

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.events import Resize
from textual.screen import Screen
from textual.widgets import Input, Static
from typing_extensions import override

from cli.output.columns import wrapped
from cli.output.panel_text import Paint
from cli.screen.lists import LogPage, Offer, point_at
from cli.screen.option_list import Wish, fitting, rows, wished
from cli.screen.screen_model import ScreenModel
from cli.screen.screen_parts import Reading, Typed
from cli.screen.seat_model import SeatModel
from cli.screen.texts import KEYS, clipped, help_lines, news_lines, rule_line
from cli.screen.worker import Explanation, Worker
from cli.shell.exit_codes import UserError
from events.ids import PlaceId

TABLE, HAND, LOG = "Table", "Hand", "Log"
NOWHERE = PlaceId("")

FIXED_ROWS = 4
"""The rows of the heading, the rule, the line in which the player types, and the keys."""
TEXT_ROWS = 4
"""The most rows of the question, and of a message."""
OPTIONS_SHARE = 0.34
"""The largest part of the screen that options take."""
QUIET_S = 12.0
"""Silence of the server (seconds) that is shown: two heartbeats are missing."""
BUSY_S = 1.5
"""How long a request may take before the screen says that it is waiting (seconds)."""


class SeatScreen(Screen[None]):
    """Shows a page (the table, the hand or the log), the news, the open decision and the options.

    Args:
        worker: Carries out requests.
        shown: What the seat sees first.
        paint: Gives a text of the table a colour.
        is_remote: Whether a server may fall silent.

    Attributes:
        shown: What the seat saw last.
    """

    def __init__(self, worker: Worker, shown: ScreenModel, paint: Paint, *, is_remote: bool) -> None:
        super().__init__()
        self.shown = shown
        self._worker = worker
        self._paint = paint
        self._is_remote = is_remote
        self._page = TABLE
        self._pages = [TABLE, LOG]
        self._is_full = False
        # Why the last request failed, and why there is no news at present.
        self._problem = self._trouble = ""
        # Whether a request is being carried out; another one has to wait for its outcome.
        self._is_waiting = False
        # What was typed or chosen when the player last asked for something.
        self._asked = ""
        self._question: list[str] = []
        self._current = NOWHERE
        self._is_laid_out = False

    @override
    def compose(self) -> ComposeResult:
        """Lay the screen out."""
        yield Static(id="head", markup=False)
        for name in ("table", "hand"):
            with VerticalScroll(id=name, can_focus=False):
                yield Static(id=f"{name}-text", markup=False)
        yield LogPage("log")
        yield Static(id="rule", markup=False)
        yield Static(id="news", markup=False)
        yield Static(id="question", markup=False)
        yield Offer("options")
        yield Static(id="message", markup=False)
        with Horizontal(id="line"):
            yield Static("> ", id="prompt")
            yield Typed(id="typed", compact=True)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        """Draw, take the keys, and watch for the server's silence."""
        self._is_laid_out = True
        self._show()
        self.query_one(Typed).focus()
        self.set_interval(0.5, self._show_message)

    def on_unmount(self) -> None:
        """Draw nothing any more."""
        self._is_laid_out = False

    @on(Resize)
    def lay_out(self) -> None:
        """Draw for another width."""
        self._show()

    # What the worker tells

    def take(self, shown: ScreenModel, *, is_answer: bool) -> None:
        """Show what the seat sees now; `is_answer` if a request has been carried out or has failed."""
        before, self.shown = self.shown, shown
        if is_answer:
            self._is_waiting = False
        elif shown.table.seq != before.table.seq:
            self._problem = ""
        if (shown.legal.decision, shown.is_to_decide) != (before.legal.decision, before.is_to_decide):
            # What was typed was meant for another decision.
            self._clear()
            self._is_full = self._is_full and not shown.is_to_decide
        self._show()

    def take_problem(self, message: str, *, lasts: bool) -> None:
        """Show why a request failed or, if it lasts, why there is no news; without a message there is news again."""
        if lasts:
            self._trouble = message
        else:
            self._problem = message
        self._show_message()

    def put_back(self) -> None:
        """Put a command that was not confirmed back into the line, and say so."""
        if self._can_draw and not self.query_one(Typed).value:
            typed = self.query_one(Typed)
            with self.prevent(Input.Changed):
                typed.value = self._asked
            typed.cursor_position = len(typed.value)
        what, again = (repr(self._asked), "; Enter sends it again") if self._asked else ("your last command", "")
        self._refuse(f"no answer came, so {what} may not have been played{again}")
        self._show_options()

    # Drawing

    @property
    def _can_draw(self) -> bool:
        """Whether there is something to draw on: not before the first layout, nor while the application ends."""
        return self._is_laid_out and bool(self.size.width) and bool(self.query(Typed))

    @property
    def _room(self) -> int:
        """The width of texts: a column is left to the bar that shows how far a page is scrolled."""
        return self.size.width - 1

    def _show(self) -> None:
        """Draw everything."""
        if not self._can_draw:
            return
        shown, width = self.shown, self._room
        held = shown.holdings(width, self._paint)
        self._pages = [TABLE, HAND, LOG] if held else [TABLE, LOG]
        self._page = self._page if self._page in self._pages else TABLE
        self._write("head", shown.heading()[: self.size.width])
        self._write("table-text", Text.from_ansi("\n".join(shown.drawn(width, self._paint))))
        self._write("hand-text", Text.from_ansi("\n".join(held)))
        self._question = clipped(wrapped("", shown.question(), width), TEXT_ROWS)
        self._write("question", "\n".join(self._question))
        self._show_page()
        self._show_options()
        self._show_message()
        self._turn_to_current()

    def _turn_to_current(self) -> None:
        """Scroll the table to the place at which something is under way, once it begins there."""
        current = self.shown.current_line(self._room, self._paint)
        if current is None:
            self._current = NOWHERE
        elif current[0] != self._current:
            self._current, line = current
            self.call_after_refresh(self.query_one("#table").scroll_to, y=line, animate=False)
            self.call_after_refresh(self._show_rule)

    def _write(self, name: str, content: str | Text) -> Static:
        widget = self.query_one(f"#{name}", Static)
        widget.update(content)
        return widget

    def _show_page(self) -> None:
        for name in (TABLE, HAND, LOG):
            self.query_one(f"#{name.lower()}").display = name == self._page
        if self._page == LOG:
            self.query_one(LogPage).list_lines(self.shown.lines, self._room)
        self.call_after_refresh(self._show_rule)

    def _show_rule(self) -> None:
        """Show below the page which one it is, and which part of it."""
        new = self.shown.new_count
        titles = {name: f"{LOG} ({new} new)" if name == LOG and new else name for name in self._pages}
        pane = self.query_one(f"#{self._page.lower()}")
        whole, height, top = pane.virtual_size.height, pane.size.height, round(pane.scroll_y)
        notes = ["passing until your turn"] if self.shown.is_passing else []
        notes += ["auto-pass on"] if self.shown.is_auto_pass else []
        notes += [f"{top + 1}-{min(whole, top + height)} of {whole}"] if whole > height else []
        self._write("rule", rule_line(list(titles.values()), titles[self._page], notes, self.size.width))

    def _show_options(self) -> None:
        """List the options that fit what was typed."""
        legal = self.shown.legal
        is_hidden = self._is_full or bool(self.shown.wanted) or not self.shown.is_to_decide
        found = [] if is_hidden else fitting(legal.options, self.query_one(Typed).value)
        self.query_one(Offer).list_rows(list(rows(found, legal.count, self.shown.names)), self._room)

    def _show_message(self) -> None:
        """Show what is wrong, or how many options fit what was typed."""
        if not self._can_draw:
            return
        parts = [self._state(), self._problem] if self._trouble else [self._problem or self._state()]
        shown = [line for part in parts if part for line in wrapped("", part, self._room)]
        shown = clipped(shown, TEXT_ROWS)
        self._write("message", "\n".join(shown)).display = bool(shown)
        self._share_rows(len(shown))

    def _share_rows(self, of_message: int) -> None:
        """Share what the question and the message leave of the screen between options, news and the page."""
        height, offer = self.size.height, self.query_one(Offer)
        left = height - FIXED_ROWS - len(self._question) - of_message
        most = max(1, min(int(height * OPTIONS_SHARE), left - 2))
        offer.styles.max_height = most
        left -= min(most, offer.height_wanted) if offer.display else 0
        news = [] if self._is_full else news_lines(self.shown.news, left // 2, self._room)
        self._write("news", "\n".join(news)).display = bool(news)

    def _state(self) -> str:
        worker, typed = self._worker, self.query_one(Typed).value
        if self._trouble:
            return f"{self._trouble}; trying again (q leaves the screen)"
        if worker.busy_s > BUSY_S:
            return f"Waiting for an answer for {worker.busy_s:.0f} s (q leaves the screen)"
        if self._is_remote and worker.silence_s > QUIET_S:
            return f"The server has been silent for {worker.silence_s:.0f} s; asking whether it is there"
        if not typed.strip() or self.shown.wanted or not self.shown.is_to_decide:
            return ""
        count = self.query_one(Offer).count
        return "Enter plays this option" if count == 1 else f"{count} of {self.shown.legal.count} options fit"

    def _clear(self) -> None:
        """Forget what was typed and chosen."""
        self.query_one(Typed).value = ""
        point_at(self.query_one(Offer), None)

    # Keys

    @on(Input.Changed)
    def narrow(self) -> None:
        """List the options that fit what was typed."""
        self._problem = ""
        point_at(self.query_one(Offer), None)
        self._show_options()
        self._show_message()

    def action_submit(self) -> None:
        """Play what was typed or chosen, go on with typed dice, or explain the chosen line of the log."""
        typed = self.query_one(Typed).value
        self._problem = ""
        if self._is_waiting:
            self._refuse("the last command is still being carried out")
        elif self.shown.wanted:
            self._ask(lambda model: model.type_chance(typed), typed)
        elif self._page == LOG and not typed:
            self._explain()
        else:
            self._play(typed)

    def _play(self, typed: str) -> None:
        try:
            wish = wished(self.shown.legal, self.shown.seat, typed, self.query_one(Offer).pointed)
        except UserError as error:
            if error.code == "ambiguous_choice" and self.query_one(Offer).display:
                # The words have done their part; the cursor does the rest.
                self.query_one(Offer).point_at_first()
                return
            self._refuse(str(error))
        else:
            self._ask(_playing(wish), typed or wish.words)

    def _ask(self, job: Callable[[SeatModel], None], typed: str = "") -> None:
        """Let the worker do something; `typed` is what asked for it."""
        self._is_waiting = True
        self._asked = typed
        self._clear()
        self._worker.ask(job)

    def _refuse(self, why: str) -> None:
        self._problem = why[:1].upper() + why[1:]
        self._show_message()

    def _explain(self) -> None:
        line, width = self.query_one(LogPage).pointed, self.size.width - 2
        if line is not None:
            number = line.first
            self._worker.ask(lambda model: Explanation(number, model.explain(number, width)))

    def action_undo(self) -> None:
        """Take the seat's last command back."""
        self._problem = ""
        self._ask(lambda model: model.undo())

    def action_answer_undo(self, agrees: bool) -> None:
        """Agree to what another seat asks to take back, or refuse it."""
        self._problem = ""
        self._ask(lambda model: model.answer_undo(agrees=agrees))

    def action_auto_pass(self) -> None:
        """Switch auto-pass on or off."""
        is_on = not self.shown.is_auto_pass
        self._worker.ask(lambda model: model.switch_auto_pass(is_on=is_on))

    def action_passing(self) -> None:
        """Pass in every window until the seat's next turn, or no longer."""
        is_on = not self.shown.is_passing
        self._problem = ""
        self._worker.ask(lambda model: model.switch_passing(is_on=is_on))

    def action_turn_page(self, by: int) -> None:
        """Show another page."""
        self._page = self._pages[(self._pages.index(self._page) + by) % len(self._pages)]
        if self._page == LOG:
            # Enter acts on one cursor only.
            point_at(self.query_one(Offer), None)
        self._show_page()

    def action_full(self) -> None:
        """Let the page fill the screen, or no longer."""
        self._is_full = not self._is_full
        self._show()

    def action_cursor(self, by: int) -> None:
        """Move the cursor in the log, if it is shown, or else in the options; without options scroll the page."""
        pane = self.query_one(LogPage) if self._page == LOG else self.query_one(Offer)
        if not pane.display:
            self.query_one(f"#{self._page.lower()}").scroll_relative(y=by, animate=False)
        elif by > 0:
            pane.action_cursor_down()
        elif pane.highlighted is not None:
            pane.action_cursor_up()
        self.call_after_refresh(self._show_rule)

    def action_scroll(self, where: str) -> None:
        """Scroll the page, or move the cursor of the log."""
        pane = self.query_one(f"#{self._page.lower()}")
        if isinstance(pane, LogPage):
            pane.run_cursor(where)
        elif where in ("home", "end"):
            pane.scroll_to(y=0 if where == "home" else pane.max_scroll_y, animate=False)
        else:
            rows = max(1, pane.size.height - 1)
            pane.scroll_relative(y=rows if where == "down" else -rows, animate=False)
        self.call_after_refresh(self._show_rule)

    def action_clear(self) -> None:
        """Clear what was typed; give up a command that waits for dice."""
        self._problem = ""
        if self.shown.wanted:
            self._ask(lambda model: model.drop_chance())
        self._clear()
        self._show_options()

    def action_help(self) -> None:
        """Show the help."""
        self.call_later(self.app.push_screen, Reading("The keys", help_lines(self.size.width - 2)))


def _playing(wish: Wish) -> Callable[[SeatModel], None]:
    return lambda model: model.play(wish)
