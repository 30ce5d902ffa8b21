#!/usr/bin/env python3
"""Checks the evidence of a match without War Diary: the file, its chain of hashes, and every die, draw and choice of chance.

    python3 verify.py ARCHIVE [--head HASH] [--evidence FILE [--key KEY] [--kept FILE]] [--json]

It reads what `wardiary export` and `wardiary pack` write (docs/archive.md; `zstd -d` decompresses it) and needs Python 3.11, and for the log of a server
(docs/server-log.md) the package cryptography. It shares no code with War Diary: where the two disagree, one of them is wrong. What it does not check is whether the rules of the game were kept; `wardiary audit` does.

Exit codes: 0 sound, 2 wrong use, 3 the file cannot be read, 4 the evidence is broken.
"""

import argparse
import hashlib
import hmac
import json
import sys
from base64 import b64decode
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, NamedTuple

with suppress(ImportError):
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ARCHIVE = "wardiary-archive/1"
GENESIS = "0" * 64
LINE_MAX, ARCHIVE_MAX, EVENTS_MAX, LENGTH_MAX = 16 << 20, 256 << 20, 2_000_000, 1 << 20

LINKED = "sealed/2"
SCHEMES = {
    LINKED: {"scheme", "commitment", "stream", "veil", "length"},
    "seeded/1": {"scheme", "seed"},
    "manual/1": {"scheme"},
}
"""The sources of dice, and what the opening of a match says of each."""

KEPT = """arbiter-left/1 arbiter-seated/1 commands-undone/1 links-opened/1 match-opened/1 match-paused/1 match-resumed/1 note-added/1
    player-replaced/1 ruling-made/1 seat-left/1 seat-reserved/1 seat-secured/1 seat-taken/1 seed-revealed/1 standing-answer-given/1
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
PICKS = ("item-picked/1", "item-unpicked/1")
ROLLS = ("dice-rolled/1", "hidden-dice-rolled/1")
DRAWS = {"card-drawn/1": ("deck", "card"), "piece-drawn/1": ("pool", "drawn"), "chosen-by-chance/1": ("", "chosen")}
"""Events that take something at random: the fields with the pile it is taken from, and with what was taken."""

Event = dict[str, Any]


class UnreadableError(Exception):
    """The file is no archive."""


class BrokenError(Exception):
    """The evidence is broken: in a layer (`format`, `chain`, `files`, `links`, `dice`, `log`), at an event, 0 for none."""

    def __init__(self, layer: str, event: int, problem: str) -> None:
        super().__init__(problem)
        self.layer, self.event = layer, event


def require(holds: object, layer: str, event: int, problem: str) -> None:
    """Raise an error if something does not hold that must."""
    if not holds:
        raise BrokenError(layer, event, problem)


def sha256(*parts: bytes) -> str:
    """Return the SHA-256 of some bytes (hex)."""
    return hashlib.sha256(b"".join(parts)).hexdigest()


def keyed(key: bytes, text: str) -> bytes:
    """Return the HMAC-SHA-256 of a text under a key."""
    return hmac.digest(key, text.encode(), "sha256")


def is_hash(text: object) -> bool:
    """Return whether something is 32 bytes as lower-case hexadecimal digits."""
    return isinstance(text, str) and len(text) == 64 and set(text) <= set("0123456789abcdef")


def step(link: str) -> str:
    """Return the link before a link."""
    return sha256(b"wardiary link 2\n", bytes.fromhex(link))


def follows(link: object, before: str) -> bool:
    """Return whether something is the link after another one."""
    return is_hash(link) and step(str(link)) == before


def compact(value: object) -> str:
    """Return a value as JSON without white space."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


# The file and its chain


def parsed(line: bytes, event: int) -> Event:
    """Return the record of a line, which must be written in the only way that the format knows."""

    def once(pairs: list[tuple[str, Any]]) -> Event:
        if len(dict(pairs)) != len(pairs):
            raise ValueError("a field comes twice")
        return dict(pairs)

    def refuse(text: str) -> Any:
        raise ValueError(f"{text} is no number of this format")

    try:
        record: Event = json.loads(line, object_pairs_hook=once, parse_constant=refuse, parse_float=refuse)
        is_exact = compact(record).encode() == line
    except (ValueError, RecursionError) as error:
        raise BrokenError("format", event, f"this line is not valid: {error}") from None
    require(is_exact and isinstance(record, dict), "format", event, "this line is not written as an export writes it")
    return record


class Archive(NamedTuple):
    """A match as it was read: its commits, their hashes, and the files it was opened with that are not attached."""

    match: str
    commits: list[Event]
    hashes: list[str]
    missing: list[str]


