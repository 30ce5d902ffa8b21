"""Bots play through the public client and see only their seat's view."""

from collections.abc import Callable
from random import Random
from threading import Thread

import pytest

from core.bots.bot_port import Asked, Policy
from core.engine.command import Command
from core.errors import UnknownName
from core.game.game_record import Game
from core.registry.bot_policies import choose_at_random, find_policy, policy_names
from core.registry.games import load_game
from core.secrets.knowledge import Hidden
from events.codec import replace
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import Event
from projections.state.table import Table
from server.client.bots import Bot, BotReport, Followed, run_bot, sit_down
from server.client.client import Client
from server.client.local import local_client
from server.protocol.errors import RequestFailed
from tests.support.rows import each_row
from tests.support.served import client_of, eventually, seated, served
from tests.support.skirmish import BLUE, RED

SKIRMISH = "tests.support.skirmish.GAME"


def play_both(client: Client, match: MatchId, policy: str = "random", seed: str = "0") -> list[BotReport]:
    """Let two bots play alternately, one command at a time, with one client for both seats."""
    reports: list[BotReport] = []
    while client.state(match).table.ended is None:
        seat = client.legal(match).to_move
        reports.append(run_bot(client, match, seat, policy, f"{seed}-{len(reports)}", commands_max=1))
    return reports


def with_policies(monkeypatch: pytest.MonkeyPatch, **policies: Policy) -> None:
    """Give the test game policies of its own."""
    monkeypatch.setattr(SKIRMISH, replace(load_game("skirmish"), load_policies=lambda: policies))


