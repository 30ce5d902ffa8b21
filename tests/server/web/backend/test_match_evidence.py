"""The whole evidence is there for who may have it, and a browser can check it without our program."""

import asyncio
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from events.archive import export_match
from events.codec import replace
from events.commit import Commit
from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import DiceRolled
from server.client.local import local_client
from server.store.sqlite_log import SqliteLog
from server.web.backend import audits
from tests.support.browsing import HTML, Browser, Pages, browsed, fields_of, found, played, read, resign, words
from tests.support.rows import each_row
from tests.support.sitting import OWNER
from tests.support.tampering import spoil, write_anew


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
def log() -> MemoryLog:
    return MemoryLog()


@pytest.fixture(scope="module")
def open_match(log: MemoryLog) -> MatchId:
    return ended(log, "advance", 4)


@pytest.fixture(scope="module")
def secret_match(log: MemoryLog) -> MatchId:
    return ended(log, "battle", 12)


@pytest.fixture(scope="module")
def shelf(log: MemoryLog, open_match: MatchId, secret_match: MatchId) -> Iterator[Shelf]:
    """The pages list matches for a while as they were first read, so that both are there before."""
    with browsed(log) as (pages, broker):
        yield Shelf(log, pages, broker.address)


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
        seen = read(owner.get(f"/m/{secret_match}?seat=arbiter"))

        assert "Download what the arbiter has seen" in words(found(seen, "section", "evidence")[0])
        assert words(found(seen, "a", "viewer")[0]) == "as the arbiter"
        assert archive.content == b"".join(export_match(shelf.log, secret_match))


def test_no_seat_is_asked_for_where_no_seat_has_the_archive(shelf: Shelf) -> None:
    match = played(shelf.log, "advance", 1)
    answer = shelf.pages.browser().get(f"/m/{match}/archive.ndjson")

    assert answer.status_code == 403
    assert "The archive is not for everybody" in answer.text
    assert "secret of the seat" not in answer.text


def test_a_running_match_shows_no_head(shelf: Shelf) -> None:
    for dice in ("seeded", "sealed"):
        match = played(shelf.log, "advance", 1, dice=dice)
        page = shelf.pages.browser().get(f"/m/{match}").text

        assert shelf.log.head(match).hash not in page
        assert "data-verify" in page
        assert "data-head" not in page


@each_row("rest", ["@{}?why=1", "/archive.ndjson", "/view.ndjson"])
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


# Audits


def audit(browser: Browser, match: MatchId, seat: Seat = PUBLIC) -> httpx.Response:
    """Send the form that audits a match."""
    page = read(browser.get(f"/m/{match}{f'?seat={seat}' if seat != PUBLIC else ''}"))
    return browser.post(f"/m/{match}/audit", fields_of(page, "audit"))


def evidence(browser: Browser, match: MatchId, seat: Seat = PUBLIC) -> str:
    page = read(browser.get(f"/m/{match}{f'?seat={seat}' if seat != PUBLIC else ''}"))
    return words(found(page, "section", "evidence")[0])


def with_other_dice(commit: Commit) -> Commit:
    """Return a commit in which every die shows one more, or 1 after 6."""
    events = [
        replace(event, faces=tuple(face % 6 + 1 for face in event.faces)) if isinstance(event, DiceRolled) else event
        for event in commit.events
    ]
    return replace(commit, events=tuple(events))


def listed_audit(browser: Browser, match: MatchId) -> str:
    rows = [row for row in read(browser.get("/matches")).iter(f"{HTML}tr") if words(row).find(match) >= 0]
    return words(list(rows[0].iter(f"{HTML}td"))[-1])


def test_a_match_is_audited_from_its_page_and_the_list_and_the_page_say_when_and_for_whom(
    shelf: Shelf, open_match: MatchId
) -> None:
    browser, other = shelf.pages.browser(), shelf.pages.browser()
    before = listed_audit(other, open_match)
    made = audit(browser, open_match)
    said = evidence(other, open_match)

    assert before == "not audited yet"
    assert (made.status_code, made.headers["location"]) == (303, f"/m/{open_match}#evidence")
    assert re.search(r"Audited 20[0-9-]+ [0-9:]+ UTC for a visitor: clean\.", said)
    assert f"Head: {shelf.log.head(open_match).hash}" in said
    assert "The dice are those of the seed" in said
    assert re.fullmatch(r"clean20[0-9-]+ [0-9:]+ UTC", listed_audit(other, open_match))


def test_an_audit_says_what_does_not_hold(tmp_path: Path) -> None:
    store = tmp_path / "forged.db"
    log = SqliteLog(store)
    match = played(log, "advance", 30)
    resign(local_client(log), match)
    log.close()
    write_anew(store, match, with_other_dice)
    with browsed(SqliteLog(store)) as (pages, _):
        browser = pages.browser()
        made = audit(browser, match)
        said, listed = evidence(browser, match), listed_audit(browser, match)

    assert made.status_code == 303
    assert "does not hold" in listed
    assert "The match does not hold from event" in said


def test_only_who_may_have_the_evidence_audits_and_others_learn_the_verdict_alone() -> None:
    log = MemoryLog()
    match = played(log, "battle", 12, dice="sealed")
    local_client(log).take_seat(match, ARBITER, "Umpire", secret=OWNER)
    with browsed(log, is_operator_allowed=True) as (pages, _):
        public, operator = pages.browser(), pages.browser()
        operator.sit(match, ARBITER, OWNER)
        refused = public.post(f"/m/{match}/audit", {"token": public.token(f"/m/{match}/sit"), "seat": PUBLIC})
        unproved = public.post(f"/m/{match}/audit", {"token": public.token(f"/m/{match}/sit"), "seat": ARBITER})
        made = audit(operator, match, ARBITER)
        own, others = evidence(operator, match, ARBITER), evidence(public, match)

    assert (refused.status_code, unproved.status_code, made.status_code) == (403, 403, 303)
    assert "for the operator: clean" in own
    assert "for the operator: clean" in others
    assert "Head: " in own
    assert "Head: " not in others
    assert "Audit the match here" not in others


def test_one_match_is_audited_at_a_time(shelf: Shelf, open_match: MatchId, monkeypatch: pytest.MonkeyPatch) -> None:
    def is_locked(lock: asyncio.Lock) -> bool:
        return True

    monkeypatch.setattr(asyncio.Lock, "locked", is_locked)
    answer = audit(shelf.pages.browser(), open_match)

    assert (answer.status_code, "Another audit is being made" in answer.text) == (429, True)


def test_a_refused_audit_is_not_counted(shelf: Shelf, secret_match: MatchId, open_match: MatchId) -> None:
    browser = shelf.pages.browser(address="127.0.0.9")
    form = {"token": browser.token(f"/m/{secret_match}/sit"), "seat": PUBLIC}
    refused = [browser.post(f"/m/{secret_match}/audit", form).status_code for _ in range(12)]

    assert set(refused) == {403}
    assert audit(browser, open_match).status_code == 303


def test_an_audit_that_fails_or_takes_too_long_is_a_page_that_says_so(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = ended(shelf.log, "advance", 3)
    browser = shelf.pages.browser()
    monkeypatch.setattr(audits, "AUDIT_S", 0.0)
    late = audit(browser, match)
    monkeypatch.undo()
    monkeypatch.setattr(sys, "executable", "/bin/false")
    failed = audit(browser, match)

    assert (late.status_code, "takes too long" in late.text) == (504, True)
    assert (failed.status_code, "The audit failed" in failed.text) == (500, True)
    assert "Audited" not in evidence(browser, match)
