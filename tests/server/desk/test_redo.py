"""A seat puts back what it has taken back, as long as nothing else was decided since."""

import pytest

from core.audit.match_audit import audit_match
from core.match.redo import next_command, undone_line
from events.codec import Raw, encode
from events.commit import Commit
from events.ids import ARBITER, Digest, MatchId, PieceId, PlaceId, RuleId, Seat
from events.vocabulary import CommandsUndone, DiceRolled, Event, ItemPicked, NoteAdded, PieceMoved
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


# The line, commit by commit

RULE = RuleId("1.rule")
MOVED = PieceMoved(rule=RULE, piece=PieceId("a"), was=PlaceId("x"), to=PlaceId("y"))
ROLLED = DiceRolled(rule=RULE, faces=(1,), purpose="x")


def committed(number: int, act: tuple[Seat, str, Event]) -> Commit:
    """Return the commit of one event."""
    by, command, event = act
    return Commit(
        match=MatchId("m"),
        first=number,
        prev=Digest(""),
        at=0,
        seat=by,
        key=str(number),
        command=Raw(encode(command)),
        events=(event,),
    )


def line(*acts: tuple[Seat, str, Event], seat: Seat = RED) -> list[str]:
    """Return the commands that a seat can put back after commits of one event each."""
    commits = [committed(number, act) for number, act in enumerate(acts, start=1)]
    return [bytes(one.command).decode() for one in undone_line(commits, seat)]


def back(to: int, seat: Seat = RED) -> tuple[Seat, str, Event]:
    return (seat, "back", CommandsUndone(rule=RULE, seat=seat, to=to))


A, B, C = ((RED, name, MOVED) for name in "abc")
PICK = (RED, "pick", ItemPicked(rule=RULE, item="i", seen_by=(RED,)))
FOREIGN_PICK = (BLUE, "pick", ItemPicked(rule=RULE, item="i", seen_by=(BLUE,)))


@pytest.mark.parametrize(
    ("acts", "left"),
    [
        ([A, B], []),
        ([A, B, back(1)], ["b"]),
        ([A, B, back(0)], ["a", "b"]),
        ([A, B, back(1), back(0)], ["a", "b"]),
        ([A, B, back(0), A], ["b"]),
        ([A, B, back(0), A, back(0)], ["a", "b"]),
        ([A, B, back(0), C], []),
        ([A, B, back(0), C, back(3)], ["c"]),
        ([A, B, back(0), (BLUE, "note", NoteAdded(rule=RULE, seat=BLUE, text="x"))], ["a", "b"]),
        ([A, B, back(0), (BLUE, "a", MOVED)], []),
        ([A, B, back(0), FOREIGN_PICK], ["a", "b"]),
        ([A, (RED, "roll", ROLLED), B, back(2)], ["b"]),
        ([A, back(0), (RED, "roll", ROLLED)], []),
        ([A, PICK, B, back(0)], ["a", "pick", "b"]),
    ],
)
def test_the_line_follows_what_was_taken_back_and_played_again(
    acts: list[tuple[Seat, str, Event]], left: list[str]
) -> None:
    assert line(*acts) == [f'"{command}"' for command in left]


def test_secret_picks_are_put_back_with_the_command_that_follows_them() -> None:
    acts: list[tuple[Seat, str, Event]] = [PICK, PICK, B, C]
    commits = [committed(number, act) for number, act in enumerate(acts, start=1)]

    assert len(next_command(commits)) == 3
    assert len(next_command(commits[3:])) == 1
    assert next_command([]) == []
