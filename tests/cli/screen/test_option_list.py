"""Which options fit what was typed, and which command is meant."""

from collections.abc import Sequence

import pytest

from cli.screen.option_list import Row, fitting, key_of, rows, wished
from cli.shell.exit_codes import UserError
from core.telling.names import IdsOnly, Names
from core.telling.option_parts import OptionParts
from events.codec import Raw, replace
from events.ids import GameKey, MatchId, Seat
from server.protocol.replies import LegalOption, LegalReply
from tests.support.rows import each_row

RED = Seat("red")


def offered(words: Sequence[str], tag: str = "go") -> tuple[LegalOption, ...]:
    return tuple(
        LegalOption(number, Raw(b'{"do":"%s","to":%d}' % (tag.encode(), number)), text)
        for number, text in enumerate(words, start=1)
    )


def legal(*words: str) -> LegalReply:
    return LegalReply(match=MatchId("m"), seq=7, to_move=RED, options=offered(words), count=len(words))


TOWNS = ("Go to Docks 12", "Go to Mill", "Go to the Old Mill", *(f"Stay {number}" for number in range(4, 13)))


@each_row(
    ("typed", "numbers"),
    [
        ("", [*range(1, 13)]),
        ("  MILL ", [2, 3]),
        ("old", [3]),
        ("the  old", [3]),
        ("mill old", [3]),
        ("TO mill", [2]),
        ("mill go", [2, 3]),
        ("sta 1", [10, 11, 12]),
        ("1", [1, 10, 11, 12]),
        ("12", [1, 12]),
        ("3", [3]),
        ("nothing", []),
    ],
)
def test_options_are_filtered_by_number_or_words(typed: str, numbers: list[int]) -> None:
    assert [one.number for one in fitting(offered(TOWNS), typed)] == numbers


@each_row(
    ("typed", "number"),
    [("1", 1), ("12", 12), ("docks", 1), ("old", 3), ("go to mill", 2), ("mill old", 3), ("STAY 5", 5)],
)
def test_a_number_or_words_of_one_option_mean_it(typed: str, number: int) -> None:
    wish = wished(legal(*TOWNS), RED, typed, None)

    assert (wish.command, wish.expected) == (f'{{"do":"go","to":{number}}}', 7)


@each_row("typed", ["stay", "Stay at home"])
def test_words_of_equal_options_mean_the_first_of_them(typed: str) -> None:
    wish = wished(legal("Go to the docks", "Stay at home", "Stay at home"), RED, typed, None)

    assert wish.command == '{"do":"go","to":2}'


@each_row(
    ("typed", "said"),
    [
        ("mill", "2 options have the words 'mill'"),
        ("mill go", "2 options have the words 'mill go': 2 'Go to Mill', 3 'Go to the Old Mill'"),
        ("moll", "no option has the words 'moll'; nearest: 2 'Go to Mill'"),
        ("99", "no option has the words '99'"),
        ("", "choose an option with the arrow keys"),
        ("{", "is not valid JSON"),
    ],
)
def test_anything_else_is_refused_with_the_options_that_may_be_meant(typed: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        wished(legal(*TOWNS), RED, typed, None)


def test_the_option_under_the_cursor_is_meant_whatever_was_typed() -> None:
    reply = legal(*TOWNS)

    assert wished(reply, RED, "mill", reply.options[2]).words == "Go to the Old Mill"


def test_a_single_option_needs_no_words() -> None:
    assert wished(legal("Pass"), RED, "", None).words == "Pass"


def test_json_and_resigning_are_commands() -> None:
    assert wished(legal("Pass"), RED, ' {"do":"pass"} ', None).command == '{"do":"pass"}'
    assert wished(legal("Pass"), RED, "Resign", None).command == '{"do":"match:resign"}'


@each_row("typed", ["", "1", "pass"])
def test_who_is_not_to_decide_has_no_options(typed: str) -> None:
    reply = LegalReply(match=MatchId("m"), seq=7, to_move=Seat("blue"))

    with pytest.raises(UserError, match="the open decision belongs to blue, not to red") as refused:
        wished(reply, RED, typed, None)
    assert refused.value.code == "not_your_turn"


def test_many_options_stand_under_headings_and_few_do_not() -> None:
    few = offered(TOWNS)
    many = (*few, *offered(["Pass"], "pass"))
    names = Names(IdsOnly(GameKey("")))

    assert list(rows(few, 20, names)) == [Row(one.words, one) for one in few]
    assert [row.text for row in rows(many, 21, names)] == ["Go: 12 options", *TOWNS, "Pass"]


def test_what_ends_the_step_is_typed_as_0_and_by_its_number() -> None:
    go, end = offered(["Go", "End the step"])
    end = replace(end, parts=OptionParts(ends=True))
    options = LegalReply(match=MatchId("m"), seq=7, to_move=RED, options=(go, end), count=2)

    assert [wished(options, RED, typed, None).words for typed in ("0", "2", "1")] == [
        "End the step",
        "End the step",
        "Go",
    ]
    assert fitting(options.options, "0") == [end]
    assert [key_of(one) for one in options.options] == [1, 0]
