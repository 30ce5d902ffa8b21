"""`play` opens a match, seats the person and a bot, and leads to the table; Ctrl-C ends it, and the match goes on later."""

import re
import signal
import stat
from pathlib import Path

import httpx
import pytest

from cli.commands.serving.play import NOBODY
from cli.schemas.base import ErrorShape
from cli.schemas.matches import PlayingShape
from cli.shell.seat_secrets import players_of, read_secrets
from events.codec import Decoder
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Terminal
from tests.support.emulator import Emulator
from tests.support.served import eventually, served

SHAPE: Decoder[PlayingShape] = Decoder(PlayingShape)
END_S = 30
SAME = {"sec-fetch-site": "same-origin"}
LINK = re.compile(r"(http://127\.0\.0\.1:\d+)(/m/[a-z0-9]+/sit\?seat=[a-z]+)#(\w+)")


@pytest.fixture(autouse=True)
def own_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep secrets apart from those of the user who runs the tests."""
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "seats.json"))
    monkeypatch.delenv("BROWSER", raising=False)


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program that is taken for a browser, and writes the address with which it is started into a file."""
    program, opened = tmp_path / "browser", tmp_path / "address"
    program.write_text(f'#!/bin/sh\necho "$1" > "{opened}.part" && mv "{opened}.part" "{opened}"\n', encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("BROWSER", f"{program} %s")
    return opened


def sit(link: str) -> tuple[int, str]:
    """Follow the link of a seat as a browser with scripts does: status and text of the page that answers."""
    found = LINK.match(link)
    assert found is not None, link
    site, address, word = found.groups()
    with httpx.Client(base_url=site, follow_redirects=True) as visitor:
        form = visitor.get(address).text
        token = re.findall('name="token" value="([0-9a-f]+)"', form)[0]
        seat = address.rpartition("=")[2]
        answer = visitor.post(address, data={"token": token, "seat": seat, "secret": word}, headers=SAME)
        return answer.status_code, answer.text


def test_one_command_leads_to_a_table_with_a_bot_and_goes_on_later(terminal: Terminal, browser: Path) -> None:
    """Takes seconds: two servers and a bot are started."""
    process = terminal.started(["play", "battle", "--json", "--dice", "sealed", "--listen", "127.0.0.1:*"])
    assert process.stdout is not None
    told = SHAPE.decode(process.stdout.readline())
    eventually(browser.exists, "the browser")
    ticket = browser.read_text(encoding="utf-8").strip()
    by_ticket, once_more, by_link = sit(ticket), sit(ticket), sit(told.seats[Seat("german")])
    with SqliteLog(terminal.store, read_only=True) as log:
        # The page has answered the anchor of the bot, whose turn it is to begin, or has begun itself.
        eventually(lambda: local_client(log).state(told.match).table.began, "the match does not begin")
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=END_S)
    with SqliteLog(terminal.store, read_only=True) as log:
        table = local_client(log).state(told.match).table

    assert list(told.seats) == ["german"]
    assert ticket not in told.seats.values()
    assert by_ticket[0] == 200
    assert once_more[0] == 403
    assert by_link[0] == 200
    kept = f"the match is kept in {terminal.store}; to go on: wardiary play {told.match}"
    assert (process.returncode, Decoder(ErrorShape).decode(err).message) == (130, kept)
    assert dict(table.players) == {"russian": "greedy bot", "german": ""}

    again = terminal.started(["play", told.match[:6], "--json", "--no-browser", "--listen", "127.0.0.1:*"])
    assert again.stdout is not None
    back = SHAPE.decode(again.stdout.readline())
    again.terminate()
    again.communicate(timeout=END_S)

    assert (back.match, [*back.seats]) == (told.match, ["german"])


@pytest.mark.long
def test_a_rematch_that_was_opened_in_the_browser_goes_on_as_well(terminal: Terminal) -> None:
    """Takes seconds: a server and a bot are started."""
    line = ["play", "battle", "--json", "--no-browser", "--dice", "seeded:1", "--listen", "127.0.0.1:*"]
    process = terminal.started(line)
    assert process.stdout is not None
    told = SHAPE.decode(process.stdout.readline())
    found = LINK.match(told.seats[Seat("german")])
    assert found is not None
    site, address, word = found.groups()
    with httpx.Client(base_url=site, follow_redirects=True, headers=SAME, timeout=END_S) as visitor:

        def send(path: str, page: str, **more: str) -> httpx.Response:
            """Send the form of a page whose address ends like this."""
            (form,) = re.findall(f'<form[^>]*action="{path}"[^>]*>.*?</form>', page, re.DOTALL)
            fields = dict(re.findall('<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
            return visitor.post(path, data=fields | more)

        page = send(f"/m/{told.match}/sit", visitor.get(address).text, seat="german", secret=word).text
        while "/rematch" not in page:
            # The bot may have been quicker.
            page = send(f"/m/{told.match}/resign", visitor.get(f"/m/{told.match}?seat=german").text).text
        again = MatchId(str(send(f"/m/{told.match}/rematch", page).url).rpartition("/m/")[2].partition("?")[0])
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=END_S)
    kept = read_secrets(players_of(str(terminal.store)))

    assert again != told.match
    assert f"to go on: wardiary play {again}" in err.decode()
    assert list(kept[again]) == ["russian"]


def test_through_a_server_its_bots_play_and_its_address_keeps_the_seat(terminal: Terminal, browser: Path) -> None:
    with served(MemoryLog(), bots=True) as broker:
        words = ["play", "battle", "--connect", broker.address, "--json", "--listen", "127.0.0.1:*"]
        process = terminal.started([*words, "--tour"])
        assert process.stdout is not None
        told = SHAPE.decode(process.stdout.readline())
        eventually(browser.exists, "the browser")
        status, page = sit(browser.read_text(encoding="utf-8").strip())
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=END_S)
        kept = read_secrets(broker.address)

    assert (told.store, told.requests) == ("", broker.address)
    assert (status, "First match:" in page) == (200, True)
    assert process.returncode == 130
    assert f"to go on: wardiary play {told.match} --connect {broker.address}" in err.decode()
    assert list(kept[told.match]) == ["russian"]


