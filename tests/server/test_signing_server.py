"""A whole server keeps its log: by itself, over kills under load, and not with a key that cannot be used."""

import signal
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread

import pytest

from events.ids import PUBLIC
from events.transparency.checkpoint import open_checkpoint
from server.client.client import Client
from server.client.kept_log import KeptLog, followed, with_line
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.protocol.errors import RequestFailed, ServerError
from server.transparency.log_keys import KeyFolder
from server.transparency.server_log import SIGN_S
from tests.support.served import Process, connected, play_through, seated

BRIEF = RetryPolicy(timeout_s=1.0, tries=1)
LOAD_S = 10 * SIGN_S
"""How long a server is loaded at most before it is killed."""


def test_a_server_begins_a_log_and_signs_everything_when_it_stops(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    process = Process(store)
    with connected(process) as client:
        match = seated(client)
        commands = play_through(client, match)
        key = client.hello().log
    code = process.signal(signal.SIGTERM)
    folder = KeyFolder(store)
    signed = open_checkpoint(folder.last_signed(), folder.signer().verifier)

    assert (code, key) == (0, folder.signer().verifier.text)
    assert signed.size == 3 + commands


def load(process: Process, over: Event) -> None:
    """Play matches one after the other until the server dies."""
    with suppress(ServerError), connect(process.address, retry_policy=BRIEF) as client:
        while not over.is_set():
            play_through(client, seated(client))


def kept_under_load(process: Process, kept: dict[str, KeptLog]) -> dict[str, KeptLog]:
    """Ask for the log's checkpoint again and again while the server is loaded, until two more were signed; each must continue the one before."""
    until, sizes = time.monotonic() + LOAD_S, {size_of(kept)} if kept else set[int]()
    with connected(process) as client:
        while len(sizes) < 3 and time.monotonic() < until:
            with suppress(RequestFailed):
                log = followed(client, kept)
                kept = {log.verifier.name: log}
                sizes.add(size_of(kept))
            time.sleep(0.02)
    return kept


def size_of(kept: dict[str, KeptLog]) -> int:
    (log,) = kept.values()
    assert log.checkpoint is not None
    return log.checkpoint.size


def test_a_server_that_is_killed_under_load_goes_on_with_the_same_log(tmp_path: Path) -> None:
    """Takes seconds, because checkpoints lie a second apart."""
    store, kept, sizes = tmp_path / "store.db", dict[str, KeptLog](), list[int]()
    for _ in range(2):
        process, over = Process(store), Event()
        players = [Thread(target=load, args=(process, over)) for _ in range(2)]
        for thread in players:
            thread.start()
        kept = kept_under_load(process, kept)
        process.kill()
        over.set()
        for thread in players:
            thread.join()
        sizes.append(size_of(kept))
    process = Process(store)
    with connected(process) as client:
        match = client.matches(limit=1)[0].match
        log = asked_until(lambda: with_line(client, followed(client, kept), match))
    code = process.signal(signal.SIGTERM)

    assert code == 0
    assert 0 < sizes[0] < sizes[1] <= size_of({"log": log})
    assert log.lines[match].number > 3


def asked_until(ask: Callable[[], KeptLog]) -> KeptLog:
    """Ask until the server has read its log again."""
    for _ in range(100):
        with suppress(RequestFailed):
            return ask()
        Event().wait(0.05)
    raise AssertionError("the server does not go on with its log")


def removed(folder: KeyFolder) -> None:
    (folder.path / "log.key").unlink()


def opened(folder: KeyFolder) -> None:
    (folder.path / "log.key").chmod(0o644)


def of_another_kind(folder: KeyFolder) -> None:
    (folder.path / "log.key").write_text("x" * 40)


@pytest.mark.long
@pytest.mark.parametrize(
    ("damage", "said"),
    [(removed, "has no key"), (opened, "chmod 600"), (of_another_kind, "not a secret key of a log")],
)
def test_with_a_key_that_cannot_be_used_a_server_serves_and_signs_nothing(
    tmp_path: Path, damage: Callable[[KeyFolder], None], said: str
) -> None:
    """The operator is told once, in the server's own log."""
    store, folder = tmp_path / "store.db", KeyFolder(tmp_path / "store.db")
    Process(store).signal(signal.SIGTERM)
    damage(folder)
    process = Process(store)
    with connected(process) as client:
        match = seated(client)
        state = client.state(match, PUBLIC)
        key, code = client.hello().log, failure(client)
    process.process.send_signal(signal.SIGTERM)
    warned = [line for line in process.error().splitlines() if "checkpoints are not signed" in line]
    process.close()

    assert (state.match, key, code) == (match, "", "no_log")
    assert len(warned) == 1
    assert said in warned[0]
    assert folder.last_signed() == ""


def failure(client: Client) -> str:
    with pytest.raises(RequestFailed) as raised:
        client.checkpoint()
    return raised.value.code
