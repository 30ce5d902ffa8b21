"""A game of cards is read from the table as it is drawn: measured on the screen, at a desk and on a phone, in matches as they come."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import ViewportSize

from core.games.battle.ids import GERMAN_SEAT as GERMAN
from core.games.battle.ids import RUSSIAN_SEAT as RUSSIAN
from events.ids import MatchId, Seat
from tests.support.site import Site, site
from tests.support.soak import sampled
from tests.support.visitors import Visitors

DESK, PHONE = ViewportSize(width=1400, height=900), ViewportSize(width=390, height=844)
MOMENTS = (2, 20, 95, 130)
"""After so many commands: set-up, a Firefight, Actions, and a purchase."""
TEXT_MIN, NUMBER_MIN = 11.0, 22.0
"""How high text is at least, and the number that counts on a Force, in pixels of the screen."""

MEASURED = """(least) => {
  const found = { small: [], numbers: [], outside: [], overlapping: [], cards: [] };
  const scale = (one) => { const m = one.getScreenCTM(); return Math.hypot(m.c, m.d); };
  const shown = (one) => one.getClientRects().length > 0;
  for (const text of document.querySelectorAll(".tabled .sheet text, .strips .counter text")) {
    if (!shown(text)) continue;
    const high = parseFloat(text.getAttribute("font-size")) * scale(text);
    if (high < least) found.small.push([text.textContent, high]);
    const counter = text.closest(".counter");
    if (counter && text.getAttribute("font-size") === "27") found.numbers.push(high);
    const frame = (counter?.querySelector("rect") ?? text.ownerSVGElement).getBoundingClientRect();
    const box = text.getBoundingClientRect();
    if (box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 || box.bottom > frame.bottom + 4) {
      found.outside.push(text.textContent);
    }
  }
  for (const group of document.querySelectorAll(".tabled .counter, .tabled [id^=place-]")) {
    const texts = [...group.querySelectorAll(":scope > text")].map((one) => [one.textContent, one.getBoundingClientRect(), parseFloat(one.getAttribute("font-size")) * scale(one)]);
    texts.forEach(([words, box, high], index) => {
      for (const [others, other, size] of texts.slice(index + 1)) {
        const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        // Letters fill the middle of their line alone.
        const middle = (one, tall) => [one.bottom - one.height * 0.25 - tall * 0.7, one.bottom - one.height * 0.25];
        const [top, low] = middle(box, high), [upper, lower] = middle(other, size);
        if (across > 1 && Math.min(low, lower) - Math.max(top, upper) > 1) found.overlapping.push([words, others]);
      }
    });
  }
  for (const card of document.querySelectorAll(".hand .cells li")) {
    const box = card.getBoundingClientRect();
    const inside = [...card.querySelectorAll("b, small, i")].map((one) => one.getBoundingClientRect());
    found.cards.push(inside.every((one) => one.left >= box.left - 1 && one.right <= box.right + 1 && one.bottom <= box.bottom + 1));
  }
  return found;
}"""


@pytest.fixture(scope="module")
def gallery() -> Iterator[tuple[Site, dict[int, MatchId]]]:
    """Matches at several moments."""
    with site() as made:
        yield made, {commands: made.prepared("battle", commands=commands, seed="16") for commands in MOMENTS}


@pytest.mark.parametrize(
    ("commands", "window"),
    sampled(
        [(commands, window) for commands in MOMENTS for window in (DESK, PHONE)],
        lambda commands, window: (commands, window) in ((20, DESK), (95, PHONE)),
    ),
)
def test_all_text_can_be_read_and_nothing_is_cut_or_covered(
    gallery: tuple[Site, dict[int, MatchId]], visitors: Visitors, commands: int, window: ViewportSize
) -> None:
    """The numbers that decide stood there 6.6 px high."""
    place, matches = gallery
    visitor = visitors.new(place, f"{commands} {window['width']}")
    visitor.page.set_viewport_size(window)
    visitor.sit(matches[commands], GERMAN)
    found = visitor.page.evaluate(MEASURED, TEXT_MIN)

    assert found["small"] == []
    assert found["numbers"] and min(found["numbers"]) >= NUMBER_MIN
    assert found["outside"] == []
    assert found["overlapping"] == []
    assert all(found["cards"])


@pytest.mark.long
@pytest.mark.parametrize("commands", [20, 130])
def test_the_table_and_the_hand_are_in_view_at_a_desk(
    gallery: tuple[Site, dict[int, MatchId]], visitors: Visitors, commands: int
) -> None:
    place, matches = gallery
    visitor = visitors.new(place, GERMAN)
    visitor.page.set_viewport_size(DESK)
    visitor.sit(matches[commands], GERMAN)
    bottom = visitor.page.eval_on_selector(".way", "way => way.getBoundingClientRect().top")
    table, *cards = visitor.page.eval_on_selector_all(
        ".tabled .sheet svg, .hand.private .cells li",
        "parts => parts.map((part) => part.getBoundingClientRect()).map((one) => [one.top, one.bottom])",
    )

    assert cards
    assert max(low for top, low in (table, *cards) if len(cards) < 8 or top <= cards[0][0]) <= bottom


@pytest.mark.long
def test_ten_cards_are_in_view_below_the_table_and_each_is_read_whole_under_the_pointer(
    gallery: tuple[Site, dict[int, MatchId]], visitors: Visitors
) -> None:
    """The second row was cut."""
    place, _ = gallery
    visitor = visitors.new(place, RUSSIAN)
    visitor.page.set_viewport_size(DESK)
    visitor.sit(place.prepared("battle", commands=19, seed="16"), RUSSIAN)
    bottom = visitor.page.eval_on_selector(".way", "way => way.getBoundingClientRect().top")
    cards = visitor.page.locator(".hand.private .cells li")
    boxes = [card.evaluate("card => card.getBoundingClientRect().bottom") for card in cards.all()]
    whole = []
    for card in cards.all():
        card.hover()
        whole.append(
            card.evaluate(
                """card => [...card.querySelectorAll("b, small")].every((one) =>
                  one.getBoundingClientRect().bottom <= card.getBoundingClientRect().bottom + 1)"""
            )
        )

    assert len(boxes) == 10
    assert max(boxes) <= bottom
    assert all(whole)


@pytest.mark.long
def test_at_the_end_no_card_of_a_large_hand_is_cut(place: Site, visitors: Visitors) -> None:
    match = place.prepared("battle", commands=19, seed="16")
    place.owner.play(match, RUSSIAN, {"do": "match:resign"})
    visitor = visitors.new(place, width=1400, height=900)
    visitor.sit(match, RUSSIAN)
    rooms = visitor.page.evaluate(
        """() => [...document.querySelectorAll(".hand li")].map((one) => one.scrollHeight - one.clientHeight)"""
    )

    assert len(rooms) > 7
    assert max(rooms) <= 1


@pytest.mark.long
def test_on_a_phone_the_table_is_as_wide_as_its_columns_need_and_scrolls_sideways(
    gallery: tuple[Site, dict[int, MatchId]], visitors: Visitors
) -> None:
    place, matches = gallery
    visitor = visitors.new(place, GERMAN)
    visitor.page.set_viewport_size(PHONE)
    visitor.sit(matches[20], GERMAN)
    sheet = visitor.page.locator(".tabled .sheet")
    wide, seen, high, whole = sheet.evaluate(
        "one => [one.scrollWidth, one.clientWidth, one.clientHeight, one.scrollHeight]"
    )

    assert wide > 1000 > seen
    assert high == whole
    assert sheet.evaluate("one => one.scrollLeft") > 0
    assert visitor.page.evaluate("document.scrollingElement.scrollWidth") == PHONE["width"]


@pytest.mark.long
def test_on_a_phone_the_table_stays_at_the_location_where_a_force_was_placed(place: Site, visitors: Visitors) -> None:
    """It began at the first Location after each Force of the set-up."""
    visitor = visitors.new(place, **PHONE)
    match = place.prepared("battle", commands=7, seed="16")
    visitor.sit(match, GERMAN)
    visitor.page.locator(".question button.option").nth(3).click()
    visitor.wait_for(".tabled [data-new]")
    left, wide = visitor.page.eval_on_selector(
        ".tabled [data-new]", "one => [one.getBoundingClientRect().left, one.getBoundingClientRect().width]"
    )

    assert 0 < left + wide / 2 < PHONE["width"]


def test_on_a_phone_all_columns_are_named_above_those_in_sight_and_lead_to_the_others(
    gallery: tuple[Site, dict[int, MatchId]], visitors: Visitors
) -> None:
    """One Location and a half were seen, and nothing said that there are more."""
    place, matches = gallery
    visitor = visitors.new(place, GERMAN)
    visitor.page.set_viewport_size(PHONE)
    visitor.sit(matches[95], Seat(place.mover(matches[95])))
    ways, current = visitor.page.locator(".column-links a"), visitor.page.locator(".column-links [aria-current]")
    before = current.all_inner_texts()
    ways.first.click()
    visitor.wait_until(
        lambda: current.first.inner_text() == ways.first.inner_text(), "the first column is not in sight"
    )

    assert ways.count() == 5
    assert before and before != current.all_inner_texts()
    assert "?" in visitor.address and "#" not in visitor.address
    assert all(visitor.page.locator(str(one.get_attribute("href"))).count() == 1 for one in ways.all())


@pytest.mark.long
def test_an_option_on_a_phone_says_what_the_card_says_that_it_spends(place: Site, visitors: Visitors) -> None:
    """At a desk the hand is in sight. In a Firefight the texts of cards are ignored. So does an item that is marked, such as a card to pay with."""
    for commands, about in ((91, "&about=command:play-card"), (10, "")):
        match = place.prepared("battle", commands=commands, seed="16")
        visitor = visitors.new(place, f"{commands}")
        visitor.sit(match, place.mover(match))
        visitor.page.goto(f"{visitor.page.url}{about}")
        texts, seen = visitor.page.locator(":is(.option, .mark) .says"), []
        for window in (PHONE, DESK):
            visitor.page.set_viewport_size(window)
            seen.append([one.is_visible() for one in texts.all() if not one.locator("xpath=ancestor::details").count()])

        assert seen[0] and all(seen[0])
        assert not any(seen[1])
        assert all(texts.all_text_contents())


def test_an_option_under_the_pointer_shows_its_card_and_a_card_its_option(
    gallery: tuple[Site, dict[int, MatchId]], visitors: Visitors
) -> None:
    place, matches = gallery
    visitor = visitors.new(place, GERMAN)
    visitor.page.set_viewport_size(DESK)
    visitor.sit(matches[20], GERMAN)
    card = visitor.page.locator(".hand .lit")
    number = card.locator(".key").first.inner_text()
    option = visitor.page.locator(f".option:has(> i:text-is('{number}'))")
    option.hover()

    assert "together" in (card.first.get_attribute("class") or "")
    visitor.page.mouse.move(5, 5)
    assert visitor.page.locator(".together").count() == 0
    card.first.hover()
    assert "together" in (option.get_attribute("class") or "")


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 390])
def test_the_names_of_columns_and_the_phase_are_not_cut_on_a_phone(width: int, place: Site, visitors: Visitors) -> None:
    """Also where a column has a golden edge, since something can be chosen in it. A long phase takes a second line."""
    match = place.prepared("battle", commands=91, seed="16")
    visitor = visitors.new(place, width=width, height=844)
    visitor.sit(match, place.mover(match))
    names = visitor.page.eval_on_selector_all(
        ".column-links a",
        "all => all.map((one) => [one.textContent, one.scrollHeight <= one.clientHeight, one.className])",
    )
    stand = visitor.page.eval_on_selector(".top > .stand", "one => one.scrollWidth <= one.clientWidth")

    assert ["Univermag Department Store", True] in [one[:2] for one in names]
    assert all(fits for _, fits, _ in names)
    assert any("open" in class_ for _, _, class_ in names)
    assert stand


@pytest.mark.long
@pytest.mark.parametrize("commands", [23, 27, 115, 325])
def test_cards_on_the_table_are_in_sight_above_the_hand(commands: int, place: Site, visitors: Visitors) -> None:
    """Those that were played in a Firefight, above a hand of two rows, too, and those that lie on Forces."""
    match = place.prepared("battle", commands=commands, seed="16")
    visitor = visitors.new(place, **DESK)
    visitor.sit(match, place.mover(match))
    strips = visitor.page.locator(".strips > .strip:not(.hand):has(small)")
    boxes = [one.bounding_box() for one in strips.all()]
    hand, bar = (
        visitor.page.locator(".strips > .hand").first.bounding_box(),
        visitor.page.locator(".way").bounding_box(),
    )
    assert hand is not None and bar is not None

    assert "cards on the table" in (strips.first.text_content() or "")
    assert boxes
    assert [one for one in boxes if one is None or one["y"] > hand["y"] or one["y"] + one["height"] > bar["y"]] == []
    assert commands > 27 or hand["y"] + hand["height"] <= bar["y"]
