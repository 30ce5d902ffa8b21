"""Plausible commands of the first game, most of them illegal, for tests of which are accepted."""

from itertools import combinations

from core.engine.command import Command
from events.ids import PlaceId
from projections.state.table import Table
from tests.support.advance import BOARD, order, place_support

MOVES = (("move", "to"), ("return-unit", "area"))


def wishes(table: Table) -> list[Command]:
    """List plausible commands, most of them illegal."""
    units = [*BOARD.units, "soviet/10", "29/XX"]
    areas = [*BOARD.areas, "0"]
    near = [area for area in areas if area in ("0", "10", "42") or table.pieces_at(PlaceId(area))]
    found = [order(do) for do in ("stop", "break-off", "done")]
    found += [order("buy", what=what) for what in ("artillery", "engineer", "air", "morale")]
    found += [order(do, area=area) for do in ("activate", "retreat-to") for area in areas]
    found += [order(do, unit=unit) for do in ("put-out-of-action", "name-lead", "retreat-next") for unit in units]
    found += [order(do, unit=unit, **{to: area}) for do, to in MOVES for unit in units for area in near]
    found += [
        place_support(artillery=artillery, engineer=engineer, air=air)
        for artillery in range(6)
        for engineer in range(5)
        for air in range(4)
    ]
    return found + groups(table, near)


def groups(table: Table, near: list[str] | list[PlaceId]) -> list[Command]:
    """List attacks and entries by every subset of every stack, and by some units that are not together."""
    found: list[Command] = []
    stacks = {str(place): table.pieces_at(place) for place in table.at}
    for place, stack in stacks.items():
        for size in range(min(5, len(stack)) + 1):
            for units in combinations(stack, size):
                found += [order("declare-attack", area=area, units=list(units)) for area in {place, "10", "9"}]
                if place.startswith(("reinforcements", "withdrawn")):
                    found += [order("place-group", units=list(units), area=area) for area in near]
    return found
