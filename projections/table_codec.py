"""Encodes tables, for snapshots and for other processes."""

from events.codec import DecodeError, Decoder, Struct, encode_in_order
from events.ids import PieceId, PlaceId, Side
from projections.state.fold import unpack
from projections.state.shared_names import shared
from projections.state.table import Piece, Table
from projections.state.undo_history import rewound


class _Packed(Struct, frozen=True):
    """A table in short: the fields of each piece in order, and all else without the values of an empty table."""

    pieces: tuple[tuple[PieceId, str, Side, PlaceId, str, int], ...]
    table: Table


_DECODER: Decoder[_Packed] = Decoder(_Packed)
_EMPTY = Table()


def encode_table(table: Table) -> bytes:
    """Return the bytes of a snapshot.

    The order of the dictionaries is preserved: rules may list pieces in that order, and a restored table must
    offer the same options, and draw the same candidates, as the folded one. The game state is encoded once, at the
    beginning of the undo history, because the events of the undo history lead from it to the present one.
    """
    table = rewound(table)
    pieces = [(one.id, one.kind, one.side, one.place, one.face, one.steps) for one in table.pieces.values()]
    others = {
        name: value
        for name in Table.__struct_fields__
        if name != "pieces" and (value := getattr(table, name)) != getattr(_EMPTY, name)
    }
    return encode_in_order({"pieces": pieces, "table": others})


def decode_table(data: bytes) -> Table:
    """Decode a snapshot.

    Raises:
        DecodeError: The bytes are not a table of this version.
    """
    packed = _DECODER.decode(data)
    table = packed.table
    _share_names(table)
    table.pieces = {
        (name := shared(piece)): Piece(name, shared(kind), shared(side), shared(place), shared(face), steps)
        for piece, kind, side, place, face, steps in packed.pieces
    }
    try:
        unpack(table)
    except (LookupError, ValueError) as error:
        raise DecodeError(f"the undo history names {error}, which does not exist") from None
    return table


def _share_names(table: Table) -> None:
    table.at = {shared(place): tuple([shared(piece) for piece in pieces]) for place, pieces in table.at.items()}
    table.known_to = {shared(piece): seats for piece, seats in table.known_to.items()}
    table.control = {shared(place): shared(side) for place, side in table.control.items()}
    table.markers = {
        shared(on): {shared(marker): count for marker, count in there.items()} for on, there in table.markers.items()
    }
    table.attributes = {
        shared(on): {shared(key): value for key, value in there.items()} for on, there in table.attributes.items()
    }
