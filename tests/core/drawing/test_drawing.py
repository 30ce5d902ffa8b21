"""A picture of a table is one well-formed drawing that says everything without colour, whatever characters names contain."""

from bisect import bisect_left
from itertools import combinations, product
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from core.drawing.at_stake import attacks_on, named_on
from core.drawing.changes import changes_between
from core.drawing.drawing import in_colours
from core.drawing.frozen_rivers import frozen
from core.drawing.map_svg import Map
from core.drawing.picture_svg import KEY_NEXT, draw_picture
from core.drawing.printed_map import printed_map
from core.narration.card_table import CardFace
from core.narration.render_model import MapBorder, MapPlace, Panel
from core.narration.sheet import (
    Backdrop,
    Badge,
    Changes,
    Counter,
    Course,
    Feature,
    Ground,
    Land,
    Mark,
    Sheet,
    Spread,
    counted_alike,
)
from core.shapes.outlines import contains, crossings
from core.svg.badges import SHAPES, badge_row, row_width
from core.svg.card_svg import HIGH as CARD_HIGH
from core.svg.card_svg import WIDE as CARD
from core.svg.counter_svg import FAN, GAP, HIGH, LOW, NUMBER_OVER, WIDE, Counters
from core.svg.label_room import MEASURES, best_middle
from core.svg.palette import RANKS, TONES, style_sheet
from core.svg.patterns import PATTERNS, STROKES, definitions
from core.svg.symbols import SYMBOLS
from core.svg.themes import AUTO, DARK, LIGHT, PRINT
from events.codec import replace
from events.ids import NO_SEAT, MarkerId, PieceId, PlaceId, Seat, Side
from projections.state.table import Open, Piece, Table
from tests.support.rows import each_row

SVG = "{http://www.w3.org/2000/svg}"
RED, BLUE = Side("red"), Side("blue")
LEFT, RIGHT, SPOT = PlaceId("left"), PlaceId("right"), PlaceId("spot")
SQUARES = (
    MapPlace(LEFT, "Left", "1", 50, 50, (RIGHT,), outline=((0, 0), (100, 0), (100, 100), (0, 100))),
    MapPlace(RIGHT, "Right", "2", 150, 50, (LEFT, SPOT), outline=((100, 0), (200, 0), (200, 100), (100, 100))),
    MapPlace(SPOT, "Spot", "", 260, 50, (RIGHT,)),
)
SHEET = Sheet(
    "Title",
    SQUARES,
    {LEFT: Land("wood", ("base",), title="Left, a wood"), RIGHT: Land("lake", rim="second")},
    grounds=(Ground("wood", "Wood", "rough", "hachures"), Ground("lake", "Lake", "water", "waves")),
    features=(Feature("river", "a river", "bank"),),
    rims={"second": "entry"},
    sides=(RED, BLUE),
    remark="Reconstructed.",
)


def parsed(
    sheet: Sheet = SHEET, spread: Spread | None = None, *panels: Panel, subtitle: str = ""
) -> ElementTree.Element:
    return ElementTree.fromstring(draw_picture(sheet, spread, panels, subtitle, LIGHT))


def texts(drawing: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in drawing.iter(f"{SVG}text")]


def classes(drawing: ElementTree.Element, kind: str) -> list[str]:
    return [one.attrib.get("class", "") for one in drawing.iter(f"{SVG}{kind}")]


def test_a_picture_says_title_moment_and_how_far_it_can_be_trusted() -> None:
    assert texts(parsed(subtitle="Turn 3"))[:3] == ["Title", "Turn 3", "Reconstructed."]


def test_every_place_is_a_group_with_its_description() -> None:
    groups = {one.attrib["id"]: one.findtext(f"{SVG}title") for one in parsed().iter(f"{SVG}g") if "id" in one.attrib}

    assert groups == {"place-left": "Left, a wood", "place-right": "Right", "place-spot": "Spot"}


def test_the_legend_has_only_what_is_on_the_map() -> None:
    more = replace(SHEET, grounds=(*SHEET.grounds, Ground("hill", "Hill", "elevated")))
    found = texts(parsed(more))

    assert {"Wood", "Lake", "a river", "entry"} <= set(found)
    assert {"Hill", "contested", "the front between the holders"}.isdisjoint(found)


