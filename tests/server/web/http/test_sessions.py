"""What a browser has proved lasts: no request of another site, no other tab and no other server on the machine ends it."""

import re
from pathlib import Path

import httpx
import pytest

from events.ids import PUBLIC, Seat
from server.web.http.session_file import SessionFile
from server.web.http.sessions import IDLE_MS
from tests.support.browsing import Browser, Pages, fields_of, found, read, secret_of, words
from tests.support.page_room import Room

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
PORT = 8042
NAMES = ("Anna\nBob", "Anna\0", "Anna\x1b[31m", "Anna\u202e", "Anna\N{NO-BREAK SPACE}Bob")


def session_of(browser: Browser) -> str:
    """Return the id of the session in a browser's cookies, or nothing."""
    return browser.cookies.get(f"wardiary_session_{PORT}", "")


@pytest.mark.parametrize(
    "path", ["/", "/m/{}", "/m/{}@3", "/m/{}@3?why=1", "/m/{}/sit", "/m/{}?seat=german", "/m/{}/diff/{}?seat=german"]
)
def test_a_page_sets_no_session(room: Room, path: str) -> None:
    """A browser leaves the session out of a request from another site, so that the answer must not replace it."""
    browser = room.pages.browser()
    answer = browser.get(path.format(room.match, room.match), sec_fetch_site="cross-site")

    assert answer.status_code in (200, 403)
    assert [one for one in answer.headers.get_list("set-cookie") if "session" in one] == []
    assert session_of(browser) == ""


def test_a_form_of_another_site_sets_no_session(room: Room) -> None:
    browser = room.pages.browser()
    fields = {"token": browser.token(f"/m/{room.match}/sit"), "seat": "german", "secret": secret_of(GERMAN)}
    answer = browser.post(f"/m/{room.match}/sit", fields, site="cross-site")

    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers


def test_only_the_session_is_kept_from_other_sites(room: Room) -> None:
    """The visitor's cookie comes with a link of another site, so that it is not set anew and the forms of open pages stay valid."""
    browser = room.pages.browser()
    shown = browser.get(f"/m/{room.match}/sit")
    proved = browser.sit(room.match, GERMAN, secret_of(GERMAN))

    assert "wardiary_visitor" in shown.headers["set-cookie"]
    assert "samesite=lax" in shown.headers["set-cookie"].casefold()
    assert "wardiary_session" in proved.headers["set-cookie"]
    assert "samesite=strict" in proved.headers["set-cookie"].casefold()


@pytest.mark.parametrize("seat", [GERMAN, RUSSIAN])
def test_the_forms_of_open_pages_stay_valid_when_a_seat_is_proved(room: Room, seat: Seat) -> None:
    """The link of another seat, or of the same one again, is opened in a second tab."""
    browser = room.seated(room.mover)
    page = room.page(browser, room.mover)
    fields = {**fields_of(page, "play"), "option": "1"}
    session, before = session_of(browser), room.last
    browser.sit(room.match, seat, secret_of(seat))

    assert session_of(browser) not in ("", session)
    assert browser.post(f"/m/{room.match}/play", fields).status_code == 303
    assert room.last > before


def test_a_session_that_was_planted_proves_nothing(room: Room) -> None:
    browser, thief = room.pages.browser(), room.seated(RUSSIAN)
    planted = thief.cookies
    browser.become(planted)
    browser.sit(room.match, GERMAN, secret_of(GERMAN))
    thief.become(planted)

    assert browser.get(f"/m/{room.match}?seat=german").status_code == 200
    assert thief.get(f"/m/{room.match}?seat=german").status_code == 403


def test_the_cookie_outlives_the_session(room: Room) -> None:
    """When a session ends is decided here, by its use; the browser would count from when the cookie was set."""
    browser = room.pages.browser()
    cookie = browser.sit(room.match, GERMAN, secret_of(GERMAN)).headers["set-cookie"]
    age = re.search(r"max-age=(\d+)", cookie.casefold())

    assert age is not None
    assert int(age[1]) * 1_000 > 10 * IDLE_MS


def test_a_browser_keeps_its_seats_and_forms_when_the_pages_start_again(room: Room, tmp_path: Path) -> None:
    def pages() -> Pages:
        return Pages(room.pages.address, session_file=SessionFile(tmp_path / "kept", print))

    with pages() as before:
        browser = before.browser()
        browser.sit(room.match, room.mover, secret_of(room.mover))
        form, cookies, last = fields_of(room.page(browser, room.mover), "play"), browser.cookies, room.last
    with pages() as after:
        browser = after.browser()
        browser.become(cookies)
        played = browser.post(f"/m/{room.match}/play", {**form, "option": "1"})

        assert (played.status_code, room.last > last) == (303, True)
        assert b"Kept in this browser" in browser.get("/").content

        forgotten = browser.post("/forget", {"token": browser.token("/")})

        assert forgotten.status_code == 303
        assert browser.cookies == {}
        browser.become(cookies)
        assert browser.get(f"/m/{room.match}?seat={room.mover}").status_code == 403


