"""Makes the first commits of matches that are opened or forked."""

from collections import OrderedDict

from core.chance.schemes import SEEDED
from core.errors import KernelError, SetupInvalid, UnknownName
from core.history.match_reader import events_of, table_at
from core.match.fork import DICE, Forking, fork_match
from core.match.live_match import Match, Prepared
from core.match.match_creation import Opening, open_match
from core.match.signatures import record_of
from core.registry.games import load_game
from events.codec import Struct
from events.commit import Head
from events.errors import LogError
from events.ids import ARBITER, PUBLIC, Digest, MatchId, Seat
from events.log import Log
from projections.state.forks import RESAMPLE
from projections.state.offices import Invitation
from projections.state.table import Table
from projections.state.view import hides_nothing, seen_events
from server.desk.match_cache import CachedMatch
from server.protocol.clock import Clock
from server.protocol.errors import RequestFailed, denied
from server.protocol.identity import Identity
from server.protocol.replies import FailedReply
from server.protocol.wire import ForkRequest, OpenRequest

SEED_CHARACTERS_MAX = 200
PREPARED_FORKS_MAX = 16
"""How many prepared forks are kept for the requests that need them."""

TRUTH = "truth"


class Decided(Struct, frozen=True):
    """The change that a command makes: the commits in order, the files they refer to, and the resulting match.

    `token` is the secret of a seat that the command takes, `left` how many commands of an order come after a fence.
    """

    match: CachedMatch
    commits: tuple[Prepared, ...]
    attachments: dict[Digest, bytes] = {}
    token: str = ""
    left: int = 0


class MatchCreator:
    """Prepares the first commits of matches.

    Args:
        log: The log from which parents are read.
        clock: Stamps commits.
        identity: Generates seeds.
    """

    def __init__(self, log: Log, clock: Clock, identity: Identity) -> None:
        self._log = log
        self._clock = clock
        self._identity = identity

    def open(self, match: MatchId, request: OpenRequest, key: str) -> Decided:
        """Prepare a new match.

        Raises:
            RequestFailed: Something that the request names does not exist.
            KernelError: The match cannot be opened with these settings.
        """
        opening = Opening(
            game=request.game,
            scenario=request.scenario,
            mode=request.mode,
            options=request.options,
            dice=request.dice,
            seed=self._seed(request.dice, request.seed),
            board=request.board,
            variant=request.variant,
            title=request.title,
            taking_back=request.taking_back,
            house_rules=request.house_rules,
            position=request.position,
        )
        try:
            opened = open_match(match, opening, key=key, at=self._clock.now_ms(), salt=self._identity.seed)
        except (UnknownName, SetupInvalid) as error:
            raise _named(opening, error) from None
        done = opened.prepared
        head, record = Head(done.new.last, done.new.hash), record_of([done.commit])
        live = Match(match, opened.ruleset, done.table, head, opened.seed, record=record)
        return Decided(CachedMatch(live), (done,), opened.attachments)

    def fork(
        self, match: MatchId, parent: CachedMatch, request: ForkRequest, key: str, *, owner: bool, maker: Invitation
    ) -> Decided:
        """Prepare a fork.

        Args:
            match: Its id.
            parent: The forked match; none of its commits may be waiting to be appended.
            request: From a seat that was admitted.
            key: Its idempotency key.
            owner: Whether the client may see everything.
            maker: Who has the seats of the fork that show what is hidden while the parent runs.

        Raises:
            RequestFailed: The client may not make this fork.
            KernelError: The match cannot be forked at this event.
        """
        number = parent.number(request.seat) if request.at is None else request.at
        at = parent.log_number(request.seat, number, first=1)
        if request.dice not in DICE:
            raise denied("unknown_dice", f"a fork's dice are {', '.join(DICE)}, not {request.dice!r}")
        hidden = (request.hidden or TRUTH) if owner else self._hidden_for_player(parent, request, at)
        seat = request.seat if owner else _whose_knowledge(parent, request.seat, at)
        forking = Forking(
            parent=parent.id,
            at=at,
            dice=request.dice,
            hidden=hidden,
            seat=seat,
            reserved=self._telling(parent, seat, at),
            name=maker.name,
            credential=maker.credential,
            seed=self._seed("sealed" if request.dice == "fresh" else request.dice, request.seed),
            faces=request.faces,
            draws=request.draws,
        )
        forked = fork_match(self._log, match, forking, key=key, at=self._clock.now_ms())
        return Decided(CachedMatch(forked.match), forked.commits)

    def _hidden_for_player(self, parent: CachedMatch, request: ForkRequest, at: int) -> str:
        """Return how a player's fork treats hidden events, after checking that it discloses nothing that the seat may not know.

        Args:
            parent: The forked match.
            request: The request.
            at: The log's number of the last shared event.

        Raises:
            RequestFailed: The fork would disclose something.
        """
        self._check_inherited(parent, at)
        if self.is_over(parent):
            return request.hidden or TRUTH
        # Seeded dice are public, so sharing them discloses nothing.
        if request.dice != "fresh" and not (request.dice == "same" and parent.table.chance.scheme == SEEDED):
            raise denied(
                "fork_not_allowed",
                f"while the match runs, a player's fork gets fresh dice, not {request.dice!r}: those would disclose later rolls",
            )
        if parent.is_open_to(self._log, request.seat, at):
            return request.hidden or TRUTH
        if request.hidden == TRUTH:
            raise denied(
                "fork_not_allowed",
                "while the match runs, a player's fork deals again what the seat may not know; only the arbiter may keep it",
            )
        return request.hidden or RESAMPLE

    def _telling(self, parent: CachedMatch, seat: Seat, at: int) -> tuple[Seat, ...]:
        """Return the seats of a fork that would tell whoever takes them what is hidden in a running match: those who see what `seat` knows.

        An arbiter, who may not sit down in the fork, has all of them even while nothing is hidden yet. When the match is over, private notes stay
        private: then they are the seats in which somebody wrote any.
        """
        if seat == PUBLIC:
            return ()
        seats = tuple(parent.table.seats) if seat == ARBITER else (seat,)
        if self.is_over(parent):
            return tuple([one for one in seats if parent.table.private_events_of.get(one)])
        return seats if seat == ARBITER or parent.knows_more(self._log, seat, at) else ()

    def is_over(self, parent: CachedMatch) -> bool:
        """Return whether nothing of a match has to stay hidden for a game that goes on: it is over, and so is every match that it was forked from or that goes on for one of these by a ruling.

        A fork holds what was hidden in its parent, and may end before it. A match that is not in this store may still run.
        """
        try:
            table = parent.table
            while self._is_played_out(table) and table.parent:
                table = self._table_now(table.parent)
            return self._is_played_out(table)
        except (LogError, KernelError):
            return False

    def _is_played_out(self, table: Table) -> bool:
        """Return whether a match is over, and so is the one as which it went on by a ruling, with all that was hidden."""
        while table.ended is not None and table.goes_on:
            table = self._table_now(table.goes_on)
        return table.ended is not None

    def _table_now(self, match: MatchId) -> Table:
        return table_at(self._log, match, self._log.head(match).seq)

    def _check_inherited(self, parent: CachedMatch, at: int) -> None:
        """Check that a fork of a fork does not disclose what the first fork hides.

        A seat's secret in a fork proves nothing in the parent, and the shared events do not carry the fork's limits.

        Raises:
            RequestFailed: It would disclose something.
        """
        for limit in parent.table.limits:
            if at <= limit.upto:
                shared = events_of(self._log, parent.id, at)
                if not hides_nothing(shared, seen_events(shared, limit.seat)):
                    raise denied(
                        "fork_not_allowed",
                        "this event lies before the point at which the match was forked, and the fork hides part of those "
                        "events: fork at a later event, or fork the parent",
                    )

    def _seed(self, dice: str, seed: str) -> str:
        """Return the seed: a new secret one for sealed dice; for seeded dice the requested one or a new public one.

        Raises:
            RequestFailed: A seed was given for other dice, or is too long.
        """
        if seed and dice != "seeded":
            raise denied("setup_invalid", "only seeded dice take a seed; leave it out for other dice")
        if len(seed) > SEED_CHARACTERS_MAX:
            raise denied("setup_invalid", f"a seed has at most {SEED_CHARACTERS_MAX} characters")
        if dice == "sealed":
            return self._identity.seed()
        return seed or self._identity.seed()[:16] if dice == "seeded" else ""