def read(data: bytes) -> Archive:
    """Read an archive, and check its form, its chain and its files."""
    if data.startswith(b"\x28\xb5\x2f\xfd"):
        raise UnreadableError("the file is compressed: decompress it with zstd -d")
    if not data.startswith(b'{"archive":'):
        raise UnreadableError("this is not an archive of a match: it does not begin with its format")
    if len(data) > ARCHIVE_MAX:
        raise UnreadableError(f"the archive is larger than {ARCHIVE_MAX >> 20} MiB")
    *lines, rest = data.split(b"\n")
    require(lines and not rest, "format", 0, "the archive is cut off in its last line")
    require(max(map(len, lines)) < LINE_MAX, "format", 0, f"a line is longer than {LINE_MAX >> 20} MiB")
    header = parsed(lines[0], 0)
    if header.get("archive") != ARCHIVE:
        raise UnreadableError(f"the format is {header.get('archive')!r}; this program knows {ARCHIVE!r}")
    files = [
        attached(parsed(line, 0)) for line in takewhile(lambda line: line.startswith(b'{"attachment":'), lines[1:])
    ]
    commits, hashes = chained(lines[1 + len(files) : -1])
    require(commits, "chain", 0, "the archive holds no commits")
    end, count = parsed(lines[-1], 0), sum(len(commit["events"]) for commit in commits)
    sums = {"end": ARCHIVE, "events": count, "head": hashes[-1], "sha256": sha256(data[: -len(lines[-1]) - 1])}
    require(end == sums, "chain", 0, "the last line does not match the lines before it")
    opening, match = commits[0]["events"][0], commits[-1]["match"]
    is_named = header == {"archive": ARCHIVE, "match": match, "game": opening.get("game")}
    require(is_named, "chain", 0, "the first line names another match or game than the commits")
    named = list(dict.fromkeys(one for one in (opening.get("board"), opening.get("position")) if one))
    is_own = files == [one for one in named if one in files]
    require(is_own, "files", 1, "the attached files are not those that the match was opened with")
    return Archive(match, commits, hashes, [one for one in named if one not in files])


def attached(record: Event) -> str:
    """Return the digest of an attached file, which its content must have."""
    try:
        content = record["text"].encode() if "text" in record else b64decode(record["base64"], validate=True)
    except (KeyError, ValueError, AttributeError, TypeError):
        content = None
    is_filed = content is not None and sha256(content) == record["attachment"]
    require(is_filed, "files", 0, "an attached file does not have the SHA-256 that it is filed under")
    return str(record["attachment"])


def chained(lines: Sequence[bytes]) -> tuple[list[Event], list[str]]:
    """Return the commits with their hashes, after a check that they form one chain."""
    commits, hashes, seq, match, keys = [], [GENESIS], 0, "", set[str]()
    for line in lines:
        commit, number = parsed(line, seq + 1), seq + 1
        try:
            kinds = [event["event"] for event in commit["events"]]
            shape = (commit["commit"], type(commit["at"]), type(commit["command"]), type(commit["first"]), bool(kinds))
            before, key, of = commit.get("prev", GENESIS), commit["key"], commit["match"]
            is_sound = shape == ("1", int, dict, int, True) and isinstance(key, str) and isinstance(of, str)
            unknown = [kind for kind in kinds if kind not in KINDS]
        except (KeyError, TypeError):
            raise BrokenError("format", number, "this is not a commit as the format says") from None
        require(is_sound, "format", number, "this is not a commit as the format says")
        require(not unknown, "format", number, f"there are no events {', '.join(map(repr, unknown))}")
        follows_on = (commit["first"], before) == (number, hashes[-1])
        require(follows_on, "chain", number, "the chain is broken: this commit does not follow the one before it")
        is_opening = (kinds[0] == "match-opened/1") == (number == 1)
        require(is_opening, "chain", number, "a match begins with its opening and has no other")
        is_fork = kinds[0] == "match-forked/1"
        require(
            not match or is_fork == (of != match), "chain", number, f"a commit of match {of} follows one of {match}"
        )
        keys = keys if of == match else set()
        require(key not in keys, "chain", number, f"the idempotency key {key!r} was used before")
        keys.add(key)
        match, seq = of, seq + len(kinds)
        require(seq <= EVENTS_MAX, "format", number, f"the archive has more than {EVENTS_MAX} events")
        commits.append(commit)
        hashes.append(sha256(b"wardiary commit 1\n", line))
    return commits, hashes[1:]


# Links


class Chain(NamedTuple):
    """The chain of a seat: its last opened link, how many are left, whether a player holds it, and what has to be answered with a link."""

    link: str
    left: int
    is_held: bool = True
    owes: bool = False
    unanswered: frozenset[str] = frozenset()


