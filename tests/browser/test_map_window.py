"""The picture begins at the question: it can be read in pixels of the screen, nothing that decides is cut, and the whole map is one key away."""

import itertools
import math
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser

from events.ids import ARBITER, MatchId
from tests.support.site import Site, site
from tests.support.soak import few, sampled
from tests.support.visitors import Visitor, Visitors

WINDOWS = ((1400, 900), (390, 844))
COUNTER_MIN, FIGURES_MIN, NAME_MIN = 11, 13, 12
"""The least sizes of text on counters, of the numbers that decide, and of names, in pixels."""
LEGIBLE = 6
"""The least size of text on the whole map, in pixels."""
PAGE_BYTES_MAX = 200_000

MOMENTS = {
    "advance": [("main", "", 0), ("main", "", 40), ("main", "", 60), ("main", "", 83)],
    "inferno": [("standard", "one_vs_one", 2), ("standard", "one_vs_one", 60), ("standard", "one_vs_one", 30)],
    "axis_allies": [("uranus", "", 2), ("race", "", 20), ("race", "", 40)],
}
"""For each game a question of the set-up or of an entry, one of a move, and one of a fight, and one about no place: scenario, mode and how many commands were played."""
FIGHT = ("standard", "one_vs_one", 18)
"""A question of *Inferno* about one hex."""

LETTERS = """
() => {
  const sheet = document.querySelector(".sheet[data-size]");
  const frame = sheet.getBoundingClientRect();
  const found = [];
  const look = (text, matrix, kind) => {
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(matrix.a, matrix.b);
    // What is printed in the middle of a counter; its name begins at its left.
    const isFigures = kind === "counter" && /^[0-9]/.test(text.textContent) && text.getAttribute("text-anchor") === "middle";
    found.push([isFigures ? "figures" : kind, Math.round(size * 10) / 10, text.textContent]);
  };
  const isIn = (box) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
  const isDrawn = (text) => getComputedStyle(text).visibility === "visible";
  for (const place of sheet.querySelectorAll("[id^=place-]")) {
    for (const one of place.querySelectorAll("text, use")) {
      if (!isIn(one.getBoundingClientRect())) continue;
      const kind = one.closest(".counter") ? "counter" : "name";
      if (one.localName === "text" && isDrawn(one)) look(one, one.getScreenCTM(), kind);
      else if (one.localName === "use") {
        const shape = document.querySelector(one.getAttribute("href"));
        for (const text of shape.querySelectorAll("text")) if (isDrawn(text)) look(text, one.getScreenCTM(), kind);
      }
    }
  }
  return found;
}
"""
"""Measures all text at the places that is drawn and in sight: what it is, its size in pixels, and what it says."""

SIGNED = """() => {
  const frame = document.querySelector(".sheet[data-size]").getBoundingClientRect();
  const over = [...document.querySelectorAll(".inset, .insets .zoom")].map((one) => one.getBoundingClientRect());
  const isIn = (box, x, y) => x > box.left && x < box.right && y > box.top && y < box.bottom;
  const signs = [...document.querySelectorAll(".sheet .sign")].map((one) => one.getBoundingClientRect());
  const middles = signs.map(({ left, top, width, height }) => [left + width / 2, top + height / 2, height]);
  return middles.filter(([x, y]) => isIn(frame, x, y) && !over.some((box) => isIn(box, x, y)));
}"""
"""Finds the signs of places that are in sight: their middles and their heights, in pixels."""

FIRST = """
() => {
  const sheet = document.querySelector(".sheet[data-first]");
  if (!sheet) return null;
  const frame = sheet.getBoundingClientRect();
  const matrix = sheet.querySelector("svg").getScreenCTM();
  const [left, top, right, bottom] = sheet.dataset.first.split(" ").map(Number);
  const [from, to] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((one) => one.matrixTransform(matrix));
  const fits = to.x - from.x <= frame.width && to.y - from.y <= frame.height;
  return !fits || (from.x >= frame.left - 15 && to.x <= frame.right + 15 && from.y >= frame.top - 15 && to.y <= frame.bottom + 15);
}
"""
"""Says whether what the question is about first is in sight, if there is room for it."""

COVERED = """() => {
  const sheet = document.querySelector(".sheet[data-size]");
  const frame = sheet.getBoundingClientRect();
  const place = `#${CSS.escape(`place-${sheet.dataset.at}`)}`;
  return [...sheet.querySelectorAll(`${place} text, ${place} .counter`)].filter((one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const isUnder = document.elementsFromPoint((left + right) / 2, (top + bottom) / 2).some((other) => other.closest(".insets"));
    return isUnder || left < frame.left || right > frame.right || top < frame.top || bottom > frame.bottom;
  }).map((one) => one.textContent);
}"""
"""Finds what is cut or covered of the first place of the question, its name and its counters."""

