"""Payers of requests: the client whose quotas are used, or the visitor for whom a server of pages asks."""

from collections.abc import Collection

from server.broker.connections import Connection
from server.broker.tcp import is_local
from server.protocol.wire import BotRequest, ForkRequest, OpenRequest, Request, WriteStudyRequest


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
        visitor = (
            request.visitor if isinstance(request, ForkRequest | OpenRequest | BotRequest | WriteStudyRequest) else ""
        )
        is_believed = visitor and (connection.identity in self._pages or is_local(connection.fd))
        return visitor if is_believed else connection.identity
