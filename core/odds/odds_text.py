"""Chances in words: shares as percentages, each with its interval where it was taken at random, and what they were counted over."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

from core.odds.odds_lines import Line, Mean, Odds, Outcome

LEADS_TO_ROLL = "leads to dice, flips or draws that decide anything before the next decision"
SMALL = 0.0005
"""A share below it is told as less than 0.1 %."""
HARDLY = 0.01
"""A share below it says less than the means do, such as how many hits both sides score in a round of a long fight."""


def share_text(share: float) -> str:
    """Return a share in per cent: whole from 10 to 90 %, else with one decimal."""
    if 0 < share < SMALL:
        return "under 0.1 %"
    if 1 - SMALL < share < 1:
        return "over 99.9 %"
    percent = share * 100
    return f"{percent:.0f} %" if 9.95 <= percent <= 90.05 or percent in (0, 100) else f"{percent:.1f} %"


def outcome_text(outcome: Outcome) -> str:
    """Return the share of a result; where it was taken at random with the bounds within which the true one lies."""
    if outcome.low == outcome.high:
        return share_text(outcome.share)
    return f"{share_text(outcome.share)} ({outcome.low * 100:.0f} to {outcome.high * 100:.0f})"


def mean_text(mean: Mean) -> str:
    """Return a mean with one decimal; where it was taken at random with its bounds."""
    return f"{mean.value:.1f}" if mean.low == mean.high else f"{mean.value:.1f} ({mean.low:.1f} to {mean.high:.1f})"


def line_text(line: Line) -> str:
    """Return all chances of a line in a sentence without a full stop."""
    told = ", ".join(f"{one.words} {outcome_text(one)}" for one in line.outcomes)
    return f"{line.about}: {told}{'' if line.mean is None else f'; mean {mean_text(line.mean)}'}"


def decisive(odds: Odds) -> Outcome | None:
    """Return the chance of getting what is rolled for; None if nothing is, or if that is all but excluded and the means say more."""
    good = next((line.good for line in odds.lines if line.good is not None), None)
    has_means = any(line.mean is not None for line in odds.lines)
    return None if good is not None and good.share < HARDLY and has_means else good


def headline(odds: Odds) -> str:
    """Return the chance that matters most in a few words: of getting what is rolled for, or else the means."""
    good = decisive(odds)
    if good is not None:
        bounds = "" if good.low == good.high else f" (sampled: {good.low * 100:.0f} to {good.high * 100:.0f} %)"
        return f"{share_text(good.share)} {good.words}{bounds}"
    means = [(line.about, mean_text(line.mean)) for line in odds.lines if line.mean is not None]
    abouts = _said_once([about for about, _ in means])
    told = [f"{about} {mean}" for about, (_, mean) in zip(abouts, means, strict=True)]
    return f"{', '.join(told)} on average" if means else ""


def _said_once(titles: Sequence[str]) -> list[str]:
    """Return titles, all but the first without the words with which all of them begin."""
    words = [title.split() for title in titles]
    begun = [parts[0] for parts in takewhile(lambda parts: len(set(parts)) == 1, zip(*words, strict=False))]
    rest = [" ".join(one[len(begun) :]) for one in words[1:]]
    return [*titles[:1], *rest] if all(rest) else list(titles)


def basis(odds: Odds) -> str:
    """Return what chances were counted over and what was assumed, as sentences."""
    if odds.samples:
        told = f"Taken from {odds.samples:,} ways at random; in brackets what holds 19 times in 20."
    else:
        told = f"Counted over all {odds.ways:,} equally likely ways." if odds.ways > 1 else "Counted."
    return f"{told} Assumed: {'; '.join(odds.assumed)}." if odds.assumed else told


def lines_of(odds: Odds) -> Iterator[str]:
    """Yield the chances line by line, then what they were counted over."""
    yield from map(line_text, odds.lines)
    yield basis(odds)
