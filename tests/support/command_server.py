"""Runs the commands of a shell in forks of one process that has loaded the program: `python -m tests.support.command_server FOLDER`.

To start the installed command takes longer than most commands. The shell asks through two pipes with names in the folder, one command
at a time; a command has the shell's input, outputs, folder and store.
"""

import os
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import cli.commands
from cli.main import run

FUNCTION = r"""
wardiary() {
    local code
    printf '%s\0' "$BASHPID" "$PWD" "$WARDIARY_STORE" "$@" > "$COMMANDS/asked"
    read -r code < "$COMMANDS/done"
    return "$code"
}
"""
"""Takes the place of the command in a script of bash, whose variable `COMMANDS` names the folder."""


def serve(folder: Path) -> None:
    """Run commands until one without words is asked for."""
    while words := (folder / "asked").read_bytes().split(b"\0")[:-1]:
        shell, place, store, *arguments = map(os.fsdecode, words)
        child = os.fork()
        if child == 0:
            for number, way in enumerate((os.O_RDONLY, os.O_WRONLY | os.O_APPEND, os.O_WRONLY | os.O_APPEND)):
                os.dup2(os.open(f"/proc/{shell}/fd/{number}", way), number)
            sys.stdin, sys.stdout, sys.stderr = (os.fdopen(number, "w" if number else "r") for number in range(3))
            os.chdir(place)
            os.environ["WARDIARY_STORE"] = store
            code = run(arguments)
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
        (folder / "done").write_text(f"{os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])}\n", encoding="utf-8")


def main() -> None:
    """Load the program and serve."""
    for module in walk_packages(cli.commands.__path__, "cli.commands."):
        import_module(module.name)
    serve(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
