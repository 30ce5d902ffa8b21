"""The keys of a server's log: a folder beside the store, which only its owner may read, and which no backup of the store holds.

`log.key` is the secret key, `log.vkey` lists the public ones, the newest last, and `log.signed` is the last checkpoint that was signed: if the store is
replaced by an earlier copy of itself, this is how it is noticed. `log.changes` proves the changes of the key, a line each.
"""

import os
import secrets
from pathlib import Path

from events.errors import LogKeyUnusable, ProofInvalid, StoreUnavailable
from events.transparency.key_changes import KeyChange, read_changes
from events.transparency.signed_note import (
    KEY_BYTES,
    NOTE_BYTES_MAX,
    Signer,
    Verifier,
    is_name,
    read_signer,
    read_verifier,
)
from server.store.private_files import OTHERS, open_private
from server.store.whole_file import beside_store

FOLDER_MODE = 0o700

ADVICE = "put it back, or begin a new log with `wardiary keys create`"


class KeyFolder:
    """The folder with the keys of a store's log.

    Args:
        store: The store, beside which it lies.
    """

    def __init__(self, store: Path) -> None:
        self.path = beside_store(store, ".keys")
        self._key, self._public, self._signed, self._changes, self._next = (
            self.path / f"log.{end}" for end in ("key", "vkey", "signed", "changes", "next")
        )

    @property
    def has_key(self) -> bool:
        """Whether there is a secret key."""
        return self._key.exists()

    def signer(self) -> Signer:
        """Return the secret key.

        Raises:
            LogKeyUnusable: It is missing, can be read by other users, is not such a key, or is being changed.
        """
        if self._next.exists():
            raise LogKeyUnusable(f"a change of the key {self._key} was interrupted: run `wardiary keys rotate` again")
        return self.old_signer()

    def old_signer(self) -> Signer:
        """Return the secret key, also while it is being changed; see `signer` for the errors."""
        for path, mode in ((self.path, "700"), (self._key, "600")):
            self._check_private(path, mode)
        return self._secret(self._key)

    def _secret(self, path: Path) -> Signer:
        try:
            return read_signer(self._read(path))
        except LogKeyUnusable as error:
            raise LogKeyUnusable(f"{path} cannot be used: {error}") from None

    def _check_private(self, path: Path, mode: str) -> None:
        try:
            found = path.stat().st_mode
        except OSError as error:
            raise LogKeyUnusable(f"the key of the log, {path}, cannot be used: {error.strerror}; {ADVICE}") from None
        if os.name == "posix" and found & OTHERS:
            raise LogKeyUnusable(
                f"{path} can be read by other users, who could sign for this log: run chmod {mode} {path}"
            )

    def create(self, name: str) -> Signer:
        """Make a key for a log that begins.

        Raises:
            LogKeyUnusable: There is a key, the name is not one, or another log had it.
            StoreUnavailable: It cannot be written.
        """
        if self.has_key:
            raise LogKeyUnusable(f"there is a key, {self._key}: rotate or retire it")
        if not is_name(name):
            raise LogKeyUnusable(f"a log is named by 1 to 200 characters without white space and +, not {name!r}")
        if name in [key.name for key in self.public_keys()]:
            raise LogKeyUnusable(f"a log of this store was named {name} before: name it otherwise, such as {name}/2")
        signer = Signer(name, secrets.token_bytes(KEY_BYTES))
        self._replace(self._public, "".join([f"{key.text}\n" for key in (*self.public_keys(), signer.verifier)]))
        for file in (self._signed, self._changes):
            file.unlink(missing_ok=True)
        self._replace(self._key, f"{signer.text}\n")
        return signer

    def begin_change(self) -> tuple[Signer, Signer]:
        """Return the key and the one that follows it, which is made unless an earlier change was interrupted.

        Raises:
            LogKeyUnusable: The key cannot be used.
            StoreUnavailable: The new one cannot be written.
        """
        old = self.old_signer()
        if not self._next.exists():
            self._replace(self._next, f"{Signer(old.name, secrets.token_bytes(KEY_BYTES)).text}\n")
        return old, self._secret(self._next)

    def end_change(self, new: Signer, change: KeyChange) -> None:
        """Put the new key in the place of the old one, of which nothing is left; `change` is the old key's word for it."""
        earlier = [one for one in self.changes() if one.key != change.key]
        self._replace(self._changes, "".join([one.line.decode() for one in (*earlier, change)]))
        known = [key for key in self.public_keys() if key != new.verifier]
        self._replace(self._public, "".join([f"{key.text}\n" for key in (*known, new.verifier)]))
        self._next.replace(self._key)

    def changes(self) -> tuple[KeyChange, ...]:
        """Return the changes of the key, in order; see `LogKeys.changes`.

        Raises:
            LogKeyUnusable: The file cannot be read, or a line of it is not such a change.
        """
        if not self._changes.exists():
            return ()
        try:
            return read_changes(self._read(self._changes).encode().splitlines())
        except ProofInvalid as error:
            raise LogKeyUnusable(f"{self._changes} cannot be used: {error}") from None

    def retire(self) -> None:
        """Remove the secret key, so that nothing is signed any more."""
        for file in (self._next, self._key):
            file.unlink(missing_ok=True)

    def public_keys(self) -> list[Verifier]:
        """Return the public keys of this log and of earlier ones, the newest last.

        Raises:
            LogKeyUnusable: The file cannot be read, or a line of it is not such a key.
        """
        if not self._public.exists():
            return []
        return [read_verifier(line) for line in self._read(self._public).splitlines()]

    def last_signed(self) -> str:
        """Return the last checkpoint that was signed; see `LogKeys.last_signed`."""
        try:
            return self._signed.read_text(encoding="utf-8")[:NOTE_BYTES_MAX]
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError) as error:
            raise LogKeyUnusable(f"{self._signed} cannot be read: {error}") from None

    def keep_signed(self, note: str) -> None:
        """Keep a checkpoint durably; see `LogKeys.keep_signed`."""
        self._replace(self._signed, note)

    def _read(self, path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise LogKeyUnusable(f"{path} cannot be read: {error}") from None

    def _replace(self, path: Path, text: str) -> None:
        """Write a file as a whole, durably."""
        new = path.with_name(f"{path.name}.new")
        try:
            self.path.mkdir(mode=FOLDER_MODE, exist_ok=True)
            new.unlink(missing_ok=True)
            with open_private(new) as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
        except OSError as error:
            raise StoreUnavailable(f"{path} cannot be written: {error.strerror or error}") from None


class SigningKey:
    """The key of a log in use; see `LogKeys`.

    Args:
        folder: Where it lies.
        signer: The key, if it was read already.

    Raises:
        LogKeyUnusable: As `KeyFolder.signer`.
    """

    def __init__(self, folder: KeyFolder, signer: Signer | None = None) -> None:
        self._folder = folder
        self.signer = folder.signer() if signer is None else signer

    def last_signed(self) -> str:
        """Return the last checkpoint that was signed; see `LogKeys.last_signed`."""
        return self._folder.last_signed()

    def keep_signed(self, note: str) -> None:
        """Keep a checkpoint; see `LogKeys.keep_signed`."""
        self._folder.keep_signed(note)

    def changes(self) -> tuple[KeyChange, ...]:
        """Return the changes of the key; see `LogKeys.changes`."""
        return self._folder.changes()


def random_name() -> str:
    """Return a name for a log that its owner gave none."""
    return f"wardiary-{secrets.token_hex(6)}"
