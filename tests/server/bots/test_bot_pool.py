"""A server plays bots: in a process beside it, in turn, and again when it or the process has ended."""

import multiprocessing
from collections import Counter
from collections.abc import Callable
from contextlib import suppress

import pytest

from core.audit.match_audit import audit_match
from core.chance.links import LinkChain
from core.match.arbitration.consents import AskUndo
from core.match.arbitration.disputes import OpenDispute
from core.match.player_commands import MakeRuling
from core.registry.games import GAMES
from events.codec import encode, replace
from events.ids import ARBITER, GameKey, MatchId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import CommandsUndone, SeatSecured
from projections.catalogue import summarize
from server.bots.bot_turns import Turn
from server.broker.limits import Limits
from server.client.bots import run_bot, take_over
from server.client.client import Client
from server.client.local import LocalTransport, local_client
from server.desk.desk import Desk
from server.protocol.bot_seats import BotSeats, bot_name, bot_signer, bot_tip, policy_of
from server.protocol.clock import SystemClock
from server.protocol.errors import RequestFailed
from server.protocol.identity import SystemIdentity
from server.protocol.replies import BotReply
from server.protocol.wire import BotRequest
from tests.support.bot_turns import play_turn
from tests.support.housed import housed
from tests.support.rows import each_row
from tests.support.served import Raw, client_of, eventually, served
from tests.support.sitting import OWNER
from tests.support.skirmish import BLUE, RED

GERMAN, RUSSIAN = Seat("german"), Seat("russian")
SEATS = BotSeats("the key of the bots")
DECISIONS = 40
"""How many decisions bots take in each game."""


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

        assert replace(seated, id="") == BotReply(match=match, seat=GERMAN, name="random bot", seq=3, began=False)
        assert again.repeated
        assert table.players == {GERMAN: "random bot", RUSSIAN: "greedy bot"}
        assert client.hello().bots[GameKey("battle")] == ("random", "greedy", "search")


def test_bots_go_on_when_their_process_or_their_server_was_ended() -> None:
    """Two processes are started, which takes a second or two."""
    log = MemoryLog()
    with served(log, bots=True) as broker, client_of(broker) as client:
        match = client.open("battle", dice="seeded", seed="5").match
        client.take_seat(match, RUSSIAN, secret=SEATS.secret(MatchId("other"), RUSSIAN))
        client.seat_bot(match, GERMAN)
        eventually(lambda: client.legal(match).to_move == RUSSIAN, "the bot does not play")
        end_bots()
        answer(log, match)
        eventually(lambda: client.legal(match).to_move == RUSSIAN, "the bot does not go on")
    answer(log, match)
    before = log.head(match).seq
    with served(log, bots=True):
        eventually(lambda: log.head(match).seq > before, "the bot does not go on")


def test_a_bot_agrees_at_once_that_a_mistake_is_taken_back() -> None:
    """Whatever it decided since. A process is started."""
    with served(MemoryLog(), bots=True) as broker, client_of(broker) as client:
        match = client.open("battle", dice="seeded", seed="5").match
        client.take_seat(match, RUSSIAN)
        client.seat_bot(match, GERMAN)

        def is_asked() -> bool:
            return bool(client.legal(match, RUSSIAN).options)

        eventually(is_asked, "the bot does not play")
        while (legal := client.legal(match, RUSSIAN)).ask_undo_to is None:
            client.play(match, RUSSIAN, bytes(legal.options[0].command))
            eventually(is_asked, "the bot does not play on")
        client.play(match, RUSSIAN, encode(AskUndo()))

        eventually(lambda: client.state(match).table.asked_back is None, "the bot does not answer")
        undone = client.log(match)[-1].events[-1]
        assert isinstance(undone, CommandsUndone)
        assert undone.agreed == (GERMAN,)


def end_bots() -> bool:
    """Kill the process of the bots, and return whether there was one."""
    found = [one for one in multiprocessing.active_children() if one.name == "wardiary-bots"]
    for process in found:
        process.kill()
        process.join()
    return bool(found)


