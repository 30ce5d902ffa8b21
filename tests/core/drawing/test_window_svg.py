"""A map that has no room as a whole is shown in part: what is asked about, never smaller than it can be read."""

from core.drawing.map_svg import Map
from core.drawing.window_svg import (
    LARGEST,
    PANE,
    Subject,
    is_on,
    map_with,
    near_sheet,
    resting,
    shown_map,
    thumbnails,
    view_box,
    window_of,
)
from core.narration.render_model import MapPlace
from core.narration.sheet import Counter, Land, Sheet, Spread
from core.svg.counter_svg import WIDE
from events.codec import replace
from events.ids import PlaceId, Side

SIDE, COLUMNS, ROWS = 100, 12, 10


def square(column: int, row: int, key: str = "") -> MapPlace:
    left, top = column * SIDE, row * SIDE
    corners = ((left, top), (left + SIDE, top), (left + SIDE, top + SIDE), (left, top + SIDE))
    id_ = PlaceId(f"{key}{column}/{row}")
    return MapPlace(id_, f"Place {id_}", "", left + SIDE // 2, top + SIDE // 2, outline=corners, map=key)


PLACES = tuple(square(column, row) for column in range(COLUMNS) for row in range(ROWS))
SHEET = Sheet("Title", PLACES, {place.id: Land() for place in PLACES})
NEAR = near_sheet(SHEET)
MAP = Map(NEAR, "", Spread())


def spanned(*places: str) -> tuple[float, float, float, float]:
    """Return what is shown for some places, the first of them in any case."""
    ids = tuple(map(PlaceId, places))
    return view_box(MAP, window_of(MAP, Subject(ids, ids[:1])))


def test_one_place_is_shown_enlarged_and_with_what_is_around_it() -> None:
    left, top, right, bottom = spanned("5/5")

    assert (round(right - left), round(bottom - top)) == (round(PANE[0] / LARGEST), round(PANE[1] / LARGEST))


def test_places_that_are_too_far_apart_are_not_made_smaller_and_the_first_is_seen() -> None:
    left, top, right, bottom = spanned("11/9", "0/0", "5/5")
    last = next(place for place in MAP.places if place.id == "11/9")

    assert (right - left, bottom - top) == PANE
    assert left < last.x < right
    assert top < last.y < bottom
    assert right <= MAP.width
    assert bottom <= MAP.height


def test_without_a_first_place_those_are_seen_that_are_nearest_together() -> None:
    window = window_of(MAP, Subject(tuple(map(PlaceId, ("0/0", "11/8", "11/9")))))
    places = {place.id: place for place in MAP.places}
    assert window is not None

    assert window.first[0] > places[PlaceId("10/8")].x
    assert window.first[3] >= places[PlaceId("11/9")].y


def test_of_many_far_places_those_are_seen_that_are_near_to_what_has_just_happened_unless_it_is_far_from_all() -> None:
    """Who has fought there goes on there; a deed far away from all choices is told in words, and must not hide them."""
    asked = tuple(map(PlaceId, ("0/0", "5/5", "11/8", "11/9")))
    near, far = (window_of(MAP, Subject(asked, changed=(PlaceId(one),))) for one in ("5/7", "0/9"))
    assert near is not None and far is not None

    assert (near.place, far.place) == ("5/5", "11/8")


def test_a_question_about_few_places_that_have_room_is_shown_with_the_last_change_if_that_has_room() -> None:
    asked = tuple(map(PlaceId, ("5/5", "6/5")))
    near, far = (window_of(MAP, Subject(asked, changed=(PlaceId(one),))) for one in ("4/5", "0/9"))
    alone = window_of(MAP, Subject(asked))
    assert near is not None and far is not None and alone is not None

    assert far == alone
    assert near.first == alone.first
    assert near.focus[0] < alone.focus[0]


def test_of_what_goes_on_at_several_places_all_is_told_however_far_apart_they_are() -> None:
    places = tuple(map(PlaceId, ("0/0", "5/5", "11/9")))
    one, several = (window_of(MAP, Subject(places, places, stake=stake)) for stake in (places[:1], places))
    assert one is not None and several is not None

    assert one.stake is None
    assert several.stake == several.focus


def test_while_nothing_is_asked_about_a_viewer_sees_own_counters_else_any_else_places() -> None:
    own, other = Counter("Own", side=Side("own")), Counter("Other", side=Side("other"))
    stacks = {PlaceId("0/0"): (other,), PlaceId("9/9"): (other, own)}
    seen = [
        resting(NEAR, spread, ("",)).places
        for spread in (Spread(stacks=stacks, near=Side("own")), Spread(stacks=stacks), Spread(near=Side("own")))
    ]

    assert seen == [("9/9",), ("0/0", "9/9"), tuple(place.id for place in PLACES)]


def test_counters_on_another_map_are_not_seen() -> None:
    sheet = Sheet("Title", (*PLACES, square(0, 0, "b")), {})
    stacks = {PlaceId("0/0"): (Counter("Own", side=Side("own")),)}

    assert resting(sheet, Spread(stacks=stacks, near=Side("own")), ("b",)).places == ("b0/0",)


def test_a_map_that_has_room_and_a_question_about_no_place_have_no_window() -> None:
    small = near_sheet(Sheet("Title", PLACES[:2], {place.id: Land() for place in PLACES[:2]}))

    assert window_of(Map(small, "", Spread()), Subject((PLACES[0].id,))) is None
    assert window_of(MAP, Subject(())) is None
    assert view_box(MAP, None) == (0, 0, MAP.width, MAP.height)


def test_counters_of_a_formation_lie_side_by_side_where_a_near_place_has_room() -> None:
    """Three of a formation beside another counter lay over each other in an Area with room for twice as many."""
    place = MapPlace(PlaceId("wide"), "Wide", "", 300, 200, outline=((0, 0), (600, 0), (600, 400), (0, 400)))
    sheet = Sheet("Title", (place,), {place.id: Land()}, near_cell=600)
    units = tuple([Counter(f"Unit {number}", corner="295", symbol="infantry") for number in range(3)])
    stack = (Counter("Tanks", corner="PZ", symbol="infantry"), *units)
    seen = Map(near_sheet(sheet), "", Spread(stacks={place.id: stack})).counters_at(place.id)

    assert [round(right - left) for (left, _, right, _), _ in seen] == [WIDE] * 4
    assert len({top for (_, top, _, _), _ in seen}) == 1


def test_a_table_that_is_seen_whole_has_no_near_sheet() -> None:
    whole = replace(SHEET, near_cell=0)

    assert near_sheet(whole) is whole
    assert near_sheet(SHEET) is NEAR


def test_of_several_maps_the_one_with_the_question_is_shown_and_all_are_thumbnails() -> None:
    places = (square(0, 0, "one"), square(0, 0, "other"))
    sheet = Sheet("Title", places, {place.id: Land() for place in places}, maps={"one": "One", "other": "Other"})
    shown = shown_map(sheet, Spread(), "other", Subject((places[1].id,)), {})

    assert map_with(sheet, [places[1].id]) == "other"
    assert map_with(sheet, [places[1].id], "one") == "one"
    assert map_with(sheet, [], "nothing") == "one"
    assert is_on(sheet, "other", [places[1].id])
    assert not is_on(sheet, "one", [places[1].id])
    assert [one.title for one in thumbnails(sheet, Spread(), shown, {})] == ["One", "Other"]
    assert all("<text" not in one.svg for one in thumbnails(sheet, Spread(), shown, {}))