@pytest.mark.long
def test_without_an_opponent_the_person_has_every_seat_and_a_link_for_each(terminal: Terminal) -> None:
    process = terminal.started(
        ["play", "battle", "--against", NOBODY, "--side", "german", "--no-browser", "--listen", "127.0.0.1:*"]
    )
    assert process.stdout is not None
    lines = [process.stdout.readline().decode() for _ in range(5)]
    process.terminate()
    process.communicate(timeout=END_S)

    assert lines[0] == "Battle for Stalingrad: you play German and Russian\n"
    assert [line.split()[1] for line in lines[1:3]] == ["german:", "russian:"]
    assert lines[3] == f"Store:  {terminal.store}\n"
    assert "Ctrl-C ends" in lines[4]


def test_the_same_in_a_terminal(terminal: Terminal, tmp_path: Path) -> None:
    """Takes seconds: a server and a bot are started, and a screen."""
    screen = Emulator(
        ["play", "advance", "--terminal", "--dice", "sealed", "--store", str(terminal.store)],
        WARDIARY_SEATS=str(tmp_path / "seats.json"),
    )
    try:
        screen.until("YOU DECIDE: what to buy")
        screen.until("q Quit")
        screen.type("q")

        assert screen.ended() == 0
        match = MatchId(terminal.done("list", "--json").objects[0]["match"])  # type: ignore[arg-type]
        kept = f"the match is kept in {terminal.store}; to go on: wardiary play {match} --terminal --store {terminal.store}"
        assert kept in "".join(screen.words.split("\r\n")[-2:])
    finally:
        screen.close()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("play chess", "no game or match is called 'chess'; there are: advance, axis-allies, battle, inferno"),
        ("play batle", "no game or match is called 'batle'; did you mean battle?"),
        ("play MATCH 1", "to choose an option: wardiary choose MATCH 1"),
        ("play MATCH artillery", "to choose an option: wardiary choose MATCH artillery"),
        ("play MATCH --against random", "a match goes on as it is"),
        ("play MATCH --scenario standard", "a match goes on as it is"),
        ("play battle --side blue", "no seat of battle is called 'blue'; there are: russian, german"),
        (
            "play battle --against deepblue",
            "no opponent is called 'deepblue'; there are: random, greedy, search, recruit, sergeant, general, none",
        ),
        ("play battle --scenario winter", "winter"),
        ("play battle --dice manual", "a match with typed dice is opened with `wardiary new`"),
        ("play battle --dice lead", "dice are sealed, seeded:SEED or manual"),
        ("play advance --against greedy", "advance has one seat in mode"),
        ("play battle --listen nowhere", "pages are served at HOST:PORT"),
        ("play advance --tour", "advance has no match that explains itself; `wardiary learn advance`"),
        ("play battle --tour --dice seeded:1", "--tour has dice of its own"),
        ("play battle --tour --terminal", "--tour has dice of its own"),
        ("play battle --terminal", "table needs a terminal"),
    ],
)
def test_a_wish_that_cannot_be_met_opens_nothing(terminal: Terminal, line: str, said: str) -> None:
    match = terminal.line("new", "advance", "--dice", "seeded:1")
    ran = terminal(*(word.replace("MATCH", match) for word in line.split()))

    assert (ran.code, said.replace("MATCH", match) in ran.err) == (2, True), ran.err
    assert [one["match"] for one in terminal.done("list", "--json").objects] == [match]


def test_a_match_in_which_no_seat_was_taken_here_is_not_gone_on_with(terminal: Terminal) -> None:
    match = terminal.line("new", "advance", "--dice", "seeded:1")
    ran = terminal("play", match, "--no-browser", "--listen", "127.0.0.1:*")

    assert (ran.code, f"you have no seat in match {match} that `play` can go on with" in ran.err) == (2, True)
