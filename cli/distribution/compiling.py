"""Compile the code that decides, with mypyc: the same source, faster, as an optional build.

The compiled modules lie beside the source that they were made of, and Python prefers them. What is compiled is a copy of the source
that says what mypyc would lose: the options of msgspec's structs, the types of their fields, their docstrings, that other classes may
extend a class, and that a cached property keeps what it has found. So nothing in the source is there for the compiler's sake, and the
rules digest, which reads the source, is the same.

It needs mypy, the dependencies with their types, and a C compiler: the environment of `make setup`, and a compiler.
"""

import ast
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

PACKAGES = ("events", "projections", "core", "server", "cli")
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
        "core/geometry/*.py",
        "core/history/*.py",
        "core/match/*.py",
        "core/secrets/*.py",
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
    "games": ("core/games/*/memory.py", "core/games/*/rules/*.py", "core/games/*/bots/*.py"),
}
"""What is compiled if nothing is in the way (`obstacle`). A folder `*` becomes a library for each that it stands for."""

EXTENSION: str = sysconfig.get_config_var("EXT_SUFFIX")
"""How the names of compiled modules end."""

OPTIONS_MODULE = "_struct_options.py"
OPTIONS_TEXT = '''"""Gives compiled structs what mypyc does not pass on: options, types of fields, docstring."""

from typing import Any

from msgspec import StructMeta


class WithOptions(StructMeta):
    """Makes the plain struct that a class statement describes in `__compiled__`."""

    def __new__(mcls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **_: Any) -> Any:
        options, types, namespace["__doc__"] = namespace.pop("__compiled__")
        namespace["__annotations__"] = types
        return StructMeta(name, bases, namespace, **options)
'''

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
# The C compiler takes minutes.
if not any(line.endswith(tuple(given["changed"])) for line in said.getvalue().splitlines()):
    setup(name="compiled", packages=[], ext_modules=modules)
"""

CHANGED = ("Treating generator comprehension as list", "Unsupported default attribute value")
"""What mypyc warns of and does otherwise than Python: a generator may never end, and an attribute is missing."""

NOT_NATIVE = frozenset(("Enum", "Exception", "NamedTuple", "Protocol"))
"""Bases of classes that stay Python's, so that anybody may extend them, and their attributes keep their values."""

FUNCTIONS = (ast.FunctionDef, ast.Lambda)

SAID_MAX = 3_000
"""How many characters of what the compilers said are repeated."""


class NotCompilable(Exception):
    """The source cannot be compiled; the message ends with what the compilers said."""


class Tree:
    """The modules of a tree of packages.

    Args:
        root: The folder in which Python finds them.
        top: The package that contains them all in a wheel; empty in the repository.
    """

    def __init__(self, root: Path, top: str = "") -> None:
        self.folder = root / top
        self.prefix = f"{top}." if top else ""
        self._paths = {
            self.name(path): path
            for package in PACKAGES
            for path in sorted((self.folder / package).rglob("*.py"))
            if "distribution" not in path.parts
        }
        self._parsed: dict[str, ast.Module] = {}

    def name(self, path: Path) -> str:
        """Return the name of the module in a file."""
        return self.prefix + ".".join(path.relative_to(self.folder).with_suffix("").parts).removesuffix(".__init__")

    def parsed(self, module: str) -> ast.Module:
        """Return the syntax tree of a module."""
        if module not in self._parsed:
            path = self._paths[module]
            self._parsed[module] = ast.parse(path.read_text(encoding="utf-8"), str(path))
        return self._parsed[module]

    def is_struct(self, module: str, base: ast.expr) -> bool:
        """Return whether an expression in a module names a struct."""
        named = base.value if isinstance(base, ast.Subscript) else base
        return isinstance(named, ast.Name) and self._is_struct(module, named.id)

    def _is_struct(self, module: str, name: str) -> bool:
        if module == "msgspec":
            return name == "Struct"
        for node in self.parsed(module).body if module in self._paths else ():
            if isinstance(node, ast.ClassDef) and node.name == name:
                return any(self.is_struct(module, base) for base in node.bases)
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    if (alias.asname or alias.name) == name:
                        return self._is_struct(node.module, alias.name)
        return False


