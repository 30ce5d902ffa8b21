#!/usr/bin/env python3
"""Checks the evidence of a match without War Diary: the file, its chain of hashes, and every die, draw and choice of chance.

    python3 verify.py ARCHIVE [--head HASH] [--evidence FILE [--key KEY] [--kept FILE] [--policy FILE]]

It reads what `wardiary export` and `wardiary pack` write (docs/archive.md; `zstd -d` decompresses it) and needs Python 3.11, and for the log of a server
(docs/server-log.md) the package cryptography. It shares no code with War Diary: where the two disagree, one of them is wrong. What it does not check is whether the rules of the game were kept; `wardiary audit` does.

Exit codes: 0 sound, 2 wrong use, 3 the file cannot be read, 4 the evidence is broken.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from base64 import b64decode, b64encode
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import accumulate, takewhile
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

with suppress(ImportError):
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ARCHIVE = "wardiary-archive/1"
LINE_MAX, ARCHIVE_MAX, EVENTS_MAX, LENGTH_MAX = 16 << 20, 256 << 20, 2_000_000, 1 << 20

LOG, WITNESS = b"\1", b"\4"
"""The kinds of keys."""

NOTE_MAX, POLICY_MAX, EVIDENCE_MAX = 10_000, 200, 200_000
NAME, NUMBER, HASH = r"[^\s+\x00-\x1f\x7f]{1,200}", "0|[1-9][0-9]{0,14}", "[A-Za-z0-9+/]{43}="
KEY = re.compile(rf"({NAME})\+([0-9a-f]{{8}})\+([A-Za-z0-9+/]{{44}})")
CHECKPOINT = rf"(?P<text>(?P<origin>[^\n]+)\n(?P<size>{NUMBER})\n(?P<root>{HASH})\n)"
NOTE = rf"(?P<note>{CHECKPOINT}\n(?P<below>(?:— {NAME} [A-Za-z0-9+/]{{7,}}=*\n){{1,16}}))"
PROOF = re.compile(rf"c2sp\.org/tlog-proof@v1\nindex (?P<index>{NUMBER})\n(?P<path>(?:{HASH}\n){{0,64}})\n{NOTE}")
SEEN = re.compile("[1-9][0-9]{0,15} [A-Za-z0-9+/]{43}=")
"""What a proof in the log of a server looks like: keys, and a checkpoint with the lines of its signatures."""

LINKED = "sealed/2"
SCHEMES = {LINKED: "scheme commitment stream veil length", "seeded/1": "scheme seed", "manual/1": "scheme"}
"""The sources of dice, and what the opening of a match says of each."""

KEPT = """arbiter-left/1 arbiter-seated/1 commands-undone/1 key-registered/1 links-opened/1 match-opened/1 match-paused/1 match-resumed/1 note-added/1
    player-replaced/1 ruling-made/1 seat-left/1 seat-reserved/1 seat-secured/1 seat-taken/1 seat-viewed/1 seed-revealed/1 standing-answer-given/1
    standing-answers-revealed/1""".split()  # noqa: SIM905 - Shorter.
"""Events that are not about the game: taking commands back leaves them."""

FENCES = """card-drawn/1 chance-called/1 chosen-by-chance/1 dice-rolled/1 hidden-dice-rolled/1 match-began/1 match-ended/1 match-forked/1
    piece-drawn/1 piece-revealed/1 rules-adopted/1 secrets-redealt/1""".split()  # noqa: SIM905 - Shorter.
"""Events behind which nothing can be taken back."""

OTHERS = """attribute-set/1 card-discarded/1 card-moved/1 card-played/1 control-changed/1 decision-closed/1 decision-opened/1 deck-formed/1
    deck-shuffled/1 item-picked/1 item-unpicked/1 marker-placed/1 marker-removed/1 phase-began/1 piece-concealed/1 piece-moved/1 piece-placed/1
    piece-removed/1 piece-returned/1 piece-turned/1 round-began/1 rule-applied/1 sequence-began/1 sequence-ended/1 side-assigned/1
    side-changed/1 step-began/1 track-moved/1 turn-began/1""".split()  # noqa: SIM905 - Shorter.

KINDS = frozenset((*KEPT, *FENCES, *OTHERS))
FIRST_ONLY = ("match-opened/1", "match-forked/1", "rules-adopted/1")
UNCOUNTED = ("item-picked/1", "item-unpicked/1", "seat-viewed/1")
ROLLS = ("dice-rolled/1", "hidden-dice-rolled/1")
MOVES = ("card-drawn/1", "card-moved/1", "card-played/1", "card-discarded/1")
DRAWS = {"card-drawn/1": ("deck", "card"), "piece-drawn/1": ("pool", "drawn"), "chosen-by-chance/1": ("", "chosen")}
"""Events that take something at random: the fields with the pile it is taken from, and with what was taken."""

Event = dict[str, Any]


class BrokenError(Exception):
    """The evidence is broken in a layer (`format`, `chain`, `files`, `links`, `dice`, `log`) at an event, 0 for none; `file`: it cannot be read; `usage`: wrong use."""

    def __init__(self, layer: str, problem: str, event: int = 0) -> None:
        super().__init__(problem)
        self.layer, self.event = layer, event


def require(holds: object, layer: str, problem: str) -> None:
    """Raise an error if something does not hold that must."""
    if not holds:
        raise BrokenError(layer, problem)


@contextmanager
def at(event: int, layer: str = "format") -> Iterator[None]:
    """Names the event of what is broken, and calls broken what is not as the format says."""
    try:
        yield
    except BrokenError as error:
        error.event = error.event or event
        raise
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        problem = "this is not valid: something is missing here, or is not as the format says"
        raise BrokenError(layer, problem, event) from None


def sha256(*parts: bytes) -> str:
    """Return the SHA-256 of some bytes (hex)."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def keyed(key: bytes, text: str) -> bytes:
    """Return the HMAC-SHA-256 of a text under a key."""
    return hmac.digest(key, text.encode(), "sha256")


def is_hash(text: object) -> bool:
    """Return whether something is 32 bytes as lower-case hexadecimal digits."""
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


