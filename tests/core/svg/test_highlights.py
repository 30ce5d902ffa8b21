"""What can be chosen is a link on the drawn map: a place within its edge, and on top of it a counter within a ring."""

from xml.etree import ElementTree

from core.drawing.drawing import spread_of
from core.drawing.map_svg import Map
from core.drawing.picture_svg import draw_maps
from core.games.axis_allies.ids import RACE
from core.narration.render_model import MapPlace
from core.narration.sheet import Counter, Drawing, Land, Sheet, Spread, counted_alike, pieces_of
from core.svg.highlights import Lit, lit_parts
from core.svg.label_room import Box
from events.codec import replace
from events.ids import PieceId, PlaceId, Side
from projections.state.table import Piece, Table
from tests.support.axis_allies import NARRATION, charts

SVG = "{http://www.w3.org/2000/svg}"
RED = Side("red")
FIELD, SPOT = PlaceId("field"), PlaceId("spot")
PLACES = (
    MapPlace(FIELD, "Field", "", 150, 100, outline=((0, 0), (300, 0), (300, 200), (0, 200))),
    MapPlace(SPOT, "Spot", "", 400, 100),
)
SHEET = Sheet("Title", PLACES, {place.id: Land() for place in PLACES}, sides=(RED,))
TANK, GUN = Counter("Tank", RED, corner="16", figures="5-6"), Counter("Gun", RED, corner="16", figures="1-2")


def drawn(*stack: Counter, at: PlaceId = FIELD, lit: dict[str, Lit]) -> ElementTree.Element:
    """Draw a map with counters whose pieces are called by their numbers, of which some can be chosen."""
    pieces = {at: tuple((PieceId(str(number)),) for number in range(len(stack)))}
    ((_, svg),) = draw_maps(SHEET, Spread(stacks={at: stack}, pieces=pieces), lit)
    return ElementTree.fromstring(svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1))


def links(drawing: ElementTree.Element) -> list[ElementTree.Element]:
    return list(drawing.iter(f"{SVG}a"))


def ring(drawing: ElementTree.Element, link: ElementTree.Element) -> tuple[float, float, float, float]:
    """Return the left and upper edge, the width and the height of what is inside the ring of a counter."""
    use = next(link.iter(f"{SVG}use"))
    (ring,) = [one for one in drawing.iter(f"{SVG}g") if f"#{one.get('id')}" == use.attrib["href"]]
    edge = next(ring.iter(f"{SVG}rect"))
    x, y, wide, high = (float(edge.attrib[name]) for name in ("x", "y", "width", "height"))
    return float(use.attrib["x"]), float(use.attrib["y"]), wide + 2 * x, high + 2 * y


def where(drawing: ElementTree.Element) -> list[list[float]]:
    """Return the upper left corner of each counter; none of them is drawn smaller."""
    counters = [one for one in drawing.iter(f"{SVG}g") if one.get("class") == "counter"]
    return [[float(at) for at in one.attrib["transform"][10:-1].split()] for one in counters]


def test_a_lit_counter_is_a_link_with_a_name_on_top_of_its_place() -> None:
    lit = {"1": Lit("", "/gun", "Gun: 3 options"), FIELD: Lit("", "/field", "Field: 5 options")}
    place, counter = links(drawn(TANK, GUN, lit=lit))

    assert (place.get("class"), place.get("href")) == ("lit", "/field")
    assert (counter.get("class"), counter.get("href")) == ("lit piece", "/gun")
    assert counter.get("aria-label") == counter.findtext(f"{SVG}title") == "Gun: 3 options"


def test_the_ring_is_around_what_is_visible_of_a_counter() -> None:
    """Counters of one formation are a fan where they have no room: a click on what is seen of one is a click on that one."""
    lit = {"0": Lit("", "/first", "First"), "1": Lit("", "/second", "Second"), "3": Lit("", "/last", "Last")}
    apart, fan = drawn(TANK, GUN, lit=lit), drawn(TANK, GUN, TANK, GUN, lit=lit)
    spots = where(fan)

    assert [ring(apart, one)[2:] for one in links(apart)] == [(56, 40), (56, 40)]
    assert spots[1][0] - spots[0][0] < 56
    assert [ring(fan, one) for one in links(fan)] == [
        (*spots[0], spots[1][0] - spots[0][0], 40),
        (*spots[1], spots[2][0] - spots[1][0], 40),
        (*spots[3], 56, 40),
    ]


def test_the_ring_lies_below_the_number_of_like_counters() -> None:
    drawing = drawn(replace(TANK, number=3), GUN, lit={"0": Lit("", "/tanks", "Tanks"), "1": Lit("", "/gun", "Gun")})
    (numbers,) = [one for one in drawing.iter(f"{SVG}g") if one.get("pointer-events") == "none"]
    (use,) = numbers.iter(f"{SVG}use")
    (number,) = [one for one in drawing.iter(f"{SVG}g") if f"#{one.get('id')}" == use.attrib["href"]]

    assert [text.text for text in number.iter(f"{SVG}text")] == ["×3"]
    assert list(drawing)[-1] is numbers


