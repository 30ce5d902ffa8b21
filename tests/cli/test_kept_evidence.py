"""What the command line keeps of a server's log: by itself, and with `evidence` and `evidence compare`."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from cli.commands.proofs import evidence
from cli.shell import kept_logs
from cli.shell.context import Context
from cli.shell.settings import Settings
from cli.views.kept_evidence import Keeper
from events.codec import decode_plain, encode, encode_in_order, replace
from events.commit import GENESIS, chain_hash, decode_commit, encode_commit
from events.ids import MatchId
from events.memory_log import MemoryLog
from events.transparency.evidence_line import read_line
from events.transparency.signed_note import COSIGNATURE, Signer
from server.broker.broker import Broker
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from server.transparency import server_log as server_log_module
from server.transparency.server_log import ServerLog
from server.transparency.witnesses import Witness, Witnesses
from tests.cli.running import Player, Terminal
from tests.support.served import served
from tests.support.server_logs import SIGNER, KeptKey
from tests.support.sitting import OWNER
from tests.support.witness import WITNESS, Double
from tests.support.witness import serving as witness_serving

OTHER = Signer("other.example", bytes(32), COSIGNATURE)


@pytest.fixture(autouse=True)
def _signed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_log_module, "SIGN_S", 0.0)


@contextmanager
def serving(store: MemoryLog | None = None, witnesses: Sequence[Witness] = ()) -> Iterator[Broker]:
    """Serve a store with a log of entries and checkpoints, always with the same key."""
    store = MemoryLog() if store is None else store
    clock = SystemClock()
    asked = Witnesses(witnesses, clock, pytest.fail)
    log = ServerLog(store, KeptKey(), clock, SystemIdentity(), pytest.fail, witnesses=asked)
    with served(desk=Desk(store, owner=OWNER, server_log=log), is_shared=True) as broker:
        yield broker


@pytest.fixture
def broker() -> Iterator[Broker]:
    with serving() as running:
        yield running


def opened(player: Player) -> str:
    return player.done("new", "skirmish", "--dice", "seeded:2").strip().splitlines()[-1]


def kept(player: Player) -> object:
    return decode_plain(player.file.with_name("seats-logs.json").read_bytes())


def line_of(player: Player, match: str) -> str:
    shape = decode_plain(player.done("evidence", match, "--json"))
    assert isinstance(shape, dict)
    return encode(shape["line"]).decode()


def moved_to(player: Player, broker: Broker) -> None:
    """Let another server answer at the address of the first, as far as a player can tell."""
    file = player.file.with_name("seats-logs.json")
    old = player.variables["WARDIARY_CONNECT"]
    file.write_text(file.read_text(encoding="utf-8").replace(old, broker.address), encoding="utf-8")
    player.variables["WARDIARY_CONNECT"] = broker.address


def test_what_the_server_has_signed_is_printed_and_kept(player: Player) -> None:
    match = opened(player)
    said = player.done("evidence", match).splitlines()

    assert said[0] == f"The log {SIGNER.name} has 3 entries; number 3 of match {match} is among them."
    assert said[1] == f"Its key: {SIGNER.verifier.text}"
    assert decode_plain(said[3]) == decode_plain(line_of(player, match))
    assert player.file.with_name("seats-logs.json").stat().st_mode & 0o777 == 0o600


def test_verbs_about_a_match_keep_its_proof_by_themselves_once_in_a_while(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = opened(player)
    player.done("evidence", match)
    before = kept(player)
    player.done("choose", match, "1")
    soon = kept(player)
    monkeypatch.setattr(kept_logs, "KEEP_S", 0.0)
    player.done("show", match)
    player.done("show", match)

    assert soon == before
    assert kept(player) != before


def test_a_server_without_a_log_is_asked_once_in_a_while(tmp_path: Path) -> None:
    with served(MemoryLog()) as broker:
        player = Player(tmp_path / "a", broker)
        match = opened(player)
        player.done("show", match)
        ran = [player("evidence", match), player("pack", match, str(tmp_path / "appeal"), WARDIARY_TOKEN=OWNER)]
        (of_server,) = kept(player).values()  # type: ignore[attr-defined]

    assert [(one.code, one.err.count("\n"), "keeps no log" in one.err) for one in ran] == [(3, 1, True)] * 2
    assert not (tmp_path / "appeal").exists()
    assert list(of_server["at"]) == [""]


def test_two_players_compare_a_line(tmp_path: Path, broker: Broker) -> None:
    red, blue = Player(tmp_path / "red", broker), Player(tmp_path / "blue", broker)
    match = opened(red)
    line = line_of(red, match)
    red.done("choose", match, "1")
    blue.done("evidence", match)
    file = tmp_path / "line.txt"
    file.write_text(f"{line}\n", encoding="utf-8")

    assert blue.done("evidence", "compare", line).startswith("One log: ")
    assert blue.done("evidence", "compare", str(file)) == blue.done("evidence", "compare", line)
    file.write_text(red.done("evidence", match), encoding="utf-8")
    assert blue.done("evidence", "compare", str(file)).startswith("One log: ")


def test_a_line_cannot_be_compared_with_nothing(tmp_path: Path, broker: Broker) -> None:
    red, blue = Player(tmp_path / "red", broker), Player(tmp_path / "blue", broker)
    ran = blue("evidence", "compare", line_of(red, opened(red)))

    assert (ran.code, ran.err.count("\n")) == (4, 1)
    assert "`wardiary evidence MATCH` keeps its checkpoint" in ran.err


def test_two_histories_are_printed_and_kept(tmp_path: Path, player: Player) -> None:
    """The same log signs another history at the same address: a warning for each verb, and exit code 4 for `evidence`."""
    match = opened(player)
    player.done("evidence", match)
    with serving() as other:
        rival = Player(tmp_path / "rival", other)
        theirs = opened(rival)
        line_of(rival, theirs)
        moved_to(player, other)
        shown = player("show", theirs)
        ran = player("evidence", theirs)
        again = player("evidence", theirs)
        (of_server,) = kept(player).values()  # type: ignore[attr-defined]

    assert (shown.code, "does not show one history" in shown.err) == (0, True)
    assert (ran.code, ran.err.count("\n")) == (again.code, again.err.count("\n")) == (4, 1)
    assert ran.out.count(f"— {SIGNER.name} ") == 2
    assert len(of_server["logs"][SIGNER.name]["contradictions"]) == 1
    assert of_server["logs"][SIGNER.name]["contradictions"][0] in ran.out


def test_the_line_of_another_history_contradicts_what_is_kept(tmp_path: Path, player: Player) -> None:
    player.done("evidence", opened(player))
    with serving() as other:
        rival = Player(tmp_path / "rival", other)
        line = line_of(rival, opened(rival))
    ran = player("evidence", "compare", line)

    assert (ran.code, "two checkpoints of 3 entries have different roots" in ran.err) == (4, True)
    assert ran.out.count(f"— {SIGNER.name} ") == 2
    assert player("evidence", "compare", line).code == 4


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("compare",), 2, "evidence compare LINE"),
        (("MATCH", "{}"), 4, "not a line"),
        (("compare", "{}"), 4, "not a line"),
        (("compare", "nowhere.txt"), 3, "nowhere.txt"),
        (("nobody",), 2, "no match"),
    ],
)
def test_what_cannot_be_compared(player: Player, arguments: tuple[str, ...], code: int, said: str) -> None:
    match = opened(player)
    ran = player("evidence", *[match if word == "MATCH" else word for word in arguments])

    assert (ran.code, ran.err.count("\n")) == (code, 1)
    assert said in ran.err


def test_evidence_is_of_a_server(player: Player) -> None:
    ran = player("evidence", "m", WARDIARY_CONNECT="")

    assert (ran.code, "--connect" in ran.err) == (2, True)


def test_a_file_that_cannot_be_read_is_not_replaced(player: Player) -> None:
    match = opened(player)
    file = player.file.with_name("seats-logs.json")
    file.write_text("[]", encoding="utf-8")
    shown = player("show", match)
    ran = player("evidence", match)

    assert (shown.code, "is not kept" in shown.err) == (0, True)
    assert (ran.code, "move it away" in ran.err) == (3, True)
    assert file.read_text(encoding="utf-8") == "[]"


def test_every_verb_says_that_a_log_has_fallen_silent_or_another_one_began(
    tmp_path: Path, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As after an older copy of the store was put back, whether its operator hides that or begins another log."""
    monkeypatch.setattr(kept_logs, "KEEP_S", 0.0)
    player.done("evidence", opened(player))
    store = MemoryLog()
    with served(store) as silent:
        moved_to(player, silent)
        said = [player("show", opened(player)).err]
    log = ServerLog(MemoryLog(), KeptKey(Signer("other/log", bytes(32))), SystemClock(), SystemIdentity(), pytest.fail)
    with served(desk=Desk(log._store, owner=OWNER, server_log=log), is_shared=True) as other:  # type: ignore[arg-type]
        moved_to(player, other)
        said.append(player("show", opened(player)).err)

    assert f"the server no longer signs its log {SIGNER.name}: ask why" in said[0]
    assert f"the server signs another log, other/log, and no longer {SIGNER.name}: ask why" in said[1]