def compact(value: object) -> str:
    """Return a value as JSON without white space."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# The file and its chain


def parsed(line: bytes) -> Event:
    """Return the record of a line, which must be written in the only way that the format knows: no fractions, each field once."""
    record = json.loads(line, parse_constant=str, parse_float=str)
    is_exact = type(record) is dict and compact(record).encode() == line
    require(is_exact, "format", "this line is not written as an export writes it")
    return dict(record)


def read(data: bytes) -> tuple[list[Event], dict[int, str], list[str]]:
    """Return the commits of an archive, their hashes by their last events, and the files that are not attached, after a check of all of them."""
    require(not data.startswith(b"\x28\xb5\x2f\xfd"), "file", "the file is compressed: decompress it with zstd -d")
    require(not data.startswith(b'{"view":'), "usage", "this is what one seat saw, which proves nothing")
    require(data.startswith(b'{"archive":'), "format", "this is not an archive of a match")
    require(len(data) <= ARCHIVE_MAX, "format", f"the archive is larger than {ARCHIVE_MAX >> 20} MiB")
    # As mail programs and editors change the ends of lines; no line of an export holds a CR.
    data = data.replace(b"\r\n", b"\n")
    *lines, rest = data.split(b"\n")
    require(lines and not rest, "format", "the archive is cut off in its last line")
    require(max(map(len, lines)) < LINE_MAX, "format", f"a line is longer than {LINE_MAX >> 20} MiB")
    with at(0):
        header, end = parsed(lines[0]), parsed(lines[-1])
        require(header["archive"] == ARCHIVE, "format", f"the format is {header['archive']!r}, not {ARCHIVE!r}")
        attached = [parsed(one) for one in takewhile(lambda one: one.startswith(b'{"attachment":'), lines[1:])]
        for one in attached:
            content = one["text"].encode() if "text" in one else b64decode(one["base64"], validate=True)
            is_filed = sha256(content) == one["attachment"]
            require(is_filed, "files", "an attached file does not have the SHA-256 that it is filed under")
        files = [str(one["attachment"]) for one in attached]
    commits, hashes = chained(lines[1 + len(files) : -1])
    require(commits, "chain", "the archive holds no commits")
    count, above = max(hashes), sha256(data[: -len(lines[-1]) - 1])
    sums = {"end": ARCHIVE, "events": count, "head": hashes[count], "sha256": above}
    require(end == sums, "chain", "the last line does not match the lines before it")
    opening, match = commits[0]["events"][0], commits[-1]["match"]
    is_named = header == {"archive": ARCHIVE, "match": match, "game": opening.get("game")}
    require(is_named, "chain", "the first line names another match or game than the commits")
    named = list(dict.fromkeys(one for one in (opening.get("board"), opening.get("position")) if one))
    is_own = files == [one for one in named if one in files]
    require(is_own, "files", "the attached files are not those that the match was opened with")
    return commits, hashes, [one for one in named if one not in files]


def chained(lines: Sequence[bytes]) -> tuple[list[Event], dict[int, str]]:
    """Return the commits, and their hashes by their last events, after a check that they form one chain."""
    commits, hashes, seq, match, keys = list[Event](), {0: "0" * 64}, 0, "", set[str]()
    for line in lines:
        with at(seq + 1):
            commit = parsed(line)
            kinds, of = [event["event"] for event in commit["events"]], commit["match"]
            types = [type(commit[name]) for name in ("at", "first", "key", "match", "seat", "command")]
            types += [type(commit.get(name, none)) for name, none in (("expected", 0), ("seen", ""), ("signature", ""))]
            is_sound = kinds and commit["commit"] == "1" and types == [int, int, str, str, str, dict, int, str, str]
            require(is_sound, "format", "this is not a commit as the format says")
            require(KINDS.issuperset(kinds), "format", f"there are no events {set(kinds) - KINDS}")
            is_next = (commit["first"], commit["prev"]) == (seq + 1, hashes[seq])
            require(is_next, "chain", "the chain is broken: this commit does not follow the one before it")
            is_opening = (kinds[0] == "match-opened/1") == (seq == 0)
            require(is_opening, "chain", "a match begins with its opening and has no other")
            is_one = not match or (kinds[0] == "match-forked/1") == (of != match)
            require(is_one, "chain", f"a commit of match {of} follows one of {match}")
            keys = keys if of == match else set()
            require(commit["key"] not in keys, "chain", f"the idempotency key {commit['key']!r} was used before")
            match, seq = of, seq + len(kinds)
            require(seq <= EVENTS_MAX, "format", f"the archive has more than {EVENTS_MAX} events")
        keys.add(commit["key"])
        commits.append(commit)
        hashes[seq] = sha256(b"wardiary commit 1\n", line)
    return commits, hashes


# Links


def step(link: str) -> str:
    """Return the link before a link."""
    return sha256(b"wardiary link 2\n", bytes.fromhex(link))


def follows(link: object, before: str) -> bool:
    """Return whether something is the link after another one."""
    return is_hash(link) and step(str(link)) == before


@dataclass
class Chain:
    """The chain of a seat: its last opened link, how many are left, whether a player holds it, and what is owed a link: anchors of seats, "" for chance."""

    link: str
    left: int
    is_held: bool = True
    owes: set[str] = field(default_factory=set)


@dataclass
class Links:
    """The last link of the server, its number and the commit that opened it, results since then, chains of seats, and the call that waits for a link."""

    link: str
    number: int = 0
    opened_in: int = 0
    results: int = 0
    chains: dict[str, Chain] = field(default_factory=dict)
    call: tuple[str, int] | None = None

    def held(self, seat: str) -> Chain | None:
        """Return the chain that the player of a seat holds."""
        chain = self.chains.get(seat)
        return chain if chain and chain.is_held else None

    def owing(self, seat: str) -> list[Chain]:
        """Return the chains that have to answer what a seat does: those that the players of the other seats hold."""
        return [chain for one, chain in self.chains.items() if chain.is_held and one != seat]

    def take(self, commit: Event, kind: str, event: Event) -> None:
        """Check an event against the protocol of links, and follow it."""
        seat = event.get("seat", "")
        if kind == "seat-secured/1":
            self.secure(seat, event["anchor"], event["length"])
        elif kind == "chance-called/1":
            is_own = len(commit["events"]) == 1 and seat == commit.get("seat", "") and self.held(seat)
            require(is_own, "links", "a call for chance is alone in the commit of a seat that has a chain")
            is_next = not self.call and event["number"] == self.number + 1
            require(is_next, "links", f"the link that can be called for is {self.number + 1}, and only once")
            self.use_chance()
            self.call = (seat, event["number"])
        elif kind in ("match-ended/1", "rules-adopted/1"):
            self.call = None
        elif kind in ("seat-left/1", "player-replaced/1") and seat in self.chains:
            self.chains[seat] = Chain(self.chains[seat].link, 0, is_held=False)
            self.call = None if self.call and self.call[0] == seat else self.call

    def use_chance(self) -> None:
        """Require that all anchors were answered with a link."""
        waiting = [seat for seat, chain in self.chains.items() if chain.owes - {""}]
        require(not waiting, "links", f"chance was used before an anchor was answered by {', '.join(waiting)}")

    def secure(self, seat: str, anchor: str, length: int) -> None:
        """Begin the chain of a seat, which all others have to answer."""
        own, others = self.held(seat), self.owing(seat)
        require(is_hash(anchor) and length >= 1, "links", "this is not the anchor of a chain")
        require(not self.call, "links", "an anchor was published while a command waited for a link")
        is_free = (not own or own.left < 1) and not any(seat in chain.owes for chain in others)
        require(is_free, "links", f"the chain of {seat} had links left, or its anchor was not answered yet")
        for chain in others:
            chain.owes.add(seat)
        self.chains[seat] = Chain(anchor, length)

    def open(self, commit: Event, event: Event, *, is_repeated: bool = False) -> None:
        """Open a link of a seat, of the server, or of both; a fork repeats what was opened in its parent."""
        seat, share, number = event.get("seat", ""), event.get("share", ""), event.get("number", 0)
        actor, chain = commit.get("seat", ""), self.held(seat)
        require(share or (not seat and number), "links", "the link of a seat is missing")
        is_called = is_repeated or not self.held(actor) or self.call == (seat, number)
        if share:
            is_own = is_repeated or (seat == actor and commit["command"].get("share") == share)
            require(chain and is_own, "links", f"a link of the seat {seat} is opened by that seat alone")
            is_next = chain and follows(share, chain.link)
            require(is_next, "links", f"this is not the next link of the seat {seat}")
        if number:
            is_next = number == self.number + 1 and follows(event["link"], self.link)
            require(is_next, "links", "this is not the next link of the server")
            require(is_called, "links", f"the seat {actor} has a chain, and used chance without calling for it first")
            self.use_chance()
            self.link, self.call, self.results = event["link"], None, 0
            self.number, self.opened_in = number, commit["first"]
            for other in self.owing(seat):
                other.owes.add("")
        else:
            require(chain and chain.owes and not self.call, "links", f"no link of the seat {seat} was owed")
        if chain:
            self.chains[seat] = Chain(share, chain.left - 1)


# Signed commands


@dataclass
class Signatures:
    """Follows the keys of the seats and what each has seen: a seat that has a key signs all that it sends, but for standing answers."""

    opening: str = ""
    keys: dict[str, str] = field(default_factory=dict)
    before: Event = field(default_factory=dict)
    # Up to which event no key of a fork counts, as it may repeat its parent; and the seats that know of each event of which the others do not.
    repeated: int = 0
    private: list[set[str]] = field(default_factory=list)
    # How much was signed; the seats that sent something without a signature; their keys, those together of which one has signed the next.
    signed: int = 0
    bare: set[str] = field(default_factory=set)
    signers: set[str] = field(default_factory=set)
    players: dict[str, list[set[str]]] = field(default_factory=dict)
    further: list[str] = field(default_factory=list)

    def check(self, commit: Event, seq: int, standing: "Standing") -> None:
        """Check the signature of a commit that follows event `seq`, or that it needs none."""
        seat, name, command = commit.get("seat", ""), commit["key"], compact(commit["command"])
        signature, expected, seen = commit.get("signature"), commit.get("expected"), commit.get("seen")
        before = self.before.get("events", [{}])[0]
        is_repeat = before.get("event") == "match-forked/1" and before["at"] >= self.before["first"]
        is_exempt = commit["events"][0]["event"] == "match-forked/1" or is_repeat
        key = "" if is_exempt else self.keys.get(seat, "")
        for event in [] if is_exempt else commit["events"]:
            is_own = event.get("seat") == seat
            if event["event"] == "seat-left/1":
                require(is_own or event["seat"] not in self.keys, "signatures", "a seat was left without its signature")
            elif event["event"] == "key-registered/1":
                is_own = is_own and event.get("was", "") in ("", key) and is_hash(event["key"])
                require(is_own, "signatures", "the key of a seat was not registered by that seat")
                key = event.get("was") or event["key"]
        may_send = seat != "arbiter" or str(commit["command"].get("do")).startswith("match:")
        may_send &= all(one["seat"] == seat for one in commit["events"] if one["event"] == "note-added/1")
        require(may_send or is_exempt, "signatures", f"the seat {seat} cannot send this command, or this note")
        start, _, last = name.rpartition("/")
        count = int(last[:9]) if last.isascii() and last.isdecimal() else 0
        is_order = count > 1 and re.fullmatch(r".+/0/[1-9][0-9]{0,3}", name, re.DOTALL) is not None
        follows = (start.removesuffix("/0") if is_order else start) if count == 1 + is_order else f"{start}/{count - 1}"
        is_next = count > 0 and self.before.get("key") == follows
        if not signature:
            # A link proves itself, and what was called for with a signature.
            share, events = commit["command"].get("share"), commit["events"]
            links = [one for one in events if one["event"] == "links-opened/1" and share and one.get("share") == share]
            is_link = commit["command"].get("do") == "match:open-link" and any(
                one.get("number") or not events[1:] for one in links
            )
            is_answer = (is_next and standing.is_answer(seat, command)) or is_link
            self.bare |= set() if key or is_exempt else {seat}
            is_free = (is_answer or not key) and not (expected or seen)
            require(is_free, "signatures", f"the seat {seat} has a key, and did not sign this")
            return
        require(key, "signatures", f"the command is signed, and the seat {seat} has no key")
        values = (commit["match"], self.opening, seat, name, expected or "-", sha256(command.encode()), seen or "-")
        text = "".join(f"{line}\n" for line in ("wardiary command 1", *values))
        is_own = is_signature(text, bytes.fromhex(key), unbase64(signature, "signatures"))
        require(is_own, "signatures", f"this is not the signature of the seat {seat}")
        require(not seen or SEEN.fullmatch(seen), "signatures", "the signature names a checkpoint that is none")
        self.signed += 1
        self.signers.add(seat)
        if is_order:
            is_next = is_next and (self.before["seat"], self.before.get("expected")) == (seat, expected)
            require(is_next, "signatures", "the command does not follow the one before it in its order")
        elif expected or commit["command"]["do"] != "match:take-seat":
            actual = seq - sum(seat not in known for known in self.private)
            said = f"the seat {seat} had seen {actual} events, and signed for {expected}"
            require(expected == actual, "signatures", said)

    def take(self, kind: str, event: Event, number: int) -> None:
        """Follow an event."""
        seat, seen_by = event.get("seat", ""), event.get("seen_by")
        if kind == "match-opened/1":
            self.opening = sha256(compact(event).encode())
        elif kind == "match-forked/1":
            self.keys, self.repeated = {}, event["at"] + 1
            self.signed, self.signers, self.players, self.further = 0, set(), {}, []
            if seat != "arbiter":
                self.private = [known if seat in known else set() for known in self.private]
        elif kind in ("seat-left/1", "player-replaced/1"):
            self.keys.pop(seat, None)
        elif kind in (*UNCOUNTED, "note-added/1", "standing-answer-given/1") and seen_by is not None:
            self.private.append(set(seen_by))
        elif kind == "key-registered/1" and number > self.repeated:
            self.keys[seat], known = event["key"], self.players.setdefault(seat, [])
            if event.get("was") and known:
                known[-1].add(event["key"])
            else:
                self.further += [f"{seat}, with event {number}"] if known else []
                known.append({event["key"]})


class Standing(NamedTuple):
    """The standing answers of seats, as the events that gave or ended some; and the sides of seats, and what is open: kinds of questions and sequences."""

    told: tuple[tuple[int, str, Event, Sequence[str]], ...] = ()
    plays: dict[str, str] = {}
    stack: tuple[str, ...] = ()

    def after(self, kind: str, event: Event, number: int) -> "Standing":
        """Return what there is after an event."""
        ends = {
            "key-registered/1": [event.get("seat", "")] * (not event.get("was")),
            "turn-began/1": [event.get("seat")],
        }
        if kind == "turn-began/1" and not event.get("seat"):
            ends[kind] = [seat for seat, side in self.plays.items() if side == event["side"]]
        elif kind in ("match-forked/1", "rules-adopted/1"):
            return self._replace(told=())
        if kind == "standing-answer-given/1" or (kind in ends and self.told):
            return self._replace(told=(*self.told, (number, kind, event, ends.get(kind, ()))))
        if kind in ("match-opened/1", "side-assigned/1"):
            return self._replace(plays={**self.plays, **event.get("plays", {event.get("seat"): event.get("side")})})
        kinds, depth = self.stack, len(self.stack)
        if kind in ("step-began/1", "sequence-ended/1") and event["kind"] in kinds:
            at = depth - kinds[::-1].index(event["kind"])
            return self._replace(stack=kinds[: at - (kind == "sequence-ended/1")])
        if kind in ("decision-opened/1", "sequence-began/1"):
            return self._replace(stack=(*(kinds[:-1] if event.get("was") else kinds), event["kind"]))
        return self._replace(
            stack=() if kind == "match-ended/1" else kinds[:-1] if kind == "decision-closed/1" else kinds
        )

    def back(self, now: "Standing", to: int) -> "Standing":
        """Return what there is when all after an event was taken back, but for the answers that were given and ended meanwhile."""
        return self._replace(told=tuple([one for one in now.told if one[0] <= to or one[1] in KEPT]))

    def is_answer(self, seat: str, command: str) -> bool:
        """Return whether a command is the standing answer of a seat to what is open."""
        found = dict[tuple[str, str], tuple[str, str]]()
        for _, kind, event, seats in self.told:
            if kind == "standing-answer-given/1":
                found.pop((event["seat"], event["decision"]), None)
                found |= {(event["seat"], event["decision"]): (event.get("answer", ""), event.get("until", ""))}
            is_all = kind == "key-registered/1"
            found = {at: one for at, one in found.items() if at[0] not in seats or not (is_all or one[1] == "turn")}
        answer, _ = found.get((seat, "".join(self.stack[-1:])), ("", ""))
        return answer != "" and compact(json.loads(answer)) == command


def is_signature(text: str, key: bytes, signature: bytes) -> bool:
    """Return whether a signature of a text is that of a key; without the package cryptography each passes."""
    if "Ed25519PublicKey" in globals():
        with suppress(InvalidSignature):
            Ed25519PublicKey.from_public_bytes(key).verify(signature, text.encode())
            return True
    return "Ed25519PublicKey" not in globals()


# Piles


class Pile(NamedTuple):
    """The cards of a pile in their order, and the seats that know them; None for all."""

    cards: tuple[str, ...] = ()
    seen_by: Sequence[str] | None = None

    def known_with(self, other: "Pile") -> Sequence[str] | None:
        """Return the seats that know the cards of both; an empty pile is known to all."""
        known = [set(pile.seen_by) for pile in (self, other) if pile.cards and pile.seen_by is not None]
        return sorted(set.intersection(*known)) if known else None


def moved(piles: dict[str, Pile], kind: str, event: Event) -> dict[str, Pile]:
    """Return the piles after an event."""
    seen_by, card = event.get("seen_by"), event.get("drawn") or event.get("card")
    if kind in ("deck-formed/1", "secrets-redealt/1"):
        return {**piles, event["deck" if kind == "deck-formed/1" else "pile"]: Pile(tuple(event["cards"]), seen_by)}
    if kind == "deck-shuffled/1" and event.get("source"):
        deck, source = (piles.get(event[name], Pile()) for name in ("deck", "source"))
        whole = Pile(tuple(sorted(deck.cards + source.cards)), deck.known_with(source))
        return {**piles, event["deck"]: whole, event["source"]: Pile()}
    if kind in MOVES or kind == "piece-drawn/1":
        name = event[{"card-drawn/1": "deck", "piece-drawn/1": "pool"}.get(kind, "was")]
        pile = piles.get(name, Pile())
        if card in pile.cards:
            place = pile.cards.index(card)
            piles = {**piles, name: pile._replace(cards=pile.cards[:place] + pile.cards[place + 1 :])}
    if kind in MOVES or kind == "piece-returned/1":
        pile = piles.get(event["to"], Pile())
        known = pile.known_with(Pile((event["card"],), seen_by))
        piles = {**piles, event["to"]: Pile((*pile.cards, event["card"]), known)}
    return piles


# Chance


class Source(NamedTuple):
    """Where the dice of events come from: those of the match, or of a parent whose command a fork decides again.

    `faces` are those that a fork chose for the dice after an event, as far as no roll has shown them.
    """

    scheme: Event
    links: Links | None = None
    after: int = 0
    faces: tuple[int, ...] = ()

    def carried(self) -> "Source":
        """Return the source as a fork carries it on: the forking event does not count."""
        scheme = {**self.scheme, "shift": self.scheme.get("shift", 0) + 1}
        return Source(scheme, deepcopy(self.links), self.after + 1, self.faces)

    def rolled(self, roll: Event, number: int) -> tuple[tuple[int, ...], "Source"]:
        """Return the chosen faces that a roll shows in place of its first dice, and the source with the rest: none if a die could not show the next one."""
        if number <= self.after or not self.faces:
            return (), self
        first, rest = self.faces[: len(roll["faces"])], self.faces[len(roll["faces"]) :]
        shown = tuple(takewhile(lambda face: face <= roll.get("sides", 6), first))
        return shown, self._replace(faces=rest if shown == first else ())


def numbers(key: bytes, label: str, count: int, size: int) -> list[int]:
    """Return `count` numbers from 0 to `size` - 1, each equally likely: those of the key stream that are too large are left out."""
    width = 1 if size <= 256 else 4 if size <= 1 << 32 else 8
    limit, found, block = (1 << 8 * width) // size * size, list[int](), 0
    while len(found) < count:
        data = keyed(key, f"{label}|{block}")
        words = [int.from_bytes(data[at : at + width], "big") for at in range(0, len(data), width)]
        found += [word % size for word in words if word < limit]
        block += 1
    return found[:count]


@dataclass
class Walk:
    """Follows a match commit by commit, and checks its links and all that chance gave; `seed` is what the match reveals."""

    seed: str
    seq: int = 0
    seats: list[str] = field(default_factory=list)
    secured: set[str] = field(default_factory=set)
    told: Counter[str] = field(default_factory=Counter)
    not_opened: list[int] = field(default_factory=list)
    anchors: Counter[str] = field(default_factory=Counter)
    commitments: set[str] = field(default_factory=set)
    standing: Standing = field(default_factory=Standing)
    signatures: Signatures = field(default_factory=Signatures)
    own: Source = field(default_factory=lambda: Source({"scheme": "manual/1"}))
    # Until which event a command that a fork has cut has the dice of which parent.
    cut: list[tuple[int, Source]] = field(default_factory=list)
    # The piles, and how many events all seats know, to which seeded dice are bound; and the piles before each event that can be taken back.
    piles: dict[str, Pile] = field(default_factory=dict)
    counted: int = 0
    since: list[tuple[int, dict[str, Pile], Standing]] = field(default_factory=list)

    def commit(self, commit: Event) -> None:
        """Check the next commit."""
        for event in commit["events"]:
            with at(self.seq + 1):
                if event is commit["events"][0]:
                    self.decision(commit)
                    self.signatures.check(commit, self.seq, self.standing)
                self.event(commit, event["event"], event, self.seq + 1)
                self.signatures.take(event["event"], event, self.seq + 1)
            self.seq += 1
        self.signatures.before = commit
        # Only the commit after that of a fork repeats outcomes of the parent.
        if commit["events"][0]["event"] != "match-forked/1":
            self.cut = []

    def decision(self, commit: Event) -> None:
        """Check that the command of a commit may decide something now, if it does."""
        links, seat, command = self.own.links, commit.get("seat", ""), commit["command"]
        if links and (command.get("do") == "match:begin" or not str(command.get("do")).startswith("match:")):
            require(not links.call, "links", f"nothing can be decided before the link of a call: {links.call}")
            chain = links.held(seat)
            may_decide = not chain or not chain.owes or self.standing.is_answer(seat, compact(command))
            require(may_decide, "links", f"the seat {seat} owed a link when it decided")

    def event(self, commit: Event, kind: str, event: Event, number: int) -> None:
        """Check the next event of a commit, and follow it."""
        opening = commit["events"][0]
        require(kind not in FIRST_ONLY or event is opening, "chain", f"{kind} is not the first event of its commit")
        if kind in ROLLS or kind in DRAWS:
            require(opening["event"] != "match-forked/1", "dice", f"{kind} is not part of a fork's new deal")
            self.result(commit, kind, event, number)
        if kind == "match-opened/1":
            self.seats = event["seats"]
            self.begin(event["chance"], commit["match"])
        elif kind == "match-forked/1":
            self.fork(commit, event, number)
        elif kind == "seed-revealed/1":
            self.reveal(event["seed"])
        self.link(commit, kind, event, number)
        self.remember(kind, event, number)

    def source(self, number: int) -> Source:
        """Return the source of an event's dice."""
        return next((one for upto, one in self.cut if number <= upto), self.own)

    def link(self, commit: Event, kind: str, event: Event, number: int) -> None:
        """Follow an event in what it does to links."""
        source = self.source(number)
        links, is_own = self.own.links, source is self.own
        call, seat = links and links.call, event.get("seat", "")
        if kind in ("seat-secured/1", "chance-called/1", "links-opened/1"):
            require(source.links, "links", "the dice of this match depend on no links")
            require(kind != "seat-secured/1" or event["seat"] in self.seats, "links", "there is no such seat")
        if kind == "links-opened/1" and source.links:
            is_once = source.links.opened_in != commit["first"]
            require(is_once, "links", "links are opened once for a command")
            source.links.open(commit, event, is_repeated=not is_own)
        if links and (is_own or kind != "links-opened/1"):
            links.take(commit, kind, event)
            self.anchors[seat] += kind == "seat-secured/1"
            self.secured |= {seat} if kind == "links-opened/1" and event.get("share") else set()
            self.not_opened += [number] if call and not links.call and kind != "links-opened/1" else []

    def remember(self, kind: str, event: Event, number: int) -> None:
        """Follow an event in what taking commands back restores: the piles, and how many events all seats know."""
        if kind == "commands-undone/1":
            undone = [one for one in self.since if one[0] > event["to"]]
            if undone:
                self.piles, self.standing = undone[0][1], undone[0][2].back(self.standing, event["to"])
            self.since, self.counted = self.since[: len(self.since) - len(undone)], self.counted - len(undone)
        elif kind not in UNCOUNTED and not ("seen_by" in event and kind in ("note-added/1", "standing-answer-given/1")):
            self.counted += 1
            if kind not in KEPT:
                self.since.append((number, self.piles, self.standing))
            self.since = [] if kind in FENCES else self.since
            self.piles = moved(self.piles, kind, event)
        self.standing = self.standing.after(kind, event, number)

    # Where dice come from

    def begin(self, scheme: Event, match: str) -> None:
        """Begin the match's own dice."""
        name, is_sound = scheme["scheme"], set(scheme) == set(SCHEMES.get(scheme["scheme"], "").split())
        if is_sound and name == LINKED:
            is_sound = is_hash(scheme["commitment"]) and is_hash(scheme["veil"]) and scheme["stream"] == match
            is_sound = is_sound and 1 <= scheme["length"] <= LENGTH_MAX
            require(scheme["commitment"] not in self.commitments, "dice", "these links are those of a parent")
            self.commitments.add(scheme["commitment"])
        require(is_sound, "dice", f"the source of dice {name!r} is not one that this match can have been given")
        links = Links(scheme["commitment"]) if name == LINKED else None
        self.own = self.own._replace(scheme=scheme, links=links)

    def fork(self, commit: Event, event: Event, number: int) -> None:
        """Follow a fork; if it cut a command, the next commit begins with dice of the parent."""
        last, carried, faces = event["at"], self.own.carried(), tuple(event.get("faces", ()))
        is_same = event["chance"] == carried.scheme
        end = number - 1 if is_same and not faces else last
        parents = [(min(upto, upto if is_same and not faces else end) + 1, one.carried()) for upto, one in self.cut]
        self.cut = []
        for upto, one in [*parents, (last + 1, carried)] if last >= number else []:
            if not self.cut or upto > self.cut[-1][0]:
                self.cut.append((upto, one))
        self.told["chosen"] += len(faces)
        kept = carried.faces if is_same else ()
        self.own = carried._replace(after=last + 1 if faces else carried.after, faces=faces or kept)
        self.anchors = Counter()
        if not is_same:
            self.begin(event["chance"], commit["match"])

    def reveal(self, seed: str) -> None:
        """Check a revealed seed against what was promised."""
        scheme = self.own.scheme
        is_promised = scheme["scheme"] == LINKED and is_hash(seed) and self.veil(scheme)
        require(is_promised, "dice", "the revealed seed does not fit the commitment to the veil")
        link = keyed(bytes.fromhex(seed), f"wardiary links 2|{scheme['stream']}").hex()
        for _ in range(scheme["length"]):
            link = step(link)
        require(link == scheme["commitment"], "dice", "the revealed seed gives other links than were promised")

    def veil(self, scheme: Event) -> bytes | None:
        """Return the veil of a source; None if its seed is not revealed."""
        veil = keyed(bytes.fromhex(self.seed), f"wardiary veil 2|{scheme['stream']}")
        return veil if sha256(b"wardiary veil 2\n", veil) == scheme["veil"] else None

    # Results

    def result(self, commit: Event, kind: str, event: Event, number: int) -> None:
        """Check a roll, draw or choice."""
        source, name = self.source(number), "dice" if kind in ROLLS else "draws"
        if source.links:
            require(source.links.opened_in == commit["first"], "links", "no link was opened for this result")
            source.links.results += 1
        candidates: Sequence[str] = ()
        ends: Sequence[int] = ()
        if kind in ROLLS:
            recorded, size = event["faces"], event.get("sides", 6)
            is_possible = recorded and all(type(face) is int and 1 <= face <= size for face in recorded)
            is_possible = is_possible and event.get("count", len(recorded)) == len(recorded)
        else:
            candidates, ends = self.candidates(kind, event)
            recorded, size = [event[DRAWS[kind][1]]], ends[-1] if ends else 0
            is_possible = recorded[0] in candidates
        require(is_possible and size <= 1 << 62, "dice", f"chance cannot give {recorded}")
        stream, chosen = self.stream(source, event), tuple[int, ...]()
        if kind == "dice-rolled/1":
            chosen, self.own = source.rolled(event, number)[0], self.own.rolled(event, number)[1]
            self.cut = [(upto, one.rolled(event, number)[1]) for upto, one in self.cut]
        if isinstance(stream, str):
            self.told[stream] += len(recorded)
            return
        found = numbers(*stream, len(recorded), size)
        given: list[Any] = [one + 1 for one in found] if kind in ROLLS else [candidates[bisect_right(ends, found[0])]]
        given[: len(chosen)] = chosen
        require(given == recorded, "dice", f"{recorded} is on record, and {given} follows")
        self.told[name] += len(recorded) - len(chosen)

    def candidates(self, kind: str, event: Event) -> tuple[Sequence[str], Sequence[int]]:
        """Return what could come out of a draw or choice, and up to which number each of it does."""
        weights = event.get("weights") or {}
        if any(type(weight) is not int or weight < 1 for weight in weights.values()):
            raise ValueError("every weight is 1 or more")
        pile = self.piles.get(event.get(DRAWS[kind][0], ""), Pile())
        found = event["candidates"] if kind == "chosen-by-chance/1" else pile.cards
        return (list(weights), list(accumulate(weights.values()))) if weights else (found, range(1, len(found) + 1))

    def stream(self, source: Source, event: Event) -> tuple[bytes, str] | str:
        """Return the key and label of the numbers behind a result; if they cannot be known here, as what it is counted."""
        scheme, links = source.scheme, source.links
        if scheme["scheme"] == "manual/1":
            return "typed"
        if links is None:
            key, place = keyed(scheme["seed"].encode(), "wardiary chance 1|"), self.counted + 1 - scheme.get("shift", 0)
            return key, f"|{place}|{event.get('purpose', '')}"
        pile = "" if event.get("weights") else event.get("deck") or event.get("pool") or ""
        is_open = event.get("seen_by") is None and self.piles.get(pile, Pile()).seen_by is None
        secret = bytes.fromhex(links.link) if is_open else self.veil(scheme)
        last = "|".join([str(links.number), *[f"{seat}={links.chains[seat].link}" for seat in sorted(links.chains)]])
        context = f"wardiary chance 2|{scheme['stream']}|{last}"
        return "hidden" if secret is None else (keyed(secret, context), str(links.results))


