"""The jobs of the background process, with their inputs and results; all of them can be pickled."""

from collections.abc import Hashable
from typing import Protocol

from core.game.bound_game import BoundGame
from core.history.match_reader import seen_of, table_at
from core.match.bound_games import keep_game, keep_position
from core.match.live_match import load_match, own_board, own_position, ruleset_of
from core.match.signatures import PublicRecord
from core.odds.option_odds import OptionOdds, odds_of_command, odds_of_options
from core.odds.possible_tables import PossibleTables
from core.positions.position import Position
from core.secrets.knowledge import Hidden
from events.codec import Decoder, Struct, encode
from events.commit import Head
from events.errors import LogError
from events.ids import ARBITER, GameKey, MatchId, Seat
from events.log import Log, NewCommit
from projections.state.fold import fold
from projections.state.limits import Limit
from projections.state.offices import Invitation
from projections.state.view import SeatView
from projections.table_codec import encode_table
from server.desk.match_cache import CachedMatch
from server.desk.match_creator import MatchCreator
from server.protocol.clock import SystemClock
from server.protocol.identity import SystemIdentity
from server.protocol.wire import ForkRequest, OpenRequest

INLINE_EVENTS = 1_000
"""How many events may be read, checked and folded in the serving loop; this takes about 3 ms."""

_OPEN_REQUESTS: Decoder[OpenRequest] = Decoder(OpenRequest)


def is_long(events: int) -> bool:
    """Return whether this number of events is too large to be read in the serving loop."""
    return events > INLINE_EVENTS


class Job(Hashable, Protocol):
    """A unit of work that only reads a store; it is pickled for the background process."""

    def run(self, log: Log) -> object:
        """Run the job and return its result, which is pickled for the server.

        Raises:
            LogError: The store cannot provide what the job needs.
            KernelError: The request is not possible.
        """


class JobFailed(LogError):
    """A job failed because of a fault in the program."""


class ReadFiles(Struct, frozen=True):
    """The texts of a board and a position, or None, and the objects that were built from them."""

    game: GameKey
    board: str | None
    variant: str
    position: str | None
    bound: BoundGame
    read: Position | None

    def keep(self) -> None:
        """Cache the objects in this process."""
        if self.board is not None:
            keep_game(self.game, self.board, self.variant, self.bound)
        if self.position is not None and self.read is not None:
            keep_position(self.position, self.read)


class LoadedMatch(Struct, frozen=True):
    """A match whose chain was checked: its table as bytes, its head, what everybody was shown, and its files."""

    table: bytes
    head: Head
    record: PublicRecord
    files: ReadFiles


class LoadMatch(Struct, frozen=True):
    """Load a match at its head."""

    match: MatchId

    def run(self, log: Log) -> LoadedMatch:
        """Check the chain and fold the events; see `core.match.live_match.load_match` for the errors."""
        loaded = load_match(log, self.match)
        files = ReadFiles(
            loaded.table.game,
            own_board(log, loaded.table),
            loaded.table.variant,
            own_position(log, loaded.table),
            loaded.ruleset.game,
            loaded.ruleset.position,
        )
        return LoadedMatch(encode_table(loaded.table), loaded.head, loaded.record, files)


class AskStore(Struct, frozen=True):
    """Ask a store on other machines something that only the one answers that takes writes."""

    def run(self, log: Log) -> None:
        """Ask; what it answers does not matter."""
        log.find(MatchId("any"), "")


class CheckFiles(Struct, frozen=True):
    """Check the board and the position of a match to be opened; `request` is the request as JSON."""

    request: bytes

    def run(self, log: Log) -> ReadFiles:
        """Open the match without storing it; see `server.desk.match_creator.MatchCreator.open` for the errors."""
        request = _OPEN_REQUESTS.decode(self.request)
        opened = MatchCreator(log, SystemClock(), SystemIdentity()).open(MatchId("checked"), request, "")
        ruleset = opened.match.match.ruleset
        return ReadFiles(
            opened.match.table.game, request.board, request.variant, request.position, ruleset.game, ruleset.position
        )


