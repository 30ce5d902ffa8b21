#!/usr/bin/env python3
"""Checks the evidence of a match without War Diary: its file and chain of hashes, links and dice, signatures, and the log of its server.

    python3 verify.py ARCHIVE [--head HASH] [--player SEAT=HEX] [--evidence FILE [--key KEY] [--kept FILE] [--policy FILE]]

It reads what `wardiary export` and `wardiary pack` write (docs/archive.md; `zstd -d` decompresses it), and needs Python 3.11 and the package cryptography. HASH is that of a commit, noted elsewhere;
HEX the key of a player, KEY that of the log, as they have published it; --kept has lines that were kept during play, --policy the logs and witnesses that are believed (c2sp.org/tlog-policy).
It shares no code with War Diary. Whether the rules of the game were kept, `wardiary audit` checks. Exit codes: 0 sound, 2 wrong use, 3 a file cannot be read, 4 the evidence is broken.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from base64 import b64decode
from bisect import bisect_right
from collections import Counter, defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Event = dict[str, Any]
Raw = bytes | None
ARCHIVE, TIMES = "wardiary-archive/1", range(-62_135_596_800_000, 253_402_300_800_000)
LINE_MAX, ARCHIVE_MAX, EVENTS_MAX, LENGTH_MAX = 16 << 20, 256 << 20, 2_000_000, 1 << 20
NOTE_MAX, POLICY_MAX, EVIDENCE_MAX, SIZE_MAX, BACK_MAX, LOG, WITNESS = 10_000, 200, 200_000, 1_000, 10_000, 1, 4
# What records look like: fields with the types of their values, and the fields of the sources of dice.
COMMIT = {"commit": str, "match": str, "first": int, "prev": str, "at": int, "seat": str, "key": str, "command": dict}
COMMIT |= {"expected": int, "signature": str, "events": list}
LINE = {"match": str, "number": int, "blinded": str, "proof": str, "before": str, "nonce": str, "last": int}
SCHEMES = {"sealed/2": "scheme commitment stream veil length", "seeded/1": "scheme seed", "manual/1": "scheme"}
NAME, NUMBER, HASH = r"[^\s+\x00-\x1f\x7f]{1,200}", "0|[1-9][0-9]{0,14}", "[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]="
KEY, HEX = re.compile(rf"{NAME}\+[0-9a-f]{{8}}\+[A-Za-z0-9+/]{{44}}"), re.compile("[0-9a-f]{64}")
# A public key of Ed25519 (hex): none of small order, with which anybody can sign.
PUBLIC = "(?!0[01](00){30}[08]0|e[cde](ff){30}[7f]f|26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc[08]5|c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03[7f]a)[0-9a-f]{64}"
BASE64 = "(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==)?"
NOTE = rf"(?P<note>(?P<text>(?P<origin>[^\n]+)\n(?P<size>{NUMBER})\n(?P<root>{HASH})\n)\n(?P<below>(?:— {NAME} {BASE64}\n){{1,16}}))"
PROOF = re.compile(rf"c2sp\.org/tlog-proof@v1\nindex (?P<index>{NUMBER})\n(?P<path>(?:{HASH}\n){{0,64}})\n{NOTE}")
# Events that are not about the game, so that taking commands back leaves them, those that repeat words of a command with its fields; those behind which nothing is taken back even with consent; all others.
TEXT = """arbiter-left arbiter-seated commands-undone: dispute-opened:at,text key-registered:public_key,key_holder links-opened match-opened match-paused match-resumed note-added:at,text,private
    player-replaced ruling-appealed:at,text ruling-made:about,at,cites,effect,house,line,reverses,text seat-left: seat-reserved seat-secured:anchor,holder,length seat-taken:credential,name
    seat-viewed seed-revealed standing-answer-given:answer,decision,until standing-answers-revealed undo-answered:is_agreed undo-asked:"""
KEPT = {f"{one.partition(':')[0]}/1": one.partition(":")[1:] for one in TEXT.split()}
WORDS = {kind: fields.split(",") for kind, (colon, fields) in KEPT.items() if colon}
FIRM = "match-began/1 match-ended/1 match-forked/1 rules-adopted/1 secrets-redealt/1".split()  # noqa: SIM905 - Shorter.
OTHERS = """attribute-set/1 card-discarded/1 card-drawn/1 card-moved/1 card-played/1 chance-called/1 chosen-by-chance/1 control-changed/1 decision-closed/1 decision-opened/1 deck-formed/1 deck-shuffled/1
    dice-rolled/1 hidden-dice-rolled/1 item-picked/1 item-unpicked/1 marker-placed/1 marker-removed/1 phase-began/1 piece-concealed/1 piece-drawn/1 piece-moved/1 piece-placed/1 piece-removed/1 piece-returned/1
    piece-revealed/1 piece-turned/1 round-began/1 rule-applied/1 sequence-began/1 sequence-ended/1 side-assigned/1 side-changed/1 step-began/1 track-moved/1 turn-began/1"""
KINDS, FIRST_ONLY = {*KEPT, *FIRM, *OTHERS.split()}, ("match-opened/1", "match-forked/1", "rules-adopted/1")
UNCOUNTED, NOTES = ("item-", "undo-", "seat-viewed/1"), ("note-added/1", "standing-answer-given/1")
ROLLS, LINKS = ("dice-rolled/1", "hidden-dice-rolled/1"), ("seat-secured/1", "chance-called/1", "links-opened/1")
DRAWS = {"card-drawn/1": "card", "piece-drawn/1": "drawn", "chosen-by-chance/1": "chosen"}
PILES = dict.fromkeys(("card-moved/1", "card-played/1", "card-discarded/1"), "was")
PILES |= {"card-drawn/1": "deck", "piece-drawn/1": "pool"}
LAYERS = dict.fromkeys(LINKS, "links") | dict.fromkeys((*FIRST_ONLY, "seed-revealed/1", *ROLLS, *DRAWS), "dice")


class BrokenError(Exception):
    """The evidence is broken in a layer at an event, 0 for none; the layer `file` means that it cannot be read, `usage` wrong use."""

    def __init__(self, problem: str, layer: str = "", event: int = 0) -> None:
        super().__init__(problem)
        self.layer, self.event = layer, event


def need(holds: object, problem: str, layer: str = "") -> None:
    """Raise an error if something does not hold that must."""
    if not holds:
        raise BrokenError(problem, layer)


@contextmanager
def at(layer: str, event: int = 0) -> Iterator[None]:
    """Names the layer and the event of what is broken, unless that is done further in, and calls broken what is not as the format says."""
    try:
        yield
    except BrokenError as error:
        error.layer, error.event = error.layer or layer, error.event or event
        raise
    except InvalidSignature:
        raise BrokenError("a signature is not that of the key that it needs", layer, event) from None
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise BrokenError("this is not valid: something is missing, or not as the format says", layer, event) from None


def sha256(*parts: bytes) -> str:
    """Return the SHA-256 of some bytes (hex)."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def compact(value: object) -> bytes:
    """Return a value as JSON without white space, in UTF-8."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def formed(record: Event, form: dict[str, type], **optional: object) -> Event:
    """Return a record, which must have these fields and no other, with values of these types."""
    need({name: type(one) for name, one in (optional | record).items()} == form, f"its fields are not {[*form]}")
    return optional | record


def parsed(line: bytes) -> Event:
    """Return the record of a line, which must be written in the only way that the format knows: no fractions, each field once."""
    record = json.loads(line, parse_constant=str, parse_float=str)
    need(type(record) is dict and compact(record) == line, "this line is not written as an export writes it")
    return dict(record)


def read(data: bytes) -> tuple[list[Event], dict[int, str], list[str]]:
    """Return the commits of an archive, which form one chain, their hashes by their last events, and the files that are not attached."""
    need(not data.startswith(b"\x28\xb5\x2f\xfd"), "the file is compressed: decompress it with zstd -d", "file")
    need(not data.startswith(b'{"view":'), "this is what one seat saw, which proves nothing", "usage")
    need(data.startswith(b'{"archive":'), "this is not an archive of a match")
    data = data.replace(b"\r\n", b"\n")  # Of mail programs and editors: no line of an export holds a CR.
    *lines, rest = data.split(b"\n")
    need(lines and not rest, "the archive is cut off in its last line")
    is_small = len(data) <= ARCHIVE_MAX and max(map(len, lines)) < LINE_MAX and data.count(b'{"event":') <= EVENTS_MAX
    need(is_small, "the archive, a line of it or the number of its events is too large")
    attached = [parsed(one) for one in takewhile(lambda one: one.startswith(b'{"attachment":'), lines[1:])]
    files = [str(one["attachment"]) for one in attached]
    texts = [one["text"].encode() if "text" in one else b64decode(one["base64"], validate=True) for one in attached]
    need(files == [*map(sha256, texts)], "an attached file does not have the SHA-256 that it is filed under", "files")
    commits, hashes, seq, match, keys = list[Event](), {0: "0" * 64}, 0, "", set[str]()
    for line in lines[1 + len(files) : -1]:
        with at("format", seq + 1):
            commit = formed(record := parsed(line), COMMIT, expected=0, signature="")
            written = [one for one in COMMIT if commit[one] or one not in ("expected", "signature")]
            need([*record] == written and commit["at"] in TIMES, "no export writes a commit so")
            kinds, of, name = [event["event"] for event in commit["events"]], commit["match"], commit["key"]
            commit["kinds"] = kinds
            need(kinds and commit["commit"] == "1" and KINDS.issuperset(kinds), f"no commit has the events {kinds}")
        with at("chain", seq + 1):
            need((commit["first"], commit["prev"]) == (seq + 1, hashes[seq]), "the chain is broken before this commit")
            is_one = (kinds[0] == "match-opened/1") == (seq == 0) and not {*kinds[1:]}.intersection(FIRST_ONLY)
            is_one = is_one and (not match or (kinds[0] == "match-forked/1") == (of != match))
            need(is_one, f"a match begins once, and a fork or other rules with a commit, not so: {', '.join(kinds)}")
            keys = keys if of == match else set()
            need(name not in keys, f"the idempotency key {name!r} was used before")
            match, seq = of, seq + len(kinds)
        keys.add(name)
        commits.append(commit)
        hashes[seq] = sha256(b"wardiary commit 1\n", line)
    sums = {"end": ARCHIVE, "events": seq, "head": hashes[seq], "sha256": sha256(data[: -len(lines[-1]) - 1])}
    need(lines[-1] == compact(sums), "the last line does not match the lines before it", "chain")
    opening = commits[0]["events"][0]
    is_named = lines[0] == compact({"archive": ARCHIVE, "match": match, "game": opening["game"]})
    need(is_named, "the first line names another match or game than the commits", "chain")
    named = [*dict.fromkeys(one for one in (opening.get("board"), opening.get("position")) if one)]
    need(files == [one for one in named if one in files], "the match was opened with other files", "files")
    return commits, hashes, [one for one in named if one not in files]


def numbers(key: bytes, label: str, count: int, size: int) -> list[int]:
    """Return `count` numbers from 0 to `size` - 1, each equally likely: those of the key stream that are too large are left out."""
    width = 1 if size <= 256 else 4 if size <= 1 << 32 else 8
    limit, found, block = (1 << 8 * width) // size * size, list[int](), 0
    while len(found) < count:
        data = hmac.digest(key, f"{label}|{block}".encode(), "sha256")
        words = [int.from_bytes(data[at : at + width], "big") for at in range(0, len(data), width)]
        found, block = found + [word % size for word in words if word < limit], block + 1
    return found[:count]


def before(link: str) -> str:
    """Return the link before a link."""
    return sha256(b"wardiary link 2\n", bytes.fromhex(link)) if HEX.fullmatch(link) else ""


class Source:
    """Where dice come from: those of the match, or of a parent whose command a fork decides again, with the links of the server and of seats.

    `faces` are those that a fork chose for the dice after the event `after`; `results` is how many came since the last link. What seats `owes` is an answer to anchors of seats, and to chance ("").
    """

    def __init__(self, scheme: Event, match: str) -> None:
        self.scheme, self.is_linked, self.shift, self.after, self.faces = scheme, "stream" in scheme, 0, 0, list[int]()
        is_sound = {*scheme} == {*SCHEMES.get(scheme["scheme"], "").split()}
        if self.is_linked:
            is_sound &= bool(HEX.fullmatch(scheme["commitment"]) and HEX.fullmatch(scheme["veil"]))
            is_sound &= scheme["stream"] == match and 1 <= scheme["length"] <= LENGTH_MAX
        need(is_sound, f"the source of dice {scheme['scheme']!r} is not one that this match can have been given")
        self.link, self.number, self.opened_in, self.results = scheme.get("commitment", ""), 0, 0, 0
        self.last, self.left, self.owes = dict[str, str](), dict[str, int](), dict[str, set[str]]()
        self.call: tuple[str, int] | None = None

    def shown(self, kind: str, roll: Event, number: int) -> list[int]:
        """Return the chosen faces that a roll shows in place of its first dice, and forget them; all, if a die cannot show the next one."""
        first = self.faces[: len(roll["faces"]) if kind == "dice-rolled/1" and number > self.after else 0]
        shown = [*takewhile(lambda face: face <= roll.get("sides", 6), first)]
        self.faces = self.faces[len(first) :] if shown == first else []
        return shown

    def open(self, commit: Event, event: Event, *, is_repeated: bool, is_early: bool) -> None:
        """Open a link of a seat, of the server, or of both; a fork repeats what was opened in its parent. For chance a seat owes none as long as it `is_early`: before it is to decide."""
        seat, share, number, actor = *(event.get(one, "") for one in ("seat", "share", "number")), commit["seat"]
        need(share or (not seat and number), "the link of a seat is missing")
        need(number or (not self.call and self.owes.get(seat, set()) - {"" if is_early else None}), "no link was owed")
        need(self.opened_in != commit["first"], "links are opened once for a command")
        if number:
            is_begin = commit["kinds"][0] == "match-began/1"
            is_called = (number == 1 and not share) if is_begin else self.call == (seat, number)
            need(is_called or is_repeated or actor not in self.left, "chance was used without calling for it first")
            need(number == self.number + 1 and before(event["link"]) == self.link, "this is not the server's next link")
            need(all(owed <= {""} for owed in self.owes.values()), "an anchor was not answered yet")
            self.owes, self.call = {other: {*owed, ""} for other, owed in self.owes.items()}, None
            self.link, self.number, self.opened_in, self.results = event["link"], number, commit["first"], 0
        if share:
            is_own = is_repeated or (seat == actor and commit["command"].get("share") == share)
            need(seat in self.left and is_own and before(share) == self.last[seat], "this is not the seat's next link")
            self.last[seat], self.left[seat], self.owes[seat] = share, self.left[seat] - 1, set()

    def veil(self, seed: str) -> bytes | None:
        """Return the veil; None if its seed is not revealed."""
        veil = hmac.digest(bytes.fromhex(seed), f"wardiary veil 2|{self.scheme['stream']}".encode(), "sha256")
        return veil if sha256(b"wardiary veil 2\n", veil) == self.scheme["veil"] else None


class Table:
    """Piles, and which all seats know; open questions and sequences, with whose they are; sides; standing answers, and until when they hold; `back` is what was there before each event of the game."""

    def __init__(self) -> None:
        self.piles, self.known = defaultdict[str, tuple[str, ...]](tuple), defaultdict[str, bool](lambda: True)
        self.stack, self.plays, self.counted = tuple[tuple[str, str], ...]([("", "")]), dict[str, str](), 0
        self.answers, self.back = dict[tuple[str, str], tuple[str, str]](), deque[Any](maxlen=BACK_MAX)

    def is_answer(self, commit: Event) -> bool:
        """Return whether a command is the standing answer of its seat to what is open."""
        answer, _ = self.answers.get((commit["seat"], self.stack[-1][0]), ("", ""))
        return answer != "" and compact(json.loads(answer)) == compact(commit["command"])

    def take(self, number: int, kind: str, event: Event) -> None:
        """Follow an event."""
        count = not kind.startswith((*UNCOUNTED, "commands-")) and not (kind in NOTES and "seen_by" in event)
        if kind not in KEPT:
            self.back.append((number, self.piles, self.known, self.stack, self.plays, count))
        piles, known, stack, self.counted = self.piles.copy(), self.known.copy(), self.stack, self.counted + count
        seat, is_open = event.get("seat", ""), event.get("seen_by") is None
        match kind:
            case "commands-undone/1":
                while self.back and self.back[-1][0] > event["to"]:
                    _, piles, known, self.stack, self.plays, count = self.back.pop()
                    self.counted -= count
            case "match-opened/1" | "side-assigned/1":
                self.plays = self.plays | event.get("plays", {seat: event.get("side", "")})
            case "standing-answer-given/1":
                self.answers[seat, event["decision"]] = (event.get("answer", ""), event.get("until", ""))
            case "key-registered/1" if not event.get("was"):
                self.answers = {at: one for at, one in self.answers.items() if at[0] != seat}
            case "turn-began/1":
                ends = [seat] if seat else [one for one, side in self.plays.items() if side == event["side"]]
                self.answers = {at: one for at, one in self.answers.items() if at[0] not in ends or one[1] != "turn"}
            case "step-began/1" | "sequence-ended/1" if event["kind"] in (kinds := [one for one, _ in stack]):
                self.stack = stack[: len(stack) - kinds[::-1].index(event["kind"]) - (kind == "sequence-ended/1")]
            case "decision-opened/1" | "sequence-began/1":
                self.stack = (*stack[: len(stack) - bool(event.get("was") and stack[1:])], (event["kind"], seat))
            case "decision-closed/1" | "match-ended/1":
                self.stack = stack[:-1] if kind == "decision-closed/1" and stack[1:] else stack[:1]
            case "deck-formed/1" | "secrets-redealt/1":
                piles[name := event.get("deck") or event["pile"]], known[name] = (*event["cards"],), is_open
            case "deck-shuffled/1" if event.get("source"):
                deck, source = event["deck"], event["source"]
                known[deck] = all(known[one] or not piles[one] for one in (deck, source))
                piles[deck], piles[source], known[source] = (*sorted(piles[deck] + piles[source]),), (), True
        card, name = event.get("drawn") or event.get("card"), event[PILES[kind]] if kind in PILES else ""
        if card in piles[name]:
            piles[name] = piles[name][: (place := piles[name].index(card))] + piles[name][place + 1 :]
        if "to" in event and (name or kind == "piece-returned/1"):
            known[event["to"]] = (known[event["to"]] or not piles[event["to"]]) and is_open
            piles[event["to"]] += (event["card"],)
        self.piles, self.known, self.answers = piles, known, {} if kind in FIRST_ONLY else self.answers
        need(max(map(len, (*piles.values(), piles, self.stack, self.answers))) <= SIZE_MAX, "no table holds so much")
        self.back = deque(maxlen=BACK_MAX) if kind in FIRM else self.back


class Walk:
    """Follows a match commit by commit. `cut` says until which event a cut command of a fork has the dice of which parent; `hidden` which events a seat does not know; up to `repeated` a fork may repeat its parent. `secured` counts links, and is below 0 if a seat used chance without."""

    def __init__(self, opening: Event, seed: str) -> None:
        self.seed, self.seq, self.opening, self.seats = seed, 0, sha256(compact(opening)), opening["seats"]
        self.own, self.cut, self.before = Source({"scheme": "manual/1"}, ""), list[tuple[int, Source]](), Event()
        self.table, self.commitments, self.keys, self.repeated = Table(), set[str](), dict[str, str](), 0
        self.hidden, self.not_opened = {one: list[int]() for one in (*self.seats, "arbiter", "public")}, list[int]()
        self.told, self.secured, self.anchors, self.record, self.named = *(Counter[str]() for _ in range(3)), "", ""
        self.signed, self.bare, self.players = Counter[str](), set[str](), defaultdict[str, list[dict[str, int]]](list)

    def commit(self, commit: Event) -> None:
        """Check the next commit."""
        do, call, seat, shown = str(commit["command"].get("do")), self.own.call, commit["seat"], list[Event]()
        kinds, is_fork = commit["kinds"], commit["kinds"][0] == "match-forked/1"
        is_decision, owed = do == "match:begin" or not do.startswith("match:"), self.own.owes.get(seat)
        with at("links", self.seq + 1):
            need(not call or not is_decision, f"nothing can be decided before the link of a call: {call}")
            need(not (owed and is_decision) or self.table.is_answer(commit), "the seat owed a link when it decided")
        with at("signatures", self.seq + 1):
            self.sign(commit, seat, do)
        for event in commit["events"]:
            kind, self.seq = event["event"], self.seq + 1
            with at(LAYERS.get(kind, "signatures" if kind in WORDS else "format"), self.seq):
                source = next((one for upto, one in self.cut if self.seq <= upto), self.own)
                need(kind not in LINKS or source.is_linked, "the dice of this match depend on no links")
                if kind in ROLLS or kind in DRAWS:
                    self.result(commit, kind, event, source)
                self.follow(commit, kind, event, source)
                self.table.take(self.seq, kind, event)
                is_used = self.own.opened_in != commit["first"] or self.own.results or is_fork
                need(is_used or event is not commit["events"][-1], "a link was opened for no result", "links")
            numbers = {"at", "to" if "undo" in kind else "at"} & event.keys()
            shown += [event | dict.fromkeys(numbers, 0)] * ("seen_by" not in event)
        text = f"wardiary record 1|{self.record}|{commit['at']}|".encode() + compact(shown)
        is_end = self.own.is_linked and "match-ended/1" in kinds and "ruling-made/1" not in kinds
        need(("seed-revealed/1" in kinds) == is_end, "the seed is not revealed with the end, or is without it", "dice")
        self.before, self.cut, self.record = commit, self.cut * is_fork, sha256(text) if shown else self.record

    def sign(self, commit: Event, seat: str, do: str) -> None:
        """Check the signature of a commit, or that it needs none: a seat that has a key signs all that it sends, but for standing answers and called links."""
        name, command, events, signature = commit["key"], commit["command"], commit["events"], commit["signature"]
        expected, kinds = commit["expected"], commit["kinds"]
        if self.cut or kinds[0] == "match-forked/1":
            need(not (signature or expected), "this is signed, though it is no command of this match")
            return
        game = [one for one in kinds if one not in (*KEPT, "match-ended/1", "rules-adopted/1")]
        is_own = do.startswith("match:") and (not game or (game[0] == "match-began/1" and not self.table.stack[1:]))
        need(seat in self.seats or (seat == "arbiter" and is_own), f"{seat!r} cannot send this with these events")
        keys = [one.get("was") or one["key"] for one in events if one["event"] == "key-registered/1"]
        need(len(keys) == bool(command.get("public_key")), "the key that the command names is not registered")
        key = [*keys, self.keys.get(seat, "")][0]
        # The further commands of an order K have the keys K/0/2, K/0/3 …, and the standing answers that follow K have K/1, K/2 …
        start, _, last = name.rpartition("/")
        count = int(last[:9]) if last.isascii() and last.isdecimal() else 0
        is_order = count > 1 and re.fullmatch(r".+/0/[1-9][0-9]{0,3}", name, re.DOTALL) is not None
        follows = (start.removesuffix("/0") if is_order else start) if count == 1 + is_order else f"{start}/{count - 1}"
        is_next, self.named = count > 0 and self.before.get("key") == follows, self.named if is_order else self.record
        if not signature:
            links = [one for one in events if one["event"] == "links-opened/1" and one.get("share")]
            opened = [f"link-{one['share']}" for one in links if one.get("number") or not events[1:]]
            is_link = do == "match:open-link" and name in opened
            is_free = is_link or not key or (is_next and self.table.is_answer(commit))
            need(is_free and not expected, f"the seat {seat} has a key, and did not sign this")
            self.bare |= set() if key else {seat}
            return
        need(key, f"the command is signed, and the seat {seat} has no key")
        if is_order:
            is_next = is_next and (self.before["seat"], self.before["expected"]) == (seat, expected)
            need(is_next, "the command does not follow the one before it in its order")
        elif expected or do != "match:take-seat":
            actual = self.seq - len(self.hidden[seat])
            need(expected == actual, f"the seat {seat} had seen {actual} events, and signed for {expected}")
        text = f"wardiary command 1\n{commit['match']}\n{self.opening}\n{seat}\n{name}\n{expected or '-'}\n"
        text += f"{sha256(compact(command))}\n{(expected and self.named) or '-'}\n"
        need(re.fullmatch(BASE64, signature), "a signature is not in the form of one")
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(b64decode(signature), text.encode())
        self.signed[seat] += 1

    def result(self, commit: Event, kind: str, event: Event, source: Source) -> None:
        """Check a roll, draw or choice."""
        need(commit["events"][0]["event"] != "match-forked/1", f"{kind} is not part of a fork's new deal")
        need(not source.is_linked or source.opened_in == commit["first"], "no link was opened for this result", "links")
        source.results += 1
        candidates, ends, weights, chosen = list[str](), list[int](), event.get("weights") or {}, list[int]()
        if kind in ROLLS:
            recorded, size = event["faces"], event.get("sides", 6)
            is_possible = {*map(type, recorded)} == {int} and 1 <= min(recorded) <= max(recorded) <= size
            is_possible = is_possible and event.get("count", len(recorded)) == len(recorded)
            faces = {one: one.shown(kind, event, self.seq) for one in (*[one for _, one in self.cut], self.own)}
            chosen = faces[source]
        else:
            need(all(type(one) is int and one > 0 for one in weights.values()), "a weight is not 1 or more", "format")
            pile = self.table.piles[event[PILES[kind]]] if kind in PILES else event["candidates"]
            recorded, candidates = [event[DRAWS[kind]]], [*(weights or pile)]
            ends = [*accumulate(weights.get(one, 1) for one in candidates)]
            is_possible, size = recorded[0] in candidates and recorded[0] in pile, ends[-1] if ends else 0
        need(is_possible and size <= 1 << 62, f"chance cannot give {recorded}")
        scheme, key, name = source.scheme, b"", "typed"
        if "seed" in scheme:
            key, place = hmac.digest(scheme["seed"].encode(), b"wardiary chance 1|", "sha256"), self.table.counted + 1
            name = f"|{place - source.shift}|{event.get('purpose', '')}"
        elif source.is_linked:
            is_open = event.get("seen_by") is None and (weights or self.table.known[event.get(PILES.get(kind, ""), "")])
            secret = bytes.fromhex(source.link) if is_open else source.veil(self.seed)
            last = "".join(f"|{seat}={link}" for seat, link in sorted(source.last.items()))
            context = f"wardiary chance 2|{scheme['stream']}|{source.number}{last}".encode()
            key, name = (hmac.digest(secret, context, "sha256"), str(source.results)) if secret else (b"", "hidden")
        if key:
            found = numbers(key, name, len(recorded), size)
            given: list[Any] = [candidates[bisect_right(ends, found[0])]] if candidates else [one + 1 for one in found]
            given[: len(chosen)] = chosen
            need(given == recorded, f"{recorded} is on record, and {given} follows")
            name = "dice" if kind in ROLLS else "draws"
        self.told[name] += len(recorded) - len(chosen) * bool(key)

    def is_said(self, commit: Event, kind: str, event: Event) -> bool:
        """Return whether an event is of the seat that sent the command, and repeats its words; who names no name has that of the invitation."""
        command, seat, number, seen = commit["command"], commit["seat"], event.get("at", ""), event.get("seen_by", "")
        said = dict(event, public_key=event.get("key"), key_holder=event.get("holder", ""))
        said |= {"private": seen and seen == [seat], "at": number and number - bisect_right(self.hidden[seat], number)}
        said["name"] = event.get("name") if command.get("name", "").strip() else command.get("name", "")
        is_own = seat in (event.get("seat", "arbiter"), *(event.get("agreed", []) if "undone" in kind else []))
        return is_own and all(said.get(one, "") == command.get(one, "") for one in WORDS[kind])

    def begin(self, commit: Event, event: Event) -> None:
        """Begin the dice of a match or a fork, whose event does not count; if that cut a command, the next commit begins with dice of the parent."""
        last, faces, seat, own = event.get("at", 0), event.get("faces", []), event.get("seat", ""), self.own
        for one in (*[one for _, one in self.cut], own):
            one.shift, one.after = one.shift + 1, one.after + 1
        is_same = "seed" in own.scheme and event["chance"] == {**own.scheme, "shift": own.shift}
        most = 1 << 60 if is_same and not faces else last
        parents = [(min(upto, most) + 1, one) for upto, one in (*self.cut, (last, deepcopy(own)))]
        self.cut = parents if last >= self.seq else []
        self.own = own if is_same else Source(event["chance"], commit["match"])
        need(self.own.link not in self.commitments, "these links are those of a parent")
        self.commitments |= {self.own.link} - {""}
        self.own.after, self.own.faces = (last + 1, faces) if faces else (self.own.after, self.own.faces)
        self.told["chosen"] += len(faces)
        self.anchors, self.signed, self.players, self.secured = Counter(), Counter(), defaultdict(list), Counter()
        self.keys, self.repeated, self.parent = {}, last + 1, event.get("parent", "")
        unknown = self.hidden.get(seat, self.hidden["public"])
        self.hidden = {one: sorted({*of, *unknown}) for one, of in self.hidden.items()} | {"arbiter": []}

    def follow(self, commit: Event, kind: str, event: Event, source: Source) -> None:
        """Follow an event in what it does to links, keys and what seats know."""
        seat, own, call, is_new = event.get("seat", ""), self.own, self.own.call, self.seq > self.repeated
        need(type(seen := event.get("seen_by", [])) is list and {seat, *seen} <= {*self.hidden, ""}, "no such seat")
        need(kind not in WORDS or not is_new or self.is_said(commit, kind, event), "this is not what the command says")
        match kind:
            case "match-opened/1" | "match-forked/1":
                self.begin(commit, event)
            case "rules-adopted/1" | "match-ended/1":
                own.call = None
            case "seed-revealed/1":
                need(own.is_linked and own.veil(event["seed"]), "the revealed seed does not fit the veil")
                tip = f"wardiary links 2|{own.scheme['stream']}".encode()
                link = hmac.digest(bytes.fromhex(event["seed"]), tip, "sha256").hex()
                for _ in range(own.scheme["length"]):
                    link = before(link)
                need(link == own.scheme["commitment"], "the revealed seed gives other links than were promised")
            case "seat-secured/1" if own.is_linked:
                is_anchor = HEX.fullmatch(event["anchor"]) and event["length"] >= 1 and seat in self.seats
                is_free = own.left.get(seat, 0) < 1 and not (call or any(seat in owed for owed in own.owes.values()))
                need(is_free and is_anchor, f"the seat {seat} cannot publish this anchor, or not now")
                own.owes = {other: {*owed, seat} for other, owed in own.owes.items()} | {seat: {seat}}
                own.last[seat], own.left[seat] = event["anchor"], event["length"]
                self.anchors[seat] += 1
            case "chance-called/1" if own.is_linked:
                is_own = len(commit["events"]) == 1 and seat == commit["seat"] and seat in own.left and not call
                is_next = event["number"] == own.number + 1 and not any(owed - {""} for owed in own.owes.values())
                need(is_own and is_next, f"the seat {seat} has no chain to call for this link with, or not now")
                own.call = (seat, event["number"])
            case "links-opened/1":
                source.open(commit, event, is_repeated=source is not own, is_early=seat != self.table.stack[-1][1])
                is_own = source is own and (seat or commit["kinds"][0] != "match-began/1")
                self.secured[commit["seat"]] += (1 if seat else -EVENTS_MAX) * bool(is_own)
            case "seat-left/1" | "player-replaced/1":
                own.call = None if call and call[0] == seat else call
                for of in (own.left, own.owes, self.keys):
                    of.pop(seat, None)
            case "key-registered/1" if is_new:
                is_own = seat == commit["seat"] and event.get("was", "") in ("", self.keys.get(seat, ""))
                need(is_own and re.fullmatch(PUBLIC, event["key"]), "the key of a seat was not registered by that seat")
                self.keys[seat], mine = event["key"], self.players[seat]
                mine += [] if mine and event.get("was") else [{}]
                mine[-1][event["key"]] = self.seq
        if kind.startswith((*UNCOUNTED, *NOTES)) and event.get("seen_by") is not None:
            for one in self.hidden.keys() - {"arbiter", *event["seen_by"]}:
                self.hidden[one].append(self.seq)
        self.not_opened += [self.seq] if call and not own.call and kind != "links-opened/1" else []


def read_key(text: str, kind: int, layer: str) -> str:
    """Return a public key NAME+ID+KEY of a log or a witness: the id has 8 digits, and KEY in base64 the kind and 32 bytes."""
    is_key = bool(KEY.fullmatch(text)) and (key := b64decode(text[-44:]))[0] == kind
    is_key = is_key and bool(re.fullmatch(PUBLIC, key[1:].hex()))
    is_key = is_key and sha256(f"{text[:-54]}\n".encode(), key)[:8] == text[-53:-45]
    need(is_key, f"this is not the public key NAME+ID+KEY of a {'log' if kind == LOG else 'witness'}", layer)
    return text


class Proof:
    """The proof that an entry is in a log: its place, the hashes beside its way to the root, and a checkpoint with the lines below it."""

    def __init__(self, text: str) -> None:
        found = PROOF.fullmatch(text)
        if not found or len(found["note"]) > NOTE_MAX or not found["origin"].isprintable():
            raise BrokenError("this is not the proof of a log, with a signed checkpoint")
        self.text, self.origin = found["text"], found["origin"]
        self.size, self.place = int(found["size"]), int(found["index"])
        self.path, self.root = [*map(b64decode, found["path"].split())], b64decode(found["root"])
        self.below = [(one.split()[1], b64decode(one.split()[2])) for one in found["below"].splitlines()]

    def signatures(self, key: str) -> list[bytes]:
        """Return what has the name and id of a key below the checkpoint."""
        return [one[4:] for name, one in self.below if f"{name}+{one[:4].hex()}" == key[:-45]]

    def is_signed(self, key: str) -> bool:
        """Return whether a key has signed the checkpoint; a line that names the key and is not its signature is broken."""
        kind, public = b64decode(key[-44:])[0], b64decode(key[-44:])[1:]
        for one in self.signatures(key):
            cut, above = (8, f"cosignature/v1\ntime {int.from_bytes(one[:8])}\n") if kind == WITNESS else (0, "")
            Ed25519PublicKey.from_public_bytes(public).verify(one[cut:], f"{above}{self.text}".encode())
        return bool(self.signatures(key))

    def check(self, entry: Event, *keys: str) -> int:
        """Check that the log holds an entry by a checkpoint that all these keys have signed, and return its size."""
        for key in keys:
            is_own = self.origin == key[:-54] and self.is_signed(key)
            need(is_own, f"the checkpoint of {self.origin} is not signed with the key of {key[:-54]} that it needs")
        number, last, node = self.place, self.size - 1, bytes.fromhex(sha256(b"\0", compact(entry)))
        need(number <= last, "the proof is of an entry that the checkpoint does not cover")
        for one in self.path:
            need(last > 0, "the proof has too many hashes")
            is_right = number % 2 or number == last
            node = hashlib.sha256(b"\1" + (one + node if is_right else node + one)).digest()
            while is_right and not number % 2 and number:
                number, last = number // 2, last // 2
            number, last = number // 2, last // 2
        need(last == 0 and node == self.root, "the proof does not lead to the root that was signed")
        return self.size


class Policy:
    """The logs that are believed; witnesses, and groups with how many of their members must cosign; and which of them a checkpoint needs."""

    def __init__(self, text: str) -> None:
        self.logs, self.members, self.quorum = list[str](), dict[str, tuple[int, list[str]]](), ""
        free, keys, lines = set[str](), list[str](), text.split("\n")
        for number, words in enumerate(map(str.split, lines), start=1):
            is_new = words[1:] and words[1] not in ("none", *self.members)
            match words:
                case ["log", key] | ["log", key, _]:
                    self.logs.append(read_key(key, LOG, "file"))
                    is_good = len({one[-44:] for one in self.logs}) == len(self.logs)
                case ["witness", name, key] | ["witness", name, key, _] if is_new:
                    keys.append(read_key(key, WITNESS, "file")[-44:])
                    is_good, self.members[name], free = len({*keys}) == len(keys), (0, [key]), free | {name}
                case ["group", name, least, *of] if is_new and of:
                    count = {"any": "1", "all": str(len(of))}.get(least, least)
                    is_good = free >= {*of} and bool(re.fullmatch("0*[1-9][0-9]*", count))
                    is_good = is_good and int(count) <= len(of) == len({*of})
                    free, self.members[name] = free - {*of} | {name}, (int(count) if is_good else 0, of)
                case ["quorum", name]:
                    is_good, self.quorum = not self.quorum and (name == "none" or not is_new), name
                case _:
                    is_good = not words or words[0].startswith("#")
            need(is_good and len(lines) <= POLICY_MAX, f"line {number} of the policy is not valid", "file")
        need(self.quorum, "the policy has no line `quorum NAME`; `quorum none` asks for no witness", "file")

    def cosigned(self, proof: Proof) -> list[str]:
        """Return the witnesses and groups that have cosigned a checkpoint, of which one must be what the policy asks for."""
        found = list[str]()
        for name, (least, of) in self.members.items():
            found += [name] * (len({*found}.intersection(of)) >= least if least else proof.is_signed(of[0]))
        need(self.quorum in ("none", *found), f"the policy asks for {self.quorum}, which has not cosigned")
        return found


@at("log")
def check_log(match: str, own: dict[int, str], log: bytes, key: str, kept: list[str], policy: Policy | None) -> Event:
    """Check an archive against what ties it to the log of a server, and against lines that were kept."""
    first, *records, end = [json.loads(one.decode()) for one in log.splitlines()[: EVIDENCE_MAX + 1]]
    first, end = formed(first, {"evidence": str, "match": str, "key": str}), formed(end, {"proof": str})
    told = [*takewhile(lambda one: "key" in one, records)]
    changes = [formed(one, {"key": str, "was": str, "proof": str}) for one in told]
    proved = [formed(one, {"number": int, "last": int, "nonce": str}) for one in records[len(told) :]]
    need(first["evidence"] == "wardiary-evidence/1" and 0 < len(proved) < EVIDENCE_MAX, "this is not an evidence file")
    need(first["match"] == match, f"the evidence is of match {first['match']}")
    named = read_key(first["key"], LOG, "log")
    if policy and policy.logs:
        ours = next((one for one in policy.logs if one[:-54] == named[:-54]), "")
        need(ours and key in ("", ours), f"the policy names no such key of the log {named[:-54]}")
        key = ours
    trusted, old, sizes = key or named, [read_key(one["was"], LOG, "log") for one in changes], list[int]()
    keys = [*old[:1], *[read_key(one["key"], LOG, "log") for one in changes]] or [trusted]
    is_chain = keys[:-1] == old and len({*keys}) == len(keys) and trusted in keys and keys[-1] == named
    need(is_chain, f"the changes of the key are no chain from the key that is trusted to {named}")
    for one in changes:
        entry: Event = {"entry": "wardiary-key/1", "key": one["key"], "was": one["was"]}
        sizes.append(Proof(one["proof"]).check(entry, one["was"], one["key"]))
    need(sizes == sorted({*sizes}), "the changes of the key are not in the order of the log")
    entries, before, last = list[Event](), Event(), 0
    for number, one in enumerate(proved, start=1):
        is_one = one["number"] == number and last < one["last"] in own and HEX.fullmatch(one["nonce"])
        need(is_one, f"entry {number} of the evidence is of no commit of this archive after the one before")
        last, blinded = one["last"], sha256(b"wardiary blind 1\n", bytes.fromhex(one["nonce"] + own[one["last"]]))
        entry = {"entry": "wardiary-entry/1", "match": match, "number": number, "blinded": blinded} | before
        entries.append(entry)
        before = {"before": sha256(b"\0", compact(entry))}
    proof = Proof(end["proof"])
    proof.check(entries[-1], named)
    cosigned, until = policy.cosigned(proof) if policy else [], 0
    for line in kept:
        one = formed(json.loads(line), LINE, before="", nonce="", last=0)
        proof, entry = Proof(one["proof"]), {"entry": "wardiary-entry/1"}
        entry |= {name: one[name] for name in ("match", "number", "blinded", "before") if one[name] != ""}
        signers = [one for one in sorted(keys, key=lambda one: one != trusted) if proof.signatures(one)]
        fitting = [one for one in signers if proof.size <= [*sizes, proof.size][keys.index(one)]]
        need(fitting or not signers, "a line that was kept is signed with a key after another one followed it")
        proof.check(entry, [*fitting, trusted][0])
        need(entry in entries, "what was kept is of another history than this archive")
        until = max(until, proved[entries.index(entry)]["last"])
    return {"log": named, "covered": last, "kept_lines": len(kept), "kept_until": until, "cosigned": cosigned}


SENTENCES = {
    "events": "Checked: {} events form one chain, with the head {head}",
    "dice": "Checked: {} dice follow as recorded.",
    "draws": "Checked: {} draws and choices follow as recorded.",
    "hidden": "Not checked: {} hidden results, as long as the seed is not revealed.",
    "fork_of": "This is a fork of match {}.",
    "typed": "Not checked: {} results were typed in.",
    "chosen": "Not checked: {} faces were chosen by who made a fork.",
    "without_chain": "The seat {} opened no link, or not for all its dice: these the server could foresee.",
    "not_opened": "A seat that had called for chance never opened its link: see event {}. With the operator, it could refuse a roll.",
    "further_chains": "A seat published another chain: {}. With the operator, it could choose among rolls.",
    "signed": "Checked: {} commands are signed with the keys of their seats.",
    "not_signed": "The seat {} did not sign all that it sent.",
    "further_keys": "A seat signed with another key than before, without a word of that: {}. Another player, a lost key, or the operator.",
    "missing_files": "Not checked: the file {}, with which the match was opened, is not attached.",
    "covered": "Checked: the log of the server holds the match up to event {}, with the key {log}",
    "cosigned": "Checked: {} of the policy has cosigned the state of the log.",
    "kept_lines": "Checked: {} lines that were kept are of this history, up to event {kept_until}.",
    "not_kept": "Not checked: whether {} was rewritten. A hash that was noted during play (--head), or a line that was kept, would show it.",
    "rules": "Not checked: whether the rules of the game were kept.",
}


@at("format")
def check(
    data: bytes, head: str = "", log: Raw = None, key: str = "", kept: Raw = None, policy: Raw = None, players: Any = ()
) -> Event:
    """Check an archive, what ties it to the log of a server, and the keys of players (SEAT=HEX), and return what was found."""
    named = [(one.partition("=")[0], one.partition("=")[2]) for one in players]
    need(log is not None or (not key and kept is None and policy is None), "name the --evidence", "usage")
    need(log != b"", "the evidence is empty", "file")
    need(max(len(one or b"") for one in (log, kept, policy)) <= LINE_MAX, "what ties it to a log is too large", "file")
    need(all(HEX.fullmatch(one) for _, one in named), "--player is SEAT=HEX, with 64 lower-case digits", "usage")
    with at("file"):
        believed = None if policy is None else Policy(policy.decode())
        lines = [one for one in (kept or b"").decode().splitlines() if one]
        key = key and read_key(key, LOG, "file")
    commits, hashes, missing = read(data)
    match, seats = commits[-1]["match"], commits[0]["events"][0]["seats"]
    seeds = [one["seed"] for commit in commits for one in commit["events"] if one["event"] == "seed-revealed/1"]
    need(all(seat in seats for seat, _ in named), "--player names a seat that the match does not have", "usage")
    need(not head or head in [*hashes.values()][1:], f"no commit of this match has the hash {head}", "chain")
    need(len(seeds) < 2 and all(map(HEX.fullmatch, seeds)), "a match reveals one seed, of 64 digits", "dice")
    walk = Walk(commits[0]["events"][0], "".join(seeds))
    ends = [one["first"] + len(one["events"]) - 1 for one in commits if one["match"] == match]
    found = check_log(match, {last: hashes[last] for last in ends}, log, key, lines, believed) if log else {}
    for commit in commits:
        walk.commit(commit)
    for seat in dict(named):
        keys = {one for other, one in named if other == seat}
        is_known = seat in walk.players and all(keys & known.keys() for known in walk.players[seat])
        need(is_known, f"the seat {seat} was played with another key than {', '.join(sorted(keys))}", "signatures")
        need(seat in walk.signed.keys() - walk.bare, f"the seat {seat} did not sign all that it sent", "signatures")
    found |= {name: walk.told[name] for name in ("dice", "draws", "hidden", "typed", "chosen")}
    found |= {"match": match, "events": walk.seq, "head": hashes[walk.seq], "missing_files": missing, "rules": True}
    found |= {"signed": walk.signed.total(), "not_opened": walk.not_opened, "fork_of": walk.parent}
    found |= {"without_chain": sorted({*seats} - {*+walk.secured}), "not_signed": sorted({*seats} & walk.bare)}
    found["further_chains"] = [f"{seat}, {count - 1} times" for seat, count in walk.anchors.items() if count > 1]
    others = [(seat, min(of.values())) for seat, mine in walk.players.items() for of in mine[1:]]
    found["further_keys"] = [f"{seat}, with event {number}" for seat, number in others]
    known = max([found.get("kept_until", 0), *[seq for seq, one in hashes.items() if one == head]])
    found["not_kept"] = "" if known == walk.seq else f"what came after event {known}" if known else "the whole match"
    return found


def main() -> int:
    """Run the program, and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", action="append", default=[])
    for name in ("archive", "--head", "--key", "--evidence", "--kept", "--policy"):
        parser.add_argument(name, default="")
    asked = parser.parse_args()
    try:
        with Path(asked.archive).open("rb") as file:
            data = file.read(ARCHIVE_MAX + 1)
        files = [Path(one).read_bytes() if one else None for one in (asked.evidence, asked.kept, asked.policy)]
        found = check(data, asked.head, files[0], asked.key, files[1], policy=files[2], players=asked.player)
    except (OSError, BrokenError) as error:
        layer, event = getattr(error, "layer", "file"), getattr(error, "event", 0)
        code = {"usage": 2, "file": 3}.get(layer, 4)
        said = f"{asked.archive}: {f'broken at event {event} ({layer}): ' * (code == 4)}{error}"
        print(repr(said)[1:-1], file=sys.stderr)
        return code
    for name, text in SENTENCES.items():
        for one in of if isinstance(of := found.get(name), list) else [of] * bool(of):
            print(repr(text.format(one, **found))[1:-1])  # Nothing that controls a terminal.
    return 0


if __name__ == "__main__":
    sys.exit(main())
