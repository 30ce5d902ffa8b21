"""Key files for encrypted connections: a secret key, and the public keys of the clients that may connect."""

from pathlib import Path

from server.protocol.curve import KEY_CHARACTERS, CurveKey, is_public_key
from server.protocol.errors import KeyUnusable
from server.store.whole_file import KEY_FILE_BYTES_MAX, write_whole

ALLOWED_FILE_BYTES_MAX = 1 << 20
"""Limit of a file of allowed clients."""


def read_key(path: Path) -> CurveKey:
    """Read the secret key of a server or a client from its file, generating the key if the file does not exist.

    Raises:
        KeyUnusable: The file cannot be read, or holds no valid key.
        StoreUnavailable: It cannot be written.
    """
    try:
        if not path.exists():
            key = CurveKey.new()
            write_whole(path, [key.secret + b"\n"], "keys", is_private=True)
            return key
        with path.open("rb") as file:
            content = file.read(KEY_FILE_BYTES_MAX + 1)
    except OSError as error:
        raise KeyUnusable(f"the key file {path} cannot be used: {error.strerror}") from None
    if len(content) > KEY_FILE_BYTES_MAX:
        raise KeyUnusable(f"the key file {path} cannot be used: it has more than {KEY_FILE_BYTES_MAX} bytes")
    try:
        return CurveKey(content.strip())
    except KeyUnusable as error:
        raise KeyUnusable(f"the key file {path} cannot be used: {error}") from None


def read_allowed(path: Path) -> frozenset[bytes]:
    """Read the public keys of the clients that may connect: one a line, with a comment after a space.

    Empty lines and those that begin with `#` and a space are ignored.

    Raises:
        KeyUnusable: The file cannot be read, a line (which is named) holds no valid key, or there is no key.
    """
    try:
        with path.open("rb") as file:
            content = file.read(ALLOWED_FILE_BYTES_MAX + 1)
    except OSError as error:
        raise KeyUnusable(f"the file of allowed clients {path} cannot be read: {error.strerror}") from None
    if len(content) > ALLOWED_FILE_BYTES_MAX:
        raise KeyUnusable(f"the file of allowed clients {path} is larger than {ALLOWED_FILE_BYTES_MAX >> 20} MiB")
    keys: set[bytes] = set()
    for number, line in enumerate(content.splitlines(), start=1):
        words = line.split(maxsplit=1)
        if not words or words[0] == b"#":
            continue
        if not is_public_key(words[0]):
            raise KeyUnusable(
                f"the file of allowed clients {path}, line {number}: a public key is {KEY_CHARACTERS} characters of Z85"
            )
        keys.add(words[0])
    if not keys:
        raise KeyUnusable(f"the file of allowed clients {path} lists no key, so no client could connect")
    return frozenset(keys)
