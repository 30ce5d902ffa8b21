"""The typer application: verbs in groups, and the global options before or after a verb."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Annotated, Concatenate, ParamSpec, Protocol

import typer
from typer.core import TyperCommand, TyperGroup

from cli.interface.param_types import read_plainly
from cli.shell.context import Context
from cli.shell.exit_codes import INTERRUPTED, OutputClosed, UserError, usage
from cli.shell.settings import Settings

P = ParamSpec("P")

StoreOption = Annotated[
    str,
    typer.Option(
        "--store", metavar="PATH", help="The store: a file, or an address; also WARDIARY_STORE.", show_default=False
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Put out JSON, one object per line.")]
QuietOption = Annotated[bool, typer.Option("-q", "--quiet", help="Print no progress and no messages.")]
VerboseOption = Annotated[bool, typer.Option("-v", "--verbose", help="Print more.")]
NoColorOption = Annotated[bool, typer.Option("--no-color", help="Use no colours.")]

_GLOBAL = [
    inspect.Parameter("store", inspect.Parameter.KEYWORD_ONLY, annotation=StoreOption, default=""),
    *(
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=option, default=False)
        for name, option in [
            ("is_json", JsonOption),
            ("is_quiet", QuietOption),
            ("is_verbose", VerboseOption),
            ("no_color", NoColorOption),
        ]
    ),
]
# As in `server.broker.serving`, which would bring the whole server along.
REQUESTS = "tcp://127.0.0.1:5942"

ConnectOption = Annotated[
    str,
    typer.Option(
        "--connect",
        metavar="ADDRESS",
        help=f"Work through the server that takes requests here, such as {REQUESTS}; also WARDIARY_CONNECT.",
    ),
]
ServerKeyOption = Annotated[
    str,
    typer.Option(
        "--server-key",
        metavar="KEY",
        help="The server's public key, if connections are encrypted; also WARDIARY_SERVER_KEY.",
    ),
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
        "--token",
        metavar="TEXT",
        envvar="WARDIARY_TOKEN",
        help="The secret that proves the seat, if `sit` has not kept it; also WARDIARY_TOKEN.",
    ),
]
_CONNECTION = [
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=option, default="")
    for name, option in [
        ("connect", ConnectOption),
        ("server_key", ServerKeyOption),
        ("client_key", ClientKeyOption),
        ("token", TokenOption),
    ]
]
"""The options of verbs that work through a server as well as on the store."""

START = "Start here"
GAMES = "Games"
MATCHES = "Matches"
PLAY = "Play"
ARBITER = "The arbiter"
HISTORY = "History"
EVIDENCE = "Evidence"
SERVER = "The server and its clients"
TOOLS = "Tools"

MAY_BE_EMPTY = frozenset(
    ("store", "connect", "server_key", "client_key", "token", "name", "title", "scenario", "mode", "variant")
)
"""The options whose empty value says that there is none."""

_OF_TYPER = (typer.Exit, typer.Abort, typer.BadParameter)

_GROUPS: dict[str, list[str]] = {
    title: [] for title in (START, GAMES, MATCHES, PLAY, ARBITER, HISTORY, EVIDENCE, SERVER, TOOLS)
}
"""The verbs of each group, in the order of the help."""


class _Formatter(Protocol):
    """The part of typer's help formatter that is used here."""

    width: int

    def section(self, name: str) -> AbstractContextManager[None]:
        """Begin a section."""

    def write_dl(self, rows: Sequence[tuple[str, str]]) -> None:
        """Write rows of a name and what it is."""


class Verbs(TyperGroup):
    """All verbs; the help lists them by group."""

    def get_params(self, ctx: typer.Context) -> list[object]:  # type: ignore[explicit-override, override]
        """Use the quick parsers for the global options."""
        return read_plainly(super().get_params(ctx))

    def format_commands(self, ctx: object, formatter: _Formatter) -> None:  # type: ignore[explicit-override]
        """Write a section for each group."""
        width = formatter.width - 6 - max(len(name) for name in self.commands)
        for title, names in _GROUPS.items():
            if not names:
                continue
            with formatter.section(title):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(width)) for name in names])


