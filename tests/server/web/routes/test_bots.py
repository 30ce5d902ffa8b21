"""A bot of the server takes a free seat at a click, whether the pages run the server or are one of its clients."""

import httpx
import pytest

from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.web.routes import lobby_routes, seat_routes
from tests.support.browsing import HTML, Browser, browsed, fields_of, found, played, read, secret_of, words
from tests.support.page_checks import check
from tests.support.rows import each_row
from tests.support.served import eventually

GERMAN, RUSSIAN = Seat("german"), Seat("russian")


def opened(log: MemoryLog) -> MatchId:
    return local_client(log).open("battle", dice="seeded", seed="4").match


def start(browser: Browser, match: str, **changes: str) -> httpx.Response:
    page = read(browser.get(f"/m/{match}/sit"))
    return browser.post(f"/m/{match}/bot", {**fields_of(page, "bot"), **changes})


def test_a_bot_takes_a_free_seat_and_plays_against_a_visitor() -> None:
    log = MemoryLog()
    match = opened(log)
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        check(read(browser.get(f"/m/{match}/sit")))
        browser.post(f"/m/{match}/take", {"token": browser.token(f"/m/{match}/sit"), "seat": "russian", "name": "Ada"})
        started = start(browser, match, seat="german", policy="recruit")
        client = local_client(log)
        # The German side decides first.
        eventually(lambda: client.legal(match).to_move == RUSSIAN, "the bot does not play")
        players = client.state(match).table.players

        assert started.status_code == 303
        assert started.headers["location"] == f"/m/{match}?seat=russian"
        assert players == {RUSSIAN: "Ada", GERMAN: "greedy bot"}
        assert "Let a bot play it" not in browser.get(f"/m/{match}/sit").text


@each_row(
    ("change", "status"),
    [({"seat": "purple"}, 409), ({"seat": ARBITER}, 409), ({"policy": "perfect"}, 409), ({"token": "x"}, 403)],
)
def test_a_bot_that_cannot_be_seated_is_told(change: dict[str, str], status: int) -> None:
    log = MemoryLog()
    match = opened(log)
    with browsed(log, bots=True) as (pages, _):
        assert start(pages.browser(), match, **change).status_code == status
    assert local_client(log).state(match).table.players == {}


def test_a_seat_that_is_taken_gets_no_bot() -> None:
    log = MemoryLog()
    match = played(log, "battle", 1)
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        token = browser.token(f"/m/{match}/sit")
        answer = browser.post(f"/m/{match}/bot", {"token": token, "seat": "german", "policy": "greedy"})

        assert answer.status_code == 409


def test_an_address_starts_so_many_bots_and_no_more() -> None:
    log = MemoryLog()
    client = local_client(log)
    matches = [client.open("advance", dice="manual").match for _ in range(9)]
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        codes = [start(browser, match).status_code for match in matches]
        last = start(browser, matches[-1])

        assert codes == [303] * 8 + [429]
        assert "Try again in" in words(read(last))


@pytest.mark.long
def test_a_stranger_who_starts_a_bot_again_and_again_has_as_many_as_are_allowed_and_is_told() -> None:
    """Each form asks for another match or another bot; three hundred of them take two seconds."""
    log = MemoryLog()
    client = local_client(log)
    matches = [client.open("advance", dice="manual").match for _ in range(50)]
    with browsed(log, bots=True) as (pages, _):
        stranger, other = pages.browser("10.0.0.9"), pages.browser("10.0.0.8")
        forms = {match: fields_of(read(stranger.get(f"/m/{match}/sit")), "bot") for match in matches}
        fields = {"token": stranger.token("/"), "game": "battle", "against": "watch"}
        answers = []
        for number in range(150):
            match = matches[number % len(matches)]
            answers.append(stranger.post(f"/m/{match}/bot", {**forms[match], "key": f"k{number}"}))
            answers.append(stranger.post("/new", {**fields, "key": f"k{number}"}))
        seated = sum(bool(client.state(match).table.players) for match in matches)
        opened = len(client.matches()) - len(matches)

        assert seated == seat_routes.BOTS
        # A few more may be opened while the answers come, as the quota is refilled.
        assert lobby_routes.OPENS <= opened <= lobby_routes.OPENS + 3
        assert answers[-1].status_code == answers[-2].status_code == 429
        assert all("Try again in" in words(read(one)) for one in answers[-2:])
        assert start(other, matches[-1]).status_code == 303


def test_a_server_without_bots_offers_none() -> None:
    log = MemoryLog()
    match = opened(log)
    with browsed(log) as (pages, _):
        browser = pages.browser()
        page = read(browser.get(f"/m/{match}/sit"))
        answer = browser.post(f"/m/{match}/bot", {"token": browser.token(f"/m/{match}/sit"), "seat": "german"})

        assert [words(one) for one in page.iter(f"{HTML}h2") if "Bot" in words(one)] == []
        assert answer.status_code == 409
        assert "plays no bots" in words(read(answer))


def test_a_reserved_seat_is_not_offered_to_others() -> None:
    log = MemoryLog()
    match = opened(log)
    with browsed(log, bots=True) as (pages, _):
        browser = pages.browser()
        reserve = {"do": "match:reserve-seat", "seat": "german", "name": "Ada", "credential": "0" * 64}
        local_client(log).play(match, ARBITER, reserve)
        said = [words(one) for one in found(read(browser.get(f"/m/{match}?table=1")), "p", "other")]
        sit = words(read(browser.get(f"/m/{match}/sit")))

        assert said[0] == "Reserved: German for Ada. Sit down with an invitation"
        assert said[1].startswith("Free: Russian. ")
        assert "Take the Russian seat" in sit
        assert "Take the German seat" not in sit
        assert start(browser, match, seat="german").status_code == 409


@pytest.mark.parametrize(("name", "is_told"), [("greedy bot", True), ("Vera", False)])
def test_a_player_whose_bot_does_not_answer_is_told_what_to_do(name: str, *, is_told: bool) -> None:
    """No bot plays here, as if it had failed; the page says it after a while."""
    log = MemoryLog()
    client = local_client(log)
    match = client.open("battle", dice="seeded", seed="7").match
    for seat, one in ((RUSSIAN, name), (GERMAN, "Ada")):
        client.take_seat(match, seat, one, secret=secret_of(seat))
    with browsed(log) as (pages, _):
        ada = pages.browser()
        ada.sit(match, GERMAN, secret_of(GERMAN))
        page = read(ada.get(f"/m/{match}?seat=german"))
        stranger = read(pages.browser().get(f"/m/{match}"))
        check(page)
        told = found(page, "p", "silent")
        ways = [one.attrib["href"] for said in told for one in said.iter(f"{HTML}a")]

        assert client.legal(match).to_move == RUSSIAN
        assert bool(told) is is_told
        assert found(stranger, "p", "silent") == []
        assert all("Try" in words(read(ada.get(way))) for way in ways)
