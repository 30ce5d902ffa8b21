"""Every reply carries what a browser needs to be strict; requests are bounded; moments are cached."""

from asyncio import Event, create_task, run, sleep
from collections.abc import AsyncIterator, Iterator
from time import monotonic

import pytest

from events.ids import MatchId
from events.memory_log import MemoryLog
from server.protocol.clock import SystemClock
from server.web.http import guard
from server.web.http.guard import BODY_BYTES_MAX, PATH_BYTES_MAX, Guard, Message, Receive, Scope, Send
from server.web.http.rate_limits import Rates, whose
from tests.support.browsing import HOST, Pages, browsed, played
from tests.support.rows import each_row
from tests.support.served import eventually
from tests.support.sitting import StillClock


@pytest.fixture(scope="module")
def site() -> Iterator[tuple[Pages, MatchId]]:
    log = MemoryLog()
    match = played(log, "battle", 4)
    with browsed(log) as (pages, _):
        yield pages, match


PATHS = ["/", "/m/{}", "/m/{}@3", "/m/{}/sit", "/m/{}/view.ndjson", "/static/page.css", "/m/none", "/nothing"]


@each_row("path", PATHS)
def test_every_reply_is_strict(site: tuple[Pages, MatchId], path: str) -> None:
    pages, match = site
    headers = pages.browser().get(path.format(match)).headers
    policy = headers["content-security-policy"].split("; ")

    assert {"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"} <= set(policy)
    assert not any("unsafe" in rule or "*" in rule or "http" in rule for rule in policy)
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "server" not in headers


@each_row("path", PATHS)
def test_head_says_the_same_as_get_without_a_body(site: tuple[Pages, MatchId], path: str) -> None:
    pages, match = site
    browser = pages.browser()
    got, head = browser.get(path.format(match)), browser.ask("HEAD", path.format(match))

    assert (head.status_code, head.content) == (got.status_code, b"")
    assert head.headers["content-type"] == got.headers["content-type"]


async def parts(count: int) -> AsyncIterator[bytes]:
    """Yield a body of so many kilobytes."""
    for _ in range(count):
        yield b"x" * 1024


def test_a_form_of_unknown_size_that_is_too_large_is_no_fault_of_the_pages(site: tuple[Pages, MatchId]) -> None:
    pages, match = site
    browser = pages.browser()
    headers = {"origin": HOST, "content-type": "application/x-www-form-urlencoded"}
    answers = [browser.ask("POST", f"/m/{match}/sit", headers, parts(count)).status_code for count in (1, 20)]

    assert answers == [403, 400]


def test_a_moment_is_sent_again_only_if_it_has_changed(site: tuple[Pages, MatchId]) -> None:
    pages, match = site
    browser = pages.browser()
    first = browser.get(f"/m/{match}@3")
    second = browser.get(f"/m/{match}@3", if_none_match=first.headers["etag"])
    other = browser.get(f"/m/{match}@4", if_none_match=first.headers["etag"])

    assert (second.status_code, second.content) == (304, b"")
    assert other.status_code == 200
    assert first.headers["cache-control"] == "private, no-cache"


def test_the_present_and_a_seats_pages_are_not_kept(site: tuple[Pages, MatchId]) -> None:
    pages, match = site

    assert pages.browser().get(f"/m/{match}").headers["cache-control"] == "no-store"
    assert pages.browser().get(f"/m/{match}/sit").headers["cache-control"] == "no-store"


def test_static_files_are_kept_for_ever_under_their_version(site: tuple[Pages, MatchId]) -> None:
    assert "immutable" in site[0].browser().get("/static/page.css").headers["cache-control"]


def test_another_name_of_the_server_is_refused(site: tuple[Pages, MatchId]) -> None:
    browser = site[0].browser()

    assert browser.get("/", host="evil.example").status_code == 421
    assert browser.get("/", host="[::1]:8042").status_code == 200
    assert browser.get("/", host="localhost").status_code == 200


