"""A match in memory: open it, take seats, play, fork and audit."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random

from core.audit.audit_report import AuditReport
from core.audit.match_audit import audit_match
from core.chance.chance_sources import ManualChance
from core.engine.command import Command
from core.engine.selection import onward
from core.history.match_reader import events_of
from core.match.fork import Forking, fork_match
from core.match.live_match import Match, Prepared, load_match
from core.match.match_creation import Opening, open_match
from core.refusal import Refusal
from core.registry.games import GAMES
from events.codec import encode
from events.commit import Commit, decode_commit
from events.ids import ARBITER, GameKey, MatchId, Seat
from events.log import Appended, Log
from events.memory_log import MemoryLog
from events.vocabulary import Event, Value
from projections.state.table import Table

SEED = "5eed" * 16
NOON = 1_700_000_000_000


@contextmanager
def skirmish_listed() -> Iterator[None]:
    """List the test game until the block ends."""
    GAMES[GameKey("skirmish")] = "tests.support.skirmish"
    try:
        yield
    finally:
        del GAMES[GameKey("skirmish")]


class Desk:
    """One match in a log: what a server's desk does, without the server.

    Args:
        log: Where the match lies.
        match: The match at its head.
    """

    def __init__(self, log: Log, match: Match) -> None:
        self.log = log
        self.match = match
        self.count = 0

    @classmethod
    def open(
        cls,
        game: str = "skirmish",
        scenario: str = "",
        *,
        options: Mapping[str, Value] | None = None,
        dice: str = "seeded",
        seed: str = "",
        mode: str = "",
        board: str | None = None,
        variant: str = "",
        position: str | None = None,
        log: Log | None = None,
        name: str = "m1",
        seats: Sequence[Seat] | None = None,
    ) -> "Desk":
        """Open a match and take all seats, or those named; play then begins, except with typed dice."""
        log = MemoryLog() if log is None else log
        opening = Opening(
            game=game,
            scenario=scenario,
            mode=mode,
            options=dict(options or {}),
            dice=dice,
            seed=seed or (SEED if dice == "sealed" else "1"),
            board=board,
            variant=variant,
            position=position,
        )
        opened = open_match(MatchId(name), opening, key="open", at=NOON)
        log.append([opened.prepared.new])
        for digest, content in opened.attachments.items():
            log.attach(digest, content)
        desk = cls(log, load_match(log, MatchId(name)))
        for seat in desk.table.seats if seats is None else seats:
            desk.accept({"do": "match:take-seat", "seat": seat, "name": str(seat).title()}, seat)
        return desk

    @property
    def table(self) -> Table:
        """The table at the head."""
        return self.match.table

    @property
    def events(self) -> list[Event]:
        """All events so far, a fork's shared ones included."""
        return events_of(self.log, self.match.id)

    @property
    def commits(self) -> list[Commit]:
        """All commits so far, a fork's shared ones included."""
        return [decode_commit(stored.body) for stored in self.log.read(self.match.id)]

    def options(self) -> list[Command]:
        """The legal commands of the open decision."""
        return self.match.ruleset.rules.options(self.table)

    def ask(
        self,
        command: Command | Mapping[str, object],
        seat: Seat | None = None,
        dice: Sequence[int] | None = None,
        draws: Sequence[str] = (),
        key: str = "",
    ) -> Prepared | Refusal:
        """Prepare a command without storing it; by default as the deciding seat."""
        top = self.table.top
        asker = seat if seat is not None else ARBITER if top is None else top.seat
        chance = ManualChance(dice or (), draws) if dice is not None or draws else None
        name = key or f"{self.match.id}-{self.match.head.seq}"
        return self.match.prepare(asker, encode(command), key=name, at=NOON + self.match.head.seq, chance=chance)

    def accept(
        self,
        command: Command | Mapping[str, object],
        seat: Seat | None = None,
        dice: Sequence[int] | None = None,
        draws: Sequence[str] = (),
    ) -> Prepared:
        """Play and store a command, which must be accepted."""
        done = self.ask(command, seat, dice, draws)
        assert isinstance(done, Prepared), done
        assert isinstance(self.log.append([done.new])[0], Appended)
        self.match.adopt(done)
        return done

    def refused(self, command: Command | Mapping[str, object], seat: Seat | None = None) -> str:
        """Return the code with which a command is refused; it must be refused."""
        answer = self.ask(command, seat)
        assert isinstance(answer, Refusal), answer
        return answer.code

    def play(self, steps: int, choose: Random, after: "Callable[[Desk], None] | None" = None) -> "Desk":
        """Play at most so many random legal commands; stop earlier when the match ends."""
        for _ in range(steps):
            options = self.options()
            if self.table.ended is not None or not options:
                break
            self.accept(choose.choice(onward(options)))
            if after is not None:
                after(self)
        return self

    def fork(self, at: int, dice: str = "fresh", name: str = "fork", seat: Seat = ARBITER, **more: object) -> "Desk":
        """Fork the match after an event."""
        seed = str(more.pop("seed", "f0" * 32 if dice == "fresh" else "2"))
        asked = {"parent": self.match.id, "at": at, "dice": dice, "seat": seat, "seed": seed, **more}
        forked = fork_match(self.log, MatchId(name), Forking(**asked), key=f"fork-{name}", at=NOON)  # type: ignore[arg-type]
        for prepared in forked.commits:
            assert isinstance(self.log.append([prepared.new])[0], Appended)
        return Desk(self.log, forked.match)

    def audit(self) -> AuditReport:
        """Audit the match."""
        return audit_match(self.log, self.match.id)
