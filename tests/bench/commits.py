"""Timing of durable commits, one after the other."""

import time
from collections.abc import Callable

from tests.bench.harness import Figures, percentile


def timed_commits(commit: Callable[[], int], slice_s: float) -> Figures:
    """Commit until the slice has passed.

    Args:
        commit: Makes one durable transaction and returns its number of events.
        slice_s: Seconds to fill.

    Returns:
        `rate` in events a second, `cpu` in microseconds an event, `p50` and `p99` in microseconds a transaction.
    """
    waits, events = list[float](), 0
    cpu, began = time.process_time(), time.perf_counter()
    now = began
    while now - began < slice_s:
        events += commit()
        waits.append(-now)
        now = time.perf_counter()
        waits[-1] += now
    cpu = time.process_time() - cpu
    return {
        "rate": events / (now - began),
        "cpu": cpu / events * 1e6,
        "p50": percentile(waits, 0.5) * 1e6,
        "p99": percentile(waits, 0.99) * 1e6,
    }
