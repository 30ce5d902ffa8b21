"""Resolves servers named on the command line, and their matches."""

import os
from collections.abc import Callable
from pathlib import Path

from cli.shell.exit_codes import usage
from cli.shell.link_key import links_key
from cli.shell.settings import ANCHORS_VARIABLE, OWNER_VARIABLE, SERVER_KEY_VARIABLE, Settings
from core.history.match_reader import NAMED_MAX, only_match
from projections.catalogue import MatchSummary
from server.client.addresses import addresses_in
from server.client.client import Client
from server.client.retry import RetryPolicy
from server.client.seat_calls import ANCHORS_MAX
from server.client.sockets import connect
from server.protocol.curve import CurveKey
from server.store.key_files import read_key


def connected(
    settings: Settings, address: str, *, note: Callable[[str], None], advise: Callable[[str], None]
) -> Client:
    """Return a client of a server, with the keys that the options or the environment name.

    Args:
        settings: Has the keys.
        address: Where the server takes requests; several servers of one store are separated by commas.
        note: Receives the client's public key, which the server has to list.
        advise: Receives what becomes of the connection.

    Raises:
        UserError: The address is malformed.
        KeyUnusable: A key is malformed.
    """
    check_addresses(address)
    server_key = server_key_of(settings)
    client = connect(
        address,
        retry_policy=RetryPolicy(patience_s=settings.patience_s),
        notice=advise,
        owner=owner_secret(),
        server_key=server_key,
        client_key=own_key(server_key, settings.client_key, note),
    )
    client.links_key = links_key
    client.anchors_max = anchors_accepted()
    return client


def anchors_accepted() -> int:
    """Return how many chains of another seat the user accepts, as the environment says.

    Raises:
        UserError: It says something else.
    """
    text = os.environ.get(ANCHORS_VARIABLE, "") or str(ANCHORS_MAX)
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise usage(f"{ANCHORS_VARIABLE} is how many chains of links of another seat are accepted, not {text!r}")
    return int(text)


def server_key_of(settings: Settings) -> str:
    """Return the public key of the server, as an option or the environment names it; empty if connections are not encrypted."""
    return settings.server_key or os.environ.get(SERVER_KEY_VARIABLE, "")


def owner_secret() -> str:
    """Return the secret of the store's owner, as the environment names it; empty if it names none."""
    return os.environ.get(OWNER_VARIABLE, "")


def check_addresses(text: str) -> None:
    """Check the form of the addresses of servers, which commas separate; see `check_address` for the error."""
    for address in addresses_in(text):
        check_address(address)


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


def host_and_port(text: str, form: str) -> tuple[str, int]:
    """Parse HOST:PORT where something is served by HTTP; the port may be 0 or * for any free one.

    Args:
        text: As typed.
        form: What would be right, as an error begins.

    Raises:
        UserError: It is malformed.
    """
    host, _, port = text.rpartition(":")
    digits = "0" if port == "*" else port
    if not host or not (digits.isascii() and digits.isdecimal() and int(digits[:6]) < 65_536):
        raise usage(f"{form}, with a port from 1 to 65535 or *, not {text!r}")
    return host.removeprefix("[").removesuffix("]"), int(digits)


def own_key(server_key: str, file: str, note: Callable[[str], None]) -> CurveKey | None:
    """Read the client's own key and note its public half; None if no file is named."""
    if not file:
        return None
    if not server_key:
        raise usage("--curve-client-key needs --server-key: without it the connection is not encrypted")
    key = read_key(Path(file))
    note(f"this client's public key, for the server's --allow-client: {key.public.decode()}")
    return key


def match_on(client: Client, prefix: str) -> MatchSummary:
    """Return the one match of a server whose id has this prefix, as it stands in a list.

    Raises:
        UserError: No match has the prefix.
        UnknownName: Several matches have it.
        TimedOut: The server does not answer.
    """
    found = {known.match: known for known in client.matches_like(prefix, NAMED_MAX + 1)} if prefix else {}
    if not found:
        raise usage(f"no match of this server begins with {prefix!r}", "unknown_match")
    return found[only_match(prefix, [*found])]
