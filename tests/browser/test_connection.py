"""The connection is lost and comes back: the page says so, and afterwards shows every event once."""

import re
import socket
import time
from contextlib import suppress

import pytest
from playwright.sync_api import Page, Route

from events.ids import Seat
from server.web.http.addresses import at_match
from tests.support.browsing import secret_of
from tests.support.site import Site
from tests.support.visitors import PATIENCE_MS, Visitor, Visitors

GERMAN = Seat("german")

NOTED = """
globalThis.told = [];
const Source = EventSource;
globalThis.EventSource = class extends Source {
  constructor(address) {
    super(address);
    this.addEventListener("news", (message) => told.push({ ...JSON.parse(message.data), id: Number(message.lastEventId) }));
  }
};
"""
"""Notes every message before the page does."""


HASTE = "(() => { const usual = setTimeout; globalThis.setTimeout = (done, wait, ...said) => usual(done, wait / 100, ...said); })()"
"""Lets all that waits wait a hundredth of the time."""
ASKED_AGAIN = """async () => {
  document.querySelector("button.option").click();
  await new Promise((resolve) => setTimeout(resolve, 30000));
  const said = [".sending", ".lost"].map((part) => document.querySelector(part).textContent);
  document.querySelector(".lost button").click();
  return said;
}"""
"""Chooses, waits until there should have been an answer, and asks for it again."""


def told(page: Page) -> list[tuple[int, int]]:
    """Return the first and the last event of each message."""
    return [(one["first"], one["last"]) for one in page.evaluate("told")]


def cut(place: Site, visitor: Visitor) -> None:
    """Stop the pages, and wait until the visitor is told that the connection is lost."""
    visitor.may_be_cut_off = True
    place.stop()
    visitor.wait_for("#main.offline")


def test_after_a_lost_connection_every_event_is_told_once(
    place: Site, visitors: Visitors, capfd: pytest.CaptureFixture[str]
) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 10)
    visitor = visitors.new(place)
    visitor.context.add_init_script(NOTED)
    visitor.look(match)
    start = place.last(match)
    place.advance(match, 2)
    visitor.wait_until_shown(place.last(match))
    cut(place, visitor)
    said = visitor.text(".lost")
    place.advance(match, 5)
    place.start()
    visitor.page.click(".lost button")
    visitor.wait_until_shown(place.last(match))
    place.advance(match, 2)
    visitor.wait_until_shown(place.last(match))
    visitor.wait_for("#main:not(.offline)")
    # The page that is fetched after one message may show what the next one tells.
    visitor.wait_until(
        lambda: any(last == place.last(match) for _, last in told(visitor.page)), "the last event is not told"
    )
    messages = told(visitor.page)
    # New sentences have a red edge for a while.
    visitor.page.wait_for_selector("[data-fresh]", state="detached")
    log = visitor.page.inner_html(".log")
    visitor.page.reload()

    assert re.fullmatch(r"No connection. Trying again in \d+ s.Now", said)
    assert visitor.page.locator(".lost").count() == 0
    assert [first for first, _ in messages] == [start + 1, *(last + 1 for _, last in messages[:-1])]
    assert messages[-1][1] == place.last(match)
    assert visitor.page.inner_html(".log") == log
    assert "Traceback" not in capfd.readouterr().err, "the pages end in peace, though a browser waits for news"


def test_what_is_chosen_without_a_connection_is_kept_and_sent_when_there_is_one(
    place: Site, visitors: Visitors
) -> None:
    """The page is told that there is none: pages that end and begin anew in a test know nobody any more."""
    match = place.prepared("advance", commands=1)
    visitor = visitors.new(place)
    visitor.sit(match, place.mover(match))
    before = visitor.shown
    visitor.page.evaluate("document.dispatchEvent(new CustomEvent('connection-lost', { detail: 60000 }))")
    visitor.page.locator("button.option").first.click()
    said, shown = visitor.text(".option > .sending"), visitor.shown
    visitor.page.evaluate("document.dispatchEvent(new Event('connection-back'))")
    visitor.wait_until(lambda: visitor.shown > before, "the choice is not sent")

    assert (said, shown) == ("kept here, not sent yet", before)