def test_a_long_text_of_the_legend_takes_several_lines_and_moves_the_rows_below_it_down() -> None:
    long = "a wood in which no unit can be seen from afar, and which no gun and no tank enters before it is cleared"
    drawing = parsed(replace(SHEET, grounds=(Ground("wood", long, "rough"), *SHEET.grounds[1:])))
    first = next(text for text in drawing.iter(f"{SVG}text") if long.startswith(text.text or "-"))
    lines = [text for text in drawing.iter(f"{SVG}text") if (text.text or "-") in long]

    assert " ".join(text.text or "" for text in lines) == long
    assert {text.attrib["font-size"] for text in lines} == {"15"}
    assert [text.attrib["x"] for text in lines] == [first.attrib["x"]] * len(lines)
    high, usual = (float(one.attrib["viewBox"].split()[3]) for one in (drawing, parsed()))
    assert high - usual == KEY_NEXT * (len(lines) - 1)


def test_holders_differ_in_their_bands_and_a_front_lies_between_them() -> None:
    drawing = parsed(spread=Spread(held={LEFT: RED, RIGHT: BLUE}))
    bands = {
        one.attrib["class"]: one.attrib.get("stroke-dasharray")
        for one in drawing.iter(f"{SVG}path")
        if "clip-path" in one.attrib
    }

    assert bands["band s-first"] is None
    assert bands["band s-second"] is not None
    assert "the front between the holders" in texts(drawing)
    one_side = parsed(spread=Spread(held={LEFT: RED, RIGHT: RED}))
    assert classes(drawing, "path").count("line s-paper") == 1 + classes(one_side, "path").count("line s-paper")


def test_the_band_of_a_holder_goes_round_all_that_the_side_holds() -> None:
    def bands(spread: Spread) -> list[int]:
        """Return of how many sides the band of each place is made."""
        paths = [one.attrib["d"] for one in parsed(spread=spread).iter(f"{SVG}path") if "clip-path" in one.attrib]
        return [len(path.split()) - path.count("M") for path in paths]

    apart, together = bands(Spread(held={LEFT: RED, RIGHT: BLUE})), bands(Spread(held={LEFT: RED, RIGHT: RED}))

    assert apart == [4, 4]
    assert together == [3, 3]
    assert bands(Spread()) == []


def test_a_road_leads_across_a_border_from_middle_to_middle_and_a_river_has_banks() -> None:
    both = (MapBorder(RIGHT, ("river", "road")),)
    road = Feature("road", "a road", "road", 3, edge="paper", is_across=True)
    river = Feature("river", "a river", "water", 9, edge="bank")
    sheet = replace(SHEET, places=(replace(SQUARES[0], borders=both), *SQUARES[1:]), features=(river, road))
    drawing = parsed(sheet)
    one, other = printed_map(sheet, "").places[:2]
    drawn = [(path.get("class"), path.get("stroke-width")) for path in drawing.iter(f"{SVG}path") if "d" in path.attrib]
    roads = [path.attrib["d"] for path in drawing.iter(f"{SVG}path") if path.get("class") == "line s-road"]

    assert roads == [f"M{one.x},{one.y} L{other.x},{other.y}", "M0 8 h28"]
    assert drawn.index(("line s-bank", "13")) < drawn.index(("line s-water", "9")) < drawn.index(("line s-road", "3"))


def test_a_contested_place_is_hatched() -> None:
    fills = [one.attrib.get("fill") for one in parsed(spread=Spread(contested=frozenset([LEFT]))).iter(f"{SVG}polygon")]

    assert fills.count("url(#p-hatching)") == 1


def test_a_river_lies_on_its_border_and_between_spots_across_their_line() -> None:
    river = (MapBorder(RIGHT, ("river",)),)
    on_border = replace(SHEET, places=(replace(SQUARES[0], borders=river), *SQUARES[1:]))
    spots = [replace(place, outline=()) for place in on_border.places]

    for sheet in (on_border, replace(SHEET, places=tuple(spots))):
        without = replace(sheet, places=tuple(replace(place, borders=()) for place in sheet.places))
        assert (
            classes(parsed(sheet), "path").count("line s-bank")
            == classes(parsed(without), "path").count("line s-bank") + 1
        )


def test_counters_lie_in_their_place_and_are_described() -> None:
    tank = Counter("2 Tanks", RED, "armour", top="2", corner="16", figures="5-6", is_turned=True)
    drawing = parsed(spread=Spread(stacks={LEFT: (tank, Counter("hidden", BLUE, is_closed=True))}))
    counters = [one for one in drawing.iter(f"{SVG}g") if one.attrib.get("class") == "counter"]

    assert [one.findtext(f"{SVG}title") for one in counters] == ["2 Tanks", "hidden"]
    assert [[text.text for text in one.iter(f"{SVG}text")] for one in counters] == [["2", "16", "5-6"], ["?"]]


