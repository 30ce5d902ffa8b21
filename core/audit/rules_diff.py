"""Replays a match under other rules: which of its decisions they refuse or decide otherwise, each from the table that the record leads to."""

from collections.abc import Mapping
from functools import partial

from core.audit.audit_report import Difference
from core.audit.decided_again import decided_again, decided_anyhow
from core.errors import SetupInvalid
from core.game.bound_game import BoundGame
from core.history.bounded_fold import BoundedFold
from core.match.live_match import Match, game_of, position_of
from core.match.recent_commits import called_after
from core.match.ruleset import Ruleset
from core.match.undo import NO_COMMANDS
from core.registry.games import load_game
from events.chain import checked
from events.codec import Struct
from events.commit import Head
from events.ids import MatchId, Seat
from events.log import Log
from events.vocabulary import MatchForked, MatchOpened, RulesAdopted, Value
from projections.state.table import Table


class Decided(Struct, frozen=True):
    """A decision that other rules refuse or decide otherwise: the seat whose it was, and what differs."""

    seat: Seat
    difference: Difference


class RulesDiff(Struct, frozen=True):
    """A match under other rules: how many of its commands were decided again, and which of them otherwise, in order."""

    match: MatchId
    decisions: int
    decided: tuple[Decided, ...]


def rules_diff(log: Log, match: MatchId, options: Mapping[str, Value], bound: BoundGame | None = None) -> RulesDiff:
    """Decide each command of a match again under other rules, with its recorded dice and draws.

    Each one is decided from the table that the record leads to, so one difference does not hide the next ones.

    Args:
        log: The log that holds the match.
        match: Its id.
        options: Options that are set otherwise.
        bound: The game on another board; None for the match's own.

    Raises:
        UnknownMatch: There is no such match.
        BrokenEvidence: It is damaged.
        RulesetMissing: Its game or board is not here.
        SetupInvalid: An option is not one of its scenario.
    """
    table = Table()
    folding = BoundedFold(table)
    head, recent, called = Head(), NO_COMMANDS, b""
    ruleset: Ruleset | None = None
    decisions, decided = 0, list[Decided]()
    stored = list(log.read(match))
    for one, commit in zip(stored, checked(stored, match), strict=True):
        if ruleset is not None and not isinstance(commit.events[0], MatchForked | RulesAdopted):
            decisions += 1
            other = table.clone()
            other.rules, other.options = ruleset.digest, {**table.options, **options}
            before = Match(match, ruleset, other, head, "", recent=recent, called=called)
            difference = decided_anyhow(commit, partial(decided_again, commit, before, None), "these rules")
            if difference is not None:
                decided.append(Decided(commit.seat, difference))
        folding.take(commit.events, commit.match, len(one.body))
        if ruleset is None and isinstance(commit.events[0], MatchOpened):
            ruleset = _ruleset(log, table, options, bound)
        called, recent = called_after(called, commit, table), recent.followed_by(commit)
        head = Head(commit.last, one.hash)
    return RulesDiff(match, decisions, tuple(decided))


def _ruleset(log: Log, table: Table, options: Mapping[str, Value], bound: BoundGame | None) -> Ruleset:
    game = load_game(table.game)
    scenario = game.scenario(table.scenario)
    known = {spec.key for spec in game.options if spec.is_for(scenario, scenario.mode(table.mode))}
    if strange := [key for key in options if key not in known]:
        raise SetupInvalid((f"scenario {table.scenario!r} has no option {strange[0]!r}",))
    return Ruleset(bound or game_of(log, table), position_of(log, table), game.edition, game.rules_digest)
