"""The arbiter's verbs over sockets: an organiser has a capability, and neither the machine nor the store's file."""

import io
import re
from pathlib import Path

import pytest

from events.codec import decode_plain
from events.ids import MatchId
from events.memory_log import MemoryLog
from server.broker.broker import Broker
from server.broker.json_logger import JsonLogger
from server.protocol.clock import SystemClock
from tests.cli.running import Player, Terminal
from tests.support.served import served
from tests.support.sitting import OWNER


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
    opened = organiser.done("new", "skirmish", "--dice", "seeded:7", "--free-seats").strip()
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

    assert operator("arbiters", "--remove", "Olga", WARDIARY_OWNER=OWNER).code == 0
    ran = organiser("pause", match, "--reason", "Dinner.")

    assert (ran.code, "does not prove" in ran.err) == (2, True)


def test_the_log_tells_that_an_office_ended_with_its_capability(
    organiser: Player, match: str, tmp_path: Path, broker: Broker
) -> None:
    operator = Player(tmp_path / "operator", broker)
    again = operator("arbiters", "--add", "Olga", WARDIARY_OWNER=OWNER)
    assert (again.code, "has a capability already" in again.err) == (5, True)
    for option in ("--add", "--remove"):
        assert operator("arbiters", option, "", WARDIARY_OWNER=OWNER).code == 2

    removed = operator("arbiters", "--remove", "Olga", WARDIARY_OWNER=OWNER)

    assert removed.err == f"1 office ended with a capability, and the log says so: {match}\n"
    assert "Arbiter: Olga" not in operator.done("show", match)
    assert organiser.done("log", match).splitlines()[-1].endswith("Olga is no longer the arbiter.")
    (listed,) = operator("arbiters", "--json", WARDIARY_OWNER=OWNER).objects
    assert (listed["names"], listed["ended"]) == ([], [])


def test_the_arbiters_deeds_are_found(organiser: Player, match: str, ada: Player, ben: Player) -> None:
    hand_out(organiser, match, "red", ada, "Ada")
    organiser.line("invite", match, "--seat", "blue")
    organiser.done("invite", match, "--seat", "blue", "--withdraw")
    hand_out(organiser, match, "blue", ben, "Ben")
    organiser.done("pause", match, "--reason", "Dinner.")
    organiser.line("replace", match, "--seat", "blue", "--reason", "Gone.")
    organiser.done("resume", match)
    organiser.done("note", match, "Where is Ben?", "--seat", "arbiter")
    organiser.done("ruling", match, "So be it.")
    organiser.done("award", match, "--to", "red", "--reason", "Ben is gone.")
    organiser.done("leave", match, "--seat", "arbiter")
    kinds = [one["event"]["event"] for one in ada("find", match, "--by", "arbiter", "--json").objects]  # type: ignore[index]

    assert kinds == [
        "arbiter-seated/1",
        *["seat-reserved/1"] * 4,
        "match-paused/1",
        "player-replaced/1",
        "seat-reserved/1",
        "match-resumed/1",
        "note-added/1",
        "ruling-made/1",
        "match-ended/1",
        "arbiter-left/1",
    ]


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


def test_an_invitation_carries_its_name(organiser: Player, match: str, ada: Player, ben: Player) -> None:
    invited = organiser("invite", match, "--seat", "red", "--name", "Ada L")

    assert f"sit {match} --seat red --name 'Ada L' --token INVITATION" in invited.err

    (seat,) = ada("sit", match, "--seat", "red", "--token", invited.out.strip(), "--json").objects
    assert seat["name"] == "Ada L"
    assert "Ada L" in organiser.done("list")
    office = organiser("invite", match, "--seat", "arbiter")
    assert "--seat arbiter --name NAME --token" in office.err
    nameless = ben("sit", match, "--seat", "arbiter", "--token", office.out.strip())
    assert (nameless.code, "--name" in nameless.err) == (5, True)
    office = organiser("invite", match, "--seat", "arbiter", "--name", "Otto")
    ben.done("sit", match, "--seat", "arbiter", "--token", office.out.strip())
    assert "Arbiter: Otto" in ada.done("show", match)