class PreparedForks:
    """Forks that the background prepared, kept until their requests are answered."""

    def __init__(self) -> None:
        self._forks: OrderedDict[tuple[MatchId, Seat], Decided] = OrderedDict()

    def __contains__(self, key: tuple[MatchId, Seat]) -> bool:
        """Return whether the fork with this id is ready for this seat."""
        return key in self._forks

    def put(self, match: MatchId, seat: Seat, fork: Decided) -> None:
        """Keep a fork; beyond the limit the oldest is dropped."""
        self._forks[match, seat] = fork
        if len(self._forks) > PREPARED_FORKS_MAX:
            self._forks.popitem(last=False)

    def pop(self, match: MatchId, seat: Seat) -> Decided | None:
        """Remove and return the fork with this id for this seat, or None."""
        return self._forks.pop((match, seat), None)


def _whose_knowledge(parent: CachedMatch, seat: Seat, at: int) -> Seat:
    """Return the seat whose knowledge bounds what a player's fork shows of the shared events.

    A seat's secret in a fork proves nothing in the parent, so its own fork shows none of the parent's private notes.
    """
    return PUBLIC if any(at <= limit.upto for limit in parent.table.limits) else seat


def _named(opening: Opening, error: UnknownName | SetupInvalid) -> RequestFailed:
    """Return the failure that names what in an opening does not exist or is not valid."""
    defects = error.defects if isinstance(error, SetupInvalid) else ()
    return RequestFailed(FailedReply(code=_code(opening, error), message=str(error), defects=defects))


def _code(opening: Opening, error: UnknownName | SetupInvalid) -> str:
    try:
        game = load_game(opening.game)
    except UnknownName:
        return "unknown_game"
    try:
        scenario = game.scenario(opening.scenario)
    except UnknownName:
        return "unknown_scenario"
    try:
        mode = scenario.mode(opening.mode)
    except UnknownName:
        return "unknown_mode"
    if isinstance(error, SetupInvalid):
        known = {spec.key for spec in game.options if spec.is_for(scenario, mode)}
        return "setup_invalid" if known.issuperset(opening.options) else "unknown_option"
    return "unknown_dice" if opening.position is None else "unknown_name"
