"""Trials in words: what was counted, shares, means, and what can be said of the best option."""

from collections.abc import Sequence

from core.telling.names import Names
from core.trials.comparison import Mean, Share, Verdict, needed_apart, share
from core.wording import counted


def count_words(names: Names, count: str) -> str:
    """Return what a game counts, in words; see `core.trials.trial.Outcome`."""
    what, _, side = count.partition(" of ")
    if not side:
        return names.of(count)
    return f"{'places held by' if what == 'control' else 'pieces of'} {names.of(side)}"


def percent(value: Mean) -> str:
    """Return a mean between 0 and 1 with its error, in percent."""
    return f"{100 * value.value:.0f} % ± {100 * value.error:.0f}"


def percent_of(value: Share) -> str:
    """Return a share with its bounds, in percent."""
    return f"{100 * value.count / value.of:.0f} % ({100 * value.low:.0f} to {100 * value.high:.0f})"


def stretch_words(before: str, after: str) -> str:
    """Return the time between two points in words, such as `From Turn 1 to Turn 2`; that of the second alone if they lie in one round, or the first in none."""
    return f"From {before} to {after}" if before not in ("", after) else after


def number(value: Mean) -> str:
    """Return a mean with its error."""
    return f"{value.value:.1f} ± {value.error:.1f}" if value.error else f"{value.value:g}"


def shares_words(words: Sequence[str], wins: Sequence[float], times: int) -> str:
    """Return what the shares of options say of the best one, a sentence; empty for one option.

    Args:
        words: The options in words.
        wins: How many trials of each were won.
        times: How many there were of each.
    """
    if len(wins) < 2:
        return ""
    best, second = sorted(range(len(wins)), key=lambda index: (-wins[index], index))[:2]
    found = [share(wins[index], times) for index in (best, second)]
    if wins[best] == wins[second]:
        return "Not enough to tell: the best options won equally often."
    if needed := needed_apart(*found):
        return f"Not enough to tell: the intervals overlap. About {counted(needed, 'trial')} of each would part the two best."
    return f"The best: {words[best]}. Its interval lies above those of the others."


def verdict_words(options: Sequence[int], found: Verdict) -> str:
    """Return what the trials say of the best option, a sentence.

    Args:
        options: The numbers of the options that were tried.
        found: How the best of them compares with the next one.
    """
    best, other = options[found.best], options[found.next]
    if found.is_told:
        return f"Option {best} is the best: it wins more often than option {other} by {percent(found.ahead)}, on the same deals and dice."
    if not found.needed:
        return f"Options {best} and {other} won equally often in these trials."
    more = counted(found.needed, "trial")
    return (
        f"It is open whether option {best} or {other} is better ({percent(found.ahead)}): about {more} each would tell."
    )