def test_like_counters_are_one_with_their_number() -> None:
    tank, gun = Counter("Tank", RED), Counter("Gun", RED)
    together = counted_alike([tank, gun, tank])

    assert together == (replace(tank, number=2), gun)
    assert "×2" in texts(parsed(spread=Spread(stacks={LEFT: together})))


# What changed just now


def table(*pieces: tuple[str, PlaceId], round_: int = 1) -> Table:
    return Table(
        round=round_,
        pieces={PieceId(name): Piece(PieceId(name), "tank", RED, place) for name, place in pieces},
        at={place: tuple(PieceId(name) for name, there in pieces if there == place) for _, place in pieces},
    )


BOX = PlaceId("box")


def test_moves_losses_holders_and_markers_on_the_map_are_changes() -> None:
    before = table(("a", LEFT), ("b", LEFT), ("c", SPOT), ("d", LEFT))
    after = table(("a", RIGHT), ("b", BOX), ("c", SPOT), ("d", LEFT), ("e", SPOT))
    found = changes_between(before, replace(after, control={RIGHT: RED}, markers={BOX: {MarkerId("x"): 1}}), SQUARES)

    assert found == Changes(
        pieces=frozenset(map(PieceId, "abe")), moves=((LEFT, RIGHT),), places=frozenset([LEFT, RIGHT])
    )


def test_a_turned_piece_is_changed_and_equal_tables_are_not() -> None:
    before = table(("a", LEFT))
    turned = replace(before, pieces={PieceId("a"): replace(before.pieces[PieceId("a")], face="spent")})

    assert changes_between(before, turned, SQUARES) == Changes(pieces=frozenset([PieceId("a")]))
    assert changes_between(before, before, SQUARES) == Changes()


def test_the_set_up_is_no_change() -> None:
    assert changes_between(table(round_=0), table(("a", LEFT)), SQUARES) == Changes()


def test_what_a_seat_places_at_the_set_up_is_a_change() -> None:
    asked = replace(table(round_=0), stack=(Open("place", Seat("red"), {}),))

    assert changes_between(asked, table(("a", LEFT), round_=0), SQUARES).pieces == {PieceId("a")}


def test_changes_are_drawn_with_an_arrow_for_a_move_and_a_frame_and_said_in_the_legend() -> None:
    tank = Counter("Tank", RED, is_changed=True)
    moved = Spread(stacks={RIGHT: (tank,)}, changes=Changes(frozenset(), ((LEFT, RIGHT),), frozenset([LEFT])))
    drawing, still = parsed(spread=moved), parsed(spread=replace(moved, changes=Changes()))

    assert classes(drawing, "polygon").count("bare s-bad") == 1
    assert (classes(drawing, "path").count("line s-bad"), classes(drawing, "polygon").count("f-bad s-paper")) == (1, 1)
    assert "changed just now; an arrow: moved" in texts(drawing)
    assert "line s-bad" not in classes(still, "path")
    assert "bare s-bad" in classes(still, "rect")


@each_row("move", [(LEFT, RIGHT), (RIGHT, LEFT)])
def test_an_arrow_begins_and_ends_clear_of_names_and_counters(move: tuple[PlaceId, PlaceId]) -> None:
    tanks = tuple([Counter(name, RED) for name in ("Tank", "Other tank")])
    spread = Spread(stacks={LEFT: tanks, RIGHT: tanks}, changes=Changes(moves=(move,)))
    drawn = Map(SHEET, "", spread)
    root = ElementTree.fromstring(f'<svg xmlns="{SVG[1:-1]}">{"".join(drawn.parts())}</svg>')
    (path,) = [one.attrib["d"] for one in root.iter(f"{SVG}path") if one.get("class") == "line s-bad"]
    (head,) = [one.attrib["points"] for one in root.iter(f"{SVG}polygon") if one.get("class") == "f-bad s-paper"]
    ends = [tuple(map(float, one.split(","))) for one in (path[1:].split(" ")[0], head.split(" ")[0])]

    assert [
        (x, y, box)
        for x, y in ends
        for box in drawn.taken()
        if box[0] + 1 < x < box[2] - 1 and box[1] + 1 < y < box[3] - 1
    ] == []


def test_what_goes_on_is_framed_as_long_as_a_sequence_or_question_is_about_it() -> None:
    named = {"fight": ("where", "target"), "card": ("card",)}
    fight = Open("fight", NO_SEAT, {"where": LEFT, "target": "tank", "hits": 2})
    nothing = (Open("turn", NO_SEAT, {"where": SPOT}), Open("card", NO_SEAT, {"card": "", "where": SPOT}))

    assert named_on(replace(table(("tank", RIGHT)), stack=(*nothing, fight)), named) == {LEFT, "tank", RIGHT}
    assert named_on(replace(Table(), stack=(*nothing, fight)), named) == {LEFT, "tank"}
    assert named_on(replace(Table(), stack=nothing), named) == set()


