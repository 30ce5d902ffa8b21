"""Files that are put out: written whole or not at all, and never over what cannot be made again.

Every file that a user names to be written is written here, so that one rule holds for all of them. Nothing is ever written over a
store, the files beside it, a key or a file of secrets, under whatever name or link. What else exists is replaced only if the caller may.
The content decides what a file is.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from events.codec import DecodeError
from events.errors import OutputRefused, StoreUnavailable
from server.store.private_files import SEAT_SECRETS, open_private

SUFFIXES = {
    "archives": (".ndjson", ".zst"),
    "pages": (".html",),
    "tables": (".csv",),
    "SVG drawings": (".svg",),
    "PNG pictures": (".png",),
    "GIF films": (".gif",),
    "positions": (".toml",),
    "notations": (".wdn",),
    "keys": (".key",),
    "stores": (".db", ".sqlite", ".sqlite3"),
}
"""What is put out, and the ends of names that belong to it; a name may end otherwise."""

NEVER_REPLACED = ("keys", "stores")
"""What is put out to a new file only, so that no option replaces another file by it."""

BESIDE_A_STORE = ("-wal", "-shm", "-journal", "-server", "-sessions", ".keys")
"""What the name of a store is followed by in the names of the files that belong to it."""

KEY_FILE_BYTES_MAX = 200
"""Limit of a key file, whose path may name a device that never ends."""

SECRETS_MAX = 1 << 22
"""Bytes of the largest file of secrets that is read."""

_KEY = re.compile(rb"[0-9A-Za-z.:+=^!/*?&<>()\[\]{}@%$#-]{40}")
"""A key in Z85."""

_DATABASE = b"SQLite format 3\x00"
_LOGS = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83", b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7")
"""Begin the write-ahead log of a store, in both orders of bytes, and its rollback journal."""


def write_whole(
    path: Path, parts: Iterable[bytes], kind: str, *, is_private: bool = False, may_replace: bool = False
) -> int:
    """Write a file atomically; a pipe or a device of characters is written to, not replaced.

    A link is followed. A file that is replaced keeps its mode.

    Args:
        path: The file.
        parts: Its bytes.
        kind: A key of `SUFFIXES`.
        is_private: Whether only its owner may read a new file; otherwise the umask decides.
        may_replace: Whether another file of that name is replaced; an empty one always is.

    Returns:
        The size of the file in bytes; 0 if it is not a regular file.

    Raises:
        OutputRefused: What is there stays, or the name belongs to another kind of file.
        StoreUnavailable: The file cannot be written; no part of it is left behind.
    """
    check_output(path, kind, may_replace=may_replace)
    try:
        if path.exists() and not path.is_file():
            with path.open("wb") as stream:
                stream.writelines(parts)
            return 0
        with unfinished_file(path) as unfinished, _opened(unfinished, path, is_private=is_private) as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
            return file.tell()
    except OSError as error:
        raise _unwritable(path, error) from None


@contextmanager
def unfinished_file(path: Path) -> Iterator[Path]:
    """Yield the name of a file beside a path, which gets the path's own name when the block ends, and is removed if it fails.

    Raises:
        OutputRefused: What has that name is a device or a pipe, or another process has made a file of that name meanwhile.
        OSError: The file cannot be renamed.
    """
    target = Path(os.path.realpath(path))
    is_new = not target.exists()
    if not is_new and not target.is_file():
        raise OutputRefused(f"{path} is a device or a pipe, which no file replaces: name a new file")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        yield unfinished
        _rename(unfinished, target, is_new=is_new)
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)


def _rename(unfinished: Path, target: Path, *, is_new: bool) -> None:
    if is_new:
        # Unlike a renaming, a link never replaces what another process has made there meanwhile.
        try:
            target.hardlink_to(unfinished)
        except FileExistsError:
            raise OutputRefused(f"{target} was made by another process meanwhile: name another file") from None
        except OSError:
            # Not every file system has links.
            pass
        else:
            return
    unfinished.replace(target)


def check_output(path: Path, kind: str, *, may_replace: bool = False) -> None:
    """Check that a file may be written, before the work of making it.

    Raises:
        OutputRefused: What is there stays, or the name belongs to another kind of file.
        StoreUnavailable: It cannot be looked at, or is a folder.
    """
    own = SUFFIXES[kind]
    other = next((what for what, ends in SUFFIXES.items() if path.suffix.lower() in ends and what != kind), "")
    if other:
        raise OutputRefused(f"{path} ends like the names of {other}; those of {kind} end in {' or '.join(own)}")
    if what := kept_reason(path):
        raise OutputRefused(f"{path} {what}, over which nothing is ever written: name another file")
    try:
        mode = path.stat()
    except OSError:
        # Writing it tells why, if that is not because it does not exist.
        return
    if stat.S_ISDIR(mode.st_mode):
        raise StoreUnavailable(f"{path} cannot be written: Is a directory")
    if stat.S_ISREG(mode.st_mode) and mode.st_size and not may_replace:
        advice = "name another file" if kind in NEVER_REPLACED else "--force replaces it"
        raise OutputRefused(f"{path} exists; {advice}")


def kept_reason(path: Path) -> str:
    """Return what a file is over which nothing is ever written; empty if it is none."""
    with suppress(OSError):
        if store := belongs_to_a_store(path):
            return f"belongs to the store {store}"
        known = path.stat()
        if stat.S_ISBLK(known.st_mode):
            return "is a disk"
        if stat.S_ISREG(known.st_mode) and known.st_size:
            return next((what for what, is_it in _KEPT if is_it(path)), "")
    return ""


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, if they do not exist.

    Raises:
        OutputRefused: A store would take one of them for a file of its own.
        OSError: The folder cannot be made.
    """
    for made in (folder, *folder.parents):
        if not made.exists() and (store := belongs_to_a_store(made)):
            raise OutputRefused(f"{made} belongs to the store {store}: name another folder")
    folder.mkdir(parents=True, exist_ok=True)


