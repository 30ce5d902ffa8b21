"""Signed notes, keys, checkpoints and proofs: the bytes that other programs expect, and everything malformed."""

from hashlib import sha256

import pytest

from events.codec import replace
from events.errors import LogError, LogKeyUnusable, ProofInvalid
from events.ids import Digest, MatchId
from events.transparency.checkpoint import Checkpoint, checkpoint_in, open_checkpoint, sign_checkpoint
from events.transparency.cosignature import cosign
from events.transparency.entry import CommitEntry, KeyEntry, blinded, entry_bytes, nonce
from events.transparency.evidence_line import EvidenceLine
from events.transparency.merkle_tree import MerkleTree, check_inclusion, leaf_hash
from events.transparency.signed_note import (
    COSIGNATURE,
    Note,
    Signer,
    Verifier,
    is_name,
    read_note,
    read_signer,
    read_verifier,
    sign_note,
)
from events.transparency.tlog_proof import TlogProof, read_proof
from tests.support.rows import each_row
from tests.support.second_verifier import VERIFY

SIGNER = Signer("war.example/log", bytes(range(32)))
VKEY = "war.example/log+1ccbc903+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4"
WITNESS_VKEY = "witness.example/w1+20324abe+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X"
MATCH = MatchId("e0cd7686eee0accc")
PROOF = """c2sp.org/tlog-proof@v1
index 1
Yyem6hTfFXpVfyAlU2L4NaqXf5TIzN8bAOQC/UrdHDU=
V6KgEgIQHh4rf8kVIpOoPddNzwCHWSjqIPi6+Q4fswg=

war.example/log
3
E29zUUqicC3sWrEb2D7lWmLmf4bU3glN0YgWF63CNeE=

— war.example/log HMvJA/1VReSfG2l7tTSAHyAZdNw4ozKSwZm4E7qIVYMydXkKrlZZL1h3ORcGJsfyNBYLING3AkHv7vxbxMK1RNpyjAg=
— witness.example/w1 IDJKvgAAAABrCvqAVOZ6mLNIe3j5XgLEXvmsvJXDnKH23/k777NRHomPri6CE9EDN6R76HSVetOL819Ao+8A0XAIR2nyQ5TWGeLzAg==
"""
"""A proof with the signature of the log and that of a witness, made by another program."""


def entry(index: int) -> bytes:
    commit = Digest(sha256(b"commit %d" % (index + 1)).hexdigest())
    return entry_bytes(CommitEntry(match=MATCH, number=index + 1, blinded=blinded(nonce(b"n" * 32, index), commit)))


TREE = MerkleTree(leaf_hash(entry(index)) for index in range(3))


def test_entries_have_these_bytes() -> None:
    expected = (
        '{"entry":"wardiary-entry/1","match":"e0cd7686eee0accc","number":2,'
        '"blinded":"8065a6a9d1ba8109916e893db4c959a8f37431b5665823de83b24efa4bfe20f0"}'
    )

    assert nonce(b"n" * 32, 1).hex() == "31f64de8ab613ad5caab48b24f912d7f2258ad210f3dc78b74c5d23fd6f547ef"
    assert entry(1).decode() == expected
    assert leaf_hash(entry(1)).hex() == "ebd1bf53d139b6aaf28324d21176ffab94365bac1ea329fb43bc353261be4f8c"
    assert TREE.root(2).hex() == "bc9bae9bf0412829940c4ae044f327815a2629ea13178a0e7f6dc25cb5fb1ca4"
    assert TREE.root(3).hex() == "136f73514aa2702dec5ab11bd83ee55a62e67f86d4de094dd1881617adc235e1"


def test_a_change_of_the_key_has_these_bytes() -> None:
    assert entry_bytes(KeyEntry(key="new", was="old")) == b'{"entry":"wardiary-key/1","key":"new","was":"old"}'


def test_a_proof_has_these_bytes() -> None:
    ours = TlogProof(
        1, tuple(TREE.inclusion(1, 3)), sign_checkpoint(Checkpoint(SIGNER.name, 3, TREE.root()), [SIGNER]).whole
    ).text
    lines = [line for line in PROOF.splitlines() if "witness" not in line]

    assert ours.splitlines() == lines
    assert read_proof(PROOF).text == PROOF
    assert read_note(read_proof(PROOF).note).whole == read_proof(PROOF).note


def test_a_proof_is_checked_with_the_public_key_alone() -> None:
    checkpoint = read_proof(PROOF).check(entry(1), read_verifier(VKEY))

    assert checkpoint == Checkpoint("war.example/log", 3, TREE.root())

    second = VERIFY.Proof(PROOF)
    assert (second.check(VERIFY.json.loads(entry(1)), VKEY), second.is_signed(WITNESS_VKEY)) == (3, True)


def test_the_line_of_a_log_of_a_million_entries_and_three_witnesses_has_two_kilobytes_at_most() -> None:
    """A path has as many hashes as its place has binary digits, at most."""
    size, leaf = 10**6, Digest("f" * 64)
    witnesses = [Signer(f"witness.example/w{number}", bytes([number]) * 32, COSIGNATURE) for number in range(3)]
    note = sign_checkpoint(Checkpoint(SIGNER.name, size, bytes(32)), [SIGNER])
    note = Note(note.text, (*note.signatures, *[cosign(note.text, one, 1_795_881_600) for one in witnesses]))
    proof = TlogProof(size - 1, (bytes(32),) * (size - 1).bit_length(), note.whole)
    line = EvidenceLine(match=MATCH, number=10_000, blinded=leaf, proof=proof.text, before=leaf)
    hundred = MerkleTree([leaf_hash(b"")] * 100)

    assert max(len(hundred.inclusion(index, 100)) for index in range(100)) == (100 - 1).bit_length()
    assert len(line.text.encode()) <= 2_000


