"""Tracks, boxes and hands are drawn with text that fits, say what they show in words, and show cards face down as backs only."""

import re
from itertools import pairwise
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from core.drawing.picture_svg import draw_picture
from core.drawing.strip_svg import INSIDE, PAD, SMALL, WIDEST, StripBox, in_lines, words_of
from core.narration.render_model import MapPlace, Panel
from core.narration.sheet import Counter, Sheet, Spread
from core.narration.strips import BACK, EMPTY, GONE, Cell, Strip, face_down, hand_of, numbered, row_of
from core.svg.counter_svg import Counters
from core.svg.highlights import Lit
from core.svg.svg_text import WIDE
from core.svg.themes import THEMES
from events.ids import CardId, PieceId, PlaceId, Side
from projections.state.table import Pile
from server.page_parts.strip_html import strip_parts, strips_of
from tests.support.rows import each_row

SVG = "{http://www.w3.org/2000/svg}"
RED, BLUE = Side("red"), Side("blue")
COUNTERS = Counters((RED, BLUE))
TANK, GUN = PieceId("tank"), PieceId("gun")
LOOKS = {TANK: Counter("Tank", RED), GUN: Counter("Gun", RED)}
WIDE_MAP = (
    MapPlace(PlaceId("a"), "A", "", 0, 0, outline=((0, 0), (400, 0), (400, 100), (0, 100))),
    MapPlace(PlaceId("b"), "B", "", 500, 50),
)
TRACK = Strip("Turn Track", (numbered(9, 4),), is_above=True)
HAND = Strip("Red hand", row_of([Cell("Attack!", ("Move and fight.",), corner="+2", side=RED)]), is_private=True)
DECK = Strip("Blue cards", row_of([face_down("Hand", 7, BLUE), face_down("Deck", 0, BLUE)]))


def drawn(*strips: Strip, width: float = 800) -> ElementTree.Element:
    boxes = [StripBox(strip, LOOKS, COUNTERS, width) for strip in strips]
    inside = "".join(part for box in boxes for part in box.parts(0, 0))
    return ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>')


def cells(drawing: ElementTree.Element) -> list[ElementTree.Element]:
    return [one for one in drawing.iter(f"{SVG}g") if one.get("class") == "cell"]


def texts(drawing: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in drawing.iter(f"{SVG}text")]


def test_a_track_has_its_spaces_and_a_ring_and_a_pointer_round_the_current_one() -> None:
    spaces = cells(drawn(TRACK))
    ringed = [one for one in spaces if any("s-gold" in rect.get("class", "") for rect in one.iter(f"{SVG}rect"))]

    assert [texts(one) for one in spaces] == [[str(number)] for number in range(1, 10)]
    assert ringed == [spaces[3]]
    assert [len(list(one.iter(f"{SVG}path"))) for one in spaces] == [0, 0, 0, 1, 0, 0, 0, 0, 0]


def test_what_a_cell_shows_is_said_in_words() -> None:
    there = Cell("Box", ("from turn 7",), "3", "+1", RED, (TANK, TANK, GUN), meter=(2, 5), is_current=True)

    assert words_of(there, LOOKS) == "3, Box, +1, from turn 7, 2 of 5, 2 × Tank, Gun, current"
    assert words_of(face_down("Hand", 7), LOOKS) == "Hand, 7 face down"
    assert words_of(face_down("Deck", 0), LOOKS) == "Deck, empty"
    assert words_of(Cell("Card", look=GONE), LOOKS) == "Card, out of the game"


def test_a_hand_shows_the_cards_that_are_known_and_backs_for_the_others() -> None:
    face = {CardId("a"): Cell("Attack!")}
    own, other = (hand_of(pile, face, "Hand", BLUE) for pile in (Pile((CardId("a"),)), Pile(hidden=3)))

    assert own == (Cell("Attack!"),)
    assert other == (Cell("Hand", side=BLUE, number=3, look=BACK),)
    assert texts(drawn(Strip("Blue", (other,)))) == ["Blue", "Hand", "3"]


@each_row("number", [1, 10, 60])
def test_a_pile_has_a_back_for_each_card_up_to_ten_and_its_number(number: int) -> None:
    (pile,) = cells(drawn(Strip("Deck", row_of([face_down("Deck", number, BLUE)]))))
    backs = [rect for rect in pile.iter(f"{SVG}rect") if rect.get("class") == "f-counter-second s-panel"]

    assert len(backs) == min(number, 10)
    assert texts(pile) == ["Deck", *([str(number)] if number > 1 else [])]


