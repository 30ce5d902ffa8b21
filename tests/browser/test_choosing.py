"""What a page adds to a choice: its chances, where a counter would stand, and that it is under way; the first option is in view on a phone."""

import re
from collections import Counter
from collections.abc import Iterator

import pytest
from playwright.sync_api import Route, ViewportSize

from core.games.advance.ids import GERMAN_SEAT as ATTACKER
from core.games.battle.ids import GERMAN_SEAT as GERMAN
from events.ids import MatchId
from tests.support.site import Site, site
from tests.support.visitors import Visitors

PHONE = ViewportSize(width=390, height=844)
SUPPLY, ACTIVATE, ACT, SUPPORT = 1, 13, 14, 18
"""After so many commands of bots in Advance: a purchase, the choice of an Area, moves, and the support of an attack."""
ACTIONS = 9
"""Likewise in Battle: Actions."""
LOSING = 90
"""Likewise in Axis & Allies: a loss of several units."""
LOW_PX = 44
"""How high a row of text with a button may be, in pixels."""
LINE_PX = 20
"""How high a line of text is at least, with the room around it, in pixels."""
BUYING, BUYING_ROWS = 48, 6
"""Likewise in Axis & Allies: the first purchase of the Allies, and more than so many rows of it."""
SENT = """async () => {
  for (const one of document.querySelectorAll("button.option")) one.click();
  await new Promise((resolve) => setTimeout(resolve, 50));
  return [...document.querySelectorAll("[data-sending]")].map((one) => ["b", ".sending"].map((part) => one.querySelector(part).textContent));
}"""
"""Clicks on all options one after the other, and returns the words of those that are under way."""


@pytest.fixture(scope="module")
def table() -> Iterator[tuple[Site, dict[int, MatchId], MatchId]]:
    """Matches of Advance at several moments, and one of Battle."""
    with site() as made:
        advance = {number: made.prepared("advance", commands=number) for number in (SUPPLY, ACTIVATE, ACT, SUPPORT)}
        yield made, advance, made.prepared("battle", commands=ACTIONS, seed="16")


def test_chances_come_by_themselves_a_moment_after_the_options(
    table: tuple[Site, dict[int, MatchId], MatchId], visitors: Visitors
) -> None:
    place, matches, _ = table
    visitor = visitors.new(place)
    visitor.sit(matches[SUPPORT], ATTACKER)
    visitor.wait_for(".option > .chance")
    told = visitor.page.locator(".option[data-option]:has(> .chance)").count()

    assert visitor.page.locator("form.whole + .mixes .option").count() == 2
    assert told == visitor.page.locator(".option[data-option]").count() > 1
    assert "%" in visitor.text(".ending .chance")
    assert visitor.page.locator(".weigh").count() == 0


def test_chances_that_were_still_counted_come_by_themselves_on_a_question(
    table: tuple[Site, dict[int, MatchId], MatchId], visitors: Visitors
) -> None:
    """The first page of the question is that of a server that has not counted them in time."""
    place, matches, _ = table
    visitor = visitors.new(place)
    visitor.sit(matches[SUPPORT], ATTACKER)
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        made = route.fetch()
        late = f'<p class="weigh late">Counting. <a href="{route.request.url}">Show them</a></p>'
        text = re.sub(r'<small class="stake">.*?</small>', "", made.text())
        text = re.sub(r'<div class="chances">.*</table>(<p class="other">.*?</p>)?</div>', late, text, flags=re.DOTALL)
        route.fulfill(response=made, body=text if len(asked) == 1 else made.text())

    visitor.page.route("**choose=**", answer)
    visitor.page.locator(".ending .option").click()
    visitor.wait_for(".weigh.late")
    visitor.wait_for(".choices .chances table")

    assert visitor.page.locator(".weigh.late").count() == 0
    assert "%" in visitor.text("button.main .stake")


