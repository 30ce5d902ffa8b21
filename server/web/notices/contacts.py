"""Contacts to which notices go: mail addresses, webhooks and chats, as a visitor types them."""

import re
from enum import Enum
from typing import NamedTuple
from urllib.parse import urlsplit

CONTACT_MAX = 254
"""How many characters a contact has at most; mail addresses have no more."""
CHATS = ("discord", "gchat", "ntfy", "pover", "slack", "tgram", "threema")
"""Chats of which the service chooses the machine that is asked, so that no contact leads elsewhere."""

_MAIL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}")


class Kind(Enum):
    """Kinds of contacts."""

    MAIL = "mail"
    WEBHOOK = "webhook"
    CHAT = "chat"


class Contact(NamedTuple):
    """A contact: how it is reached, and its address."""

    kind: Kind
    address: str

    @property
    def masked(self) -> str:
        """The address as a page shows it: addresses of chats and webhooks are secrets, so only their beginnings."""
        if self.kind is Kind.MAIL:
            return self.address
        scheme, _, rest = self.address.partition("://")
        return f"{scheme}://{rest[:12]}…" if self.kind is Kind.CHAT else f"https://{urlsplit(self.address).hostname}/…"


class ContactRefused(Exception):
    """A text that is no contact; the message says what would be one."""


def parse_contact(text: str) -> Contact:
    """Return the contact that a visitor has typed.

    Raises:
        ContactRefused: It is not a contact, or too long.
    """
    typed = text.strip()
    if len(typed) > CONTACT_MAX:
        raise ContactRefused(f"a contact has at most {CONTACT_MAX} characters, not {len(typed):,}")
    if not typed.isascii() or not typed.isprintable() or " " in typed:
        raise ContactRefused("a contact is one address without spaces, in plain characters")
    scheme, separator, _ = typed.partition("://")
    if not separator:
        return Contact(Kind.MAIL, _mail(typed))
    if scheme.lower() in CHATS:
        return Contact(Kind.CHAT, typed)
    if scheme.lower() in ("https", "http"):
        return Contact(Kind.WEBHOOK, _webhook(typed))
    chats = ", ".join(f"{one}://" for one in CHATS)
    raise ContactRefused(f"notices go to mail addresses, to https:// and to {chats}, not to {scheme[:20]}://")


def _mail(typed: str) -> str:
    local, _, domain = typed.rpartition("@")
    address = f"{local}@{domain.lower()}"
    if not _MAIL.fullmatch(address) or local.startswith(".") or local.endswith(".") or ".." in local:
        raise ContactRefused(
            f"{typed[:60]!r} is neither a mail address such as ada@example.org nor an address with ://"
        )
    return address


def _webhook(typed: str) -> str:
    try:
        parts = urlsplit(typed)
        port = parts.port
    except ValueError as error:
        raise ContactRefused(f"{typed[:60]!r} is not the address of a webhook: {error}") from None
    if not parts.hostname or parts.username is not None or parts.fragment or port == 0:
        raise ContactRefused(
            "a webhook is an address such as https://example.org/hook, without a name, a password or a #"
        )
    return typed
