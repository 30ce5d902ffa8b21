"""Position files of this game: what can be wrong with one."""

import re

import pytest

from core.errors import SetupInvalid
from core.positions.position import parse_position
from tests.project.tree import ROOT
from tests.support.battle import POSITIONS
from tests.support.desk import Desk
from tests.support.rows import each_row

EXAMPLE = (ROOT / "fixtures" / "positions" / "battle" / "t01-mamayev-kurgan-falls.toml").read_text(encoding="utf-8")


def changed(old: str, new: str) -> tuple[str, ...]:
    """Return the defects of the example with something else in it."""
    text, count = re.subn(old, new, EXAMPLE, count=1, flags=re.MULTILINE)

    assert count == 1
    return tuple([defect.problem for defect in POSITIONS.check_position(parse_position(text))])


def test_the_example_has_no_defects() -> None:
    assert POSITIONS.check_position(parse_position(EXAMPLE)) == ()


def test_a_track_a_face_and_a_kind_that_the_game_does_not_have_open_no_match() -> None:
    """Each is named with its place in the file and with what there is."""
    wrong = re.sub(
        r"^pieces = \[\n", "tracks = { morale = 99, nonsense = -4 }\npieces = [\n", EXAMPLE, flags=re.MULTILINE
    )
    wrong = re.sub(
        r'place = "([a-z_]+/[a-z]+/control)" \}',
        r'place = "\1", face = "upside-down", steps = 7, kind = "dragon", side = "nobody" }',
        wrong,
        count=1,
    )
    with pytest.raises(SetupInvalid) as caught:
        Desk.open("battle", position=wrong)
    said = [defect.partition(": ")[2].partition(";")[0] for defect in caught.value.defects]

    assert said == [
        "no kind of r_39_guards is called 'dragon'",
        "no side of r_39_guards is called 'nobody'",
        "no face of r_39_guards is called 'upside-down'",
        "r_39_guards has 7 steps",
        "no track is called 'morale'",
        "no track is called 'nonsense'",
    ]
    assert caught.value.defects[0].startswith("line 11, column 100: ")


@each_row(
    ("old", "new", "problem"),
    [
        ("locations_in_play = \\[.*", "locations_in_play = [] }", "5 Locations must be in play: attributes = {"),
        ('"the_docks"]', '"the_dock"]', "no Location for locations_in_play of table is called 'the_dock'; did you mean"),
        ("^table = {", "german = { hits = 2 }\ntable = {", "no attribute of german is called 'hits'; there are none"),
        ("^turn = .*", 'turn = "axis"', "turn must name the Acting Player, russian or german, not 'axis'"),
        ("^phase = .*", 'phase = "draw"', "no phase in which a position can open is called 'draw'; there are: supply"),
        ("^phase", 'decision = { kind = "action" }\nphase', "a position of this game opens with its phase; it names no"),
        ("rubble = 9", "rubble = 10", "mamayev_kurgan has 10 Rubble; it is Destroyed by its 10th"),
        ("rubble = 9", "rubble = 1, destroyed = 1", "mamayev_kurgan is Destroyed and takes no Rubble"),
        ("^mamayev_kurgan =", "pavlovs_house =", "markers lie on pavlovs_house, which is not one of the Locations in"),
        ("^r_39_guards =", "r_157_rifle =", "counters lie on r_157_rifle, which is in no Area"),
        ('"mamayev_kurgan/russian/control"', '"pavlovs_house/russian/control"', "pavlovs_house/russian/control is not an"),
        ('"mamayev_kurgan/russian/control"', '"mamayev_kurgan/german/control"', "r_39_guards cannot be in 'mamayev_kurgan/g"),
        ('"hand/german" =', '"played/german" =', "no pile is called 'played/german'; did you mean hand/german"),
        ('"german/dive_bombers-1"', '"russian/sniper-1"', "no card for hand/german is called 'russian/sniper-1'"),
    ],
)  # fmt: skip
def test_each_defect_is_named(old: str, new: str, problem: str) -> None:
    found = changed(old, new)

    assert [one for one in found if one.startswith(problem)] != [], found
