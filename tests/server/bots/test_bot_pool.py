"""A server plays bots: in a process beside it, in turn, and again when it or the process has ended."""

import multiprocessing
from contextlib import suppress

import pytest

from events.codec import replace
from events.ids import ARBITER, GameKey, MatchId, Seat
from events.memory_log import MemoryLog
from projections.catalogue import summarize
from server.bots.bot_turns import Turn, play_turn
from server.broker.limits import Limits
from server.client.local import local_client
from server.protocol.bot_seats import BotSeats, bot_name, policy_of
from server.protocol.errors import RequestFailed
from server.protocol.replies import BotReply
from server.protocol.wire import BotRequest
from tests.support.served import Raw, client_of, eventually, served

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
SEATS = BotSeats("the key of the bots")


def test_two_bots_of_a_server_play_a_match_to_its_end() -> None:
    """A whole match, so that every kind of question is asked of a bot; it takes some seconds."""
    log = MemoryLog()
    with served(log, bots=True) as broker, client_of(broker) as client:
        match = client.open("battle", dice="seeded", seed="5").match
        seated = client.seat_bot(match, GERMAN, "random", key="k")
        again = client.seat_bot(match, GERMAN, "random", key="k")
        client.seat_bot(match, RUSSIAN)
        table = client.state(match).table
        eventually(lambda: client.state(match).table.ended is not None, "the bots do not play")

        assert replace(seated, id="") == BotReply(match=match, seat=GERMAN, name="random bot", seq=2, began=False)
        assert again.repeated
        assert table.players == {GERMAN: "random bot", RUSSIAN: "greedy bot"}
        assert client.hello().bots[GameKey("battle")] == ("random", "greedy")


def test_bots_go_on_when_their_process_or_their_server_was_ended() -> None:
    """Two processes are started, which takes a second or two."""
    log = MemoryLog()
    with served(log, bots=True) as broker, client_of(broker) as client:
        match = client.open("battle", dice="seeded", seed="5").match
        client.take_seat(match, RUSSIAN, secret=SEATS.secret(MatchId("other"), RUSSIAN))
        client.seat_bot(match, GERMAN)
        eventually(lambda: client.legal(match).to_move == RUSSIAN, "the bot does not play")
        for process in multiprocessing.active_children():
            if process.name == "wardiary-bots":
                process.kill()
                process.join()
        answer(log, match)
        eventually(lambda: client.legal(match).to_move == RUSSIAN, "the bot does not go on")
    answer(log, match)
    before = log.head(match).seq
    with served(log, bots=True):
        eventually(lambda: log.head(match).seq > before, "the bot does not go on")


def answer(log: MemoryLog, match: MatchId) -> None:
    """Play the first option of the Russian seat until the German one is to decide; through the store, as another process would."""
    client = local_client(log)
    while (legal := client.legal(match)).to_move == RUSSIAN:
        own = client.legal(match, RUSSIAN, words=False)
        with suppress(RequestFailed):
            client.play(match, RUSSIAN, own.options[-1].number, expected=legal.seq)


@pytest.mark.parametrize(
    ("seat", "policy", "code"),
    [("green", "random", "unknown_seat"), (ARBITER, "random", "unknown_seat"), ("german", "perfect", "unknown_name")],
)
def test_a_bot_that_there_is_not_is_refused(seat: str, policy: str, code: str) -> None:
    with served(bots=True) as broker, client_of(broker) as client:
        match = client.open("battle", dice="seeded").match
        with pytest.raises(RequestFailed) as caught:
            client.seat_bot(match, Seat(seat), policy)

        assert caught.value.code == code
        assert client.state(match).table.players == {}


def test_a_server_without_bots_says_so() -> None:
    with served() as broker, client_of(broker) as client:
        match = client.open("battle", dice="seeded").match
        with pytest.raises(RequestFailed, match="plays no bots"):
            client.seat_bot(match, GERMAN)

        assert client.hello().bots == {}


def test_a_visitor_gets_so_many_bots_an_hour_and_no_more() -> None:
    """Pages on this machine are believed to say for whom they ask; each visitor has a quota."""
    with served(bots=True, limits=Limits(bots=1)) as broker, client_of(broker) as client:
        matches = [client.open("battle", dice="seeded").match for _ in range(2)]
        client.seat_bot(matches[0], RUSSIAN, visitor="192.0.2.1", key="k")
        repeated = client.seat_bot(matches[0], RUSSIAN, visitor="192.0.2.1", key="k")
        other = client.seat_bot(matches[1], RUSSIAN, visitor="192.0.2.2")
        with pytest.raises(RequestFailed, match="1 seats played by bots") as caught:
            client.seat_bot(matches[1], GERMAN, visitor="192.0.2.1")

        assert repeated.repeated
        assert other.name == "greedy bot"
        assert caught.value.code == "too_many"


def test_nobody_is_told_the_secret_of_a_bot() -> None:
    with served(bots=True) as broker, client_of(broker) as client, Raw(broker.address) as raw:
        match = client.open("battle", dice="seeded").match
        reply = raw.ask(BotRequest(match=match, seat=GERMAN))
        credential = client.state(match).table.credentials

        assert isinstance(reply, BotReply)
        assert SEATS.is_ours(match, GERMAN, local_credential(broker, match))
        assert SEATS.secret(match, GERMAN) not in repr((reply, credential))


def local_credential(broker: object, match: MatchId) -> str:
    desk = broker._desk  # type: ignore[attr-defined]
    credentials: dict[Seat, str] = desk.summaries.of(match).credentials
    return credentials[GERMAN]


def test_a_player_with_the_name_of_a_bot_is_none() -> None:
    log = MemoryLog()
    client = local_client(log)
    match = client.open("battle", dice="seeded").match
    client.take_seat(match, GERMAN, bot_name("greedy"))
    shown = summarize(match, client.state(match, ARBITER).table)

    assert policy_of(shown.shown.players[GERMAN]) == "greedy"
    assert not SEATS.is_ours(match, GERMAN, shown.credentials[GERMAN])


def test_a_bot_that_is_not_asked_plays_nothing() -> None:
    log = MemoryLog()
    client = local_client(log)
    match = client.open("battle", dice="seeded").match

    assert not play_turn(client, Turn(match, GERMAN, "greedy", "x" * 32))
