"""Delivery of a notice by mail, webhook or chat. Each call takes at most seconds, and its failure says why."""

from typing import NamedTuple, Protocol

from server.web.notices.contacts import Contact

TIMEOUT_S = 10.0
"""How long a machine may take to answer."""


class Notice(NamedTuple):
    """A notice.

    Attributes:
        subject: One line.
        text: What it says, in lines; the last ones lead to the match and stop notices.
        link: The address of the match, or of the page that confirms a contact.
        leave: The address that stops these notices.
    """

    subject: str
    text: str
    link: str
    leave: str


class NotDelivered(Exception):
    """A notice that did not go out; the message says why. `is_final`: it never will, whenever it is tried."""

    def __init__(self, why: str, *, is_final: bool = False) -> None:
        super().__init__(why)
        self.is_final = is_final


class Channel(Protocol):
    """A way to deliver notices."""

    def check(self, contact: Contact) -> None:
        """Check a contact before it is kept.

        Raises:
            ContactRefused: No notice would ever get there.
        """

    def deliver(self, contact: Contact, notice: Notice) -> None:
        """Deliver a notice.

        Raises:
            NotDelivered: It did not go out.
        """
