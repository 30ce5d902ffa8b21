"""Roads from place to place that meet inside places, or pass each other there: what can be reached along them."""

from collections.abc import Sequence

from events.codec import Struct
from events.ids import PlaceId

Strand = tuple[PlaceId, int]
"""All roads of a place that meet inside it: the place, and a number of its own for each of its strands."""


class Road(Struct, frozen=True):
    """A road from place to place; `exits` are those of its ends in which it leaves the map."""

    id: str
    name: str
    places: tuple[PlaceId, ...]
    exits: tuple[PlaceId, ...] = ()


class Junction(Struct, frozen=True):
    """Roads, by their ids, that meet inside a place."""

    place: PlaceId
    roads: tuple[str, ...]


def road_network(
    roads: Sequence[Road], junctions: Sequence[Junction]
) -> tuple[dict[PlaceId, tuple[Strand, ...]], dict[Strand, tuple[Strand, ...]]]:
    """Return the strands of each place with a road, and the steps from strand to strand."""
    strand_of: dict[tuple[PlaceId, str], Strand] = {}
    strands: dict[PlaceId, tuple[Strand, ...]] = {}
    meetings = {(junction.place, road): junction.roads for junction in junctions for road in junction.roads}
    for road in roads:
        for place in road.places:
            if (place, road.id) not in strand_of:
                there = strands.get(place, ())
                strands[place] = (*there, (place, len(there)))
                for other in meetings.get((place, road.id), (road.id,)):
                    strand_of[place, other] = (place, len(there))
    steps: dict[Strand, tuple[Strand, ...]] = {strand: () for there in strands.values() for strand in there}
    for road in roads:
        for one, other in zip(road.places, road.places[1:], strict=False):
            here, beyond = strand_of[one, road.id], strand_of[other, road.id]
            steps[here] += (beyond,)
            steps[beyond] += (here,)
    return strands, steps
