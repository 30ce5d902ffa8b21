"""A game of cards on a table: where its parts lie, and what of them can be chosen."""

import re
from itertools import pairwise
from xml.etree import ElementTree

from core.drawing.card_table_svg import COLUMN, EMPTY, ROOMY, TIGHT, USUAL, CardMap, brief
from core.drawing.picture_svg import draw_maps, draw_picture, draw_series
from core.narration.card_table import CardFace, CardTable, CardTrack, Desk, PlaceCard, Score, Span, TableRow
from core.narration.render_model import MapPlace
from core.narration.sheet import Changes, Counter, Sheet, Spread
from core.svg.highlights import CHECK, CHECK_OUT, Lit
from events.codec import replace
from events.ids import PieceId, PlaceId, Side
from tests.support.rows import each_row

RED, BLUE = Side("red"), Side("blue")
MILL, PIER = PlaceId("mill"), PlaceId("pier")
TRACK = CardTrack("Rubble", 2, (Span(3, "2"), Span(1, "×")), "Rations")
ROWS = tuple(
    TableRow(side, f"{side} {which}", (PlaceId(f"mill/{side}/{which}"), PlaceId(f"pier/{side}/{which}")))
    for side in (RED, BLUE)
    for which in ("near", "far")
)
PIECE, NEXT = PieceId("guard"), PieceId("next")
FACE = CardFace("printed 2", 7, "nothing", 1, "attacking", is_acting=True)
LOOKS = {
    one: Counter(f"{one}: a card", RED, symbol="infantry", top=str(one), figures="3", card=FACE)
    for one in (PIECE, NEXT)
}
TABLE = CardTable(
    (
        PlaceCard(
            MILL, "Mill", "red", "2 Rations", "Draw 1 more card.", TRACK, "Hits", (Score(RED, "Red", 4),), "hill"
        ),
        PlaceCard(PIER, "Pier", "Uncontrolled", "1 if held", "A card.", silhouette="docks"),
    ),
    ROWS,
    (
        Desk(RED, "Red", ("Control", 1, 2), 0, (("Hand", "3"),), "Next", NEXT, "Cost 2", "next: much"),
        Desk(BLUE, "Blue", ("Control", 0, 2), 9, (("Hand", "9"),), "Next", NEXT, "Cost 1", "next: much"),
    ),
)
PLACES = (MILL, PIER, *(place for row in ROWS for place in row.places))
SHEET = Sheet("Cards", tuple(MapPlace(place, place, "", 0, 0) for place in PLACES), {}, sides=(RED, BLUE))


def spread(near: Side = RED, **more: object) -> Spread:
    at = ROWS[0].places[0]
    made = Spread(
        cards=TABLE, near=near, stacks={at: (LOOKS[PIECE],)}, pieces={at: ((PIECE,),)}, beside={NEXT: LOOKS[NEXT]}
    )
    return replace(made, **more)


def stacked(number: int) -> Spread:
    """Return a table on which so many pieces lie in a place of each row."""
    return spread(stacks={row.places[0]: (LOOKS[PIECE],) * number for row in ROWS})


def box(drawn: CardMap, place: PlaceId) -> tuple[int, int, int, int]:
    outline = next(one.outline for one in drawn.places if one.id == place)
    across, down = [x for x, _ in outline], [y for _, y in outline]
    return min(across), min(down), max(across), max(down)


@each_row("near", [RED, BLUE])
def test_the_rows_of_the_near_side_lie_below_the_cards_in_their_order_those_of_the_other_above(near: Side) -> None:
    drawn = CardMap(SHEET, spread(near))
    tops = {row: box(drawn, row.places[0])[1] for row in ROWS}
    own, others = ([row for row in ROWS if (row.side == near) == is_own] for is_own in (True, False))
    card = box(drawn, MILL)

    assert sorted(tops, key=tops.__getitem__) == [*others[::-1], *own]
    assert all(tops[row] < card[1] for row in others) and all(tops[row] > card[1] for row in own)
    assert {right - left for left, _, right, _ in (box(drawn, place) for place in PLACES)} == {COLUMN}


def test_an_empty_row_is_lower_on_the_far_side_and_on_both_where_the_table_is_high() -> None:
    roomy, high = CardMap(SHEET, spread(stacks={})), CardMap(SHEET, stacked(3))
    heights = [box(roomy, row.places[0])[3] - box(roomy, row.places[0])[1] for row in ROWS]

    assert heights == [ROOMY, ROOMY, EMPTY, EMPTY]
    assert roomy.height >= USUAL
    crowded = spread(stacks={row.places[0]: (LOOKS[PIECE],) * 3 for row in ROWS if row != ROWS[1]})
    low = CardMap(SHEET, crowded)
    assert box(low, ROWS[1].places[0])[3] - box(low, ROWS[1].places[0])[1] == TIGHT
    assert high.height > low.height


