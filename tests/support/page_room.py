"""A match that is played by forms, seen by its players' browsers and by its owner."""

from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree.ElementTree import Element

from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from server.client.client import Client
from server.client.local import local_client
from tests.support.browsing import Browser, Pages, browsed, played, read, secret_of


class Room:
    """A match, its pages, and its owner, who looks at the truth.

    Args:
        pages: The pages.
        owner: The owner's client.
        match: The match.
    """

    def __init__(self, pages: Pages, owner: Client, match: MatchId) -> None:
        self.pages = pages
        self.owner = owner
        self.match = match

    @property
    def mover(self) -> Seat:
        """The seat that is to decide."""
        return self.owner.legal(self.match).to_move

    @property
    def last(self) -> int:
        """The last event that the public has seen."""
        return self.owner.state(self.match).seq

    def seated(self, seat: Seat) -> Browser:
        """Return a browser that has proved a seat."""
        browser = self.pages.browser()
        assert browser.sit(self.match, seat, secret_of(seat)).status_code == 303
        return browser

    def every(self, browser: Browser, seat: Seat) -> list[str]:
        """Return the numbers of all options that a seat reaches from its page, but for what ends the step."""
        return every_option(browser, self.page(browser, seat))

    def page(self, browser: Browser, seat: Seat, rest: str = "") -> Element:
        """Return the page of the match as a seat sees it."""
        return read(browser.get(f"/m/{self.match}?seat={seat}{rest}"))


@contextmanager
def room_of(game: str, commands: int, *, seed: str = "7") -> Iterator[Room]:
    """Serve the pages of a match after options chosen at random until the block ends."""
    log = MemoryLog()
    match = played(log, game, commands, seed=seed)
    with browsed(log) as (pages, _):
        yield Room(pages, local_client(log), match)


def is_narrowed(page: Element) -> bool:
    """Return whether a page shows only the options that fit what was chosen."""
    return any("narrowed" in one.get("class", "").split() for one in page.iter())


def options(page: Element) -> list[str]:
    """Return the numbers of the options with a button, and of those that are asked about first, that fit what was chosen, without what ends the step."""
    apart = {"ending", "kinds"} if is_narrowed(page) else {"ending"}
    others = {one for part in page.iter() if apart & set(part.get("class", "").split()) for one in part.iter()}
    shown = [one for one in page.iter() if "option" in one.get("class", "").split() and one not in others]
    return [one.attrib["data-option"] for one in shown if one.get("data-option")]


def every_option(browser: Browser, page: Element) -> list[str]:
    """Return the numbers of the options of a page, and of those behind its links to kinds of options and to things that they are about, in ascending order."""
    numbers, seen, ahead = set[str](), set[str](), [page]
    while ahead:
        shown = ahead.pop()
        numbers.update(options(shown))
        links = [
            one for one in shown.iter() if {"fold", "kind"} & set(one.get("class", "").split()) and one.get("href")
        ]
        # A chosen kind leads back, and from a page that is narrowed the kinds lead away from what was chosen.
        to = [one.attrib["href"] for one in links if one.get("aria-current") is None]
        if shown is not page or is_narrowed(page):
            to = [one.attrib["href"] for one in links if "fold" in one.get("class", "").split()]
        for address in to:
            if address not in seen:
                seen.add(address)
                ahead.append(read(browser.get(address)))
    return sorted(numbers, key=int)


def counted(page: Element) -> int:
    """Return how many options a narrowed page has, with buttons or behind its links to things that they are about."""
    folds = [one for one in page.iter() if "fold" in one.get("class", "").split()]
    ways = [int(str(small.text).split()[-2]) for one in folds for small in one.iter() if small.tag.endswith("small")]
    return len(options(page)) + sum(ways)
