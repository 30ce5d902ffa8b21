"""A page shows a seat only to who has proved it, and nothing of a seat's secrets to anybody else."""

from collections.abc import Iterator

import pytest

from events.ids import ARBITER, PUBLIC, MatchId, Seat
from events.memory_log import MemoryLog
from server.broker.broker import Broker
from server.client.client import Client
from server.client.local import local_client
from tests.support.browsing import (
    HTML,
    Browser,
    Pages,
    browsed,
    found,
    narrator_of,
    played,
    read,
    secret_of,
    without_proofs,
    words,
)
from tests.support.rows import each_row
from tests.support.served import client_of
from tests.support.sitting import OWNER, CountedIdentity, StillClock
from tests.support.soak import few
from tests.support.twins import twin

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
MINUS = "\N{MINUS SIGN}"


class Table:
    """A match with secret hands, and its pages."""

    def __init__(self, pages: Pages, broker: Broker, match: MatchId, owner: Client) -> None:
        self.pages = pages
        self.broker = broker
        self.match = match
        self.owner = owner

    def seated(self, seat: Seat, address: str = "127.0.0.1") -> Browser:
        """Return a browser that has proved a seat."""
        browser = self.pages.browser(address)
        assert browser.sit(self.match, seat, secret_of(seat)).status_code == 303
        return browser

    def hand(self, seat: Seat) -> set[str]:
        """Return the printed names of the cards that only this seat knows."""
        own, public = self.owner.state(self.match, seat).table, self.owner.state(self.match, PUBLIC).table
        known = {card for pile in public.piles.values() for card in pile.cards}
        cards = {card for pile in own.piles.values() for card in pile.cards} - known
        told = {narrator_of("battle").name(card) for card in known}
        return {narrator_of("battle").name(card) for card in cards} - told


@pytest.fixture(scope="module")
def table() -> Iterator[Table]:
    log = MemoryLog()
    match = played(log, "battle", 12)
    with browsed(log) as (pages, broker):
        yield Table(pages, broker, match, local_client(log))


def test_a_seat_sees_its_hand_and_nobody_else_does(table: Table) -> None:
    hand = table.hand(GERMAN) - table.hand(RUSSIAN)

    def private(browser: Browser, rest: str) -> list[str]:
        hands = found(read(browser.get(f"/m/{table.match}{rest}")), "section", "private")
        cards = [card for one in hands for card in one.iter(f"{HTML}li")]
        # A card has its name in bold, and before it its value with a typographic sign.
        printed = [(words(next(card.iter(f"{HTML}b"))), words(next(card.iter(f"{HTML}i")))) for card in cards]
        return [f"{name} ({value.replace(MINUS, '-')})" for name, value in printed]

    assert hand
    assert [name for name in hand if name not in private(table.seated(GERMAN), "?seat=german")] == []
    assert [name for name in hand if name in private(table.seated(RUSSIAN), "?seat=russian")] == []
    assert private(table.pages.browser(), "") == []


def fork(log: MemoryLog, match: MatchId) -> MatchId:
    """Fork a match as the public, whose knowledge is the same in both twins, and take the seats."""
    client = local_client(log, StillClock(), CountedIdentity())
    line = client.fork(match, PUBLIC, dice="seeded", seed="3", hidden="resample", key="line").match
    for seat in (GERMAN, RUSSIAN):
        client.take_seat(line, seat, share=False, secret=secret_of(seat))
    return line