# The log of the server


class Key(NamedTuple):
    """The public key of a log or a witness: its name, its id, its kind, and its 32 bytes."""

    name: str
    id: bytes
    kind: bytes
    public: bytes


def read_key(text: str, kind: bytes = LOG, layer: str = "file") -> Key:
    """Return the key in a text NAME+ID+KEY."""
    found = KEY.fullmatch(text)
    name, key_id, content = found.groups() if found else ("", "", "")
    public = b64decode(content)
    is_key = public[:1] == kind and sha256(f"{name}\n".encode(), public)[:8] == key_id
    require(is_key, layer, f"this is not the public key NAME+ID+KEY of a {'log' if kind == LOG else 'witness'}")
    return Key(name, bytes.fromhex(key_id), kind, public[1:])


class Note(NamedTuple):
    """A signed checkpoint: its text, which names the log, its size and its root, and the lines below: a name, and an id with a signature."""

    text: str
    origin: str
    size: int
    root: bytes
    below: list[tuple[str, bytes]]

    def is_signed(self, key: Key) -> bool:
        """Return whether a key has signed the text; a line that names the key and is not its signature is broken."""
        own = [one[4:] for name, one in self.below if (name, one[:4]) == (key.name, key.id)]
        for one in own:
            cut, above = (8, f"cosignature/v1\ntime {int.from_bytes(one[:8])}\n") if key.kind == WITNESS else (0, "")
            is_own = is_signature(f"{above}{self.text}", key.public, one[cut:])
            require(is_own, "log", f"the checkpoint of {self.origin} is not what {key.name} has signed")
        return bool(own)


