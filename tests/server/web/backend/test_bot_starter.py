"""Where the pages run the server, a bot takes a free seat at a click; elsewhere they say how to start one."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import httpx
import pytest

from events.ids import ARBITER, GameKey, MatchId, Seat
from events.memory_log import MemoryLog
from server.client.bots import run_bot
from server.client.local import local_client
from server.web.backend.bot_starter import BOTS_MAX, Bots
from tests.support.browsing import HTML, Browser, Pages, fields_of, found, played, read, words
from tests.support.page_checks import check
from tests.support.served import SOON_MS, client_of, served

GERMAN, RUSSIAN = Seat("german"), Seat("russian")


class Hall:
    """Pages that start bots as threads.

    Args:
        fails: Whether a bot ends before it has a seat.
        waits: Whether a bot that has a seat does nothing.
    """

    def __init__(self, *, fails: bool = False, waits: bool = False) -> None:
        self.fails = fails
        self.waits = waits
        self.stopped = Event()
        self.threads: list[Thread] = []
        self.log = MemoryLog()
        self.match = local_client(self.log).open("battle", dice="seeded", seed="4").match

    @contextmanager
    def pages(self) -> Iterator[Pages]:
        """Serve the pages until the block ends."""
        with served(self.log) as broker:

            def play(match: MatchId, seat: Seat, policy: str) -> None:
                if self.fails:
                    return
                with client_of(broker) as client:
                    client.take_seat(match, seat, f"{policy} bot")
                    if self.waits:
                        self.stopped.wait()
                    run_bot(client, match, seat, policy, is_stopped=self.stopped.is_set)

            def start(game: GameKey, match: MatchId, seat: Seat, policy: str) -> "Hall.Process":
                assert game == "battle"
                thread = Thread(target=play, args=(match, seat, policy))
                thread.start()
                self.threads.append(thread)
                return Hall.Process(thread)

            try:
                with Pages(broker.address, bots=Bots(start)) as pages:
                    yield pages
            finally:
                self.stopped.set()
                for thread in self.threads:
                    thread.join(SOON_MS / 1000)

    class Process:
        """A thread as a process."""

        def __init__(self, thread: Thread) -> None:
            self._thread = thread

        def poll(self) -> int | None:
            """Return the exit code, or None while it runs."""
            return None if self._thread.is_alive() else 0


def start(browser: Browser, match: str, **changes: str) -> httpx.Response:
    page = read(browser.get(f"/m/{match}/sit"))
    return browser.post(f"/m/{match}/bot", {**fields_of(page, "bot"), **changes})


def test_a_bot_takes_a_free_seat_and_plays_against_a_visitor() -> None:
    hall = Hall()
    with hall.pages() as pages:
        browser = pages.browser()
        check(read(browser.get(f"/m/{hall.match}/sit")))
        way = words(found(read(browser.get(f"/m/{hall.match}")), "p", "other")[0])
        browser.post(
            f"/m/{hall.match}/take", {"token": browser.token(f"/m/{hall.match}/sit"), "seat": "german", "name": "Ada"}
        )
        started = start(browser, hall.match, seat="russian", policy="greedy")
        players = local_client(hall.log).state(hall.match).table.players

        assert "let a bot play it" in way
        assert started.status_code == 303
        assert started.headers["location"] == f"/m/{hall.match}?seat=german"
        assert players == {GERMAN: "Ada", RUSSIAN: "greedy bot"}
        assert "let a bot play it" not in browser.get(f"/m/{hall.match}").text


@pytest.mark.parametrize(
    ("change", "status"), [({"seat": "purple"}, 409), ({"policy": "perfect"}, 400), ({"token": "x"}, 403)]
)
def test_a_bot_that_cannot_be_started_is_told(change: dict[str, str], status: int) -> None:
    hall = Hall()
    with hall.pages() as pages:
        assert start(pages.browser(), hall.match, **change).status_code == status
    assert hall.threads == []


def test_a_seat_that_is_taken_gets_no_bot() -> None:
    hall = Hall()
    match = played(hall.log, "battle", 1)
    with hall.pages() as pages:
        browser = pages.browser()
        token = browser.token(f"/m/{match}/sit")
        answer = browser.post(f"/m/{match}/bot", {"token": token, "seat": "german", "policy": "greedy"})

        assert answer.status_code == 409
    assert hall.threads == []


def test_a_bot_that_ends_before_it_has_its_seat_is_told() -> None:
    hall = Hall(fails=True)
    with hall.pages() as pages:
        response = start(pages.browser(), hall.match)

        assert response.status_code == 502
        assert words(next(iter(read(response).iter(f"{HTML}h1")))) == "The bot did not sit down"


def test_so_many_bots_play_at_a_time_and_no_more() -> None:
    hall = Hall(waits=True)
    client = local_client(hall.log)
    matches = [client.open("battle", dice="seeded", seed="4").match for _ in range(BOTS_MAX // 2 + 1)]
    with hall.pages() as pages:
        codes = [
            start(pages.browser(f"10.0.1.{place}"), match, seat=seat, policy="random").status_code
            for place, match in enumerate(matches)
            for seat in ("german", "russian")
        ]

        assert codes[-1] == 429
        assert codes[:-2] == [303] * BOTS_MAX


def test_an_address_starts_so_many_bots_and_no_more() -> None:
    hall = Hall(fails=True)
    with hall.pages() as pages:
        browser = pages.browser()
        codes = [start(browser, hall.match).status_code for _ in range(9)]

        assert codes == [502] * 8 + [429]


def test_pages_of_another_server_say_how_to_start_a_bot() -> None:
    log = MemoryLog()
    match = local_client(log).open("battle", dice="seeded", seed="4").match
    with served(log) as broker, Pages(broker.address) as pages:
        browser = pages.browser()
        page = read(browser.get(f"/m/{match}/sit"))
        answer = browser.post(f"/m/{match}/bot", {"token": browser.token(f"/m/{match}/sit"), "seat": "german"})

        assert f"wardiary bot battle --connect ADDRESS --match {match} --seat" in words(page)
        assert answer.status_code == 403


def test_a_reserved_seat_is_not_offered_to_others() -> None:
    hall = Hall()
    with hall.pages() as pages:
        browser = pages.browser()
        reserve = {"do": "match:reserve-seat", "seat": "german", "name": "Ada", "credential": "0" * 64}
        local_client(hall.log).play(hall.match, ARBITER, reserve)
        said = [words(one) for one in found(read(browser.get(f"/m/{hall.match}")), "p", "other")]
        listed = [words(one) for one in found(read(browser.get("/")), "span", "player")]
        sit = words(read(browser.get(f"/m/{hall.match}/sit")))

        assert said[0] == "Reserved: German for Ada. Sit down with an invitation"
        assert said[1].startswith("Free: Russian. ")
        assert listed == ["Russian: free", "German: reserved for Ada"]
        assert "Take the Russian seat" in sit
        assert "Take the German seat" not in sit
        assert start(browser, hall.match, seat="german").status_code == 409
    assert hall.threads == []
