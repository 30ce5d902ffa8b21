"""A notification of the system: one for each own turn while nobody looks, asked for by a click only, withdrawn by a look, and none when it is off."""

import pytest
from playwright.sync_api import Page

from core.games.battle.ids import GERMAN_SEAT as GERMAN
from core.games.battle.ids import RUSSIAN_SEAT as RUSSIAN
from events.ids import PUBLIC, MatchId
from tests.support.site import Site
from tests.support.visitors import Visitor, Visitors

SYSTEM = """
  window.told = []; window.withdrawn = 0; window.wishes = 0;
  window.Notification = class extends EventTarget {
    static permission = sessionStorage.getItem("leave") ?? "default";
    static async requestPermission() {
      window.wishes += 1;
      sessionStorage.setItem("leave", "ANSWER");
      return (Notification.permission = "ANSWER");
    }
    constructor(title) { super(); window.told.push(title); }
    close() { window.withdrawn += 1; }
  };
  Object.defineProperty(document, "hidden", { get: () => window.isAway ?? false });
"""
"""Stands for the system, which answers a wish for leave, and for a window at which nobody looks."""


def at_the_seat_that_waits(place: Site, visitors: Visitors, answer: str) -> tuple[Visitor, MatchId]:
    """Return a visitor whose seat does not decide."""
    match = place.open("battle", seed="3")
    place.advance(match, 30)
    visitor = visitors.new(place)
    visitor.page.add_init_script(SYSTEM.replace("ANSWER", answer))
    visitor.sit(match, GERMAN if place.mover(match) == RUSSIAN else RUSSIAN)
    return visitor, match


def pass_the_turn(place: Site, match: MatchId, page: Page) -> None:
    """Play until the other seat decides, and wait until the page shows it."""
    mover, was_own = place.mover(match), page.locator(".board.own").count() == 1
    while place.mover(match) == mover:
        place.advance(match, 1)
    page.wait_for_selector(".board:not(.own)" if was_own else ".board.own")


def test_a_turn_is_told_once_while_nobody_looks_and_off_means_off(place: Site, visitors: Visitors) -> None:
    visitor, match = at_the_seat_that_waits(place, visitors, "granted")
    page = visitor.page

    assert page.inner_text(".notify") == "Notification off"
    assert page.evaluate("window.wishes") == 0
    page.click(".notify")
    page.wait_for_selector(".notify[aria-pressed=true]")
    pass_the_turn(place, match, page)
    assert page.evaluate("window.told") == []
    pass_the_turn(place, match, page)
    page.evaluate("window.isAway = true")
    pass_the_turn(place, match, page)
    (title,) = page.evaluate("window.told")
    assert title.startswith("Your turn: ")
    page.evaluate("window.isAway = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.withdrawn") == 1
    page.click(".notify")
    page.wait_for_selector(".notify[aria-pressed=false]")
    page.evaluate("window.isAway = true")
    pass_the_turn(place, match, page)
    pass_the_turn(place, match, page)
    assert len(page.evaluate("window.told")) == 1
    assert page.evaluate("window.wishes") == 1


@pytest.mark.long
def test_who_may_not_be_told_has_no_switch(place: Site, visitors: Visitors) -> None:
    visitor, match = at_the_seat_that_waits(place, visitors, "denied")
    page = visitor.page
    page.click(".notify")
    page.wait_for_selector(".notify", state="hidden")
    page.reload()
    page.wait_for_selector(".notify", state="hidden")
    visitor.look(match, seat=PUBLIC)

    assert page.locator(".notify").count() == 0
    assert page.evaluate("window.told") == []
