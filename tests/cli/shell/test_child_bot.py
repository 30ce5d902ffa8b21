"""Bots that are child processes: the lines of both directions, their faults, and how they end."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from cli.commands.bots.arena_job import ArenaMatch, Contender, Forfeit, PairPlan, play_pair
from cli.shell.child_bot import ChildBot, parse_bot, title_of
from core.bots.bot_port import Asked
from core.bots.budget import NO_BUDGET, Budget
from core.checking.simulated_match import Plan, WentWrong
from core.match.bound_games import bound_game
from core.registry.games import load_game
from events.codec import decode_plain, encode
from events.ids import ARBITER, Seat
from events.memory_log import MemoryLog
from server.client.local import local_client
from tests.cli.running import WARDIARY, Terminal
from tests.support.rows import each_row
from tests.support.served import ROOT, client_of, served
from tests.support.sitting import CountedIdentity, StillClock
from tests.support.soak import few
from tests.support.twins import twin

BOTS = ROOT / "docs" / "examples" / "bots"
NODE = shutil.which("node") or ""
EXAMPLES = [
    pytest.param(f"exec:{sys.executable} {BOTS / 'lines.py'}", id="python"),
    pytest.param(
        f"exec:{NODE} {BOTS / 'lines.mjs'}",
        id="javascript",
        marks=pytest.mark.skipif(not NODE, reason="Node is not installed: the bot in JavaScript cannot run"),
    ),
]
FIRST = "import json, sys, time; begin = sys.stdin.readline()\nfor line in sys.stdin:\n"
"""The beginning of a bot; what follows answers each line."""


def bot_that(tmp_path: Path, answers: str) -> str:
    """Write a bot whose loop has these lines, and return it as it is typed."""
    path = tmp_path / "bot.py"
    path.write_text(FIRST + "".join(f"    {line}\n" for line in answers.splitlines()))
    return f"exec:{sys.executable} {path}"


def match_of(game: str, bot: str, decisions: int, stall_s: float = 20.0) -> ArenaMatch:
    """Return a match between two of these bots."""
    record = load_game(game)
    mode = record.scenario("").mode("")
    options = record.full_options(record.scenario(""), mode, {})
    plan = Plan(1, record.key, "", "", options, dict.fromkeys(mode.seats, bot), "0/secret", decisions, False, "")
    return ArenaMatch(plan, {}, stall_s, shows_errors=False)


@pytest.mark.parametrize("bot", EXAMPLES)
def test_an_example_plays_whole_matches_that_its_chance_alone_decides(bot: str) -> None:
    contenders = (Contender(bot, Budget(ms=50)), Contender("random", NO_BUDGET))
    plan = PairPlan(1, "skirmish", "", "", {}, contenders, "0/1", 500, 20.0)
    pairs = [play_pair(plan) for _ in range(2)]

    assert [match.fault for match in pairs[0].matches] == ["", ""]
    assert [match.commands for match in pairs[0].matches] == [match.commands for match in pairs[1].matches]


@pytest.mark.parametrize("bot", few(EXAMPLES))
def test_an_example_can_play_every_game(bot: str, terminal: Terminal) -> None:
    for game in ("advance", "axis-allies", "battle", "inferno"):
        ran = terminal("--json", "check-bot", bot.removeprefix("exec:"), "--game", game, "--decisions", "12")

        assert (ran.code, ran.objects[0]["problem"], ran.objects[0]["decisions"]) == (0, "", 12)


def test_the_lines_hold_what_the_seat_knows_and_no_seed(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    bot = bot_that(tmp_path, f"open({str(heard)!r}, 'a').write(begin + line); begin = ''\nprint('{{\"option\":1}}')")
    bot = bot.replace("exec:", "exec:env PYTHONUNBUFFERED=1 ")
    match = match_of("skirmish", bot, 6)
    views: list[object] = []
    choose = match.choose

    def watched(policy: Any, asked: Any) -> Any:
        views.append(decode_plain(encode(asked.table)))
        return choose(policy, asked)

    match.choose = watched  # type: ignore[method-assign]
    with pytest.raises(WentWrong, match="no end after 6 commands"):
        match.play()
    assert match.end()
    lines: list[Any] = [decode_plain(line) for line in heard.read_bytes().splitlines()]
    begins = [line for line in lines if "format" in line]
    questions = [line for line in lines if "format" not in line]

    assert begins[0] == {
        "format": "wardiary-bot", "version": 1, "game": "skirmish", "scenario": begins[0]["scenario"],
        "mode": begins[0]["mode"], "seat": questions[0]["table"]["stack"][-1]["seat"],
    }  # fmt: skip
    assert {begin["seat"] for begin in begins} == {"red", "blue"}
    assert [one["table"] for one in questions] == views
    assert b"0/secret" not in heard.read_bytes()
    assert all(one["options"][0]["words"] and one["options"][0]["command"]["do"] for one in questions)
    assert [option["number"] for option in questions[0]["options"]] == [*range(1, len(questions[0]["options"]) + 1)]
    assert all(0 <= one["seed"] < 1 << 53 for one in questions)
    assert not any(option["command"]["do"] == "unpick" for one in questions for option in one["options"])


@pytest.mark.parametrize(
    ("answers", "fault"),
    [
        ("time.sleep(60)", "thought for more than 1 s about one decision"),
        ("sys.exit(7)", "ended with exit code 7; -v shows what it writes to stderr"),
        ("sys.stdout.write('9' * 3_000_000); sys.stdout.flush()", "answered with a line of more than 1048576 bytes"),
        ("print('hello', flush=True)", "answered 'hello', which is not an answer: JSON is malformed"),
        ("print('[1, 2]', flush=True)", "answered '[1, 2]', which is not an answer: Expected `object`, got `array`"),
        ("print('{\"option\":NaN}', flush=True)", "answered '{\"option\":NaN}', which is not an answer: JSON is malf"),
        ('print(\'{"option":1,"chat":2}\', flush=True)', "which is not an answer: Object contains unknown field `ch"),
        ("print('{\"option\":99999}', flush=True)", "named option 99999; the options are 1 to "),
        ("print('{\"option\":-1}', flush=True)", "named option -1; the options are 1 to "),
        ("print('{}', flush=True)", "answered '{}'; an answer has either an option, from 1, or a command"),
        (
            'print(\'{"option":1,"considered":[{"option":1,"worth":NaN}]}\', flush=True)',
            '"worth":NaN}]}\', which is not an answer: JSON is malformed',
        ),
        ('print(\'{"command":{"do":"fly"}}\', flush=True)', "which is not a command of skirmish: Invalid value 'fly'"),
        ('print(\'{"command":{"do":"reply","contest":true}}\', flush=True)', "played an illegal command: "),
        ('print(\'{"option":1}\\n{"option":1}\', flush=True)\ntime.sleep(0.2)', "wrote a line before it was asked"),
    ],
)
def test_a_fault_is_told_in_one_line_and_ends_the_process(answers: str, fault: str, tmp_path: Path) -> None:
    match = match_of("skirmish", bot_that(tmp_path, answers), 100, 1.0 if "60" in answers else 20.0)
    with pytest.raises(Forfeit) as told:
        match.play()
    processes = [child._process for child in match._children if child._process is not None]
    match.end()

    assert fault in str(told.value)
    assert "\n" not in str(told.value)
    assert processes
    assert all(process.poll() is not None for process in processes)


def test_a_bot_that_does_not_read_is_ended(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("import time; time.sleep(60)")
    match = match_of("advance", f"exec:{sys.executable} {path}", 100, 1.0)
    with pytest.raises(Forfeit, match="thought for more than 1 s"):
        match.play()
    began = time.monotonic()
    match.end()

    assert time.monotonic() - began < 5


def test_the_arena_names_the_bot_and_goes_on(tmp_path: Path, terminal: Terminal) -> None:
    bot = bot_that(tmp_path, "sys.exit(3)")
    ran = terminal("arena", bot, "random", "--game", "skirmish", "--jobs", "1", "--pairs", "1")

    assert ran.code == 1
    assert "lost every match by its own fault" in ran.err
    assert f"{bot} lost 2 matches by its own fault; in pair 1, as " in ran.out
    assert "it ended with exit code 3" in ran.out


def test_a_bot_at_a_server_plays_and_ends_with_its_exit_code(tmp_path: Path, terminal: Terminal) -> None:
    good, bad = f"exec:{sys.executable} {BOTS / 'lines.py'}", bot_that(tmp_path, "print('no', flush=True)")
    with served() as broker, client_of(broker) as client:
        match = client.open("battle").match
        where = ("--connect", broker.address, "--match", match)
        other = subprocess.Popen(
            [WARDIARY, "bot", "battle", *where, "--seat", "russian", "--policy", "random"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            played = terminal("bot", "battle", *where, "--seat", "german", "--policy", good, "--commands", "3")
            failed = terminal("bot", "battle", *where, "--seat", "german", "--policy", bad)
        finally:
            other.kill()
            other.wait()

    assert (played.code, "exec bot played 3 commands as german" in played.out) == (0, True), played.err
    assert failed.code == 1
    assert f"the bot {bad} answered 'no', which is not an answer: " in failed.err


@pytest.mark.skipif(os.name != "posix", reason="Signals of POSIX")
def test_a_bot_ends_with_its_parent_however_that_ends(tmp_path: Path) -> None:
    ids = tmp_path / "ids"
    bot = bot_that(
        tmp_path,
        f"import os; open({str(ids)!r}, 'a').write(str(os.getpid()) + ' '); time.sleep(0.3)\nprint('{{\"option\":1}}', flush=True)",
    )
    parent = subprocess.Popen(
        [WARDIARY, "arena", bot, bot, "--game", "battle", "--jobs", "1"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    until = time.monotonic() + 30
    while not ids.exists() and time.monotonic() < until:
        time.sleep(0.05)
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    child = int(ids.read_text().split()[0])
    while is_running(child) and time.monotonic() < until:
        time.sleep(0.05)

    assert not is_running(child)


def is_running(process: int) -> bool:
    """Return whether there is such a process."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_bot_that_outlives_its_input_is_reported(tmp_path: Path, terminal: Terminal) -> None:
    bot = bot_that(tmp_path, "print('{\"option\":1}', flush=True)")
    path = Path(bot.split()[-1])
    path.write_text(f"{path.read_text()}time.sleep(60)\n")
    ran = terminal("check-bot", bot.removeprefix("exec:"), "--game", "skirmish", "--decisions", "2")

    assert ran.code == 1
    assert "it does not end within 2 s of the end of its input" in ran.err