class Links(NamedTuple):
    """The last link of the server, how many it opened, the chains of the seats, and the call that waits for a link."""

    link: str
    chains: dict[str, Chain]
    opened: int = 0
    call: tuple[str, int] | None = None

    def held(self, seat: str) -> Chain | None:
        """Return the chain that the player of a seat holds."""
        chain = self.chains.get(seat)
        return chain if chain and chain.is_held else None

    def is_due(self, seat: str) -> bool:
        """Return whether a seat owes a link."""
        chain = self.held(seat)
        return chain is not None and bool(chain.owes or chain.unanswered)

    def after(self, kind: str, event: Event) -> "Links":
        """Return the links after an event."""
        seat, chains = event.get("seat", ""), dict(self.chains)
        if kind == "chance-called/1":
            return self._replace(call=(seat, event["number"]))
        if kind in ("match-ended/1", "rules-adopted/1"):
            return self._replace(call=None)
        if kind == "links-opened/1":
            number, held = event.get("number", 0), [one for one, chain in chains.items() if chain.is_held]
            chains |= {one: chains[one]._replace(owes=True) for one in held if number and one != seat}
            chains |= {seat: Chain(event["share"], chains[seat].left - 1)} if event.get("share") else {}
            return Links(event["link"], chains, number) if number else self._replace(chains=chains)
        if kind == "seat-secured/1":
            held = [one for one, chain in chains.items() if chain.is_held]
            chains |= {one: chains[one]._replace(unanswered=chains[one].unanswered | {seat}) for one in held}
            chains[seat] = Chain(event["anchor"], event["length"])
        elif kind in ("seat-left/1", "player-replaced/1") and seat in chains:
            chains[seat] = Chain(chains[seat].link, 0, is_held=False)
        else:
            return self
        return self._replace(chains=chains, call=None if self.call and self.call[0] == seat else self.call)

    def problem(self, commit: Event, kind: str, event: Event) -> str:
        """Return why an event of links is against the protocol; empty if it is not."""
        seat, actor = event.get("seat", ""), commit.get("seat", "")
        unanswered = [one for one, chain in self.chains.items() if chain.unanswered]
        if kind == "seat-secured/1":
            if not is_hash(event["anchor"]) or event["length"] < 1:
                return "this is not the anchor of a chain"
            if self.call:
                return "an anchor was published while a command waited for a link"
            own = self.held(seat)
            if own and own.left > 0:
                return f"the seat {seat} published another anchor while links of its chain were left"
            is_open = any(seat in chain.unanswered for one, chain in self.chains.items() if one != seat)
            return f"the seat {seat} had published an anchor that was not answered yet" if is_open else ""
        if kind == "chance-called/1":
            if len(commit["events"]) > 1 or seat != actor or not self.held(seat):
                return "a call for chance is alone in the commit of a seat that has a chain"
            if self.call or event["number"] != self.opened + 1:
                return f"the link that can be called for is {self.opened + 1}, and only once"
        else:
            problem = self._opened_problem(commit, event)
            if problem or not event.get("number"):
                return problem
        return f"chance was used before an anchor was answered by {', '.join(unanswered)}" if unanswered else ""

    def _opened_problem(self, commit: Event, event: Event) -> str:
        seat, share, number, actor = (
            event.get("seat", ""),
            event.get("share", ""),
            event.get("number", 0),
            commit.get("seat", ""),
        )
        if share:
            chain = self.held(seat)
            if seat != actor or not chain or commit["command"].get("share") != share:
                return f"a link of the seat {seat} is opened by that seat alone"
            if not follows(share, chain.link):
                return f"this is not the next link of the seat {seat}"
        elif seat or not number:
            return "the link of a seat is missing"
        if not number:
            return "" if self.is_due(actor) and not self.call else f"no link of the seat {seat} was owed"
        if number != self.opened + 1 or not follows(event["link"], self.link):
            return "this is not the next link of the server"
        if self.held(actor) and self.call != (seat, number):
            return f"the seat {actor} has a chain, and used chance without calling for it first"
        return ""


# Piles


class Pile(NamedTuple):
    """The cards of a pile in their order, and the seats that know them; None for all."""

    cards: tuple[str, ...] = ()
    seen_by: tuple[str, ...] | None = None

    def known_with(self, other: "Pile") -> tuple[str, ...] | None:
        """Return the seats that know the cards of both; an empty pile is known to all."""
        known = [set(pile.seen_by) for pile in (self, other) if pile.cards and pile.seen_by is not None]
        return tuple(sorted(set.intersection(*known))) if known else None


