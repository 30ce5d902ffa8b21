"""The whole evidence is there for who may have it, and a browser can check it without our program."""

from collections.abc import Iterator

import pytest

from events.archive import export_match
from events.ids import ARBITER, MatchId
from events.memory_log import MemoryLog
from server.client.local import local_client
from tests.support.browsing import HTML, Pages, browsed, found, played, read, resign, words
from tests.support.sitting import OWNER
from tests.support.tampering import spoil


class Shelf:
    """A log with an open match that is over and one with secret hands, and their pages."""

    def __init__(self, log: MemoryLog, pages: Pages, address: str) -> None:
        self.log = log
        self.pages = pages
        self.address = address


def ended(log: MemoryLog, game: str, commands: int) -> MatchId:
    match = played(log, game, commands, dice="sealed")
    resign(local_client(log), match)
    return match


@pytest.fixture(scope="module")
def shelf() -> Iterator[Shelf]:
    log = MemoryLog()
    with browsed(log) as (pages, broker):
        yield Shelf(log, pages, broker.address)


@pytest.fixture(scope="module")
def open_match(shelf: Shelf) -> MatchId:
    return ended(shelf.log, "advance", 4)


@pytest.fixture(scope="module")
def secret_match(shelf: Shelf) -> MatchId:
    return ended(shelf.log, "battle", 12)


def test_a_match_without_secrets_that_is_over_has_its_archive_for_everybody(shelf: Shelf, open_match: MatchId) -> None:
    browser = shelf.pages.browser()
    page = read(browser.get(f"/m/{open_match}"))
    (button,) = [one for one in page.iter(f"{HTML}button") if "data-verify" in one.attrib]

    assert browser.get(button.attrib["data-verify"]).content == b"".join(export_match(shelf.log, open_match))
    assert button.attrib["data-head"] == shelf.log.head(open_match).hash
    assert "Head of the chain" in words(found(page, "section", "evidence")[0])


def test_a_match_with_secrets_has_it_for_the_arbiter_only(shelf: Shelf, secret_match: MatchId) -> None:
    browser = shelf.pages.browser()
    page = read(browser.get(f"/m/{secret_match}"))

    (button,) = [one for one in page.iter(f"{HTML}button") if "data-verify" in one.attrib]

    # What everybody has seen is enough to roll the dice again, but holds no chain.
    assert button.attrib["data-verify"] == f"/m/{secret_match}/view.ndjson"
    assert "data-head" not in button.attrib
    assert shelf.log.head(secret_match).hash not in browser.get(f"/m/{secret_match}").text
    assert browser.get(f"/m/{secret_match}/archive.ndjson").status_code == 403
    with Pages(shelf.address, is_operator_allowed=True) as pages:
        owner = pages.browser()
        owner.sit(secret_match, ARBITER, OWNER)
        archive = owner.get(f"/m/{secret_match}/archive.ndjson?seat=arbiter")

        assert archive.content == b"".join(export_match(shelf.log, secret_match))


def test_no_seat_is_asked_for_where_no_seat_has_the_archive(shelf: Shelf) -> None:
    match = played(shelf.log, "advance", 1)
    answer = shelf.pages.browser().get(f"/m/{match}/archive.ndjson")

    assert answer.status_code == 403
    assert "The archive is not for everybody" in answer.text
    assert "secret of the seat" not in answer.text


def test_a_running_match_shows_no_head(shelf: Shelf) -> None:
    for dice, is_checked in (("seeded", True), ("sealed", False)):
        match = played(shelf.log, "advance", 1, dice=dice)
        page = shelf.pages.browser().get(f"/m/{match}").text

        assert shelf.log.head(match).hash not in page
        assert ("data-verify" in page) is is_checked
        assert "data-head" not in page


@pytest.mark.parametrize("rest", ["@{}?why=1", "/archive.ndjson", "/view.ndjson"])
def test_damage_that_comes_while_the_server_runs_is_called_damage(rest: str) -> None:
    log = MemoryLog()
    match = ended(log, "advance", 4)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        if "view" not in rest:
            assert browser.get(f"/m/{match}").status_code == 200
        first = spoil(log, match, 2)
        answer = browser.get(f"/m/{match}{rest.format(first)}")

        assert answer.status_code == 500
        assert "The match is damaged" in answer.text
