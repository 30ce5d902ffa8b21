"""Build the wheel with everything below one package, `wardiary`.

In the repository the five packages have plain names, which on other machines belong to others as well. In the wheel they are
`wardiary.events`, `wardiary.core` and so on: every import of one of them is rewritten on the way, and each rewritten import is parsed
again and compared with what it should be. An editable installation keeps the names of the repository.

With `WARDIARY_COMPILED=1` the wheel also holds the code that decides in compiled form; see `compiling`.
"""

import ast
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The back end loads this file by its path, and its neighbour would not be found.
sys.path.append(str(Path(__file__).parent))

from compilable_source import PACKAGES
from compiling import NotCompilable, compile_tree

TOP = "wardiary"
FACADE = Path("cli", "distribution", TOP)
"""What is `wardiary` itself; it lies beside the five packages, not in one of them."""

LEFT_OUT = shutil.ignore_patterns("__pycache__", "distribution", "_checkout.py")


class NotRewritable(Exception):
    """An import has a form that cannot be rewritten; the message says where."""


def is_ours(module: str | None) -> bool:
    """Return whether a module is one of the five packages or in one."""
    return module is not None and module.partition(".")[0] in PACKAGES


def rewritten(text: str, path: str) -> str:
    """Return a module's text with its imports of the five packages moved below the one package.

    Raises:
        NotRewritable: It has an import of another form than `from package.module import name`, or would not be what it should be.
    """
    tree = ast.parse(text, path)
    lines = text.splitlines(keepends=True)
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and any(is_ours(alias.name) for alias in node.names):
            raise NotRewritable(f"{path}, line {node.lineno}: write 'from package import name'")
        if isinstance(node, ast.ImportFrom) and not node.level and is_ours(node.module):
            line = lines[node.lineno - 1].encode()
            head, tail = line[: node.col_offset].decode(), line[node.col_offset :].decode()
            moved = re.sub(r"^from\s+", f"from {TOP}.", tail)
            node.module = f"{TOP}.{node.module}"
            if not _is_said(node, [moved, *lines[node.lineno : node.end_lineno]]):
                raise NotRewritable(f"{path}, line {node.lineno}: rewriting the import would change something else")
            lines[node.lineno - 1] = head + moved
    return "".join(lines)


def _is_said(node: ast.ImportFrom, lines: list[str]) -> bool:
    """Return whether the lines from a statement's beginning to the end of its last line begin with that statement."""
    return ast.dump(ast.parse("".join(lines)).body[0]) == ast.dump(node)


def assemble(root: Path, target: Path) -> None:
    """Write the one package to a folder that does not exist yet."""
    shutil.copytree(root / FACADE, target, ignore=LEFT_OUT)
    for package in PACKAGES:
        shutil.copytree(root / package, target / package, ignore=LEFT_OUT)
    for path in sorted(target.rglob("*.py")):
        name = path.relative_to(target).as_posix()
        path.write_text(rewritten(path.read_text(encoding="utf-8"), name), encoding="utf-8", newline="\n")


class OnePackage(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the one package into a wheel that is not editable."""

    def initialize(self, version: str, build_data: dict[str, object]) -> None:  # type: ignore[explicit-override]
        """Assemble the package before the wheel is written."""
        if version == "editable":
            return
        self._folder = tempfile.mkdtemp()
        folder = Path(self._folder)
        assemble(Path(self.root), folder / TOP)
        included = {str(folder / TOP): TOP}
        if os.environ.get("WARDIARY_COMPILED", "0") not in {"", "0"}:
            # What lies beside the package are the libraries that its modules share.
            included |= {str(path): path.name for path in self._compiled(folder) if path.parent == folder}
            build_data |= {"pure_python": False, "infer_tag": True}
        build_data["force_include"] = included

    def finalize(self, version: str, build_data: dict[str, object], artifact_path: str) -> None:  # type: ignore[explicit-override]
        """Remove what was assembled."""
        if version != "editable":
            shutil.rmtree(self._folder)

    def _compiled(self, folder: Path) -> list[Path]:
        """Compile what was assembled, and return what was added; if that fails, end the build."""
        try:
            return compile_tree(folder, TOP)
        except NotCompilable as error:
            shutil.rmtree(folder)
            sys.exit(str(error))
