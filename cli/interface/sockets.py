"""The server and its clients."""

from typing import Annotated

import typer

from cli.app import SERVER, verb
from cli.context import Context
from cli.interface.options import NO_TEXTS, SeatOption

# As in `server.broker.serving`, which would bring the whole server along.
REQUESTS = "tcp://127.0.0.1:5942"
EVENTS = "tcp://127.0.0.1:5943"

ConnectOption = Annotated[
    str, typer.Option("--connect", metavar="ADDRESS", help=f"Where the server takes requests; {REQUESTS} if not named.")
]
ServerKeyOption = Annotated[
    str, typer.Option("--server-key", metavar="KEY", help="The server's public key, if connections are encrypted.")
]
ClientKeyOption = Annotated[
    str,
    typer.Option(
        "--curve-client-key",
        metavar="FILE",
        help="This client's own key, for a server that lists its clients; made if there is none.",
    ),
]
TokenOption = Annotated[
    str,
    typer.Option(
        "--token", metavar="TEXT", envvar="WARDIARY_TOKEN", help="The secret that proves the seat; also WARDIARY_TOKEN."
    ),
]


@verb("serve", SERVER)
def serve(
    context: Context,
    *,
    listen: Annotated[
        str,
        typer.Option(
            "--listen",
            metavar="ADDRESS",
            help=f"Where requests are taken; {REQUESTS} if not named; a * for the port is any free one.",
        ),
    ] = "",
    events: Annotated[
        str, typer.Option("--events", metavar="ADDRESS", help=f"Where events are published; {EVENTS} if not named.")
    ] = "",
    key: Annotated[
        str,
        typer.Option("--curve-key", metavar="FILE", help="Encrypt connections with this key; made if there is none."),
    ] = "",
    allow: Annotated[
        str,
        typer.Option(
            "--allow-client",
            metavar="FILE",
            help="Let only these clients connect: one public key a line; needs --curve-key.",
        ),
    ] = "",
    owner: Annotated[
        str,
        typer.Option(
            "--owner", metavar="TEXT", envvar="WARDIARY_OWNER", help="The arbiter's secret; also WARDIARY_OWNER."
        ),
    ] = "",
    limits: Annotated[
        list[str],
        typer.Option(
            "--limit",
            metavar="NAME=NUMBER",
            help="Change a limit on clients; docs/protocol.md lists them; repeatable.",
        ),
    ] = NO_TEXTS,
) -> None:
    """Serve the store to players and spectators, until Ctrl-C."""
    from cli.commands.serve import serve

    serve(context, listen=listen, events=events, key=key, allow=allow, owner=owner, limits=limits)


@verb("bot", SERVER)
def bot(
    context: Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game it plays.")],
    *,
    connect: ConnectOption = "",
    server_key: ServerKeyOption = "",
    match: Annotated[
        str, typer.Option("--match", metavar="MATCH", help="Which match; any with a free seat, or a new one.")
    ] = "",
    seat: Annotated[str, typer.Option("--seat", metavar="SEAT", help="Which seat; the game's first.")] = "",
    policy: Annotated[
        str, typer.Option("--policy", metavar="NAME", help="The policy by which it chooses; see `wardiary games GAME`.")
    ] = "random",
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="The seed of its random choices.")] = "0",
    commands: Annotated[
        int, typer.Option("--commands", metavar="N", help="Stop after this many commands; 0 plays to the end.")
    ] = 0,
    client_key: ClientKeyOption = "",
) -> None:
    """Let a bot play a seat over sockets."""
    from cli.commands.bot import BotWish, play_bot

    play_bot(context, BotWish(game, connect, server_key, match, seat, policy, seed, commands, client_key))


@verb("watch", SERVER)
def watch(
    context: Context,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The match: its id or the beginning of it.")],
    *,
    connect: Annotated[
        str,
        typer.Option(
            "--connect", metavar="ADDRESS", help=f"Where a server takes requests, such as {REQUESTS}; else the store."
        ),
    ] = "",
    server_key: ServerKeyOption = "",
    seat: SeatOption = "public",
    token: TokenOption = "",
    from_start: Annotated[bool, typer.Option("--from-start", help="Print past events first.")] = False,
    client_key: ClientKeyOption = "",
) -> None:
    """Follow a match live until it ends: over sockets, or without --connect in the store."""
    from cli.commands.watch import Watching, watch

    watch(context, Watching(match, connect, server_key, seat, token, from_start, client_key))
