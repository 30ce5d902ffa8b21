"""Constraints that the boards of several games have: adjacency, drawn places, ids, charts. Knows no game.

Each function records what keeps a board from being played on. A game calls those that fit from its own check.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

from core.geometry.paths import distances, neighbourhood
from core.geometry.roads import Junction, Road
from core.toml.findings import Findings, plain_name, shown
from core.toml.toml_lines import Path
from events.ids import PlaceId

Near = Mapping[PlaceId, tuple[PlaceId, ...]]
"""The neighbours of each place."""


def check_pairs(
    findings: Findings, sections: Mapping[Path, Sequence[tuple[PlaceId, PlaceId]]], places: Sequence[PlaceId]
) -> Near:
    """Check that pairs name different places, each pair once, and connect all places; return the neighbours of each place.

    Args:
        findings: The defects of the file.
        sections: The pairs by the path of their array; a missing connection is a defect of the last one.
        places: All places, at least one.
    """
    near = neighbourhood([pair for pairs in sections.values() for pair in pairs], places)
    seen: set[frozenset[PlaceId]] = set()
    for path, pairs in sections.items():
        for index, (one, other) in enumerate(pairs):
            if one == other:
                findings.add((*path, index), f"pairs {one} with itself", "two different places")
            elif {one, other} in seen:
                findings.add((*path, index), f"{one} and {other} are paired twice", "each pair once, in either order")
            seen.add(frozenset((one, other)))
    lost = near.keys() - distances((places[0],), near.__getitem__).keys()
    if lost:
        findings.add(list(sections)[-1], f"no way leads from {places[0]} to {in_number_order(lost)}", "a connected map")
    return near


def check_names(findings: Findings, rows: Path, names: Mapping[str, str]) -> None:
    """Check that each row has a printed name of its own, in whichever way it is written.

    Args:
        findings: The defects of the file.
        rows: The path of the array.
        names: The names by the ids of the rows, in the order of the array.
    """
    first: dict[str, str] = {}
    for index, (id_, name) in enumerate(names.items()):
        other = first.setdefault(plain_name(name), id_)
        if other != id_:
            findings.add((*rows, index, "name"), f"is {shown(name)}, as of {other}", "a name of its own")


def check_centres(
    findings: Findings,
    rows: Path,
    centres: Mapping[str, tuple[int, int]],
    ranges: Mapping[str, tuple[int, int]],
) -> None:
    """Check that each place has a centre of its own within the ranges of the map, so that the map can be drawn.

    Args:
        findings: The defects of the file.
        rows: The path of the array of places, with the fields `x` and `y`.
        centres: The centres by the ids of the places, in the order of the array.
        ranges: The lowest and the highest `x` and `y`, in the fields `x_range` and `y_range` of the table `map`.
    """
    for axis, (name, (low, high)) in enumerate(ranges.items()):
        if low >= high:
            findings.add(("map", f"{name}_range"), f"is [{low}, {high}]", "the lower end first")
            continue
        for index, centre in enumerate(centres.values()):
            if not low <= centre[axis] <= high:
                findings.add((*rows, index, name), f"is {centre[axis]}", f"{low} to {high}, as {name}_range says")
    check_spots(findings, rows, centres)


def check_spots(findings: Findings, rows: Path, spots: Mapping[str, Hashable]) -> None:
    """Check that no two places have the same spot.

    Args:
        findings: The defects of the file.
        rows: The path of the array of places, with the fields `x` and `y`.
        spots: The spots by the ids of the places, in the order of the array, with all that tells them apart.
    """
    first: dict[Hashable, str] = {}
    for index, (id_, spot) in enumerate(spots.items()):
        other = first.setdefault(spot, id_)
        if other != id_:
            findings.add((*rows, index, "x"), f"x and y are those of {other}", "a spot of its own")


def check_roads(
    findings: Findings,
    roads: Sequence[Road],
    junctions: Sequence[Junction],
    linked: Collection[frozenset[PlaceId]],
    leaving: Collection[PlaceId],
) -> None:
    """Check that roads lead from zone to adjacent zone and leave the map at their ends, and that junctions join roads that are there.

    Args:
        findings: The defects of the file.
        roads: The rows of the table `roads`, with the fields `zones` and `exits`.
        junctions: Where they meet: its rows `junctions`.
        linked: The pairs of zones that touch.
        leaving: The zones in which a road may leave the map.
    """
    for index, road in enumerate(roads):
        row: Path = ("roads", "rows", index)
        if len(set(road.places)) < len(road.places) or not road.places:
            findings.add((*row, "zones"), f"is {shown(list(road.places))}", "zones, each once")
        for step, (one, other) in enumerate(zip(road.places, road.places[1:], strict=False)):
            if {one, other} not in linked:
                problem = f"leads from {one} to {other}, which do not touch"
                findings.add((*row, "zones", step + 1), problem, "a zone next to the one before")
        for number, place in enumerate(road.exits):
            if place not in (road.places[0], road.places[-1]) or place not in leaving:
                findings.add((*row, "exits", number), f"is {place}", "an end of the road in a zone with an exit")
    along = {road.id: road.places for road in roads}
    for index, junction in enumerate(junctions):
        for road_id in junction.roads:
            if junction.place not in along[road_id]:
                problem = f"{road_id} does not come to {junction.place}"
                findings.add(("roads", "junctions", index, "roads"), problem, "roads of the zone")


def check_ids(findings: Findings, ids: Iterable[tuple[Path, str]]) -> None:
    """Check that no id of several sections occurs twice.

    Args:
        findings: The defects of the file.
        ids: Each id after the path of its table.
    """
    seen: set[str] = set()
    for path, id_ in ids:
        if id_ in seen:
            findings.add((*path, "id"), f"{shown(id_)} is there twice", "an id of its own")
        seen.add(id_)


def check_chart(findings: Findings, path: Path, rows: Sequence[tuple[int, int]], rolls: range) -> None:
    """Check that a chart has exactly one row for each roll.

    Args:
        findings: The defects of the file.
        path: The path of the array of rows, with the fields `low` and `high`.
        rows: The lowest and the highest roll of each row.
        rolls: The possible rolls.
    """
    covered: Counter[int] = Counter()
    for index, (low, high) in enumerate(rows):
        covered.update(range(low, high + 1))
        if low > high:
            findings.add((*path, index, "high"), f"is {high}", f"{low} or more, as low says")
    for roll in rolls:
        if covered[roll] != 1:
            wanted = f"one row for each roll from {rolls[0]} to {rolls[-1]}"
            findings.add(path, f"{covered[roll]} rows are for a roll of {roll}", wanted)


def in_number_order(names: Iterable[str]) -> str:
    """List names in the order of their numbers."""
    return ", ".join(sorted(names, key=lambda name: (len(name), name)))
