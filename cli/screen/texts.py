"""The texts of the screen: the keys, the help, the rule between the table and what is below it."""

from collections.abc import Sequence

from cli.output.columns import wrapped
from cli.screen.diary import DiaryLine, News

KEYS = "? Help  Tab Page  ↑↓ Enter Play  ^F Full  ^T Take back  ^P Auto-pass  q Quit"
"""The keys that matter most; they fit into 80 columns."""

HELP = """\
The screen shows a page (the table, your hand, or the log), the news since your last command, the open decision, and \
your options if it is yours.

PLAYING
  type      A number, or any part of the words of an option: only the options that fit stay in the list.
  Enter     Plays the option with that number, the only one that fits, or the one that you have chosen with the arrow keys; \
if several fit, it goes to the first of them. 0 is always what ends the step. \
Several items (units, cards, hits) are picked one after the other and then confirmed.
  ↑ ↓       Choose an option in the list.
  Esc       Clears what you have typed.
  Ctrl-T    Takes back what you sent last; where something was learned since, asks the others to agree. If the rules refuse it, the screen says why.
  Ctrl-Y    Agrees to what another player asks to take back; Ctrl-R refuses it. Nothing waits for your answer.
  Ctrl-P    Auto-pass: a decision with a single option, such as passing because you cannot answer, is played without asking. \
Others may notice how quickly you passed. After a take-back it waits until you have played something.
  Ctrl-N    Passes for you in every window, in which you might play a card out of turn, until your next turn begins; again, \
and it does not. It looks at no card of yours, so that nobody can tell it from passing by hand: it also passes where you could have answered. \
Everything else (a Firefight, Hits, any choice) is still asked.
  resign    Type the whole word and Enter. JSON commands work as in `wardiary choose`.

LOOKING
  Tab       The next page: table, hand, log. Shift-Tab goes back.
  PgUp PgDn Scroll the page. Home and End go to its ends if nothing is typed.
  Ctrl-F    The page fills the screen; again, and it does not.
  log page  ↑ ↓ choose a line, and Enter explains it: the rule, the dice, the sum. Lines that are new since your last visit \
have a *.
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


def news_lines(news: Sequence[News], rows: int, width: int) -> list[str]:
    """Return the news that fit, the major ones first, and of these the last; a first row says how many are left out."""
    wraps = {place: wrapped(NEWS_MARK, one.text, width) for place, one in enumerate(news)}
    if sum(map(len, wraps.values())) <= rows:
        return [line for lines in wraps.values() for line in lines]
    chosen: set[int] = set()
    left = rows - 1
    for place in sorted(wraps, key=lambda place: (news[place].is_minor, -place)):
        if len(wraps[place]) > left:
            break
        left -= len(wraps[place])
        chosen.add(place)
    if not chosen and rows > 1:
        chosen = {len(news) - 1}
    shown = [line for place in sorted(chosen) for line in wraps[place]]
    return [f"{NEWS_MARK}{len(news) - len(chosen)} more, in the log", *shown][: max(0, rows)]


def clipped(lines: Sequence[str], rows: int) -> list[str]:
    """Return at most so many lines; an ellipsis ends the last one if there were more."""
    return list(lines) if len(lines) <= rows else [*lines[: rows - 1], f"{lines[rows - 1][:-2]} …"]


def log_lines(line: DiaryLine, width: int) -> str:
    """Return a line of the log, wrapped, with a mark if it is new; the first column is left to the cursor."""
    mark = "*" if line.is_new else " "
    return "\n".join(wrapped(f" {mark}{line.numbers:>9} ", line.text, width))