def test_a_slow_answer_can_be_asked_for_again(place: Site, visitors: Visitors) -> None:
    match = place.prepared("advance", commands=1)
    visitor = visitors.new(place)
    visitor.sit(match, place.mover(match))
    before, held = visitor.shown, list[Route]()
    visitor.page.route("**/play", lambda route: held.append(route) if not held else route.continue_())
    visitor.page.evaluate(HASTE)
    # All in one script, since the browser is on its way to another page.
    said = visitor.page.evaluate(ASKED_AGAIN)
    visitor.wait_until(lambda: visitor.shown > before, "the choice is not sent again")

    assert said == ["no answer yet: load the page again", "No answer yet. Your choice is kept here. Now"]
    assert visitor.page.locator(".lost").count() == 0


@pytest.mark.long
def test_news_that_cannot_be_fetched_at_once_are_shown_later(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 10)
    visitor = visitors.new(place)
    visitor.faults = {504}
    visitor.look(match)
    visitor.wait_until_shown(place.last(match))
    until = time.monotonic() + 2.0

    def answer(route: Route) -> None:
        if time.monotonic() < until:
            route.fulfill(status=504, body="the broker does not answer")
        else:
            route.continue_()

    visitor.page.route(lambda url: url.endswith(f"/m/{match}"), answer)
    place.advance(match, 2)
    visitor.wait_until_shown(place.last(match))

    assert time.monotonic() >= until


def test_a_page_that_was_made_before_the_last_news_is_fetched_again(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 10)
    visitor = visitors.new(place)
    visitor.look(match)
    visitor.wait_until_shown(place.last(match))
    early, times = visitor.page.content(), [0]

    def answer(route: Route) -> None:
        times[0] += 1
        if times[0] == 1:
            route.fulfill(status=200, content_type="text/html", body=early)
        else:
            route.continue_()

    visitor.page.route(lambda url: url.endswith(f"/m/{match}"), answer)
    place.advance(match, 1)
    visitor.wait_until_shown(place.last(match))

    assert times[0] == 2


@pytest.mark.long
def test_who_looks_back_while_the_connection_is_lost_is_told_the_right_number(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 10)
    visitor = visitors.new(place)
    visitor.look(match)
    visitor.page.keyboard.press("ArrowLeft")
    before = place.last(match) - 1
    visitor.wait_until_shown(before)
    cut(place, visitor)
    place.advance(match, 5)
    place.start()
    newer = str(place.last(match) - before)
    visitor.wait_until(lambda: visitor.text("#newer") == newer, "the news are not told")

    assert visitor.shown == before


def test_a_seat_that_the_pages_have_forgotten_is_asked_for_its_secret(place: Site, visitors: Visitors) -> None:
    match = place.open("battle", seed="3")
    visitor = visitors.new(place)
    visitor.sit(match, GERMAN)
    cut(place, visitor)
    visitor.faults = {403}
    place.start()
    # The page tries again after a while, and longer after each time that fails.
    visitor.page.wait_for_selector("#seat")
    visitor.page.select_option("#seat", GERMAN)
    visitor.page.fill("#secret", secret_of(GERMAN))
    visitor.page.click("button.main")
    visitor.page.wait_for_selector(".board")

    assert visitor.text(".viewer") == "as German"


def test_pages_that_end_leave_no_connection_open(place: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser would ask again on a connection that nobody serves, and wait for ever. This visitor reads too late."""
    monkeypatch.setattr("server.web.web_server.END_S", 1)
    place.stop()
    place.start()
    with socket.socket() as visitor:
        visitor.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        visitor.settimeout(PATIENCE_MS / 1000)
        visitor.connect(("127.0.0.1", int(place.address.rpartition(":")[2])))
        visitor.sendall(b"GET /static/page.css HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 1_000)
        # So long is written as it takes until nothing more fits between the two.
        size = -1
        while size != (size := sum(map(len, place.sent.get("", [])))) or not size:
            time.sleep(0.2)
        place.stop()
        with suppress(ConnectionResetError):
            while visitor.recv(1 << 16):
                pass
    place.start()


HIDE = """(isHidden) => {
  Object.defineProperty(document, "hidden", { value: isHidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
"""Headless, every tab says that it is seen."""


def test_more_tabs_are_open_than_a_browser_has_connections_and_the_one_that_is_seen_again_has_the_news(
    place: Site, visitors: Visitors
) -> None:
    match = place.open("battle", seed="3")
    place.advance(match, 10)
    visitor = visitors.new(place)
    tabs = [visitor.page, *[visitor.context.new_page() for _ in range(6)]]
    for tab in tabs:
        tab.goto(at_match(match))
        tab.wait_for_selector("html.scripted")
        tab.evaluate(HIDE, True)
    place.advance(match, 2)
    visitor.page.evaluate(HIDE, False)
    visitor.wait_until_shown(place.last(match))
