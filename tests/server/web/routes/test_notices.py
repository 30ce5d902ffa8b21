"""A player asks to be told, the owner of the address confirms it, and either stops it; only who has proved the seat sees its contacts."""

from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import pytest

from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.protocol.clock import SystemClock
from server.web.notices.contacts import Kind
from server.web.notices.delivery import Channel
from server.web.notices.mail import Mail, parse_mail_server
from server.web.notices.notice_book import NoticeBook
from server.web.notices.notices import Notices
from server.web.notices.notifier import Notifier
from server.web.notices.webhook import Webhooks
from server.web.pages.match_feed import ATOM
from tests.support.browsing import HOST, HTML, Browser, Pages, browsed, played, read, secret_of, words
from tests.support.loopback import Mailbox, mail_server
from tests.support.page_checks import check
from tests.support.soak import few

GERMAN, SENDER = Seat("german"), "war@example.org"


class Hall(NamedTuple):
    """Pages that send mail, a match, and the mail that was sent."""

    pages: Pages
    match: MatchId
    box: Mailbox

    def seated(self, address: str = "127.0.0.1") -> Browser:
        """Return a browser that has proved the German seat."""
        browser = self.pages.browser(address)
        assert browser.sit(self.match, GERMAN, secret_of(GERMAN)).status_code == 303
        return browser

    @property
    def contacts(self) -> str:
        """The address of the contacts of the German seat."""
        return f"/m/{self.match}/notices?seat={GERMAN}"

    def add(self, browser: Browser, contact: str) -> int:
        """Add a contact, and return the status of the answer."""
        sent = {"token": browser.token(self.contacts), "seat": GERMAN, "contact": contact}
        return browser.post(f"/m/{self.match}/notices", sent).status_code

    def link(self) -> str:
        """Return the link of the last mail."""
        return str(self.box.messages[-1]["List-Unsubscribe"]).strip("<> ").removeprefix(HOST)


def fields(page: Element) -> dict[str, str]:
    """Return the fields of the form that removes the first contact."""
    form = next(one for one in page.iter(f"{HTML}form") if one.attrib["action"].endswith("/notices"))
    return {one.attrib["name"]: one.attrib["value"] for one in form.iter(f"{HTML}input")}


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """Pages of a match of *Battle for Stalingrad* with notices."""
    log, clock = MemoryLog(), SystemClock()
    match = played(log, "battle", 20)
    with mail_server() as box:
        channels: dict[Kind, Channel] = {
            Kind.MAIL: Mail(parse_mail_server(f"smtp://127.0.0.1:{box.port}?tls=off", SENDER)),
            Kind.WEBHOOK: Webhooks(),
        }
        book = NoticeBook(tmp_path / "notices.db", bytes(32))
        notifier = Notifier(lambda: nullcontext(local_client(log)), book, channels, clock, HOST)
        with browsed(log, notices=Notices(book, notifier, channels, clock)) as (pages, _):
            yield Hall(pages, match, box)


def test_a_contact_is_added_confirmed_and_removed(hall: Hall) -> None:
    browser, stranger = hall.seated(), hall.pages.browser()
    table = read(browser.get(f"/m/{hall.match}?seat={GERMAN}"))
    added = hall.add(browser, "ada@example.org")
    waiting = words(read(browser.get(hall.contacts)))
    asked = read(stranger.get(hall.link()))
    confirmed = stranger.post(hall.link(), {"do": "confirm"}, site="none")
    known = read(browser.get(hall.contacts))
    removed = browser.post(f"/m/{hall.match}/notices", fields(known))
    check(asked)
    check(known)

    assert "Tell me when it is my turn" in words(table)
    assert added == 303
    assert "ada@example.org: waits to be confirmed" in waiting
    assert "Do you want these notices?" in words(asked)
    assert confirmed.status_code == 200
    assert "ada@example.org: confirmed" in words(known)
    assert removed.status_code == 303
    assert "ada@example.org" not in words(read(browser.get(hall.contacts)))


