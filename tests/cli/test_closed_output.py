"""The reader of the output leaves early, as `head -1` does: what ends with a verdict still ends with it."""

import pytest

from tests.cli.running import Ran, Terminal
from tests.support.soak import sampled
from tests.support.tampering import opened_by_force, tamper


@pytest.fixture
def damaged(terminal: Terminal, skirmish: str) -> str:
    """A match of which a byte was changed, in a store with a sound one."""
    tamper(terminal.store, '"name":"Ada"', '"name":"Ava"')
    terminal.line("new", "skirmish", "--dice", "seeded:3")
    return skirmish


def unread(terminal: Terminal, *words: str) -> Ran:
    """Run a command whose output is closed before it writes any."""
    with terminal.started(words) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read().decode()
        return Ran(process.wait(60), "", said)


@pytest.mark.parametrize(
    "line",
    sampled(
        ["audit MATCH", "audit --all", "audit --all --json", "audit --all --jobs 2"], lambda line: "--jobs" in line
    ),
)
def test_a_finding_is_the_exit_code_though_nobody_reads_it(line: str, terminal: Terminal, damaged: str) -> None:
    ran = unread(terminal, *line.replace("MATCH", damaged).split())

    assert (ran.code, ran.err.count("\n")) == (4, 1), ran
    assert f"match {damaged}, event 2: " in ran.err, ran


def test_a_list_tells_by_its_exit_code_of_damage(terminal: Terminal, skirmish: str) -> None:
    with opened_by_force(terminal.store) as database:
        database.execute("DELETE FROM commits WHERE first = 2")
    for verb in ("list", "list --json"):
        ran = unread(terminal, *verb.split())

        assert (ran.code, ran.err.count("\n")) == (4, 1), ran
        assert skirmish in ran.err


@pytest.mark.long
def test_a_simulation_plays_on(terminal: Terminal) -> None:
    words = ("--matches", "2", "--bots", "random", "--steps", "5", "--jobs", "1", "--json")
    ran = unread(terminal, "simulate", "advance", *words)

    assert (ran.code, ran.err.count("\n")) == (1, 1), ran
    assert "2 of 2 matches failed" in ran.err


@pytest.mark.long
def test_all_typed_commands_are_played(terminal: Terminal) -> None:
    match = terminal.line("new", "advance", "--dice", "seeded:1")
    script = terminal.store.with_name("script")
    script.write_text("1\n1\n1\n99999\n1\n")
    before = len(terminal.done("log", match, "--seat", "arbiter", "--json").objects)
    with script.open("rb") as typed:
        process = terminal.started(["choose", match, "-"], stdin=typed)
        with process:
            assert process.stdout is not None
            assert process.stderr is not None
            process.stdout.close()
            said = process.stderr.read().decode()
            code = process.wait(60)
    after = len(terminal.done("log", match, "--seat", "arbiter", "--json").objects)

    assert (code, said.count("\n")) == (2, 1), said
    assert after > before + 3


@pytest.mark.parametrize(
    "line",
    sampled(
        ["log MATCH", "show MATCH", "replay MATCH", "games", "rules advance"],
        lambda line: line in ("log MATCH", "games"),
    ),
)
def test_what_has_no_verdict_ends_at_once_and_well(line: str, golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    ran = unread(terminal, *line.replace("MATCH", match).split())

    assert (ran.code, ran.err) == (0, "")
