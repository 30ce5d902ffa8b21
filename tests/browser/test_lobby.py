"""What scripts add to the pages around the matches: what a new match will be, and that somebody has come."""

import pytest

from tests.support.rows import each_row
from tests.support.site import Site
from tests.support.visitors import Visitors

RUNG = """
  window.rung = 0;
  document.addEventListener("taken", () => (window.rung += 1, sessionStorage.setItem("rung", "1")));
"""


def test_a_new_match_tells_what_it_will_be_as_it_is_changed(place: Site, visitors: Visitors) -> None:
    visitor = visitors.new(place)
    visitor.go("/new?game=inferno&against=friend")
    told = visitor.page.locator("[data-summary]")
    before = told.inner_text().split("\n")
    visitor.page.click("label[for=dice-seeded]")
    after = told.inner_text().split("\n")
    pictures = visitor.page.eval_on_selector_all(
        ".chosen-game img", "all => Promise.all(all.map(async (one) => (await one.decode(), one.naturalWidth > 0)))"
    )

    assert before[before.index("Against") + 1] == "A friend"
    assert "How bots play" not in before
    assert before[before.index("Dice") + 1] == "Sealed"
    assert after[after.index("Dice") + 1] == "From a number"
    assert pictures == [True] * 4


@each_row("asked", ["battle&against=bot", "inferno&against=friend", "advance"])
def test_all_of_a_new_match_is_in_sight_in_a_window_of_usual_size(asked: str, place: Site, visitors: Visitors) -> None:
    visitor = visitors.new(place, width=1400, height=900)
    visitor.go(f"/new?game={asked}")
    ends = visitor.page.eval_on_selector_all(
        ".new :is(button, summary)", "all => all.map((one) => one.getBoundingClientRect().bottom)"
    )

    assert max(ends) <= 900


def test_who_waits_is_told_that_the_seat_is_taken(place: Site, visitors: Visitors) -> None:
    host, guest = visitors.new(place, "host"), visitors.new(place, "guest")
    host.go("/new?game=battle&against=friend")
    host.follow("button:has-text('Play')")
    link = host.page.locator("[data-copy]").input_value()
    host.page.evaluate(RUNG)
    guest.page.goto(link)
    guest.follow("button.main")
    host.wait_for(".board")

    assert host.page.evaluate("sessionStorage.getItem('rung')") == "1"


def test_one_switch_lets_who_waits_be_told_and_the_browser_keeps_it(place: Site, visitors: Visitors) -> None:
    host = visitors.new(place, "host")
    host.go("/new?game=battle&against=friend")
    host.follow("button:has-text('Play')")
    switch = host.page.get_by_role("switch")
    before = switch.get_attribute("aria-checked")
    switch.click()
    host.page.reload()
    kept = switch.get_attribute("aria-checked")
    switch.click()

    assert [before, kept, switch.get_attribute("aria-checked")] == ["false", "true", "false"]
    assert switch.inner_text().startswith("Tell me when the seat is taken")


def test_a_host_calls_a_match_off_after_a_question_and_the_guest_reads_it(place: Site, visitors: Visitors) -> None:
    host, guest = visitors.new(place, "host"), visitors.new(place, "guest")
    host.go("/new?game=battle&against=friend")
    host.follow("button:has-text('Play')")
    link = host.page.locator("[data-copy]").input_value()
    is_asked = not host.page.locator("button:has-text('Call this match off')").is_visible()
    host.page.click("summary:has-text('Change or call off')")
    host.follow("button:has-text('Call this match off')")
    guest.page.goto(link)

    assert is_asked
    assert "Open another like it" in host.text("main")
    assert host.page.eval_on_selector(".asked a.button", "one => getComputedStyle(one).display") == "inline-flex"
    assert "This match does not take place" in guest.text("main")


@pytest.mark.long
def test_who_waits_reads_the_game_in_short(place: Site, visitors: Visitors) -> None:
    visitor = visitors.new(place, has_scripts=False)
    visitor.go("/new?game=battle&against=friend")
    visitor.follow("button:has-text('Play')")

    assert visitor.page.locator(".primer h3").all_inner_texts() == ["How it is won", "A turn", "Actions"]
    assert "Supply, Actions and Draw Cards" in visitor.text(".primer")
    assert not visitor.page.locator(".telling").is_visible()


@pytest.mark.long
def test_no_choice_of_a_new_match_is_cut_on_a_phone(place: Site, visitors: Visitors) -> None:
    visitor = visitors.new(place, width=390, height=844)
    visitor.go("/new?game=advance")
    cut = visitor.page.eval_on_selector_all(
        ".choice, .chosen-game a", "all => all.filter((one) => one.scrollHeight > one.clientHeight + 1).length"
    )

    assert cut == 0


@pytest.mark.long
def test_who_waits_sees_the_question_first_on_a_phone_and_who_is_invited_the_picture(
    place: Site, visitors: Visitors
) -> None:
    host, guest = (visitors.new(place, name, width=390, height=844) for name in ("host", "guest"))
    host.go("/new?game=inferno&against=friend")
    host.follow("button:has-text('Play')")
    guest.page.goto(host.page.locator("[data-copy]").first.input_value())
    tops = """order => order.map((one) => document.querySelector(one).getBoundingClientRect().top + scrollY)"""
    waiting = host.page.evaluate(tops, [".asked h1", ".thumb", ".primer"])
    invited = guest.page.evaluate(tops, [".thumb", ".asked h1", ".primer"])

    assert waiting == sorted(waiting)
    assert invited == sorted(invited)
    assert guest.page.locator("button.main").first.bounding_box()["y"] < 844  # type: ignore[index]


@pytest.mark.long
def test_the_result_of_a_match_in_the_lobby_is_one_line(place: Site, visitors: Visitors) -> None:
    place.prepared("battle")
    visitor = visitors.new(place)
    visitor.go("/")
    winner = visitor.page.locator(".of-over li .what b").first

    assert winner.evaluate("one => getComputedStyle(one).display") == "inline"


@pytest.mark.long
def test_what_is_chosen_stands_beside_the_button_of_a_new_match_on_a_phone(place: Site, visitors: Visitors) -> None:
    visitor = visitors.new(place, width=390, height=844)
    visitor.go("/new?game=battle&against=friend")
    visitor.page.click("label[for=dice-seeded]")

    assert visitor.text(".go p") == "A friend · German · From a number"