def beside_store(store: Path, end: str) -> Path:
    """Return the file that belongs to a store under one of `BESIDE_A_STORE`: beside the store itself, also if a link names that."""
    return Path(f"{os.path.realpath(store)}{end}")


def belongs_to_a_store(path: Path) -> str:
    """Return the store that a file lies beside, if its name says that it belongs to it, whether it exists or not; else an empty text.

    Raises:
        OSError: What may be a store cannot be read.
    """
    target = Path(os.path.realpath(path))
    for end in BESIDE_A_STORE:
        store = target.with_name(target.name.removesuffix(end) or target.name)
        if store != target and is_database(store):
            return str(store)
    return ""


def is_database(path: Path) -> bool:
    """Return whether a file is a store, or at least begins like one.

    Raises:
        OSError: It cannot be read.
    """
    return path.is_file() and _beginning(path, len(_DATABASE)) == _DATABASE


def _is_log(path: Path) -> bool:
    return _beginning(path, len(_LOGS[-1])).startswith(_LOGS)


def _is_key(path: Path) -> bool:
    # The secret and the public half look alike.
    content = _beginning(path, KEY_FILE_BYTES_MAX + 1)
    return len(content) <= KEY_FILE_BYTES_MAX and _KEY.fullmatch(content.strip()) is not None


def _is_secrets(path: Path) -> bool:
    if _beginning(path, 1) != b"{" or path.stat().st_size > SECRETS_MAX:
        return False
    try:
        return bool(SEAT_SECRETS.decode(_beginning(path, SECRETS_MAX)))
    except DecodeError:
        return False


_KEPT: tuple[tuple[str, Callable[[Path], bool]], ...] = (
    ("is a store", is_database),
    ("is the log of a store", _is_log),
    ("is a key file", _is_key),
    ("holds the secrets of seats", _is_secrets),
)


def _beginning(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)


def _opened(unfinished: Path, path: Path, *, is_private: bool) -> BinaryIO:
    """Create an unfinished file, with the mode of the file that it will replace, if it replaces one."""
    if path.exists():
        return open_private(unfinished, stat.S_IMODE(path.stat().st_mode))
    return open_private(unfinished) if is_private else unfinished.open("xb")


def _unwritable(path: Path, error: OSError) -> StoreUnavailable:
    return StoreUnavailable(f"{path} cannot be written: {error.strerror or error}")
