"""Values of zones: what their owner would lose with them."""

from random import Random

from core.games.axis_allies.bots.forces import cutting_off
from core.geometry.paths import distances
from events.ids import PlaceId
from tests.support.axis_allies import BOARD


def supplied(friendly: set[PlaceId], exits: set[PlaceId]) -> set[PlaceId]:
    """Return the zones to which supply comes from exits."""
    return set(distances(exits & friendly, lambda at: friendly.intersection(BOARD.zones[at].near)))


def test_a_zone_is_cut_off_by_those_without_which_no_supply_comes_to_it() -> None:
    rng = Random(1)
    for _ in range(60):
        share = rng.random()
        friendly = {zone for zone in BOARD.zones if rng.random() < share}
        exits = {zone for zone in BOARD.zones if rng.random() < 0.1}
        before = supplied(friendly, exits)
        without = {zone: supplied(friendly - {zone}, exits) for zone in before}
        near = {zone: friendly.intersection(BOARD.zones[zone].near) for zone in friendly}

        assert cutting_off(near, exits & friendly) == {
            zone: {other for other in before if other != zone and zone not in without[other]} for zone in before
        }
