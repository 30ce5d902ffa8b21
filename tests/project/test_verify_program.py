"""`docs/verify.py`, the second verifier: it finds nothing in sound matches of every game, and what the audit finds in forged ones."""

import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest

from core.audit.match_audit import audit_match
from core.errors import KernelError
from events.archive import export_match
from events.archive_reader import read_archive, store_archive
from events.errors import ArchiveError, BrokenEvidence
from events.ids import Seat
from events.memory_log import MemoryLog
from events.traits import Traits
from events.transparency.signed_note import is_weak
from events.vocabulary import SeedRevealed, events_with
from tests.support.desk import Desk
from tests.support.links import LinkedDesk
from tests.support.long_matches import lengthen
from tests.support.mutated_archives import Lines
from tests.support.own_log import KEYS
from tests.support.rows import each_row
from tests.support.second_verifier import PROGRAM, VERIFY
from tests.support.signed import Players
from tests.support.soak import sampled

GAMES = ("advance", "axis-allies", "battle", "inferno")
PAGE = PROGRAM.parents[1] / "server/web/http/static/verify.js"
LINES_MAX = 700
"""Whoever reads the file alone should come through it."""


def archived(desk: Desk) -> bytes:
    """Return the archive of a match."""
    return b"".join(export_match(desk.log, desk.match.id))


@cache
def played(game: str, *, secured: bool = True) -> bytes:
    """Return the archive of a match that was given up after some commands, so that its seed is revealed."""
    desk = LinkedDesk.linked(game, secured=lambda _: secured).play(150, Random(3))
    if desk.table.ended is None:
        desk.accept({"do": "match:resign"}, desk.table.seats[0])
    assert any(isinstance(event, SeedRevealed) for event in desk.events)
    return archived(desk)


def verified(data: bytes) -> str:
    """Return where and why the program calls an archive broken; empty if it does not."""
    try:
        VERIFY.check(data)
    except VERIFY.BrokenError as error:
        return f"{error.layer} {error.event}: {error}"
    return ""


def audited(data: bytes) -> str:
    """Return what an audit finds first; empty for nothing."""
    log = MemoryLog()
    try:
        match = store_archive(read_archive(data.splitlines(keepends=True)), log).match
        findings = audit_match(log, match).findings
    except (ArchiveError, BrokenEvidence) as error:
        return str(error)
    return f"event {findings[0].seq}: {findings[0].problem}" if findings else ""


def test_a_question_that_replaces_nothing_leaves_nothing_behind() -> None:
    """Otherwise its seat would count as the one that decides, for this program alone."""
    table = VERIFY.Table()
    table.take(1, "decision-opened/1", {"kind": "action", "seat": "red", "was": "nothing"})
    opened = table.stack[-1]
    table.take(2, "decision-closed/1", {"kind": "action", "seat": "red"})

    assert (opened, table.stack[-1]) == (("action", "red"), ("", ""))


def test_a_seat_that_rolled_without_a_link_is_named_also_if_it_opens_one_later_and_in_a_fork_anew() -> None:
    """As the audit names it: the server could foresee those dice alone."""
    desk = LinkedDesk.linked("axis-allies", secured=lambda seat: seat == "allies").play(60, Random(4))
    desk.accept({"do": "match:leave-seat"}, Seat("axis"))
    desk.sit(Seat("axis"))
    desk.settle()
    parent = LinkedDesk.linked("axis-allies").play(60, Random(4))
    fork = LinkedDesk(parent.log, parent.fork(parent.match.head.seq).match)
    fork.chains = {}
    for seat in fork.table.seats:
        fork.sit(seat, is_secured=False)
    fork.play(20, Random(1))
    told = [
        VERIFY.check(b"".join(export_match(one.log, one.match.id)))["without_chain"] for one in (desk, fork, parent)
    ]

    assert told == [["axis"], ["allies", "axis"], []]
    assert [sorted(one.audit().unsecured) for one in (desk, fork, parent)] == told


