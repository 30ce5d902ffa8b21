"""How a game is played opens beside the table with ?, is searched there, and closes with Esc; the table stays as it was."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from core.games.battle.ids import GERMAN_SEAT as GERMAN
from events.ids import MatchId
from tests.support.site import Site, site
from tests.support.soak import few
from tests.support.visitors import Visitors

PLAYED = 30


@pytest.fixture(scope="module")
def evening(browser: Browser) -> Iterator[tuple[Site, MatchId]]:
    with site() as made:
        match = made.open("battle", seed="3")
        made.advance(match, PLAYED)
        while made.mover(match) != GERMAN:
            made.advance(match, 1)
        yield made, match


@pytest.mark.parametrize("width", few([1280, 390]))
def test_help_opens_is_searched_and_closes(evening: tuple[Site, MatchId], visitors: Visitors, width: int) -> None:
    place, match = evening
    visitor = visitors.new(place, width=width, height=844)
    page = visitor.page
    visitor.sit(match, GERMAN)
    before = visitor.address
    page.keyboard.press("?")
    page.wait_for_selector(".drawer .now")

    assert page.locator(".drawer").get_attribute("aria-label") == "How to play"
    assert page.evaluate("document.querySelector('main').inert") == (width < 820)
    page.locator(".drawer [type=search]").fill("retreat once")
    page.keyboard.press("Enter")
    page.wait_for_selector(".drawer .found")

    assert "retreat.once" in visitor.text(".drawer .found")
    assert page.evaluate("document.activeElement.type") == "search"
    page.keyboard.press("Escape")

    assert page.locator(".drawer").count() == 0
    assert page.evaluate("document.querySelector('main').inert") is False
    assert page.evaluate("document.activeElement.matches('[data-help], body, main *')") is True
    assert visitor.address == before


@pytest.mark.long
def test_the_button_does_the_same_and_without_scripts_leads_to_the_page(
    evening: tuple[Site, MatchId], visitors: Visitors
) -> None:
    place, match = evening
    visitor = visitors.new(place)
    visitor.look(match)
    visitor.page.click("[data-help]")
    visitor.page.wait_for_selector(".drawer .turn")
    visitor.page.click(".drawer .back")

    assert visitor.page.locator(".drawer").count() == 0
    plain = visitors.new(place, "plain", has_scripts=False)
    plain.look(match)
    plain.follow("[data-help]")

    assert plain.text("h1").startswith("←")
    plain.page.fill("#rules", "retreat once")
    plain.follow(".search button")

    assert "retreat.once" in plain.text(".found")
    plain.follow(".back")

    assert plain.address.endswith(f"/m/{match}")


def test_keys_in_the_drawer_are_not_keys_of_the_table(evening: tuple[Site, MatchId], visitors: Visitors) -> None:
    place, match = evening
    visitor = visitors.new(place)
    visitor.look(match)
    shown = visitor.shown
    visitor.page.keyboard.press("?")
    visitor.page.wait_for_selector(".drawer .turn")
    visitor.page.keyboard.press("ArrowLeft")
    visitor.page.wait_for_timeout(200)

    assert visitor.shown == shown


@pytest.mark.long
def test_each_part_of_a_turn_is_a_row_on_a_phone_and_every_line_begins_with_its_words(
    place: Site, visitors: Visitors
) -> None:
    visitor = visitors.new(place, width=390, height=844)
    visitor.go("/learn/inferno")
    parts = visitor.page.eval_on_selector_all(
        ".turn > li", "all => all.map((one) => [one, ...one.children].map((part) => part.getBoundingClientRect().left))"
    )
    lefts = visitor.page.evaluate("""() => {
      const line = document.querySelector("td summary"), words = document.createRange();
      words.selectNodeContents(line.firstChild);
      return [line.getBoundingClientRect().left, words.getClientRects()[0].left];
    }""")

    assert len({tuple(part) for part in parts}) == 1 < len(parts)
    assert parts[0][2] > parts[0][1] + 90
    assert abs(lefts[0] - lefts[1]) < 1


# Where help begins after each of its links and after a search, and where its heading, which stays in sight, ends.
ARRIVED = """() => {
  const top = (one) => Math.round(document.querySelector(one).getBoundingClientRect().top);
  const heading = Math.round(document.querySelector(".drawer header").getBoundingClientRect().bottom);
  const drawer = document.querySelector(".drawer");
  const found = [];
  for (const link of drawer.querySelectorAll(".parts a")) {
    drawer.scrollTop = drawer.scrollHeight;
    link.click();
    found.push([link.getAttribute("href"), top(link.getAttribute("href")), heading]);
  }
  return found;
}"""


@pytest.mark.long
@pytest.mark.parametrize("width", [1280, 390])
def test_what_one_arrives_at_in_help_lies_below_its_heading(
    evening: tuple[Site, MatchId], visitors: Visitors, width: int
) -> None:
    place, match = evening
    visitor = visitors.new(place, width=width, height=844)
    page = visitor.page
    visitor.sit(match, GERMAN)
    page.keyboard.press("?")
    page.wait_for_selector(".drawer .turn")
    page.locator(".drawer [type=search]").fill("retreat once")
    page.keyboard.press("Enter")
    page.wait_for_selector(".drawer .found")
    field, heading = page.evaluate(
        "['[type=search]', 'header'].map((one) => document.querySelector(`.drawer ${one}`).getBoundingClientRect())"
        ".map((one, at) => at ? one.bottom : one.top)"
    )
    arrived = page.evaluate(ARRIVED)

    assert field > heading
    assert [one for one in arrived if one[1] <= one[2]] == []
    assert len(arrived) >= 5


@pytest.mark.long
def test_help_names_the_letters_of_kinds_and_calls_fingers_by_their_name(place: Site, visitors: Visitors) -> None:
    visitor = visitors.new(place)
    visitor.go("/learn/battle")

    assert "A–Z" in visitor.text(".keys .typed")
    assert visitor.page.locator(".parts .typed").is_visible()
    assert not visitor.page.locator(".parts .touched").is_visible()