def test_places_and_pieces_at_stake_have_a_red_edge_that_the_legend_explains() -> None:
    tank = Counter("Tank", RED)
    still = Spread(stacks={RIGHT: (tank,)})
    fought = Spread(stacks={RIGHT: (replace(tank, is_at_stake=True),)}, at_stake=frozenset([RIGHT, SPOT]))
    changed = replace(fought, changes=Changes(places=frozenset([RIGHT])))

    for one, frames, rings, edges in ((still, 0, 0, 0), (fought, 1, 1, 2), (changed, 2, 1, 3)):
        drawing = parsed(spread=one)
        found = (classes(drawing, "polygon"), classes(drawing, "circle"), classes(drawing, "rect"))
        assert tuple(there.count("bare s-bad") for there in found) == (frames, rings, edges)
        assert any("what goes on now" in text for text in texts(drawing)) == bool(frames)


def test_an_attack_under_way_is_drawn_with_an_arrow_that_the_legend_explains() -> None:
    fight = Open("fight", NO_SEAT, {"from": (LEFT, SPOT), "target": RIGHT})
    led = attacks_on(replace(Table(), stack=(Open("turn", NO_SEAT, {}), fight)), "fight", "from", "target")
    fought = Spread(at_stake=frozenset([RIGHT]), attacks=led)
    drawing, advanced = parsed(spread=fought), parsed(spread=replace(fought, changes=Changes(moves=led[:1])))

    assert led == ((LEFT, RIGHT), (SPOT, RIGHT))
    assert [classes(one, "polygon").count("f-bad s-paper") for one in (drawing, advanced)] == [2, 2]
    # A straight one between the counters of both places; that of a move bends.
    ways = [
        [path.attrib["d"] for path in one.iter(f"{SVG}path") if "s-bad" in path.get("class", "")]
        for one in (drawing, advanced)
    ]
    assert [["L" in way for way in there] for there in ways] == [[True, True], [False, True]]
    assert "an arrow to it: the attack" in " ".join(texts(drawing))
    assert "an arrow to it" not in " ".join(texts(parsed(spread=replace(fought, attacks=()))))


@given(st.integers(1, 30), st.integers(60, 400), st.booleans())
def test_a_stack_is_drawn_in_the_room_that_it_says(number: int, width: int, is_card: bool) -> None:
    counters = [Counter(str(one), RED, card=CardFace() if is_card else None) for one in range(number)]
    wide, high = Counters((RED,)).stack_size(counters, width)
    one = CARD if is_card else WIDE

    assert wide <= max(width, one)
    assert wide * high >= number * (one + GAP) * ((CARD_HIGH if is_card else LOW) + GAP) - GAP * high
    assert len(Counters((RED,)).stack(counters, 0, 0, width)) == number


@given(
    st.lists(st.tuples(st.sampled_from([RED, BLUE]), st.integers(1, 4)), min_size=1, max_size=14), st.integers(60, 400)
)
def test_no_counter_covers_another_or_its_number(lying: list[tuple[Side, int]], width: int) -> None:
    counters = [Counter("one", side, figures="1/2", number=number) for side, number in lying]
    drawn = [ElementTree.fromstring(one) for one in Counters((RED, BLUE)).stack(counters, 0, 0, width)]
    spots = [[float(at) for at in one.attrib["transform"][10:-1].split()] for one in drawn]
    boxes = [
        (left, top - NUMBER_OVER * (one.number > 1), left + WIDE, top + LOW)
        for (left, top), one in zip(spots, counters, strict=True)
    ]

    for one, other in combinations(boxes, 2):
        assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@each_row("where", ["corner", "signs"])
def test_the_number_of_like_counters_leaves_their_corner_in_sight(where: str) -> None:
    """The sign of flight stood under it."""
    counter = Counter("Fighter", RED, "fighter", figures="3/4", number=2)
    counter = replace(counter, corner="air") if where == "corner" else replace(counter, signs="air")
    (drawn,) = Counters((RED,)).stack([counter], 0, 0, WIDE)
    root = ElementTree.fromstring(drawn)
    (corner,) = [one for one in root.iter("text") if one.text == "air"]
    badge = next(one for one in root.iter("rect") if one.get("height") == "16")

    assert corner.get("text-anchor") == "end"
    assert float(corner.attrib["x"]) < float(badge.attrib["x"])


