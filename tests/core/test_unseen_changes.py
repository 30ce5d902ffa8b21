"""What a rewritten archive may change without an audit noticing: exactly the list of `docs/archive.md`, each item tried.

The forger recomputes the chain, so that only a head noted elsewhere, or a signature, would tell. An item that an audit comes to find fails here, and
leaves the list.
"""

import re
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from core.audit.audit_report import AuditReport
from core.audit.match_audit import audit_match
from core.match.match_commands import MATCH_COMMAND_DECODER
from events.archive import export_match
from events.archive_reader import read_archive, store_archive
from events.codec import Raw, encode, replace
from events.commit import Commit
from events.ids import ARBITER, Digest, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import (
    ArbiterSeated,
    DiceRolled,
    Event,
    MatchEnded,
    MatchForked,
    MatchOpened,
    MatchPaused,
    NoteAdded,
    RulingMade,
    SeatTaken,
)
from tests.support.desk import Desk
from tests.support.forgery import changed, forged, own_commits, renumbered, write_fork
from tests.support.rows import each_row

ROOT = Path(__file__).parents[2]
RED, BLUE = Seat("red"), Seat("blue")
SECTION = "## What a rewritten archive may change unseen"

Forged = tuple[Desk, Desk]
"""An honest match, and what the forger made of it."""


def played(steps: int = 500, dice: str = "sealed") -> Desk:
    return Desk.open(dice=dice).play(steps, Random(1))


def with_end(*commands: tuple[dict[str, object], Seat]) -> Desk:
    """Play a match to its end, then give commands."""
    desk = played()
    for command, seat in commands:
        desk.accept(command, seat)
    return desk


def rewritten(desk: Desk, commits: Sequence[Commit]) -> Forged:
    return desk, forged(desk, renumbered(list(commits)), covered=True)


def altered(desk: Desk, kind: type[Event], command: dict[str, object] | None = None, **fields: object) -> Forged:
    """Change fields of all events of a kind, and those of the commands that caused them."""
    commits = []
    for commit in desk.commits:
        if not any(isinstance(event, kind) for event in commit.events):
            commits.append(commit)
            continue
        given = MATCH_COMMAND_DECODER.decode(bytes(commit.command))
        known = set(given.__struct_fields__)
        told = {name: value for name, value in (command or fields).items() if name in known}
        events = tuple([replace(event, **fields) if isinstance(event, kind) else event for event in commit.events])
        commits.append(replace(commit, command=Raw(encode(replace(given, **told))), events=events))
    return rewritten(desk, commits)


def names() -> Forged:
    return altered(played(), SeatTaken, name="Somebody else")


def credentials() -> Forged:
    desk = Desk.open(seats=())
    for seat in (RED, BLUE):
        sit = {"do": "match:take-seat", "seat": seat, "name": seat, "credential": "a" * 64}
        desk.accept(sit, seat)
    return altered(desk.play(500, Random(1)), SeatTaken, credential="b" * 64)


def keys() -> Forged:
    desk = played()
    return rewritten(desk, [replace(commit, key=f"other-{commit.first}") for commit in desk.commits])


def times() -> Forged:
    desk = played()
    return rewritten(desk, [replace(commit, at=commit.first * 1_000) for commit in desk.commits])


def notes() -> Forged:
    return altered(with_end(({"do": "match:note", "text": "Well played."}, RED)), NoteAdded, text="You cheat.")


def rulings() -> Forged:
    desk = with_end(({"do": "match:ruling", "text": "The move stands."}, ARBITER))
    return altered(desk, RulingMade, text="The move falls.")


def reasons() -> Forged:
    desk = played(6)
    desk.accept({"do": "match:pause", "reason": "Dinner."}, ARBITER)
    return altered(desk, MatchPaused, reason="Suspicion.")


def award() -> Forged:
    desk = played(6)
    desk.accept({"do": "match:award", "to": ["red"], "reason": "Time."}, ARBITER)
    return altered(desk, MatchEnded, {"to": ("blue",)}, winners=(BLUE,), winning_seats=(BLUE,))


