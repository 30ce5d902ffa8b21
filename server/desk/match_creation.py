"""The first commits of matches: opened anew, or forked from another."""

from collections import OrderedDict

from core.chance import SEEDED
from core.errors import SetupInvalid, UnknownName
from core.fork import DICE, Forking, fork_match
from core.games import load_game
from core.match import Match
from core.match_creation import Opening, open_match
from core.match_reader import events_of
from events.commit import Head
from events.ids import PUBLIC, MatchId, Seat
from events.log import Log
from projections.fold import RESAMPLE
from projections.view import hides_nothing, log_number, seen_events
from server.desk.match_cache import CachedMatch, Decided
from server.desk.numbers import checked_number
from server.protocol.clock import Clock
from server.protocol.errors import RequestFailed, denied
from server.protocol.identity import Identity
from server.protocol.wire import FailedReply, ForkRequest, OpenRequest

SEED_CHARACTERS_MAX = 200
PREPARED_FORKS_MAX = 16
"""How many prepared forks are kept for the requests that asked for them."""

TRUTH = "truth"


class MatchCreator:
    """Prepares the first commits of matches.

    Args:
        log: Where parents are read.
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
            RequestFailed: Something that it names does not exist.
            KernelError: It cannot be opened like this.
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
            position=request.position,
        )
        try:
            opened = open_match(match, opening, key=key, at=self._clock.now_ms(), salt=self._identity.seed)
        except (UnknownName, SetupInvalid) as error:
            raise _named(opening, error) from None
        done = opened.prepared
        live = CachedMatch(Match(match, opened.ruleset, done.table, Head(done.new.last, done.new.hash), opened.seed))
        return Decided(live, (done,), opened.attachments)

    def fork(self, match: MatchId, parent: CachedMatch, request: ForkRequest, key: str, *, owner: bool) -> Decided:
        """Prepare a fork.

        Args:
            match: Its id.
            parent: The match it leaves; nothing of it may wait to be appended.
            request: From a seat that was admitted.
            key: Its idempotency key.
            owner: Whether the asker may know everything.

        Raises:
            RequestFailed: The asker may not fork like this.
            KernelError: The match cannot be forked there.
        """
        last = parent.number(request.seat)
        number = last if request.at is None else checked_number(request.at, last, first=1)
        at = log_number(parent.table, request.seat, number)
        if request.dice not in DICE:
            raise denied("unknown_dice", f"a fork's dice are {', '.join(DICE)}, not {request.dice!r}")
        hidden = (request.hidden or TRUTH) if owner else self._hidden_for_player(parent, request, at)
        forking = Forking(
            parent=parent.id,
            at=at,
            dice=request.dice,
            hidden=hidden,
            seat=request.seat if owner else _whose_knowledge(parent, request.seat, at),
            seed=self._seed("sealed" if request.dice == "fresh" else request.dice, request.seed),
            faces=request.faces,
            draws=request.draws,
        )
        forked = fork_match(self._log, match, forking, key=key, at=self._clock.now_ms())
        return Decided(CachedMatch(forked.match), forked.commits)

    def _hidden_for_player(self, parent: CachedMatch, request: ForkRequest, at: int) -> str:
        """Return how a player's fork treats what is hidden, after making sure that it tells nothing that seat may not know.

        Args:
            parent: The match it leaves.
            request: What is asked.
            at: The log's number of the last shared event.

        Raises:
            RequestFailed: It would tell.
        """
        self._check_inherited(parent, at)
        if parent.table.ended is not None:
            return request.hidden or TRUTH
        # Seeded dice are no secret, so sharing them tells nobody anything.
        if request.dice != "fresh" and not (request.dice == "same" and parent.table.chance.scheme == SEEDED):
            raise denied(
                "fork_not_allowed",
                f"while the match runs, a player's fork gets fresh dice, not {request.dice!r}: others would tell what is to come",
            )
        if parent.is_open_to(self._log, request.seat, at):
            return request.hidden or TRUTH
        if request.hidden == TRUTH:
            raise denied(
                "fork_not_allowed",
                "while the match runs, what this seat may not know is dealt again in its fork; only the arbiter may keep it",
            )
        return request.hidden or RESAMPLE

    def _check_inherited(self, parent: CachedMatch, at: int) -> None:
        """Make sure that a fork of a fork does not bring back what the first was made to hide.

        Who sits in a fork proves nothing in the match that it left, and the events they share know nothing of the fork.

        Raises:
            RequestFailed: It would.
        """
        for limit in parent.table.limits:
            if at <= limit.upto:
                shared = events_of(self._log, parent.id, at)
                if not hides_nothing(shared, seen_events(shared, limit.seat)):
                    raise denied(
                        "fork_not_allowed",
                        "this lies before what the match was forked at, where not everything may be known in it: "
                        "fork later, or the match that it left",
                    )

    def _seed(self, dice: str, seed: str) -> str:
        """Return the seed: a new secret for sealed dice, what was asked for or a new public one for seeded dice.

        Raises:
            RequestFailed: A seed was given where it cannot be, or is too long.
        """
        if seed and dice != "seeded":
            raise denied("setup_invalid", "only seeded dice take a seed; others get a secret one of their own or none")
        if len(seed) > SEED_CHARACTERS_MAX:
            raise denied("setup_invalid", f"a seed has at most {SEED_CHARACTERS_MAX} characters")
        if dice == "sealed":
            return self._identity.seed()
        return seed or self._identity.seed()[:16] if dice == "seeded" else ""


class PreparedForks:
    """Forks that the background has prepared, until the requests that asked for them come back."""

    def __init__(self) -> None:
        self._forks: OrderedDict[tuple[MatchId, Seat], Decided] = OrderedDict()

    def __contains__(self, key: tuple[MatchId, Seat]) -> bool:
        """Return whether the fork of this id is ready for this seat."""
        return key in self._forks

    def put(self, match: MatchId, seat: Seat, fork: Decided) -> None:
        """Keep a fork; too many push out the oldest."""
        self._forks[match, seat] = fork
        if len(self._forks) > PREPARED_FORKS_MAX:
            self._forks.popitem(last=False)

    def pop(self, match: MatchId, seat: Seat) -> Decided | None:
        """Return the fork of this id for this seat and forget it, or None."""
        return self._forks.pop((match, seat), None)


def _whose_knowledge(parent: CachedMatch, seat: Seat, at: int) -> Seat:
    """Return the seat beyond whose knowledge a player's fork shows nothing of the shared events.

    Who sits in a fork proves nothing in the match that it left, so of that match's private notes its fork shows none.
    """
    return PUBLIC if any(at <= limit.upto for limit in parent.table.limits) else seat


def _named(opening: Opening, error: UnknownName | SetupInvalid) -> RequestFailed:
    """Return what of an opening does not exist or is wrong."""
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
