"""Positions of any moment: every defect is told with its place, and none of them leads to a fault."""

from random import Random

import pytest

from core.errors import SetupInvalid
from core.position_files.position_toml import position_text
from core.positions.position import Position, Question, parse_position
from events.codec import decode_plain, encode, replace
from events.ids import Seat
from tests.core.position_files.test_saved_position import moments, position_of
from tests.support.desk import Desk
from tests.support.rows import each_row


@pytest.fixture(scope="module")
def battle() -> Position:
    """The position of a moment within a battle, where an attribute ends with a sequence."""
    return next(
        position
        for seed in range(20)
        for desk in moments("battle", "standard", "", seed, 1.0)
        if (position := position_of(desk)).terms and len(position.stack) > 1 and position.phase == "actions"
    )


def defects(position: Position) -> tuple[str, ...]:
    """Return what is wrong with a position."""
    try:
        Desk.open(position.game, position=position_text(position))
    except SetupInvalid as error:
        return error.defects
    return ()


def told(position: Position, problem: str) -> bool:
    """Return whether a problem is among those of a position, with its line."""
    return any(problem in one and one.startswith("line ") for one in defects(position))


def test_the_position_itself_has_no_defects(battle: Position) -> None:
    assert defects(battle) == ()


def test_the_stack_must_be_one_of_the_game(battle: Position) -> None:
    first, top = battle.stack[0], battle.stack[-1]

    assert told(replace(battle, stack=(*battle.stack[:-1], replace(top, kind="nonsense"))), "no question 'nonsense'")
    assert told(replace(battle, stack=(replace(first, step="lunch"), *battle.stack[1:])), "no step 'lunch'")
    assert told(replace(battle, stack=battle.stack[:1]), "must be a question for a seat")
    assert told(replace(battle, stack=(*battle.stack[:-1], replace(top, seat=Seat("nobody")))), "'nobody'")
    assert told(replace(battle, stack=(*battle.stack[:-1], replace(top, step="x"))), "which has no step")
    assert told(replace(battle, decision=Question("action")), "and no decision")


def test_attributes_must_last_as_the_game_declares_them(battle: Position) -> None:
    lasting = battle.terms[-1]
    others = battle.terms[:-1]

    assert told(replace(battle, terms=others), "terms must say how long")
    assert told(replace(battle, terms=(*others, replace(lasting, depth=99))), "depth is 99")
    assert told(replace(battle, terms=(*others, replace(lasting, until="round"))), "lasts until")
    assert told(replace(battle, terms=(*battle.terms, lasting)), "stated twice")


def test_pieces_must_be_those_of_the_game(battle: Position) -> None:
    assert told(replace(battle, pieces=(*battle.pieces, battle.pieces[0])), "is placed 2 times")
    assert told(replace(battle, turn="martian"), "side that can have the turn")


@each_row(
    ("game", "last"), [("battle", None), ("advance", 9), ("inferno", None), ("axis_allies", 13), ("skirmish", None)]
)
def test_round_and_phase_must_be_of_the_game(game: str, last: int | None) -> None:
    position = position_of(next(moments(game, "", "", 3, 0.2)))
    says_phases = game != "skirmish"

    assert told(replace(position, round=99), f"round is 99; the last one is {last}") == (last is not None)
    assert told(replace(position, phase="tea"), "no phase is called 'tea'") == says_phases


@each_row("game", ["battle", "advance", "inferno", "axis_allies"])
def test_a_position_with_any_change_is_played_or_refused(game: str, budget: float) -> None:
    """A changed file never leads to another error than a refusal, when it is opened and when some commands are played."""
    rng = Random(game)
    desk = next(moments(game, "", "", 3, 0.2))
    plain = decode_plain(encode(position_of(desk)))
    for _ in range(round(8 * budget)):
        changed = decode_plain(encode(plain))
        change(changed, rng)
        try:
            position = parse_position(position_text_of(changed))
            opened = Desk.open(position.game, position=position_text(position))
        except SetupInvalid:
            continue
        for _ in range(3):
            if opened.table.ended is None:
                opened.accept(rng.choice(opened.options()))


def change(plain: object, rng: Random) -> None:
    """Change one value somewhere in a position, or drop it."""
    assert isinstance(plain, dict)
    there: object = plain[
        rng.choice(["stack", "terms", "attributes", "pieces", "markers", "piles", "tracks", "control"])
    ]
    holder: object = None
    key: object = None
    while isinstance(there, dict | list) and there and (holder is None or rng.random() < 0.8):
        holder, key = there, rng.choice(list(there)) if isinstance(there, dict) else rng.randrange(len(there))
        there = there[key]
    if isinstance(holder, list) and isinstance(key, int) and (not isinstance(there, dict | list) or rng.random() < 0.3):
        del holder[key]
    elif isinstance(holder, dict):
        if rng.random() < 0.5:
            del holder[key]
        elif isinstance(there, int):
            holder[key] = there + rng.choice((-1, 1, 7))
        elif isinstance(there, str):
            holder[key] = rng.choice(("", "german", "soviet", f"{there}x"))


def position_text_of(plain: object) -> str:
    """Return the text of a changed position, however it was changed."""
    from core.position_files.position_toml import _field

    assert isinstance(plain, dict)
    return "\n".join(line for name, value in plain.items() if value is not None for line in _field(name, value))