@pytest.mark.parametrize("name", [(), ("--name", "Olga"), ("--name", "Somebody else")])
def test_an_arbiter_does_not_play_under_any_name(name: tuple[str, ...], organiser: Player, match: str) -> None:
    sat = organiser("sit", match, "--seat", "red", *name)

    assert (sat.code, "nobody is its arbiter and plays in it" in sat.err) == (5, True)
    assert organiser("choose", match, "begin").code == 5


def test_a_player_does_not_become_the_arbiter_under_another_name(ada: Player, capability: str) -> None:
    match = ada.line("new", "skirmish", "--free-seats")
    ada.done("sit", match, "--seat", "red")

    refused = ada("sit", match, "--seat", "arbiter", "--token", capability)
    assert (refused.code, "you play red" in refused.err) == (5, True)


def test_a_player_of_a_match_with_an_arbiter_is_told_to_give_a_name(match: str, ada: Player) -> None:
    for words in (("sit", match, "--seat", "red"), ("choose", match, "begin")):
        refused = ada(*words)
        assert (refused.code, "with `sit --name`" in refused.err) == (5, True)


def test_a_note_names_its_person_and_needs_a_seat_only_where_there_are_several(
    organiser: Player, match: str, ada: Player, ben: Player
) -> None:
    assert ada("note", match, "Hello.").code == 2
    hand_out(organiser, match, "red", ada, "Ada")
    ada.done("note", match, "Hello.")
    organiser.done("note", match, "Good evening.")
    ada.done("sit", match, "--seat", "blue", "--name", "Ada")

    assert "name with --seat which" in ada("note", match, "Both.").err
    log = ben.done("log", match)
    assert "Note by Red (Ada): Hello." in log
    assert "Note by Arbiter (Olga): Good evening." in log


def test_the_arbiter_finds_an_event_by_the_number_of_a_seat(
    organiser: Player, match: str, ada: Player, ben: Player
) -> None:
    hand_out(organiser, match, "red", ada, "Ada")
    hand_out(organiser, match, "blue", ben, "Ben")
    ada.done("note", match, "A bluff.", "--private")
    ben.done("note", match, "This is wrong.")
    (mine,) = ben("find", match, "--text", "wrong", "--seat", "blue", "--json").objects
    (logged,) = organiser("find", match, "--text", "wrong", "--seat", "arbiter", "--json").objects
    point = f"{match}@{mine['seq']}"

    assert mine["seq"] != logged["seq"]
    told = organiser.done("explain", point, "--of", "blue")
    assert told.startswith(f"Event {logged['seq']}: Note by Blue (Ben): This is wrong.")
    assert ben("explain", point, "--of", "blue").code == 2
    assert "red, blue, public" in organiser("explain", point, "--of", "green").err
    beyond = organiser("explain", f"{match}@999", "--of", "blue").err
    assert f"blue has seen the events 1 to {mine['seq']}" in beyond


def test_every_match_is_exported_to_its_own_archive(
    organiser: Player, match: str, ada: Player, terminal: Terminal, tmp_path: Path
) -> None:
    other = ada.done("new", "skirmish", "--free-seats").strip()
    folder = tmp_path / "evening"
    ran = organiser("export", "--all", str(folder), "-v")

    assert [path.name for path in folder.iterdir()] == [f"skirmish-{match}.ndjson.zst"]
    assert (ran.code, f"match {other} was not exported" in ran.err) == (0, True)
    terminal.done("import", str(folder / f"skirmish-{match}.ndjson.zst"))
    terminal.done("export", "--all", str(folder / "again"))
    assert terminal.done("audit", str(folder / "again" / f"skirmish-{match}.ndjson.zst")).code == 0
    for words in (("export", match), ("export", "--all", match, "file"), ("export", "--all")):
        assert terminal(*words).code == 2


