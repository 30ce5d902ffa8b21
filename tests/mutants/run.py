"""Try the tests of the kernel: put one fault at a time into its code and count those that no test notices.

Entry point of `make mutants`. Every mutant runs, in a process of its own, the quickest tests that reach its function. A mutant that
survives is a missing test, or it is listed in explained.toml with the reason why no test can notice it.
"""

import argparse
import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import json
import os
import random
import resource
import signal
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
# A script has only its own folder on the path, but the modules are imported from the root of the tree.
sys.path[0] = str(ROOT)

from rich.console import Console  # noqa: E402
from rich.progress import track  # noqa: E402
from typing_extensions import override  # noqa: E402

from tests.mutants.mutations import Mutant, mutants  # noqa: E402
from tests.mutants.reach import Reach  # noqa: E402

KERNEL = ("events", "projections", "core")
"""What is mutated: all modules of these folders except those of the games and of the drawings."""

LEFT_OUT = ("core/games/", "core/drawing/")
TESTS = ("tests/events", "tests/projections", "tests/acid", "tests/core")
NO_TESTS = ("tests/core/games",)
REACH = ROOT / "build" / "mutants.json"
EXPLAINED = Path(__file__).with_name("explained.toml")

TESTS_S = 20.0
"""How long (seconds, as recorded) the tests of one mutant may take; the quickest that reach it are chosen."""

STALLED = 4.0
"""After how many times that time, and ten seconds, of a processor a mutant counts as noticed: it does not end."""

WAITING = 10
"""After how many times the processor's time a mutant counts as noticed that does nothing, such as one that waits for a message."""

KILLED, SURVIVED, UNREACHED = "killed", "survived", "unreached"


class Outcome(NamedTuple):
    """A mutant and how it went: `killed`, `survived`, or `unreached` by any test."""

    mutant: Mutant
    verdict: str


def kernel_modules(wanted: Sequence[str]) -> list[str]:
    """Return the paths of the modules to mutate, those that begin with one of the wanted paths."""
    found = [path.relative_to(ROOT).as_posix() for name in KERNEL for path in sorted((ROOT / name).rglob("*.py"))]
    return [one for one in found if not one.startswith(LEFT_OUT) and one.startswith(tuple(wanted))]


def sampled(modules: Sequence[str], most: int, seed: int) -> list[Mutant]:
    """Return the mutants of the modules, or so many of them chosen at random."""
    every = [one for path in modules for one in mutants(path, (ROOT / path).read_text(encoding="utf-8"))]
    chosen = every if len(every) <= most else random.Random(seed).sample(every, most)
    return sorted(chosen, key=lambda one: (one.module, one.line))


