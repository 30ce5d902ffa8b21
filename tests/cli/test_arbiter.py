"""The arbiter's verbs over sockets: an organiser has a capability, and neither the machine nor the store's file."""

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.codec import decode_plain
from events.ids import MatchId
from events.memory_log import MemoryLog
from server.broker.broker import Broker
from server.broker.json_logger import JsonLogger
from server.protocol.clock import SystemClock
from tests.cli.running import Terminal
from tests.cli.test_connected import Player
from tests.support.served import served
from tests.support.sitting import OWNER


@pytest.fixture
def broker() -> Iterator[Broker]:
    with served(MemoryLog()) as running:
        yield running


@pytest.fixture
def organiser(tmp_path: Path, broker: Broker) -> Player:
    return Player(tmp_path / "olga", broker)


@pytest.fixture
def ada(tmp_path: Path, broker: Broker) -> Player:
    return Player(tmp_path / "ada", broker)


@pytest.fixture
def ben(tmp_path: Path, broker: Broker) -> Player:
    return Player(tmp_path / "ben", broker)


@pytest.fixture
def capability(tmp_path: Path, broker: Broker) -> str:
    operator = Player(tmp_path / "operator", broker)
    return operator.line("arbiters", "--add", "Olga", WARDIARY_OWNER=OWNER)


@pytest.fixture
def match(organiser: Player, capability: str) -> str:
    opened = organiser.done("new", "skirmish", "--dice", "seeded:2", "--free-seats").strip()
    organiser.done("sit", opened, "--seat", "arbiter", "--token", capability)
    return opened


def hand_out(organiser: Player, match: str, seat: str, player: Player, name: str) -> None:
    """Let a player sit down with an invitation."""
    invitation = organiser.line("invite", match, "--seat", seat, "--name", name)
    player.done("sit", match, "--seat", seat, "--name", name, "--token", invitation)


def test_a_capability_is_kept_for_every_match_of_the_server(organiser: Player, match: str) -> None:
    other = organiser.done("new", "skirmish", "--free-seats").strip()

    assert organiser("show", other, "--seat", "arbiter").code == 2

    organiser.done("sit", other, "--seat", "arbiter")

    assert "Arbiter: Olga" in organiser.done("show", other, "--seat", "arbiter")
    kept = decode_plain(organiser.file.read_bytes())
    assert isinstance(kept, dict)
    (of_server,) = kept.values()
    assert set(of_server) == {"*", match, other}


def test_a_refused_attempt_does_not_cost_the_office(organiser: Player, match: str, ada: Player) -> None:
    assert organiser("sit", match, "--seat", "arbiter", "--token", "a secret that opens nothing").code == 5

    organiser.done("note", match, "Still here.", "--seat", "arbiter")

    # Who takes the office again keeps the name of the capability, whatever name is typed.
    (seat,) = organiser("sit", match, "--seat", "arbiter", "--name", "Otto", "--json").objects
    assert (seat["name"], seat["is_taken"]) == ("Olga", True)
    organiser.done("note", match, "And again.", "--seat", "arbiter")


def test_the_operator_ends_a_capability(organiser: Player, match: str, tmp_path: Path, broker: Broker) -> None:
    operator = Player(tmp_path / "operator", broker)

    assert operator.line("arbiters", WARDIARY_OWNER=OWNER) == "Olga"
    assert organiser("arbiters").code == 2
    assert organiser("arbiters", "--add", "Otto", "--remove", "Olga").code == 2

    operator.done("arbiters", "--remove", "Olga", WARDIARY_OWNER=OWNER)
    ran = organiser("pause", match, "--reason", "Dinner.")

    assert (ran.code, "does not prove" in ran.err) == (2, True)


def test_a_seat_is_handed_out_by_an_invitation_that_opens_it_once(
    organiser: Player, match: str, ada: Player, ben: Player
) -> None:
    invitation = organiser.line("invite", match, "--seat", "red", "--name", "Ada")

    refused = ben("sit", match, "--seat", "red")
    assert (refused.code, "--token" in refused.err) == (5, True)
    assert "by invitation: Red (Ada)" in organiser.done("show", match)

    assert "you play red" in ada.done("sit", match, "--seat", "red", "--name", "Ada", "--token", invitation)

    assert ben("sit", match, "--seat", "red", "--token", invitation).code == 5
    hand_out(organiser, match, "blue", ben, "Ben")
    assert "1  " in ben.done("legal", match)
    assert invitation not in organiser.done("log", match, "-v", "--json", "--seat", "arbiter")


def test_an_invitation_is_withdrawn(organiser: Player, match: str, ada: Player) -> None:
    invitation = organiser.line("invite", match, "--seat", "red")
    organiser.done("invite", match, "--seat", "red", "--withdraw")

    assert ada("sit", match, "--seat", "red", "--token", invitation).code == 5
    ada.done("sit", match, "--seat", "red")


def test_a_secret_that_is_known_is_kept_on_another_machine(
    organiser: Player, match: str, ada: Player, ben: Player
) -> None:
    ada.done("sit", match, "--seat", "red")
    kept = decode_plain(ada.file.read_bytes())
    assert isinstance(kept, dict)
    (of_server,) = kept.values()
    ben.done("sit", match, "--seat", "red", "--token", of_server[match]["red"])

    ben.done("note", match, "From my other machine.", "--seat", "red")


