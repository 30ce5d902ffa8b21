"""`pack` and `verify`: what an appeal needs, checked offline by us and by `docs/verify.py`, and what a rewrite by the operator cannot pass."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from events.codec import decode_plain
from events.memory_log import MemoryLog
from events.transparency.cosignature import cosign
from events.transparency.signed_note import Signer, read_note
from events.transparency.tlog_proof import read_proof
from server.broker.broker import Broker
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from server.transparency import server_log as server_log_module
from server.transparency.server_log import ServerLog
from tests.cli.running import Player, Terminal
from tests.support.mutated_archives import Lines, dumped
from tests.support.packed_folders import PackedOnce
from tests.support.second_verifier import VERIFY
from tests.support.served import served
from tests.support.server_logs import SIGNER, KeptKey
from tests.support.sitting import OWNER
from tests.support.witness import WITNESS

KEY = SIGNER.verifier.text


@pytest.fixture(autouse=True)
def _signed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_log_module, "SIGN_S", 0.0)


@pytest.fixture
def server_log() -> ServerLog:
    """Return the log of a new store."""
    return ServerLog(MemoryLog(), KeptKey(), SystemClock(), SystemIdentity(), pytest.fail)


@pytest.fixture
def broker(server_log: ServerLog) -> Iterator[Broker]:
    """A server with a log of entries and checkpoints."""
    store = server_log._store
    assert isinstance(store, MemoryLog)
    with served(desk=Desk(store, owner=OWNER, server_log=server_log), is_shared=True) as running:
        yield running


@pytest.fixture
def just_packed(player: Player, tmp_path: Path) -> Path:
    """A finished match, packed by its player."""
    match = player.done("new", "battle").strip().splitlines()[-1]
    player("choose", match, "1")
    player.done("choose", match, "resign")
    player.done("evidence", match)
    folder = tmp_path / "appeal"
    player.done("pack", match, str(folder), WARDIARY_TOKEN=OWNER)
    return folder


PACKED = PackedOnce()


@pytest.fixture
def packed(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A finished match, packed for all tests."""
    return PACKED.copied(tmp_path / "packed", lambda: request.getfixturevalue("just_packed"))


def by_both(terminal: Terminal, folder: Path, *arguments: str) -> tuple[int, str, str]:
    """Return the exit code and what both verifiers say of a folder; they must agree on whether it is sound."""
    ran = terminal("verify", str(folder), *arguments)
    key = arguments[arguments.index("--key") + 1] if "--key" in arguments else ""
    parts = [(folder / name).read_bytes() for name in ("match.ndjson", "evidence.ndjson", "kept.ndjson")]
    try:
        VERIFY.check(parts[0], "", parts[1], key, parts[2])
        other = ""
    except VERIFY.BrokenError as error:
        other = str(error)

    assert (ran.code == 4) == bool(other), (ran, other)
    return ran.code, ran.out + ran.err, other


def test_a_packed_match_is_verified_offline_by_its_log_and_by_the_rules(terminal: Terminal, packed: Path) -> None:
    code, said, _ = by_both(terminal, packed, "--key", KEY)

    assert code == 0
    assert f"The log {SIGNER.name} holds this match up to event " in said
    assert "1 line that players kept: of this history, up to event " in said
    assert "clean" in said
    assert sorted(one.name for one in packed.iterdir()) == [
        "README.txt",
        "evidence.ndjson",
        "kept.ndjson",
        "match.ndjson",
    ]
    assert KEY in (packed / "README.txt").read_text()


def test_lines_from_before_a_change_of_the_key_are_checked_with_any_key_of_the_log(
    terminal: Terminal, player: Player, server_log: ServerLog, tmp_path: Path
) -> None:
    """The evidence has the changes: nobody needs to find the key of their time."""
    match = player.done("new", "advance").strip().splitlines()[-1]
    player.done("evidence", match)
    for secret in (b"n", b"m"):
        change = server_log.change_key(Signer(SIGNER.name, secret * 32))
        server_log.changes = (*server_log.changes, change)
        server_log._keys = KeptKey(Signer(SIGNER.name, secret * 32))
    player("choose", match, "1")
    player.done("choose", match, "resign")
    folder = tmp_path / "appeal"
    player.done("pack", match, str(folder), WARDIARY_TOKEN=OWNER)
    keys = [KEY, *[change.key for change in server_log.changes]]

    assert [by_both(terminal, folder, "--key", key)[0] for key in keys] == [0, 0, 0]
    assert by_both(terminal, folder, "--key", Signer(SIGNER.name, bytes(32)).verifier.text)[0] == 4
    in_evidence(lambda records: records.pop(1))(folder)
    assert [by_both(terminal, folder, "--key", key)[0] for key in keys] == [4, 4, 4]