@pytest.mark.long
def test_bots_open_links_to_the_end_also_when_their_process_was_killed() -> None:
    """A whole match of dice that depend on links; the process is started three times, which takes some seconds."""
    log = MemoryLog()
    with served(log, bots=True) as broker, client_of(broker) as client:
        match = client.open("skirmish", dice="sealed").match
        client.seat_bot(match, RED)
        client.seat_bot(match, BLUE)
        for opened in (2, 5):
            eventually(has_opened(client, match, opened), "the bots do not play")
            end_bots()
        eventually(lambda: client.state(match).table.ended is not None, "the bots do not go on")
    table, report = local_client(log).state(match, ARBITER).table, audit_match(log, match)

    assert (report.verdict, report.dice, report.unsecured, report.links) == ("clean", "checked", (), ())
    assert table.links is not None
    assert min(chain.opened for chain in table.links.chains.values()) > 2
    assert {
        event.holder
        for slice_ in local_client(log).log(match)
        for event in slice_.events
        if isinstance(event, SeatSecured)
    } == {"bot"}


def has_opened(client: Client, match: MatchId, count: int) -> Callable[[], bool]:
    """Return what tells whether a server has opened so many links."""

    def holds() -> bool:
        links = client.state(match).table.links
        return links is not None and links.opened >= count

    return holds


@pytest.mark.long
def test_a_bot_and_a_player_begin_and_play_a_match_whose_dice_depend_on_links_of_both() -> None:
    """Whoever sits down first: the bot answers the anchor of the player, and opens what it owes."""
    for is_first in (False, True):
        log = MemoryLog()
        with housed(log) as here, client_of(here.broker) as client:
            match = client.open("skirmish", dice="sealed").match
            if is_first:
                client.seat_bot(match, BLUE)
            client.take_seat(match, RED, tip="5a" * 32)
            if not is_first:
                client.seat_bot(match, BLUE)
            run_bot(client, match, RED, is_stopped=has_opened(client, match, 4))
        report = audit_match(log, match)

        assert (report.verdict, report.unsecured) == ("clean", ())


def test_a_bot_that_was_killed_after_it_called_for_dice_opens_its_link() -> None:
    desk = Desk(MemoryLog(), bots=SEATS, trusted=True)
    host, killed, again = (Client(LocalTransport(desk), SystemIdentity(), SystemClock()) for _ in range(3))
    match = host.open("skirmish", dice="sealed").match
    turns = {}
    for seat in (RED, BLUE):
        host.seat_bot(match, seat)
        turns[seat] = Turn(match, seat, "random", SEATS.secret(match, seat), SEATS.links_secret(match, seat))
        killed.add_token(match, seat, turns[seat].secret)
        killed.add_signer(match, seat, bot_signer(turns[seat].links))
    while (table := host.state(match).table).links is None or table.links.call is None:
        legal = host.legal(match)
        seat = legal.to_move or RED
        if any(b'"roll"' in bytes(one.command) for one in killed.legal(match, seat).options):
            again.do_part(match, seat, decides=True)
            killed.play(match, seat, {"do": "roll"})
        else:
            for turn in turns.values():
                play_turn(again, turn)
    caller = table.links.call.seat
    went_on = play_turn(again, turns[caller])
    links = host.state(match).table.links

    assert went_on
    assert links is not None
    assert (links.call, links.opened) == (None, table.links.opened + 1)


def test_a_bot_that_sits_down_again_publishes_another_chain() -> None:
    """The links of the first one are known; nobody may fix dice by links that are known already."""
    desk = Desk(MemoryLog(), bots=SEATS, trusted=True)
    client = Client(LocalTransport(desk), SystemIdentity(), SystemClock())
    match = client.open("skirmish", dice="sealed").match
    for _ in range(2):
        client.seat_bot(match, RED)
        secret = SEATS.secret(match, RED)
        client.add_token(match, RED, secret)
        client.add_signer(match, RED, bot_signer(SEATS.links_secret(match, RED)))
        client.leave(match, RED)
    anchors = [
        event.anchor for slice_ in client.log(match) for event in slice_.events if isinstance(event, SeatSecured)
    ]

    assert len(anchors) == len(set(anchors)) == 2
    assert anchors[1] == LinkChain(bytes.fromhex(bot_tip(SEATS.links_secret(match, RED), 2))).anchor