GLIDE_MS = 600
NUMBERS = """() => {
  const texts = [...document.querySelectorAll(".sheet svg [id^=place-] > text.unread")];
  const isNumber = (one) => /^[0-9]+$/.test(one.textContent);
  return [texts.filter((one) => !isNumber(one)).length, texts.filter((one) => isNumber(one) && parseFloat(one.style.fontSize.slice(5)) > 0).map((one) => one.textContent)];
}"""
"""Returns how many names of places are left out, and which numbers are though they were made larger to be read."""
"""Longer than the map takes to come to a question."""
BOX = """() => document.querySelector(".sheet[data-size] svg").getAttribute("viewBox").split(" ").map(Number)"""
NEAREST = """() => {
  const frame = document.querySelector(".sheet[data-size]").getBoundingClientRect();
  const middle = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
  const [x, y] = middle(frame);
  const far = ([across, down]) => Math.hypot(across - x, down - y);
  return [...document.querySelectorAll(".sheet .lit.piece")].map((one) => middle(one.getBoundingClientRect())).sort((one, other) => far(one) - far(other))[0];
}"""
"""The counter that can be chosen and lies nearest to the middle of the map."""
BOX_OF_CHOSEN = """() => {
  const frame = document.querySelector(".sheet[data-size]").getBoundingClientRect();
  const { left, top, right, bottom } = document.getElementById("chosen").getBoundingClientRect();
  return left >= frame.left && right <= frame.right && top >= frame.top && bottom <= frame.bottom;
}"""
"""Says whether the chosen counter is in sight."""
PARTLY_SEEN = """() => {
  const frame = document.querySelector(".sheet[data-size]").getBoundingClientRect();
  const isIn = (x, y) => x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
  for (const lit of document.querySelectorAll(".sheet .lit:not(.piece, [aria-current])")) {
    const { left, top, width, height } = lit.getBoundingClientRect();
    if (isIn(left + width / 2, top + height / 2)) continue;
    for (let y = frame.top + 4; y < frame.bottom; y += 6) {
      for (let x = frame.left + 4; x < frame.right; x += 6) if (document.elementFromPoint(x, y)?.closest("a") === lit) return [x, y];
    }
  }
  return null;
}"""
"""Finds a spot of a place that can be chosen, of which the middle lies outside the window of the map."""
UNCUT = """
() => [...document.querySelectorAll(".vital .panel")].filter((one) => one.checkVisibility()).map((one) => {
  const box = one.getBoundingClientRect();
  return box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth + 1 && one.scrollWidth <= one.clientWidth + 1;
})
"""
"""Says of each track that decides whether it is in sight and whole."""


@pytest.fixture(scope="module")
def place(browser: Browser) -> Iterator[Site]:
    """Pages of one store for all moments."""
    with site() as made:
        yield made


def opened(place: Site, visitors: Visitors, game: str, moment: tuple[str, str, int], size: tuple[int, int]) -> Visitor:
    """Return a visitor at a moment, as the seat that is to decide."""
    scenario, mode, commands = moment
    match = place.prepared(game, scenario, mode, commands=commands, seed="3" if game == "advance" else "1")
    visitor = visitors.new(place, width=size[0], height=size[1])
    visitor.sit(match, place.mover(match))
    return visitor


@pytest.mark.parametrize(
    ("game", "moment"),
    sampled(
        [(game, moment) for game, moments in MOMENTS.items() for moment in moments],
        lambda game, moment: game == "axis_allies" and moment == MOMENTS[game][-1],
    ),
)
def test_what_is_asked_about_can_be_read_and_is_whole(
    game: str, moment: tuple[str, str, int], place: Site, visitors: Visitors
) -> None:
    """A second each, with a match played to its moment."""
    visitor = opened(place, visitors, game, moment, WINDOWS[0])
    least = {"counter": COUNTER_MIN, "figures": FIGURES_MIN, "name": NAME_MIN}
    for width, height in WINDOWS:
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.reload()
        letters: list[Any] = visitor.page.evaluate(LETTERS)
        # On a map that is made smaller to show a fight, figures are as high as other text.
        is_fight = width < 821 and visitor.page.locator(".sheet[data-stake]").count()
        least["figures"] = COUNTER_MIN if is_fight else FIGURES_MIN
        vital = visitor.page.evaluate(UNCUT)

        assert [(kind, px, text) for kind, px, text in letters if px < least[kind] - 0.1] == []
        is_far = visitor.page.locator(".sheet .far").count()
        assert is_far or {kind for kind, *_ in letters} >= {"name"}
        assert is_far or visitor.page.evaluate(FIRST)
        assert vital
        assert all(vital)
        assert len(visitor.page.content().encode()) < PAGE_BYTES_MAX
        assert visitor.page.locator(".inset svg").count() == (2 if game == "axis_allies" else 1)


