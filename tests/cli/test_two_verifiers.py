"""`verify --no-rules`, `docs/verify.py` and the scripts of the pages judge whatever they are given with the same exit code, also what an attacker or a careless hand has made of it."""

import sys
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random

import pytest

from core.chance.links import LINKS, LinkChain, SealedChance, ServerLinks
from events.archive import export_match
from events.archive_reader import read_archive
from events.codec import Raw, encode, replace
from events.commit import Commit, chain_hash
from events.errors import ProofInvalid
from events.ids import ARBITER, Seat
from events.ids import PUBLIC as PUBLIC_SEAT
from events.log import NewCommit
from events.transparency.cosignature import cosign
from events.transparency.evidence_file import read_evidence
from events.transparency.evidence_line import EvidenceLine
from events.transparency.key_changes import known_keys
from events.transparency.signed_note import Signature, Signer, read_note
from events.transparency.tlog_proof import read_proof
from events.vocabulary import ChanceCalled, DiceRolled, Event, KeyRegistered, LinksOpened, MatchBegan
from server.client.evidence_files import own_hashes
from tests.cli.running import Terminal
from tests.support.desk import NOON, SEED
from tests.support.links import LinkedDesk
from tests.support.mutated_archives import Lines, Record
from tests.support.own_log import KEYS, change, evidence, other_entries
from tests.support.page_verifier import NODE, by_page
from tests.support.second_verifier import VERIFY
from tests.support.signed import OPERATOR, Players, signed_anew
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
    "a file that is too large": (lambda: evidence(match()) + b"\n" * (16 << 20), PUBLIC[0], 3),
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
    "fields in another order": (lambda: rewritten(lambda one: dict(reversed(one.items()))), (), 4),
    "an empty signature": (lambda: rewritten(lambda one: one | {"signature": ""}), (), 4),
    "a time in no calendar": (lambda: rewritten(lambda one: one | {"at": 10**15}), (), 4),
    "a commit without a key": (lambda: without("key"), (), 4),
}


def rewritten(change: Callable[[Record], Record]) -> bytes:
    """Return an archive whose last commit without a signature was written in another way."""
    lines = Lines(match())
    place = max(number for number, one in enumerate(lines.commits) if "signature" not in one)
    lines.commits[place] = change(lines.commits[place])
    return lines.sealed()


def without(field: str, data: bytes = b"") -> bytes:
    """Return an archive with a field missing in its last commit."""
    lines = Lines(data or match())
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


# Signatures


def with_commit(data: bytes, seat: str, key: str, command: dict[str, object], *events: dict[str, object]) -> bytes:
    """Return an archive with one more commit that is not signed."""
    lines = Lines(data)
    last = {name: lines.commits[-1][name] for name in ("commit", "match", "first", "prev", "at")}
    lines.commits.append({**last, "seat": seat, "key": key, "command": command, "events": list(events)})
    return lines.sealed()


def event_of(data: bytes, kind: str) -> dict[str, object]:
    """Return the first event of a kind."""
    return next(one for commit in Lines(data).commits for one in commit["events"] if one["event"] == kind)


def changed_commit(field: str, change: Callable[[str], str]) -> bytes:
    """Return the archive with a field of its last signed commit changed."""
    lines = Lines(match())
    last = next(one for one in reversed(lines.commits) if "signature" in one)
    last[field] = change(last.get(field, ""))
    return lines.sealed()