def test_counters_of_one_formation_are_a_fan_that_shows_their_figures() -> None:
    one, other = Counter("1/16", RED, top="1", corner="16", figures="5-6"), Counter("1/24", RED, top="1", corner="24")
    drawn = Counters((RED,))

    fan = FAN + WIDE + GAP + WIDE
    assert drawn.stack_size([one, one, other], fan) == (fan, HIGH + GAP)
    assert drawn.stack_size([one, replace(one, side=BLUE)], fan)[0] == 2 * WIDE + GAP


def test_counters_of_one_formation_lie_side_by_side_where_there_is_room() -> None:
    one, drawn, all_wide = Counter("1/16", RED, "armour", top="1", corner="16"), Counters((RED,)), 3 * WIDE + 2 * GAP

    assert drawn.stack_size([one, one, one], all_wide) == (all_wide, HIGH + GAP)
    assert drawn.stack_size([one, one, one], all_wide - 1) == (2 * FAN + WIDE, HIGH + GAP)
    lefts = [float(part.partition("translate(")[2].split()[0]) for part in drawn.stack([one, one, one], 0, 0, all_wide)]
    assert lefts == [0, WIDE + GAP, 2 * (WIDE + GAP)]


def test_counters_of_several_arms_are_no_fan_that_would_hide_their_symbols() -> None:
    tank, gun = Counter("a", RED, "armour", corner="16"), Counter("b", RED, "artillery", corner="16")

    assert Counters((RED,)).stack_size([tank, gun], 2 * WIDE + GAP)[1] == HIGH + GAP
    assert Counters((RED,)).stack_size([tank, gun], FAN + WIDE)[1] == 2 * (HIGH + GAP)
    assert Counters((RED,)).stack_size([tank, tank], FAN + WIDE) == (FAN + WIDE, HIGH + GAP)


def test_counters_with_nothing_above_their_figures_are_lower_all_those_of_a_place_alike() -> None:
    plain, named, drawn = Counter("a", RED, figures="1/2"), Counter("b", RED, top="minor"), Counters((RED,))

    assert drawn.stack_size([plain, plain], 400)[1] == LOW + GAP
    assert drawn.stack_size([plain, named], 400)[1] == HIGH + GAP
    assert all(f'height="{HIGH}"' in one for one in drawn.stack([plain, named], 0, 0, 400))


def test_signs_at_the_upper_right_make_counters_no_higher() -> None:
    """They stand above the symbol: where one of many units flies, all can be as large as without it."""
    flying = Counter("Fighter", RED, "fighter", figures="3/4", signs="air")
    counters = Counters((RED,))
    root = ElementTree.fromstring(counters.stack([flying], 0, 0, WIDE)[0])
    signs, low = next(one for one in root.iter("text") if one.text == "air"), root.find("rect")

    assert low is not None
    assert counters.stack_size([flying], WIDE) == counters.stack_size([replace(flying, signs="")], WIDE)
    assert low.attrib["height"] == str(LOW)
    assert float(signs.attrib["y"]) < LOW / 3


def test_a_turned_counter_is_hatched_all_over() -> None:
    assert "url(#p-turned)" in Counters((RED,)).stack([Counter("a", RED, is_turned=True)], 0, 0, WIDE)[0]


@each_row("column", [0, 1])
def test_the_hatching_of_a_turned_counter_is_dark_as_its_print_is_also_where_the_ground_is(column: int) -> None:
    tone, thick, _ = STROKES["turned"]

    assert any('id="p-turned"' in one and f's-{tone}" stroke-width="{thick}"' in one for one in definitions())
    assert contrast(TONES[tone][column], TONES["counter-first"][column]) > 4.5


def test_a_counter_with_a_white_side_is_white_and_not_hatched() -> None:
    """4.2.fresh-spent of Advance to the Volga."""
    pale = Counters((RED,)).stack([Counter("a", RED, top="a", is_turned=True, is_pale=True)], 0, 0, WIDE)[0]

    assert 'class="f-panel s-ink"' in pale
    assert 'class="f-ink bold"' in pale
    assert "url(#p-turned)" not in pale
    assert "counter-first" not in pale


def test_a_box_that_is_narrow_at_its_top_fits_into_a_gable() -> None:
    gable = ((100, 0), (200, 100), (200, 200), (0, 200), (0, 100))

    assert best_middle(gable, 160, 150)[2] < MEASURES
    assert best_middle(gable, 160, 150, (), ((-75, 20), (0, 80), (75, 80)))[2] == MEASURES


