"""What follows from the tables of the worked examples; their steps are played from `fixtures/positions/battle`."""

from pathlib import Path

from core.games.battle.components.card_file import CARD_FILE
from core.games.battle.ids import GERMAN, RUBBLE, RUSSIAN, area
from core.games.battle.memory import TOTAL
from core.games.battle.rules.battle_rules import BattleRules
from core.games.battle.rules.fighting import base_parts
from core.games.battle.rules.queries import combat, controller, forces_of, retreat_worth
from core.games.battle.rules.supply import location_rations
from core.positions.position import parse_position
from events.ids import ARBITER, PieceId, PlaceId
from events.vocabulary import Modifier
from projections.state.table import Table
from tests.project.tree import ROOT
from tests.support.desk import Desk
from tests.support.rows import each_row

RULES = BattleRules(CARD_FILE.load())
CARDS = RULES.cards
EXAMPLES = ROOT / "fixtures" / "positions" / "battle"


def after(name: str, steps: int) -> Table:
    """Return the table of an example after so many of its commands; 0 is the beginning."""
    path: Path = EXAMPLES / f"{name}.toml"
    text = path.read_text(encoding="utf-8")
    desk = Desk.open("battle", dice="manual", position=text)
    listed = list(parse_position(text).steps)
    begin = listed.pop(0) if listed[0].command == {"do": "match:begin"} else None
    desk.accept({"do": "match:begin"}, ARBITER, draws=() if begin is None else begin.draws)
    for step in [step for step in listed if not step.refused][:steps]:
        desk.accept(step.command, step.seat or None, draws=step.draws)
    return desk.table


def added(parts: tuple[Modifier, ...]) -> int:
    """Return the sum of some parts."""
    return sum(part.amount for part in parts)


@each_row(
    ("location", "chart"),
    [
        ("mamayev_kurgan", {0: 3, 4: 3, 5: 2, 7: 2, 8: 1, 9: 1}),
        ("grain_elevator", {0: 2, 2: 2, 3: 1, 5: 1}),
    ],
)
def test_the_two_printed_charts(location: str, chart: dict[int, int]) -> None:
    """location.rubble-chart (T1, T3): fewer Rations with more Rubble."""
    table = after("t04-location-control", 0)
    actual = {}
    for rubble in chart:
        table.markers[location] = {RUBBLE: rubble}
        actual[rubble] = location_rations(CARDS, table, GERMAN, location)

    assert actual == chart
    assert {CARDS.locations[location].destroyed_at for location in ("mamayev_kurgan", "grain_elevator")} == {10, 6}


def test_control_is_derived_as_in_the_picture() -> None:
    """control.both, control.neither, control.own (T4)"""
    table = after("t04-location-control", 0)
    actual = {name: controller(table, name) for name in ("barrikady_gun_factory", "central_station", "gumrak_airfield")}

    assert actual == {"barrikady_gun_factory": None, "central_station": None, "gumrak_airfield": RUSSIAN}
    assert {name: table.control.get(PlaceId(name)) or None for name in actual} == actual


def test_a_force_that_moved_in_makes_a_location_uncontrolled() -> None:
    """control.immediate (T9): after the first Move the Russian Controls it, after the Advance neither side does."""
    holders = [
        controller(after("t09-two-moves-into-an-enemy-location", steps), "grain_elevator") for steps in (0, 1, 2)
    ]

    assert holders == [RUSSIAN, RUSSIAN, None]


RUNNING = [(7, 3), (6, 3), (6, 1), (3, 1), (3, 2), (2, 2), (5, 2)]


def test_the_running_totals_of_the_long_firefight() -> None:
    """attack.firefight.sample (T13): 7:3, 6:3, 6:1, 3:1, 3:2, 2:2, 5:2."""
    found: list[tuple[int, int]] = []
    for steps in range(4, 14):
        table = after("t13-the-long-firefight", steps)
        pair = (TOTAL.of(table, GERMAN), TOTAL.of(table, RUSSIAN))
        if not found or pair != found[-1]:
            found.append(pair)

    assert found == RUNNING


def test_a_counter_is_worth_1_combat_and_1_hit_on_retreat() -> None:
    """heroic.combat, heroic.retreat (T16)"""
    force = PieceId("r_39_guards")
    before, later = after("t16-the-defender-earns-a-counter", 0), after("t16-the-defender-earns-a-counter", 7)

    assert (combat(CARDS, before, force), retreat_worth(CARDS, before, force)) == (5, 2)
    assert (combat(CARDS, later, force), retreat_worth(CARDS, later, force)) == (6, 3)


def test_big_push_reaches_every_area_and_ends_with_the_turn() -> None:
    """card.big-push, turn.end-cleanup (T17)"""
    text = (EXAMPLES / "t17-big-push.toml").read_text(encoding="utf-8")
    last = len([step for step in parse_position(text).steps if not step.refused])
    begun, pushed, ended = (after("t17-big-push", steps) for steps in (0, 2, last))
    forces = forces_of(CARDS, begun, GERMAN)

    assert any(begun.pieces[force].place == area("grain_elevator", GERMAN, "perimeter") for force in forces)
    assert [combat(CARDS, pushed, force) for force in forces] == [CARDS.forces[force].combat + 1 for force in forces]
    left = forces_of(CARDS, ended, GERMAN)
    assert [combat(CARDS, ended, force) for force in left] == [CARDS.forces[force].combat for force in left]


def test_only_the_attackers_that_pay_take_part() -> None:
    """attack.held-back-forces (T10): the Force that did not pay adds nothing."""
    table = after("t10-only-who-pays-attacks", 3)
    actual = [added(base_parts(CARDS, table, side, GERMAN, "gumrak_airfield")) for side in (GERMAN, RUSSIAN)]

    assert actual == [2 + 2, 3]
