"""Plays a match in processes that hash texts differently: options in the order of a set are listed in another order there.

The order of a set is the same within a process, so that no other check notices it; the log of a match could not be played again elsewhere.
"""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from random import Random

from core.checking.simulated_match import Plan, SimulatedMatch, WentWrong
from core.registry.games import GAMES
from events.codec import Decoder, encode
from events.ids import GameKey

SEEDS = ("1", "2")
"""The hash seeds: `PYTHONHASHSEED` of each process."""

STEPS_MAX = 200
"""The most commands that are played of the match."""

TIMEOUT_S = 120.0


_WISHES: Decoder[tuple[str, Plan]] = Decoder(tuple[str, Plan])
"""The package of the game, and the match that a process plays."""


def order_problem(package: str, plan: Plan) -> str:
    """Return where the options of a match depend on how texts are hashed; empty if they do not.

    Args:
        package: The game's package.
        plan: The match, with random bots.
    """
    wish = package, plan._replace(number=1, steps_max=STEPS_MAX, is_audited=False, save_failures="")
    paths = os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
    running = [
        subprocess.Popen(  # noqa: S603 - It is this program itself.
            [sys.executable, "-c", f"from {__name__} import main; main()", encode(wish).decode()],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": paths},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for seed in SEEDS
    ]
    try:
        first, second = [process.communicate(timeout=TIMEOUT_S)[0].splitlines() for process in running]
    finally:
        for process in running:
            process.kill()
    for one, other in zip(first, second, strict=False):
        if one != other:
            where, _, options = one.partition(": ")
            return (
                f"{where}: the options come in another order, or are others, where texts are hashed differently: "
                f"{options} or {other.partition(': ')[2]} (sort what is taken from a set)"
            )
    return ""


def main() -> None:
    """Play the match that is named on the command line, and print its options, a line for each question."""
    package, plan = _WISHES.decode(sys.argv[1].encode())
    GAMES.setdefault(GameKey(plan.game), package)
    match = SimulatedMatch(plan, Random)

    def tell(_: object) -> None:
        top = match.match.table.top
        listed = [encode(option).decode() for option in match.rules.options(match.match.table)]
        said = " ".join(listed[:12])
        digest = hashlib.sha256("\n".join(listed).encode()).hexdigest()[:12]
        sys.stdout.write(
            f"event {match.match.head.seq}, question {'' if top is None else top.kind}: {said} ({digest})\n"
        )

    try:
        match.play([tell])
    except WentWrong:
        return
