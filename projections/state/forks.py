"""The part of the fold that applies the event of a fork: its dice, and what it hides from all seats."""

from bisect import bisect_left

from events.codec import replace
from events.ids import ARBITER
from events.vocabulary import ChanceScheme, MatchForked
from projections.state.chosen_faces import ChosenFaces, chosen_on
from projections.state.limits import Limit
from projections.state.links import links_of
from projections.state.offices import Invitation
from projections.state.table import Table

RESAMPLE = "resample"
"""The treatment of secrets in a fork that deals them again; see `MatchForked`."""


def match_forked(table: Table, event: MatchForked) -> None:
    """Begin a fork: its own dice and seats, and the limits of what they may see."""
    chosen = table.chosen_faces
    if event.chance != carried_on(table.chance):
        chosen = None
        table.dice_from = event.at + 1
        table.links = links_of(event.chance)
    elif event.at >= table.seq:
        # The fork cuts a commit and repeats its outcomes, whose numbers are one higher.
        table.dice_from += 1
    else:
        table.dice_from = min(table.dice_from, table.seq)
    # An invitation opens a seat once, so it opens none in a fork, but for that of who made it.
    table.reserved = {seat: Invitation(event.name, event.credential) for seat in event.reserved}
    table.paused = None
    table.keys, table.keys_from = {}, event.at + 1
    table.parent = event.parent
    table.chance = event.chance
    # Before play begins the seats stay as they are, because the command that begins play may be decided again.
    if table.began:
        table.players = {}
        table.former = {}
        table.credentials = dict.fromkeys(event.reserved, event.credential)
        # An undisclosed standing answer does not bind the player of that seat in the fork.
        table.standing = ()
    table.chosen_faces = ChosenFaces(event.at + 1, event.faces) if event.faces else chosen_on(chosen)
    # They are disclosed in the parent when it is over; the fork may end before that.
    table.undisclosed_answers = ()
    table.private_notes = {}
    # The parent's disputes are settled there.
    table.disputes = ()
    limit = limit_of(event, table.seq - 1)
    if limit is not None:
        _limit(table, limit)


def carried_on(chance: ChanceScheme) -> ChanceScheme:
    """Return the source of dice of a fork that continues its parent's: the same, not counting the forking event."""
    return replace(chance, shift=chance.shift + 1)


def limit_of(event: MatchForked, upto: int) -> Limit | None:
    """Return which events a fork hides from all seats, or None if the arbiter forked, who sees all.

    Args:
        event: The event that made it a fork.
        upto: The number of the event before it.
    """
    return None if event.seat == ARBITER else Limit(upto, event.seat, event.hidden == RESAMPLE)


def limited_by(limits: tuple[Limit, ...], limit: Limit) -> tuple[Limit, ...]:
    """Return limits with a later one added, which replaces an earlier one of its kind.

    So there is at most one limit of each kind, however many forks precede the match.
    """
    others = [one for one in limits if one.seat != limit.seat or (one.is_whole and not limit.is_whole)]
    return (*others, limit)


def _limit(table: Table, limit: Limit) -> None:
    """Hide from all seats which shared events the forking seat could not see."""
    seat = limit.seat
    table.limits = limited_by(table.limits, limit)
    known = table.private_events_of.get(seat, ())
    others = {other: both for other, theirs in table.private_events_of.items() if (both := _common(theirs, known))}
    table.private_events_of = {**others, seat: known} if known else others
    table.standing = tuple([standing for standing in table.standing if standing.seat == seat])
    pickers = table.stack[-1].picks_seen_by if table.stack else None
    if pickers is not None and seat not in pickers:
        table.stack = (*table.stack[:-1], table.stack[-1].with_picks(()))


def _common(numbers: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...]:
    """Return the numbers that are among others, both ascending."""
    return tuple([one for one in numbers if (at := bisect_left(others, one)) < len(others) and others[at] == one])
