"""Whom a match waits for, since when, and what is late; the time of pauses does not count."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest
from freezegun import freeze_time

import cli.commands.viewing.watch_all
from cli.shell.arguments import parse_duration, told_duration
from cli.shell.exit_codes import UserError
from tests.cli.running import Terminal
from tests.support.rows import each_row

BEGIN = "2026-03-01 12:00:00"


def test_list_says_whom_a_match_waits_for_and_what_is_late(terminal: Terminal) -> None:
    with freeze_time(BEGIN) as clock:
        match = terminal.line("new", "skirmish", "--dice", "seeded:2", "--name", "Ada")
        clock.tick(timedelta(hours=2, minutes=59))
        assert "blue (Ada), 2 h" in terminal.done("list", "--late-after", "3h").out
        assert "LATE" not in terminal.done("list", "--late-after", "3h").out

        clock.tick(timedelta(minutes=2))
        assert "blue (Ada), 3 h, LATE" in terminal.done("list", "--late-after", "3h").out
        (listed,) = terminal.done("list", "--late-after", "3h", "--json").objects
        assert (listed["to_move"], listed["waited_s"], listed["late"]) == ("blue", 3 * 3600 + 60, True)

        terminal.done("pause", match, "--reason", "Night.")
        clock.tick(timedelta(hours=10))
        assert "paused" in terminal.done("list").out
        assert "LATE" not in terminal.done("list", "--late-after", "3h").out
        assert terminal.done("list", "--json").objects[0]["waited_s"] == 3 * 3600 + 60

        terminal.done("resume", match)
        clock.tick(timedelta(minutes=9))
        assert terminal.done("list", "--json").objects[0]["waited_s"] == 3 * 3600 + 600

        terminal.done("choose", match, "1")
        assert "LATE" not in terminal.done("list", "--late-after", "3h").out


def test_watch_all_prints_a_line_whenever_something_changes(
    terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    with freeze_time(BEGIN) as clock:
        match = terminal.line("new", "skirmish", "--dice", "seeded:2", "--name", "Ada")
        deeds: Iterator[Callable[[], object]] = iter(
            [
                lambda: clock.tick(timedelta(minutes=5)),
                lambda: clock.tick(timedelta(hours=1)),
                lambda: terminal.done("choose", match, "resign"),
            ]
        )

        def pause(_: float) -> None:
            deed = next(deeds, None)
            if deed is None:
                raise KeyboardInterrupt
            deed()

        monkeypatch.setattr(cli.commands.viewing.watch_all.watch_all, "__defaults__", (pause,))
        ran = terminal("watch", "--all", "--late-after", "1h")

    lines = ran.out.splitlines()
    assert ran.code == 130
    assert [line.startswith(match) for line in lines] == [True] * 3
    assert "waits for blue (Ada), 0 s, event" in lines[0]
    assert "waits for blue (Ada), 1 h, LATE, event" in lines[1]
    assert "Resignation" in lines[2]


def test_watch_needs_a_match_or_all(terminal: Terminal, skirmish: str) -> None:
    assert terminal("watch").code == 2
    assert terminal("watch", skirmish, "--all").code == 2
    assert "--all" in terminal("watch", skirmish, "--late-after", "1h").err


@each_row(
    ("text", "ms"),
    [
        ("90m", 5_400_000),
        ("2 h", 7_200_000),
        ("3d", 259_200_000),
        ("5s", 5_000),
        ("1w", 604_800_000),
        ("1h30m", 5_400_000),
        ("1 d 2 h", 93_600_000),
    ],
)
def test_a_duration_is_a_number_with_a_unit(text: str, ms: int) -> None:
    assert parse_duration(text) == ms


@each_row("text", ["", "2", "h", "-2h", "2 weeks", "1.5h"])
def test_another_text_is_no_duration(text: str) -> None:
    with pytest.raises(UserError, match="90m, 1h30m or 3d"):
        parse_duration(text)


@each_row(
    ("ms", "told"), [(999, "0 s"), (59_000, "59 s"), (119_000, "1 min"), (7_200_000, "2 h"), (200_000_000, "2 d")]
)
def test_a_duration_is_told_in_its_largest_unit(ms: int, told: str) -> None:
    assert told_duration(ms) == told