def other_ending(signature: str) -> str:
    """Return the same bytes in base64 that is not canonical."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return signature[:-3] + letters[letters.index(signature[-3]) ^ 1] + signature[-2:]


def answered(*, is_withdrawn: bool) -> bytes:
    """Return a match with a command that a standing answer, which was withdrawn or is of another question, would free of its signature."""
    players = Players("battle", dice="sealed").play(14)
    seat, client = next(iter(players.clients.items()))
    give = b'{"do":"match:answer-always","decision":"firefight"'
    client.play(players.match, seat, give + b',"answer":"{\\"do\\":\\"pass\\"}"}')
    if is_withdrawn:
        client.play(players.match, seat, give + b"}")
    data = players.archive()
    key, event = Lines(data).commits[-1]["key"], event_of(data, "control-changed/1")
    return with_commit(data, str(seat), f"{key}/1", {"do": "pass"}, event)


def beside_share() -> bytes:
    """Return a match with a command that has a link in its text only, and in an event of another kind."""
    event = {**event_of(match(), "control-changed/1"), "share": "x"}
    return with_commit(match(), "german", "x", {"do": "choose-force", "share": "x"}, event)


def of_nobody() -> bytes:
    """Return a match with a command that is not signed, of the arbiter."""
    return with_commit(match(), "arbiter", "x", {"do": "choose-force"}, event_of(match(), "control-changed/1"))


def honest_answers() -> bytes:
    """Return a match in which a standing answer was played without a signature."""
    players = Players("battle", dice="sealed")
    for number in range(40):
        for seat, client in players.clients.items():
            for kind in ("answer_move", "answer_card", "answer_draw"):
                text = b'{"do":"match:answer-always","decision":"%s","answer":"{\\"do\\":\\"pass\\"}"}' % kind.encode()
                if number == 0:
                    client.play(players.match, seat, text)
        players.play(1, seed=number)
    unsigned = [one for one in Lines(players.archive()).commits if one["command"].get("do") == "pass"]

    assert any("signature" not in one for one in unsigned)
    return players.archive()


def given_by_the_arbiter() -> bytes:
    """Return a match with a standing answer of a player that nobody knows of, beside a note of the arbiter, and with the command that it would free of its signature."""
    players = Players("battle", dice="sealed").play(14)
    legal, data = players.host.legal(players.match), players.archive()
    words: dict[str, object] = {
        "rule": "match.standing",
        "seat": legal.to_move,
        "decision": legal.decision,
        "answer": '{"do":"pass"}',
    }
    given: dict[str, object] = {"event": "standing-answer-given/1", **words, "seen_by": []}
    data = with_commit(data, "arbiter", "x", NOTE, given)
    return with_commit(data, legal.to_move, "x/1", {"do": "pass"}, event_of(data, "control-changed/1"))


def beside_the_arbiter(**event: object) -> bytes:
    """Return a match with an event beside a note of the arbiter."""
    return with_commit(match(), "arbiter", "x", NOTE, event)


def said_otherwise(kind: str, field: str) -> bytes:
    """Return a match in which a seat says something else than its signed command."""
    players = Players("battle", dice="sealed").play(14)
    give = b'{"do":"match:answer-always","decision":"firefight","answer":"{\\"do\\":\\"pass\\"}"}'
    seat, client = next(iter(players.clients.items()))
    client.play(players.match, seat, give)
    lines = Lines(players.archive())
    event = next(one for commit in lines.commits for one in commit["events"] if one["event"] == kind)
    event[field] = "f" * 64
    return lines.sealed()


def skipped() -> bytes:
    """Return a match in which a link of the server is opened beside a note of the arbiter: who plays along would choose dice so."""
    desk = LinkedDesk.linked("battle").play(5, Random(3))
    assert desk.table.links is not None
    number = desk.table.links.opened + 1
    link = ServerLinks(SEED, desk.match.id).chain.link(number).hex()
    data = b"".join(export_match(desk.log, desk.match.id))
    opened: dict[str, object] = {"event": "links-opened/1", "rule": "match.links", "number": number, "link": link}
    return with_commit(data, "arbiter", "x", NOTE, opened)


def set_up_too_early() -> bytes:
    """Return a match whose set-up fell before the last to sit had opened a link: with the first one, the operator could refuse that seat until it pleased."""
    desk = LinkedDesk.linked("battle", begin=False)
    first, last = desk.table.seats
    desk.open_link(first)
    links = desk.table.links
    assert links is not None
    desk.match.table.links = replace(links, chains={**links.chains, last: replace(links.chains[last], unanswered=())})
    desk.accept({"do": "match:begin"}, first)
    return b"".join(export_match(desk.log, desk.match.id))


def begun_with_a_link(*, is_called: bool) -> bytes:
    """Return a match whose set-up depends on one more link of the seat that began: which seat that was could be chosen."""
    desk = LinkedDesk.linked("battle", begin=False)
    for seat in desk.table.seats:
        desk.open_link(seat)
    first = desk.table.seats[0]
    share, links = str(desk.share(first)["share"]), desk.table.links
    assert links is not None
    if is_called:
        called = ChanceCalled(rule=LINKS, seat=first, number=1)
        desk.log.append([by_hand(desk, first, {"do": "match:begin"}, "begin", called)])
    chance = SealedChance(
        desk.table.chance, ServerLinks(SEED, desk.match.id), links, seed=SEED, seat=first, share=share
    )
    opened = chance.prepare(is_veiled=False)
    dice = DiceRolled(rule=LINKS, purpose="set-up", faces=chance.dice(0, 1, 6, "set-up"))
    assert opened is not None
    began = MatchBegan(rule=LINKS)
    desk.log.append(
        [by_hand(desk, first, {"do": "match:open-link", "share": share}, f"link-{share}", began, opened, dice)]
    )
    return b"".join(export_match(desk.log, desk.match.id))


def link_out_of_turn() -> bytes:
    """Return a match in which a seat opened what it owed for dice while another one was to decide: with it and without it there were two next rolls."""
    desk = LinkedDesk.linked("axis-allies")
    for number in range(300):
        links, top = desk.table.links, desk.table.top
        assert links is not None
        assert top is not None
        owing = [seat for seat, chain in links.chains.items() if chain.owes and seat != top.seat]
        if owing:
            share = desk.share(owing[0])
            opened = LinksOpened(rule=LINKS, seat=owing[0], share=str(share["share"]))
            desk.log.append([by_hand(desk, owing[0], share, f"link-{opened.share}", opened)])
            return b"".join(export_match(desk.log, desk.match.id))
        desk.play(1, Random(number))
    raise AssertionError("no seat owes a link")


def by_hand(desk: LinkedDesk, seat: Seat, command: dict[str, object], key: str, *events: Event) -> NewCommit:
    """Return a commit that no rules have looked at."""
    head = desk.log.head(desk.match.id)
    commit = Commit(
        match=desk.match.id,
        first=head.seq + 1,
        prev=head.hash,
        at=NOON,
        seat=seat,
        key=key,
        command=Raw(encode(command)),
        events=events,
    )
    body = encode(commit)
    return NewCommit(desk.match.id, commit.first, commit.last, key, chain_hash(body), body)


def other_chain() -> bytes:
    """Return a match in which a player without a key has been given another chain: with the operator, dice could be chosen so afterwards."""
    players = Players("axis-allies", dice="sealed", signing=lambda seat: seat == "allies")
    players.clients[Seat("allies")].play(players.match, Seat("allies"), encode(NOTE))
    data, chain = players.archive(), LinkChain(b"o" * 32)
    events = [one for commit in Lines(data).commits for one in commit["events"] if one.get("seat") == "axis"]
    links = [one.get("anchor") or one.get("share") for one in events]
    for number, link in enumerate(filter(None, links)):
        data = data.replace(link.encode(), chain.link(number).hex().encode())
    return Lines(data).sealed()


def other_dice_of_a_fork() -> bytes:
    """Return a fork whose own dice have been replaced."""
    fork = forked(is_parent_signed=True)
    for seat, client in fork.clients.items():
        client.play(fork.match, seat, encode(NOTE))
    lines = Lines(fork.archive())
    chance = next(commit["events"][0] for commit in lines.commits if commit["match"] == fork.match)["chance"]
    chance["commitment"] = "0" * 64
    return lines.sealed()


def second_key() -> bytes:
    """Return a match in which the operator adds a key of its own where a player takes the seat, and signs everything after it."""
    players = Players("battle", dice="sealed", signing=lambda seat: seat == "german").play(3)
    commits, forged = players.commits, []
    for one in commits:
        own = next((event for event in one.events if isinstance(event, KeyRegistered)), None)
        if own is not None:
            forged.append(replace(one, events=(*one.events, replace(own, key=OPERATOR.public_key, was=own.key))))
        else:
            forged.append(signed_anew(one, commits, expected=one.expected + 1) if one.signature else one)
    return players.rewritten(forged).archive()


NOTE: dict[str, object] = {"do": "match:note", "text": "x"}
DISPUTE: dict[str, object] = {"do": "match:dispute", "at": 9, "text": "x"}
DISPUTED: dict[str, object] = {"rule": "match.disputes", "seat": "arbiter", "at": 9, "text": "x"}

SIGNED: dict[str, tuple[Callable[[], bytes], int]] = {
    "a withdrawn standing answer": (lambda: answered(is_withdrawn=True), 4),
    "a standing answer to another question": (lambda: answered(is_withdrawn=False), 4),
    "a link that is none": (beside_share, 4),
    "base64 in another form": (lambda: changed_commit("signature", other_ending), 4),
    "a number as text": (lambda: changed_commit("expected", str), 4),
    "an invented command of nobody": (lambda: without("seat", of_nobody()), 4),
    "honest standing answers": (honest_answers, 0),
    "a standing answer by the arbiter": (given_by_the_arbiter, 4),
    "another standing answer": (lambda: said_otherwise("standing-answer-given/1", "answer"), 4),
    "another anchor": (lambda: said_otherwise("seat-secured/1", "anchor"), 4),
    "a link that is skipped": (skipped, 4),
    "a set-up before the last seat opened a link": (set_up_too_early, 4),
    "a set-up with a link of the seat that begins": (lambda: begun_with_a_link(is_called=False), 4),
    "a set-up that was called for": (lambda: begun_with_a_link(is_called=True), 4),
    "a link out of turn": (link_out_of_turn, 4),
    "another chain of a player without a key": (other_chain, 4),
    "other dice of a fork": (other_dice_of_a_fork, 4),
    "a move beside the arbiter": (lambda: beside_the_arbiter(**event_of(match(), "control-changed/1")), 4),
    "a move of nobody": (
        lambda: with_commit(match(), "nobody", "x", NOTE, event_of(match(), "control-changed/1")),
        4,
    ),
    "taken back by the arbiter": (
        lambda: beside_the_arbiter(event="commands-undone/1", rule="match.undo", seat="german", to=52),
        4,
    ),
    "another beginning": (lambda: beside_the_arbiter(**event_of(match(), "match-began/1")), 4),
    "a consent by the arbiter": (
        lambda: beside_the_arbiter(event="undo-answered/1", rule="match.consent", seat="german", is_agreed=True),
        4,
    ),
    "a dispute by the arbiter": (
        lambda: beside_the_arbiter(event="dispute-opened/1", rule="match.disputes", seat="german", at=9, text="x"),
        4,
    ),
    "a note that says who has agreed to it": (
        lambda: beside_the_arbiter(
            event="note-added/1", rule="match.notes", seat="german", text="x", agreed=["arbiter"]
        ),
        4,
    ),
    "the operator's key beside that of a player": (second_key, 4),
    "the arbiter's own dispute": (
        lambda: with_commit(match(), "arbiter", "x", DISPUTE, {"event": "dispute-opened/1", **DISPUTED}),
        0,
    ),
}


@cache
def signed(name: str) -> bytes:
    """Return a file of `SIGNED`."""
    return SIGNED[name][0]()


@pytest.mark.parametrize("name", SIGNED)
def test_signatures(name: str, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, code = tmp_path / "m.ndjson", SIGNED[name][1]
    file.write_bytes(signed(name))
    found = by_both(terminal, monkeypatch, file)

    assert (found[0][0], found[1][0]) == (code, code), found


@pytest.mark.skipif(NODE is None, reason="the scripts of the pages run in node")
def test_the_page_judges_signatures_alike(tmp_path: Path) -> None:
    found = by_page(tmp_path, [signed(name) for name in SIGNED])

    assert {name: "error" in one for name, one in zip(SIGNED, found, strict=True)} == {
        name: code == 4 for name, (_, code) in SIGNED.items()
    }


@cache
def ended() -> bytes:
    """Return the archive of a signed match with a standing answer, a note, a ruling and an end."""
    players = Players("battle", dice="sealed").play(9)
    seat, client = next(iter(players.clients.items()))
    give = b'{"do":"match:answer-always","decision":"firefight","answer":"{\\"do\\":\\"pass\\"}","until":"turn"}'
    for command in (give, b'{"do":"match:note","text":"a note","at":3}'):
        client.play(players.match, seat, command)
    players.host.play(players.match, ARBITER, b'{"do":"match:ruling","text":"a ruling"}')
    client.play(players.match, seat, b'{"do":"match:resign"}')
    return players.archive()


Change = Callable[[list[Record]], None]


def field(kind: str, name: str, value: object = None) -> Change:
    """Return a change of a field of the last event of a kind; without a value it is left out."""

    def rewrite(commits: list[Record]) -> None:
        event = [one for commit in commits for one in commit["events"] if one["event"] == kind][-1]
        if value is None:
            del event[name]
        else:
            event[name] = value

    return rewrite


def left_out(kind: str) -> Change:
    """Return a change that leaves all events of a kind out."""

    def rewrite(commits: list[Record]) -> None:
        for commit in commits:
            commit["events"] = [one for one in commit["events"] if one["event"] != kind]

    return rewrite


def without_keys(commits: list[Record]) -> None:
    """Leave all keys and signatures out, but not what the commands say of them."""
    left_out("key-registered/1")(commits)
    for commit in commits:
        commit.pop("signature", None), commit.pop("expected", None)


def under_another_key(commits: list[Record]) -> None:
    """Give a link another idempotency key."""
    next(one for one in commits if one["command"]["do"] == "match:open-link")["key"] += "0"


def under_weak_keys(commits: list[Record]) -> None:
    """Give all seats a key of small order, and all commands the signature that fits it whatever they say."""
    key = "01" + "00" * 31
    for commit in commits:
        if "signature" in commit:
            commit["signature"] = b64encode(bytes.fromhex(key) + bytes(32)).decode()
        if "public_key" in commit["command"]:
            commit["command"]["public_key"] = key
        for event in commit["events"]:
            if event["event"] == "key-registered/1":
                event["key"] = key


REWRITTEN: dict[str, Change] = {
    "another name of a player": field("seat-taken/1", "name", "Somebody"),
    "another secret of a player": field("seat-taken/1", "credential", "0" * 64),
    "another holder of a chain": field("seat-secured/1", "holder", "pages"),
    "another holder of a key": field("key-registered/1", "holder", "pages"),
    "a note on another event": field("note-added/1", "at", 4),
    "a note that is hidden": field("note-added/1", "seen_by", ["russian"]),
    "a standing answer that holds for ever": field("standing-answer-given/1", "until"),
    "another ruling": field("ruling-made/1", "text", "x"),
    "a seat that does not exist": field("decision-opened/1", "seat", "nobody"),
    "a seat that does not exist and sees": field("standing-answer-given/1", "seen_by", ["russian", "nobody"]),
    "all keys": without_keys,
    "keys with which anybody signs": under_weak_keys,
    "a link under another key": under_another_key,
    "an end without the seed": left_out("seed-revealed/1"),
    "the seed without an end": left_out("match-ended/1"),
}


def test_what_a_rewrite_changes_beside_a_signed_command_is_found_without_the_rules(
    terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As far as the command says it, too, or the match: see `test_rewrites` for the rest."""
    file, found, files = tmp_path / "m.ndjson", dict[str, list[int]](), list[bytes]()
    for name, rewrite in {"": list[Record].copy, **REWRITTEN}.items():
        lines = Lines(ended())
        rewrite(lines.commits)
        files.append(lines.sealed())
        file.write_bytes(files[-1])
        found[name] = [code for code, _ in by_both(terminal, monkeypatch, file)]
    # One process reads all of them: node takes longer to start than to check one.
    for codes, page in zip(found.values(), by_page(tmp_path, files) if NODE else [], strict=bool(NODE)):
        codes.append(int("error" in page) * 4)

    assert found.pop("") == [0, 0, 0][: 3 if NODE else 2]
    assert [(name, codes) for name, codes in found.items() if codes != [4, 4, 4][: 3 if NODE else 2]] == []


