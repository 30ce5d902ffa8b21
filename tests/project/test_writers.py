"""Files are written in one place, whose rule protects stores, keys and secrets (`server.store.whole_file`)."""

import ast
from collections.abc import Iterator

from tests.project.tree import Source, product_files, walked

WRITERS = {
    "cli/commands/designing/new_game.py": "Writes into a folder that was empty.",
    "cli/distribution/build_hook.py": "It builds the distribution, and writes into the build folder.",
    "cli/distribution/compiling.py": "The same.",
    "cli/shell/seat_secrets.py": "The lock beside the file of secrets, which is never written to.",
    "cli/shell/streams.py": "Standard streams that are closed.",
    "server/broker/watchdog.py": "Reads what the system tells of this process.",
    "server/store/backup.py": "SQLite makes the copy under the unfinished name that the place gives.",
    "server/store/one_server.py": "The lock beside a store, which is never written to.",
    "server/store/private_files.py": "Creates new files only.",
    "server/store/whole_file.py": "The place.",
    "server/web/http/session_file.py": "Creates the file of sessions with its mode; SQLite writes it.",
}
"""The modules that open files for writing, each with the reason."""

METHODS = frozenset(("write_bytes", "write_text", "touch"))


def writing(source: Source) -> Iterator[str]:
    """Yield each call that opens a file for writing, as file:line."""
    for node in walked(source.tree()):
        if isinstance(node, ast.Call) and (_is_writing_method(node.func) or _is_opening(node)):
            yield f"{source.path}:{node.lineno}"


def _is_writing_method(function: ast.expr) -> bool:
    is_os_open = isinstance(function, ast.Attribute) and ast.unparse(function) == "os.open"
    return is_os_open or (isinstance(function, ast.Attribute) and function.attr in METHODS)


def _is_opening(node: ast.Call) -> bool:
    """Return whether a call is of `open`, with a mode in which something is written."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    values = [*node.args, *(one.value for one in node.keywords)]
    modes = [one.value for one in values if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    return name == "open" and any(set(mode) & set("wxa+") and set(mode) <= set("rwxabt+") for mode in modes)


def test_only_the_listed_modules_open_files_for_writing() -> None:
    found = {place.split(":")[0] for source in product_files() for place in writing(source)}

    assert found == WRITERS.keys()


def test_a_file_that_is_written_elsewhere_is_found() -> None:
    lines = [
        "Path(name).write_bytes(data)",
        'open(name, "w")',
        'Path(name).open(mode="ab")',
        "os.open(name, flags)",
        'Path(name).open("rb")',
        'open("notes")',
    ]
    found = list(writing(Source("planted.py", "\n".join(lines))))

    assert found == ["planted.py:1", "planted.py:2", "planted.py:3", "planted.py:4"]