def test_the_whole_map_comes_and_goes_by_a_key_and_stays_for_the_next_page(place: Site, visitors: Visitors) -> None:
    visitor = opened(place, visitors, "advance", MOMENTS["advance"][2], WINDOWS[0])
    page = visitor.page
    near = page.get_attribute(".sheet", "data-size")
    page.keyboard.press("0")
    page.reload()
    is_near = page.locator(".sheet[data-focus]").count() == 1
    page.keyboard.press("*")
    page.wait_for_selector(".sheet:not([data-focus])")
    whole = page.get_attribute(".sheet", "data-size")
    page.reload()
    kept = page.locator(".sheet[data-focus]").count()
    page.keyboard.press("+")
    enlarged = page.evaluate(BOX)
    # The middle of what can be chosen may lie outside the enlarged part.
    page.locator(".sheet .lit").first.press("Enter")
    page.wait_for_selector(".sheet [aria-current]", state="attached")
    page.wait_for_timeout(GLIDE_MS)
    after = page.evaluate(BOX)
    page.keyboard.press("*")
    page.wait_for_selector(".sheet[data-focus]")

    assert is_near, "a slip with the key of an option took the part away for good"
    assert after[2:] == enlarged[2:]
    assert near != whole
    assert kept == 0


def letters_of(visitor: Visitor) -> list[float]:
    """Return the heights of the letters of the map that are drawn, in pixels."""
    found: list[float] = visitor.page.evaluate(
        """() => [...document.querySelectorAll(".sheet text")].filter((one) => getComputedStyle(one).visibility === "visible" && one.getScreenCTM())
        .map((one) => parseFloat(getComputedStyle(one).fontSize) * Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b))"""
    )
    return found


@pytest.mark.long
def test_letters_that_would_be_too_small_on_the_whole_map_are_left_out_until_it_is_enlarged(
    place: Site, visitors: Visitors
) -> None:
    visitor = opened(place, visitors, "inferno", FIGHT, WINDOWS[1])
    page = visitor.page
    near = len(letters_of(visitor))
    page.keyboard.press("*")
    page.wait_for_selector(".sheet:not([data-focus])")
    whole = letters_of(visitor)
    for _ in range(8):
        page.keyboard.press("+")
    enlarged = letters_of(visitor)

    assert near > 20
    assert [one for one in (*whole, *enlarged) if one < LEGIBLE] == []
    assert len(whole) < 20 < len(enlarged)


@pytest.mark.long
def test_a_new_question_is_seen_from_above_and_the_same_one_stays_where_it_is(place: Site, visitors: Visitors) -> None:
    visitor = opened(place, visitors, "inferno", MOMENTS["inferno"][1], WINDOWS[0])
    page = visitor.page
    match = MatchId(visitor.address.rpartition("/m/")[2].partition("?")[0])
    asked = visitor.text(".question h1")
    page.evaluate("document.querySelector('.seen').scrollTop = 150")
    place.owner.play(match, ARBITER, {"do": "match:note", "text": "A note for all."})
    visitor.wait_for(".log :text('A note for all.')")
    kept = page.evaluate("document.querySelector('.seen').scrollTop")
    place.advance(match, 1)
    visitor.wait_until(lambda: visitor.text(".question h1") != asked, "no other question comes")

    assert kept == 150
    assert page.evaluate("document.querySelector('.seen').scrollTop") == 0


@pytest.mark.long
@pytest.mark.parametrize(("game", "commands"), [("axis_allies", 24), ("inferno", 60), ("advance", 60)])
def test_on_a_phone_an_option_is_in_sight_below_the_map(
    game: str, commands: int, place: Site, visitors: Visitors
) -> None:
    visitor = opened(place, visitors, game, ("", "", commands), WINDOWS[1])
    page = visitor.page
    sheet, option, way = (
        page.locator(one).first.bounding_box() for one in (".sheet", ".option, .choices .stepper", ".way")
    )
    assert sheet is not None
    assert option is not None
    assert way is not None

    assert sheet["y"] + sheet["height"] <= option["y"]
    assert option["y"] + option["height"] <= way["y"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "commands", "is_mover"),
    [("advance", 0, True), ("advance", 60, True), ("axis_allies", 0, True), ("axis_allies", 0, False)],
)
def test_on_a_phone_the_small_maps_and_the_buttons_lie_in_the_lower_corners_of_the_map(
    game: str, commands: int, is_mover: bool, place: Site, visitors: Visitors
) -> None:
    """Also where the map stands below the options, as at a purchase, and while another seat decides."""
    match = place.prepared(game, commands=commands, seed="1")
    visitor = visitors.new(place, width=WINDOWS[1][0], height=WINDOWS[1][1])
    mover = place.mover(match)
    visitor.sit(match, mover if is_mover else next(one for one in place.players(match) if one != mover))
    sheet, *over = (
        visitor.page.locator(one).first.bounding_box() for one in (".sheet", ".inset", ".zoom [data-zoom='+']")
    )
    assert sheet is not None

    for box in over:
        assert box is not None
        assert sheet["y"] + sheet["height"] - 60 < box["y"]
        assert box["y"] + box["height"] <= sheet["y"] + sheet["height"]
        assert min(box["x"], sheet["width"] - box["x"] - box["width"]) < 10


@pytest.mark.long
def test_on_a_phone_what_is_asked_about_lies_clear_of_the_small_maps_and_the_buttons(
    place: Site, visitors: Visitors
) -> None:
    """A unit that could move lay under the button that enlarges the map."""
    visitor = opened(place, visitors, "inferno", FIGHT, WINDOWS[1])

    assert visitor.page.evaluate(COVERED) == []


