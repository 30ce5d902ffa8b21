"""A fault in the code of a game is shown with its file, line and command, wherever the game is run."""

import re

import pytest
from typing_extensions import override

import wardiary
from core.engine.draft import Draft
from core.refusal import Refusals
from core.registry.game_fault import GameFault
from events.ids import ARBITER, RuleId, Seat
from events.memory_log import MemoryLog
from events.vocabulary import Value
from server.client.client import Client
from server.client.local import LocalTransport
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.errors import RequestFailed
from server.protocol.identity import SystemIdentity
from server.protocol.logger import SilentLogger
from tests.cli.running import Terminal
from tests.support.skirmish import BLUE, RED

PLACE = r"ZeroDivisionError: who\? \(skirmish\.py, line \d+, in \w+"


def other(_: object) -> None:
    """Fail, as a function of the game would."""
    raise ZeroDivisionError("who?")


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake in the rules: asking for the opponent raises an error."""
    monkeypatch.setattr("tests.support.skirmish.other", other)


def test_play_names_the_error_its_place_and_the_command(terminal: Terminal, skirmish: str, broken: None) -> None:
    ran = terminal("choose", skirmish, '{"do":"roll"}')

    assert ran.code == 70
    assert re.search(PLACE + r', on \{"do":"roll"\}\); -v prints the traceback', ran.err)
    assert ran.err.count("\n") == 1


def test_verbose_prints_the_traceback(terminal: Terminal, skirmish: str, broken: None) -> None:
    ran = terminal("-v", "choose", skirmish, '{"do":"roll"}')

    assert ran.err.startswith("Traceback (most recent call last):")
    assert 'raise ZeroDivisionError("who?")' in ran.err


def test_the_library_raises_the_fault_from_the_error(broken: None) -> None:
    match = wardiary.open("skirmish", dice="seeded", seed="2")
    before = len(match)
    with pytest.raises(GameFault, match=PLACE) as caught:
        match.play({"do": "roll"})

    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert (caught.value.place.file, caught.value.command) == ("skirmish.py", '{"do":"roll"}')
    assert len(match) == before


def test_a_fault_in_words_is_shown_as_well(terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.support.skirmish.repr", other, raising=False)

    ran = terminal("legal", skirmish)

    assert ran.code == 70
    assert re.search(PLACE, ran.err)
    assert "in told)" in ran.err


def test_check_game_names_the_place_and_the_command(terminal: Terminal, broken: None) -> None:
    ran = terminal("check-game", "tests.support.skirmish", "--matches", "1")

    assert ran.code == 1
    assert re.search(PLACE, ran.out)
    assert ', on {"do":"' in ran.out
    assert "Traceback" not in ran.err

    ran = terminal("-v", "check-game", "tests.support.skirmish", "--matches", "1")

    assert 'raise ZeroDivisionError("who?")' in ran.err


def test_simulate_names_the_place_and_the_command(terminal: Terminal, broken: None) -> None:
    ran = terminal("-v", "simulate", "skirmish", "--matches", "1", "--jobs", "1")

    assert ran.code == 1
    assert re.search(r"at event \d+: " + PLACE, ran.out)
    assert 'raise ZeroDivisionError("who?")' in ran.err


class Recorder(SilentLogger):
    """Keeps what is logged with a traceback."""

    def __init__(self) -> None:
        self.logged: list[str | int] = []

    @override
    def exception(self, what: str, **fields: str | int) -> None:
        self.logged.append(fields["fault"])


def test_a_server_logs_the_place_and_tells_the_client_nothing_of_it(broken: None) -> None:
    log, logger = MemoryLog(), Recorder()
    client = Client(LocalTransport(Desk(log, trusted=True, logger=logger)), SystemIdentity(), SystemClock())
    match = client.open("skirmish", dice="seeded", seed="2").match
    client.take_seat(match, RED)
    client.take_seat(match, BLUE)
    table = client.state(match, ARBITER).table
    with pytest.raises(RequestFailed, match=r"^the server failed to answer; it has logged why$"):
        client.play(match, table.turn_seat, {"do": "roll"})

    (fault,) = logger.logged

    assert re.match(PLACE, str(fault))


def test_a_slip_in_the_kind_of_a_question_is_found_where_it_is_asked(
    terminal: Terminal, skirmish: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = Draft.ask

    def misspelt(draft: Draft, kind: str, seat: Seat, rule: RuleId, *more: dict[str, Value]) -> None:
        ask(draft, "rpely" if kind == "reply" else kind, seat, rule, *more)

    monkeypatch.setattr(Draft, "ask", misspelt)
    ran = terminal("choose", skirmish, '{"do":"roll"}')

    assert (
        "the rules ask a question 'rpely'; the questions of this game are hide, reply, turn (skirmish.py, " in ran.err
    )
    assert ran.code == 70


def test_a_refusal_that_is_not_listed_names_the_list() -> None:
    with pytest.raises(
        LookupError, match=r"^the refusal 'no_such_code' is not listed in core\.games\.battle/data/refusals\.toml$"
    ):
        Refusals("core.games.battle").refused("no_such_code")
