"""Mail through the operator's server."""

import smtplib
import ssl
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid
from typing import NamedTuple
from urllib.parse import urlsplit

from server.web.notices.contacts import Contact, ContactRefused, Kind, parse_contact
from server.web.notices.delivery import TIMEOUT_S, NotDelivered, Notice

NO_SERVER = "WARDIARY_MAIL names a mail server, such as smtps://mail.example.org"


class MailServer(NamedTuple):
    """The operator's mail server.

    Attributes:
        host: Its name.
        port: Its port.
        is_encrypted: Whether it is encrypted from the first byte (`smtps`); otherwise STARTTLS is demanded.
        is_plain: Whether nothing is encrypted (`?tls=off`, for a server on the same machine).
        user: The name with which to log in; empty for none.
        password: The password.
        sender: From whom mail comes.
    """

    host: str
    port: int
    is_encrypted: bool
    is_plain: bool
    user: str
    password: str
    sender: str


def parse_mail_server(url: str, sender: str, login: str = "") -> MailServer:
    """Return the mail server that the operator names.

    Args:
        url: `smtps://HOST:PORT`, or `smtp://HOST:PORT`, which demands STARTTLS unless `?tls=off` follows; the port may be left out.
        sender: From whom mail comes.
        login: NAME:PASSWORD; empty for none.

    Raises:
        ContactRefused: One of them is malformed; the message does not show the password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise ContactRefused(NO_SERVER) from None
    is_known = parts.scheme in ("smtp", "smtps") and parts.hostname and parts.username is None
    if not is_known or parts.query not in ("", "tls=off") or parts.path not in ("", "/"):
        raise ContactRefused(NO_SERVER)
    try:
        is_mail = parse_contact(sender).kind is Kind.MAIL
    except ContactRefused:
        is_mail = False
    if not is_mail:
        raise ContactRefused("WARDIARY_MAIL_FROM names the sender of mail, such as wardiary@example.org")
    user, separator, password = login.partition(":")
    if login and not separator:
        raise ContactRefused("WARDIARY_MAIL_LOGIN is NAME:PASSWORD")
    assert parts.hostname is not None
    is_encrypted = parts.scheme == "smtps"
    return MailServer(
        host=parts.hostname,
        port=port or (465 if is_encrypted else 587),
        is_encrypted=is_encrypted,
        is_plain=parts.query == "tls=off",
        user=user,
        password=password,
        sender=sender,
    )


class Mail:
    """Mail to players.

    Args:
        server: The operator's mail server.
    """

    def __init__(self, server: MailServer) -> None:
        self._server = server

    def check(self, contact: Contact) -> None:
        """Check nothing: the server of an address is known only to mail servers."""

    def deliver(self, contact: Contact, notice: Notice) -> None:
        """Send a notice; mail programs show a button that stops these notices (RFC 8058).

        Raises:
            NotDelivered: The server does not answer, or refuses it.
        """
        server = self._server
        # Links stay in one line, since some programs do not join folded ones.
        message = EmailMessage(SMTP.clone(max_line_length=998))
        message["From"], message["To"], message["Subject"] = server.sender, contact.address, notice.subject
        message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=server.sender.rpartition("@")[2])
        message["Auto-Submitted"] = "auto-generated"
        message["List-Unsubscribe"] = f"<{notice.leave}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
        message.set_content(notice.text)
        try:
            with self._connected() as connection:
                connection.send_message(message)
        except smtplib.SMTPRecipientsRefused as error:
            code = max((code for code, _ in error.recipients.values()), default=0)
            raise NotDelivered(f"the mail server refuses {contact.address} ({code})", is_final=code >= 500) from None
        except (OSError, smtplib.SMTPException) as error:
            # What a server answers to a login may repeat what was sent.
            raise NotDelivered(f"the mail server did not take it ({type(error).__name__})") from None

    def _connected(self) -> smtplib.SMTP:
        server, context = self._server, ssl.create_default_context()
        if server.is_encrypted:
            connection: smtplib.SMTP = smtplib.SMTP_SSL(server.host, server.port, timeout=TIMEOUT_S, context=context)
        else:
            connection = smtplib.SMTP(server.host, server.port, timeout=TIMEOUT_S)
        try:
            if not (server.is_encrypted or server.is_plain):
                connection.starttls(context=context)
            if server.user:
                connection.login(server.user, server.password)
        except BaseException:
            connection.close()
            raise
        return connection
