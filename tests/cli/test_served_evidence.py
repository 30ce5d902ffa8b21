"""Audits, archives and trees over sockets: the arbiter gets the evidence, others only what hides nothing."""

from functools import reduce
from pathlib import Path

import pytest

import server.desk.arbiter_handlers
from events.ids import ARBITER
from events.memory_log import MemoryLog
from server.broker.broker import Broker
from server.client.client import Client
from tests.cli.running import Player, Terminal
from tests.support.served import client_of, play_through, seated
from tests.support.sitting import OWNER
from tests.support.tampering import spoil


def test_the_arbiter_audits_and_archives_a_running_match(
    client: Client, player: Player, tmp_path: Path, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = seated(client)
    # So that the commits come in several pages.
    monkeypatch.setattr(server.desk.arbiter_handlers, "PAGE_BYTES_MAX", 500)
    file = str(tmp_path / "match.ndjson")

    assert f"Match {match} is clean" in player.done("audit", match, WARDIARY_OWNER=OWNER)
    assert f"Match {match} is clean" in player.done("audit", "--all", WARDIARY_OWNER=OWNER)
    assert player("export", match, file, WARDIARY_OWNER=OWNER).code == 0

    terminal.done("import", file)
    again = tmp_path / "again.ndjson"
    terminal.done("export", match, str(again))
    assert again.read_bytes() == Path(file).read_bytes()
    assert "is clean" in player.done("audit", file)


def test_the_evidence_of_a_running_match_is_for_its_arbiter(client: Client, player: Player, tmp_path: Path) -> None:
    match = seated(client)
    file = tmp_path / "match.ndjson"
    for words in (("audit", match), ("export", match, str(file))):
        ran = player(*words)
        assert (ran.code, "for its arbiter" in ran.err) == (2, True)

    ran = player("audit", "--all")
    assert (ran.code, f"match {match} was not audited" in ran.err) == (0, True)
    assert not file.exists()


def test_what_one_seat_saw_is_the_same_file_through_a_server_and_on_the_store(
    client: Client, player: Player, tmp_path: Path, log: MemoryLog, terminal: Terminal
) -> None:
    match = seated(client)
    archive, here, there = (str(tmp_path / name) for name in ("whole.ndjson", "here.ndjson", "there.ndjson"))
    player("export", match, archive, WARDIARY_OWNER=OWNER)
    terminal.done("import", archive)
    terminal.done("export", match, here, "--seat", "public")
    player.done("export", match, there, "--seat", "public")

    assert Path(here).read_bytes() == Path(there).read_bytes()


def test_a_match_with_secrets_stays_with_its_arbiter_when_it_is_over(client: Client, player: Player) -> None:
    match = seated(client)
    play_through(client, match)

    assert client.state(match).table.ended is not None
    assert player("audit", match).code == 2


def test_a_match_in_which_nothing_was_hidden_is_everybodys_when_it_is_over(client: Client, player: Player) -> None:
    opened = client.open("advance", dice="seeded", seed="1")
    client.take_seat(opened.match, opened.seats[0])

    assert player("audit", opened.match).code == 2

    client.play(opened.match, opened.seats[0], {"do": "match:resign"})

    assert "is clean" in player.done("audit", opened.match)


@pytest.mark.parametrize("is_fork", [True, False])
def test_a_private_note_or_a_fork_keeps_the_evidence_from_the_public(
    is_fork: bool, client: Client, player: Player
) -> None:
    opened = client.open("advance", dice="seeded", seed="1")
    seat = opened.seats[0]
    client.take_seat(opened.match, seat)
    match = opened.match
    if is_fork:
        match = client.fork(match, seat).match
        client.take_seat(match, seat)
    else:
        client.play(match, seat, {"do": "match:note", "text": "mine", "private": True})
    client.play(match, seat, {"do": "match:resign"})

    assert player("audit", match).code == 2


def test_a_tree_is_the_same_through_a_server(
    client: Client, player: Player, tmp_path: Path, terminal: Terminal, broker: Broker
) -> None:
    match = seated(client)
    with client_of(broker, owner=OWNER) as owner:
        fork = owner.fork(match, ARBITER).match
    for one in (match, fork):
        file = str(tmp_path / f"{one}.ndjson")
        assert player("export", one, file, WARDIARY_OWNER=OWNER).code == 0
        terminal.done("import", file)

    assert player.done("tree", fork) == terminal.done("tree", fork).out
    assert f"{fork}" in player.done("tree", match)


@pytest.mark.parametrize(
    ("line", "sees_all"),
    [
        ("audit MATCH", True),
        ("audit --all", True),
        ("export MATCH FILE", True),
        ("export MATCH FILE --seat public", False),
        ("log MATCH", False),
        ("explain MATCH@LATE", False),
        ("show MATCH@LATE", False),
        ("legal MATCH@LATE --seat arbiter", True),
        ("replay MATCH", False),
        ("fork MATCH@LATE --hidden truth --dice fresh", False),
        ("diff MATCH@LATE MATCH", False),
        ("watch MATCH --from-start", False),
    ],
)
def test_damage_that_comes_while_a_server_runs_is_reported_as_damage(
    line: str, client: Client, player: Player, log: MemoryLog, tmp_path: Path, *, sees_all: bool
) -> None:
    """A server has the match in memory, so that it finds the damage only when it reads the store again.

    Only who sees everything is told at which event it begins, which is a number of the log.
    """
    opened = client.open("advance", dice="seeded", seed="1")
    client.take_seat(opened.match, opened.seats[0])
    for _ in range(3):
        client.play(opened.match, opened.seats[0], 1, expected=client.legal(opened.match).seq)
    client.play(opened.match, opened.seats[0], {"do": "match:resign"})
    player.done("show", opened.match)
    first = spoil(log, opened.match, 2)
    late = client.state(opened.match).seq - 1
    words = {"MATCH": opened.match, "FILE": str(tmp_path / "file.ndjson"), "LATE": str(late)}
    ran = player(*reduce(lambda text, word: text.replace(*word), words.items(), line).split(), WARDIARY_OWNER=OWNER)

    assert ran.code == 4, ran
    assert (f"event {first}: the bytes of this commit are not those" in ran.err + ran.out) is sees_all
    assert ("the stored match is damaged" in ran.err + ran.out) is not sees_all