def test_a_request_that_is_too_large_is_refused(site: tuple[Pages, MatchId]) -> None:
    pages, match = site
    browser = pages.browser()

    assert browser.get(f"/{'x' * PATH_BYTES_MAX}").status_code == 414
    assert browser.ask("POST", f"/m/{match}/sit", {}, b"x" * (BODY_BYTES_MAX + 1)).status_code == 413


def test_an_address_that_asks_too_often_is_told_to_wait(site: tuple[Pages, MatchId]) -> None:
    pages, _ = site
    browser = pages.browser("10.0.0.7")
    answers = [browser.get("/static/icon.svg") for _ in range(360)]
    refused = [answer for answer in answers if answer.status_code == 429]

    assert refused
    assert int(refused[0].headers["retry-after"]) >= 1
    assert pages.browser("10.0.0.8").get("/static/icon.svg").status_code == 200


def test_a_bucket_is_refilled_steadily() -> None:
    clock = StillClock()
    rates = Rates(clock, most=2, per_s=0.5)
    at_once = [rates.wait_s("a") for _ in range(3)]
    clock.seconds += 2.0

    assert at_once == [0.0, 0.0, 2.0]
    assert [rates.wait_s("a"), rates.wait_s("a"), rates.wait_s("b")] == [0.0, 2.0, 0.0]


def test_only_get_and_the_forms_are_answered(site: tuple[Pages, MatchId]) -> None:
    pages, match = site

    assert pages.browser().ask("DELETE", f"/m/{match}").status_code == 405
    assert pages.browser().ask("POST", "/").status_code == 405


def test_an_address_has_only_so_many_requests_at_a_time(
    site: tuple[Pages, MatchId], monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, match = site
    monkeypatch.setattr(guard, "AT_ONCE_MAX", 1)
    stream = pages.stream(f"/m/{match}/news?after=1")
    stream.next()
    same, other = pages.browser().get("/"), pages.browser("10.0.0.9").get("/")
    stream.close()

    assert (same.status_code, same.headers["retry-after"]) == (429, "1")
    assert other.status_code == 200
    eventually(lambda: pages.browser().get("/").status_code == 200, "the stream has ended")


@each_row(
    ("host", "by"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("::1", "::1"),
        ("not an address", "not an address"),
    ],
)
def test_a_visitor_is_limited_by_the_address_or_the_network_that_is_the_visitors_own(host: str, by: str) -> None:
    assert whose(host) == by


def test_the_requests_of_one_network_share_a_bucket(
    site: tuple[Pages, MatchId], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the clock stands still, since a slow machine refills the bucket as fast as it asks."""
    pages, _ = site
    now = monotonic()
    monkeypatch.setattr(SystemClock, "monotonic", lambda _: now)
    answers = [pages.browser(f"2001:db8::{number:x}").get("/static/page.css").status_code for number in range(1, 331)]

    assert answers[0] == 200
    assert 429 in answers
    assert pages.browser("2001:db8:0:1::1").get("/matches").status_code == 200


@each_row("is_begun", [False, True])
def test_a_request_that_the_end_of_the_server_breaks_off_is_told_so(is_begun: bool) -> None:
    """A traceback for each of them was printed when pages were stopped while a visitor waited for chances."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b""}

    async def waits(_: Scope, __: Receive, send: Send) -> None:
        if is_begun:
            await send({"type": "http.response.start", "status": 200})
        await Event().wait()

    async def ended() -> None:
        scope: Scope = {"type": "http", "method": "GET", "headers": [], "raw_path": b"/", "query_string": b""}
        task = create_task(Guard(waits, Rates(StillClock(), most=1, per_s=1), ())(scope, receive, send))
        await sleep(0)
        task.cancel()
        await task

    run(ended())
    assert [one.get("status") for one in sent] == ([200] if is_begun else [503, None])
