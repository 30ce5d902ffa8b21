"""`evidence --timestamps` and `verify --authority`: an authority on loopback stamps what the server has signed, and misbehaves."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.shell import timestamps
from server.broker.broker import Broker
from tests.cli.running import Player, Terminal
from tests.support.authority import OPENSSL, Authority, serving
from tests.support.packed_folders import PackedOnce
from tests.support.second_verifier import VERIFY
from tests.support.server_logs import SIGNER, signing
from tests.support.sitting import OWNER
from tests.support.soak import few

pytest.importorskip("rfc3161_client")
pytestmark = pytest.mark.skipif(OPENSSL is None, reason="the authority of the tests is openssl, which is not installed")

KEY = SIGNER.verifier.text


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def url(authority: Authority) -> Iterator[str]:
    authority.says, authority.asked = None, 0
    with serving(authority) as address:
        yield address


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    with signing(monkeypatch) as running:
        yield running


@pytest.fixture
def match(player: Player) -> str:
    match = player.done("new", "battle").strip().splitlines()[-1]
    player("choose", match, "1")
    return match


@pytest.fixture
def just_packed(player: Player, match: str, url: str, tmp_path: Path) -> Path:
    """A finished match, packed by its player, whose checkpoint was stamped during play and at the end."""
    player.done("evidence", match, "--timestamps", url)
    player.done("choose", match, "resign")
    player.done("evidence", match, "--timestamps", url)
    folder = tmp_path / "appeal"
    player.done("pack", match, str(folder), WARDIARY_TOKEN=OWNER)
    return folder


PACKED = PackedOnce()


@pytest.fixture
def packed(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Such a match, packed for all tests."""
    return PACKED.copied(tmp_path / "packed", lambda: request.getfixturevalue("just_packed"))


def test_a_stamped_checkpoint_says_when_events_were_on_record_at_the_latest(
    terminal: Terminal, packed: Path, authority: Authority
) -> None:
    """By our verifier; by the second one and openssl, as the folder says."""
    said = terminal.done("verify", str(packed), "--key", KEY, "--authority", str(authority.root)).out
    stamps = sorted(packed.glob("stamp-*.tsr"))
    parts = [(packed / name).read_bytes() for name in ("match.ndjson", "evidence.ndjson")]

    assert len(stamps) == 2
    assert said.count("at the latest, as an authority has signed: events 1 to ") == 2
    assert "openssl ts -verify" in (packed / "README.txt").read_text()
    for one in stamps:
        kept = one.with_suffix(".line").read_bytes()
        by = ["-data", str(one.with_suffix(".txt")), "-in", str(one), "-CAfile", str(authority.root)]
        assert VERIFY.check(parts[0], "", parts[1], KEY, kept)["kept_lines"] == 1
        assert subprocess.run([str(OPENSSL), "ts", "-verify", *by], capture_output=True, check=False).returncode == 0


def test_what_is_stamped_is_printed_as_json(terminal: Terminal, packed: Path, authority: Authority) -> None:
    found, *_ = terminal.done("verify", str(packed), "--key", KEY, "--authority", str(authority.root), "--json").objects

    assert found["unchecked_stamps"] == 0
    assert len(found["stamped"]) == 2  # type: ignore[arg-type]
    assert all(name.isdecimal() for name in found["stamped"])  # type: ignore[attr-defined]


def test_timestamps_that_nobody_checks_are_named(terminal: Terminal, packed: Path) -> None:
    assert "Not checked: 2 timestamps; name the certificates" in terminal.done("verify", str(packed), "--key", KEY).out


def swap(folder: Path) -> None:
    """Put one timestamp in the place of the other."""
    first, second = sorted(folder.glob("stamp-*.tsr"))
    shutil.copy(second, first)


def nonsense(folder: Path) -> None:
    min(folder.glob("stamp-*.tsr")).write_bytes(b"30")


def other_text(folder: Path) -> None:
    min(folder.glob("stamp-*.txt")).write_bytes(b"x")


def other_line(folder: Path) -> None:
    """Let a line with a checkpoint of another number of entries stand beside the timestamp."""
    first, second = sorted(folder.glob("stamp-*.line"))
    shutil.copy(second, first)


@pytest.mark.parametrize("change", [swap, nonsense, other_text, other_line])
def test_a_timestamp_of_something_else_is_broken_evidence(
    change: Callable[[Path], None], terminal: Terminal, packed: Path, authority: Authority
) -> None:
    change(packed)
    ran = terminal("verify", str(packed), "--key", KEY, "--authority", str(authority.root))

    assert (ran.code, len(ran.err.strip().splitlines())) == (4, 1), ran


def test_another_authority_is_not_believed(terminal: Terminal, packed: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    ran = terminal("verify", str(packed), "--key", KEY, "--authority", str(Authority(other).root))
    none = terminal("verify", str(packed), "--key", KEY, "--authority", str(packed / "README.txt"))

    assert (ran.code, none.code) == (4, 3)
    assert "a timestamp is not what the authority has signed" in ran.err


@pytest.mark.parametrize(
    ("says", "said"),
    few(
        [
            ((500, b"no"), "does not stamp this"),
            ((200, b"hello"), "something that is not the timestamp"),
            ((200, b""), "something that is not the timestamp"),
        ]
    ),
)
def test_an_authority_that_answers_nonsense_is_told_in_one_line_and_the_line_is_kept(
    says: tuple[int, bytes], said: str, player: Player, match: str, url: str, authority: Authority
) -> None:
    authority.says = says
    ran = player("evidence", match, "--timestamps", url)

    assert (ran.code, said in ran.err, len(ran.err.strip().splitlines())) == (3, True, 1), ran
    assert player.done("evidence", match)


def test_an_authority_whose_answer_is_of_something_else_is_not_believed(
    player: Player, match: str, url: str, authority: Authority
) -> None:
    player.done("evidence", match, "--timestamps", url)
    authority.says = 200, (authority.folder / "reply").read_bytes()

    assert "not the timestamp which was asked for" in player("evidence", match, "--timestamps", url).err


def test_an_authority_that_is_away_or_slow_is_told_in_one_line(
    player: Player, match: str, url: str, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(timestamps, "TIMEOUT_S", 0.1)
    authority.may_answer.clear()
    slow = player("evidence", match, "--timestamps", url)
    authority.may_answer.set()
    away = player("evidence", match, "--timestamps", "http://127.0.0.1:9/tsr")
    strange = player("evidence", match, "--timestamps", "ftp://authority")

    assert [ran.code for ran in (slow, away, strange)] == [3, 3, 2]
    assert [len(ran.err.strip().splitlines()) for ran in (slow, away)] == [1, 1]
    assert "named by its address" in strange.err


def test_nobody_is_asked_unless_a_verb_asks(player: Player, match: str, url: str, authority: Authority) -> None:
    player.done("evidence", match)
    player.done("choose", match, "resign")

    assert authority.asked == 0


def test_without_the_extra_it_is_said_what_is_missing(
    player: Player, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.extras.find_spec", lambda _: None)
    ran = player("evidence", match, "--timestamps", "http://127.0.0.1:9/tsr")

    assert (ran.code, "wardiary[timestamps]" in ran.err) == (2, True)