@pytest.mark.long
def test_on_a_phone_that_is_held_sideways_the_small_maps_and_the_buttons_are_in_sight(
    place: Site, visitors: Visitors
) -> None:
    """The map is as high as the window there, and begins below the question."""
    visitor = opened(place, visitors, "advance", ("", "", 60), (740, 360))
    for one in (".inset", ".zoom [data-zoom='+']"):
        box = visitor.page.locator(one).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 360


def box_of(visitor: Visitor) -> list[float]:
    return [float(one) for one in (visitor.page.get_attribute(".sheet > svg", "viewBox") or "").split()]


def test_the_window_is_moved_and_enlarged_by_hand_and_a_drag_is_no_click(place: Site, visitors: Visitors) -> None:
    visitor = opened(place, visitors, "advance", MOMENTS["advance"][2], WINDOWS[0])
    page = visitor.page
    begun, address = box_of(visitor), visitor.address
    page.keyboard.press("+")
    larger = box_of(visitor)
    sheet = page.locator(".sheet").bounding_box()
    assert sheet is not None
    x, y = sheet["x"] + sheet["width"] / 2, sheet["y"] + sheet["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y - 40, steps=4)
    page.mouse.up()
    moved = box_of(visitor)
    page.mouse.wheel(0, 2_000)
    page.wait_for_timeout(50)
    smallest = box_of(visitor)
    frame = page.locator(".inset .frame").last.get_attribute("width")

    assert larger[2] == pytest.approx(begun[2] / 1.3, rel=0.01)
    assert moved[0] > larger[0]
    assert moved[2] == pytest.approx(larger[2])
    assert visitor.address == address
    assert smallest[2] > begun[2]
    assert float(frame or 0) == pytest.approx(smallest[2], abs=0.2)


def test_a_choice_moves_the_map_no_farther_than_it_must_and_keeps_its_size(place: Site, visitors: Visitors) -> None:
    """Else the next click would miss; also where the size was chosen by hand."""
    visitor = opened(place, visitors, "axis_allies", ("race", "", 0), WINDOWS[0])
    page = visitor.page
    boxes = []
    for press in ("", "-"):
        if press:
            page.locator(".narrowed .every").click()
            page.wait_for_selector(".narrowed", state="detached")
            page.keyboard.press(press)
        page.wait_for_timeout(GLIDE_MS)
        boxes.append(page.evaluate(BOX))
        page.mouse.click(*page.evaluate(NEAREST))
        page.wait_for_selector(".narrowed")
        page.wait_for_timeout(GLIDE_MS)
        boxes.append(page.evaluate(BOX))
        boxes.append(page.evaluate(BOX_OF_CHOSEN))
    first, chosen, seen, smaller, again, seen_again = boxes

    assert chosen[2:] == first[2:]
    assert again[2:] == smaller[2:] > first[2:]
    assert seen
    assert seen_again


TARGETS = """() => {
  const frame = document.querySelector(".sheet[data-size]").getBoundingClientRect();
  const inset = document.querySelector(".inset").getBoundingClientRect();
  const isIn = (one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom && !(x < inset.right && x > inset.left && y > inset.top && y < inset.bottom);
  };
  const places = [...document.querySelectorAll(".sheet .lit:not(.piece, [aria-current])")];
  return [[...document.querySelectorAll(".sheet .lit[aria-current]")].some(isIn), places.length, places.filter(isIn).length];
}"""
"""Says whether what is chosen is in sight, to how many places of the map it may go, and how many of these are in sight."""


@pytest.mark.long
@pytest.mark.parametrize("about", ["kletskaya", "ger_infantry/7", "command:fly\nger_fighter/1"])
def test_the_map_shows_where_the_chosen_thing_is_and_may_go(about: str, place: Site, visitors: Visitors) -> None:
    """A place of *Axis & Allies* is as wide as the map of a phone: only what was chosen was seen. On a map of half the size figures were 7 pixels high."""
    visitor = opened(place, visitors, "axis_allies", ("", "", 4), WINDOWS[1])
    page = visitor.page
    chosen = "".join([f"&about={one}" for one in about.split("\n")])
    page.goto(f"{page.url}{chosen}")
    is_seen, count, in_sight = page.evaluate(TARGETS)
    letters = page.evaluate(LETTERS)

    assert is_seen
    assert in_sight >= min(2, count)
    assert [one for one in letters if one[1] < COUNTER_MIN - 0.1] == []
    assert "figures" in [kind for kind, *_ in letters]


def test_on_a_phone_a_question_about_many_far_places_shows_them_small_with_their_keys(
    place: Site, visitors: Visitors
) -> None:
    """Of nine Areas that could become active one was seen. The next question leads near again."""
    visitor = opened(place, visitors, "advance", ("main", "", 13), WINDOWS[1])
    page, signs = visitor.page, list[Any]()
    for width, height, count in ((390, 844, 8), (360, 740, 6)):
        page.set_viewport_size({"width": width, "height": height})
        page.reload()
        signs = page.evaluate(SIGNED)
        apart = [math.hypot(one[0] - other[0], one[1] - other[1]) for one, other in itertools.combinations(signs, 2)]

        assert len(signs) >= count
        assert min(one[2] for one in signs) >= 20
        assert min(apart) >= 18
        assert [one for one in page.evaluate(LETTERS) if one[1] < COUNTER_MIN] == []
    wide = page.evaluate(BOX)[2]
    with page.expect_navigation():
        page.mouse.click(*signs[0][:2])
    visitor.wait_until(lambda: page.evaluate(BOX)[2] < wide / 4, "the map stays far away")


def test_on_a_phone_a_number_is_read_where_the_name_below_it_is_too_small(place: Site, visitors: Visitors) -> None:
    """The name took it away."""
    visitor = opened(place, visitors, "advance", ("main", "", 60), WINDOWS[1])
    seen = []
    for _ in range(3):
        visitor.page.keyboard.press("-")
        seen.append(visitor.page.evaluate(NUMBERS))

    assert any(names for names, _ in seen), "no name is too small"
    assert [numbers for _, numbers in seen] == [[]] * 3


@pytest.mark.long
def test_on_a_phone_two_taps_on_a_small_map_lead_near(place: Site, visitors: Visitors) -> None:
    """Elsewhere two taps turn to the whole map, which is smaller still."""
    visitor = opened(place, visitors, "advance", ("main", "", 13), WINDOWS[1])
    page = visitor.page
    sheet = page.locator(".sheet").bounding_box()
    assert sheet is not None
    page.mouse.dblclick(sheet["x"] + 3, sheet["y"] + 3)
    page.wait_for_timeout(GLIDE_MS)

    assert page.evaluate(BOX)[2] == WINDOWS[1][0]


STAKE_SEEN = """() => {
  const sheet = document.querySelector(".sheet[data-stake]");
  const frame = sheet.getBoundingClientRect();
  const matrix = sheet.querySelector("svg").getScreenCTM();
  const [left, top, right, bottom] = sheet.dataset.stake.split(" ").map(Number);
  const [from, to] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((one) => one.matrixTransform(matrix));
  return [from.x >= frame.left - 1 && to.x <= frame.right + 1 && from.y >= frame.top - 1 && to.y <= frame.bottom + 1, frame.height];
}"""
"""Says whether all that goes on is in sight, and how high the map is, in pixels."""


IN_SIGHT = """() => {
  const frame = document.querySelector(".sheet[data-size]").getBoundingClientRect();
  const over = [...document.querySelectorAll(".inset, .insets .zoom")].map((one) => one.getBoundingClientRect());
  const isIn = (box, { left, top, width, height }) => {
    const [x, y] = [left + width / 2, top + height / 2];
    return x > box.left && x < box.right && y > box.top && y < box.bottom;
  };
  const boxes = [...document.querySelectorAll(".sheet .lit.piece")].map((one) => one.getBoundingClientRect());
  return boxes.filter((one) => isIn(frame, one) && !over.some((other) => isIn(other, one))).map(({ left }) => left);
}"""
"""Finds the counters that can be chosen and are in sight, clear of the small maps and buttons."""

FRAMED = """() => [...document.querySelectorAll(".sheet :is(use, polygon, circle).s-bad:not([stroke-dasharray])")].map(
  (one) => parseFloat(getComputedStyle(one).strokeWidth) * one.getScreenCTM().a)"""
"""Returns how wide the frames of what goes on are, in pixels of the screen."""


@pytest.mark.parametrize(
    ("commands", "about"), few([(12, "a card of the defender"), (44, "a loss"), (6, "the Spawn Action")])
)
def test_both_sides_of_a_fight_and_all_places_of_one_action_are_in_sight(
    commands: int, about: str, place: Site, visitors: Visitors
) -> None:
    """The attackers were cut on a phone, and one or two of six Spawn Hexes were seen on any screen. A short list leaves its room to the map."""
    match = place.prepared("inferno", mode="one_vs_one", seed="43", commands=commands)
    visitor = visitors.new(place, about)
    visitor.sit(match, place.mover(match))
    seen = []
    for width, height in (*WINDOWS, (360, 740)):
        visitor.page.set_viewport_size({"width": width, "height": height})
        visitor.page.reload()
        seen.append(visitor.page.evaluate(STAKE_SEEN))
        assert min(visitor.page.evaluate(FRAMED)) >= 1.9

    assert [is_seen for is_seen, _ in seen] == [True] * 3
    assert seen[1][1] >= 240
    assert seen[2][1] >= 190


@pytest.mark.long
def test_what_an_option_that_is_asked_about_leads_to_is_in_sight(place: Site, visitors: Visitors) -> None:
    """Before the dice of an attack the map of a phone showed where it begins, not whom it is on; the same goes for the only option. It takes two seconds."""
    match = place.prepared("inferno", mode="one_vs_one", seed="43", commands=160)
    visitor = visitors.new(place, width=WINDOWS[1][0], height=WINDOWS[1][1])
    visitor.sit(match, place.mover(match))
    page = visitor.page
    page.goto(f"{page.url}&about=command:hasty-attack&about=6")
    page.locator(".choices a.option:not(.kind, .fold)").first.click()
    page.wait_for_selector(".choices button.main[data-next]")
    page.wait_for_timeout(GLIDE_MS)
    only = opened(place, visitors, "advance", ("main", "", 16), WINDOWS[1])

    assert page.evaluate(STAKE_SEEN)[0]
    assert only.page.locator(".choices .option").count() == 1
    assert only.page.get_attribute(".sheet", "data-stake")
    assert len(only.page.evaluate(IN_SIGHT)) == only.page.locator(".sheet .lit.piece").count() > 1


@pytest.mark.long
def test_all_letters_come_back_when_a_small_map_leads_near(place: Site, visitors: Visitors) -> None:
    """Those of just the least size stayed away by a rounding, and took the names of units with them. A match is played on in it."""
    visitor = opened(place, visitors, "advance", ("main", "", 13), WINDOWS[1])
    page = visitor.page
    with page.expect_navigation():
        page.locator(".choices button.option").first.click()
    page.wait_for_timeout(GLIDE_MS)
    scale = WINDOWS[1][0] / page.evaluate(BOX)[2]
    unread = page.locator(".sheet .counter text.unread").count()

    assert scale == pytest.approx(1)
    assert page.locator(".sheet .counter text").count()
    assert not unread


def test_on_a_phone_a_place_of_a_small_map_is_chosen_and_seen_near_with_its_counters_to_choose(
    place: Site, visitors: Visitors
) -> None:
    """A counter there is smaller than a finger. What is done near does not lead far away while the question is the same."""
    visitor = opened(place, visitors, "axis_allies", ("race", "", 0), WINDOWS[1])
    page = visitor.page
    far = page.evaluate(BOX)
    page.mouse.click(*page.evaluate(NEAREST))
    page.wait_for_selector(".narrowed")
    page.wait_for_timeout(GLIDE_MS)
    near = page.evaluate(BOX)
    chosen = page.get_attribute("#chosen", "class")
    page.locator(".narrowed .every").click()
    page.wait_for_selector(".narrowed", state="detached")
    page.wait_for_timeout(GLIDE_MS)

    assert far[2] > 2 * WINDOWS[1][0] > near[2]
    assert chosen == "lit"
    assert page.evaluate(BOX)[2] <= near[2]


@pytest.mark.long
def test_the_map_shows_where_what_is_bought_may_be_placed(place: Site, visitors: Visitors) -> None:
    """It lies nowhere yet: of three places that are far from each other one was seen."""
    visitor = opened(place, visitors, "axis_allies", ("", "", 48), WINDOWS[0])
    page = visitor.page
    before = page.evaluate(TARGETS)
    page.locator("a.option.fold").first.click()
    page.wait_for_selector(".narrowed")
    page.wait_for_timeout(GLIDE_MS)
    _, count, in_sight = page.evaluate(TARGETS)

    assert before[2] < 2 < count == in_sight


@pytest.mark.long
def test_a_command_leaves_the_map_where_it_is_while_there_is_more_to_do(place: Site, visitors: Visitors) -> None:
    """It leads to a new page, which begins where the last one was; another match begins anew."""
    visitor = opened(place, visitors, "axis_allies", ("race", "", 0), WINDOWS[0])
    page = visitor.page
    page.goto(f"{page.url}&about=serafimovich")
    page.keyboard.press("-")
    before = page.evaluate(BOX)
    with page.expect_navigation():
        page.locator("form[id^=together] button").first.click()
    after = page.evaluate(BOX)
    other = opened(place, visitors, "axis_allies", ("uranus", "", 2), WINDOWS[0]).page.evaluate(BOX)

    assert after == pytest.approx(before, abs=1)
    assert other[2:] != before[2:]


@pytest.mark.long
def test_a_tap_on_the_visible_part_of_a_place_is_a_click_and_moves_no_map(place: Site, visitors: Visitors) -> None:
    """Its middle lies outside: the map moved there while the finger was down, so that nothing was chosen."""
    match = place.prepared("axis_allies", "race", commands=51)
    visitor = visitors.new(place, width=WINDOWS[1][0], height=WINDOWS[1][1], has_touch=True)
    visitor.sit(match, place.mover(match))
    page = visitor.page
    page.goto(f"{page.url}&about=kotluban")
    before, spot = page.evaluate(BOX), page.evaluate(PARTLY_SEEN)
    page.touchscreen.tap(*spot)
    page.wait_for_function("() => document.querySelectorAll('.chip').length === 2")

    assert before
    assert page.locator(".chip").count() == 2


@pytest.mark.long
def test_of_a_place_larger_than_the_map_the_counters_are_seen(place: Site, visitors: Visitors) -> None:
    """The zone beyond the Volga is taller than the map of a phone."""
    visitor = opened(place, visitors, "axis_allies", ("race", "", 51), WINDOWS[1])
    page = visitor.page
    page.goto(f"{page.url}&map=city")
    page.goto(
        place.address + str(page.locator(".sheet .lit.piece[aria-label*='Krasnaya']").first.get_attribute("href"))
    )
    _, top, _, bottom = map(int, (page.locator(".sheet").get_attribute("data-first") or "").split())

    assert bottom - top > page.evaluate(BOX)[3]
    assert page.evaluate(BOX_OF_CHOSEN)


@pytest.mark.long
def test_the_other_board_is_a_small_picture_that_leads_to_it(place: Site, visitors: Visitors) -> None:
    visitor = opened(place, visitors, "axis_allies", MOMENTS["axis_allies"][2], WINDOWS[0])
    page = visitor.page
    boxes = [one.bounding_box() for one in page.locator(".inset").all()]
    before = page.get_attribute(".sheet", "data-map")
    page.locator(".inset:not([aria-current])").click()
    page.wait_for_selector(f".sheet:not([data-map='{before}'])")

    assert all(box is not None and box["y"] + box["height"] <= 900 for box in boxes)
    assert page.get_attribute(".inset[aria-current]", "aria-label")


def test_a_press_on_the_map_while_it_glides_only_ends_the_glide(place: Site, visitors: Visitors) -> None:
    """A counter came under the pointer after a click on one of the own stacks, and was chosen by the next click."""
    visitor = opened(place, visitors, "inferno", MOMENTS["inferno"][1], WINDOWS[0])
    page = visitor.page
    page.emulate_media(reduced_motion="no-preference")
    begun = box_of(visitor)
    is_let_through, stands_still = page.evaluate(
        """async () => {
          const press = () => {
            const event = new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 });
            const stop = (one) => { one.isLetThrough = !one.defaultPrevented; one.preventDefault(); one.stopImmediatePropagation(); };
            addEventListener("click", stop, { once: true });
            document.querySelector(".sheet .lit").dispatchEvent(event);
            removeEventListener("click", stop);
            return event.isLetThrough ?? false;
          };
          const inset = document.querySelector(".inset[aria-current] svg");
          const { left, top } = inset.getBoundingClientRect();
          inset.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1, clientX: left + 12, clientY: top + 12 }));
          await new Promise(requestAnimationFrame);
          const during = press();
          const end = document.querySelector(".sheet > svg").getAttribute("viewBox");
          await new Promise((done) => setTimeout(done, 50));
          return [during, document.querySelector(".sheet > svg").getAttribute("viewBox") === end];
        }"""
    )

    assert not is_let_through
    assert stands_still
    assert box_of(visitor)[0] < begun[0]


@pytest.mark.long
def test_a_frame_of_a_busy_machine_never_leaves_the_map(place: Site, visitors: Visitors) -> None:
    """The time of a frame may lie before the beginning of the glide that asked for it; where that turns the map round, its letters count as too small."""
    visitor = opened(place, visitors, "inferno", MOMENTS["inferno"][1], WINDOWS[0])
    page = visitor.page
    before = box_of(visitor)
    page.emulate_media(reduced_motion="no-preference")
    page.evaluate(
        """() => {
          const real = window.requestAnimationFrame.bind(window);
          let late = 3;
          window.requestAnimationFrame = (does) => real((now) => does(late-- > 0 ? now - 3000 : now));
          window.lefts = [];
          const note = () => window.lefts.push(Number(document.querySelector(".sheet > svg").getAttribute("viewBox").split(" ")[0]));
          new MutationObserver(note).observe(document, { subtree: true, attributes: true, attributeFilter: ["viewBox"] });
        }"""
    )
    page.locator(".inset[aria-current] svg").click(position={"x": 12, "y": 12})
    visitor.wait_until(lambda: box_of(visitor)[0] < before[0], "the window does not move")
    lefts = page.evaluate("window.lefts")

    assert lefts
    assert max(map(abs, lefts)) <= abs(before[0]) + before[2]


@pytest.mark.parametrize("size", few([(size,) for size in WINDOWS]))
def test_without_scripts_the_server_chooses_the_part_and_a_link_leads_to_the_whole(
    size: tuple[int, int], place: Site, visitors: Visitors
) -> None:
    match = place.prepared("advance", "main", commands=60, seed="3")
    visitor = visitors.new(place, width=size[0], height=size[1], has_scripts=False)
    visitor.look(match)
    part = box_of(visitor)
    letters = [px for kind, px, _ in visitor.page.evaluate(LETTERS) if kind == "counter"]
    visitor.follow(".inset")
    whole = box_of(visitor)

    assert min(letters) >= COUNTER_MIN - 0.1
    assert whole[:2] == [0, 0]
    assert part[:2] != [0, 0]


def test_a_counter_is_shown_enlarged_beside_its_place_and_goes_with_escape(place: Site, visitors: Visitors) -> None:
    visitor = opened(place, visitors, "advance", MOMENTS["advance"][2], WINDOWS[0])
    page = visitor.page
    piece = page.locator(".sheet .lit.piece").first
    box = piece.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    at_once = page.locator(".enlarged").count()
    page.wait_for_selector(".enlarged")
    card = page.locator(".enlarged").bounding_box()
    said = visitor.text(".enlarged")
    assert card is not None
    is_apart = (
        card["x"] >= box["x"] + box["width"]
        or card["x"] + card["width"] <= box["x"]
        or card["y"] >= box["y"] + box["height"]
        or card["y"] + card["height"] <= box["y"]
    )
    page.keyboard.press("Escape")
    closed = page.locator(".enlarged").count()
    page.mouse.move(5, 5)
    piece.focus()
    page.keyboard.press("Tab")
    by_keys = page.locator(".enlarged").count()

    assert (at_once, closed) == (0, 0)
    assert said
    assert is_apart
    assert by_keys == page.locator(".lit.piece:focus").count()


@pytest.mark.long
def test_a_counter_of_a_small_map_is_enlarged_with_all_its_text(place: Site, visitors: Visitors) -> None:
    """On the map it has no room for its name; the copy left it out as well."""
    visitor = opened(place, visitors, "inferno", FIGHT, WINDOWS[1])
    page = visitor.page
    for _ in range(2):
        page.keyboard.press("-")
    counter = page.locator(".sheet .counter").first
    page.mouse.move(*page.evaluate(NEAREST))
    page.wait_for_selector(".enlarged")
    texts = page.eval_on_selector_all(
        ".enlarged text",
        "all => all.map((one) => [getComputedStyle(one).visibility, getComputedStyle(one).fontSize, `${one.getAttribute('font-size')}px`])",
    )

    assert counter.locator(".unread").count()
    assert texts
    assert {seen for seen, *_ in texts} == {"visible"}
    assert [size for _, size, _ in texts] == [printed for *_, printed in texts]


@pytest.mark.long
def test_the_band_of_an_empty_box_is_as_wide_as_the_box(place: Site, visitors: Visitors) -> None:
    """That of Out of Action in *Advance* ended before its frame."""
    visitor = opened(place, visitors, "advance", ("main", "", 133), WINDOWS[0])
    box, band = (visitor.page.locator(f".aside .cells li.empty{part}").first.bounding_box() for part in ("", " > span"))
    assert box is not None and band is not None

    assert band["width"] >= box["width"] - 3


@pytest.mark.long
def test_a_counter_shown_enlarged_covers_no_option_where_there_is_other_room(place: Site, visitors: Visitors) -> None:
    """At the right edge of the map it lay over what its reader was about to choose."""
    visitor = opened(place, visitors, "advance", MOMENTS["advance"][2], WINDOWS[0])
    page = visitor.page
    spot = page.evaluate(
        """() => {
          const { right, top, bottom } = document.querySelector(".sheet[data-size]").getBoundingClientRect();
          const boxes = [...document.querySelectorAll(".sheet .counter")].map((one) => one.getBoundingClientRect());
          const seen = boxes.filter((one) => one.right < right && one.top > top && one.bottom < bottom);
          const last = seen.sort((one, other) => other.right - one.right)[0];
          return [last.left + last.width / 2, last.top + last.height / 2];
        }"""
    )
    page.mouse.move(*spot)
    page.wait_for_selector(".enlarged")
    card, question = (page.locator(one).bounding_box() for one in (".enlarged", ".question"))
    assert card is not None and question is not None

    assert card["x"] + card["width"] <= question["x"]


@pytest.mark.long
def test_on_a_phone_the_button_for_what_is_marked_is_in_sight_however_many_items_there_are(
    place: Site, visitors: Visitors
) -> None:
    visitor = opened(place, visitors, "axis_allies", ("race", "", 37), WINDOWS[1])
    button, way = (visitor.page.locator(one).bounding_box() for one in (".whole .send button", ".way"))
    assert button is not None
    assert way is not None

    assert visitor.page.locator(".whole .mark").count() > 1
    assert button["y"] + button["height"] <= way["y"]


@pytest.mark.long
def test_the_place_of_an_option_under_the_pointer_comes_into_sight(place: Site, visitors: Visitors) -> None:
    """Targets of purchases lie far apart, and the map begins at the first."""
    match = place.prepared("axis_allies", commands=48)
    visitor = visitors.new(place, width=WINDOWS[0][0], height=WINDOWS[0][1])
    visitor.sit(match, place.mover(match))
    page, far = visitor.page, []
    for option in page.locator(".choices .opened .option").all():
        # Some are on the other board.
        targets = page.locator(f".sheet #place-{option.get_attribute('data-at')}").element_handles()
        far += [(option, one) for one in targets if not page.evaluate(IN_FRAME, one)]
    assert far
    option, target = far[-1]
    option.focus()

    visitor.wait_until(lambda: page.evaluate(IN_FRAME, target), "the map stays where it is")


IN_FRAME = """lit => {
  const frame = document.querySelector(".sheet[data-size]").getBoundingClientRect();
  const box = lit.getBoundingClientRect();
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  return x > frame.left && x < frame.right && y > frame.top && y < frame.bottom;
}"""
"""Returns whether the middle of something on the map is in sight."""