def test_a_box_lies_inside_a_place_that_has_room_for_it() -> None:
    bent = ((0, 0), (100, 0), (100, 300), (300, 300), (300, 400), (0, 400))
    x, y, fit = best_middle(bent, 60, 40)
    *_, clear = best_middle(bent, 60, 40, ((0, 0, 100, 300),))

    assert all(contains(bent, (round(x + across), round(y + down))) for across, down in product((-29, 29), (-19, 19)))
    assert fit == clear == MEASURES, "there is room beside what is taken as well"
    assert best_middle(bent, 60, 40, ((0, 0, 300, 400),))[2] < 0


@each_row(("wide", "high"), [(60, 40), (150, 90), (250, 60), (90, 250), (500, 500)])
def test_a_box_has_as_many_points_inside_as_it_says(wide: float, high: float) -> None:
    bent = ((0, 0), (100, 0), (140, 300), (200, 90), (300, 300), (300, 400), (0, 400))
    x, y, fit = best_middle(bent, wide, high)
    measured = [(x + wide / 4 * across, round(y + high / 2 * down)) for across in range(-2, 3) for down in (-1, 0, 1)]

    assert fit == sum(bisect_left(crossings(bent, level), at) % 2 for at, level in measured)


def test_what_is_printed_is_drawn_once_for_all_pictures_of_a_board() -> None:
    first = printed_map(SHEET, SHEET.places[0].map)

    assert printed_map(SHEET, SHEET.places[0].map) is first
    assert printed_map(replace(SHEET), SHEET.places[0].map) is not first


def test_the_sides_of_a_border_are_one_line_whatever_their_directions() -> None:
    steps = ((0, 0), (100, 0), (100, 40), (120, 60), (100, 80), (100, 100), (0, 100))
    beyond = ((200, 100), (100, 100), (100, 80), (120, 60), (100, 40), (100, 0), (200, 0))
    places = [
        MapPlace(PlaceId("a"), "a", "", 50, 50, (PlaceId("b"),), outline=steps),
        MapPlace(PlaceId("b"), "b", "", 150, 50, (PlaceId("a"),), outline=beyond),
    ]
    (border,) = printed_map(Sheet("", tuple(places), {}), "").borders

    assert border.path.count("M") == border.path.count("L") == 1
    assert len(border.path.split()) == 5


def test_panels_stand_beside_the_map_with_lines_that_fit() -> None:
    long = "a word " * 60
    drawing = parsed(
        SHEET, None, Panel("Cards", ("one", long), ("Side", "Count"), (("Red", "3"), (long, "12")), right=(1,))
    )
    found = texts(drawing)
    frames = [one for one in drawing.iter(f"{SVG}rect") if "f-panel" in one.attrib.get("class", "")]

    assert {"Cards", "one", "Side", "Count", "Red", "3", "12"} <= set(found)
    assert max(map(len, found)) < len(long) / 3
    assert len(frames) == 1


@given(st.lists(st.text(min_size=1, max_size=8), min_size=1, max_size=4, unique=True), st.text(max_size=8))
def test_names_of_any_characters_keep_the_drawing_well_formed(names: list[str], line: str) -> None:
    places = tuple(
        MapPlace(PlaceId(name), name, name, 90 * number, 0, tuple(map(PlaceId, names)))
        for number, name in enumerate(names)
    )
    land = {PlaceId(names[0]): Land(line, (line,), title=line)}
    sheet = Sheet(line, places, land, (Ground(line, line, "clear"),), maps={"": line}, remark=line)
    counter = Counter(line, Side(line), top=line, corner=line, figures=line)
    drawing = draw_picture(sheet, Spread(stacks={PlaceId(names[0]): (counter,)}), (Panel(line, (line,)),), line)

    assert len(list(ElementTree.fromstring(drawing).iter(f"{SVG}circle"))) == len(names)
    assert drawing.endswith("</svg>\n")


def test_a_sheet_without_places_is_well_formed() -> None:
    assert texts(ElementTree.fromstring(draw_picture(Sheet("Title", (), {})))) == ["Title"]


def test_counters_shrink_before_they_leave_their_place() -> None:
    crowd = tuple(Counter(str(number), RED) for number in range(6))
    flat = replace(SQUARES[0], y=15, outline=((0, 0), (100, 0), (100, 30), (0, 30)))
    scales = [
        "scale(" in draw_picture(replace(SHEET, places=(flat, *SQUARES[1:])), Spread(stacks={LEFT: stack}))
        for stack in ((), crowd)
    ]

    assert scales == [False, True]


