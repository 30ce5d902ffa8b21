"""`wardiary work` takes decisions of a server's bots, and tells who does."""

import os
import signal
from pathlib import Path
from threading import Thread

import pytest
import zmq

from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from server.bots import house, worker
from server.bots.worker import status_of
from server.client.client import Client
from tests.cli.running import Terminal
from tests.support.housed import SECRET, Housed, housed
from tests.support.served import client_of, eventually

FIRST, SECOND = Seat("russian"), Seat("german")


def end_after_a_decision(here: Housed, client: Client, match: MatchId) -> None:
    """Seat a bot as soon as there is a worker, and end the worker, which runs in this process, when the bot has played."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as asking:
        asking.connect(here.workers)
        eventually(lambda: "one" in [known.name for known in status_of(asking, SECRET).workers], "nobody works")
    client.seat_bot(match, FIRST, "greedy:5")
    eventually(lambda: client.legal(match).to_move == SECOND, "the bot does not play")
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_worker_takes_decisions_until_it_is_ended_and_the_server_tells_who_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (house, worker):
        monkeypatch.setattr(module, "BEAT_S", 0.05)
    monkeypatch.setenv("WARDIARY_WORKERS_SECRET", SECRET)
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "seats.json"))
    terminal = Terminal(tmp_path / "none.db")
    with housed(MemoryLog()) as here, client_of(here.broker) as client:
        server = here.broker.address
        match = MatchId(terminal.line("new", "battle", "--dice", "seeded:5", "--free-seats", "--connect", server))
        client.take_seat(match, SECOND)
        watching = Thread(target=end_after_a_decision, args=(here, client, match))
        watching.start()
        ran = terminal("work", "--connect", server, "--name", "one", "--json")
        watching.join()
        (told,) = terminal.done("work", "--status", "--connect", server, "--json").objects
        words = terminal.done("work", "--status", "--connect", server).out.splitlines()
        wrong = terminal("work", "--status", "--connect", server, "--workers-secret", "x")
        housed_match = terminal.line("new", "battle", "--house", f"{SECOND}=sergeant", "--connect", server)
        players = client.state(MatchId(housed_match)).table.players
    (shape,) = ran.objects

    assert (ran.code, ran.err) == (0, f"one works for {server}\n")
    assert int(str(shape.pop("decided"))) > 0
    assert shape == {"shape": "worked", "name": "one", "server": server}
    assert (told["shape"], told["waiting"]) == ("workers", 0)
    assert [line.split("  ")[0] for line in words] == ["worker", "the server", "0 decisions waiting"]
    assert (wrong.code, "not the secret of the server's workers" in wrong.err) == (5, True)
    assert players == {FIRST: "", SECOND: "search:20 bot"}
