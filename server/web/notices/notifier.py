"""The notifier: looks regularly whom matches wait for, and tells players who have asked for it. It runs in a thread beside the pages."""

import sqlite3
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from itertools import groupby

from core.telling.chosen_options import title_of
from core.wording import does
from events.ids import MatchId
from projections.catalogue import MatchSummary
from server.client.client import Client
from server.protocol.clock import Clock
from server.protocol.errors import RequestFailed, ServerError
from server.web.http.addresses import at_match
from server.web.notices.contacts import Kind
from server.web.notices.delivery import Channel, NotDelivered, Notice
from server.web.notices.notice_book import Entry, NoticeBook
from server.web.panels.summary_text import SummaryWords

LOOK_EVERY_S = 15.0
AFTER_MS = 60_000
"""How long a match waits for a player before the player is told: who sits at the table needs no notice."""
AGAIN_MS = 3_600_000
"""After how long a player is told again, if the match has gone on meanwhile without that the notifier saw it wait for another seat."""
RETRY_MS = (60_000, 300_000, 1_800_000, 7_200_000)
"""After how long a notice that failed is tried again; after the last it is given up."""
UNCONFIRMED_MS = 7 * 86_400_000
"""How long a contact waits to be confirmed."""


class Notifier:
    """Tells players.

    Args:
        connect: Connects to the broker, in the notifier's own thread.
        book: Who wants to be told.
        channels: The ways to deliver, by kind of contact.
        clock: Tells how long matches have waited.
        url: The address of the pages as players know it, without a slash at the end.
    """

    def __init__(
        self,
        connect: Callable[[], AbstractContextManager[Client]],
        book: NoticeBook,
        channels: Mapping[Kind, Channel],
        clock: Clock,
        url: str,
    ) -> None:
        self._connect = connect
        self._book = book
        self._channels = channels
        self._clock = clock
        self._url = url
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="notices", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def end(self) -> None:
        """End; a notice that is on its way is tried again when the pages start again."""
        self._ended.set()

    def _run(self) -> None:
        with self._connect() as client:
            while not self._ended.wait(LOOK_EVERY_S):
                try:
                    self.look(client)
                except (ServerError, sqlite3.Error) as error:
                    _warn("notices_wait", why=str(error))

    def look(self, client: Client) -> None:
        """Tell everybody who is to be told now.

        Raises:
            ServerError: The broker does not answer.
            sqlite3.Error: The book cannot be read or written.
        """
        self._book.forget_unconfirmed(self._clock.now_ms() - UNCONFIRMED_MS)
        for match, entries in groupby(self._book.confirmed(), lambda one: one.match):
            if self._ended.is_set():
                return
            self._look_at(client, match, list(entries))

    def _look_at(self, client: Client, match: MatchId, entries: list[Entry]) -> None:
        found = [one for one in client.matches_like(match) if one.match == match]
        if not found:
            self._book.forget_match(match)
            return
        summary = found[0]
        if summary.problem:
            return
        for entry in entries:
            if summary.ended is None and summary.to_move != entry.seat:
                if entry.told:
                    self._book.note_decided(entry.number)
            elif self._is_due(summary, entry):
                self._tell(client, summary, entry)

    def _is_due(self, summary: MatchSummary, entry: Entry) -> bool:
        now = self._clock.now_ms()
        if entry.next_ms:
            return now >= entry.next_ms and entry.tries <= len(RETRY_MS)
        if summary.ended is not None:
            return True
        if summary.paused is not None:
            return False
        waited = summary.waiting.waited_ms(now)
        return waited >= (AGAIN_MS if entry.told else AFTER_MS) and entry.told != summary.waiting.since

    def _tell(self, client: Client, summary: MatchSummary, entry: Entry) -> None:
        retry = RETRY_MS[min(entry.tries, len(RETRY_MS) - 1)]
        is_last = entry.tries >= len(RETRY_MS)
        if not _is_still_the_players(client, entry):
            self._book.remove(entry.number)
            return
        # At most one process takes it on; what fails between here and the note is tried again.
        if not self._book.claim(entry, summary.waiting.since or 1, self._clock.now_ms(), retry):
            return
        try:
            self.deliver(entry, self._notice(summary, entry))
        except NotDelivered as error:
            is_over = error.is_final or is_last
            self._book.note_failed(entry.number, str(error), is_over=is_over)
            _warn("notice_failed", match=entry.match, seat=entry.seat, kind=entry.contact.kind.value, why=str(error))
            if not is_over or summary.ended is None:
                return
        else:
            self._book.note_told(entry.number)
        if summary.ended is not None:
            self._book.remove(entry.number)

    def deliver(self, entry: Entry, notice: Notice) -> None:
        """Deliver a notice.

        Raises:
            NotDelivered: It did not go out.
        """
        channel = self._channels.get(entry.contact.kind)
        if channel is None:
            raise NotDelivered(f"this server sends no notices by {entry.contact.kind.value}", is_final=True)
        channel.deliver(entry.contact, notice)

    def ask(self, entry: Entry) -> None:
        """Ask the owner of an address whether notices are wanted there.

        Raises:
            NotDelivered: It did not go out.
        """
        link = self._linked(entry)
        text = (
            "Somebody who plays on a War Diary server wants to be told here when it is their turn.\n\n"
            f"If that is you, confirm it: {link}\n\n"
            "If it is not, do nothing, and nothing more will come; on the same page you can say that this server is never to ask again.\n"
        )
        self.deliver(entry, Notice("Notices of a match: please confirm", text, link, link))

    def _notice(self, summary: MatchSummary, entry: Entry) -> Notice:
        words = SummaryWords(summary)
        link = f"{self._url}{at_match(summary.match, seat=entry.seat)}"
        leave = self._linked(entry)
        what = title_of(summary.game)
        if summary.ended is not None:
            subject, said = f"{what}: the match is over", f"{words.stand()}."
        else:
            subject, said = f"Your turn: {what}", f"{words.stand()}. {does(words.decider(), 'be')} to decide."
        text = f"{what}\n{said}\n\n{link}\n\nNo more notices of this match: {leave}\n"
        return Notice(subject, text, link, leave)

    def _linked(self, entry: Entry) -> str:
        return f"{self._url}/notices/{self._book.link_of(entry.number)}"


def _is_still_the_players(client: Client, entry: Entry) -> bool:
    """Return whether the seat is still that of the player who added the contact."""
    try:
        return client.state(entry.match).table.credentials.get(entry.seat) == entry.holder
    except RequestFailed:
        return False


def _warn(what: str, **fields: str) -> None:
    """Tell the operator of the pages."""
    import structlog

    structlog.get_logger().warning(what, **fields)
