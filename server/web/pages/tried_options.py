"""Options that were tried at an event: how often each wins, with its interval, and what that tells."""

from collections.abc import Sequence

from core.trials.comparison import Share, share
from core.trials.trial_words import shares_words
from core.wording import counted
from events.studies.study_entry import OptionsTried
from projections.study import TriedOptions
from server.page_parts.html import Content, Html, div, span, tag

STEP = 20
"""The scale of the bars ends with a multiple of so many percent."""


def tried_panel(tried: TriedOptions | OptionsTried, about: Content) -> Html:
    """Return the table of options that were tried, the best one first.

    Args:
        tried: The options.
        about: Who has tried them, and what can be done with the table.
    """
    found = [(one, share(one.won, tried.times)) for one in sorted(tried.options, key=lambda one: -one.won)]
    upto = scale_of([each for _, each in found])
    rows = [
        share_row(
            [one.words, [" ", span("played", "played")] if one.was_played else None], each, upto, is_own=one.was_played
        )
        for one, each in found
    ]
    games = f"wins of who decides, {counted(tried.times, 'game')} each, {tried.policy} plays on (seed {tried.seed})"
    words, wins = [one.words for one, _ in found], [one.won for one, _ in found]
    return div(
        "panel whatif",
        tag("h2", None, f"What if, at {tried.at}"),
        tag("p", {"class": "remark"}, games),
        shares_table("Option", rows, upto),
        tag("p", None, shares_words(words, wins, tried.times)),
        about,
    )


def scale_of(shares: Sequence[Share]) -> int:
    """Return where the scale of the bars of some shares ends, in percent."""
    return max(STEP, min(100, -(-round(100 * max(each.high for each in shares)) // STEP) * STEP))


def shares_table(first: str, rows: Sequence[Html], upto: int) -> Html:
    """Return a table of shares; `first` heads what they are of."""
    heads = (first, "share", f"0 to {upto} %", "95 %")
    return tag("table", None, tag("tr", None, [tag("th", {"scope": "col"}, head) for head in heads]), rows)


def share_row(name: Content, found: Share, upto: int, *, is_own: bool = False) -> Html:
    """Return the row of a share with its interval."""
    return tag(
        "tr",
        {"class": "own" if is_own else None},
        tag("th", {"scope": "row"}, name),
        tag("td", {"class": "count"}, f"{_percent(found.count / found.of)} %"),
        tag("td", None, _bar(found, upto)),
        tag("td", {"class": "count"}, f"{_percent(found.low)}\N{EN DASH}{_percent(found.high)}"),
    )


def _percent(part: float) -> str:
    return f"{100 * part:.0f}"


def _bar(found: Share, upto: int) -> Html:
    """Return the interval of a share with the share in it; its figures stand beside it, so that it says nothing to a screen reader."""
    low, high, at = (100 * part * 100 / upto for part in (found.low, found.high, found.count / found.of))
    strip = {"class": "strip", "x": f"{low:.1f}", "y": "2", "width": f"{high - low:.1f}", "height": "6"}
    mark = {"class": "mark", "x": f"{min(98.0, max(0.0, at - 1)):.1f}", "y": "0", "width": "2", "height": "10"}
    size = {"class": "interval", "viewBox": "0 0 100 10", "preserveAspectRatio": "none", "aria-hidden": "true"}
    return tag("svg", {**size}, tag("rect", {**strip}), tag("rect", {**mark}))
