"""Ctrl-C at any time: exit code 130, one line, and no loss of data."""

import signal
import time
from pathlib import Path

import pytest

from events.codec import decode_plain
from tests.cli.running import Terminal
from tests.support.soak import few


def test_an_interrupted_simulation_reports_the_matches_played_so_far(terminal: Terminal) -> None:
    words = ["simulate", "advance", "--matches", "500", "--bots", "random", "--jobs", "2", "--json", "--no-audit"]
    with terminal.started(words) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read().splitlines()
        said = process.stderr.read().decode()

        assert process.wait(60) == 130, said
    summary = decode_plain(rest[-1])
    assert isinstance(summary, dict)

    assert summary["shape"] == "summary"
    assert 0 < summary["matches"] == len([first, *rest[:-1]]) < 500
    assert said.count("\n") == 1
    assert '"exit":130' in said


def test_following_can_be_interrupted(terminal: Terminal, golden: tuple[Terminal, str]) -> None:
    other, match = golden
    with other.started(["watch", match]) as process:
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGINT)

        assert process.wait(60) == 130
        assert process.stderr.read().decode().startswith("wardiary: interrupted")


def test_a_replay_can_be_interrupted(golden: tuple[Terminal, str]) -> None:
    terminal, match = golden
    with terminal.started(["replay", match, "--speed", "2"]) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(signal.SIGINT)

        assert process.wait(60) == 130


@pytest.mark.parametrize("delay_s", few([0.05, 0.2, 0.4]))
def test_an_interrupted_export_leaves_no_partial_file(
    delay_s: float, golden: tuple[Terminal, str], tmp_path: Path
) -> None:
    terminal, match = golden
    file = tmp_path / "match.ndjson"
    with terminal.started(["export", match, str(file)]) as process:
        time.sleep(delay_s)
        process.send_signal(signal.SIGINT)
        process.wait(60)

    assert list(tmp_path.iterdir()) in ([], [file])
    if file.exists():
        assert terminal("audit", str(file)).code in {0, 4}
        assert terminal.done("import", str(file)).out.strip() == match
