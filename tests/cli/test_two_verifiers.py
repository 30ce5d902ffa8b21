"""`verify --no-rules` and `docs/verify.py` judge whatever they are given with the same exit code, also what an attacker or a careless hand has made of it."""

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from events.errors import ProofInvalid
from events.transparency.cosignature import cosign
from events.transparency.key_changes import known_keys
from events.transparency.signed_note import Signature, Signer, read_note
from events.transparency.tlog_proof import read_proof
from tests.cli.running import Terminal
from tests.support.mutated_archives import Lines
from tests.support.own_log import KEYS, change, evidence, other_entries
from tests.support.second_verifier import VERIFY
from tests.support.signed import Players
from tests.support.witness import WITNESS

K1, K2, K3 = KEYS
PUBLIC = [key.verifier.text for key in KEYS]
TRUE = other_entries(5)
C12 = change(TRUE, K1, K2)
C13 = change(TRUE[:2], K1, K3)
LOG, CLUB = f"log {PUBLIC[0]}\n", f"witness club {WITNESS.verifier.text}\n"


@cache
def match() -> bytes:
    """Return the archive of a match in which both seats sign."""
    return Players("battle", dice="sealed").play(9).archive()


def by_both(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch, file: Path, *arguments: str
) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return the exit codes of both verifiers and what they say."""
    ran = terminal("verify", str(file), "--no-rules", *arguments)
    monkeypatch.setattr(sys, "argv", ["verify.py", str(file), *arguments])
    said: list[str] = []
    monkeypatch.setattr("builtins.print", lambda *texts, **_: said.append(" ".join(map(str, texts))))
    code = VERIFY.main()
    monkeypatch.undo()
    return (ran.code, ran.out + ran.err), (code, "\n".join(said))


def changed(old: bytes, new: bytes) -> bytes:
    """Return the evidence of the match with something changed."""
    data = evidence(match())

    assert old in data
    return data.replace(old, new, 1)


def resized(size: Callable[[int], str]) -> bytes:
    """Return evidence whose checkpoint has its size written in another way, and signed so."""
    data = evidence(match())
    proof = data.rsplit(b"\n", 2)[1]
    note = read_note(read_proof(VERIFY.json.loads(proof)["proof"]).note)
    origin, number, root, _ = note.text.split("\n")
    text = f"{origin}\n{size(int(number))}\n{root}\n"
    signed = Signature(K1.name, K1.verifier.id, K1.sign(text))
    whole = VERIFY.json.dumps(f"{text}\n{signed.line}")[1:-1].encode()
    return data.replace(VERIFY.json.dumps(note.whole, ensure_ascii=False)[1:-1].encode(), whole)


def cosigned() -> bytes:
    """Return evidence that a witness has cosigned."""
    text = read_note(read_proof(VERIFY.json.loads(evidence(match()).splitlines()[-1])["proof"]).note).text
    return evidence(match(), below=[cosign(text, WITNESS, 1_795_881_600)])


LOGS: dict[str, tuple[Callable[[], bytes], str, int]] = {
    "sound": (lambda: evidence(match()), PUBLIC[0], 0),
    "a change of the key": (lambda: evidence(match(), C12, key=K2, others=TRUE), PUBLIC[1], 0),
    "a change, by the old key": (lambda: evidence(match(), C12, key=K2, others=TRUE), PUBLIC[0], 0),
    "a second change of the old key": (lambda: evidence(match(), C12, C13, key=K3, others=TRUE), PUBLIC[1], 4),
    "a second change, named first": (lambda: evidence(match(), C13, C12, key=K3, others=TRUE), PUBLIC[1], 4),
    "a second change under the true key": (lambda: evidence(match(), C12, C13, key=K2), PUBLIC[1], 4),
    "a change that only the old key has signed": (
        lambda: evidence(match(), change(TRUE, K1, K3, K1), key=K3, others=TRUE),
        PUBLIC[0],
        4,
    ),
    "a change that only the new key has signed": (
        lambda: evidence(match(), change(TRUE, K1, K2, K2), key=K2, others=TRUE),
        PUBLIC[1],
        4,
    ),
    "changes in the wrong order of the log": (
        lambda: evidence(match(), C12, change(TRUE[:2], K2, K3), key=K3),
        PUBLIC[0],
        4,
    ),
    "the old key goes on": (lambda: evidence(match(), C12, key=K1, others=TRUE), PUBLIC[1], 4),
    "entries that run backwards": (lambda: evidence(match(), order=lambda lasts: lasts[::-1]), PUBLIC[0], 4),
    "an entry twice": (lambda: evidence(match(), order=lambda lasts: [*lasts, lasts[-1]]), PUBLIC[0], 4),
    "an unknown field": (lambda: changed(b'{"number":2,', b'{"new":1,"number":2,'), PUBLIC[0], 4),
    "an unknown field of the first line": (lambda: changed(b'{"evidence"', b'{"new":1,"evidence"'), PUBLIC[0], 4),
    "a mark of the order of bytes": (lambda: b"\xef\xbb\xbf" + evidence(match()), PUBLIC[0], 4),
    "an empty file": (lambda: b"", PUBLIC[0], 3),
    "deep lists": (lambda: b"[" * 100_000 + b"\n" + evidence(match()), PUBLIC[0], 4),
    "a size with a zero before": (lambda: resized(lambda size: f"0{size}"), PUBLIC[0], 4),
    "a size with a sign": (lambda: resized(lambda size: f"+{size}"), PUBLIC[0], 4),
    "a size with a line": (lambda: resized(lambda size: f"{size // 10}_{size % 10}"), PUBLIC[0], 4),
    "an index with a zero before": (lambda: changed(b"index ", b"index 0"), PUBLIC[0], 4),
    "junk below": (lambda: changed(b'\\n"}\n', b'\\njunk\\n"}\n'), PUBLIC[0], 4),
    "junk in a signature": (lambda: changed("\u2014 own.example/log ".encode(), "\u2014 x x ".encode()), PUBLIC[0], 4),
    "junk in a hash of the path": (lambda: changed(b"=\\n", b"!=\\n"), PUBLIC[0], 4),
    "CR LF": (lambda: evidence(match()).replace(b"\n", b"\r\n"), PUBLIC[0], 0),
    "no key": (lambda: evidence(match()), "garbage", 3),
    "a damaged key": (lambda: evidence(match()), f"x{PUBLIC[0]}", 3),
    "another key": (lambda: evidence(match()), PUBLIC[1], 4),
}


@pytest.mark.parametrize("name", LOGS)
def test_what_ties_a_match_to_a_log(
    name: str, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, key, code = LOGS[name]
    file, of = tmp_path / "m.ndjson", tmp_path / "evidence"
    file.write_bytes(match())
    of.write_bytes(make())
    found = by_both(terminal, monkeypatch, file, "--evidence", str(of), "--key", key)

    assert (found[0][0], found[1][0]) == (code, code), found
    assert not any(word in said for _, said in found for word in ("Error:", "Traceback")), found


POLICIES = {
    f"{LOG}{CLUB}quorum club\n": 0,
    f"{LOG}{CLUB}group all all club\nquorum all\n": 0,
    f"# ours\n{LOG}\nquorum none\n": 0,
    "": 3,
    LOG: 3,
    "hello world\nquorum none\n": 3,
    f"{LOG}quorum none\nquorum none\n": 3,
    f"{LOG}quorum club\n{CLUB}": 3,
    f"{LOG}{CLUB}Quorum club\n": 3,
    f"{LOG}{CLUB}quorum club # ours\n": 3,
    f"{LOG}group g 0\nquorum g\n": 3,
    f"{LOG}{CLUB}group g 0 club\nquorum g\n": 3,
    f"{LOG}{CLUB}group g 2 club\nquorum g\n": 3,
    f"{LOG}group g any g\nquorum g\n": 3,
    f"{LOG}{CLUB}{CLUB.replace('club', 'other')}group g 2 club other\nquorum g\n": 3,
    f"{LOG}witness w garbage\nquorum none\n": 3,
    f"log {PUBLIC[1]}\n{CLUB}quorum club\n": 4,
    f"log {Signer('else', bytes(32)).verifier.text}\nquorum none\n": 4,
}


@pytest.mark.parametrize("policy", POLICIES)
def test_policies(policy: str, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, of, rules = tmp_path / "m.ndjson", tmp_path / "evidence", tmp_path / "policy"
    file.write_bytes(match())
    of.write_bytes(cosigned())
    rules.write_text(policy)
    given = ("--evidence", str(of), "--key", PUBLIC[0], "--policy", str(rules))
    found = by_both(terminal, monkeypatch, file, *given)

    assert (found[0][0], found[1][0]) == (POLICIES[policy],) * 2, found


PLAYER_KEY = "0" * 64

FILES: dict[str, tuple[Callable[[], bytes], tuple[str, ...], int]] = {
    "sound": (match, (), 0),
    "CR LF": (lambda: match().replace(b"\n", b"\r\n"), (), 0),
    "an empty file": (lambda: b"", (), 4),
    "a mark of the order of bytes": (lambda: b"\xef\xbb\xbf" + match(), (), 4),
    "another key": (match, ("--player", f"german={PLAYER_KEY}"), 4),
    "no key of a player": (match, ("--player", "german"), 2),
    "a key that is none": (match, ("--player", "german=zz"), 2),
    "a key in capitals": (match, ("--player", f"german={'F' * 64}"), 2),
    "a seat that does not exist": (match, ("--player", f"nobody={PLAYER_KEY}"), 2),
    "a key without evidence": (match, ("--key", PUBLIC[0]), 2),
    "a commit without a seat": (lambda: without("seat"), (), 4),
    "a commit without a key": (lambda: without("key"), (), 4),
}


def without(field: str) -> bytes:
    """Return the archive with a field missing in its last commit."""
    lines = Lines(match())
    del lines.commits[-1][field]
    return lines.sealed()


@pytest.mark.parametrize("name", FILES)
def test_archives_and_players(name: str, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make, given, code = FILES[name]
    file = tmp_path / "m.ndjson"
    file.write_bytes(make())
    found = by_both(terminal, monkeypatch, file, *given)

    assert (found[0][0], found[1][0]) == (code, code), found


def test_a_key_that_a_thief_of_the_old_one_names_is_not_known() -> None:
    for changes in ((C12, C13), (C13, C12), (C13,)):
        with pytest.raises(ProofInvalid, match=r"no chain|no change of the key"):
            known_keys(K2.verifier, changes)
