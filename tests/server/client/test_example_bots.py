"""The example bots of `docs/examples/bots`, which import nothing of this project, play a match to its end."""

import shutil
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from core.audit.match_audit import audit_match
from core.match.arbiter_commands import PauseMatch, ReplacePlayer, ResumeMatch
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from server.broker.limits import Limits
from server.client.client import Client
from tests.support.served import ANYWHERE, ROOT, SOON_MS, client_of, eventually, seated, served
from tests.support.sitting import OWNER
from tests.support.skirmish import BLUE, RED
from tests.support.soak import few

BOTS = ROOT / "docs" / "examples" / "bots"
NODE = shutil.which("node") or ""
EXAMPLES = [
    pytest.param((sys.executable, str(BOTS / "bot.py")), id="python"),
    pytest.param(
        (NODE, str(BOTS / "bot.mjs")),
        id="javascript",
        marks=pytest.mark.skipif(not NODE, reason="Node is not installed: the bot in JavaScript cannot run"),
    ),
]


@pytest.fixture(params=EXAMPLES)
def bot(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The command line of an example, without its arguments."""
    program: tuple[str, ...] = request.param
    return program


def start(bot: tuple[str, ...], *arguments: str) -> subprocess.Popen[str]:
    """Start an example."""
    return subprocess.Popen([*bot, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> tuple[int, list[str], str]:
    """Wait for an example; return its exit code, the lines that it printed, and its errors."""
    printed, errors = process.communicate(timeout=SOON_MS / 1000)
    return process.returncode, printed.splitlines(), errors


def oppose(client: Client, match: MatchId, process: subprocess.Popen[str]) -> None:
    """Play the first option for blue whenever blue is to decide, until the example ends; kill it if it does not end soon."""
    until = monotonic() + SOON_MS / 1000
    while process.poll() is None:
        client.do_part(match, BLUE)
        if (legal := client.legal(match, BLUE)).to_move == BLUE and legal.options:
            client.play(match, BLUE, legal.options[0].command)
        elif monotonic() > until:
            process.kill()
        sleep(0.002)


@pytest.mark.parametrize("has_secret", few([False, True]), ids=["free seat", "seat by its secret"])
def test_a_bot_plays_until_the_match_ends(bot: tuple[str, ...], *, has_secret: bool) -> None:
    with served() as broker, client_of(broker) as client:
        match = client.open("skirmish").match
        client.take_seat(match, BLUE)
        seat: tuple[str, ...] = ()
        if has_secret:
            client.take_seat(match, RED, share=False)
            seat = (RED, client.token(match, RED))
        process = start(bot, broker.address, match, *seat)
        oppose(client, match, process)
        code, lines, errors = finish(process)
        table = client.state(match).table

    assert (code, errors) == (0, "")
    assert lines[0].startswith(f"seat {RED}, secret ")
    assert len(lines) > 3
    assert lines[-1] == "the match is over"
    assert table.ended is not None
    assert table.players[RED] == ("" if has_secret else Path(bot[1]).name)


def test_two_bots_open_the_links_of_their_dice_to_the_end_and_after_a_kill(bot: tuple[str, ...]) -> None:
    """The second process of red goes on with the chain of the first."""
    log = MemoryLog()
    with served(log) as broker, client_of(broker) as client:
        match = client.open("skirmish", dice="sealed").match
        first = start(bot, broker.address, match, RED)
        assert first.stdout is not None
        _, seat, _, secret, _, tip = first.stdout.readline().replace(",", "").split()
        first.kill()
        finish(first)
        pair = [start(bot, broker.address, match, seat, secret, tip), start(bot, broker.address, match)]
        ended = [finish(one) for one in pair]
    report = audit_match(log, match)

    assert [(code, lines[-1], errors) for code, lines, errors in ended] == [(0, "the match is over", "")] * 2
    assert (report.verdict, report.dice, report.unsecured, report.links) == ("clean", "checked", (), ())


@pytest.mark.long
def test_a_bot_whose_opponent_thinks_for_long_is_not_disconnected(bot: tuple[str, ...]) -> None:
    """The server pings a silent connection, and closes one that does not answer."""
    with served(limits=Limits(quiet_ms=50, dead_ms=300)) as broker, client_of(broker) as client:
        match = client.open("skirmish").match
        client.take_seat(match, BLUE)
        process = start(bot, broker.address, match)
        eventually(lambda: client.state(match).table.began, "the bot takes no seat")
        sleep(0.6)
        oppose(client, match, process)
        code, lines, errors = finish(process)

    assert (code, errors) == (0, "")
    assert lines[-1] == "the match is over"


@pytest.mark.parametrize("is_moved", few([True, False]), ids=["publishes elsewhere", "same addresses"])
def test_a_bot_plays_on_when_the_server_is_back(bot: tuple[str, ...], *, is_moved: bool) -> None:
    log, limits = MemoryLog(), Limits(heartbeat_s=0.1)
    with served(log, limits=limits) as first, client_of(first) as client:
        match = client.open("skirmish").match
        client.take_seat(match, BLUE, share=False)
        process = start(bot, first.address, match)
        eventually(lambda: client.legal(match).to_move == BLUE, "the bot plays")
    # Long enough for several attempts to connect that fail.
    sleep(1.2)
    with (
        served(log, limits=limits, addresses=(first.address, ANYWHERE if is_moved else first.events)) as second,
        client_of(second) as again,
    ):
        again.add_token(match, BLUE, client.token(match, BLUE))
        oppose(again, match, process)
        code, lines, errors = finish(process)

    assert code == 0, errors
    assert lines[-1] == "the match is over"
    assert errors.splitlines() in ([], ["the server is away; trying again", "the server is back"])
    assert audit_match(log, match).clean


def test_a_bot_gives_up_on_a_server_that_does_not_come_back(bot: tuple[str, ...]) -> None:
    """Takes some seconds: the bot in Python tries for longer than it waits for one reply."""
    with served(limits=Limits(heartbeat_s=0.1)) as broker, client_of(broker) as client:
        match = client.open("skirmish").match
        process = start(bot, "--give-up-after", "0.5", broker.address, match)
        eventually(lambda: bool(client.state(match).table.players), "the bot sits down")
    code, _, errors = finish(process)

    assert code == 1
    assert errors.splitlines()[-1] in ("no reply: is the server running?", "the server has not come back")


def test_a_bot_that_was_replaced_ends(bot: tuple[str, ...]) -> None:
    with served() as broker, client_of(broker, owner=OWNER) as client:
        match = seated(client)
        process = start(bot, broker.address, match, RED, client.token(match, RED))
        replace = ReplacePlayer(seat=RED, credential="ab" * 32, reason="It is too slow.")
        assert process.stdout is not None
        process.stdout.readline()
        client.play(match, ARBITER, replace)
        code, _, errors = finish(process)

    assert (code, "bad_token" in errors) == (1, True)


def test_a_bot_has_a_name() -> None:
    program = (sys.executable, str(BOTS / "bot.py"))
    with served() as broker, client_of(broker, owner=OWNER) as client:
        match = client.open("skirmish").match
        process = start(program, "--name", "Deep Red", broker.address, match, RED)
        eventually(lambda: bool(client.state(match).table.players), "the bot sits down")
        assert client.state(match).table.players == {RED: "Deep Red"}
        client.play(match, ARBITER, ReplacePlayer(seat=RED, credential="ab" * 32, reason="Enough."))
        assert finish(process)[0] == 1


def test_a_bot_waits_while_the_match_is_paused(bot: tuple[str, ...]) -> None:
    with served() as broker, client_of(broker, owner=OWNER) as client:
        match = seated(client)
        assert client.legal(match).to_move == RED
        client.play(match, ARBITER, PauseMatch(reason="Tea"))
        process = start(bot, broker.address, match, RED, client.token(match, RED))
        assert process.stdout is not None
        first = process.stdout.readline()
        sleep(0.1)
        client.play(match, ARBITER, ResumeMatch())
        oppose(client, match, process)
        code, lines, errors = finish(process)

    assert first.startswith("seat red")
    assert (code, errors) == (0, "")
    assert lines[-1] == "the match is over"


@pytest.mark.parametrize(
    ("match", "seat", "message"),
    [("nowhere", "red", "unknown_match: "), ("", "green", "unknown_seat: "), ("", "blue", "refused: ")],
    ids=["match", "seat", "taken"],
)
def test_a_bot_says_why_it_cannot_sit_down(bot: tuple[str, ...], match: str, seat: str, message: str) -> None:
    with served() as broker, client_of(broker) as client:
        opened = client.open("skirmish").match
        client.take_seat(opened, Seat("blue"))
        code, lines, errors = finish(start(bot, broker.address, match or opened, seat))

    assert (code, lines) == (1, [])
    assert errors.startswith(message)
    assert len(errors.splitlines()) == 1