def test_badges_lie_beside_a_label_and_the_signs_of_markers_among_them() -> None:
    badge, marker = Badge("hexagon", "2"), Badge("burst", "A", "Combat")
    sheet = replace(SHEET, land={LEFT: Land(badges=(badge,))}, badges={"hexagon": "value", "burst": "fight"})
    found = texts(parsed(sheet, Spread(badges={LEFT: (marker,)})))

    assert {"2", "A", "value", "fight"} <= set(found)
    assert found.index("1") < found.index("2") < found.index("Left")
    assert len(list(badge_row((badge, marker), 0, 0))) == 2
    assert row_width((badge, marker)) > SHAPES["hexagon"][0] + SHAPES["burst"][0]


def test_badges_lie_beside_a_name_that_leaves_room_for_them_and_below_another() -> None:
    one, other = Badge("hexagon", "2"), Badge("plate", "a long text in a plate")

    def heights(badge: Badge) -> tuple[float, float]:
        """Return at which heights the name and the text of a badge at the right square are."""
        places = (SQUARES[0], replace(SQUARES[1], label="Right"), SQUARES[2])
        drawing = parsed(replace(SHEET, places=places), Spread(badges={RIGHT: (badge,)}))
        at = {line.text: float(line.attrib["y"]) for line in drawing.iter(f"{SVG}text")}
        return at["Right"], at[badge.text]

    assert abs(heights(one)[1] - heights(one)[0]) < 3
    assert heights(other)[1] > heights(other)[0] + 10


def test_what_is_no_place_is_drawn_with_its_map_and_said_in_the_legend() -> None:
    road = Feature("road", "a road", "road", 3, edge="paper")
    sheet = replace(
        SHEET,
        backdrops=(Backdrop(((0, -40), (300, -40), (300, -10)), "water", "waves", "bank"),),
        courses=(Course(road, ((0, 0), (100, 50), (200, 0))), Course(road, ((0, 0), (9, 9)), map="other")),
        marks=(Mark("gate", (100, 0), "3", "gate 3"), Mark("dot", (0, 0), map="other")),
        badges={"gate": "a gate", "exit": "a way out"},
    )
    drawing = parsed(sheet)

    assert "f-water s-bank" in classes(drawing, "polygon")
    assert [
        path.attrib["d"].count("C") for path in drawing.iter(f"{SVG}path") if path.get("class") == "line s-road"
    ] == [2, 0]
    assert {"3", "a gate", "a road"} <= set(texts(drawing))
    assert "a way out" not in texts(drawing)


def test_a_frozen_river_has_another_tone_and_pattern_and_the_legend_says_so() -> None:
    lake = Backdrop(((0, 0), (50, 0), (50, 50)), "water", "waves", "bank", key="lake")
    there = replace(SHEET, backdrops=(lake, replace(lake, key="pond")))
    winter = frozen(there, {"lake": "the lake, frozen", "river": "the river, frozen"})
    drawing = parsed(winter)

    assert [(one.tone, one.pattern) for one in winter.backdrops] == [("ice", "ice"), ("water", "waves")]
    assert (winter.features[0].tone, bool(winter.features[0].dashes)) == ("ice", True)
    assert {"the lake, frozen", "the river, frozen"} <= set(texts(drawing))
    assert "a river" not in texts(drawing)
    assert "url(#p-ice)" in {one.attrib.get("fill") for one in drawing.iter(f"{SVG}polygon")}
    assert frozen(there, {}).features == there.features


def test_a_place_with_points_is_a_star_that_leads_to_its_zones() -> None:
    land = {**SHEET.land, SPOT: Land(points=(LEFT, RIGHT), is_small=True)}
    drawing = parsed(replace(SHEET, land=land))
    (star,) = [one for one in drawing.iter(f"{SVG}polygon") if one.attrib.get("class") == "f-panel s-ink"]

    assert len(star.attrib["points"].split()) == 2 * 4
    assert classes(drawing, "circle") == []


# Colours


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.2)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


LANDS = ("clear", "rough", "elevated", "light", "heavy", "none", "west", "gray", "brown", "white")


@each_row("column", [0, 1])
def test_text_has_enough_contrast_on_every_ground(column: int) -> None:
    """Names have a halo in the colour of the paper, but must be read without it."""
    pairs = [("ink", ground) for ground in (*LANDS, "paper", "panel", "water", "ice")]
    pairs += [("mut", ground) for ground in ("paper", "panel")]
    pairs += [(f"print-{rank}", f"counter-{rank}") for rank in (*RANKS, "")]

    large = [("bank", "water"), ("bank", "ice")]

    assert [pair for pair in pairs if contrast(TONES[pair[0]][column], TONES[pair[1]][column]) < 4.5] == []
    assert [pair for pair in large if contrast(TONES[pair[0]][column], TONES[pair[1]][column]) < 3] == []