class Piles:
    """The piles from which is drawn, and what they were since the last fence, for commands that are taken back."""

    def __init__(self) -> None:
        self.now: dict[str, Pile] = {}
        self.earlier = [(0, self.now)]

    def take(self, kind: str, event: Event, seq: int) -> None:
        """Follow an event."""
        before, seen_by = self.now, event.get("seen_by")
        if kind in ("deck-formed/1", "secrets-redealt/1"):
            self._set(event["deck" if kind == "deck-formed/1" else "pile"], Pile(tuple(event["cards"]), seen_by))
        elif kind == "deck-shuffled/1" and event.get("source"):
            deck, source = self.pile(event["deck"]), self.pile(event["source"])
            self._set(event["deck"], Pile(tuple(sorted(deck.cards + source.cards)), deck.known_with(source)))
            self._set(event["source"], Pile())
        elif kind in ("card-drawn/1", "card-moved/1", "card-played/1", "card-discarded/1"):
            self._remove(event["deck" if kind == "card-drawn/1" else "was"], event["card"])
            self._add(event["to"], event["card"], seen_by)
        elif kind == "piece-drawn/1":
            self._remove(event["pool"], event["drawn"])
        elif kind == "piece-returned/1":
            self._add(event["to"], event["card"], seen_by)
        elif kind == "commands-undone/1":
            self.earlier = [one for one in self.earlier if one[0] <= event["to"]] or self.earlier[:1]
            self.now = self.earlier[-1][1]
        if kind in FENCES:
            self.earlier = [(seq, self.now)]
        elif self.now is not before and kind != "commands-undone/1":
            self.earlier.append((seq, self.now))

    def pile(self, name: str) -> Pile:
        """Return a pile, which is empty if nothing came to it."""
        return self.now.get(name, Pile())

    def _set(self, name: str, pile: Pile) -> None:
        self.now = {**self.now, name: pile}

    def _remove(self, name: str, card: str) -> None:
        cards, seen_by = self.pile(name)
        if card in cards:
            place = cards.index(card)
            self._set(name, Pile(cards[:place] + cards[place + 1 :], seen_by))

    def _add(self, name: str, card: str, seen_by: Sequence[str] | None) -> None:
        pile, added = self.pile(name), Pile((card,), None if seen_by is None else tuple(seen_by))
        self._set(name, Pile((*pile.cards, card), pile.known_with(added)))


# Chance


class Chosen(NamedTuple):
    """The faces that a fork chose for the dice after an event, as far as no roll has shown them."""

    after: int
    faces: tuple[int, ...]

    def shown(self, roll: Event, number: int) -> list[int]:
        """Return the faces that a roll shows in place of its first dice."""
        sides, count = roll.get("sides", 6), len(roll["faces"]) if number > self.after else 0
        return list(takewhile(lambda face: face <= sides, self.faces[:count]))

    def left(self, roll: Event, number: int) -> "Chosen | None":
        """Return the faces that a roll has not used; None if a die could not show the next one."""
        used, most = len(self.shown(roll, number)), min(len(roll["faces"]), len(self.faces))
        rest = self if number <= self.after else Chosen(self.after, self.faces[used:] if used == most else ())
        return rest if rest.faces else None


class Source(NamedTuple):
    """Where the dice of events come from: those of the match, or of a parent whose command a fork decides again."""

    scheme: Event
    links: Links | None = None
    chosen: Chosen | None = None

    def carried(self) -> "Source":
        """Return the source as a fork carries it on: the forking event does not count."""
        shifted = {**self.scheme, "shift": self.scheme.get("shift", 0) + 1}
        chosen = self.chosen and Chosen(self.chosen.after + 1, self.chosen.faces)
        return Source(shifted, self.links, chosen)


def numbers(block_of: Callable[[int], bytes], count: int, size: int) -> list[int]:
    """Return `count` numbers from 0 to `size` - 1, each equally likely: those of the key stream that are too large are left out."""
    width = 1 if size <= 256 else 4 if size <= 1 << 32 else 8
    limit, found, block = (1 << 8 * width) // size * size, list[int](), 0
    while len(found) < count:
        data = block_of(block)
        words = [int.from_bytes(data[at : at + width], "big") for at in range(0, len(data), width)]
        found += [word % size for word in words if word < limit]
        block += 1
    return found[:count]


def veil_of(seed: str, scheme: Event) -> bytes:
    """Return the veil of a source by its seed."""
    return keyed(bytes.fromhex(seed), f"wardiary veil 2|{scheme['stream']}")