class Proof(NamedTuple):
    """The proof that an entry is in a log: its place, the hashes beside its way to the root, and the checkpoint."""

    place: int
    path: list[bytes]
    note: Note


def unbase64(text: str, layer: str = "log") -> bytes:
    """Return what base64 holds, which must be in its one canonical form."""
    content = b64decode(text, validate=True)
    require(b64encode(content).decode() == text, layer, f"{text} is not base64 in its one form")
    return content


def read_proof(text: str) -> Proof:
    """Return the proof in a text."""
    found = PROOF.fullmatch(text)
    is_proof = found and len(found["note"]) <= NOTE_MAX and found["origin"].isprintable()
    require(is_proof, "log", "this is not the proof of a log, with a signed checkpoint")
    said = found.groupdict() if found else {}
    lines = [line.split(" ") for line in said["below"].split("\n")[:-1]]
    below = [(name, unbase64(content)) for _, name, content in lines]
    note = Note(said["text"], said["origin"], int(said["size"]), unbase64(said["root"]), below)
    return Proof(int(said["index"]), [*map(unbase64, said["path"].split())], note)


def prove(entry: Event, proof: Proof, *keys: Key) -> int:
    """Check that the log holds an entry by a checkpoint that all these keys have signed, and return its size."""
    number, path, note = proof
    for key in keys:
        is_own = note.origin == key.name and note.is_signed(key)
        require(
            is_own, "log", f"the checkpoint of {note.origin} is not signed with the key of {key.name} that it needs"
        )
    last, node = note.size - 1, hashlib.sha256(b"\0" + compact(entry).encode()).digest()
    require(number < note.size, "log", "the proof is of an entry that the checkpoint does not cover")
    for one in path:
        require(last > 0, "log", "the proof has too many hashes")
        if number % 2 or number == last:
            node = hashlib.sha256(b"\1" + one + node).digest()
            while not number % 2 and number:
                number, last = number // 2, last // 2
        else:
            node = hashlib.sha256(b"\1" + node + one).digest()
        number, last = number // 2, last // 2
    require(last == 0 and node == note.root, "log", "the proof does not lead to the root that was signed")
    return note.size


