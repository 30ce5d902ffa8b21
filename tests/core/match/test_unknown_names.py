"""A refused command that names what the game does not have is told so; nothing is disclosed about what it has."""

import json
from collections.abc import Iterator
from typing import get_args, get_type_hints

import pytest

from core.engine.command import Command
from core.engine.selection import SELECTION
from core.games.axis_allies.rules.commands import Buy
from core.match.unknown_names import KINDS, telling_unknown
from core.refusal import Refusal
from events.codec import encode
from events.ids import PieceId, PlaceId
from tests.support.desk import Desk
from tests.support.playouts import Playout
from tests.support.rows import each_row

NAME = "zzz"


def bent(command: Command) -> Iterator[dict[str, object]]:
    """Yield a command once for each id that it names, with an unknown one in its place."""
    hints = get_type_hints(type(command))
    for field in command.__struct_fields__:
        value = getattr(command, field)
        if {hints[field], *get_args(hints[field])} & KINDS.keys() and value:
            other = sorted((*value[1:], NAME)) if isinstance(value, tuple) else NAME
            yield {**json.loads(encode(command)), field: other}


@each_row(
    ("game", "scenario"),
    [
        ("advance", "main"),
        ("axis_allies", "race"),
        ("axis_allies", "uranus"),
        ("battle", "standard"),
        ("inferno", "standard"),
    ],
)
def test_an_unknown_piece_place_or_card_is_named(game: str, scenario: str) -> None:
    """One option of each kind is tried at each question of a match's beginning."""
    playout, tried = Playout(game, scenario, 1), 0
    for _ in zip(range(60), playout.steps(), strict=False):
        one_of_each = {type(option): option for option in playout.desk.options()}
        for wish in [wish for option in one_of_each.values() for wish in bent(option)]:
            refusal = playout.desk.ask(wish)
            tried += 1

            assert isinstance(refusal, Refusal), wish
            assert repr(NAME) in refusal.sentence, (wish, refusal)
            assert refusal.sentence.endswith(".")

    assert tried > 20


@pytest.fixture(scope="module")
def desk() -> Desk:
    return Desk.open("axis_allies", "race")


class Going(Command, frozen=True, tag="going"):
    """Go somewhere."""

    units: tuple[PieceId, ...]
    to: PlaceId
    how: str = "fast"


def told(desk: Desk, command: Command, sentence: str = "No.") -> str:
    return telling_unknown(desk.match.ruleset.game, command, Refusal("no", SELECTION, sentence)).sentence


def test_the_first_unknown_name_is_told_after_the_reason(desk: Desk) -> None:
    command = Going((PieceId("sov_tank/1"), PieceId("y\nz")), PlaceId("moscow"))

    assert told(desk, command) == r"No. There is no piece 'y\nz' in this game."
    assert told(desk, Going((), PlaceId("moscow"))) == "No. There is no place 'moscow' in this game."


def test_what_is_in_the_box_is_not_told_whether_it_is_on_the_table_or_not(desk: Desk) -> None:
    assert told(desk, Going((PieceId("sov_tank/1"),), PlaceId("tinguta"), "slowly")) == "No."
    assert told(desk, Going((PieceId("sov_tank/9"),), PlaceId(""))) == "No."


def test_a_sentence_that_names_it_already_stays(desk: Desk) -> None:
    moscow = Going((), PlaceId("moscow"))
    unknown = "There is no place 'moscow' in this game."

    assert told(desk, moscow, "There is no Area 'moscow'.") == "There is no Area 'moscow'."
    assert told(desk, moscow, "There is no such zone.") == unknown
    assert told(desk, moscow, "There is no airfield.") == f"There is no airfield. {unknown}"


def test_a_long_name_is_quoted_in_part(desk: Desk) -> None:
    assert told(desk, Going((), PlaceId("m" * 900))) == f"No. There is no place '{'m' * 60}…' in this game."


def test_of_a_game_that_declares_no_box_nothing_is_told(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    monkeypatch.setitem(desk.match.ruleset.game.__dict__, "ids", frozenset())

    assert told(desk, Going((), PlaceId("moscow"))) == "No."


def test_the_buyer_of_a_unit_for_an_unknown_zone_is_told() -> None:
    playout = Playout("axis_allies", "uranus", 3)
    steps = playout.steps()
    while not (buys := [option for option in playout.desk.options() if isinstance(option, Buy)]):
        next(steps)
    refusal = playout.desk.ask({"do": "buy", "item": buys[0].item, "to": "moscow"})

    assert isinstance(refusal, Refusal)
    assert refusal.sentence.endswith("There is no place 'moscow' in this game.")
