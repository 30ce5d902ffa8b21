"""A strip of own stacks has the places in which something can be chosen, in their order."""

from core.drawing.own_stacks import with_own_stacks
from core.narration.render_model import MapPlace
from core.narration.sheet import Counter, Land, Sheet, Spread
from events.codec import replace
from events.ids import PieceId, PlaceId, Side

OURS, THEIRS = Side("ours"), Side("theirs")
A, B = PlaceId("a"), PlaceId("b")
GUNS, FIRST, SECOND, ENEMY = (PieceId(one) for one in ("guns", "first", "second", "enemy"))
SHEET = Sheet(
    "A map",
    (MapPlace(B, "Beta", "7", 0, 0), MapPlace(A, "Alpha", "", 9, 9)),
    {A: Land(), B: Land()},
    own_stacks="Your stacks",
)
LIKE = Counter("a battalion", OURS, number=2, is_large=True)
SPREAD = Spread(
    stacks={A: (LIKE, Counter("?", THEIRS)), B: (Counter("guns", OURS),)},
    pieces={A: ((FIRST, SECOND), (ENEMY,)), B: ((GUNS,),)},
    near=OURS,
)


def test_the_strip_has_the_own_counters_of_places_in_which_something_can_be_chosen() -> None:
    found = with_own_stacks(SHEET, SPREAD, {SECOND, GUNS})
    (strip,) = found.strips
    (cells,) = strip.rows

    assert (strip.title, strip.is_stacks) == ("Your stacks", True)
    assert [(cell.label, cell.pieces) for cell in cells] == [("7", (GUNS,)), ("Alpha", (FIRST, SECOND))]
    assert found.beside[FIRST] == replace(LIKE, number=1, is_large=False)
    assert ENEMY not in found.beside


def test_there_is_no_strip_where_nothing_own_can_be_chosen_or_the_game_wants_none() -> None:
    plain = Sheet("A map", SHEET.places, SHEET.land)

    assert with_own_stacks(SHEET, SPREAD, {ENEMY, A}) is SPREAD
    assert with_own_stacks(plain, SPREAD, {GUNS}) is SPREAD
