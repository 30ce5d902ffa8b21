"""Whatever goes wrong is a page that says what happened and what to do, with the right status."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from events.codec import replace
from events.commit import Commit
from events.ids import GameKey, MatchId
from events.memory_log import MemoryLog
from events.vocabulary import AttributeSet
from server.client.local import local_client
from server.client.retry import RetryPolicy
from server.protocol.protocol_schema import CODES
from server.store.sqlite_log import SqliteLog
from server.web.http.faults import FAULTS
from tests.support.browsing import HTML, SVG, Browser, Pages, browsed, fields_of, found, played, read, secret_of, words
from tests.support.rows import each_row
from tests.support.served import served
from tests.support.tampering import tamper, write_anew


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[Browser, MatchId]]:
    log = MemoryLog()
    match = played(log, "battle", 4)
    with browsed(log) as (pages, _):
        yield pages.browser(), match


@each_row(
    ("path", "status", "title"),
    [
        ("/nothing", 404, "No such page"),
        ("/m/nomatch", 404, "No such match"),
        ("/m/nomatch@3", 404, "No such match"),
        ("/m/{}@100000", 404, "No such event"),
        ("/m/{}@0", 404, "No such event"),
        ("/m/{}@-1", 404, "No such page"),
        ("/m/{}@one", 404, "No such page"),
        ("/m/{}?seat=purple", 404, "No such seat"),
        ("/m/{}@3?seat=german", 403, "See a match as a seat"),
        ("/m/%00%ff", 404, "No such match"),
        ("/m/" + "x" * 300, 400, "Not understood"),
        ("/static/none.css", 404, "No such page"),
        ("/matches?page=0", 404, "No such page"),
        ("/matches?page=x", 404, "No such page"),
    ],
)
def test_a_wrong_address_says_what_is_wrong(site: tuple[Browser, MatchId], path: str, status: int, title: str) -> None:
    browser, match = site
    response = browser.get(path.format(match))
    page = read(response)

    assert response.status_code == status
    assert [words(one) for one in page.iter(f"{HTML}h1")] == [title]
    assert len(list(page.iter(f"{HTML}p"))) >= 2


SEATED = "?seat=german"


@each_row(
    ("path", "ways"),
    [
        ("/m/{}@100000", ["/m/{}", "/matches"]),
        ("/m/{}@one", ["/m/{}", "/matches"]),
        ("/m/{}/nothing?seat=german", ["/m/{}?seat=german", "/matches"]),
        ("/m/{}?seat=purple", ["/m/{}", "/matches"]),
        ("/m/{}?seat=arbiter", ["/m/{}", "/matches"]),
        ("/m/nomatch", ["/matches"]),
        ("/m/nomatch/study/x", ["/matches"]),
        ("/nothing", ["/matches"]),
    ],
)
def test_an_error_page_leads_to_its_match_as_its_visitor_sees_it(
    site: tuple[Browser, MatchId], path: str, ways: list[str]
) -> None:
    browser, match = site
    answer = browser.get(path.format(match))

    assert answer.status_code >= 400
    assert ways_of(answer) == [one.format(match) for one in ways]


@each_row(
    ("referrer", "seat"),
    [
        ("http://127.0.0.1/m/{}?seat=german&about=x", SEATED),
        ("http://127.0.0.1/m/another?seat=german", ""),
        ("", ""),
        ("http://[", ""),
        ("nonsense", ""),
    ],
)
def test_a_form_that_is_refused_leads_to_the_match_of_its_page(
    site: tuple[Browser, MatchId], referrer: str, seat: str
) -> None:
    browser, match = site
    headers = {"referer": referrer.format(match), "sec-fetch-site": "same-origin"}
    answer = browser.ask("POST", f"/m/{match}/play", headers, b"token=x")

    assert answer.status_code == 403
    assert ways_of(answer) == [f"/m/{match}{seat}", "/matches"]


def test_who_asks_too_often_is_led_back_as_well() -> None:
    log = MemoryLog()
    match = played(log, "battle", 4)
    with browsed(log) as (pages, _):
        browser = pages.browser("192.0.2.7")
        answers = (browser.get(f"/m/{match}/keys.json?seat=german") for _ in range(2_000))
        late = next(one for one in answers if one.status_code == 429)

    assert ways_of(late) == [f"/m/{match}?seat=german", "/matches"]


def ways_of(answer: httpx.Response) -> list[str]:
    """Return where the page of an error leads."""
    return [one.attrib["href"] for one in next(read(answer).iter(f"{HTML}main")).iter(f"{HTML}a")]


def test_a_match_that_breaks_its_rules_is_a_page_that_says_who_finds_out(tmp_path: Path) -> None:
    """An imported match may have any events that could be; only an audit finds that its rules never led to them."""
    path = tmp_path / "store.db"
    with SqliteLog(path) as log:
        match = played(log, "battle", 4)

    def elsewhere(commit: Commit) -> Commit:
        events = [
            replace(one, value=("nowhere",))
            if isinstance(one, AttributeSet) and one.key == "locations_in_play"
            else one
            for one in commit.events
        ]
        return replace(commit, events=tuple(events))

    write_anew(path, match, elsewhere)
    with SqliteLog(path) as log, browsed(log) as (pages, _):
        browser = pages.browser()
        response = browser.get(f"/m/{match}")

        assert response.status_code == 500
        assert "the match is as it was" in words(read(response))
        assert browser.get("/").status_code == 200


def test_the_beginning_of_an_id_is_enough(site: tuple[Browser, MatchId]) -> None:
    browser, match = site

    assert browser.get(f"/m/{match[:6]}@3").status_code == 200


def test_a_broker_that_is_gone_is_told() -> None:
    with served(MemoryLog()) as broker:
        address = broker.address
    with Pages(address, retry_policy=RetryPolicy(timeout_s=0.1, tries=1)) as pages:
        response = pages.browser().get("/")

    assert response.status_code == 504
    assert int(response.headers["retry-after"]) > 0
    assert "does not answer" in response.text


def test_a_form_that_finds_no_broker_can_be_sent_again_and_is_played_once() -> None:
    log = MemoryLog()
    match, owner = played(log, "battle", 4), local_client(log)
    seat, before = owner.legal(match).to_move, owner.state(match).seq
    with served(log) as broker:
        addresses = broker.address, broker.events
    with Pages(addresses[0], retry_policy=RetryPolicy(timeout_s=0.5, tries=2)) as pages:
        browser = pages.browser()
        with served(log, addresses=addresses):
            browser.sit(match, seat, secret_of(seat))
            fields = {**fields_of(read(browser.get(f"/m/{match}?seat={seat}")), "play"), "option": "1"}
        lost = browser.post(f"/m/{match}/play", fields)

        assert lost.status_code == 504
        assert "send the form again: it is carried out once at most" in lost.text
        assert owner.state(match).seq == before
        lasts = []
        with served(log, addresses=addresses):
            for _ in range(2):
                assert browser.post(f"/m/{match}/play", fields).status_code == 303
                lasts.append(owner.state(match).seq)

    assert lasts[0] == lasts[1] > before


def test_a_match_of_a_game_that_is_not_installed_here_is_told_in_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    log = MemoryLog()
    match = played(log, "battle", 4)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        browser.get("/")
        monkeypatch.setattr("server.web.backend.story_cache.bound_game", not_installed)
        page = read(browser.get(f"/m/{match}@9?why=1"))

        assert words(found(page, "p", "remark")[0]).startswith("There is no picture, and ids stand for names: ")
        assert found(page, "section", "log")
        assert not list(page.iter(f"{SVG}polygon"))


def test_a_damaged_match_is_told_and_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.web.backend.match_list.FRESH_S", 0.0)
    monkeypatch.setattr("server.web.backend.match_list.FRESH_TIMES", 0.0)
    store = tmp_path / "matches.db"
    log = SqliteLog(store)
    whole, damaged = played(log, "advance", 0), played(log, "battle", 2)
    log.close()
    tamper(store, "Player of russian", "Player of Russian")
    log = SqliteLog(store)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        listed = browser.get("/matches")
        response = browser.get(f"/m/{damaged}")

        assert (listed.status_code, response.status_code) == (200, 500)
        assert words(next(iter(read(response).iter(f"{HTML}h1")))) == "The match is damaged"
        assert "problem" in browser.get("/matches").text
        assert browser.get("/").status_code == 200
        assert "damaged" not in browser.get(f"/m/{damaged}/thumb.svg").text
        assert browser.get(f"/m/{whole}").status_code == 200
    log.close()


def not_installed(game: GameKey, board: str | None, variant: str = "") -> None:
    """Fail as for a game that is not installed."""
    from core.errors import UnknownName

    message = f"no game is called {game!r}"
    raise UnknownName(message)


def test_every_fault_names_a_code_of_the_protocol() -> None:
    assert set(FAULTS) <= set(CODES)
