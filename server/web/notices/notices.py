"""Notices as the pages use them: contacts are added, confirmed and removed, and players are told beside the pages."""

from collections.abc import Mapping, Sequence

from core.telling.phrases import listed
from events.ids import MatchId, Seat
from server.protocol.clock import Clock
from server.web.notices.contacts import CHATS, ContactRefused, Kind, parse_contact
from server.web.notices.delivery import Channel, NotDelivered
from server.web.notices.notice_book import Entry, NoticeBook
from server.web.notices.notifier import Notifier

REACHED = {
    Kind.MAIL: "a mail address",
    Kind.WEBHOOK: "a webhook (https://)",
    Kind.CHAT: f"a chat ({listed([f'{one}://' for one in CHATS])})",
}
"""What notices can go to, in words."""


class Notices:
    """Notices of the pages.

    Args:
        book: Who wants to be told.
        notifier: Tells them.
        channels: The ways to deliver that the operator has, by kind of contact.
        clock: Dates what is added.
    """

    def __init__(self, book: NoticeBook, notifier: Notifier, channels: Mapping[Kind, Channel], clock: Clock) -> None:
        self.book = book
        self._notifier = notifier
        self._channels = channels
        self._clock = clock

    @property
    def reaches(self) -> str:
        """Where notices can go, in words."""
        return " or ".join(words for kind, words in REACHED.items() if kind in self._channels)

    def add(self, match: MatchId, seat: Seat, holder: str, text: str) -> Entry:
        """Add a contact to a seat, and ask its owner to confirm it.

        Raises:
            ContactRefused: The text is no contact, or is not taken, or nothing can be delivered there.
        """
        contact = parse_contact(text)
        channel = self._channels.get(contact.kind)
        if channel is None:
            raise ContactRefused(f"this server sends no notices to {REACHED[contact.kind]}, but to {self.reaches}")
        channel.check(contact)
        entry = self.book.add(match, seat, holder, contact, self._clock.now_ms())
        try:
            self._notifier.ask(entry)
        except NotDelivered as error:
            self.book.remove(entry.number)
            raise ContactRefused(f"nothing was added: {error}") from None
        return entry

    def of_seat(self, match: MatchId, seat: Seat, holder: str) -> Sequence[Entry]:
        """Return the contacts of a seat's player."""
        return self.book.of_seat(match, seat, holder)
