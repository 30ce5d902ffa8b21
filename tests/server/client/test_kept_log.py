"""What a client keeps of a server's log, against servers that are honest, and against those that are not."""

from collections.abc import Callable

import pytest
from typing_extensions import override

from events.codec import Decoder, replace
from events.errors import ProofInvalid
from events.ids import PUBLIC, Digest, MatchId, match_id
from events.memory_log import MemoryLog
from events.transparency.checkpoint import Checkpoint, sign_checkpoint
from events.transparency.entry import CommitEntry, entry_bytes, entry_hash
from events.transparency.evidence_line import EvidenceLine, read_line
from events.transparency.merkle_tree import MerkleTree, leaf_hash
from events.transparency.signed_note import Signer, encode_hashes, read_note
from events.transparency.tlog_proof import TlogProof, read_proof
from server.client.client import Client
from server.client.kept_log import KeptLog, LogSilent, TwoHistories, compared, followed, with_line
from server.client.local import LocalTransport
from server.desk.desk import Desk
from server.protocol.errors import RequestFailed
from server.protocol.replies import CheckpointReply, EntriesReply, HelloReply, Reply
from server.protocol.wire import CheckpointRequest, EntriesRequest, HelloRequest, ProofRequest, Request
from tests.support.rows import each_row
from tests.support.server_logs import SIGNER, KeptKey, server_log
from tests.support.sitting import CountedIdentity, Sitting, StillClock

LOG = SIGNER.name
MATCH = match_id("key-1")
"""The match that every sitting plays."""
FOREIGN = Signer("other.example/log", bytes(32))


class Server:
    """A server with a match, of which a number of commands were played, and a client of it.

    Args:
        signer: The key of its log.
        commands: How many; each lets red roll, and blue accept.
        differs: Whether they are other commands than usual, so that it is another history.
    """

    def __init__(self, commands: int = 0, *, signer: Signer = SIGNER, differs: bool = False) -> None:
        self.log, self.clock, self.key = MemoryLog(), StillClock(), KeptKey(signer)
        self.played = Sitting(self.log, seed="1" if differs else "3")
        self.begin()
        for _ in range(commands):
            self.play()

    def begin(self) -> None:
        """Begin to serve what is stored."""
        self.server_log = server_log(self.log, self.key, self.clock)
        desk = Desk(self.log, self.clock, CountedIdentity(), server_log=self.server_log)
        self.client = Client(LocalTransport(desk), CountedIdentity(), self.clock)
        self.server_log.finish()

    def play(self) -> None:
        """Write something that everybody sees, and sign it."""
        mover = self.played.legal(PUBLIC).to_move
        self.played.play(self.played.legal(mover).options[0].command, mover)
        self.server_log.look()
        self.server_log.finish()

    def followed(self, kept: KeptLog | None = None) -> KeptLog:
        """Let the client ask for the last checkpoint."""
        return followed(self.client, {} if kept is None else {LOG: kept})

    def line(self, kept: KeptLog | None = None) -> EvidenceLine:
        """Let another player keep the last line of the match."""
        return with_line(self.client, self.followed(kept), MATCH).lines[MATCH]


def size_of(kept: KeptLog) -> int:
    assert kept.checkpoint is not None
    return kept.checkpoint.size


def test_the_last_checkpoint_is_kept_if_it_continues_the_one_before() -> None:
    server = Server()
    kept = [server.followed()]
    for _ in range(3):
        server.play()
        kept.append(server.followed(kept[-1]))

    assert [size_of(one) for one in kept] == [3, 4, 5, 6]
    assert kept[-1].key == SIGNER.verifier.text


def test_the_proof_of_the_last_entry_of_a_match_is_kept() -> None:
    server = Server(2)
    first = with_line(server.client, server.followed(), MATCH)
    server.play()
    second = with_line(server.client, first, MATCH)

    assert (first.lines[MATCH].number, second.lines[MATCH].number) == (5, 6)
    assert second.lines[MATCH].check(SIGNER.verifier) == second.checkpoint


