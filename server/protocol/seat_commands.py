"""The command that a request to take a seat stands for, which client and server have to make alike: the client signs it."""

from core.match.player_commands import TakeSeat
from server.protocol.identity import credential
from server.protocol.wire import TakeRequest


def command_of_take(request: TakeRequest) -> TakeSeat:
    """Return the command of a request that takes a player's seat; the log holds no secrets, only their hashes."""
    return TakeSeat(
        seat=request.seat,
        name=request.name,
        credential=credential(request.secret),
        invitation=credential(request.invitation) if request.invitation else "",
        anchor=request.anchor,
        length=request.length,
        holder=request.holder,
        public_key=request.public_key,
        key_holder=request.key_holder,
    )