# Sound matches


@each_row("game", GAMES)
@each_row("secured", [True, False])
def test_a_sound_match_is_sound_and_its_dice_and_draws_are_counted(game: str, secured: bool) -> None:
    found = VERIFY.check(played(game, secured=secured))

    assert found["dice"] + found["draws"] > 30
    assert (found["hidden"], found["typed"], found["not_opened"], found["missing_files"]) == (0, 0, [], [])
    assert bool(found["without_chain"]) != secured


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_forks_of_every_kind_and_forks_of_them_are_sound(game: str) -> None:
    """Between and within commands, with new and with the same dice, with chosen faces, and dealt again."""
    linked = LinkedDesk.linked(game).play(25, Random(3))
    seeded = Desk.open(game, seed="7").play(25, Random(3))
    choose, checked = Random(game), 0
    for number in range(20):
        parent, dice = (linked, ["fresh", "seeded"]) if number % 2 else (seeded, ["same", "seeded"])
        more: dict[str, Any] = {"hidden": choose.choice(["truth", "truth", "resample"])}
        more |= {"faces": (1, 2, 6, 3)} if choose.random() < 0.3 else {}
        try:
            fork = parent.fork(choose.randrange(12, len(parent.events)), choose.choice(dice), f"f{number}", **more)
            further = fork.play(6, choose).fork(choose.randrange(12, len(fork.events)), "seeded", f"g{number}")
        except KernelError:
            continue
        checked += 1
        for desk in (fork, further.play(6, choose)):
            report = desk.audit()
            assert (verified(archived(desk)), report.findings) == ("", ())
            assert VERIFY.check(archived(desk))["fork_of"] == report.parent == desk.table.parent

    assert checked > 8


def test_what_is_hidden_is_not_checked_before_the_seed_is_revealed() -> None:
    running = VERIFY.check(archived(LinkedDesk.linked("battle").play(20, Random(3))))

    assert running["hidden"] > 0
    assert running["draws"] > 0


def test_commands_that_were_taken_back_leave_the_piles_as_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """And no event is followed twice, so that no number of them holds the program up."""
    take, followed = VERIFY.Table.take, list[int]()

    def counted(table: object, number: int, kind: str, event: dict[str, Any]) -> None:
        followed.append(number)
        take(table, number, kind, event)

    monkeypatch.setattr(VERIFY.Table, "take", counted)
    desk = LinkedDesk.linked("battle")
    choose, undone = Random(5), 0
    for _ in range(60):
        desk.play(1, choose)
        seat = desk.commits[-1].seat
        asked = desk.ask({"do": "match:undo"}, Seat(seat), key=f"undo {len(desk.events)}")
        if hasattr(asked, "commit"):
            desk.accept({"do": "match:undo"}, Seat(seat))
            undone += 1

    assert undone > 5
    assert verified(archived(desk)) == ""
    assert len(followed) == len(desk.events)


def test_ten_thousand_events_take_both_verifiers_less_than_a_second() -> None:
    """Without the rules; on a slow machine it takes half of that."""
    desk = LinkedDesk.linked("advance").play(100, Random(3))
    lengthen(desk.log, desk.match.id, desk.table.seats[0], 10_000, by=4)
    data = archived(desk)
    begin = process_time()
    found = VERIFY.check(data)
    between = process_time()
    log = MemoryLog()
    report = audit_match(log, store_archive(read_archive(data.splitlines(keepends=True)), log).match, is_by_rules=False)
    end = process_time()

    assert (found["events"], report.events, report.findings) == (10_000, 10_000, ())
    assert max(between - begin, end - between) < 1.0


# Forged matches


ONLY_THE_AUDIT = ("is not a valid commit", "digest", "does not exist", "cannot", "no piece", "limit")
"""Of what the audit finds: the fields of events, and what lies on the table. The program knows neither."""


