"""Servers as they are named on the command line, and the matches they have."""

from cli.faults import usage
from events.errors import UnknownMatch
from events.ids import MatchId
from server.client import Client
from server.serving import ADDRESS
from server.sockets import connect


def client_of(address: str, server_key: str, owner: str = "") -> Client:
    """Make the client of a server; by default of one on this machine.

    Raises:
        Fault: The address is none.
        KeyUnusable: The key is none.
    """
    wanted = address or ADDRESS
    if not wanted.startswith(("tcp://", "ipc://")):
        raise usage(f"a server's address is tcp://HOST:PORT or ipc://PATH, not {wanted!r}")
    return connect(wanted, owner=owner, server_key=server_key)


def match_on(client: Client, prefix: str) -> MatchId:
    """Return the one match of a server whose id begins so.

    Raises:
        UnknownMatch: None does.
        Fault: Several do.
        TimedOut: The server does not answer.
    """
    found = [known.match for known in client.matches() if known.match.startswith(prefix)]
    if not found or not prefix:
        raise UnknownMatch(MatchId(prefix))
    if len(found) > 1 and prefix not in found:
        raise usage(f"{len(found)} matches begin with {prefix!r}: {', '.join(found[:5])}")
    return MatchId(prefix) if prefix in found else found[0]
