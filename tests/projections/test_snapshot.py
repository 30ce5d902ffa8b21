"""Snapshots are compressed, and invalid ones are discarded."""

from events.ids import Digest, PieceId, PlaceId, RuleId, Side
from events.vocabulary import PiecePlaced
from projections.snapshot import SCHEMA, restore, take_snapshot
from projections.state.fold import fold
from projections.state.table import Table
from projections.table_codec import encode_table
from tests.support.dictionary_keys import keys_of
from tests.support.rows import each_row
from tests.support.shapes import shape_of

HEAD = Digest("a" * 64)


def _table(pieces: int) -> Table:
    return fold(
        PiecePlaced(
            rule=RuleId("1"),
            piece=PieceId(f"rifle-{number}"),
            kind="rifle",
            side=Side("soviet"),
            to=PlaceId(f"area-{number % 20}"),
        )
        for number in range(pieces)
    )


def test_the_schema_is_raised_when_a_table_holds_something_else() -> None:
    """Otherwise snapshots of before would be restored without it. Raise `SCHEMA`, and write both here."""
    assert (SCHEMA, shape_of(Table)) == (25, "dab60da535da")


def test_a_snapshot_is_much_smaller_than_its_table() -> None:
    table = _table(100)

    assert len(take_snapshot(table, HEAD)) * 4 < len(encode_table(table))


def test_a_snapshot_restores_the_table_its_chain_hash_and_the_record() -> None:
    table = _table(3)

    assert restore(take_snapshot(table, HEAD, "record"), table.seq) == (table, HEAD, "record")


@each_row("place", [0, 1, 20, -1])
def test_a_damaged_snapshot_is_discarded(place: int) -> None:
    table = _table(3)
    data = bytearray(take_snapshot(table, HEAD))
    data[place] ^= 0x55

    assert restore(bytes(data), table.seq) is None


@each_row("data", [b"", b"{}", b"no snapshot"])
def test_invalid_snapshot_bytes_are_discarded(data: bytes) -> None:
    assert restore(data, 3) is None


def test_a_snapshot_of_another_event_is_discarded() -> None:
    table = _table(3)

    assert restore(take_snapshot(table, HEAD), table.seq + 1) is None


def test_the_keys_of_every_dictionary_of_a_table_are_texts() -> None:
    """Others cannot be sent in a canonical form, so that a server could not tell the match any more."""
    keys = dict(keys_of(Table))

    assert len(keys) > 10
    assert {name for name, key in keys.items() if key is not str} == set()