def test_a_mail_programs_button_stops_the_notices(hall: Hall) -> None:
    browser = hall.seated()
    hall.add(browser, "ada@example.org")
    stopped = hall.pages.browser().post(hall.link(), {"List-Unsubscribe": "One-Click"}, site="cross-site")

    assert stopped.status_code == 200
    assert "ada@example.org" not in words(read(browser.get(hall.contacts)))
    assert hall.pages.browser().get(hall.link()).status_code == 404


def test_an_owner_who_wants_nothing_is_never_asked_again(hall: Hall) -> None:
    browser = hall.seated()
    hall.add(browser, "ada@example.org")
    hall.pages.browser().post(hall.link(), {"do": "block"}, site="same-origin")

    assert hall.add(browser, "ada@example.org") == 422
    assert len(hall.box.messages) == 1


def test_looking_at_a_link_changes_nothing(hall: Hall) -> None:
    browser = hall.seated()
    hall.add(browser, "ada@example.org")
    hall.pages.browser().get(hall.link())

    assert "waits to be confirmed" in words(read(browser.get(hall.contacts)))


@pytest.mark.parametrize("contact", few(["nobody", "https://127.0.0.1/hook", "https://localhost:1/", "ntfy://topic"]))
def test_what_is_not_taken_is_told_and_not_kept(hall: Hall, contact: str) -> None:
    browser = hall.seated()
    sent = {"token": browser.token(hall.contacts), "seat": GERMAN, "contact": contact}
    answer = browser.post(f"/m/{hall.match}/notices", sent)

    assert answer.status_code == 422
    assert "waits to be confirmed" not in words(read(browser.get(hall.contacts)))


def test_a_stranger_neither_sees_nor_changes_contacts(hall: Hall) -> None:
    browser, stranger = hall.seated(), hall.pages.browser()
    hall.add(browser, "ada@example.org")
    page = stranger.get(hall.contacts)
    token = stranger.token(f"/m/{hall.match}/sit")
    changed = stranger.post(f"/m/{hall.match}/notices", {"token": token, "seat": GERMAN, "remove": "1"})

    assert "ada@example.org" not in page.text
    assert changed.status_code == 403
    assert "ada@example.org" in words(read(browser.get(hall.contacts)))


def test_an_address_adds_few_contacts(hall: Hall) -> None:
    browser = hall.seated("10.0.0.9")
    codes = [hall.add(browser, f"https://127.0.0.1/{number}") for number in range(6)]

    assert codes == [422] * 5 + [429]


def test_the_feed_tells_chapters_and_nothing_of_hands(hall: Hall) -> None:
    answer = hall.pages.browser().get(f"/m/{hall.match}/feed.atom")
    feed = ElementTree.fromstring(answer.content)
    ids = [one.text for one in feed.iter(f"{{{ATOM}}}id")]
    same = hall.pages.browser().get(f"/m/{hall.match}/feed.atom", if_none_match=answer.headers["etag"])
    seated = hall.seated().get(f"/m/{hall.match}/feed.atom?seat={GERMAN}")

    assert answer.headers["content-type"].startswith("application/atom+xml")
    assert len(ids) == len(set(ids)) > 2
    assert same.status_code == 304
    assert seated.content == answer.content


def test_pages_without_notices_say_so() -> None:
    log = MemoryLog()
    match = played(log, "battle", 20)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.sit(match, GERMAN, secret_of(GERMAN))
        answer = browser.get(f"/m/{match}/notices?seat={GERMAN}")
        table = read(browser.get(f"/m/{match}?seat={GERMAN}"))

    assert answer.status_code == 404
    assert "This server sends no notices." in words(read(answer))
    assert "Tell me when" not in words(table)


def test_mistyped_addresses_do_not_count_among_those_that_were_added(hall: Hall) -> None:
    browser = hall.seated()
    typos = [hall.add(browser, f"ada{number}") for number in range(9)]

    assert typos == [422] * 9
    assert hall.add(browser, "ada@example.org") == 303