def test_keys_are_those_of_the_note_package_of_go() -> None:
    # Source: the example in the documentation of that package.
    skey = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
    vkey = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    note = (
        "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n"
        "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    )
    signer = read_signer(skey)

    assert (signer.text, signer.verifier.text) == (skey, vkey)
    assert sign_note(note.partition("\n\n")[0] + "\n", [signer]).whole == note
    assert read_note(note).is_signed_by(read_verifier(vkey))
    assert read_verifier(VKEY) == SIGNER.verifier
    assert read_signer(SIGNER.text) == SIGNER


@each_row(
    ("text", "said"),
    [
        ("", "NAME.ID.KEY"),
        ("a+b", "NAME.ID.KEY"),
        (SIGNER.text, "secret"),
        (WITNESS_VKEY, "kind"),
        (VKEY.replace("1ccbc903", "1ccbc904"), "damaged"),
        (VKEY.replace("war.example", "war example"), "white space"),
        (VKEY[:-4], "kind"),
        (VKEY[:-1] + "!", "kind"),
        (Verifier("war.example/log", bytes(32)).text, "anybody can sign"),
    ],
)
def test_a_public_key_that_is_none_is_refused(text: str, said: str) -> None:
    with pytest.raises(LogKeyUnusable, match=said):
        read_verifier(text)


@each_row("text", ["", VKEY, SIGNER.text[:-4], SIGNER.text.replace("1ccbc903", "00000000")])
def test_a_secret_key_that_is_none_is_refused_and_not_quoted(text: str) -> None:
    with pytest.raises(LogKeyUnusable) as raised:
        read_signer(text)

    assert SIGNER.text[-20:] not in str(raised.value)


@each_row(
    ("name", "is_valid"), [("war.example/log", True), ("ein-Spiel", True), ("", False), ("a b", False), ("a+b", False)]
)
def test_names_of_keys(name: str, is_valid: bool) -> None:
    assert is_name(name) is is_valid


@each_row(
    "whole",
    [
        "",
        "text\n",
        "text\n\n",
        "text\n\n— name\n",
        "text\n\n— na+me AAAAAAAA\n",
        "text\n\n— name AAAA\n",
        "text\n\n— name AAAAAAA\n",
        "text\n\n— name AAAAAAAA",
        "te\0xt\n\n— name AAAAAAAA\n",
        "text\n\n" + "— name AAAAAAAA\n" * 17,
        "x" * 20_000,
    ],
)
def test_what_is_not_a_note_is_refused(whole: str) -> None:
    with pytest.raises(ProofInvalid):
        read_note(whole)


@each_row(
    "text",
    [
        "o\n3\n",
        "o\n03\n" + "A" * 43 + "=\n",
        "o\n3\nAAAA\n",
        "o\n-1\n" + "A" * 43 + "=\n",
        "o\n3\n" + "A" * 43 + "=\nmore\n",
    ],
)
def test_what_is_not_a_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(ProofInvalid):
        checkpoint_in(sign_note(text, [SIGNER]))


def test_a_checkpoint_of_another_log_or_key_is_refused() -> None:
    of_other = sign_checkpoint(Checkpoint("other", 3, TREE.root()), [SIGNER])
    by_other = sign_checkpoint(Checkpoint(SIGNER.name, 3, TREE.root()), [replace(SIGNER, secret=bytes(32))])
    for note, said in ((of_other, "not of war.example/log"), (by_other, "not signed with the key")):
        with pytest.raises(ProofInvalid, match=said):
            open_checkpoint(note.whole, SIGNER.verifier)


def test_a_changed_text_is_refused() -> None:
    note = sign_checkpoint(Checkpoint(SIGNER.name, 3, TREE.root()), [SIGNER])
    for text in (note.text.replace("3", "4", 1), note.text.replace("E29z", "E28z")):
        with pytest.raises(ProofInvalid, match="is not what"):
            open_checkpoint(replace(note, text=text).whole, SIGNER.verifier)


def test_a_proof_of_another_entry_or_tree_is_refused() -> None:
    proof = read_proof(PROOF)
    with pytest.raises(ProofInvalid):
        proof.check(entry(0), SIGNER.verifier)
    with pytest.raises(ProofInvalid):
        replace(proof, index=2).check(entry(1), SIGNER.verifier)
    with pytest.raises(ProofInvalid):
        check_inclusion(leaf_hash(entry(1)), 1, 3, proof.path, TREE.root(2))


@each_row("number", range(len(PROOF) - 1))
def test_a_proof_with_a_changed_character_is_refused(number: int) -> None:
    """All but the witness's line, which no key of ours vouches for."""
    char = "A" if PROOF[number] != "A" else "B"
    damaged = PROOF[:number] + char + PROOF[number + 1 :]
    try:
        read_proof(damaged).check(entry(1), SIGNER.verifier)
        is_refused = False
    except LogError:
        is_refused = True

    assert is_refused or number >= PROOF.index("— witness")
