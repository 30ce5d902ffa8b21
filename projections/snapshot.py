"""Snapshots of the table: a cache that is checked before use and dropped on any mismatch."""

import hashlib
import zlib

from events.codec import DecodeError, Decoder, Raw, Struct, encode
from events.ids import Digest
from projections.state.table import Table
from projections.table_codec import decode_table, encode_table

SCHEMA = 25
"""Incremented whenever the table or the fold changes: older snapshots are then rebuilt."""

EVERY = 512
"""The most events between two snapshots of a match. Folding them takes less than a millisecond."""

PACKING = 3
"""The compression level of snapshots, 1 to 9: the library's default takes three times as long and saves a tenth."""


class Snapshot(Struct, frozen=True):
    """A table with its checks: the schema, the rules, the number and hash of its last commit, its own hash; `record` is the digest of what everybody was shown."""

    schema: int
    rules: Digest
    seq: int
    head: Digest
    table_hash: str
    table: Raw
    record: str = ""


_DECODER: Decoder[Snapshot] = Decoder(Snapshot)


def take_snapshot(table: Table, head: Digest, record: str = "") -> bytes:
    """Return a snapshot of a table that stands at the end of the commit with this hash.

    With `record` it holds the digest of what everybody was shown (`projections.state.public_record`); a snapshot of what a seat sees needs none.

    It is compressed: a table repeats a few names many times, and the size of a stored match is mostly that of its snapshots.
    """
    body = encode_table(table)
    snapshot = Snapshot(SCHEMA, table.rules, table.seq, head, hashlib.sha256(body).hexdigest(), Raw(body), record)
    return zlib.compress(encode(snapshot), PACKING)


def restore(data: bytes, seq: int) -> tuple[Table, Digest, str] | None:
    """Return the table of a snapshot, the hash of the commit it follows, and its record, or None if any check fails."""
    try:
        snapshot = _DECODER.decode(zlib.decompress(data))
        body = bytes(snapshot.table)
        if snapshot.schema != SCHEMA or snapshot.table_hash != hashlib.sha256(body).hexdigest():
            return None
        table = decode_table(body)
    except (DecodeError, zlib.error):
        return None
    is_sound = snapshot.seq == seq == table.seq and snapshot.rules == table.rules
    return (table, snapshot.head, snapshot.record) if is_sound else None
