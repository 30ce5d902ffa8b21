"""Webhooks: a notice as JSON by POST. Redirections are not followed, since they could lead to a private address."""

import ssl
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

from typing_extensions import override

from events.codec import encode
from server.web.notices.contacts import Contact, ContactRefused
from server.web.notices.delivery import TIMEOUT_S, NotDelivered, Notice
from server.web.notices.network import connect

READ_BYTES_MAX = 1 << 10
GONE = (404, 410)
"""Answers that say that there is no such webhook any more."""


class _Connection(HTTPConnection):
    def __init__(self, host: str, port: int, *, is_secure: bool, is_private_allowed: bool) -> None:
        super().__init__(host, port, timeout=TIMEOUT_S)
        self._is_secure = is_secure
        self._is_private_allowed = is_private_allowed

    @override
    def connect(self) -> None:
        made = connect(self.host, self.port, TIMEOUT_S, is_private_allowed=self._is_private_allowed)
        if not self._is_secure:
            self.sock = made
            return
        try:
            self.sock = ssl.create_default_context().wrap_socket(made, server_hostname=self.host)
        except OSError:
            made.close()
            raise


class Webhooks:
    """Webhooks of players.

    Args:
        is_private_allowed: Whether addresses that are not public may be asked, and without encryption.
    """

    def __init__(self, *, is_private_allowed: bool = False) -> None:
        self._is_private_allowed = is_private_allowed

    def check(self, contact: Contact) -> None:
        """Check the address of a webhook; whether its machine is public is known only when it is asked.

        Raises:
            ContactRefused: It is not encrypted.
        """
        if not self._is_private_allowed and not contact.address.lower().startswith("https:"):
            raise ContactRefused("a webhook is encrypted: https://…")

    def deliver(self, contact: Contact, notice: Notice) -> None:
        """Send a notice. `text` and `content` are the names by which chats with webhooks know their messages.

        Raises:
            NotDelivered: The machine does not answer, is not public, or answers with anything but success.
        """
        parts = urlsplit(contact.address)
        is_secure = parts.scheme.lower() == "https"
        assert parts.hostname is not None
        said = {"text": notice.text, "content": notice.text, "link": notice.link, "leave": notice.leave}
        target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
        connection = _Connection(
            parts.hostname,
            parts.port or (443 if is_secure else 80),
            is_secure=is_secure,
            is_private_allowed=self._is_private_allowed,
        )
        try:
            headers = {"content-type": "application/json", "user-agent": "wardiary", "connection": "close"}
            connection.request("POST", target, encode(said), headers)
            answer = connection.getresponse()
            status = answer.status
            answer.read(READ_BYTES_MAX)
        except (OSError, HTTPException) as error:
            raise NotDelivered(f"{parts.hostname} did not take it: {str(error) or type(error).__name__}") from None
        finally:
            connection.close()
        if not 200 <= status < 300:
            raise NotDelivered(f"{parts.hostname} answered with {status}", is_final=status in GONE)
