"""A position opens at a moment of its game: turn, phase, side, seat, mode and decision are checked alike in every game."""

from core.positions.position import Position, parse_position
from core.positions.position_checks import Openings, opening_defects
from events.ids import Seat, Side
from tests.support.rows import each_row

OPENINGS = Openings(
    rounds=range(3, 6),
    phases=("supply", "combat"),
    sides=(Side("red"),),
    seats=(Seat("anna"),),
    decisions={"buy": "supply", "fight": "combat"},
)


def position(text: str) -> Position:
    return parse_position(f'format = "wardiary-position/1"\ngame = "skirmish"\n{text}')


@each_row(
    ("text", "defect"),
    [
        ("round = 6", "turn 6 is not one of this scenario, 3 to 5"),
        ('phase = "dawn"', "no phase in which a position can open is called 'dawn'; there are: supply, combat"),
        ('turn = "blue"', "no side that can have the turn is called 'blue'; there is: red"),
        ('turn_seat = "bert"', "no seat that can have the turn is called 'bert'; there is: anna"),
        ('mode = "blind"', "no mode of this game is called 'blind'; there are none"),
        ('decision = { kind = "ponder" }', "no decision with which a position can open is called 'ponder'; there are:"),
        ('decision = { kind = "buy", seat = "bert" }', "no seat that decides is called 'bert'; there is: anna"),
        ('phase = "combat"\ndecision = { kind = "buy" }', "decision buy belongs to the phase supply"),
    ],
)
def test_each_defect_of_the_moment_is_named(text: str, defect: str) -> None:
    (found,) = opening_defects(position(text), OPENINGS)

    assert found.problem.startswith(defect)


def test_what_is_left_out_is_no_defect() -> None:
    assert list(opening_defects(position(""), OPENINGS)) == []
    assert list(opening_defects(position('round = 3\nphase = "supply"\ndecision = { kind = "buy" }'), OPENINGS)) == []
