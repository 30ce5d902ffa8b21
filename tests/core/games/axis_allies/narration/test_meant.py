"""Commands name classes of like units: which units on the boards a command may mean."""

from collections.abc import Mapping

import pytest

from core.engine.command import Command
from core.engine.selection import Choose, Done, Pick, Unpick
from core.games.axis_allies.ids import ALLIES, AXIS
from core.games.axis_allies.rules.commands import Blitz, Buy, ExitPair, FightUnsupplied, Fly, Move, MoveStack, Spend
from core.games.axis_allies.rules.landing import LAND_QUESTION
from events.ids import PlaceId
from events.vocabulary import ItemPicked
from projections.state.fold import evolve
from projections.state.table import Table
from tests.support.axis_allies import NARRATION, SCENE
from tests.support.axis_allies_questions import asking

KALACH, TERKIN, KOTLUBAN = PlaceId("kalach"), PlaceId("terkin"), PlaceId("kotluban")
Units = Mapping[str, Mapping[str, int]]
TANK, INFANTRY, FIGHTER = "ger_tank", "ger_infantry", "ger_fighter"


@pytest.fixture
def table() -> Table:
    """Return a table with a stack in each of two zones, of which one has moved."""
    units: Units = {KALACH: {TANK: 1, INFANTRY: 2, "ger_bomber": 1}, TERKIN: {INFANTRY: 1, TANK: 1}}
    return asking("move", AXIS, 3, units=units, moved=[TERKIN])


def meant(table: Table, command: Command) -> dict[str, list[tuple[str, PlaceId]]]:
    """Return the types and places of the pieces that a command may mean by each class."""
    return {
        class_: [(table.pieces[piece].kind, table.pieces[piece].place) for piece in pieces]
        for class_, pieces in NARRATION.pieces_meant(table, command).items()
    }


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (Move(INFANTRY, KALACH, TERKIN), {INFANTRY: [(INFANTRY, KALACH)] * 2}),
        (Move(f"{INFANTRY} moved", TERKIN, KALACH), {f"{INFANTRY} moved": [(INFANTRY, TERKIN)]}),
        (
            MoveStack((INFANTRY, INFANTRY, TANK), KALACH, TERKIN),
            {INFANTRY: [(INFANTRY, KALACH)] * 2, TANK: [(TANK, KALACH)]},
        ),
        (
            Fly("ger_bomber ground", KALACH, TERKIN, "airlift", (INFANTRY,)),
            {"ger_bomber ground": [("ger_bomber", KALACH)], INFANTRY: [(INFANTRY, KALACH)] * 2},
        ),
        (
            Blitz(TANK, KALACH, KOTLUBAN, TERKIN, partner=f"{TANK} moved", partner_origin=TERKIN),
            {TANK: [(TANK, KALACH)], f"{TANK} moved": [(TANK, TERKIN)]},
        ),
        (
            ExitPair((KALACH, TERKIN), (TANK, f"{TANK} moved"), KOTLUBAN),
            {TANK: [(TANK, KALACH)], f"{TANK} moved": [(TANK, TERKIN)]},
        ),
        (Buy(INFANTRY, KALACH), {}),
        (Done(), {}),
    ],
)
def test_a_command_means_the_units_of_the_class_where_it_takes_them_from(
    command: Command, expected: object, table: Table
) -> None:
    assert meant(table, command) == expected


def test_losses_are_among_the_units_of_the_question() -> None:
    units: Units = {KALACH: {INFANTRY: 2}, TERKIN: {INFANTRY: 1}}
    pool = asking("move", AXIS, 3, units=units).pieces_at(KALACH)[:1]
    pooled = asking("casualties", AXIS, 5, units=units, pool=pool)
    crowded = asking("destroy", AXIS, 3, units=units, zone=str(TERKIN))

    assert NARRATION.pieces_meant(pooled, Pick(INFANTRY)) == {INFANTRY: pool}
    assert meant(crowded, Choose((INFANTRY,))) == {INFANTRY: [(INFANTRY, TERKIN)]}


def test_a_bombardment_means_the_launchers_of_the_zone_that_fires() -> None:
    launcher = "sov_rocket_launcher"
    units: Units = {TERKIN: {launcher: 2, "sov_infantry": 1}, KOTLUBAN: {launcher: 1}, KALACH: {INFANTRY: 1}}
    table = asking("assign_bombardment", ALLIES, 12, control=[TERKIN, KOTLUBAN], units=units)
    fired = {TERKIN: [(launcher, TERKIN)] * 2}

    assert meant(table, Pick(TERKIN, KALACH)) == meant(table, Unpick(TERKIN)) == fired
    assert meant(table, Choose((TERKIN, KOTLUBAN), (KALACH, KALACH))) == {**fired, KOTLUBAN: [(launcher, KOTLUBAN)]}
    assert meant(table, Done()) == {}
    assert NARRATION.describe(table, Done()) == "Do not bombard"
    assert table.top is not None and "so far" not in NARRATION.question(table, table.top)


def test_the_answer_that_spends_a_token_means_the_tokens_of_its_side_in_the_zone() -> None:
    table = asking("spend_token", AXIS, 5, held={AXIS: {TERKIN: 2, KALACH: 1}}, zone=str(KALACH), use="combat")

    assert meant(table, Spend(TERKIN)) == {TERKIN: [("supply", TERKIN)] * 2}
    assert meant(table, Spend(KOTLUBAN)) == meant(table, FightUnsupplied()) == {}


def test_a_targeted_hit_means_the_enemy_units_of_the_type_on_which_it_falls() -> None:
    """RuleId("unit.assault-gun.targeted-tanks")."""
    units: Units = {KALACH: {TANK: 1, "sov_tank": 2, "sov_infantry": 1, "sov_fighter": 1}, TERKIN: {"sov_tank": 1}}
    table = asking("targets", AXIS, 5, units=units, place=KALACH, assault_gun=2, bomber=1)
    evolve(table, ItemPicked(rule=SCENE, item="assault_gun", to="tank"))
    tanks = [("sov_tank", KALACH)] * 2

    assert meant(table, Pick("assault_gun", "tank")) == {"tank": tanks}
    assert meant(table, Pick("bomber", "infantry")) == {"infantry": [("sov_infantry", KALACH)]}
    assert meant(table, Pick("fighter", "air")) == {"air": [("sov_fighter", KALACH)]}
    assert meant(table, Unpick("assault_gun")) == {"assault_gun": tanks}
    assert meant(table, Choose(("assault_gun", "bomber"), ("tank", "infantry"))) == {
        "tank": tanks,
        "infantry": [("sov_infantry", KALACH)],
    }
    assert meant(table, Done()) == {}


def test_aircraft_that_land_are_meant_wherever_they_fly() -> None:
    units: Units = {KALACH: {FIGHTER: 1}, TERKIN: {FIGHTER: 1}, KOTLUBAN: {FIGHTER: 1}}
    table = asking(LAND_QUESTION, AXIS, 6, units=units, flying=[KALACH, TERKIN])

    assert meant(table, Pick(FIGHTER, KALACH)) == {FIGHTER: [(FIGHTER, KALACH), (FIGHTER, TERKIN)]}
