"""Players are told once when a match waits for them, and when it is over; failures are tried again, and what changed hands is told to nobody."""

import sqlite3
from contextlib import closing, nullcontext
from itertools import count
from pathlib import Path

import pytest

from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from server.client.client import Client
from server.client.local import local_client
from server.web.notices.contacts import Contact, ContactRefused, Kind
from server.web.notices.delivery import NotDelivered, Notice
from server.web.notices.notice_book import ASKED_MAX, OF_SEAT_MAX, NoticeBook
from server.web.notices.notifier import AFTER_MS, AGAIN_MS, RETRY_MS, Notifier
from tests.support.browsing import play_on, played
from tests.support.sitting import StillClock

HOOK = Contact(Kind.WEBHOOK, "https://example.org/hook")
URL = "https://games.example.org"


class Kept:
    """A channel that keeps what it delivers, and fails while `failure` is set."""

    def __init__(self) -> None:
        self.notices: list[Notice] = []
        self.failure: NotDelivered | None = None

    def check(self, contact: Contact) -> None:
        """Take any contact."""

    def deliver(self, contact: Contact, notice: Notice) -> None:
        """Keep a notice."""
        if self.failure is not None:
            raise self.failure
        self.notices.append(notice)


class Table:
    """A match of *Battle for Stalingrad* that waits for a seat, whose player wants to be told."""

    def __init__(self, path: Path) -> None:
        self.clock = StillClock()
        self._seeds = count()
        log = MemoryLog()
        self.match: MatchId = played(log, "battle", 40)
        self.client: Client = local_client(log, clock=self.clock)
        self.book = NoticeBook(path / "notices.db", bytes(32))
        self.channel = Kept()
        self.notifier = self.another()
        self.seat: Seat = self.client.legal(self.match).to_move
        self.holder = self.client.state(self.match).table.credentials[self.seat]
        self.entry = self.book.add(self.match, self.seat, self.holder, HOOK, self.clock.ms)
        # The commands that follow are dated by the clock of the test.
        self.decide()
        self.decide_until(is_own=True)
        self.book.confirm(self.entry.number)

    def another(self) -> Notifier:
        """Return a notifier of the book."""
        return Notifier(lambda: nullcontext(self.client), self.book, {Kind.WEBHOOK: self.channel}, self.clock, URL)

    def look(self, after_ms: int = AFTER_MS) -> list[Notice]:
        """Let time pass, look, and return all notices so far."""
        self.clock.ms += after_ms
        self.notifier.look(self.client)
        return self.channel.notices

    def decide_until(self, *, is_own: bool) -> None:
        """Let the seats decide until it is the turn of the player, or of the other one."""
        for _ in range(200):
            if (self.client.legal(self.match).to_move == self.seat) == is_own:
                break
            self.decide()

        assert (self.client.legal(self.match).to_move == self.seat) == is_own

    def decide(self) -> None:
        """Let the seat that is to decide do so."""
        play_on(self.client, self.match, 1, seed=str(next(self._seeds)))


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A match whose player has confirmed one contact."""
    return Table(tmp_path)


def test_who_sits_at_the_table_is_not_told(table: Table) -> None:
    assert table.look(AFTER_MS - 1) == []


def test_a_player_is_told_once_which_match_waits(table: Table) -> None:
    (notice,) = table.look()
    again = table.look(10 * AGAIN_MS)

    assert again == [notice]
    assert notice.subject == "Your turn: Battle for Stalingrad"
    assert notice.link == f"{URL}/m/{table.match}?seat={table.seat}"
    assert notice.leave == f"{URL}/notices/{table.book.link_of(table.entry.number)}"
    assert notice.leave in notice.text


def test_a_player_who_has_decided_is_told_again_only_when_the_match_waits_long(table: Table) -> None:
    table.look()
    table.decide_until(is_own=False)
    table.decide_until(is_own=True)

    assert len(table.look(AGAIN_MS - 1)) == 1
    assert len(table.look(1)) == 2


def test_a_match_that_was_seen_to_wait_for_another_seat_is_a_new_turn(table: Table) -> None:
    table.look()
    table.decide_until(is_own=False)
    table.look(0)
    table.decide_until(is_own=True)

    assert len(table.look()) == 2


def test_two_processes_tell_a_player_once(table: Table) -> None:
    entries = table.book.confirmed()
    table.look()
    since = table.client.matches()[0].waiting.since

    assert not table.book.claim(entries[0], since, table.clock.ms, RETRY_MS[0])


def test_a_paused_match_tells_nobody(table: Table) -> None:
    table.client.play(table.match, ARBITER, {"do": "match:pause", "reason": "supper"})

    assert table.look(AGAIN_MS) == []


def test_a_notice_that_fails_is_tried_again_and_then_given_up(table: Table) -> None:
    table.channel.failure = NotDelivered("nobody there")
    table.look()
    early = table.book.confirmed()[0]
    for wait in RETRY_MS:
        table.look(wait)
    late = table.book.confirmed()[0]
    table.channel.failure = None

    assert (early.tries, early.problem) == (1, "nobody there")
    assert (late.tries, late.next_ms, late.problem) == (0, 0, "nobody there")
    assert table.look(10 * AGAIN_MS) == []


def test_a_notice_that_fails_goes_out_later(table: Table) -> None:
    table.channel.failure = NotDelivered("nobody there")
    table.look()
    table.channel.failure = None

    assert table.look(RETRY_MS[0] - 1) == []
    assert len(table.look(1)) == 1
    assert table.book.confirmed()[0].problem == ""


def test_the_end_is_told_to_everybody_and_ends_the_notices(table: Table) -> None:
    other = next(one for one in table.client.state(table.match).table.seats if one != table.seat)
    holder = table.client.state(table.match).table.credentials[other]
    table.book.confirm(table.book.add(table.match, other, holder, HOOK, table.clock.ms).number)
    table.client.play(table.match, table.seat, {"do": "match:resign"})
    notices = table.look(0)

    assert [one.subject for one in notices] == ["Battle for Stalingrad: the match is over"] * 2
    assert "won by" in notices[0].text
    assert table.book.confirmed() == []


def test_the_former_player_of_a_seat_is_told_nothing(table: Table) -> None:
    table.client.play(
        table.match,
        ARBITER,
        {"do": "match:replace-player", "seat": table.seat, "reason": "ill", "credential": "0" * 64},
    )

    assert table.look(AGAIN_MS) == []
    assert table.book.confirmed() == []


def test_a_contact_that_nobody_confirmed_is_told_nothing_and_forgotten(table: Table) -> None:
    mail = Contact(Kind.MAIL, "ada@example.org")
    table.book.add(table.match, table.seat, table.holder, mail, table.clock.ms)
    table.look()

    assert len(table.channel.notices) == 1
    table.look(8 * 86_400_000)
    assert [one.contact for one in table.book.of_seat(table.match, table.seat, table.holder)] == [HOOK]


def test_an_address_is_asked_three_times_a_day_and_never_again_if_its_owner_says_so(table: Table) -> None:
    mail = Contact(Kind.MAIL, "ada@example.org")
    for _ in range(ASKED_MAX):
        table.book.remove(table.book.add(table.match, table.seat, table.holder, mail, table.clock.ms).number)
    with pytest.raises(ContactRefused, match="three times"):
        table.book.add(table.match, table.seat, table.holder, mail, table.clock.ms)
    table.clock.ms += 86_400_001
    table.book.add(table.match, table.seat, table.holder, mail, table.clock.ms)
    table.book.block(mail.address)
    with pytest.raises(ContactRefused, match="wants no notices"):
        table.book.add(table.match, table.seat, table.holder, mail, table.clock.ms)


def test_a_seat_has_few_contacts(table: Table) -> None:
    for number in range(OF_SEAT_MAX - 1):
        table.book.add(table.match, table.seat, table.holder, Contact(Kind.MAIL, f"a{number}@b.org"), table.clock.ms)
    with pytest.raises(ContactRefused, match="at most 3"):
        table.book.add(table.match, table.seat, table.holder, Contact(Kind.MAIL, "more@b.org"), table.clock.ms)


def test_links_are_signed(table: Table) -> None:
    link = table.book.link_of(table.entry.number)
    number = table.entry.number

    assert table.book.linked(link) is not None
    assert [table.book.linked(one) for one in (f"{number}", f"{number + 1}{link[1:]}", "", f"{link}0", "ä-1")] == [
        None
    ] * 5


def test_a_file_that_is_no_book_is_told(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("a text that is no database, and long enough not to be taken for an empty one")
    with pytest.raises(OSError, match="not a book of notices"):
        NoticeBook(tmp_path / "other", bytes(32))


def test_another_database_such_as_a_store_is_left_alone(tmp_path: Path) -> None:
    store = tmp_path / "store.db"
    with closing(sqlite3.connect(store)) as connection:
        connection.execute("CREATE TABLE commits (number INTEGER PRIMARY KEY)")
    before = store.read_bytes()
    with pytest.raises(OSError, match="not a book of notices"):
        NoticeBook(store, bytes(32))

    assert store.read_bytes() == before
    assert list(tmp_path.iterdir()) == [store]


def test_a_book_is_opened_again_with_its_own_key(table: Table, tmp_path: Path) -> None:
    link = table.book.link_of(table.entry.number)

    assert NoticeBook(tmp_path / "notices.db", bytes(range(32))).link_of(table.entry.number) == link