@pytest.mark.parametrize("game", sampled(GAMES, lambda game: game == "battle"))
def test_forged_matches_are_broken_for_both_verifiers(game: str, budget: float) -> None:
    """At budget 1 a tenth of the time; 50 is what was promised, 2,000 changes."""
    lines = Lines(played(game)).under_other_rules()
    broken = 0
    assert (verified(lines.sealed()), audited(lines.sealed())) == ("", "")
    for number in range(round(10 * budget)):
        commits = lines.mutated(Random(f"{game} {number}"))
        data = lines.sealed(commits)
        here, there = verified(data), audited(data)
        broken += bool(here)
        if bool(here) != bool(there):
            assert not here, f"change {number}: the audit finds nothing, the program {here}"
            assert any(words in there for words in ONLY_THE_AUDIT), f"change {number}: only the audit finds {there}"

    assert broken >= budget


def test_a_changed_byte_breaks_the_chain_where_it_is() -> None:
    data = played("battle")
    at = data.index(b'"card":"', len(data) // 2) + 9
    changed = data[:at] + b"#" + data[at + 1 :]

    assert verified(changed).startswith("chain")


def test_a_piece_that_is_drawn_by_odds_must_lie_in_its_pile_for_both_verifiers() -> None:
    lines = Lines(played("inferno")).under_other_rules()
    drawn = [one for commit in lines.commits for one in commit["events"] if one.get("weights")]
    drawn[0]["pool"] = "elsewhere"

    assert verified(lines.sealed()).startswith("dice")
    assert "not among what could be drawn" in audited(lines.sealed())


@each_row(
    ("change", "said"),
    [
        (lambda data: data[:-1], "cut off"),
        (lambda data: data.replace(b'"first":2', b'"first": 2', 1), "not written as an export writes it"),
        (lambda data: data.replace(b'"first":2,', b'"first":2,"first":2,', 1), "not written as an export writes it"),
        (lambda data: data.replace(b'"command":{', b'"command":' + b"[" * 100_000, 1), "not valid"),
        (lambda data: data.replace(b'"text":"', b'"text":" ', 1), "SHA-256"),
        (lambda data: data.replace(b'"at":', b'"at":1e', 1), "not written"),
        (lambda data: data.rsplit(b'{"end"', 1)[0], "not written|last line"),
        (lambda data: data + b"{}\n", "last line|chain|format"),
    ],
)
def test_another_file_is_refused_with_one_line(change: Callable[[bytes], bytes], said: str) -> None:
    problem = verified(change(played("battle")))

    assert any(words in problem for words in said.split("|")), problem


# Signatures


def signed() -> Players:
    """Return a match in which both seats sign."""
    return Players("battle", dice="sealed").play(12)


def test_signed_matches_are_sound_and_each_changed_field_breaks_them_for_both_verifiers() -> None:
    players = signed()
    data = players.archive()
    found = VERIFY.check(data)
    place = max(number for number, one in enumerate(Lines(data).commits) if one.get("signature"))
    broken = {}
    for name, value in {"expected": 7, "key": "k", "signature": "AAAA", "command": {"do": "x"}}.items():
        lines = Lines(data)
        lines.commits[place][name] = value
        broken[name] = (verified(lines.sealed())[:10], bool(audited(lines.sealed())))

    assert (found["signed"] > 8, found["not_signed"], found["further_keys"]) == (True, [], [])
    assert broken == dict.fromkeys(broken, ("signatures", True))


def test_the_key_of_a_player_is_compared_with_that_of_the_seat() -> None:
    players = signed()
    data, key = players.archive(), players.report.signatures[Seat("german")].keys[0].key
    VERIFY.check(data, players=[f"german={key}"])

    with pytest.raises(VERIFY.BrokenError, match="played with another key"):
        VERIFY.check(data, players=[f"german={'0' * 64}"])
    with pytest.raises(VERIFY.BrokenError, match="played with another key"):
        VERIFY.check(data, players=[f"russian={key}"])


# As a program


def test_it_runs_alone_and_says_what_was_and_what_was_not_checked(tmp_path: Path) -> None:
    file = tmp_path / "m.ndjson"
    file.write_bytes(played("battle"))
    head = VERIFY.check(file.read_bytes())["head"]

    def run(*arguments: str) -> tuple[int, str]:
        done = subprocess.run([sys.executable, "-I", PROGRAM, *arguments], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    code, said = run(str(file))
    assert code == 0
    assert "follow as recorded" in said
    assert "Not checked: whether the whole match was rewritten." in said
    assert run(str(file), "--head", head)[0] == 0
    code, said = run(str(file), "--head", "0" * 64)
    assert (code, said.count("\n")) == (4, 1)
    assert (run(str(tmp_path / "none"))[0], run(str(tmp_path))[0], run(str(PROGRAM))[0]) == (3, 3, 4)
    assert run()[0] == 2


def test_what_an_archive_says_controls_no_terminal_and_passes_for_no_line_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lines, file = Lines(played("battle")), tmp_path / "m.ndjson"
    chance = lines.commits[0]["events"][0]["chance"] | {"stream": "f", "commitment": "1" * 64}
    fork = {"event": "match-forked/1", "rule": "x", "parent": "p\nChecked: all\x1b[2J", "at": 3, "chance": chance}
    lines.header["match"] = "f"
    forked = {**lines.commits[3], "match": "f", "seat": "arbiter", "key": "f", "command": {}, "events": [fork]}
    file.write_bytes(lines.sealed([*lines.commits[:3], forked]))
    monkeypatch.setattr(sys, "argv", ["verify.py", str(file)])
    code, said = VERIFY.main(), capsys.readouterr().out

    assert (code, "\x1b" in said, "\nChecked: all" in said) == (0, False, False)
    assert "This is a fork of match p\\nChecked: all" in said


def test_keys_with_which_anybody_signs_are_known_to_both_verifiers_and_the_page() -> None:
    """The points of small order, each with both signs of x, and two that are not written in the canonical way."""
    eighth = "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"
    other = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"
    short = [f"{first}{rest * 30}{last}" for first, rest, last in (("00", "00", "00"), ("01", "00", "00"))]
    long = [f"{first}{'ff' * 30}7f" for first in ("ec", "ed", "ee")]
    weak = [bytes.fromhex(one) for one in (*short, *long, eighth, other)]
    weak += [one[:-1] + bytes([one[-1] | 128]) for one in weak]

    assert [one.hex() for one in weak if not is_weak(one) or re.fullmatch(VERIFY.PUBLIC, one.hex())] == []
    for sound in (KEYS[0].verifier.key, bytes([2, *bytes(31)])):
        assert not is_weak(sound)
        assert re.fullmatch(VERIFY.PUBLIC, sound.hex())
    assert f"/^({VERIFY.PUBLIC[3:].rpartition(')')[0]})$/" in PAGE.read_text()


def test_it_is_one_file_that_a_stranger_can_read_and_knows_every_kind_of_event() -> None:
    text = PROGRAM.read_text()
    every = {kind: kind.traits for kind in events_with(lambda _: True)}

    def tags(holds: Callable[[Traits], object]) -> set[str]:
        return {str(kind.__struct_config__.tag) for kind, traits in every.items() if holds(traits)}

    assert len(text.splitlines()) <= LINES_MAX
    assert "wardiary." not in text.replace("wardiary.game", "")
    assert tags(lambda _: True) == VERIFY.KINDS
    assert tags(lambda traits: traits.is_beside_game) == set(VERIFY.KEPT)
    assert tags(lambda traits: traits.is_firm) == set(VERIFY.FIRM)
    assert tags(lambda traits: traits.is_pick) | {"seat-viewed/1", "undo-asked/1", "undo-answered/1"} == {
        one for one in VERIFY.KINDS if one.startswith(VERIFY.UNCOUNTED)
    }
