"""Snapshots of the table: caches that are checked before use and thrown away on any mismatch."""

import hashlib
import zlib

from events.codec import DecodeError, Decoder, Raw, Struct, encode
from events.ids import Digest
from projections.table import Table
from projections.table_codec import decode_table, encode_table

SCHEMA = 9
"""Raised whenever the table or the fold changes: older snapshots are then rebuilt."""

EVERY = 512
"""How many events may lie between two snapshots of a match. To fold so many takes less than a millisecond."""

PACKING = 3
"""How hard a snapshot is packed, 1 to 9: the library's default would take three times as long and save a tenth."""


class Snapshot(Struct, frozen=True):
    """A table with what it must agree with: the schema, the rules, the number and hash of its last commit, its own hash."""

    schema: int
    rules: Digest
    seq: int
    head: Digest
    table_hash: str
    table: Raw


_DECODER: Decoder[Snapshot] = Decoder(Snapshot)


def take_snapshot(table: Table, head: Digest) -> bytes:
    """Return a snapshot of a table that stands at the end of the commit with this hash.

    It is packed: a table is mostly the same few names over and over, and a parked match is little else than its
    snapshots.
    """
    body = encode_table(table)
    snapshot = Snapshot(SCHEMA, table.rules, table.seq, head, hashlib.sha256(body).hexdigest(), Raw(body))
    return zlib.compress(encode(snapshot), PACKING)


def restore(data: bytes, seq: int) -> tuple[Table, Digest] | None:
    """Return the table of a snapshot and the hash of the commit it follows; nothing if anything does not agree."""
    try:
        snapshot = _DECODER.decode(zlib.decompress(data))
        body = bytes(snapshot.table)
        table = decode_table(body)
    except (DecodeError, zlib.error):
        return None
    sound = (
        snapshot.schema == SCHEMA
        and snapshot.seq == seq == table.seq
        and snapshot.rules == table.rules
        and snapshot.table_hash == hashlib.sha256(body).hexdigest()
    )
    return (table, snapshot.head) if sound else None
