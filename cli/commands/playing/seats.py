"""Sits down at a match and leaves it."""

from contextlib import nullcontext, suppress

from cli.schemas.matches import SeatShape
from cli.shell.arguments import parse_whole
from cli.shell.context import Context
from cli.shell.exit_codes import REFUSED, UserError, usage
from cli.shell.remote import owner_secret
from cli.shell.seat_secrets import EVERY_MATCH, keep_secret, read_secrets, secret_kept
from cli.views.named_match import named_match
from core.match.arbiter_commands import OFFICE, name_at
from events.codec import replace
from events.ids import ARBITER, MatchId, Seat
from projections.state.table import Table
from server.protocol.errors import RequestFailed
from server.protocol.identity import credential

_OPTIONS = {
    "seat_must_be_open": "--token",
    "player_must_have_name": "`sit --name`",
    "arbiter_must_have_name": "--name",
}
"""The options that hold what a refusal misses."""


def sit(context: Context, match: str, seat: str, name: str, *, has_lost_key: bool = False) -> None:
    """Take a seat, or the arbiter's, and keep its secret; a typed secret is an invitation to it, or the seat's own.

    With `has_lost_key`, the player of a seat registers the key of this installation in place of one that is lost.

    Raises:
        UserError: There is no such match, or the name is too long.
            Or the seat is refused to this user, who is or was the arbiter; or the office to a player.
        RequestFailed: The seat is taken or reserved, or there is none of that name; or the typed secret does not open it.
    """
    known, chair = named_match(context, parse_whole(match)), Seat(seat)
    table = context.client.state(known).table
    typed = context.settings.token
    if has_lost_key:
        _register_key(context, known, chair)
        return
    own = read_secrets(context.address).get(known, {}).get(chair, "") if context.address else ""
    # Who has the office or plays the seat needs no second event that says so.
    proof = typed or (own if chair == ARBITER or chair in table.players else "")
    if context.address and proof and proves(table, chair, proof):
        keep_secret(context.address, known, chair, proof)
        shape = SeatShape(
            match=known, seat=chair, seq=table.seq, name=_name(table, chair), is_taken=True, began=table.began
        )
        context.print_result(shape, [f"{known}: you {'are the arbiter' if chair == ARBITER else f'play {seat}'}"])
        context.client.add_token(known, chair, proof)
        if chair in table.keys and not context.client.holds_key(known, chair, table.keys[chair].key):
            context.echo_err(
                f"another key signs for {seat}, which is not here: `wardiary sit {known} --seat {seat} --new-key` takes the one of this installation"
            )
        return
    name = name_at(table, chair, name)
    if chair == ARBITER:
        _refuse_player(context, known, table)
        _take_office(context, known, name)
        return
    if table.links is not None and chair in table.links.chains and chair not in table.players and own:
        # The chain follows from the secret, and no chain is used twice.
        keep_secret(context.address, known, chair, "")
    # Who made a fork sits down in it with the secret that made it.
    is_own = chair in table.reserved and proves(table, chair, own)
    invitation = typed or (own if is_own else _secret_before(context, table, chair))
    taken = take_seat(context, known, chair, name, has_links=table.links is not None, invitation=invitation)
    began = "; play has begun" if taken.began and not table.began else ""
    context.print_result(taken, [f"{known}: you play {seat}{began}"])


def _secret_before(context: Context, table: Table, seat: Seat) -> str:
    """Return the secret of this user's seat in the match that goes on as this one, with which a ruling has reserved the seat; empty if it has not."""
    invited = table.reserved.get(seat)
    if invited is None or not context.address:
        return ""
    kept = [seats.get(seat, "") for seats in read_secrets(context.address).values()]
    return next((secret for secret in kept if secret and credential(secret) == invited.credential), "")


def follow_on(context: Context, match: MatchId) -> MatchId:
    """Take this user's seats of a match in the one as which it goes on by a ruling, and return that one, the last of its line; the match itself if it does not go on."""
    seen = {match}
    while True:
        onward = context.client.state(match).table.goes_on
        if not onward or onward in seen:
            return match
        seen.add(onward)
        own = read_secrets(context.address).get(match, {}) if context.address else {}
        line = named_match(context, onward)
        table = context.client.state(line).table
        for seat in own:
            if seat in table.reserved and (secret := _secret_before(context, table, seat)):
                has_links = table.links is not None
                name = name_at(table, seat, "")
                take_seat(context, line, seat, name, has_links=has_links, invitation=secret)
            elif proves(table, seat, own[seat]):
                # A fork from before play began leaves the seats as they were.
                keep_secret(context.address, line, seat, own[seat])
            context.add_secrets(line, seat)
        context.echo_err(f"match {match} goes on as {line} by a ruling")
        match = line


def _register_key(context: Context, match: MatchId, seat: Seat) -> None:
    """Sign for a seat of this user with the key of this installation from now on.

    Raises:
        UserError: No server was named.
        RequestFailed: The seat is another player's, or signs with this key already.
    """
    if not context.address:
        raise usage("commands are signed on a server; name it with --connect")
    context.add_secrets(match, seat)
    context.client.register_key(match, seat, is_lost=True)
    table = context.client.state(match, seat).table
    if context.settings.token:
        keep_secret(context.address, match, seat, context.settings.token)
    shape = SeatShape(match=match, seat=seat, seq=table.seq, name=_name(table, seat), is_taken=True, began=table.began)
    context.print_result(shape, [f"{match}: {seat} signs with the key {context.client.public_key(match, seat)}"])


