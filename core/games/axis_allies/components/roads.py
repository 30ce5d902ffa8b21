"""The network of roads and rail lines: which zones a unit may reach along contiguous red lines."""

from core.games.axis_allies.components.board_records import BoardFile
from events.ids import PlaceId

Strand = tuple[PlaceId, int]
"""All roads of a zone that meet inside it: the zone, and a number of its own for each of its strands."""


def road_network(file: BoardFile) -> tuple[dict[PlaceId, tuple[Strand, ...]], dict[Strand, tuple[Strand, ...]]]:
    """Return the strands of each zone with a road, and the steps from strand to strand.

    Source: RuleId("movement.road.contiguous").
    """
    strand_of: dict[tuple[PlaceId, str], Strand] = {}
    strands: dict[PlaceId, tuple[Strand, ...]] = {}
    meetings = {(junction.zone, road): junction.roads for junction in file.roads.junctions for road in junction.roads}
    for road in file.roads.rows:
        for zone in road.zones:
            if (zone, road.id) not in strand_of:
                there = strands.get(zone, ())
                strands[zone] = (*there, (zone, len(there)))
                for other in meetings.get((zone, road.id), (road.id,)):
                    strand_of[zone, other] = (zone, len(there))
    steps: dict[Strand, tuple[Strand, ...]] = {strand: () for there in strands.values() for strand in there}
    for road in file.roads.rows:
        for one, other in zip(road.zones, road.zones[1:], strict=False):
            here, beyond = strand_of[one, road.id], strand_of[other, road.id]
            steps[here] += (beyond,)
            steps[beyond] += (here,)
    return strands, steps