def test_a_choice_under_way_says_so_and_is_not_sent_twice(
    table: tuple[Site, dict[int, MatchId], MatchId], visitors: Visitors
) -> None:
    place, matches, _ = table
    visitor = visitors.new(place)
    visitor.sit(matches[SUPPLY], ATTACKER)
    held: list[Route] = []
    visitor.page.route("**/play", lambda route: held.append(route))  # noqa: PLW0108 - It looks at what it is given.
    before, first = visitor.shown, visitor.text("button.option b")
    # All in one script, since the browser is on its way to another page.
    said = visitor.page.evaluate(SENT)
    visitor.wait_until(lambda: bool(held), "nothing is sent")

    assert said == [[first, "sent"]]
    for route in held:
        route.continue_()
    visitor.wait_until(lambda: visitor.page.locator(".where .no").count() == 1 and visitor.shown > before, "no answer")
    assert len(held) == 1
    assert visitor.page.locator("[data-sending]").count() == 0


@pytest.mark.long
def test_an_option_that_leads_to_a_page_says_that_it_is_coming(
    table: tuple[Site, dict[int, MatchId], MatchId], visitors: Visitors
) -> None:
    place, matches, _ = table
    visitor = visitors.new(place)
    visitor.sit(matches[SUPPORT], ATTACKER)
    held: list[Route] = []
    visitor.page.route("**choose=**", lambda route: held.append(route))  # noqa: PLW0108 - It looks at what it is given.
    link = visitor.page.locator("a.option").first
    link.click()
    visitor.wait_for("a.option > .sending")
    said = visitor.text("a.option > .sending")
    held[0].continue_()
    visitor.page.wait_for_selector("[data-sending]", state="detached")

    assert said == "coming"
    assert visitor.page.url.count("choose=") == 1


def test_a_counter_that_was_picked_up_is_shown_where_an_option_would_put_it(
    table: tuple[Site, dict[int, MatchId], MatchId], visitors: Visitors
) -> None:
    place, _, match = table
    visitor = visitors.new(place, width=1400, height=900)
    visitor.sit(match, GERMAN)
    visitor.click_on(visitor.page.locator(".sheet .lit.piece").last)
    visitor.wait_for(".sheet .piece[aria-current]")
    visitor.page.locator(".sheet .lit[data-plays]:not(.piece)").first.focus()
    place_of = "lit => lit.querySelector('.touch').getBoundingClientRect().toJSON()"
    frame = visitor.page.locator(".sheet .lit.together").first.evaluate(place_of)
    (ghost,) = visitor.page.eval_on_selector_all(
        ".ghost", "all => all.map((one) => one.getBoundingClientRect().toJSON())"
    )

    assert frame["left"] <= ghost["left"] < ghost["right"] <= frame["right"] + 1
    assert not visitor.page.locator(".ghost .s-bad").first.is_visible()
    assert frame["top"] < (ghost["top"] + ghost["bottom"]) / 2 < frame["bottom"]
    visitor.page.locator(".home").focus()
    assert visitor.page.locator(".ghost").count() == 0


@pytest.mark.long
@pytest.mark.parametrize("commands", [SUPPLY, ACTIVATE, ACT, SUPPORT])
def test_on_a_phone_the_first_option_is_in_view(
    table: tuple[Site, dict[int, MatchId], MatchId], visitors: Visitors, commands: int
) -> None:
    place, matches, _ = table
    visitor = visitors.new(place, str(commands), **PHONE)
    visitor.sit(matches[commands], ATTACKER)
    first = visitor.page.locator(".choices :is(.option, .mark)").first.bounding_box()
    bar = visitor.page.locator(".way").bounding_box()

    assert first is not None and bar is not None
    assert first["y"] + first["height"] <= bar["y"]