class Walk:
    """Follows a match commit by commit, and checks its links and all that chance gave.

    Args:
        seeds: All seeds that the match reveals.
    """

    def __init__(self, seeds: Sequence[str]) -> None:
        self.seq = 0
        self.match = ""
        self.seats: list[str] = []
        self.secured: set[str] = set()
        self.told: Counter[str] = Counter()
        self.not_opened: list[int] = []
        self.anchors: Counter[str] = Counter()
        self.seeds = seeds
        self.veils: dict[str, bytes | None] = {}
        self.commitments: set[str] = set()
        self.own = Source({"scheme": "manual/1"})
        # The match's own dice are those of the events after this one; until which event a cut command has the dice of which parent.
        self.dice_from = 0
        self.cut: list[tuple[int, Source]] = []
        self.piles = Piles()
        self.answers: set[tuple[str, str]] = set()
        # Seeded dice are bound to the number of an event among those that all seats know.
        self.counted = 0
        self.since: list[int] = []
        # The links that were opened last in this commit, whether they are the match's own, and how many results followed.
        self.opened: Event | None = None
        self.is_own = False
        self.calls = 0

    def commit(self, commit: Event) -> None:
        """Check the next commit."""
        self.match, self.opened, self.is_own, self.calls = commit["match"], None, False, 0
        try:
            problem = self.decision_problem(commit)
            require(not problem, "links", self.seq + 1, problem)
            for event in commit["events"]:
                self.event(commit, event["event"], event, self.seq + 1)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError, OverflowError) as error:
            what = f"this event is not as the format says ({type(error).__name__}: {error})"
            raise BrokenError("format", self.seq + 1, what) from None
        # Only the commit after that of a fork repeats outcomes of the parent.
        if commit["events"][0]["event"] != "match-forked/1":
            self.cut = []

    def decision_problem(self, commit: Event) -> str:
        """Return why nothing may be decided now, if the command of a commit decides something."""
        links, seat, command = self.own.links, commit.get("seat", ""), commit["command"]
        if links is None or (str(command.get("do")).startswith("match:") and command["do"] != "match:begin"):
            return ""
        if links.call:
            return f"the seat {links.call[0]} had called for chance, and nothing can be decided before its link"
        is_standing = (seat, compact(command)) in self.answers
        return f"the seat {seat} owed a link when it decided" if links.is_due(seat) and not is_standing else ""

    def event(self, commit: Event, kind: str, event: Event, number: int) -> None:
        """Check the next event of a commit, and follow it."""
        links, is_own = self.own.links, number > self.dice_from
        if kind in ("seat-secured/1", "chance-called/1", "links-opened/1") and is_own:
            problem = links.problem(commit, kind, event) if links else "the dice of this match depend on no links"
            require(not problem, "links", number, problem)
            is_first = kind != "links-opened/1" or not self.is_own
            require(is_first, "links", number, "links are opened once for a command")
            require(kind != "seat-secured/1" or event["seat"] in self.seats, "links", number, "there is no such seat")
        if kind == "links-opened/1" and event.get("number"):
            self.opened, self.is_own, self.calls = event, is_own, 0
        opening = commit["events"][0]
        is_first = kind not in FIRST_ONLY or event is opening
        require(is_first, "chain", number, f"{kind} is not the first event of its commit")
        if kind in ROLLS or kind in DRAWS:
            is_game = opening["event"] != "match-forked/1"
            require(is_game, "dice", number, f"{kind} is not part of a fork's new deal")
            self.result(kind, event, number)
        self.count(kind, event, number)
        self.piles.take(kind, event, number)
        self.seq = number
        if kind == "match-opened/1":
            self.seats = event["seats"]
            self.begin(event["chance"], number)
        elif kind == "match-forked/1":
            self.fork(event, number)
        elif kind == "standing-answer-given/1":
            self.answers.add((event["seat"], compact(json.loads(event.get("answer") or "null"))))
        elif kind == "seed-revealed/1":
            self.reveal(event["seed"], number)
        links = self.own.links
        if links is not None and (kind != "links-opened/1" or is_own):
            after = links.after(kind, event)
            self.own = self.own._replace(links=after)
            self.anchors[event.get("seat", "")] += kind == "seat-secured/1"
            self.secured |= {event["seat"]} if kind == "links-opened/1" and event.get("share") else set()
            self.not_opened += [number] if links.call and not after.call and kind != "links-opened/1" else []

    def count(self, kind: str, event: Event, number: int) -> None:
        """Count an event, if it is one of which all seats know."""
        if kind == "commands-undone/1":
            self.counted -= sum(one > event["to"] for one in self.since)
            self.since = [one for one in self.since if one <= event["to"]]
        elif kind not in PICKS and not ("seen_by" in event and kind in ("note-added/1", "standing-answer-given/1")):
            self.counted += 1
            self.since = [] if kind in FENCES else self.since if kind in KEPT else [*self.since, number]

    # Where dice come from

    def begin(self, scheme: Event, number: int) -> None:
        """Begin the match's own dice."""
        name, is_sound = scheme["scheme"], set(scheme) == SCHEMES.get(scheme["scheme"])
        if is_sound and name == LINKED:
            is_sound = is_hash(scheme["commitment"]) and is_hash(scheme["veil"]) and scheme["stream"] == self.match
            is_sound = is_sound and 1 <= scheme["length"] <= LENGTH_MAX
            require(scheme["commitment"] not in self.commitments, "dice", number, "these links are those of a parent")
            self.commitments.add(scheme["commitment"])
        require(is_sound, "dice", number, f"the source of dice {name!r} is not one that this match can have been given")
        self.own = Source(scheme, Links(scheme["commitment"], {}) if name == LINKED else None, self.own.chosen)

    def fork(self, event: Event, number: int) -> None:
        """Follow a fork; if it cut a command, the next commit begins with dice of the parent."""
        at, carried, faces = event["at"], self.own.carried(), tuple(event.get("faces", ()))
        is_same = event["chance"] == carried.scheme
        end = number - 1 if is_same and not faces else at
        parents = [(min(upto, end if not is_same or faces else upto) + 1, one.carried()) for upto, one in self.cut]
        self.cut = []
        for upto, one in [*parents, (at + 1, carried)] if at >= number else []:
            if not self.cut or upto > self.cut[-1][0]:
                self.cut.append((upto, one))
        self.told["chosen"] += len(faces)
        self.own = carried._replace(chosen=Chosen(at + 1, faces) if faces else carried.chosen if is_same else None)
        self.answers = set()
        if is_same:
            self.dice_from = self.dice_from + 1 if at >= number else min(self.dice_from, number)
        else:
            self.dice_from = at + 1
            self.begin(event["chance"], number)

    def reveal(self, seed: str, number: int) -> None:
        """Check a revealed seed against what was promised."""
        scheme = self.own.scheme
        is_promised = scheme["scheme"] == LINKED and is_hash(seed) and self.veil(scheme) == veil_of(seed, scheme)
        require(is_promised, "dice", number, "the revealed seed does not fit the commitment to the veil")
        link = keyed(bytes.fromhex(seed), f"wardiary links 2|{scheme['stream']}").hex()
        for _ in range(scheme["length"]):
            link = step(link)
        require(link == scheme["commitment"], "dice", number, "the revealed seed gives other links than were promised")

    def veil(self, scheme: Event) -> bytes | None:
        """Return the veil of a source; None if its seed is not revealed."""
        promised = scheme["veil"]
        if promised not in self.veils:
            veils = [veil_of(seed, scheme) for seed in self.seeds]
            self.veils[promised] = next(
                (veil for veil in veils if sha256(b"wardiary veil 2\n", veil) == promised), None
            )
        return self.veils[promised]

    # Results

    def result(self, kind: str, event: Event, number: int) -> None:
        """Check a roll, draw or choice."""
        source = next((one for upto, one in self.cut if number <= upto), self.own)
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
        count = len(recorded)
        require(is_possible and size <= 1 << 62, "dice", number, f"chance cannot give {recorded}")
        self.calls += 1
        found = self.numbers(source, event, number, count, size)
        chosen = source.chosen.shown(event, number) if source.chosen and kind == "dice-rolled/1" else []
        if kind == "dice-rolled/1":
            self.own = used(self.own, event, number)
            self.cut = [(upto, used(one, event, number)) for upto, one in self.cut]
        if found is None:
            return
        given: list[Any] = [one + 1 for one in found] if kind in ROLLS else [candidates[bisect_right(ends, found[0])]]
        given[: len(chosen)] = chosen
        purpose = event.get("purpose") or "chance"
        require(given == recorded, "dice", number, f"{purpose}: {recorded} is on record, and {given} follows")
        self.told["dice" if kind in ROLLS else "draws"] += count - len(chosen)

    def candidates(self, kind: str, event: Event) -> tuple[Sequence[str], Sequence[int]]:
        """Return what could come out of a draw or choice, and up to which number each of it does."""
        weights = event.get("weights") or {}
        if any(type(weight) is not int or weight < 1 for weight in weights.values()):
            raise ValueError("every weight is 1 or more")
        found = event["candidates"] if kind == "chosen-by-chance/1" else self.piles.pile(event[DRAWS[kind][0]]).cards
        return (list(weights), list(accumulate(weights.values()))) if weights else (found, range(1, len(found) + 1))

    def numbers(self, source: Source, event: Event, number: int, count: int, size: int) -> list[int] | None:
        """Return the numbers that a source gives for a result; None if they cannot be known here."""
        scheme = source.scheme
        if scheme["scheme"] == "manual/1":
            self.told["typed"] += count
            return None
        if source.links is None:
            key, position = (
                keyed(scheme["seed"].encode(), "wardiary chance 1|"),
                self.counted + 1 - scheme.get("shift", 0),
            )
            label = f"{position}|{event.get('purpose', '')}"
            return numbers(lambda block: keyed(key, f"|{label}|{block}"), count, size)
        context = f"wardiary chance 2|{scheme['stream']}|{self.context(source.links, number)}"
        pile = "" if event.get("weights") else event.get("deck") or event.get("pool") or ""
        is_open = event.get("seen_by") is None and self.piles.pile(pile).seen_by is None
        secret = bytes.fromhex((self.opened or {})["link"]) if is_open else self.veil(scheme)
        if secret is None:
            self.told["hidden"] += count
            return None
        key, call = keyed(secret, context), self.calls
        return numbers(lambda block: keyed(key, f"{call}|{block}"), count, size)

    def context(self, links: Links, number: int) -> str:
        """Return what a result depends on besides its key: the number of the server's link, and the last link of each seat."""
        opened = self.opened
        if opened is None:
            raise BrokenError("links", number, "no link was opened for this result")
        last = {seat: chain.link for seat, chain in links.chains.items()}
        # What a fork repeats was opened in the parent, before the fork.
        if opened["link"] != links.link:
            is_next = opened["number"] == links.opened + 1 and follows(opened["link"], links.link)
            if is_next and opened.get("share"):
                is_next = follows(opened["share"], last.get(opened.get("seat", ""), ""))
                last[opened.get("seat", "")] = opened["share"]
            require(is_next, "links", number, "the links that were opened for this result are not the next ones")
        return "|".join([str(opened["number"]), *[f"{seat}={last[seat]}" for seat in sorted(last)]])


