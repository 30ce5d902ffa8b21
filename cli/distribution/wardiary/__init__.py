"""War Diary as a library: board wargames as append-only logs.

    import wardiary

    match = wardiary.open(wardiary.games()[0].key, dice="seeded", seed="1942")
    match.play(match.legal()[0])

`docs/library.md` has more. Everything is loaded when it is first used, so that the command line starts quickly.
"""

import signal
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.audit.audit_report import AuditReport
    from core.bots.sampler import Sampler
    from core.bots.world import NotLegal, World
    from core.registry.game_fault import GameFault
    from events.ids import ARBITER, PUBLIC
    from projections.state.table import Table
    from server.client.library import Match, Option, Step, games
    from server.client.library import load_match as load
    from server.client.library import open_match as open  # noqa: A004 - As a file is opened.
    from server.protocol.errors import RequestFailed

__all__ = [
    "ARBITER",
    "PUBLIC",
    "AuditReport",
    "GameFault",
    "Match",
    "NotLegal",
    "Option",
    "RequestFailed",
    "Sampler",
    "Step",
    "Table",
    "World",
    "games",
    "load",
    "main",
    "open",
]

with suppress(ModuleNotFoundError):
    # Only in the repository, where the packages have no common prefix.
    import_module("wardiary._checkout")


def __getattr__(name: str) -> object:
    """Load what is used for the first time."""
    from cli.public_names import EXPORTS

    if name not in EXPORTS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = EXPORTS[name]
    return value


def __dir__() -> list[str]:
    """Return the public names, loaded or not."""
    return sorted({*globals(), *__all__})


def main() -> None:
    """Run the command line and end the process.

    Until it is loaded, Ctrl-C ends the process at once, as if it had not begun.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cli.main import main as run

    run()
