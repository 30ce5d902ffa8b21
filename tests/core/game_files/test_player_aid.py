"""A player aid tells the numbers of the board that is played on, and names rules, phases and questions that are there."""

import re
import tomllib
from importlib.resources import files

import pytest

from core.engine.decision_rules import DecisionRules
from core.game_files.player_aid import AID_FILE, AidInvalid, PlayerAid, load_aid, with_figures
from core.game_files.rulebook import load_rulebook
from core.match.bound_games import bound_game
from core.registry.games import GAMES, load_game
from events.ids import GameKey
from tests.project.tree import ROOT
from tests.support.rows import each_row

FIGURES = {"rules": {"cost": 1, "draw": 5, "is_on": True}, "rows": [{"id": "tank", "cost": 6}]}


def aid_of(key: GameKey) -> PlayerAid:
    game = load_game(key)
    aid = load_aid(game.package, game.shipped_board())
    assert aid is not None, f"{key} has no player aid"
    return aid


def typed(key: GameKey) -> dict[str, object]:
    return tomllib.loads(files(load_game(key).package).joinpath("data").joinpath(AID_FILE).read_text(encoding="utf-8"))


def recorded(key: GameKey, what: str) -> set[str]:
    """Return the names that golden matches have, such as those of phases."""
    said = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "fixtures" / "golden" / key).glob("*.txt"))
    return set(re.findall(what, said))


def test_a_number_of_the_board_stands_in_a_text_alone_or_counted() -> None:
    said = with_figures(["{rules.cost}", "{rules.cost Ration}, {rules.draw card}", "{rows.tank.cost}"], FIGURES)

    assert said == ["1", "1 Ration, 5 cards", "6"]


@each_row("path", ["rules.price", "rules", "rules.is_on", "rows.plane.cost", "rows"])
def test_a_number_that_the_board_does_not_have_is_an_error(path: str) -> None:
    with pytest.raises(ValueError, match=re.escape(path)):
        with_figures(f"{{{path}}}", FIGURES)


def test_an_owners_board_changes_the_numbers_of_the_aid() -> None:
    game = load_game("battle")
    board = game.shipped_board().replace(b"draw_base = 5", b"draw_base = 6")
    aid = load_aid(game.package, board)

    assert aid is not None
    assert aid.turn[-1].text.startswith("6 cards")
    assert aid_of(GameKey("battle")).turn[-1].text.startswith("5 cards")


def test_a_board_without_the_numbers_makes_no_aid() -> None:
    with pytest.raises(
        AidInvalid, match=r"the player aid of core\.games\.battle cannot be read: the board has no number"
    ):
        load_aid("core.games.battle", b"")


def test_a_game_may_have_no_aid() -> None:
    assert load_aid("tests.support", b"") is None


@each_row("key", GAMES)
def test_no_number_of_an_aid_is_typed(key: GameKey) -> None:
    """The titles of steps may name printed numbers, as those of order cards."""
    texts: list[str] = []

    def gather(value: object, name: str = "") -> None:
        if isinstance(value, dict):
            for known, inside in value.items():
                gather(inside, known)
        elif isinstance(value, list):
            for inside in value:
                gather(inside, name)
        elif isinstance(value, str) and name in ("goal", "text", "cost", "name"):
            texts.append(re.sub(r"\{[^}]*\}", "", value))

    gather(typed(key))

    assert len(texts) > 20
    # X, Y and Z are hexes, and card 7 is called so.
    assert [text for text in texts if re.search(r"\d", text.replace("card 7", ""))] == []


@each_row("key", GAMES)
def test_every_line_names_a_rule_of_the_game(key: GameKey) -> None:
    aid, rules = aid_of(key), load_rulebook(load_game(key).package).rules
    named = [step.rule for step in aid.turn] + [row.rule for table in aid.table for row in table.row]

    assert [rule for rule in named if rule not in rules] == []


@each_row("key", GAMES)
def test_phases_and_questions_are_those_of_real_matches(key: GameKey) -> None:
    aid = aid_of(key)
    phases = {phase for step in aid.turn for phase in step.phases}
    sides = {step.side for step in aid.turn if step.side}
    asked = set() if aid.first_match is None else {one.question for one in aid.first_match.advice}
    seats = set() if aid.first_match is None else {aid.first_match.seat}
    rules = bound_game(key, None).rules
    assert isinstance(rules, DecisionRules)

    assert phases - recorded(key, r"phase-began/1 phase=(\w+)") == set()
    assert sides - set(map(str, load_game(key).sides)) == set()
    assert asked - set(rules.kinds) == set()
    assert seats - set(map(str, load_game(key).seats)) == set()


def test_advice_is_for_the_first_times_of_a_question() -> None:
    first = aid_of(GameKey("battle")).first_match

    assert first is not None
    assert first.for_question("action", 1) != first.for_question("action", 3) != ""
    assert first.for_question("action", 5) == ""
    assert first.for_question("repair", 1) == ""