@pytest.mark.parametrize(
    ("bot", "message"),
    [
        ("exec:", "exec: is followed by the command line of a bot, as in 'exec:python3 bot.py'"),
        ("exec:no-such-program x", "there is no program no-such-program to run the bot exec:no-such-program x"),
        ("exec:python3 'bot.py", "cannot be read: No closing quotation"),
    ],
)
def test_a_command_line_that_is_none_is_refused(bot: str, message: str, terminal: Terminal) -> None:
    for arguments in (("arena", bot, "random", "--game", "skirmish"), ("bot", "skirmish", "--policy", bot)):
        ran = terminal(*arguments)

        assert (ran.code, message in ran.err) == (2, True), ran.err


@each_row(
    ("text", "bot", "budget"),
    [
        ("greedy", "greedy", NO_BUDGET),
        ("greedy:200ms", "greedy", Budget(ms=200)),
        ("exec:bot", "exec:bot", NO_BUDGET),
        ("exec:500:bot -x", "exec:bot -x", Budget(playouts=500)),
        ("exec:bot --at host:99", "exec:bot --at host:99", NO_BUDGET),
    ],
)
def test_a_budget_stands_before_a_command_line(text: str, bot: str, budget: Budget) -> None:
    assert parse_bot(text) == (bot, budget)
    assert title_of(*parse_bot(text)) == text


