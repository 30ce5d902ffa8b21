"""Options that were tried at an event, as a study keeps them: how often each wins, with its interval, and what that tells."""

from core.trials.comparison import Share, share
from core.trials.trial_words import shares_words
from core.wording import counted
from projections.study import TriedOptions
from server.page_parts.html import Content, Html, div, span, tag

STEP = 20
"""The scale of the bars ends with a multiple of so many percent."""


def tried_panel(tried: TriedOptions, about: Content) -> Html:
    """Return the table of options that were tried, the best one first.

    Args:
        tried: The options.
        about: Who has tried them, and what can be done with the table.
    """
    found = [(one, share(one.won, tried.times)) for one in sorted(tried.options, key=lambda one: -one.won)]
    upto = max(STEP, min(100, -(-round(100 * max(each.high for _, each in found)) // STEP) * STEP))
    heads = ("Option", "share", f"0 to {upto} %", "95 %")
    rows = [
        tag(
            "tr",
            {"class": "own" if one.was_played else None},
            tag("th", {"scope": "row"}, one.words, [" ", span("played", "played")] if one.was_played else None),
            tag("td", {"class": "count"}, f"{_percent(each.count / each.of)} %"),
            tag("td", None, _bar(each, upto)),
            tag("td", {"class": "count"}, f"{_percent(each.low)}\N{EN DASH}{_percent(each.high)}"),
        )
        for one, each in found
    ]
    games = f"wins of who decides, {counted(tried.times, 'game')} each, {tried.policy} plays on (seed {tried.seed})"
    words, wins = [one.words for one, _ in found], [one.won for one, _ in found]
    return div(
        "panel whatif",
        tag("h2", None, f"What if, at {tried.at}"),
        tag("p", {"class": "remark"}, games),
        tag("table", None, tag("tr", None, [tag("th", {"scope": "col"}, head) for head in heads]), rows),
        tag("p", None, shares_words(words, wins, tried.times)),
        about,
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
