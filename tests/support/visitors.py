"""Visitors of the pages: each has a browser window of its own, and everything that goes wrong in it is noted."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Locator, Page, Request, Response

from events.ids import PUBLIC, MatchId, Seat
from server.web.http.addresses import at_match, of_match
from tests.support.browsing import secret_of
from tests.support.site import Site

PATIENCE_MS = 60_000
"""Longer than anything in a browser should take, also on a slow and busy machine; a test that waits so long has failed."""

CLICKS_MAX = 6
"""Clicks that lead to an option at most: one for each thing that it is about, and one to open what is folded."""

LEFT = ("net::ERR_ABORTED",)
"""How a request ends whose page was left before the answer came."""
GONE = (
    "net::ERR_CONNECTION_REFUSED",
    "net::ERR_CONNECTION_RESET",
    "net::ERR_EMPTY_RESPONSE",
    "net::ERR_INCOMPLETE_CHUNKED_ENCODING",
)
"""How requests end whose server is not there."""


UNCOVERED = """link => {
  link.scrollIntoView({ block: "center", inline: "center" });
  const { left, top, width, height } = link.getBoundingClientRect();
  const parts = [...Array(19).keys()].map((part) => (part + 1) / 20);
  const spots = parts.flatMap((down) => parts.map((across) => [left + across * width, top + down * height]));
  return spots.find(([x, y]) => document.elementFromPoint(x, y)?.closest("a") === link) ?? null;
}"""
"""Brings a link into view, and finds where it can be clicked."""


class Visitor:
    """A browser with its own cookies, and the page that is open in it.

    Args:
        context: The browser's session.
        site: What is visited.
        name: Sent as the user agent, so that the answers to this visitor can be told from those to others.

    Attributes:
        page: The page.
        asked: The addresses of all requests.
        answered: Those of the requests whose whole answer is there.
        problems: What went wrong: errors on the console, breaches of the policy, failed and foreign requests.
        faults: The status codes that the test expects.
        may_be_cut_off: Whether the test cuts the connection.
    """

    def __init__(self, context: BrowserContext, site: Site, name: str) -> None:
        self.context = context
        self.site = site
        self.name = name
        self.asked: list[str] = []
        self.answered: list[str] = []
        self.problems: list[str] = []
        self.faults: set[int] = set()
        self.may_be_cut_off = False
        context.on("console", self._on_console)
        context.on("weberror", lambda error: self.problems.append(f"an uncaught error: {error.error}"))
        context.on("request", self._on_request)
        context.on("requestfinished", lambda request: self.answered.append(request.url))
        context.on("requestfailed", self._on_failure)
        context.on("response", self._on_response)
        self.page: Page = context.new_page()

    def _on_console(self, message: ConsoleMessage) -> None:
        is_of_a_fault = message.text.startswith("Failed to load resource") and (self.faults or self.may_be_cut_off)
        if message.type in ("error", "warning") and not is_of_a_fault:
            self.problems.append(f"on the console: {message.text}")

    def _on_request(self, request: Request) -> None:
        self.asked.append(request.url)
        if not request.url.startswith((f"{self.site.address}/", "data:")):
            self.problems.append(f"a request to another host: {request.url}")

    def _on_failure(self, request: Request) -> None:
        if request.failure not in (*LEFT, *(GONE if self.may_be_cut_off else ())):
            self.problems.append(f"a failed request: {request.url}: {request.failure}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 400 and response.status not in self.faults:
            self.problems.append(f"status {response.status}: {response.url}")

    # Going to pages

    def go(self, address: str) -> None:
        """Open an address of the site."""
        self.page.goto(address)

    def follow(self, selector: str) -> None:
        """Click on what leads to another page without a script, and wait for that page."""
        with self.page.expect_navigation():
            self.page.click(selector)

    def click_on(self, link: Locator) -> None:
        """Click on a link of a picture where nothing else lies on it; one that is covered whole is followed with Enter."""
        spot = link.evaluate(UNCOVERED)
        if spot is None:
            link.press("Enter")
        else:
            self.page.mouse.click(*spot)

    def play_an_option(self) -> None:
        """Click on the first option; what stands for several options leads to them, and what is folded is opened."""
        for _ in range(CLICKS_MAX):
            first = self.page.locator(".option:visible, .folded summary:visible").first
            link = first.get_attribute("href")
            is_option = first.evaluate("one => one.matches('button')")
            first.click()
            if is_option:
                return
            if link:
                self.page.wait_for_selector(f'a.option[href="{link}"]', state="detached")
        raise AssertionError("no option after many clicks")

    def look(self, match: MatchId, number: int | None = None, seat: Seat = PUBLIC) -> None:
        """Open a match, or a moment of it."""
        self.go(at_match(match, number, seat))

    def sit(self, match: MatchId, seat: Seat) -> None:
        """Take a seat by its link, whose fragment is the secret, and wait for its page."""
        self.go(f"{of_match(match, 'sit', seat)}#{quote(secret_of(seat))}")
        self.page.wait_for_url(f"**{at_match(match, None, seat)}")

    # What the page says

    def text(self, selector: str) -> str:
        """Return the text of the first element that a selector finds, in one line."""
        return " ".join((self.page.locator(selector).first.text_content() or "").split())

    def wait_for(self, selector: str) -> None:
        """Wait until an element is on the page, whether or not it is in view."""
        self.page.wait_for_selector(selector, state="attached")

    def wait_until_shown(self, number: int) -> None:
        """Wait until the page shows the moment after an event."""
        wait_until_shown(self.page, number)

    def wait_until_loaded(self, *addresses: str) -> None:
        """Wait until the answers to requests for all of these are there."""
        self.wait_until(lambda: {f"{self.site.address}{one}" for one in addresses} <= set(self.answered), addresses)

    def wait_until(self, holds: Callable[[], bool], what: object) -> None:
        """Wait until a condition holds while the browser goes on; fail if it does not hold soon."""
        until = time.monotonic() + PATIENCE_MS / 1000
        while not holds():
            assert time.monotonic() < until, what
            self.page.wait_for_timeout(10)

    @property
    def address(self) -> str:
        """The address of the page as the browser knows it now."""
        return str(self.page.evaluate("location.href"))

    @property
    def shown(self) -> int:
        """The number of the event after which the match is shown."""
        return int(self.text(".where .no"))

    def keep(self, folder: Path) -> list[Path]:
        """Save a picture and the HTML of each open page, and return the files."""
        kept = []
        for number, page in enumerate(self.context.pages):
            stem = folder / f"{re.sub(r'[^a-z0-9]+', '-', self.name.casefold())}-{number}"
            try:
                page.screenshot(path=stem.with_suffix(".png"), full_page=True)
                stem.with_suffix(".html").write_text(page.content(), encoding="utf-8")
            except Error as error:
                stem.with_suffix(".txt").write_text(str(error), encoding="utf-8")
            kept += sorted(folder.glob(f"{stem.name}.*"))
        return kept


def wait_until_shown(page: Page, number: int) -> None:
    """Wait until a page shows the moment after an event; while it is loading it shows none."""
    page.wait_for_function("number => document.querySelector('.where .no')?.textContent === String(number)", arg=number)


class Visitors:
    """All visitors of a test.

    Args:
        browser: In which they are.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._all: list[Visitor] = []

    def new(
        self,
        site: Site,
        name: str = "visitor",
        *,
        width: int = 1280,
        height: int = 800,
        is_dark: bool = False,
        has_scripts: bool = True,
        has_touch: bool = False,
    ) -> Visitor:
        """Open a window with cookies of its own."""
        context = self._browser.new_context(
            base_url=site.address,
            user_agent=name,
            viewport={"width": width, "height": height},
            color_scheme="dark" if is_dark else "light",
            java_script_enabled=has_scripts,
            has_touch=has_touch,
            # A picture that glides is clicked where it was.
            reduced_motion="reduce",
        )
        context.set_default_timeout(PATIENCE_MS)
        self._all.append(Visitor(context, site, name))
        return self._all[-1]

    @property
    def problems(self) -> list[str]:
        """What went wrong in any window."""
        return [f"{visitor.name}: {problem}" for visitor in self._all for problem in visitor.problems]

    def keep(self, folder: Path) -> list[Path]:
        """Save what all windows show, and return the files."""
        return [file for visitor in self._all for file in visitor.keep(folder)]

    def close(self) -> None:
        """Close all windows."""
        for visitor in self._all:
            visitor.context.close()


@contextmanager
def visitors_of(browser: Browser) -> Iterator[Visitors]:
    """Let visitors come until the block ends."""
    made = Visitors(browser)
    try:
        yield made
    finally:
        made.close()
