"""Boards that are drawn from their links: a steppe with a river, and a town that lies in it at the river."""

from core.drawing.board_plans import Frame, Inset, Lettering, Plan
from core.drawing.linked_boards import Area, LinkedBoards
from core.geometry.adjacency import Adjacency, Border
from core.geometry.roads import Junction, Road
from core.narration.sheet import Feature
from core.shapes.outlines import Outline, contains, shared_border
from events.ids import PlaceId, Side

ROAD = Feature("road", "road", "road")
TOWN: Outline = ((600, 400), (800, 400), (800, 600), (600, 600))
STEPPE = Plan(
    Frame(0, 0, 1000, 1000),
    (200, 150),
    west_bank=((800, 0), (800, 400), (800, 600), (800, 800), (1000, 900)),
    east_bank=((900, 0), (900, 700), (1000, 700)),
    beyond=(950, 300),
    letters=(Lettering("RIVER", (850, 200), 90),),
    inset=Inset("town", "Town", TOWN),
)
CITY = Plan(Frame(0, 0, 1000, 1000), (200, 150), ((700, 0), (800, 1000)), ((900, 0), (900, 1000)), (950, 500))
PLANS = {"steppe": STEPPE, "town": CITY}

SPOTS = {
    "north": ("steppe", 300, 200),
    "south": ("steppe", 300, 800),
    "west": ("steppe", 150, 500),
    "far": ("steppe", 950, 300),
    "hill": ("town", 300, 300),
    "port": ("town", 300, 700),
    "mill": ("town", 550, 500),
}
LINKS = ("north south", "south west", "west north", "hill port", "port mill", "mill hill", "north hill", "south port")
STRAIGHT = Road("straight", "Straight road", tuple(map(PlaceId, ("north", "hill", "mill"))), (PlaceId("north"),))
ASIDE = Road("aside", "Other road", (PlaceId("mill"), PlaceId("port"), PlaceId("south")))


RED = Side("red")


def boards(*junctions: Junction) -> LinkedBoards:
    areas = [
        Area(
            PlaceId(name),
            name.title(),
            board,
            (x, y),
            "north" if name == "north" else "",
            RED if name == "north" else None,
        )
        for name, (board, x, y) in SPOTS.items()
    ]
    borders = [Border(PlaceId(one), PlaceId(other)) for one, other in map(str.split, LINKS)]
    return LinkedBoards(
        PLANS,
        areas,
        Adjacency(borders, map(PlaceId, SPOTS)),
        roads=(STRAIGHT, ASIDE),
        junctions=junctions,
        sides={RED: "Reds"},
    )


def test_land_leaves_out_the_river_and_the_place_of_another_board() -> None:
    assert contains(STEPPE.land, (300, 500))
    assert [spot for spot in ((700, 500), (850, 300), (950, 300)) if contains(STEPPE.land, spot)] == []
    assert contains(STEPPE.land, (900, 950)), "the river leaves the board in the east, so that land lies south of it"
    assert contains(STEPPE.land_beyond, (950, 300))
    assert not contains(STEPPE.land_beyond, (950, 950))
    assert contains(CITY.land_beyond, (950, 950)), "this river leaves the board in the south"


def test_the_middle_of_a_river_is_between_its_banks() -> None:
    assert CITY.midstream(500) == (825, 500)
    assert contains(CITY.river, (825, 500))


def test_areas_share_a_border_exactly_if_they_are_linked_on_one_board() -> None:
    places = boards().places()

    assert {
        (one.id, other.id)
        for one in places
        for other in places
        if one != other and one.map == other.map and shared_border(one.outline, other.outline)
    } == {(place.id, near) for place in places for near in place.neighbours}
    assert next(place for place in places if place.id == "far").outline == STEPPE.land_beyond


def test_a_road_between_boards_leads_through_a_gate_on_both_and_leaves_at_an_edge() -> None:
    drawn = boards()
    first, second, *_ = [course for course in drawn.courses(ROAD) if course.feature == ROAD]

    assert (first.map, second.map) == ("steppe", "town")
    assert first.points[0][1] == STEPPE.frame.top
    assert first.points[1] == drawn.centres[PlaceId("north")]
    assert first.points[2] == (600, 400), "the corner of the town that is nearest"
    assert second.points[1:] == (drawn.centres[PlaceId("hill")], drawn.centres[PlaceId("mill")])


def test_roads_that_do_not_meet_keep_apart() -> None:
    mill = PlaceId("mill")
    apart, joined = boards(), boards(Junction(mill, ("straight", "aside")))
    through = [sum(drawn.centres[mill] in course.points for course in drawn.courses(ROAD)) for drawn in (apart, joined)]

    assert through == [1, 2]
    assert [mark.title for mark in joined.marks() if mark.shape == "dot"] == ["Mill: Straight road, Other road"]


def test_each_gate_has_one_number_on_both_boards() -> None:
    found = [(mark.map, mark.text, mark.title) for mark in boards().marks() if mark.shape == "gate"]

    assert found == [
        (board, number, f"gate {number}: {way}")
        for number, way in (("1", "North to Hill"), ("2", "South to Port"))
        for board in ("steppe", "town")
    ]


def test_lettering_and_the_town_are_marked_where_the_plan_says() -> None:
    marks = {mark.text: (mark.at, mark.map) for mark in boards().marks()}

    assert marks["RIVER"] == ((850, 200), "steppe")
    assert marks["Town"] == ((700, 500), "steppe")
    assert [backdrop.outline for backdrop in boards().backdrops()] == [STEPPE.river, CITY.river, TOWN]


def test_a_way_out_is_signed_with_the_side_that_has_it() -> None:
    exits = [mark for mark in boards().marks() if mark.shape == "exit"]

    assert [(mark.title, mark.tone, mark.turn, mark.at[1]) for mark in exits] == [
        ("North: exit of the Reds", "first", -90, STEPPE.frame.top)
    ]
