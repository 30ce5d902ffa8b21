"""Tables share their names, so that an idle match costs little memory."""

from collections.abc import Callable, Iterator

from events.codec import Decoder, encode
from events.ids import AttributeKey, MarkerId, PieceId, PlaceId, RuleId, Side
from events.vocabulary import AttributeSet, ControlChanged, Event, MarkerPlaced, PieceMoved, PiecePlaced, PieceTurned
from projections.state.fold import fold
from projections.state.table import Table
from projections.table_codec import decode_table, encode_table
from tests.support.rows import each_row

RULE = RuleId("1")
EVENTS: tuple[Event, ...] = (
    PiecePlaced(
        rule=RULE, piece=PieceId("1st-rifle"), kind="rifle", side=Side("soviet"), to=PlaceId("grove"), face="fresh"
    ),
    PieceMoved(rule=RULE, piece=PieceId("1st-rifle"), to=PlaceId("hill"), was=PlaceId("grove")),
    PieceTurned(rule=RULE, piece=PieceId("1st-rifle"), face="spent", was="fresh"),
    ControlChanged(rule=RULE, place=PlaceId("hill"), to=Side("soviet"), was=Side("")),
    MarkerPlaced(rule=RULE, on="hill", marker=MarkerId("trench")),
    AttributeSet(rule=RULE, on="hill", key=AttributeKey("attacked"), value=True),
)
_DECODER: Decoder[tuple[Event, ...]] = Decoder(tuple[Event, ...])


def _folded() -> Table:
    return fold(_DECODER.decode(encode(EVENTS)))


def _restored() -> Table:
    return decode_table(encode_table(_folded()))


def _names(table: Table) -> Iterator[str]:
    for key, piece in table.pieces.items():
        yield from (key, piece.id, piece.kind, piece.side, piece.place, piece.face)
    for place, pieces in table.at.items():
        yield from (place, *pieces)
    for place, side in table.control.items():
        yield from (place, side)
    for on, markers in table.markers.items():
        yield from (on, *markers)
    for on, attributes in table.attributes.items():
        yield from (on, *attributes)


@each_row("make", [_folded, _restored])
def test_separately_decoded_tables_share_their_names(make: Callable[[], Table]) -> None:
    one, other = list(_names(make())), list(_names(make()))

    assert one == other
    assert [name for name, same in zip(one, other, strict=True) if name is not same] == []


def test_a_restored_table_equals_the_original() -> None:
    assert _restored() == _folded()
