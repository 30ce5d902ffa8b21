"""The format of position files: what is read, and how defects are named."""

from pathlib import Path

import pytest

from core.chance.chance_sources import ManualChance
from core.engine.draft import Draft
from core.errors import SetupInvalid
from core.positions.position import FORMAT, Outcome, PlacedPiece, Question, Step, parse_position, put_markers
from events.ids import MarkerId, RuleId
from projections.state.table import Table
from tests.core.test_positions import FILES
from tests.support.rows import each_row

HEAD = f'format = "{FORMAT}"\ngame = "skirmish"\n'


def test_a_file_with_only_format_and_game_is_a_position() -> None:
    position = parse_position(HEAD)

    assert (position.game, position.pieces, position.decision, position.steps) == ("skirmish", (), None, ())


def test_every_field_of_a_position_is_read() -> None:
    position = parse_position(
        HEAD
        + """
scenario = "field"
options = { fog = true, speed = 3, omens = ["comet"], bug = "none" }
round = 4
turn = "red"
phase = "turn of red"
tracks = { "score/red" = 5 }
pieces = [{ id = "red-flag", place = "camp", kind = "flag", side = "red", face = "comet", steps = 2 }]
control = { field = "red" }
markers = { red-flag = { glory = 2 } }
piles = { deck = ["card-1"] }
decision = { kind = "reply", seat = "blue", arguments = { amount = 7, about = ["red-flag"] } }

[[steps]]
command = { do = "reply", contest = true }
seat = "blue"
dice = [3]
draws = ["card-1"]
expect = [{ event = "dice-rolled", faces = [3] }]
absent = [{ event = "card-drawn" }]
[steps.after]
tracks = { "score/red" = 5 }
legal = [{ do = "roll" }]

[[steps]]
command = { do = "fly" }
refused = "answer_must_fit"
"""
    )

    assert position.options == {"fog": True, "speed": 3, "omens": ("comet",), "bug": "none"}
    assert position.pieces == (PlacedPiece("red-flag", "camp", "flag", "red", "comet", 2),)  # type: ignore[arg-type]
    assert position.decision == Question("reply", "blue", {"amount": 7, "about": ("red-flag",)})  # type: ignore[arg-type]
    assert position.steps[0].after == Outcome(tracks={"score/red": 5}, legal=({"do": "roll"},))  # type: ignore[dict-item]
    assert position.steps[1] == Step({"do": "fly"}, refused="answer_must_fit")


@each_row(
    ("text", "words"),
    [
        ("", "it must say format"),
        ("{}", "not valid TOML"),
        ("\x00", "not valid TOML"),
        ('format = "wardiary-position/2"\ngame = "skirmish"', "it must say format"),
        (f'format = "{FORMAT}"', "missing required field `game`"),
        (HEAD + 'game = "again"', "not valid TOML"),
        (HEAD + "colour = 3", "unknown field `colour`"),
        (HEAD + 'round = "three"', "$.round"),
        (HEAD + "round = 2.5", "$.round"),
        (HEAD + "tracks = { morale = true }", "$.tracks"),
        (HEAD + "pieces = [{ id = 3, place = 'x' }]", "$.pieces[0].id"),
        (HEAD + "pieces = [{ id = 'x' }]", "$.pieces[0]"),
        (HEAD + "pieces = [{ id = 'x', place = 'y', colour = 'red' }]", "colour"),
        (HEAD + "options = { when = 1942-09-13 }", "$.options"),
        (HEAD + "options = { x = { y = 1 } }", "$.options"),
        (HEAD + "[[steps]]\ndice = [1]", "$.steps[0]"),
        (HEAD + "[[steps]]\ncommand = {}\n[steps.after]\nmood = 'bad'", "mood"),
        (HEAD + "x = " + "[\n" * 10_000, "there are more than 20 levels of brackets"),
        (HEAD + "x = " + "9" * 10_000, "the line has 10004 characters"),
        (HEAD + "round = " + "9" * 1_000, "a number is too large"),
        (HEAD + "round = 1001", "round is 1001; it can be -1000 to 1000"),
        (HEAD + "tracks = { morale = -1001 }", "track morale is -1001"),
        (HEAD + "markers = { x = { spent = 1001 } }", "marker spent on x is 1001"),
        (HEAD + "attributes = { x = { left = 1001 } }", "attribute left of x is 1001"),
        (HEAD + "attributes = { x = { left = 1.5 } }", "$.attributes"),
        (
            HEAD + "[attributes]\nx = { moved = [" + "'y',\n" * 998 + "'y'] }",
            "the position has 1001 attributes; at most 1000",
        ),
        (
            HEAD + "[markers]\n" + "".join(f"x{number} = {{ spent = 1 }}\n" for number in range(501)),
            "the position has 1002 markers; at most 1000",
        ),
        (
            HEAD + "[attributes]\n" + "".join(f"x{number} = {{ left = 1 }}\n" for number in range(501)),
            "the position has 1002 attributes; at most 1000",
        ),
        (HEAD + "pieces = [{ id = 'x', place = 'y', steps = 1001 }]", "steps of piece x is 1001"),
        (HEAD + "pieces = [" + "{ id = 'x', place = 'y' },\n" * 501 + "]", "the position has 501 pieces; at most 500"),
        (HEAD + "[piles]\nx = [" + "'x',\n" * 500 + "]", "the position has 501 piles and cards; at most 500"),
        ("format = '" + "\u0430" * 1_900 + "'", "it must say format"),
    ],
)
def test_an_invalid_position_is_refused_in_one_line(text: str, words: str) -> None:
    with pytest.raises(SetupInvalid) as caught:
        parse_position(text)

    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@each_row(
    ("text", "place"),
    [
        ("round = 'three'", "line 3, column 1"),
        ("\ntracks.morale = 1001", "line 4, column 1"),
        ("[tracks]\nmorale = true", "line 3, column 1"),
        ("[[pieces]]\nid = 'x'\nplace = 'y'\n[[pieces]]\nid = 'z'\nplace = 3", "line 8, column 1"),
        ("[[pieces]]\nid = 'x'\nplace = 'y'\n  colour = 'red'", "line 6, column 3"),
        ("colour = 3", "line 3, column 1"),
        ("[[pieces]]\nid = 'x'\nplace = 'y'\nseen_by = ['red']", "line 6, column 1"),
        ("[markers]\nx = { spent = 1001 }", "line 4, column 7"),
    ],
)
def test_what_is_wrong_with_a_position_is_told_with_its_line(text: str, place: str) -> None:
    with pytest.raises(SetupInvalid) as caught:
        parse_position(HEAD + text)

    assert str(caught.value).startswith(f"the position, {place}: ")


@each_row("path", FILES)
def test_a_truncated_position_file_is_refused(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    broken = text[: text.rindex("=") + 1]
    with pytest.raises(SetupInvalid, match="not valid TOML") as caught:
        parse_position(broken)

    assert "\n" not in str(caught.value)


def test_markers_are_placed_as_stated_and_none_where_none_is_counted() -> None:
    draft = Draft(Table(), ManualChance())
    put_markers(draft, {"hill": {MarkerId("smoke"): 2, MarkerId("fire"): 0}}, RuleId("1.position"))

    assert draft.table.markers == {"hill": {"smoke": 2}}
