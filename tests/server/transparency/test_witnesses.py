"""Witnesses of a log: what they cosign is served, and one that is away, slow, or answers nonsense stops nothing."""

import socket
import time
from collections.abc import Iterator

import pytest

from events.errors import LogKeyUnusable
from events.memory_log import MemoryLog
from events.transparency.checkpoint import Checkpoint
from events.transparency.cosignature import cosigned_at
from events.transparency.merkle_tree import EMPTY_ROOT
from events.transparency.signed_note import Signer, read_note
from server.transparency import witnesses as module
from server.transparency.server_log import SIGN_S, ServerLog
from server.transparency.witnesses import AGAIN_S, Witness, Witnesses, read_given
from tests.events.making import Writer, march
from tests.support.rows import each_row
from tests.support.server_logs import SIGNER, KeptKey, caught_up
from tests.support.sitting import CountedIdentity, StillClock
from tests.support.witness import WITNESS, Double, serving


class Server:
    """A server's log with witnesses, to whose store commits are written one by one."""

    def __init__(self, *urls: str, match: str = "a") -> None:
        self.store, self.clock, self.told = MemoryLog(), StillClock(), list[str]()
        self.writer = Writer(match)
        self.witnesses = Witnesses([Witness(WITNESS.verifier, url) for url in urls], self.clock, self.told.append)
        self.log = ServerLog(
            self.store, KeptKey(), self.clock, CountedIdentity(), self.told.append, witnesses=self.witnesses
        )
        CLOSING.append(self.log)
        self.write(self.writer.open())

    def write(self, new: object = None) -> None:
        """Write a commit, and let the log sign a checkpoint of it."""
        self.store.append([new or self.writer.take(march(self.log.size))])  # type: ignore[list-item]
        self.log.look()
        caught_up(self.log)
        self.log.want()
        self.clock.seconds += SIGN_S
        caught_up(self.log)

    def heard(self, double: Double, times: int = 1) -> bool:
        """Let the log work until a witness was asked so often and its answer is taken; return whether the last checkpoint is cosigned."""
        until = time.monotonic() + 5
        while time.monotonic() < until and (double.asked < times or self.log.has_work or self.witnesses.is_waiting):
            caught_up(self.log)
            time.sleep(0.005)
        return cosigned_at(read_note(self.log.note), double.signer.verifier) is not None


CLOSING: list[ServerLog] = []


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """End the threads of the test's logs."""
    yield
    while CLOSING:
        CLOSING.pop().close()


@pytest.fixture
def double() -> Double:
    return Double(SIGNER.verifier)


@pytest.fixture
def url(double: Double) -> Iterator[str]:
    with serving(double) as address:
        yield address


def test_each_checkpoint_is_cosigned_and_served_with_its_cosignature(double: Double, url: str) -> None:
    server = Server(url)
    seen = []
    for number in range(1, 4):
        seen.append((server.heard(double, number), double.seen.size))
        server.write()
    proved = server.log.proof(server.store.matches()[0], 1)

    assert seen == [(True, 1), (True, 2), (True, 3)]
    assert proved is not None
    assert proved.proof.check(proved.entry, SIGNER.verifier).size == 4
    assert server.told == []


def test_a_witness_that_has_seen_another_size_gets_the_proof_from_there(double: Double, url: str) -> None:
    """A server that begins again does not know what its witnesses have seen; and a witness may know less than the server thinks."""
    server = Server(url)
    assert server.heard(double)
    server.write()
    assert server.heard(double, 2)
    double.seen = Checkpoint(SIGNER.name, 0, EMPTY_ROOT)
    server.write()

    assert server.heard(double, 4)
    assert double.seen.size == 3


def test_a_witness_that_is_away_delays_nothing_and_is_told_of_once(double: Double) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        port = held.getsockname()[1]
    server = Server(f"http://127.0.0.1:{port}")
    for _ in range(3):
        began = time.perf_counter()
        server.write()
        assert time.perf_counter() - began < 0.5
        server.clock.seconds += AGAIN_S
        caught_up(server.log)
        until = time.monotonic() + 5
        while server.witnesses.is_waiting and not server.witnesses.has_answers and time.monotonic() < until:
            time.sleep(0.005)
    caught_up(server.log)

    assert server.log.size == 4
    assert [one.partition(":")[0] for one in server.told] == ["the witness witness.example/w1 does not answer"]
    assert server.log.problem == ""