def test_a_player_who_vanished_is_replaced(organiser: Player, match: str, ada: Player, ben: Player) -> None:
    hand_out(organiser, match, "red", ada, "Ada")
    hand_out(organiser, match, "blue", ben, "Ben")
    invitation = organiser.line("replace", match, "--seat", "blue", "--name", "Cleo", "--reason", "Ben is gone.")

    gone = ben("play", match, "1", "--seat", "blue")
    assert (gone.code, "does not prove" in gone.err) == (2, True)

    ben.file.unlink()
    ben.done("sit", match, "--seat", "blue", "--name", "Cleo", "--token", invitation)
    ben.done("play", match, "1")
    log = organiser.done("log", match)
    assert "The arbiter removes Ben from the Blue seat: Ben is gone." in log
    assert "The Blue seat is reserved for Cleo, by invitation." in log


def test_nothing_is_played_during_a_pause(organiser: Player, match: str, ada: Player, ben: Player) -> None:
    hand_out(organiser, match, "red", ada, "Ada")
    hand_out(organiser, match, "blue", ben, "Ben")
    organiser.done("pause", match, "--reason", "Dinner.")
    refused = ben("play", match, "1")

    assert (refused.code, "paused: Dinner" in refused.err) == (5, True)
    assert "The match is paused: Dinner." in ada.done("show", match)

    organiser.done("resume", match)
    ben.done("play", match, "1")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("award", "--to", "red", "--reason", "Ben is gone."), "The match is over: Awarded, won by Red. Ben is gone."),
        (("annul", "--reason", "The wrong map."), "The match is over: Annulled. The wrong map."),
    ],
)
def test_the_arbiter_ends_a_match(
    words: tuple[str, ...], told: str, organiser: Player, match: str, ada: Player
) -> None:
    verb, *options = words

    assert ada(verb, match, *options).code == 2

    organiser.done(verb, match, *options)

    assert told in ada.done("show", match)


def test_a_verb_says_the_same_on_a_store_and_through_a_server(
    organiser: Player, match: str, terminal: Terminal
) -> None:
    here = terminal.line("new", "skirmish", "--dice", "seeded:2", "--free-seats")
    deeds = [
        ["pause", "--reason", "Dinner."],
        ["resume"],
        ["note", "Well played.", "--seat", "arbiter"],
        ["ruling", "So be it.", "--rule", "match.pause"],
        ["annul", "--reason", "The wrong map."],
        ["pause", "--reason", "Too late."],
    ]
    told = []
    for run, of in ((terminal, here), (organiser, match)):
        ran = [run(verb, of, *more, "--json") for verb, *more in deeds]
        told.append([(one.code, one.err, [_sentences(shape) for shape in one.objects]) for one in ran])

    assert told[0] == told[1]
    assert [code for code, _, _ in told[0]] == [0, 0, 0, 0, 0, 5]
    assert told[0][0][2] == [["The match is paused: Dinner."]]


def _sentences(shape: dict[str, object]) -> list[str]:
    """Return what is told of the events of a command."""
    events = shape["events"]
    assert isinstance(events, list)
    return [event["sentence"] for event in events]


def test_a_ruling_names_a_rule_of_the_game(organiser: Player, match: str) -> None:
    refused = organiser("ruling", match, "So be it.", "--rule", "match.pauze")

    assert (refused.code, "did you mean match.pause" in refused.err) == (2, True)

    organiser.done("ruling", match, "So be it.", "--rule", "match.pause")


def test_no_secret_is_in_the_servers_own_log_or_in_its_store(tmp_path: Path) -> None:
    lines, log = io.BytesIO(), MemoryLog()
    with served(log, logger=JsonLogger(lines, SystemClock(), "debug")) as running:
        operator, olga, ben = (Player(tmp_path / name, running) for name in ("operator", "olga", "ben"))
        capability = operator.line("arbiters", "--add", "Olga", WARDIARY_OWNER=OWNER)
        match = olga.done("new", "skirmish", "--free-seats").strip()
        olga.done("sit", match, "--seat", "arbiter", "--token", capability)
        invitation = olga.line("invite", match, "--seat", "red")
        assert ben("sit", match, "--seat", "red", "--token", f"{invitation}x").code == 5
        ben.done("sit", match, "--seat", "red", "--token", invitation)
        assert ben("sit", match, "--seat", "arbiter", "--name", "Eve", "--token", invitation).code == 5
        kept = olga.file.read_text() + ben.file.read_text()
    secrets = {capability, invitation, OWNER, *re.findall(r'"([0-9a-f]{48})"', kept)}
    stored = b"".join(bytes(one.body) for one in log.read(MatchId(match))) + str(log.appointed()).encode()

    assert len(secrets) == 5
    assert b"appointed" in lines.getvalue()
    assert [one for one in secrets if one.encode() in lines.getvalue() + stored] == []


def test_a_list_of_arbiters_makes_no_store(terminal: Terminal) -> None:
    assert terminal("arbiters").code == 3
    assert not terminal.store.exists()


def test_on_a_store_the_same_verbs_need_no_secret(terminal: Terminal) -> None:
    match = terminal.line("new", "skirmish", "--dice", "seeded:2", "--free-seats")
    invitation = terminal.line("invite", match, "--seat", "red")

    assert terminal("sit", match, "--seat", "red").code == 5
    assert terminal("sit", match, "--seat", "arbiter").code == 2

    terminal.done("sit", match, "--seat", "red", "--token", invitation)
    terminal.done("sit", match, "--seat", "blue")
    terminal.done("pause", match, "--reason", "Dinner.")
    terminal.done("resume", match)
    terminal.line("replace", match, "--seat", "red", "--reason", "Gone.")
    terminal.done("award", match, "--to", "blue", "--reason", "Red is gone.")
    assert terminal.done("audit", match).code == 0
    assert len(terminal.line("arbiters", "--add", "Olga")) >= 32
    assert terminal.line("arbiters") == "Olga"
