"""Workers are killed, stalled and started again at any moment: no decision is lost, and none is taken twice."""

import multiprocessing
import os
import signal
from contextlib import suppress
from multiprocessing.process import BaseProcess
from random import Random
from time import sleep

import pytest
import zmq

from core.audit.match_audit import audit_match
from core.bots.choice_record import record_in
from events.chain import checked
from events.ids import MatchId, Seat
from events.memory_log import MemoryLog
from projections.state.view import SeatView
from server.bots import house, work_queue
from server.bots.work_messages import Ready
from server.bots.worker import Worker, policies_here
from server.protocol.bot_seats import choice_seed
from tests.support.housed import SEATS, SECRET, housed
from tests.support.served import client_of, eventually

WORKERS = 3
KILLS = 200


def worked(address: str, name: str) -> None:
    """Be a worker, until killed."""
    socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
    socket.connect(address)
    Worker(socket, Ready(secret=SECRET, name=name, policies=policies_here())).work()


def decided(log: MemoryLog, match: MatchId, seat: Seat) -> list[int]:
    """Return the numbers of the seat's events at which its bot decided; each choice must have the seed of its number."""
    view, numbers = SeatView(seat), list[int]()
    for commit in checked(log.read(match), match):
        record = record_in(commit.key)
        if record is not None and commit.seat == seat:
            assert record.seed == choice_seed(SEATS.secret(match, seat), match, seat, view.count)
            numbers.append(view.count)
        view.take(commit.events, commit.at, commit.last)
    return numbers


@pytest.mark.long
def test_two_hundred_killed_workers_lose_and_double_no_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches of bots, one after the other; of three workers in processes of their own one is killed or stopped again and again."""
    monkeypatch.setattr(work_queue, "GONE_S", 0.3)
    monkeypatch.setattr(house, "BEAT_S", 0.02)
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "core.games.battle.rules.battle_rules"])
    chance, kills, log = Random(1), 0, MemoryLog()
    workers: list[BaseProcess] = []
    matches: list[MatchId] = []
    seats = (Seat("german"), Seat("russian"))
    with housed(log) as here, client_of(here.broker) as client:

        def begin(name: str) -> BaseProcess:
            process = context.Process(target=worked, args=(here.workers, name), daemon=True)
            process.start()
            return process

        try:
            workers += [begin(str(number)) for number in range(WORKERS)]
            while kills < KILLS:
                if not matches or client.state(matches[-1]).table.ended is not None:
                    matches.append(client.open("battle", dice="seeded", seed=str(len(matches))).match)
                    for seat in seats:
                        client.seat_bot(matches[-1], seat, "search:6")
                sleep(chance.random() * 0.3)
                place = chance.randrange(WORKERS)
                victim = workers[place]
                assert victim.pid is not None
                if chance.random() < 0.2:
                    # Stalled: it answers when it is too late.
                    os.kill(victim.pid, signal.SIGSTOP)
                    sleep(0.5)
                    with suppress(ProcessLookupError):
                        os.kill(victim.pid, signal.SIGCONT)
                else:
                    victim.kill()
                    kills += 1
                    workers[place] = begin(f"{place}/{kills}")
            stood = client.state(matches[-1])
            eventually(
                lambda: stood.table.ended is not None or client.state(matches[-1]).seq > stood.seq + 20,
                "the bots do not play on",
            )
            unfinished = [match for match in matches[:-1] if client.state(match).table.ended is None]
        finally:
            for process in workers:
                process.kill()
                process.join()
    taken = [decided(log, match, seat) for match in matches for seat in seats]

    assert [len(numbers) for numbers in taken] == [len(set(numbers)) for numbers in taken]
    assert unfinished == []
    assert sum(map(len, taken)) > KILLS
    assert {audit_match(log, match).verdict for match in matches} == {"clean"}