def used(source: Source, roll: Event, number: int) -> Source:
    """Return a source without the chosen faces that a roll has shown."""
    return source._replace(chosen=source.chosen and source.chosen.left(roll, number))


# The log of the server


def signed_by(note: str, key: str) -> tuple[str, int, bytes]:
    """Return what a checkpoint says, the name of its log, its size and its root, after a check that the key has signed it."""
    name, key_id, content = key.split("+", 2)
    public = b64decode(content, validate=True)
    is_key = len(public) == 33 and public[:1] == b"\1" and sha256(f"{name}\n".encode(), public)[:8] == key_id
    require(is_key, "log", 0, "the key is not NAME+ID+KEY, as the operator of a server publishes it")
    text, below = note.rsplit("\n\n", 1)
    origin, size, root = text.split("\n")
    lines = [line.split(" ") for line in below.splitlines()]
    own = [b64decode(line[2])[4:] for line in lines if line[1] == name and b64decode(line[2])[:4].hex() == key_id]
    require(own and origin == name, "log", 0, f"the checkpoint is not one that {name} has signed")
    try:
        Ed25519PublicKey.from_public_bytes(public[1:]).verify(own[0], f"{text}\n".encode())
    except InvalidSignature:
        raise BrokenError("log", 0, f"the checkpoint is not what {name} has signed") from None
    return origin, int(size), b64decode(root)


