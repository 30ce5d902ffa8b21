"""Finds matches that are named on the command line, in the store or on a server, and views of them."""

from cli.shell.arguments import parse_point
from cli.shell.context import Context
from cli.shell.exit_codes import usage
from cli.views.match_view import MatchView
from cli.views.stored_match import StoredMatch
from core.history.match_reader import find_match
from core.suggestions import unknown
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from projections.state.view import log_number, seat_number


def named_match(context: Context, text: str, seat: str = "", *, is_own: bool = False) -> MatchId:
    """Return the match that is named by its id or the beginning of it, in the store or on the server.

    Args:
        context: The run of the verb.
        text: The match without a number.
        seat: The seat that a typed secret proves.
        is_own: Whether it is one in which this user has a seat, if only one of those begins like this.

    Raises:
        UnknownMatch: The store has no such match.
        UserError: The server has no such match, or several begin like this.
    """
    if not context.address:
        return find_match(context.log, text)
    from cli.shell.remote import match_on
    from cli.shell.seat_secrets import read_secrets
    from cli.views.kept_evidence import keep_afterwards

    match, known = MatchId(text), read_secrets(context.address)
    own = [one for one in known if one.startswith(text)] if is_own and text else []
    # The server need not be asked for a whole id that is known here.
    if len(own) == 1:
        match = own[0]
    elif text not in known:
        found = match_on(context.client, text)
        match = found.match
        context.found[match] = found
    context.add_secrets(match, Seat(seat))
    keep_afterwards(context, match)
    return match


def arbiters_point(context: Context, text: str, seat: str) -> str:
    """Return MATCH@SEQ in the log's own numbers, which the arbiter sees, from a point in the numbers of a seat.

    Raises:
        UserError: There is no such seat, or it has not seen so many events.
        RequestFailed: This client is not the arbiter.
    """
    prefix, number = parse_point(text)
    whole = view_match(context, prefix, ARBITER)
    table = whole.table(whole.last)
    seats = [*map(str, table.seats), PUBLIC]
    if seat not in seats:
        raise usage(unknown("seat of this match", seat, seats), "unknown_seat")
    last = seat_number(table, Seat(seat), table.seq)
    if number is None or not 1 <= number <= last:
        raise usage(f"{seat} has seen the events 1 to {last}: name one of them as MATCH@SEQ", "unknown_sequence")
    return f"{whole.match}@{log_number(table, Seat(seat), number)}"


def view_match(context: Context, text: str, seat: str) -> MatchView:
    """Look at MATCH or MATCH@SEQ as a seat sees it, in the store or on the server."""
    prefix, number = parse_point(text)
    match = named_match(context, prefix, seat)
    if not context.address:
        return StoredMatch(context.log, match, Seat(seat), number, context.echo_err)
    from cli.views.served_match import view_served

    return view_served(context.client, match, Seat(seat), number, context.echo_err)


def named_at_head(context: Context, match: str, seat: str = "", *, is_own: bool = False) -> MatchId:
    """Return the match that is named, without reading it.

    Raises:
        UnknownMatch: There is no such match.
        UserError: An earlier point was named.
    """
    prefix, seq = parse_point(match)
    if seq is not None:
        raise usage("this works at the latest event only; `wardiary fork` opens a new match at an earlier one")
    return named_match(context, prefix, seat, is_own=is_own)


def own_seat(context: Context, match: MatchId) -> Seat:
    """Return the seat of this user that is meant in a match of a server: the only one, the one that decides, or any while play waits to begin.

    Only of several seats does it depend on the match, which is then looked at.

    Returns:
        The seat, or `public` if this user has no seat in the match.

    Raises:
        UserError: The user has several seats, and none of them is to decide.
    """
    from cli.shell.remote import match_on
    from cli.shell.seat_secrets import read_secrets
    from cli.views.option_words import waits_to_begin
    from core.telling.phrases import listed

    seats = [seat for seat in read_secrets(context.address).get(match, {}) if seat != ARBITER]
    if len(seats) < 2:
        return seats[0] if seats else PUBLIC
    # As it was found, at first: a later command of the same run finds it as it is by then.
    known = context.found.pop(match, None) or match_on(context.client, match)
    if known.to_move in seats:
        return known.to_move
    if not waits_to_begin(known):
        raise usage(f"you have the seats {listed(seats)}, and none of them is to decide: name one with --seat")
    return seats[0]


def only_seat(context: Context, match: MatchId) -> str:
    """Return the seat that this user has, or that the match has on the store.

    Raises:
        UserError: There is none, or there are several.
    """
    from cli.shell.seat_secrets import read_secrets

    own = read_secrets(context.address).get(match, {}) if context.address else context.client.state(match).table.seats
    if not own:
        raise usage(f"you have no seat in match {match}: `sit` takes one", "not_your_seat")
    if len(own) > 1:
        raise usage(f"name with --seat which of your seats it is: {', '.join(own)}")
    return next(iter(own))
