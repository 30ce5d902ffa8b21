"""The files that the process may open, and how many of them are left for connections."""

from server.protocol.errors import TooFewFiles
from server.protocol.logger import Logger
from server.protocol.open_files import allow_files

FILES_WANTED_MOST = 65_536
"""Up to this number the limit is raised as far as the system lets it be, so that a burst of connections does not use up all files."""

RESERVE = 100
"""How many files the process may have open besides its connections: the store, its other processes, its libraries, with a margin."""

CONNECTIONS_MIN = 8
"""With fewer connections to each socket it is not worth serving."""


def connections_possible(wanted: int, logger: Logger) -> int:
    """Raise the process's limit of open files; return how many connections each of the two sockets can have.

    Raises:
        TooFewFiles: They are too few to serve anybody.
    """
    files = allow_files(max(RESERVE + 2 * wanted, FILES_WANTED_MOST))
    possible = (files - RESERVE) // 2
    least = min(wanted, CONNECTIONS_MIN)
    if possible < least:
        raise TooFewFiles(
            f"the server needs {RESERVE + 2 * least} open files, but the system allows it {files}: "
            "raise the limit (ulimit -Hn) and start it again"
        )
    if possible < wanted:
        logger.warning("fewer connections than wanted: the limit of open files is too low", wanted=wanted, files=files)
    return min(wanted, possible)
