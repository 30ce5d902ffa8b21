"""Serving, bots and spectators, over sockets and on a local store."""

import signal
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from cli.schemas.server import ServingShape
from cli.shell.seat_secrets import played_here
from core.match.arbiter_commands import ReserveSeat
from events.codec import Decoder, decode_plain
from events.ids import ARBITER, MatchId, Seat
from events.transparency.signed_note import COSIGNATURE, Signer, read_verifier
from server.broker.broker import Broker
from server.broker.serving import ADDRESS, EVENTS
from server.client.bots import run_bot
from server.protocol.curve import CurveKey
from server.protocol.identity import credential
from server.store.sqlite_log import SqliteLog
from tests.cli.running import Terminal
from tests.support.served import client_of, served
from tests.support.sitting import OWNER
from tests.support.soak import few
from tests.support.witness import WITNESS, Double, serving

ANYWHERE = ["--listen", "tcp://127.0.0.1:*", "--events", "tcp://127.0.0.1:*"]
BLUE = Seat("blue")


@pytest.fixture
def broker(terminal: Terminal) -> Iterator[Broker]:
    """A server on the terminal's store."""
    terminal.line("new", "skirmish")
    with SqliteLog(terminal.store) as log, served(log) as running:
        yield running


def played(broker: Broker, terminal: Terminal, seed: str = "1") -> str:
    """Open a match over sockets and let two bots play it: one in a thread, one by the verb."""
    with client_of(broker) as client:
        match = client.open("skirmish", dice="seeded", seed="4").match
        # Another client plays the seat, which holds no key of this one.
        client.take_seat(match, BLUE, "Ben", sign=False)

        def play_blue() -> None:
            with client_of(broker) as other:
                other.add_token(match, BLUE, client.token(match, BLUE))
                run_bot(other, match, BLUE)

        thread = Thread(target=play_blue)
        thread.start()
        ran = terminal.done(
            "bot", "skirmish", "--connect", broker.address, "--match", match[:6], "--seat", "red", "--json"
        )
        thread.join(60)
    (shape,) = ran.objects

    assert (shape["match"], shape["seat"], shape["ended"] is not None) == (match, "red", True)
    assert int(str(shape["commands"])) > 0

    return str(match)


def test_a_bot_plays_its_seat_to_the_end(broker: Broker, terminal: Terminal) -> None:
    match = played(broker, terminal)

    assert terminal("audit", match).code == 0


def test_a_bot_does_not_take_a_seat_in_a_match_of_another_game(broker: Broker, terminal: Terminal) -> None:
    with client_of(broker) as client:
        match = client.open("advance").match
        ran = terminal("bot", "skirmish", "--connect", broker.address, "--match", match, "--seat", "red")

        assert (ran.code, ran.err) == (2, f"wardiary: match {match} is of advance, not of skirmish\n")
        assert client.state(match).table.players == {}


def test_a_match_unknown_to_the_server_is_not_looked_up_in_the_local_store(broker: Broker, terminal: Terminal) -> None:
    ran = terminal("watch", "nowhere", "--connect", broker.address)

    assert (ran.code, ran.err) == (2, "wardiary: no match of this server begins with 'nowhere'\n")


def test_a_bot_finds_a_free_seat_or_opens_a_match(broker: Broker, terminal: Terminal) -> None:
    with client_of(broker) as client:
        match = client.open("skirmish", dice="seeded", seed="3").match
        client.take_seat(match, BLUE, "Ben")
    ran = terminal.done("bot", "skirmish", "--connect", broker.address, "--commands", "1", "--policy", "random")

    assert ran.out.startswith(f"{match}: random bot played 1 commands as red")


def test_a_bot_that_is_started_again_plays_on(broker: Broker, terminal: Terminal) -> None:
    ran = []
    with client_of(broker) as client:
        match = client.open("skirmish", dice="seeded", seed="3").match
        client.take_seat(match, BLUE, "Ben")
        bot = ("bot", "skirmish", "--connect", broker.address, "--match", match, "--seat", "red", "--commands", "1")
        for _ in range(2):
            ran.append(terminal(*bot))
            while (legal := client.legal(match, BLUE)).to_move == BLUE:
                client.play(match, BLUE, 1, expected=legal.seq)

    assert [one.err for one in ran] == [
        f"random bot plays red in match {match}\n",
        f"random bot plays on as red in match {match}\n",
    ]
    # The user's own commands do not mean the seats of bots.
    assert "Only Red sees the options." in terminal("legal", match, "--connect", broker.address).out


def test_a_bot_that_found_its_match_goes_on_there_when_it_is_started_again(broker: Broker, terminal: Terminal) -> None:
    ran = []
    with client_of(broker) as client:
        match = client.open("skirmish", dice="seeded", seed="3").match
        client.take_seat(match, BLUE, "Ben")
        for _ in range(2):
            ran.append(terminal("bot", "skirmish", "--connect", broker.address, "--seat", "red", "--commands", "1").err)
            while (legal := client.legal(match, BLUE)).to_move == BLUE:
                client.play(match, BLUE, 1, expected=legal.seq)

    assert ran == [f"random bot plays red in match {match}\n", f"random bot plays on as red in match {match}\n"]