class Policy(NamedTuple):
    """The logs and witnesses that are believed, groups with how many of their members must cosign, and which of them a checkpoint needs."""

    logs: list[Key]
    witnesses: dict[str, Key]
    groups: dict[str, tuple[int, list[str]]]
    quorum: str

    def cosigned(self, note: Note) -> list[str]:
        """Return the witnesses and groups that have cosigned a checkpoint; they must be as many as the policy asks for."""
        found = [name for name, key in self.witnesses.items() if note.is_signed(key)]
        for name, (least, members) in self.groups.items():
            found += [name] * (sum(one in found for one in members) >= least)
        require(self.quorum in ("none", *found), "log", f"the policy asks for {self.quorum}, which has not cosigned")
        return found


def read_policy(text: str) -> Policy:
    """Return the policy in a file."""
    logs, witnesses, groups, quorum = list[Key](), dict[str, Key](), dict[str, tuple[int, list[str]]](), ""
    lines = text.split("\n")
    require(len(lines) <= POLICY_MAX, "file", f"a policy has at most {POLICY_MAX} lines")
    for number, words in enumerate(map(str.split, lines), start=1):
        names, free = {*witnesses, *groups}, {*witnesses, *groups}.difference(*(of for _, of in groups.values()))
        is_good = not words or words[0].startswith("#")
        if words[:1] == ["log"] and len(words) in (2, 3):
            logs.append(read_key(words[1]))
            is_good = len({key.public for key in logs}) == len(logs)
        elif words[:1] == ["witness"] and len(words) in (3, 4):
            is_good = words[1] not in ("none", *names)
            witnesses[words[1]] = read_key(words[2], WITNESS)
            is_good = is_good and len({key.public for key in witnesses.values()}) == len(witnesses)
        elif words[:1] == ["group"] and len(words) > 3:
            _, name, least, *members = words
            count = {"any": 1, "all": len(members)}.get(least) or int(
                least if least.isdecimal() and least.isascii() else 0
            )
            is_good = name not in ("none", *names) and free.issuperset(members) and len({*members}) == len(members)
            is_good = is_good and 1 <= count <= len(members)
            groups[name] = (count, members)
        elif words[:1] == ["quorum"] and len(words) == 2:
            is_good = not quorum and words[1] in ("none", *names)
            quorum = words[1]
        require(is_good, "file", f"line {number} of the policy is not valid")
    require(quorum, "file", "the policy has no line `quorum NAME`; `quorum none` asks for no witness")
    return Policy(logs, witnesses, groups, quorum)


