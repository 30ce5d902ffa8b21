"""Chats and phones, through the library of the extra `notify`."""

import apprise

from server.web.notices.contacts import Contact, ContactRefused
from server.web.notices.delivery import NotDelivered, Notice


class Chats:
    """Chats of players."""

    def check(self, contact: Contact) -> None:
        """Check the address of a chat; of those that are taken only ntfy could be asked at a machine that the address names.

        Raises:
            ContactRefused: The library does not understand it, or it names a machine.
        """
        scheme = contact.address.partition("://")[0].lower()
        found = apprise.Apprise.instantiate(contact.address, suppress_exceptions=True)
        if found is None:
            raise ContactRefused(f"this is not an address of the form that {scheme}:// has")
        if scheme == "ntfy" and getattr(found, "mode", "") != "cloud":
            raise ContactRefused("of ntfy only a topic of ntfy.sh is taken: ntfy://TOPIC")

    def deliver(self, contact: Contact, notice: Notice) -> None:
        """Send a notice.

        Raises:
            NotDelivered: The service did not take it.
        """
        sent = apprise.Apprise()
        if not sent.add(contact.address):
            raise NotDelivered("the library knows no such chat any more", is_final=True)
        if not sent.notify(body=notice.text, title=notice.subject):
            raise NotDelivered("the chat did not take it")