def _refuse_arbiter(context: Context, match: MatchId) -> None:
    """Refuse a player's seat to a user who was given the arbiter's, under whatever name.

    Raises:
        UserError: The arbiter's secret is kept here.
    """
    if context.address and ARBITER in read_secrets(context.address).get(match, {}):
        raise _both(f"you have seen everything as the arbiter of match {match}")


def _refuse_player(context: Context, match: MatchId, table: Table) -> None:
    """Refuse the arbiter's seat to a user who plays in the match, under whatever name.

    Raises:
        UserError: The secret of a player's seat is kept here.
    """
    kept = read_secrets(context.address).get(match, {})
    for seat in table.players:
        if proves(table, seat, kept.get(seat, "")):
            raise _both(f"you play {seat} in match {match}")


def _both(said: str) -> UserError:
    return UserError(f"{said}: nobody is its arbiter and plays in it", REFUSED, "refused", rule=OFFICE)


def proves(table: Table, seat: Seat, secret: str) -> bool:
    """Return whether a secret is that of the person in a seat."""
    of_arbiter = "" if table.arbiter is None else table.arbiter.credential
    known = of_arbiter if seat == ARBITER else table.credentials.get(seat, "")
    return known == credential(secret)


def _name(table: Table, seat: Seat) -> str:
    if seat == ARBITER:
        return "" if table.arbiter is None else table.arbiter.name
    return table.players.get(seat, "")


def _take_office(context: Context, match: MatchId, name: str) -> None:
    """Take the arbiter's seat by an invitation or a capability, and keep the capability for other matches of the server."""
    if not context.address:
        raise usage(
            "on the store you act as the arbiter anyway; `invite MATCH --seat arbiter` gives the office to a client"
        )
    kept = read_secrets(context.address).get(EVERY_MATCH, {}).get(ARBITER, "")
    given = context.settings.token or kept or owner_secret()
    if not given:
        raise usage("the arbiter's seat is taken with an invitation or a capability: name it with --token")
    taken = take_seat(context, match, ARBITER, name, has_links=False, invitation=given)
    arbiter = context.client.state(match).table.arbiter
    if arbiter is not None and arbiter.capability == credential(given):
        keep_secret(context.address, EVERY_MATCH, ARBITER, given)
    shown = taken if arbiter is None else replace(taken, name=arbiter.name)
    context.print_result(shown, [f"{match}: you are the arbiter, and the log says so"])


def hold_office(context: Context, match: MatchId, name: str) -> None:
    """Be the arbiter of another match too, if this user has a capability for all matches of the server; otherwise leave the office as it is."""
    known = read_secrets(context.address) if context.address else {}
    capability = known.get(EVERY_MATCH, {}).get(ARBITER, "")
    if capability and ARBITER not in known.get(match, {}):
        with suppress(RequestFailed):
            take_seat(context, match, ARBITER, name, has_links=False, invitation=capability)


def keep_seats(context: Context, match: MatchId, fork: MatchId, maker: Seat) -> None:
    """Keep the secret with which a fork was made for the seats of the fork that it proves, and for the office; the operator needs none."""
    secret = read_secrets(context.address).get(match, {}).get(maker, "") if context.address else ""
    if not secret:
        return
    table = context.client.state(fork).table
    for seat in (*table.seats, ARBITER):
        if proves(table, seat, secret):
            keep_secret(context.address, fork, seat, secret)
            context.client.add_token(fork, seat, secret)


def take_seat(
    context: Context, match: MatchId, seat: Seat, name: str, *, has_links: bool, invitation: str = ""
) -> SeatShape:
    """Take a seat; on a server keep the secret that proves it.

    On the store nobody holds a chain of links: it would be lost with this process.

    Raises:
        UserError: This user is or was the arbiter of the match.
        RequestFailed: The seat is not given.
    """
    if seat != ARBITER:
        _refuse_arbiter(context, match)
    with secret_kept(context.address, match, seat) if context.address else nullcontext("") as secret:
        try:
            taken = context.client.take_seat(
                match,
                seat,
                name,
                share=has_links and bool(context.address),
                sign=bool(context.address),
                secret=secret,
                invitation=invitation,
            )
        except RequestFailed as error:
            raise _explained(error) from None
    return SeatShape(match=match, seat=seat, seq=taken.seq, name=name, is_taken=True, began=taken.began)


def _explained(error: RequestFailed) -> Exception:
    """Return the error of a request, with the option that holds what is missing."""
    option = _OPTIONS.get(error.reply.refusal)
    if option is None:
        return error
    return RequestFailed(replace(error.reply, message=f"{error.reply.message.rstrip('.')}, with {option}."))


def leave(context: Context, match: str, seat: str) -> None:
    """Leave a seat, and forget its secret.

    Raises:
        UserError: There is no such match.
        RequestFailed: The secret does not prove the seat, or it is free.
    """
    known = named_match(context, parse_whole(match), seat)
    left = context.client.leave(known, Seat(seat))
    if context.address:
        keep_secret(context.address, known, Seat(seat), "")
    began = context.client.state(known).table.began
    shape = SeatShape(match=known, seat=Seat(seat), seq=left.seq, name="", is_taken=False, began=began)
    context.print_result(shape, [f"{known}: the seat {seat} is free"])