def test_a_seat_is_played_by_one_bot_of_a_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / "seats.json"))
    match = MatchId("m")
    with played_here(match, BLUE) as first, played_here(match, BLUE) as second:
        found = (first, second)
    with played_here(match, BLUE) as again:
        assert (*found, again) == (True, False, True)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_kept", [True, False])
def test_a_bot_plays_a_seat_of_this_user(broker: Broker, terminal: Terminal, is_kept: bool) -> None:
    with client_of(broker) as client:
        match = client.open("skirmish", dice="seeded", seed="3").match
        client.take_seat(match, BLUE, "Ben", sign=False)
        secret = "" if is_kept else client.take_seat(match, Seat("red"), "Ada", sign=False).token
    if is_kept:
        terminal.done("sit", match, "--seat", "red", "--connect", broker.address)
    typed = ["--token", secret] if secret else []
    ran = terminal(
        "bot", "skirmish", "--connect", broker.address, "--match", match, "--seat", "red", "--commands", "1", *typed
    )

    assert (ran.code, ran.err) == (0, f"random bot plays on as red in match {match}\n")


def test_a_bot_takes_a_reserved_seat_with_its_invitation_and_no_taken_one(broker: Broker, terminal: Terminal) -> None:
    with client_of(broker, owner=OWNER) as client:
        match = client.open("skirmish", dice="seeded", seed="3").match
        client.take_seat(match, BLUE, "Ben", sign=False)
        client.play(match, ARBITER, ReserveSeat(seat=Seat("red"), credential=credential("for a bot")))
    bot = ("bot", "skirmish", "--connect", broker.address, "--match", match, "--commands", "1")

    assert "reserved" in terminal(*bot, "--seat", "red").err
    assert terminal(*bot, "--seat", "red", "--token", "for a bot").code == 0
    assert terminal(*bot, "--seat", "blue").err == "wardiary: The seat blue is taken. (match.seats)\n"


def test_a_spectator_sees_all_public_events_in_order(broker: Broker, terminal: Terminal) -> None:
    match = played(broker, terminal)
    ran = terminal.done("watch", match[:5], "--connect", broker.address, "--from-start", "--json")

    assert ran.out == terminal.done("log", match, "--json").out


def test_following_a_local_store_needs_no_server(terminal: Terminal, skirmish: str) -> None:
    terminal.done("choose", skirmish, "resign", "--seat", "red")
    out = terminal.done("watch", skirmish, "--from-start").out

    assert "Before play" in out
    assert out.endswith("The match is over: Resignation of Red, won by Blue (Ada).\n")


def test_following_shows_events_as_they_happen(terminal: Terminal, golden: tuple[Terminal, str]) -> None:
    source, match = golden
    source.done("export", match, str(terminal.store.with_name("m.ndjson")))
    terminal.done("import", str(terminal.store.with_name("m.ndjson")))
    with terminal.started(["watch", match, "--json"]) as process:
        assert process.stderr is not None
        process.stderr.readline()
        terminal.done("choose", match, "resign", "--seat", "german")
        assert process.stdout is not None
        told = process.stdout.read().decode()

        assert process.wait(60) == 0
    assert '"event":"match-ended/1"' in told


@pytest.mark.parametrize(("number", "code"), few([(signal.SIGINT, 130), (signal.SIGTERM, 0)]))
def test_a_server_prints_its_addresses_and_ends_on_a_signal(number: int, code: int, terminal: Terminal) -> None:
    with terminal.started(["serve", "--json", *ANYWHERE]) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        shape = Decoder[ServingShape](ServingShape).decode(process.stdout.readline())

        assert shape.requests.startswith("tcp://127.0.0.1:")
        assert shape.store == str(terminal.store)

        process.send_signal(number)
        notes = process.stderr.read().decode().splitlines()

        assert process.wait(60) == code
    assert '"what":"stopped"' in "".join(notes)
    assert [line for line in notes if "Traceback" in line] == []


def test_a_server_warns_if_other_users_may_read_its_store(terminal: Terminal) -> None:
    terminal.done("new", "skirmish")
    terminal.store.chmod(0o644)
    with terminal.started(["serve", *ANYWHERE]) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.terminate()
        notes = [decode_plain(line) for line in process.stderr.read().splitlines()]

        assert process.wait(60) == 0
    told = [note for note in notes if isinstance(note, dict) and f"chmod 600 {terminal.store}" in str(note["what"])]
    assert [note["level"] for note in told] == ["warning"]


