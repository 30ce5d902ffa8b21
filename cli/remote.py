"""Resolves servers named on the command line, and their matches."""

import os
from pathlib import Path

from cli.context import SERVER_KEY_VARIABLE, Context
from cli.exit_codes import usage
from cli.seat_secrets import read_secrets
from core.match_reader import NAMED_MAX, only_match
from events.ids import MatchId, Seat
from server.client.client import Client
from server.client.retry import RetryPolicy
from server.client.sockets import connect
from server.protocol.curve import CurveKey
from server.store.key_files import read_key

OWNER_VARIABLE = "WARDIARY_OWNER"


def connected(context: Context, address: str) -> Client:
    """Return a client of a server, with the keys that the command line or the environment names.

    Args:
        context: Has the keys, and prints the client's public key, which the server has to list.
        address: Where the server takes requests.

    Raises:
        UserError: The address is malformed.
        KeyUnusable: A key is malformed.
    """
    check_address(address)
    settings = context.settings
    server_key = settings.server_key or os.environ.get(SERVER_KEY_VARIABLE, "")
    own = own_key(context, server_key, settings.client_key)
    return connect(
        address,
        retry_policy=RetryPolicy(patience_s=settings.patience_s),
        notice=context.advise,
        owner=owner_secret(),
        server_key=server_key,
        client_key=own,
    )


def owner_secret() -> str:
    """Return the secret of the store's owner, as the environment names it; empty if it names none."""
    return os.environ.get(OWNER_VARIABLE, "")


def add_secrets(context: Context, match: MatchId, seat: Seat) -> None:
    """Let the client use the seats of a match that this user has taken, and the secret that was typed for a seat."""
    for known, secret in read_secrets(context.address).get(match, {}).items():
        context.client.add_token(match, known, secret)
    if context.settings.token:
        context.client.add_token(match, seat, context.settings.token)


def check_address(text: str, *, is_served: bool = False) -> None:
    """Check the form of an address.

    Args:
        text: As typed.
        is_served: A server takes it, so that * stands for any free port.

    Raises:
        UserError: It is malformed.
    """
    transport, _, rest = text.partition("://")
    host, _, port = rest.rpartition(":")
    has_port = (port.isascii() and port.isdecimal() and 0 < int(port[:6]) < 65_536) or (is_served and port == "*")
    if not ((transport == "tcp" and host and has_port) or (transport == "ipc" and rest)):
        any_port = ", and * means any free port" if is_served else ""
        raise usage(f"an address is tcp://HOST:PORT or ipc://PATH, with a port from 1 to 65535{any_port}, not {text!r}")


def own_key(context: Context, server_key: str, file: str) -> CurveKey | None:
    """Read the client's own key and print its public half; None if no file is named."""
    if not file:
        return None
    if not server_key:
        raise usage("--curve-client-key needs --server-key: without it the connection is not encrypted")
    key = read_key(Path(file))
    context.echo_err(f"this client's public key, for the server's --allow-client: {key.public.decode()}")
    return key


def match_on(client: Client, prefix: str) -> MatchId:
    """Return the one match of a server whose id has this prefix.

    Raises:
        UserError: No match has the prefix.
        UnknownName: Several matches have it.
        TimedOut: The server does not answer.
    """
    found = [known.match for known in client.matches_like(prefix, NAMED_MAX + 1)] if prefix else []
    if not found:
        raise usage(f"no match of this server begins with {prefix!r}", "unknown_match")
    return only_match(prefix, found)
