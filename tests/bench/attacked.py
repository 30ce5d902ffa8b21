"""How long a good client waits while another attacks, for any kind of server: the rounds, the figures and their lines.

A row provides two processes. One of the good client: between two messages from its pipe it asks again and again, then sends how long each
answer took (seconds), as `rows_busy.ping` does. And one of the attacker, which attacks once for each message, for a bounded time, and says
when it is done.
"""

import time
from pathlib import Path

from tests.bench import children
from tests.bench.harness import Contestant, Figures, Goal, Line, Plan, alternate, anchor, percentile

TIMES_IDLE = 3.0
"""How many times longer than at an idle server 99 % of the answers may take."""

MEMORY_MIB = 100.0
"""How much memory an attack may cost."""

SHORTEST_S = 0.2


def attack_s(plan: Plan) -> float:
    """Return how long an attack lasts (seconds)."""
    return max(SHORTEST_S, 4 * plan.slice_s)


def lines(
    plan: Plan, key: str, title: str, server: children.Child, asking: children.Child, attacking: children.Child
) -> list[Line]:
    """Measure the answers during an attack, against those of the same server when it is idle."""

    def during(is_attacked: bool) -> Figures:
        asking.pipe.send("go")
        if is_attacked:
            attacking.pipe.send("go")
            attacking.pipe.recv()
        else:
            time.sleep(attack_s(plan))
        asking.pipe.send("enough")
        waits = asking.pipe.recv() or [attack_s(plan)]
        return {"p99": percentile(waits, 0.99) * 1e3, "max": max(waits) * 1e3}

    contestants: dict[str, Contestant | None] = {"idle": lambda: during(False), "ours": lambda: during(True)}
    before = _peak_mib(server)
    samples = alternate(contestants, plan.runs)
    found = [
        Line(
            f"{key}.{metric}",
            f"{words}, {title}",
            "ms",
            more_is_better=False,
            ours=samples["ours"].median(metric),
            spread=samples["ours"].spread(metric),
            limit=anchor("the same server idle", samples, "idle", metric),
            goals=(Goal("limit", TIMES_IDLE),) if metric == "p99" else (),
        )
        for metric, words in (("p99", "99 % of the answers within"), ("max", "the slowest answer"))
    ]
    return [
        *found,
        Line(
            f"{key}.memory",
            f"memory that the server took, {title}",
            "MiB",
            more_is_better=False,
            ours=max(_peak_mib(server) - before, 1 / 1024),
            goals=(Goal("itself", MEMORY_MIB),),
        ),
    ]


def _peak_mib(server: children.Child) -> float:
    """Return the largest resident memory that a server has had so far (MiB)."""
    for line in Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0