def test_a_brief_table_is_lower_and_keeps_holders_tracks_names_and_numbers() -> None:
    whole, low = CardMap(SHEET, spread()), CardMap(SHEET, brief(spread()))
    drawn = "".join(low.parts())

    assert low.height < 0.9 * whole.height
    assert [word in drawn for word in ("Mill", "red", "Rubble 2", "guard", ">3<")] == [True] * 5
    assert "Draw 1 more card" not in drawn
    # The next piece lies beside the table, as it was.
    assert ["".join(one.parts()).count("attacking") for one in (whole, low)] == [2, 1]
    assert brief(replace(spread(), cards=None)).cards is None


@each_row("number", [1, 2, 3])
def test_pieces_lie_inside_their_place_one_below_the_other(number: int) -> None:
    drawn = CardMap(SHEET, stacked(number))
    for row in ROWS:
        left, top, right, low = box(drawn, row.places[0])
        boxes = [one for one, _ in drawn.counters_at(row.places[0])]
        assert len(boxes) == number
        assert all(left < one[0] and one[2] < right and top <= one[1] and one[3] <= low for one in boxes)
        assert all(upper[3] < lower[1] for upper, lower in pairwise(boxes))


def test_the_check_mark_of_a_chosen_piece_is_clear_of_the_key_of_the_next_place() -> None:
    """It lay over the edge of the badge with the 4 in *Battle*."""
    left, right = ROWS[0].places
    there = spread(stacks={right: (LOOKS[PIECE],)}, pieces={right: ((PIECE,),)})
    lit = {PIECE: Lit("", "/guard", "Guard", is_chosen=True), left: Lit("4", "/4", "Four")}
    ((_, svg),) = draw_maps(SHEET, there, lit)
    (sign,) = [one for one in ElementTree.fromstring(svg).iter() if one.get("class") == "sign"]
    end = float(sign[0].attrib["x"]) + float(sign[0].attrib["width"])
    (((piece, *_), _),) = CardMap(SHEET, there).counters_at(right)

    assert end + 1 < piece - CHECK_OUT - CHECK


def test_places_pieces_and_the_next_piece_of_the_near_side_can_be_chosen() -> None:
    lit = {str(one): Lit("", f"/{one}", f"{one} here") for one in (PIECE, NEXT)} | {
        "pier/red/near": Lit("7", "/7", "Seven")
    }
    ((_, svg),) = draw_maps(SHEET, spread(), lit)
    root = ElementTree.fromstring(svg)
    found = [one.attrib["href"] for one in root.iter() if "lit" in one.get("class", "").split()]

    assert found == ["/7", "/guard", "/next"]
    assert ">7<" in svg
    other = draw_maps(SHEET, spread(BLUE), lit)[0][1]
    assert "/guard" in other


def test_what_happened_is_marked_by_an_arrow_and_what_goes_on_by_an_edge() -> None:
    start, end = ROWS[1].places[0], ROWS[0].places[0]
    moved = "".join(CardMap(SHEET, spread(changes=Changes(frozenset([PIECE]), ((start, end),)))).parts())
    fought = "".join(CardMap(SHEET, spread(at_stake=frozenset([MILL]))).parts())

    assert "f-bad s-paper" in moved and "bare s-bad" not in moved
    assert "bare s-bad" in fought and "f-bad" not in fought


def test_the_name_the_number_and_the_words_of_a_card_are_drawn() -> None:
    root = ElementTree.fromstring(draw_picture(SHEET, spread()))
    texts = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}text")]

    for text in (
        "guard",
        "3",
        "printed 2",
        "7",
        "attacking",
        "Mill",
        "Rubble 2",
        "Rations",
        "×",
        "Hits",
        "4",
        "Cost 2",
        "9",
    ):
        assert text in texts
    assert any(text.startswith("Next next") for text in texts)


def test_several_moments_share_what_they_have_in_common() -> None:
    made, drawn = draw_series([(SHEET, spread()), (SHEET, spread(stacks={}))])
    defined = set(re.findall(r'id="([^"]*)"', made))

    assert len(drawn) == 2
    for ((_, svg),) in drawn:
        assert set(re.findall(r'href="#([^"]*)"', svg)) <= defined
