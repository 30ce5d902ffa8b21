"""Columns, drawings of the table, films, and parsing of arguments."""

import re
from collections.abc import Sequence
from random import Random

import pytest
import typer

from cli.interface.param_types import Plain
from cli.output.columns import in_columns, wrapped
from cli.output.panel_text import panel_lines, side_by_side
from cli.output.table_text import Drawing, decision_lines
from cli.shell.arguments import parse_point
from cli.shell.context import Context
from cli.shell.exit_codes import UserError, usage
from cli.shell.settings import Settings
from cli.views.stored_match import StoredMatch
from cli.views.timeline import Timeline
from core.chance.links import OPENED_BY
from core.narration.render_model import Panel
from core.registry.games import load_game
from core.telling.names import Names
from core.telling.phrases import standing
from events.ids import ARBITER, PUBLIC, MatchId, Seat, Side
from projections.state.fold import fold
from projections.state.links import Chain, ChanceCall, Links
from projections.state.table import Ended, Open, Table
from projections.table_at import KEYFRAME_EVERY
from tests.cli.running import Terminal
from tests.support.desk import Desk
from tests.support.rows import each_row

CONTEXT = typer.Context
RED, BLUE = Seat("red"), Seat("blue")


def plain(text: str, color: str) -> str:
    return text


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert in_columns(["A", "B"], [["one", "two"], ["three", "4"]], 40) == ["A      B", "one    two", "three  4"]


def test_numbers_can_be_right_aligned() -> None:
    assert in_columns(["N", ""], [["7", "x"], ["42", "y"]], 40, right=[0]) == [" N", " 7  x", "42  y"]


@each_row(
    ("parts", "text"),
    [
        (("Turn 3", "German", "Supply Phase"), "Turn 3, German: Supply Phase"),
        (("Turn 3", "German", ""), "Turn 3, German"),
        (("Turn 3", "", "Supply Phase"), "Turn 3, Supply Phase"),
        (("", "German", "Set-Up"), "German: Set-Up"),
        (("", "", "Set-Up"), "Set-Up"),
        (("", "", ""), ""),
    ],
)
def test_where_a_match_stands_leaves_out_what_a_game_does_not_have(parts: tuple[str, str, str], text: str) -> None:
    assert standing(*parts) == text


def test_the_widest_column_shrinks_first() -> None:
    lines = in_columns(["", ""], [["key", "a long text that does not fit in here"]], 28)

    assert lines == ["key  a long text that does", "     not fit in here"]


def test_all_wide_columns_shrink_before_one_becomes_too_narrow() -> None:
    first, *_ = in_columns(["", "", ""], [["a " * 20, "b " * 20, "c"]], 43)

    assert first == f"{' '.join('a' * 10)}  {' '.join('b' * 10)}  c"


def test_without_rows_and_titles_there_are_no_lines() -> None:
    assert in_columns(["", ""], [], 40) == []


def test_a_number_stays_with_its_unit() -> None:
    lines = in_columns(["", ""], [["who waits for it", "german (Ada), 12 min"], ["x", "y"]], 34)

    assert [line[18:] for line in lines] == ["german (Ada),", "12 min", "y"]


def test_a_column_may_be_empty() -> None:
    assert in_columns(["", ""], [["a", ""], ["b", ""]], 40) == ["a", "b"]


def test_wrapped_text_is_indented_below_its_lead() -> None:
    assert wrapped("  12  ", "some words to be wrapped", 20) == ["  12  some words to", "      be wrapped"]


def test_text_after_a_long_lead_is_indented_less() -> None:
    assert wrapped("Rule of the game: ", "some words to be wrapped", 25) == [
        "Rule of the game: some",
        "    words to be wrapped",
    ]


def test_a_lead_without_text_stands_alone() -> None:
    assert wrapped("Note: ", "", 20) == ["Note: "]


def test_a_sketch_has_two_rows_for_each_height_of_its_places() -> None:
    """Two places on one height are one line, not thirty rows with a line in the first."""
    desk = Desk.open()
    drawing = Drawing(Names(desk.match.ruleset.game.narration), desk.table, 100, lambda text, _: text, is_full=False)

    assert len(drawing.sketch()) == 1


@pytest.mark.parametrize(
    ("scenario", "mode", "title"),
    [("field", "", "Skirmish: The Field"), ("night", "moon", "Skirmish: By Night, Full moon")],
)
def test_the_heading_has_the_titles_of_scenario_and_mode(
    terminal: Terminal, scenario: str, mode: str, title: str
) -> None:
    match = terminal.line(
        "new", "skirmish", "--scenario", scenario, "--dice", "seeded:1", *(["--mode", mode] if mode else [])
    )

    assert terminal.done("show", match).out.splitlines()[0] == title
    assert title.removeprefix("Skirmish: ") in terminal.done("log", match).out


