"""The table: clones are independent, encoding loses nothing, and its values are immutable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.codec import DecodeError, encode_in_order
from events.ids import Digest, PieceId, PlaceId, RuleId, Seat
from events.vocabulary import DiceRolled, Event, MatchBegan, PieceMoved
from projections.snapshot import restore, take_snapshot
from projections.state.fold import evolve, fold
from projections.state.table import GamePart, Piece, Table, UndoHistory
from projections.table_codec import decode_table, encode_table
from tests.projections.plays import plays
from tests.support.rows import each_row

HEAD = Digest("a" * 64)
DICTIONARIES = (
    "options",
    "players",
    "credentials",
    "private_notes",
    "private_events_of",
    "pieces",
    "at",
    "control",
    "markers",
    "attributes",
    "tracks",
    "piles",
)


@pytest.mark.soak
@given(plays(), st.integers(0, 40))
def test_changing_a_clone_does_not_change_its_table(events: list[Event], cut: int) -> None:
    table = fold(events[:cut])
    before = encode_table(table)
    clone = table.clone()

    assert clone == table
    for event in events[cut:]:
        evolve(clone, event)
    assert encode_table(table) == before
    assert clone == fold(events)


@pytest.mark.soak
@given(plays(), st.integers(0, 40))
def test_changing_a_table_does_not_change_its_clone(events: list[Event], cut: int) -> None:
    table = fold(events[:cut])
    clone = table.clone()
    before = encode_table(clone)
    fold(events[cut:], table)

    assert encode_table(clone) == before


def test_a_clone_has_every_field_of_its_table() -> None:
    """A field missing from `clone` would be empty in the copy."""
    odd = {name: f"odd {name}" for name in Table.__struct_fields__}
    dictionaries = {name: {"odd": name} for name in DICTIONARIES}
    undoable = UndoHistory(7, GamePart(), [MatchBegan(rule=RuleId("1"))], ((0, 8),))
    table = Table(**{**odd, **dictionaries, "past": undoable})  # type: ignore[arg-type]
    clone = table.clone()

    assert [name for name in Table.__struct_fields__ if getattr(clone, name) != getattr(table, name)] == []


@pytest.mark.soak
@given(plays())
def test_a_table_survives_a_round_trip_in_the_same_order(events: list[Event]) -> None:
    table = fold(events)
    again = decode_table(encode_table(table))

    assert again == table
    assert encode_table(again) == encode_table(table)
    assert encode_in_order(again) == encode_in_order(table)
    for name in DICTIONARIES:
        assert list(getattr(again, name)) == list(getattr(table, name))


@pytest.mark.soak
@given(plays(), st.integers(0, 40))
def test_folding_continues_from_a_decoded_table(events: list[Event], cut: int) -> None:
    table = fold(events[:cut])
    restored = restore(take_snapshot(table, HEAD), table.seq)

    assert restored is not None
    assert encode_table(fold(events[cut:], restored[0])) == encode_table(fold(events))


@each_row(
    "junk", [b"", b"[]", b"null", b'{"pieces":[],"table":{"seq":"1"}}', b'{"pieces":[["p"]],"table":{}}', b"\xff"]
)
def test_invalid_table_bytes_are_refused(junk: bytes) -> None:
    with pytest.raises(DecodeError):
        decode_table(junk)


def test_a_table_whose_way_back_cannot_have_happened_is_refused() -> None:
    table = fold([DiceRolled(rule=RuleId("1"), faces=(3,), purpose="assault")])
    assert table.past is not None
    table.past.game = table.game_part()
    table.past.since.append(PieceMoved(rule=RuleId("1"), piece=PieceId("p"), to=PlaceId("a"), was=PlaceId("b")))

    with pytest.raises(DecodeError, match="the undo history"):
        decode_table(encode_table(table))


def test_the_values_of_a_table_are_immutable() -> None:
    piece = Piece(id="p", kind="rifle", side=Seat("white"), place="a")  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        piece.place = "b"  # type: ignore[assignment,misc]


def test_two_tables_do_not_share_their_empty_parts() -> None:
    one, two = Table(), Table()
    for name in DICTIONARIES:
        assert getattr(one, name) is not getattr(two, name)
