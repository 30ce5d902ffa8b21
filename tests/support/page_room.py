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


def options(page: Element) -> list[str]:
    """Return the numbers of the options: buttons, and links to those that are asked about first."""
    shown = [one for one in page.iter() if "option" in one.get("class", "").split()]
    return [str(one[0].text) for one in shown]