@each_row("game", ["skirmish", "advance"])
def test_a_sketch_shows_every_place_once(game: str) -> None:
    desk = Desk.open(game)
    names = Names(desk.match.ruleset.game.narration)
    sketch = " ".join(Drawing(names, desk.table, 100, lambda text, _: text, is_full=False).sketch()).split()
    labels = [word.rstrip("0123456789")[:-1] if game == "skirmish" else word for word in sketch]

    assert len(sketch) == len([place for place in names.places.values() if not place.is_box])
    assert len(set(labels)) == len(labels)


def test_a_drawing_names_every_piece_on_the_table() -> None:
    desk = Desk.open("advance").play(60, Random(8))
    names = Names(desk.match.ruleset.game.narration)
    text = "\n".join(Drawing(names, desk.table, 100, lambda text, _: text, is_full=False).lines())
    german = [piece.id for piece in desk.table.pieces.values() if piece.side == "german"]

    assert [piece for piece in german if piece not in text] == []


def test_panels_that_tell_the_same_of_several_places_stand_side_by_side_where_there_is_room() -> None:
    desk = Desk.open("battle").play(60, Random(8))
    names = Names(desk.match.ruleset.game.narration)
    wide = list(Drawing(names, desk.table, 160, plain, is_full=False).lines())
    narrow = list(Drawing(names, desk.table, 140, plain, is_full=False).lines())
    labels = ["German Perimeter", "German Control", "Russian Control", "Russian Perimeter"]
    first = next(place for place, line in enumerate(wide) if "Gumrak Airfield:" in line)

    assert [len([line for line in wide if line.startswith(f"  {label} ")]) for label in labels] == [1] * 4
    assert [len([line for line in narrow if line.startswith(f"  {label} ")]) for label in labels] == [5] * 4
    assert "Grain Elevator:" in wide[first]
    assert max(map(len, wide)) <= 160
    assert len(wide) < len(narrow)
    words = {word for line in narrow for word in line.split()}
    assert words - {word for line in wide for word in line.split()} == set()


def test_a_row_of_panels_that_stand_side_by_side_begins_at_the_same_height_in_each() -> None:
    two = Panel(lines=("North.", "Cold."), rows=(("Red", "a"), ("", "b"), ("Blue", "-")), is_abreast=True)
    one = Panel(lines=("South.",), rows=(("Red", "c"), ("Blue", "d")), is_abreast=True)

    assert list(side_by_side([two, one], 55)) == [(two,), (one,)]
    assert list(side_by_side([two, one], 56)) == [(two, one)]
    assert list(side_by_side([Panel(), two, one], 56)) == [(Panel(),), (two, one)]
    assert list(panel_lines((two, one), 56, plain)) == [
        "      North.  South.",
        "      Cold.",
        "",
        "Red   a       c",
        "      b",
        "Blue  -       d",
    ]


def test_the_sides_have_their_colours_in_all_that_is_drawn_but_titles() -> None:
    desk = Desk.open("battle").play(60, Random(8))
    names = Names(desk.match.ruleset.game.narration)
    drawing = Drawing(
        names, desk.table, 100, lambda text, color: f"\x1b<{color}|{text}>" if color else text, is_full=False
    )
    lines = list(drawing.lines())
    unpainted = [re.sub("\x1b<[a-z]+[|]([^>]*)>", r"\1", line) for line in lines]

    assert "  \x1b<blue|German> Control" in "\n".join(lines) or "  \x1b<red|German> Control" in "\n".join(lines)
    assert unpainted == list(Drawing(names, desk.table, 100, plain, is_full=False).lines())
    assert drawing.tinted("\x1b[1mGerman hand\x1b[0m") == "\x1b[1mGerman hand\x1b[0m"
    assert drawing.tinted("Germany") == "Germany"


def test_a_full_drawing_shows_the_neighbours() -> None:
    desk = Desk.open("advance")
    names = Names(desk.match.ruleset.game.narration)
    lines = list(Drawing(names, desk.table, 160, lambda text, _: text, is_full=True).places())

    assert lines[0].endswith("Next to")
    assert lines[1].endswith(" ".join(names.narration.places()[0].neighbours))


@each_row(
    ("table", "said"),
    [
        (Table(began=True, stack=(Open("turn", Seat("red")),)), "To decide: Red, Turn."),
        (Table(began=True, stack=(Open("reply", Seat("red"), {"amount": 4}),)), "To decide: Red, Reply (amount: 4)."),
        (Table(began=True, stack=(Open("settle", Seat("")),)), "Under way: Settle."),
        (Table(ended=Ended("rules", "Goal", (Side("red"),))), "The match is over: Goal, won by Red."),
        (Table(ended=Ended("rules", "Dusk", ())), "The match is over: Dusk."),
        (
            Table(seats=(Seat("red"), Seat("blue")), players={Seat("red"): ""}),
            "Play has not begun; free seats: Blue. `sit` takes one, `choose begin` all of them.",
        ),
        (Table(seats=(Seat("red"),), players={Seat("red"): ""}), "Play has not begun: `choose begin`."),
        (
            Table(seats=(RED,), players={RED: ""}, links=Links("", 0, {RED: Chain("", 9, unanswered=(BLUE,))})),
            f"Play has not begun. Dice wait for a link of: Red. {OPENED_BY}",
        ),
        (
            Table(began=True, stack=(Open("turn", BLUE),), links=Links("", 0, {}, ChanceCall(BLUE, 1, 9))),
            f"Dice wait for a link of: Blue. {OPENED_BY} To decide: Blue, Turn.",
        ),
    ],
)
def test_the_open_decision_is_described_in_few_lines(table: Table, said: str) -> None:
    assert " ".join(decision_lines(Names(load_game("skirmish").bind(None).narration), table)) == said


