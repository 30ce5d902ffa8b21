"""How many rewrites of a match are found, with all hashes computed anew: before there were links, signatures and a log, and with them.

`pytest -s -n 0 --budget 50` prints the numbers and the table by kind that `docs/fairness.md` has.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from core.audit.match_audit import audit_match
from events.archive_reader import read_archive, store_archive
from events.errors import ArchiveError, BrokenEvidence
from events.ids import ARBITER
from events.memory_log import MemoryLog
from tests.support.mutated_archives import Lines, Record, other
from tests.support.own_log import KEYS, evidence, kept_line
from tests.support.second_verifier import VERIFY
from tests.support.signed import Players
from tests.support.soak import sampled

GAMES = ("advance", "axis-allies", "battle", "inferno")
KEY = KEYS[0].verifier.text
KEPT_AT = 0.6
"""Where the entry stands whose line was kept, as a part of the match."""


@cache
def archive(game: str, *, is_signed: bool) -> bytes:
    """Return the archive of a match that was given up after some commands, so that its seed is revealed."""
    players = Players(game, dice="sealed", signing=lambda _: is_signed).play(30, seed=5)
    seat, client = next(iter(players.clients.items()))
    client.play(players.match, seat, b'{"do":"match:note","text":"a note","at":3}')
    players.host.play(players.match, ARBITER, b'{"do":"match:ruling","text":"a ruling"}')
    if players.host.legal(players.match).to_move:
        client.play(players.match, seat, b'{"do":"match:resign"}')
    return players.archive()


def rewritten(lines: Lines, choose: Random) -> tuple[str, list[Record]]:
    """Return what a rewrite changes, and the commits with one change."""
    commits: list[Record] = VERIFY.json.loads(VERIFY.json.dumps(lines.commits))
    place, chance = choose.randrange(len(commits)), choose.random()
    commit = commits[place]
    if chance < 0.1:
        return "the end", commits[: -choose.randrange(1, 6)]
    if chance < 0.2:
        commit["at"] += choose.choice((-86_400_000, 86_400_000))
        return "a time", commits
    if chance < 0.28 and place:
        del commits[place]
        return "a command left out", commits
    if chance < 0.32 and place:
        commits[place - 1 : place + 1] = reversed(commits[place - 1 : place + 1])
        return "the order", commits
    if chance < 0.44:
        name = choose.choice([one for one in ("seat", "key", "command", "expected", "signature") if one in commit])
        commit[name] = other(commit[name], choose)
        return "who sent what", commits
    if chance < 0.48:
        is_whole = chance > 0.46
        for one in commits:
            one.pop("signature", None), one.pop("expected", None)
            one["events"] = [event for event in one["events"] if event["event"] != "key-registered/1"]
            if is_whole:
                one["command"].pop("public_key", None), one["command"].pop("key_holder", None)
        return f"all keys{', and the words of them' * is_whole}", commits
    return "an event", lines.mutated(choose)


NOT_SIGNED = {"the end", "who sent what", "all keys, and the words of them"}
"""Kinds of which some pass signatures wherever they are: a match that is shorter, keys of the arbiter's commands, and a match that nobody has signed."""

PASSING = {"the end", "a time", "who sent what", "all keys, and the words of them"}
"""Kinds of rewrites of which some pass signatures and rules: what nobody signs."""

BY_RULES = {"an event left out", "dice, draws, links", "what the rules give"}
"""Kinds of which some are found by the rules alone."""

OF_DICE = ("dice", "drawn", "chosen-by-chance", "links-opened", "chance-called", "seat-secured", "seed-revealed")


def kind_of(what: str, before: list[Record], after: list[Record]) -> str:
    """Return the kind of a rewrite, of those that change an event by what the event is about."""
    if after == before[: len(after)]:
        return "the end"
    if what != "an event":
        return what
    if len(before) != len(after):
        return "a command left out"
    old, new = next(pair for pair in zip(before, after, strict=True) if pair[0] != pair[1])
    if old["events"] == new["events"] or old["match"] != new["match"]:
        return "the order"
    if len(old["events"]) != len(new["events"]):
        return "an event left out" if old["first"] == new["first"] else "the order"
    event = next(one for one, other in zip(old["events"], new["events"], strict=True) if one != other)["event"]
    if event == "match-opened/1":
        return "the opening"
    if any(word in event for word in OF_DICE):
        return "dice, draws, links"
    return "words, seats, keys" if event in VERIFY.KEPT else "what the rules give"