def forked(*, is_parent_signed: bool) -> Players:
    """Return a fork whose seats sign, with keys of their own."""
    parent = Players("battle", dice="sealed", signing=lambda _: is_parent_signed).play(18)
    fork = object.__new__(Players)
    fork.log, fork.desk, fork.host = parent.log, parent.desk, parent.host
    fork.match = parent.host.fork(parent.match, PUBLIC_SEAT, 50, hidden="").match
    fork.clients = {seat: fork.client() for seat in parent.clients}
    for seat, client in fork.clients.items():
        client.take_seat(fork.match, seat, str(seat).title(), sign=True)
    for seat, client in fork.clients.items():
        client.do_part(fork.match, seat)
    return fork


@pytest.mark.parametrize(("is_parent_signed", "code"), [(True, 0), (False, 4)])
def test_the_players_of_a_fork_are_not_those_of_its_parent(
    is_parent_signed: bool, code: int, terminal: Terminal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was not signed in the parent is known as nobody's."""
    fork = forked(is_parent_signed=is_parent_signed)
    file = tmp_path / "m.ndjson"
    file.write_bytes(fork.archive())
    keys = {seat: client._signers[fork.match, seat].public_key for seat, client in fork.clients.items()}
    given = [one for seat, key in keys.items() for one in ("--player", f"{seat}={key}")]
    found = by_both(terminal, monkeypatch, file, *given)

    assert (found[0][0], found[1][0]) == (code, code), found
    assert not any(
        word in said for _, said in found for word in ("another key than before", "another chain", "further chain")
    )


def test_a_line_that_the_key_did_not_sign_or_without_a_nonce_is_no_broken_evidence(
    terminal: Terminal, tmp_path: Path
) -> None:
    """It carries no change of keys, so that the right key must be named."""
    file, found = tmp_path / "m.ndjson", read_evidence(evidence(match()).splitlines())
    file.write_bytes(match())
    entries = found._entries(own_hashes(read_archive(match().splitlines(keepends=True)).commits, found.match))
    fields = {name: value for name, value in VERIFY.json.loads(entries[-1]).items() if name != "entry"}
    line = EvidenceLine(**fields, proof=found.proof)
    closed = terminal("evidence", str(file), line.text, "--log-key", PUBLIC[0])
    other = terminal("evidence", str(file), line.text, "--log-key", PUBLIC[1])

    assert (other.code, "--log-key" in other.err, K1.verifier.id.hex() in other.err) == (3, True, True)
    assert (closed.code, "no nonce" in closed.err) == (3, True)
