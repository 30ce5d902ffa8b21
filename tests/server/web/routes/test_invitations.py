"""A reserved seat is taken on a page with its invitation, once; nothing that is sent or logged shows the invitation but the form."""

import logging
from collections.abc import Iterator
from hashlib import sha256
from xml.etree.ElementTree import Element

import pytest

from events.ids import ARBITER, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.desk.desk import Desk
from tests.support.browsing import Browser, Pages, browsed, fields_of, found, read, words
from tests.support.page_checks import check
from tests.support.page_room import Room
from tests.support.served import client_of, served
from tests.support.sitting import OWNER

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
INVITATION = "an invitation for Ada, long enough to be one"


@pytest.fixture
def hall() -> Iterator[Room]:
    """A match of *Battle for Stalingrad* whose German seat is reserved for Ada, and its pages."""
    log = MemoryLog()
    client = local_client(log)
    match = client.open("battle", dice="seeded", seed="4").match
    invite(Room(None, client, match), INVITATION)  # type: ignore[arg-type]
    with browsed(log) as (pages, _):
        yield Room(pages, client, match)


def invite(room: Room, secret: str) -> None:
    """Reserve the German seat for the holder of an invitation."""
    credential = sha256(secret.encode()).hexdigest()
    reserve = {"do": "match:reserve-seat", "seat": GERMAN, "name": "Ada", "credential": credential}
    room.owner.play(room.match, ARBITER, reserve)


def form_of(browser: Browser, room: Room, invitation: str) -> dict[str, str]:
    """Return the form of the reserved seat, filled in."""
    fields = take_fields(read(browser.get(f"/m/{room.match}/sit?seat={GERMAN}")))
    assert list(fields) == ["token", "key", "seat", "invitation", "name"]
    return {**fields, "seat": GERMAN, "invitation": invitation}


def take_fields(page: Element) -> dict[str, str]:
    """Return what the form of the reserved seat holds."""
    # The forms of the reserved and of the free seats go to the same address; the one of the reserved seats comes first.
    forms = [one for one in page.iter() if one.tag.endswith("}form") and one.attrib["action"].endswith("/take")]
    return {one.attrib["name"]: one.get("value", "") for one in forms[0].iter() if "name" in one.attrib}


def test_the_page_says_for_whom_a_seat_is_reserved_and_asks_for_its_invitation(hall: Room) -> None:
    browser = hall.pages.browser()
    page = read(browser.get(f"/m/{hall.match}/sit?seat={GERMAN}"))
    match = read(browser.get(f"/m/{hall.match}?table=1"))
    (reserved,) = [one for one in found(match, "p", "other") if words(one).startswith("Reserved")]
    check(page)

    assert "German for Ada" in words(page)
    assert words(next(one for one in found(page, "button", "main"))) == "Take the German seat and play"
    assert "Take the Russian seat" in words(page)
    assert words(reserved) == "Reserved: German for Ada. Sit down with an invitation"
    assert [one.attrib["href"] for one in reserved] == [f"/m/{hall.match}/sit?seat={GERMAN}"]