def test_a_match_is_packed_when_a_checkpoint_covers_its_last_command(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = player.done("new", "battle").strip().splitlines()[-1]
    player.done("evidence", match)
    monkeypatch.setattr(server_log_module, "SIGN_S", 0.3)
    player("choose", match, "1")
    player.done("choose", match, "resign")
    packed = decode_plain(
        player.done("pack", match, str(tmp_path / "appeal"), "--json", WARDIARY_TOKEN=OWNER).splitlines()[-1]
    )

    assert isinstance(packed, dict)
    assert packed["covered"] >= packed["events"] - 1


def test_a_line_of_a_log_that_has_ended_is_not_packed(player: Player, tmp_path: Path, terminal: Terminal) -> None:
    """It is of another log, so that nothing of this one can contradict it."""
    match = player.done("new", "battle").strip().splitlines()[-1]
    player.done("evidence", match)
    file = player.file.with_name("seats-logs.json")
    kept = decode_plain(file.read_bytes())
    assert isinstance(kept, dict)
    (logs,) = [of["logs"] for of in kept.values()]
    logs["ended/log"] = {**logs[SIGNER.name], "key": Signer("ended/log", bytes(32)).verifier.text, "note": ""}
    file.write_bytes(dumped(kept))
    player("choose", match, "1")
    player.done("choose", match, "resign")
    player.done("pack", match, str(tmp_path / "appeal"), WARDIARY_TOKEN=OWNER)

    assert (tmp_path / "appeal" / "kept.ndjson").read_bytes().count(b"\n") == 1
    assert by_both(terminal, tmp_path / "appeal", "--key", KEY)[0] == 0


def test_a_policy_says_who_must_have_cosigned(terminal: Terminal, packed: Path, tmp_path: Path) -> None:
    """By both verifiers; without a witness the match is on record, and nobody saw that there is only one history."""
    policy = tmp_path / "policy.txt"
    policy.write_text(f"log {KEY}\nwitness w {WITNESS.verifier.text}\nquorum w\n")
    alone = terminal("verify", str(packed), "--policy", str(policy))
    file = packed / "evidence.ndjson"
    records = [decode_plain(line) for line in file.read_bytes().splitlines()]
    assert isinstance(records[-1], dict)
    proof = read_proof(records[-1]["proof"])
    records[-1]["proof"] += cosign(read_note(proof.note).text, WITNESS, 1_795_881_600).line
    file.write_bytes(b"".join(dumped(record) + b"\n" for record in records))
    done = terminal.done("verify", str(packed), "--policy", str(policy))
    parts = [(packed / name).read_bytes() for name in ("match.ndjson", "evidence.ndjson")]
    other = VERIFY.check(parts[0], "", parts[1], policy=policy.read_bytes())
    policy.write_text(f"log {Signer('other', bytes(32)).verifier.text}\nquorum none\n")

    assert (alone.code, "cosigned by none of the witnesses: the policy asks for w" in alone.err) == (4, True)
    assert "Cosigned by w at 2026-11-28 " in done.out
    assert "compare it with the published one" not in done.out
    assert other["cosigned"] == ["w"]
    assert terminal("verify", str(packed), "--policy", str(policy)).code == 4
    policy.write_text("witness w\n")
    assert terminal("verify", str(packed), "--policy", str(policy)).code == 3


def test_a_match_is_verified_without_its_rules(terminal: Terminal, packed: Path) -> None:
    """Such as by who has another version of them; the exit code says that nothing is wrong."""
    ran = terminal.done("verify", str(packed), "--key", KEY, "--no-rules")
    lines = Lines((packed / "match.ndjson").read_bytes())
    drawn = next(event for one in lines.commits for event in one["events"] if event["event"] == "links-opened/1")
    drawn["link"] = "0" * 64
    (packed / "match.ndjson").write_bytes(lines.sealed())

    assert "the rules were left out" in ran.out
    assert terminal("verify", str(packed / "match.ndjson"), "--no-rules").code == 4


def test_a_key_that_only_the_evidence_names_is_believed_and_that_is_said(terminal: Terminal, packed: Path) -> None:
    (shape, _) = terminal.done("verify", str(packed), "--json").objects

    assert (shape["is_key_given"], shape["key"], shape["kept"]) == (False, KEY, 1)
    assert "compare it with the published one" in terminal.done("verify", str(packed)).out


def test_an_archive_alone_is_verified_and_what_that_does_not_prove_is_said(terminal: Terminal, packed: Path) -> None:
    out = terminal.done("verify", str(packed / "match.ndjson")).out

    assert "a rewrite of the whole match by its operator would pass" in out


def rewritten(folder: Path) -> None:
    """Let the operator write the match anew, with another name and hashes that fit."""
    lines = Lines((folder / "match.ndjson").read_bytes())
    taken = next(event for commit in lines.commits for event in commit["events"] if event["event"] == "seat-taken/1")
    taken["name"] = "Somebody else"
    (folder / "match.ndjson").write_bytes(lines.sealed())


def cut_off(folder: Path) -> None:
    """Let the end of the match be missing, in the archive and in the evidence."""
    lines = Lines((folder / "match.ndjson").read_bytes())
    (folder / "match.ndjson").write_bytes(lines.sealed(lines.commits[:-1]))


def in_evidence(change: Callable[[list[Any]], None]) -> Callable[[Path], None]:
    """Change the records of the evidence."""

    def changed(folder: Path) -> None:
        file = folder / "evidence.ndjson"
        records = [decode_plain(line) for line in file.read_bytes().splitlines()]
        change(records)
        file.write_bytes(b"".join(dumped(record) + b"\n" for record in records))

    return changed


def other_kept(change: Callable[[Any], None]) -> Callable[[Path], None]:
    def changed(folder: Path) -> None:
        record = decode_plain((folder / "kept.ndjson").read_bytes())
        change(record)
        (folder / "kept.ndjson").write_bytes(dumped(record) + b"\n")

    return changed


@pytest.mark.parametrize(
    "change",
    [
        rewritten,
        cut_off,
        in_evidence(lambda records: records.pop(1)),
        in_evidence(lambda records: records[-2].update(nonce="0" * 64)),
        in_evidence(lambda records: records[2].update(last=0)),
        in_evidence(lambda records: records[0].update(match="another")),
        in_evidence(lambda records: records[0].update(evidence="wardiary-evidence/9")),
        in_evidence(lambda records: records[-1].update(proof=records[-1]["proof"].replace("index ", "index 1"))),
        in_evidence(lambda records: records[-1].update(proof="nothing")),
        in_evidence(lambda records: records[-1].update(proof=records[-1]["proof"][:-12] + "AAAAAAAAAAA\n")),
        in_evidence(lambda records: records.__delitem__(slice(1, -1))),
        other_kept(lambda record: record.update(blinded="0" * 64)),
        other_kept(lambda record: record.update(number=1)),
        other_kept(lambda record: record.update(match="another")),
        lambda folder: (folder / "evidence.ndjson").write_bytes(b"{}\n[]\n1\n"),
        lambda folder: (folder / "kept.ndjson").write_bytes(b"{]\n"),
    ],
)
def test_another_history_is_found_by_both_verifiers(
    change: Callable[[Path], None], terminal: Terminal, packed: Path
) -> None:
    before = by_both(terminal, packed, "--key", KEY)[0]
    change(packed)
    code, _, other = by_both(terminal, packed, "--key", KEY)

    assert (before, code, bool(other)) == (0, 4, True)


def test_the_signature_of_another_key_proves_nothing(terminal: Terminal, packed: Path) -> None:
    other = Signer(SIGNER.name, bytes(32)).verifier.text

    assert by_both(terminal, packed, "--key", other)[0] == 4


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--key", KEY), 2, "give it with --evidence FILE"),
        (("--kept", "{}"), 2, "give it with --evidence FILE"),
        (("--evidence", "nowhere"), 3, "nowhere"),
    ],
)
def test_what_cannot_be_verified_is_refused(
    arguments: tuple[str, ...], code: int, said: str, terminal: Terminal, packed: Path
) -> None:
    ran = terminal("verify", str(packed / "match.ndjson"), *arguments)

    assert (ran.code, ran.err.count("\n")) == (code, 1)
    assert said in ran.err


def test_a_match_is_packed_into_a_new_folder_from_a_server_for_who_may_have_it(
    player: Player, tmp_path: Path, just_packed: Path
) -> None:
    match = player.done("new", "battle").strip().splitlines()[-1]

    assert player("pack", match, str(just_packed), WARDIARY_TOKEN=OWNER).code == 2
    refused = player("pack", match, str(tmp_path / "other"))
    assert (refused.code, "not_your_seat" in refused.err or "arbiter" in refused.err) == (2, True)


def test_the_key_of_a_player_is_compared_with_that_of_the_seat(
    player: Player, terminal: Terminal, just_packed: Path
) -> None:
    """An operator who invents a whole match has none of its players' keys."""
    own = player.line("keys", "own")

    ran = terminal.done("verify", str(just_packed), "--player", f"german={own}", "--player", f"russian={own}")

    assert " signed " in ran.out
    other = terminal("verify", str(just_packed), "--player", f"german={'0' * 64}")
    assert (other.code, "which you did not name" in other.err) == (4, True)
    assert terminal("verify", str(just_packed), "--player", "german=mine").code == 2