def prove(entry: bytes, proof: str, key: str) -> int:
    """Check that the log with a key holds an entry, and return the size of the checkpoint by which it does."""
    above, note = proof.split("\n\n", 1)
    heading, index, *path = above.split("\n")
    require(heading == "c2sp.org/tlog-proof@v1", "log", 0, "this is not a proof of a log")
    _, size, root = signed_by(note, key)
    number, last, node = int(index.removeprefix("index ")), size - 1, hashlib.sha256(b"\0" + entry).digest()
    require(0 <= number < size, "log", 0, "the proof is of an entry that the checkpoint does not cover")
    for one in map(b64decode, path):
        require(last > 0, "log", 0, "the proof has too many hashes")
        if number % 2 or number == last:
            node = hashlib.sha256(b"\1" + one + node).digest()
            while not number % 2 and number:
                number, last = number // 2, last // 2
        else:
            node = hashlib.sha256(b"\1" + node + one).digest()
        number, last = number // 2, last // 2
    require(last == 0 and node == root, "log", 0, "the proof does not lead to the root that was signed")
    return size


def entry_of(match: str, number: int, blinded: str) -> bytes:
    """Return the bytes of an entry."""
    return compact({"entry": "wardiary-entry/1", "match": match, "number": number, "blinded": blinded}).encode()


def check_log(archive: Archive, evidence: bytes, key: str, kept: bytes) -> dict[str, Any]:
    """Check an archive against what ties it to the log of a server, and against lines that were kept."""
    ends, seq = {}, 0
    for commit, digest in zip(archive.commits, archive.hashes, strict=True):
        seq += len(commit["events"])
        ends[seq] = digest if commit["match"] == archive.match else ""
    try:
        header, *commits, end = [json.loads(line) for line in evidence.splitlines()]
        require(header["evidence"] == "wardiary-evidence/1", "log", 0, "this is not an evidence file")
        require(header["match"] == archive.match, "log", 0, f"the evidence is of match {header['match']}")
        is_exact = all(type(one["number"]) is type(one["last"]) is int and is_hash(one["nonce"]) for one in commits)
        require(is_exact, "log", 0, "a line of the evidence is not as the format says")
        is_whole = [one["number"] for one in commits] == list(range(1, len(commits) + 1)) and commits
        require(
            is_whole and all(ends.get(one["last"]) for one in commits), "log", 0, "the evidence is of other commits"
        )
        blinds = [
            sha256(b"wardiary blind 1\n", bytes.fromhex(one["nonce"]), bytes.fromhex(ends[one["last"]]))
            for one in commits
        ]
        size = prove(entry_of(archive.match, len(blinds), blinds[-1]), end["proof"], key or header["key"])
        for line in kept.splitlines():
            one = json.loads(line)
            prove(entry_of(one["match"], one["number"], one["blinded"]), one["proof"], key or header["key"])
            is_same = one["match"] == archive.match and [one["blinded"]] == blinds[one["number"] - 1 : one["number"]]
            require(is_same, "log", 0, "what was kept is of another history than this archive")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, RecursionError) as error:
        raise BrokenError(
            "log", 0, f"the evidence is not as the format says ({type(error).__name__}: {error})"
        ) from None
    return {
        "log": header["key"],
        "log_size": size,
        "covered": commits[-1]["last"],
        "kept_lines": len(kept.splitlines()),
    }