def fields(line: bytes | str, kinds: dict[str, type], **defaults: object) -> Event:
    """Return the record of a line of evidence, which has these fields and no other."""
    record: Event = json.loads(line if isinstance(line, str) else line.decode())
    is_exact = type(record) is dict and {name: type(one) for name, one in (defaults | record).items()} == kinds
    require(is_exact, "log", f"a line does not have exactly the fields {', '.join(kinds)}")
    return defaults | record


def key_chain(trusted: Key, changes: Sequence[Event]) -> list[tuple[Key, float]]:
    """Return the keys of a log, each with up to which size it signs: its changes are one chain, and both keys have signed each."""
    texts = [one["was"] for one in changes[:1]] + [one["key"] for one in changes]
    keys = [read_key(text, layer="log") for text in texts] or [trusted]
    is_chain = len({*texts}) == len(texts) and [one["was"] for one in changes] == texts[:-1] and trusted in keys
    require(is_chain, "log", "the changes of the key are no chain with the key that is trusted in it")
    entries = [{"entry": "wardiary-key/1", "key": one["key"], "was": one["was"]} for one in changes]
    pairs = zip(entries, changes, keys, keys[1:], strict=False)
    sizes = [prove(entry, read_proof(one["proof"]), *two) for entry, one, *two in pairs]
    require(sizes == sorted({*sizes}), "log", "the changes of the key are not in the order of the log")
    return [*zip(keys, [*sizes, inf], strict=True)]


