"""The requests about the server's log: checkpoints for everybody, proofs for who may see the match, nonces for who may have the archive."""

import pytest

from events.codec import Raw, decode_plain
from events.ids import ARBITER, PUBLIC, Digest, MatchId, Seat
from events.memory_log import MemoryLog
from events.transparency.checkpoint import open_checkpoint
from events.transparency.entry import blinded
from events.transparency.merkle_tree import PATH_MAX, check_consistency
from events.transparency.signed_note import decode_hashes
from events.transparency.tlog_proof import read_proof
from server.desk.desk import Desk
from server.protocol.replies import CheckpointReply, FailedReply, HelloReply, PlayedReply, ProofReply
from server.protocol.wire import CheckpointRequest, HelloRequest, ProofRequest
from server.transparency.server_log import SIGN_S
from tests.support.server_logs import SIGNER, server_log
from tests.support.sitting import OWNER, CountedIdentity, Sitting, StillClock
from tests.support.skirmish import BLUE, RED

NOTE = Raw(b'{"do":"match:note","text":"hidden","private":true}')


class Logged(Sitting):
    """A match whose desk keeps a log of entries and checkpoints."""

    def __init__(self) -> None:
        log, clock = MemoryLog(), StillClock()
        self.server_log = server_log(log, clock=clock)
        super().__init__(log, Desk(log, clock, CountedIdentity(), owner=OWNER, server_log=self.server_log))
        self.clock = clock

    def signed(self) -> CheckpointReply:
        """Let the log sign everything, and return the checkpoint."""
        self.desk.handle(CheckpointRequest())
        while self.desk.idle():
            pass
        self.clock.seconds += SIGN_S
        self.desk.idle()
        return self.ask(CheckpointRequest(), CheckpointReply)

    def proof(self, seat: Seat = PUBLIC, at: int | None = None) -> ProofReply:
        """Ask for a proof, and check it with the public key."""
        reply = self.ask(ProofRequest(match=self.match, seat=seat, token=self.tokens.get(seat, ""), at=at), ProofReply)
        read_proof(reply.proof).check(reply.entry.encode(), SIGNER.verifier)
        return reply


@pytest.fixture
def logged() -> Logged:
    return Logged()


def number_in(reply: ProofReply) -> object:
    entry = decode_plain(reply.entry)
    assert isinstance(entry, dict)
    return entry["number"]


def test_hello_names_the_key_of_the_log(logged: Logged) -> None:
    assert logged.ask(HelloRequest(), HelloReply).log == SIGNER.verifier.text
    assert Sitting().ask(HelloRequest(), HelloReply).log == ""


def test_a_checkpoint_continues_the_one_before(logged: Logged) -> None:
    first = logged.signed()
    logged.play()
    second = logged.signed()
    old, new = (open_checkpoint(reply.note, SIGNER.verifier) for reply in (first, second))
    proof = logged.ask(CheckpointRequest(since=old.size), CheckpointReply).consistency
    check_consistency(old.size, old.root, new.size, new.root, decode_hashes(proof, PATH_MAX))

    assert (old.size, new.size) == (3, 4)
    assert proof != ()


@pytest.mark.parametrize("since", [0, 3, 4, 1 << 62, -1])
def test_a_checkpoint_without_another_one_that_it_continues_has_no_proof(logged: Logged, since: int) -> None:
    logged.signed()

    assert logged.ask(CheckpointRequest(since=since), CheckpointReply).consistency == ()


def test_before_the_first_checkpoint_the_client_asks_again(logged: Logged) -> None:
    for request in (CheckpointRequest(), ProofRequest(match=logged.match)):
        reply = logged.ask(request, FailedReply)

        assert (reply.code, reply.retry) == ("not_logged", True)


def test_a_server_without_a_log_says_so(logged: Logged) -> None:
    plain = Sitting()
    logged.server_log.problem = "it has ended"

    assert [plain.fail(CheckpointRequest()), plain.fail(ProofRequest(match=plain.match))] == ["no_log", "no_log"]
    assert [logged.fail(CheckpointRequest()), logged.fail(ProofRequest(match=logged.match))] == ["no_log", "no_log"]
    assert logged.ask(HelloRequest(), HelloReply).log == ""