def test_a_slow_witness_delays_nothing_and_cosigns_the_last_checkpoint_in_the_end(double: Double, url: str) -> None:
    double.may_answer.clear()
    server = Server(url)
    began = time.perf_counter()
    for _ in range(3):
        server.write()
    took, signed = time.perf_counter() - began, server.log.size
    double.may_answer.set()

    assert (took < 0.5, signed) == (True, 4)
    assert server.heard(double, 2)
    assert double.seen.size == 4


def test_a_witness_that_takes_too_long_is_left(double: Double, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "TIMEOUT_S", 0.05)
    double.may_answer.clear()
    server = Server(url)
    until = time.monotonic() + 5
    while not server.told and time.monotonic() < until:
        caught_up(server.log)
        time.sleep(0.005)

    assert "does not answer: timed out" in server.told[0]


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ((200, "", "text/plain"), "something that is not its cosignature"),
        ((200, "\x00\n\n— x y\n" * 400, "text/plain"), "something that is not its cosignature"),
        ((200, "— witness.example/w1 IDJKvgAAAAA=\n", "text/plain"), "something that is not its cosignature"),
        ((409, "many\n", "text/x.tlog.size"), "something that is not a size"),
        ((403, "who are you?\n", "text/plain"), "answers with 403: who are you?"),
        ((500, "", ""), "answers with 500"),
    ],
)
def test_an_answer_that_makes_no_sense_is_told_and_the_log_goes_on(
    says: tuple[int, str, str], told: str, double: Double, url: str
) -> None:
    double.says = says
    server = Server(url)
    is_cosigned = server.heard(double)
    server.write()
    double.says = None
    server.clock.seconds += AGAIN_S

    assert not is_cosigned
    assert told in server.told[0]
    assert server.heard(double, 2)
    assert server.told[1:] == ["the witness witness.example/w1 cosigns again"]


def test_a_witness_that_names_one_size_after_another_is_not_asked_for_ever(double: Double, url: str) -> None:
    double.says = (409, "0\n", "text/x.tlog.size")
    server = Server(url)
    server.heard(double, 2)

    assert double.asked == 2
    assert "one size, and then another" in server.told[0]


@pytest.mark.parametrize(
    ("says", "told"),
    [
        ((409, "9\n", "text/x.tlog.size"), "a copy of an earlier state"),
        ((409, "", "text/plain"), "another history"),
        ((422, "", "text/plain"), "another history"),
    ],
)
def test_nothing_is_signed_any_more_if_a_witness_has_seen_another_history(
    says: tuple[int, str, str], told: str, double: Double, url: str
) -> None:
    """Also where the folder of the keys was restored together with the store."""
    double.says = says
    server = Server(url)
    server.heard(double)
    server.write()

    assert told in server.log.problem
    assert (server.log.size, server.told) == (1, [server.log.problem])


def test_a_second_history_of_a_log_is_not_cosigned(double: Double, url: str) -> None:
    first = Server(url)
    assert first.heard(double)
    second = Server(url, match="b")
    second.write()

    assert not second.heard(double, 3)
    assert "another history" in second.log.problem


@each_row(
    "text",
    [
        "",
        "witness",
        WITNESS.verifier.text,
        f"{WITNESS.verifier.text} ftp://x",
        f"{WITNESS.verifier.text} http://",
        f"{SIGNER.verifier.text} http://127.0.0.1:1",
        f"{WITNESS.verifier.text[:-4]} http://127.0.0.1:1",
    ],
)
def test_a_witness_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(LogKeyUnusable):
        read_given(text)


def test_a_witness_is_named_by_its_key_and_address() -> None:
    found = read_given(f"{WITNESS.verifier.text} http://127.0.0.1:1/prefix/")

    assert (found.key, found.url) == (WITNESS.verifier, "http://127.0.0.1:1/prefix")
    assert Signer("n", bytes(32)).verifier != found.key