def test_a_server_without_a_log_is_silent() -> None:
    client = Client(LocalTransport(Desk(MemoryLog())), CountedIdentity(), StillClock())
    with pytest.raises(LogSilent):
        followed(client, {})


def test_nothing_is_kept_of_a_match_without_an_entry() -> None:
    server = Server()
    with pytest.raises(RequestFailed):
        with_line(server.client, server.followed(), MatchId("nobody"))


# Two histories


@each_row("commands", [0, 1, 4])
def test_another_history_of_the_same_log_is_found(commands: int) -> None:
    """It is shorter, as long as, or longer than the one that is kept."""
    kept = Server(1).followed()
    with pytest.raises(TwoHistories) as raised:
        Server(commands, differs=True).followed(kept)
    texts = raised.value.proof.split(f"\n{LOG}\n")
    notes = [read_note(texts[0]), read_note(f"{LOG}\n{texts[1]}")]

    assert all(note.is_signed_by(SIGNER.verifier) for note in notes)
    assert (raised.value.origin, kept.note in raised.value.proof) == (LOG, True)


def test_a_log_that_has_become_shorter_is_found() -> None:
    kept = Server(2).followed()
    with pytest.raises(TwoHistories, match="cannot continue"):
        Server(1).followed(kept)


def test_a_match_that_was_rewritten_is_found_by_its_line_alone() -> None:
    """The server has signed a new log; the other player kept a line of the old one, and this one nothing."""
    honest, forged = Server(2), Server(2, differs=True)
    with pytest.raises(TwoHistories):
        compared(forged.client, forged.followed(), honest.line())


@each_row(("mine", "theirs"), [(1, 1), (1, 3), (3, 1), (0, 1)])
def test_lines_of_one_history_are_parts_of_it(mine: int, theirs: int) -> None:
    """Whoever looked later."""
    server = Server(min(mine, theirs))
    early = server.followed()
    early_line = server.line()
    while size_of(server.followed()) < 3 + max(mine, theirs):
        server.play()
    late, late_line = server.followed(), server.line()
    log = compared(server.client, early if mine < theirs else late, late_line if mine < theirs else early_line)

    assert size_of(log) == 3 + max(mine, theirs)


@each_row(("mine", "theirs"), [(2, 2), (1, 3), (3, 1)])
def test_lines_of_two_histories_contradict_each_other(mine: int, theirs: int) -> None:
    """For roots of one size no server is asked."""
    server, other = Server(mine), Server(theirs, differs=True)
    with pytest.raises(TwoHistories):
        compared(server.client, server.followed(), other.line())