def test_a_proof_is_of_the_event_that_was_asked_for_or_of_the_last_one(logged: Logged) -> None:
    logged.play()
    last = logged.state().seq
    logged.signed()
    numbers = [int(str(number_in(logged.proof(at=at)))) for at in range(1, last + 1)]

    assert numbers == sorted(numbers)
    assert (numbers[0], numbers[-1]) == (1, 4)
    assert number_in(logged.proof()) == 4


def test_a_private_note_is_covered_by_the_next_entry_and_counts_in_its_seats_numbers_only(logged: Logged) -> None:
    logged.play(NOTE)
    note = logged.state(RED).seq
    logged.play()
    logged.signed()

    assert number_in(logged.proof(RED, at=note)) == 4
    assert number_in(logged.proof(BLUE, at=note)) == number_in(logged.proof(at=note)) == 4
    assert number_in(logged.proof(RED, at=note - 1)) == 3


def test_twins_get_the_same_entries_but_for_what_is_blinded() -> None:
    told = []
    for notes in (0, 3):
        logged = Logged()
        for _ in range(notes):
            logged.play(NOTE)
        logged.play()
        logged.signed()
        last = logged.state(BLUE).seq
        replies = [logged.proof(seat, at) for seat in (PUBLIC, BLUE) for at in (None, *range(1, last + 1))]
        told.append([(number_in(one), read_proof(one.proof).index, one.nonce, one.last) for one in replies])

    assert told[0] == told[1]


def test_what_no_checkpoint_covers_yet_is_signed_soon(logged: Logged) -> None:
    logged.signed()
    logged.play()
    last = logged.state().seq
    request = ProofRequest(match=logged.match, at=last)
    early = logged.ask(request, FailedReply)
    logged.clock.seconds += SIGN_S
    while logged.desk.idle():
        pass
    logged.desk.idle()

    assert (early.code, early.retry) == ("not_logged", True)
    assert number_in(logged.proof(at=last)) == 4


@pytest.mark.parametrize(("at", "code"), [(0, "unknown_sequence"), (-1, "unknown_sequence"), (99, "unknown_sequence")])
def test_an_event_that_does_not_exist(logged: Logged, at: int, code: str) -> None:
    logged.signed()

    assert logged.fail(ProofRequest(match=logged.match, at=at)) == code


def test_a_proof_needs_the_secret_of_its_seat(logged: Logged) -> None:
    logged.signed()

    assert logged.fail(ProofRequest(match=logged.match, seat=RED, token="x" * 40)) == "bad_token"
    assert logged.fail(ProofRequest(match=MatchId("nobody"))) == "unknown_match"


def test_nonces_are_for_who_may_have_the_archive(logged: Logged) -> None:
    logged.play()
    logged.signed()
    of_arbiter = logged.proof(ARBITER)
    (written,) = logged.log.written(3, 1)

    assert (logged.proof().nonce, logged.proof(RED).nonce, logged.proof().last) == ("", "", None)
    assert blinded(bytes.fromhex(of_arbiter.nonce), written.hash) in of_arbiter.entry
    assert of_arbiter.last == logged.log.head(logged.match).seq


def test_a_match_that_is_over_and_hid_nothing_is_unblinded_for_all() -> None:
    logged = Logged()
    logged.random_match()
    logged.signed()
    head = logged.log.head(logged.match)
    proved = logged.proof()
    is_disclosed = proved.nonce != ""

    assert is_disclosed == (logged.desk._matches.get(logged.match).is_disclosed(logged.log))
    if is_disclosed:
        assert blinded(bytes.fromhex(proved.nonce), Digest(head.hash)) in proved.entry


def test_a_command_waits_for_no_entry(logged: Logged) -> None:
    """It is made between commands."""
    before = len(logged.server_log._tree)
    reply = logged.desk.handle_batch([logged.command()]).replies[0]

    assert isinstance(reply, PlayedReply)
    assert len(logged.server_log._tree) == before
