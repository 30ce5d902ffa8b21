"""A snapshot is packed, and whatever is no snapshot is thrown away."""

import pytest

from events.ids import Digest, PieceId, PlaceId, RuleId, Side
from events.vocabulary import PiecePlaced
from projections.fold import fold
from projections.snapshot import restore, take_snapshot
from projections.table import Table
from projections.table_codec import encode_table

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


def test_a_snapshot_of_many_pieces_is_a_fraction_of_its_table() -> None:
    table = _table(100)

    assert len(take_snapshot(table, HEAD)) * 4 < len(encode_table(table))


def test_a_snapshot_gives_the_table_and_the_hash_it_follows() -> None:
    table = _table(3)

    assert restore(take_snapshot(table, HEAD), table.seq) == (table, HEAD)


@pytest.mark.parametrize("place", [0, 1, 20, -1])
def test_a_damaged_snapshot_is_thrown_away(place: int) -> None:
    table = _table(3)
    data = bytearray(take_snapshot(table, HEAD))
    data[place] ^= 0x55

    assert restore(bytes(data), table.seq) is None


@pytest.mark.parametrize("data", [b"", b"{}", b"no snapshot"])
def test_what_is_no_snapshot_is_thrown_away(data: bytes) -> None:
    assert restore(data, 3) is None


def test_a_snapshot_of_another_event_is_thrown_away() -> None:
    table = _table(3)

    assert restore(take_snapshot(table, HEAD), table.seq + 1) is None
