"""The file of the seats' secrets: what was given is kept, whatever ends the process and whoever writes at the same time."""

from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from cli.shell.seat_secrets import SEATS_VARIABLE, keep_secret, read_secrets, secret_kept
from events.ids import MatchId, Seat
from server.protocol.errors import OUTCOME_UNKNOWN, RequestFailed
from server.protocol.replies import FailedReply
from tests.support.rows import each_row

SERVER = "tcp://127.0.0.1:5942"
MATCH = MatchId("match")
RED, BLUE = Seat("red"), Seat("blue")


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(SEATS_VARIABLE, str(tmp_path / "deep" / "seats.json"))
    return tmp_path / "deep" / "seats.json"


def _failed(code: str) -> RequestFailed:
    return RequestFailed(FailedReply(id="", code=code, message="no"))


def test_a_secret_is_kept_before_the_seat_is_asked_for() -> None:
    with secret_kept(SERVER, MATCH, RED) as secret:
        assert read_secrets(SERVER) == {MATCH: {RED: secret}}


@each_row("end", [KeyboardInterrupt(), TimeoutError(), _failed(OUTCOME_UNKNOWN)])
def test_a_secret_stays_when_it_is_not_known_whether_the_seat_was_given(end: BaseException) -> None:
    with pytest.raises(type(end)), secret_kept(SERVER, MATCH, RED) as secret:
        raise end

    assert read_secrets(SERVER) == {MATCH: {RED: secret}}
    with secret_kept(SERVER, MATCH, RED) as again:
        assert again == secret


def test_a_refusal_removes_a_new_secret_and_no_older_one() -> None:
    with secret_kept(SERVER, MATCH, RED) as secret:
        pass
    for seat in (RED, BLUE):
        with pytest.raises(RequestFailed), secret_kept(SERVER, MATCH, seat):
            raise _failed("refused")

    assert read_secrets(SERVER) == {MATCH: {RED: secret}}


def test_who_takes_a_seat_waits_for_another_who_does() -> None:
    def sit(seat: Seat) -> str:
        with secret_kept(SERVER, MATCH, seat) as secret:
            return secret

    with ThreadPoolExecutor() as pool, secret_kept(SERVER, MATCH, RED) as first:
        second = pool.submit(sit, BLUE)
        assert not wait([second], timeout=0.2).done

    assert read_secrets(SERVER) == {MATCH: {RED: first, BLUE: second.result()}}


def test_a_file_that_was_half_written_does_not_stop_the_next(file: Path) -> None:
    file.parent.mkdir()
    file.with_name("seats.json.new").write_bytes(b"{")

    with secret_kept(SERVER, MATCH, RED):
        pass
    keep_secret(SERVER, MATCH, RED, "")

    assert (read_secrets(SERVER), [one.name for one in file.parent.glob("*.new")]) == ({}, [])


def test_a_link_to_the_file_stays(file: Path, tmp_path: Path) -> None:
    file.parent.mkdir()
    file.symlink_to(tmp_path / "kept.json")
    keep_secret(SERVER, MATCH, RED, "s")

    assert (file.is_symlink(), (tmp_path / "kept.json").read_bytes()) == (True, file.read_bytes())


def test_secrets_of_the_same_match_on_two_servers_are_kept_apart() -> None:
    """A match keeps its id when it is imported into another store, and its seats there have other secrets."""
    other = "tcp://192.0.2.1:5942"
    with secret_kept(SERVER, MATCH, RED) as first:
        pass
    with secret_kept(other, MATCH, RED) as second:
        pass

    assert first != second
    assert (read_secrets(SERVER), read_secrets(other)) == ({MATCH: {RED: first}}, {MATCH: {RED: second}})

    keep_secret(other, MATCH, RED, "")

    assert (read_secrets(SERVER), read_secrets(other)) == ({MATCH: {RED: first}}, {})
