"""Whose quotas a request uses: those of the client, or of the visitor for whom a server of pages asks."""

import ipaddress
import os
import socket as sockets
from collections.abc import Collection

from server.broker.connections import Connection
from server.protocol.wire import ForkRequest, Request


class Payers:
    """Tells whose quotas requests use.

    A visitor is believed only from clients of this machine, and from those that the operator has named: any other one could make up visitors.

    Args:
        pages: The public keys (Z85) of the listed clients on other machines that serve pages.
    """

    def __init__(self, pages: Collection[str]) -> None:
        self._pages = frozenset(pages)

    def of(self, request: Request, connection: Connection | None) -> str:
        """Return the identity of a client, or the address of the visitor for whom it asks."""
        if connection is None:
            return ""
        visitor = request.visitor if isinstance(request, ForkRequest) else ""
        is_believed = visitor and (connection.identity in self._pages or is_local(connection.fd))
        return visitor if is_believed else connection.identity


def is_local(fd: int) -> bool:
    """Return whether a connection comes from this machine."""
    try:
        with sockets.socket(fileno=os.dup(fd)) as duplicate:
            if duplicate.family not in (sockets.AF_INET, sockets.AF_INET6):
                return True
            host = str(duplicate.getpeername()[0])
    except OSError:
        return False
    address = ipaddress.ip_address(host.partition("%")[0])
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