def test_looks_differ_without_colour() -> None:
    row = row_of([Cell("a"), Cell("b", look=EMPTY), Cell("c", look=GONE), Cell("d", side=RED, label="1")])
    open_, empty, gone, _ = cells(drawn(Strip("Cells", row)))

    def dashed(cell: ElementTree.Element) -> bool:
        return any(rect.get("stroke-dasharray") for rect in cell.iter(f"{SVG}rect"))

    assert (dashed(open_), dashed(empty), dashed(gone)) == (False, True, True)
    assert [len(list(cell.iter(f"{SVG}path"))) for cell in (open_, empty, gone)] == [0, 0, 1]


WORDS = st.text("abcdefgh -", min_size=1, max_size=40).filter(str.strip)
CELLS = st.builds(Cell, WORDS, st.lists(WORDS, max_size=3).map(tuple), st.sampled_from(["", "12"]), st.just(""))


@given(st.lists(CELLS, min_size=1, max_size=20), st.integers(310, 1800))
def test_all_text_is_inside_its_cell_and_all_cells_are_inside_their_strip(row: list[Cell], width: int) -> None:
    box = StripBox(Strip("Title", (tuple(row),)), {}, COUNTERS, width)
    drawing = ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{"".join(box.parts(0, 0))}</svg>')

    assert box.width <= width
    for cell in cells(drawing):
        left, top = map(float, cell.attrib["transform"].removeprefix("translate(").removesuffix(")").split())
        (frame,) = [rect for rect in cell.iter(f"{SVG}rect") if "s-mut" in rect.attrib["class"]]
        wide, high = float(frame.attrib["width"]), float(frame.attrib["height"])
        assert PAD <= left <= left + wide <= box.width - PAD + 0.1
        assert top + high <= box.height - PAD + 0.1
        lines = [float(text.attrib["y"]) for text in cell.iter(f"{SVG}text")]
        assert all(one < other for one, other in pairwise(lines))
        for text in cell.iter(f"{SVG}text"):
            assert float(text.attrib["y"]) <= high - INSIDE + SMALL
            assert len(text.text or "") * WIDE * float(text.attrib["font-size"]) <= wide


def test_an_empty_box_is_as_wide_as_its_name() -> None:
    drawing = drawn(Strip("Boxes", ((Cell("", (), "Out of Action Box", "0", look=EMPTY),),)))
    (cell,) = cells(drawing)
    name, number = cell.iter(f"{SVG}text")

    assert (name.text, number.text) == ("Out of Action Box", "0")
    assert name.get("y") == number.get("y")


def test_counters_lie_in_their_cell_which_is_never_wider_than_a_phone() -> None:
    many = {PieceId(str(number)): Counter(str(number), RED) for number in range(30)}
    box = StripBox(Strip("Box", row_of([Cell("Box", pieces=tuple(many))])), many, COUNTERS, 320)

    assert box.width <= WIDEST + 2 * PAD
    assert "".join(box.parts(0, 0)).count('class="counter"') == len(many)


def test_strips_stand_side_by_side_while_there_is_room() -> None:
    boxes = [StripBox(TRACK, {}, COUNTERS, 800) for _ in range(3)]
    room = 2 * boxes[0].width + 10

    assert [len(line) for line in in_lines(boxes, room)] == [2, 1]


def test_low_strips_lie_below_each_other_beside_a_high_one() -> None:
    high = StripBox(Strip("High", (numbered(3, 1),) * 6), {}, COUNTERS, 800)
    low = [StripBox(TRACK, {}, COUNTERS, 800) for _ in range(9)]
    ((first, *others),) = in_lines([high, *low], 5 * low[0].width)

    assert first == [high]
    assert [len(column) for column in others] == [3, 3, 3]
    assert max(sum(box.height for box in column) for column in others) < high.height


@each_row("theme", THEMES)
def test_strips_are_drawn_above_and_below_a_wide_map(theme: str) -> None:
    sheet = Sheet("Title", WIDE_MAP, {}, sides=(RED, BLUE))
    picture = draw_picture(sheet, Spread(strips=(HAND, TRACK, DECK)), (Panel("Victory"),), theme=theme)
    found = texts(ElementTree.fromstring(picture))

    assert found.index("Turn Track") < found.index("A") < found.index("Red hand") < found.index("Blue cards")
    assert found.index("Blue cards") < found.index("Victory")


def test_strips_stand_beside_a_map_that_is_higher_than_wide() -> None:
    high = (MapPlace(PlaceId("a"), "A", "", 0, 0, outline=((0, 0), (100, 0), (100, 900), (0, 900))),)
    picture = draw_picture(Sheet("Title", high, {}), Spread(strips=(TRACK,)), (Panel("Victory"),))
    found = texts(ElementTree.fromstring(picture))

    assert found.index("A") < found.index("Turn Track") < found.index("Victory")