def test_an_invitation_is_withdrawn(organiser: Player, match: str, ada: Player) -> None:
    invitation = organiser.line("invite", match, "--seat", "red")
    organiser.done("invite", match, "--seat", "red", "--withdraw")

    assert ada("sit", match, "--seat", "red", "--name", "Ada", "--token", invitation).code == 5
    ada.done("sit", match, "--seat", "red", "--name", "Ada")


def test_an_invitation_is_given_for_a_time(organiser: Player, match: str) -> None:
    assert len(organiser.line("invite", match, "--seat", "red", "--for", "7d")) == 48

    assert "for a time" in organiser("log", match).out
    assert "by invitation: Red (until 20" in organiser.done("show", match)
    assert organiser("invite", match, "--seat", "blue", "--for", "soon").code == 2
    assert organiser("invite", match, "--seat", "blue", "--for", "9999d").code == 5
    assert organiser("invite", match, "--seat", "red", "--for", "7d", "--withdraw").code == 2


def test_a_secret_that_is_known_is_kept_on_another_machine(
    organiser: Player, match: str, ada: Player, ben: Player
) -> None:
    ada.done("sit", match, "--seat", "red", "--name", "Ada")
    kept = decode_plain(ada.file.read_bytes())
    assert isinstance(kept, dict)
    (of_server,) = kept.values()
    seated = ben("sit", match, "--seat", "red", "--token", of_server[match]["red"])

    assert "sit" in seated.err
    assert ben("note", match, "From my other machine.", "--seat", "red").code == 5
    ben.done("sit", match, "--seat", "red", "--new-key")
    ben.done("note", match, "From my other machine.", "--seat", "red")


def test_a_player_who_vanished_is_replaced(organiser: Player, match: str, ada: Player, ben: Player) -> None:
    hand_out(organiser, match, "red", ada, "Ada")
    hand_out(organiser, match, "blue", ben, "Ben")
    invitation = organiser.line("replace", match, "--seat", "blue", "--name", "Cleo", "--reason", "Ben is gone.")

    gone = ben("choose", match, "1", "--seat", "blue")
    assert (gone.code, "does not prove" in gone.err) == (2, True)

    ben.file.unlink()
    ben.done("sit", match, "--seat", "blue", "--name", "Cleo", "--token", invitation)
    ben.done("choose", match, "1")
    log = organiser.done("log", match)
    assert "The arbiter removes Ben from the Blue seat: Ben is gone." in log
    assert "The Blue seat is reserved for Cleo, by invitation." in log


def test_nothing_is_played_during_a_pause(organiser: Player, match: str, ada: Player, ben: Player) -> None:
    hand_out(organiser, match, "red", ada, "Ada")
    hand_out(organiser, match, "blue", ben, "Ben")
    organiser.done("pause", match, "--reason", "Dinner.")
    refused = ben("choose", match, "1")

    assert (refused.code, "paused: Dinner" in refused.err) == (5, True)
    assert "The match is paused: Dinner." in ada.done("show", match)

    organiser.done("resume", match)
    ben.done("choose", match, "1")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("award", "--to", "red", "--reason", "Ben is gone."),
            "The match is over: Awarded by the arbiter, won by Red. Ben is gone.",
        ),
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
        ["ruling", "So be it.", "--rule", "match.pause"],
        ["annul", "--reason", "The wrong map."],
        ["pause", "--reason", "Too late."],
    ]
    told = []
    for run, of in ((terminal, here), (organiser, match)):
        ran = [run(verb, of, *more, "--json") for verb, *more in deeds]
        told.append([(one.code, one.err, [_sentences(shape) for shape in one.objects]) for one in ran])

    assert told[0] == told[1]
    assert [code for code, _, _ in told[0]] == [0, 0, 0, 0, 5]
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
        ben.done("sit", match, "--seat", "red", "--name", "Ben", "--token", invitation)
        eve = Player(tmp_path / "eve", running)
        assert eve("sit", match, "--seat", "arbiter", "--name", "Eve", "--token", invitation).code == 5
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
