"""Entries of a server's log: one for each commit of which spectators see something, blinded, and one for each change of its key.

Match and number are in clear, so that a reader of the log sees two entries for one number; and each entry names the match's entry before it, so that
two histories of one match are also found by entries of different numbers. The hash of the commit is blinded: a reader who does
not know the nonce can test no guess about hidden cards with it.
"""

import hmac
from hashlib import sha256

from events.codec import Struct, encode
from events.ids import Digest, MatchId
from events.transparency.merkle_tree import leaf_hash


class CommitEntry(Struct, frozen=True, kw_only=True, tag_field="entry", tag="wardiary-entry/1", omit_defaults=True):
    """The entry of a commit: its match, its number among the match's entries (from 1), its blinded hash, and the hash of the match's entry before it.

    Both hashes are hexadecimal; a first entry has none before it.
    """

    match: MatchId
    number: int
    blinded: Digest
    before: Digest = Digest("")


class KeyEntry(Struct, frozen=True, kw_only=True, tag_field="entry", tag="wardiary-key/1"):
    """The entry of a change of the log's key: the new and the old public key, as texts."""

    key: str
    was: str


def entry_bytes(entry: CommitEntry | KeyEntry) -> bytes:
    """Return the bytes of an entry, of which the tree holds the hash: canonical JSON without the end of a line."""
    return encode(entry)


def entry_hash(entry: bytes) -> Digest:
    """Return the hash of an entry as the next one of its match names it: that of its leaf in the tree (hex)."""
    return Digest(leaf_hash(entry).hex())


def nonce(secret: bytes, index: int) -> bytes:
    """Return what blinds the entry at a place of the log (from 0): 32 bytes, given only to those who may have the archive."""
    return hmac.digest(secret, b"wardiary nonce 1|%d" % index, "sha256")


def blinded(nonce_: bytes, commit: Digest) -> Digest:
    """Return the blinded hash of a commit."""
    return Digest(sha256(b"wardiary blind 1\n" + nonce_ + bytes.fromhex(commit)).hexdigest())
