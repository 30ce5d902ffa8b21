"""Motion and sound on the page of a match: what changed moves at most 600 ms, nothing moves for who wants none, and no sound is made unless it is turned on."""

import pytest
from playwright.sync_api import Page

from core.games.battle.ids import GERMAN_SEAT as GERMAN
from core.games.battle.ids import RUSSIAN_SEAT as RUSSIAN
from tests.support.site import Site
from tests.support.visitors import Visitors

LISTENING = """
  window.heard = 0;
  window.AudioContext = new Proxy(window.AudioContext, { construct(made, given) { window.contexts = (window.contexts ?? 0) + 1; return new made(...given); } });
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...given) { window.heard += 1; return start.apply(this, given); };
"""
"""Counts the tones that a page begins."""
WHOLE_MS = 600


def heard(page: Page) -> int:
    return int(page.evaluate("window.heard"))


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_new_sentences_fade_in_or_have_a_red_edge_for_a_while(place: Site, visitors: Visitors, motion: str) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 30)
    visitor = visitors.new(place)
    visitor.page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    visitor.look(match)
    visitor.page.evaluate(
        """() => document.addEventListener("shown", () => {
          window.ends = document.getAnimations().map((one) => one.effect.getComputedTiming().endTime);
          window.fresh = document.querySelectorAll("[data-fresh]").length;
        })"""
    )
    place.advance(match, 1)
    visitor.wait_until(lambda: visitor.page.evaluate("window.ends !== undefined"), "no news")
    ends, fresh = visitor.page.evaluate("[window.ends, window.fresh]")

    if motion == "reduce":
        assert ends == []
        assert fresh > 0
        visitor.page.wait_for_selector("[data-fresh]", state="detached")
    else:
        assert ends and max(ends) <= WHOLE_MS
        assert fresh == 0


def test_a_moved_counter_glides_from_its_place_and_a_click_ends_that(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 24)
    visitor = visitors.new(place)
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.look(match)
    page = visitor.page
    page.evaluate(
        """() => {
          window.glides = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (frames, given) {
            if (this.matches(".counter")) window.glides += 1;
            return animate.call(this, frames, { ...given, duration: 60_000 });
          };
        }"""
    )
    for _ in range(60):
        place.advance(match, 1)
        visitor.wait_until_shown(place.last(match))
        if page.evaluate("window.glides"):
            break

    assert page.evaluate("window.glides") > 0
    assert page.locator(".sheet [data-by] .counter[data-new]").count() > 0
    page.mouse.click(3, 3)
    visitor.wait_until(lambda: page.evaluate("document.getAnimations().length === 0"), "the motion goes on")


@pytest.mark.long
def test_stepping_back_and_stepping_with_a_key_held_show_no_motion(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 30)
    visitor = visitors.new(place)
    visitor.page.emulate_media(reduced_motion="no-preference")
    visitor.look(match)
    page = visitor.page
    page.evaluate(
        """() => {
          window.begun = 0;
          const animate = Element.prototype.animate;
          Element.prototype.animate = function (...given) { window.begun += 1; return animate.apply(this, given); };
        }"""
    )
    moments = [visitor.shown]
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
        visitor.wait_until(lambda: visitor.shown < moments[-1], "no step back")
        moments.append(visitor.shown)
    back = page.evaluate("window.begun")
    page.keyboard.down("ArrowRight")
    visitor.wait_until_shown(moments[1])
    page.evaluate("window.begun = 0")
    page.keyboard.down("ArrowRight")
    visitor.wait_until_shown(moments[0])

    assert back == 0
    assert page.evaluate("window.begun") == 0


def test_off_means_off_and_on_means_a_knock_for_a_card_and_two_for_your_turn(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 30)
    mover = place.mover(match)
    other = GERMAN if mover == RUSSIAN else RUSSIAN
    visitor = visitors.new(place)
    visitor.page.add_init_script(LISTENING)
    visitor.sit(match, other)
    page = visitor.page

    assert page.inner_text(".sound") == "Sound off"
    assert page.get_attribute(".sound", "aria-pressed") == "false"
    while place.mover(match) == mover:
        place.advance(match, 1)
    page.wait_for_selector(".board.own")
    assert (heard(page), page.evaluate("window.contexts")) == (0, None)
    page.click(".sound")
    assert page.inner_text(".sound") == "Sound on"
    assert heard(page) == 1
    while place.mover(match) == other:
        place.advance(match, 1)
    page.wait_for_selector(".board:not(.own)")
    silent = heard(page)
    while place.mover(match) == mover:
        place.advance(match, 1)
    page.wait_for_selector(".board.own")
    visitor.wait_until(lambda: heard(page) >= silent + 2, "nobody knocks")
    page.reload()
    assert page.inner_text(".sound") == "Sound on"
    page.click(".sound")
    assert page.inner_text(".sound") == "Sound off"
    assert heard(page) == 0
