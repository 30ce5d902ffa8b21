"""Compile the code that decides, with mypyc: the same source, faster, as an optional build.

The compiled modules lie beside the source that they were made of, and Python prefers them. What is compiled is a copy of the source
that says what mypyc would lose (`compilable_source`). So nothing in the source is there for the compiler's sake, and the rules digest,
which reads the source, is the same.

It needs mypy, the dependencies with their types, and a C compiler: the environment of `make setup`, and a compiler.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from compilable_source import (
    HEADER_FILE,
    HEADER_TEXT,
    PACKAGES,
    SUPPORT_MODULE,
    SUPPORT_TEXT,
    Tree,
    obstacle,
    rewritten,
)

TESTS = ("tests", "fixtures")

GROUPS: Mapping[str, tuple[str, ...]] = {
    "kernel": (
        "events/chain.py",
        "events/codec.py",
        "events/commit.py",
        "projections/state/*.py",
        "core/bots/*.py",
        "core/chance/*.py",
        "core/engine/*.py",
        "core/game/game_record.py",
        "core/geometry/*.py",
        "core/history/*.py",
        "core/match/*.py",
        "core/refusal.py",
        "core/secrets/*.py",
        "core/wording.py",
    ),
    "server": (
        "server/desk/access.py",
        "server/desk/command_handlers.py",
        "server/desk/match_cache.py",
        "server/desk/pipeline.py",
        "server/desk/automatic_answers.py",
        "server/broker/allowances.py",
        "server/broker/broker.py",
        "server/broker/connections.py",
        "server/broker/intake.py",
        "server/broker/loop_state.py",
        "server/broker/publisher.py",
        "server/broker/waiting.py",
        "server/protocol/clock.py",
        "server/protocol/identity.py",
        "server/protocol/publications.py",
    ),
    "games": (
        "core/games/*/ids.py",
        "core/games/*/memory.py",
        "core/games/*/options.py",
        "core/games/*/components/*_model.py",
        "core/games/*/components/supply_lines.py",
        "core/games/*/rules/*.py",
        "core/games/*/bots/*.py",
    ),
}
"""What is compiled if nothing is in the way (`obstacle`). A folder `*` becomes a library for each that it stands for."""

EXTENSION: str = sysconfig.get_config_var("EXT_SUFFIX")
"""How the names of compiled modules end."""

SETUP = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from mypyc.build import mypycify
from setuptools import setup

given, said = json.loads(sys.argv.pop()), io.StringIO()
paths = [path for paths in given["libraries"].values() for path in paths]
try:
    with redirect_stdout(said), redirect_stderr(said):
        modules = mypycify(
            ["--config-file=", "--python-version=3.11", "--explicit-package-bases", "--ignore-missing-imports", *paths],
            opt_level=given["level"],
            debug_level="0",
            separate=[(paths, name) for name, paths in given["libraries"].items()],
        )
finally:
    print(said.getvalue())
for library in modules:
    # Else it is the small file by which Python finds one module of a library.
    if library.include_dirs:
        library.extra_compile_args = [*library.extra_compile_args, "-include", given["header"]]
# The C compiler takes minutes.
if not any(line.endswith(tuple(given["changed"])) for line in said.getvalue().splitlines()):
    setup(name="compiled", packages=[], ext_modules=modules)
"""

CHANGED = ("Treating generator comprehension as list", "Unsupported default attribute value")
"""What mypyc warns of and does otherwise than Python: a generator may never end, and an attribute is missing."""

SAID_MAX = 3_000
"""How many characters of what the compilers said are repeated."""


class NotCompilable(Exception):
    """The source cannot be compiled; the message ends with what the compilers said."""


def libraries(tree: Tree, groups: Mapping[str, Iterable[str]] = GROUPS) -> dict[str, list[Path]]:
    """Return the modules that are compiled, by the name of their library."""
    found: dict[str, list[Path]] = {}
    for group, patterns in groups.items():
        for pattern in patterns:
            place = pattern.split("/").index("*") if "/*/" in pattern else -1
            for path in sorted(tree.folder.glob(pattern)):
                if path.name != "__init__.py" and not obstacle(tree, path):
                    library = group if place < 0 else path.relative_to(tree.folder).parts[place]
                    found.setdefault(f"wardiary_{library}", []).append(path)
    return found


