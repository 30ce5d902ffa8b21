"""`pack` and `evidence` of a server that lies about what it has signed: nothing is packed or kept that does not hold, and one line says why."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from events.codec import decode_plain, replace
from events.transparency.signed_note import Signer
from server.broker.broker import Broker
from server.client.sockets import SocketTransport
from server.protocol.replies import CheckpointReply, CommitsReply, EntriesReply, HelloReply, ProofReply, Reply
from server.protocol.wire import Request
from tests.cli.running import Player
from tests.support.server_logs import SIGNER, signing
from tests.support.sitting import OWNER
from tests.support.soak import few

OTHER = Signer(SIGNER.name, b"o" * 32)


@pytest.fixture
def broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[Broker]:
    with signing(monkeypatch) as running:
        yield running


@pytest.fixture
def match(player: Player) -> str:
    """A match that is over, of which the player has kept a line before."""
    match = player.done("new", "battle").strip().splitlines()[-1]
    player("choose", match, "1")
    player.done("evidence", match)
    player.done("choose", match, "resign")
    return match


def other_number(reply: Reply) -> Reply:
    """Let the proof be of another entry than the last one."""
    return (
        replace(reply, entry=reply.entry.replace('"number":', '"number":1')) if isinstance(reply, ProofReply) else reply
    )


def other_match(reply: Reply) -> Reply:
    if not isinstance(reply, ProofReply):
        return reply
    return replace(reply, entry=reply.entry.replace(f'"match":"{reply.match}"', '"match":"another"'))


def other_entry(reply: Reply) -> Reply:
    """Let the entry be of another commit."""
    if not isinstance(reply, ProofReply):
        return reply
    at = reply.entry.index('"blinded":"') + 11
    return replace(reply, entry=f"{reply.entry[:at]}{'0' * 64}{reply.entry[at + 64 :]}")


def other_path(reply: Reply) -> Reply:
    return replace(reply, proof=reply.proof.replace("index ", "index 1")) if isinstance(reply, ProofReply) else reply


def other_nonces(reply: Reply) -> Reply:
    return replace(reply, nonces=reply.nonces[::-1]) if isinstance(reply, EntriesReply) else reply


def no_nonces(reply: Reply) -> Reply:
    return replace(reply, nonces=()) if isinstance(reply, EntriesReply) else reply


def other_key(reply: Reply) -> Reply:
    """Let the log go on with a key that the old one says nothing of."""
    return replace(reply, log=OTHER.verifier.text) if isinstance(reply, HelloReply) else reply


def other_checkpoint(reply: Reply) -> Reply:
    """Let the checkpoint be of another root, with the old signature."""
    if not isinstance(reply, CheckpointReply):
        return reply
    origin, size, root, *rest = reply.note.split("\n")
    return replace(reply, note="\n".join([origin, size, f"{'B' if root[0] == 'A' else 'A'}{root[1:]}", *rest]))


def no_consistency(reply: Reply) -> Reply:
    return replace(reply, consistency=()) if isinstance(reply, CheckpointReply) else reply


def cut_off(reply: Reply) -> Reply:
    """Leave out the last commit of the match, as if it had never been."""
    if not isinstance(reply, CommitsReply):
        return reply
    *commits, last = reply.commits
    plain = decode_plain(bytes(last))
    assert isinstance(plain, dict)
    return replace(reply, commits=tuple(commits), seq=plain["first"] - 1, head=plain["prev"])


def no_commits(reply: Reply) -> Reply:
    """Send no commits, and say that there are some."""
    return replace(reply, commits=()) if isinstance(reply, CommitsReply) else reply


LIES = [
    other_number,
    other_match,
    other_entry,
    other_path,
    other_nonces,
    no_nonces,
    other_key,
    other_checkpoint,
    no_consistency,
    cut_off,
]


@pytest.mark.parametrize("lie", few(LIES, 4))
def test_a_server_that_lies_gets_nothing_packed(
    lie: Callable[[Reply], Reply], player: Player, match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = SocketTransport.ask

    def lied(transport: SocketTransport, request: Request) -> Reply:
        return lie(ask(transport, request))

    monkeypatch.setattr(SocketTransport, "ask", lied)
    ran = player("pack", match, str(tmp_path / "appeal"), WARDIARY_TOKEN=OWNER)

    assert (ran.code, "Traceback" in ran.err) == (4, False), ran
    assert [*(tmp_path / "appeal").glob("*")] == []


def test_a_server_that_sends_no_commits_ends_the_verb(
    player: Player, match: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = SocketTransport.ask
    monkeypatch.setattr(SocketTransport, "ask", lambda transport, request: no_commits(ask(transport, request)))

    assert player("pack", match, str(tmp_path / "appeal"), WARDIARY_TOKEN=OWNER).code == 3
