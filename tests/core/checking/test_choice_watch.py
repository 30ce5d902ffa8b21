"""The watch over whole choices finds a selection whose listed picks and accepted choices differ, or are told differently."""

from collections.abc import Iterator
from random import Random

import pytest

from core.checking.choice_watch import ChoiceWatch
from core.checking.conformance import NotConforming
from core.engine.command import Command
from core.engine.draft import Draft
from core.engine.selection import Choose
from core.games.axis_allies.rules.assigned_fire import AirDefense
from core.positions.position import parse_position
from core.refusal import Refusal
from core.registry.games import GAMES
from events.ids import GameKey, PlaceId
from projections.state.table import Open, Table
from tests.acid import selection_game
from tests.acid.selection_game import QUESTIONS, RULE, guns
from tests.core.test_positions import POSITIONS
from tests.support.desk import Desk
from tests.support.playouts import Playout
from tests.support.rows import each_row

SCENARIOS = ("advance", "lead", "recruits", "mines", "rations", "guns", "landings", "landings-crowded")


@pytest.fixture(autouse=True)
def _made_up() -> Iterator[None]:
    GAMES[GameKey("garrison")] = "tests.acid.selection_game"
    try:
        yield
    finally:
        del GAMES[GameKey("garrison")]


def watched(scenario: str, times: int = 10) -> ChoiceWatch:
    """Look several times at the question of a scenario."""
    desk, watch = Desk.open("garrison", scenario), ChoiceWatch(Random(scenario), share=1, bends=3)
    for _ in range(times):
        watch(desk)
    return watch


@each_row("scenario", SCENARIOS)
def test_a_sound_selection_passes(scenario: str) -> None:
    watch = watched(scenario)

    assert watch.tried > watch.accepted > 0


def refuse_choices(table: Table, asked: Open, command: Command) -> Refusal | None:
    """Refuse every whole choice."""
    is_choice = isinstance(command, Choose)
    return Refusal("answer_must_be_choice", RULE, "Pick.") if is_choice else guns().refuse(table, asked, command)


def leave_one_out(draft: Draft, asked: Open, command: Command) -> None:
    """Carry a whole choice out without its first item."""
    left = Choose(command.items[1:], command.places[1:]) if isinstance(command, Choose) else command
    guns().take(draft, asked, left)


@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("method", "planted", "words"),
    [
        ("_judge_pick", lambda *_: None, "is accepted, but listed picks do not make it"),
        ("refuse", refuse_choices, "is made of listed picks and refused"),
        ("take", leave_one_out, "has another result than its picks"),
    ],
)
def test_a_planted_fault_is_found(method: str, planted: object, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QUESTIONS["guns"], method, planted)
    with pytest.raises(NotConforming, match=words):
        watched("guns")


def test_picks_that_are_told_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another seat would learn of them only if they were not sent as a whole choice."""
    monkeypatch.setattr(selection_game.GarrisonRules, "tell", lambda *_: "Something happens.")
    with pytest.raises(NotConforming, match="blue is told of Choose"):
        watched("guns")


@pytest.mark.interpreted
def test_a_target_that_is_accepted_and_not_listed_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Axis & Allies: of two like bombers that land supplies, the first alone was listed for Interdiction."""
    path = POSITIONS / "axis_allies" / "r02-interdiction-names-any-bomber.toml"
    targets = AirDefense.targets

    def without_second(self: AirDefense, table: Table, zone: PlaceId) -> list[str]:
        return [one for one in targets(self, table, zone) if one != "ger_bomber/2"]

    position = path.read_text(encoding="utf-8")
    options = parse_position(position).options
    watch = ChoiceWatch(Random(1), share=1, bends=8)
    Playout("axis_allies", "", 1, given=options, position=position).run([watch], most=1)
    monkeypatch.setattr(AirDefense, "targets", without_second)
    with pytest.raises(NotConforming, match="is accepted, but listed picks do not make it"):
        Playout("axis_allies", "", 1, given=options, position=position).run([watch], most=1)
