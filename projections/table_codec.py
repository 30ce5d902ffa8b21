"""Encodes tables, for snapshots and for other processes."""

from events.codec import Decoder, encode_in_order
from projections.shared_names import shared
from projections.table import GamePart, Piece, Table

_DECODER: Decoder[Table] = Decoder(Table)


def encode_table(table: Table) -> bytes:
    """Return the bytes of a snapshot.

    The order of the dictionaries is preserved: rules may list pieces in that order, and a restored table must
    offer the same options, and draw the same candidates, as the folded one.
    """
    return encode_in_order(table)


def decode_table(data: bytes) -> Table:
    """Decode a snapshot.

    Raises:
        DecodeError: The bytes are not a table of this version.
    """
    table = _DECODER.decode(data)
    _share_names(table)
    if table.past is not None:
        _share_names(table.past.game)
    return table


def _share_names(table: GamePart) -> None:
    table.pieces = {shared(key): _with_shared_names(piece) for key, piece in table.pieces.items()}
    table.at = {shared(place): tuple([shared(piece) for piece in pieces]) for place, pieces in table.at.items()}
    table.known_to = {shared(piece): seats for piece, seats in table.known_to.items()}
    table.control = {shared(place): shared(side) for place, side in table.control.items()}
    table.markers = {
        shared(on): {shared(marker): count for marker, count in there.items()} for on, there in table.markers.items()
    }
    table.attributes = {
        shared(on): {shared(key): value for key, value in there.items()} for on, there in table.attributes.items()
    }


def _with_shared_names(piece: Piece) -> Piece:
    return Piece(
        shared(piece.id), shared(piece.kind), shared(piece.side), shared(piece.place), shared(piece.face), piece.steps
    )