def test_an_invitation_opens_its_seat_which_then_has_a_secret_of_its_own(
    hall: Room, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    browser = hall.pages.browser()
    answer = browser.post(f"/m/{hall.match}/take", form_of(browser, hall, INVITATION))
    table = hall.owner.state(hall.match).table

    assert (answer.status_code, answer.headers["location"]) == (303, f"/m/{hall.match}?seat={GERMAN}")
    assert table.players == {GERMAN: "Ada"}
    assert table.reserved == {}
    assert INVITATION not in answer.text
    assert browser.get(f"/m/{hall.match}?seat={GERMAN}").status_code == 200
    assert INVITATION not in caplog.text


def shown_link(browser: Browser, hall: Room) -> str:
    """Return the link to the German seat that the browser shows."""
    page = read(browser.post(f"/m/{hall.match}/link", {"token": browser.token(f"/m/{hall.match}/sit"), "seat": GERMAN}))
    return next(one.attrib["href"] for one in page.iter() if "#" in one.attrib.get("href", "#")[1:])


def test_a_form_with_an_invitation_that_is_sent_twice_gives_the_same_link(hall: Room) -> None:
    """The first answer may be lost, and with it the secret and the cookie."""
    browser = hall.pages.browser()
    fields = form_of(browser, hall, INVITATION)
    cookies = browser.cookies
    first = browser.post(f"/m/{hall.match}/take", fields)
    link = shown_link(browser, hall)
    events = hall.owner.state(hall.match).seq
    browser.become(cookies)
    second = browser.post(f"/m/{hall.match}/take", fields)

    assert (first.status_code, second.status_code) == (303, 303)
    assert shown_link(browser, hall) == link
    assert hall.owner.state(hall.match).seq == events


@pytest.mark.parametrize(
    ("invitation", "said"),
    [
        ("", "The seat german is reserved: sit down with its invitation"),
        ("another invitation, long enough to be one", "This is not the invitation to the seat german of this match"),
    ],
)
def test_without_its_invitation_a_reserved_seat_is_not_taken(hall: Room, invitation: str, said: str) -> None:
    browser = hall.pages.browser()
    answer = browser.post(f"/m/{hall.match}/take", {**form_of(browser, hall, invitation), "name": "Bob"})
    page = read(answer)

    assert answer.status_code == 409
    assert words(found(page, "p", "wrong")[0]).startswith(f"Not taken: {said}")
    assert hall.owner.state(hall.match).table.players == {}
    assert "another invitation" not in answer.text
    assert fields_of(page, "sit")["seat"] == GERMAN


@pytest.mark.parametrize("path", ["/m/{}?seat=german", "/m/{}@2?seat=german", "/m/{}/view.ndjson?seat=german"])
def test_a_reserved_seat_is_not_called_free(hall: Room, path: str) -> None:
    answer = hall.pages.browser().get(path.format(hall.match))

    assert answer.status_code == 403
    assert "No player has the seat german." in words(read(answer))
    assert "is free" not in answer.text


def test_an_invitation_that_was_used_is_explained_to_who_follows_its_link_again(hall: Room) -> None:
    browser = hall.pages.browser()
    browser.post(f"/m/{hall.match}/take", form_of(browser, hall, INVITATION))
    other = hall.pages.browser()
    answer = other.sit(hall.match, GERMAN, INVITATION)

    assert answer.status_code == 403
    assert "it opens nothing any more: Ada has the seat" in words(found(read(answer), "p", "wrong")[0])


def test_who_follows_the_link_again_is_told_that_the_seat_is_theirs(hall: Room) -> None:
    browser = hall.pages.browser()
    path = f"/m/{hall.match}/sit?seat={GERMAN}"
    browser.post(f"/m/{hall.match}/take", form_of(browser, hall, INVITATION))
    sent = browser.sit(hall.match, GERMAN, INVITATION)
    page = read(browser.get(path))
    check(page)

    assert (sent.status_code, sent.headers["location"]) == (303, path)
    assert words(next(one for one in page.iter() if one.tag.endswith("}h1"))) == "This seat is yours"
    assert [one.attrib["href"] for one in found(page, "a", "main")] == [f"/m/{hall.match}?seat={GERMAN}"]
    assert [one for one in page.iter() if "data-fragment" in one.attrib] == []


def test_a_player_who_was_replaced_and_is_invited_again_may_take_the_seat_in_the_same_browser() -> None:
    log = MemoryLog()
    match = local_client(log).open("battle", dice="seeded", seed="4").match
    again = sha256(b"another invitation").hexdigest()
    replace = {
        "do": "match:replace-player",
        "seat": GERMAN,
        "credential": again,
        "name": "Ada",
        "reason": "lost the link",
    }
    with (
        served(desk=Desk(log, owner=OWNER)) as broker,
        Pages(broker.address, is_operator_allowed=False, notices=None) as pages,
        client_of(broker, owner=OWNER) as arbiter,
    ):
        room = Room(pages, arbiter, match)
        invite(room, INVITATION)
        browser = pages.browser()
        browser.post(f"/m/{match}/take", form_of(browser, room, INVITATION))
        before = words(read(browser.get(f"/m/{match}/sit?seat={GERMAN}")))
        arbiter.play(match, ARBITER, replace)
        page = read(browser.get(f"/m/{match}/sit?seat={GERMAN}"))

    assert ("This seat is yours" in before, "This seat is yours" in words(page)) == (True, False)
    assert "invitation" in take_fields(page)


def test_a_refused_name_keeps_the_invitation(hall: Room) -> None:
    browser = hall.pages.browser()
    form = form_of(browser, hall, INVITATION)
    answer = browser.post(f"/m/{hall.match}/take", {**form, "name": "A\u200bda"})
    kept = take_fields(read(answer))
    taken = browser.post(f"/m/{hall.match}/take", {**kept, "name": "Ada"})

    assert answer.status_code == 409
    assert "a name is one line" in words(found(read(answer), "p", "wrong")[0]).casefold()
    assert kept["invitation"] == INVITATION
    assert taken.status_code == 303


def test_invitations_are_not_tried_without_end(hall: Room) -> None:
    browser = hall.pages.browser()
    fields = form_of(browser, hall, "another invitation, long enough to be one")
    codes = [browser.post(f"/m/{hall.match}/take", fields).status_code for _ in range(21)]

    assert codes == [409] * 20 + [429]