def arbiter() -> Forged:
    desk = played(6)
    office = {"do": "match:seat-arbiter", "name": "Olga", "credential": "a" * 64, "capability": "b" * 64}
    desk.accept(office, ARBITER)
    return altered(desk, ArbiterSeated, name="Otto", credential="c" * 64, capability="d" * 64)


def left_out() -> Forged:
    """After the last die anything; before it only what does not count in the numbers of dice, such as private notes."""

    def told(*, is_whole: bool) -> Desk:
        desk = Desk.open(dice="sealed").play(6, Random(1))
        answer: dict[str, object] = {
            "do": "match:answer-always",
            "decision": "reply",
            "answer": '{"do":"reply","contest":true}',
        }
        private: list[tuple[dict[str, object], Seat]] = [
            ({"do": "match:note", "text": "A plan.", "private": True}, RED),
            (answer, RED),
            ({**answer, "answer": ""}, RED),
        ]
        late: list[tuple[dict[str, object], Seat]] = [
            ({"do": "match:pause", "reason": "Dinner."}, ARBITER),
            ({"do": "match:resume"}, ARBITER),
            ({"do": "match:leave-seat"}, RED),
            ({"do": "match:take-seat", "seat": "red", "name": "Rosa"}, RED),
            ({"do": "match:note", "text": "I am new here."}, RED),
            ({"do": "match:ruling", "text": "Rosa plays on."}, ARBITER),
        ]
        for command, seat in private if is_whole else ():
            desk.accept(command, seat)
        rolled = numbers_of_dice(desk)
        desk.play(3, Random(2))
        assert numbers_of_dice(desk) > rolled
        for command, seat in late if is_whole else ():
            desk.accept(command, seat)
        desk.accept({"do": "match:resign"}, RED)
        return desk

    return told(is_whole=True), told(is_whole=False)


def numbers_of_dice(desk: Desk) -> int:
    return sum(isinstance(event, DiceRolled) for event in desk.events)


def taken_back() -> Forged:
    """With the command that was taken back: neither counts in the numbers of dice."""
    desk = Desk.open(dice="sealed", options={"fog": True})
    seat = desk.table.turn_seat
    desk.accept({"do": "hide"}, seat)
    desk.accept({"do": "match:undo"}, seat)
    place = len(desk.commits) - 2
    desk.play(500, Random(1))
    return rewritten(desk, [*desk.commits[:place], *desk.commits[place + 2 :]])


def cut_end() -> Forged:
    desk = played()
    return rewritten(desk, desk.commits[:-3])


def options() -> Forged:
    desk = played()
    opening = desk.events[0]
    assert isinstance(opening, MatchOpened)
    faster = {**opening.options, "speed": 5}
    return rewritten(desk, changed(desk.commits, 1, lambda event: replace(event, options=faster)))


def comments() -> Forged:
    desk = Desk.open(board="goal = 20 # as printed\n").play(500, Random(1))
    text = b"goal = 20 # a house rule\n"
    digest = Digest(sha256(text).hexdigest())
    honest, forgery = rewritten(desk, changed(desk.commits, 1, lambda event: replace(event, board=digest)))
    assert isinstance(forgery.log, MemoryLog)
    forgery.log.attach(digest, text)
    return honest, forgery


def typed() -> Forged:
    def at_table(*faces: int) -> Desk:
        desk = Desk.open(dice="manual")
        desk.accept({"do": "match:begin"}, RED, dice=(6,), draws=[f"card-{number}" for number in range(1, 5)])
        desk.accept({"do": "roll"}, dice=faces)
        return desk

    return at_table(1, 2), at_table(6, 6)


def match_id() -> Forged:
    desk = played(dice="seeded")
    other = Desk.open(name="m2").play(500, Random(1))
    return desk, other