def test_bots_on_sockets_play_a_match_to_its_end() -> None:
    reports: list[BotReport] = []

    def bot(address_of: Callable[[], Client], match: MatchId, seat: Seat, token: str) -> None:
        with address_of() as client:
            client.add_token(match, seat, token)
            reports.append(run_bot(client, match, seat, seed=seat))

    with served() as broker, client_of(broker) as client:
        match = seated(client)
        threads = [
            Thread(target=bot, args=(lambda: client_of(broker), match, seat, client.token(match, seat)))
            for seat in (RED, BLUE)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        ended = client.state(match).table.ended

    assert {report.seat for report in reports} == {RED, BLUE}
    assert {report.ended for report in reports} == {ended}
    assert sum(report.commands for report in reports) > 5


def test_the_same_seed_plays_the_same_match() -> None:
    logs: list[list[Event]] = []
    for _ in range(2):
        client = local_client(MemoryLog())
        match = client.open("skirmish", dice="seeded", seed="3").match
        for seat in (RED, BLUE):
            client.take_seat(match, seat, share=False)
        play_both(client, match, seed="once more")
        logs.append([event for slice_ in client.log(match) for event in slice_.events][3:])

    assert logs[0] == logs[1]


def test_a_policy_is_shown_the_table_of_its_seat_and_its_options(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[Seat, Table, int]] = []

    def curious(asked: Asked) -> Command:
        shown.append((asked.seat, asked.table.clone(), len(asked.options)))
        return asked.options[-1]

    with_policies(monkeypatch, curious=curious)
    client = local_client(MemoryLog())
    play_both(client, seated(client), "curious")

    assert len(shown) > 5
    for seat, table, options in shown:
        hidden = table.piles[next(pile for pile in table.piles if pile == f"hand/{'blue' if seat == RED else 'red'}")]
        assert hidden.cards == ()
        assert options > 0


def test_a_policy_that_breaks_the_rules_raises_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class Nonsense(Command, frozen=True, tag="nonsense"):
        """No command of the game."""

    def cheat(asked: Asked) -> Command:
        return Nonsense()

    with_policies(monkeypatch, cheat=cheat)
    client = local_client(MemoryLog())
    match = seated(client)
    with pytest.raises(RequestFailed) as caught:
        run_bot(client, match, client.legal(match).to_move, "cheat")

    assert caught.value.code == "malformed"


def test_a_bot_decides_again_if_the_match_changed_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    client = local_client(MemoryLog())
    match = seated(client)
    thoughts: list[int] = []

    def slow(asked: Asked) -> Command:
        if not thoughts:
            client.play(match, BLUE, '{"do":"match:note","text":"While you think…"}')
        thoughts.append(asked.table.seq)
        return asked.options[0]

    with_policies(monkeypatch, slow=slow)
    report = run_bot(client, match, RED, "slow", commands_max=1)

    assert report.commands == 1
    assert thoughts == [thoughts[0], thoughts[0] + 1]


def test_a_bots_knowledge_grows_with_what_its_seat_sees() -> None:
    client = local_client(MemoryLog())
    match = seated(client)
    known = Followed(client, match, RED)
    for _ in range(4):
        seen = [one for slice_ in client.log(match, RED) for one in slice_.events]

        assert known().history[1:] == Hidden(seen).history[1:]
        mover = client.legal(match).to_move
        run_bot(client, match, mover, commands_max=1)


def test_a_bot_stops_when_it_is_told_to() -> None:
    client = local_client(MemoryLog())
    match = seated(client)

    assert run_bot(client, match, RED, commands_max=0).commands == 0
    assert run_bot(client, match, RED, is_stopped=lambda: True) == BotReport(match, RED, 0, None)


def test_the_error_for_an_unknown_policy_lists_all_policies() -> None:
    client = local_client(MemoryLog())
    match = seated(client)
    with pytest.raises(UnknownName, match="no policy for skirmish is called 'clever'; there is: random"):
        run_bot(client, match, RED, "clever")


def test_a_games_own_policies_are_added_to_the_generic_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    with_policies(monkeypatch, brave=choose_at_random)
    game: Game = load_game("skirmish")

    assert policy_names(game) == ["random", "brave"]
    assert callable(find_policy(game, "brave"))


def test_the_random_policy_takes_every_option() -> None:
    client = local_client(MemoryLog())
    match = seated(client)
    bot = Bot(load_game("skirmish").bind(None), RED, choose_at_random, "seed")
    legal = client.legal(match, RED)
    choices = {bot.choice(client.state(match, RED).table, legal) for _ in range(200)}

    assert len(choices) == len(legal.options)


def test_a_bot_takes_its_seat_in_a_match_or_opens_one() -> None:
    client = local_client(MemoryLog())
    first = sit_down(client, "skirmish", RED, "Robot")
    second = sit_down(client, "skirmish", RED)
    third = sit_down(client, "skirmish", BLUE)

    assert first != second
    assert third == first
    assert client.state(first).table.players[RED] == "Robot"


def test_a_bot_whose_seat_was_taken_looks_for_another_match(monkeypatch: pytest.MonkeyPatch) -> None:
    client = local_client(MemoryLog())
    match = sit_down(client, "skirmish", RED)
    listed = client.matches()
    client.take_seat(match, BLUE)
    monkeypatch.setattr(client, "matches", lambda: listed)

    assert sit_down(client, "skirmish", BLUE) != match


def test_a_bot_takes_no_seat_that_is_reserved(monkeypatch: pytest.MonkeyPatch) -> None:
    client = local_client(MemoryLog())
    match = sit_down(client, "skirmish", RED)
    before = client.matches()
    client.play(match, ARBITER, {"do": "match:reserve-seat", "seat": "blue", "credential": "ab" * 32})

    assert sit_down(client, "skirmish", BLUE) != match

    # The list may be older than the invitation.
    monkeypatch.setattr(client, "matches", lambda: before)
    assert sit_down(client, "skirmish", BLUE) != match


def test_a_bot_waits_while_the_match_is_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("server.client.bots.WAIT_S", 0.01)
    client = local_client(MemoryLog())
    match = seated(client)
    mover = client.legal(match).to_move
    client.play(match, ARBITER, {"do": "match:pause", "reason": "Dinner."})
    looks = iter([False, False, True])

    assert run_bot(client, match, mover, is_stopped=lambda: next(looks)).commands == 0

    client.play(match, ARBITER, {"do": "match:resume"})

    assert run_bot(client, match, mover, commands_max=1).commands == 1


@each_row(("game", "seat"), [("chess", RED), ("skirmish", Seat("green"))])
def test_a_game_or_seat_that_does_not_exist_opens_no_match(game: str, seat: Seat) -> None:
    client = local_client(MemoryLog())
    with pytest.raises(UnknownName):
        sit_down(client, game, seat)

    assert client.matches() == []


def test_a_bot_takes_the_second_seat_while_the_first_bot_waits() -> None:
    with served() as broker, client_of(broker) as red, client_of(broker) as blue:
        match = sit_down(red, "skirmish", RED)
        reports: list[BotReport] = []
        thread = Thread(target=lambda: reports.append(run_bot(red, match, RED, seed=f"{Random(1).random()}")))
        thread.start()
        assert sit_down(blue, "skirmish", BLUE) == match
        reports.append(run_bot(blue, match, BLUE))
        thread.join(60)
        eventually(lambda: len(reports) == 2, "both bots report")

    assert all(report.ended is not None for report in reports)
