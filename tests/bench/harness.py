"""Timing shared by every benchmark row: alternating rounds, medians, figures of merit.

Defines how a figure is measured and what a row is. It knows neither the product nor the anchors, and judges no absolute time:
a figure only counts as a ratio to an anchor that ran in the same rounds.
"""

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Figures = dict[str, float]
Contestant = Callable[[], Figures]


@dataclass(frozen=True)
class Plan:
    """How much work a run does.

    Attributes:
        runs: Timed rounds after one that only warms; 1 or more.
        slice_s: Seconds a contestant is timed in one round.
        scratch: Folder for databases; the caller removes it.
        long_events: Length of the long match, in events.
        deliveries: Messages times subscribers in one flat-out round of fan-out.
        subscribers: Sizes of the fan-out rows, ascending.
        commands: Round trips in one round of the socket rows.
        idle_matches: Matches held at once by the memory rows.
        playouts: Steps a random playout goes in one round, at most.
        listed: Matches of the list.
        audited: Matches of the audited store; fewer than 40 take no longer than starting a second process does.
        browsers: Browsers that follow a match at once.
        fork_depth: How many forks lie between the deepest fork and its root.
    """

    runs: int
    slice_s: float
    scratch: Path
    long_events: int = 10_000
    deliveries: int = 400_000
    subscribers: tuple[int, ...] = (1, 10, 100, 1_000)
    commands: int = 3_000
    idle_matches: int = 2_000
    playouts: int = 2_000
    listed: int = 10_000
    audited: int = 100
    browsers: int = 500
    fork_depth: int = 1_200


@dataclass(frozen=True)
class Anchor:
    """A figure to compare with, of a raw limit or a peer; `figure` is None if it could not be measured."""

    name: str
    figure: float | None


@dataclass(frozen=True)
class Goal:
    """One goal of a line.

    Attributes:
        against: "limit" or "peer" for a ratio to that anchor, "itself" for a bound in the line's own unit.
        must: The bound of the gate: a minimum if more is better, otherwise a maximum.
        reach: The desired bound, in the same sense; None if only `must` is stated.
    """

    against: str
    must: float
    reach: float | None = None


@dataclass(frozen=True)
class Line:
    """One line of the table: our figure with its anchors.

    Attributes:
        key: Stable name, `row` or `row.metric`.
        title: The same in words.
        unit: Unit of all figures of the line.
        more_is_better: False for costs: times, bytes, CPU.
        ours: Median over the rounds; None if the product does not have this part.
        limit: The figure of the machine without the product.
        peer: The figure of another project.
        goals: Goals, judged in order.
        spread: (highest - lowest) / median of our rounds.
        note: One sentence for the reader, or empty.
    """

    key: str
    title: str
    unit: str
    more_is_better: bool
    ours: float | None
    limit: Anchor | None = None
    peer: Anchor | None = None
    goals: tuple[Goal, ...] = ()
    spread: float | None = None
    note: str = ""


@dataclass(frozen=True)
class Row:
    """A named group of lines measured together."""

    key: str
    title: str
    run: Callable[[Plan], list[Line]]


@dataclass(frozen=True)
class Sample:
    """All rounds of one contestant, by metric."""

    rounds: dict[str, list[float]] = field(default_factory=dict)

    def median(self, metric: str) -> float:
        """Return the median of the timed rounds."""
        return statistics.median(self.rounds[metric])

    def spread(self, metric: str) -> float:
        """Return (highest - lowest) / median, 0 for a single round."""
        figures = self.rounds[metric]
        middle = statistics.median(figures)
        return (max(figures) - min(figures)) / middle if middle else 0.0


def alternate(contestants: Mapping[str, Contestant | None], runs: int) -> dict[str, Sample]:
    """Run the contestants in turns: one warm-up round each, then `runs` timed rounds.

    The order is rotated by one place every round so that no contestant always runs after the same other one.

    Args:
        contestants: Functions that run one round and return their figures; None for one that cannot run here.
        runs: Timed rounds, 1 or more.

    Returns:
        A sample for every contestant that could run.
    """
    ready = [(name, play) for name, play in contestants.items() if play is not None]
    samples = {name: Sample() for name, _ in ready}
    for _, play in ready:
        play()
    for turn in range(runs):
        for place in range(len(ready)):
            name, play = ready[(place + turn) % len(ready)]
            gc.collect()
            for metric, figure in play().items():
                samples[name].rounds.setdefault(metric, []).append(figure)
    return samples


def per_second(work: Callable[[], int], slice_s: float) -> float:
    """Call `work` until the slice has passed.

    Args:
        work: Does some items and returns how many, 1 or more.
        slice_s: Seconds to fill; at least one call is made.

    Returns:
        Items a second of wall time.
    """
    items = 0
    began = time.perf_counter()
    while True:
        items += work()
        spent = time.perf_counter() - began
        if spent >= slice_s:
            return items / spent


def rate(work: Callable[[], int], slice_s: float) -> Contestant:
    """Return a contestant with the single metric `rate` for a unit of work."""
    return lambda: {"rate": per_second(work, slice_s)}


def percentile(figures: Sequence[float], share: float) -> float:
    """Return the figure that `share` (0 to 1) of all figures do not exceed."""
    ordered = sorted(figures)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def anchor(name: str, samples: Mapping[str, Sample], contestant: str, metric: str) -> Anchor:
    """Return an anchor with its median from the samples, without a figure if the contestant did not run."""
    sample = samples.get(contestant)
    if sample is None or metric not in sample.rounds:
        return Anchor(f"{name} (not installed)", None)
    return Anchor(name, sample.median(metric))


def our_figure(samples: Mapping[str, Sample], metric: str) -> tuple[float | None, float | None]:
    """Return median and spread of the contestant `ours`, or two Nones if it did not run."""
    sample = samples.get("ours")
    if sample is None or metric not in sample.rounds:
        return None, None
    return sample.median(metric), sample.spread(metric)
