"""Constraints that boards of several games share: each defect is found at its place."""

from core.file_checks.shared_checks import check_centres, check_chart, check_ids, check_names, check_pairs, check_roads
from core.geometry.roads import Junction, Road
from core.toml.findings import Findings
from core.toml.outside_toml import OutsideText, read_outside
from core.toml.toml_lines import Path
from events.ids import PlaceId


def findings() -> Findings:
    read = read_outside("")
    assert isinstance(read, OutsideText)
    return Findings(read)


def problems(found: Findings) -> list[tuple[str, str]]:
    return [(defect.where, defect.problem) for defect in found.defects()]


def places(*ids: str) -> list[PlaceId]:
    return [PlaceId(id_) for id_ in ids]


def test_pairs_name_different_places_once_and_connect_all() -> None:
    found = findings()
    a, b, c, d = places("a", "b", "c", "d")
    near = check_pairs(found, {("bridges",): [(a, b)], ("roads",): [(b, a), (c, c)]}, [a, b, c, d])

    assert near[a] == (b,)
    assert problems(found) == [
        ("roads[no. 1]", "b and a are paired twice"),
        ("roads[no. 2]", "pairs c with itself"),
        ("roads", "no way leads from a to c, d"),
    ]


def test_names_are_compared_however_they_are_written() -> None:
    found = findings()
    check_names(found, ("areas",), {"1": "Red October", "2": "RED  OCTOBER", "3": "Barrikady"})

    assert problems(found) == [("areas[no. 2].name", "is 'RED  OCTOBER', as of 1")]


def test_centres_are_within_the_map_and_apart() -> None:
    found = findings()
    centres = {"1": (1, 1), "2": (1, 1), "3": (9, 5)}
    check_centres(found, ("areas",), centres, {"x": (0, 8), "y": (5, 5)})

    assert sorted(problems(found)) == [
        ("areas[no. 2].x", "x and y are those of 1"),
        ("areas[no. 3].x", "is 9"),
        ("map.y_range", "is [5, 5]"),
    ]


def test_roads_lead_from_zone_to_zone_and_meet_where_they_are() -> None:
    found = findings()
    a, b, c = places("a", "b", "c")
    roads = [Road("low", "Low", (a, b, c), (b, c)), Road("high", "High", (a, a), (a,))]
    check_roads(found, roads, [Junction(c, ("low", "high"))], {frozenset((a, b))}, [a, b])

    assert problems(found) == [
        ("roads.rows[no. 1].zones[no. 3]", "leads from b to c, which do not touch"),
        ("roads.rows[no. 1].exits[no. 1]", "is b"),
        ("roads.rows[no. 1].exits[no. 2]", "is c"),
        ("roads.rows[no. 2].zones", "is ['a', 'a']"),
        ("roads.rows[no. 2].zones[no. 2]", "leads from a to a, which do not touch"),
        ("roads.junctions[no. 1].roads", "high does not come to c"),
    ]


def test_ids_of_several_sections_are_different() -> None:
    found = findings()
    ids: list[tuple[Path, str]] = [(("units", 0), "A"), (("counters", 0), "B"), (("counters", 1), "A")]
    check_ids(found, ids)

    assert problems(found) == [("counters[no. 2].id", "'A' is there twice")]


def test_a_chart_has_one_row_for_each_roll() -> None:
    found = findings()
    check_chart(found, ("chart",), [(1, 3), (3, 4), (6, 5)], range(1, 7))

    assert sorted(problems(found)) == [
        ("chart", "0 rows are for a roll of 5"),
        ("chart", "0 rows are for a roll of 6"),
        ("chart", "2 rows are for a roll of 3"),
        ("chart[no. 3].high", "is 5"),
    ]