@pytest.mark.parametrize(
    "secret", few([{"other_card": True}, {"other_card": False, "notes": 5}]), ids=["card", "notes"]
)
def test_what_others_see_is_the_same_byte_for_byte_whatever_a_seat_holds(
    secret: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two matches differ only in what one seat drew, or wrote for itself; the pages of all others are made of the same bytes."""
    monkeypatch.setattr("server.web.backend.match_list.FRESH_S", 60.0)
    others: list[list[str]] = []
    own: list[bytes] = []
    for hidden in ({"other_card": False}, secret):
        log = MemoryLog()
        match = twin(log, other_card=bool(hidden["other_card"]), notes=hidden.get("notes", 0))
        with browsed(log) as (pages, _):
            public, german, russian = pages.browser(), pages.browser(), pages.browser()
            german.sit(match, GERMAN, secret_of(GERMAN))
            russian.sit(match, RUSSIAN, secret_of(RUSSIAN))
            last = int(words(found(read(public.get(f"/m/{match}")), "p", "where")[0]).rpartition(" ")[2])
            moments = [last - 3, last - 1, last]
            seen = [public.get(f"/m/{match}@{at}?why=1") for at in moments]
            seen += [german.get(f"/m/{match}@{at}?seat=german&why=1") for at in moments]
            seen += [public.get("/"), public.get(f"/m/{match}"), german.get(f"/m/{match}?seat=german")]
            seen += [public.get(f"/m/{match}/help"), german.get(f"/m/{match}/help?seat=german")]
            seen += [public.get(f"/m/{match}/view.ndjson"), german.get(f"/m/{match}/view.ndjson?seat=german")]
            line = fork(log, match)
            german.sit(line, GERMAN, secret_of(GERMAN))
            seen += [
                public.get(f"/m/{match}/diff/{line}"),
                german.get(f"/m/{line}/diff/{match}@{last - 1}?seat=german"),
            ]
            seen += [public.get(f"/m/{match}@{last}?try=1"), german.get(f"/m/{line}?seat=german&try=1")]
            others.append([without_proofs(response.text) for response in seen])
            own.append(russian.get(f"/m/{match}?seat=russian").content)

    assert others[0] == others[1]
    assert own[0] != own[1]


def test_an_unproved_seat_is_asked_for_its_secret(table: Table) -> None:
    response = table.pages.browser().get(f"/m/{table.match}?seat=german")
    page = read(response)

    assert response.status_code == 403
    assert [one.get("type") for one in page.iter(f"{HTML}input")] == ["search", "hidden", "password"]


def test_a_wrong_secret_proves_nothing(table: Table) -> None:
    browser = table.pages.browser()
    response = browser.sit(table.match, "german", secret_of(RUSSIAN))

    assert response.status_code == 403
    assert words(found(read(response), "p", "wrong")[0]).startswith("The secret does not prove the seat german")
    assert browser.get(f"/m/{table.match}?seat=german").status_code == 403


def test_the_secret_is_in_no_page_and_in_no_cookie(table: Table) -> None:
    browser = table.seated(GERMAN)
    texts = [browser.get(f"/m/{table.match}{rest}").text for rest in ("?seat=german", "@9?seat=german&why=1", "/sit")]

    assert [text for text in [*texts, *browser.cookies.values()] if secret_of(GERMAN) in text] == []


def test_a_proved_seat_can_be_forgotten(table: Table) -> None:
    browser = table.seated(GERMAN)
    sit = f"/m/{table.match}/sit"
    forgotten = browser.post(f"/m/{table.match}/leave", {"token": browser.token(sit), "seat": "german"})

    assert forgotten.status_code == 303
    assert browser.get(f"/m/{table.match}?seat=german").status_code == 403


def test_the_session_gets_a_new_id_when_a_seat_is_proved(table: Table) -> None:
    browser = table.seated(RUSSIAN)
    before = browser.cookies["wardiary_session_8042"]
    browser.sit(table.match, "german", secret_of(GERMAN))

    assert browser.cookies["wardiary_session_8042"] != before


@each_row("site", ["cross-site", "same-site", "none"])
def test_a_form_of_another_site_is_refused(table: Table, site: str) -> None:
    browser = table.pages.browser()
    page = f"/m/{table.match}/sit"
    fields = {"token": browser.token(page), "seat": "german", "secret": secret_of(GERMAN)}

    assert browser.post(page, fields, site=site).status_code == 403
    assert browser.get(f"/m/{table.match}?seat=german").status_code == 403


def test_a_form_without_the_proof_of_this_browser_is_refused(table: Table) -> None:
    browser, other = table.pages.browser(), table.pages.browser()
    page = f"/m/{table.match}/sit"
    fields = {"token": other.token(page), "seat": "german", "secret": secret_of(GERMAN)}
    browser.get(page)

    assert browser.post(page, fields).status_code == 403
    assert browser.post(page, {**fields, "token": ""}).status_code == 403


def test_a_browser_that_tells_no_site_is_known_by_the_origin(table: Table) -> None:
    browser = table.pages.browser()
    page = f"/m/{table.match}/sit"
    body = f"token={browser.token(page)}&seat=german&secret=wrong".encode()
    kind = {"content-type": "application/x-www-form-urlencoded"}
    answers = [
        browser.ask("POST", page, {**kind, "origin": origin}, body)
        for origin in ("http://127.0.0.1:8042", "http://evil.example")
    ]

    assert "does not prove the seat" in answers[0].text
    assert "came from another site" in answers[1].text


def test_guessing_is_slowed_down(table: Table) -> None:
    browser = table.pages.browser("10.0.0.9")
    page = f"/m/{table.match}/sit"
    fields = {"token": browser.token(page), "seat": "german", "secret": "x" * 32}
    codes = [browser.post(page, fields).status_code for _ in range(22)]

    assert codes[:20] == [403] * 20
    assert codes[20] == codes[21] == 429


def test_secrets_that_prove_a_seat_are_not_counted(table: Table) -> None:
    """A club whose players open their links has one address."""
    browser = table.pages.browser("10.0.0.8")

    assert [browser.sit(table.match, GERMAN, secret_of(GERMAN)).status_code for _ in range(22)] == [303] * 22


def test_the_arbiters_view_is_shown_only_where_it_is_allowed(table: Table) -> None:
    assert table.pages.browser().get(f"/m/{table.match}?seat=arbiter").status_code == 403
    with Pages(table.broker.address, is_operator_allowed=True) as pages:
        browser = pages.browser()
        asked = browser.get(f"/m/{table.match}?seat=arbiter")
        browser.sit(table.match, ARBITER, OWNER)

        assert asked.status_code == 403
        assert browser.get(f"/m/{table.match}?seat=arbiter").status_code == 200


@each_row("path", ["/m/{}?seat=german", "/m/{}@3?seat=german", "/m/{}/diff/{}?seat=german"])
def test_who_lost_a_seat_no_longer_sees_it(path: str) -> None:
    log = MemoryLog()
    match = played(log, "battle", 1)
    with browsed(log) as (pages, broker):
        browser = pages.browser()
        browser.sit(match, GERMAN, secret_of(GERMAN))
        before = browser.get(f"/m/{match}?seat=german").status_code
        with client_of(broker) as client:
            client.add_token(match, GERMAN, secret_of(GERMAN))
            client.leave(match, GERMAN)
            client.take_seat(match, GERMAN, secret="another secret that is long enough, too", share=False)

        lost = browser.get(path.format(match, match))

        assert (before, lost.status_code) == (200, 403)
        assert words(found(read(lost), "p", "wrong")[0]) == (
            "The secret does not prove the seat german; after a player has left or was replaced, it no longer does."
        )
        assert "Your seats in this browser" not in lost.text
        assert "Your seats in this browser" not in browser.get(f"/m/{match}/sit").text