@pytest.fixture(scope="module")
def film() -> Timeline:
    """A film of a match that is long enough to cache several tables."""
    desk = Desk.open("advance").play(60, Random(8))
    return Timeline(StoredMatch(desk.log, desk.match.id, ARBITER, None))


def test_a_film_shows_the_same_tables_as_a_fold(film: Timeline) -> None:
    assert film.last > 2 * KEYFRAME_EVERY
    for number in (0, 1, KEYFRAME_EVERY - 1, KEYFRAME_EVERY, KEYFRAME_EVERY + 1, film.last - 1, film.last):
        assert film.table(number) == fold(film.events[:number])


@each_row("step", ["event", "command", "phase", "round", "10"])
def test_a_step_forward_and_back_shows_the_same_table(step: str, film: Timeline) -> None:
    stops = film.stops(step, 1, film.last)
    for number in stops[1:-1]:
        assert film.before(step, film.after(step, number)) == number


def test_a_film_stops_at_its_ends(film: Timeline) -> None:
    assert film.before("command", 1) == 1
    assert film.after("command", film.last) == film.last


@each_row(
    ("type_", "value", "read"),
    [
        (str, "x", "x"),
        (int, "42", 42),
        (int, "-7", -7),
        (int, 3, 3),
        (float, "2.5", 2.5),
        (bool, True, True),
        (str, None, None),
        (list[str], ["a", "b"], ["a", "b"]),
        (list[str], None, []),
    ],
)
def test_arguments_are_parsed_by_their_type(type_: object, value: object, read: object) -> None:
    assert Plain(type_).coerce(value, None, None) == read  # type: ignore[arg-type]


@each_row(("type_", "value"), [(int, "1.5"), (int, "²"), (int, ""), (int, "9" * 30), (float, "much")])
def test_an_invalid_number_is_refused(type_: object, value: str) -> None:
    with pytest.raises(typer.BadParameter, match=r"is not a |has 15 digits at most"):
        Plain(type_).coerce(value, None, None)  # type: ignore[arg-type]


@each_row(("text", "point"), [("abc", ("abc", None)), ("abc@0", ("abc", 0)), ("abc@17", ("abc", 17))])
def test_a_point_is_a_match_with_an_optional_number(text: str, point: tuple[str, int | None]) -> None:
    assert parse_point(text) == point


@each_row("text", ["", "@", "@1", "abc@", "abc@-1", "abc@x", "abc@1@2", "abc@²"])
def test_an_invalid_point_is_refused(text: str) -> None:
    with pytest.raises(UserError):
        parse_point(text)


def test_a_range_is_given_in_the_seats_own_numbers() -> None:
    desk = Desk.open()
    desk.accept({"do": "match:note", "text": "psst", "private": True}, Seat("red"))
    desk.play(6, Random(1))
    for seat in ("public", "red", "blue", "arbiter"):
        seen = StoredMatch(desk.log, MatchId(desk.match.id), Seat(seat), None)
        whole = list(seen.events())
        numbers = [
            number for stretch in seen.stream() for number in range(stretch.first, stretch.first + len(stretch.events))
        ]

        assert numbers == list(range(1, seen.last + 1))
        for after, upto in [(0, 1), (3, 9), (5, 5), (seen.last - 2, seen.last)]:
            assert list(seen.events(after, upto)) == whole[after:upto]


def test_errors_and_notes_contain_no_control_characters(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(arguments: Sequence[str]) -> None:
        raise usage("no \x1b[31mred, \x9b or \u202e")

    monkeypatch.setattr("cli.main._check_readable", fail)
    Context(Settings()).echo_err("no \x1b[31mred, \x9b or \u202e")

    assert capsys.readouterr().err == "no \ufffd[31mred, \ufffd or \ufffd\n"
    assert terminal("list").err == "wardiary: no \ufffd[31mred, \ufffd or \ufffd\n"


@each_row("seat", [Seat("german"), Seat("russian")])
def test_what_belongs_to_the_side_of_the_seat_that_looks_is_called_its_own(seat: Seat) -> None:
    desk = Desk.open("battle").play(60, Random(8))
    names = Names(desk.match.ruleset.game.narration)

    def titles(looks: Seat) -> list[str]:
        lines = Drawing(names, desk.table, 100, plain, is_full=False, seat=looks).lines()
        return [line for line in lines if "with Firefight values" in line]

    assert titles(PUBLIC)
    assert titles(seat) == [one.replace(f"{seat.capitalize()} hand", "Your hand") for one in titles(PUBLIC)]
