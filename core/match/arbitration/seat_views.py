"""Views of a seat by the arbiter, which are on record before they are shown; the rule is in `core/game_files/match_rules.toml`."""

from core.engine.command import MatchOwnCommand
from core.engine.draft import Draft
from core.match.arbiter_commands import OFFICE
from core.refusal import Refusal
from events.ids import ARBITER, RuleId, Seat
from events.vocabulary import SeatViewed
from projections.state.view import log_number, seat_number

VIEWS = RuleId("match.views")


class ViewSeat(MatchOwnCommand, frozen=True, kw_only=True, tag="match:view-seat"):
    """Look at the match as a seat saw it after its event `at`, in the seat's own numbers; everybody is told."""

    seat: Seat
    at: int


def view_seat(draft: Draft, seat: Seat, command: ViewSeat) -> Refusal | None:
    """Record whose view the arbiter looks at, or return the refusal; then the draft must be discarded."""
    table = draft.table
    if seat != ARBITER:
        return Refusal("seat_must_be_arbiter", OFFICE, "Only the arbiter looks at what another seat saw.")
    if command.seat not in table.seats:
        seats = ", ".join(table.seats)
        return Refusal("seat_must_exist", VIEWS, f"There is no seat {command.seat!r} in this match; it has: {seats}.")
    last = seat_number(table, command.seat, table.seq)
    if not 1 <= command.at <= last:
        said = f"The seat {command.seat} has seen no event {command.at}; the last is {last}."
        return Refusal("event_must_be_seen", VIEWS, said)
    name = "" if table.arbiter is None else table.arbiter.name
    at = log_number(table, command.seat, command.at)
    draft.emit(SeatViewed(rule=VIEWS, seat=command.seat, at=at, name=name))
    return None
