"""A match that is played by forms, seen by its players' browsers and by its owner."""

from xml.etree.ElementTree import Element

from events.ids import MatchId, Seat
from server.client.client import Client
from tests.support.browsing import Browser, Pages, found, read, secret_of


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


def options(page: Element) -> list[str]:
    """Return the numbers of the options that are buttons."""
    return [one.attrib["value"] for one in found(page, "button", "option")]
