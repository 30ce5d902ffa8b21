"""Roads that meet inside a place are one strand there; others pass each other."""

from core.geometry.roads import Junction, Road, road_network
from events.ids import PlaceId

A, B, C, D = (PlaceId(name) for name in "ABCD")
ALONG = Road("along", "A to C", (A, B, C))
ACROSS = Road("across", "B to D", (B, D))


def test_roads_that_do_not_meet_pass_each_other() -> None:
    strands, steps = road_network((ALONG, ACROSS), ())

    assert strands[B] == ((B, 0), (B, 1))
    assert steps[B, 0] == ((A, 0), (C, 0))
    assert steps[B, 1] == ((D, 0),)


def test_roads_that_meet_are_one_strand() -> None:
    strands, steps = road_network((ALONG, ACROSS), (Junction(B, ("along", "across")),))

    assert strands[B] == ((B, 0),)
    assert steps[B, 0] == ((A, 0), (C, 0), (D, 0))
    assert steps[D, 0] == ((B, 0),)