def recorded(file: Path) -> Reach:
    """Return what each test reaches, from a file; if there is none, run the tests once as they are and write it."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_recording(), encoding="utf-8")
    told = json.loads(file.read_text(encoding="utf-8"))
    if told["status"]:
        file.unlink()
        raise SystemExit(f"the tests fail as they are: {', '.join(told['failed']) or told['status']}")
    reach = Reach(ROOT, frozenset())
    reach.seconds = told["seconds"]
    reach.tests.update({(module, line): tests for (module, line), tests in told["tests"]})
    return reach


def _recording() -> str:
    """Run the tests in a process of its own and return what each of them reaches, as JSON."""
    reach = Reach(ROOT, frozenset(kernel_modules([""])))
    ignored = [f"--ignore={path}" for path in NO_TESTS]
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        status = _run([*TESTS, *ignored], plugins=[reach])
        told = {"status": status, "seconds": reach.seconds, "failed": reach.failed, "tests": list(reach.tests.items())}
        with os.fdopen(writing, "w") as pipe:
            json.dump(told, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told_json = pipe.read()
    os.waitpid(child, 0)
    return told_json


def chosen_tests(mutant: Mutant, reach: Reach) -> list[str]:
    """Return the quickest tests that reach a mutant's function, those of its own module first."""
    mirror = f"tests/{Path(mutant.module).parent}/test_{Path(mutant.module).name}"
    found = sorted(
        reach.tests.get((mutant.module, mutant.first), ()),
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


class _Loader(importlib.abc.Loader):
    """Loads one module from a changed source."""

    def __init__(self, source: str, path: Path) -> None:
        self._code = compile(source, path, "exec")

    @override
    def exec_module(self, module: ModuleType) -> None:
        exec(self._code, module.__dict__)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds one module, with a fault."""

    def __init__(self, mutant: Mutant) -> None:
        self._path = ROOT / mutant.module
        self._name = mutant.module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self._source = mutant.source

    @override
    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name != self._name:
            return None
        inside = [str(self._path.parent)] if self._path.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            name, self._path, loader=_Loader(self._source, self._path), submodule_search_locations=inside
        )


def _run(arguments: Sequence[str], plugins: Sequence[object] = ()) -> int:
    """Run pytest in this process, silently."""
    os.chdir(ROOT)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        quiet = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--no-header"]
        return int(pytest.main([*quiet, *arguments], plugins=list(plugins)))


def _start(mutant: Mutant, tests: Sequence[str], cpu_s: float) -> int:
    """Fork a process that ends with 0 if its tests pass; return its id."""
    child = os.fork()
    if child:
        return child
    status = 1
    with contextlib.suppress(BaseException):
        resource.setrlimit(resource.RLIMIT_CPU, (round(cpu_s), round(cpu_s) + 1))
        silent = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silent, 1)
        os.dup2(silent, 2)
        sys.meta_path.insert(0, _Finder(mutant))
        status = _run(["-x", *tests])
    os._exit(min(status, 1))


def tried(chosen: Sequence[Mutant], reach: Reach, jobs: int) -> Iterator[Outcome]:
    """Yield each mutant with its outcome, as they end; several run at a time."""
    waiting = list(reversed(chosen))
    running: dict[int, tuple[Mutant, float]] = {}
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            tests = chosen_tests(mutant, reach)
            if not tests:
                yield Outcome(mutant, UNREACHED)
                continue
            cpu_s = 10 + STALLED * sum(reach.seconds[test] for test in tests)
            running[_start(mutant, tests, cpu_s)] = mutant, time.monotonic() + WAITING * cpu_s
        for child, (mutant, until) in list(running.items()):
            done, status = os.waitpid(child, os.WNOHANG)
            if not done and time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
                done, status = os.waitpid(child, 0)
            if done:
                del running[child]
                yield Outcome(mutant, KILLED if status else SURVIVED)
        time.sleep(0.02)


def explained() -> dict[str, str]:
    """Return the mutants that no test can notice, by name, with the reason."""
    return {one["mutant"]: one["reason"] for one in tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["mutants"]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Try mutants, list those that no test noticed, and print the rate. Return 1 if one of them is not explained."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", default=[""], help="only modules whose path begins so, such as events/")
    parser.add_argument("--sample", type=int, default=200, help="how many mutants are tried, chosen at random (200)")
    parser.add_argument("--seed", type=int, default=1, help="which are chosen (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many run at a time")
    parser.add_argument(
        "--reach", type=Path, default=REACH, help="a file of what each test reaches, made anew if there is none"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object for each mutant")
    options = parser.parse_args(arguments)
    modules = kernel_modules(options.paths)
    if not modules:
        parser.error(f"no module of the kernel begins with {' or '.join(options.paths)}")
    chosen = sampled(modules, options.sample, options.seed)
    console = Console(stderr=True)
    console.print(f"{len(chosen)} mutants of {len(modules)} modules")
    if not options.reach.exists():
        console.print("the tests run once as they are, in some minutes")
    reasons = explained()
    outcomes = []
    going = tried(chosen, recorded(options.reach), options.jobs)
    for outcome in track(going, "mutants", len(chosen), console=console, disable=not console.is_terminal):
        outcomes.append(outcome)
        mutant, verdict = outcome
        if options.json:
            about = {"mutant": mutant.name, "line": mutant.line, "verdict": verdict, "reason": reasons.get(mutant.name)}
            print(json.dumps(about), flush=True)
        elif verdict != KILLED and mutant.name not in reasons:
            print(f"{verdict}  {mutant.module}:{mutant.line}  {mutant.function}\n    {mutant.change}", flush=True)
    left = [one.mutant for one in outcomes if one.verdict != KILLED]
    open_ = [one for one in left if one.name not in reasons]
    if not options.json:
        print(f"{len(outcomes) - len(left)} of {len(outcomes)} mutants killed, {len(left) - len(open_)} explained")
    return 1 if open_ else 0


if __name__ == "__main__":
    sys.exit(main())