def obstacle(tree: Tree, path: Path) -> str:
    """Return why a module is not compiled; empty if it is."""
    module = tree.name(path)
    for node in ast.walk(tree.parsed(module)):
        if not isinstance(node, ast.ClassDef):
            continue
        bases = {ast.unparse(base) for base in node.bases}
        if "Protocol" in bases and len(bases) > 1:
            return "mypyc fails on protocols that extend others"
        if any(ast.unparse(one) == "runtime_checkable" for one in node.decorator_list):
            return "a protocol that mypyc compiles cannot be asked for at run time"
        if any(tree.is_struct(module, base) for base in node.bases):
            if any(
                isinstance(part, FUNCTIONS)
                for method in _methods(node)
                for part in ast.walk(method)
                if part is not method
            ):
                return "mypyc fails on functions inside the methods of structs"
        elif not NOT_NATIVE & bases and any(map(_is_worked_out, node.body)):
            return "mypyc loses the values of a class's attributes that are worked out"
    return ""


def _methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [part for part in node.body if isinstance(part, ast.FunctionDef)]


def _is_worked_out(statement: ast.stmt) -> bool:
    """Return whether a statement of a class sets an attribute to anything but a constant."""
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return False
    return ast.unparse(statement).partition(" ")[0] != "__slots__" and not isinstance(statement.value, ast.Constant)


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


def rewritten(tree: Tree, path: Path) -> str:
    """Return the text of a module with what mypyc would lose."""
    module = tree.name(path)
    parsed = tree.parsed(module)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    classes = [node for node in ast.walk(parsed) if isinstance(node, ast.ClassDef)]
    for node in sorted(classes, key=lambda node: -node.lineno):
        for method in reversed(_methods(node)):
            if any(ast.unparse(part) == "cached_property" for part in method.decorator_list):
                _say_cached(lines, method)
        if any(tree.is_struct(module, base) for base in node.bases):
            _say_options(lines, node)
        elif not (node.decorator_list or NOT_NATIVE & {ast.unparse(base) for base in node.bases}):
            lines.insert(node.lineno - 1, f"{' ' * node.col_offset}@mypyc_attr(allow_interpreted_subclasses=True)\n")
    docstring = parsed.body[0]
    assert docstring.end_lineno is not None
    lines[docstring.end_lineno : docstring.end_lineno] = [
        "import msgspec\n",
        "from typing import TYPE_CHECKING as _IS_COMPILED\n",
        f"from {tree.prefix}events.{OPTIONS_MODULE.removesuffix('.py')} import WithOptions\n",
        "if _IS_COMPILED:\n",
        "    from mypy_extensions import mypyc_attr\n",
    ]
    return "".join(lines)


def _say_cached(lines: list[str], method: ast.FunctionDef) -> None:
    """Write a cached property, of which mypyc makes a plain one, as a property that keeps in an attribute what it has found."""
    name, indent = method.name, " " * method.col_offset
    assert method.returns is not None
    found, kept = ast.unparse(method.returns), f"self._kept_{name}"
    said = [
        f'_kept_{name}: "{found} | None" = None',
        "@property",
        f'def {name}(self) -> "{found}":',
        f"    if {kept} is None:",
        f"        {kept} = self._found_{name}()",
        f"    return {kept}",
    ]
    lines[method.lineno - 1] = lines[method.lineno - 1].replace(f"def {name}(", f"def _found_{name}(", 1)
    lines[method.decorator_list[0].lineno - 1] = "".join([f"{indent}{line}\n" for line in said])


def _say_options(lines: list[str], node: ast.ClassDef) -> None:
    """Write the options, the types and the docstring of a struct into its body, and the metaclass that reads them into its head."""
    options = ", ".join(f"{keyword.arg!r}: {ast.unparse(keyword.value)}" for keyword in node.keywords)
    types = {
        statement.target.id: ast.unparse(statement.annotation)
        for statement in node.body
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
    }
    docstring = node.body[0]
    assert docstring.end_lineno is not None
    said = f"{' ' * docstring.col_offset}__compiled__ = ({{{options}}}, {types!r}, {ast.get_docstring(node, clean=False)!r})  # type: ignore\n"
    lines.insert(docstring.end_lineno, said)
    last = node.keywords[-1].value if node.keywords else node.bases[-1]
    assert last.end_lineno is not None
    line = lines[last.end_lineno - 1].encode()
    head, tail = line[: last.end_col_offset], line[last.end_col_offset :]
    lines[last.end_lineno - 1] = (head + b", metaclass=WithOptions" + tail).decode()


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
        options = tree.folder / "events" / OPTIONS_MODULE
        options.write_text(OPTIONS_TEXT, encoding="utf-8")
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
    given = json.dumps({"libraries": wanted, "level": str(level), "changed": CHANGED})
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
            if path.is_file() and not path.name.endswith((EXTENSION, OPTIONS_MODULE)):
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
    found.update(Path(__file__).read_bytes())
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
