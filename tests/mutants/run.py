"""Try the tests of the kernel: put one fault at a time into its code and count those that no test notices.

Entry point of `make mutants`. Every mutant runs, in a process of its own, the quickest tests that reach its function. A mutant that
survives is a missing test, or it is listed in explained.toml with the reason why no test can notice it.
"""

import argparse
import contextlib
import importlib.machinery
import json
import os
import random
import resource
import signal
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
# A script has only its own folder on the path, but the modules are imported from the root of the tree.
sys.path[0] = str(ROOT)

from tests.mutants.mutations import Mutant, mutants  # noqa: E402
from tests.mutants.reach import Reach  # noqa: E402

KERNEL = ("events", "projections", "core")
"""What is mutated: all modules of these folders except those of the games, of the drawings, and one that only the commands use."""

LEFT_OUT = ("core/games/", "core/drawing/", "core/svg/", "core/shapes/", "core/drawing/board_report.py")
TESTS = ("tests/events", "tests/projections", "tests/acid", "tests/core")
EXPLAINED = Path(__file__).with_name("explained.toml")

TESTS_S = 20.0
"""How long (seconds, as recorded) the tests of one mutant may take; the quickest that reach it are chosen."""

STALLED = 4.0
"""After how many times that time, and ten seconds, of a processor a mutant counts as noticed: it does not end."""

WAITING = 10
"""After how many times the processor's time a mutant counts as noticed that does nothing, such as one that waits for a message."""

KILLED, SURVIVED, UNREACHED = "killed", "survived", "unreached"


def kernel_modules(wanted: Sequence[str]) -> list[str]:
    """Return the paths of the modules to mutate, those that begin with one of the wanted paths."""
    found = [path.relative_to(ROOT).as_posix() for name in KERNEL for path in sorted((ROOT / name).rglob("*.py"))]
    return [one for one in found if not one.startswith(LEFT_OUT) and one.startswith(tuple(wanted))]


def sampled(modules: Sequence[str], most: int, seed: int) -> list[Mutant]:
    """Return the mutants of the modules, or so many of them chosen at random."""
    every = [one for path in modules for one in mutants(path, (ROOT / path).read_text(encoding="utf-8"))]
    chosen = every if len(every) <= most else random.Random(seed).sample(every, most)
    return sorted(chosen, key=lambda one: (one.module, one.line))


def tests_of_kernel() -> list[str]:
    """Return the arguments of pytest for the tests of the kernel; of the games only what their components make of its checks."""
    rooms = [room for room in (ROOT / "tests/core/games").glob("*/*") if room.name != "components"]
    return [*TESTS, *[f"--ignore={room}" for room in rooms]]


def recorded(tests: Sequence[str], modules: Sequence[str]) -> Reach:
    """Run tests once as they are, in a process of their own, and return what each of them reaches.

    Raises:
        SystemExit: They fail without any fault.
    """
    reach = Reach(ROOT, modules)
    with tempfile.TemporaryFile("w+") as file:

        def record() -> int:
            status = _run(tests, [reach])
            json.dump([reach.failed, reach.seconds, list(reach.tests.items())], file)
            file.flush()
            return status

        _, status = os.waitpid(_forked(record), 0)
        file.seek(0)
        failed, seconds, found = json.loads(file.read() or "[[], {}, []]")
    if status:
        raise SystemExit(f"the tests fail as they are: {', '.join(failed) or 'none runs'}")
    reach.seconds = seconds
    reach.tests.update({(module, function): names for (module, function), names in found})
    return reach


def chosen_tests(mutant: Mutant, reach: Reach) -> list[str]:
    """Return the quickest tests that reach a mutant's function, those of its own module first."""
    mirror = f"tests/{Path(mutant.module).parent}/test_{Path(mutant.module).name}"
    found = sorted(
        reach.tests.get((mutant.module, mutant.function), ()),
        key=lambda test: (not test.startswith(mirror), reach.seconds[test]),
    )
    chosen: list[str] = []
    left = TESTS_S
    for test in found:
        left -= reach.seconds[test]
        if chosen and left < 0:
            break
        chosen.append(test)
    return chosen


