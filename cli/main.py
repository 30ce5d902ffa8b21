"""The entry point, and the one place where exceptions become exit codes."""

import gc
import os
import signal
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path

import typer
from typer.main import get_command

from cli.interface import GROUPS

# Importing a group of verbs adds them to the application.
from cli.interface.typer_app import app
from cli.shell.exit_codes import (
    DONE,
    INTERNAL,
    INTERRUPTED,
    OutputClosed,
    UserError,
    fault_of,
    input_output,
    usage,
)
from cli.shell.parent_process import end_with_parent
from cli.shell.streams import discard_output, harmless_json, replace_closed, write_diagnostics

RARELY = (100_000, 50, 50)
"""Thresholds of the garbage collector."""

STDOUT = 1
"""The descriptor of the output."""

__all__ = ["GROUPS", "main", "run"]


def main() -> None:
    """Run the command line and end the process."""
    # Most verbs read many small objects and end: looking for cycles among them takes a fifth of `list`.
    gc.set_threshold(*RARELY)
    replace_closed()
    end_with_parent()
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        # As `wardiary.main` left it while the program was loaded; where Ctrl-C is ignored, it stays so.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code = run(sys.argv[1:])
    with suppress(KeyboardInterrupt):
        # What is left is to end.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(code)


def run(arguments: Sequence[str]) -> int:
    """Carry out one command.

    Args:
        arguments: As typed after `wardiary`.

    Returns:
        The exit code.
    """
    is_json = "--json" in arguments
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # What a terminal cannot show must not end the program.
            stream.reconfigure(errors="backslashreplace")
    try:
        _check_readable(arguments)
        _check_output()
        result = get_command(app).main(args=list(arguments), prog_name="wardiary", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, OutputClosed):
        # The reader closed the pipe; what is still buffered must not fail again when the process ends.
        discard_output()
        return DONE
    except typer.Exit as end:
        return end.exit_code
    except (KeyboardInterrupt, typer.Abort):
        # Between two steps of the command line itself; within a verb `cli.interface.typer_app` notices it.
        _tell(UserError("interrupted", INTERRUPTED, "interrupted"), is_json=is_json)
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - Here every exception ends, whatever it is.
        fault = fault_of(error)
        if fault.exit_code == INTERNAL and not is_json and {"-v", "--verbose"} & {*arguments}:
            from core.registry.game_fault import traceback_of

            write_diagnostics(traceback_of(error))
        _tell(_without_long(fault, arguments), is_json=is_json)
        return fault.exit_code
    return result if isinstance(result, int) else DONE


def _check_readable(arguments: Sequence[str]) -> None:
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError:
            raise usage(f"{argument!r} is not valid UTF-8") from None


def _check_output() -> None:
    """Refuse to run if the output would be written into a store, a key or a file of secrets, where a shell has opened one for it."""
    with suppress(OSError):
        known = os.fstat(STDOUT)
        if not stat.S_ISREG(known.st_mode) or not known.st_size:
            return
        from server.store.whole_file import kept_reason

        if what := kept_reason(Path(f"/dev/fd/{STDOUT}")):
            raise input_output(
                f"the output goes to a file that {what}, over which nothing is ever written", "output_refused"
            )


def _without_long(fault: UserError, arguments: Sequence[str]) -> UserError:
    """Return an error that repeats no long argument of several words whole; one long word is shortened where the error is made."""
    from core.telling.phrases import WORD_MAX

    said = str(fault)
    for argument in (" ".join(argument.split()) for argument in arguments):
        said = said.replace(argument, f"{argument[:WORD_MAX]}…") if len(argument) > WORD_MAX else said
    return UserError(said, fault.exit_code, fault.code, rule=fault.rule, defects=fault.defects)


def _tell(fault: UserError, *, is_json: bool) -> None:
    """Write one line on stderr."""
    if is_json:
        from cli.schemas.base import ErrorShape
        from events.codec import encode

        shape = ErrorShape(
            code=fault.code, exit=fault.exit_code, message=str(fault), rule=fault.rule, defects=fault.defects
        )
        line = harmless_json(encode(shape).decode())
    else:
        from core.telling.phrases import printable

        line = printable(f"wardiary: {fault}")
    try:
        sys.stdout.flush()
    except OSError:
        # The error stands, whether its output is read or not.
        discard_output()
    write_diagnostics(f"{line}\n")


if __name__ == "__main__":
    main()
