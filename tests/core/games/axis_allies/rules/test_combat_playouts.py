"""Combats of random forces, answered at random: no dead end, no question without a choice, and tables without defects."""

from collections import Counter
from random import Random

from core.chance.chance_sources import KeyedChance
from core.engine.draft import Draft
from core.engine.selection import Unpick
from core.games.axis_allies.ids import ALLIES, ASSAULT, AXIS, FLYING, GROUND, SIDES
from core.games.axis_allies.memory import ATTACK_MISSION, MISSION, RELOCATE, SCRAMBLE, in_play
from core.games.axis_allies.rules.queries import is_contested, is_in_battle, land
from core.positions.inventory_checks import table_defects
from events.ids import PlaceId
from projections.state.table import Table
from tests.support.axis_allies import BOARD, SCENE, bare
from tests.support.axis_allies_fights import PHASE, RACE_CONTROL, RULES, attack_phase
from tests.support.rows import each_row

BOX = in_play(BOARD, "race", {})
ZONES = ("kalach", "pitomnik", "mamayev_kurgan")
MISSIONS = ("", ATTACK_MISSION, RELOCATE, SCRAMBLE)


def random_fights(random: Random) -> Table:
    """Return three contested zones with random units, aircraft on random missions, and tokens."""
    kinds = list(BOARD.units)
    units = {zone: dict(Counter(random.choices(kinds, k=random.randrange(1, 13)))) for zone in ZONES}
    held: dict[str, dict[str, int]] = {side: {random.choice(ZONES): 2} for side in (AXIS, ALLIES)}
    draft = attack_phase(
        bare({AXIS: RACE_CONTROL}, units, held, dict.fromkeys(ZONES, ASSAULT)), random.choice((AXIS, ALLIES))
    )
    for piece in list(draft.table.pieces.values()):
        mission = random.choice(MISSIONS)
        if piece.kind in BOARD.units and BOARD.units[piece.kind].is_air and mission:
            MISSION.set(draft, piece.id, mission, SCENE)
            draft.turn(piece.id, GROUND if mission == RELOCATE else FLYING, SCENE)
    return draft.table


@each_row("seed", range(40))
def test_random_combats_come_to_an_end(seed: int) -> None:
    """RuleId("combat.mandatory"), RuleId("combat.one-round")."""
    random = Random(seed)
    draft = Draft(random_fights(random), KeyedChance(b"1" * 32, str(seed)))
    table = draft.table
    PHASE.begin(draft)
    RULES.settle(draft)
    while table.top is not None:
        options = RULES.options(table)
        assert len(options) > 1, "a question with one answer only is not asked"
        assert all(RULES.kinds[table.top.kind].refuse(table, table.top, one) is None for one in options)
        RULES.take(draft, random.choice([one for one in options if not isinstance(one, Unpick)]))

    assert not table.stack
    assert table_defects(BOX, table) == []
    for zone in ZONES:
        sides = [side for side in SIDES if land(table, BOARD, PlaceId(zone), side)]
        assert is_in_battle(table, PlaceId(zone)) == (len(sides) == len(SIDES))
        assert is_in_battle(table, PlaceId(zone)) == is_contested(table, PlaceId(zone))