@pytest.mark.long
def test_a_server_with_a_key_prints_its_public_key(terminal: Terminal) -> None:
    key = terminal.store.with_name("server.key")
    with terminal.started(["serve", "--json", "--curve-key", str(key), *ANYWHERE]) as process:
        assert process.stdout is not None
        shape = Decoder[ServingShape](ServingShape).decode(process.stdout.readline())
        ran = terminal.as_process(
            "bot", "advance", "--connect", shape.requests, "--server-key", shape.key, "--commands", "2"
        )
        process.terminate()

        assert process.wait(60) == 0
    assert (ran.code, len(shape.key)) == (0, 40)
    assert key.exists()


@pytest.mark.long
def test_a_server_with_a_client_list_admits_a_listed_bot(terminal: Terminal) -> None:
    """The bot prints its public key, so the operator of the server can list it."""
    key, own, clients = (str(terminal.store.with_name(name)) for name in ("server.key", "own.key", "clients"))
    listed = CurveKey.new()
    Path(clients).write_bytes(listed.public + b"  the bot\n")
    Path(own).write_bytes(listed.secret + b"\n")
    with terminal.started(["serve", "--json", "--curve-key", key, "--allow-client", clients, *ANYWHERE]) as process:
        assert process.stdout is not None
        shape = Decoder[ServingShape](ServingShape).decode(process.stdout.readline())
        where = ["--connect", shape.requests, "--server-key", shape.key, "--curve-client-key", own]
        ran = terminal.as_process("bot", "advance", *where, "--commands", "2")
        process.terminate()

        assert process.wait(60) == 0
    assert ran.code == 0
    assert f"this client's public key, for the server's --allow-client: {listed.public.decode()}" in ran.err


@pytest.mark.long
def test_witnesses_that_are_away_slow_or_answer_nonsense_stop_nobody(terminal: Terminal) -> None:
    """Of three witnesses none cosigns at first; play goes on, and the late answer of the slow one is taken in."""
    key = terminal.done("keys", "create").out.split()[1]
    away, late = (Signer(name, bytes([place]) * 32, COSIGNATURE) for place, name in enumerate(("away", "late")))
    nonsense, slow = Double(read_verifier(key)), Double(read_verifier(key), late)
    nonsense.says = (200, "hello", "text/plain")
    slow.may_answer.clear()
    policy = terminal.store.with_name("policy")
    policy.write_text(f"log {key}\nwitness w {late.verifier.text}\nquorum w\n")
    with serving(nonsense) as there, serving(slow) as slowly:
        named = zip((away, WITNESS, late), ("http://127.0.0.1:9", there, slowly), strict=True)
        witnesses = [word for one, url in named for word in ("--witness", f"{one.verifier.text} {url}")]
        with terminal.started(["serve", "--json", *ANYWHERE, *witnesses]) as process:
            assert process.stdout is not None
            assert process.stderr is not None
            shape = Decoder[ServingShape](ServingShape).decode(process.stdout.readline())
            there_is = ("--connect", shape.requests)
            match = terminal.done("new", "advance", *there_is).out.split()[-1]
            unsure = terminal("evidence", match, "--policy", str(policy), *there_is)
            slow.may_answer.set()
            cosigned = terminal.done("evidence", match, "--policy", str(policy), *there_is).out
            process.terminate()
            notes = [decode_plain(line) for line in process.stderr.read().splitlines()]

    assert (unsure.code, unsure.err.count("\n")) == (4, 1)
    assert "the policy asks for w; a witness may be away: try again later" in unsure.err
    assert "Cosigned by w at " in cosigned
    assert {note["said"].partition(":")[0] for note in notes if note["what"] == "witness"} == {  # type: ignore[index]
        "the witness away does not answer",
        f"the witness {WITNESS.name} answers with something that is not its cosignature",
    }


def test_viewing_as_a_seat_needs_its_secret(broker: Broker, terminal: Terminal) -> None:
    with client_of(broker) as client:
        match = MatchId(client.open("skirmish", dice="seeded", seed="4").match)
        tokens = {seat: client.take_seat(match, Seat(seat)).token for seat in ("red", "blue")}
        client.play(match, Seat("red"), {"do": "match:resign"})
    words = ["watch", match, "--connect", broker.address, "--seat", "red", "--from-start", "--json"]
    seen = terminal.done(*words, "--token", tokens["red"]).out

    assert seen == terminal.done("log", match, "--seat", "red", "--json").out
    assert terminal(*words, "--token", tokens["blue"]).code == 2


@pytest.mark.parametrize(
    ("verb", "addresses"), [("serve", (ADDRESS, EVENTS)), ("bot", (ADDRESS,)), ("watch", (ADDRESS,))]
)
def test_the_help_names_the_default_addresses(verb: str, addresses: tuple[str, ...], terminal: Terminal) -> None:
    said = " ".join(terminal.done(verb, "--help").out.split())

    assert all(address in said for address in addresses)


@pytest.mark.parametrize("verb", ["show", "fork", "explain"])
def test_the_help_explains_whose_event_numbers_are_meant(verb: str, terminal: Terminal) -> None:
    assert "a seat counts only the events that it sees" in " ".join(terminal.done(verb, "--help").out.split())