class Verb(TyperCommand):
    """One verb."""

    def get_params(self, ctx: typer.Context) -> list[object]:  # type: ignore[explicit-override, override]
        """Use the quick parsers for its arguments."""
        return read_plainly(super().get_params(ctx))


app = typer.Typer(
    name="wardiary",
    cls=Verbs,
    help="Board wargames as append-only logs: play, follow, replay, fork and audit a match.",
    epilog="MATCH is an id or the beginning of one; MATCH@SEQ a point in it; - is stdin or stdout.",
    # Plain help keeps the start quick, and errors to one line.
    rich_markup_mode=None,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)


def _say_version(is_asked: bool) -> None:
    if is_asked:
        from importlib.metadata import version

        typer.echo(f"wardiary {version('wardiary')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def keep_settings(
    *,
    ctx: typer.Context,
    store: StoreOption = "",
    is_json: JsonOption = False,
    is_quiet: QuietOption = False,
    is_verbose: VerboseOption = False,
    no_color: NoColorOption = False,
    is_version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Keep the global options; without a verb, show the help."""
    ctx.obj = Settings(store=store, is_json=is_json, is_quiet=is_quiet, verbosity=int(is_verbose), color=not no_color)
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


def verb(
    name: str, group: str, *, has_verdict: bool = False, connects: bool = False
) -> Callable[[Callable[Concatenate[Context, P], None]], Callable[Concatenate[Context, P], None]]:
    """Register a function as a verb: its parameters after the first are the verb's, besides the global options.

    Args:
        name: The verb on the command line.
        group: The title under which the help lists it.
        has_verdict: Whether its exit code tells what it found or did in the end, so that it must finish its work even if the reader of
            its output has left.
        connects: Whether it works through a server as well; it then has the options of a connection.
    """

    def register(function: Callable[Concatenate[Context, P], None]) -> Callable[Concatenate[Context, P], None]:
        carry_out: Callable[..., None] = function

        def command(
            *,
            ctx: typer.Context,
            store: str,
            is_json: bool,
            is_quiet: bool,
            is_verbose: bool,
            no_color: bool,
            connect: str = "",
            server_key: str = "",
            client_key: str = "",
            token: str = "",
            **arguments: object,
        ) -> None:
            assert isinstance(ctx.obj, Settings)
            _refuse_empty(ctx)
            later = Settings(
                store=store,
                connect=connect,
                server_key=server_key,
                client_key=client_key,
                token=token,
                is_json=is_json,
                is_quiet=is_quiet,
                verbosity=int(is_verbose),
                color=not no_color,
            )
            settings = ctx.obj.joined(later)
            with _interruptible(), Context(settings, has_verdict=has_verdict, can_connect=connects) as context:
                try:
                    carry_out(context, **arguments)
                except (OutputClosed, UserError, OSError, *_OF_TYPER):
                    raise
                except Exception as error:  # noqa: BLE001 - It is raised again, or the finding of the audit is.
                    from cli.interface.diagnosis import raise_blamed

                    raise_blamed(context, arguments, error)

        own = list(inspect.signature(function).parameters.values())[1:]
        context = inspect.Parameter("ctx", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
        connection = _CONNECTION if connects else []
        parameters = [
            parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY)
            for parameter in (context, *own, *connection, *_GLOBAL)
        ]
        command.__dict__["__signature__"] = inspect.Signature(parameters)
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        command.__doc__ = function.__doc__
        app.command(name, cls=Verb)(command)
        _GROUPS[group].append(name)
        return function

    return register


def _refuse_empty(ctx: typer.Context) -> None:
    """Refuse options that were typed without a value: a script that lost one does not mean the default.

    Raises:
        UserError: One was.
    """
    for param in ctx.command.params:
        name = param.name or ""
        if name not in MAY_BE_EMPTY and ctx.params.get(name) == "":
            source = ctx.get_parameter_source(name)
            if source is not None and source.name == "COMMANDLINE" and param.param_type_name == "option":
                raise usage(f"{param.opts[-1]} is empty: give it a value, or leave it out")


@contextmanager
def _interruptible() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        # Typer would end the process here with an exit code of its own.
        raise OutputClosed from None
    except KeyboardInterrupt:
        raise UserError("interrupted; whatever was acknowledged is in the log", INTERRUPTED, "interrupted") from None