def check_log(
    match: str, hashes: dict[int, str], evidence: bytes, key: str, kept: bytes, policy: Policy | None
) -> Event:
    """Check an archive against what ties it to the log of a server, and against lines that were kept."""
    given, lines = read_key(key) if key else None, evidence.splitlines()
    with at(0, "file"):
        mine = [one for one in kept.decode().splitlines() if one]
    with at(0, "log"):
        require(3 <= len(lines) <= EVIDENCE_MAX, "log", f"an evidence file has 3 to {EVIDENCE_MAX} lines")
        header = fields(lines[0], {"evidence": str, "match": str, "key": str})
        told = [*takewhile(lambda one: one.startswith(b'{"key":'), lines[1:-1])]
        changes = [fields(one, {"key": str, "was": str, "proof": str}) for one in told]
        proved = [fields(one, {"number": int, "last": int, "nonce": str}) for one in lines[1 + len(told) : -1]]
        end = read_proof(fields(lines[-1], {"proof": str})["proof"])
        require(header["evidence"] == "wardiary-evidence/1", "log", "this is not an evidence file")
        require(header["match"] == match, "log", f"the evidence is of match {header['match']}")
        require(proved, "log", "the evidence names no commit")
        named = read_key(header["key"])
        if policy and policy.logs:
            believed = next((one for one in policy.logs if one.name == named.name), None)
            is_named = believed and given in (None, believed)
            require(is_named, "log", f"the policy names no such key of the log {named.name}")
            given = believed
        trusted = given or named
        keys = key_chain(trusted, changes)
        require(keys[-1][0] == named, "log", f"the evidence is of a log with another key, {header['key']}")
        entries, before, last = list[Event](), "", 0
        for number, one in enumerate(proved, start=1):
            is_one = one["number"] == number and last < one["last"] in hashes and is_hash(one["nonce"])
            require(
                is_one, "log", f"entry {number} of the evidence is of no commit of this archive after the one before"
            )
            last, blinded = (
                one["last"],
                sha256(b"wardiary blind 1\n", bytes.fromhex(one["nonce"] + hashes[one["last"]])),
            )
            entry = {"entry": "wardiary-entry/1", "match": match, "number": number, "blinded": blinded}
            entries.append(entry | ({"before": before} if before else {}))
            before = sha256(b"\0", compact(entries[-1]).encode())
        prove(entries[-1], end, named)
        for text in mine:
            check_kept(text, entries, sorted(keys, key=lambda known: known[0] != trusted))
        cosigned = policy.cosigned(end.note) if policy else []
    return {"log": header["key"], "covered": last, "kept_lines": len(mine), "cosigned": cosigned}


