"""Audits from the command line: reports about dice and deals, and audits of a whole store on several cores."""

import os
import pty
import signal
import subprocess

import pytest

from cli.commands.proofs import audit as job
from cli.shell.context import Context
from cli.shell.settings import Settings
from events.codec import decode_plain, replace
from events.commit import Commit
from events.vocabulary import MatchOpened
from tests.cli.running import WARDIARY, Terminal
from tests.support.pages import Pages
from tests.support.soak import sampled
from tests.support.tampering import opened_by_force, write_anew


def advances(terminal: Terminal, count: int) -> list[str]:
    """Open matches of Advance: worker processes can load them, but not the test game."""
    return [terminal.line("new", "advance", "--dice", f"seeded:{number}") for number in range(count)]


def of_unknown_dice(commit: Commit) -> Commit:
    """Change the opening so that it names an unknown source of dice."""
    opening = commit.events[0]
    if not isinstance(opening, MatchOpened):
        return commit
    return replace(commit, events=(replace(opening, chance=replace(opening.chance, scheme="sealed/3")),))


# Reports


def test_a_match_with_an_unknown_source_of_dice_is_reported_as_not_clean(terminal: Terminal, skirmish: str) -> None:
    write_anew(terminal.store, skirmish, of_unknown_dice)
    ran = terminal("audit", skirmish, "--json")

    assert (ran.code, ran.objects[0]["clean"], ran.objects[0]["dice"]) == (4, False, "unknown")
    assert "dice scheme 'sealed/3' is not known to this program, so its dice are not verified" in ran.err
    assert "clean" not in terminal("audit", skirmish).out


def test_a_match_with_unknown_dice_cannot_be_played_from_the_command_line(terminal: Terminal, skirmish: str) -> None:
    write_anew(terminal.store, skirmish, of_unknown_dice)
    ran = terminal("choose", skirmish, "1")

    assert (ran.code, ran.err.count("\n")) == (5, 1)
    assert "'sealed/3' is not known to this program" in ran.err


def test_an_audit_names_the_seats_that_open_links_of_sealed_dice(terminal: Terminal) -> None:
    """On the store one person plays all seats, so that no seat has a chain."""
    match = terminal.line("new", "skirmish")
    words = terminal.done("audit", match).out
    (shape,) = terminal.done("audit", match, "--json").objects

    assert (
        "No seat has links of the match's own sealed dice: the host that chose their seed could choose and foresee the dice."
        in words
    )
    assert (shape["scheme"], shape["secured"], shape["unsecured"], shape["redeal"]) == (
        "sealed/2",
        {},
        ["red", "blue"],
        "none",
    )


def test_an_audit_reports_how_far_a_new_deal_was_checked(terminal: Terminal, skirmish: str) -> None:
    running = terminal.line("fork", skirmish, "--hidden", "resample", "--seat", "red")
    public = terminal.line("fork", skirmish, "--hidden", "resample", "--seat", "red", "--dice", "seeded:7")

    assert "cannot be verified until their seeds are revealed" in terminal.done("audit", running).out
    assert "What forks dealt again is as their seeds determine." in terminal.done("audit", public).out
    assert terminal.done("audit", running, "--json").objects[0]["redeal"] == "not-yet-verifiable"
    assert terminal.done("audit", public, "--json").objects[0]["redeal"] == "verified"


# All matches


@pytest.mark.long
def test_several_processes_print_the_same_as_one_in_the_same_order(terminal: Terminal) -> None:
    matches = advances(terminal, 7)
    alone = terminal.done("audit", "--all", "--jobs", "1", "--json")
    ran = terminal.as_process("audit", "--all", "--jobs", "2", "--json")

    assert (ran.code, ran.out, ran.err) == (0, alone.out, "")
    assert [one["match"] for one in ran.objects[1:]] == matches


def test_a_damaged_match_does_not_stop_the_audit_of_the_others(terminal: Terminal) -> None:
    matches = advances(terminal, 4)
    write_anew(terminal.store, matches[1], of_unknown_dice)
    write_anew(terminal.store, matches[2], lambda commit: replace(commit, match=matches[0]))
    ran = terminal.as_process("audit", "--all", "--jobs", "2", "--json")

    assert (ran.code, [one["clean"] for one in ran.objects[1:]]) == (4, [True, False, False, True])
    error = decode_plain(ran.err)
    assert isinstance(error, dict)
    assert str(error["message"]).startswith(f"match {matches[1]}, event 1: dice scheme 'sealed/3'")
    assert str(error["message"]).endswith("(and 1 more matches are not clean)")


def test_an_audit_of_all_checks_the_store_itself(terminal: Terminal) -> None:
    """Rows lost from an index are not noticed by the chain of any single match."""
    advances(terminal, 2)
    sound = terminal.done("audit", "--all")
    pages = Pages(terminal.store)
    (leaf,) = pages.leaves("commits_by_key")
    pages.forget(leaf, 2)
    pages.write()
    ran = terminal("audit", "--all", "--json")

    assert sound.out.startswith("The store's pages, rows, indexes and seeds agree.\n")
    assert ran.code == 4
    assert ran.objects[0]["shape"] == "store"
    assert ran.objects[0]["problems"]