def test_a_page_lists_the_cells_marks_the_current_one_and_sets_a_hand_apart() -> None:
    made = strips_of(Sheet("", (), {}, sides=(RED, BLUE)), Spread(strips=(HAND, TRACK, DECK)), 2)
    above, others = ElementTree.fromstring(f"<body>{made}</body>")
    (track,), (hand, deck) = above.findall("div/section"), others.findall("section")

    assert (above.get("class"), others.get("class")) == ("strips above", "strips")

    assert [one.get("aria-current") for one in track.iter("li")] == [None, None, None, "true", *[None] * 5]
    assert (track.get("class"), hand.get("class")) == ("panel strip", "panel strip private")
    assert "".join(hand.itertext()) == "Red hand+2Attack!Move and fight."
    assert ["".join(one.itertext()) for one in deck.iter("li")] == ["Hand7face down", "Deckempty"]
    assert strips_of(Sheet("", (), {}), Spread(), 2) is None


def test_in_a_hand_on_a_page_the_cards_that_can_be_chosen_stand_first() -> None:
    """A large hand has rows that are out of view; a track stays in its order."""
    cells = [Cell(title, id=title.lower()) for title in ("One", "Two", "Three", "Four")]
    lit = {one: Lit("", "/", one) for one in ("two", "four")}
    strips = (Strip("Hand", row_of(cells), is_private=True), Strip("Track", row_of(cells)))
    made = strips_of(Sheet("", (), {}), Spread(strips=strips), 2, lit, first=lit)

    assert re.findall(r"<b>(\w+)</b>", str(made)) == ["Two", "Four", "One", "Three", "One", "Two", "Three", "Four"]


def test_cards_that_can_be_chosen_lie_in_a_hand_in_the_order_of_their_numbers() -> None:
    """Where options are listed by what they are for, the numbers in the hand were mixed up."""
    strip = Strip("Your hand", (tuple([Cell(title=name, id=name) for name in "ABCD"]),), is_private=True, is_hand=True)
    lit = {name: Lit(sign, "/m/a", name) for name, sign in (("B", "3"), ("C", "10"), ("D", "2"))}
    made = str(strips_of(Sheet("", (), {}), Spread(strips=(strip,)), 2, lit, first=lit))

    assert re.findall(r">([A-D])</b>", made) == ["D", "B", "C", "A"]


def test_a_strip_in_which_something_can_be_chosen_lies_beside_the_map_not_below_it() -> None:
    picked_up = Strip("Picked up", row_of([Cell(side=RED, pieces=(TANK,))]))
    sheet, spread = Sheet("Map", WIDE_MAP, {}, sides=(RED, BLUE)), Spread(strips=(picked_up, DECK), beside=LOOKS)
    calm, asked = strip_parts(sheet, spread, 2), strip_parts(sheet, spread, 2, {str(TANK): Lit("1", "/m/a", "Tank")})

    assert calm.aside is None
    assert "Picked up" in str(calm.below)
    assert "Picked up" in str(asked.aside)
    assert "Picked up" not in str(asked.below)
    assert "Blue cards" in str(asked.below)


def test_a_hand_lies_below_own_stacks_unless_a_card_of_it_can_be_chosen() -> None:
    hand = Strip("Hand", row_of([Cell("Attack!", id="attack")]), is_private=True)
    stacks = Strip("Stacks", row_of([Cell(side=RED, pieces=(TANK,))]), is_stacks=True)
    sheet, spread = Sheet("Map", WIDE_MAP, {}, sides=(RED, BLUE)), Spread(strips=(hand, stacks), beside=LOOKS)
    orders = [
        re.findall(r"<h2>(\w+)</h2>", str(strip_parts(sheet, spread, 2, {one: Lit("", "/m/a", one)}).aside))
        for one in ("attack", str(TANK))
    ]

    assert orders == [["Hand", "Stacks"], ["Stacks", "Hand"]]


def test_a_narrow_strip_lies_beside_a_map_of_which_a_part_is_shown_and_below_a_whole_one() -> None:
    """The boxes of *Advance* lay below the map, while the column beside it was empty."""
    boxes = Strip("Boxes", row_of([Cell(side=RED, pieces=(TANK,))]), is_narrow=True)
    sheet, spread = Sheet("Map", WIDE_MAP, {}, sides=(RED, BLUE)), Spread(strips=(boxes, DECK), beside=LOOKS)
    parts = strip_parts(sheet, spread, 2)

    assert "Boxes" in str(parts.aside)
    assert "Boxes" not in str(parts.below)
    assert "Blue cards" in str(parts.below)
    assert "above" not in str(strips_of(sheet, spread, 2))
