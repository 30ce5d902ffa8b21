"""`wardiary mcp`: a language model plays by tools, with the SDK's own client, and sees what its seat sees."""

import asyncio
import json
import os
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from random import Random

import pytest
from mcp import Client as ModelClient
from mcp import StdioServerParameters
from mcp.types import TextContent

from cli.commands.bots.model_server import model_server
from cli.commands.bots.model_tools import TOOLS, answer
from cli.shell.remote import owner_secret
from cli.shell.seat_secrets import keep_secret, seats_file
from cli.shell.settings import Settings
from core.games.battle.ids import SEATS
from core.games.battle.narration.battle_narration import BattleNarration
from core.registry.games import load_game
from events.ids import ARBITER, CardId, MatchId, Seat
from events.memory_log import MemoryLog
from server.broker.broker import Broker
from server.client.client import Client
from server.client.local import local_client
from server.client.retry import RetryPolicy
from tests.cli.running import WARDIARY, Player, Terminal
from tests.cli.test_secrecy import known, named
from tests.support.rows import each_row
from tests.support.skirmish import BLUE, RED
from tests.support.soak import sampled

Call = Callable[..., Awaitable[str]]

SHORT = 6
"""How many options are chosen before a match is given up."""


def settings(broker: Broker) -> Settings:
    return Settings(connect=broker.address, color=False)


def at_turn(broker: Broker, client: Client) -> dict[str, str]:
    """Open a match in which it is the turn of the model, and return what stands for its id, the model's seat and the other one."""
    match = client.open("skirmish", dice="seeded", seed="2").match
    secrets = {seat: client.take_seat(match, seat, share=False).token for seat in (RED, BLUE)}
    own = client.legal(match).to_move
    keep_secret(broker.address, match, own, secrets[own])
    return {"MATCH": match, "OWN": own, "OTHER": BLUE if own == RED else RED}


def asked(broker: Broker, tool: str, **arguments: object) -> tuple[str, bool]:
    return answer(settings(broker), "model", tool, arguments)


async def play(call: Call, game: str, dice: Random, most: int) -> str:
    """Play all seats at random, and return what is told at the end."""
    seats = load_game(game).scenario("").mode("").seats
    first, *others = seats
    match = (await call("new", game=game, seat=first)).split()[0]
    for seat in others:
        await call("sit", match=match, seat=seat)
    for _ in range(most):
        legal = json.loads(await call("legal", match=match, seat=first, commands=True))
        if not legal.get("seat"):
            break
        options = json.loads(await call("legal", match=match, seat=legal["seat"], commands=True))["options"]
        # What is picked is not put back.
        onward = [one["number"] for one in options if one["command"]["do"] != "unpick"]
        await call("choose", match=match, seat=legal["seat"], option=dice.choice(onward))
    else:
        await call("resign", match=match, seat=first)
    log = await call("log", match=match, seat=first)
    assert log.count("model takes the ") == len(seats), log
    return (await call("wait", match=match, seat=first, seconds=0)).splitlines()[-1]


@pytest.mark.parametrize(
    ("games", "most"),
    sampled(
        [(("skirmish",), 1_000), (("advance", "axis_allies", "battle", "inferno"), SHORT)]
        + [((game,), 20_000) for game in ("advance", "axis_allies", "battle", "inferno")],
        lambda _, most: most == 1_000,
    ),
)
def test_a_model_plays_matches_to_their_end_by_tools(broker: Broker, games: tuple[str, ...], most: int) -> None:
    async def run() -> list[str]:
        async with ModelClient(model_server(settings(broker), "model", "1")) as client:

            async def call(tool: str, **arguments: object) -> str:
                result = await client.call_tool(tool, arguments)
                (content,) = result.content
                assert isinstance(content, TextContent)
                assert not result.is_error, content.text
                return content.text

            return [await play(call, game, Random(1), most) for game in games]

    ends = asyncio.run(run())

    assert [end.startswith("The match is over: ") for end in ends] == [True] * len(games)
    assert most != SHORT or all("Resign" in end for end in ends)


