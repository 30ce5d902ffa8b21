"""Since when a match waits: for whom is seen on the table, the rest by the times of the commits."""

import pytest

from core.history import waiting_time
from core.history.waiting_time import waiting
from core.match.live_match import Prepared
from events.codec import encode
from events.ids import ARBITER, Seat
from events.log import Appended
from projections.catalogue import NOT_WAITING, Waiting
from tests.support.desk import Desk

RED, BLUE = Seat("red"), Seat("blue")
HASH = "ab" * 32


def at(desk: Desk, ms: int, command: object, seat: Seat | None = None) -> None:
    """Play a command at a time."""
    top = desk.table.top
    asker = seat or (ARBITER if top is None else top.seat)
    done = desk.match.prepare(asker, encode(command), key=f"at-{ms}-{desk.match.head.seq}", at=ms)
    assert isinstance(done, Prepared), done
    assert isinstance(desk.log.append([done.new])[0], Appended)
    desk.match.adopt(done)


def of(desk: Desk) -> Waiting:
    return waiting(desk.log, desk.match.id, desk.table)


def note(text: str = "x", **more: object) -> dict[str, object]:
    return {"do": "match:note", "text": text, **more}


def running() -> Desk:
    desk = Desk.open()
    at(desk, 1_000, desk.options()[0])
    assert desk.table.top is not None
    return desk


def test_a_match_waits_since_the_last_command_of_the_game() -> None:
    desk = running()

    assert of(desk) == Waiting(1_000)
    assert of(desk).waited_ms(5_000) == 4_000
    assert of(Desk.open(seats=())) == NOT_WAITING


def test_what_is_beside_the_game_makes_no_difference() -> None:
    desk = running()
    for number in range(70):
        at(desk, 2_000 + number, note(private=number % 2 == 0), RED)
    at(desk, 3_000, {"do": "match:ruling", "text": "x"}, ARBITER)

    assert of(desk) == Waiting(1_000)


def test_the_time_of_pauses_does_not_count() -> None:
    desk = running()
    for begin, end in ((2_000, 2_500), (4_000, 7_000)):
        at(desk, begin, {"do": "match:pause", "reason": "x"}, ARBITER)
        at(desk, end, {"do": "match:resume"}, ARBITER)

    assert of(desk) == Waiting(1_000 + 500 + 3_000)

    at(desk, 9_000, {"do": "match:pause", "reason": "x"}, ARBITER)

    assert of(desk) == Waiting(4_500, 9_000)
    assert of(desk).waited_ms(1_000_000) == 4_500


def test_a_newcomer_is_waited_for_since_the_seat_was_taken() -> None:
    desk = running()
    assert desk.table.top is not None
    mover = desk.table.top.seat
    other = BLUE if mover == RED else RED
    for seat in (other, mover):
        at(desk, 5_000, {"do": "match:replace-player", "seat": seat, "credential": HASH, "reason": "x"}, ARBITER)
    take = {"do": "match:take-seat", "invitation": HASH}
    at(desk, 6_000, {**take, "seat": other}, other)

    assert of(desk) == Waiting(1_000)

    at(desk, 7_000, {**take, "seat": mover}, mover)

    assert of(desk) == Waiting(7_000)


@pytest.mark.parametrize(("notes", "since"), [(3, 1_000), (4, 2_000), (5, 2_001)])
@pytest.mark.interpreted
def test_a_flood_of_notes_is_not_read_to_its_end(notes: int, since: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search passes as many events as the limit says, and ends with the first one more."""
    monkeypatch.setattr(waiting_time, "PUBLIC_EVENTS_MAX", 3)
    desk = running()
    for number in range(notes):
        at(desk, 2_000 + number, note(), RED)

    assert of(desk) == Waiting(since)