def check_kept(line: str, entries: Sequence[Event], keys: Sequence[tuple[Key, float]]) -> None:
    """Check that a line which somebody kept is of a history, by the first of the keys that can have signed it."""
    kinds = {"match": str, "number": int, "blinded": str, "proof": str, "before": str, "nonce": str, "last": int}
    one = fields(line, kinds, before="", nonce="", last=0)
    proof, entry = read_proof(one["proof"]), {"entry": "wardiary-entry/1"}
    entry |= {name: one[name] for name in ("match", "number", "blinded", "before") if one[name] != ""}
    own = [key for key, most in keys if (key.name, key.id) in [(name, of[:4]) for name, of in proof.note.below]]
    fitting = [key for key, most in keys if key in own and proof.note.size <= most]
    require(fitting or not own, "log", "a line that was kept is signed with a key after another one followed it")
    prove(entry, proof, *(fitting or [keys[0][0]])[:1])
    require(entry in entries, "log", "what was kept is of another history than this archive")


# What is told

SENTENCES = {
    "events": "Checked: {} events form one chain.",
    "head": "Its head: {}",
    "dice": "Checked: {} dice follow as recorded.",
    "draws": "Checked: {} draws and choices follow as recorded.",
    "hidden": "Not checked: {} hidden results, as long as the seed is not revealed.",
    "typed": "Not checked: {} results were typed in.",
    "chosen": "Not checked: {} faces were chosen by who made a fork.",
    "without_chain": "The seat {} had no chain of links and added nothing to the dice.",
    "not_opened": "A seat that had called for chance never opened its link: see event {}. With the operator, it could refuse a roll.",
    "further_chains": "A seat published another chain: {}. With the operator, it could choose among rolls.",
    "signed": "Checked: {} commands are signed with the keys of their seats.",
    "unchecked": "Not checked: {} signatures; the package cryptography is not installed.",
    "not_signed": "The seat {} did not sign all that it sent.",
    "further_keys": "A seat signed with another key than before, without a word of that: {}. Another player, a lost key, or the operator.",
    "missing_files": "Not checked: the file {}, with which the match was opened, is not attached.",
    "covered": "Checked: the log of the server holds the match up to event {}.",
    "log": "Its key: {}",
    "cosigned": "Checked: {} of the policy has cosigned the state of the log.",
    "kept_lines": "Checked: {} lines that were kept are of this history.",
    "not_kept": "Not checked: whether the whole match was rewritten. {} would show it.",
}
"""What is said of what was found; of a list once for each, and nothing of what is empty."""


def check(
    data: bytes,
    head: str = "",
    evidence: bytes | None = None,
    key: str = "",
    kept: bytes | None = None,
    *,
    policy: str | None = None,
    players: Sequence[str] = (),
) -> dict[str, Any]:
    """Check an archive, what ties it to the log of a server, and the keys of players (SEAT=HEX), and return what was found.

    Raises:
        BrokenError: It is no archive, the evidence is broken, or something is given in a wrong way.
    """
    is_alone = evidence is None and (key or kept is not None or policy is not None)
    require(
        not is_alone, "usage", "a key, a policy and kept lines are compared with the evidence: name it with --evidence"
    )
    named: dict[str, set[str]] = {}
    for one in players:
        require(is_hash(one.partition("=")[2]), "usage", "--player is SEAT=HEX, with the 64 lower-case digits of a key")
        named.setdefault(one.partition("=")[0], set()).add(one.partition("=")[2])
    require(
        evidence is None or "Ed25519PublicKey" in globals(), "file", "a log is checked with the package cryptography"
    )
    require(evidence is None or evidence, "file", "the evidence is empty")
    believed = None if policy is None else read_policy(policy)
    commits, hashes, missing = read(data)
    require(not head or head in list(hashes.values())[1:], "chain", f"no commit of this match has the hash {head}")
    seeds = [one.get("seed") for commit in commits for one in commit["events"] if one["event"] == "seed-revealed/1"]
    require(len(seeds) < 2, "dice", "a match reveals its seed once")
    walk, match = Walk(next(filter(is_hash, seeds), "")), commits[-1]["match"]
    own = {one["first"] + len(one["events"]) - 1 for one in commits if one["match"] == match}
    mine = {last: one for last, one in hashes.items() if last in own}
    logged = {} if evidence is None else check_log(match, mine, evidence, key, kept or b"", believed)
    with at(1):
        is_seat = set(named) <= set(commits[0]["events"][0]["seats"])
    require(is_seat, "usage", f"--player names a seat that the match does not have: {', '.join(sorted(named))}")
    for commit in commits:
        walk.commit(commit)
    found = {"match": match, "events": walk.seq, "head": hashes[walk.seq], "missing_files": missing}
    found |= {name: walk.told[name] for name in ("dice", "draws", "hidden", "typed", "chosen")}
    signed = walk.signatures
    for seat, keys in named.items():
        is_known = signed.players.get(seat) and all(keys & known for known in signed.players[seat])
        require(is_known, "signatures", f"the seat {seat} was played with another key than {', '.join(sorted(keys))}")
        require(
            seat in signed.signers and seat not in signed.bare,
            "signatures",
            f"the seat {seat} did not sign all that it sent",
        )
    can_check = "Ed25519PublicKey" in globals()
    found |= {"signed" if can_check else "unchecked": signed.signed, "further_keys": signed.further}
    found |= {"without_chain": sorted(set(walk.seats) - walk.secured), "not_opened": walk.not_opened}
    found["further_chains"] = [f"{seat}, {count - 1} times" for seat, count in walk.anchors.items() if count > 1]
    found["not_signed"] = sorted(set(walk.seats) & signed.bare)
    found["not_kept"] = "" if head or kept else "A hash that was noted during play (--head), or a line that was kept,"
    return found | logged


def sentences(found: dict[str, Any]) -> Iterator[str]:
    """Yield what was found, as sentences."""
    for name, text in SENTENCES.items():
        value = found.get(name)
        yield from [text.format(one) for one in (value if isinstance(value, list) else [value]) if one]
    yield "Not checked: whether the rules of the game were kept."


def main() -> int:
    """Run the program, and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--head", default="", help="the hash of a commit that was noted elsewhere")
    parser.add_argument("--evidence", type=Path, help="what ties the archive to the log of a server")
    parser.add_argument("--key", default="", help="the public key of that log, as its operator has published it")
    parser.add_argument("--kept", type=Path, help="lines that were kept during play")
    parser.add_argument("--policy", type=Path, help="the logs and witnesses that are believed (c2sp.org/tlog-policy)")
    parser.add_argument("--player", action="append", default=[], help="SEAT=HEX: the key of a player, as you know it")
    asked = parser.parse_args()
    try:
        with asked.archive.open("rb") as file:
            data = file.read(ARCHIVE_MAX + 1)
        files = (asked.evidence, asked.kept, asked.policy)
        evidence, kept, policy = (None if one is None else one.read_bytes() for one in files)
        with at(0, "file"):
            rules = None if policy is None else policy.decode()
        found = check(data, asked.head, evidence, asked.key, kept, policy=rules, players=asked.player)
        print("\n".join(sentences(found)))
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 3
    except BrokenError as error:
        code = {"usage": 2, "file": 3}.get(error.layer, 4)
        where = f"broken at event {error.event} ({error.layer}): " if code == 4 else ""
        print(f"{asked.archive}: {where}{error}", file=sys.stderr)
        return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