def answer(log: MemoryLog, match: MatchId) -> None:
    """Play the first option of the Russian seat until the German one is to decide; through the store, as another process would."""
    client = local_client(log)
    while (legal := client.legal(match)).to_move == RUSSIAN:
        own = client.legal(match, RUSSIAN, words=False)
        with suppress(RequestFailed):
            client.play(match, RUSSIAN, own.options[-1].number, expected=legal.seq)


@each_row(
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


def test_a_client_that_asks_for_a_bot_a_thousand_times_has_as_many_as_are_allowed_and_is_told() -> None:
    """A thousand requests take some seconds."""
    log = MemoryLog()
    local = local_client(log)
    matches = [local.open("advance", dice="manual").match for _ in range(40)]
    with served(log, bots=True, limits=Limits(bots=20)) as broker, client_of(broker) as client:
        codes: Counter[str] = Counter()
        said = set()
        for number in range(1_000):
            try:
                client.seat_bot(matches[number % len(matches)], GERMAN)
            except RequestFailed as error:
                codes[error.code] += 1
                said.add(str(error).partition(";")[0])
        seated = sum(bool(client.state(match).table.players) for match in matches)

        assert seated == 20
        assert codes == {"too_many": 980}
        assert said == {"a client may have 20 seats played by bots of the server an hour, refilled steadily"}


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


def test_bots_follow_a_ruling_to_the_other_match_and_a_person_is_no_bot_whatever_the_name() -> None:
    """Of two with the name of a bot one is the server's, which sits down at once; the other has the seat reserved, and takes it."""
    client = Client(
        LocalTransport(Desk(MemoryLog(), owner=OWNER, bots=SEATS)), SystemIdentity(), SystemClock(), owner=OWNER
    )
    match = client.open("skirmish", dice="seeded", seed="3").match
    client.seat_bot(match, RED)
    client.take_seat(match, BLUE, bot_name("random"), sign=False)
    at = client.state(match).table.seq
    line = client.fork(match, ARBITER, at, dice="seeded", seed="4").match
    client.play(match, ARBITER, OpenDispute(at=at, text="Out of range."))
    client.play(match, ARBITER, MakeRuling(text="Again.", at=at, effect="go-on", line=line))
    done = client.hand_over(match, line)
    is_taken = take_over(client, match, line, BLUE, bot_name("random"))
    table = client.state(line).table
    report = run_bot(client, match, BLUE)

    assert (done.bots, done.kept, done.problem) == ((RED,), (BLUE,), "")
    assert is_taken
    assert SEATS.is_ours(line, RED, table.credentials[RED])
    assert not SEATS.is_ours(line, BLUE, table.credentials[BLUE])
    assert (report.ended is not None, report.goes_on) == (True, line)
    with pytest.raises(RequestFailed, match="no bot of this server has the seat blue"):
        client.seat_bot(client.open("skirmish").match, BLUE, of=match)


def test_a_bot_that_is_not_asked_plays_nothing() -> None:
    log = MemoryLog()
    client = local_client(log)
    match = client.open("battle", dice="seeded").match

    assert not play_turn(client, Turn(match, GERMAN, "greedy", "x" * 32))


@each_row("game", list(GAMES))
def test_bots_of_a_server_play_every_game(game: GameKey) -> None:
    """Also commands that are no options, such as the move of a whole stack in Axis & Allies."""
    desk = Desk(MemoryLog(), bots=SEATS, trusted=True)
    client = Client(LocalTransport(desk), SystemIdentity(), SystemClock())
    opened = client.open(game, dice="seeded", seed="1")
    for seat in opened.seats:
        client.seat_bot(opened.match, seat)
    bots = Client(LocalTransport(desk), SystemIdentity(), SystemClock())
    turns = {
        seat: Turn(
            opened.match, seat, "greedy", SEATS.secret(opened.match, seat), SEATS.links_secret(opened.match, seat)
        )
        for seat in opened.seats
    }
    for _ in range(DECISIONS):
        play_turn(bots, turns[client.legal(opened.match, words=False).to_move])

    assert client.state(opened.match).seq > DECISIONS
