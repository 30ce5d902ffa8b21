"""Ids of a family are written from their parts."""

from collections.abc import Callable

from core.engine.id_families import id_family
from events.ids import PlaceId

track_box: Callable[[int, int], PlaceId] = id_family("track/{}/{}", PlaceId)


def test_an_id_has_its_parts_in_the_pattern() -> None:
    assert track_box(2, 11) == "track/2/11"
    assert track_box(2, 11) is track_box(2, 11)