def fork_parent() -> Forged:
    parent = played(6)
    fork = parent.fork(parent.match.head.seq, "seeded").play(500, Random(1))
    (first, *others) = own_commits(fork)
    honest = forked_alone(fork)
    forking = first.events[0]
    assert isinstance(forking, MatchForked)
    written = [replace(first, events=(replace(forking, parent=MatchId("nobody")),)), *others]
    return honest, forked_alone(write_fork(fork, written))


def forked_alone(fork: Desk) -> Desk:
    """Return a fork as its archive holds it."""
    log = MemoryLog()
    store_archive(read_archive(export_match(fork.log, fork.match.id)), log)
    return Desk(log, fork.match)


def fork_seats() -> Forged:
    parent = played(6)
    fork = parent.fork(parent.match.head.seq, "seeded", reserved=(RED,), name="Ada", credential="a" * 64)
    (first,) = own_commits(fork)
    honest = forked_alone(fork)
    forking = first.events[0]
    written = replace(first, events=(replace(forking, reserved=(BLUE,), name="Ben", credential="b" * 64),))
    return honest, forked_alone(write_fork(fork, [written]))


def chosen_faces() -> Forged:
    """The audit reports the chosen faces, but not that others were chosen."""

    def chosen(*faces: int) -> Desk:
        parent = played(6, "seeded")
        return forked_alone(parent.fork(parent.match.head.seq, "seeded", faces=faces).play(500, Random(1)))

    return chosen(6, 6), chosen(1, 1)


def sealed_dice() -> Forged:
    """With another seed and anchor; nobody can roll the dice again before the seed is revealed."""
    other = Desk.open(dice="sealed", seed="ab" * 32).play(6, Random(1))
    return played(6), other


def whole() -> Forged:
    """With other decisions by the same dice: who has the seed can play on as the rules allow."""
    return played(), Desk.open(dice="sealed").play(500, Random(9))


UNSEEN: dict[str, Callable[[], Forged]] = {
    "Names": names,
    "Credentials": credentials,
    "Keys": keys,
    "Times": times,
    "Notes": notes,
    "Rulings": rulings,
    "Reasons": reasons,
    "An award": award,
    "The arbiter": arbiter,
    "What is left out": left_out,
    "What was taken back": taken_back,
    "The end": cut_end,
    "Options that have not mattered": options,
    "Comments in a board or position": comments,
    "Typed dice": typed,
    "The id": match_id,
    "A fork's parent": fork_parent,
    "A fork's reserved seats": fork_seats,
    "A fork's chosen faces": chosen_faces,
    "Sealed dice": sealed_dice,
    "The whole match": whole,
}
"""What a forger changes, by the words with which the document begins its item."""


def archived(desk: Desk) -> AuditReport:
    """Return the audit of a match's archive."""
    log = MemoryLog()
    return audit_match(log, store_archive(read_archive(export_match(desk.log, desk.match.id)), log).match)


@pytest.mark.long
@each_row("what", UNSEEN)
def test_an_audit_does_not_notice_that_an_archive_was_rewritten_like_this(what: str) -> None:
    honest, forgery = UNSEEN[what]()
    before, after = archived(honest), archived(forgery)

    assert before.findings == after.findings == ()
    assert (before.verdict, after.verdict) == ("clean", "clean")
    assert before.head != after.head


def test_the_document_lists_what_is_tried_here_and_nothing_else() -> None:
    text = (ROOT / "docs" / "archive.md").read_text(encoding="utf-8")
    section = text.split(SECTION)[1].split("\n## ")[0]

    assert re.findall(r"^\* \*\*(.+?)\.?\*\*", section, flags=re.MULTILINE) == list(UNSEEN)


def test_other_rules_in_the_opening_are_noticed() -> None:
    """They free decisions from the check, so that the report never calls the match clean."""
    desk = played()
    forgery = forged(desk, changed(desk.commits, 1, lambda event: replace(event, rules=Digest("0" * 64))), covered=True)

    assert isinstance(desk.events[0], MatchOpened)
    assert archived(forgery).verdict == "other-rules"