# What is told


def check(data: bytes, head: str = "", evidence: bytes = b"", key: str = "", kept: bytes = b"") -> dict[str, Any]:
    """Check an archive, and what ties it to the log of a server, and return what was found.

    Raises:
        UnreadableError: It is no archive.
        BrokenError: The evidence is broken.
    """
    if (key or kept) and not evidence:
        raise UnreadableError(
            "a key and kept lines are compared with the evidence, of which there is none (--evidence)"
        )
    if evidence and "Ed25519PublicKey" not in globals():
        raise UnreadableError("to check the signatures of a log, the package cryptography must be installed")
    archive = read(data)
    require(not head or head in archive.hashes, "chain", 0, f"no commit of this match has the hash {head}")
    events = [event for commit in archive.commits for event in commit["events"]]
    seeds = [event.get("seed") for event in events if event["event"] == "seed-revealed/1"]
    require(len(seeds) < 2, "dice", 0, "a match reveals its seed once")
    walk = Walk([seed for seed in seeds if is_hash(seed)])
    for commit in archive.commits:
        walk.commit(commit)
    return {
        "match": archive.match,
        "events": walk.seq,
        "head": archive.hashes[-1],
        "kept_head": head,
        **{name: walk.told[name] for name in ("dice", "draws", "hidden", "typed", "chosen")},
        "without_chain": sorted(set(walk.seats) - walk.secured),
        "not_opened": walk.not_opened,
        "further_chains": {seat: count - 1 for seat, count in walk.anchors.items() if count > 1},
        "missing_files": archive.missing,
        **(check_log(archive, evidence, key, kept) if evidence else {}),
    }


def sentences(found: dict[str, Any]) -> Iterator[str]:
    """Yield what was found, as sentences."""
    yield f"Checked: the {found['events']} events of match {found['match']} form one chain with the head {found['head']}."
    yield f"Checked: {found['dice']} dice and {found['draws']} draws and choices follow as recorded."
    if found["hidden"]:
        yield f"Not checked: {found['hidden']} hidden results, as long as the seed is not revealed."
    if found["typed"]:
        yield f"Not checked: {found['typed']} results were typed in."
    if found["chosen"]:
        yield f"Not checked: {found['chosen']} faces were chosen by who made a fork."
    if found["without_chain"]:
        yield f"These seats had no chain of links and added nothing to the dice: {', '.join(found['without_chain'])}."
    for number in found["not_opened"]:
        yield f"A seat that had called for chance never opened its link: see event {number}. With the operator, it could refuse a roll."
    for seat, count in found["further_chains"].items():
        yield f"The seat {seat} published {count} further chains. With the operator, it could choose among rolls."
    for digest in found["missing_files"]:
        yield f"Not checked: the file {digest}, with which the match was opened, is not attached."
    if "log" in found:
        yield f"Checked: a log of {found['log_size']} entries, signed with {found['log']}, holds the match up to event {found['covered']}."
        yield f"Checked: {found['kept_lines']} lines that were kept are of this history."
    elif not found["kept_head"]:
        yield "Not checked: whether the whole match was rewritten. A hash that somebody noted during play would show it (--head)."
    yield "Not checked: whether the rules of the game were kept."


def main() -> int:
    """Run the program, and return its exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--head", default="", help="the hash of a commit that was noted elsewhere")
    parser.add_argument("--evidence", type=Path, help="what ties the archive to the log of a server")
    parser.add_argument("--key", default="", help="the public key of that log, as its operator has published it")
    parser.add_argument("--kept", type=Path, help="lines that were kept during play")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")
    asked = parser.parse_args()
    try:
        with asked.archive.open("rb") as file:
            data = file.read(ARCHIVE_MAX + 1)
        evidence, kept = (b"" if one is None else one.read_bytes() for one in (asked.evidence, asked.kept))
        found = check(data, asked.head, evidence, asked.key, kept)
    except OSError as error:
        print(f"{error.filename}: {error.strerror}", file=sys.stderr)
        return 3
    except UnreadableError as error:
        print(f"{asked.archive}: {error}", file=sys.stderr)
        return 3
    except BrokenError as error:
        print(f"{asked.archive}: broken at event {error.event} ({error.layer}): {error}", file=sys.stderr)
        return 4
    print(json.dumps(found, indent=2) if asked.json else "\n".join(sentences(found)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
