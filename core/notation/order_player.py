"""Orders of a notation played by the rules in memory: each must be legal, and the dice and draws those that the rules ask for."""

from collections.abc import Sequence

from core.chance.chance_sources import ManualChance
from core.errors import DiceImpossible, DiceMissing, DrawMissing, KernelError
from core.match.fork import Forking, fork_match
from core.match.live_match import Match, Prepared
from core.notation.notation import BEGIN, RESIGN, UNTOLD, Move, NotationInvalid, NotationRefused
from core.notation.order_text import OrderInvalid, command_of
from core.refusal import Refusal
from events.codec import DecodeError
from events.ids import NO_SEAT, MatchId, Seat, match_id
from events.log import NewCommit
from events.memory_log import MemoryLog


class OrderPlayer:
    """Plays orders in a store in memory.

    Args:
        name: From it the ids of the matches follow.
        at: When they are played, in milliseconds since 1970 (UTC).

    Attributes:
        matches: What was made, parents first.
    """

    def __init__(self, name: str, at: int) -> None:
        self._log = MemoryLog()
        self._at = at
        self._name = name
        self.matches: list[MatchId] = []

    def _commits(self, match: MatchId) -> tuple[NewCommit, ...]:
        return tuple(
            [
                NewCommit(one.match, one.first, one.last, one.key, one.hash, one.body, self._log.origin(one.match))
                for one in self._log.read(match)
            ]
        )

    def _id(self) -> MatchId:
        found = match_id(f"notation {len(self.matches)} {self._name}")
        self.matches.append(found)
        return found

    def _play(self, match: Match, moves: Sequence[Move]) -> None:
        for move in moves:
            before = match.head.seq
            self._order(match, move)
            lines = self._told(match, move, before)
            for fork, line in lines:
                self._play(fork, line)

    def _told(self, match: Match, move: Move, before: int) -> list[tuple[Match, Sequence[Move]]]:
        """Keep what was said of an order, and return its variations with their forks; here nothing is said."""
        return [(self._fork(match, before, line[0].line), line) for line in move.lines]

    def _fork(self, match: Match, at: int, line: int) -> Match:
        """Return a fork that leaves a match before an order."""
        forking = Forking(parent=match.id, at=at, dice="manual")
        try:
            forked = fork_match(self._log, self._id(), forking, key="fork", at=self._at)
        except KernelError as error:
            raise NotationInvalid(line, f"the variation cannot begin here: {error}") from None
        for prepared in forked.commits:
            self._log.append([prepared.new])
        return forked.match

    def _order(self, match: Match, move: Move) -> None:
        """Play one order."""
        said, table = " ".join(move.words), match.table
        if move.words == (UNTOLD,):
            told = "the order is not told, because the notation is what one seat saw: ask for a whole one"
            raise NotationInvalid(move.line, told)
        if table.ended is not None:
            raise NotationInvalid(move.line, f"{said!r} comes after the end of the match ({table.ended.result})")
        if move.words == (BEGIN,) and not table.began:
            self._accept(match, table.seats[0], b'{"do":"match:begin"}', move)
            return
        top = table.top
        seat = move.seat if move.words == (RESIGN,) else NO_SEAT if top is None else top.seat
        if not seat:
            raise NotationInvalid(move.line, f"{said!r} comes before play has begun: {BEGIN} is the first order")
        if move.seat not in ("", seat):
            raise NotationInvalid(move.line, f"{said!r} is an order of {move.seat}, and {seat} is to decide")
        if move.words == (RESIGN,):
            self._accept(match, seat, b'{"do":"match:resign"}', move)
            return
        try:
            command = command_of(move.words, match.ruleset.rules.commands)
        except OrderInvalid as error:
            raise NotationInvalid(move.line, f"{said!r}: {error}") from None
        self._accept(match, seat, command, move)

    def _accept(self, match: Match, seat: Seat, command: bytes, move: Move) -> None:
        """Play a command, and keep it in memory."""
        said, key = " ".join(move.words), f"notation-{match.head.seq}"
        try:
            chance = ManualChance(move.faces, move.draws)
            done = match.prepare(seat, command, key=key, at=self._at, chance=chance)
        except (DiceMissing, DrawMissing, DiceImpossible) as error:
            # A die that can fall, but did not, changes what is rolled and asked later.
            why = f"the dice of {said!r} do not fit the rules: {error}; or a die or draw before it is another one than fell"
            raise NotationInvalid(move.line, why) from None
        except DecodeError as error:
            raise NotationInvalid(move.line, f"{said!r} is not an order of this game: {error}") from None
        if isinstance(done, Refusal):
            raise NotationRefused(move.line, f"{said!r} is refused: {done.sentence} ({done.rule})", done.rule)
        self._adopt(match, done)

    def _adopt(self, match: Match, done: Prepared) -> None:
        self._log.append([done.new])
        match.adopt(done)
