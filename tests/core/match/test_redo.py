"""The line of commands that a seat can put back, commit by commit."""

from core.match.redo import next_command, undone_line
from events.codec import Raw, encode
from events.commit import Commit
from events.ids import Digest, MatchId, PieceId, PlaceId, RuleId, Seat
from events.vocabulary import CommandsUndone, DiceRolled, Event, ItemPicked, NoteAdded, PieceMoved
from tests.support.rows import each_row
from tests.support.skirmish import BLUE, RED

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


@each_row(
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
