"""Files that are written whole or not at all."""

import os
from contextlib import suppress
from pathlib import Path

from server.store.private_files import PRIVATE

SHARED = 0o666


def write_whole(path: Path, data: bytes, *, is_private: bool) -> None:
    """Write a file atomically, replacing any of that name; a device or a pipe is written to.

    Args:
        path: The file.
        data: Its bytes.
        is_private: Whether only its owner may read it; otherwise the umask decides.

    Raises:
        OSError: It cannot be written; no part of it is left behind.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE if is_private else SHARED)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        unfinished.replace(path)
    except OSError as error:
        # The error names the file that was asked for.
        raise OSError(error.errno, error.strerror, str(path)) from None
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
