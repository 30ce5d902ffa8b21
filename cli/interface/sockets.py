"""The server and its clients."""

from typing import Annotated

import typer

from cli.interface.options import NO_TEXTS, GiveUpOption, LateOption, SeatOption
from cli.interface.typer_app import REQUESTS, SERVER, verb
from cli.shell.context import Context

EVENTS = "tcp://127.0.0.1:5943"
"""As in `server.broker.serving`, which would bring the whole server along."""


ReadOnlyOption = Annotated[
    bool, typer.Option("--read-only", help="Only show what the store holds: nothing can be played.")
]
NodesOption = Annotated[
    list[str],
    typer.Option(
        "--node",
        metavar="ADDRESS",
        help="Where clients reach a server of this store, this one included; once for each of several.",
    ),
]
MetricsOption = Annotated[
    str,
    typer.Option(
        "--metrics",
        metavar="HOST:PORT",
        help="Serve metrics here, as Prometheus reads them; needs the extra `metrics`.",
    ),
]
WitnessesOption = Annotated[
    list[str],
    typer.Option(
        "--witness",
        metavar="WITNESS",
        help="Ask this witness to cosign each checkpoint of the log, 'VKEY URL' with its public key; repeatable.",
    ),
]
PagesOption = Annotated[
    list[str],
    typer.Option(
        "--pages",
        metavar="KEY",
        help="A listed client on another machine that serves pages: its visitors have quotas of their own; repeatable.",
    ),
]


WorkersOption = Annotated[
    str,
    typer.Option(
        "--workers",
        metavar="ADDRESS",
        help="Where `wardiary work` connects to take decisions of the bots; without it the server takes them alone.",
    ),
]
WorkersSecretOption = Annotated[
    str,
    typer.Option(
        "--workers-secret",
        metavar="TEXT",
        envvar="WARDIARY_WORKERS_SECRET",
        help="The secret that lets workers in; also WARDIARY_WORKERS_SECRET.",
    ),
]
LimitsOption = Annotated[
    list[str],
    typer.Option(
        "--limit",
        metavar="NAME=NUMBER",
        help="Change a limit on clients; docs/protocol.md lists them; repeatable.",
    ),
]
PublicNameOption = Annotated[
    list[str],
    typer.Option(
        "--public-name",
        metavar="HOST",
        help="A name by which browsers call the server, behind a proxy; repeatable.",
    ),
]
NoticesOption = Annotated[
    str,
    typer.Option(
        "--notices",
        metavar="FILE",
        help="Tell players who wish so when it is their turn; FILE keeps their addresses, and is made if there is none. "
        "Mail goes through the server that WARDIARY_MAIL names.",
    ),
]
PublicUrlOption = Annotated[
    str,
    typer.Option(
        "--public-url",
        metavar="URL",
        help="The address of the pages for links in notices; by default where they are served.",
    ),
]
PrivateWebhooksOption = Annotated[
    bool,
    typer.Option(
        "--private-webhooks",
        help="Let notices go to webhooks that are not on the public internet, and without encryption.",
    ),
]
OfferedBoardsOption = Annotated[
    list[str],
    typer.Option(
        "--board",
        metavar="GAME=FILE",
        help="Offer this board of yours for new matches of the game, under the name of the file; repeatable.",
    ),
]
PlayoutsOption = Annotated[
    str,
    typer.Option(
        "--playouts",
        metavar="DURATION",
        help="How long bots play on at most from the points of a match that is over, to tell where it turned; 0s for never.",
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
    is_read_only: ReadOnlyOption = False,
    pages: PagesOption = NO_TEXTS,
    owner: Annotated[
        str,
        typer.Option(
            "--owner", metavar="TEXT", envvar="WARDIARY_OWNER", help="The arbiter's secret; also WARDIARY_OWNER."
        ),
    ] = "",
    limits: LimitsOption = NO_TEXTS,
    witnesses: WitnessesOption = NO_TEXTS,
    nodes: NodesOption = NO_TEXTS,
    workers: WorkersOption = "",
    workers_secret: WorkersSecretOption = "",
    metrics: MetricsOption = "",
) -> None:
    """Serve the store to players and spectators, until Ctrl-C."""
    from cli.commands.serving.serve import serve

    serve(
        context,
        listen=listen,
        events=events,
        key=key,
        allow=allow,
        pages=pages,
        owner=owner,
        limits=limits,
        is_read_only=is_read_only,
        witnesses=witnesses,
        nodes=nodes,
        workers=workers,
        workers_secret=workers_secret,
        metrics=metrics,
    )


@verb("keys", SERVER)
def keys(
    context: Context,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="create, list, rotate or retire; own.")] = "list",
    name: Annotated[
        str, typer.Argument(metavar="[NAME]", help="The name of the log that begins, or of the one that ends.")
    ] = "",
) -> None:
    """Make, list, change or end the key that signs the log of the server; own prints the public key with which you sign your commands."""
    from cli.commands.proofs.keys import keys

    keys(context, action, name)


