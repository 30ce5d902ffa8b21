"""A reader steps through a match with keys and links, looks back while it goes on, and asks why."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import APIResponse, Browser, Route

from core.games.battle.ids import GERMAN_SEAT as GERMAN
from core.games.battle.ids import RUSSIAN_SEAT as RUSSIAN
from events.ids import MatchId, Seat
from server.web.http.addresses import at_match
from tests.support.site import Site, site
from tests.support.soak import few
from tests.support.visitors import Visitor, Visitors

PLAYED = 30


@pytest.fixture(scope="module")
def evening(browser: Browser) -> Iterator[tuple[Site, MatchId]]:
    with site() as made:
        match = made.open("battle", seed="3")
        made.advance(match, PLAYED)
        yield made, match


class Reader:
    """A visitor who reads a match."""

    def __init__(self, visitor: Visitor, match: MatchId) -> None:
        self.visitor = visitor
        self.match = match
        self.page = visitor.page
        self.last = visitor.site.last(match)

    def loads_around(self, number: int) -> None:
        """Wait until the moments beside one are there."""
        around = [at for at in (number - 1, number + 1) if 1 <= at <= self.last]
        self.visitor.wait_until_loaded(*(at_match(self.match, at) for at in around))

    def press(self, key: str, number: int) -> None:
        """Press a key, and wait for the moment to which it leads."""
        self.page.keyboard.press(key)
        self.visitor.wait_until_shown(number)

    @property
    def sentence(self) -> str:
        """The chosen sentence."""
        return self.visitor.text("#now .said")


@pytest.fixture
def reader(evening: tuple[Site, MatchId], visitors: Visitors) -> Reader:
    made, match = evening
    found = Reader(visitors.new(made), match)
    found.visitor.look(match)
    return found


def test_a_step_by_key_asks_for_nothing_that_is_not_there_already(reader: Reader) -> None:
    last, ask = reader.last, reader.visitor.asked
    for key, numbers in (("ArrowLeft", range(last - 1, last - 5, -1)), ("ArrowRight", range(last - 3, last))):
        for number in numbers:
            before = number + 1 if key == "ArrowLeft" else number - 1
            reader.loads_around(before)
            asked = ask.count(f"{reader.visitor.site.address}{at_match(reader.match, number)}")
            reader.press(key, number)

            assert asked == 1
            assert ask.count(f"{reader.visitor.site.address}{at_match(reader.match, number)}") == 1
            assert reader.visitor.address.endswith(f"@{number}#now")


def test_a_step_shows_the_whole_moment_as_a_page_of_its_own_does(reader: Reader) -> None:
    other = reader.visitor.context.new_page()
    number = reader.last - 3
    for at in (number + 2, number + 1, number):
        reader.press("ArrowLeft", at)
    other.goto(at_match(reader.match, number))
    parts = (".top", ".question", ".seen", ".log", ".way")

    assert [reader.page.inner_html(part) for part in parts] == [other.inner_html(part) for part in parts]
    assert reader.page.title() == other.title()


@pytest.mark.parametrize(
    ("key", "step"), few([("Shift+ArrowLeft", "commit"), ("Alt+ArrowLeft", "decision"), ("Control+ArrowLeft", "round")])
)
def test_keys_step_by_more_than_an_event(reader: Reader, key: str, step: str) -> None:
    address = reader.page.get_attribute(f"a[data-step=back-{step}]", "href")
    assert address is not None
    number = int(address.partition("@")[2].partition("#")[0])
    reader.press(key, number)

    assert reader.visitor.shown == number < reader.last
    assert reader.visitor.address.endswith(address)


def spot(reader: Reader, number: int) -> tuple[float, float]:
    """Return where an event lies on the line of the moments."""
    found = reader.page.evaluate(
        """([number, last]) => {
          const line = document.querySelector(".way > .line");
          const track = line.querySelector(".track").getBoundingClientRect();
          return [track.x + (track.width * number) / last, track.y + track.height / 2];
        }""",
        [number, reader.last],
    )
    return float(found[0]), float(found[1])


@pytest.mark.parametrize("width", few([390, 1280]))
def test_a_press_on_the_line_leads_to_the_moment_there_and_a_drag_to_where_it_ends(reader: Reader, width: int) -> None:
    page, middle, early = reader.page, reader.last // 2, reader.last // 4
    page.set_viewport_size({"width": width, "height": 800})
    page.mouse.click(*spot(reader, middle))
    page.wait_for_url(f"**@{middle}#now")
    reader.visitor.wait_for("a[id=present]")

    assert reader.visitor.shown == middle
    assert reader.visitor.text(".state").startswith(f"Back at {middle} ")
    page.mouse.move(*spot(reader, middle))
    page.mouse.down()
    page.mouse.move(*spot(reader, early), steps=5)
    assert reader.visitor.shown == early
    assert reader.visitor.address.endswith(f"@{middle}#now")
    page.mouse.up()
    page.wait_for_url(f"**@{early}#now")
    page.mouse.move(*spot(reader, early))
    page.mouse.down()
    page.mouse.move(5_000, 5)
    page.mouse.up()
    reader.visitor.wait_until(lambda: reader.visitor.text(".state") == "Live", "the end is not the present")
    assert reader.visitor.shown == reader.last


@pytest.mark.long
def test_the_line_is_a_slider_for_who_cannot_see_it(reader: Reader) -> None:
    line = reader.page.get_by_role("slider", name="Moment")
    line.focus()
    reader.press("ArrowLeft", reader.last - 1)
    reader.visitor.wait_until(
        lambda: line.get_attribute("aria-valuenow") == str(reader.last - 1), "the slider does not follow"
    )

    assert reader.page.evaluate("document.activeElement.getAttribute('role')") == "slider"
    assert (line.get_attribute("aria-valuetext") or "").startswith(f"event {reader.last - 1}, ")
    reader.press("Home", 1)
    reader.press("End", reader.last)


def test_a_click_on_a_sentence_leads_to_its_moment_and_back_again_where_one_was(reader: Reader) -> None:
    line = reader.page.locator(".log .line").nth(-4)
    words, address = line.locator(".said").inner_text(), line.get_attribute("href")
    line.click()
    reader.page.wait_for_url(f"**{address}")
    reader.visitor.wait_for("#now")
    moment = reader.visitor.shown

    assert reader.sentence == " ".join(words.split())
    reader.page.go_back()
    reader.visitor.wait_until_shown(reader.last)
    reader.page.go_forward()
    reader.visitor.wait_until_shown(moment)


@pytest.mark.long
def test_the_end_key_leads_to_the_present(reader: Reader) -> None:
    reader.press("ArrowLeft", reader.last - 1)
    assert reader.visitor.text(".state").startswith("Back at")
    reader.press("End", reader.last)

    assert reader.visitor.text(".state") == "Live"


def test_the_explanation_is_opened_and_closed_by_a_key_and_by_a_click(reader: Reader) -> None:
    reader.page.keyboard.press("w")
    reader.page.wait_for_selector("#why")

    assert reader.page.locator("#why .rule").count() >= 1
    reader.page.keyboard.press("w")
    reader.page.wait_for_selector("#why", state="detached")
    reader.page.click(".log .ask")
    reader.page.wait_for_selector("#why")
    reader.page.click(".log .ask")
    reader.page.wait_for_selector("#why", state="detached")


def test_who_looks_back_stays_there_and_sees_how_many_events_are_newer(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 10)
    visitor = visitors.new(place)
    visitor.look(match)
    before = place.last(match)
    visitor.page.keyboard.press("ArrowLeft")
    visitor.wait_until_shown(before - 1)
    place.advance(match, 3)
    newer = place.last(match) - before + 1
    visitor.wait_until(lambda: visitor.text("#newer") == str(newer), "the news are not told")

    assert visitor.shown == before - 1
    visitor.page.click(".state a")
    visitor.wait_until_shown(place.last(match))
    assert visitor.text(".state") == "Live"


@pytest.mark.long
def test_who_comes_back_to_the_present_while_it_goes_on_sees_the_newest_event(place: Site, visitors: Visitors) -> None:
    """The page of the present is under way when the next event is told."""
    match = place.open("battle", seed="3")
    place.advance(match, 10)
    visitor = visitors.new(place)
    visitor.look(match)
    before = place.last(match)
    held: list[tuple[Route, APIResponse]] = []

    def hold_the_first(route: Route) -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    # A step back asks for the present too, as the next moment, if there is time before "End" does.
    visitor.page.route(f"**{at_match(match)}", hold_the_first)
    visitor.page.keyboard.press("ArrowLeft")
    visitor.wait_until_shown(before - 1)
    visitor.page.keyboard.press("End")
    visitor.wait_until(lambda: bool(held), "the present is not asked for")
    place.advance(match, 1)
    newer = str(place.last(match) - before + 1)
    visitor.wait_until(lambda: visitor.text("#newer") == newer, "the news are not told")
    route, old = held[0]
    route.fulfill(response=old)
    visitor.wait_until_shown(place.last(match))

    assert visitor.text(".state") == "Live"


@pytest.mark.long
def test_at_the_beginning_of_a_turn_the_log_is_read_from_what_the_others_have_done(
    place: Site, visitors: Visitors
) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 12)

    def turn() -> Seat:
        return Seat(str(place.owner.state(match).table.turn))

    for side in (turn(), other := (GERMAN if turn() == RUSSIAN else RUSSIAN)):
        while turn() == side:
            place.advance(match, 1)
    seat = turn()
    visitor = visitors.new(place)
    visitor.sit(match, seat)
    rows, log = visitor.page.locator(".log li"), visitor.page.locator(".log").bounding_box()
    first, last = visitor.page.locator(".log li.unread").bounding_box(), rows.last.bounding_box()
    number = int(visitor.text(".log li.unread .no").partition("-")[0])
    assert log is not None and first is not None and last is not None

    assert seat != other
    assert place.owner.state(match, seat, at=number).table.turn == str(other)
    assert log["y"] <= first["y"] < log["y"] + 60
    assert last["y"] > log["y"] + log["height"], "the log has more sentences than there is room for"
    place.advance(match, 1)
    visitor.wait_until_shown(place.last(match, seat))
    now = visitor.page.locator("#now").bounding_box()
    assert visitor.page.locator(".log li.unread").count() == 0
    assert now is not None and log["y"] <= now["y"]


def test_what_happens_appears_at_once_to_who_looks_at_the_present(place: Site, visitors: Visitors) -> None:
    match = place.open("advance", "factory")
    visitor = visitors.new(place)
    visitor.look(match)
    for _ in range(3):
        place.advance(match, 2)
        visitor.wait_until_shown(place.last(match))

    assert visitor.text(".state") == "Live"


def test_without_scripts_a_match_is_read_stepped_and_played(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 12)
    last, mover = place.last(match), place.mover(match)
    visitor = visitors.new(place, has_scripts=False)
    page = visitor.page
    visitor.go("/matches")
    visitor.follow(".matches .title")
    visitor.follow("a[data-step=back-event]")

    assert visitor.shown == last - 1
    visitor.follow("a[data-step=on-event]")
    visitor.follow("#now .ask")
    assert page.locator("#why .rule").count() >= 1
    visitor.follow("a.viewer")
    page.select_option("#seat", mover)
    page.fill("#secret", f"the secret of {mover}, long enough to be one")
    visitor.follow("button.main")
    assert visitor.text(".who").startswith("You decide, ")
    visitor.follow("a.option")
    visitor.follow("button.main[name=option]")
    assert place.last(match) > last