def test_the_ring_lies_below_the_number_of_the_counter_beside_it_that_cannot_be_chosen() -> None:
    drawing = drawn(replace(TANK, number=3), replace(GUN, corner="17"), lit={"1": Lit("", "/gun", "Gun")})
    (numbers,) = [one for one in drawing.iter(f"{SVG}g") if one.get("pointer-events") == "none"]

    assert len(list(numbers.iter(f"{SVG}use"))) == 1
    assert list(drawing)[-1] is numbers


def test_a_counter_says_what_its_figures_mean() -> None:
    drawing = drawn(replace(GUN, number=2, meaning="attack 1, defense 2"), lit={})

    assert "2 × Gun: attack 1, defense 2" in [one.text for one in drawing.iter(f"{SVG}title")]


def test_a_counter_below_a_spot_is_lit_where_it_lies() -> None:
    drawing = drawn(TANK, at=SPOT, lit={"0": Lit("", "/tank", "Tank")})

    assert ring(drawing, links(drawing)[0])[:2] == tuple(where(drawing)[0])


def test_a_chosen_counter_is_tinted_and_has_a_check_mark_and_the_last_one_an_id() -> None:
    """What is chosen is told by its shape, not by its colour alone, and neither covers what is printed at the upper left."""
    chosen = Lit("", "/", "Gun is chosen", is_chosen=True, is_last=True)
    drawing = drawn(TANK, GUN, lit={"0": Lit("", "/tank", "Tank"), "1": chosen})
    rings = {one.attrib["id"]: one for one in drawing.iter(f"{SVG}g") if "ring" in str(one.get("id"))}
    free, taken = ([shape.tag.removeprefix(SVG) for shape in rings[name]] for name in ("lit0-ring0", "lit0-ring1"))
    tints = [float(rings[name][0].attrib["fill-opacity"]) for name in ("lit0-ring0", "lit0-ring1")]
    (disc,) = [shape for shape in rings["lit0-ring1"] if shape.tag == f"{SVG}circle"]

    assert [one.get("id") for one in links(drawing)] == [None, "chosen"]
    assert free == ["rect", "rect", "circle"]
    assert taken == ["rect", "rect", "circle", "path"]
    assert tints[0] == 0 < tints[1]
    assert float(disc.attrib["cx"]) + float(disc.attrib["r"]) < 3, "where the print begins"


def test_like_counters_stand_for_all_their_pieces() -> None:
    table = Table()
    for number, look in enumerate((TANK, GUN, TANK)):
        piece = PieceId(str(number))
        table.pieces[piece] = Piece(piece, look.title, RED, FIELD)
    table.at[FIELD] = tuple(table.pieces)
    looks = {piece: TANK if there.kind == "Tank" else GUN for piece, there in table.pieces.items()}
    spread = spread_of(Drawing(SHEET, looks), NARRATION, table, None)

    assert spread.pieces[FIELD] == (("0", "2"), ("1",))
    assert [one.title for one in spread.stacks[FIELD]] == ["Tank", "Gun"]


def test_like_counters_of_which_some_changed_are_one_that_changed() -> None:
    """A counter of its own for each state would shrink all of them in a crowded place."""
    looks = {PieceId(str(number)): replace(TANK, is_changed=number == 1) for number in range(3)}
    stack = counted_alike(looks.values())

    assert stack == (replace(TANK, number=3, is_changed=True),)
    assert pieces_of(stack, looks) == (("0", "1", "2"),)
    assert counted_alike([TANK, TANK]) == (replace(TANK, number=2),)


def test_the_edge_of_a_lit_place_lies_below_its_counters_and_its_link_above_them() -> None:
    drawing = drawn(TANK, lit={FIELD: Lit("7", "/field", "Field")})
    order = [
        "edge"
        if part.get("clip-path")
        else "counters"
        if any(one.get("class") == "counter" for one in part.iter())
        else "link"
        for part in drawing
        if part.get("clip-path") or part.get("class") == "lit" or part.get("id") == f"place-{FIELD}"
    ]

    assert order == ["edge", "counters", "link"]


def test_the_sign_of_a_lit_place_covers_no_name_no_counter_no_mark_and_no_other_sign() -> None:
    drawing = NARRATION.drawing(charts(RACE).table)
    assert drawing is not None
    spread = spread_of(drawing, NARRATION, charts(RACE).table, None)
    for key in drawing.sheet.maps:
        one = Map(drawing.sheet, key, spread)
        lit = {str(place.id): Lit(str(100 + number), "/", "") for number, place in enumerate(one.places)}
        svg = "".join(lit_parts(lit, one.places, "x", one.taken()))
        signs = [
            (x, y, x + wide, y + 26)
            for badge in ElementTree.fromstring(f"<svg>{svg}</svg>").iter("rect")
            for x, y, wide in [[float(badge.attrib[name]) for name in ("x", "y", "width")]]
        ]
        taken = [*one.taken(), *signs]

        assert len(signs) == len(one.places)
        found = [box for sign in signs for box in taken if box is not sign and _is_common(sign, box)]
        assert found == [], key


def _is_common(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