def test_a_later_checkpoint_of_another_process_is_not_replaced_by_an_earlier_one(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WARDIARY_SEATS", str(player.file))
    server, match = player.variables["WARDIARY_CONNECT"], opened(player)
    player.done("evidence", match)
    early = kept_logs.read_kept(server).logs[SIGNER.name]
    player.done("choose", match, "1")
    player.done("evidence", match)
    late = kept_logs.read_kept(server).logs[SIGNER.name]
    kept_logs.keep_log(server, SIGNER.name, early, {})

    assert early.note != late.note
    assert kept_logs.read_kept(server).logs[SIGNER.name].note == late.note


# Archives

DAY_MS = 86_400_000


@pytest.fixture
def arbiter(tmp_path: Path, broker: Broker) -> Player:
    """The organiser, whose secret of the store's owner lets the archive be had."""
    player = Player(tmp_path / "arbiter", broker)
    player.variables["WARDIARY_OWNER"] = OWNER
    return player


def opened_line(arbiter: Player, match: str) -> str:
    arbiter.done("evidence", match)
    (line,) = [one for one in arbiter.done("evidence", match).splitlines() if '"nonce"' in one]
    return line


def back_dated(archive: bytes) -> bytes:
    """Change the times of all commits, and compute all hashes anew."""
    lines, head = [], GENESIS
    for line in archive.splitlines(keepends=True)[:-1]:
        if line.startswith(b'{"commit"'):
            commit = decode_commit(line)
            body = encode_commit(replace(commit, prev=head, at=commit.at - DAY_MS))
            line, head = body + b"\n", chain_hash(body)  # noqa: PLW2901 - It is the line that is written.
        lines.append(line)
    trailer = decode_plain(archive.splitlines()[-1])
    assert isinstance(trailer, dict)
    trailer |= {"head": head, "sha256": sha256(b"".join(lines)).hexdigest()}
    return b"".join(lines) + encode_in_order(trailer) + b"\n"


def test_an_archive_is_checked_by_a_line_without_the_server(tmp_path: Path, player: Player, arbiter: Player) -> None:
    match = opened(player)
    line = opened_line(arbiter, match)
    assert arbiter("export", match, str(tmp_path / "early.ndjson")).code == 0
    player.done("choose", match, "1")
    assert arbiter("export", match, str(tmp_path / "late.ndjson")).code == 0
    stranger, key = Terminal(tmp_path / "no-store.db"), ("--log-key", SIGNER.verifier.text)
    early = stranger.done("evidence", str(tmp_path / "early.ndjson"), line, *key).out
    late = stranger.done("evidence", str(tmp_path / "late.ndjson"), line, *key).out

    assert early.strip().endswith(", which are all.")
    assert "came later." in late


def test_a_rewritten_archive_is_not_what_was_signed(tmp_path: Path, player: Player, arbiter: Player) -> None:
    """All hashes were computed anew, so that the audit finds it clean."""
    match = opened(player)
    line = opened_line(arbiter, match)
    archive = tmp_path / "match.ndjson"
    assert arbiter("export", match, str(archive)).code == 0
    forged = tmp_path / "forged.ndjson"
    forged.write_bytes(back_dated(archive.read_bytes()))
    stranger, key = Terminal(tmp_path / "no-store.db"), ("--log-key", SIGNER.verifier.text)
    ran = stranger("evidence", str(forged), line, *key)

    assert stranger("audit", str(forged)).code == 0
    assert (ran.code, ran.err.count("\n")) == (4, 1)
    assert "the archive is not what was signed" in ran.err


def test_a_line_without_a_nonce_proves_no_archive(tmp_path: Path, player: Player, arbiter: Player) -> None:
    match = opened(player)
    archive = tmp_path / "match.ndjson"
    assert arbiter("export", match, str(archive)).code == 0
    plain = line_of(player, match)
    ran = player("evidence", str(archive), plain)
    unknown = Terminal(tmp_path / "no-store.db")("evidence", str(archive), plain)

    assert '"nonce"' not in plain
    assert (ran.code, "wardiary evidence MATCH@SEQ" in ran.err) == (3, True)
    assert (unknown.code, "--log-key" in unknown.err) == (2, True)


def test_evidence_waits_for_the_witnesses_that_a_policy_asks_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policy, double = tmp_path / "policy.txt", Double(SIGNER.verifier)
    policy.write_text(f"log {SIGNER.verifier.text}\nwitness w {WITNESS.verifier.text}\nquorum w\n")
    monkeypatch.setattr(evidence, "WAIT_S", 0.05)
    with witness_serving(double) as url, serving(witnesses=[Witness(WITNESS.verifier, url)]) as broker:
        player = Player(tmp_path, broker)
        match = opened(player)
        done = player.done("evidence", match, "--policy", str(policy))
        line = next(one for one in done.splitlines() if one.startswith("{"))
        policy.write_text(policy.read_text().replace(WITNESS.verifier.text, OTHER.verifier.text))
        refused = player("evidence", match, "--policy", str(policy))
        policy.write_text(f"log {replace(SIGNER, secret=bytes(32)).verifier.text}\nquorum none\n")
        unknown = player("evidence", match, "--policy", str(policy))

    assert "Cosigned by w at " in done
    assert WITNESS.verifier.name in read_line(line).proof
    assert (refused.code, "cosigned by none of the witnesses" in refused.err) == (4, True)
    assert (unknown.code, "the policy names another key" in unknown.err) == (4, True)


def test_a_key_is_believed_of_the_server_that_it_is_kept_of(
    tmp_path: Path, player: Player, arbiter: Player, broker: Broker
) -> None:
    """Another server may give its log the same name: its key proves nothing of this one."""
    match = opened(player)
    line, archive = opened_line(arbiter, match), tmp_path / "match.ndjson"
    assert arbiter("export", match, str(archive)).code == 0
    player.done("evidence", match)
    alone = player.done("evidence", str(archive), line, WARDIARY_CONNECT="")
    impostor = replace(SIGNER, secret=b"i" * 32).verifier.text
    file = player.file.with_name("seats-logs.json")
    known = decode_plain(file.read_bytes())
    assert isinstance(known, dict)
    file.write_bytes(encode_in_order({**known, "tcp://impostor:1": {"logs": {SIGNER.name: {"key": impostor}}}}))
    unsure = player("evidence", str(archive), line, WARDIARY_CONNECT="")

    assert f"the log {SIGNER.name} of {broker.address} proves" in alone
    assert (unsure.code, "name the right one with --connect" in unsure.err) == (2, True)
    assert player("evidence", str(archive), line).code == 0
    assert player("evidence", str(archive), line, WARDIARY_CONNECT="tcp://impostor:1").code == 3


def test_the_arbiter_opens_the_line_of_any_event(player: Player, arbiter: Player) -> None:
    match = opened(player)
    player.done("choose", match, "1")
    said = [line for at in (1, 5) for line in arbiter.done("evidence", f"{match}@{at}").splitlines()]
    lines = [read_line(line) for line in said if line.startswith("{")]

    assert [(line.nonce != "", line.last) for line in lines] == [
        (False, None),
        (True, 1),
        (False, None),
        (True, 25),
    ]
    assert [line.number for line in lines] == [1, 1, 3, 3]


def test_pages_keep_the_proof_of_what_they_show(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a thread, so that no page waits for it."""
    match = opened(player)
    file = tmp_path / "pages-logs.json"
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "pages.json"))
    with Context(Settings(connect=player.variables["WARDIARY_CONNECT"])) as pages:
        Keeper(pages).shown(MatchId(match))
        until = time.monotonic() + 5
        while not file.exists() and time.monotonic() < until:
            time.sleep(0.01)

    assert match in file.read_text(encoding="utf-8")