def test_a_model_sees_what_its_seat_sees_and_no_secret(
    tmp_path: Path, log: MemoryLog, broker: Broker, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards are named by their ids: copies share a printed name, but only some of them are secret."""
    name = BattleNarration.name
    monkeypatch.setattr(
        BattleNarration, "name", lambda self, id_: id_ if CardId(id_) in self.cards.cards else name(self, id_)
    )
    match, dice = client.open("battle", dice="seeded", seed="5", options={"turn_cap": 40}).match, Random(1)
    secrets = {seat: client.take_seat(match, seat, share=False).token for seat in SEATS}
    for _ in range(40):
        legal = local_client(log).legal(match, ARBITER)
        client.play(
            match,
            legal.to_move,
            dice.randrange(len(legal.options)) + 1,
            expected=client.state(match, legal.to_move).seq,
        )
    events = [event for slice_ in local_client(log).log(match, ARBITER) for event in slice_.events]
    found: dict[Seat, str] = {}
    for seat, other in zip(SEATS, reversed(SEATS), strict=True):
        monkeypatch.setenv("WARDIARY_SEATS", str(tmp_path / seat / "seats.json"))
        keep_secret(broker.address, match, seat, secrets[seat])
        calls = [("show", {}), ("log", {}), ("legal", {}), ("wait", {"seconds": 0}), ("explain", {"event": 60})]
        told = {tool: asked(broker, tool, match=match, **more) for tool, more in calls}
        found[seat] = "\n".join(text for text, _ in told.values())
        person = Terminal(tmp_path / "none.db")
        for tool in ("show", "log"):
            verb = person.done(tool, match, "--seat", seat, "--connect", broker.address).out
            assert told[tool] == (verb.rstrip("\n"), False)
        for tool in ("show", "log", "legal"):
            assert asked(broker, tool, match=match, seat=other) == (
                f"the secret that proves the seat {other} is missing; `wardiary sit MATCH --seat SEAT` takes a free seat",
                True,
            )
        assert not any(is_error for _, is_error in told.values())
        assert named(found[seat]) <= known(events, seat)

    assert all(named(found[seat]) - known(events, other) for seat, other in zip(SEATS, reversed(SEATS), strict=True))
    assert not [one for one in secrets.values() if any(one in text for text in found.values())]


@each_row(
    ("tool", "arguments", "said"),
    [
        ("fly", {}, "no tool is called 'fly'"),
        ("games", {"game": "chess"}, "no game is called 'chess'"),
        ("legal", {}, "Object missing required field `match`"),
        ("legal", {"match": "zz"}, "no match of this server begins with 'zz'"),
        ("legal", {"match": "", "seat": "red"}, "Expected `str` of length >= 1"),
        ("choose", {"match": "MATCH", "option": "two"}, "Expected `int`, got `str` - at `$.option`"),
        ("choose", {"match": "MATCH", "option": -1}, "Expected `int` >= 0"),
        ("choose", {"match": "MATCH", "option": 99}, "there is no option 99"),
        ("choose", {"match": "MATCH", "option": 1, "seat": "green"}, "green"),
        ("choose", {"match": "MATCH", "option": 1, "seat": "OTHER"}, "the secret that proves the seat red is missing"),
        ("choose", {"match": "MATCH", "option": 1, "dice": 6}, "unknown field `dice`"),
        ("sit", {"match": "MATCH", "seat": "OTHER"}, "taken"),
        ("new", {"game": "skirmish", "seat": "green"}, "there is no seat 'green'"),
        ("new", {"game": "skirmish", "seat": "red", "bots": ["blue=perfect"]}, "perfect"),
        ("why", {"match": "MATCH", "command": "advance!"}, "not a command of the game"),
        ("explain", {"match": "MATCH", "event": 10_000}, "10000"),
        ("log", {"match": "MATCH", "first": 10_000}, "10000"),
        ("wait", {"match": "MATCH", "seconds": 1e9}, "seconds"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(
    broker: Broker, client: Client, tool: str, arguments: dict[str, object], said: str
) -> None:
    here = at_turn(broker, client)
    match = MatchId(here["MATCH"])
    seq = client.state(match).seq
    text, is_error = asked(broker, tool, **{key: here.get(str(one), one) for key, one in arguments.items()})

    assert (is_error, len(text.splitlines())) == (True, 1)
    assert said in text
    assert client.state(match).seq == seq


def test_why_a_command_is_not_allowed_is_told_with_its_rule(broker: Broker, client: Client) -> None:
    match = at_turn(broker, client)["MATCH"]
    legal = json.loads(asked(broker, "legal", match=match, commands=True)[0])
    allowed = json.dumps(legal["options"][0]["command"])

    assert asked(broker, "why", match=match, command=allowed) == ("It is allowed now.", False)
    assert asked(broker, "why", match=match, command='{"do":"reply","contest":true}')[0].startswith("Not allowed: ")


def test_a_server_that_is_away_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cli.shell.remote.RetryPolicy", partial(RetryPolicy, timeout_s=0.02, tries=1))
    text, is_error = answer(Settings(connect="tcp://127.0.0.1:9"), "model", "matches", {})

    assert (is_error, text) == (
        True,
        "no answer from the server at tcp://127.0.0.1:9 within 0.02 s, 1 times: check the address and, if the server encrypts, its key",
    )


def test_the_verb_keeps_seats_of_its_own_and_drops_the_secret_of_the_arbiter(
    player: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model must not see the seats of the person at the machine, nor of another model."""
    served: list[tuple[str, str, str, str]] = []

    def serve_stdio(settings: Settings, name: str, version: str) -> None:
        served.append((settings.connect, name, str(seats_file()), owner_secret()))

    monkeypatch.setattr("cli.commands.bots.model_server.serve_stdio", serve_stdio)
    ran = [player("mcp", "--name", name, WARDIARY_OWNER="x" * 32) for name in ("Ada", "../Grace")]
    address = player.variables["WARDIARY_CONNECT"]

    assert [one.code for one in ran] == [0, 0]
    assert served == [
        (address, name, str(player.file.with_name(folder) / "seats.json"), "")
        for name, folder in (("Ada", "mcp-Ada"), ("../Grace", "mcp-..%2FGrace"))
    ]


@pytest.mark.long
def test_a_client_plays_over_standard_input_and_output(broker: Broker, player: Player) -> None:
    """A process takes a second or two to start."""

    async def run() -> list[str]:
        arguments = ["mcp", "--connect", broker.address, "--name", "Ada"]
        process = StdioServerParameters(command=str(WARDIARY), args=arguments, env={**os.environ, **player.variables})
        async with ModelClient(process) as client:
            tools = (await client.list_tools()).tools
            opened = await client.call_tool("new", {"game": "battle", "seat": "russian"})
            (content,) = opened.content
            assert isinstance(content, TextContent)
            return [*(tool.name for tool in tools), content.text.splitlines()[-1].partition(": ")[2]]

    assert asyncio.run(run()) == [*TOOLS, "you play russian"]


def test_without_the_extra_or_a_name_it_says_what_is_missing(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    unnamed = player("mcp", "--name", "")
    monkeypatch.setattr("core.extras.find_spec", lambda _: None)
    missing = player("mcp")

    assert (unnamed.code, unnamed.err) == (2, "wardiary: --name is the model's name as a player; it is empty\n")
    assert (missing.code, missing.err) == (
        2,
        "wardiary: tools of a language model need the extra `mcp` (mcp is missing): pip install 'wardiary[mcp]'\n",
    )
