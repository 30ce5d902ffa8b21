"""The number of requests that a verb sends to a server."""

from pathlib import Path

import pytest

from events.codec import tag_of
from server.broker.broker import Broker
from server.client.sockets import SocketTransport
from server.protocol.replies import Reply
from server.protocol.wire import Request
from tests.cli.running import Player


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the tags of all requests."""
    tags: list[str] = []
    ask = SocketTransport.ask

    def counted(transport: SocketTransport, request: Request) -> Reply:
        tags.append(tag_of(type(request)))
        return ask(transport, request)

    monkeypatch.setattr(SocketTransport, "ask", counted)
    return tags


@pytest.fixture(params=["one seat", "both seats"])
def player(tmp_path: Path, broker: Broker, request: pytest.FixtureRequest) -> tuple[Player, str]:
    """Return the player who is to decide in a match, and the match: the other seat is another player's, or the same one's."""
    own, other = (Player(tmp_path / name, broker) for name in ("own", "other"))
    match = own.done("new", "skirmish", "--dice", "seeded:2", "--free-seats").strip()
    own.done("sit", match, "--seat", "blue")
    (own if request.param == "both seats" else other)("sit", match, "--seat", "red")
    return own, match


@pytest.mark.parametrize(
    ("words", "requests"),
    [
        ("legal MATCH", ["legal"]),
        ("choose MATCH 1", ["legal", "log", "play"]),
        ("choose MATCH roll", ["legal", "log", "play"]),
        ("note MATCH so --seat blue", ["state", "log", "play"]),
        ("redo MATCH", ["state", "redo"]),
        ("show MATCH", ["state", "log"]),
        ("log MATCH --seat blue", ["state", "log"]),
        ("show PREFIX", ["matches", "state", "log"]),
    ],
)
@pytest.mark.parametrize("player", ["one seat"], indirect=True)
def test_a_verb_makes_few_requests(
    player: tuple[Player, str], sent: list[str], words: str, requests: list[str]
) -> None:
    own, match = player
    sent.clear()
    own(*words.replace("MATCH", match).replace("PREFIX", match[:6]).split())

    assert sent == requests


@pytest.mark.parametrize("length", [6, None], ids=["prefix", "whole id"])
@pytest.mark.parametrize("command", ["1", "Roll", '{"do":"roll"}'])
def test_a_seat_that_signs_plays_with_three_requests_at_most(
    player: tuple[Player, str], sent: list[str], command: str, length: int | None
) -> None:
    """Once for the table or its options, once for the events that the seat has not seen, and once to play; the opening and what was seen are known from before."""
    own, match = player
    own.done("legal", match)
    sent.clear()
    own.done("choose", match[:length], command)

    assert (len(sent) <= 3, sent.count("play"), sent[-1]) == (True, 1, "play"), sent


@pytest.mark.parametrize("length", [6, None], ids=["prefix", "whole id"])
@pytest.mark.parametrize("more", [[], ["--seat", "blue"], ["--about", "blue-flag"]])
def test_legal_asks_the_server_at_most_twice(
    player: tuple[Player, str], sent: list[str], more: list[str], length: int | None
) -> None:
    """Once for the match or the seat that decides, and once for the options with their table."""
    own, match = player
    sent.clear()
    own.done("legal", match[:length], *more)

    assert (len(sent) <= 2, sent[-1]) == (True, "legal")
