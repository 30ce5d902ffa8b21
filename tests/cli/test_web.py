"""`web` serves pages of a store or of a server until it is told to stop."""

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import httpx
import pytest

from cli.commands.serving.web import HOST, PORT, parse_listen
from cli.schemas.server import PagesShape
from cli.shell.exit_codes import UserError
from cli.shell.seat_secrets import SEATS_VARIABLE
from events.codec import Decoder
from events.errors import StoreUnavailable
from events.ids import MatchId
from events.memory_log import MemoryLog
from server.client.local import local_client
from server.client.sockets import connect
from server.protocol.errors import RequestFailed
from server.store.one_server import only_server
from server.store.sqlite_log import SqliteLog
from tests.cli.running import WARDIARY, Terminal
from tests.support.browsing import played
from tests.support.privileges import as_others_do
from tests.support.rows import each_row
from tests.support.served import QUICK, eventually, served

SHAPE: Decoder[PagesShape] = Decoder(PagesShape)
END_S = 20


@contextmanager
def serving(
    *arguments: str, before: Callable[[], None] | None = None
) -> Iterator[tuple["subprocess.Popen[bytes]", PagesShape]]:
    command = [str(WARDIARY), "web", "--json", "--listen", "127.0.0.1:*", *arguments]
    with subprocess.Popen(  # The child does nothing before but give up a privilege.
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=before,  # noqa: PLW1509
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        line = process.stdout.readline()
        if not line:
            pytest.fail(process.stderr.read().decode())
        try:
            yield process, SHAPE.decode(line)
        finally:
            process.terminate()
            process.communicate(timeout=END_S)


def read(address: str) -> str:
    with urlopen(address, timeout=END_S) as answer:
        return str(answer.read().decode())


def test_a_store_is_served_until_it_is_ended(terminal: Terminal, tmp_path: Path) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:1")
    with serving("--store", str(terminal.store), "--allow-operator-key") as (process, told):
        listed, page = read(told.pages), read(f"{told.pages}m/{match}")
        taken = told.pages.removeprefix("http://").rstrip("/")
        second = Terminal(tmp_path / "other.db")("web", "--listen", taken)
        third = terminal("web", "--listen", "127.0.0.1:*")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=END_S)

        assert process.returncode == 0
    assert match in listed
    assert "Waiting for" in page
    assert err.decode().startswith("the operator's key, until the pages end: ")
    assert (second.code, f"cannot listen at {taken}" in second.err) == (3, True)
    assert (third.code, "has a server already" in third.err) == (3, True)


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="a process of the tests' owner can write everything here")
@pytest.mark.parametrize(
    ("file", "folder"),
    [(0o600, 0o500), (0o400, 0o700), (0o400, 0o500)],
)
def test_a_store_that_can_only_be_read_is_shown(file: int, folder: int, terminal: Terminal, tmp_path: Path) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:1")
    place = tmp_path / "archive"
    place.mkdir()
    store = place / "matches.db"
    terminal.store.rename(store)
    content = store.read_bytes()
    store.chmod(file)
    place.chmod(folder)
    with serving("--store", str(store), before=as_others_do) as (process, told):
        listed, page = read(told.pages), read(f"{told.pages}m/{match}")
        with connect(told.requests, retry_policy=QUICK) as client, pytest.raises(RequestFailed) as caught:
            client.open("battle", dice="seeded", seed="2")
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=END_S)
    place.chmod(0o700)

    assert match in listed
    assert "Before play" in page or "Waiting for" in page
    assert caught.value.code == "store_unavailable"
    assert f"{store} is read-only: the pages show its matches, and nothing can be played" in err.decode()
    assert store.read_bytes() == content


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes cannot be killed like this here")
def test_a_server_does_not_outlive_the_pages_that_started_it(terminal: Terminal) -> None:
    terminal("new", "battle", "--dice", "seeded:1")

    def is_served() -> bool:
        try:
            with only_server(terminal.store):
                return False
        except StoreUnavailable:
            return True

    with serving("--store", str(terminal.store)) as (process, _):
        before = is_served()
        process.send_signal(signal.SIGKILL)
        process.wait(END_S)
        eventually(lambda: not is_served(), "the end of the server")

    assert before


def let_a_bot_play(pages: str, match: str, seat: str) -> httpx.Response:
    with httpx.Client(base_url=pages) as browser:
        form = browser.get(f"/m/{match}/sit").text
        token = re.findall('name="token" value="([0-9a-f]+)"', form)[0]
        fields = {"token": token, "seat": seat, "policy": "greedy"}
        return browser.post(f"/m/{match}/bot", data=fields, headers={"sec-fetch-site": "same-origin"})


@pytest.mark.long
def test_the_pages_start_a_bot_for_a_free_seat(terminal: Terminal) -> None:
    match = terminal.line("new", "battle", "--dice", "seeded:1", "--free-seats")
    with serving("--store", str(terminal.store)) as (_, told):
        answer = let_a_bot_play(told.pages, match, "german")
        page = read(f"{told.pages}m/{match}")

    assert answer.status_code == 303
    assert "greedy bot" in page


@pytest.mark.long
def test_a_bot_goes_on_when_the_pages_are_started_again(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Russian sets up first, so that nothing happens without it; a player who is called like a bot is none."""
    monkeypatch.setenv(SEATS_VARIABLE, str(tmp_path / "seats.json"))
    match = MatchId(terminal.line("new", "battle", "--dice", "seeded:1", "--free-seats"))
    with serving("--store", str(terminal.store)) as (_, told):
        assert let_a_bot_play(told.pages, match, "russian").status_code == 303
    terminal.done("sit", match, "--seat", "german", "--name", "greedy bot")

    def last() -> int:
        with SqliteLog(terminal.store, read_only=True) as log:
            return local_client(log).state(match).seq

    before = last()
    with serving("--store", str(terminal.store)):
        eventually(lambda: last() > before, "the bot does not go on")


def test_the_matches_of_a_server_are_served_until_ctrl_c() -> None:
    log = MemoryLog()
    match = played(log, "battle", 1)
    with served(log) as broker, serving("--connect", broker.address) as (process, told):
        page = read(f"{told.pages}m/{match}")
        process.send_signal(signal.SIGINT)

        assert process.wait(END_S) == 130
    assert told.store == ""
    assert match in page


@each_row("text", ["8042", "host", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:65536", ":80"])
def test_a_malformed_address_is_refused(text: str) -> None:
    with pytest.raises(UserError, match="pages are served at HOST:PORT"):
        parse_listen(text)


def test_addresses_of_both_kinds_are_understood() -> None:
    assert parse_listen("") == (HOST, PORT)
    assert parse_listen("[::1]:80") == ("::1", 80)
    assert parse_listen("0.0.0.0:*") == ("0.0.0.0", 0)


def test_without_its_libraries_it_says_which_extra_is_missing(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.extras.find_spec", lambda _: None)
    ran = terminal("web")

    assert ran.code == 2
    assert "pip install 'wardiary[web]'" in ran.err