def test_a_bot_is_not_given_variables_that_hold_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WARDIARY_TOKEN", "secret")
    bot = bot_that(tmp_path, "import os; sys.exit(1 if 'WARDIARY_TOKEN' in os.environ else 9)")
    match = match_of("skirmish", bot, 1)
    with pytest.raises(Forfeit, match="exit code 9") as told:
        match.play()

    assert told.value.seat in (Seat("red"), Seat("blue"))


def test_what_a_seat_does_not_know_changes_no_byte_of_what_its_bot_reads(tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    answers = f"open({str(heard)!r}, 'ab').write((begin + line).encode())\nprint('{{\"option\":1}}', flush=True)"
    said: dict[str, list[bytes]] = {"german": [], "russian": []}
    for seat, lines in said.items():
        for other_card in (False, True):
            log = MemoryLog()
            client = local_client(log, StillClock(), CountedIdentity())
            match = twin(log, other_card=other_card)
            table, legal = client.state(match, Seat(seat)).table, client.legal(match, ARBITER)
            game = bound_game(table.game, None)
            options = [game.rules.decode(bytes(option.command)) for option in legal.options]
            bot = ChildBot(bot_that(tmp_path, answers), game)
            bot(Asked(game.rules, table, Seat(seat), options, lambda _: 0))
            bot.end()
            lines.append(heard.read_bytes())
            heard.unlink()

    assert said["german"][0] == said["german"][1]
    assert said["russian"][0] != said["russian"][1]