def compile_tree(
    root: Path, top: str = "", *, groups: Mapping[str, Iterable[str]] = GROUPS, level: int = 2
) -> list[Path]:
    """Put compiled modules beside the source of a tree of packages.

    Args:
        root: The folder in which Python finds the packages; it gets the libraries of the groups.
        top: The package that contains them all in a wheel; empty in the repository.
        groups: What to compile; see `GROUPS`.
        level: How much the C compiler optimises, 0 to 3.

    Returns:
        The files that were added.

    Raises:
        NotCompilable: mypyc or the C compiler fails or is missing.
    """
    with tempfile.TemporaryDirectory(prefix="wardiary-compile-") as work:
        copy = Path(work, "tree")
        for package in [top] if top else PACKAGES:
            shutil.copytree(
                root / package, copy / package, ignore=shutil.ignore_patterns(f"*{EXTENSION}", "__pycache__")
            )
        tree = Tree(copy, top)
        options = tree.folder / "events" / SUPPORT_MODULE
        options.write_text(SUPPORT_TEXT, encoding="utf-8")
        wanted = libraries(tree, groups)
        for path in [path for paths in wanted.values() for path in paths]:
            path.write_text(rewritten(tree, path), encoding="utf-8")
        _build(copy, {name: [str(path.relative_to(copy)) for path in paths] for name, paths in wanted.items()}, level)
        made = [options, *_extensions(copy)]
        added = [root / path.relative_to(copy) for path in made]
        for path, target in zip(made, added, strict=True):
            shutil.copy2(path, target)
    return added


def _extensions(copy: Path) -> Iterator[Path]:
    for path in sorted(copy.rglob(f"*{EXTENSION}")):
        if path.relative_to(copy).parts[0] != "build":
            yield path


def _build(copy: Path, wanted: Mapping[str, list[str]], level: int) -> None:
    header = copy / HEADER_FILE
    header.write_text(HEADER_TEXT, encoding="utf-8")
    given = json.dumps({"libraries": wanted, "level": str(level), "changed": CHANGED, "header": str(header)})
    build = ["--quiet", "build_ext", "--inplace", "--parallel", str(os.cpu_count() or 1)]
    done = subprocess.run(  # noqa: S603 - Our own program.
        [sys.executable, "-c", SETUP, *build, given],
        cwd=copy,
        env={**os.environ, "MYPYPATH": str(copy)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    changed = [line for line in done.stdout.splitlines() if line.endswith(CHANGED)]
    if changed:
        raise NotCompilable("mypyc would change what this means:\n" + "\n".join(changed))
    if done.returncode:
        raise NotCompilable(
            "the code that decides cannot be compiled; it needs mypy with the dependencies, which `make setup` installs, and a C compiler:\n"
            + done.stdout[-SAID_MAX:]
        )


def compiled_copy(root: Path, target: Path, groups: Mapping[str, Iterable[str]] = GROUPS) -> bool:
    """Keep a copy of the repository with compiled modules up to date; return whether it was compiled anew.

    Args:
        root: The repository.
        target: The copy.
        groups: What to compile; see `GROUPS`.

    Raises:
        NotCompilable: As `compile_tree`.
    """
    stamp, digest = target / ".compiled", _digest(root)
    is_fresh = stamp.exists() and stamp.read_text(encoding="utf-8") == digest
    # What was deleted here must not be left there.
    if is_fresh:
        for path in [path for folder in (*PACKAGES, *TESTS) for path in (target / folder).rglob("*")]:
            if path.is_file() and not path.name.endswith((EXTENSION, SUPPORT_MODULE)):
                path.unlink()
    else:
        stamp.unlink(missing_ok=True)
        shutil.rmtree(target, ignore_errors=True)
    left_out = shutil.ignore_patterns(".*", "__pycache__", "build", "dist", "docs")
    shutil.copytree(root, target, ignore=left_out, dirs_exist_ok=True)
    if not is_fresh:
        # Documents that are written there are written here.
        (target / "docs").symlink_to(root / "docs")
        compile_tree(target, groups=groups)
        stamp.write_text(digest, encoding="utf-8")
    return not is_fresh


def _digest(root: Path) -> str:
    """Return the SHA-256 of all that compiled modules depend on."""
    try:
        compiler = version("mypy")
    except PackageNotFoundError:
        raise NotCompilable("compiling needs mypy, which `make setup` installs, and a C compiler") from None
    found = sha256(f"{sys.version} mypy {compiler}".encode())
    for name in ("compiling.py", "compilable_source.py"):
        found.update(Path(__file__).with_name(name).read_bytes())
    # Nothing that is compiled imports the command line.
    for path in sorted(path for package in PACKAGES if package != "cli" for path in (root / package).rglob("*.py")):
        found.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[2]
    if sys.stderr.isatty():
        sys.stderr.write("Compiling what has changed; from scratch it takes some minutes.\n")
    try:
        compiled_copy(here, here / "build" / "compiled")
    except NotCompilable as error:
        sys.exit(str(error))