@pytest.mark.long
def test_what_is_chosen_is_one_row_on_a_phone_however_long_its_name(place: Site, visitors: Visitors) -> None:
    match = place.prepared("battle", commands=91, seed="16")
    visitor = visitors.new(place, width=360, height=740)
    visitor.sit(match, place.mover(match))
    lit = visitor.page.locator('.sheet a.lit[aria-label^="Red October Steel Factory (Russian Perimeter)"]')
    visitor.click_on(lit.first)
    visitor.wait_for(".narrowed .chip")
    wide = """() => [document.documentElement.scrollWidth <= innerWidth, document.querySelectorAll(".narrowed .chip").length]"""
    one = visitor.page.evaluate(wide)
    chip, every, row = (
        visitor.page.locator(f".narrowed{one}").first.bounding_box() for one in (" .chip", " .every", "")
    )
    cross = visitor.page.locator(".narrowed .chip span").nth(1).bounding_box()
    assert chip is not None and every is not None and row is not None and cross is not None

    assert row["height"] < 2 * 44
    assert every["y"] < chip["y"] + chip["height"]
    assert cross["x"] + cross["width"] <= chip["x"] + chip["width"]
    visitor.page.locator("a.option.fold").first.click()
    visitor.wait_until(lambda: visitor.page.locator(".narrowed .chip").count() == 2, "nothing more is chosen")
    assert (one, visitor.page.evaluate(wide)) == ([True, 1], [True, 2])
    # A stack of three units with its hex and its kind of action is five things.
    visitor.page.evaluate(
        "() => { for (let n = 0; n < 3; n++) { const row = document.querySelector('.narrowed'); row.prepend(row.firstChild.cloneNode(true)); } }"
    )
    widths = visitor.page.eval_on_selector_all(".narrowed .chip", "all => all.map((one) => one.offsetWidth)")
    shown = visitor.page.locator(".narrowed .every").bounding_box()
    assert shown is not None

    assert visitor.page.evaluate(wide) == [True, 5]
    assert min(widths) >= 92, "each can still be told from the others"
    assert shown["x"] + shown["width"] <= 360


@pytest.mark.long
def test_what_can_be_chosen_instead_looks_as_before(place: Site, visitors: Visitors) -> None:
    """A click on it is possible wherever it lies, and nothing is drawn over it."""
    match = place.prepared("inferno", mode="one_vs_one", commands=10, seed="43")
    visitor = visitors.new(place)
    visitor.sit(match, place.mover(match))
    visitor.click_on(visitor.page.locator(".sheet a.lit.piece").first)
    visitor.wait_for(".sheet a.instead.piece")
    drawn = visitor.page.evaluate(
        """() => [...document.querySelectorAll(".sheet a.instead.piece use")].map((one) => {
          const [rect] = document.querySelector(one.getAttribute("href")).children;
          return [getComputedStyle(rect).fillOpacity, getComputedStyle(rect).stroke];
        })"""
    )

    assert drawn
    assert {tuple(one) for one in drawn} == {("0", "none")}


@pytest.mark.long
def test_a_piece_with_a_long_name_is_a_low_row_on_a_phone(place: Site, visitors: Visitors) -> None:
    """In *Inferno on the Volga* a unit and its hex have long names; the number of the hex is enough."""
    match = place.prepared("inferno", mode="one_vs_one", commands=10, seed="43")
    visitor = visitors.new(place, width=390, height=844)
    visitor.sit(match, place.mover(match))
    visitor.page.locator("a.option.kind").first.click()
    visitor.wait_for("a.option.fold")
    rows = visitor.page.evaluate(
        """() => [...document.querySelectorAll("a.option.fold:not(:has(.remark))")].map((one) => one.offsetHeight)"""
    )

    # Only the longest names have two lines still.
    assert len(rows) > 5
    assert sum(row <= 44 for row in rows) > len(rows) / 2
    assert max(rows) <= 48


@pytest.mark.long
def test_what_is_played_several_times_has_room_beside_its_number_on_a_phone(
    table: tuple[Site, dict[int, MatchId], MatchId], visitors: Visitors
) -> None:
    place, matches, _ = table
    visitor = visitors.new(place, width=390, height=844)
    visitor.sit(matches[SUPPLY], ATTACKER)
    option, stepper = (visitor.page.locator(f".many {one}").first.bounding_box() for one in (".option", ".stepper"))
    assert option is not None and stepper is not None

    assert option["width"] > stepper["width"]
    assert stepper["height"] >= 44


@pytest.mark.long
@pytest.mark.parametrize("width", [1400, 390])
def test_the_button_that_takes_back_is_low(width: int, place: Site, visitors: Visitors) -> None:
    """It stands in the row of who decides, and stays while something is chosen; on a phone a finger has more room than the row takes."""
    match = place.prepared("axis_allies", commands=1)
    visitor = visitors.new(place, width=width, height=844)
    visitor.sit(match, place.mover(match))
    back, who, row = (visitor.page.locator(one).bounding_box() for one in (".take-back button", ".head .who", ".head"))
    assert back is not None and who is not None and row is not None

    assert abs(back["y"] + back["height"] / 2 - who["y"] - who["height"] / 2) < LINE_PX / 2
    assert row["height"] <= LOW_PX

    visitor.click_on(visitor.page.locator(".sheet .lit").first)
    visitor.page.locator(".narrowed").wait_for()
    assert visitor.page.locator(".take-back button").is_visible()


