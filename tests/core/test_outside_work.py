"""A board or position from outside that is accepted as TOML is also checked with bounded work, whatever its defects."""

import sys
from functools import cache
from importlib.resources import files
from types import FrameType

import pytest

from core.errors import DEFECTS_MAX, SetupInvalid
from core.match.match_creation import Opening, open_match
from core.registry.games import load_game
from events.ids import MatchId
from tests.support.rows import each_row
from tests.support.soak import few, sampled

MESSAGE_MAX = 60_000


def board(game: str) -> str:
    return files(f"core.games.{game}").joinpath("data", "board.toml").read_text(encoding="utf-8")


def work_of(game: str, text: str, *, is_position: bool) -> tuple[int, SetupInvalid | None]:
    """Count the calls made to open a match with a file, and return the file's defects."""
    count, caught = 0, None
    bound = load_game(game).bind(None)
    # Imports at the first use are not counted.
    for loaded in (bound.rules, bound.positions, load_game(game).shipped_board()):
        assert loaded is not None

    def counted(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(counted)
    try:
        if is_position:
            open_match(MatchId("m"), Opening(game=game, position=text, dice="manual"), key="k", at=1)
        else:
            load_game(game).bind(text)
    except SetupInvalid as error:
        caught = error
    finally:
        sys.setprofile(None)
    return count, caught


@cache
def work_of_shipped(game: str) -> int:
    """Count the calls made to open a match with the shipped board as an owner's."""
    work, error = work_of(game, board(game) + "# an owner's\n", is_position=False)
    assert error is None
    return work


WORDS = "".join(f"w{number}={{kind='owner',text='x'}}\n" for number in range(1_200))
AREAS = "".join(f"{{id='7',name='n{n}',terrain='clear',tem=1,volga=false,x=1,y={n % 900}}},\n" for n in range(750))
COUNTERS = "".join(f"{{id='c{n}',terrain='clear',defence=5,strategy='barrage',pool=true}},\n" for n in range(800))
SETUP = "{area='14',terrain='heavy_urban',counter='zz'},\n" * 900
BOARDS = {
    "unknown keys": ("advance", "".join(f"unknown_{n}=1\n" for n in range(6_000)) + board("advance")),
    "long unknown keys": ("advance", "".join(f"{'area_' * 11}{n}=1\n" for n in range(3_000)) + board("advance")),
    "unknown tables": ("advance", board("advance") + "".join(f"[t{n}]\nprov='w{n}'\n" for n in range(1_900))),
    "equal Areas": ("advance", f"[areas]\nrows=[{AREAS}]\n"),
    "equal pairs": ("advance", f"[adjacency]\npairs=[{'[1,2],' * 200}\n{'[1,2],' * 200}]\n"),
    "counters that are set up": (
        "advance",
        f"[soviet_units]\nrows=[{COUNTERS}]\n[scenarios.factory]\nsoviet_setup=[{SETUP}]\n",
    ),
    "words of provenance": (
        "advance",
        "[provenance]\n" + WORDS + "[foo]\nl=[" + "{prov='zz'},\n" * 2_700 + "]\n",
    ),
    "unknown keys of cards": ("battle", "".join(f"unknown_{n}=1\n" for n in range(6_000)) + board("battle")),
    "Forces": ("battle", board("battle") + "".join(f"[[force]]\nid='f{n}'\nname='n{n}'\n" for n in range(1_500))),
    "words of cards": (
        "battle",
        "[provenance]\n"
        + "".join(f"w{n}={{text='x',kind='owner'}}\n" for n in range(1_200))
        + "".join(f"[[force]]\nprov='zz{n}'\n" for n in range(1_500)),
    ),
}


@pytest.mark.parametrize(
    "name", sampled(BOARDS, lambda name: name in ("equal Areas", "words of provenance", "unknown keys of cards"))
)
def test_a_hostile_board_takes_a_few_times_the_work_of_a_shipped_one(name: str) -> None:
    game, text = BOARDS[name]
    work, error = work_of(game, text, is_position=False)

    assert error is not None
    assert work < 16 * work_of_shipped(game)
    assert len(error.defects) <= DEFECTS_MAX
    assert len(str(error)) < MESSAGE_MAX


POSITIONS = {
    "pieces": "pieces=[" + "".join(f"{{id='295/{n}',place='1'}},\n" for n in range(500)) + "]\n",
    "Soviet pieces": "pieces=["
    + "".join(f"{{id='soviet/{n}',place='{n}',kind='z{n}'}},\n" for n in range(500))
    + "]\n",
    "cards": "[piles]\n'mix/clear'=[" + "".join(f"'clear_{n}',\n" for n in range(499)) + "]\n",
    "markers": "[markers]\n" + "".join(f"'295/{n}'={{moved=1}}\n" for n in range(500)),
    "places": "[control]\n" + "".join(f"a{n}='x'\n" for n in range(1_000)),
    "options": "[options]\n" + "".join(f"isolation_{n}='x'\n" for n in range(1_000)),
    "tracks": "[tracks]\n" + "".join(f"a{n}=1\n" for n in range(1_000)),
    "too many tracks": "[tracks]\n" + "".join(f"a{n}=1\n" for n in range(8_000)),
    "steps": "phase='none'\n" + "[[steps]]\ncommand={do='x'}\n" * 1_900,
}


@pytest.mark.parametrize("game", few(["advance", "battle"]))
@each_row("name", POSITIONS)
def test_a_hostile_position_takes_no_more_work_than_a_few_boards(name: str, game: str) -> None:
    text = f"format='wardiary-position/1'\ngame='{game}'\n{POSITIONS[name]}"
    work, error = work_of(game, text, is_position=True)

    assert error is not None
    assert work < 6 * work_of_shipped(game)
    assert len(error.defects) <= DEFECTS_MAX + 1
    assert len(str(error)) < MESSAGE_MAX
