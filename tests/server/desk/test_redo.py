"""A seat puts back what it has taken back, as long as nothing else was decided since."""

import pytest

from core.audit.match_audit import audit_match
from events.codec import Raw, encode
from events.ids import ARBITER, Seat
from projections.diff import diff_tables
from server.protocol.replies import PlayedReply
from server.protocol.wire import RedoRequest
from tests.support.sitting import Sitting
from tests.support.skirmish import BLUE, RED

HIDE = Raw(b'{"do":"hide"}')
HIDE_AT = Raw(b'{"do":"hide-at","place":"camp"}')
UNDO = Raw(b'{"do":"match:undo"}')
NOTE = Raw(b'{"do":"match:note","text":"hm"}')


@pytest.fixture
def sitting() -> Sitting:
    """A match in fog; it is red's turn, and red has decided twice."""
    made = Sitting(options={"fog": True})
    made.play(HIDE)
    made.play(HIDE_AT)
    return made


def redo(sitting: Sitting, seat: Seat = RED, *, everything: bool = False, key: str = "") -> RedoRequest:
    return RedoRequest(match=sitting.match, seat=seat, token=sitting.tokens[seat], everything=everything, key=key)


def is_as_before(sitting: Sitting, seq: int) -> bool:
    """Return whether the table is as after an earlier event."""
    return diff_tables(sitting.state(ARBITER, seq).table, sitting.state(ARBITER).table).is_empty


def test_a_seat_puts_its_commands_back_one_by_one(sitting: Sitting) -> None:
    seq = sitting.state(ARBITER).seq
    first = [encode(event) for slice_ in sitting.since(RED).slices for event in slice_.events]
    sitting.play(UNDO)
    sitting.play(UNDO)
    sitting.play(NOTE, BLUE)
    one = sitting.ask(redo(sitting), PlayedReply)
    two = sitting.ask(redo(sitting), PlayedReply)
    again = [encode(event) for reply in (one, two) for slice_ in reply.slices for event in slice_.events]

    assert again == first[-len(again) :]
    assert is_as_before(sitting, seq)
    assert sitting.fail(redo(sitting)) == "not_possible"
    assert not audit_match(sitting.log, sitting.match).findings


def test_what_can_be_put_back_is_told_with_the_options(sitting: Sitting) -> None:
    told = [sitting.legal(RED).can_redo]
    sitting.play(UNDO)
    told += [sitting.legal(RED).can_redo, sitting.legal(BLUE).can_redo]
    sitting.ask(redo(sitting), PlayedReply)
    told += [sitting.legal(RED).can_redo]
    sitting.play(UNDO)
    sitting.play(HIDE_AT)
    told += [sitting.legal(RED).can_redo]

    assert told == [False, True, False, False, False]


@pytest.mark.parametrize("is_one_by_one", [True, False])
def test_a_seat_puts_everything_back_at_once(sitting: Sitting, *, is_one_by_one: bool) -> None:
    seq = sitting.state(ARBITER).seq
    first = sitting.since(RED).slices[-2].first
    for back in (UNDO, UNDO) if is_one_by_one else (Raw(encode({"do": "match:undo", "to": first - 1})),):
        sitting.play(back)
    reply = sitting.ask(redo(sitting, everything=True, key="k"), PlayedReply)
    repeated = sitting.ask(redo(sitting, everything=True, key="k"), PlayedReply)

    assert is_as_before(sitting, seq)
    assert (repeated.slices, repeated.repeated, reply.left) == (reply.slices, True, 0)


@pytest.mark.parametrize("other", [Raw(b'{"do":"roll"}'), Raw(b'{"do":"omen"}')])
def test_nothing_is_put_back_after_another_decision(sitting: Sitting, other: Raw) -> None:
    sitting.play(UNDO)
    sitting.play(UNDO)
    sitting.play(other)

    assert sitting.fail(redo(sitting)) == "not_possible"


def test_only_the_seat_itself_puts_its_commands_back(sitting: Sitting) -> None:
    sitting.play(UNDO)

    assert sitting.fail(redo(sitting, BLUE)) == "not_possible"
    assert sitting.fail(RedoRequest(match=sitting.match, seat=RED)) == "not_your_seat"
    assert sitting.fail(RedoRequest(match=sitting.match)) == "not_your_seat"


def test_what_was_put_back_by_hand_is_not_put_back_again(sitting: Sitting) -> None:
    seq = sitting.state(ARBITER).seq
    sitting.play(UNDO)
    sitting.play(UNDO)
    sitting.play(HIDE)
    sitting.ask(redo(sitting), PlayedReply)

    assert is_as_before(sitting, seq)