@pytest.mark.long
def test_all_that_can_be_bought_is_in_sight_on_a_desktop(place: Site, visitors: Visitors) -> None:
    """The first purchase of a match, with the choice of a place open and its numbers beside it."""
    match = place.prepared("axis_allies", commands=BUYING)
    visitor = visitors.new(place, width=1400, height=900)
    visitor.sit(match, place.mover(match))
    rows, ending = visitor.page.locator(".choices .option:not(.ending *)"), visitor.page.locator(".ending .option")
    last, end = rows.last.bounding_box(), ending.bounding_box()
    assert last is not None and end is not None

    assert "What to buy" in visitor.text(".question h1")
    assert rows.count() > BUYING_ROWS
    assert last["y"] + last["height"] <= end["y"]
    assert visitor.text(".opened .shared") == "3 RPCs"

    visitor.page.locator(".told summary").click()
    assert visitor.page.locator(".told li").count() > len(("losses", "production"))


def test_a_click_on_a_counter_marks_it_in_the_form_and_the_counter_shows_how_often(
    place: Site, visitors: Visitors
) -> None:
    match = place.prepared("axis_allies", commands=LOSING)
    visitor = visitors.new(place, width=1400, height=900)
    visitor.sit(match, place.mover(match))
    last = place.last(match, place.mover(match))
    numbers = ", ".join(f"input[min='0'][max='{most}']" for most in (2, 3, 4))
    row = visitor.page.locator(f".mark[data-option]:has({numbers})").first
    counter = visitor.page.locator(f".sheet .lit.piece[data-option='{row.get_attribute('data-option')}']")
    shown = visitor.page.locator(".sheet .marked-sign text")
    beforehand, signs = Counter(shown.all_text_contents()), []
    for _ in range(2):
        visitor.click_on(counter)
        more = Counter(shown.all_text_contents()) - beforehand
        signs.append((row.locator("input").input_value(), "".join(more)))
    row.locator("button[data-by='-1']").click()
    row.locator("button[data-by='-1']").click()

    assert signs == [("1", "✓"), ("2", "×2")]
    assert Counter(shown.all_text_contents()) == beforehand
    assert place.last(match, place.mover(match)) == last, "nothing is played before it is sent"


@pytest.mark.long
def test_what_ends_a_step_is_in_sight_below_a_form_of_items(
    table: tuple[Site, dict[int, MatchId], MatchId], visitors: Visitors
) -> None:
    place, matches, _ = table
    visitor = visitors.new(place, width=1400, height=900)
    visitor.sit(matches[SUPPORT], ATTACKER)
    visitor.wait_for(".ending .chance")
    send, ending, question = (
        visitor.page.locator(one).bounding_box() for one in (".send button", ".ending .option", ".question")
    )
    assert send is not None and ending is not None and question is not None

    assert send["y"] + send["height"] <= ending["y"]
    assert ending["y"] + ending["height"] <= question["y"] + question["height"]


@pytest.mark.long
def test_on_a_phone_two_rows_of_items_are_in_sight_above_their_button(
    table: tuple[Site, dict[int, MatchId], MatchId], visitors: Visitors
) -> None:
    """Support of an attack, with the values of both sides above the map."""
    place, matches, _ = table
    visitor = visitors.new(place, **PHONE)
    visitor.sit(matches[SUPPORT], ATTACKER)
    rows = visitor.page.locator(".whole .mark")
    second, send, button = (
        one.bounding_box()
        for one in (
            rows.nth(1).locator("input"),
            visitor.page.locator(".send"),
            visitor.page.locator(".send button").first,
        )
    )
    assert second is not None and send is not None and button is not None

    assert rows.count() > 1
    assert second["y"] + second["height"] <= send["y"]
    assert button["y"] - send["y"] < LINE_PX, "nothing else takes the room of a row"
    assert visitor.page.locator(".counted[role=status]").count() == 1
