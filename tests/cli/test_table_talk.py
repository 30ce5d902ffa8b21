"""Notes, rulings and standing answers as verbs."""

import json

import pytest

from tests.cli.running import Terminal

CONTEST = '{"do":"reply","contest":true}'


def seats_of(terminal: Terminal, match: str) -> tuple[str, str]:
    """Return the seat that is to decide, and the other one."""
    (shape,) = terminal.done("legal", match, "--json").objects
    return ("red", "blue") if shape["seat"] == "red" else ("blue", "red")


def event_of(shape: dict[str, object]) -> dict[str, object]:
    """Return the only event of what was played."""
    (entry,) = json.loads(json.dumps(shape["events"]))
    assert isinstance(entry["event"], dict)
    return entry["event"]


def test_a_note_is_for_all_seats(terminal: Terminal, skirmish: str) -> None:
    ran = terminal.done("note", skirmish, "A close game.", "--seat", "red")

    assert "Note by Red (Ada): A close game." in ran.out
    assert "Note by Red (Ada): A close game." in terminal.done("log", skirmish, "--seat", "blue").out


def test_a_private_note_is_for_its_seat_alone(terminal: Terminal, skirmish: str) -> None:
    (shape,) = terminal.done("note", skirmish, "A bluff.", "--seat", "red", "--private", "--json").objects

    assert (shape["shape"], shape["seat"], event_of(shape)["seen_by"]) == ("played", "red", ["red"])
    assert "A bluff." in terminal.done("log", skirmish, "--seat", "red").out
    assert "A bluff." not in terminal.done("log", skirmish, "--seat", "blue").out


def test_the_arbiter_rules_on_a_point_also_after_the_end(terminal: Terminal, skirmish: str) -> None:
    terminal.done("choose", skirmish, "resign", "--seat", "red")
    ran = terminal.done("ruling", skirmish, "The roll stands.", "--rule", "2.reply")
    (shape,) = terminal.done("ruling", skirmish, "So does the other.", "--json").objects

    assert "Ruling on 2.reply: The roll stands." in ran.out
    assert (shape["shape"], shape["seat"]) == ("played", "arbiter")
    assert "about" not in event_of(shape)


def test_a_standing_answer_is_played_for_its_seat(terminal: Terminal, skirmish: str) -> None:
    asked, other = seats_of(terminal, skirmish)
    (given,) = terminal.done("answer", skirmish, "reply", CONTEST, "--seat", other, "--json").objects
    (played,) = terminal.done("choose", skirmish, "roll", "--json").objects

    assert (given["shape"], event_of(given)["answer"], given["to_move"]) == ("played", CONTEST, asked)
    assert "Dice for contest of" in str(played["events"])
    assert played["decision"] == "turn"


def test_a_withdrawn_standing_answer_is_not_played(terminal: Terminal, skirmish: str) -> None:
    _, other = seats_of(terminal, skirmish)
    terminal.done("answer", skirmish, "reply", CONTEST, "--seat", other)
    withdrawn = terminal.done("answer", skirmish, "reply", "off", "--seat", other)
    (played,) = terminal.done("choose", skirmish, "roll", "--json").objects

    assert "withdraws the standing answer to Reply" in withdrawn.out
    assert played["decision"] == "reply"


def test_a_standing_answer_may_end_with_the_turn(terminal: Terminal, skirmish: str) -> None:
    ran = terminal.done("answer", skirmish, "reply", CONTEST, "--seat", "red", "--until", "turn")

    assert "Red gives a standing answer to Reply until its next turn:" in ran.out


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        (["answer", "turn", CONTEST, "--seat", "red"], 5, "Decisions that allow standing answers: reply."),
        (["answer", "reply", '{"do":"nap"}', "--seat", "red"], 5, "The answer is not a command of this game"),
        (["answer", "reply", CONTEST, "--seat", "red", "--until", "dawn"], 5, "or until 'turn'"),
        (["answer", "reply", "contest", "--seat", "red"], 2, "'contest' is not valid JSON"),
        (["answer", "reply", "", "--seat", "red"], 2, "'' is not valid JSON"),
        (["answer", "reply", CONTEST], 2, "name with --seat which of your seats it is: red, blue"),
        (["note", "", "--seat", "red"], 5, "A note has 1 to 4000 characters."),
        (["note", "hello", "--seat", "green"], 2, "no seat of this match is called 'green'"),
        (["ruling", ""], 5, "A ruling has 1 to 4000 characters."),
    ],
)
def test_what_is_not_possible_is_one_line(
    terminal: Terminal, skirmish: str, line: list[str], code: int, said: str
) -> None:
    before = terminal.done("log", skirmish, "--seat", "arbiter").out
    ran = terminal(line[0], skirmish, *line[1:])

    assert (ran.code, ran.out, ran.err.count("\n")) == (code, "", 1)
    assert said in ran.err
    assert terminal.done("log", skirmish, "--seat", "arbiter").out == before
