"""The secret of this user from which the chains of links of their seats follow, in a file that only the user may read."""

import os
from contextlib import suppress
from pathlib import Path

from cli.shell.exit_codes import input_output
from cli.shell.seat_secrets import seats_file
from core.chance.schemes import is_hex_32
from server.protocol.identity import SystemIdentity
from server.store.private_files import open_private, open_to_others


def links_key() -> bytes:
    """Return the secret; it is made when it is needed first.

    Raises:
        UserError: The file holds something else, or other users can read it.
    """
    file = seats_file().with_suffix(".links")
    if not file.exists():
        _make(file)
    if open_to_others([file]):
        raise input_output(f"{file} holds the secret of your dice and other users can read it: run chmod 600 {file}")
    text = file.read_text(encoding="ascii", errors="replace").strip()
    if not is_hex_32(text):
        raise input_output(f"{file} does not hold 64 lower-case hexadecimal digits; move it away to go on")
    return bytes.fromhex(text)


def _make(file: Path) -> None:
    """Make the file with a new secret; if another process is quicker, its file stays."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with open_private(new) as opened:
            opened.write(f"{SystemIdentity().seed()}\n".encode())
            opened.flush()
            os.fsync(opened.fileno())
        with suppress(FileExistsError):
            os.link(new, file)
    finally:
        new.unlink(missing_ok=True)