def test_each_theme_has_a_colour_for_each_tone() -> None:
    for theme in (AUTO, LIGHT, DARK, PRINT):
        rules = style_sheet(theme)
        assert [tone for tone in TONES if f".f-{tone} {{" not in rules or f".s-{tone} {{" not in rules] == []
    assert "prefers-color-scheme" in style_sheet(AUTO)
    assert style_sheet(DARK) != style_sheet(LIGHT) != style_sheet(PRINT)


@each_row("game", ["advance", "axis_allies", "battle", "inferno"])
def test_the_grounds_of_a_game_differ_without_colour(game: str) -> None:
    """Two grounds with one tone or pattern could not be told apart in print."""
    sheet = sheets()[game]
    known = [(ground.tone, ground.pattern) for ground in sheet.grounds]

    assert len(set(known)) == len(known)
    assert {ground.tone for ground in sheet.grounds} | {feature.tone for feature in sheet.features} | set(
        sheet.rims
    ) <= set(TONES)
    assert {ground.pattern for ground in sheet.grounds} <= {*PATTERNS, ""}
    assert {land.ground for land in sheet.land.values()} <= {ground.key for ground in sheet.grounds}


def sheets() -> dict[str, Sheet]:
    """Return the printed map of each game, as its shipped components have it."""
    from core.games.advance.components.board import BOARD_FILE as ADVANCE
    from core.games.advance.components.view.map import sheet as advance
    from core.games.axis_allies.components.board_file import BOARD_FILE as AXIS_ALLIES
    from core.games.axis_allies.components.view.map import sheet as axis_allies
    from core.games.battle.components.card_file import CARD_FILE
    from core.games.battle.components.view.map import sheet as battle
    from core.games.inferno.components.board import BOARD_FILE as INFERNO
    from core.games.inferno.components.view.map import sheet as inferno

    return {
        "advance": advance(ADVANCE.load()),
        "axis_allies": axis_allies(AXIS_ALLIES.load()),
        "battle": battle(CARD_FILE.load(), lambda *_: False),
        "inferno": inferno(INFERNO.load()),
    }


def test_every_symbol_is_a_path() -> None:
    assert [key for key, path in SYMBOLS.items() if not path.startswith("M")] == []


def test_round_a_wide_map_all_is_larger_and_panels_lie_below() -> None:
    wide = tuple(
        replace(place, x=place.x * 30, outline=tuple((x * 30, y) for x, y in place.outline)) for place in SQUARES
    )
    usual, larger = (
        draw_picture(replace(SHEET, places=places), panels=(Panel("Below", ("a line",)),)) for places in (SQUARES, wide)
    )

    assert "scale(1.4)" in larger and "scale(" not in usual
    assert "Below" in texts(ElementTree.fromstring(larger))


@each_row(
    ("names", "order"),
    [
        (("Axis", "Soviet"), (0, 1)),
        (("Red", "Blue"), (None, 0, 1)),
        (("Blue", "Red"), (None, 1, 0)),
        (("White", "Black"), (0, None, None, 1)),
        (("The Reds", "Others", "Green"), (2, 0, 1)),
        ((), ()),
    ],
)
def test_a_side_that_is_called_a_colour_has_it(names: tuple[str, ...], order: tuple[int | None, ...]) -> None:
    """The colours are, in their order: green, red, blue and purple."""
    sides = [Side(f"side-{number}") for number in range(len(names))]
    found = in_colours(dict(zip(sides, names, strict=True)))

    assert tuple(sides.index(side) if side in sides else None for side in found) == order


def test_counters_of_the_lowest_spot_stay_in_the_picture() -> None:
    """They lie below their spot, unless the edge of the map is there."""
    top, low = PlaceId("top"), PlaceId("low")
    spots = (MapPlace(top, "Top", "", 500, 0), MapPlace(low, "Low", "", 500, 600))
    stack = tuple(Counter(f"Piece {number}", Side("red"), figures=f"{number}") for number in range(12))
    sheet = Sheet("Two spots", spots, {place.id: Land(title=place.name) for place in spots}, sides=(Side("red"),))
    drawn = Map(sheet, "", Spread(stacks={low: stack}))
    bottoms = [bottom for (_, _, _, bottom), _ in drawn.counters_at(low)]

    assert len(bottoms) == 12
    assert max(bottoms) <= drawn.height