def _run(arguments: Sequence[str], plugins: Sequence[object] = ()) -> int:
    """Run pytest in this process, silently."""
    os.chdir(ROOT)
    silent = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silent, 1)
    os.dup2(silent, 2)
    quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"]
    return int(pytest.main([*quiet, *arguments], plugins=list(plugins)))


def _forked(action: Callable[[], int]) -> int:
    """Fork a process that ends with what an action returns; return its id."""
    child = os.fork()
    if not child:
        status = 1
        with contextlib.suppress(BaseException):
            status = action()
        os._exit(min(status, 1))
    return child


def _start(mutant: Mutant, tests: Sequence[str], tests_s: float) -> int:
    """Fork a process that ends with 0 if a mutant's tests pass; return its id."""
    path = str(ROOT / mutant.module)
    code = compile(mutant.source(), path, "exec")
    whole = importlib.machinery.SourceFileLoader.get_code

    def mutated(loader: importlib.machinery.SourceFileLoader, name: str) -> object:
        return code if loader.path == path else whole(loader, name)

    def run() -> int:
        cpu_s = round(10 + STALLED * tests_s)
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_s, cpu_s + 1))
        signal.alarm(WAITING * cpu_s)
        importlib.machinery.SourceFileLoader.get_code = mutated  # type: ignore[method-assign, assignment]
        return _run(["-x", *tests])

    return _forked(run)


def tried(chosen: Sequence[Mutant], reach: Reach, jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Yield each mutant with how it went, as they end: `killed`, `survived`, or `unreached` by any test; several run at a time."""
    running: dict[int, Mutant] = {}

    def ended() -> tuple[Mutant, str]:
        child, status = os.wait()
        return running.pop(child), KILLED if status else SURVIVED

    for mutant in chosen:
        tests = chosen_tests(mutant, reach)
        if not tests:
            yield mutant, UNREACHED
            continue
        if len(running) == jobs:
            yield ended()
        running[_start(mutant, tests, sum(reach.seconds[test] for test in tests))] = mutant
    while running:
        yield ended()


def explained() -> set[str]:
    """Return the names of the mutants that no test can notice."""
    return {one["mutant"] for one in tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["mutants"]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants, list those that no test noticed, and print the rate of each folder. Return 1 if one of them is not explained."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", default=[""], help="only modules whose path begins so, such as events/")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants are tried, chosen at random (200)")
    parser.add_argument("--seed", type=int, default=1, help="which are chosen (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many run at a time")
    parser.add_argument(
        "--tests", nargs="+", help="only these tests, such as tests/core/match/test_fork.py, instead of the kernel's"
    )
    options = parser.parse_args(arguments)
    modules = kernel_modules(options.paths)
    if not modules:
        parser.error(f"no module of the kernel begins with {' or '.join(options.paths)}")
    chosen = sampled(modules, options.sample, options.seed)
    print(f"{len(chosen)} mutants of {len(modules)} modules; the tests run once as they are", file=sys.stderr)
    reach = recorded(options.tests or tests_of_kernel(), modules)
    reasons = explained()
    counts: Counter[tuple[str, str]] = Counter()
    for mutant, verdict in tried(chosen, reach, options.jobs):
        said = "explained" if verdict != KILLED and mutant.name in reasons else verdict
        counts[mutant.module.partition("/")[0], said] += 1
        if said in (SURVIVED, UNREACHED):
            print(f"{said}  {mutant.module}:{mutant.line}\n    {mutant.name}", flush=True)
    for folder in sorted({folder for folder, _ in counts}):
        said_of = {said: count for (of, said), count in counts.items() if of == folder}
        print(f"{folder}: {', '.join(f'{count} {said}' for said, count in sorted(said_of.items()))}")
    return 1 if any(said in (SURVIVED, UNREACHED) for _, said in counts) else 0


if __name__ == "__main__":
    sys.exit(main())
