"""Sits down at a match and leaves it."""

from contextlib import nullcontext

from cli.context import Context
from cli.match_view import named_match, parse_whole
from cli.schemas.matches import SeatShape
from cli.seat_secrets import forget_secret, secret_kept
from core.chance import SEALED
from events.ids import MatchId, Seat


def sit(context: Context, match: str, seat: str, name: str) -> None:
    """Take a seat and keep its secret.

    Raises:
        UserError: There is no such match, or the name is too long.
        RequestFailed: The seat is taken, or there is none of that name.
    """
    known = named_match(context, parse_whole(match))
    table = context.client.state(known).table
    taken = take_seat(context, known, Seat(seat), name, is_sealed=table.chance.scheme == SEALED)
    began = "; play has begun" if taken.began else ""
    context.print_result(taken, [f"{known}: you play {seat}{began}"])


def take_seat(context: Context, match: MatchId, seat: Seat, name: str, *, is_sealed: bool) -> SeatShape:
    """Take a free seat; on a server keep the secret that proves it."""
    with secret_kept(match, seat) if context.address else nullcontext("") as secret:
        taken = context.client.take_seat(match, seat, name, share=is_sealed, secret=secret)
    return SeatShape(match=match, seat=seat, seq=taken.seq, name=name, is_taken=True, began=taken.began)


def leave(context: Context, match: str, seat: str) -> None:
    """Leave a seat, and forget its secret.

    Raises:
        UserError: There is no such match.
        RequestFailed: The secret does not prove the seat, or it is free.
    """
    known = named_match(context, parse_whole(match), seat)
    left = context.client.leave(known, Seat(seat))
    if context.address:
        forget_secret(known, Seat(seat))
    began = context.client.state(known).table.began
    shape = SeatShape(match=known, seat=Seat(seat), seq=left.seq, name="", is_taken=False, began=began)
    context.print_result(shape, [f"{known}: the seat {seat} is free"])
