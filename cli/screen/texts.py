"""The texts of the screen: the keys, the help, the rule between the table and what is below it."""

from collections.abc import Sequence

from cli.screen.diary import DiaryLine
from cli.text_table import wrapped

KEYS = "? Help  Tab Page  ↑↓ Enter Play  ^F Full  ^T Take back  ^P Auto-pass  q Quit"
"""The keys that matter most; they fit into 80 columns."""

HELP = """\
The screen shows a page (the table, your hand, or the log), the news since your last command, the open decision, and \
your options if it is yours.

PLAYING
  type      A number, or any part of the words of an option: only the options that fit stay in the list.
  Enter     Plays the option with that number, the only one that fits, or the one that you have chosen with the arrow keys. \
Several items (units, cards, hits) are picked one after the other and then confirmed.
  ↑ ↓       Choose an option in the list.
  Esc       Clears what you have typed.
  Ctrl-T    Takes your last command back. If the rules refuse it, the screen says why.
  Ctrl-P    Auto-pass: a decision with a single option, such as passing because you cannot answer, is played without asking. \
Others may notice how quickly you passed. After a take-back it waits until you have played something.
  resign    Type the whole word and Enter. JSON commands work as in `wardiary play`.

LOOKING
  Tab       The next page: table, hand, log. Shift-Tab goes back.
  PgUp PgDn Scroll the page. Home and End go to its ends if nothing is typed.
  Ctrl-F    The page fills the screen; again, and it does not.
  log page  ↑ ↓ choose a line, and Enter explains it: the rule, the dice, the sum. Lines that are new since your last visit \
begin with *.
  dice      [5] counts, (2) does not.

LEAVING
  q         Leaves the screen, if nothing is typed; Ctrl-C always does. The match waits for you, and other players see nothing of it.

With dice from a real table, the screen asks for the faces when a command needs them: type 3,4 and Enter."""

NEWS_MARK = "· "
SEPARATOR = "new since your last visit"


def help_lines(width: int) -> list[str]:
    """Return the help, wrapped."""
    lines: list[str] = []
    for line in HELP.split("\n"):
        if line.startswith("  "):
            lines += wrapped(line[:12], line[12:], width)
        else:
            lines += wrapped("", line, width)
    return lines


def rule_line(pages: Sequence[str], page: str, notes: Sequence[str], width: int) -> str:
    """Return the line below the page: which pages there are, with the shown one in brackets, and notes."""
    left = "".join(f"[{name}]" if name == page else f" {name} " for name in pages)
    right = f" {'  '.join(notes)} " if notes else ""
    return f"──{left}".ljust(width - len(right) - 2, "─") + f"{right}──"


def news_lines(news: Sequence[str], rows: int, width: int) -> list[str]:
    """Return the last news that fit; the first row says how many older ones there are."""
    wraps = [wrapped(NEWS_MARK, text, width) for text in news]
    if sum(map(len, wraps)) <= rows:
        return [line for lines in wraps for line in lines]
    shown: list[str] = []
    left = len(wraps)
    while left and len(shown) + len(wraps[left - 1]) < rows:
        left -= 1
        shown = wraps[left] + shown
    if not shown:
        left -= 1
        shown = wraps[left][: rows - 1]
    return [f"{NEWS_MARK}{left} more before this, in the log", *shown] if left else shown


def log_lines(line: DiaryLine, width: int) -> str:
    """Return a line of the log, wrapped, with a mark if it is new."""
    mark = "*" if line.is_new else " "
    return "\n".join(wrapped(f"{mark}{line.numbers:>9}  ", line.text, width))