@verb("bot", SERVER, connects=True)
def bot(
    context: Context,
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game it plays.")],
    *,
    match: Annotated[
        str, typer.Option("--match", metavar="MATCH", help="Which match; any with a free seat, or a new one.")
    ] = "",
    seat: Annotated[str, typer.Option("--seat", metavar="SEAT", help="Which seat; the game's first.")] = "",
    policy: Annotated[
        str,
        typer.Option(
            "--policy", metavar="NAME", help="Its policy; see `wardiary games GAME`; or exec: and a command line."
        ),
    ] = "random",
    seed: Annotated[str, typer.Option("--seed", metavar="TEXT", help="The seed of its random choices.")] = "0",
    budget: Annotated[
        str,
        typer.Option(
            "--budget", metavar="N|TIME", help="How much it may think about a decision: 500 playouts, 200ms, 2s."
        ),
    ] = "",
    commands: Annotated[
        int, typer.Option("--commands", metavar="N", help="Stop after this many commands; 0 plays to the end.")
    ] = 0,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Its name as a player; by default the policy's.")
    ] = "",
    give_up_after: GiveUpOption = "10m",
) -> None:
    """Let a bot play a seat over sockets."""
    from cli.commands.bots.bot import BotWish, play_bot
    from cli.shell.arguments import parse_duration

    context.settings.patience_s = parse_duration(give_up_after) / 1_000
    play_bot(context, BotWish(game, match, seat, policy, seed, commands, name, budget))


@verb("work", SERVER, connects=True)
def work(
    context: Context,
    *,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Its name for the operator; by default machine and process.")
    ] = "",
    is_status: Annotated[bool, typer.Option("--status", help="Only tell who works for the server.")] = False,
    secret: WorkersSecretOption = "",
    give_up_after: GiveUpOption = "10m",
) -> None:
    """Take decisions of a server's bots on this machine, one at a time, until Ctrl-C."""
    from cli.commands.bots.work import tell_status, work
    from cli.shell.arguments import parse_duration

    if is_status:
        tell_status(context, secret)
        return
    context.settings.patience_s = parse_duration(give_up_after) / 1_000
    work(context, name, secret)


@verb("mcp", SERVER, connects=True)
def serve_model(
    context: Context,
    *,
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Its name as a player; each name has seats of its own.")
    ] = "model",
) -> None:
    """Let a language model play on a server, by tools over standard input and output; needs the extra `mcp`."""
    from cli.commands.bots.models import serve_model

    serve_model(context, name)


@verb("web", SERVER, connects=True)
def serve_web(
    context: Context,
    *,
    listen: Annotated[
        str,
        typer.Option(
            "--listen",
            metavar="HOST:PORT",
            help="Where pages are served; 127.0.0.1:8042 if not named; port * is any free one.",
        ),
    ] = "",
    names: PublicNameOption = NO_TEXTS,
    is_operator_allowed: Annotated[
        bool, typer.Option("--allow-operator-key", help="Let the operator's key show everything, as seat arbiter.")
    ] = False,
    notices: NoticesOption = "",
    public_url: PublicUrlOption = "",
    private_webhooks: PrivateWebhooksOption = False,
    playouts: PlayoutsOption = "5m",
    boards: OfferedBoardsOption = NO_TEXTS,
) -> None:
    """Serve pages that show every match in a browser, until Ctrl-C; needs the extra `web`."""
    from cli.commands.serving.web import NoticeWish, serve_web
    from cli.shell.arguments import parse_duration

    serve_web(
        context,
        listen=listen,
        names=names,
        is_operator_allowed=is_operator_allowed,
        notice_wish=NoticeWish(notices, public_url, private_webhooks),
        playouts_s=parse_duration(playouts) / 1_000,
        boards=boards,
    )


@verb("watch", SERVER, connects=True)
def watch(
    context: Context,
    match: Annotated[str, typer.Argument(metavar="MATCH", help="The match: its id or the beginning of it.")] = "",
    *,
    seat: SeatOption = "public",
    from_start: Annotated[bool, typer.Option("--from-start", help="Print past events first.")] = False,
    all_matches: Annotated[
        bool, typer.Option("--all", help="All matches: a line whenever one waits for another seat, or is late.")
    ] = False,
    late_after: LateOption = "",
    give_up_after: GiveUpOption = "10m",
) -> None:
    """Follow a match live until it ends, or with --all every match until Ctrl-C."""
    from cli.shell.arguments import parse_duration
    from cli.shell.exit_codes import usage
    from events.ids import Seat

    if bool(match) == all_matches:
        raise usage("name a match, or use --all")
    if late_after and not all_matches:
        raise usage("--late-after needs --all: a watched match is printed event by event")
    context.settings.patience_s = parse_duration(give_up_after) / 1_000
    if all_matches:
        from cli.commands.viewing.watch_all import watch_all

        watch_all(context, late_after)
        return
    from cli.commands.viewing.watch import watch

    watch(context, match, Seat(seat), is_from_start=from_start)
