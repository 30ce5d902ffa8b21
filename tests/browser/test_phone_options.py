"""On a phone the options have room: four of them at least, or all if there are fewer, are wholly in sight, whatever else stands there."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import ViewportSize

from tests.support.site import Site, site
from tests.support.soak import sampled
from tests.support.visitors import Visitor, Visitors

PHONES = (ViewportSize(width=360, height=740), ViewportSize(width=390, height=844))
IN_SIGHT_MIN = 4
MOMENTS = {
    "advance": ("", "1", (13, 14, 18, 60)),
    "battle": ("", "16", (9, 91)),
    "inferno": ("one_vs_one", "43", (10, 90, 160)),
    "axis_allies": ("", "1", (1, 4, 39, 48, 70)),
}
"""By game the mode, the seed, and after so many commands of bots: choices of a place, a purchase, moves, losses and support, with and without what has just happened.

At budget 1 the last moment of each game is looked at.
"""
IN_SIGHT = """() => {
  const isFixed = (one) => getComputedStyle(one).position === "sticky";
  const shown = [...document.querySelectorAll(".choices :is(.option, .mark)")].filter((one) => one.checkVisibility() && !one.closest(".ending, .singly"));
  const fixed = [...document.querySelectorAll(".way, .ending, .send")].filter((one) => isFixed(one) && one.checkVisibility());
  const limit = Math.min(innerHeight, ...fixed.map((one) => one.getBoundingClientRect().top));
  const boxes = shown.map((one) => one.getBoundingClientRect());
  return [shown.length, boxes.filter((box) => box.top >= 0 && box.bottom <= limit + 0.5).length];
}"""
"""Returns how many options and items to be marked a page has but for what ends the step, and how many are wholly in sight above what is fixed."""

IS_END_HIDDEN = """() => {
  const end = document.querySelector(".ending")?.getBoundingClientRect();
  return Boolean(end) && !document.querySelector(".send") && end.bottom > document.querySelector(".way").getBoundingClientRect().top + 0.5;
}"""
"""Returns whether what ends the step lies under the steps through the match; a form in which items are marked has its own button there."""


BELOW = """() => {
  const said = document.querySelector(".below:not([hidden])");
  const bar = Math.min(...[...document.querySelectorAll(".way, .ending")].map((one) => one.getBoundingClientRect().top));
  const options = [...document.querySelectorAll(".choices .option:not(.ending *)")].map((one) => one.getBoundingClientRect());
  const under = options.filter(({ top, bottom }) => (top + bottom) / 2 > bar).length;
  return [said?.textContent ?? "", said ? Math.abs(said.getBoundingClientRect().top - bar) < 1 : true, under];
}"""
"""Returns what the page says of options that lie below, whether that stands at the upper edge of what is pinned, and how many lie below that or under it."""


@pytest.fixture(scope="module")
def place() -> Iterator[Site]:
    with site() as made:
        yield made


@pytest.mark.parametrize("game", sampled(MOMENTS, lambda game: game in ("battle", "inferno")))
def test_at_least_four_options_are_in_sight_on_a_phone(
    game: str, place: Site, visitors: Visitors, budget: float
) -> None:
    """Each moment is a page of its own, a second each: the rows differ in height, and so does what stands above them."""
    mode, seed, moments = MOMENTS[game]
    too_few, hidden = [], []

    def look(visitor: Visitor, commands: int) -> None:
        for phone in PHONES:
            visitor.page.set_viewport_size(phone)
            shown, seen = visitor.page.evaluate(IN_SIGHT)
            assert shown
            too_few.extend([(commands, phone["width"], shown, seen)] if seen < min(shown, IN_SIGHT_MIN) else [])
            hidden.extend([commands] if visitor.page.evaluate(IS_END_HIDDEN) else [])

    for commands in moments if budget > 1 else moments[-1:]:
        match = place.prepared(game, mode=mode, seed=seed, commands=commands)
        visitor = visitors.new(place, f"{game} {commands}", **PHONES[-1])
        visitor.sit(match, place.mover(match))
        look(visitor, commands)
        narrowing = visitor.page.locator("a.option:is(.kind, .fold):not([aria-current])").first
        for chips in (1, 2):
            if narrowing.count():
                narrowing.click()
                visitor.wait_for(f".narrowed .chip:nth-of-type({chips})")
                look(visitor, commands)
        visitor.context.close()

    assert too_few == []
    assert hidden == []


def test_what_is_pinned_says_how_many_options_lie_under_it_or_below(place: Site, visitors: Visitors) -> None:
    """An option lay wholly under what ends the step, so that the one above it looked like the last."""
    match = place.prepared("inferno", mode="one_vs_one", seed="43", commands=160)
    visitor = visitors.new(place, **PHONES[-1])
    visitor.sit(match, place.mover(match))
    page, seen = visitor.page, []
    for phone, about in ((PHONES[1], "hasty-attack"), (PHONES[0], "hasty-attack"), (PHONES[1], "")):
        page.set_viewport_size(phone)
        page.goto(f"{page.url.partition('&')[0]}&about=command:{about}" if about else page.url.partition("&")[0])
        seen.append(page.evaluate(BELOW))
    page.goto(f"{page.url}&about=command:hasty-attack")
    visitor.wait_until(lambda: page.evaluate(BELOW)[0].endswith(" more below"), "nothing says that there is more")
    page.locator(".choices .option:not(.ending *)").last.evaluate("one => one.scrollIntoView({ block: 'nearest' })")
    visitor.wait_until(lambda: page.evaluate(BELOW) == ["", True, 0], "the last option stays under what is pinned")

    assert [said for said, *_ in seen] == [f"{under} more below" if under else "" for *_, under in seen]
    assert [under > 0 for *_, under in seen] == [True, True, False]
    assert all(is_at_edge for _, is_at_edge, _ in seen)


@pytest.mark.long
def test_options_tell_their_keys_only_where_there_may_be_a_keyboard(place: Site, visitors: Visitors) -> None:
    match = place.prepared("axis_allies", commands=60, seed="1")
    shown = []
    for has_touch in (False, True):
        visitor = visitors.new(place, f"touch {has_touch}", **PHONES[-1], has_touch=has_touch)
        visitor.sit(match, place.mover(match))
        shown.append(visitor.page.locator(".option > kbd:visible").count())

    assert shown[0]
    assert not shown[1]