def test_servers_on_two_ports_have_sessions_of_their_own(room: Room) -> None:
    """A browser sends the cookies of a host to all of its ports."""
    browser = room.seated(GERMAN)
    other = {"host": "127.0.0.1:8043", "sec-fetch-site": "same-origin"}
    page = f"/m/{room.match}/sit"
    token = re.search(rb'name="token" value="([0-9a-f]+)"', browser.ask("GET", page, other).content)
    assert token is not None
    body = f"token={token[1].decode()}&seat=russian&secret={secret_of(RUSSIAN)}".encode()
    kind = {"content-type": "application/x-www-form-urlencoded"}

    assert browser.ask("POST", page, {**other, **kind}, body).status_code == 303
    assert browser.get(f"/m/{room.match}?seat=german").status_code == 200
    assert browser.get(f"/m/{room.match}?seat=russian").status_code == 403
    assert browser.ask("GET", f"/m/{room.match}?seat=russian", other).status_code == 200


@pytest.mark.parametrize("host", ["127.0.0.1:none", "127.0.0.1:99999", "[::1", "::1:::"])
def test_a_host_without_a_real_port_is_no_fault_of_the_pages(room: Room, host: str) -> None:
    assert room.pages.browser().ask("GET", f"/m/{room.match}", {"host": host}).status_code in (200, 421)


@pytest.mark.parametrize(("scheme", "is_secure"), [("https", True), ("http", False)])
def test_every_cookie_is_secure_behind_tls(room: Room, scheme: str, *, is_secure: bool) -> None:
    browser = room.pages.browser(scheme=scheme)
    page = f"/m/{room.match}/sit"
    answers = [browser.get(f"/m/{room.match}"), browser.sit(room.match, GERMAN, secret_of(GERMAN))]
    answers.append(browser.post(f"/m/{room.match}/ask", {"token": browser.token(page), "seat": GERMAN, "on": "1"}))
    cookies = [cookie for answer in answers for cookie in answer.headers.get_list("set-cookie")]

    names = {cookie.partition("=")[0] for cookie in cookies}

    assert len(names) == 4
    assert len([name for name in names if name.startswith("__Host-")]) == (2 if is_secure else 0)
    assert [("secure" in cookie.casefold()) for cookie in cookies] == [is_secure] * len(cookies)


# Seats that are not proved


def said(answer: httpx.Response) -> str:
    """Return the reason that a page gives."""
    return words(found(read(answer), "p", "wrong")[0])


def test_the_page_of_an_unproved_seat_says_why_it_is_not_shown(room: Room) -> None:
    page = f"/m/{room.match}?seat=german"
    plain = room.pages.browser().get(page, sec_fetch_site="none")
    foreign = room.pages.browser().get(page, sec_fetch_site="cross-site")

    assert said(plain) == "The secret that proves the seat german is missing."
    assert "load the page again" in said(foreign)


def test_what_everybody_sees_cannot_be_proved(room: Room) -> None:
    browser = room.pages.browser()
    answer = browser.sit(room.match, PUBLIC, "any secret, long enough to be one, too")

    assert answer.status_code == 403
    assert said(answer) == "No secret is needed to see a match as everybody does."
    assert session_of(browser) == ""


@pytest.mark.parametrize(
    ("asking", "kept"),
    [("each", "each"), ("never", "never"), ("", "final"), ("\N{EURO SIGN}", "final"), ("each; path=/x", "final")],
)
def test_when_to_ask_is_kept_as_nothing_but_what_there_is(room: Room, asking: str, kept: str) -> None:
    browser = room.seated(GERMAN)
    answer = browser.post(
        f"/m/{room.match}/ask", {"token": browser.token(f"/m/{room.match}/sit"), "seat": GERMAN, "asking": asking}
    )

    assert answer.status_code == 303
    assert browser.cookies.get("wardiary_ask", "").strip('"') == kept


def test_a_seat_is_taken_under_a_name_of_one_line(room: Room) -> None:
    browser = room.pages.browser()
    fields = {"token": browser.token(f"/m/{room.match}/sit"), "seat": GERMAN, "key": "k"}
    answers = [browser.post(f"/m/{room.match}/take", {**fields, "name": name}) for name in NAMES]

    assert [(answer.status_code, said(answer)) for answer in answers] == [
        (409, "Not taken: A name is one line, without control characters and marks that cannot be seen.")
    ] * len(NAMES)


@pytest.mark.parametrize("path", ["/m/{}?seat=", "/m/{}@2?seat=", "/m/{}/sit?seat=", "/m/{}/view.ndjson?seat="])
def test_an_empty_seat_is_everybody(room: Room, path: str) -> None:
    browser = room.pages.browser()

    assert browser.get(path.format(room.match)).status_code == 200
    assert browser.get(path.format(room.match).removesuffix("?seat=")).status_code == 200
