"""Views of a seat by the arbiter, which are events of the match."""

from core.match.arbitration.seat_views import ViewSeat
from core.refusal import Refusal
from events.ids import ARBITER, Seat
from events.vocabulary import DiceRolled, SeatViewed
from projections.state.view import seen_events
from tests.support.desk import Desk
from tests.support.skirmish import Roll

RED, BLUE = Seat("red"), Seat("blue")


def test_everybody_is_told_who_looked_at_what_in_their_own_numbers() -> None:
    desk = Desk.open()
    desk.accept({"do": "match:note", "text": "mine", "private": True}, RED)
    desk.accept({"do": "match:note", "text": "for all"}, RED)
    at = desk.table.seq
    desk.accept(ViewSeat(seat=RED, at=at), ARBITER)

    seen = {seat: list(seen_events(desk.events, seat))[-1] for seat in (RED, BLUE, ARBITER)}
    assert {seat: event.at for seat, event in seen.items() if isinstance(event, SeatViewed)} == {
        RED: at,
        BLUE: at - 1,
        ARBITER: at,
    }
    assert desk.audit().clean


def test_only_the_arbiter_looks_at_a_seat_and_only_at_what_it_has_seen() -> None:
    desk = Desk.open()
    refused = [
        desk.ask(ViewSeat(seat=BLUE, at=1), RED),
        desk.ask(ViewSeat(seat=Seat("green"), at=1), ARBITER),
        desk.ask(ViewSeat(seat=BLUE, at=desk.table.seq + 1), ARBITER),
        desk.ask(ViewSeat(seat=BLUE, at=0), ARBITER),
    ]

    assert [answer.code for answer in refused if isinstance(answer, Refusal)] == [
        "seat_must_be_arbiter",
        "seat_must_exist",
        "event_must_be_seen",
        "event_must_be_seen",
    ]


def test_a_look_changes_no_dice() -> None:
    plain, looked = Desk.open(), Desk.open()
    looked.accept(ViewSeat(seat=RED, at=3), ARBITER)
    rolls = []
    for desk in (plain, looked):
        desk.accept(Roll())
        rolls.append([event.faces for event in desk.events if isinstance(event, DiceRolled)])

    assert rolls[0] == rolls[1] != []