def test_a_seed_that_does_not_fit_its_commitment_is_damage_of_the_store(terminal: Terminal) -> None:
    match = terminal.line("new", "advance")
    fork = terminal.line("fork", match)
    seeded = terminal.line("new", "advance", "--dice", "seeded:1")
    terminal.done("audit", "--all")
    with opened_by_force(terminal.store) as database:
        database.execute("UPDATE seeds SET seed = 'zz' WHERE match = 1")
        database.execute("UPDATE seeds SET seed = ? WHERE match = 2", ("ab" * 32,))
        database.execute("INSERT INTO seeds VALUES (3, ?)", ("ab" * 32,))
    ran = terminal("audit", "--all", "--json")

    assert ran.code == 4
    assert [one["clean"] for one in ran.objects[1:]] == [True, True, True]
    assert ran.objects[0]["problems"] == [
        f"the sealed seed of match {match} does not match its commitment: no dice can be rolled with it",
        f"the sealed seed of match {fork} does not match its commitment: no dice can be rolled with it",
        f"a sealed seed is stored for match {seeded}, whose dice are not sealed",
    ]


def test_an_audit_names_a_running_match_without_its_seed(terminal: Terminal) -> None:
    """An imported match has no seed, so this is not damage; only the owner knows whether a seed was lost."""
    kept, lost, over = [terminal.line("new", "advance") for _ in range(3)]
    terminal.done("choose", over, "resign", "--seat", "german")
    with opened_by_force(terminal.store) as database:
        database.execute("DELETE FROM seeds WHERE match > 1")
    shape = terminal.done("audit", "--all", "--json").objects[0]
    file = str(terminal.store.with_name("kept.ndjson"))
    terminal.done("export", kept, file)
    elsewhere = Terminal(terminal.store.with_name("elsewhere.db"))
    elsewhere.done("import", file)
    said = elsewhere.done("audit", "--all").out

    assert (shape["problems"], shape["seedless"]) == ([], [lost])
    assert f"The sealed seed of match {kept} is not in this store" in said


@pytest.mark.parametrize(
    "bad",
    sampled(["x'ff00'", "CAST(x'6dff' AS TEXT)", "CAST('m' AS BLOB)", "''", "char(10)"], lambda bad: bad == "x'ff00'"),
)
def test_a_match_with_an_id_that_is_not_text_does_not_stop_the_audit_of_the_others(
    bad: str, terminal: Terminal
) -> None:
    matches = advances(terminal, 3)
    terminal.done("list")
    with opened_by_force(terminal.store) as database:
        database.execute(f"UPDATE matches SET id = {bad} WHERE number = 2")
    ran = terminal.as_process("audit", "--all", "--jobs", "2", "--json")
    listed = terminal("list", "--json")

    assert ran.code == 4
    assert [(one["clean"], one["match"] in matches) for one in ran.objects[1:]] == [
        (True, True),
        (False, False),
        (True, True),
    ]
    assert (listed.code, [bool(one["problem"]) for one in listed.objects]) == (4, [False, True, False])
    assert "the id of this match is not a text that can be printed" in str(listed.objects[1]["problem"])


@pytest.mark.long
def test_an_audit_of_all_can_be_interrupted(terminal: Terminal) -> None:
    advances(terminal, 60)
    with terminal.started(["audit", "--all", "--jobs", "2", "--json"]) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read().splitlines()
        said = process.stderr.read().decode()

        assert process.wait(60) == 130, said
    assert 0 < len([first, *rest]) < 60
    assert (said.count("\n"), '"exit":130' in said) == (1, True)


def test_output_does_not_go_to_the_progress_bar(terminal: Terminal) -> None:
    """Stdout is a pipe and stderr a terminal; the bar must leave stdout alone."""
    matches = advances(terminal, 3)
    ours, theirs = pty.openpty()
    environment = {**os.environ, "WARDIARY_STORE": str(terminal.store), "TERM": "xterm"}
    words = [str(WARDIARY), "audit", "--all", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=theirs, env=environment) as process:
        os.close(theirs)
        assert process.stdout is not None
        out = process.stdout.read()
        assert process.wait(60) == 0
    drawn = os.read(ours, 1 << 16).decode()
    os.close(ours)
    put_out = [decode_plain(line) for line in out.splitlines()]

    assert [one["match"] for one in put_out[1:] if isinstance(one, dict)] == matches
    assert "auditing" in drawn
    assert '"shape"' not in drawn


@pytest.mark.parametrize(("per_process", "cores", "processes"), [(100_000, 8, 1), (200, 8, 3), (200, 2, 2), (1, 8, 8)])
def test_no_more_processes_are_started_than_useful(
    per_process: int, cores: int, processes: int, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    advances(terminal, 3)
    monkeypatch.setattr(job, "EVENTS_PER_PROCESS", per_process)
    monkeypatch.setattr(os, "cpu_count", lambda: cores)
    with Context(Settings(store=str(terminal.store))) as context:
        events = sum(context.log.head(match).seq for match in context.log.matches())

        assert 400 <= events < 600
        assert job._worthwhile(context) == processes
