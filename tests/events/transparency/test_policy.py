"""Trust policies: how many of which witnesses must have cosigned, and everything malformed."""

import pytest

from events.errors import LogKeyUnusable, ProofInvalid
from events.transparency.checkpoint import Checkpoint, sign_checkpoint
from events.transparency.cosignature import cosign, cosigned_at, read_witness
from events.transparency.policy import read_policy
from events.transparency.signed_note import COSIGNATURE, Note, Signer, read_note
from events.transparency.tlog_proof import read_proof
from tests.events.transparency.test_signed_note import PROOF, VKEY, WITNESS_VKEY
from tests.support.rows import each_row
from tests.support.second_verifier import VERIFY
from tests.support.witness import WITNESS

LOG = Signer("war.example/log", bytes(range(32)))
WITNESSES = {name: Signer(f"{name}.example", name.encode() * 16, COSIGNATURE) for name in ("x1", "x2", "y1", "y2")}
LINES = "".join(f"witness {name} {one.verifier.text}\n" for name, one in WITNESSES.items())
GROUPS = f"""# Two of one club, and one of the other.
log {LOG.verifier.text}
{LINES}
group x all x1 x2
group\ty any y1 y2   # Not a comment: a member of this name is missing.
group both 2 x y
quorum both
"""
POLICY = GROUPS.replace("   # Not a comment: a member of this name is missing.", "")


def note(*names: str) -> Note:
    """Return a checkpoint that these witnesses have cosigned."""
    signed = sign_checkpoint(Checkpoint(LOG.name, 3, bytes(32)), [LOG])
    lines = [cosign(signed.text, WITNESSES[name], 1_795_881_600) for name in names]
    return Note(signed.text, (*signed.signatures, *lines))


def test_the_cosignature_of_another_program_is_read_and_made() -> None:
    proof = read_proof(PROOF)

    assert WITNESS.verifier.text == WITNESS_VKEY
    assert cosign(read_note(proof.note).text, WITNESS, 1_795_881_600).line in PROOF.splitlines(keepends=True)
    assert cosigned_at(read_note(proof.note), read_witness(WITNESS_VKEY)) == 1_795_881_600
    assert read_policy(f"log {VKEY}\nwitness w {WITNESS_VKEY}\nquorum w").check(proof.note) == {"w": 1_795_881_600}


@each_row(
    ("names", "is_enough"),
    [
        (("x1", "x2", "y1"), True),
        (("x1", "x2", "y1", "y2"), True),
        (("x1", "x2"), False),
        (("x1", "y1", "y2"), False),
        ((), False),
    ],
)
def test_a_quorum_of_groups_is_counted_by_both_verifiers(names: tuple[str, ...], is_enough: bool) -> None:
    policy, whole = read_policy(POLICY), note(*names).whole
    proof = VERIFY.Proof(f"c2sp.org/tlog-proof@v1\nindex 0\n\n{whole}")
    try:
        found = {one for one in VERIFY.Policy(POLICY).cosigned(proof) if one in WITNESSES}
    except VERIFY.BrokenError:
        found = None

    assert policy.holds(whole) == is_enough
    assert (found == set(names)) == is_enough
    if not is_enough:
        with pytest.raises(ProofInvalid, match="the policy asks for 2 of both"):
            policy.check(whole)


def test_without_a_quorum_nobody_needs_to_cosign() -> None:
    assert read_policy("quorum none").check(note().whole) == {}
    assert read_policy(f"{LINES}quorum none").check(note("y2").whole) == {"y2": 1_795_881_600}


def test_a_cosignature_of_something_else_is_refused() -> None:
    other = sign_checkpoint(Checkpoint(LOG.name, 4, bytes(32)), [LOG])
    forged = Note(other.text, (*other.signatures, *note("x1").signatures[1:]))
    with pytest.raises(ProofInvalid, match="not what the witness x1"):
        read_policy(POLICY).check(forged.whole)


def test_a_key_of_the_wrong_kind_is_no_witness_and_no_log() -> None:
    with pytest.raises(LogKeyUnusable, match="cosigns as a witness"):
        read_witness(VKEY)
    with pytest.raises(LogKeyUnusable, match="signs a log"):
        read_policy(f"log {WITNESS_VKEY}\nquorum none")


@each_row(
    ("text", "said"),
    [
        ("", "no line `quorum NAME`"),
        (GROUPS, "each member of a group"),
        ("quorum x", "line 1 of the policy: it is not"),
        ("quorum none\nquorum none", "line 2 of the policy: it is not"),
        (f"{LINES}witness x1 {WITNESS_VKEY}\nquorum x1", "the name x1 is taken"),
        (f"witness none {WITNESS_VKEY}\nquorum none", "the name none is taken"),
        (f"{LINES}{LINES.replace('witness x1', 'witness z1')}", "the key of x1.example stands above already"),
        (f"log {VKEY}\nlog {VKEY}\nquorum none", "stands above already"),
        (f"{LINES}group g 3 x1 x2\nquorum g", "1 to 2 of these members"),
        (f"{LINES}group g 0 x1\nquorum g", "1 to 1 of these members"),
        (f"{LINES}group g ² x1\nquorum g", "of these members"),
        (f"{LINES}group g all x1 x1\nquorum g", "each member of a group"),
        (f"{LINES}group g all x1\ngroup h all x1 x2\nquorum h", "in no other group"),
        (f"{LINES}group g all\nquorum g", "it is not"),
        ("log nonsense\nquorum none", "NAME.ID.KEY"),
        ("\n" * 300, "at most 200 lines"),
    ],
)
def test_a_malformed_policy_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(LogKeyUnusable, match=said):
        read_policy(text)