def test_an_earlier_line_does_not_take_the_place_of_a_later_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the earlier one kept, the server could go on from there with other entries in the same log, and be believed."""
    server = Server(4)
    kept = with_line(server.client, server.followed(), MATCH)
    ask = server.client._ask

    def earlier(request: Request) -> Reply:
        return ask(replace(request, at=4) if isinstance(request, ProofRequest) else request)

    monkeypatch.setattr(server.client, "_ask", earlier)
    with pytest.raises(ProofInvalid, match="has proved entry 7 before: it holds something back"):
        with_line(server.client, kept, MATCH)


def test_two_entries_for_one_number_contradict_each_other() -> None:
    server, other = Server(2), Server(2, differs=True)
    mine = with_line(server.client, server.followed(), MATCH)
    with pytest.raises(TwoHistories, match="two entries with the number 5") as raised:
        compared(server.client, mine, other.line())

    assert [read_line(one) for one in raised.value.proof.splitlines()] == [mine.lines[MATCH], other.line()]


# What proves nothing


def test_a_garbled_proof_is_no_second_history(monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(1)
    kept = server.followed()
    server.play()
    ask = server.client._ask

    def garbled(request: Request) -> Reply:
        reply = ask(request)
        return replace(reply, consistency=("garbled",)) if isinstance(reply, CheckpointReply) else reply

    monkeypatch.setattr(server.client, "_ask", garbled)
    with pytest.raises(ProofInvalid, match="32 bytes in base64"):
        server.followed(kept)


def test_a_checkpoint_by_another_key_is_refused() -> None:
    kept = Server(1).followed()
    thief = Server(1, signer=replace(SIGNER, secret=b"t" * 32))
    with pytest.raises(ProofInvalid, match="signed with another key than the one that is known"):
        thief.followed(kept)


def test_another_log_begins_beside_the_one_that_is_kept() -> None:
    kept = Server(1).followed()
    other = Server(1, signer=FOREIGN).followed(kept)

    assert other.verifier.name == FOREIGN.name
    assert other.lines == {}


@each_row(
    "change",
    [
        lambda line: replace(line, number=line.number + 1),
        lambda line: replace(line, match=MatchId("other")),
        lambda line: replace(line, blinded="0" * 64),
        lambda line: replace(line, proof=line.proof.replace("index 4", "index 3")),
        lambda line: replace(line, proof=""),
        lambda line: replace(line, proof=line.proof.replace(LOG, "log")),
    ],
)
def test_a_line_that_was_changed_is_refused(change: Callable[[EvidenceLine], EvidenceLine]) -> None:
    server = Server(2)
    line = server.line()
    with pytest.raises(ProofInvalid):
        compared(server.client, server.followed(), change(line))


@each_row("text", ["", "{", "[]", "{}", '{"match":1}', '{"match":"m","number":1,"blinded":"","proof":"","more":1}'])
def test_what_is_not_a_line_is_refused(text: str) -> None:
    with pytest.raises(ProofInvalid, match="wardiary evidence"):
        read_line(text)


# Entries of one match


class TwoFaced(LocalTransport):
    """A server that keeps two histories of a match in one log, with one root for each size, and shows each player one of them."""

    def __init__(self) -> None:
        super().__init__(Desk(MemoryLog()))
        self.tree, self.entries_of = MerkleTree(), dict[str, list[bytes]]()
        for blinds in ("abcd", "abxyz"):
            entries, before = self.entries_of.setdefault(blinds, []), Digest("")
            for number, name in enumerate(blinds, start=1):
                entry = CommitEntry(match=MATCH, number=number, blinded=Digest(name * 64), before=before)
                entries.append(entry_bytes(entry))
                before = entry_hash(entries[-1])
                self.tree.append(leaf_hash(entries[-1]))
        self.note = sign_checkpoint(Checkpoint(LOG, len(self.tree), self.tree.root()), [SIGNER]).whole
        self.shown = ""

    @override
    def ask(self, request: Request) -> Reply:
        """Answer as such a server does."""
        if isinstance(request, HelloRequest):
            return HelloReply(version="", protocols=(), games=(), log=SIGNER.verifier.text)
        if isinstance(request, CheckpointRequest):
            hashes = encode_hashes(self.tree.consistency(request.since, len(self.tree)))
            return CheckpointReply(note=self.note, consistency=hashes)
        assert isinstance(request, EntriesRequest)
        shown = [entry.decode() for entry in self.entries_of[self.shown][request.after :]]
        return EntriesReply(match=MATCH, entries=tuple(shown))

    def line(self, blinds: str, number: int) -> EvidenceLine:
        """Return the line of an entry."""
        index = number - 1 + len("abcd") * (blinds != "abcd")
        entry: CommitEntry = Decoder(CommitEntry).decode(self.entries_of[blinds][number - 1])
        proof = TlogProof(index, tuple(self.tree.inclusion(index, len(self.tree))), self.note)
        return EvidenceLine(match=MATCH, number=number, blinded=entry.blinded, before=entry.before, proof=proof.text)


def two_faced(shown: str) -> tuple[TwoFaced, Client]:
    """Return such a server that shows one history, and a client of it."""
    server = TwoFaced()
    server.shown = shown
    return server, Client(server, CountedIdentity(), StillClock())


@each_row("shown", ["abcd", "abxyz"])
@each_row(
    "lines",
    [
        (("abcd", 4), ("abxyz", 5)),
        (("abcd", 3), ("abxyz", 5)),
        (("abcd", 4), ("abxyz", 3)),
        (("abxyz", 5), ("abcd", 3)),
    ],
)
def test_two_histories_in_one_log_are_found_by_entries_of_different_numbers(
    lines: tuple[tuple[str, int], tuple[str, int]], shown: str
) -> None:
    """Whatever the server shows between them."""
    server, client = two_faced(shown)
    mine, theirs = (server.line(*one) for one in lines)
    kept = replace(followed(client, {}), lines={MATCH: mine})
    with pytest.raises(TwoHistories, match="does not continue its entry"):
        compared(client, kept, theirs)


def test_entries_of_one_history_continue_each_other_whatever_lies_between() -> None:
    server, client = two_faced("abxyz")
    kept = replace(followed(client, {}), lines={MATCH: server.line("abxyz", 2)})

    assert compared(client, kept, server.line("abxyz", 5)) == kept
    assert compared(client, kept, server.line("abxyz", 3)) == kept


# Another key


def rotated(server: Server, secret: bytes = b"n", *, is_vouched_for: bool = True) -> Signer:
    """Let another key follow, and begin to serve with it."""
    new = replace(SIGNER, secret=secret * 32)
    change = server.server_log.change_key(new)
    key = KeptKey(new)
    key.signed = server.key.signed
    key.known_changes = (*server.key.known_changes, change) if is_vouched_for else ()
    server.key = key
    server.begin()
    return new


def test_a_key_that_the_old_one_vouches_for_is_followed() -> None:
    server = Server(1)
    kept = server.followed()
    new = rotated(server)
    server.play()
    after = server.followed(kept)

    assert (after.key, size_of(after)) == (new.verifier.text, 6)
    assert compared(server.client, after, server.line(after)) == after


def test_lines_of_several_keys_are_checked_by_the_changes_from_one_to_the_next() -> None:
    """Also by who knows only the first key, or only the last one."""
    server = Server(1)
    first, first_line = server.followed(), server.line()
    for secret in (b"n", b"m"):
        rotated(server, secret)
        server.play()
    late = server.followed(first)
    late_line = server.line()

    assert len(late.changes) == 2
    assert late.check(first_line).size < late.check(late_line).size
    assert compared(server.client, late, first_line) == late
    assert compared(server.client, first, late_line).key == late.key
    assert server.followed().check(first_line).size == 4


def test_an_old_key_signs_nothing_that_is_larger_than_when_it_was_replaced() -> None:
    """Whoever has it cannot go on with it."""
    server = Server(1)
    stolen = server.key.signer
    rotated(server)
    late = server.followed()
    server.key = KeptKey(stolen)
    server.log.save_checkpoint(0, "")
    server.begin()
    server.play()
    with pytest.raises(ProofInvalid, match="another one followed after 5"):
        late.check(server.line())


def test_a_key_that_the_old_one_does_not_vouch_for_is_refused() -> None:
    server = Server(1)
    kept = server.followed()
    rotated(server, is_vouched_for=False)
    with pytest.raises(ProofInvalid, match="ask its operator"):
        server.followed(kept)


def test_a_signature_added_below_an_old_checkpoint_vouches_for_nothing() -> None:
    """A thief of the store without the key adds his own signature, and proves his own entry."""
    server = Server(1)
    kept = server.followed()
    thief = replace(SIGNER, secret=b"t" * 32)
    change = server.server_log.change_key(thief)
    checkpoint = Checkpoint(LOG, server.server_log.size, server.server_log._tree.root())
    forged = replace(read_proof(change.proof), note=sign_checkpoint(checkpoint, [thief]).whole)
    server.key = KeptKey(thief)
    server.key.known_changes = (replace(change, proof=forged.text),)
    server.log.save_checkpoint(0, "")
    server.begin()
    with pytest.raises(ProofInvalid, match="did not say so"):
        server.followed(kept)
