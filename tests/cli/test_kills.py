"""`wardiary choose` is killed (SIGKILL) at any moment of a command: the store is whole and has what was acknowledged."""

import subprocess
import time
from random import Random

import pytest

from core.audit.match_audit import audit_match
from events.chain import check_chain
from events.ids import MatchId
from server.store.sqlite_log import SqliteLog
from tests.cli.running import WARDIARY, Terminal

COMMAND_S = 0.01
"""About how long a command takes."""


def commits(terminal: Terminal, match: str) -> int:
    """Count the commits of a match, after checking its whole store."""
    with SqliteLog(terminal.store) as log:
        assert log.check() == []
        assert check_chain(log.read(MatchId(match)), MatchId(match)) is None
        assert audit_match(log, MatchId(match)).clean
        return sum(1 for _ in log.read(MatchId(match)))


def killed_play(terminal: Terminal, match: str, acknowledged: int, delay_s: float) -> int:
    """Play many commands, kill the process a moment after some were acknowledged, and return how many were."""
    with subprocess.Popen(
        [WARDIARY, "--store", terminal.store, "choose", match, "-", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b"1\n" * 500)
        process.stdin.flush()
        told = b"".join(process.stdout.readline() for _ in range(acknowledged))
        time.sleep(delay_s)
        process.kill()
        told += process.stdout.read()
        assert process.wait(60) == -9
    return told.count(b"\n")


def test_a_player_killed_in_the_middle_of_a_command_has_played_it_whole_or_not_at_all(
    terminal: Terminal, budget: float
) -> None:
    """Each acknowledged command is there, and at most the one that was being played."""
    rng, unacknowledged = Random(22), 0
    match = terminal.line("new", "advance", "--dice", "seeded:1")
    before = commits(terminal, match)
    rounds = max(4, round(4 * budget))
    for number in range(rounds):
        if number % 20 == 19:
            match = terminal.line("new", "advance", "--dice", f"seeded:{number}")
            before = commits(terminal, match)
        told = killed_play(terminal, match, rng.randint(1, 6), rng.random() * 2 * COMMAND_S)
        after = commits(terminal, match)

        assert after - before - told in (0, 1), (number, before, told, after)
        unacknowledged += after - before - told
        before = after

    assert rounds < 50 or unacknowledged > 0, "no kill hit a command between the log and its acknowledgement"


@pytest.mark.long
def test_a_player_killed_at_its_start_leaves_a_whole_store(terminal: Terminal, budget: float) -> None:
    """Opening a match, or playing one command: done whole or not at all."""
    rng = Random(23)
    match = terminal.line("new", "advance", "--dice", "seeded:1")
    for number in range(max(2, round(2 * budget))):
        words = ["new", "advance", "--dice", "seeded:2"] if number % 2 else ["choose", match, "1"]
        began = time.monotonic()
        terminal.started(words).communicate(timeout=60)
        took_s = time.monotonic() - began
        with terminal.started(words) as process:
            time.sleep(took_s * (0.5 + 0.5 * rng.random()))
            process.kill()
            process.communicate(timeout=60)
        with SqliteLog(terminal.store) as log:
            assert log.check() == []
            for each in log.matches():
                assert check_chain(log.read(each), each) is None
                assert audit_match(log, each).clean
        terminal.done("choose", match, "1")