def changes(game: str, count: int, *, is_signed: bool) -> Iterator[tuple[str, int, bytes]]:
    """Yield rewrites of a match: what was changed, in which commit first, and the archive."""
    lines = Lines(archive(game, is_signed=is_signed))
    for number in range(count):
        what, commits = rewritten(lines, Random(f"{game} {number}"))
        data = lines.sealed(commits)
        if data == archive(game, is_signed=is_signed):
            continue
        pairs = zip(lines.commits, Lines(data).commits, strict=False)
        first = next((place for place, (ours, theirs) in enumerate(pairs) if ours != theirs), len(commits))
        yield kind_of(what, lines.commits, commits), first, data


def is_broken(data: bytes, **more: Any) -> bool:
    """Return whether the second verifier finds an archive broken."""
    try:
        VERIFY.check(data, **more)
    except VERIFY.BrokenError:
        return True
    return False


def is_found_by_rules(data: bytes) -> bool:
    """Return whether an audit by the rules finds something in an archive."""
    log = MemoryLog()
    try:
        match = store_archive(read_archive(data.splitlines(keepends=True)), log).match
        return bool(audit_match(log, match).findings)
    except (ArchiveError, BrokenEvidence):
        return True


def is_hidden(before: bytes, after: bytes, place: int) -> bool:
    """Return whether what a rewrite changes in a commit nobody but some seats could see."""
    old, new = (Lines(data).commits[place]["events"] for data in (before, after))
    changed = [one for one, other in zip(old, new, strict=True) if one != other] or old
    return all("seen_by" in one for one in changed)


Counts = Counter[tuple[str, str]]
"""How many rewrites of which kind had which outcome."""


@pytest.fixture(scope="module")
def counted() -> Iterator[Counts]:
    """What was counted in all games that are tried; printed at the end."""
    counts = Counts()
    yield counts
    print()  # noqa: T201 - What it is for.
    outcomes = ("tried", "pass alone", "pass", "unsigned", "unsigned, pass", "before the line", "pass the line")
    kinds = sorted({kind for _, kind in counts})
    for one in (*kinds, "all"):
        numbers = [sum(counts[name, kind] for kind in (kinds if one == "all" else [one])) for name in outcomes]
        print("|", one, "|", " | ".join(map(str, numbers)), "|")  # noqa: T201 - What it is for.


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_rewrites_are_found_as_the_page_on_fairness_says(game: str, budget: float, counted: Counts) -> None:
    """At budget 50 the 1,000 of each row that the page counts."""
    found = Counts()
    unsigned, signed = archive(game, is_signed=False), archive(game, is_signed=True)
    commits = Lines(signed).commits
    kept_at, signed_at = int(KEPT_AT * len(commits)), max(at for at, one in enumerate(commits) if "signature" in one)
    line = kept_line(signed, kept_at)
    assert not is_broken(signed, log=evidence(signed), key=KEY, kept=line)
    assert not is_found_by_rules(unsigned) and not is_found_by_rules(signed)
    for what, _, data in changes(game, round(2 * budget), is_signed=False):
        found["unsigned", what] += 1
        found["unsigned, pass", what] += not is_found_by_rules(data)
        assert is_broken(data, log=evidence(data, key=KEYS[1]), key=KEY)
    for what, first, data in changes(game, round(5 * budget), is_signed=True):
        assert is_broken(data, log=evidence(data, key=KEYS[1]), key=KEY)
        passes_line = not is_broken(data, log=evidence(data), key=KEY, kept=line)
        assert not passes_line or first > kept_at, (what, first)
        passes = not is_broken(data)
        found["tried", what] += 1
        found["before the line", what] += first <= kept_at
        found["pass the line", what] += passes_line
        found["pass alone", what] += passes
        assert not passes or what in NOT_SIGNED or first >= signed_at or is_hidden(signed, data, first), (what, first)
        found["pass", what] += passes and not is_found_by_rules(data)
    counted.update(found)

    assert {what for (outcome, what), count in found.items() if outcome == "pass" and count} <= PASSING
    assert {what for (outcome, what), count in found.items() if outcome == "pass alone" and count} <= PASSING | BY_RULES


def test_damage_to_an_archive_or_its_evidence_is_found(budget: float) -> None:
    """At budget 100 the 2,500 that the page counts."""
    whole = archive("battle", is_signed=True), evidence(archive("battle", is_signed=True))
    for number in range(round(25 * budget)):
        choose, damaged = Random(number), [*whole]
        which = number % 2
        data, at = damaged[which], choose.randrange(len(damaged[which]))
        lines = data.splitlines(keepends=True)
        line = choose.randrange(len(lines))
        damaged[which] = choose.choice(
            (
                data[:at] + bytes([data[at] ^ 1 << choose.randrange(8)]) + data[at + 1 :],
                data[:at],
                data[:at] + data[at + 1 :],
                b"".join(lines[:line] + lines[line + 1 :]),
                b"".join([*lines[: line + 1], *lines[line:]]),
            )
        )

        assert is_broken(damaged[0], log=damaged[1], key=KEY), number
