"""A match on a server in this process whose players sign what they send; and the archive as a dishonest operator would write it anew."""

from collections.abc import Callable, Sequence
from random import Random

from core.audit.audit_report import AuditReport
from core.audit.match_audit import audit_match
from core.match.signatures import record_of
from events.archive import export_match
from events.codec import replace
from events.commit import Commit, decode_commit
from events.ids import ARBITER, MatchId, Seat
from events.memory_log import MemoryLog
from events.transparency.signed_command import SeatSigner, opening_digest, text_to_sign
from events.vocabulary import MatchOpened, Value
from server.client.client import Client
from server.client.local import LocalTransport
from server.desk.desk import Desk
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from tests.support.forgery import put, renumbered
from tests.support.sitting import OWNER

OPERATOR = SeatSigner(b"o" * 32)
"""The key of somebody who has none of the players' keys."""


class Players:
    """A match, and a client for each of its players.

    Args:
        game: The game.
        dice: Its dice.
        options: Its options.
        mode: Its mode.
        signing: The seats that sign.
    """

    def __init__(
        self,
        game: str = "skirmish",
        *,
        dice: str = "seeded",
        options: dict[str, Value] | None = None,
        mode: str = "",
        signing: Callable[[Seat], bool] = lambda _: True,
    ) -> None:
        self.log = MemoryLog()
        self.desk = Desk(self.log, owner=OWNER, raises_faults=True)
        self.host = self.client()
        opened = self.host.open(game, dice=dice, mode=mode, options=options, seed="1" if dice == "seeded" else "")
        self.match: MatchId = opened.match
        self.clients = {seat: self.client() for seat in opened.seats}
        for seat, client in self.clients.items():
            client.take_seat(self.match, seat, str(seat).title(), sign=signing(seat))
        for seat, client in self.clients.items():
            client.do_part(self.match, seat)

    def client(self) -> Client:
        """Return another client."""
        return Client(LocalTransport(self.desk), SystemIdentity(), SystemClock(), OWNER)

    def play(self, steps: int, seed: int = 1) -> "Players":
        """Play random options, each by the client of its seat."""
        choose = Random(seed)
        for _ in range(steps):
            # A standing answer may have called for a link of a seat that did not play.
            for seat, client in self.clients.items():
                client.do_part(self.match, seat)
            mover = Seat(self.host.legal(self.match).to_move)
            if not mover:
                break
            client = self.clients[mover]
            legal = client.legal(self.match, mover)
            commands = [one.command for one in legal.options if b'"unpick"' not in bytes(one.command)]
            client.play(self.match, mover, bytes(choose.choice(commands)), expected=legal.seq)
        return self

    def until(self, seat: Seat, word: str) -> "Players":
        """Play until a seat has an option with a word."""
        while not (self.host.legal(self.match).to_move == seat and word in self.asked(seat)):
            self.play(1, seed=self.desk.number(self.match, ARBITER))
        return self

    def asked(self, seat: Seat) -> str:
        """Return the commands that a seat may play now, as text."""
        return " ".join(bytes(one.command).decode() for one in self.clients[seat].legal(self.match, seat).options)

    @property
    def commits(self) -> list[Commit]:
        """All commits."""
        return [decode_commit(stored.body) for stored in self.log.read(self.match)]

    @property
    def report(self) -> AuditReport:
        """An audit."""
        return audit_match(self.log, self.match)

    def archive(self) -> bytes:
        """Return the archive."""
        return b"".join(export_match(self.log, self.match))

    def rewritten(self, commits: Sequence[Commit]) -> "Players":
        """Return the match as an operator has written it anew, with all hashes."""
        again = object.__new__(Players)
        again.log, again.match, again.clients = MemoryLog(), self.match, self.clients
        for digest, content in self.log._attachments.items():
            again.log.attach(digest, content)
        put(again.log, self.match, renumbered(list(commits)), None)
        return again


def shown_before(commit: Commit, commits: Sequence[Commit]) -> str:
    """Return the digest that the signature of a commit names."""
    return record_of([one for one in commits if one.first < commit.first]).before(commit.key)


def signed_anew(commit: Commit, commits: Sequence[Commit], signer: SeatSigner = OPERATOR, **changes: object) -> Commit:
    """Return a commit with changed fields, signed with a key."""
    commit = replace(commit, **changes)
    opening = commits[0].events[0]
    assert isinstance(opening, MatchOpened)
    text = text_to_sign(
        commit.match,
        opening_digest(opening),
        commit.seat,
        key=commit.key,
        command=bytes(commit.command),
        expected=commit.expected,
        record=shown_before(commit, commits) if commit.expected else "",
    )
    return replace(commit, signature=signer.sign(text))