class FoldView(Struct, frozen=True):
    """Fold the table that a seat sees after the log's event `seq`; `limits` are the match's."""

    match: MatchId
    seat: Seat
    seq: int
    limits: tuple[Limit, ...]

    def run(self, log: Log) -> bytes:
        """Return the table as bytes."""
        return encode_table(fold(seen_of(log, self.match, SeatView(self.seat, 0, self.limits), 0, self.seq)))


class CountOdds(Struct, frozen=True):
    """Count the chances of options of the decision that is open after the log's event `seq`, by what a seat knows."""

    match: MatchId
    seat: Seat
    seq: int
    numbers: tuple[int, ...]
    command: bytes = b""

    @property
    def key(self) -> str:
        """The request as text, by which its result is kept."""
        return encode(self).decode()

    def run(self, log: Log) -> tuple[OptionOdds, ...]:
        """Count them; see `core.odds.option_odds`. A seat that does not decide is told nothing."""
        table = table_at(log, self.match, self.seq)
        game = ruleset_of(log, table).game
        if table.top is None or self.seat not in (table.top.seat, ARBITER):
            return ()

        def knowledge() -> Hidden:
            return Hidden(seen_of(log, self.match, SeatView(self.seat, 0, table.limits), 0, self.seq))

        worlds = PossibleTables(game.rules, table, self.seat, game.inventory(table.scenario, table.options), knowledge)
        if self.command:
            return (odds_of_command(game.rules, game.rolls, table, worlds, self.command),)
        return odds_of_options(game.rules, game.rolls, table, worlds, self.numbers)


class PreparedFork(Struct, frozen=True):
    """The commits of a fork, the table after each of them as bytes, its sealed seed, and what everybody was shown."""

    commits: tuple[NewCommit, ...]
    tables: tuple[bytes, ...]
    seed: str
    record: PublicRecord


class PrepareFork(Struct, frozen=True):
    """Prepare a fork of a match for an admitted seat.

    Attributes:
        match: The fork's id.
        request: The request, with the number of the last shared event.
        is_owner: Whether the client may see everything.
        maker: Who makes it.
        at_ms: When the fork is made, in milliseconds since 1970 (UTC).
        seed: 64 random hexadecimal digits that seed its dice.
    """

    match: MatchId
    request: ForkRequest
    is_owner: bool
    maker: Invitation
    at_ms: int
    seed: str

    def run(self, log: Log) -> PreparedFork:
        """Create the fork as the desk would; see `server.desk.match_creator.MatchCreator.fork` for the errors."""
        parent = CachedMatch(load_match(log, self.request.match))
        decided = MatchCreator(log, _Moment(self.at_ms), _GivenSeed(self.seed)).fork(
            self.match, parent, self.request, self.request.key, owner=self.is_owner, maker=self.maker
        )
        fork = decided.match.match
        commits = tuple([done.new for done in decided.commits])
        tables = tuple([encode_table(done.table) for done in decided.commits])
        return PreparedFork(commits, tables, fork.seed, fork.record)


class _Moment:
    """A clock that always shows the same time."""

    def __init__(self, at_ms: int) -> None:
        self._at_ms = at_ms

    def now_ms(self) -> int:
        """Return the given time."""
        return self._at_ms

    def monotonic(self) -> float:
        """Return 0: a job measures no time."""
        return 0.0

    def sleep(self, seconds: float) -> None:
        """Return at once."""


class _GivenSeed:
    """An identity with a given seed."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._others = SystemIdentity()

    def seed(self) -> str:
        """Return the given seed."""
        return self._seed

    def key(self) -> str:
        """Return a new key."""
        return self._others.key()

    def token(self) -> str:
        """Return a new secret."""
        return self._others.token()


def is_shared(job: object) -> bool:
    """Return whether all requests that wait for a job need it, so that its error fails all of them."""
    return isinstance(job, (LoadMatch, CheckFiles))
