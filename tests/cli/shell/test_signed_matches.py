"""What processes of one user remember to sign for: it binds no less, and a file that is lost, damaged or wrong lets nothing be signed that was not seen."""

import json
from pathlib import Path

import pytest

from server.broker.broker import Broker
from tests.cli.running import Player


@pytest.fixture
def match(player: Player) -> str:
    """Return a match in which the player signs for both seats."""
    match = player.done("new", "skirmish", "--dice", "seeded:2", "--free-seats").strip()
    for seat in ("blue", "red"):
        player("sit", match, "--seat", seat)
    return match


def kept(player: Player) -> Path:
    return player.file.with_name("seats-signed.json")


def shown(player: Player) -> int:
    """Return how many events the seat blue was shown, as it is remembered."""
    (of_server,) = json.loads(kept(player).read_text()).values()
    (of_match,) = of_server.values()
    return int(of_match["shown"]["blue"]["number"])


def test_each_process_goes_on_with_what_the_last_one_was_shown(player: Player, match: str) -> None:
    player.done("note", match, "one", "--seat", "blue")
    first = shown(player)
    player.done("note", match, "two", "--seat", "red")
    player.done("note", match, "three", "--seat", "blue")

    assert shown(player) == first + 2
    assert kept(player).stat().st_mode & 0o77 == 0


@pytest.mark.parametrize("content", ["", "[]", '{"x":', '{"tcp://nobody":{}}'])
def test_a_file_that_is_lost_or_damaged_is_made_again(content: str, player: Player, match: str) -> None:
    player.done("note", match, "one", "--seat", "blue")
    known = shown(player)
    kept(player).write_text(content)
    player.done("note", match, "two", "--seat", "blue")

    assert shown(player) == known + 1 if "nobody" not in content else kept(player).exists()


def test_nothing_is_signed_for_events_that_the_server_does_not_show(player: Player, match: str) -> None:
    """A store that went back to an earlier state shows fewer events than were seen."""
    player.done("note", match, "one", "--seat", "blue")
    known = shown(player)
    kept(player).write_text(
        kept(player).read_text().replace(f'"blue":{{"number":{known}', f'"blue":{{"number":{known + 5}')
    )
    ran = player("note", match, "two", "--seat", "blue")

    assert (ran.code, "it has gone back; nothing was sent" in ran.err, len(ran.err.strip().splitlines())) == (
        4,
        True,
        1,
    )


def test_another_opening_is_signed_by_nobody(player: Player, match: str, broker: Broker) -> None:
    """The server refuses the signature, so that a file with another digest costs the command and proves nothing wrong."""
    player.done("note", match, "one", "--seat", "blue")
    (of_server,) = json.loads(kept(player).read_text()).values()
    digest = of_server[match]["opening"]
    kept(player).write_text(kept(player).read_text().replace(digest, "0" * 64))

    assert player("note", match, "two", "--seat", "blue").code != 0
